"""SABRE: buckets of the sensitive values, and classes with their share of each.

Cao, Karras, Kalnis & Tan (2011).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.errors import Problem
from sqlanon.methods.deal.locality import Columns, along_curve, curve_through
from sqlanon.methods.deal.sabre.dealing import Dealt
from sqlanon.methods.deal.sabre.search import MOST_RUNS, SabreSearch
from sqlanon.methods.each_stratum import in_each_stratum
from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.plan import Check, Step, work
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.spec import MethodSettings, Spec
from sqlanon.sql.names import Relation


class SabreSettings(MethodSettings):
    """Buckets of a sensitive attribute, and classes with their share of each. Cao et al. (2011)."""

    counts_persons: ClassVar[bool] = False
    strata: ClassVar[bool] = True
    reads_records: ClassVar[bool] = True

    name: Literal["sabre"] = "sabre"

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Buckets are those of one sensitive attribute, and are sought for its t."""
        if len(spec.sensitive) != 1:
            number = "none is" if not spec.sensitive else f"{len(spec.sensitive)} are"
            what = f"sabre works on one sensitive attribute, and {number} declared"
            yield Problem("method", f"{what}: take another method")
            return
        ((name, declared),) = spec.sensitive.items()
        if T_CLOSENESS.asked(declared) is None and T_CLOSENESS.asked(spec.privacy) is None:
            yield Problem(
                f"sensitive.{name}.t",
                "sabre forms classes for a t, and none is asked for: give it a number from 0 to 1",
            )


_CURVE_PLACES, _MATRIX = work("curve_places"), work("matrix")


class Sabre(Method[SabreSettings]):
    """Cuts the sensitive values into buckets, and deals these along a curve."""

    Settings = SabreSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the values' counts, by way of a search, to a class for every record."""
        return in_each_stratum(task, self._grouped)

    def _grouped(self, task: Task) -> Grouping:
        """The same of the table, or of one stratum of it."""
        (attribute,) = task.sensitive
        counts = task.count()
        curve = curve_through(counts.distinct, counts.records)
        columns = Columns(task.quasi_codes, task.sensitive_codes, task.tie_breaks)
        bins = work("bins_", attribute.alias)
        search = SabreSearch(
            Dealt(
                curve_places=_CURVE_PLACES,
                matrix=_MATRIX,
                assigned=ASSIGNED,
                columns=columns,
                released=task.released,
                attribute=attribute,
                bins=bins,
                curve=curve,
            ),
            task.models,
            max([task.k, *(one.demand.least_size for one in task.models)]),
        )
        return Grouping(
            (
                *_run_steps(attribute, bins),
                Step(
                    "counting the sensitive values",
                    _MATRIX,
                    "methods/deal/matrix",
                    {"coded": task.coded, f"bins_{attribute.alias}": bins},
                    {"sensitive": task.sensitive_codes, "bins": {str(attribute.alias): bins}},
                ),
                *along_curve(task.coded, _CURVE_PLACES, task.quasi_identifiers, columns.all, curve),
                search,
            )
        )


def _run_steps(attribute: SensitiveAttribute, bins: Relation) -> list[Step | Check]:
    """The steps that put the values in runs; the leaves of a hierarchy must not be too many."""
    title, inputs = f"the values of {attribute.name} in runs", {"positions": attribute.positions}
    most = MOST_RUNS[attribute.distance]
    if attribute.distance == "ordered":
        return [Step(title, bins, "domains/bins", inputs, {"bins": most})]
    # The last run is that of all values beyond the others.
    params = {"distance": attribute.distance, "most": most}
    steps: list[Step | Check] = [Step(title, bins, "methods/sabre/runs", inputs, params)]
    if attribute.distance == "hierarchical":
        steps.append(
            Check(
                "subtrees can be searched for",
                "methods/sabre/check_runs",
                {"bins": bins},
                {"most": most},
                f"sensitive.{attribute.name}.hierarchy",
                f"it has more than {most:,} leaves, and sabre searches among so many at most: take "
                "another method, or leave out of the hierarchy what the source does not hold",
            )
        )
    return steps
