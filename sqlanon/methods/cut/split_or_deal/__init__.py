"""Split-or-Deal: searched classes; and the deal tree, its dealt cuts alone."""

from sqlanon.methods.cut.split_or_deal.method import DealTree, SplitOrDeal

__all__ = ["DealTree", "SplitOrDeal"]
