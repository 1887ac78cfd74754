"""What is suppressed where records of a group are alike, and what is believed: plain Python."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

STAR = "*"
Row = tuple[Any, ...]


def suppressed(rows: Sequence[Row], quasi: int) -> list[Row]:
    """The rows of a group, whose first columns are its quasi-identifiers, by pairs of records."""
    shown = []
    for number, row in enumerate(rows):
        others = [other for place, other in enumerate(rows) if place != number]
        cells = list(row)
        for place in range(1, quasi):
            leading = place + 1 if quasi == 2 else place
            if leading > 1 and any(other[:leading] == row[:leading] for other in others):
                cells[place] = STAR
        shown.append(tuple(cells))
    return shown


def in_pairs(queue: Sequence[Row], quasi: int) -> list[Row]:
    """The records of a queue after the loop of Kiruthika and Raseen, §8.3, step by step as printed.

    Attributes are counted from 1; behind the quasi-identifiers stands the sensitive one, A_d.
    """
    rows, d = [list(row) for row in queue], quasi + 1
    for place in range(0, len(rows) - 1, 2):
        one, other = rows[place], rows[place + 1]
        for i in range(1, quasi):
            if one[i - 1] == other[i - 1] and one[i] == other[i]:
                next_one = i + 2 if i + 2 != d else i + 1
                one[next_one - 1] = other[next_one - 1] = STAR
    return [tuple(row) for row in rows]


def fits(shown: Sequence[Any], known: Sequence[Any]) -> bool:
    """Whether what is shown may be what is known: * may be anything."""
    return all(one in (STAR, other) for one, other in zip(shown, known, strict=True))


def believed(
    record: Row, groups: Mapping[int, Sequence[Row]], slices: Sequence[Sequence[int]], value: int
) -> dict[Any, Fraction]:
    """What is believed of a record: p(t, s) = Σ p(t, B) p(s | t, B), * taken for anything.

    Args:
        record: of the source, as text where cells may be suppressed.
        groups: the published rows, by their groups.
        slices: the places of the columns that stay together.
        value: the place of the sensitive one.
    """
    matching: dict[int, Fraction] = {}
    values: dict[int, Counter[Any]] = {}
    for number, rows in groups.items():
        matched = Fraction(1)
        for one in slices:
            known = [place for place in one if place != value]
            own = [record[place] for place in known]
            hits = [row for row in rows if fits([row[place] for place in known], own)]
            matched *= Fraction(len(hits), len(rows))
            if value in one:
                values[number] = Counter(row[value] for row in hits)
        if matched:
            matching[number] = matched
    total = sum(matching.values())
    found: dict[Any, Fraction] = defaultdict(Fraction)
    for number, weight in matching.items():
        for one, records in values[number].items():
            found[one] += weight / total * Fraction(records, values[number].total())
    return found


def unmatched(shown: Sequence[Sequence[Any]], known: Sequence[Sequence[Any]]) -> int:
    """How many rows stand for no record of their own, as few as can be, by augmenting paths."""
    taken: dict[int, int] = {}

    def place(row: int, seen: set[int]) -> bool:
        for number, record in enumerate(known):
            if number in seen or not fits(shown[row], record):
                continue
            seen.add(number)
            if number not in taken or place(taken[number], seen):
                taken[number] = row
                return True
        return False

    return len(shown) - sum(place(row, set()) for row in range(len(shown)))
