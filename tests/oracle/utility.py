"""What a release is still good for, in plain Python: from the published cells and the source."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import floor, log, log2, sqrt
from operator import eq
from statistics import fmean, median
from typing import Any

from oracle.attacks import Cell, fits

Value = Any  # of a column, comparable with the others of it

Shares = Mapping[int, Fraction]  # of bins
Side = Sequence[Sequence[Mapping[Value, Fraction]]]  # of every record and column, value by value


def in_order(column: Sequence[Value]) -> list[Value]:
    """The different values of a column, NULL first."""
    return sorted(set(column), key=lambda value: (value is not None, value))


def bins(column: Sequence[Value], most: int) -> dict[Value, int]:
    """The bin of every value of the source, from 1."""
    values = in_order(column)
    if len(values) <= most:
        return {value: number for number, value in enumerate(values, 1)}
    below, raw = 0, {}
    for value in values:
        raw[value] = below * most // len(column)
        below += column.count(value)
    dense = {number: position for position, number in enumerate(sorted(set(raw.values())), 1)}
    return {value: dense[number] for value, number in raw.items()}


def reading(cell: Cell, column: Sequence[Value]) -> dict[Value, Fraction]:
    """A cell read uniformly: each value of the source that it covers is as likely."""
    covered = [value for value in set(column) if fits(value, cell)]
    return {value: Fraction(1, len(covered)) for value in covered}


def exactly(rows: Sequence[Sequence[Value]]) -> Side:
    """The source, whose cells are values."""
    return [[{value: Fraction(1)} for value in row] for row in rows]


def read(rows: Sequence[Sequence[Cell]], source: Sequence[Sequence[Value]]) -> Side:
    """A release, read uniformly."""
    columns = list(zip(*source, strict=True))
    return [
        [reading(cell, column) for cell, column in zip(row, columns, strict=True)] for row in rows
    ]


def distribution(
    side: Side, at: Sequence[int], bin_of: Sequence[Mapping[Value, int]]
) -> dict[tuple[int, ...], Fraction]:
    """The distribution over the bins of some columns, which are read independently."""
    found: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
    for record in side:
        parts: dict[tuple[int, ...], Fraction] = {(): Fraction(1, len(side))}
        for number in at:
            longer: dict[tuple[int, ...], Fraction] = defaultdict(Fraction)
            for key, share in parts.items():
                for value, chance in record[number].items():
                    longer[(*key, bin_of[number][value])] += share * chance
            parts = longer
        for key, share in parts.items():
            found[key] += share
    return found


def variation(
    p: Mapping[tuple[int, ...], Fraction], r: Mapping[tuple[int, ...], Fraction]
) -> float:
    """The total variation distance."""
    keys = {*p, *r}
    zero = Fraction(0)
    return float(sum((abs(p.get(key, zero) - r.get(key, zero)) for key in keys), zero) / 2)


def hellinger(
    p: Mapping[tuple[int, ...], Fraction], r: Mapping[tuple[int, ...], Fraction]
) -> float:
    """Hellinger's distance."""
    keys = {*p, *r}
    return sqrt(sum((sqrt(p.get(key, 0)) - sqrt(r.get(key, 0))) ** 2 for key in keys) / 2)


def divergence(
    p: Mapping[tuple[int, ...], Fraction], r: Mapping[tuple[int, ...], Fraction]
) -> float | None:
    """Kullback and Leibler's divergence of p from r, in bits; None where r lacks a key of p."""
    there = {entry: share for entry, share in p.items() if share}
    if any(not r.get(entry) for entry in there):
        return None
    return sum(float(share) * log2(share / r[entry]) for entry, share in there.items())


