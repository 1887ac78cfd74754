"""Cell suppression: single values are withheld, as few as needed."""

from sqlanon.methods.level.cell_suppression.method import CellSuppression

__all__ = ["CellSuppression"]
