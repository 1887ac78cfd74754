"""The utility of a release, measured against its source.

``UTILITIES`` is the only list of the figures. The output of a command and the documents' table
are made of it.
"""

from sqlanon.utilities.conditions import OwnQuery, own_queries
from sqlanon.utilities.correlation import correlation
from sqlanon.utilities.figures import UNIFORM, UTILITIES
from sqlanon.utilities.patterns import SUPPORT, Patterns, costs, hiding_failure, is_frequent
from sqlanon.utilities.predictions import Predicted, Predictions
from sqlanon.utilities.queries import CountQuery, Range, draw, error_of_count, relative_errors
from sqlanon.utilities.reading import BINS, RELEASED, SOURCE, Part, released, sides

UTILITY_OF = {one.name: one for one in UTILITIES}

__all__ = [
    "BINS",
    "RELEASED",
    "SOURCE",
    "SUPPORT",
    "UNIFORM",
    "UTILITIES",
    "UTILITY_OF",
    "CountQuery",
    "OwnQuery",
    "Part",
    "Patterns",
    "Predicted",
    "Predictions",
    "Range",
    "correlation",
    "costs",
    "draw",
    "error_of_count",
    "hiding_failure",
    "is_frequent",
    "own_queries",
    "relative_errors",
    "released",
    "sides",
]
