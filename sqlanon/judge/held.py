"""Whether relations that groups tie together are a true release of a source.

Every record of the source must be a row with its own values. Every sensitive value must be there as
often. For every record there must be a group with its row and its sensitive values. The last is
necessary for the groups to be those of the records, and not sufficient: the release hides which
values of a group are whose.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.domains.attribute import Attribute, QuasiAttribute, SensitiveAttribute, tie_breaker
from sqlanon.engines import Engine
from sqlanon.judge.check_result import Fault, What, column_faults
from sqlanon.measure.insensitive import Released
from sqlanon.measure.view import GROUP_SIZES, MEASURED, TIED, AdversaryView
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.publish.groups import OfGroups
from sqlanon.session import Session
from sqlanon.source.source import RECORDS
from sqlanon.spec import Column
from sqlanon.sql.names import Relation, Sql

_SHOWN = work("shown_records")


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
        """The faults of the relations' columns; a relation that is missing lacks them all."""
        made = [Released(Sql("x0"), name, "text", made=True) for name in self.pseudonyms]
        for relation in self.publisher.relations(
            release,
            Materialization.TABLE,
            self.quasi_identifiers,
            self.sensitive,
            (*self.insensitive, *made),
        ):
            given: list[Column] = []
            if engine.kind_of(relation.relation) is not None:
                with engine.reading(relation.relation) as item:
                    given = engine.columns(item)
            there = {column.name: column for column in given}
            expected = []
            for column in relation.columns:
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
            written = not engine.keeps_types(relation.relation)
            yield from column_faults(expected, given, written=written, named=True)

    def reading(self, view: AdversaryView) -> Iterator[Step | Check]:
        """The steps that read the relations and count their groups, and show the records alike."""
        yield from self.publisher.unambiguous(self.quasi_identifiers)
        as_text = self.publisher.as_text(self.quasi_identifiers)
        if as_text:
            labelled = [
                attribute for attribute in self.quasi_identifiers if attribute.name in as_text
            ]
            domains = {attribute.alias: attribute.domain for attribute in labelled}
            columns = [
                {
                    "alias": attribute.alias,
                    "label": attribute.label,
                    "domain": domains.get(attribute.alias),
                }
                for attribute in self.quasi_identifiers
            ]
            carried: Sequence[Attribute | Released] = [*self.insensitive, *self.sensitive]
            yield Step(
                "the records as they are shown",
                _SHOWN,
                "check/shown_records",
                {"records": RECORDS} | {f"domain_{alias}": at for alias, at in domains.items()},
                {"columns": columns, "carried": [column.alias for column in carried]},
                Materialization.WORK_VIEW,
            )
            for attribute in labelled:
                if attribute.mask is not None:
                    yield Step(
                        f"what suppressed cells of {attribute.name} show",
                        _masks(attribute),
                        "check/mask_labels",
                        {"domain": attribute.domain},
                        {"label": attribute.label, "mask": attribute.mask},
                    )
        read = (MEASURED, TIED, GROUP_SIZES)
        yield from (step for step in view.steps if isinstance(step, Step) and step.output in read)

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
        even = view.even
        assert even is not None  # noqa: S101 - the view of groups has one
        found = session.fetch(even.template, even.inputs, even.params, 1)
        faults = [Fault("uneven_groups", classes=int(row[0])) for row in found.rows]
        sizes = {"groups": GROUP_SIZES}
        found = session.fetch("publish/check_group_sizes", sizes, {"least": least}, 1)
        faults += [Fault("small_groups", classes=int(row[0])) for row in found.rows]
        if not conserved or any(fault.what == "uneven_groups" for fault in faults):
            return faults
        parts = self.publisher.parts(self.quasi_identifiers, self.sensitive)
        kept = [column.alias for column in self.insensitive]
        shown = [(self._asked(quasi, kept), values) for quasi, values in parts if quasi]
        for asked, values in shown:
            beside = {**asked, "kept": [*kept, *(attribute.alias for attribute in values)]}
            read = {"records": self._records, "measured": TIED if values else MEASURED}
            for missing, invented in session.fetch(*self._rows(read, beside), 1).rows:
                faults += _unequal("missing_rows", missing, "invented_rows", invented)
        # Columns that are never suppressed lie in a group that has the record's sensitive values.
        of_rows = [{**entry, "rows": _plain(entry["rows"])} for entry, _ in shown]
        of_rows = [entry for entry in of_rows if entry["rows"]]
        for _, values in parts:
            if values:
                faults += self._of_values(session, values, of_rows)
        return faults

    @property
    def _starred(self) -> tuple[str, ...]:
        """The quasi-identifiers that may be suppressed, each where those before it are."""
        return self.publisher.starred(self.quasi_identifiers)

    @property
    def _records(self) -> Relation:
        """The source's records as they would be shown."""
        return _SHOWN if self.publisher.as_text(self.quasi_identifiers) else RECORDS

    def _rows(
        self, read: dict[str, Relation], asked: dict[str, Any]
    ) -> tuple[str, dict[str, Relation], dict[str, Any]]:
        """The question whether rows are the records, in full or with suppressed cells."""
        starred = {one["starred"]: one["shown"] for one in asked["rows"]}
        shown = [starred[name] for name in self._starred if name in starred]
        if not shown:
            return "check/check_rows", read, asked
        masks = [one for one in asked["rows"] if one["masks"]]
        columns = [*(one["shown"] for one in asked["rows"]), *asked["kept"]]
        columns += [mask["mask"] for mask in masks]
        levels = [
            [column for column in columns if column not in shown[:stars]]
            for stars in range(len(shown) + 1)
        ]
        inputs = read | {f"masks_{mask['source']}": mask["masks"] for mask in masks}
        masked = {mask["shown"]: mask["source"] for mask in masks}
        params = {**asked, "starred": shown, "masked": masked, "levels": levels}
        return "check/check_parts", inputs, params

    def _asked(
        self, quasi_identifiers: Sequence[QuasiAttribute], kept: Sequence[Sql]
    ) -> dict[str, Any]:
        """The columns by which rows are held against records."""
        shown = {
            attribute.alias: Sql(f"p{n}") for n, attribute in enumerate(self.quasi_identifiers, 1)
        }
        return {
            "rows": [
                {
                    "source": attribute.alias,
                    "shown": shown[attribute.alias],
                    "starred": attribute.name if attribute.name in self._starred else None,
                    "masks": _masks(attribute) if attribute.masked else None,
                    "mask": Sql(f"m{shown[attribute.alias][1:]}"),
                }
                for attribute in quasi_identifiers
            ],
            "kept": kept,
            "weighed": self.publisher.apart,
        }

    def _of_values(
        self,
        session: Session,
        some: Sequence[SensitiveAttribute],
        of_rows: Sequence[Mapping[str, Any]],
    ) -> Iterator[Fault]:
        named = {
            "sensitive": tuple(attribute.alias for attribute in some),
            "tie_breaker": tie_breaker(some),
        }
        relations = {"records": self._records, "tied": TIED}
        weighed = {**named, "weighed": self.publisher.apart}
        found = session.fetch("check/check_values", relations, weighed, 1)
        for missing, invented in found.rows:
            yield from _unequal("missing_values", missing, "invented_values", invented)
        relations["measured"] = MEASURED
        for asked in of_rows:
            params = {**asked, **named}
            for (records,) in session.fetch("check/check_joined", relations, params, 1).rows:
                yield Fault("unjoined_records", records=int(records))


def _masks(attribute: QuasiAttribute) -> Relation:
    return work("mask_labels_", attribute.alias)


def _plain(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The columns that are never suppressed."""
    return [row for row in rows if not row["starred"]]


def _unequal(missing: What, lost: int, invented: What, made: int) -> list[Fault]:
    faults = [(missing, lost), (invented, made)]
    return [Fault(what, records=int(records)) for what, records in faults if records]