def joint_divergence(
    true: Side, found: Side, at: Sequence[int], bin_of: Sequence[Mapping[Value, int]]
) -> float | None:
    """The divergence of the bins of all of some columns together, in bits; None as above.

    A combination of the source is as likely in the release as its records say on average.
    """

    def chance(
        record: Mapping[int, Mapping[Value, Fraction]] | Any, key: Sequence[int]
    ) -> Fraction:
        product = Fraction(1)
        for number, wanted in zip(at, key, strict=True):
            product *= sum(
                (
                    share
                    for value, share in record[number].items()
                    if bin_of[number][value] == wanted
                ),
                Fraction(0),
            )
        return product

    p = distribution(true, at, bin_of)
    r = {key: sum((chance(one, key) for one in found), Fraction(0)) / len(found) for key in p}
    return divergence(p, r)


Patterns = set[tuple[Any, ...]]


def frequent(
    side: Side, ats: Sequence[Sequence[int]], bin_of: Sequence[Mapping[Value, int]], least: Fraction
) -> Patterns:
    """The patterns of some combinations of columns that have at least this share of the records."""
    return {
        (*at, *key)
        for at in ats
        for key, share in distribution(side, at, bin_of).items()
        if share >= least
    }


def misses_cost(true: Patterns, found: Patterns) -> Fraction | None:
    """The share of the true patterns that are missing. Kiran and Kavya (2012), section 5.2."""
    return Fraction(len(true - found), len(true)) if true else None


def hiding_failure(
    true: Side, found: Side, hidden: Sequence[Mapping[int, Any]], least: Fraction
) -> Fraction | None:
    """The share of the hidden patterns frequent in the source that still are in the release."""

    def frequent(side: Side, met: Mapping[int, Any]) -> bool:
        records = own_answer(side, met, None) or Fraction(0)
        return bool(side) and records >= least * len(side)

    before = [met for met in hidden if frequent(true, met)]
    return Fraction(sum(frequent(found, met) for met in before), len(before)) if before else None


def means(
    side: Side,
    number: int,
    group: int,
    bin_of: Mapping[Value, int],
    exact: bool = False,
) -> dict[int, Fraction]:
    """The mean of a number in each group, of all records or of those whose group is exact."""
    total: dict[int, Fraction] = defaultdict(Fraction)
    weight: dict[int, Fraction] = defaultdict(Fraction)
    for record in (one for one in side if len(one[group]) == 1 or not exact):
        for value, share in record[group].items():
            for amount, chance in record[number].items():
                if amount is not None:
                    total[bin_of[value]] += share * chance * Fraction(amount)
                    weight[bin_of[value]] += share * chance
    return {one: total[one] / weight[one] for one in weight}


def difference(true: Mapping[int, Fraction], found: Mapping[int, Fraction]) -> float | None:
    """The mean relative difference over the groups that both have, and whose mean is not 0."""
    each = [
        abs(found[number] - is_) / abs(is_)
        for number, is_ in true.items()
        if is_ and number in found
    ]
    return fmean(map(float, each)) if each else None


def correlation(side: Side, x: int, y: int) -> float | None:
    """Pearson's correlation of records that have both numbers, read independently."""
    points = [
        (Fraction(one), Fraction(other), chance * likely)
        for record in side
        for one, chance in record[x].items()
        for other, likely in record[y].items()
        if one is not None and other is not None
    ]
    weight = sum(w for *_, w in points)
    if not weight:
        return None
    ex, ey = (sum(p[i] * p[2] for p in points) / weight for i in (0, 1))
    vx, vy = (sum((p[i] - e) ** 2 * p[2] for p in points) / weight for i, e in ((0, ex), (1, ey)))
    if not vx or not vy:
        return None
    both = sum((p[0] - ex) * (p[1] - ey) * p[2] for p in points) / weight
    return float(both) / sqrt(vx) / sqrt(vy)


def counted(
    side: Side,
    bin_of: Sequence[Mapping[Value, int]],
    query: Mapping[int, tuple[int, int]],
    times: int = 1,
) -> Fraction:
    """What a COUNT query comes to: of each column it asks the values of a range of bins.

    So many times each record is there.
    """
    total = Fraction(0)
    for record in side:
        chance = Fraction(1)
        for at, (low, high) in query.items():
            chance *= sum(
                (share for value, share in record[at].items() if low <= bin_of[at][value] <= high),
                Fraction(0),
            )
        total += chance
    return total / times


