"""Generalization hierarchies as relations: built, numbered depth first, and checked."""

from sqlanon.hierarchies.domain import Attribute, attribute_steps
from sqlanon.hierarchies.lines import hierarchy_lines

__all__ = ["Attribute", "attribute_steps", "hierarchy_lines"]
