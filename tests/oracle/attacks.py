"""The attacks of a reader in plain Python, from what is published and nothing else."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Hashable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

Value = Hashable


@dataclass(frozen=True)
class Interval:
    """A cell between two values, both included."""

    low: object
    high: object


@dataclass(frozen=True)
class Under:
    """A label: the values below it."""

    values: frozenset[Value]


ANYTHING = object()
Cell = object  # an Interval, an Under, ANYTHING, or a value as it is; None is NULL


def fits(value: Value, cell: Cell) -> bool:
    """Whether a person's value lies in a published cell; NULL lies in NULL."""
    if cell is ANYTHING:
        return True
    if isinstance(cell, Under):
        return value in cell.values
    if isinstance(cell, Interval):
        return value is not None and cell.low <= value <= cell.high  # type: ignore[operator]
    return bool(value == cell)


@dataclass(frozen=True)
class Row:
    """A published record: its cells, the class or group that it is tied to."""

    cells: tuple[Cell, ...]
    of: Value


def linked(person: Sequence[Value], rows: Sequence[Row]) -> list[Row]:
    """The published records that may be a person's."""
    return [row for row in rows if all(map(fits, person, row.cells))]


def linking(
    persons: Sequence[Sequence[Value]],
    rows: Sequence[Row],
    values: Mapping[Value, Sequence[Value]],
    named: Mapping[int, Container[Value]] = {},
) -> dict[str, Fraction | int | None]:
    """What linking every person comes to.

    Args:
        persons: their quasi-identifiers.
        rows: the published records.
        values: the sensitive values of every class or group.
        named: by the place of a quasi-identifier, the values that the release names; of another
            one nothing can be said.
    """
    each = [linked(person, rows) for person in persons]
    found = [some for some in each if some]
    tied = [{row.of for row in some} for some in found]
    behind = [sum(len(values[of]) for of in some) for some in tied]
    certain = [len({value for of in some for value in values[of]}) == 1 for some in tied]
    n = len(persons)
    absent = [
        None not in person and all(person[at] in some for at, some in named.items())
        for person, fitting in zip(persons, each, strict=True)
        if not fitting
    ]
    return {
        "linking_smallest_group": min(map(len, found), default=None),
        "linking_smallest_choice": min(behind, default=None),
        "linking_found_share": Fraction(len(found), n),
        "linking_unique_share": Fraction(sum(len(some) == 1 for some in found), n),
        "record_linkage": sum((Fraction(1, len(some)) for some in found), Fraction(0)) / n,
        "linking_certain_share": Fraction(sum(certain), n),
        "membership_absent_share": Fraction(sum(absent), n),
    }


def membership(
    persons: Sequence[Sequence[Value]], classes: Mapping[tuple[Cell, ...], int]
) -> dict[str, Fraction]:
    """The chance that who fits a class is in it, if the persons are everybody.

    Args:
        persons: their quasi-identifiers.
        classes: the published tuples, with their records.
    """
    fitting = {cells: sum(all(map(fits, person, cells)) for person in persons) for cells in classes}
    known = {cells: records for cells, records in classes.items() if fitting[cells]}
    sure = sum(records for cells, records in known.items() if records >= fitting[cells])
    shares = [min(Fraction(1), Fraction(n, fitting[cells])) for cells, n in known.items()]
    return {
        "membership_certain_share": Fraction(sure, sum(classes.values())),
        "membership_presence": max(shares, default=Fraction(0)),
    }


def inside(classes: Sequence[Sequence[Value]]) -> dict[str, Fraction]:
    """Homogeneity and skewness of classes, given by their sensitive values."""
    prior = Counter(value for some in classes for value in some)
    n = prior.total()
    alike, betting, gain = 0, 0, Fraction(0)
    for some in classes:
        counts = Counter(some)
        shares = {value: Fraction(count, len(some)) for value, count in counts.items()}
        gains = {value: share - Fraction(prior[value], n) for value, share in shares.items()}
        gain = max(gain, *gains.values())
        alike += len(some) * (len(counts) == 1)
        betting += len(some) * any(
            2 * share > 1 and share >= Fraction(2 * prior[value], n)
            for value, share in shares.items()
        )
    return {
        "homogeneity_share": Fraction(alike, n),
        "skewness_gain": gain,
        "skewness_share": Fraction(betting, n),
    }


def alike_in_order(classes: Sequence[Sequence[float | None]]) -> Fraction:
    """The share of records in classes whose values are near each other, and not half of all.

    Near is a quarter of the way from the least to the greatest value of the release.
    """
    everybody = [number for some in classes for number in some]
    known = [number for number in everybody if number is not None]
    near = (max(known) - min(known)) / 4 if known else 0
    records = 0
    for some in classes:
        values = [number for number in some if number is not None]
        if len(values) < len(some) or max(values) > min(values) + near:
            continue
        between = sum(min(values) <= number <= max(values) for number in known)
        records += len(some) * (len(set(values)) == 1 or 2 * between <= len(everybody))
    return Fraction(records, len(everybody))


