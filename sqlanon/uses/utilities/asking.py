"""Asking a release and its source the same queries: drawn ones, and the user's own.

COUNT queries are drawn from a seed, and tell how far what they count is off. Frequent patterns that
the release lacks, and such as it alone has, are counted by Oliveira and Zaïane (2002).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import Any, NamedTuple

from sqlanon.plan import Step
from sqlanon.session import Session
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.utilities.conditions import OwnQuery
from sqlanon.uses.utilities.figures import UNIFORM
from sqlanon.uses.utilities.reading import RELEASED, SOURCE, Part
from sqlanon.uses.utilities.useful import Answer

SELECTIVITY = 0.05  # the share of the records that a query is expected to count
_MOST_COLUMNS = 4
_BOUND = 1000  # an error is of a thousandth of the records at least


@dataclass(frozen=True)
class Range:
    """A predicate: that a column's value lies in one of some neighbouring bins.

    Attributes:
        column: the column's alias.
        low: the first bin, from 1.
        high: the last.
    """

    column: str
    low: int
    high: int


CountQuery = tuple[Range, ...]


def draw(
    bins: Mapping[str, int], sensitive: Sequence[str], number: int, seed: int
) -> tuple[CountQuery, ...]:
    """Draw queries as Xiao and Tao (2006), §6, do, but of neighbouring values.

    Of b bins of a column a query of c columns asks for b s^(1/c), rounded, one at least, where s is
    the expected selectivity.

    Args:
        bins: how many bins each column has; those that have one say nothing, and are left out.
        sensitive: the columns of which every query asks one, where they have more than one bin.
        number: how many queries.
        seed: what they are drawn from.

    Returns:
        The queries; none where no column has two bins.
    """
    chance = Random(seed)  # noqa: S311 - nothing secret hangs on it
    asked = [name for name, size in bins.items() if size > 1]
    always = [name for name in sensitive if name in asked]
    if not asked:
        return ()
    queries = []
    for _ in range(number):
        most = min(_MOST_COLUMNS, len(asked))
        count = chance.randint(min(2, most), most)
        first = [chance.choice(always)] if always else []
        others = [name for name in asked if name not in first]
        columns = first + chance.sample(others, count - len(first))
        queries.append(
            tuple(_range(name, bins[name], count, chance) for name in asked if name in columns)
        )
    return tuple(queries)


def _range(column: str, bins: int, columns: int, chance: Random) -> Range:
    width = max(1, round(bins * SELECTIVITY ** (1 / columns)))
    low = chance.randint(1, bins - width + 1)
    return Range(column, low, low + width - 1)


def relative_errors(
    true: Sequence[float], found: Sequence[float], records: int
) -> tuple[float, ...]:
    """How far each query is off, the least first.

    Args:
        true: what the queries count in the source.
        found: what they count in the release.
        records: how many the source has; an error is of a thousandth of them at least, so that a
            query that counts nearly nothing does not decide.
    """
    both = zip(true, found, strict=True)
    return tuple(sorted(error_of_count(is_, number, records) for is_, number in both))


def error_of_count(true: float, found: float, records: int) -> float:
    """How far one query is off."""
    return abs(found - true) / max(true, records / _BOUND)


_AT_ONCE = 50  # queries that one statement counts
_SIDES = (SOURCE, RELEASED)


def drawn_errors(
    session: Session, parts: Sequence[Part], total: int, number: int, seed: int
) -> tuple[int, float, float] | None:
    """Ask the drawn queries of both sides.

    Args:
        session: where both are.
        parts: the columns that are asked for.
        total: how many records the source has.
        number: how many queries are drawn.
        seed: what they are drawn from.

    Returns:
        How many there are, the median of their errors, and the least that nine tenths of them do
        not exceed; None where there is nothing to ask.
    """
    bins = {}
    for part in parts:
        (row,) = session.fetch("utility/bins", {"values": part.values}, {}, 1).rows
        bins[str(part.alias)] = int(row[0])
    sensitive = [str(part.alias) for part in parts if part.role == "sensitive"]
    queries = draw(bins, sensitive, number, seed)
    if not queries:
        return None
    true, found = (_counts(session, parts, queries, side) for side in _SIDES)
    errors = relative_errors(true, found, total)
    middle = len(errors) // 2
    median = (errors[middle] + errors[-middle - 1]) / 2
    return len(queries), median, errors[ceil(len(errors) * 9 / 10) - 1]


def _counts(
    session: Session, parts: Sequence[Part], queries: Sequence[CountQuery], side: Relation
) -> list[float]:
    """The count of each query on one side."""
    counts: list[float] = []
    for first in range(0, len(queries), _AT_ONCE):
        some = queries[first : first + _AT_ONCE]
        attributes: list[dict[str, Any]] = []
        for part in parts:
            ranges = [
                {"query": number, "low": range_.low, "high": range_.high}
                for number, query in enumerate(some, 1)
                for range_ in query
                if range_.column == part.alias
            ]
            if ranges:
                read = part.read(side)
                attributes.append({"alias": part.alias, "read": read, "ranges": ranges})
        inputs = {"profiles": side} | {
            f"read_{attribute['alias']}": attribute["read"] for attribute in attributes
        }
        asked = [
            {"number": number, "columns": [Sql(range_.column) for range_ in query]}
            for number, query in enumerate(some, 1)
        ]
        params = {"attributes": attributes, "queries": asked}
        (row,) = session.fetch("utility/counts", inputs, params, 1).rows
        counts += [float(count) for count in row]
    return counts


def own_answers(
    session: Session,
    parts: Sequence[Part],
    queries: Sequence[OwnQuery],
    totals: Mapping[Relation, int],
    read: str = UNIFORM,
) -> list[Answer]:
    """Ask the user's own queries of both sides.

    Args:
        session: where both are.
        parts: the columns of both.
        queries: what is asked.
        totals: how many records each side has.
        read: how the release is read.
    """
    names = {str(part.alias): part.name for part in parts}
    answers = []
    for first in range(0, len(queries), _AT_ONCE):
        some = queries[first : first + _AT_ONCE]
        both = [_answered(session, parts, some, side) for side in _SIDES]
        for query, true, found in zip(some, *both, strict=True):
            if query.mean is None:
                true, found = true or 0.0, found or 0.0
                error: float | None = error_of_count(true, found, totals[SOURCE])
            elif true and found is not None:
                error = abs(found - true) / abs(true)
            else:
                error = None
            mean = None if query.mean is None else names[query.mean]
            values = (_shown(true), _shown(found), _shown(error))
            answers.append(Answer(query.name, mean, *values, read))
    return answers


def hidden_share(
    queries: Sequence[OwnQuery], answers: Sequence[Answer], totals: Mapping[Relation, int]
) -> float | None:
    """The share of the frequent patterns to be hidden that the release still shows.

    Args:
        queries: the user's own.
        answers: what each comes to, in the same order.
        totals: how many records each side has.
    """
    found = [
        (
            is_frequent(answer.true or 0, totals[SOURCE]),
            is_frequent(answer.released or 0, totals[RELEASED]),
        )
        for query, answer in zip(queries, answers, strict=True)
        if query.hidden
    ]
    return hiding_failure(found)


def _shown(value: float | None) -> float | None:
    return None if value is None else round(value, 9)


def _answered(
    session: Session, parts: Sequence[Part], queries: Sequence[OwnQuery], side: Relation
) -> list[float | None]:
    """The answer to each query on one side; None for a mean of no number."""
    attributes: list[dict[str, Any]] = []
    for part in parts:
        alias = str(part.alias)
        asked = [
            {
                "number": number,
                "condition": query.conditions.get(alias),
                "averaged": query.mean == alias,
                "type": Sql(query.conditions[alias].compared) if alias in query.conditions else "",
            }
            for number, query in enumerate(queries, 1)
            if alias in query.conditions or query.mean == alias
        ]
        if asked:
            met = part.met(side)
            inputs = {"values": part.values, "stretches": part.stretches(side)}
            if not part.numeric:
                inputs["places"] = part.fitted.places
            title = f"what cells meet of the conditions on {part.name}"
            params = {"queries": asked, "compares": not part.numeric}
            session.create(Step(title, met, "utility/met", inputs, params))
            attributes.append({"alias": part.alias, "met": met})
    params = {
        "attributes": attributes,
        "queries": [
            {
                "number": number,
                "columns": [
                    Sql(condition) for condition in query.conditions if condition != query.mean
                ],
                "mean": None if query.mean is None else Sql(query.mean),
            }
            for number, query in enumerate(queries, 1)
        ],
    }
    inputs = {"profiles": side} | {
        f"met_{attribute['alias']}": attribute["met"] for attribute in attributes
    }
    (row,) = session.fetch("utility/answers", inputs, params, 1).rows
    for attribute in attributes:
        session.drop(attribute["met"])
    found: list[float | None] = []
    for value, weight in zip(row[::2], row[1::2], strict=True):
        none = value is None or not weight
        found.append(None if none else float(value) / float(weight))
    return found


SUPPORT = 1  # per cent of the records that a frequent pattern has at least


class Patterns(NamedTuple):
    """How many values of a column, or pairs of values of two, are frequent.

    Attributes:
        frequent: in the source.
        missed: of these not in the release.
        released_frequent: in the release.
        artifactual: of these not in the source.
    """

    frequent: int
    missed: int
    released_frequent: int
    artifactual: int


def is_frequent(records: float, of: float) -> bool:
    """Whether so many records of a side make a pattern frequent; as ``utility/distance`` has it."""
    return of > 0 and round(100 * records / of, 9) >= SUPPORT


def hiding_failure(found: Sequence[tuple[bool, bool]]) -> float | None:
    """The share of the source's frequent patterns to be hidden that the release still shows.

    Args:
        found: whether each pattern to be hidden is frequent in the source, and in the release.

    Returns:
        It, from 0 to 1; None where none of them is frequent in the source.
    """
    released = [after for before, after in found if before]
    return sum(released) / len(released) if released else None


def costs(found: Sequence[Patterns]) -> dict[str, float | None]:
    """The misses cost and the share of artifactual patterns; None of no patterns.

    Args:
        found: the patterns of each column and each pair of columns.
    """
    frequent, missed, released, artifactual = (
        sum(counts) for counts in (zip(*found, strict=True) if found else [()] * 4)
    )
    return {
        "misses_cost": missed / frequent if frequent else None,
        "artifactual_patterns": artifactual / released if released else None,
    }
