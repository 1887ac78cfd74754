"""Groups of k neighbours, joined with their nearest until every class meets every model.

MDAV (Domingo-Ferrer & Torra 2005) forms two groups at a time of the records that are left, V-MDAV
(Solanas & Martinez-Balleste 2006) one whose size varies. All blocks of the table form theirs in the
same statements. Every class that comes to be was measured first, by the templates that the gate
measures with.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from sqlanon.measure import Asked
from sqlanon.methods.grow.microaggregation.exchanging import swapped
from sqlanon.methods.grow.microaggregation.groups import Groups
from sqlanon.methods.grow.microaggregation.nearness import near_classes, short_of
from sqlanon.methods.grow.microaggregation.settings import MicroaggregationSettings
from sqlanon.methods.grow.placed import PlacedSearch, Table
from sqlanon.methods.workspace import Workspace, level_share
from sqlanon.plan import Runner, Step
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.sql import Relation

_JOINING = "joining groups that violate a model with one of their nearest"


@dataclass(frozen=True)
class Microaggregated(PlacedSearch):
    """The search for groups of neighbours.

    Attributes:
        zones: the clusters of records, where a clause asks for some; None for the table as one.
        settings: what the spec says of the method.
    """

    zones: Relation | None
    settings: MicroaggregationSettings

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return "forming groups of neighbours"

    def run(self, session: Runner) -> None:
        """Form groups and join them, by steps of its own; the session's notes count the rounds.

        A class that fails a model when nothing is left to join it with is left to the gate.
        """
        workspace = Workspace(session)
        table = self.table(workspace, self.zones)
        order, size = self.settings.order, table.least
        close = None if order == "merging" else self._close()
        dealt = close if order == "t_closeness_first" else None
        if dealt is not None:
            size = max(size, group_size(table.records, dealt.demand.threshold))
        free = close if self.settings.swaps == "free" else None
        groups = Groups(table, self.coded, self.settings.block, size, self.settings.gamma, free)
        shares, rounds = groups.formed(None if dealt is None else dealt.attribute)
        noted = [f"{rounds} of groups"]
        if close is not None and dealt is None:
            swaps = groups.swaps
            if free is None:
                shares, swaps = swapped(table, shares, close, size)
            noted.append(f"{swaps} of swapping")
        shares, centroids, joins = joined(table, shares)
        noted.append(f"{joins} of joining")
        made = {"shares": shares, "centroids": centroids}
        session.create(Step(self.title, self.parts, "methods/microaggregation/parts", made))
        session.notes.append(("search_rounds", ", ".join(noted)))
        workspace.clear()

    def _close(self) -> Asked:
        """The one t that groups are formed by or swap for; a spec without is refused."""
        return next(
            one for one in self.models if one.model is T_CLOSENESS and one.bound is not None
        )


def group_size(records: int, t: Fraction) -> int:
    """How many records a group has that takes one of each of as many equal parts of a range.

    Soria-Comas et al. (2015), algorithm 3: where all values differ, such a group is t-close.

    Args:
        records: how many there are, at least 1.
        t: the threshold.
    """
    return -(-records // (2 * (records - 1) * t + 1))


def joined(table: Table, shares: Relation) -> tuple[Relation, Relation, int]:
    """The classes when each meets every model, their middles, and after how many rounds.

    A class that is all of its cluster stays as it is, even if it fails a model.

    Args:
        table: what is worked on.
        shares: how many records of each cell each group has.
    """
    workspace, turn = table.workspace, 0
    models = table.asked or table.tested
    while True:
        workspace.reached(0.8 + level_share(turn + 1) / 5)
        centroids = table.centroids(_JOINING, "micro_centroids", shares)
        formed = table.formed(_JOINING, "micro_formed", shares)
        shortfalls = short_of(table, _JOINING, formed, models, "micro_shortfalls")
        near = near_classes(table, _JOINING, shortfalls, centroids)
        if not workspace.rows(near):
            return shares, centroids, turn
        turn += 1
        tried = workspace.make(
            _JOINING,
            "micro_tried",
            "methods/microaggregation/tried",
            {"near": near, "formed": formed},
            columns=tuple(table.positions),
        )
        together = short_of(table, _JOINING, tried, models, "micro_together")
        joins = workspace.make(
            _JOINING,
            "micro_joins",
            "methods/microaggregation/joins",
            {"near": near, "shortfalls": shortfalls, "tried": together},
        )
        shares = workspace.make(
            _JOINING,
            f"micro_joined_{turn % 2}",
            "methods/microaggregation/joined",
            {"shares": shares, "joins": joins},
        )
