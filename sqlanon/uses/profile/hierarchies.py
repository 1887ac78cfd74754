"""A first hierarchy for a column, from what its values are like: to be read, edited and kept.

It is made of the data and shows where that lies. So a border between numbers is the roundest that
lies between the middles of its groups, and of text only values that k records share stand alone.

For text of many values it is a file for somebody to group them in.
"""

from __future__ import annotations

import csv
import itertools
import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from io import StringIO
from typing import Any

from sqlanon.domains.lines import ROOT
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.plan import Plan
from sqlanon.session import Listener, Session
from sqlanon.source.source import inspect_source
from sqlanon.spec import NUMBERS, TEXTS, Column, Source
from sqlanon.sql.names import Sql, identifier, literal
from sqlanon.uses.profile.counting import VALUES, counting_steps, counts_of, records_of
from sqlanon.uses.profile.profile import Counts
from sqlanon.uses.profile.roles import shape_of

GROUPS = 16
FINER = 4  # fine parts of a group; a border may lie one of them away


@dataclass(frozen=True)
class Suggested:
    """A hierarchy for a column.

    Attributes:
        column: its name.
        declared: the hierarchy, as a spec declares it.
        why: what its levels are, for people.
        text: what is to be in the file that it names; None where it names none.
    """

    column: str
    declared: dict[str, Any]
    why: str
    text: str | None = None


def suggest_hierarchy(
    source: Source,
    column: str,
    engine: Engine,
    k: int = 10,
    groups: int = GROUPS,
    item: Sql | None = None,
    listener: Listener | None = None,
) -> Suggested:
    """Periods of dates, masked codes, bands of numbers, groups of frequent and rare text.

    Args:
        source: where the records are.
        column: the column.
        engine: where they are read.
        k: how many records make a text frequent.
        groups: in how many bands numbers are put at most; each level has half as many as the last.
        item: a FROM item in the source's place.
        listener: hears of every step.

    Raises:
        SpecError: if there is no such column, or nothing fits it.
    """
    if k < 1:
        raise SpecError(Problem("k", "it must be at least 1"))
    if groups < 2:
        raise SpecError(Problem("groups", "it must be at least 2"))
    found, columns = inspect_source(source, engine, item=item, headed=True, needed=[column])
    one = next((each for each in columns if each.name == column), None)
    if one is None:
        known = [each.name for each in columns]
        raise SpecError(Problem("column", f"there is no {column!r}; {nearest(column, known)}"))
    if one.kind == "other":
        what = f"{column!r} is {one.shown_type}, whose values cannot be compared"
        raise SpecError(Problem("column", what))
    session = Session(engine, listener)
    with session.transaction(keep=False):
        session.run(Plan(tuple(counting_steps(found, [one], source.table is None))))
        records = records_of(session)
        (counts,) = counts_of(session, [one], records)
        declared, cuts = coded_hierarchy(counts), list[Fraction]()
        if declared is None and one.kind in NUMBERS and counts.used:
            inputs, params = {"profile_values": VALUES}, {"parts": FINER * groups}
            rows = session.fetch("profile/quantiles", inputs, params, FINER * groups).dicts()
            parts = {int(row["part"]): Fraction(repr(row["least"])) for row in rows}
            cuts = list(borders(parts, groups, whole=one.kind == "integer"))
        session.drop_work()
    if declared is not None:
        return Suggested(column, declared, _SAYS[next(iter(declared))])
    if cuts:
        levels = list(_halved(cuts))
        sql = [_expression(column, level, one.kind == "integer") for level in levels]
        sizes = ", ".join(str(len(level) + 1) for level in levels)
        return Suggested(column, {"sql": sql}, f"bands of about as many records each: {sizes}")
    if one.kind in TEXTS:
        begun = grouped([one], k, source, engine, item)
        if column in begun:
            declared, text = begun[column]
            why = f"values of fewer than {k} records are one group; group the others as they belong"
            return Suggested(column, declared, why, text)
    raise SpecError(Problem("column", _nothing(counts, k)))


def coded_hierarchy(counts: Counts) -> dict[str, Any] | None:
    """The hierarchy that a type, a name or a shape suggests; None if they suggest none."""
    column, longest = counts.column, counts.longest
    coded = column.kind in (*TEXTS, "integer")
    if coded and longest and re.search(r"zip|post|plz", column.name.lower()):
        return {"prefix": sorted({longest, max(longest - 2, 1), max(longest - 3, 1), 0})[::-1]}
    if column.kind in ("date", "timestamp"):
        return {"dates": ["month", "year", "decade"]}
    if column.kind in TEXTS and longest and shape_of(counts) == "iso_date":
        kept = {longest, *(number for number in (10, 7, 4, 3, 0) if number < longest)}
        return {"prefix": sorted(kept, reverse=True)}
    return None


_SAYS = {"dates": "growing periods", "prefix": "so many leading characters are kept"}


