"""The cells of an earlier release as the classes of a new one, in place of a search for classes.

Every record goes to the cell that it lies in; of several to the narrowest. A class publishes what
its cell published, so that equal cells of both releases mean the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from sqlanon.clauses import allowing
from sqlanon.clauses.recipe.declared import RECIPE
from sqlanon.clauses.recipe.taking_over import TakingOver, none_beyond, unchanged
from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.domains.domain import listed_lines
from sqlanon.domains.lines import ROOT
from sqlanon.engines import Engine
from sqlanon.forms import form_of, published_columns
from sqlanon.forms.form import PublishedColumn, Shown
from sqlanon.measure.asked import Asked
from sqlanon.methods.level import forming
from sqlanon.methods.method import (
    PLACED,
    ByValue,
    Forming,
    Grouping,
    Laid,
    TakenOver,
    Task,
)
from sqlanon.methods.workspace import CELLS, Workspace
from sqlanon.plan import FOUND, Plan, Runner, Step, work
from sqlanon.source.source import RECORDS
from sqlanon.spec import Kind
from sqlanon.sql.names import Query, Relation, Sql, identifier

BOXES = work("recipe_classes")
GROUPS, _HOLDING = work("groups"), work("holding")
_WHOLE = 1000000  # how wide * is
_WHOLE_NUMBERS = ("smallint", "integer", "bigint")
_READING = "reading the cells of the recipe"
_EVERY = "every record lies in a cell of the recipe"
_BEYOND = (
    f"{FOUND.records} records lie in no cell of {{name!r}}, with {FOUND.combinations} combinations "
    "of values that it has not"
)
_PLACING = "placing every record in a cell of the recipe"


@dataclass(frozen=True)
class EarlierCells(Forming):
    """The cells that an earlier release published of its quasi-identifiers.

    Attributes:
        name: the release's name.
        shown: its rows, under the aliases that the new release's published columns have.
        reading: the steps that make these.
    """

    name: str
    shown: Relation
    reading: tuple[Step, ...]

    @property
    def taken_over(self) -> TakenOver:
        """The release."""
        return TakenOver(self.name, RECIPE)

    @property
    def cure(self) -> str:
        """The remedy that may help where the classes that come of it violate a model."""
        return (
            f"where cells of {self.name!r} overlap, each record goes to the narrowest, so that "
            f"others have fewer: allotment: true on {self.name!r}, which keeps its classes, or "
            f"leaving records out here ({allowing()})"
        )

    @property
    def unsteady(self) -> str:
        """That the cells of a release may change, and those of a file do not."""
        *listing, _ = self.reading
        return "" if listing else f"{self.name!r} may change: write its recipe to a file"

    def group(self, task: Task) -> Grouping:
        """The steps from the records to a class for each of them: the cell that it lies in.

        Args:
            task: what a method is given; the domains have the values that the cells name.
        """
        search = Placing(
            name=self.name,
            shown=self.shown,
            cells=CELLS,
            tuples=forming.TUPLES,
            attributes=task.quasi_identifiers,
            models=task.models,
            suppresses=task.allowance > 0,
        )
        return replace(forming.grouping_on_tuples(task, [search]), cells=BOXES)

    def held(self, plan: Plan, engine: Engine) -> Plan:
        """The plan, which looks itself whether the cells are what they are now."""
        *listing, reading = self.reading
        if listing:  # the cells of a file
            return plan
        index = 1 + plan.steps.index(reading)
        kind = Query if isinstance(reading.inputs["earlier"], Query) else Sql
        now = kind(f"({reading.written(engine.dialect).sql(engine.qualified)})")
        columns = [str(one["alias"]) for one in reading.params["columns"]]
        return unchanged(plan, engine, self.name, columns, self.shown, now=now, index=index)

    def _boxes(self, attributes: Sequence[QuasiAttribute]) -> tuple[Step, ...]:
        """The steps that have the cells; those of a file are listed as they come of it."""
        boxes = boxes_step(self.shown, attributes, typed=True)
        types = {"class_id": "integer"}
        for column in boxes.params["sized"]:
            types[f"{column.alias}_loss"] = "integer"
            if column.kind is not None:
                types |= {f"{column.alias}_{end}": str(column.type) for end in ("low", "high")}
        types |= {str(name): "varchar" for name in boxes.params["published"]}
        *listing, _ = self.reading
        rows = _listed((*self.reading, boxes), types) if listing else None
        if rows is None:
            return (*self.reading, boxes)
        params = {"types": {Sql(name): Sql(kind) for name, kind in types.items()}, "rows": rows}
        return (Step(boxes.title, BOXES, "clauses/recipe/listed_boxes", {}, params),)

    def laid(self, attributes: Sequence[QuasiAttribute]) -> Laid | None:
        """The cells, and that of every combination of values; None where cells do not tell it.

        Raises:
            SpecError: if a listed label stands for several groups.
        """
        columns, found = published_columns(attributes), list[ByValue]()
        steps, rows = list[Step](), list[list[str | int | None]]()
        for number, attribute in enumerate(attributes, 1):
            of = [column for column in columns if column.attribute == attribute.alias]
            lines = listed_lines(attribute)
            if sized(attribute, of) is None or (lines is not None and attribute.column.tie_breaker):
                return None
            if lines is None:
                steps.append(_holding(attribute, of[0]))
            else:
                rows += [[number, *line] for line in lines]
                rows.append([number, None])
            holding = _HOLDING if lines is not None else steps[-1].output
            found.append(
                ByValue(
                    attribute=attribute,
                    shown=of[0],
                    labelling=None,
                    listed=lines is not None,
                    sure=True,
                    holding=holding,
                    number=number,
                )
            )
        if rows:
            steps += _listed_holding(rows, [column for column in found if column.listed])
        inputs = {
            step.output.name.removeprefix("sqlanon_"): step.output
            for step in steps
            if step.output != GROUPS
        }
        placing = Step(
            "the cell of every record",
            PLACED,
            "clauses/recipe/placed_by_value",
            {"records": RECORDS, "boxes": BOXES, **inputs},
            {"columns": [column.as_parameter for column in found]},
        )
        aliases = [attribute.alias for attribute in attributes]
        held = none_beyond(PLACED, aliases, _EVERY, _BEYOND.format(name=self.name))
        return Laid(
            columns=tuple(found),
            steps=(*self._boxes(attributes), *steps, placing),
            boxes=BOXES,
            held=held,
            groups=GROUPS if rows else None,
        )


def _listed(
    steps: Sequence[Step], types: Mapping[str, str]
) -> list[tuple[int | str | None, ...]] | None:
    """The cells that steps make which read nothing else, in their order.

    Args:
        steps: of which the last makes the cells.
        types: of the columns; where they are no whole numbers, a text stands for the value.

    Returns:
        The rows; None where DuckDB does not read what the file holds, of which the run then tells.
    """
    columns = (
        identifier(name) if kind in _WHOLE_NUMBERS else f"cast({identifier(name)} as varchar)"
        for name, kind in types.items()
    )
    cells = steps[-1].output.sql
    with duckdb.connect() as connection:
        try:
            for step in steps:
                connection.execute(f"create table {step.output.sql} as {step.sql('duckdb')}")
            select = f"select {', '.join(columns)} from {cells} order by class_id"
            return connection.execute(select).fetchall()
        except duckdb.Error:
            return None


def _holding(attribute: QuasiAttribute, column: PublishedColumn) -> Step:
    """The step that finds the cells that hold each number or date.

    Args:
        attribute: the quasi-identifier.
        column: the published column that stands for it.
    """
    return Step(
        f"which cells hold each {attribute.name}",
        work("holding_", attribute.alias),
        "clauses/recipe/holding",
        {"boxes": BOXES, "records": RECORDS},
        {"column": attribute.alias, "shown": column.alias},
    )


def _listed_holding(
    rows: Sequence[list[str | int | None]], columns: Sequence[ByValue]
) -> tuple[Step, Step]:
    """The steps that have the groups of listed values, and find the cells that hold each.

    Args:
        rows: the number of a column, a value and its groups; a NULL has none.
        columns: the quasi-identifiers with listed hierarchies.
    """
    width = max(map(len, rows))
    lines = [[*row, *[None] * (width - len(row))] for row in rows]
    about = {"height": width - 1}
    groups = Step(
        f"groups of {', '.join(column.attribute.name for column in columns)}",
        GROUPS,
        "clauses/recipe/groups",
        {},
        {**about, "lines": lines},
    )
    holding = Step(
        "which cells hold each listed value",
        _HOLDING,
        "clauses/recipe/holding_listed",
        {"boxes": BOXES, "groups": GROUPS},
        {**about, "columns": [column.as_parameter for column in columns]},
    )
    return groups, holding


@dataclass(frozen=True)
class Placing(TakingOver):
    """The search for the cell of every record; there is little to search.

    Attributes:
        name: the earlier release's name.
        shown: what it published.
        cells: a row for each combination of codes in the data.
        tuples: the relation to make: for each combination of quasi-identifiers its class, and the
            first model that this fails, by its place among those asked for.
        attributes: the quasi-identifiers.
        models: what every class must meet.
        suppresses: whether records may be suppressed.
    """

    name: str
    shown: Relation
    cells: Relation
    tuples: Relation
    attributes: tuple[QuasiAttribute, ...]
    models: tuple[Asked, ...]
    suppresses: bool

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return _PLACING

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.tuples

    def _place(self, session: Runner, workspace: Workspace) -> Relation:
        """The cell of every combination of values, and the classes that come of them."""
        self._read(session)
        read: list[dict[str, Any]] = [
            {
                "alias": attribute.alias,
                "cells": _read(attribute),
                "members": form_of(attribute).read_members(attribute),
                "sized": sized(attribute, published_columns([attribute])) is not None,
            }
            for attribute in self.attributes
        ]
        inputs = {"cells": self.cells, "boxes": BOXES}
        inputs |= {f"cells_{entry['alias']}": entry["cells"] for entry in read}
        inputs |= {
            f"set_members_{entry['alias']}": entry["members"] for entry in read if entry["members"]
        }
        placed = workspace.make(
            _PLACING,
            "recipe_placed",
            "clauses/recipe/placed",
            inputs,
            attributes=read,
            sensitive=forming.sensitive_of(self.models),
        )
        columns = [attribute.alias for attribute in self.attributes]
        held = self._held(
            session,
            workspace,
            placed,
            columns=columns,
            every=_EVERY,
            beyond=_BEYOND.format(name=self.name),
        )
        inputs = {"chosen_cells": placed, **held}
        session.create(forming.tuples_step(self.title, self.tuples, inputs, columns))
        return placed

    def _read(self, session: Runner) -> None:
        """The cells of the earlier release, as codes of the new one's domains."""
        columns = published_columns(self.attributes)
        session.create(boxes_step(self.shown, self.attributes))
        for attribute in self.attributes:
            of = [column for column in columns if column.attribute == attribute.alias]
            shown = Shown(attribute, of, BOXES, _read(attribute), fold=False)
            for step in form_of(attribute).reading(shown):
                session.create(step)


