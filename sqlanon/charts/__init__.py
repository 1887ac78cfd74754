"""Charts of what was measured, as text and as pictures; they know points and no releases."""

from sqlanon.charts.drawn import blank_figure, check_drawable, draw, figure, mpl_context, svg
from sqlanon.charts.points import Line, Map, Point
from sqlanon.charts.typed import typed

__all__ = [
    "Line",
    "Map",
    "Point",
    "blank_figure",
    "check_drawable",
    "draw",
    "figure",
    "mpl_context",
    "svg",
    "typed",
]
