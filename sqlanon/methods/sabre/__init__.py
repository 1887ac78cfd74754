"""SABRE: a sensitive attribute's buckets, and classes with their share of each."""

from sqlanon.methods.sabre.method import Sabre

__all__ = ["Sabre"]
