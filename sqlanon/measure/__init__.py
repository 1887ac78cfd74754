"""Measuring a table: its classes, every privacy model, and the information lost."""

from sqlanon.measure.asked import Asked, asked_models, held_step, shown
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
    "Asked",
    "Hidden",
    "LossColumn",
    "Measured",
    "Measurement",
    "Released",
    "asked_models",
    "held_step",
    "loss_columns",
    "measurement",
    "pair",
    "share_steps",
    "shown",
]
