"""An adversary's knowledge of a sensitive attribute, as an attribute that records have."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.domains.hidden import HiddenAttribute
from sqlanon.spec.method import SETTINGS
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True, kw_only=True)
class BackgroundAttribute(HiddenAttribute):
    """A sensitive attribute's background: what its values are for an attribute, these are for it.

    A value is a profile, a number for all tuples of quasi-identifiers of which the same is known.

    Attributes:
        by: the quasi-identifiers that it depends on, by their codes.
        profiles: a row for each tuple of these: its codes, ``code`` of its profile and ``records``.
        priors: a row for each profile and ``code`` of the attribute's own values: its ``prior``.
        divergences: a row for two profiles, the lower ``code`` first, ``other`` and ``amount``: how
            far they lie apart, in parts of 10^9.
    """

    per = "background"

    by: tuple[Sql, ...]
    profiles: Relation
    priors: Relation
    divergences: Relation

    @property
    def remedy(self) -> str:
        """The changes that may help where its classes are not alike."""
        clusters = ", ".join(name for name, one in SETTINGS.items() if one.clusters)
        return (
            f"a method that starts from clusters of alike background ({clusters}), suppression, or "
            "a greater bk"
        )
