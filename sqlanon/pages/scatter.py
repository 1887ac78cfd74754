"""A risk-utility map on a page: where its points, lines and names lie."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.charts import Map
from sqlanon.pages.charts import HIGH, LEFT, RIGHT, TOP, WIDE, Mark

_COLOURS = 7  # that the page's style has
_TALLER = 120  # than a histogram, and a line for every method
_LINE = 18
_NEAR = (26, 13)  # names that are nearer would overlap


@dataclass(frozen=True)
class Dot:
    """A point as it is drawn; hollow where a model fails."""

    x: float
    y: float
    colour: int
    hollow: bool
    says: str


@dataclass(frozen=True)
class Named:
    """A text in the picture, and where it begins."""

    x: float
    y: float
    text: str
    colour: int = 0


@dataclass(frozen=True)
class Scatter:
    """A risk-utility map, and where the release itself lies on it.

    Attributes:
        title: what it shows.
        shown: the points.
        here: where the release lies, by what the axes show; None where that is not known.
        series: what a line of points is of; empty where it is of nothing that a reader knows.
        point: what is counted beside a point.
    """

    title: str
    shown: Map
    here: tuple[float, float] | None = None
    series: str = "method"
    point: str = "k"

    wide, left, right, top = WIDE, LEFT, WIDE - RIGHT, TOP
    floor = HIGH + _TALLER - TOP

    @property
    def high(self) -> int:
        """The height of the picture: below the axis a line for every method."""
        return self.floor + 40 + _LINE * (len(self.methods) + (self.here is not None))

    @property
    def methods(self) -> list[Named]:
        """The methods below the picture, each with its colour."""
        return [
            Named(self.left, self.floor + 50 + _LINE * place, name, place % _COLOURS)
            for place, name in enumerate(self.shown.methods)
        ]

    @property
    def dots(self) -> list[Dot]:
        """The points, in order."""
        return [
            Dot(
                self._x(one.x),
                self._y(one.y),
                self._colour(one.method),
                not one.holds,
                f"{one.method}, {self.point} = {one.k}: {self.shown.x} {one.x:.4g}, {self.shown.y} "
                f"{one.y:.4g}{'' if one.holds else '; a model fails'}",
            )
            for one in self.shown.points
        ]

    @property
    def lines(self) -> list[tuple[str, int]]:
        """The line of every series, as its corners, with its colour."""
        return [
            (
                " ".join(f"{self._x(one.x)},{self._y(one.y)}" for one in line.points),
                self._colour(line.method),
            )
            for line in self.shown.series
        ]

    @property
    def names(self) -> list[Named]:
        """The k of points, where there is room; first beside the ends of the lines."""
        ends = [line.points[at] for line in self.shown.series for at in (0, -1)]
        found: list[Named] = []
        for one in [*ends, *self.shown.points]:
            x, y = self._x(one.x) + 6, self._y(one.y) - 5
            if all(abs(x - n.x) > _NEAR[0] or abs(y - n.y) > _NEAR[1] for n in found):
                found.append(Named(x, y, str(one.k)))
        return found

    @property
    def place(self) -> tuple[float, float] | None:
        """Where the release lies in the picture."""
        return None if self.here is None else (self._x(self.here[0]), self._y(self.here[1]))

    @property
    def marks(self) -> list[Mark]:
        """The numbers below the axis."""
        low, high = self._ends
        wanted = (low, (low + high) / 2, high)
        return [Mark(self._x(value), f"{value:.3g}") for value in wanted]

    @property
    def heights(self) -> list[Mark]:
        """The numbers beside the upward axis, which begins at nothing."""
        return [Mark(self._y(value), f"{value:.3g}") for value in (0, self._most / 2, self._most)]

    @property
    def _ends(self) -> tuple[float, float]:
        values = [one.x for one in self.shown.points]
        values += [] if self.here is None else [self.here[0]]
        low, high = min(values), max(values)
        return (low, high) if high > low else (low - 0.05, high + 0.05)

    @property
    def _most(self) -> float:
        values = [one.y for one in self.shown.points]
        values += [] if self.here is None else [self.here[1]]
        return max(values) or 1.0

    def _colour(self, method: str) -> int:
        return self.shown.methods.index(method) % _COLOURS

    def _x(self, value: float) -> float:
        low, high = self._ends
        room = self.right - 24 - self.left  # beside the last point its k is written
        return round(self.left + room * (value - low) / (high - low), 2)

    def _y(self, value: float) -> float:
        return round(self.floor - (self.floor - self.top) * value / self._most, 2)
