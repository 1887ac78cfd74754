"""The ledger: the one account of a release's records. Those read are those released."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.plan import Check, Step, fault, work
from sqlanon.sql import Relation

ENTRIES = ("records_in", "records_out", "records_suppressed")


@dataclass(frozen=True)
class Ledger:
    """What became of every record: read = released + suppressed.

    The gate, the run relation and `check` read this account and count nothing themselves.

    Attributes:
        read: one row: how many records the source has.
        released: what is published, a row for each record of it.
    """

    read: Relation
    released: Relation

    @property
    def relation(self) -> Relation:
        """The account: one row with the entries."""
        return work("ledger")

    @property
    def step(self) -> Step:
        """The step that makes the account."""
        return Step(
            "accounting for the records",
            self.relation,
            "release/ledger",
            {"size": self.read, "release": self.released},
        )

    @property
    def check(self) -> Check:
        """That the account is even."""
        return Check(
            "no record lost or invented",
            "release/check_conserved",
            {"ledger": self.relation},
            {},
            "",
            "{records_in} records went in and {records_out} came out: a fault of sqlanon's, or "
            "the source changed during the run; nothing was published",
            fault,
        )
