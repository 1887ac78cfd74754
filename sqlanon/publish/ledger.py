"""The ledger: the one account of a release's records. Those read are released or suppressed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from sqlanon.clauses.clause import Allowance
from sqlanon.domains.attribute import QuasiAttribute, Unit
from sqlanon.plan import FOUND, Check, Step, fault, infeasible, work
from sqlanon.sql.names import Relation

ENTRIES = ("records_in", "records_out", "records_suppressed")
OF_UNITS = work("person_ledger")  # the same entries, of units that are no records


@dataclass(frozen=True)
class Coded:
    """The codes of the records, by which more than their number is accounted for.

    Attributes:
        read: those of every record.
        released: those of every record that is published, with the number of its unit.
    """

    read: Relation
    released: Relation


@dataclass(frozen=True)
class Ledger:
    """The account of every record: read = released + suppressed.

    The gate, the run relation and `check` read this account and count nothing themselves.

    Attributes:
        read: one row: how many records the source has.
        released: what is published, a row for each record of it.
        suppressed: where a run may leave records out, how many it left out by each reason.
        allowance: how many records may be left out, if any may.
        coded: the codes of the records, by which groups and units are accounted for.
        by: the quasi-identifier in each of whose groups the limit holds, too, if in any.
        unit: what a class counts, if that is no record: the limit holds of them, too.
    """

    read: Relation
    released: Relation
    suppressed: Relation | None = None
    allowance: Allowance | None = None
    coded: Coded | None = None
    by: QuasiAttribute | None = None
    unit: Unit | None = None

    @property
    def relation(self) -> Relation:
        """The account: one row with the entries."""
        return work("ledger")

    @property
    def steps(self) -> tuple[Step, ...]:
        """The steps that account for the records, and for units where some may be left out."""
        if self.coded is None or self.unit is None:
            return (self._of_records,)
        inputs = {"numbered": self.unit.numbered, "assigned": self.coded.released}
        title = f"accounting for the {self.unit.several}"
        return (self._of_records, Step(title, OF_UNITS, "release/unit_ledger", inputs))

    @property
    def _of_records(self) -> Step:
        """The step that makes the account; of a table that is given, what it lacks is left out."""
        title, inputs = "accounting for the records", {"size": self.read, "release": self.released}
        if self.suppressed is not None:
            inputs["suppressed"] = self.suppressed
            return Step(title, self.relation, "release/ledger_reasons", inputs)
        template = "release/ledger_rest" if self.allowance else "release/ledger"
        return Step(title, self.relation, template, inputs)

    @property
    def checks(self) -> list[Check]:
        """That the account is even, and that not too many records are left out."""
        if self.allowance is None:
            return [self.check]
        return [self.check, self.within, *self._in_groups, *self._of_units]

    @property
    def within(self) -> Check:
        """That not too many records are left out, and not all."""
        return Check(
            "no more records left out than may be",
            "release/check_suppressed",
            {"ledger": self.relation},
            self._most,
            self._address("records"),
            f"{FOUND.records_suppressed} of {FOUND.records_in} records would be left out, which is "
            "more than is allowed, or all of them",
            infeasible,
        )

    @property
    def _in_groups(self) -> Iterator[Check]:
        """That not too many records of any group are left out."""
        if self.coded is None or self.by is None:
            return
        yield Check(
            f"no more records left out of any group of {self.by.name} than may be",
            "release/check_suppressed_within",
            {"coded": self.coded.read, "assigned": self.coded.released},
            {"within": self.by.alias, **self._most},
            self._address("within"),
            f"of {FOUND.failing} of {FOUND.groups} groups more records would be left out than is "
            "allowed",
            infeasible,
        )

    @property
    def _most(self) -> dict[str, int]:
        """The greatest share that may be left out, as a check has it."""
        share = Fraction(1) if self.allowance is None else self.allowance.records
        return {"numerator": share.numerator, "denominator": share.denominator}

    def _address(self, part: str) -> str:
        """Where a spec says a part of what may be left out; nowhere of a table without a spec."""
        return f"{self.allowance.where}.{part}" if self.allowance and self.allowance.where else ""

    @property
    def _of_units(self) -> Iterator[Check]:
        """That not too many units are left out, and each of them with all records."""
        if self.coded is None or self.unit is None:
            return
        nouns, named = self.unit.several, {"unit": self.unit.columns}
        coded = {
            "coded": self.coded.read,
            "numbered": self.unit.numbered,
            "assigned": self.coded.released,
        }
        yield Check(
            f"no more {nouns} left out than may be",
            "release/check_suppressed",
            {"ledger": OF_UNITS},
            self._most,
            self._address("records"),
            f"{FOUND.records_suppressed} of {FOUND.records_in} {nouns} would be left out, which is "
            "more than is allowed",
            infeasible,
        )
        yield Check(
            f"a {self.unit.noun} is left out with all records, or with none",
            "release/check_units_whole",
            coded,
            named,
            "",
            f"{FOUND.parted} {nouns} would be released with some of their records: a fault of "
            "sqlanon's, or the source changed during the run; nothing was published",
            fault,
        )
        if self.by is None:
            return
        yield Check(
            f"no more {nouns} left out of any group of {self.by.name} than may be",
            "release/check_units_suppressed_within",
            coded,
            {"within": self.by.alias, **named, **self._most},
            self._address("within"),
            f"of {FOUND.failing} of {FOUND.groups} groups more {nouns} would be left out than is "
            "allowed",
            infeasible,
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
            f"{FOUND.records_in} records went in and {FOUND.records_out} came out: a fault of "
            "sqlanon's, or the source changed during the run; nothing was published",
            fault,
        )
