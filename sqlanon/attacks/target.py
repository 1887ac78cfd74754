"""A release under attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.attacks.as_published import AsPublished, ShownCell
from sqlanon.attacks.findings import Findings
from sqlanon.session import Session
from sqlanon.sql import Relation


@dataclass(frozen=True)
class Target:
    """A release under attack, what is known of persons, and where the findings go.

    Attributes:
        session: carries steps out where the release is.
        published: the release, as its readers have it.
        cells: the quasi-identifiers that are known of the persons.
        findings: the attack writes its findings here.
        keep: the release with which the findings about every class and person are kept; None where
            nothing is kept.
    """

    session: Session
    published: AsPublished
    cells: Sequence[ShownCell]
    findings: Findings
    keep: Relation | None = None
