"""Splits: between which neighbouring values a quasi-identifier may be parted, and into what.

Many sets are judged at once, on the distinct tuples with their counts: the classes of many sets are
counted in one statement, together with the finest classes that they may still come to. So one pass
gives both the cost of a set and the least cost of a larger one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sqlanon.measure.asked import Asked
from sqlanon.methods.level.forming import sensitive_of
from sqlanon.methods.level.judging import Conditions, held_classes
from sqlanon.methods.level.nodes import MOST_ID
from sqlanon.methods.workspace import Workspace
from sqlanon.sql.names import Relation, Sql

#: Some of the splits of all quasi-identifiers, by their numbers.
Splits = frozenset[int]


@dataclass(frozen=True)
class Group:
    """Bins that are published alike.

    Attributes:
        number: its place among the groups of the quasi-identifier, from 0.
        low: its first bin.
        loss: what a record loses by it, in units.
    """

    number: int
    low: int
    loss: int


@dataclass(frozen=True)
class Dimension:
    """A quasi-identifier that is split.

    Attributes:
        alias: its column.
        bins: a row for each code, with its bin.
        size: how many bins there are.
        losses: what publishing the bins from one to another loses, in units; none where losses
            do not count.
        fixed: the bins that a group starts with always, but for the first: those of strata.
    """

    alias: Sql
    bins: Relation
    size: int
    losses: Mapping[tuple[int, int], int]
    fixed: tuple[int, ...] = ()

    def groups(self, starts: tuple[int, ...]) -> list[Group]:
        """The groups, the last first, by the bins that they start with but for the first."""
        lows = (0, *starts)
        ends = [*(start - 1 for start in starts), self.size - 1]
        groups = [
            Group(number, low, self.losses.get((low, high), 0))
            for number, (low, high) in enumerate(zip(lows, ends, strict=True))
        ]
        return groups[::-1]


@dataclass(frozen=True)
class Space:
    """All splits that a search chooses among, numbered along the quasi-identifiers."""

    dimensions: tuple[Dimension, ...]

    @cached_property
    def splits(self) -> list[tuple[int, int]]:
        """Of every split the index of its quasi-identifier, and the bin that starts there."""
        return [
            (index, start)
            for index, dimension in enumerate(self.dimensions)
            for start in range(1, dimension.size)
            if start not in dimension.fixed
        ]

    @property
    def all(self) -> Splits:
        """All splits."""
        return frozenset(range(len(self.splits)))

    def starts(self, splits: Splits, index: int) -> tuple[int, ...]:
        """The bins of a quasi-identifier that a group starts with, but for the first."""
        found = (self.splits[split] for split in splits)
        chosen = (start for other, start in found if other == index)
        return tuple(sorted((*self.dimensions[index].fixed, *chosen)))

    def near(self, splits: Splits) -> list[Splits]:
        """The sets with one split more or less, or one moved to a neighbouring place."""
        more = [splits | {number} for number in sorted(self.all - splits)]
        less = [splits - {split} for split in sorted(splits)]
        moved = [
            splits - {split} | {other}
            for split in sorted(splits)
            for other in (split - 1, split + 1)
            if 0 <= other < len(self.splits)
            and other not in splits
            and self.splits[other][0] == self.splits[split][0]
        ]
        return [*more, *less, *moved]


TITLE = "judging sets of splits"
# So many are judged at once at most, and of so many tuples together: a statement of many more takes
# longer to plan than it saves.
TOGETHER, ROWS_TOGETHER = 32, 3_000_000


@dataclass(frozen=True)
class Candidate:
    """A set of splits that is to be judged.

    Attributes:
        head: the set.
        finest: the largest set that it may be enlarged to.
        parent: the set that it is made of by one more split; itself where that does not matter.
    """

    head: Splits
    finest: Splits
    parent: Splits


@dataclass(frozen=True)
class Judgement:
    """The judgement of a set of splits.

    Attributes:
        cost: what the release would cost, in units or pairs.
        bound: the least that it or a set made of it costs.
        satisfied: whether it meets the models within the limit of what is left out.
        failing: how many records would be suppressed.
        hopeless: whether neither it nor a set made of it is satisfied.
        useful: whether the last split may make it, or a set made of it, cost less: for pairs, if it
            sets a class apart that is large enough.
    """

    cost: int
    bound: int
    satisfied: bool
    failing: int
    hopeless: bool
    useful: bool


class Judge:
    """Judges sets of splits.

    Args:
        workspace: makes the relations.
        space: the splits.
        tuples: the combinations of bins and sensitive values, with their records.
        models: what every class must meet.
        k: the least class size.
        most: how many records may be suppressed.
        whole: what a suppressed record costs.
        pairs: whether pairs of records that look alike are counted, and not what records lose.
    """

    def __init__(
        self,
        workspace: Workspace,
        space: Space,
        tuples: Relation,
        models: Sequence[Asked],
        k: int,
        most: int,
        whole: int,
        pairs: bool,
    ) -> None:
        self._workspace, self._space, self._tuples = workspace, space, tuples
        self._most, self._whole, self._pairs = most, whole, pairs
        self._asked = Conditions(models=models, k=k, most=most)
        self._radixes = [1]
        for dimension in space.dimensions:
            self._radixes.append(self._radixes[-1] * dimension.size)
        self._span = self._radixes.pop()
        rows = max(1, workspace.rows(tuples))
        self.together = max(1, min(TOGETHER, ROWS_TOGETHER // rows, MOST_ID // self._span))

    def judge(self, candidates: Sequence[Candidate]) -> list[Judgement]:
        """Judge sets of splits, in their order."""
        return [
            judgement
            for first in range(0, len(candidates), self.together)
            for judgement in self._judge(candidates[first : first + self.together])
        ]

    def _judge(self, candidates: Sequence[Candidate]) -> list[Judgement]:
        """Judge as many as are judged at once."""
        levels: list[dict[tuple[int, ...], int]] = [{} for _ in self._space.dimensions]
        nodes = [
            {
                "node": number,
                "parts": self._parts(candidate.head, levels),
                "finest": self._parts(candidate.finest, levels),
                "parent": self._parts(candidate.parent, levels),
            }
            for number, candidate in enumerate(candidates)
        ]
        sensitive = sensitive_of(self._asked.measured)
        placed = self._workspace.make(
            TITLE,
            "split_placed",
            "methods/k_optimize/placed",
            {"tuples": self._tuples},
            parts=[
                {"alias": dimension.alias, "level": level, "groups": dimension.groups(starts)}
                for dimension, known in zip(self._space.dimensions, levels, strict=True)
                for starts, level in known.items()
            ],
            sensitive=sensitive,
        )
        parts = self._workspace.make(
            TITLE,
            "split_parts",
            "methods/k_optimize/node_parts",
            {"placed": placed},
            nodes=nodes,
            span=self._span,
        )
        classes = self._workspace.make(
            TITLE, "split_classes", "methods/k_optimize/node_classes", {"node_parts": parts}
        )
        inputs = {"node_classes": classes, "node_parts": parts}
        if self._asked.measured:
            inputs["held"] = self._held(placed, classes, nodes)
        rows = self._workspace.several(
            "methods/k_optimize/node_sums",
            inputs,
            len(nodes),
            least=self._asked.least,
            whole=self._whole,
            pairs=self._pairs,
            lasting=Sql("holds" if self._asked.parted else "large"),
        )
        found = {int(row["node"]): self._judgement(row) for row in rows}
        return [found[number] for number in range(len(nodes))]

    def _judgement(self, row: dict[str, Any]) -> Judgement:
        failing, doomed = int(row["failing"]), int(row["doomed"])
        return Judgement(
            cost=int(row["cost"]),
            bound=int(row["bound"]),
            satisfied=failing <= self._most and int(row["kept"]) > 0,
            failing=failing,
            hopeless=doomed > self._most or (self._asked.inherited and failing > self._most),
            # A split that parts no class still narrows the stretch that is published next to it.
            useful=not self._pairs or bool(row["useful"]),
        )

    def _parts(
        self, splits: Splits, levels: list[dict[tuple[int, ...], int]]
    ) -> list[dict[str, Any]]:
        """How the classes of a set are numbered: a digit for each quasi-identifier."""
        parts = []
        for index, dimension in enumerate(self._space.dimensions):
            starts = self._space.starts(splits, index)
            level = levels[index].setdefault(starts, len(levels[index]))
            parts.append({"alias": dimension.alias, "level": level, "radix": self._radixes[index]})
        return parts

    def _held(
        self, placed: Relation, classes: Relation, nodes: Sequence[dict[str, Any]]
    ) -> Relation:
        """Which classes meet each model, of those that are large enough."""
        large = self._workspace.make(
            TITLE,
            "split_large",
            "methods/level/large_classes",
            {"node_classes": classes},
            least=self._asked.least,
            nodes=nodes,
        )
        attributes = {
            model.attribute.alias: model.attribute
            for model in self._asked.measured
            if model.attribute
        }
        values = {
            str(alias): self._workspace.make(
                TITLE,
                f"split_values_{alias}",
                "methods/level/node_values",
                {"rolled": placed, "classes": large, "positions": attribute.positions},
                attribute=alias,
                nodes=nodes,
                span=self._span,
                radix=1,
            )
            for alias, attribute in attributes.items()
        }
        return held_classes(self._workspace, self._asked.measured, large, values)


def numbers_fit(sizes: Sequence[int]) -> bool:
    """Whether classes of quasi-identifiers with so many bins can be numbered."""
    return math.prod(sizes) <= MOST_ID
