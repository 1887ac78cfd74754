"""The finding of a figure, how programs and notebooks get it, and several of them side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.errors import nearest
from sqlanon.figures.figure import Attack, Figure, Unit, shown
from sqlanon.pages.page import table


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


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A figure's value.

    Attributes:
        figure: what is measured.
        of: the columns it is of; none of the whole release or table.
        value: what was found; None where there is nothing to measure.
        direction: which value is better, ``lower`` or ``higher``; None where neither is.
        range: between what the value lies; n is the number of records.
        sentence: what the value means, for a privacy officer.
        attack: the attack, of what an attack finds.
        read: how the release was read for it, of utility.
        unit: how the value is shown.
    """

    figure: str
    of: tuple[str, ...]
    value: float | None
    direction: str | None
    range: str
    sentence: str
    attack: Attack | str = ""
    read: str = ""
    unit: Unit = "number"

    @property
    def attribute(self) -> str | None:
        """The column it is of, if it is of one."""
        return self.of[0] if len(self.of) == 1 else None

    @property
    def shown(self) -> str:
        """The value as people read it."""
        return shown(self.value, self.unit)

    def as_object(self) -> dict[str, Any]:
        """The same for programs: what does not go with such a figure is left out."""
        attacked = {"attack": self.attack, "attribute": self.attribute} if self.attack else {}
        return {
            **attacked,
            "figure": self.figure,
            "of": list(self.of),
            "value": self.value,
            "direction": self.direction,
            "range": self.range,
            **({"read": self.read} if self.read else {}),
            "sentence": self.sentence,
        }


def finding(
    figure: Figure, value: float | None, of: tuple[str, ...] = (), read: str | None = None
) -> Finding:
    """The finding of a figure, in the words of its registry.

    Args:
        figure: the figure.
        value: what was found.
        of: the columns it is of.
        read: how the release was read, if not as the registry says.
    """
    return Finding(
        figure=figure.name,
        of=of,
        value=None if value is None else round(float(value), 9),
        direction=figure.direction,
        range=figure.range,
        sentence=figure.sentence,
        attack=figure.attack,
        read=figure.read if read is None else read,
        unit=figure.shown_as,
    )


def value_of(findings: Sequence[Finding], figure: str, of: tuple[str, ...] = ()) -> float | None:
    """The value of a figure of these columns.

    Raises:
        KeyError: if it was not computed.
    """
    known = [one for one in findings if one.figure == figure]
    for one in known:
        if one.of == of:
            return one.value
    if known:
        there = ", ".join(sorted(_columns(one.of) for one in known))
        raise KeyError(f"{figure!r} is not of {_columns(of)}, but of {there}")
    names = {one.figure for one in findings}
    raise KeyError(f"{figure!r} was not computed; {nearest(figure, names)}")


def _columns(of: tuple[str, ...]) -> str:
    return " and ".join(of) or "the whole"


def findings_table(title: str, findings: Sequence[Finding]) -> str:
    """Findings as a table of HTML, for a notebook."""
    attacked = any(one.attack for one in findings)
    rows = (
        (
            *((one.attack,) if attacked else ()),
            *(one.figure, " and ".join(one.of), one.value, one.sentence),
        )
        for one in findings
    )
    columns = (*(("attack",) if attacked else ()), "figure", "of", "found", "what it means")
    return table(title, columns, rows)
