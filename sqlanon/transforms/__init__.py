"""The transforms of a column: what each takes, which columns it fits, and what it says of itself.

``TRANSFORMS`` is the only list of them: the fields of a spec are made of it. Only local
differential privacy is a guarantee. Every model counts the values that are published.
"""

from sqlanon.transforms.declared import Transforms
from sqlanon.transforms.kinds import TRANSFORMS
from sqlanon.transforms.transform import Shape, Transform

__all__ = ["TRANSFORMS", "Shape", "Transform", "Transforms"]
