"""Charts: what each shows as a picture and as numbers, and how to show or keep it.

There are charts of counts: a histogram, and boxes that part a plane of two attributes. A
risk-utility map has a point for each method and k: what it loses and what it reaches. It is a
chart, or characters for a terminal or a log.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from string import ascii_uppercase
from typing import Any

from sqlanon.common.files import appearing, check_folder, check_free
from sqlanon.errors import SpecError, nearest
from sqlanon.pages.charts.picture import (
    MARKERS,
    Axis,
    Bar,
    Curve,
    Dot,
    Frame,
    Mark,
    Panel,
    Picture,
    Rule,
    Tick,
    number,
)
from sqlanon.pages.charts.svg import document, light_style

ENDINGS = (".pdf", ".png", ".svg")
_SHARP = 2  # pixels for each unit of a picture


@dataclass(frozen=True)
class Numbers:
    """The numbers of a chart, as a table.

    Attributes:
        head: the names of the columns.
        rows: the cells, as text.
        numbers: the places of the columns that hold numbers.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    numbers: frozenset[int]


class Chart(ABC):
    """A chart, which a notebook shows by itself.

    Attributes:
        title: what it shows.
    """

    title: str

    @property
    @abstractmethod
    def picture(self) -> Picture:
        """The chart, to be drawn."""

    @property
    @abstractmethod
    def numbers(self) -> Numbers:
        """The same for a reader who wants numbers."""

    def save(self, file: str | Path) -> None:
        """Draw the chart to a file, for its owner alone.

        Raises:
            SpecError: as `check_drawable` does.
        """
        save(self.picture, Path(file))

    def _repr_svg_(self) -> str:
        return document(self.picture)


def check_drawable(file: Path) -> None:
    """Find out before the work is done whether a chart can be drawn to a file.

    Raises:
        SpecError: if no chart is drawn with such an ending, there is no such folder, or the ending
            needs CairoSVG, which is missing.
    """
    ending = file.suffix.lower()
    if ending not in ENDINGS:
        raise SpecError(f"the chart {str(file)!r} cannot be drawn: {nearest(file.suffix, ENDINGS)}")
    check_folder(file)
    check_free(file, True)
    if ending != ".svg":
        _cairosvg()


def save(picture: Picture, file: Path) -> None:
    """Draw a picture to a file: as SVG, or by CairoSVG as PNG or PDF.

    Raises:
        SpecError: as `check_drawable` does.
    """
    check_drawable(file)
    with appearing([file], True) as (hidden,):
        if file.suffix.lower() == ".svg":
            hidden.write_text(document(picture), encoding="utf-8")
        else:
            draw = getattr(_cairosvg(), f"svg2{file.suffix.lower().removeprefix('.')}")
            drawn = document(picture, light_style()).encode()
            hidden.write_bytes(draw(bytestring=drawn, scale=_SHARP))


def _cairosvg() -> Any:
    """CairoSVG, which needs the Cairo library of the system.

    Raises:
        SpecError: if either is missing.
    """
    if find_spec("cairosvg") is None:
        what = "a chart as .png or .pdf needs CairoSVG: install sqlanon's extra 'chart', or take"
        raise SpecError(f"{what} .svg")
    try:
        return import_module("cairosvg")
    except OSError:
        what = "a chart as .png or .pdf needs the Cairo library: install it (on Debian libcairo2)"
        raise SpecError(f"{what}, or take .svg") from None


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
                (box.x[0] - 0.5, box.x[1] + 0.5),
                (box.y[0] - 0.5, box.y[1] + 0.5),
                index % _HUES,
                f"{self.x} {_span(box.x)}, {self.y} {_span(box.y)}: {box.records:,} records",
            )
            for index, box in enumerate(self.boxes)
        )
        across = _axis(self.x, [box.x for box in self.boxes])
        upwards = _axis(self.y, [box.y for box in self.boxes])
        says = "; ".join(mark.says for mark in marks)
        return Picture(self.title, (Panel(across, upwards, marks),), says, high=360)

    @property
    def numbers(self) -> Numbers:
        """A row for each box."""
        rows = tuple((_span(box.x), _span(box.y), f"{box.records:,}") for box in self.boxes)
        return Numbers((self.x, self.y, "records"), rows, frozenset({2}))


def _span(ends: tuple[int, int]) -> str:
    low, high = ends
    return number(low) if low == high else f"{number(low)} to {number(high)}"


def _axis(title: str, ends: list[tuple[int, int]]) -> Axis:
    """An axis of whole numbers: both ends, and some between them."""
    low, high = min(end for end, _ in ends), max(end for _, end in ends)
    wanted = dict.fromkeys(round(low + (high - low) * part / _PARTS) for part in range(_PARTS + 1))
    ticks = tuple(Tick(value, number(value)) for value in wanted)
    return Axis(title, low - 0.5, high + 0.5, ticks=ticks)


@dataclass(frozen=True)
class Bin:
    """A bar: from where to where it reaches, and how many there are."""

    starts: float
    ends: float
    count: int


