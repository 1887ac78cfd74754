"""k-Optimize: every quasi-identifier split into stretches of its ordered values, for the table."""

from sqlanon.methods.k_optimize.method import KOptimize

__all__ = ["KOptimize"]
