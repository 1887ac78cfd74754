"""Outliers: what a record costs the others, and who is left out, with exact fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Codes = tuple[int, ...]
Loss = Callable[[Sequence[Codes]], Fraction]


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
        for one, records in group.items():
            rest = [other for other in group if other != one]
            without = sum(group[other] for other in rest) * loss(rest) if rest else None
            own = loss(list(group)) * records
            cost = (own if without is None else whole - without) / records
            if records < k and cost > worth:
                found[one] = (cost, records)
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
    for one in order:
        group = group_of(one)
        gone[group] += found[one][1]
        if gone[group] <= limit * sizes[group]:
            allowed.append(one)
    kept, so_far = set[Codes](), 0
    for one in allowed:
        so_far += found[one][1]
        if so_far <= most:
            kept.add(one)
    return kept
