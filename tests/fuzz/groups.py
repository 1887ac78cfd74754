"""What exact rows in groups must be, told from what is published and the source alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from drawn import Attribute
from support import Row

from fuzz.judge import same, tuples, wrong_metrics
from fuzz.releases import Case

Table = tuple[Sequence[str], Sequence[Row]]
Bits = tuple[str, ...]


def group_faults(
    case: Case,
    release: Table,
    beside: Table | None,
    metrics: Mapping[tuple[str, str | None], float | None],
) -> list[str]:
    """Everything that is wrong with records that groups tie to sensitive values.

    Args:
        case: the table and its spec.
        release: its columns and rows.
        beside: those of the relation of sensitive values, where they are apart.
        metrics: what the release's metrics say, by metric and attribute.
    """
    drawn = case.drawn
    kept = [*drawn.others.get("insensitive", ()), *case.pseudonyms]
    inside = [] if case.apart else list(drawn.sensitive)
    found = _wrong_columns(release, ["group_id"], [*drawn.hidden, *inside, *kept], [])
    if beside is not None:
        found += _wrong_columns(beside, ["group_id"], drawn.sensitive, ["records"])
    if found:
        return found
    width, told = len(drawn.hidden), len(inside)
    rows = [
        (g, (*row[:width], *row[width + told :]), tuple(row[width : width + told]))
        for g, *row in map(tuple, release[1])
    ]
    if beside is not None:
        pairs = [(g, tuple(values), n) for g, *values, n in beside[1]]
    else:
        pairs = [(g, tuple(values), 1) for g, _, values in rows]
    members: dict[int, list[Row]] = {}
    for group, values, number in pairs:
        members.setdefault(group, []).extend([values] * number)
    if any(number < 1 for _, _, number in pairs):
        found.append("a sensitive value is there for no record")
    if Counter(g for g, _, _ in rows) != {g: len(some) for g, some in members.items()}:
        return [*found, "a group has not as many rows as sensitive values"]
    if set(members) != set(range(1, len(members) + 1)):
        found.append("the groups are not numbered from 1")
    shown = [(g, tuple(map(same, row))) for g, row, _ in rows]
    if Counter(row for _, row in shown) != Counter(tuples(drawn, [*drawn.hidden, *kept])):
        found.append("its rows are not the source's")
    # What is apart keeps combinations of values, what is shuffled does not.
    for some in (
        [drawn.sensitive] if case.apart else [(attribute,) for attribute in drawn.sensitive]
    ):
        found += _untied(case, shown, members, some, [*drawn.hidden, *kept])
    classes = list(members.values())
    found += [f"{model} does not hold" for model in case.violated(classes)]
    sizes = Counter(tuples(drawn, drawn.hidden)).values()
    return found + wrong_metrics(case, list(sizes), classes, metrics)


def _wrong_columns(
    table: Table, first: list[str], attributes: Sequence[Attribute], last: list[str]
) -> list[str]:
    expected = [*first, *(attribute.name for attribute in attributes), *last]
    if list(table[0]) == expected:
        return []
    return [f"its columns are {list(table[0])}, not {expected}"]


def _untied(
    case: Case,
    shown: Sequence[tuple[int, Bits]],
    members: Mapping[int, list[Row]],
    some: Sequence[Attribute],
    kept: Sequence[Attribute],
) -> list[str]:
    """Whether values are there as often as in the source, and every record is in the join."""
    places = [case.drawn.sensitive.index(one) for one in some]
    values = {
        g: Counter(tuple(same(row[place]) for place in places) for row in rows)
        for g, rows in members.items()
    }
    found = []
    if sum(values.values(), Counter()) != Counter(tuples(case.drawn, some)):
        found.append(f"the values of {[one.name for one in some]} are not the source's")
    rows = Counter(shown)
    records = zip(tuples(case.drawn, kept), tuples(case.drawn, some), strict=True)
    for (row, value), number in Counter(records).items():
        if sum(min(rows[g, row], values[g][value]) for g in members) < number:
            found.append("a record is not in the join of rows and values")
            break
    return found
