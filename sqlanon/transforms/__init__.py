"""The transforms of a column: what each takes, which columns it fits, and what it says of itself.

``TRANSFORMS`` in ``kinds`` is the only list of them: the fields of a spec are made of it. Only
local differential privacy is a guarantee. Every model counts the values that are published.
"""
