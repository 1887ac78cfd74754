"""Figures of a release or a table, and their findings, as people and programs get them.

Metrics, attacks, utility and the risk of a table have a registry of figures each. The value that
was found of a figure is a finding. Both are the same for all of them, and so is how they are shown.
"""
