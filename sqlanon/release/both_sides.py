"""Reading a release and its source, to hold one beside the other."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.attacks import EXTERNAL
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Check, Materialization, Step
from sqlanon.release.as_published import ShownCell
from sqlanon.release.external import alias
from sqlanon.release.source import as_read, inspect_source, lacking
from sqlanon.spec import Column, Source, Spec
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql
from sqlanon.utilities.reading import SHOWN


def aliases_of(place: int, cell: ShownCell) -> list[Sql]:
    """What the columns that show a cell are called in the release as it is read."""
    return [Sql(f"p{place}_{number}") for number, _ in enumerate(cell.columns, 1)]


def shown_step(rows: Relation | Sql, cells: Sequence[ShownCell]) -> Step:
    """The step that reads the release."""
    columns = [
        {"name": column.name, "alias": short, "kind": column.kind, "codes": (), "tie": None}
        for place, cell in enumerate(cells, 1)
        for short, column in zip(aliases_of(place, cell), cell.columns, strict=True)
    ]
    how = Materialization.WORK_TABLE
    return Step(
        "reading the release", SHOWN, "source/records", {"source": rows}, {"columns": columns}, how
    )


def read_source(
    source: Source, cells: Sequence[ShownCell], spec: Spec, engine: Engine, item: Sql | None
) -> tuple[Step | Check, dict[str, Column]]:
    """The step that reads the source, and its columns.

    Raises:
        SpecError: if it cannot be read, or lacks a column.
    """
    found, columns = inspect_source(source, engine, "source", item)
    there = {one.name: one for one in columns}
    wanted = [one.name for one in cells]
    problems = lacking(wanted, source, there, "source")
    problems += [
        Problem(
            "source",
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
        raise SpecError(Problem("source", f"missing: {error}")) from None
    step = Step(
        "reading the source", EXTERNAL, "source/records", {"source": found}, {"columns": read}
    )
    return step, known
