"""The forms in which a spec may ask for a quasi-identifier's cells: those that are registered.

Which forms there are is not known here; each is a class of its own, and says by a rule what a spec
must be like to ask for it, and what its cells show.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Literal

from sqlanon.registry import Registry

# A cell shows the ends of a stretch of its class's values, the members of a set, the label of a
# group, or one value in place of all. One value does not say which values its records may have.
Shows = Literal["ends", "members", "label", "value"]


@dataclass(frozen=True)
class FormRule:
    """The conditions on a spec that asks for a form, and what the form's cells show.

    Attributes:
        name: what ``publish`` calls it.
        hierarchy: whether it needs one, takes one, or takes none.
        measurable: whether values must lie on a scale, as numbers and dates do.
        shows: what a cell shows of its class.
        adds: whether values are added, so that they must be exact numbers, and a cell may be none
            of them.
        one_level: whether all labels of a column are of one level.
        tells_null: whether a class of NULL alone looks different from one of NULL and values.
    """

    name: str
    hierarchy: Literal["needed", "taken", "refused"]
    measurable: bool
    shows: Shows
    adds: bool = False
    one_level: bool = False
    tells_null: bool = True

    @property
    def covers(self) -> bool:
        """Whether a cell says which values its records may have."""
        return self.shows != "value"

    def misfit(self, has_hierarchy: bool, has_order: bool = False) -> str | None:
        """The fault of a quasi-identifier that asks for it; None if it fits."""
        if self.hierarchy == "needed" and not has_hierarchy:
            return f"publish: {self.name} needs a hierarchy"
        if self.hierarchy == "refused" and has_hierarchy:
            return f"publish: {self.name} takes no hierarchy"
        if self.adds and has_order:
            return (
                f"publish: {self.name} adds numbers, and a listed order has none: publish: median"
            )
        return None


RULES = Registry[FormRule]("forms")
FormName = Annotated[str, RULES.one_name]
