"""UHRA: clusters of alike records, and classes grown within them. Amiri et al. (2023)."""

from sqlanon.methods.grow.uhra.method import Uhra

__all__ = ["Uhra"]
