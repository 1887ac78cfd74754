"""What is shown of the classes, and what a reader can tie together of it."""

from sqlanon.publish.generalized import Generalized
from sqlanon.publish.ledger import ENTRIES, Ledger
from sqlanon.publish.publication import (
    Grouped,
    Persons,
    Publication,
    PublishedRelation,
    Publisher,
    ReleasedColumn,
    Suppression,
    released_columns,
)

# The one list of publications. Every spec means the first.
PUBLICATIONS: dict[str, Publisher] = {one.name: one for one in (Generalized(),)}

__all__ = [
    "ENTRIES",
    "PUBLICATIONS",
    "Grouped",
    "Ledger",
    "Persons",
    "Publication",
    "PublishedRelation",
    "Publisher",
    "ReleasedColumn",
    "Suppression",
    "released_columns",
]
