"""Figures that are metrics of a release: those of the models, and the rules of those asked for."""

from __future__ import annotations

from typing import cast

from sqlanon.figures import Figure
from sqlanon.privacy import PrivacyModel
from sqlanon.spec.metrics import MetricRule, Needs


def rule_of(figure: Figure) -> MetricRule:
    """The rule for a spec that asks for a metric that is not measured of every release."""
    return MetricRule(figure.name, cast(Needs, figure.needs))


def metric_of(model: PrivacyModel) -> Figure:
    """The metric of a privacy model: what it reaches in its worst class."""
    return Figure(
        name=model.name,
        per="sensitive attribute" if model.is_of_attribute else "release",
        measured=model.measured,
        direction="higher" if model.worst == "least" else "lower",
        range=model.range,
        value=model.value,
        paper=model.paper,
        says=model.says,
        unit="number" if model.whole else "distance",
    )
