"""The search for a level of every quasi-identifier, by the lattice of levels.

Full-domain generalization after Samarati (2001) and LeFevre et al. (2005). Where no record may be
left out, every class must meet every model. Where some may be, the records of classes that do not
are suppressed, as long as they are not too many; each counts as if all of it was lost.

The methods are choices of one search: which node of the lattice is taken. Nodes are judged from
coarse to fine. Where all models allow it, the nodes below a node that is not satisfied are passed
over. Nodes that cannot lose less than the best so far are, with all models.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from sqlanon.clauses import allowing
from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.errors import InfeasibleError
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.measure.asked import Asked, Requirements
from sqlanon.measure.cover import Projected
from sqlanon.methods.level.forming import (
    SearchForTuples,
    chosen_cells,
    class_inputs,
    sensitive_of,
    tuples_step,
)
from sqlanon.methods.level.judging import Judge, Projections
from sqlanon.methods.level.nodes import Dimension, Lattice, Node, Objective
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Check, Runner, Step, laid_out
from sqlanon.sql.names import Relation

ChoiceName = Literal["optimal", "samarati", "incognito", "datafly"]


@dataclass(frozen=True)
class Choice:
    """The node that was chosen, if there is any, and those that it was chosen among.

    Attributes:
        node: the node.
        minimal: with incognito, all nodes that are satisfied while none below is.
    """

    node: Node | None
    minimal: tuple[Node, ...] = ()


def choose(name: ChoiceName, lattice: Lattice, judge: Judge) -> Choice:
    """Search the lattice."""
    return _CHOICES[name](lattice, judge)


def _optimal(lattice: Lattice, judge: Judge) -> Choice:
    """The least loss; of equal losses the fewest suppressed records, then the least height."""
    best: list[tuple[int, int, int, Node]] = []

    def most_loss() -> int | None:
        return best[0][0] if best else None

    def judged(node: Node) -> None:
        found = judge.found[node]
        if judge.satisfied(node):
            best[:] = [min([*best, (found.loss, found.failing, sum(node), node)])]

    _walk(lattice, judge, judged, most_loss=most_loss)
    return Choice(best[0][-1] if best else None)


def _samarati(lattice: Lattice, judge: Judge) -> Choice:
    """The least height; of equal heights the least loss."""
    best: list[tuple[int, int, Node]] = []

    def judged(node: Node) -> None:
        if judge.satisfied(node):
            best[:] = [min([*best, (sum(node), judge.found[node].loss, node)])]

    _walk(lattice, judge, judged, most_height=lambda: best[0][0] if best else None)
    return Choice(best[0][-1] if best else None)


def _incognito(lattice: Lattice, judge: Judge) -> Choice:
    """All minimal nodes, and of these the one that loses least."""
    satisfied: set[Node] = set()

    def judged(node: Node) -> None:
        if judge.satisfied(node):
            satisfied.add(node)

    _walk(lattice, judge, judged)
    beyond: set[Node] = set()  # nodes above a satisfied one
    for stretch in reversed(list(lattice.stretches())):
        for node in reversed(stretch):
            if any(lower in satisfied or lower in beyond for lower in lattice.below(node)):
                beyond.add(node)
    minimal = sorted(satisfied - beyond)
    keys = [(judge.found[node].loss, sum(node), node) for node in minimal]
    return Choice(min(keys)[-1] if keys else None, tuple(minimal))


def _datafly(lattice: Lattice, judge: Judge) -> Choice:
    """From the bottom up the attribute with most groups goes a level higher, until it is enough."""
    node = lattice.bottom
    while True:
        judge.judge([node])
        if judge.satisfied(node):
            return Choice(node)
        higher = [
            (-dimension.size(level), index)
            for index, (dimension, level) in enumerate(zip(lattice.dimensions, node, strict=True))
            if level < dimension.levels_used[-1]
        ]
        if not higher:
            return Choice(None)
        index = min(higher)[1]
        node = (*node[:index], node[index] + 1, *node[index + 1 :])


_CHOICES: dict[ChoiceName, Callable[[Lattice, Judge], Choice]] = {
    "optimal": _optimal,
    "samarati": _samarati,
    "incognito": _incognito,
    "datafly": _datafly,
}


def _walk(
    lattice: Lattice,
    judge: Judge,
    judged: Callable[[Node], None],
    most_loss: Callable[[], int | None] = lambda: None,
    most_height: Callable[[], int | None] = lambda: None,
) -> None:
    """Judge the nodes from coarse to fine, but for those of which it is known what they come to.

    Args:
        lattice: the nodes.
        judge: judges them.
        judged: takes every node that was judged.
        most_loss: the loss beyond which a node is not wanted, so far.
        most_height: the height beyond which a node is not wanted, so far.
    """
    for stretch in lattice.stretches():
        loss, height, wanted = most_loss(), most_height(), []
        for node in stretch:
            above = list(lattice.above(node))
            judge.certain[node] = max((judge.certain[upper] for upper in above), default=0)
            if any(upper in judge.ruled_out for upper in above):
                judge.ruled_out.add(node)
                continue
            too_much = loss is not None and lattice.loss(node) + judge.certain[node] > loss
            if not too_much and (height is None or sum(node) <= height):
                wanted.append(node)
        judge.judge(wanted, loss)
        for node in wanted:
            if node in judge.found:
                judged(node)


MOST_NODES = 200_000
MOST_KEPT = 10_000  # of the nodes that were judged; a statement holds them
_LAYING = "laying out the levels"
_FORMING = "forming the classes of the chosen levels"


@dataclass(frozen=True)
class LatticeSearch(SearchForTuples):
    """The search for a node of the lattice.

    Attributes:
        attributes: the quasi-identifiers, with the levels that each may have.
        scales: what each loses at every level.
        models: what every class must meet.
        choice: which node is wanted.
        allowance: the greatest share of the records that may be suppressed.
        k: the least class size.
        objective: what is kept least.
        projected: what is asked of the groups by some of the quasi-identifiers.
        nodes: the relation to make of the nodes that are judged; None where there is one alone.

    Where something is asked of persons of another table, the cells are theirs, too. These have no
    records of the source, and every cell says how many persons have it (``people``).
    """

    attributes: tuple[QuasiAttribute, ...]
    scales: tuple[QuasiIdentifierScale, ...]
    models: tuple[Asked, ...]
    choice: ChoiceName
    allowance: Fraction
    k: int
    objective: Objective
    projected: tuple[Projected, ...] = ()
    nodes: Relation | None = None

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        if self._only is not None:
            return "judging the level of every quasi-identifier"
        return "searching for the level of every quasi-identifier"

    @property
    def people(self) -> bool:
        """Whether the cells are those of persons of another table, too."""
        return any(model.model.is_of_covered for model in self.models)

    def foreseen(self) -> tuple[Step | Check, ...] | None:
        """The steps that form the classes, where every column has one level to choose from."""
        node = self._only
        return None if node is None else laid_out(lambda runner: self._fixed(runner, node))

    @property
    def _only(self) -> Node | None:
        """The one node there is, where every column has one level to choose from."""
        if any(
            least != most for least, most in (attribute.levels for attribute in self.attributes)
        ):
            return None
        return tuple(least for least, _ in (attribute.levels for attribute in self.attributes))

    def _fixed(self, session: Runner, node: Node) -> None:
        workspace = Workspace(session)
        lattice = self._laid(workspace)
        placed = self._placed(workspace, lattice)
        names = [attribute.name for attribute in self.attributes]
        projections = Projections(workspace, lattice, placed, names, self.projected)
        self._form(session, workspace, placed, node, projections)

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say what was chosen among how many.

        Raises:
            InfeasibleError: if no node satisfies the models, or the lattice is too large.
        """
        workspace = Workspace(session)
        records = int(workspace.one("cells/record_count", {"cells": self.cells})["records"] or 0)
        if not records and self._only is not None:  # counts of none: there is nothing to judge
            self._fixed(session, self._only)
            return
        lattice, units = self._lattice(workspace)
        placed = self._placed(workspace, lattice)
        most = math.floor(records * self.allowance)
        names = [attribute.name for attribute in self.attributes]
        projections = Projections(workspace, lattice, placed, names, self.projected)
        pairs = 0 if self.objective.by_record else records
        judge = Judge(
            workspace,
            lattice=lattice,
            placed=placed,
            models=self.models,
            units=units,
            most_suppressed=most,
            k=self.k,
            projections=projections,
            pairs=pairs,
        )
        chosen = choose(self.choice, lattice, judge)
        if chosen.node is None:
            raise InfeasibleError(self._nothing(lattice, judge, most))
        session.notes += self._notes(lattice, judge, chosen, chosen.node, records)
        self._form(session, workspace, placed, chosen.node, projections)
        if self.nodes is not None:
            rows = self._judged(judge, chosen.node, records)
            session.create(
                Step(self.title, self.nodes, "methods/lattice/judged", {}, {"rows": rows})
            )
        workspace.clear()

    def _placed(self, workspace: Workspace, lattice: Lattice) -> Relation:
        """The tuples with their groups at every level."""
        return workspace.make(
            _LAYING,
            "lattice_placed",
            "methods/level/placed",
            {"cells": self.cells}
            | {f"groups_{dimension.alias}": dimension.groups for dimension in lattice.dimensions},
            attributes=lattice.dimensions,
            sensitive=sensitive_of(self.models),
            people=self.people,
        )

    def _laid(self, workspace: Workspace) -> Lattice:
        """The lattice, with groups that are not yet counted."""
        weights = self.objective.units(self.attributes)
        return Lattice(
            tuple(
                self._groups(workspace, *attribute)
                for attribute in zip(self.attributes, self.scales, weights, strict=True)
            )
        )

    def _lattice(self, workspace: Workspace) -> tuple[Lattice, int]:
        """The lattice, and the loss of a record of which all is lost."""
        size = math.prod(
            most - least + 1 for least, most in (attribute.levels for attribute in self.attributes)
        )
        if size > MOST_NODES:
            raise InfeasibleError(
                f"the levels make {size:,} combinations, and {MOST_NODES:,} are searched at most: "
                "bound or fix some by levels: {COLUMN: [LOWEST, HIGHEST]}"
            )
        weights = self.objective.units(self.attributes)
        laid = self._laid(workspace).dimensions
        sums = workspace.several(
            "methods/lattice/level_sums",
            {f"groups_{dimension.alias}": dimension.groups for dimension in laid},
            sum(len(dimension.levels_used) for dimension in laid),
            attributes=laid,
        )
        found = {(int(row["number"]), int(row["level"])): row for row in sums}

        def column(name: str, index: int, dimension: Dimension) -> tuple[int, ...]:
            return tuple(int(found[index, level][name]) for level in dimension.levels_used)

        dimensions = tuple(
            replace(
                dimension,
                sizes=column("groups", index, dimension),
                losses=column("loss", index, dimension),
            )
            for index, dimension in enumerate(laid)
        )
        tells = [
            not self.objective.by_entropy or workspace.rows(dimension.groups) > 1
            for dimension in dimensions
        ]
        return Lattice(dimensions), sum(itertools.compress(weights, tells))

    def _groups(
        self,
        workspace: Workspace,
        attribute: QuasiAttribute,
        scale: QuasiIdentifierScale,
        units: int,
    ) -> Dimension:
        """An attribute with its groups at all of its levels, not yet counted."""
        assert scale.levels is not None  # noqa: S101 - a spec without a hierarchy is refused
        assert scale.losses is not None  # noqa: S101
        least, most = attribute.levels
        fixed = self.objective.fixed(attribute, units)
        groups = workspace.make(
            _LAYING,
            f"lattice_groups_{attribute.alias}",
            "methods/lattice/groups",
            {"cells": self.cells, "levels": scale.levels}
            | ({} if fixed or self.objective.by_entropy else {"losses": scale.losses}),
            column=attribute.alias,
            levels_used=range(least, most + 1),
            units=units,
            fixed=fixed,
            entropy=self.objective.by_entropy,
        )
        unknown = (0,) * (most + 1 - least)
        return Dimension(attribute.alias, groups, least, unknown, unknown)

    def _form(
        self,
        session: Runner,
        workspace: Workspace,
        placed: Relation,
        node: Node,
        projections: Projections,
    ) -> None:
        """The classes of the node, and which of them are suppressed."""
        columns = [attribute.alias for attribute in self.attributes]
        extents = bool(projections) or self.people
        chosen = list(zip(columns, node, strict=True))
        cells = chosen_cells(workspace, placed, chosen, self.models, extents, self.people)
        inputs = class_inputs(workspace, cells, self.models, self.allowance > 0, self.people)
        if self.allowance and projections:
            requirements = Requirements.bounded((*self.models, *self.projected))
            opened, kept = projections.kept(node, inputs.get("held"), self.k, first=1)
            numbers = [requirements.number(projection.key) for projection in self.projected]
            inputs["projected_held"] = workspace.make(
                _FORMING,
                "lattice_projected_held",
                "methods/lattice/projected_held",
                {"projected_open": opened, "projected_kept": kept},
                projections=projections.parameters(node, numbers),
            )
        session.create(tuples_step(self.title, self.tuples, inputs, columns, extents, self.people))

    def _notes(
        self, lattice: Lattice, judge: Judge, chosen: Choice, node: Node, records: int
    ) -> list[tuple[str, str]]:
        """The entries of the run record on the search."""
        notes = [
            ("search_levels", self._told(node)),
            ("search_lattice", f"{len(judge.found):,} of {lattice.size:,} nodes judged"),
            (f"search_{self.objective.name}", self._lost(judge, node, records)),
        ]
        if chosen.minimal:
            minimal = [
                {
                    "levels": json.loads(self._told(least)),
                    "height": sum(least),
                    "suppressed": judge.found[least].failing,
                    "gcp": float(self._lost(judge, least, records)),
                }
                for least in chosen.minimal
            ]
            notes.append(("search_minimal", json.dumps(minimal, ensure_ascii=False)))
        return notes

    def _judged(self, judge: Judge, chosen: Node, records: int) -> list[tuple[object, ...]]:
        """The nodes that were judged, as rows: those that hold first, then what loses least."""
        found = [
            (not judge.satisfied(node), judgement.loss, judgement.failing, sum(node), node)
            for node, judgement in judge.found.items()
        ]
        kept = sorted(found)[:MOST_KEPT]
        return [
            (
                number,
                self._told(node),
                height,
                self.objective.name,
                self._lost(judge, node, records),
                failing,
                not fails,
                node == chosen,
            )
            for number, (fails, _, failing, height, node) in enumerate(kept, 1)
        ]

    def _lost(self, judge: Judge, node: Node, records: int) -> str:
        return self.objective.value(judge.found[node].loss, records, self.attributes)

    def _told(self, node: Node) -> str:
        levels = {
            attribute.name: level for attribute, level in zip(self.attributes, node, strict=True)
        }
        return json.dumps(levels, ensure_ascii=False)

    def _nothing(self, lattice: Lattice, judge: Judge, most: int) -> str:
        if lattice.size == 1 and self.allowance == 1:  # nothing was chosen, nothing is limited
            return (
                "at the levels that are named every class violates what is asked for, so that no "
                "record would be left: name higher levels, publish fewer quasi-identifiers, or ask "
                "for less (of ε and δ, for a smaller epsilon or a greater delta)"
            )
        judge.judge([lattice.top])
        found = judge.found[lattice.top]
        message = (
            f"none of the {lattice.size:,} choices of levels meets what is asked for"
            + (f" with at most {most:,} records suppressed" if self.allowance else "")
            + f": at the highest levels {found.failing:,} records lie in classes that violate it; "
            "ask for less, "
        )
        if any(
            most < attribute.height
            for attribute in self.attributes
            for _, most in [attribute.levels]
        ):
            message += "allow higher levels, "
        if self.allowance:
            return f"{message}or allow more records to be suppressed"
        return (
            f"{message}or, where classes are published as generalized, allow records to be "
            f"suppressed ({allowing()})"
        )
