"""Fragmentation: a t for each of several ordered sensitive attributes."""
