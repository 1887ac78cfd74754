"""A report as a page: sections of text, tables and charts; it knows no releases."""

from sqlanon.pages.charts import Bin, Histogram
from sqlanon.pages.page import Cell, Page, Section, Share, Table, number, render, said_once
from sqlanon.pages.scatter import Scatter

__all__ = [
    "Bin",
    "Cell",
    "Histogram",
    "Page",
    "Scatter",
    "Section",
    "Share",
    "Table",
    "number",
    "render",
    "said_once",
]
