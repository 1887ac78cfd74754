"""t-k-Utility: classes within clusters of alike records. Amiri et al. (2023), algorithm 2.

The cells of a cluster are put in order, nearest point next. Classes are cut from that order as soon
as they meet every model. The cells that are left at the end go to the first class that goes on
meeting them. Then records move to nearer classes. All clusters are worked on at once. Every class
that comes to be was measured first, by the templates that the gate measures with.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlanon.errors import InfeasibleError
from sqlanon.methods.grow.placed import PlacedSearch
from sqlanon.methods.grow.uhra.growing import Growing
from sqlanon.methods.grow.uhra.leftovers import settled
from sqlanon.methods.grow.uhra.refining import refined
from sqlanon.methods.grow.uhra.settings import UhraSettings
from sqlanon.methods.method import Clusters
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, Step, work

OUTCOME = work("outcome")
_FORMED = "finding a class for what is left"


@dataclass(frozen=True)
class Utility(PlacedSearch):
    """The search for classes within clusters.

    Attributes:
        suppresses: whether records may be left out.
        clusters: the clusters.
        settings: what the spec says of the method.
    """

    suppresses: bool
    clusters: Clusters = field(repr=False)
    settings: UhraSettings

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        where = "the table" if self._over_table else self.clusters.called
        return f"growing classes in {where}"

    @property
    def _over_table(self) -> bool:
        return self.settings.scope == "table"

    def run(self, session: Runner) -> None:
        """Grow and refine, by steps of its own; the session's notes say in how many rounds.

        Raises:
            InfeasibleError: if records are left that no class takes, and none may be left out.
        """
        workspace = Workspace(session)
        alike = self.clusters.alike if self._over_table else ()
        table = self.table(workspace, self.clusters.relation, alike)
        growing = Growing(table, self.settings.order, self.settings.block, self._over_table)
        seats = growing.seats(self.coded)
        shares = settled(table, growing.grown(seats), seats)
        shares, rounds = refined(table, shares, self.settings.rounds)
        formed = table.formed(_FORMED, "uhra_formed", shares)
        classes, held = table.judged(_FORMED, formed, table.asked)
        inputs = {"classes": classes, "held": held}
        session.create(Step("what became of the clusters", OUTCOME, "methods/uhra/outcome", inputs))
        found = workspace.one("methods/uhra/left_sums", {"outcome": OUTCOME})
        if not found["kept"] or (found["failing"] and not self.suppresses):
            raise InfeasibleError(
                f"{found['failing_records']:,} records of {found['failing']:,} "
                f"{self.clusters.called} are left, which no class of their cluster takes: "
                f"{self.clusters.remedy} or for less of the others, or allow records to be "
                "suppressed (suppression: {records: 0.05})"
            )
        made = {"shares": shares, "outcome": OUTCOME}
        session.create(Step(self.title, self.parts, "methods/uhra/parts", made))
        session.notes.append(("search_rounds", str(rounds)))
        workspace.clear()
