"""SABRE: buckets of the sensitive values, and classes with their share of each.

Cao, Karras, Kalnis & Tan (2011).

The search knows counts only: how many records each value has. Which records of a bucket a class
gets is of no matter to t, so a class gets neighbours: along the curve through the quasi-identifiers
the first class takes the first records of every bucket.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, Literal

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.errors import Problem
from sqlanon.measure.asked import Asked
from sqlanon.methods.deal.locality import Columns, along_curve, curve_through, described
from sqlanon.methods.deal.sabre.buckets import Run
from sqlanon.methods.deal.sabre.dealing import Dealing, Dealt, Table
from sqlanon.methods.method import ASSIGNED, Grouping, Method, Task
from sqlanon.methods.strata import in_each_stratum
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Check, Runner, SearchBase, Step, work
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.spec import MethodSettings, Spec
from sqlanon.sql.names import Relation

# So many runs of values: those of an order are few so that the search is fast, the leaves of a
# hierarchy can be no fewer than they are.
MOST_RUNS = {"equal": 200, "ordered": 120, "hierarchical": 2000}


@dataclass(frozen=True)
class SabreSearch(SearchBase):
    """The search for buckets, and for the most classes with their share of each.

    Attributes:
        dealt: what is dealt, and where to.
        models: everything that every class must meet.
        least: how many records a class must have to meet them at all.
    """

    title: ClassVar[str] = "searching for the buckets that make the most classes"

    dealt: Dealt
    models: tuple[Asked, ...]
    least: int

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.dealt.assigned

    @property
    def t(self) -> Fraction:
        """The greatest distance of a class to the table."""
        (asked,) = (
            Fraction(model.demand.threshold)
            for model in self.models
            if model.attribute == self.dealt.attribute and model.model is T_CLOSENESS
        )
        return asked

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return described(self)

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say what was dealt and chosen."""
        workspace = Workspace(session)
        table = Table(self._read(workspace), self.dealt.attribute.distance, self.t)
        dealing = Dealing(self.dealt, session, workspace)
        # Hidden attributes are left to the gate.
        further = [
            model
            for model in self.models
            if model.bound is not None
            and model.model is not T_CLOSENESS
            and model.attribute in (None, self.dealt.attribute)
        ]
        found = table.most(self.least)
        dealing.deal(found)
        if further and not dealing.holds(further):
            self._enlarge(table, dealing, further)
        session.notes.append(("search_tried", json.dumps(dealing.tried)))
        workspace.clear()

    def _enlarge(self, table: Table, dealing: Dealing, further: list[Asked]) -> None:
        """Deal into larger classes until they meet the other models, too; in the end into one."""
        too_small = least = self.least
        found = table.most(least)
        while found.halved.classes > 1:
            too_small, least = least, 2 * least
            found = table.most(least)
            dealing.deal(found)
            if dealing.holds(further):
                break
        while least - too_small > max(1, least // 16):
            middle = (least + too_small) // 2
            dealing.deal(table.most(middle))
            if dealing.holds(further):
                least = middle
            else:
                too_small = middle
        dealing.deal(table.most(least))

    def _read(self, workspace: Workspace) -> list[Run]:
        """The values of the attribute in runs: counts, and where they lie."""
        one = self.dealt.attribute
        height = one.height if one.distance == "hierarchical" else 0
        counted = workspace.several(
            "methods/sabre/counted_runs",
            {"bins": self.dealt.bins, "positions": one.positions, "matrix": self.dealt.matrix},
            MOST_RUNS[one.distance] + 1,
            height=height,
            attribute=one.alias,
        )
        return [_run(row, height) for row in counted]


def _run(row: dict[str, Any], height: int) -> Run:
    return Run(
        records=int(row["records"]),
        table_records=int(row["table_records"]),
        least=int(row["least"]),
        first=int(row["first_position"]),
        last=int(row["last_position"]),
        nodes=tuple(int(row[f"node_{level}"]) for level in range(height)) or (int(row["bin"]),),
    )


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
            max([task.k, *(model.demand.least_size for model in task.models)]),
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
