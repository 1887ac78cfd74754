"""Microaggregation: groups of k neighbours, joined until every model holds."""

from sqlanon.methods.grow.microaggregation.method import Microaggregation

__all__ = ["Microaggregation"]
