"""A risk-utility map: what each method loses and what it reaches, a point for each k."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Point:
    """A release that was tried: where it lies, its k, and whether every model holds."""

    method: str
    k: int
    x: float
    y: float
    holds: bool


@dataclass(frozen=True)
class Line:
    """The points of one method from the least k to the greatest."""

    method: str
    points: tuple[Point, ...]


@dataclass(frozen=True)
class Map:
    """Points, and what the axes show.

    Attributes:
        x: the title of the axis to the right.
        y: the title of the axis upwards.
        series: each with a point for every k: of a method, or of one at one t asked for.
    """

    x: str
    y: str
    series: tuple[Line, ...]

    @property
    def methods(self) -> list[str]:
        """The methods, in order, each once."""
        return list(dict.fromkeys(line.method for line in self.series))

    @property
    def points(self) -> list[Point]:
        """Every point, in order."""
        return [point for line in self.series for point in line.points]
