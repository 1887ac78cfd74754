"""Steps and plans: frozen data that `explain`, `compile` and `run` all read.

A step leaves a record behind, and a search may ask some things of the runner of its plan.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import zip_longest
from typing import Any, ClassVar, Literal, Protocol, runtime_checkable

from sqlanon.errors import EngineError, InfeasibleError, Problem, SpecError, SqlanonError
from sqlanon.sql.names import Relation
from sqlanon.sql.templates import load_template
from sqlanon.sql.written import Naming, Written, as_named

WORK_PREFIX = "sqlanon_"


class Materialization(StrEnum):
    """The kind of relation that a step makes."""

    WORK_TABLE = "work table"
    WORK_VIEW = "work view"
    TABLE = "table"
    VIEW = "view"

    @property
    def kind(self) -> Literal["table", "view"]:
        """Whether it is a table or a view."""
        return "view" if self in (Materialization.VIEW, Materialization.WORK_VIEW) else "table"

    @property
    def published(self) -> bool:
        """Whether it stays after the run."""
        return self in (Materialization.TABLE, Materialization.VIEW)


def work(*parts: str | int) -> Relation:
    """The work relation of a name; it lives as long as the run."""
    return Relation(WORK_PREFIX + "".join(map(str, parts)))


def is_work(relation: Relation) -> bool:
    """Whether it is a work relation; no relation of the user's may have such a name."""
    return not relation.path and relation.name.startswith(WORK_PREFIX)


@dataclass(frozen=True)
class Secret(Relation):
    """A part of a key: a session has it only while a step or a check that names it runs.

    All that runs between begins and ends without it. So no function of somebody else's, which a
    view, a query or a cast calls, ever runs while the session has it. A session calls it by a name
    drawn at random; this name is what a plan and a script call it.
    """


@dataclass(frozen=True)
class Step:
    """One relation to make: a template, what it reads, and what becomes of it.

    Attributes:
        title: what happens, for people.
        output: the relation it makes.
        template: ``family/relation``.
        inputs: a relation for each input of the template; the plan's only edges.
        params: the template's parameters.
        how: what the relation becomes.
        where: the place in the spec whose SQL is a part of it; empty without such.
    """

    title: str
    output: Relation
    template: str
    inputs: Mapping[str, Any] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)
    how: Materialization = Materialization.WORK_TABLE
    where: str = ""
    # The SELECT that it was rendered to, by dialect: a run carries it out, hashes and records it.
    _written: dict[str, Written] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def sql(self, dialect: str = "duckdb", naming: Naming = as_named) -> str:
        """The SELECT that makes the relation; each relation is called by its place."""
        return self.written(dialect).sql(naming)

    def written(self, dialect: str) -> Written:
        """The same, for places that are known later."""
        if dialect not in self._written:
            template = load_template(self.template, dialect)
            self._written[dialect] = template.write(self.inputs, self.params)
        return self._written[dialect]

    @property
    def grain(self) -> str:
        """The grain of the relation: what each of its rows is."""
        return load_template(self.template).header["grain"]


Found = Sequence[Mapping[str, Any]]


class Counts:
    """The counts of a check in its message: ``FOUND.records`` is its column ``records``.

    No name that a message quotes is taken for it: a blank stands between characters 0, which no
    text of a user has.
    """

    def __getattr__(self, name: str) -> str:
        """The blank of what is found under a name."""
        return f"\0{name}\0"


FOUND = Counts()


def blanks(message: str) -> tuple[list[str], list[str]]:
    """The texts of a check's message, and the names of what fills the blanks between them."""
    parts = message.split("\0")
    return parts[::2], parts[1::2]


def filled(message: str, found: Found) -> str:
    """A check's message with its counts."""
    texts, names = blanks(message)
    counts = [str(found[0][name]) for name in names]
    said = "".join(part for pair in zip_longest(texts, counts, fillvalue="") for part in pair)
    return re.sub(r"\bonly 1 (\w+)s\b", r"only 1 \1", said)


def wrong_spec(where: str, message: str, found: Found) -> SqlanonError:
    """The spec and the data are at odds: exit code 2."""
    return SpecError(Problem(where, filled(message, found)))


