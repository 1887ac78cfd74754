"""Boxes that part a plane of two attributes, and how many records each holds."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.charts.chart import Chart, Numbers
from sqlanon.charts.picture import Axis, Bar, Panel, Picture, Tick, number

_HUES = 7  # of neighbours, which differ
_PARTS = 4  # of an axis, between two numbers


@dataclass(frozen=True)
class Box:
    """From which place to which a box reaches along both axes, and how many records it holds."""

    x: tuple[int, int]
    y: tuple[int, int]
    records: int


@dataclass(frozen=True)
class Boxes(Chart):
    """Boxes that part a plane.

    Attributes:
        title: what it shows.
        x: the attribute to the right.
        y: the attribute upwards.
        boxes: the boxes; both ends of each are within.
    """

    title: str
    x: str
    y: str
    boxes: tuple[Box, ...]

    @property
    def picture(self) -> Picture:
        """A rectangle for each box."""
        marks = tuple(
            Bar(
                (one.x[0] - 0.5, one.x[1] + 0.5),
                (one.y[0] - 0.5, one.y[1] + 0.5),
                place % _HUES,
                f"{self.x} {_span(one.x)}, {self.y} {_span(one.y)}: {one.records:,} records",
            )
            for place, one in enumerate(self.boxes)
        )
        across = _axis(self.x, [one.x for one in self.boxes])
        upwards = _axis(self.y, [one.y for one in self.boxes])
        says = "; ".join(mark.says for mark in marks)
        return Picture(self.title, (Panel(across, upwards, marks),), says, high=360)

    @property
    def numbers(self) -> Numbers:
        """A row for each box."""
        rows = tuple((_span(one.x), _span(one.y), f"{one.records:,}") for one in self.boxes)
        return Numbers((self.x, self.y, "records"), rows, frozenset({2}))


def _span(ends: tuple[int, int]) -> str:
    low, high = ends
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def _axis(title: str, ends: list[tuple[int, int]]) -> Axis:
    """An axis of whole numbers: both ends, and some between them."""
    low, high = min(one for one, _ in ends), max(one for _, one in ends)
    wanted = dict.fromkeys(round(low + (high - low) * part / _PARTS) for part in range(_PARTS + 1))
    ticks = tuple(Tick(place, number(place)) for place in wanted)
    return Axis(title, low - 0.5, high + 0.5, ticks=ticks)
