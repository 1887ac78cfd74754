"""The tables that a release is attacked with: persons whose values are known, or its source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Check, Materialization, Plan, Step, work
from sqlanon.session import Session
from sqlanon.source.source import as_read, inspect_source, lacking
from sqlanon.spec import Column, Source, Spec, comparable
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.as_published import AsPublished, ShownCell
from sqlanon.uses.attacks.linking import EXTERNAL
from sqlanon.uses.attacks.matching import EVERYBODY, ORIGINAL


def read_external(
    source: Source,
    cells: Sequence[ShownCell],
    spec: Spec,
    engine: Engine,
    item: Sql | None = None,
    where: str = "external",
    output: Relation = EXTERNAL,
) -> tuple[list[Step | Check], dict[str, Column]]:
    """The step that reads the persons, and the columns by which they are known.

    Args:
        source: the external table.
        cells: the quasi-identifiers that are known of its persons.
        spec: whose codes for a missing value mean one in the external table as well.
        engine: where it is read.
        item: a FROM item in its place.
        where: what the table is called in a message.
        output: where it is read to.

    Raises:
        SpecError: if it cannot be read, or lacks a column, or has one whose values cannot be
            compared.
    """
    more = "; if it does not tell that, say which quasi-identifiers it tells (on)"
    found, known, read = known_columns(
        source, cells=cells, spec=spec, engine=engine, item=item, where=where, more=more
    )
    table, size = f"{where} table", work(where, "_size")
    stays = source.table is not None and item is None
    how = Materialization.WORK_VIEW if stays else Materialization.WORK_TABLE
    reading = Step(
        f"reading the {table}", output, "source/records", {"source": found}, {"columns": read}, how
    )
    empty = Check(
        f"the {table} has persons",
        "source/check_not_empty",
        {"size": size},
        {},
        where,
        "it has no row: nobody can be linked",
    )
    counting = Step("counting the persons", size, "source/record_count", {"records": output})
    return [reading, counting, empty], known


def known_columns(
    source: Source,
    cells: Sequence[ShownCell],
    spec: Spec,
    engine: Engine,
    item: Sql | None,
    where: str,
    more: str = "",
) -> tuple[Relation | Sql, dict[str, Column], list[dict[str, Any]]]:
    """Where a table is, its columns that are held against a release, and how they are read.

    Args:
        source: the table.
        cells: the columns of the release.
        spec: whose codes for a missing value mean one in the table as well.
        engine: where it is read.
        item: a FROM item in its place.
        where: what the table is called in a message.
        more: what else may be wrong where a column is not there.

    Raises:
        SpecError: if it cannot be read, or lacks a column, or has one whose values cannot be
            compared.
    """
    wanted = [cell.name for cell in cells]
    found, columns = inspect_source(source, engine, where, item, needed=wanted)
    there = {column.name: column for column in columns}
    problems = lacking(wanted, source, there, where, more)
    problems += [
        Problem(
            where,
            f"its column {name!r} is {there[name].shown_type}, which cannot be compared: numbers, "
            "dates, timestamps, booleans and text can; cast it in a query",
        )
        for name in wanted
        if name in there and there[name].kind == "other"
    ]
    if problems:
        raise SpecError(problems)
    known = {name: there[name] for name in wanted}
    try:
        read = [
            as_read(spec, column, alias(number)) for number, column in enumerate(known.values(), 1)
        ]
    except ValueError as error:  # codes of another type
        raise SpecError(Problem(where, f"missing: {error}")) from None
    return found, known, read


def alias(number: int) -> Sql:
    """The name of a known column in the external table as it is read; the first is 1."""
    return Sql(f"q{number}")


def known_cells(found: AsPublished, on: Sequence[str] | None) -> list[ShownCell]:
    """The quasi-identifiers that are known of the persons: all, or those that are named.

    Raises:
        SpecError: if one is named that is none.
    """
    cells = [cell.name for cell in found.cells]
    others = [column.name for column in found.comparable]
    names = list(dict.fromkeys([*cells, *others]))
    problems = [
        Problem("on", f"the release cannot be linked by {name!r}: it can by {', '.join(names)}")
        for name in on or ()
        if name not in names
    ]
    if problems:
        raise SpecError(problems)
    if on is not None and not on:
        raise SpecError(Problem("on", "name one quasi-identifier at least"))
    return [cell for cell in found.cells if on is None or cell.name in on]


@dataclass(frozen=True)
class Given:
    """A table that is given.

    Attributes:
        source: the table.
        item: a FROM item in its place.
    """

    source: Source
    item: Sql | None = None


@dataclass(frozen=True)
class Against:
    """The tables that a release is held against, as they are read.

    Attributes:
        steps: the steps that read them.
        columns: by which they are known, by name, of each table.
        relation: where all of their values are; None without a table.
        where: what the table is called whose columns are not what a message needs.
        external: whether there are persons.
        source: whether there is the source.
    """

    steps: Sequence[Step | Check] = ()
    columns: Mapping[str, Column] | None = None
    relation: Relation | None = None
    where: str = "external"
    external: bool = False
    source: bool = False

    def read(self, session: Session) -> Against:
        """Read them; with the types that both have in common, where there are two."""
        session.run(Plan(tuple(self.steps)))
        if self.relation != EVERYBODY:
            return self
        with session.engine.reading(EVERYBODY) as item:
            there = session.engine.columns(item)
        known = self.columns or {}
        shared = {
            name: replace(column, type=found.type, kind=found.kind)
            for (name, column), found in zip(known.items(), there, strict=True)
        }
        return replace(self, columns=shared)


def against(
    external: Given | None,
    source: Given | None,
    cells: Sequence[ShownCell],
    spec: Spec,
    engine: Engine,
) -> Against:
    """The tables that are given, and the steps that read them.

    Args:
        external: the persons.
        source: what the release was made of.
        cells: the quasi-identifiers that are known of the persons.
        spec: whose codes for a missing value mean one in these tables as well.
        engine: where they are read.

    Raises:
        SpecError: if a table cannot be read, or lacks a column, or has one whose values cannot be
            compared.
    """
    asked = {"external": (external, EXTERNAL), "source": (source, ORIGINAL)}
    steps: list[Step | Check] = []
    columns: dict[str, dict[str, Column]] = {}
    for where, (given, output) in asked.items():
        if given is not None:
            made, columns[where] = read_external(
                given.source,
                cells=cells,
                spec=spec,
                engine=engine,
                item=given.item,
                where=where,
                output=output,
            )
            steps += made
    if not columns:
        return Against()
    first = next(iter(columns))
    if len(columns) == 1:
        relation = asked[first][1]
        one = external is not None
        return Against(
            steps=steps,
            columns=columns[first],
            relation=relation,
            where=first,
            external=one,
            source=not one,
        )
    _refuse_others(columns["external"], columns["source"])
    aliases = tuple(alias(number) for number, _ in enumerate(cells, 1))
    steps.append(
        Step(
            "persons and records together",
            EVERYBODY,
            "attacks/everybody",
            {"external": EXTERNAL, "original": ORIGINAL},
            {"attributes": aliases},
            Materialization.WORK_VIEW,
        )
    )
    return Against(
        steps=steps,
        columns=columns["external"],
        relation=EVERYBODY,
        where="external",
        external=True,
        source=True,
    )


def _refuse_others(persons: Mapping[str, Column], records: Mapping[str, Column]) -> None:
    problems = [
        Problem(
            "external",
            f"its column {name!r} is {column.shown_type}, and the source's is "
            f"{records[name].shown_type}: cast it in a query",
        )
        for name, column in persons.items()
        if not comparable(column.kind, records[name].kind)
    ]
    if problems:
        raise SpecError(problems)