def infeasible(where: str, message: str, found: Found) -> SqlanonError:
    """The data cannot meet the spec: exit code 1."""
    return InfeasibleError(filled(message, found))


def fault(where: str, message: str, found: Found) -> SqlanonError:
    """A condition that must hold does not, by no mistake of the user's: exit code 3."""
    return EngineError(filled(message, found))


@dataclass(frozen=True)
class Check:
    """A query that must return no row.

    Attributes:
        title: what is checked, for people.
        template: ``family/check_…``; its rows hold counts and names, no cell of the data.
        inputs: as for a step.
        params: as for a step.
        where: the place in the spec to mend, or empty.
        message: what is wrong and what would be accepted, with ``FOUND.column`` for a count found.
        error: makes the error of where, message and the rows found.
        least: a relation that an earlier step makes, and a number: with fewer rows of it nothing
            can be wrong, and a run that knows so does not ask.
    """

    title: str
    template: str
    inputs: Mapping[str, Any]
    params: Mapping[str, Any]
    where: str
    message: str
    error: Callable[[str, str, Found], SqlanonError] = wrong_spec
    least: tuple[Relation, int] | None = None
    _written: dict[str, Written] = field(  # as a step's
        default_factory=dict, init=False, repr=False, compare=False
    )

    def sql(self, dialect: str = "duckdb", naming: Naming = as_named) -> str:
        """The SELECT that must return no row; each relation is called by its place."""
        if dialect not in self._written:
            template = load_template(self.template, dialect)
            self._written[dialect] = template.write(self.inputs, self.params)
        return self._written[dialect].sql(naming)


@runtime_checkable
class Search(Protocol):
    """A stretch of a plan that asks the database what to do next, counts only.

    Attributes:
        title: what is searched for, for people.
        output: the relation it leaves.
        on_cells: whether it reads cells and what is known of their codes, and never a relation with
            a row for each record.
    """

    on_cells: ClassVar[bool]

    @property
    def title(self) -> str:
        """The aim of the search, for people."""

    @property
    def output(self) -> Relation:
        """The relation it leaves."""

    def run(self, session: Runner) -> None:
        """Search, by steps of its own."""

    def describe(self) -> str:
        """The settings that decide the outcome, as text; part of the fingerprint."""


class SearchBase:
    """The base of searches: dataclasses whose fields decide the outcome, and that read records."""

    on_cells: ClassVar[bool] = False

    def describe(self) -> str:
        """The settings that decide the outcome."""
        return repr(self)


class SearchOnCells(SearchBase):
    """The same for a search that reads cells, and so may run in the process of the run."""

    on_cells: ClassVar[bool] = True


@runtime_checkable
class Foreseeable(Search, Protocol):
    """A search of which all steps may be known before it runs: where there is nothing to choose."""

    def foreseen(self) -> tuple[Step | Check, ...] | None:
        """Its steps; None if some depend on what others find."""


class Phase(StrEnum):
    """The purposes of the steps of a run, in the order in which these follow each other."""

    READING = "reading the source"
    LOOKING = "looking at the columns"
    FORMING = "forming classes"
    PUBLISHING = "publishing"
    MEASURING = "measuring what is published"
    GATE = "the gate"


