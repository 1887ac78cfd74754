"""The cells of an earlier release as the classes of a new one, in place of a search for classes.

Every record goes to the cell that it lies in; of several to the narrowest. A class publishes what
its cell published, so that equal cells of both releases mean the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlanon.domains import QuasiAttribute
from sqlanon.forms import Shown, form_of, published_columns
from sqlanon.measure import Asked
from sqlanon.methods.earlier import TakingOver
from sqlanon.methods.lattice.forming import sensitive_of, tuples_step
from sqlanon.methods.method import ASSIGNED, Forming, Grouping, Task
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, Search, Step, work
from sqlanon.sql import Relation

_CELLS, _TUPLES, _CLASSES = work("cells"), work("tuple_classes"), work("recipe_classes")
_READING = "reading the cells of the recipe"
_PLACING = "placing every record in a cell of the recipe"


@dataclass(frozen=True)
class EarlierCells(Forming):
    """The cells that an earlier release published of its quasi-identifiers.

    Attributes:
        name: the release's name.
        shown: its rows, under the aliases that the new release's published columns have.
    """

    name: str
    shown: Relation

    @property
    def cure(self) -> str:
        """The remedy that may help where the classes that come of it violate a model."""
        return (
            f"where cells of {self.name!r} overlap, each record goes to the narrowest, so that "
            f"others have fewer: allotment: true on {self.name!r}, which keeps its classes, or "
            "suppression here"
        )

    def group(self, task: Task) -> Grouping:
        """The steps from the records to a class for each of them: the cell that it lies in.

        Args:
            task: what a method is given; the domains have the values that the cells name.
        """
        codes = task.quasi_codes
        search = Placing(
            name=self.name,
            shown=self.shown,
            cells=_CELLS,
            tuples=_TUPLES,
            attributes=task.quasi_identifiers,
            models=task.models,
            suppresses=task.suppression > 0,
        )
        steps: list[Step | Search] = [
            Step(
                "gathering equal records in cells",
                _CELLS,
                "cells/cells",
                {"coded": task.coded},
                {"columns": (*codes, *sensitive_of(task.models))},
            ),
            search,
            Step(
                "the class of every record",
                ASSIGNED,
                "methods/lattice/assigned",
                {"coded": task.coded, "tuple_classes": _TUPLES},
                {"columns": task.released, "coordinates": codes},
            ),
        ]
        suppressed = _TUPLES if task.suppression else None
        return Grouping(tuple(steps), suppressed=suppressed, cells=_CLASSES)


@dataclass(frozen=True)
class Placing(TakingOver):
    """The search for the cell of every record; there is little to search.

    Attributes:
        name: the earlier release's name.
        shown: what it published.
        cells: a row for each combination of codes in the data.
        tuples: the relation to make: for each combination of quasi-identifiers its class, and the
            first model that this fails, by its place among those asked for.
        attributes: the quasi-identifiers.
        models: what every class must meet.
        suppresses: whether records may be suppressed.
    """

    name: str
    shown: Relation
    cells: Relation
    tuples: Relation
    attributes: tuple[QuasiAttribute, ...]
    models: tuple[Asked, ...]
    suppresses: bool

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return _PLACING

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.tuples

    def _place(self, session: Runner, workspace: Workspace) -> Relation:
        """The cell of every combination of values, and the classes that come of them."""
        self._read(session)
        read: list[dict[str, Any]] = [
            {"alias": one.alias, "cells": _read(one), "members": form_of(one).read_members(one)}
            for one in self.attributes
        ]
        inputs = {"cells": self.cells} | {f"cells_{one['alias']}": one["cells"] for one in read}
        inputs |= {f"set_members_{one['alias']}": one["members"] for one in read if one["members"]}
        placed = workspace.make(
            _PLACING,
            "recipe_placed",
            "recipe/placed",
            inputs,
            attributes=read,
            sensitive=sensitive_of(self.models),
        )
        held = self._held(
            session,
            workspace,
            placed,
            "every record lies in a cell of the recipe",
            f"{{records}} records lie in no cell of {self.name!r}, with {{combinations}} "
            "combinations of values that it has not",
        )
        inputs = {"chosen_cells": placed, **held}
        columns = [one.alias for one in self.attributes]
        session.create(tuples_step(self.title, self.tuples, inputs, columns))
        return placed

    def _read(self, session: Runner) -> None:
        """The cells of the earlier release, as codes of the new one's domains."""
        columns = published_columns(self.attributes)
        inputs = {"measured": self.shown}
        params = {"published": tuple(one.alias for one in columns)}
        session.create(Step(_READING, _CLASSES, "measure/classes", inputs, params))
        for attribute in self.attributes:
            of = [one for one in columns if one.attribute == attribute.alias]
            shown = Shown(attribute, of, _CLASSES, _read(attribute), fold=False)
            for step in form_of(attribute).reading(shown):
                session.create(step)


def _read(attribute: QuasiAttribute) -> Relation:
    """The codes that the cells of a quasi-identifier stand for."""
    return work("recipe_cells_", attribute.alias)
