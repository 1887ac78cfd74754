"""Attributes that records have and no release shows: they are measured with a release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class HiddenAttribute(SensitiveAttribute):
    """An attribute whose values are numbers that a run gives, and that nobody is shown.

    Attributes:
        per: the models that are measured of it, as `PrivacyModel.per` has it.
        read: the columns of the records that it is made of and that nothing else reads.
    """

    per: ClassVar[str]
    read: tuple[Sql, ...] = ()

    @property
    def remedy(self) -> str:
        """The changes that may help where a model of it does not hold."""
        raise NotImplementedError
