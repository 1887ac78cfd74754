"""A risk-utility map: what each method loses and what it reaches, a point for each k.

It is a chart, or characters for a terminal or a log.
"""

from __future__ import annotations

from dataclasses import dataclass
from string import ascii_uppercase

from sqlanon.charts.chart import Chart, Numbers
from sqlanon.charts.picture import MARKERS, Axis, Curve, Dot, Frame, Mark, Panel, Picture

_HUES = 7  # that are distinguished without red and green
_TALLER = 120  # than a histogram


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
class Map(Chart):
    """Points, and what the axes show.

    Attributes:
        x: the title of the axis to the right.
        y: the title of the axis upwards.
        series: each with a point for every k: of a method, or of one at one t asked for.
        title: what it shows.
        here: where a release itself lies, by what the axes show; None where that is not known.
        line: what a line of points is of; empty where it is of nothing that a reader knows.
        point: what the number next to a point counts.
    """

    x: str
    y: str
    series: tuple[Line, ...]
    title: str = "Risk and information loss of what was tried"
    here: tuple[float, float] | None = None
    line: str = "method"
    point: str = "k"

    @property
    def methods(self) -> list[str]:
        """The methods, in order, each once."""
        return list(dict.fromkeys(line.method for line in self.series))

    @property
    def points(self) -> list[Point]:
        """Every point, in order."""
        return [point for line in self.series for point in line.points]

    @property
    def picture(self) -> Picture:
        """A line for each series, a point for each k, hollow where a model fails."""
        xs = [one.x for one in self.points] + ([self.here[0]] if self.here else [])
        ys = [one.y for one in self.points] + ([self.here[1]] if self.here else [])
        low, high = min(xs, default=0.0), max(xs, default=1.0)
        low, high = (low, high) if high > low else (low - 0.05, high + 0.05)
        most = 1.05 * max(ys, default=0.0) or 1.0
        marks: list[Mark] = [self._curve(line) for line in self.series]
        if self.here is not None:
            marks.append(Frame(*self.here, "this release"))
        panel = Panel(Axis(self.x, low, high), Axis(self.y, 0, most), tuple(marks))
        says = "hollow points fail a model" if not all(one.holds for one in self.points) else ""
        return Picture(self.title, (panel,), says, high=240 + _TALLER)

    @property
    def numbers(self) -> Numbers:
        """A row for each point."""
        rows = tuple(
            (one.method, str(one.k), f"{one.x:.4g}", f"{one.y:.4g}", "yes" if one.holds else "no")
            for one in self.points
        )
        head = (self.line, self.point, self.x, self.y, "every model holds")
        return Numbers(head, rows, frozenset({1, 2, 3}))

    def _curve(self, line: Line) -> Curve:
        place = self.methods.index(line.method)
        dots = tuple(
            Dot(
                one.x,
                one.y,
                f"{one.method}, {self.point} = {one.k}: {self.x} {one.x:.4g}, {self.y} "
                f"{one.y:.4g}{'' if one.holds else '; a model fails'}",
                str(one.k),
                hollow=not one.holds,
            )
            for one in line.points
        )
        marker = MARKERS[place % len(MARKERS)]
        return Curve(dots, place % _HUES, marker=marker, name=line.method)


WIDTH, HEIGHT = 72, 18
_MARGIN = 8  # for the numbers of the upward axis


def draw_text(shown: Map) -> str:
    """The map as lines of text.

    A letter stands for a method, small where a model does not hold; k stands next to it where there
    is room. Points on one place show the first.
    """
    points = shown.points
    if not points:
        return ""
    letters = dict(zip(shown.methods, ascii_uppercase, strict=False))
    low_x, high_x = _ends([point.x for point in points])
    low_y, high_y = _ends([point.y for point in points])
    canvas = [[" "] * WIDTH for _ in range(HEIGHT)]
    places = []
    for point in points:
        column = round((point.x - low_x) / (high_x - low_x) * (WIDTH - 5))
        row = HEIGHT - 1 - round((point.y - low_y) / (high_y - low_y) * (HEIGHT - 1))
        letter = letters.get(point.method, "*")
        if canvas[row][column] == " ":
            canvas[row][column] = letter if point.holds else letter.lower()
            places.append((row, column, str(point.k)))
    for row, column, text in places:
        stop = column + 1 + len(text)
        free = canvas[row][column + 1 : stop + 1]
        if stop <= WIDTH and all(cell == " " for cell in free):
            canvas[row][column + 1 : stop] = list(text)
    numbers = {0: high_y, HEIGHT // 2: (low_y + high_y) / 2, HEIGHT - 1: low_y}
    lines = [f"{shown.y}"]
    for row, cells in enumerate(canvas):
        number = f"{numbers[row]:.3g}" if row in numbers else ""
        lines.append(f"{number:>{_MARGIN - 2}} │{''.join(cells)}".rstrip())
    lines.append(" " * (_MARGIN - 1) + "└" + "─" * WIDTH)
    left, right = f"{low_x:.4g}", f"{high_x:.4g}"
    middle = shown.x.center(WIDTH - len(left) - len(right))
    lines.append(" " * _MARGIN + left + middle + right)
    named = [f"{letter} {method}" for method, letter in letters.items()]
    if not all(point.holds for point in points):
        named.append("small: a model does not hold")
    return "\n".join([*lines, "", "   ".join(named) + "; next to a point: k"])


def _ends(values: list[float]) -> tuple[float, float]:
    """The least and the greatest value, apart from each other."""
    low, high = min(values), max(values)
    return (low, high) if high > low else (low - 0.05, high + 0.05)
