"""How identifying a table is, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

Row = tuple[Hashable, ...]


def alone_with(rows: Sequence[Row], columns: Sequence[int]) -> set[int]:
    """The places of the records that no other equals in some columns."""
    times = Counter(tuple(row[column] for column in columns) for row in rows)
    return {
        at for at, row in enumerate(rows) if times[tuple(row[column] for column in columns)] == 1
    }


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
        "population_marketer_risk": sum((Fraction(1, times[entry]) for entry in known), Fraction(0))
        / n,
        "in_population_share": Fraction(len(known), n),
    }


def mean_of_reciprocal(f: int, p: Fraction, least: Fraction = Fraction(1, 10**7)) -> float:
    """E(1 / F), F the trials up to the f-th success at chance p: its series, term by term."""
    term, total, trials = float(p) ** f, 0.0, f
    passed = 0.0
    while passed < 1 - float(least) and trials < 10**6:
        total += term / trials
        passed += term
        trials += 1
        term *= (trials - 1) / (trials - f) * float(1 - p)
    return total


def weighted(rows: Sequence[Row], weights: Sequence[Fraction]) -> dict[str, float]:
    """What weights say of the population; of combinations of at most three records."""
    times = Counter(rows)
    persons: Counter[Row] = Counter()
    for row, weight in zip(rows, weights, strict=True):
        persons[row] += weight  # type: ignore[assignment]
    chance = {row: min(Fraction(times[row]) / persons[row], Fraction(1)) for row in times}
    risks = {row: mean_of_reciprocal(times[row], chance[row]) for row in times}
    return {
        "estimated_persons": float(sum(weights)),
        "individual_risk": max(risks.values()),
        "weighted_marketer_risk": sum(risks[row] for row in rows) / len(rows),
        "unique_in_population": float(sum(chance[row] for row in times if times[row] == 1)),
    }


def of_items(rows: Sequence[Row], persons: Sequence[Hashable], known: int) -> dict[str, Fraction]:
    """k^m-anonymity by its definition: all sets of up to m items that a person has."""
    owned: dict[Hashable, set[Row]] = {}
    for row, person in zip(rows, persons, strict=True):
        owned.setdefault(person, set()).add(row)
    shared = {
        person: [
            sum(set(some) <= others for others in owned.values())
            for size in range(1, known + 1)
            for some in combinations(items, size)
        ]
        for person, items in owned.items()
    }
    single = sum(1 in numbers for numbers in shared.values())
    return {
        "items_k": Fraction(min(min(numbers) for numbers in shared.values())),
        "items_unique_share": Fraction(single, len(owned)),
    }


def in_households(rows: Sequence[Row], households: Sequence[Hashable]) -> dict[str, Fraction]:
    """The risk that somebody of a household is picked out; None and blank are one's own."""
    times = Counter(rows)
    spared: dict[Hashable, Fraction] = {}
    blank = [one is None or str(one).strip(" ") == "" for one in households]
    named = [("alone", at) if blank[at] else one for at, one in enumerate(households)]
    for row, household in zip(rows, named, strict=True):
        spared[household] = spared.get(household, Fraction(1)) * (1 - Fraction(1, times[row]))
    return {
        "household_risk": max(1 - number for number in spared.values()),
        "household_marketer_risk": sum((1 - spared[one] for one in named), Fraction(0)) / len(rows),
    }