def _read(attribute: QuasiAttribute) -> Relation:
    """The codes that the cells of a quasi-identifier stand for."""
    return work("recipe_cells_", attribute.alias)


@dataclass(frozen=True)
class Sized:
    """A quasi-identifier whose cells say how wide they are, of any data.

    Attributes:
        alias: the quasi-identifier's alias.
        shown: the alias of the column that stands for it.
        kind: of intervals, the kind of their ends.
        type: the type of these.
        groups: of labels of a listed hierarchy, how wide those are that hold several values.
    """

    alias: Sql
    shown: Sql
    kind: Kind | None
    type: Sql
    groups: tuple[tuple[str, int], ...] = ()


def sized(attribute: QuasiAttribute, columns: Sequence[PublishedColumn]) -> Sized | None:
    """How wide the cells of a quasi-identifier are; None where only the data tell.

    Args:
        attribute: the quasi-identifier.
        columns: the published columns that stand for it.

    Raises:
        SpecError: if a file of its hierarchy cannot be read.
    """
    shows, shown = form_of(attribute).rule.shows, columns[0].alias
    column_type = Sql(attribute.column.type.lower())
    if shows == "ends" and len(columns) == 1 and not attribute.ordered:
        return Sized(attribute.alias, shown, attribute.kind, column_type)
    lines = listed_lines(attribute)
    if shows != "label" or lines is None:
        return None
    leaves = Counter(label for line in lines for label in {*line})
    most = max(len(lines) - 1, 1)
    groups = tuple(
        (label, 1 + (count - 1) * (_WHOLE - 2) // most)
        for label, count in leaves.items()
        if count > 1 and label != ROOT
    )
    return Sized(attribute.alias, shown, None, column_type, groups)


def boxes_step(shown: Relation, attributes: Sequence[QuasiAttribute], typed: bool = False) -> Step:
    """The step that has the cells of an earlier release, the narrowest first.

    Args:
        shown: what it published of the quasi-identifiers.
        attributes: these.
        typed: whether it has the ends of intervals too, in the type of the values.
    """
    columns = published_columns(attributes)
    found = (
        sized(attribute, [c for c in columns if c.attribute == attribute.alias])
        for attribute in attributes
    )
    params = {
        "sized": [one for one in found if one is not None],
        "published": tuple(column.alias for column in columns),
        "typed": typed,
    }
    return Step(_READING, BOXES, "clauses/recipe/boxes", {"recipe": shown}, params)
