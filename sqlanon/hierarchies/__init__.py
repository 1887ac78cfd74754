"""Generalization hierarchies as relations: built, numbered depth first, and checked."""

from sqlanon.hierarchies.attribute import (
    Attribute,
    QuasiAttribute,
    SensitiveAttribute,
    telling,
)
from sqlanon.hierarchies.domain import attribute_steps
from sqlanon.hierarchies.lines import hierarchy_lines

__all__ = [
    "Attribute",
    "QuasiAttribute",
    "SensitiveAttribute",
    "attribute_steps",
    "hierarchy_lines",
    "telling",
]
