"""k-Optimize: every quasi-identifier split into stretches of its ordered values, for the table."""

from sqlanon.methods.level.k_optimize.method import KOptimize

__all__ = ["KOptimize"]
