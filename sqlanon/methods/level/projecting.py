"""Groups by some of the attributes at a node of the lattice: whether they are large enough.

Such a group depends on the levels of its attributes alone, and is never smaller at higher ones: it
is counted once for each choice of these. LeFevre et al. (2005), §3. Where records may be suppressed
a group loses those of the classes that are; the classes that are kept are the most that can be.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlanon.measure.projected import Projected
from sqlanon.methods.level.nodes import Lattice, Node
from sqlanon.methods.workspace import Workspace
from sqlanon.sql.names import Relation

_TITLE = "judging what is known of some columns"


class Projections:
    """The demands on groups by some of the attributes, and what was found of them.

    Args:
        workspace: makes the relations.
        lattice: the nodes.
        placed: the tuples with their groups at every level.
        names: the attributes' names, in the order of the lattice.
        asked: what is asked.
    """

    def __init__(
        self,
        workspace: Workspace,
        lattice: Lattice,
        placed: Relation,
        names: Sequence[str],
        asked: Sequence[Projected],
    ) -> None:
        self._workspace, self._lattice, self._placed = workspace, lattice, placed
        self._asked = asked
        self._members = [
            [place for place, name in enumerate(names) if name in one.columns] for one in asked
        ]
        self._failing = dict[tuple[int, Node], int]()

    def __bool__(self) -> bool:
        return bool(self._asked)

    def failing(self, node: Node) -> int:
        """How many records lie in groups that are too small, at most; 0 where there are none."""
        return max(self._failing_of(number, node) for number in range(len(self._asked)))

    def _failing_of(self, number: int, node: Node) -> int:
        known = number, tuple(node[place] for place in self._members[number])
        if known not in self._failing:
            found = self._workspace.one(
                "methods/level/projected_sums",
                {"placed": self._placed},
                parts=self._parts(node, self._members[number]),
                least=self._asked[number].k,
            )
            self._failing[known] = int(found["failing"])
        return self._failing[known]

    def kept(
        self, node: Node, held: Relation | None, least: int, first: int
    ) -> tuple[Relation, Relation]:
        """The classes that meet all else, and those of them that can be kept: ``holds`` is 1.

        Every round leaves out classes of groups that are too small by then, until none is.

        Args:
            node: the node.
            held: which classes meet what is asked of each alone; None where that is the size.
            least: the least class size.
            first: the number of the first class.
        """
        projections = self.parameters(node)
        opened = self._workspace.make(
            _TITLE,
            "lattice_projected_open",
            "methods/level/projected_open",
            {"placed": self._placed} | ({} if held is None else {"held": held}),
            parts=self._parts(node, range(len(node))),
            projections=projections,
            least=least,
            first=first,
        )
        kept, turn = opened, 0
        while True:
            before, turn = kept, 1 - turn
            name, inputs = f"lattice_projected_kept_{turn}", {"projected_open": before}
            kept = self._workspace.make(
                _TITLE, name, "methods/level/projected_kept", inputs, projections=projections
            )
            # Groups by one set of attributes have no class in common.
            if len(projections) == 1 or self._workspace.rows(kept) == self._workspace.rows(before):
                return opened, kept

    def parameters(self, node: Node, places: Sequence[int] = ()) -> list[dict[str, Any]]:
        """The demands, as templates read them.

        Args:
            node: the node.
            places: the place of each among all that is asked for, where that matters.
        """
        return [
            {
                "place": number + 1,
                "k": one.k,
                "parts": self._parts(node, self._members[number]),
                "model": places[number] if places else 0,
            }
            for number, one in enumerate(self._asked)
        ]

    def _parts(self, node: Node, places: Sequence[int]) -> list[dict[str, Any]]:
        return [
            {"alias": self._lattice.dimensions[place].alias, "level": node[place]}
            for place in places
        ]