@dataclass(frozen=True)
class Plan:
    """Everything a run will do, in order, before anything is done.

    Attributes:
        steps: in order.
        phases: the phase of each; empty where a plan is a part of another.
    """

    steps: tuple[Step | Check | Search, ...]
    phases: tuple[Phase, ...] = ()

    @classmethod
    def laid_out(cls, parts: Mapping[Phase, Sequence[Step | Check | Search]]) -> Plan:
        """The plan of a run, one phase after the other.

        Args:
            parts: the steps of each phase, in order.
        """
        both = [(phase, step) for phase in Phase for step in parts.get(phase, ())]
        return cls(tuple(step for _, step in both), tuple(phase for phase, _ in both))

    def __iter__(self) -> Iterator[Step | Check | Search]:
        return iter(self.steps)

    def __len__(self) -> int:
        return len(self.steps)

    def foreseen(self) -> Plan:
        """The same plan, with the steps of every search of which all are known beforehand."""
        steps, phases = list[Step | Check | Search](), list[Phase]()
        for index, step in enumerate(self.steps):
            known = step.foreseen() if isinstance(step, Foreseeable) else None
            some = (step,) if known is None else known
            steps += some
            phases += [self.phases[index]] * len(some) if self.phases else []
        return Plan(tuple(steps), tuple(phases))

    def fingerprints(
        self, dialect: str = "duckdb", written: Callable[[str], str] = str
    ) -> dict[str, str]:
        """A hash for every relation: of its SQL and of its inputs' hashes.

        Two runs with equal fingerprints of the release make the same release of the same source.

        Args:
            dialect: the dialect of the SQL.
            written: puts SQL as it may be kept: a secret could be guessed from its hash.
        """
        marked = zip(self.steps, self.step_fingerprints(dialect, written), strict=True)
        return {str(step.output): mark for step, mark in marked if not isinstance(step, Check)}

    def step_fingerprints(
        self, dialect: str = "duckdb", written: Callable[[str], str] = str
    ) -> list[str]:
        """The fingerprint of every step, in order, the checks' among them."""
        known: dict[str, str] = {}
        fingerprints, searched = list[str](), list[str]()
        for step in self.steps:
            if isinstance(step, Step | Check):  # asked first: it takes less than a protocol
                text, read = written(step.sql(dialect)), list(map(str, step.inputs.values()))
                parents = [known[name] for name in read if name in known]
                if any(name.startswith(WORK_PREFIX) and name not in known for name in read):
                    parents += searched  # a search may leave more than its output
            else:
                text, parents = step.describe(), list(known.values())
            fingerprint = hashlib.sha256("\x1f".join([text, *parents]).encode()).hexdigest()
            fingerprints.append(fingerprint)
            if not isinstance(step, Check):
                known[str(step.output)] = fingerprint
            if not isinstance(step, Step | Check):
                searched.append(fingerprint)
        return fingerprints

    def explain(self) -> list[tuple[str, str, str]]:
        """(relation, what it becomes, what happens) of each step, in order."""
        rows = []
        for step in self.steps:
            if isinstance(step, Check):
                rows.append(("", "check", step.title))
            elif isinstance(step, Step):
                rows.append((str(step.output), str(step.how), step.title))
            else:
                rows.append((str(step.output), "search", step.title))
        return rows


@dataclass(frozen=True)
class Rows:
    """A small result, drained; or how many rows a statement made that yields none."""

    columns: tuple[str, ...] = ()
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    made: int | None = None

    def dicts(self) -> list[dict[str, Any]]:
        """Each row by column name."""
        return [dict(zip(self.columns, row, strict=True)) for row in self.rows]


@dataclass(frozen=True)
class StepRecord:
    """The record of a finished step: what it made, and how long it took.

    Attributes:
        relation: what it made.
        how: what that is.
        title: what happened, for people.
        sql: its SELECT.
        seconds: how long it took.
        rows: how many rows there are; None if not known.
        users: whether it reads a query of the user's.
    """

    relation: Relation
    how: Materialization
    title: str
    sql: str
    seconds: float
    rows: int | None = None
    users: bool = False


class Runner(Protocol):
    """The runner that carries a plan out, as a search sees it.

    Attributes:
        notes: what a search found out, as (item, value), for the record.
    """

    notes: list[tuple[str, str]]

    @property
    def recursive(self) -> bool:
        """Whether a recursive query may aggregate what it is given."""

    def serial(self) -> None:
        """Run the rest of a search on one thread, where the threads are ours."""

    def carry_out(self, step: Step | Check | Search) -> None:
        """Make a step's relation, ask what a check asks, or search; a search may be in another."""

    def create(self, step: Step) -> StepRecord:
        """Make a step's relation now."""

    def fetch(
        self, template: str, inputs: Mapping[str, Any], params: Mapping[str, Any], limit: int
    ) -> Rows:
        """The rows of a small result: counts, never records."""

    def reached(self, share: float) -> None:
        """A search has done so much of its work, 0 to 1."""

    def drop(self, relation: Relation) -> None:
        """Drop a work relation that nothing will read again."""

    def reclaim_space(self) -> None:
        """Give back the room of what was dropped."""
