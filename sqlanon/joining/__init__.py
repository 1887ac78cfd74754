"""Classes that fail as a whole, by several at once or by all of a person's records, are joined."""

from sqlanon.joining.persons import Merging

__all__ = ["Merging"]
