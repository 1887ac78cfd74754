"""Charts of what was measured, as text and as pictures; they know points and no releases."""

from sqlanon.charts.matplotlib_chart import (
    blank_figure,
    check_drawable,
    draw,
    figure,
    mpl_context,
    svg,
)
from sqlanon.charts.points import Line, Map, Point
from sqlanon.charts.text_chart import draw_text

__all__ = [
    "Line",
    "Map",
    "Point",
    "blank_figure",
    "check_drawable",
    "draw",
    "draw_text",
    "figure",
    "mpl_context",
    "svg",
]
