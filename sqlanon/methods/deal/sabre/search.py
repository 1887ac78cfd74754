"""The search for buckets, and for the most classes with their share of each.

Cao, Karras, Kalnis & Tan (2011). It knows counts only: how many records each value has. Which
records of a bucket a class gets is of no matter to t, so a class gets neighbours: along the curve
through the quasi-identifiers the first class takes the first records of every bucket.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.measure.asked import Asked
from sqlanon.methods.deal.dealt import described
from sqlanon.methods.deal.sabre.bounds import Run
from sqlanon.methods.deal.sabre.dealing import Dealing, Dealt
from sqlanon.methods.deal.sabre.table import Table
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, SearchBase
from sqlanon.privacy.t_closeness import T_CLOSENESS
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

    dealt: Dealt
    models: tuple[Asked, ...]
    least: int

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return "searching for the buckets that make the most classes"

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.dealt.assigned

    @property
    def t(self) -> Fraction:
        """The greatest distance of a class to the table."""
        (asked,) = (
            Fraction(one.demand.threshold)
            for one in self.models
            if one.attribute == self.dealt.attribute and one.model is T_CLOSENESS
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
            one
            for one in self.models
            if one.bound is not None
            and one.model is not T_CLOSENESS
            and one.attribute in (None, self.dealt.attribute)
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
            {
                "bins": self.dealt.bins,
                "positions": one.positions,
                "matrix": self.dealt.matrix,
            },
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
