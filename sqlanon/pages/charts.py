"""Histograms, and where their bars and marks lie in a picture; what other charts share."""

from __future__ import annotations

from dataclasses import dataclass

WIDE, HIGH = 640, 240  # of a picture, in its own units
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 40, 40  # what its numbers take
_APART = 70  # marks below the axis that are nearer would overlap
_FEW = 3  # digits of a mark


@dataclass(frozen=True)
class Bin:
    """A bar: from where to where it reaches, and how many there are."""

    starts: float
    ends: float
    count: int


@dataclass(frozen=True)
class Mark:
    """A number beside an axis, and where it stands."""

    at: float
    text: str


@dataclass(frozen=True)
class Bar:
    """A bar as it is drawn."""

    x: float
    y: float
    width: float
    height: float
    says: str


@dataclass(frozen=True)
class Histogram:
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

    wide, high, left, right = WIDE, HIGH, LEFT, WIDE - RIGHT
    top, floor = TOP, HIGH - BOTTOM

    @property
    def bars(self) -> list[Bar]:
        """The bars, in the picture's units."""
        most, made = self.most, []
        for one in self.bins:
            x, end = self._x(one.starts), self._x(self._edge(one))
            high = (self.floor - self.top) * one.count / most
            says = f"{self.span(one)}: {one.count:,} {self.y}"
            width = max(end - x - 1, 1.5)
            made.append(Bar(_r(x), _r(self.floor - high), _r(width), _r(high), says))
        return made

    @property
    def most(self) -> int:
        """The count of the highest bar."""
        return max(one.count for one in self.bins)

    @property
    def marks(self) -> list[Mark]:
        """The numbers below the axis: its ends, and what lies between where there is room."""
        low, high = self._ends
        last = high - 1 if self.whole else high
        wanted = [low, last, *(low + (last - low) * part / 4 for part in (2, 1, 3))]
        found: list[Mark] = []
        for value in wanted:
            value = round(value) if self.whole else value
            at = _r(self._x(value + (0.5 if self.whole else 0)))
            if all(abs(at - other.at) >= _APART for other in found):
                found.append(Mark(at, _short(value)))
        return found

    @property
    def bounded(self) -> Mark | None:
        """Where the bound stands."""
        if self.bound is None:
            return None
        return Mark(_r(self._x(self.bound)), f"asked for: {_short(self.bound)}")

    def span(self, one: Bin) -> str:
        """From where to where a bar reaches, in words."""
        if one.starts == one.ends:
            return _short(one.starts)
        return f"{_short(one.starts)} to {_short(one.ends)}"

    def _edge(self, one: Bin) -> float:
        return one.ends + 1 if self.whole else one.ends

    @property
    def _ends(self) -> tuple[float, float]:
        values = [one.starts for one in self.bins] + [self._edge(one) for one in self.bins]
        values += [] if self.bound is None else [self.bound]
        low, high = min(values), max(values)
        return (low, high) if high > low else (low - 0.05, high + 0.05)

    def _x(self, value: float) -> float:
        low, high = self._ends
        return self.left + (self.right - self.left) * (value - low) / (high - low)


def _r(value: float) -> float:
    return round(value, 2)


def _short(value: float) -> str:
    return f"{int(value):,}" if float(value).is_integer() else f"{value:.{_FEW}g}"
