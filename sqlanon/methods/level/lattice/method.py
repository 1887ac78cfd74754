"""The methods that choose one level for every quasi-identifier."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar, Generic, Literal, TypeVar

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.forms import form_of
from sqlanon.methods.level import forming
from sqlanon.methods.level.lattice.search import ChoiceName, LatticeSearch
from sqlanon.methods.level.nodes import Objective, ObjectiveName
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.workspace import CELLS
from sqlanon.plan import Search, Step, work
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.levels import of_one_level


class LatticeSettings(MethodSettings):
    """One level for every column."""

    counts_persons: ClassVar[bool] = False
    publishes: ClassVar[str | None] = "level"
    chooses_levels: ClassVar[bool] = True
    suppresses: ClassVar[bool] = True

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Every quasi-identifier needs a hierarchy, and is published as a label of one level."""
        for name, declared in spec.leading.items():
            if of_one_level(spec, name):
                continue
            what = f"{self.name} publishes every column as labels of one level of its hierarchy: "
            if declared.hierarchy is None:
                what += (
                    "give it one: of numbers {bands: [5, 10]}, of codes {prefix: [3, 0]}, of a few "
                    'words {tree: {"*": [a, b]}}, or a file'
                )
            else:
                what += "leave publish out, or say publish: level"
            yield Problem(f"quasi_identifiers.{name}", what)


class OptimalSettings(LatticeSettings):
    """The levels that lose least among all that satisfy the models."""

    name: Literal["optimal"] = "optimal"
    objective: ObjectiveName = Field(
        default="gcp",
        description="the metric that is kept as good as it can be: gcp, the share of the domain "
        "that is published; precision or minimal_distortion, how far values are moved up their "
        "hierarchies; discernibility, how many records look alike; or non_uniform_entropy, the "
        "share of the bits that tell the values",
    )


class SamaratiSettings(LatticeSettings):
    """The levels of the least height that satisfy the models. Samarati (2001)."""

    name: Literal["samarati"] = "samarati"


class IncognitoSettings(LatticeSettings):
    """All minimal choices of levels that satisfy the models. LeFevre et al. (2005)."""

    name: Literal["incognito"] = "incognito"


class DataflySettings(LatticeSettings):
    """The column with most values goes a level up until the models hold. Sweeney (2002)."""

    name: Literal["datafly"] = "datafly"


_WITH_PEOPLE, _NODES = work("people_cells"), work("judged_nodes")
_Declared = TypeVar("_Declared", bound=LatticeSettings)


class LatticeMethod(Method[_Declared], Generic[_Declared]):
    """Searches the lattice of levels, over the distinct tuples and not over the records."""

    enforces = True
    choice: ClassVar[ChoiceName]

    @property
    def objective(self) -> Objective:
        """The objective that is kept least, where nodes are compared by what they lose."""
        return Objective()

    def group(self, task: Task) -> Grouping:
        """The steps from the tuples, by way of a search, to the classes of one node."""
        scales = [form_of(attribute).scale(attribute) for attribute in task.quasi_identifiers]
        beside = tuple(model for model in task.of_people if model.bound is not None)
        has_choice = any(
            attribute.levels[0] != attribute.levels[1] for attribute in task.quasi_identifiers
        )
        nodes = _NODES if has_choice else None
        search = LatticeSearch(
            cells=_WITH_PEOPLE if beside else CELLS,
            tuples=forming.TUPLES,
            attributes=task.quasi_identifiers,
            scales=tuple(scale for scale, _ in scales),
            models=(*task.models, *beside),
            choice=self.choice,
            allowance=task.allowance,
            k=task.k,
            objective=self.objective,
            projected=task.projected,
            nodes=nodes,
        )
        laid_out = (step for _, steps in scales for step in steps)
        searching: list[Step | Search] = [*_with_people(task, bool(beside)), *laid_out, search]
        if not (task.projected or beside):
            return replace(forming.grouping_on_tuples(task, searching), nodes=nodes)
        grouping = forming.grouping_on_tuples(task, searching, [forming.covering(task)])
        return replace(grouping, covered=forming.COVERED, nodes=nodes)


def _with_people(task: Task, beside: bool) -> list[Step]:
    """The step that adds the tuples of other persons to the source's, where they are tested."""
    if not beside or task.people is None:
        return []
    inputs = {"cells": CELLS, "tuples": task.people}
    columns = {"columns": task.quasi_codes, "sensitive": forming.sensitive_of(task.models)}
    title = "the source and the other persons"
    return [Step(title, _WITH_PEOPLE, "methods/lattice/people_cells", inputs, columns)]


class Optimal(LatticeMethod[OptimalSettings]):
    """Least loss."""

    Settings = OptimalSettings
    choice = "optimal"

    @property
    def objective(self) -> Objective:
        """The objective that the spec names."""
        return Objective(self.settings.objective)


class Samarati(LatticeMethod[SamaratiSettings]):
    """Least height."""

    Settings = SamaratiSettings
    choice = "samarati"


class Incognito(LatticeMethod[IncognitoSettings]):
    """All minimal nodes."""

    Settings = IncognitoSettings
    choice = "incognito"


class Datafly(LatticeMethod[DataflySettings]):
    """One level after the other."""

    Settings = DataflySettings
    choice = "datafly"
