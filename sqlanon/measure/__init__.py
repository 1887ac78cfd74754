"""Measuring a table: its classes, every privacy model, and the information lost."""

from sqlanon.measure.insensitive import (
    DETERMINED,
    RARE,
    SHARES,
    Hidden,
    Released,
    pair,
    share_steps,
)
from sqlanon.measure.plan import (
    UNIQUE,
    LossColumn,
    Measured,
    Measurement,
    loss_columns,
    measurement,
)

__all__ = [
    "DETERMINED",
    "RARE",
    "SHARES",
    "UNIQUE",
    "Hidden",
    "LossColumn",
    "Measured",
    "Measurement",
    "Released",
    "loss_columns",
    "measurement",
    "pair",
    "share_steps",
]
