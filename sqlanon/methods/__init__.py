"""The methods that form equivalence classes; each leaves a relation with a class per record."""

from sqlanon.methods.fragmentation import fragmentation_steps
from sqlanon.methods.locality import Curve, curve_through
from sqlanon.methods.merging import Merging
from sqlanon.methods.split_or_deal import Scaled, SplitOrDeal, Tested
from sqlanon.methods.stack_and_deal import stack_and_deal, stacked_columns

__all__ = [
    "Curve",
    "Merging",
    "Scaled",
    "SplitOrDeal",
    "Tested",
    "curve_through",
    "fragmentation_steps",
    "stack_and_deal",
    "stacked_columns",
]
