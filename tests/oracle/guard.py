"""Guarding nodes in plain Python: what a class tells of what its members guard."""

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from typing import Any

Member = tuple[Any, str | None]


def guarded_share(members: Sequence[Member], under: Mapping[str, Collection[Any]]) -> Fraction:
    """The greatest share of a class with a value under a node that a member names; 0 without.

    Xiao and Tao (2006), section 3.

    Args:
        members: of every record its value, and the node that it guards or None.
        under: the values under each node.
    """
    shares = [
        Fraction(sum(value in under[node] for value, _ in members), len(members))
        for node in {node for _, node in members if node is not None}
    ]
    return max(shares, default=Fraction(0))
