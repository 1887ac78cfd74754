"""Generalization hierarchies as relations: built, numbered depth first, and checked."""

from sqlanon.hierarchies.domain import Attribute, attribute_steps, telling
from sqlanon.hierarchies.lines import hierarchy_lines

__all__ = ["Attribute", "attribute_steps", "hierarchy_lines", "telling"]
