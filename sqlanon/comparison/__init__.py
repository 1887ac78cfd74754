"""Releases side by side: what each reached, what it cost, and in what they were asked otherwise."""

from sqlanon.comparison.asked import Difference
from sqlanon.comparison.comparison import Comparison, check_page, compared
from sqlanon.comparison.release import Compared, compared_release, compared_table

__all__ = [
    "Compared",
    "Comparison",
    "Difference",
    "check_page",
    "compared",
    "compared_release",
    "compared_table",
]
