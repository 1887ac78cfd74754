"""Whether a table is a true release of a source, as far as SQL can tell from the two alone.

Every cell must be readable in its form. The sensitive and insensitive values must be the source's.
No class may publish more records of some values than the source has inside the class's cells. The
last is necessary for every record of the table to stand for a record of the source of its own,
and not sufficient: classes that overlap may count the same record.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute
from sqlanon.errors import Shortfall
from sqlanon.forms import FORMS, form_of, published_columns
from sqlanon.forms.form import PublishedColumn, Shown
from sqlanon.judge.check_result import Fault
from sqlanon.judge.support import CLASSES, SHOWN, TUPLES, Support
from sqlanon.measure.asked import asked_models
from sqlanon.measure.metrics.records import UNIQUENESS
from sqlanon.methods.method import Stratum
from sqlanon.plan import Materialization, Plan, Step, work
from sqlanon.privacy import MODELS
from sqlanon.record.metrics import Metric, defined, shortfalls
from sqlanon.session import Session
from sqlanon.source.source import RECORDS
from sqlanon.spec import Column, Privacy
from sqlanon.spec.columns import TEXTS
from sqlanon.sql.names import Relation, Sql, identifier

_TYPED = work("shown_typed")
_ALL_SHOWN, _ALL_TUPLES = work("all_shown"), work("all_tuples")
_WITH_SENSITIVE = tuple(figure.name for figure in UNIQUENESS)[2:]


@dataclass(frozen=True)
class Truth:
    """The steps that hold a table against the source that it should be a release of.

    Attributes:
        table: the table, as a FROM item.
        given: the table's own columns.
        expected: the columns of a release, in its order.
        quasi_identifiers: the quasi-identifiers; their domains are made of the source's records.
        kept: the source's columns that are released as they are, by alias: s1, …, x1, ….
        sensitive: the sensitive attributes among them.
        written: whether the table was written into a format that does not keep all types.
        is_text: whether that is text, where empty text may be NULL.
        limit: the greatest share of the source's records that may be missing.
        k: how many records of a class must have a value of which one is computed.
        strata: the columns of which a cell shows one value, or one group of values.
        telling: the rows that show sensitive or insensitive values, of a table that has suppressed
            ones besides; None where nothing is suppressed.
    """

    table: Relation | Sql
    given: Sequence[Column]
    expected: Sequence[Column]
    quasi_identifiers: Sequence[QuasiAttribute]
    kept: Mapping[str, Column]
    sensitive: Sequence[SensitiveAttribute]
    written: bool
    is_text: bool
    limit: Fraction = Fraction(0)
    k: int = 1
    strata: Sequence[Stratum] = ()
    telling: Relation | None = None

    @cached_property
    def published(self) -> list[PublishedColumn]:
        """The release's columns that stand for the quasi-identifiers."""
        return published_columns(self.quasi_identifiers)

    @property
    def item(self) -> Any:
        """The table in a release's types, once the steps are carried out."""
        return _TYPED if self.written else self.table

    @property
    def _aliases(self) -> tuple[Sql, ...]:
        return tuple(attribute.alias for attribute in self.quasi_identifiers)

    @property
    def _sets(self) -> dict[Sql, Relation]:
        members = {
            attribute.alias: form_of(attribute).read_members(attribute)
            for attribute in self.quasi_identifiers
        }
        return {alias: relation for alias, relation in members.items() if relation is not None}

    @property
    def _cells(self) -> dict[str, Relation]:
        return {str(alias): work("cells_", alias) for alias in self._aliases}

    def faults(self, session: Session) -> list[Fault]:
        """Carry the steps out, inside a transaction, and tell what was found."""
        session.run(Plan((*self._reading(), *self._reading_cells())))
        inputs, params = self._of_cells()
        search = Support(
            quasi_identifiers=self.quasi_identifiers,
            published=tuple(column.alias for column in self.published),
            keys=tuple(map(Sql, self.kept)),
            sets=self._sets,
            boxes=Step("the classes in codes", work("boxes"), "check/boxes", inputs, params),
            fold=self.is_text,
        )
        return [
            *self._unreadable(session),
            *self._mixed(session),
            *self._of_few(session),
            *self._empty_texts(session),
            *self._unknown(session),
            *self._unequal(session),
            *search.faults(session),
        ]

    def _reading(self) -> Iterator[Step]:
        if self.written:
            yield Step(
                "the table in a release's types",
                _TYPED,
                "check/typed",
                {"written": self.table},
                {"columns": self._casts(self.expected)},
                Materialization.WORK_VIEW,
            )
        columns = [(column.name, column.alias, column.kind) for column in self.published]
        kept = [(column.name, Sql(alias), column.kind) for alias, column in self.kept.items()]
        yield _under_aliases("the table to compare", self.item, [*columns, *kept], SHOWN)
        yield Step(
            "its classes",
            CLASSES,
            "measure/classes",
            {"measured": SHOWN},
            {"published": tuple(column.alias for column in self.published)},
        )
        yield Step(
            "its sensitive and insensitive values",
            TUPLES,
            "check/tuples",
            {"records": RECORDS, "shown": SHOWN},
            {"keys": tuple(map(Sql, self.kept)), "fold": self.is_text},
        )
        if self.telling is not None:
            yield from self._telling(kept)

    def _telling(self, kept: Sequence[tuple[str, Sql, str]]) -> Iterator[Step]:
        """The values that suppressed rows show are held to the source, too."""
        names = {column for column, _, _ in kept}
        casts = self._casts([column for column in self.expected if column.name in names])
        title = "the sensitive and insensitive values of all rows"
        read = work("telling_typed")
        yield Step(title, read, "check/typed", {"written": self.telling}, {"columns": casts})
        yield _under_aliases(title, read, kept, _ALL_SHOWN)
        yield Step(
            title,
            _ALL_TUPLES,
            "check/tuples",
            {"records": RECORDS, "shown": _ALL_SHOWN},
            {"keys": tuple(map(Sql, self.kept)), "fold": self.is_text},
        )

    def _casts(self, expected: Sequence[Column]) -> list[dict[str, Any]]:
        own = {column.name: column for column in self.given}
        casts = []
        for column in expected:
            wanted = "varchar" if column.kind in TEXTS else column.type
            same = own[column.name].type.lower() == wanted.lower()
            casts.append({"name": column.name, "type": None if same else Sql(wanted)})
        return casts

    # --- its cells as codes -----------------------------------------------------------------------

    def _reading_cells(self) -> Iterator[Step]:
        for attribute in self.quasi_identifiers:
            columns = [column for column in self.published if column.attribute == attribute.alias]
            cells = self._cells[str(attribute.alias)]
            shown = Shown(attribute, columns, CLASSES, cells, self.is_text)
            yield from form_of(attribute).reading(shown)

    def _unreadable(self, session: Session) -> Iterator[Fault]:
        inputs, params = self._of_cells()
        found = session.fetch("check/check_readable", inputs, params, len(self.quasi_identifiers))
        for number, classes, records in found.rows:
            attribute = self.quasi_identifiers[number - 1]
            first = next(column for column in self.published if column.attribute == attribute.alias)
            expected = form_of(attribute).readable
            yield Fault("unreadable_cells", first.name, records, classes, expected=expected)

    def _mixed(self, session: Session) -> Iterator[Fault]:
        """Cells of several strata."""
        groups = {str(stratum.alias): work("strata_", stratum.alias) for stratum in self.strata}
        for stratum in self.strata:
            title, output = f"strata of {stratum.name}", groups[str(stratum.alias)]
            domain = {"domain": stratum.domain}
            session.create(Step(title, output, "zones/strata", domain, {"level": stratum.level}))
        if not groups:
            return
        cells, aliases = self._cells, [stratum.alias for stratum in self.strata]
        inputs = {"classes": CLASSES} | {f"cells_{alias}": cells[alias] for alias in groups}
        inputs |= {f"strata_{alias}": relation for alias, relation in groups.items()}
        params = {"attributes": aliases, "cells": cells, "strata": groups}
        for number, classes, records in session.fetch(
            "check/check_strata", inputs, params, len(groups)
        ).rows:
            yield Fault("mixed_strata", self.strata[number - 1].name, records, classes)

    def _of_few(self, session: Session) -> Iterator[Fault]:
        """Centroids of more classes than the source has values for."""
        columns = [
            {"number": number, "alias": column.alias, "attribute": column.attribute}
            for number, column in enumerate(self.published, 1)
            if column.form in FORMS and not FORMS[column.form].rule.covers
        ]
        if columns:
            found = session.fetch(
                "check/check_centroids",
                {"classes": CLASSES, "records": RECORDS},
                {"columns": columns, "k": self.k},
                len(columns),
            )
            for number, classes, records in found.rows:
                name = self.published[int(number) - 1].name
                yield Fault("centroids_of_few", name, int(records), int(classes))

    def _of_cells(self) -> tuple[dict[str, Relation], dict[str, Any]]:
        cells = self._cells
        inputs = {"classes": CLASSES} | {f"cells_{alias}": cells[alias] for alias in cells}
        return inputs, {"attributes": self._aliases, "cells": cells}

    # --- its values against the source's ----------------------------------------------------------

    def _unequal(self, session: Session) -> Iterator[Fault]:
        for missing, invented in session.fetch(
            "check/check_tuples", {"tuples": TUPLES}, {}, 1
        ).rows:
            if missing and missing > self._allowed(session):
                yield Fault("missing_records", records=int(missing))
            if invented:
                yield Fault("invented_records", records=int(invented))
                return
        if self.telling is not None:
            tuples = {"tuples": _ALL_TUPLES}
            for _, invented in session.fetch("check/check_tuples", tuples, {}, 1).rows:
                if invented:
                    yield Fault("invented_records", records=int(invented))

    def _allowed(self, session: Session) -> Fraction:
        """How many records of the source may be missing."""
        if not self.limit:
            return Fraction(0)
        found = session.fetch("source/record_count", {"records": RECORDS}, {}, 1)
        return self.limit * int(found.rows[0][0])

    def _empty_texts(self, session: Session) -> Iterator[Fault]:
        if not self.is_text:
            return
        has_text = {
            attribute.alias: form_of(attribute).has_text for attribute in self.quasi_identifiers
        }
        columns = [
            (column.name, {"source": column.attribute, "shown": column.alias})
            for column in self.published
            if has_text[column.attribute] and not column.typed
        ]
        columns += [
            (column.name, {"source": Sql(alias), "shown": Sql(alias)})
            for alias, column in self.kept.items()
            if column.kind in TEXTS
        ]
        if columns:
            found = session.fetch(
                "check/check_empty_texts",
                {"records": RECORDS, "shown": SHOWN},
                {"columns": [names for _, names in columns]},
                len(columns),
            )
            for number, texts in found.rows:
                yield Fault("empty_texts", columns[number - 1][0], int(texts))

    def _unknown(self, session: Session) -> Iterator[Fault]:
        for attribute in self.sensitive:
            found = session.fetch(
                "measure/check_known_values",
                {"measured": SHOWN, "positions": attribute.positions},
                {"attribute": attribute.alias, "tie_breaker": attribute.tie_breaker},
                1,
            )
            for _, records in found.rows:
                yield Fault("unknown_values", attribute.name, int(records))


