"""What records have and no release shows: it stands next to a release while that is measured."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.domains.attribute import SensitiveAttribute


@dataclass(frozen=True)
class KeptAttribute(SensitiveAttribute):
    """An attribute whose values are numbers that a run gives, and that nobody is shown."""
