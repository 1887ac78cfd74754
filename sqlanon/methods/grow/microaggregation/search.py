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
from sqlanon.methods.grow.microaggregation.groups import Groups
from sqlanon.methods.grow.microaggregation.joining import joined
from sqlanon.methods.grow.microaggregation.settings import MicroaggregationSettings
from sqlanon.methods.grow.microaggregation.swapping import swapped
from sqlanon.methods.grow.placed import PlacedSearch
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, Step
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.sql import Relation


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
