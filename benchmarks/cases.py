"""A case: a table, a method, and rounds in which floor, release and check take turns."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.data import Shape, adult_roles, make, make_adult, roles
from benchmarks.runs import STAGES, Taken, Task, alone, check, floor, release

METHODS: dict[str, dict[str, Any]] = {
    "stack_and_deal": {"name": "stack_and_deal"},
    "curve": {"name": "stack_and_deal", "locality": "curve"},
    "stripes": {"name": "stack_and_deal", "locality": "stripes"},
    "split_or_deal": {"name": "split_or_deal"},
}


@dataclass(frozen=True)
class Case:
    """What is run.

    Attributes:
        shape: the table.
        method: one of METHODS.
        k: the least class size.
        t: the greatest distance of a class, for methods that see to it.
        distance: of the sensitive values.
        adult: whether the table is made of Adult's records.
        rounds: how often.
    """

    shape: Shape
    method: str
    k: int = 10
    t: float | None = None
    distance: str = "equal"
    adult: bool = False
    rounds: int = 3

    @property
    def title(self) -> str:
        """The case in a few words."""
        table = "Adult-like rows" if self.adult else "rows"
        return f"{self.shape.rows:,} {table}, {self.method}"


@dataclass(frozen=True)
class Outcome:
    """What the rounds of a case took: floor, release and check."""

    case: Case
    taken: dict[str, list[Taken]]

    def seconds(self, what: str, stage: str | None = None) -> float:
        """The median of the rounds."""
        runs = self.taken[what]
        return median(one.seconds if stage is None else one.stages[stage] for one in runs)

    def ratio(self, what: str, stage: str | None = None) -> float:
        """The median as a multiple of the floor's."""
        return self.seconds(what, stage) / self.seconds("floor")

    def most(self, what: str, field: str) -> float:
        """The greatest peak, or what was spilled, of the rounds."""
        return max(float(getattr(one, field)) for one in self.taken[what])

    @property
    def reached(self) -> dict[str, float]:
        """What the release came to."""
        return self.taken["release"][0].outcome

    @property
    def stages(self) -> list[str]:
        """The stages that took any time, in order."""
        found = (*STAGES, "reading and coding")
        return [stage for stage in found if self.seconds("release", stage) > 0]

    def to_dict(self) -> dict[str, Any]:
        """For a file."""
        runs = {what: [asdict(one) for one in runs] for what, runs in self.taken.items()}
        return {"case": asdict(self.case), **runs}

    @classmethod
    def from_dict(cls, found: dict[str, Any]) -> Outcome:
        """From a file."""
        known = dict(found["case"])
        case = Case(Shape(**known.pop("shape")), **known)
        whats = ("floor", "release", "check")
        return cls(case, {what: [Taken(**one) for one in found[what]] for what in whats})


def run(case: Case, settings: dict[str, str | int]) -> Outcome:
    """Make the table and go through the rounds."""
    taken: dict[str, list[Taken]] = {"floor": [], "release": [], "check": []}
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "persons.duckdb"
        if case.adult:
            make_adult(case.shape.rows, database)
            declared = adult_roles(case.k, case.t, case.distance)
        else:
            make(case.shape, database)
            declared = roles(case.k, case.t, case.distance)
        task = Task(database, declared, METHODS[case.method], settings)
        for _ in range(case.rounds):
            taken["floor"].append(alone(floor, task))
            taken["release"].append(alone(release, task))
            taken["check"].append(alone(check, task))
    return Outcome(case, taken)


COLUMNS = ("", "seconds", "ratio to floor", "rows/s", "peak MB", "spilled MB")


def rows(outcome: Outcome, stages: bool = True) -> list[tuple[str, ...]]:
    """The table of a case, as texts under COLUMNS."""
    found: list[tuple[str, ...]] = []
    count = outcome.case.shape.rows
    for what in outcome.taken:
        names: Sequence[str | None] = (None,)
        if what == "release" and stages:
            names = (None, *outcome.stages)
        for stage in names:
            seconds = outcome.seconds(what, stage)
            peak = "" if stage else f"{outcome.most(what, 'peak'):,.0f}"
            spilled = "" if stage else f"{outcome.most(what, 'spilled'):,.0f}"
            found.append(
                (
                    f"  {stage}" if stage else what,
                    f"{seconds:.2f}",
                    f"{outcome.ratio(what, stage):.2f}",
                    f"{count / seconds:,.0f}",
                    peak,
                    spilled,
                )
            )
    return found


def show(outcome: Outcome) -> None:
    """Print a case."""
    table = Table(title=outcome.case.title, title_justify="left")
    for name in COLUMNS:
        table.add_column(name, justify="right" if name else "left")
    for row in rows(outcome):
        table.add_row(*row)
    reached = ", ".join(f"{name} {value:.4g}" for name, value in outcome.reached.items())
    console = Console(width=100)
    console.print(table)
    console.print(f"reached: {reached}\n", highlight=False)
