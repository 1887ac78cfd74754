"""Measuring what a reader can tie together: every privacy model, and the information lost."""

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
from sqlanon.measure.loss import LossColumn, loss_columns
from sqlanon.measure.plan import UNIQUE, Measurement, measure
from sqlanon.measure.view import AdversaryView, ShownColumn, table_view

__all__ = [
    "DETERMINED",
    "RARE",
    "SHARES",
    "UNIQUE",
    "AdversaryView",
    "Asked",
    "Hidden",
    "LossColumn",
    "Measurement",
    "Released",
    "ShownColumn",
    "asked_models",
    "held_step",
    "loss_columns",
    "measure",
    "pair",
    "share_steps",
    "shown",
    "table_view",
]
