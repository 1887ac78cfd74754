"""The same figures of several releases or tables, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.figures.finding import Finding


@dataclass(frozen=True)
class Row:
    """A figure of the same columns in all that are compared.

    Attributes:
        figure: what is measured.
        of: the columns it is of; none of the whole.
        direction: which value is better, ``lower`` or ``higher``; None where neither is.
        sentence: what a value means.
        found: what was found in each; None where it was not measured.
    """

    figure: str
    of: tuple[str, ...]
    direction: str | None
    sentence: str
    found: tuple[Finding | None, ...]

    @property
    def values(self) -> tuple[float | None, ...]:
        """The value in each; None where there is none."""
        return tuple(None if one is None else one.value for one in self.found)

    @property
    def shown(self) -> tuple[str, ...]:
        """The values as people read them; nothing where one was not measured."""
        return tuple("" if one is None else one.shown for one in self.found)

    @property
    def best(self) -> frozenset[int]:
        """The places of the best values; none where all are alike, or neither is better."""
        known = [value for value in self.values if value is not None]
        if self.direction is None or len(set(known)) < 2:
            return frozenset()
        best = max(known) if self.direction == "higher" else min(known)
        return frozenset(place for place, value in enumerate(self.values) if value == best)


def side_by_side(several: Sequence[Sequence[Finding]]) -> tuple[Row, ...]:
    """A row for each figure that was measured of any, those of one figure together.

    Args:
        several: the findings of each that is compared.
    """
    found = [{(one.figure, one.of): one for one in findings} for findings in several]
    firsts: dict[tuple[str, tuple[str, ...]], Finding] = {}
    for findings in found:
        firsts = {**findings, **firsts}
    keys = dict.fromkeys(key for findings in found for key in findings)
    figures = list(dict.fromkeys(figure for figure, _ in keys))
    return tuple(
        Row(
            *key,
            firsts[key].direction,
            firsts[key].sentence,
            tuple(findings.get(key) for findings in found),
        )
        for key in sorted(keys, key=lambda key: figures.index(key[0]))
    )
