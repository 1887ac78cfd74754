"""Persons by what is known of them, as codes that are held against what is published."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.plan import Step, work
from sqlanon.sql.names import Relation, Sql

EXTERNAL, PERSONS = work("external"), work("external_persons")
GRID = 256  # cells of the coarse grid, about
_LAST_SCALE = 6  # from the next attribute on cells share a number with others, which does no harm


@dataclass(frozen=True)
class Fitted:
    """How a quasi-identifier's published cells are held against persons.

    Attributes:
        alias: its column in the external table as it is read.
        places: the codes of values: ``code`` and ``value``.
        type: as what the persons' values are compared; None for as they are.
        spans: of every published tuple the codes that its cell stands for.
        members: the codes of every set, where a cell is one.
        lists: whether the release names every value that its records have, as sets and exact texts
            do: of another one nothing can be said, since it may be the same spelled otherwise.
        starred: whether it may be suppressed in some records, whose cells then stand for anything;
        masks: or for what has the same mask there: of every code the code of that.
    """

    alias: Sql
    places: Relation
    type: Sql | None
    spans: Relation
    members: Relation | None = None
    lists: bool = False
    starred: bool = False
    masks: Relation | None = None

    @property
    def named(self) -> Relation | None:
        """Where the codes are that the release names, if it names all values that there are."""
        return (self.members or self.spans) if self.lists else None


def points(title: str, fitted: Sequence[Fitted], persons: Relation, output: Relation) -> Step:
    """The step that counts persons by what is known of them, as codes.

    Args:
        title: what it is called.
        fitted: how their values become codes.
        persons: the persons as they are read.
        output: the relation.
    """
    parts = max(2, int(GRID ** (1 / len(fitted))))
    attributes = [
        {**one, "scale": parts ** min(place, _LAST_SCALE)}
        for place, one in enumerate(coded(fitted))
    ]
    inputs = {"external": persons} | places_of(fitted)
    params = {"attributes": attributes, "parts": parts}
    return Step(title, output, "attacks/persons", inputs, params)


def linking(
    linked: Relation, fitted: Sequence[Fitted], sensitive: Sequence[Sql]
) -> tuple[str, Mapping[str, Any], Mapping[str, Any]]:
    """The question what linking comes to, and of whom nothing can be said.

    Args:
        linked: what fits each point of persons.
        fitted: how their values became codes.
        sensitive: the sensitive attributes whose least and greatest value it tells.
    """
    attributes = [
        {
            "alias": one.alias,
            "named": one.named,
            "column": Sql("low" if one.members is None else "code"),
        }
        for one in fitted
    ]
    read = {f"named_{one.alias}": one.named for one in fitted if one.named is not None}
    params = {"attributes": attributes, "sensitive": tuple(sensitive)}
    return "attacks/linking", {"linked": linked} | read, params


def coded(fitted: Sequence[Fitted]) -> list[dict[str, Any]]:
    """How the persons' values become codes."""
    return [{"alias": one.alias, "places": one.places, "type": one.type} for one in fitted]


def places_of(fitted: Sequence[Fitted]) -> dict[str, Relation]:
    """The codes of their values, as inputs of a template."""
    return {f"places_{one.alias}": one.places for one in fitted}


def unknown_of(alias: Sql) -> str:
    """The column of the linking's figures that counts persons whose value cannot be compared."""
    return f"{alias}_unknown"
