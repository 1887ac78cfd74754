"""Fragmentation: a t for each of several ordered sensitive attributes."""

from sqlanon.methods.deal.fragmentation.method import Fragmentation

__all__ = ["Fragmentation"]