def alike_in_groups(classes: Sequence[Sequence[Value]], group: Mapping[Value, Value]) -> Fraction:
    """The share of records in classes whose values are of one group."""
    records = sum(len(some) for some in classes if len({group[one] for one in some}) == 1)
    return Fraction(records, sum(map(len, classes)))


def in_groups(
    groups: Mapping[Value, Sequence[Sequence[Value]]],
    slices: Sequence[Sequence[int]],
    records: Sequence[Sequence[Value]],
    persons: Sequence[Sequence[Value]] = (),
) -> dict[str, Fraction | int | None]:
    """Membership in groups: every tuple that a group allows is put together, one by one.

    Args:
        groups: the rows of every group, as published.
        slices: the places in a row of what stays together.
        records: the source's.
        persons: others, of whom some may be in the source.
    """
    places = [place for one in slices for place in one]
    allowed = {
        group: {
            tuple(value for part in parts for value in part)
            for parts in product(
                *({tuple(row[at] for at in one) for row in rows} for one in slices)
            )
        }
        for group, rows in groups.items()
    }
    theirs = [tuple(row[place] for place in places) for row in records]
    matching = [sum(entry in tuples for tuples in allowed.values()) for entry in theirs]
    found = [n for n in matching if n]
    possible = sum(map(len, allowed.values()))
    fake = sum(entry not in theirs for tuples in allowed.values() for entry in tuples)
    others = [tuple(row[place] for place in places) for row in persons]
    outside = [entry for entry in others if entry not in theirs]
    taken = sum(any(entry in tuples for tuples in allowed.values()) for entry in outside)
    return {
        "membership_possible_tuples": possible,
        "membership_fake_tuples": fake,
        "membership_fake_share": Fraction(fake, possible),
        "membership_fewest_groups": min(found),
        "membership_mean_groups": Fraction(sum(found), len(found)),
        "membership_one_group_share": Fraction(found.count(1), len(found)),
        "membership_outsider_share": Fraction(taken, len(outside)) if outside else None,
    }


def against_slices(
    groups: Mapping[Value, Sequence[Sequence[Value]]],
    slices: Sequence[Sequence[int]],
    persons: Sequence[Sequence[Value]],
    beside: Sequence[int],
    named: Mapping[int, Container[Value]],
) -> dict[str, Fraction | int | None]:
    """What holding persons against slices comes to.

    Args:
        groups: the rows of every group, as published.
        slices: the places in a row of what stays together and is known.
        persons: the persons.
        beside: the places of what is known and stays together with the sensitive values.
        named: by the place of a text, the values that the release names.
    """
    behind, absent = [], 0
    for person in persons:
        fitting = [
            rows
            for rows in groups.values()
            if all(any(all(row[at] == person[at] for at in one) for row in rows) for one in slices)
        ]
        if fitting:
            behind.append(
                sum(all(row[at] == person[at] for at in beside) for rows in fitting for row in rows)
            )
        else:
            known = [at for one in slices for at in one]
            absent += all(person[at] is not None for at in known) and all(
                person[at] in some for at, some in named.items()
            )
    return {
        "linking_smallest_choice": min(behind, default=None),
        "linking_found_share": Fraction(len(behind), len(persons)),
        "membership_absent_share": Fraction(absent, len(persons)),
    }


def known_beforehand(
    counts: Mapping[Value, int], whole: Mapping[Value, int], prior: Mapping[Value, Fraction]
) -> tuple[dict[Value, Fraction], dict[Value, Fraction]] | None:
    """The beliefs of a reader who knows one person's chances: by Bayes' rule, and by omega.

    Bayes' rule by trying every way in which the records that fit may be the person's and the
    others', who have the chances that the whole release has. None where no way is possible.

    Args:
        counts: how many records that fit the person have each value.
        whole: how many of all.
        prior: P(v | u).
    """
    values, n, size = list(whole), sum(counts.values()), sum(whole.values())
    share = {value: Fraction(whole[value], size) for value in values}
    ways = dict.fromkeys(values, Fraction(0))
    for members in product(values, repeat=n):
        if Counter(members) == Counter({v: c for v, c in counts.items() if c}):
            chance = prior.get(members[0], Fraction(0))
            for other in members[1:]:
                chance *= share[other]
            ways[members[0]] += chance
    if not sum(ways.values()):
        return None
    parts = {}
    for value in values:
        mine = prior.get(value, Fraction(0))
        expected = mine + (n - 1) * share[value]
        parts[value] = counts.get(value, 0) * mine / expected
    return (
        {value: way / sum(ways.values()) for value, way in ways.items()},
        {value: part / sum(parts.values()) for value, part in parts.items()},
    )
