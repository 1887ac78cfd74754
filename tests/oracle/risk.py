"""How identifying a table is, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

Row = tuple[Hashable, ...]


def alone_with(rows: Sequence[Row], columns: Sequence[int]) -> set[int]:
    """The places of the records that no other equals in some columns."""
    times = Counter(tuple(row[one] for one in columns) for row in rows)
    return {at for at, row in enumerate(rows) if times[tuple(row[one] for one in columns)] == 1}


def subsets(number: int, most: int) -> Iterator[tuple[int, ...]]:
    """All subsets of so many columns that have at most so many of them."""
    for size in range(1, most + 1):
        yield from combinations(range(number), size)


def minimal_uniques(rows: Sequence[Row], most: int) -> dict[int, list[tuple[int, ...]]]:
    """Of every record the columns that it is alone with, and with no part of them."""
    number = len(rows[0])
    unique = {some: alone_with(rows, some) for some in subsets(number, most)}
    found: dict[int, list[tuple[int, ...]]] = {}
    for some, places in unique.items():
        for at in places:
            parts = [part for part in unique if set(part) < set(some)]
            if not any(at in unique[part] for part in parts):
                found.setdefault(at, []).append(some)
    return found


def score(uniques: Sequence[tuple[int, ...]], number: int, most: int) -> int:
    """SUDA's score of a record with these minimal uniques, of a table of so many columns."""
    total = 0
    for some in uniques:
        product = 1
        for one in range(len(some), min(most, number - 1) + 1):
            product *= number - one
        total += product
    return total


def figures(rows: Sequence[Row]) -> dict[str, Fraction | int]:
    """What the sizes of the combinations say."""
    times = Counter(rows)
    n, single = len(rows), sum(records == 1 for records in times.values())
    return {
        "records": n,
        "combinations": len(times),
        "unique_records": single,
        "unique_share": Fraction(single, n),
        "prosecutor_risk": Fraction(1, min(times.values())),
        "marketer_risk": sum((Fraction(1, times[row]) for row in rows), Fraction(0)) / n,
    }


def in_population(rows: Sequence[Row], population: Sequence[Row]) -> dict[str, Fraction | None]:
    """What a list of the population says."""
    times = Counter(population)
    known = [row for row in rows if times[row]]
    n = len(rows)
    return {
        "journalist_risk": max((Fraction(1, times[row]) for row in known), default=None),
        "population_marketer_risk": sum((Fraction(1, times[one]) for one in known), Fraction(0))
        / n,
        "in_population_share": Fraction(len(known), n),
    }
