"""Charts of counts: a histogram, and boxes that part a plane of two attributes."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.charts.chart import Chart, Numbers
from sqlanon.charts.picture import Axis, Bar, Panel, Picture, Rule, Tick, number

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
        most = max(one.count for one in self.bins)
        low, high = self._ends
        says = [f"{self.span(one)}: {one.count:,} {self.y}" for one in self.bins]
        bars = tuple(
            Bar((one.starts, self._edge(one)), (0, one.count), 0, text)
            for one, text in zip(self.bins, says, strict=True)
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
        rows = tuple((self.span(one), f"{one.count:,}") for one in self.bins)
        return Numbers((self.x, self.y), rows, frozenset({1}))

    def span(self, one: Bin) -> str:
        """From where to where a bar reaches, in words."""
        if one.starts == one.ends:
            return number(one.starts)
        return f"{number(one.starts)} to {number(one.ends)}"

    @property
    def _ticks(self) -> tuple[Tick, ...]:
        """The ends of the axis first, and what lies between; whole numbers below their bars."""
        low, high = self._ends
        last = high - 1 if self.whole else high
        wanted = [low, last, *(low + (last - low) * part / 4 for part in (2, 1, 3))]
        if not self.whole:
            return tuple(Tick(value, number(value)) for value in wanted)
        return tuple(Tick(one + 0.5, number(one)) for one in dict.fromkeys(map(round, wanted)))

    def _edge(self, one: Bin) -> float:
        return one.ends + 1 if self.whole else one.ends

    @property
    def _ends(self) -> tuple[float, float]:
        values = [one.starts for one in self.bins] + [self._edge(one) for one in self.bins]
        values += [] if self.bound is None else [self.bound]
        low, high = min(values), max(values)
        return (low, high) if high > low else (low - 0.05, high + 0.05)
