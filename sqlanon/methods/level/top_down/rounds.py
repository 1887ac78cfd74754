"""The rounds of top-down specialization: what could be specialized, and which of it is.

A round measures the classes of all specializations that are left. A specialization that fails is
closed for good where what its classes are made of fails, too. Where nothing is suppressed, what a
specialization gains does not change by others, and specializations of one column part different
classes: so those of one column that come before all of other columns are taken together, and the
outcome is that of taking one after the other.

The cut of a column says what each of its values is published as, the same for all records.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.methods.level.forming import sensitive_of
from sqlanon.methods.level.judging import Conditions, held_classes
from sqlanon.methods.workspace import Workspace, level_share
from sqlanon.plan import work
from sqlanon.sql.names import Relation, Sql

_LAYING = "laying out the values"


@dataclass(frozen=True)
class Cut:
    """A column's cut, and how it can be made finer.

    Attributes:
        number: which of the columns it is, from 0.
        alias: the column.
        relation: a row for each code: what it is published as (level and node) and loses so.
        tree: with a hierarchy, the node over every code at each level; else None.
        offers: its specializations, as they were laid out last.
        units: what a record loses if all of it is lost.
        places: in how many places an interval may be cut at most.
    """

    number: int
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
        name = next(stem for stem in names if work(stem) != self.relation)
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
    number: int,
) -> Cut:
    """The most general cut of a column: the highest level of its hierarchy, or one interval.

    Args:
        workspace: makes the relations.
        cells: a row for each combination of codes in the data.
        attribute: the column.
        scale: what it loses.
        units: what a record loses if all of it is lost.
        places: in how many places an interval may be cut at most.
        number: which of the columns it is, from 0.
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
        number=number, alias=alias, relation=cut, tree=tree, offers=None, units=units, places=places
    )


MOST_TOGETHER = 500


@dataclass(frozen=True)
class _Allowed:
    """A specialization that may be taken."""

    candidate: int
    number: int
    node: int
    split: int
    failing: int
    gain: int


