"""The generalization lattice: which groupings of the cells carving tries, and in what order.

A node of the lattice takes one level of every quasi-identifier; its groups are the cells alike at
these levels. sqlanon, Carve §1 to §3: fine nodes come before coarse ones. A node is worth a pass
only if its groups are as small, and tell as much of the sensitive value, as those of any node that
costs no more.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.methods.cut.scales import LossScale
from sqlanon.sql.names import Sql

# The lattice is enumerated: with more nodes than this it is thinned.
MOST_NODES = 10_000
# Of a lattice with more nodes than the first, so many percent are worth a pass.
FEW_NODES, WORTH = 100, 55
_MOST_KEY = 2**62


@dataclass(frozen=True)
class Level:
    """One level of a quasi-identifier.

    Attributes:
        level: its number.
        groups: how many groups the codes fall into.
        cost: what publishing them loses on average, in units.
        information: in bits, how small the groups are and how much they tell.
    """

    level: int
    groups: int
    cost: int
    information: float


# The level of every quasi-identifier.
Node = tuple[int, ...]


@dataclass(frozen=True)
class Part:
    """A quasi-identifier as a digit of a key.

    Attributes:
        alias: its column.
        levels: how many levels it has.
        factor: by what the number of its group is multiplied.
    """

    alias: Sql
    levels: int
    factor: int


def plan_nodes(levels: Sequence[Sequence[Level]], most: int) -> tuple[list[Node], int]:
    """Choose the nodes to carve along, fine to coarse; the last groups all records together.

    Args:
        levels: the levels of each quasi-identifier.
        most: how many nodes at most.

    Returns:
        The nodes, and of how many they were chosen.
    """
    choices = sorted(
        itertools.product(*_thinned([_different(one) for one in levels])), key=_fine_to_coarse
    )
    slack, best = [], math.inf
    for place, choice in enumerate(choices):
        information = round(sum(level.information for level in choice), 6)
        best = min(best, information)
        slack.append((round(information - best, 6), place))
    worth = len(choices) if len(choices) <= FEW_NODES else -(-len(choices) * WORTH // 100)
    wanted = min(most, worth)
    chosen = {place for _, place in sorted(slack)[: wanted - 1]} | {len(choices) - 1}
    nodes = [tuple(level.level for level in choices[place]) for place in sorted(chosen)]
    return nodes, len(choices)


def keys(scales: Sequence[LossScale]) -> list[list[Part]]:
    """The whole numbers that tell the groups of a node apart: the quasi-identifiers, packed.

    They are packed in reverse, so that groups stand in the order of the first quasi-identifier.
    """
    packed: list[list[Part]] = [[]]
    size = 1
    for scale in reversed(scales):
        radix = scale.codes + 1
        if packed[-1] and size * radix >= _MOST_KEY:
            packed.append([])
            size = 1
        packed[-1].append(Part(scale.alias, scale.levels, size))
        size *= radix
    return [key[::-1] for key in reversed(packed)]


def _fine_to_coarse(choice: Sequence[Level]) -> tuple[int, int, tuple[int, ...]]:
    cost = sum(level.cost for level in choice)
    groups = math.prod(level.groups for level in choice)
    return cost, -groups, tuple(level.level for level in choice)


def _different(levels: Sequence[Level]) -> list[Level]:
    """Of levels that group the codes alike, such as bins of one code each, only the finest."""
    alike: dict[tuple[int, float], Level] = {}
    for level in levels:
        alike.setdefault((level.groups, round(level.information, 6)), level)
    return list(alike.values())


def _thinned(levels: Sequence[Sequence[Level]]) -> list[list[Level]]:
    """The levels of a lattice that can be enumerated.

    Levels between the finest and the root go first, from where there are most. Then the finest
    level of a quasi-identifier with few groups goes: carving leaves it to the tree.
    """
    kept = [list(one) for one in levels]
    while math.prod(map(len, kept)) > MOST_NODES:
        longest = max(kept, key=len)
        if len(longest) > 2:
            gaps = [after.cost - before.cost for before, after in itertools.pairwise(longest)]
            del longest[1 + min(range(len(longest) - 2), key=lambda at: gaps[at])]
        else:
            del min((one for one in kept if len(one) > 1), key=lambda one: one[0].groups)[0]
    return kept
