"""Reading a release and its source, to compare them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlanon.attacks.against import known_columns
from sqlanon.attacks.as_published import AsPublished, ShownCell
from sqlanon.attacks.points import EXTERNAL
from sqlanon.engines import Engine
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.publish.groups import COUNT, GROUP
from sqlanon.spec import Column, Source, Spec
from sqlanon.sql.names import Relation, Sql
from sqlanon.utilities.reading import SHOWN

OWN, APART = work("shown_own"), work("shown_apart")


def aliases_of(place: int, cell: ShownCell) -> list[Sql]:
    """The names of the columns that show a cell, in the release as it is read."""
    return [Sql(f"p{place}_{number}") for number, _ in enumerate(cell.columns, 1)]


def shown_steps(published: AsPublished, cells: Sequence[ShownCell]) -> list[Step]:
    """The steps that read the release; each of its rows stands for a record.

    Where sensitive values stand apart, a record is read with all those of its group.

    Args:
        published: the release.
        cells: which columns of it, in order.
    """
    columns = {
        cell.name: [
            {"name": column.name, "alias": short, "kind": column.kind, "codes": (), "tie": None}
            for short, column in zip(aliases_of(place, cell), cell.columns, strict=True)
        ]
        for place, cell in enumerate(cells, 1)
    }
    if not published.apart:
        return [_reading(SHOWN, published.rows, [one for some in columns.values() for one in some])]
    values = {one.name for one in published.sensitive}
    own, apart = (
        [one for name, some in columns.items() if (name in values) == there for one in some]
        for there in (False, True)
    )
    tie, count = (
        {"name": one.name, "alias": one.alias, "kind": one.kind, "codes": (), "tie": None}
        for one in (GROUP, COUNT)
    )
    return [
        _reading(OWN, published.rows, [tie, *own]),
        _reading(APART, published.values, [tie, *apart, count]),
        Step(
            "every record with the values of its group",
            SHOWN,
            "utility/tied",
            {"own": OWN, "values_apart": APART},
            {
                "own_columns": [one["alias"] for one in own],
                "columns_apart": [one["alias"] for one in apart],
            },
        ),
    ]


def rows_of(published: AsPublished) -> Relation:
    """The relation of the release as it is read that has a row for each record."""
    return OWN if published.apart else SHOWN


def _reading(made: Relation, rows: Relation | Sql, columns: Sequence[dict[str, Any]]) -> Step:
    what = {"columns": columns}
    how = Materialization.WORK_TABLE
    return Step("reading the release", made, "source/records", {"source": rows}, what, how)


def read_source(
    source: Source, cells: Sequence[ShownCell], spec: Spec, engine: Engine, item: Sql | None
) -> tuple[Step | Check, dict[str, Column]]:
    """The step that reads the source, and its columns.

    Raises:
        SpecError: if it cannot be read, or lacks a column.
    """
    found, known, read = known_columns(source, cells, spec, engine, item, "source")
    step = Step(
        "reading the source", EXTERNAL, "source/records", {"source": found}, {"columns": read}
    )
    return step, known
