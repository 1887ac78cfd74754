"""Exchanging: classes swap records that are alike in all that is asked, and their boxes shrink.

sqlanon, Split-or-Deal §6. A class that is stretched by few records gives them away, and takes as
many of the same kind from other classes: of the same sensitive values. So every class keeps its
number of records and of each value, and every model goes on to hold. Gowda (2021, §6) proposes such
exchanges.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlanon.methods.cut.effort import Effort
from sqlanon.methods.cut.table import Grouping, Table
from sqlanon.methods.cut.tree import Tree
from sqlanon.methods.workspace import Workspace
from sqlanon.sql.names import Relation, Sql

TITLE = "exchanging records between classes"
# Of how many records an offer is at most, and how many partners a class asks for each of them.
MOST, WISHES = 16, 6
# A turn compares classes with cells; more comparisons than these take longer than all the rest.
MOST_COMPARED = 60_000_000


class Exchange:
    """Exchanges records between classes, turn by turn.

    Args:
        tree: measures what classes lose.
        workspace: makes the work relations.
        table: what is searched.
        effort: how many turns there are at most, and what a turn has to gain.
        zones: the classes between which nothing is exchanged, if there are such.
    """

    def __init__(
        self, tree: Tree, workspace: Workspace, table: Table, effort: Effort, zones: Relation | None
    ) -> None:
        self._tree, self._workspace, self._table = tree, workspace, table
        self._effort, self._zones = effort, zones

    def exchanged(self, now: Grouping) -> tuple[Relation, list[float]]:
        """Exchange records as long as it pays.

        Returns:
            The classes, and the loss of a record after every turn.
        """
        losses = list[float]()
        compared = now.classes * self._workspace.rows(self._table.cells)
        if not (self._effort.exchanges and self._table.losses.boxed and compared <= MOST_COMPARED):
            return now.parts, losses
        kinds = self._make("exchange_cells", {"cells": self._table.cells}, alike=self._alike)
        open_classes: Relation | None = None
        for turn in range(1, self._effort.exchanges + 1):
            if not now.loss:
                break
            before = now
            new, open_classes = self._turn(turn, now.parts, kinds, open_classes)
            now = self._tree.grouping(new, "exchange_losses")
            if now.loss >= before.loss:
                return before.parts, losses
            losses.append(self._table.share(now.loss))
            if before.loss - now.loss < self._effort.exchange_gain * before.loss:
                break
        return now.parts, losses

    @property
    def _alike(self) -> tuple[Sql, ...]:
        """The codes in which records of a kind agree: those that a model or the loss counts."""
        asked = (one.alias for one in self._table.constraints)
        return (*asked, *(one.alias for one in self._table.losses.listed))

    def _turn(
        self, turn: int, parts: Relation, kinds: Relation, open_classes: Relation | None
    ) -> tuple[Relation, Relation]:
        """The classes after one turn, and those whose offers are worth trying in the next."""
        made = {"parts": parts, "exchange_cells": kinds}
        losses = self._table.losses
        zones = {} if self._zones is None else {"zones": self._zones}
        boxes = self._make("exchange_boxes", made | zones)
        tried = {} if open_classes is None else {"exchange_open": open_classes}
        offers = self._make(
            "exchange_offers",
            made | losses.inputs | tried,
            turn=turn,
            most=MOST,
            offers=self._effort.offers,
        )
        made["exchange_offers"] = offers
        given = self._make("exchange_given", made)
        there = {"exchange_given": given, "exchange_cells": kinds, "exchange_boxes": boxes}
        near = self._make("exchange_near", there)
        partners = self._make(
            "exchange_partners", made | there | losses.inputs | {"exchange_near": near}
        )
        wishes = self._make("exchange_wishes", {"exchange_partners": partners})
        wished = {"exchange_partners": partners, "exchange_wishes": wishes}
        met = self._make("exchange_met", wished, turn=turn, wishes=WISHES)
        agreed = {"exchange_met": met, "exchange_offers": offers, "exchange_cells": kinds}
        exchanges = self._make("exchange_made", agreed)
        new = self._make(
            "exchanged_parts",
            {"parts": parts, "exchange_made": exchanges},
            f"exchanged_parts_{turn % 2}",
        )
        after = {"exchange_wishes": wishes, "exchange_made": exchanges}
        return new, self._make("exchange_open", after)

    def _make(
        self, template: str, inputs: Mapping[str, Relation], name: str | None = None, **params: Any
    ) -> Relation:
        """One relation of a turn, by default under its template's name."""
        return self._workspace.make(
            TITLE,
            name or template,
            f"methods/split_or_deal/{template}",
            inputs,
            **self._table.losses.params,
            **params,
        )
