"""Anatomy's own grouping: groups of l records with l different sensitive values."""

from sqlanon.methods.anatomy.method import Anatomy

__all__ = ["Anatomy"]
