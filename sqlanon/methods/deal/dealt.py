"""Shared parts of searches that deal classes: measures of these as dealt, and settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlanon.measure.asked import Asked, held_step
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
from sqlanon.sql.names import Relation, Sql


def described(search: Any) -> str:
    """The settings that decide the outcome of a search that has ``models``."""
    models = [
        (one.metric, one.attribute and one.attribute.alias, one.demand.threshold)
        for one in search.models
    ]
    return repr((replace(search, models=()), models))


def failing(
    workspace: Workspace,
    assigned: Relation,
    positions: Mapping[Sql, Relation],
    models: Sequence[Asked],
) -> int:
    """How many classes violate a model, counted once for each model.

    Measured are the classes as dealt. Those that publish the same tuple are one class to a reader,
    and not worse for it. The gate alone decides on models of attributes that are not given here.

    Args:
        workspace: makes the relations.
        assigned: a class for every record.
        positions: of every sensitive attribute its values, in the order of its distance.
        models: what is asked; of one at least there is a bound.
    """
    title = "measuring the classes as dealt"
    classes = workspace.make(
        title, "dealt_classes", "methods/deal/dealt_classes", {"assigned": assigned}
    )
    values = {
        str(alias): workspace.make(
            title,
            f"dealt_values_{alias}",
            "methods/deal/dealt_values",
            {"assigned": assigned, "positions": at},
            attribute=alias,
        )
        for alias, at in positions.items()
    }
    asked = [
        one
        for one in models
        if one.bound is not None and (one.attribute is None or one.attribute.alias in positions)
    ]
    for model in asked:
        workspace.create(model.step(classes, values))
    holding = held_step(asked, work("dealt_held"))
    assert holding is not None  # noqa: S101 - something is asked
    held = {"held": workspace.create(holding)}
    return int(workspace.one("methods/deal/failing", held)["classes"])
