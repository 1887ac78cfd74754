"""The conditions of a user's own queries, held against the columns they are on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Any, Literal

from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.spec.metrics import AskedQuery
from sqlanon.uses.utilities.reading import Part

Compared = Literal["number", "date", "timestamp", "text"]
_OF_TIME = ("date", "timestamp")


@dataclass(frozen=True)
class Condition:
    """A condition on a column's value.

    Attributes:
        compared: as what values are compared.
        low: the least that meets it, as text; None where there is no range.
        high: the greatest.
        listed: those that meet it, as text, where they are listed.
        missing: whether a missing value meets it.
    """

    compared: Compared
    low: str | None = None
    high: str | None = None
    listed: tuple[str, ...] = ()
    missing: bool = False


@dataclass(frozen=True)
class OwnQuery:
    """A query of the user's own, on columns that both sides have.

    Attributes:
        name: its name.
        conditions: by the aliases of the columns; all must be met.
        mean: the alias of the column that is averaged; None where records are counted.
        hidden: whether it counts a pattern that the release is to hide.
    """

    name: str
    conditions: Mapping[str, Condition]
    mean: str | None
    hidden: bool = False


def own_queries(
    asked: Mapping[str, AskedQuery], parts: Mapping[str, Part], notes: Mapping[str, str]
) -> tuple[OwnQuery, ...]:
    """Hold queries against the columns.

    Args:
        asked: the queries by their names.
        parts: the columns of both sides, by their names.
        notes: why others are not there, by their names.

    Raises:
        SpecError: with every problem found: a column that is not there, a value or range of
            another type, a mean of what is no number.
    """
    problems: list[Problem] = []

    def there(name: str, where: str) -> Part | None:
        if name not in parts:
            hint = notes.get(name) or f"no column that can be asked for; {nearest(name, parts)}"
            problems.append(Problem(where, f"{name!r} is {hint}"))
        return parts.get(name)

    found = []
    for query, value in asked.items():
        conditions = {}
        for name, wanted in value.where.items():
            where = f"queries.{query}.where.{name}"
            part = there(name, where)
            if part is not None:
                try:
                    conditions[str(part.alias)] = _condition(part, wanted)
                except ValueError as error:
                    problems.append(Problem(where, str(error)))
        averaged = None
        if value.mean is not None:
            where = f"queries.{query}.mean"
            part = there(value.mean, where)
            if part is not None and not part.numeric:
                what = f"{value.mean!r} is {_of(part)}: only numbers have a mean"
                problems.append(Problem(where, what))
            averaged = None if part is None else str(part.alias)
        found.append(OwnQuery(query, conditions, averaged, value.hidden))
    if problems:
        raise SpecError(problems)
    return tuple(found)


def _of(part: Part) -> str:
    """The kind of a column's values, in a word."""
    return {"date": "a date", "timestamp": "a timestamp", "boolean": "true or false"}.get(
        part.kind, "a number" if part.numeric else "text"
    )


def _condition(part: Part, wanted: Any) -> Condition:
    several = wanted if isinstance(wanted, tuple) else (wanted,)
    given = [one for one in several if one is not None]
    missing = len(given) < len(several)
    if part.numeric or part.kind in _OF_TIME:
        return _range(part, isinstance(wanted, tuple), given, missing)
    if part.kind == "boolean":
        if not all(isinstance(one, bool) for one in given):
            raise ValueError(f"{part.name!r} is {_of(part)}: it must be true, false or a list")
        return Condition("text", listed=tuple(str(one).lower() for one in given), missing=missing)
    if not all(isinstance(one, str) for one in given):
        raise ValueError(f"{part.name!r} is text: put its values into quotes")
    return Condition("text", listed=tuple(given), missing=missing)


def _range(part: Part, listed: bool, given: list[Any], missing: bool) -> Condition:
    compared: Compared = "number"
    example = "[30, 50]"
    if part.kind in ("date", "timestamp"):
        compared, example = part.kind, "[2020-01-01, 2020-12-31]"
    if missing and not listed:
        return Condition(compared, missing=True)
    try:
        ends: list[Any] = [_number(one) if part.numeric else _time(one, compared) for one in given]
    except ValueError:
        ends = []
    if missing or len(ends) != (2 if listed else 1):
        raise ValueError(
            f"{part.name!r} is {_of(part)}: it must be one, a range of two with both ends "
            f"included, such as {example}, or null"
        )
    if compared == "timestamp" and _is_day(given[-1]):
        ends = [ends[0], datetime.combine(ends[-1], time.max)]
    if ends[0] > ends[-1]:
        raise ValueError("the range ends before it begins")
    low, high = (str(one) for one in (ends[0], ends[-1]))
    return Condition(compared, low, high)


def _is_day(value: Any) -> bool:
    """Whether a day is meant, which lasts to its end."""
    if isinstance(value, str):
        return len(value) == len("2020-01-01")
    return not isinstance(value, datetime)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError
    try:
        number = float(value)
    except OverflowError:
        raise ValueError from None
    if number != value:
        raise ValueError  # numbers are compared as doubles, and this one is none
    return number


def _time(value: Any, kind: Compared) -> date:
    read = datetime.fromisoformat(value) if isinstance(value, str) else value
    if not isinstance(read, date):
        raise ValueError
    if kind == "timestamp":
        whole = read if isinstance(read, datetime) else datetime(read.year, read.month, read.day)
        if whole.tzinfo is not None:
            raise ValueError
        return whole
    if isinstance(read, datetime):
        if isinstance(value, str) and len(value) == len("2020-01-01"):
            return read.date()
        raise ValueError
    return read
