"""Followers in plain Python: what a column shows whose cells follow those of another."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

STAR = "*"


def values_of(
    leaders: Sequence[Hashable], followers: Sequence[Any]
) -> Mapping[Hashable, frozenset[Any]]:
    """What records have of a follower that show the same of its leader.

    Args:
        leaders: what every record shows of the leader.
        followers: what it has of the follower.
    """
    found: dict[Hashable, set[Any]] = defaultdict(set)
    for shown, value in zip(leaders, followers, strict=True):
        found[shown].add(value)
    return {shown: frozenset(values) for shown, values in found.items()}


def node(values: frozenset[Any], chains: Mapping[Any, Sequence[str]]) -> str | None:
    """The lowest node above all of these values: one alone is itself, and NULL lies under *.

    Args:
        values: at least one.
        chains: by value the nodes above it, the root last.
    """
    if len(values) > 1 and None in values:
        return STAR
    paths = [(value, *chains.get(value, ())) for value in values]
    found: str | None = next(step for step in paths[0] if all(step in path for path in paths))
    return found


def interval(values: frozenset[int]) -> str:
    """From the least to the greatest of these numbers."""
    low, high = min(values), max(values)
    return str(low) if low == high else f"[{low}, {high}]"


def listed(values: frozenset[str]) -> str:
    """All of these texts, in order."""
    return "".join(values) if len(values) == 1 else f"{{{', '.join(sorted(values))}}}"
