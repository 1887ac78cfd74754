"""How far the values of a sensitive attribute lie apart, where the spec leaves it to their type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sqlanon.privacy.model import Distance
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.spec.columns import MEASURABLE, Column, shown_columns
from sqlanon.spec.load import changed
from sqlanon.spec.model import Spec


def with_distances(spec: Spec, columns: Mapping[str, Column]) -> Spec:
    """The same spec, in which every sensitive attribute has a distance.

    Numbers, dates and times lie apart by their order, all else equally far. Of equally far numbers
    hardly any two classes are alike, so a t would leave one class of all records.

    Raises:
        SpecError: if a distance does not go with the method.
    """
    shown = shown_columns(spec, columns)
    found: dict[str, Distance] = {
        name: "ordered" if shown[name].kind in MEASURABLE else "equal"
        for name, declared in spec.sensitive.items()
        if declared.distance is None
    }
    return changed(spec.with_distances(found)) if found else spec


@dataclass(frozen=True)
class Distances:
    """By which distance each t is measured.

    Attributes:
        asked: the distance of every sensitive attribute of which a t is asked.
        by_type: those of them that go by an order because of their type alone.
    """

    asked: Mapping[str, str] = field(default_factory=dict)
    by_type: tuple[str, ...] = ()

    @classmethod
    def of(cls, spec: Spec) -> Distances:
        """The distances of a spec in which every sensitive attribute has one."""
        asked = {
            name: attribute.distance
            for name, attribute in spec.sensitive.items()
            if attribute.distance and T_CLOSENESS.asked_of(attribute, spec.privacy) is not None
        }
        by_type = [name for name in spec.distances_by_type if asked.get(name) == "ordered"]
        return cls(asked, tuple(by_type))

    @property
    def sentences(self) -> tuple[str, ...]:
        """The distances, and what a spec that leaves one to the type meant before."""
        if not self.asked:
            return ()
        said = f"Distance of t: {', '.join(f'{name} {way}' for name, way in self.asked.items())}."
        if not self.by_type:
            return (said,)
        changed = (
            f"No distance is declared of {', '.join(self.by_type)}: numbers, dates and times go by "
            "their order. Before, all their values were equally far apart: distance: equal."
        )
        return (said, changed)
