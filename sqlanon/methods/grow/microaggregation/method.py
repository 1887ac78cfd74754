"""Groups of k neighbours, joined with their nearest until every class meets every model.

MDAV (Domingo-Ferrer & Torra 2005) forms two groups at a time of the records that are left, V-MDAV
(Solanas & Martinez-Balleste 2006) one whose size varies. All blocks of the table form theirs in the
same statements. Every class that comes to be was measured first, by the templates that the gate
measures with.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.common.fields import Exact, Whole
from sqlanon.errors import Problem
from sqlanon.measure.asked import Asked
from sqlanon.methods.grow.microaggregation.groups import Groups, group_size, joined, swapped
from sqlanon.methods.grow.placed import PlacedSearch
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.outliers import outliers_of
from sqlanon.methods.workspace import Workspace, grouping_on_cells, scales_of, zones_of
from sqlanon.plan import Runner, Step
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.spec import MethodSettings, Spec
from sqlanon.sql.names import Relation

# Its square times that of a distance stays within a decimal's 38 digits.
_MOST = 10**9
# By which distances a t may be asked for, by the order.
_DISTANCES = {"k_anonymity_first": ("ordered", "equal"), "t_closeness_first": ("ordered",)}


class MicroaggregationSettings(MethodSettings):
    """Groups of k neighbours, joined until every model holds. Domingo-Ferrer & Torra (2005)."""

    reads_records: ClassVar[bool] = True
    clusters: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    leaves_outliers: ClassVar[bool] = True

    name: Literal["microaggregation"] = "microaggregation"
    order: Literal["merging", "k_anonymity_first", "t_closeness_first"] = Field(
        default="merging",
        description="the work for a t before groups are joined: merging, nothing; "
        "k_anonymity_first, near groups swap records until no swap brings one that fails nearer to "
        "the one t; or t_closeness_first, each is formed with a record of every part of the range "
        "of the one sensitive attribute that is to be t-close in its order",
    )
    block: Whole = Field(
        default=2000,
        ge=2,
        le=1_000_000,
        description="how many records groups are formed of at once at most; a table with more is "
        "cut into blocks along a curve",
    )

    swaps: Literal["formed", "free"] = Field(
        default="formed",
        description="for order: k_anonymity_first: formed, groups swap records with each other "
        "once all are formed; free, each swaps with records in no group yet while it forms, as in "
        "the paper, for small tables",
    )

    gamma: Exact | None = Field(
        default=None,
        gt=0,
        description="groups of k to 2k - 1: a group takes up to k - 1 more records while each is "
        "nearer to it than so many times its distance to the nearest other that is left; groups "
        "of k if none. Solanas & Martinez-Balleste (2006)",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """An order other than merging needs one attribute with a t; parts bind a group's size."""
        if self.gamma is not None and max(self.gamma.as_integer_ratio()) > _MOST:
            yield Problem(
                "method.gamma",
                "it must be a fraction of whole numbers up to 1,000,000,000, such as 1.1 or "
                "'11/10'",
            )
        if self.swaps == "free" and (self.order != "k_anonymity_first" or self.gamma is not None):
            yield Problem(
                "method.swaps",
                "groups of k swap with free records under order: k_anonymity_first, without gamma: "
                "say so, or leave it out",
            )
        if self.order == "merging":
            return
        if self.gamma is not None and self.order == "t_closeness_first":
            yield Problem(
                "method.gamma",
                "t_closeness_first takes as many records of every part of a range, so its groups "
                "cannot vary in size by gamma: take order merging, or leave gamma out",
            )
        found = [
            name
            for name, attribute in spec.sensitive.items()
            if T_CLOSENESS.asked_of(attribute, spec.privacy) is not None
        ]
        # No distance is one that is left to the type, which is not known yet.
        if len(found) == 1 and spec.sensitive[found[0]].distance in (None, *_DISTANCES[self.order]):
            return
        asked, distances = ", ".join(found) or "none", " or ".join(_DISTANCES[self.order])
        yield Problem(
            "method.order",
            f"{self.order} is for one sensitive attribute, the only one with a t, and its distance "
            f"must be {distances}; those with a t are: {asked}. Take merging, which goes with any "
            "of them",
        )


@dataclass(frozen=True)
class Microaggregated(PlacedSearch):
    """The search for groups of neighbours.

    Attributes:
        zones: the clusters of records, where a clause asks for some; None for the table as one.
        settings: what the spec says of the method.
    """

    title: ClassVar[str] = "forming groups of neighbours"

    zones: Relation | None
    settings: MicroaggregationSettings

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
            model for model in self.models if model.model is T_CLOSENESS and model.bound is not None
        )


class Microaggregation(Method[MicroaggregationSettings]):
    """Groups of k neighbours by MDAV, joined with their nearest until every model holds."""

    Settings = MicroaggregationSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from cells, by way of groups, to a class for every record."""
        scales, steps = scales_of(task)
        search = Microaggregated.of(task, scales, zones=zones_of(task), settings=self.settings)
        outliers = outliers_of(task, scales, search.coordinates)
        return grouping_on_cells(task, search.coordinates, steps, search, outliers=outliers)
