"""What an adversary knows of a sensitive attribute, as an attribute that records have."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.domains.kept import KeptAttribute
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class BackgroundAttribute(KeptAttribute):
    """A sensitive attribute's background: what its values are for an attribute, these are for it.

    A value is a profile, a number for all tuples of quasi-identifiers of which the same is known.

    Attributes:
        by: the quasi-identifiers that it depends on, by their codes.
        profiles: a row for each tuple of these: its codes, ``code`` of its profile and ``records``.
        priors: a row for each profile and ``code`` of the attribute's own values: its ``prior``.
        divergences: a row for two profiles, the lower ``code`` first, ``other`` and ``amount``: how
            far they lie apart, in parts of 10^9.
    """

    by: tuple[Sql, ...]
    profiles: Relation
    priors: Relation
    divergences: Relation
