"""A table held against a release: persons whose values are known, or the source it was made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlanon.attacks.as_published import AsPublished, ShownCell
from sqlanon.attacks.points import EXTERNAL
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.source.source import as_read, inspect_source, lacking
from sqlanon.spec import Column, Source, Spec
from sqlanon.sql.names import Relation, Sql


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
        f"reading the {table}",
        output,
        "source/records",
        {"source": found},
        {"columns": read},
        how,
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
    wanted = [one.name for one in cells]
    found, columns = inspect_source(source, engine, where, item, needed=wanted)
    there = {one.name: one for one in columns}
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
        read = [as_read(spec, one, alias(place)) for place, one in enumerate(known.values(), 1)]
    except ValueError as error:  # codes of another type
        raise SpecError(Problem(where, f"missing: {error}")) from None
    return found, known, read


def alias(place: int) -> Sql:
    """The name of a known column in the external table as it is read; the first is 1."""
    return Sql(f"q{place}")


def known_cells(found: AsPublished, on: Sequence[str] | None) -> list[ShownCell]:
    """The quasi-identifiers that are known of the persons: all, or those that are named.

    Raises:
        SpecError: if one is named that is none.
    """
    cells = [one.name for one in found.cells]
    others = [one.name for one in found.comparable]
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
    return [one for one in found.cells if on is None or one.name in on]
