"""The profile of a table before anything is declared: counts, roles that fit them, and why.

Some questions no guess can answer: readers, what nobody should learn, whose a record is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from sqlanon.pages.page import table
from sqlanon.spec import Column
from sqlanon.spec.privacy import GoalName
from sqlanon.uses.profile.names import MissingCode


@dataclass(frozen=True)
class Questions:
    """Three questions, with what a draft assumes as long as nobody answers them.

    Attributes:
        profile: what is known of the table.
        k: the least class size that is drafted where no goal is named.
        sensitive: the sensitive attributes that are drafted, what is most worth protecting first.
        person: the column that says whose record it is; None where each is another person's.
    """

    profile: Profile
    k: int
    sensitive: tuple[str, ...]
    person: str | None

    @property
    def others(self) -> tuple[str, ...]:
        """Further columns that may be sensitive, those of no clear role first."""
        first = self.profile.of("sensitive", "unclear", "telling")
        listed = [*first, *self.profile.of("quasi_identifier")]
        return tuple(column.name for column in listed if column.name not in self.sensitive)

    @property
    def names(self) -> tuple[str, ...]:
        """All columns whose values can be compared."""
        return tuple(column.name for column in self.profile.columns if column.counts.counted)

    @property
    def repeating(self) -> tuple[str, ...]:
        """Columns that may say whose a record is: named like it, and several records share one."""
        likely = self.profile.of("person", "identifier", "withheld")
        return tuple(
            column.name for column in likely if column.counts.repeats and not column.counts.missing
        )


@dataclass(frozen=True)
class Answers:
    """The answers that somebody gives to them.

    Attributes:
        goal: the goal that names the release's readers; None: k, l and t are numbers in the spec.
        sensitive: what nobody should learn, what is most worth protecting first.
        person: the column that says whose record it is; None: each is another person's.
    """

    goal: GoalName | None
    sensitive: tuple[str, ...]
    person: str | None


# None: nobody is there to answer.
Ask = Callable[[Questions], Answers | None]


def answered(questions: Questions, answers: Answers) -> Profile:
    """A profile with the roles that were answered in place of the guesses."""
    found, guessed = questions.profile, questions.sensitive
    columns = tuple(
        replace(column, role=_role(column, answers, guessed)) for column in found.columns
    )
    return replace(found, columns=columns, person=answers.person)


def _role(column: ColumnProfile, answers: Answers, guessed: tuple[str, ...]) -> Role:
    if column.name == answers.person:
        return Role("person", "it says whose record it is, as was answered")
    if column.name in answers.sensitive:
        return Role("sensitive", "nobody should learn it, as was answered")
    if column.name in guessed:
        return Role("unclear", "it is none of those that nobody should learn, as was answered")
    if column.role.role == "person":
        return Role("withheld", "it names no person, as was answered")
    return column.role


# Telling: it gives a protected column's value back. Withheld: it is better not released for another
# reason. Unclear: somebody is to decide.
RoleName = Literal[
    "identifier", "person", "quasi_identifier", "sensitive", "telling", "withheld", "unclear"
]


@dataclass(frozen=True)
class Counts:
    """The counts of a column; NULL is no value.

    Attributes:
        column: its name, type and kind.
        records: the table's records.
        known: those with a value.
        used: different values.
        single: records alone with their value.
        commonest: records of the commonest value.
        entropy: in bits, of the known values.
        longest: the length of the longest text, in signs.
        shapes: the records whose value has a shape, by its name.
        codes: the likely codes for a missing value that it holds, if many records do.
        span: its least and greatest number; None where it has none. It is shown to nobody.
    """

    column: Column
    records: int
    known: int
    used: int = 0
    single: int = 0
    commonest: int = 0
    entropy: float = 0.0
    longest: int | None = None
    shapes: Mapping[str, int] = field(default_factory=dict)
    codes: tuple[MissingCode, ...] = ()
    span: tuple[float, float] | None = None

    @property
    def counted(self) -> bool:
        """Whether anything is counted: not of a column whose values cannot be compared."""
        return self.column.kind != "other"

    @property
    def missing(self) -> int:
        """The records without a value."""
        return self.records - self.known

    @property
    def unique(self) -> bool:
        """Whether every record that has a value has its own."""
        return self.used == self.known > 1

    @property
    def repeats(self) -> bool:
        """Whether several records share a value."""
        return self.used < self.known

    def tells(self, k: int) -> bool:
        """Whether on average fewer than k records share a value."""
        return self.used * k > self.known


@dataclass(frozen=True)
class Role:
    """The role that fits a column, and why."""

    role: RoleName
    reason: str


@dataclass(frozen=True)
class ColumnProfile:
    """A column: its counts, its role, and the columns it is tied to.

    Attributes:
        counts: what is counted of it.
        role: the role that fits it.
        determines: the columns whose value it tells, in all but a few records.
        determined_by: the columns that tell its own.
    """

    counts: Counts
    role: Role
    determines: tuple[str, ...] = ()
    determined_by: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """The column's name."""
        return self.counts.column.name


@dataclass(frozen=True)
class Combination:
    """Columns taken together.

    Attributes:
        columns: their names.
        tuples: different combinations of their values.
        single: records alone with theirs.
    """

    columns: tuple[str, ...]
    tuples: int
    single: int


@dataclass(frozen=True, repr=False)
class Profile:
    """A table, as it is seen by counts.

    Attributes:
        records: how many there are.
        columns: the columns, in the table's order.
        combinations: the most identifying combinations of columns that may be known of a person.
        person: the column that says whose record it is, if records repeat persons.
        seconds: how long it took.
    """

    records: int
    columns: tuple[ColumnProfile, ...]
    combinations: tuple[Combination, ...]
    person: str | None
    seconds: float

    def of(self, *roles: RoleName) -> list[ColumnProfile]:
        """The columns of some roles, in the table's order."""
        return [column for column in self.columns if column.role.role in roles]

    def column(self, name: str) -> ColumnProfile:
        """A column by its name.

        Raises:
            KeyError: if there is none.
        """
        return {profile.name: profile for profile in self.columns}[name]

    def __repr__(self) -> str:
        return f"Profile({self.records:,} records, {len(self.columns)} columns)"

    def _repr_html_(self) -> str:
        rows = (
            (column.name, column.counts.column.shown_type, column.role.role, column.role.reason)
            for column in self.columns
        )
        return table(repr(self), ("column", "type", "likely role", "because"), rows)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for programs: counts, names, and no value but codes for a missing one."""
        return {
            "records": self.records,
            "person": self.person,
            "seconds": round(self.seconds, 3),
            "columns": [_object(column) for column in self.columns],
            "combinations": [
                {
                    "columns": list(combination.columns),
                    "tuples": combination.tuples,
                    "unique_records": combination.single,
                }
                for combination in self.combinations
            ],
        }


def _object(column: ColumnProfile) -> dict[str, Any]:
    counts = column.counts
    figures = {
        "missing": counts.missing,
        "values": counts.used,
        "unique_records": counts.single,
        "entropy": counts.entropy,
    }
    return {
        "column": column.name,
        "type": counts.column.shown_type,
        **(figures if counts.counted else dict.fromkeys(figures)),
        "codes": [{"code": code.code, "records": code.records} for code in counts.codes],
        "determines": list(column.determines),
        "determined_by": list(column.determined_by),
        "role": column.role.role,
        "reason": column.role.reason,
    }
