"""A greater k for a reader who knows some quasi-identifiers only: the tuples, projected on these.

The count is of the records, or persons, that share each published tuple of the columns exactly.
Where cells overlap, more records can be a person's than share the tuple: the count is the least.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlanon.forms import PublishedColumn
from sqlanon.measure.asked import Asked
from sqlanon.measure.view import MEASURED, AdversaryView, ShownColumn
from sqlanon.plan import Step, work
from sqlanon.privacy import Demand
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.spec import Privacy
from sqlanon.spec.privacy import Subset
from sqlanon.sql import Relation


@dataclass(frozen=True)
class AskedSubset(Asked):
    """k of the tuples that are projected on some of the quasi-identifiers.

    Attributes:
        subset: the columns, as declared.
        place: which of the declared subsets it is, from 1.
    """

    subset: Subset = field(kw_only=True)
    place: int = field(kw_only=True)

    @property
    def name(self) -> str | None:
        """The columns."""
        return self.subset.name

    @property
    def relation(self) -> Relation:
        """The work relation with a row for each class."""
        return work("measured_subset_", self.place)

    @property
    def projected(self) -> Relation:
        """How many records, or persons, share each class's projected tuple."""
        return work("projected_", self.place)


def asked_subsets(privacy: Privacy) -> list[AskedSubset]:
    """The demands on some of the quasi-identifiers, in the order of the spec."""
    return [
        AskedSubset(Demand(K_ANONYMITY, one.k), subset=one, place=place)
        for place, one in enumerate(privacy.subsets, 1)
    ]


def subset_steps(view: AdversaryView, subsets: Sequence[AskedSubset]) -> list[Step]:
    """The steps that measure the projected tuples of a view."""
    steps = []
    for one in subsets:
        known = [column.alias for column in view.shown if _known_of(column) in one.subset.columns]
        inputs, template = {"classes": view.classes}, "measure/projected"
        if view.persons is not None:
            inputs, template = {"measured": MEASURED, **inputs}, "persons/projected"
        title = f"who shares the tuples of {one.name}"
        steps.append(Step(title, one.projected, template, inputs, {"columns": tuple(known)}))
        steps.append(one.step(one.projected, {}))
    return steps


def _known_of(column: ShownColumn) -> str:
    """The quasi-identifier that a published column stands for."""
    return column.source if isinstance(column, PublishedColumn) else column.name
