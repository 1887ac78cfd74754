"""The cut of a column: what each of its values is published as, the same for all records."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import work
from sqlanon.sql.names import Relation, Sql

_LAYING = "laying out the values"


@dataclass(frozen=True)
class Cut:
    """A column's cut, and how it can be made finer.

    Attributes:
        place: which of the columns it is, from 0.
        alias: the column.
        relation: a row for each code: what it is published as (level and node) and loses so.
        tree: with a hierarchy, the node over every code at each level; else None.
        offers: its specializations, as they were laid out last.
        units: what a record loses if all of it is lost.
        places: in how many places an interval may be cut at most.
    """

    place: int
    alias: Sql
    relation: Relation
    tree: Relation | None
    offers: Relation | None
    units: int
    places: int

    def offered(self, workspace: Workspace, title: str) -> Cut:
        """The same with its specializations laid out."""
        inputs, template = {"cut": self.relation}, "methods/top_down/line_offers"
        params = {"places": self.places, "units": self.units}
        if self.tree is not None:
            inputs, template, params = (
                inputs | {"tree": self.tree},
                "methods/top_down/tree_offers",
                {},
            )
        name = f"top_down_offers_{self.alias}"
        return replace(self, offers=workspace.make(title, name, template, inputs, **params))

    def specialized(
        self, workspace: Workspace, title: str, offers: Relation, taken: list[int]
    ) -> Cut:
        """The cut after some of its specializations.

        Args:
            workspace: makes the relations.
            title: of the round, for people.
            offers: the specializations of all columns.
            taken: the numbers of those of this column that are taken.
        """
        # Two names in turns: no relation is made of itself.
        names = (f"top_down_cut_{self.alias}_{turn}" for turn in (0, 1))
        name = next(one for one in names if work(one) != self.relation)
        inputs = {"cut": self.relation, "offers": offers}
        relation = workspace.make(title, name, "methods/top_down/next_cut", inputs, taken=taken)
        return replace(self, relation=relation, offers=None)


def first_cut(
    workspace: Workspace,
    cells: Relation,
    attribute: QuasiAttribute,
    scale: QuasiIdentifierScale,
    units: int,
    places: int,
    place: int,
) -> Cut:
    """The most general cut of a column: the highest level of its hierarchy, or one interval.

    Args:
        workspace: makes the relations.
        cells: a row for each combination of codes in the data.
        attribute: the column.
        scale: what it loses.
        units: what a record loses if all of it is lost.
        places: in how many places an interval may be cut at most.
        place: which of the columns it is, from 0.
    """
    alias, tree = attribute.alias, None
    name = f"top_down_cut_{alias}_first"
    if scale.height is None:
        assert scale.axis is not None  # noqa: S101 - another form is refused
        inputs = {"cells": cells, "axis": scale.axis}
        cut = workspace.make(
            _LAYING, name, "methods/top_down/line_cut", inputs, column=alias, units=units
        )
    else:
        assert scale.levels is not None  # noqa: S101 - it has a hierarchy
        assert scale.losses is not None  # noqa: S101
        tree = workspace.make(
            _LAYING,
            f"top_down_tree_{alias}",
            "methods/top_down/tree",
            {"cells": cells, "levels": scale.levels, "losses": scale.losses},
            column=alias,
            levels_used=range(scale.height + 1),
            units=units,
        )
        cut = workspace.make(
            _LAYING, name, "methods/top_down/tree_cut", {"tree": tree}, level=attribute.levels[1]
        )
    return Cut(
        place=place, alias=alias, relation=cut, tree=tree, offers=None, units=units, places=places
    )
