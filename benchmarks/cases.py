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
        publish: anatomy, permuted or sliced, of groups of k; None for generalized cells.
    """

    shape: Shape
    method: str
    k: int = 10
    t: float | None = None
    distance: str = "equal"
    adult: bool = False
    rounds: int = 3
    publish: str | None = None

    @property
    def title(self) -> str:
        """The case in a few words."""
        table = "Adult-like rows" if self.adult else "rows"
        published = "" if self.publish is None else f", {self.publish}"
        return f"{self.shape.rows:,} {table}, {self.method}{published}"

    def in_groups(self, declared: dict[str, Any]) -> dict[str, Any]:
        """The same roles, for exact rows in groups of k where these are published."""
        if self.publish is None:
            return declared
        publish: dict[str, Any] = {"name": self.publish, "group": self.k}
        if self.publish == "sliced":
            first, *others = declared["quasi_identifiers"]
            publish["columns"] = [[first], others, list(declared["sensitive"])]
        sensitive = {name: {**asked, "l": 2} for name, asked in declared["sensitive"].items()}
        return {**declared, "sensitive": sensitive, "k": 1, "publish": publish}


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
        whats = [what for what in ("floor", "release", "check") if what in found]
        return cls(case, {what: [Taken(**one) for one in found[what]] for what in whats})


def run(case: Case, settings: dict[str, str | int]) -> Outcome:
    """Make the table and go through the rounds."""
    taken: dict[str, list[Taken]] = {"floor": [], "release": []}
    if case.publish is None:  # exact rows are checked by their spec, with the source
        taken["check"] = []
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "persons.duckdb"
        if case.adult:
            make_adult(case.shape.rows, database)
            declared = adult_roles(case.k, case.t, case.distance)
        else:
            make(case.shape, database)
            declared = roles(case.k, case.t, case.distance)
        task = Task(database, case.in_groups(declared), METHODS[case.method], settings)
        for _ in range(case.rounds):
            taken["floor"].append(alone(floor, task))
            taken["release"].append(alone(release, task))
            if case.publish is None:
                taken["check"].append(alone(check, task))
    return Outcome(case, taken)


COLUMNS = ("stage", "seconds", "ratio to floor", "rows/s", "peak MB", "spilled MB")


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
        table.add_column(name, justify="left" if name == COLUMNS[0] else "right")
    for row in rows(outcome):
        table.add_row(*row)
    reached = ", ".join(f"{name} {value:.4g}" for name, value in outcome.reached.items())
    console = Console(width=100)
    console.print(table)
    console.print(f"reached: {reached}\n", highlight=False)
