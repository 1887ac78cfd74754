"""Measuring a table: its classes, every privacy model, and the information lost."""

from sqlanon.measure.plan import (
    LossColumn,
    Measured,
    Measurement,
    loss_columns,
    measurement,
)

__all__ = ["LossColumn", "Measured", "Measurement", "loss_columns", "measurement"]
