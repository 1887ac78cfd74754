"""SABRE: a sensitive attribute's buckets, and classes with their share of each."""

from sqlanon.methods.deal.sabre.method import Sabre

__all__ = ["Sabre"]
