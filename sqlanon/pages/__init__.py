"""A report as a page: sections of text, tables and charts; it knows no releases."""

from sqlanon.pages.page import Cell, Page, Section, Share, Table, number, render, said_once

__all__ = [
    "Cell",
    "Page",
    "Section",
    "Share",
    "Table",
    "number",
    "render",
    "said_once",
]
