"""How what was measured shows itself in a notebook."""

from __future__ import annotations

from collections.abc import Iterable

from sqlanon.kept.metrics import Metric
from sqlanon.pages.inline import table


def metrics_table(caption: str, measures: Iterable[Metric]) -> str:
    """What was reached, beside what was asked for."""
    return table(
        caption,
        ("metric", "attribute", "reached", "asked for"),
        ((one.metric, one.attribute, one.value, one.threshold) for one in measures),
    )
