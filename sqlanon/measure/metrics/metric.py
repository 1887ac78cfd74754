"""What a metric is: everything that any part of sqlanon has to know of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from sqlanon.privacy import PrivacyModel
from sqlanon.spec.metrics import MetricRule, Needs

Per = Literal[
    "release",
    "quasi-identifier",
    "sensitive attribute",
    "insensitive column",
    "quasi-identifier and insensitive column",
    "transformed column",
]


@dataclass(frozen=True)
class MetricDef:
    """A metric.

    Attributes:
        name: its name in the metrics relation.
        per: what it is measured of: the whole release, or every attribute of a role.
        measured: the template that measures it, with no threshold in it. One of the whole release
            yields one row, with a column of the metric's name; of a quasi-identifier the column's
            name follows its alias. Of insensitive columns a row has its metric and attribute.
        direction: whether a lower or a higher value is better; None where neither is.
        range: between what it lies; n is the number of records.
        value: what it is, as a formula.
        paper: where it comes from.
        says: what its value means, in a sentence for a privacy officer.
        needs: what a release must be like to have it, where a spec has to ask for it; None of a
            metric that is measured wherever it can be.
    """

    name: str
    per: Per
    measured: str
    direction: Literal["lower", "higher"] | None
    range: str
    value: str
    paper: str
    says: str
    needs: Needs | None = None

    @property
    def rule(self) -> MetricRule | None:
        """What a spec must be like to ask for it; None where it need not be asked for."""
        return None if self.needs is None else MetricRule(self.name, self.needs)

    @property
    def sentence(self) -> str:
        """What its value means, as it stands in the metrics relation."""
        plain = self.says.replace("`", "")
        return f"{plain[0].upper()}{plain[1:]}."


def metric_of(model: PrivacyModel) -> MetricDef:
    """The metric of a privacy model: what it reaches in its worst class."""
    return MetricDef(
        name=model.name,
        per="release" if model.per in ("release", "population") else "sensitive attribute",
        measured=model.measured,
        direction="higher" if model.worst == "least" else "lower",
        range=model.range,
        value=model.value,
        paper=model.paper,
        says=model.says,
    )
