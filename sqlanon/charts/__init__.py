"""Charts of what was measured, as SVG and as text; they know points and no releases."""

from sqlanon.charts.boxes import Box, Boxes
from sqlanon.charts.chart import Chart, Numbers, check_drawable, save
from sqlanon.charts.histogram import Bin, Histogram
from sqlanon.charts.picture import Axis, Bar, Curve, Dot, Note, Panel, Picture, Rule, Tick
from sqlanon.charts.risk_utility import Line, Map, Point
from sqlanon.charts.style import style
from sqlanon.charts.svg import document, drawing
from sqlanon.charts.text_chart import draw_text

__all__ = [
    "Axis",
    "Bar",
    "Bin",
    "Box",
    "Boxes",
    "Chart",
    "Curve",
    "Dot",
    "Histogram",
    "Line",
    "Map",
    "Note",
    "Numbers",
    "Panel",
    "Picture",
    "Point",
    "Rule",
    "Tick",
    "check_drawable",
    "document",
    "draw_text",
    "drawing",
    "save",
    "style",
]
