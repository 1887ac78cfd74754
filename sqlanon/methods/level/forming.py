"""Methods that search over tuples: the classes that were chosen, and those of every record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlanon.measure.asked import Asked
from sqlanon.methods.level.judging import counted_classes, held_classes
from sqlanon.methods.method import ASSIGNED, Grouping, Task
from sqlanon.methods.workspace import CELLS, Workspace
from sqlanon.plan import Search, SearchOnCells, Step, work
from sqlanon.sql.names import Relation, Sql

# The class of every combination of quasi-identifiers, and the codes that each class covers.
TUPLES, COVERED = work("tuple_classes"), work("covered")
_FORMING = "forming the classes that were chosen"


@dataclass(frozen=True)
class SearchForTuples(SearchOnCells):
    """A search for the class of every combination of quasi-identifiers.

    Attributes:
        cells: a row for each combination of codes in the data: q1, …, s1, …, records.
        tuples: the relation to make: for each combination of quasi-identifiers its class, what its
            cells cover, and the first model that this fails, by its place among those asked for.
    """

    cells: Relation
    tuples: Relation

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.tuples


def chosen_cells(
    workspace: Workspace,
    placed: Relation,
    chosen: Sequence[tuple[Sql, int]],
    models: Sequence[Asked],
    extents: bool,
    people: bool = False,
) -> Relation:
    """The class of every tuple.

    Args:
        workspace: makes the relation.
        placed: the tuples with their groups.
        chosen: the level of every quasi-identifier, by which its groups are known.
        models: what is asked.
        extents: whether the first and the last code of every group are kept.
        people: whether the persons of another table are counted as well as the records.
    """
    return workspace.make(
        _FORMING,
        "lattice_chosen",
        "methods/level/chosen_cells",
        {"placed": placed},
        chosen=[{"alias": alias, "level": level} for alias, level in chosen],
        sensitive=sensitive_of(models),
        extents=extents,
        people=people,
    )


def held_cells(
    workspace: Workspace, cells: Relation, asked: Sequence[Asked], people: bool = False
) -> Relation:
    """Which classes meet each model.

    Args:
        workspace: makes the relations.
        cells: the class of every tuple.
        asked: the models that are asked for, at least one.
        people: whether the cells count the persons of another table, too.
    """
    positions = {
        model.attribute.alias: model.attribute.positions for model in asked if model.attribute
    }
    stem = "lattice_chosen"
    classes, values = counted_classes(workspace, _FORMING, stem, cells, positions, people)
    return held_classes(workspace, asked, classes, values)


def class_inputs(
    workspace: Workspace,
    cells: Relation,
    models: Sequence[Asked],
    suppresses: bool,
    people: bool = False,
) -> dict[str, Relation]:
    """The class of every tuple and, where classes may be suppressed, which of them meet what.

    Args:
        workspace: makes the relations.
        cells: the class of every tuple.
        models: what is asked.
        suppresses: whether classes may be suppressed.
        people: whether the cells count the persons of another table, too.
    """
    asked = [model for model in models if model.bound is not None]
    held = {"held": held_cells(workspace, cells, asked, people)} if suppresses and asked else {}
    return {"chosen_cells": cells, **held}


def tuples_step(
    title: str,
    output: Relation,
    inputs: Mapping[str, Relation],
    columns: Sequence[Sql],
    extents: bool = False,
    people: bool = False,
) -> Step:
    """The step that says of every combination of quasi-identifiers its class, and what this fails.

    Args:
        title: of the search, for people.
        output: the relation to make.
        inputs: the class of every tuple, and which classes meet what.
        columns: the quasi-identifiers.
        extents: whether the first and the last code of every group are kept.
        people: whether the persons of another table are counted as well as the records.
    """
    params = {"columns": tuple(columns), "extents": extents, "people": people}
    return Step(title, output, "methods/level/tuple_classes", inputs, params)


def sensitive_of(models: Sequence[Asked]) -> tuple[Sql, ...]:
    """The sensitive attributes of which anything is asked."""
    asked = (model.attribute for model in models if model.bound is not None)
    return tuple(dict.fromkeys(attribute.alias for attribute in asked if attribute is not None))


def grouping_on_tuples(
    task: Task, search: Sequence[Step | Search], after: Sequence[Step] = ()
) -> Grouping:
    """The steps from the records to the class of each of them: that of its tuple."""
    gathering = Step(
        "gathering equal records in cells",
        CELLS,
        "cells/cells",
        {"coded": task.coded},
        {"columns": (*task.quasi_codes, *sensitive_of(task.models))},
    )
    assigning = Step(
        "the class of every record",
        ASSIGNED,
        "cells/kept",
        {"coded": task.coded, "tuple_classes": TUPLES},
        {"columns": task.released, "coordinates": task.quasi_codes},
    )
    suppressed = TUPLES if task.allowance else None
    return Grouping((gathering, *search, assigning, *after), suppressed=suppressed)


def covering(task: Task) -> Step:
    """The step that finds the codes that every class covers: those of its tuples."""
    return Step(
        "what the cells of every class cover",
        COVERED,
        "methods/level/covered",
        {"tuple_classes": TUPLES},
        {"columns": task.quasi_codes},
    )