class Rounds:
    """The search from first cuts to last ones.

    Args:
        workspace: makes the relations.
        conditions: what every step must keep.
        cells: the cells with their classes.
        cuts: the cut of every column.
        lost: what is lost by them, in units.
        failing: how many records lie in classes that fail.

    Attributes:
        cells: the cells with their classes, as far as it has come.
        cuts: the cut of every column, as far as it has come.
        lost: what is lost by them.
        number: how many rounds there were.
        taken: how many specializations of every column were taken.
    """

    def __init__(
        self,
        workspace: Workspace,
        conditions: Conditions,
        cells: Relation,
        cuts: Sequence[Cut],
        lost: int,
        failing: int,
    ) -> None:
        self.cells, self.cuts, self.lost = cells, list(cuts), lost
        self.number, self.taken = 0, [0] * len(self.cuts)
        self._workspace, self._conditions, self._failing = workspace, conditions, failing
        self._closed: Relation | None = None
        self._sensitive = sensitive_of(tuple(conditions.measured))
        self._title = ""

    def run(self) -> None:
        """Take one specialization after the other, until none is left."""
        while self._round():
            pass

    def _round(self) -> bool:
        """Measure what is left, and take the best; False if there is nothing to take."""
        self.number += 1
        self._title = f"specializing values: round {self.number}"
        self._workspace.reached(level_share(self.number))
        offers = self._offers()
        radix = self._workspace.rows(offers)  # there are no more parts
        if not radix:
            return False
        room = self._conditions.most - self._failing
        judged, sums = self._judged(offers, radix, room)
        found = self._workspace.several(
            "methods/top_down/allowed",
            {"candidate_sums": sums},
            self._workspace.rows(sums),
            room=room,
        )
        if self._conditions.inherited:
            self._close(sums, room)
        rows = [_Allowed(**{name: int(value) for name, value in entry.items()}) for entry in found]
        taken = self._best(rows)
        if taken:
            self._take(taken, offers, judged, radix)
        return bool(taken)

    def _offers(self) -> Relation:
        """The specializations that are left."""
        self.cuts = [
            cut if cut.offers is not None else cut.offered(self._workspace, self._title)
            for cut in self.cuts
        ]
        inputs = {f"offers_{cut.alias}": cut.offers for cut in self.cuts if cut.offers is not None}
        if self._closed is not None:
            inputs["closed"] = self._closed
        return self._workspace.make(
            self._title, "top_down_offers", "methods/top_down/offers", inputs, columns=(*self.cuts,)
        )

    def _judged(self, offers: Relation, radix: int, room: int) -> tuple[Relation, Relation]:
        """The classes that would be made, whether they meet the models, and what that comes to."""
        units, least = sum(cut.units for cut in self.cuts), self._conditions.least
        made = {"cells": self.cells, "offers": offers}
        ids = {"columns": (*self.cuts,), "radix": radix}
        classes = self._make("candidate_classes", made, units=units, **ids)
        named = {"candidate_classes": classes}
        judged = self._make("judged_classes", named, least=least)
        summed = {"judged_classes": judged, "offers": offers}
        sums = self._make("candidate_sums", summed, units=units)
        measured = self._conditions.measured
        if measured:
            sized = {"judged_classes": judged, "candidate_sums": sums}
            large = self._make("large_classes", sized, room=room)
            values = {
                str(model.attribute.alias): self._workspace.make(
                    self._title,
                    f"top_down_values_{model.attribute.alias}",
                    "methods/top_down/candidate_values",
                    {**made, "classes": large, "positions": model.attribute.positions},
                    attribute=model.attribute.alias,
                    **ids,
                )
                for model in measured
                if model.attribute is not None
            }
            held = held_classes(self._workspace, measured, large, values)
            judged = self._make("judged_classes", {**named, "held": held}, least=least)
            summed["judged_classes"] = judged
            sums = self._make("candidate_sums", summed, units=units)
        return judged, sums

    def _make(self, what: str, inputs: dict[str, Relation], **params: object) -> Relation:
        name = f"top_down_{what}"
        return self._workspace.make(self._title, name, f"methods/top_down/{what}", inputs, **params)

    def _close(self, sums: Relation, room: int) -> None:
        """Offer what failed no more."""
        inputs = {"candidate_sums": sums}
        if self._closed is not None:
            inputs["closed"] = self._closed
        self._closed = self._workspace.make(
            self._title,
            f"top_down_closed_{self.number % 2}",
            "methods/top_down/closed",
            inputs,
            room=room,
        )

    def _best(self, allowed: list[_Allowed]) -> list[_Allowed]:
        """The specialization by which most is gained, with those that can be taken at once."""
        ranked = sorted(allowed, key=lambda one: (-one.gain, one.number, one.node, one.split))
        together = self._conditions.inherited and not self._conditions.most
        if not together:
            return ranked[:1]
        best: dict[int, _Allowed] = {}
        for candidate in ranked:
            if candidate.number != ranked[0].number or len(best) == MOST_TOGETHER:
                break
            best.setdefault(candidate.node, candidate)
        return [*best.values()]

    def _take(self, taken: list[_Allowed], offers: Relation, judged: Relation, radix: int) -> None:
        """Go on from these specializations, which are of one column."""
        number, numbers = taken[0].number, [candidate.candidate for candidate in taken]
        self.cells = self._workspace.make(
            self._title,
            f"top_down_cells_{1 + self.number % 2}",
            "methods/top_down/next_cells",
            {"cells": self.cells, "offers": offers, "judged_classes": judged},
            alias=self.cuts[number].alias,
            columns=(*self.cuts,),
            sensitive=self._sensitive,
            taken=numbers,
            radix=radix,
        )
        self.cuts[number] = self.cuts[number].specialized(
            self._workspace, self._title, offers, numbers
        )
        self.taken[number] += len(taken)
        self.lost -= sum(candidate.gain for candidate in taken)
        self._failing += sum(candidate.failing for candidate in taken)
