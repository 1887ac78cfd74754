"""Mondrian: classes by cuts at the median, the widest quasi-identifier first."""

from sqlanon.methods.mondrian.method import Mondrian

__all__ = ["Mondrian"]