def _under_aliases(
    title: str, table: Relation | Sql, columns: Sequence[tuple[str, Sql, str]], output: Relation
) -> Step:
    """The step that reads columns of a table, by name, alias and kind, under their aliases."""
    read = [
        {"name": name, "alias": alias, "kind": kind, "codes": (), "tie": None}
        for name, alias, kind in columns
    ]
    return Step(title, output, "source/records", {"source": table}, {"columns": read})


def pseudonym_faults(
    session: Session, released: Relation | Sql, pseudonyms: Sequence[str]
) -> Iterator[Fault]:
    """Columns of a table that should be pseudonyms, and have cells that are none."""
    if not pseudonyms:
        return
    found = session.fetch(
        "check/check_pseudonyms",
        {"released": released},
        {"columns": [identifier(pseudonym) for pseudonym in pseudonyms]},
        len(pseudonyms),
    )
    for number, records in found.rows:
        yield Fault("no_pseudonyms", pseudonyms[int(number) - 1], records=int(records))


def with_unknown(
    measures: Sequence[Metric], unknown: Sequence[SensitiveAttribute], privacy: Privacy
) -> tuple[list[Metric], tuple[Shortfall, ...]]:
    """The measures of a table with those of some attributes, which are not known.

    Args:
        measures: what was measured without the attributes; models first.
        unknown: the attributes that have values which the source does not have.
        privacy: what is asked of every class.

    Returns:
        The measures, and what is asked of such an attribute: nobody can tell that it holds.
    """
    more = [
        defined(
            Metric(
                model.metric, model.name, None, model.shown, None if model.bound is None else False
            )
        )
        for model in asked_models(privacy, unknown)
        if model.attribute is not None
    ]
    kept = [
        replace(metric, value=None) if metric.metric in _WITH_SENSITIVE else metric
        for metric in measures
    ]
    models = {model.name for model in MODELS}
    at = sum(metric.metric in models for metric in kept)
    return [*kept[:at], *more, *kept[at:]], shortfalls(more)