@dataclass(frozen=True)
class Histogram(Chart):
    """How many there are from one value to the next.

    Attributes:
        title: what it shows.
        x: what is measured.
        y: what is counted.
        bins: the bars that are not empty, in order.
        whole: whether whole numbers are measured: a bar then ends with its last number.
        bound: what was asked for, on the axis of what is measured.
    """

    title: str
    x: str
    y: str
    bins: tuple[Bin, ...]
    whole: bool = False
    bound: float | None = None

    @property
    def picture(self) -> Picture:
        """A bar for each bin, and a dashed line at the bound."""
        most = max(group.count for group in self.bins)
        low, high = self._ends
        says = [f"{self.span(group)}: {group.count:,} {self.y}" for group in self.bins]
        bars = tuple(
            Bar((group.starts, self._edge(group)), (0, group.count), 0, text)
            for group, text in zip(self.bins, says, strict=True)
        )
        asked = None if self.bound is None else f"asked for: {number(self.bound)}"
        rules = () if self.bound is None else (Rule(self.bound, asked or ""),)
        panel = Panel(
            Axis(self.x, low, high, ticks=self._ticks),
            Axis(self.y, 0, most, ticks=(Tick(0, "0"), Tick(most, f"{most:,}"))),
            (*bars, *rules),
        )
        return Picture(self.title, (panel,), "; ".join([*says, *([asked] if asked else [])]))

    @property
    def numbers(self) -> Numbers:
        """A row for each bin."""
        rows = tuple((self.span(group), f"{group.count:,}") for group in self.bins)
        return Numbers((self.x, self.y), rows, frozenset({1}))

    def span(self, group: Bin) -> str:
        """From where to where a bar reaches, in words."""
        if group.starts == group.ends:
            return number(group.starts)
        return f"{number(group.starts)} to {number(group.ends)}"

    @property
    def _ticks(self) -> tuple[Tick, ...]:
        """The ends of the axis first, and what lies between; whole numbers below their bars."""
        low, high = self._ends
        last = high - 1 if self.whole else high
        wanted = [low, last, *(low + (last - low) * part / 4 for part in (2, 1, 3))]
        if not self.whole:
            return tuple(Tick(value, number(value)) for value in wanted)
        return tuple(Tick(one + 0.5, number(one)) for one in dict.fromkeys(map(round, wanted)))

    def _edge(self, group: Bin) -> float:
        return group.ends + 1 if self.whole else group.ends

    @property
    def _ends(self) -> tuple[float, float]:
        values = [group.starts for group in self.bins] + [self._edge(group) for group in self.bins]
        values += [] if self.bound is None else [self.bound]
        low, high = min(values), max(values)
        return (low, high) if high > low else (low - 0.05, high + 0.05)


_METHOD_HUES = 7  # that are distinguished without red and green
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
        xs = [point.x for point in self.points] + ([self.here[0]] if self.here else [])
        ys = [point.y for point in self.points] + ([self.here[1]] if self.here else [])
        low, high = min(xs, default=0.0), max(xs, default=1.0)
        low, high = (low, high) if high > low else (low - 0.05, high + 0.05)
        most = 1.05 * max(ys, default=0.0) or 1.0
        marks: list[Mark] = [self._curve(line) for line in self.series]
        if self.here is not None:
            marks.append(Frame(*self.here, "this release"))
        panel = Panel(Axis(self.x, low, high), Axis(self.y, 0, most), tuple(marks))
        says = "hollow points fail a model" if not all(point.holds for point in self.points) else ""
        return Picture(self.title, (panel,), says, high=240 + _TALLER)

    @property
    def numbers(self) -> Numbers:
        """A row for each point."""
        rows = tuple(
            (
                point.method,
                str(point.k),
                f"{point.x:.4g}",
                f"{point.y:.4g}",
                "yes" if point.holds else "no",
            )
            for point in self.points
        )
        head = (self.line, self.point, self.x, self.y, "every model holds")
        return Numbers(head, rows, frozenset({1, 2, 3}))

    def _curve(self, line: Line) -> Curve:
        index = self.methods.index(line.method)
        dots = tuple(
            Dot(
                point.x,
                point.y,
                f"{point.method}, {self.point} = {point.k}: {self.x} {point.x:.4g}, {self.y} "
                f"{point.y:.4g}{'' if point.holds else '; a model fails'}",
                str(point.k),
                hollow=not point.holds,
            )
            for point in line.points
        )
        marker = MARKERS[index % len(MARKERS)]
        return Curve(dots, index % _METHOD_HUES, marker=marker, name=line.method)


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
    labels = []
    for point in points:
        column = round((point.x - low_x) / (high_x - low_x) * (WIDTH - 5))
        row = HEIGHT - 1 - round((point.y - low_y) / (high_y - low_y) * (HEIGHT - 1))
        letter = letters.get(point.method, "*")
        if canvas[row][column] == " ":
            canvas[row][column] = letter if point.holds else letter.lower()
            labels.append((row, column, str(point.k)))
    for row, column, text in labels:
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