def query_errors(
    true: Sequence[Fraction], found: Sequence[Fraction], records: int
) -> tuple[float, float]:
    """The median relative error, and the least that nine tenths of the queries do not exceed.

    Errors are of a thousandth of the records at least.
    """
    bound = Fraction(records, 1000)
    errors = [abs(number - is_) / max(is_, bound) for number, is_ in zip(found, true, strict=True)]
    high = min(e for e in errors if 10 * sum(number <= e for number in errors) >= 9 * len(errors))
    return float(median(errors)), float(high)


def held_out(row: Sequence[Value], rows: Sequence[Sequence[Value]], known: Sequence[int]) -> bool:
    """Whether a record is held out: by the places of its values, NULL's being 0."""
    total = 0
    for at, number in enumerate(known):
        values = [value for value in in_order([each[number] for each in rows]) if value is not None]
        place = 0 if row[number] is None else values.index(row[number]) + 1
        total += (at % 4 + 1) * place
    return total % 5 == 0


def classified(
    side: Side,
    tests: Sequence[Sequence[Value]],
    target: int,
    known: Sequence[int],
    bin_of: Sequence[Mapping[Value, int]],
    times: int = 1,
) -> tuple[float, float] | None:
    """How often naive Bayes is right, and who guesses the commonest bin; None without tests.

    So many times each record is there.
    """
    if not tests or not side:
        return None
    found, commonest = predicted(side, tests, target, known, bin_of, times)
    true = [bin_of[target][row[target]] for row in tests]
    right = sum(map(eq, found, true))
    return right / len(tests), true.count(commonest) / len(tests)


def predicted(
    side: Side,
    tests: Sequence[Sequence[Value]],
    target: int,
    known: Sequence[int],
    bin_of: Sequence[Mapping[Value, int]],
    times: int = 1,
) -> tuple[list[int], int]:
    """The bin that naive Bayes predicts for each test, and the commonest one.

    So many times each record is there.
    """
    size = [len(set(entry.values())) for entry in bin_of]
    mass: dict[int, Fraction] = defaultdict(Fraction)
    joint: dict[tuple[int, int, int], Fraction] = defaultdict(Fraction)
    for record in side:
        for value, share in record[target].items():
            answer = bin_of[target][value]
            mass[answer] += share / times
            for number in known:
                for other, chance in record[number].items():
                    joint[number, answer, bin_of[number][other]] += share * chance / times
    commonest = min(number for number in mass if mass[number] == max(mass.values()))

    def score(row: Sequence[Value], answer: int) -> float:
        found = log((mass[answer] + 1) / (sum(mass.values()) + len(mass)))
        for number in known:
            held = joint[number, answer, bin_of[number][row[number]]]
            found += log((held + 1) / (mass[answer] + size[number]))
        return round(found, 9)

    best = [min((-score(row, answer), answer) for answer in mass)[1] for row in tests]
    return best, commonest


def misclassification_error(true: Sequence[int], found: Sequence[int]) -> Fraction:
    """How far the sizes of clusters differ. Kiran and Kavya (2012), section 5.2, with bars."""
    moved = sum(abs(true.count(number) - found.count(number)) for number in {*true, *found})
    return Fraction(moved, len(true))


def coordinates(
    cell: Mapping[Value, Fraction], bin_of: Mapping[Value, int], in_order: bool
) -> dict[int, int]:
    """A cell as a point: one axis from 0 to 1000 in order, or else one of 707 for each bin."""
    most = max(bin_of.values())
    if in_order:
        mean = sum((share * (bin_of[value] - 1) for value, share in cell.items()), Fraction())
        return {1: floor(mean * 1000 / max(most - 1, 1) + Fraction(1, 2))}
    shares: dict[int, Fraction] = defaultdict(Fraction)
    for value, share in cell.items():
        shares[bin_of[value]] += share
    return {axis: floor(share * 707 + Fraction(1, 2)) for axis, share in shares.items()}


Point = dict[tuple[int, int], int]  # by column and axis


