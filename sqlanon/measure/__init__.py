"""Measuring what a reader can tie together: every privacy model, and the information lost."""

from sqlanon.measure.asked import (
    Asked,
    Key,
    Requirements,
    UnitCounts,
    as_parameter,
    asked_models,
    asked_of_covered,
    class_column,
    held_step,
    unit_counts,
)
from sqlanon.measure.copies import COPIED, LEAST_COMPARED, Compared, Copies, copies
from sqlanon.measure.detail import Detail, by_column, detail_step, details
from sqlanon.measure.insensitive import (
    SHARES,
    Released,
    pair,
    share_steps,
)
from sqlanon.measure.joined import GROUP_SIZES, TIED, Tied, joined_view
from sqlanon.measure.loss import LossColumn, centroid_step, loss_columns
from sqlanon.measure.metrics import (
    METRIC_OF,
    METRICS,
    RARE,
    SHARES_OF_RECORDS,
    UNIQUENESS,
)
from sqlanon.measure.plan import MeasurementPlan, ToMeasure, measure
from sqlanon.measure.projected import Projected, asked_of_projections
from sqlanon.measure.view import (
    COVERED,
    MEASURED,
    AdversaryView,
    ShownColumn,
    known_values,
    table_view,
)

__all__ = [
    "COPIED",
    "COVERED",
    "GROUP_SIZES",
    "LEAST_COMPARED",
    "MEASURED",
    "METRICS",
    "METRIC_OF",
    "RARE",
    "SHARES",
    "SHARES_OF_RECORDS",
    "TIED",
    "UNIQUENESS",
    "AdversaryView",
    "Asked",
    "Compared",
    "Copies",
    "Detail",
    "Key",
    "LossColumn",
    "MeasurementPlan",
    "Projected",
    "Released",
    "Requirements",
    "ShownColumn",
    "Tied",
    "ToMeasure",
    "UnitCounts",
    "as_parameter",
    "asked_models",
    "asked_of_covered",
    "asked_of_projections",
    "by_column",
    "centroid_step",
    "class_column",
    "copies",
    "detail_step",
    "details",
    "held_step",
    "joined_view",
    "known_values",
    "loss_columns",
    "measure",
    "pair",
    "share_steps",
    "table_view",
    "unit_counts",
]
