"""A greater k of some of the quasi-identifiers: the tuples, projected on these.

The count is of the records, or other units, that share each published tuple of the columns exactly.
Where cells overlap, more records can be somebody's than share the tuple: the count is the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlanon.clauses import clauses
from sqlanon.clauses.clause import Projection
from sqlanon.forms.form import PublishedColumn
from sqlanon.measure.asked import Asked
from sqlanon.measure.view import MEASURED, AdversaryView, ShownColumn
from sqlanon.plan import Step, work
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.model import Demand
from sqlanon.spec import Spec
from sqlanon.sql.names import Relation


@dataclass(frozen=True)
class Projected(Asked):
    """k of the tuples that are projected on some of the quasi-identifiers.

    Attributes:
        projection: the columns and their k, as a clause asks for them.
        place: which of all these it is, from 1.
    """

    projection: Projection = field(kw_only=True)
    place: int = field(kw_only=True)

    @property
    def columns(self) -> tuple[str, ...]:
        """The quasi-identifiers."""
        return self.projection.columns

    @property
    def k(self) -> int:
        """How many records, or units of these, share each tuple at least."""
        return self.projection.k

    @property
    def name(self) -> str:
        """The columns, as the metrics call them."""
        return ", ".join(self.columns)

    @property
    def relation(self) -> Relation:
        """The work relation with a row for each class."""
        return work("measured_projected_", self.place)

    @property
    def projected(self) -> Relation:
        """How many records, or units of these, share each class's projected tuple."""
        return work("projected_", self.place)


def asked_of_projections(spec: Spec) -> tuple[Projected, ...]:
    """The demands on some of the quasi-identifiers, in the order of the spec."""
    found = [each for one in clauses() for each in one.projections(spec)]
    return tuple(
        Projected(Demand(K_ANONYMITY, one.k), projection=one, place=place)
        for place, one in enumerate(found, 1)
    )


def projected_steps(view: AdversaryView, asked: Sequence[Projected]) -> list[Step]:
    """The steps that measure the projected tuples of a view."""
    steps = []
    for one in asked:
        known = [column.alias for column in view.shown if _known_of(column) in one.columns]
        inputs, template = {"classes": view.classes}, "measure/projected"
        if view.units is not None:
            inputs, template = {"measured": MEASURED, **inputs}, "units/projected"
        title = f"who shares the tuples of {one.name}"
        steps.append(Step(title, one.projected, template, inputs, {"columns": tuple(known)}))
        steps.append(one.step(one.projected, {}))
    return steps


def _known_of(column: ShownColumn) -> str:
    """The quasi-identifier that a published column stands for."""
    return column.source if isinstance(column, PublishedColumn) else column.name
