"""The result of measuring a table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlanon.errors import Shortfall
from sqlanon.judge.support import Fault
from sqlanon.kept.metrics import Metric, value_of
from sqlanon.kept.preview import metrics_table, summary_html
from sqlanon.kept.recorded import metrics_frame
from sqlanon.kept.summary import Summary
from sqlanon.spec import Distances

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, repr=False)
class CheckResult:
    """The result of measuring a table.

    Attributes:
        table: the table's name.
        measures: every metric, with what was asked for.
        shortfalls: the models that were asked for and do not hold, and records that are missing.
        faults: why the table is no release of the spec's source.
        distances: by which distance each t was measured.
        summary: the protection, its cost, and the remaining risks, in sentences.
        measured_by: the distance by which each sensitive attribute was measured, asked for or not.
        remarks: what a table alone does not tell.
    """

    table: str
    measures: tuple[Metric, ...]
    shortfalls: tuple[Shortfall, ...]
    faults: tuple[Fault, ...] = ()
    distances: Distances = field(default_factory=Distances)
    summary: Summary = field(default_factory=Summary)
    measured_by: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything that was asked for holds, and the table is what it should be."""
        return not self.shortfalls and not self.faults

    def measure(self, metric: str, attribute: str | None = None) -> float | None:
        """The value of one metric.

        Args:
            metric: its name, or of a model the name of its field in a spec: ``k``, ``l``, ``t``.
            attribute: the column it is of; it may be left out where there is one alone.

        Raises:
            KeyError: if it was not measured.
        """
        return value_of(self.measures, metric, attribute)

    def metrics_frame(self) -> pd.DataFrame:
        """The metrics as a pandas frame, a row each; ``sentence`` says what was reached."""
        return metrics_frame(self.measures)

    def __repr__(self) -> str:
        short = len(self.shortfalls) + len(self.faults)
        says = "passed" if self.passed else f"{short:,} {'thing' if short == 1 else 'things'} wrong"
        return f"CheckResult({self.table}, {says})"

    def _repr_html_(self) -> str:
        return summary_html(self.summary) + metrics_table(self.table, self.measures)
