"""The table that is checked, as it is read: its columns, and the types that a release has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlanon.draft import Draft
from sqlanon.engines import Engine
from sqlanon.judge.check_result import Fault, column_faults
from sqlanon.publish.publication import released_columns
from sqlanon.source.source import inspect_source
from sqlanon.spec import Column, Source, Spec
from sqlanon.spec.columns import TEXTS
from sqlanon.sql.names import Relation, Sql, identifier


@dataclass(frozen=True)
class Given:
    """The table that is checked, as it is read.

    Attributes:
        table: the table, as it was named.
        item: it as a FROM item.
        columns: its columns.
        written: whether it stands where not all types are kept.
        expected: the columns of a release; none where it is another tool's.
        faults: the faults of its columns.
        held: whether it is held against the source.
    """

    table: Source
    item: Relation | Sql
    columns: list[Column]
    written: bool
    expected: tuple[Column, ...] = ()
    faults: tuple[Fault, ...] = ()
    held: bool = False

    def as_released(
        self, draft: Draft, pseudonyms: Sequence[str], kept_here: bool, conserved: bool
    ) -> Given:
        """The same, read as a release of a spec's source, and what its columns are no release by.

        Args:
            draft: the attributes.
            pseudonyms: the names of the release's pseudonyms.
            kept_here: whether the database keeps the types of a release.
            conserved: whether the table's records must be the source's.
        """
        types = draft.columns
        released = released_columns(draft.quasi_identifiers, draft.sensitive, draft.insensitive)
        expected = [
            Column(column.name, types[column.source].type if column.source else "text", column.kind)
            for column in released
        ]
        expected += [Column(pseudonym, "text", "text") for pseudonym in pseudonyms]
        item, columns, faults = self.item, self.columns, list[Fault]()
        if not kept_here:
            item, columns, faults = _cast_back(expected, item, columns, draft.engine)
        faults += column_faults(expected, columns, self.written, self.table.is_named)
        stopped = any(prevents(fault, draft.spec) for fault in faults)
        held = conserved and not any(fault.what == "column_type" for fault in faults)
        if held and not stopped:
            item, columns = _read_as(expected, self.table, item, columns, draft.engine)
        return replace(
            self,
            item=item,
            columns=columns,
            expected=tuple(expected),
            faults=tuple(faults),
            held=held,
        )


def _read_as(
    expected: Sequence[Column],
    table: Source,
    item: Relation | Sql,
    given: list[Column],
    engine: Engine,
) -> tuple[Relation | Sql, list[Column]]:
    """A text file again, with what is text in a release as text: a file has 01 and 1 alike."""
    there = {column.name: column.kind for column in given}
    texts = [
        column.name
        for column in expected
        if column.kind in TEXTS and there[column.name] not in TEXTS
    ]
    if not table.is_text or not texts:
        return item, given
    declared = {**table.columns, **dict.fromkeys(texts, "text")}
    return inspect_source(table.model_copy(update={"columns": declared}), engine, "table")


def _cast_back(
    expected: Sequence[Column], item: Relation | Sql, given: list[Column], engine: Engine
) -> tuple[Relation | Sql, list[Column], list[Fault]]:
    """A table of a database with other types than DuckDB's, as a release has it, and its faults."""
    other = {column.name: column for column in expected if column.kind not in TEXTS}
    recast = [
        column
        for column in given
        if column.name in other and column.type != other[column.name].type
    ]
    if not recast:
        return item, given, []
    read = item.sql if isinstance(item, Relation) else item
    casts = {
        column.name: f"try_cast({identifier(column.name)} as {other[column.name].type})"
        for column in recast
    }
    misread = [
        f"count(*) filter ({identifier(name)} is not null and {cast} is null)"
        for name, cast in casts.items()
    ]
    ((*counts,),) = engine.driver.execute(f"select {', '.join(misread)} from {read}").rows
    faults = [
        Fault(
            "column_type",
            column.name,
            found=column.shown_type,
            expected=other[column.name].shown_type,
        )
        for column, count in zip(recast, counts, strict=True)
        if count
    ]
    replaced = ", ".join(f"{cast} as {identifier(name)}" for name, cast in casts.items())
    columns = [other.get(column.name, column) for column in given]
    return Sql(f"(select * replace ({replaced}) from {read})"), columns, faults


def prevents(fault: Fault, spec: Spec) -> bool:
    """Whether nothing can be measured."""
    other_type = fault.what == "column_type" and fault.column in spec.sensitive
    return fault.what == "missing_column" or other_type
