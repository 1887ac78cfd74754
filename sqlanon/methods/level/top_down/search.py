"""The search for one cut a column, from the top down.

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
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.errors import InfeasibleError
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.measure.asked import Asked
from sqlanon.methods.level.forming import class_inputs, held_cells, sensitive_of, tuples_step
from sqlanon.methods.level.objective import Objective
from sqlanon.methods.level.top_down.cuts import Cut, first_cut
from sqlanon.methods.level.top_down.rounds import Conditions, Rounds
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Runner, SearchOnCells
from sqlanon.sql.names import Relation

_STARTING = "starting from the most general values"
_FORMING = "forming the classes of the chosen cuts"


@dataclass(frozen=True)
class TopDownSearch(SearchOnCells):
    """The search for a cut through the values of every quasi-identifier.

    Attributes:
        cells: a row for each combination of codes in the data: cell_id, q1, …, s1, …, records.
        tuples: the relation to make: for each combination of quasi-identifiers its class, what its
            cells cover, and the first model that this fails, by its place among those asked for.
        attributes: the quasi-identifiers.
        scales: what each loses.
        models: what every class must meet.
        allowance: the greatest share of the records that may be suppressed.
        k: the least class size.
        places: in how many places an interval may be cut at most.
    """

    cells: Relation
    tuples: Relation
    attributes: tuple[QuasiAttribute, ...]
    scales: tuple[QuasiIdentifierScale, ...]
    models: tuple[Asked, ...]
    allowance: Fraction
    k: int
    places: int

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return "specializing the values of every quasi-identifier"

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.tuples

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say what it came to.

        Raises:
            InfeasibleError: if not even the most general values satisfy the models.
        """
        workspace = Workspace(session)
        units = Objective().units(self.attributes)
        cuts = [
            first_cut(workspace, self.cells, *one, self.places, place)
            for place, one in enumerate(zip(self.attributes, self.scales, units, strict=True))
        ]
        cells, standing = self._start(workspace, cuts, sum(units))
        records, failing = standing["records"], standing["failing"]
        most = math.floor(records * self.allowance)
        if failing > most or failing == records:
            raise InfeasibleError(self._nothing(failing, most))
        rounds = Rounds(
            workspace,
            Conditions(self.models, self.k, sum(units), min(most, records - 1)),
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
        inputs = {"cells": self.cells} | {f"cut_{one.alias}": one.relation for one in cuts}
        params = {"columns": cuts, "sensitive": sensitive_of(self.models)}

        def first(name: str, **held: Relation) -> Relation:
            more = inputs | held
            return workspace.make(_STARTING, name, "methods/top_down/first_cells", more, **params)

        cells = first("top_down_first_cells")
        asked = [one for one in self.models if one.bound is not None]
        if asked:
            cells = first("top_down_cells_0", held=held_cells(workspace, cells, asked))
        found = workspace.one("methods/top_down/standing", {"cells": cells}, units=units)
        return cells, {name: int(value) for name, value in found.items()}

    def _form(self, session: Runner, workspace: Workspace, rounds: Rounds) -> None:
        """The classes of the chosen cuts, and which of them are suppressed."""
        cells = workspace.make(
            _FORMING,
            "top_down_chosen",
            "methods/top_down/chosen_cells",
            {"cells": rounds.cells} | {f"cut_{one.alias}": one.relation for one in rounds.cuts},
            columns=(*rounds.cuts,),
            sensitive=sensitive_of(self.models),
        )
        inputs = class_inputs(workspace, cells, self.models, self.allowance > 0)
        columns = [one.alias for one in rounds.cuts]
        session.create(tuples_step(self.title, self.tuples, inputs, columns, extents=True))

    def _told(self, rounds: Rounds) -> dict[str, int]:
        """How many specializations each column had."""
        return {one.name: rounds.taken[place] for place, one in enumerate(self.attributes)}

    def _higher(self) -> str:
        """The level to raise, where a column may not go up to its root."""
        bounded = [one for one in self.attributes if one.levels[1] < one.height]
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
