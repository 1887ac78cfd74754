"""Top-down specialization: one cut a column, refined while every model holds."""

from sqlanon.methods.level.top_down.method import TopDown

__all__ = ["TopDown"]
