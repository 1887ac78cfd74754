"""Top-down specialization: one cut a column, refined while every model holds."""
