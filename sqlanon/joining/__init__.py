"""Classes that fail only together with others, or by all of a person's records, join neighbours."""

from sqlanon.joining.clusters import clusters_apart
from sqlanon.joining.persons import Merging

__all__ = ["Merging", "clusters_apart"]
