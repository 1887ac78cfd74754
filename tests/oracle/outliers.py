"""Outliers: what a record costs the others, and who is left out, with exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Codes = tuple[int, ...]
Loss = Callable[[Sequence[Codes]], Fraction]
# The records of a person, or of several who are alike: combinations, and how many of each.
Alike = tuple[tuple[Codes, int], ...]


def costs(
    groups: Sequence[Mapping[Codes, int]], loss: Loss, k: int, worth: int = 1
) -> dict[Codes, tuple[Fraction, int]]:
    """What each record of a combination costs, and how many records that has.

    Args:
        groups: the groups of k, by combination of quasi-identifiers how many records it has.
        loss: what a record loses in a group of these combinations: from 0, nothing, to 1, all.
        k: combinations of as many records are classes of their own, and nobody's burden.
        worth: what a record is worth.

    Returns:
        Of the combinations whose records cost more than they are worth.
    """
    found: dict[Codes, tuple[Fraction, int]] = {}
    for group in groups:
        whole = sum(group.values()) * loss(list(group))
        for entry, records in group.items():
            rest = [other for other in group if other != entry]
            without = sum(group[other] for other in rest) * loss(rest) if rest else None
            own = loss(list(group)) * records
            cost = (own if without is None else whole - without) / records
            if records < k and cost > worth:
                found[entry] = (cost, records)
    return found


def left_out(
    found: Mapping[Codes, tuple[Fraction, int]],
    group_of: Callable[[Codes], int],
    sizes: Mapping[int, int],
    limit: Fraction,
    most: int,
) -> set[Codes]:
    """The combinations that are left out.

    Args:
        found: what each record of a combination costs, and how many records that has.
        group_of: the group that a combination is in, in which the limit holds.
        sizes: how many records each group has.
        limit: the greatest share of a group's records.
        most: how many records of the table may be left out.
    """
    order = sorted(found, key=lambda one: (-found[one][0], one))
    gone, allowed = dict.fromkeys(sizes, 0), list[Codes]()
    for entry in order:
        group = group_of(entry)
        gone[group] += found[entry][1]
        if gone[group] <= limit * sizes[group]:
            allowed.append(entry)
    kept, so_far = set[Codes](), 0
    for entry in allowed:
        so_far += found[entry][1]
        if so_far <= most:
            kept.add(entry)
    return kept


def person_costs(
    groups: Sequence[Mapping[Alike, int]], loss: Loss, k: int, worth: int = 1
) -> dict[Alike, tuple[Fraction, int]]:
    """What each record of persons who are alike costs, and how many these persons are.

    Args:
        groups: the groups of k persons, by what those alike have how many they are.
        loss: what a record loses in a group of these combinations.
        k: so many persons who are alike are nobody's burden.
        worth: what a record is worth.

    Returns:
        Of those whose records cost more than they are worth.
    """

    def lost(members: Mapping[Alike, int]) -> Fraction:
        combinations = [codes for entry in members for codes, _ in entry]
        records = sum(number * records_of(entry) for entry, number in members.items())
        return records * loss(combinations)

    found: dict[Alike, tuple[Fraction, int]] = {}
    for group in groups:
        combinations = [codes for entry in group for codes, _ in entry]
        for entry, number in group.items():
            records = number * records_of(entry)
            rest = {other: others for other, others in group.items() if other != entry}
            whole = lost(group) - lost(rest) if rest else records * loss(combinations)
            if number < k and whole / records > worth:
                found[entry] = (whole / records, number)
    return found


def records_of(alike: Alike) -> int:
    """How many records a person has."""
    return sum(records for _, records in alike)


def persons_left_out(
    found: Mapping[Alike, tuple[Fraction, int]],
    persons: Sequence[Alike],
    group_of: Callable[[Codes], int],
    limit: Fraction,
    k: int,
) -> set[Alike]:
    """The persons who are left out: the limit counts them and their records, in every group.

    Args:
        found: what each record of those alike costs, and how many they are.
        persons: what every person has.
        group_of: the group that a record is in, in which the limit holds.
        limit: the greatest share.
        k: how many persons are left at least.
    """
    sizes: dict[int, list[int]] = {}
    for person in persons:
        for group in {group_of(codes) for codes, _ in person}:
            size = sizes.setdefault(group, [0, 0])
            size[0] += 1
            size[1] += sum(records for codes, records in person if group_of(codes) == group)
    gone, allowed = {group: [0, 0] for group in sizes}, list[Alike]()
    for entry in sorted(found, key=lambda one: (-found[one][0], one)):
        number, held = found[entry][1], list[bool]()
        for group in {group_of(codes) for codes, _ in entry}:
            records = sum(records for codes, records in entry if group_of(codes) == group)
            gone[group] = [gone[group][0] + number, gone[group][1] + number * records]
            pairs = zip(gone[group], sizes[group], strict=True)
            held.append(all(out <= limit * size for out, size in pairs))
        if all(held):
            allowed.append(entry)
    every, records = len(persons), sum(map(records_of, persons))
    left, so_far, so_many = set[Alike](), 0, 0
    for entry in allowed:
        so_far += found[entry][1]
        so_many += found[entry][1] * records_of(entry)
        if so_far <= limit * every and so_far <= every - k and so_many <= limit * records:
            left.add(entry)
    return left
