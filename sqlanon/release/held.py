"""Whether relations that groups tie together are a true release of a source.

Every record of the source must be a row with its own values, every sensitive value must be there as
often, and for every record there must be a group with its row and its sensitive values. The last is
necessary for the groups to be those of the records, and not sufficient: which values of a group are
whose is what the release hides.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlanon.domains import QuasiAttribute, SensitiveAttribute, telling
from sqlanon.engines import Engine
from sqlanon.measure import GROUP_SIZES, MEASURED, TIED, AdversaryView, Released
from sqlanon.plan import Check, Materialization, Step
from sqlanon.publish import OfGroups
from sqlanon.release.faults import Fault, What, column_faults
from sqlanon.release.source import RECORDS
from sqlanon.session import Session
from sqlanon.spec import Column
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class Held:
    """The questions that hold such relations against the source.

    Attributes:
        publisher: how they are published.
        quasi_identifiers: the quasi-identifiers.
        sensitive: the sensitive attributes.
        insensitive: the columns that are as in the source.
        pseudonyms: the columns of pseudonyms, which cannot be worked out again.
    """

    publisher: OfGroups
    quasi_identifiers: tuple[QuasiAttribute, ...]
    sensitive: tuple[SensitiveAttribute, ...]
    insensitive: tuple[Released, ...]
    pseudonyms: tuple[str, ...] = ()

    def column_faults(
        self, release: Relation, columns: Mapping[str, Column], engine: Engine
    ) -> Iterator[Fault]:
        """What is wrong with the relations' columns; a relation that is missing lacks them all."""
        made = [Released(Sql("x0"), name, "text", made=True) for name in self.pseudonyms]
        for one in self.publisher.relations(
            release,
            Materialization.TABLE,
            self.quasi_identifiers,
            self.sensitive,
            (*self.insensitive, *made),
        ):
            given: list[Column] = []
            if engine.kind_of(one.relation) is not None:
                given = engine.columns(engine.named(one.relation))
            there = {column.name: column for column in given}
            expected = []
            for column in one.columns:
                if column.source is not None:
                    known = columns[column.source]
                    expected.append(Column(column.name, known.type, column.kind))
                    continue
                if column.kind == "text":
                    expected.append(Column(column.name, "text", "text"))
                    continue
                found = there.get(column.name)  # any type of whole numbers will do
                as_found = found is not None and found.kind == "integer"
                type_ = found.type if found is not None and as_found else "a whole number"
                expected.append(Column(column.name, type_, "integer"))
            yield from column_faults(expected, given, written=False, named=True)

    def reading(self, view: AdversaryView) -> Iterator[Step]:
        """The steps of the view that read the relations and count their groups."""
        read = (MEASURED, TIED, GROUP_SIZES)
        yield from (one for one in view.steps if isinstance(one, Step) and one.output in read)

    def faults(
        self, session: Session, view: AdversaryView, least: int, conserved: bool
    ) -> list[Fault]:
        """Ask, inside a transaction, once the view's relations are read.

        Args:
            session: where they are.
            view: what ties them together.
            least: how many records a group has at least.
            conserved: whether the records must be the source's.
        """
        tied = next(
            one
            for one in view.steps
            if isinstance(one, Check) and one.template == "measure/check_tied"
        )
        found = session.fetch(tied.template, tied.inputs, tied.params, 1)
        faults = [Fault("uneven_groups", classes=int(row[0])) for row in found.rows]
        sizes = {"groups": GROUP_SIZES}
        found = session.fetch("publish/check_group_sizes", sizes, {"least": least}, 1)
        faults += [Fault("small_groups", classes=int(row[0])) for row in found.rows]
        if not conserved or any(one.what == "uneven_groups" for one in faults):
            return faults
        parts = self.publisher.parts(self.quasi_identifiers, self.sensitive)
        kept = [one.alias for one in self.insensitive]
        shown = [(self._asked(quasi, kept), values) for quasi, values in parts if quasi]
        of_rows = [asked for asked, _ in shown]
        for asked, values in shown:
            beside = {**asked, "kept": [*kept, *(one.alias for one in values)]}
            read = {"records": RECORDS, "measured": TIED if values else MEASURED}
            for missing, invented in session.fetch("check/check_rows", read, beside, 1).rows:
                faults += _unequal("missing_rows", missing, "invented_rows", invented)
        for _, values in parts:
            if values:
                faults += self._of_values(session, values, of_rows)
        return faults

    def _asked(
        self, quasi_identifiers: Sequence[QuasiAttribute], kept: Sequence[Sql]
    ) -> dict[str, object]:
        """What holds rows against records: the columns that are read as they are in the source."""
        shown = {one.alias: Sql(f"p{n}") for n, one in enumerate(self.quasi_identifiers, 1)}
        return {
            "rows": [{"source": one.alias, "shown": shown[one.alias]} for one in quasi_identifiers],
            "kept": kept,
            "weighed": self.publisher.apart,
        }

    def _of_values(
        self,
        session: Session,
        some: Sequence[SensitiveAttribute],
        of_rows: Sequence[Mapping[str, object]],
    ) -> Iterator[Fault]:
        named = {"sensitive": tuple(one.alias for one in some), "telling": telling(some)}
        relations = {"records": RECORDS, "tied": TIED}
        found = session.fetch("check/check_values", relations, {**of_rows[0], **named}, 1)
        for missing, invented in found.rows:
            yield from _unequal("missing_values", missing, "invented_values", invented)
        relations["measured"] = MEASURED
        for asked in of_rows:
            params = {**asked, **named}
            for (records,) in session.fetch("check/check_joined", relations, params, 1).rows:
                yield Fault("unjoined_records", records=int(records))


def _unequal(missing: What, lost: int, invented: What, made: int) -> list[Fault]:
    faults = [(missing, lost), (invented, made)]
    return [Fault(what, records=int(records)) for what, records in faults if records]
