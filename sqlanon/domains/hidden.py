"""Attributes that records have and no release shows: they are measured with a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class HiddenAttribute(SensitiveAttribute):
    """An attribute whose values are numbers that a run gives, and that nobody is shown.

    Attributes:
        per: the models that are measured of it, as `PrivacyModel.per` has it.
        read: the columns of the records that it is made of and that nothing else reads.
        by: the quasi-identifiers that it follows from, by their codes; none: of every record it is
            another, and the record's code goes on with it.
        tuples: where it follows from some, a row for each tuple of these: their codes, and
            ``code``, the value's.
    """

    per: ClassVar[str]
    read: tuple[Sql, ...] = ()
    by: tuple[Sql, ...] = ()
    tuples: Relation | None = None

    @property
    def remedy(self) -> str:
        """The changes that may help where a model of it does not hold."""
        raise NotImplementedError

    @property
    def relations(self) -> Mapping[str, Relation]:
        """The further relations that its models read, as `PrivacyModel.reads` has them."""
        return {}


def follows(attribute: SensitiveAttribute | None) -> bool:
    """Whether an attribute follows from quasi-identifiers, so that no search tests it at cuts."""
    return isinstance(attribute, HiddenAttribute) and bool(attribute.by)
