"""A risk-utility map as a picture, by matplotlib."""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING

from sqlanon.charts.points import Map
from sqlanon.errors import SpecError, nearest
from sqlanon.files import appearing, check_folder, check_free

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

ENDINGS = (".pdf", ".png", ".svg")
# Okabe and Ito's colours, which do not rely on telling red from green.
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
_MARKS = "osD^vPX"
_WIDE, _HIGH = 18, 11  # the room that a label takes, in pixels


def check_drawable(file: Path) -> None:
    """Find out before the work is done whether a picture can be drawn.

    Raises:
        SpecError: if the ending is none that is drawn, there is no such folder, or matplotlib
            is missing.
    """
    if file.suffix.lower() not in ENDINGS:
        raise SpecError(f"the chart {str(file)!r} cannot be drawn: {nearest(file.suffix, ENDINGS)}")
    check_folder(file)
    check_free(file, True)
    _check_matplotlib()


def _check_matplotlib() -> None:
    if find_spec("matplotlib") is None:
        raise SpecError("a chart needs matplotlib: install sqlanon's extra 'chart'")


def draw(shown: Map, file: Path) -> None:
    """Draw a map: a line for each series, a point for each k, hollow where a model fails.

    Raises:
        SpecError: as `check_drawable` does.
    """
    check_drawable(file)
    with appearing([file], True) as (hidden,):
        _save(shown, hidden, file.suffix.lower().removeprefix("."))


def svg(shown: Map) -> str | None:
    """The same as an element of a page; None without matplotlib."""
    if find_spec("matplotlib") is None:
        return None
    text = StringIO()
    _save(shown, text, "svg")
    drawn = text.getvalue()
    return drawn[drawn.index("<svg") :]


def figure(shown: Map) -> Figure:
    """The same as a figure of matplotlib's, to be shown in a notebook or changed.

    Raises:
        SpecError: if matplotlib is missing.
    """
    drawn = blank_figure()
    with mpl_context():
        _draw_on(drawn, shown)
    return drawn


def blank_figure() -> Figure:
    """An empty figure of the size of all our charts.

    Raises:
        SpecError: if matplotlib is missing.
    """
    _check_matplotlib()
    from matplotlib.figure import Figure

    return Figure(figsize=(7.6, 4.8), layout="constrained")


def mpl_context() -> AbstractContextManager[None]:
    """Matplotlib's settings for a chart of ours."""
    import matplotlib as mpl

    return mpl.rc_context({"svg.hashsalt": "sqlanon", "svg.fonttype": "none", "font.size": 9})


def _save(shown: Map, file: Path | StringIO, form: str) -> None:
    drawn = figure(shown)
    with mpl_context():
        still = {"Date": None} if form == "svg" else None
        drawn.savefig(file, format=form, metadata=still, dpi=150)


def _draw_on(drawn: Figure, shown: Map) -> None:
    axes = drawn.add_subplot()
    looks = {
        method: (_COLORS[place % len(_COLORS)], _MARKS[place % len(_MARKS)])
        for place, method in enumerate(shown.methods)
    }
    unnamed = set(looks)
    for line in shown.series:
        color, mark = looks[line.method]
        name = line.method if line.method in unnamed else None
        unnamed.discard(line.method)
        xs, ys = [one.x for one in line.points], [one.y for one in line.points]
        axes.plot(xs, ys, f"{mark}-", color=color, markersize=4, linewidth=0.7, label=name)
        failing = [one for one in line.points if not one.holds]
        xs, ys = [one.x for one in failing], [one.y for one in failing]
        axes.plot(xs, ys, mark, color=color, markersize=4, markerfacecolor="white")
    if not all(point.holds for point in shown.points):
        axes.plot([], [], "o", color="grey", markerfacecolor="white", label="a model fails")
    axes.set_xlabel(shown.x)
    axes.set_ylabel(shown.y)
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.25)
    axes.legend(frameon=False)
    drawn.draw_without_rendering()  # so that places are known
    _name_points(axes, shown)


def _name_points(axes: Axes, shown: Map) -> None:
    """Write k beside the ends of the lines, and beside other points where it covers nothing."""
    ends = [line.points[at] for line in shown.series for at in (0, -1)]
    marks = [tuple(axes.transData.transform((one.x, one.y))) for one in shown.points]
    names: list[tuple[float, float]] = []
    for point in [*ends, *shown.points]:
        x, y = axes.transData.transform((point.x, point.y))
        beside_others = all(abs(x - left) > _WIDE or abs(y - up) > _HIGH for left, up in names)
        covers = any(2 < left - x < _WIDE and 0 < up - y < _HIGH for left, up in marks)
        if beside_others and (point in ends or not covers):
            names.append((float(x), float(y)))
            axes.annotate(
                f"{point.k}",
                (point.x, point.y),
                xytext=(3, 3),
                textcoords="offset points",
                fontsize=7,
                color="#444444",
            )
