"""Attributes and their values as relations; hierarchies built, numbered, and checked."""

from sqlanon.domains.attribute import (
    FEW,
    Attribute,
    HiddenAttribute,
    QuasiAttribute,
    SensitiveAttribute,
    follows,
    telling,
)
from sqlanon.domains.domain import (
    attribute_steps,
    checks_of_values,
    labelled_at,
    listed_lines,
    nothing_starred,
)
from sqlanon.domains.lines import as_tree, hierarchy_lines
from sqlanon.domains.unit import Unit, one_of

__all__ = [
    "FEW",
    "Attribute",
    "HiddenAttribute",
    "QuasiAttribute",
    "SensitiveAttribute",
    "Unit",
    "as_tree",
    "attribute_steps",
    "checks_of_values",
    "follows",
    "hierarchy_lines",
    "labelled_at",
    "listed_lines",
    "nothing_starred",
    "one_of",
    "telling",
]
