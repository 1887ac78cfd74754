"""A release and its source, both as cells over bins of the source's own values.

A published cell covers some of the values that the source has, and is read uniformly: each of them
is as likely. A value of the source is a cell that covers itself, so that both sides are measured by
the same SQL. Cells of different columns of a record are read independently of each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.engines import Engine
from sqlanon.plan import FOUND, Check, Materialization, Step, work
from sqlanon.publish.groups import COUNT, GROUP
from sqlanon.spec import NUMBERS, Column, Kind, Source, Spec
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.against import known_columns
from sqlanon.uses.attacks.as_published import AsPublished, ShownCell
from sqlanon.uses.attacks.linking import EXTERNAL, Fitted

OWN, APART = work("shown_own"), work("shown_apart")


def aliases_of(number: int, cell: ShownCell) -> list[Sql]:
    """The names of the columns that show a cell, in the release as it is read."""
    return [Sql(f"p{number}_{index}") for index, _ in enumerate(cell.columns, 1)]


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
            for short, column in zip(aliases_of(number, cell), cell.columns, strict=True)
        ]
        for number, cell in enumerate(cells, 1)
    }
    if not published.apart:
        return [
            _reading(SHOWN, published.rows, [entry for some in columns.values() for entry in some])
        ]
    values = {column.name for column in published.sensitive}
    own, apart = (
        [entry for name, some in columns.items() if (name in values) == there for entry in some]
        for there in (False, True)
    )
    tie, count = (
        {"name": column.name, "alias": column.alias, "kind": column.kind, "codes": (), "tie": None}
        for column in (GROUP, COUNT)
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
                "own_columns": [entry["alias"] for entry in own],
                "columns_apart": [column["alias"] for column in apart],
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


BINS = 20  # of the values of a column, at most
SHOWN = work("shown")
SOURCE, RELEASED = work("source_profiles"), work("released_profiles")


@dataclass(frozen=True)
class Part:
    """A column of both.

    Attributes:
        name: its name in the source.
        fitted: what its published cells stand for.
        columns: the columns of the release, as they are read, that show it.
        kind: the kind of the source's values.
        role: quasi_identifier, sensitive or insensitive.
    """

    name: str
    fitted: Fitted
    columns: Sequence[Sql]
    kind: Kind
    role: str

    @property
    def alias(self) -> Sql:
        """Its short name in every relation."""
        return self.fitted.alias

    @property
    def numeric(self) -> bool:
        """Whether its values are numbers."""
        return self.kind in NUMBERS

    @property
    def values(self) -> Relation:
        """The source's values, in order."""
        return work("values_", self.alias)

    def read(self, side: Relation) -> Relation:
        """The shares that the cells of the source, or of the release, have of the bins."""
        return work("read_", self.alias, "_", _short(side))

    def numbers(self, side: Relation) -> Relation:
        """The expected values of the cells of the source, or of the release."""
        return work("numbers_", self.alias, "_", _short(side))

    def met(self, side: Relation) -> Relation:
        """The shares that the cells of a side have of what the user's own queries ask for."""
        return work("met_", self.alias, "_", _short(side))

    @property
    def steps(self) -> list[Step]:
        """Its values, and what the cells of both sides cover of them."""
        name, values = self.name, self.values
        steps = [
            Step(
                f"the source's values of {name}",
                values,
                "utility/values",
                {"external": EXTERNAL, "places": self.fitted.places},
                {
                    "attribute": self.alias,
                    "type": self.fitted.type,
                    "bins": BINS,
                    "numeric": self.numeric,
                },
            )
        ]
        covers: dict[Relation, dict[str, Relation]] = {
            SOURCE: {},
            RELEASED: {"spans": self.fitted.spans},
        }
        if self.fitted.members is not None:
            covers[RELEASED] = {"set_members": self.fitted.members}
        for side, read in covers.items():
            stretches = self.stretches(side)
            both = {"values": values, "stretches": stretches}
            of = f"{name}, {_short(side)}"
            steps += [
                Step(
                    f"what cells cover of {of}",
                    stretches,
                    "utility/stretches",
                    {"values": values} | read,
                ),
                Step(f"cells read uniformly: {of}", self.read(side), "utility/read", both),
                Step(f"numbers expected: {of}", self.numbers(side), "utility/numbers", both),
            ]
        return steps

    def stretches(self, side: Relation) -> Relation:
        """The values that the cells of the source, or of the release, cover."""
        return work("stretches_", self.alias, "_", _short(side))


def _short(side: Relation) -> str:
    return "source" if side == SOURCE else "released"


def released(alias: Sql) -> Relation:
    """The different cells of a column of the release."""
    return work("cells_", alias)


def sides(parts: Sequence[Part], weighted: bool = False) -> list[Step | Check]:
    """Both tables as records of cells; that every cell stands for a value is checked.

    Args:
        parts: the columns.
        weighted: whether a row of the release stands for a share of a record.
    """
    source: list[dict[str, Any]] = [
        {"alias": part.alias, "places": part.fitted.places, "type": part.fitted.type}
        for part in parts
    ]
    shown: list[dict[str, Any]] = [
        {"alias": part.alias, "cells": released(part.alias), "columns": part.columns}
        for part in parts
    ]
    steps: list[Step | Check] = [
        Step(
            "the source's records, by their values",
            SOURCE,
            "utility/source_profiles",
            {"external": EXTERNAL} | {f"places_{part.alias}": part.fitted.places for part in parts},
            {"attributes": source},
        ),
        Step(
            "the release's records, by their cells",
            RELEASED,
            "utility/release_profiles",
            {"shown": SHOWN} | {f"cells_{part.alias}": released(part.alias) for part in parts},
            {"attributes": shown, "weighted": weighted},
        ),
    ]
    steps += [
        Check(
            f"cells of {part.name} stand for values of the source",
            "utility/check_read",
            {"profiles": RELEASED, "stretches": part.stretches(RELEASED)},
            {"attribute": part.alias},
            "source",
            f"{FOUND.records} records of the release have a cell of {part.name!r} that stands for "
            "no value of the source: give the source that the release was made of",
        )
        for part in parts
    ]
    return steps
