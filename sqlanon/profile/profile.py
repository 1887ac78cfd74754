"""The profile of a table before anything is declared: counts, roles that fit them, and why."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from sqlanon.pages.inline import table
from sqlanon.profile.names import MissingCode
from sqlanon.spec import Column

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
        return [one for one in self.columns if one.role.role in roles]

    def column(self, name: str) -> ColumnProfile:
        """A column by its name.

        Raises:
            KeyError: if there is none.
        """
        return {one.name: one for one in self.columns}[name]

    def __repr__(self) -> str:
        return f"Profile({self.records:,} records, {len(self.columns)} columns)"

    def _repr_html_(self) -> str:
        rows = (
            (one.name, one.counts.column.shown_type, one.role.role, one.role.reason)
            for one in self.columns
        )
        return table(repr(self), ("column", "type", "likely role", "because"), rows)

    def as_dict(self) -> dict[str, Any]:
        """Everything, for programs: counts, names, and no value but codes for a missing one."""
        return {
            "records": self.records,
            "person": self.person,
            "seconds": round(self.seconds, 3),
            "columns": [_object(one) for one in self.columns],
            "combinations": [
                {"columns": list(one.columns), "tuples": one.tuples, "unique_records": one.single}
                for one in self.combinations
            ],
        }


def _object(one: ColumnProfile) -> dict[str, Any]:
    counts = one.counts
    figures = {
        "missing": counts.missing,
        "values": counts.used,
        "unique_records": counts.single,
        "entropy": counts.entropy,
    }
    return {
        "column": one.name,
        "type": counts.column.shown_type,
        **(figures if counts.counted else dict.fromkeys(figures)),
        "codes": [{"code": code.code, "records": code.records} for code in counts.codes],
        "determines": list(one.determines),
        "determined_by": list(one.determined_by),
        "role": one.role.role,
        "reason": one.role.reason,
    }
