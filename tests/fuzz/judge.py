"""What a published release must be, told from the release and its source alone."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

import oracle
from drawn import Attribute, Drawn, members_of, text
from support import Row

import sqlanon
from fuzz.known import Known
from fuzz.releases import Case

_INTERVAL = re.compile(r"\[(.*), (.*)\]", re.DOTALL)


def same(value: Any) -> str:
    """A value bit by bit: True is no 1, 0.0 no -0.0, and letters differ by case."""
    return f"{type(value).__name__} {value!r}"


def covers(attribute: Attribute, cells: Row, value: Any) -> bool:
    """Whether the cells published for an attribute hold a value."""
    if attribute.order is not None and attribute.publish != "set":
        return _covers_place(attribute.order, cells, value)
    if attribute.publish == "bounds":
        low, high = cells
        return (low is None and high is None) or (value is not None and low <= value <= high)
    (cell,) = cells
    if attribute.publish == "set":
        return text(value) in members_of(cell)
    if cell == "*" or cell == text(value):
        return True
    if attribute.publish == "lca":
        assert attribute.hierarchy is not None
        return value is not None and cell in attribute.hierarchy.chains[str(text(value))]
    ends = _INTERVAL.fullmatch(cell or "")
    if ends is None or value is None:
        return False
    low, high = (_read(end, value) for end in ends.groups())
    return bool(low <= value <= high)


def _covers_place(order: list[str], cells: Row, value: Any) -> bool:
    """Whether a stretch of a listed order holds a value."""
    low, high = cells if len(cells) == 2 else (cells[0], cells[0])
    if low in (None, "*"):
        return value is None or low == "*" or len(cells) == 2
    ends = _INTERVAL.fullmatch(low)
    low, high = ends.groups() if ends is not None else (low, high)
    return value is not None and order.index(low) <= order.index(str(text(value))) <= order.index(
        high
    )


def _read(end: str, like: Any) -> Any:
    """The end of an interval as a value of the same type."""
    if isinstance(like, datetime):
        return datetime.fromisoformat(end)
    if isinstance(like, date):
        return date.fromisoformat(end)
    return Decimal(end) if isinstance(like, Decimal) else Fraction(end)


def at_one_level(case: Case, rows: Sequence[Row]) -> list[dict[str, int]]:
    """The levels that columns of one level may be published at: each has all of the cells."""
    found: dict[str, list[int]] = {}
    start = 0
    for attribute in case.drawn.hidden:
        if attribute.publish == "level":
            cells, (low, high) = {row[start] for row in rows}, case.bounds(attribute)
            found[attribute.name] = [
                level
                for level in range(low, high + 1)
                if cells <= {attribute.at_level(value, level) for value in attribute.values}
            ]
        start += len(attribute.released)
    return [dict(zip(found, chosen, strict=True)) for chosen in itertools.product(*found.values())]


def unmatched(
    drawn: Drawn, rows: Sequence[Row], carried: Sequence[Attribute], levels: Mapping[str, int]
) -> int:
    """How many published rows find no record of their own whose values they cover.

    Args:
        drawn: the table.
        rows: the release.
        carried: the columns that it has beside the quasi-identifiers.
        levels: of the columns that are published at one level.
    """
    widths = [len(attribute.released) for attribute in drawn.hidden]
    starts = [sum(widths[:place]) for place in range(len(widths))]
    records = list(zip(*(attribute.values for attribute in drawn.hidden), strict=True))
    kept = tuples(drawn, carried)

    def stands_for(attribute: Attribute, cells: Row, value: Any) -> bool:
        if attribute.name in levels:
            return bool(cells == (attribute.at_level(value, levels[attribute.name]),))
        return covers(attribute, cells, value)

    def fits(row: Row, record: int) -> bool:
        return tuple(map(same, row[sum(widths) :])) == kept[record] and all(
            stands_for(attribute, row[start : start + width], records[record][index])
            for index, (attribute, start, width) in enumerate(
                zip(drawn.hidden, starts, widths, strict=True)
            )
        )

    fitting = [[record for record in range(drawn.size) if fits(row, record)] for row in rows]
    taken: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for record in fitting[row]:
            if record not in seen:
                seen.add(record)
                if record not in taken or place(taken[record], seen):
                    taken[record] = row
                    return True
        return False

    return sum(not place(row, set()) for row in range(len(rows)))


def tuples(drawn: Drawn, carried: Sequence[Attribute]) -> list[tuple[str, ...]]:
    """What each record of the source says in some columns, bit by bit."""
    return [tuple(same(one.values[record]) for one in carried) for record in range(drawn.size)]


def classes_of(drawn: Drawn, rows: Sequence[Row]) -> list[list[Row]]:
    """The sensitive tuples of each class that a reader sees."""
    width = sum(len(attribute.released) for attribute in drawn.hidden)
    found: dict[Row, list[Row]] = {}
    for row in rows:
        found.setdefault(row[:width], []).append(row[width : width + len(drawn.sensitive)])
    return list(found.values())


def faults(
    case: Case,
    columns: Sequence[str],
    rows: Sequence[Row],
    metrics: Mapping[tuple[str, str | None], float | None],
) -> list[str]:
    """Everything that is wrong with a published release.

    Args:
        case: the table and its spec.
        columns: the release's columns.
        rows: the release's rows.
        metrics: what the release's metrics say, by metric and attribute.
    """
    drawn, found = case.drawn, []
    carried = [*drawn.sensitive, *drawn.others.get("insensitive", ()), *case.pseudonyms]
    expected = [name for attribute in drawn.hidden for name in attribute.released]
    expected += [one.name for one in carried]
    if list(columns) != expected:
        return [f"its columns are {list(columns)}, not {expected}"]
    left_out = drawn.size - len(rows)
    if not 0 <= left_out <= case.limit * drawn.size or not rows:
        return [f"it has {len(rows)} records of {drawn.size}"]
    width = len(columns) - len(carried)
    published = Counter(tuple(map(same, row[width:])) for row in rows)
    if published - Counter(tuples(drawn, carried)):
        found.append("its sensitive, insensitive and keyed values are not the source's")
    levels = at_one_level(case, rows)
    if not levels:
        return [*found, "a column has cells of several levels, or of one that is not allowed"]
    lost = min(unmatched(drawn, rows, carried, level) for level in levels)
    if lost:
        found.append(f"{lost} of its records cover no record of the source")
    classes = classes_of(drawn, rows)
    found += [f"{model} does not hold" for model in case.violated(classes)]
    if case.known is not None:
        found += background_faults(case, case.known, columns, rows, metrics)
    return found + wrong_metrics(case, [len(members) for members in classes], classes, metrics)


def background_faults(
    case: Case,
    known: Known,
    columns: Sequence[str],
    rows: Sequence[Row],
    metrics: Mapping[tuple[str, str | None], float | None],
) -> list[str]:
    """Whether the members of each class are alike to who knows something, and as said."""
    width = sum(len(attribute.released) for attribute in case.drawn.hidden)
    tag = list(columns).index(known.tag.name)
    members: dict[Row, list[int]] = {}
    for row in rows:
        members.setdefault(row[:width], []).append(row[tag])
    furthest, found = known.furthest(list(members.values())), []
    if furthest > Fraction(known.most) * 10**9:
        found.append(f"a class spans {furthest} billionths of divergence")
    said = metrics.get(("background_knowledge", known.attribute.name))
    if said is None or abs(said * 10**9 - furthest) > 0.5:
        found.append(f"its background_knowledge is {said}, not {furthest} billionths")
    return found


def wrong_metrics(
    case: Case,
    sizes: Sequence[int],
    classes: list[list[Row]],
    metrics: Mapping[tuple[str, str | None], float | None],
) -> list[str]:
    """The metrics that are not what is published.

    Args:
        case: the table and its spec.
        sizes: how many records have each tuple of quasi-identifiers that is published.
        classes: the sensitive tuples among which a record's is.
        metrics: by metric and attribute.
    """
    expected: dict[tuple[str, str | None], float] = {
        ("k_anonymity", None): min(sizes),
        ("records", None): sum(sizes),
        ("classes", None): len(sizes),
        ("largest_class", None): max(sizes),
        ("discernibility", None): oracle.discernibility(
            sizes, 0 if case.suppression is None else case.drawn.size - sum(sizes)
        ),
        ("prosecutor_risk", None): 1 / min(sizes),
        ("marketer_risk", None): len(sizes) / sum(sizes),
        ("c_avg", None): float(oracle.c_avg(sizes, case.drawn.k)),
    }
    if case.suppression is not None:
        left_out = case.drawn.size - sum(sizes)
        expected["suppressed_records", None] = left_out
        expected["suppressed_share", None] = left_out / case.drawn.size
    for axis, attribute in enumerate(case.drawn.sensitive):
        values = [[row[axis] for row in members] for members in classes]
        expected["distinct_l", attribute.name] = oracle.distinct_l(values).minimum
        expected["alpha", attribute.name] = float(oracle.alpha(values).maximum)
        expected["t_closeness", attribute.name] = float(max(attribute.distances(values)))
        expected["entropy_l", attribute.name] = oracle.entropy_l(values).minimum
    return [
        f"its metric {name} is {metrics.get(name)}, not {value}"
        for name, value in expected.items()
        if abs((metrics.get(name) or 0.0) - value) > 1e-9
    ]


def read_metrics(release: sqlanon.Release) -> dict[tuple[str, str | None], float | None]:
    """The metrics of a release, by metric and attribute."""
    return {(metric.metric, metric.attribute): metric.value for metric in release.measures}
