"""Top-down specialization, over the distinct tuples and not over the records.

Fung, Wang and Yu, "Top-Down Specialization for Information and Privacy Preservation" (2005). Every
column begins as the most general it can be. Each step specializes one published value of one
column, for all records that have it: a node of a hierarchy becomes its children, an interval is cut
in two. Of the steps after which every model holds, within the limit of records left out, that is
taken by which the loss falls most; the search ends where there is none. The classes that all of a
round's specializations would make are measured together.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.common.fields import Whole
from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.errors import InfeasibleError, Problem, SpecError
from sqlanon.forms import form_of
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.measure.asked import Asked
from sqlanon.methods.level import forming
from sqlanon.methods.level.forming import SearchForTuples
from sqlanon.methods.level.judging import Conditions
from sqlanon.methods.level.nodes import Objective
from sqlanon.methods.level.top_down.rounds import Cut, Rounds, first_cut
from sqlanon.methods.method import Grouping, Method, Task
from sqlanon.methods.workspace import CELLS, Workspace
from sqlanon.plan import Runner
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.levels import stratified
from sqlanon.spec.publication import FORM_RULES
from sqlanon.sql.names import Relation

_STARTING = "starting from the most general values"
_FORMING = "forming the classes of the chosen cuts"


@dataclass(frozen=True)
class TopDownSearch(SearchForTuples):
    """The search for a cut through the values of every quasi-identifier.

    Attributes:
        attributes: the quasi-identifiers.
        scales: what each loses.
        models: what every class must meet.
        allowance: the greatest share of the records that may be suppressed.
        k: the least class size.
        places: in how many places an interval may be cut at most.
    """

    title: ClassVar[str] = "specializing the values of every quasi-identifier"

    attributes: tuple[QuasiAttribute, ...]
    scales: tuple[QuasiIdentifierScale, ...]
    models: tuple[Asked, ...]
    allowance: Fraction
    k: int
    places: int

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say what it came to.

        Raises:
            InfeasibleError: if not even the most general values satisfy the models.
        """
        workspace = Workspace(session)
        units = Objective().units(self.attributes)
        cuts = [
            first_cut(workspace, self.cells, *attribute, self.places, index)
            for index, attribute in enumerate(zip(self.attributes, self.scales, units, strict=True))
        ]
        cells, standing = self._start(workspace, cuts, sum(units))
        records, failing = standing["records"], standing["failing"]
        most = math.floor(records * self.allowance)
        if failing > most or failing == records:
            raise InfeasibleError(self._nothing(failing, most))
        rounds = Rounds(
            workspace,
            Conditions(models=self.models, k=self.k, most=min(most, records - 1)),
            cells,
            cuts,
            standing["lost"],
            failing,
        )
        rounds.run()
        self._form(session, workspace, rounds)
        session.notes += [
            ("search_rounds", str(rounds.number)),
            ("search_specializations", json.dumps(self._told(rounds), ensure_ascii=False)),
            ("search_gcp", f"{rounds.lost / (records * sum(units)):.9f}"),
        ]
        workspace.clear()

    def _start(
        self, workspace: Workspace, cuts: Sequence[Cut], units: int
    ) -> tuple[Relation, dict[str, int]]:
        """The cells in the classes that the first cuts make, and what these come to."""
        inputs = {"cells": self.cells} | {f"cut_{cut.alias}": cut.relation for cut in cuts}
        params = {"columns": cuts, "sensitive": forming.sensitive_of(self.models)}

        def first(name: str, **held: Relation) -> Relation:
            more = inputs | held
            return workspace.make(_STARTING, name, "methods/top_down/first_cells", more, **params)

        cells = first("top_down_first_cells")
        asked = [model for model in self.models if model.bound is not None]
        if asked:
            cells = first("top_down_cells_0", held=forming.held_cells(workspace, cells, asked))
        found = workspace.one("methods/top_down/standing", {"cells": cells}, units=units)
        return cells, {name: int(value) for name, value in found.items()}

    def _form(self, session: Runner, workspace: Workspace, rounds: Rounds) -> None:
        """The classes of the chosen cuts, and which of them are suppressed."""
        cells = workspace.make(
            _FORMING,
            "top_down_chosen",
            "methods/top_down/chosen_cells",
            {"cells": rounds.cells} | {f"cut_{cut.alias}": cut.relation for cut in rounds.cuts},
            columns=(*rounds.cuts,),
            sensitive=forming.sensitive_of(self.models),
        )
        inputs = forming.class_inputs(workspace, cells, self.models, self.allowance > 0)
        columns = [cut.alias for cut in rounds.cuts]
        session.create(forming.tuples_step(self.title, self.tuples, inputs, columns, extents=True))

    def _told(self, rounds: Rounds) -> dict[str, int]:
        """How many specializations each column had."""
        return {
            attribute.name: rounds.taken[index] for index, attribute in enumerate(self.attributes)
        }

    def _higher(self) -> str:
        """The level to raise, where a column may not go up to its root."""
        bounded = [
            attribute for attribute in self.attributes if attribute.levels[1] < attribute.height
        ]
        if not bounded:
            return ""
        allow = "" if self.allowance else "allow records to be suppressed, "
        return f"take a higher level as levels.{bounded[0].name}, {allow}or "

    def _nothing(self, failing: int, most: int) -> str:
        message = (
            "not even the most general values meet what is asked for"
            + (f" with at most {most:,} records suppressed" if self.allowance else "")
            + f": with all columns at their top {failing:,} records lie in classes that fall "
            f"short; {self._higher()}ask for less"
        )
        if self.allowance:
            return f"{message}, or allow more records to be suppressed"
        return message


