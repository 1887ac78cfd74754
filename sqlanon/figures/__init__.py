"""Figures of a release or a table, and their findings, as people and programs get them.

Metrics, attacks, utility and the risk of a table have a registry of figures each. The value that
was found of a figure is a finding. Both are the same for all of them, and so is how they are shown.
"""

from sqlanon.figures.beside import Row, side_by_side
from sqlanon.figures.figure import MARKETER_RISK, PROSECUTOR_RISK, RECORDS, UNIQUE_SHARE, Figure
from sqlanon.figures.finding import Finding, finding, findings_table, value_of

__all__ = [
    "MARKETER_RISK",
    "PROSECUTOR_RISK",
    "RECORDS",
    "UNIQUE_SHARE",
    "Figure",
    "Finding",
    "Row",
    "finding",
    "findings_table",
    "side_by_side",
    "value_of",
]