def clustering_error(
    true: Side,
    reading: Side,
    at: Sequence[int],
    bin_of: Sequence[Mapping[Value, int]],
    in_order: Sequence[bool],
    times: int = 1,
    clusters: int = 5,
    rounds: int = 20,
) -> float:
    """How far k-means' clusters differ in size. Kiran and Kavya (2012), section 5.2.

    Args:
        true: the source.
        reading: the release.
        at: the columns that are clustered.
        bin_of: the bin of every value of each column.
        in_order: whether the bins of each of these columns lie on one axis.
        times: how often each record of the release is there.
        clusters: how many there are at most.
        rounds: how often centres move at most.
    """

    def point(record: Sequence[Mapping[Value, Fraction]]) -> Point:
        return {
            (one, axis): place
            for one, straight in zip(at, in_order, strict=True)
            for axis, place in coordinates(record[one], bin_of[one], straight).items()
        }

    def apart(one: Point, other: Point) -> int:
        return sum((one.get(key, 0) - other.get(key, 0)) ** 2 for key in {*one, *other})

    def nearest(one: Point, centres: Sequence[Point]) -> int:
        return min(range(len(centres)), key=lambda number: (apart(one, centres[number]), number))

    def sizes(points: Sequence[Point], centres: Sequence[Point]) -> list[int]:
        for _ in range(rounds):
            groups = [nearest(entry, centres) for entry in points]
            moved = []
            for number, old in enumerate(centres):
                own = [
                    entry for entry, group in zip(points, groups, strict=True) if group == number
                ]
                keys = {key for entry in own for key in entry}
                mean = {
                    key: floor(
                        Fraction(sum(entry.get(key, 0) for entry in own), len(own)) + Fraction(1, 2)
                    )
                    for key in keys
                }
                moved.append(mean if own else old)
            if moved == centres:
                break
            centres = moved
        return [groups.count(number) for number in range(len(centres))]

    def codes(record: Sequence[Mapping[Value, Fraction]]) -> tuple[tuple[bool, Value], ...]:
        values = [next(iter(record[one])) for one in at]
        return tuple((value is not None, value if value is not None else 0) for value in values)

    points = {codes(record): point(record) for record in true}
    often: dict[Any, int] = defaultdict(int)
    for record in true:
        often[codes(record)] += 1
    first = min(points, key=lambda one: (-often[one], one))
    centres = [points[first]]
    while len(centres) < clusters:
        far = {
            entry: min(apart(its, centre) for centre in centres) for entry, its in points.items()
        }
        farthest = min(points, key=lambda one: (-far[one], one))
        if not far[farthest]:
            break
        centres.append(points[farthest])
    mine = sizes([point(record) for record in true], centres)
    other = sizes([point(record) for record in reading], centres)
    return sum(abs(one - two / times) for one, two in zip(mine, other, strict=True)) / len(true)


def own_answer(
    side: Side, conditions: Mapping[int, Callable[[Value], bool]], mean: int | None
) -> Fraction | None:
    """What a user's own query comes to: a count, or the mean of a number; None for that of none.

    Args:
        side: the records.
        conditions: of some columns, whether a value is asked for.
        mean: the column that is averaged; None to count.
    """
    total, weight = Fraction(0), Fraction(0)
    for record in side:
        chance = Fraction(1)
        for at, met in conditions.items():
            if at != mean:
                shares = [share for value, share in record[at].items() if met(value)]
                chance *= sum(shares, Fraction(0))
        if mean is None:
            weight += chance
            continue
        met = conditions.get(mean, lambda _: True)
        for value, share in record[mean].items():
            if value is not None and met(value):
                total += chance * share * Fraction(value)
                weight += chance * share
    if mean is None:
        return weight
    return total / weight if weight else None


def own_error(
    true: Fraction | None, found: Fraction | None, mean: bool, records: int
) -> Fraction | None:
    """How far the answer of a release is off; a count's of a thousandth of the records at least."""
    if true is None or found is None or (mean and not true):
        return None
    return abs(found - true) / (abs(true) if mean else max(true, Fraction(records, 1000)))