def borders(parts: Mapping[int, Fraction], groups: int, whole: bool) -> Iterator[Fraction]:
    """Where groups of about as many records end: round numbers near their quantiles.

    Args:
        parts: the least number of each fine part of as many records, by its place from 0; a part is
            left out where a number is so frequent that it takes up several.
        groups: how many groups are wanted, of ``FINER`` fine parts each.
        whole: whether borders are whole numbers.

    Yields:
        Growing numbers, each at most one fine part from where its group should end. A lesser value
        belongs to the group before. Fewer than there are groups where numbers are frequent.
    """
    past = min(parts.values())
    for end in range(FINER, FINER * groups, FINER):
        low = max((least for part, least in parts.items() if part < end), default=past)
        exact = [least for part, least in parts.items() if part >= end]
        if not exact:
            return
        high = min([least for part, least in parts.items() if part > end] or exact)
        border = _roundest(max(low, past), high, whole)
        if border > past:
            past = border
            yield border


def _roundest(low: Fraction, high: Fraction, whole: bool) -> Fraction:
    """Between two numbers, or the second, a multiple of the largest 1, 2 or 5 times 10^n."""
    if high <= low:
        return high
    power = math.ceil(math.log10(max(abs(low), abs(high)))) + 1
    while True:
        for digit in (5, 2, 1):
            step = Fraction(digit) * Fraction(10) ** power
            multiple = high // step * step
            if multiple > low:
                return multiple
        power -= 1
        if whole and power < 0:
            return Fraction(math.floor(high))


def _halved(cuts: Sequence[Fraction]) -> Iterator[list[Fraction]]:
    """The borders, then every second of them, and so on."""
    level = list(cuts)
    while level:
        yield level
        level = level[1::2]


def _expression(column: str, cuts: Sequence[Fraction], whole: bool) -> str:
    """The group of a number as SQL; NULL stays NULL."""
    name = identifier(column)
    first, last = _number(cuts[0]), _number(cuts[-1])
    cases = [f"when {name} < {first} then {literal(f'< {first}')}"]
    for low, high in itertools.pairwise(cuts):
        label = f"[{_number(low)}, {_number(high)})"
        if whole:
            alone = high - low == 1
            label = _number(low) if alone else f"[{_number(low)}, {_number(high - 1)}]"
        cases.append(f"when {name} < {_number(high)} then {literal(label)}")
    cases.append(f"when {name} >= {last} then {literal(f'>= {last}')}")
    return f"case {' '.join(cases)} end"


def _number(value: Fraction) -> str:
    """A number as SQL writes it, and as people read it."""
    if value.denominator == 1:
        return str(value.numerator)
    return format(Decimal(value.numerator) / Decimal(value.denominator), "f")


def _nothing(counts: Counts, k: int) -> str:
    name = counts.column.name
    if not counts.used:
        return f"{name!r} has no value"
    if counts.used == 1:
        return f"{name!r} has one value alone, which needs no hierarchy"
    if counts.column.kind in TEXTS:
        return (
            f"no hierarchy is found for {name!r}: none of its values is of {k} records, or they "
            "are too many to be grouped by hand; derive something coarser in a query"
        )
    return f"{name!r} is {counts.column.shown_type}, for which sets of values need no hierarchy"


FOLDER = "hierarchies"
MOST = 1_000  # values that somebody can be expected to group by hand


def grouped(
    columns: Sequence[Column], k: int, source: Source, engine: Engine, item: Sql | None = None
) -> dict[str, tuple[dict[str, Any], str]]:
    """A file for each column: a line for every value, the rare ones in one group.

    The values that k records have stand for themselves, so that only they can be distinguished.

    Args:
        columns: text.
        k: how many records make a value frequent.
        source: the table.
        engine: where it is read.
        item: a FROM item in the source's place.

    Returns:
        By the column's name how a spec declares it, and the file's text. A column is left out if
        none of its values is frequent, for it is nearly a key; if it has more than can be grouped
        by hand; or one that no line of a file can hold.
    """
    released, _ = inspect_source(source, engine, item=item)
    session, found = Session(engine), dict[str, tuple[dict[str, Any], str]]()
    files: set[str] = set()
    for column in columns:
        params = {"column": column.name, "most": MOST + 1}
        rows = session.fetch("report/frequent", {"released": released}, params, MOST + 1).rows
        counts = {value: int(records) for value, records, _ in rows if value is not None}
        frequent = any(records >= k for records in counts.values())
        if not frequent or len(counts) > MOST or not all(map(_fits, counts)):
            continue
        file = _file(column.name, files)
        files.add(file)
        declared = {"file": f"{FOLDER}/{file}"}
        if any(";" in value for value in counts):
            declared["delimiter"] = ","
        found[column.name] = (declared, _text(counts, k))
    return found


def _fits(value: str) -> bool:
    """Whether a line of a file can hold it, so that it is read back as it is."""
    return bool(value) and value == value.strip() and value.isprintable() and value != ROOT


def _text(counts: Mapping[str, int], k: int) -> str:
    rare = "(rare)"
    while rare in counts:
        rare = f"({rare})"
    text = StringIO()
    lines = csv.writer(text, lineterminator="\n")
    for value, records in sorted(counts.items()):
        lines.writerow([value, value if records >= k else rare, ROOT])
    return text.getvalue()


def _file(name: str, taken: Collection[str]) -> str:
    """A file's name for a column: safe everywhere, and no other column's."""
    stem = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "column"
    file, number = f"{stem}.csv", 1
    while file in taken:
        number += 1
        file = f"{stem}_{number}.csv"
    return file
