"""Dealing buckets into classes along the curve, and measuring what was dealt."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.asked import Asked
from sqlanon.methods.deal.dealt import failing
from sqlanon.methods.deal.locality import STACKED, Columns, Curve, ordered_along
from sqlanon.methods.deal.sabre.buckets import Partition
from sqlanon.methods.deal.sabre.halving import Halved
from sqlanon.methods.deal.sabre.table import Found
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Materialization, Runner, Step
from sqlanon.sql.names import Relation, Sql, exact


@dataclass(frozen=True)
class Dealt:
    """The records that are dealt, and the relation of their classes.

    Attributes:
        curve_places: the records with their place on the curve.
        matrix: how many records each run of values has.
        assigned: the relation to make: a class for every record.
        columns: of the records.
        released: those of them that go on to the release.
        attribute: the sensitive attribute.
        bins: the run of every value.
        curve: the order of the records.
    """

    curve_places: Relation
    matrix: Relation
    assigned: Relation
    columns: Columns
    released: tuple[Sql, ...]
    attribute: SensitiveAttribute
    bins: Relation
    curve: Curve


class Dealing:
    """Deals buckets into classes and measures these, time and again.

    Attributes:
        tried: what was dealt, in order, and how many classes violated a model.
    """

    def __init__(self, dealt: Dealt, session: Runner, workspace: Workspace) -> None:
        self._given, self._session, self._workspace = dealt, session, workspace
        self._dealt: Found | None = None
        self._stacks: Relation | None = None
        self.tried: list[dict[str, object]] = []

    def deal(self, found: Found) -> None:
        """A class for every record; the same is not dealt twice in a row."""
        if found == self._dealt:
            return
        if self._dealt is None or found.buckets != self._dealt.buckets:
            self._order(found.buckets)
        assert self._stacks is not None  # noqa: S101 - it was made with the order
        workspace = self._workspace
        leaves = workspace.make(
            "numbering the classes", "leaves", "methods/sabre/leaves", {}, **leaves_of(found.halved)
        )
        dealt_classes = workspace.make(
            "spreading the places over the curve",
            "dealt_classes",
            "methods/sabre/dealt_classes",
            {"stacked": STACKED, "stripe_stacks": self._stacks, "leaves": leaves},
        )
        self._session.create(
            Step(
                "dealing the records into classes",
                self._given.assigned,
                "methods/locality/assigned",
                {"stacked": STACKED, "dealt_classes": dealt_classes},
                {"columns": self._given.released},
                Materialization.WORK_TABLE,
            )
        )
        self._dealt = found
        self.tried.append(
            {
                "buckets": len(found.buckets),
                "classes": found.halved.classes,
                "promised_t": exact(found.promised),
                "failing": 0,
            }
        )

    def holds(self, models: list[Asked]) -> bool:
        """Whether every class dealt meets these models."""
        given = self._given
        positions = {given.attribute.alias: given.attribute.positions}
        short = failing(self._workspace, given.assigned, positions, models)
        self.tried[-1]["failing"] = short
        return not short

    def _order(self, buckets: Partition) -> None:
        """Put the records of every bucket in the order of the curve."""
        given, workspace = self._given, self._workspace
        alias = given.attribute.alias
        fragments = workspace.make(
            "writing the buckets down",
            "fragments",
            "methods/deal/fragments",
            {},
            sensitive=(alias,),
            boxes=buckets,
        )
        pieces = workspace.make(
            "the bucket of every value",
            "pieces",
            "methods/deal/pieces",
            {"matrix": given.matrix, "fragments": fragments},
            sensitive=(alias,),
        )
        self._stacks = workspace.make(
            "stacking the buckets",
            "stripe_stacks",
            "methods/deal/stripe_stacks",
            {"pieces": pieces},
            classes=1,
        )
        striped = workspace.make(
            "finding the bucket of every record",
            "striped",
            "methods/deal/striped",
            {"curve_places": given.curve_places, "pieces": pieces, f"bins_{alias}": given.bins},
            columns=given.columns.all,
            sensitive=(alias,),
            bins={str(alias): given.bins},
        )
        by = (Sql("fragment"),)
        workspace.create(
            ordered_along(striped, self._stacks, given.columns, by, given.curve, in_stripes=False)
        )
        workspace.drop(striped)


def leaves_of(halved: Halved) -> dict[str, object]:
    """The parameters of the template that numbers the classes."""
    depth, root = len(halved.levels), halved.root
    levels = [
        {
            "modulus": root * 2**number,
            "halved": spans,
            "left": left,
            "ends": 2 ** (depth - number),
        }
        for number, (spans, left) in enumerate(halved.levels)
    ]
    return {"root": root, "levels": levels, "modulus": root * 2**depth}
