"""The meaning of a release's cells, by which later runs know that theirs mean the same."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from sqlanon.domains.lines import hierarchy_lines
from sqlanon.engines import Engine
from sqlanon.spec import Column, FileHierarchy, Spec, TreeHierarchy
from sqlanon.sql.names import Relation

LEVELS, LEVELS_MEAN, CELLS_MEAN = "levels", "levels_mean", "cells_mean"
# Kinds whose values are the same and have the same text in all of their types.
_ALIKE = ("integer", "text", "date", "boolean")


def class_facts(
    levels: Mapping[str, Relation] | None,
    spec: Spec,
    columns: Mapping[str, Column],
    engine: Engine,
    fixed: bool = False,
) -> list[tuple[str, str]]:
    """The facts of the classes that later releases need: what cells mean, and the levels.

    Args:
        levels: by the name of a quasi-identifier that is published as labels of one level, the
            relation whose ``level`` that is; None where cells are values, and no groups.
        spec: what was declared.
        columns: the source's columns.
        engine: where it was published, with the work relations that stand.
        fixed: whether the levels are those of the spec, and no relation holds them.
    """
    if levels is None:
        return []
    known: dict[str, Any] = {CELLS_MEAN: meanings(spec, columns)}
    if levels:
        given = {name: level for name, (level, _) in spec.levels.items()}
        known[LEVELS] = given if fixed else _found(levels, engine)
        known[LEVELS_MEAN] = {name: level_meaning(spec, name) for name in levels}
    return [(name, json.dumps(fact, ensure_ascii=False)) for name, fact in known.items()]


def _found(levels: Mapping[str, Relation], engine: Engine) -> dict[str, int]:
    """The published levels."""
    shown = (
        f"(select max(level) from {engine.named(relation)}) as l{place}"
        for place, relation in enumerate(levels.values())
    )
    found = engine.fetch_portable(f"select {', '.join(shown)}").rows[0]
    return dict(zip(levels, map(int, found), strict=True))


def level_meaning(spec: Spec, name: str) -> str:
    """A hash of what the labels of a column's levels stand for."""
    return hashlib.sha256(_text(spec, name).encode()).hexdigest()


def meanings(spec: Spec, columns: Mapping[str, Column]) -> dict[str, str]:
    """A hash for each quasi-identifier of what its labels and cells stand for."""
    return {name: _meaning(spec, name, columns[name]) for name in spec.quasi_identifiers}


def _meaning(spec: Spec, name: str, column: Column) -> str:
    """A hash of what decides which values a cell of a column stands for."""
    declared = spec.quasi_identifiers[name]
    kind = column.kind if column.kind in _ALIKE else column.type
    parts = [_text(spec, name), kind, declared.order, declared.nominal]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def _text(spec: Spec, name: str) -> str:
    """The base of a column's levels, as text: its hierarchy, and which codes stand for NULL."""
    hierarchy = spec.quasi_identifiers[name].hierarchy
    made_of: Any = None if hierarchy is None else hierarchy.model_dump(mode="json")
    if isinstance(hierarchy, FileHierarchy | TreeHierarchy):
        made_of = sorted(hierarchy_lines(hierarchy, f"quasi_identifiers.{name}.hierarchy", name))
    return json.dumps([made_of, sorted(spec.missing.get(name, ()))], ensure_ascii=False)
