"""A picture as data: panels with two axes each, and the marks on them, in the units of the axes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import Literal

Stroke = Literal["solid", "dashed", "dotted", "none"]
Marker = Literal["circle", "square", "triangle", "diamond", "cross", "stroke", "none"]
MARKERS: tuple[Marker, ...] = ("circle", "square", "triangle", "diamond")
_MOST_TICKS = 6


@dataclass(frozen=True)
class Tick:
    """A number or a name on an axis."""

    at: float
    text: str


@dataclass(frozen=True)
class Axis:
    """An axis.

    Attributes:
        title: what it measures.
        low: its least value.
        high: its greatest value.
        log: whether equal ratios take equal lengths.
        ticks: its numbers; None for round numbers.
    """

    title: str
    low: float
    high: float
    log: bool = False
    ticks: tuple[Tick, ...] | None = None

    def share(self, value: float) -> float:
        """Where a value lies: 0 at the least value, 1 at the greatest."""
        low, high = self.low, self.high
        if self.log:
            low, high, value = math.log10(low), math.log10(high), math.log10(value)
        return (value - low) / (high - low)

    @property
    def shown(self) -> tuple[Tick, ...]:
        """Its numbers."""
        if self.ticks is not None:
            return self.ticks
        values = self._powers() if self.log else self._round()
        return tuple(Tick(value, number(value)) for value in values)

    def _round(self) -> Iterator[float]:
        """Multiples of 1, 2 or 5 times a power of ten."""
        rough = (self.high - self.low) / _MOST_TICKS
        power = 10.0 ** math.floor(math.log10(rough))
        step = next(power * by for by in (1, 2, 5, 10) if power * by >= rough)
        first = math.ceil(self.low / step - 1e-9)
        for number in count(first):
            if number * step > self.high + 1e-9 * step:
                return
            yield round(number * step, 12)

    def _powers(self) -> Iterator[float]:
        first, last = math.log10(self.low), math.log10(self.high)
        for power in range(math.ceil(first - 1e-9), math.floor(last + 1e-9) + 1):
            yield 10.0**power


@dataclass(frozen=True)
class Bar:
    """A bar between two values of each axis.

    Attributes:
        x: where it begins and ends, to the right.
        y: where it begins and ends, upwards.
        hue: its color.
        says: its text for a reader who points at it.
        name: its name in the legend; empty for none.
    """

    x: tuple[float, float]
    y: tuple[float, float]
    hue: int = 0
    says: str = ""
    name: str = ""


@dataclass(frozen=True)
class Dot:
    """A point of a curve.

    Attributes:
        x: its value to the right.
        y: its value upwards.
        says: its text for a reader who points at it.
        text: what stands next to it, where there is room.
        hollow: whether it is not filled.
    """

    x: float
    y: float
    says: str = ""
    text: str = ""
    hollow: bool = False


@dataclass(frozen=True)
class Curve:
    """Points and the line through them.

    Attributes:
        dots: the points, in order.
        hue: its color.
        stroke: how its line is drawn.
        marker: how its points are drawn.
        name: its name in the legend; empty for none.
    """

    dots: tuple[Dot, ...]
    hue: int = 0
    stroke: Stroke = "solid"
    marker: Marker = "circle"
    name: str = ""


@dataclass(frozen=True)
class Rule:
    """A dashed line up through the panel at a value of the axis to the right, with its text."""

    at: float
    text: str


@dataclass(frozen=True)
class Note:
    """A text that begins at a place of the panel."""

    x: float
    y: float
    text: str


@dataclass(frozen=True)
class Frame:
    """An empty square around a place of the panel, with its name in the legend."""

    x: float
    y: float
    name: str


Mark = Bar | Curve | Rule | Note | Frame


@dataclass(frozen=True)
class Panel:
    """Two axes and the marks on them.

    Attributes:
        x: the axis to the right.
        y: the axis upwards.
        marks: the marks; a later one covers an earlier one.
        title: its heading; empty where the picture has no other panel.
    """

    x: Axis
    y: Axis
    marks: tuple[Mark, ...]
    title: str = ""


@dataclass(frozen=True)
class Picture:
    """Panels and one legend below them. Lengths are in the picture's own units.

    Attributes:
        title: what it shows, for a reader who does not see it.
        panels: the panels, row by row.
        says: the same in more words.
        columns: panels in a row.
        wide: the width of all.
        high: the height of a panel, its numbers included.
        left: the width of the numbers of an upward axis.
        legend: names in a row of the legend.
    """

    title: str
    panels: tuple[Panel, ...]
    says: str = ""
    columns: int = 1
    wide: int = 640
    high: int = 240
    left: int = 56
    legend: int = 1


def number(value: float) -> str:
    """A number as a chart shows it: whole, or to three digits."""
    return f"{int(value):,}" if float(value).is_integer() else f"{value:.3g}"
