"""The classes of what a search over tuples has chosen, and which of them meet the models."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.measure import Asked
from sqlanon.methods.lattice.judging import held_classes
from sqlanon.methods.workspace import Workspace
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_FORMING = "forming the classes that were chosen"


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
        people: whether the persons of a population are counted beside the records.
    """
    return workspace.make(
        _FORMING,
        "lattice_chosen",
        "lattice/chosen_cells",
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
        people: whether the cells count the persons of a population too.
    """
    chosen = {"chosen_cells": cells}
    classes = workspace.make(
        _FORMING,
        "lattice_chosen_classes",
        "lattice/chosen_covered" if people else "lattice/chosen_classes",
        chosen,
    )
    values = {
        str(one.attribute.alias): workspace.make(
            _FORMING,
            f"lattice_chosen_{one.attribute.alias}",
            "lattice/chosen_values",
            {"chosen_cells": cells, "positions": one.attribute.positions},
            attribute=one.attribute.alias,
        )
        for one in asked
        if one.attribute is not None
    }
    return held_classes(workspace, asked, classes, values)


def sensitive_of(models: Sequence[Asked]) -> tuple[Sql, ...]:
    """The sensitive attributes of which anything is asked."""
    asked = (one.attribute for one in models if one.bound is not None)
    return tuple(dict.fromkeys(one.alias for one in asked if one is not None))
