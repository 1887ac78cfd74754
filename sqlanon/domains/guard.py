"""A sensitive attribute together with what persons guard of it, as an attribute of records."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.domains.kept import KeptAttribute
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class GuardAttribute(KeptAttribute):
    """Pairs of an attribute's value and the node that the person guards.

    Its positions have a row for each pair: beside what those of any attribute have, ``own``, the
    code of the value, and ``low`` and ``high``, the first and the last code under the node: NULL
    where no node is named.

    Attributes:
        of: the column of the codes of the attribute itself.
        label: the column of the labels in the records.
        spans: a row for each label of the hierarchy: ``label``, ``low`` and ``high``.
    """

    of: Sql
    label: Sql
    spans: Relation