class TopDownSettings(MethodSettings):
    """One cut through the hierarchy of every column. Fung, Wang and Yu (2005)."""

    counts_persons: ClassVar[bool] = False
    suppresses: ClassVar[bool] = True
    covers: ClassVar[bool] = True
    by_name: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    tests_projections: ClassVar[bool] = False

    name: Literal["top_down"] = "top_down"
    places: Whole = Field(
        default=15,
        ge=1,
        le=1000,
        description="in how many places an interval of a column without hierarchy may be cut "
        "in two at most, not counting NULL: equal shares of its records apart",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Every column is published as labels of its hierarchy or as intervals."""
        for name in stratified(spec):
            if spec.quasi_identifiers[name].hierarchy is None:
                what = f"{self.name} keeps groups of a hierarchy apart, and the column has none: "
                what += "give it one, or take mondrian or split_or_deal"
                yield Problem(f"levels.{name}", what)
        for name, declared in spec.leading.items():
            where = f"quasi_identifiers.{name}"
            form = FORM_RULES[declared.publish] if declared.publish else None
            on_cut = form is None or (form.shows == "label" and not form.one_level)
            if declared.hierarchy is not None and not on_cut:
                what = "labels of its hierarchy, on one cut: leave publish out, or say publish: lca"
                yield Problem(where, f"{self.name} publishes the column as {what}")
            elif declared.hierarchy is None and declared.order is not None and form is None:
                what = "intervals of its order: say publish: interval or publish: bounds"
                yield Problem(where, f"{self.name} publishes the column as {what}")
            elif declared.hierarchy is None and form is not None and form.shows != "ends":
                what = "intervals: leave publish out, or give the column a hierarchy"
                yield Problem(where, f"{self.name} publishes a column without hierarchy as {what}")


class TopDown(Method[TopDownSettings]):
    """Specializes the most general values, one at a time, while every model holds."""

    Settings = TopDownSettings
    enforces = True

    def group(self, task: Task) -> Grouping:
        """The steps from the tuples, by way of a search, to the classes of one cut a column.

        Raises:
            SpecError: if the values of a column have neither a hierarchy nor an order.
        """
        problems = [
            _unordered(attribute) for attribute in task.quasi_identifiers if _is_set(attribute)
        ]
        if problems:
            raise SpecError(problems)
        scales = [form_of(attribute).scale(attribute) for attribute in task.quasi_identifiers]
        search = TopDownSearch(
            cells=CELLS,
            tuples=forming.TUPLES,
            attributes=task.quasi_identifiers,
            scales=tuple(scale for scale, _ in scales),
            models=task.models,
            allowance=task.allowance,
            k=task.k,
            places=self.settings.places,
        )
        laid_out = (step for _, steps in scales for step in steps)
        grouping = forming.grouping_on_tuples(task, (*laid_out, search), [forming.covering(task)])
        return replace(grouping, covered=forming.COVERED)


def _is_set(attribute: QuasiAttribute) -> bool:
    return form_of(attribute).listed


def _unordered(attribute: QuasiAttribute) -> Problem:
    what = "top_down needs a hierarchy of its values, or an order of them with publish: interval; "
    what += (
        'a hierarchy of a few words is {tree: {"*": [a, b]}}, of codes {prefix: [3, 0]}, or a file'
    )
    return Problem(f"quasi_identifiers.{attribute.name}", what)
