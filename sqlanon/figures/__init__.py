"""What is counted of a release or a table, as people and programs are told of it.

Metrics, attacks, utility and the risk of a table have a registry of figures each; what was found
of one is a finding. Both are the same for all of them, and so is how they are shown.
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
