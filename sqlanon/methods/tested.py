"""What every class of a search must meet, as its templates test the two sides of a cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.hierarchies import Attribute
from sqlanon.methods.bench import Bench
from sqlanon.plan import work
from sqlanon.privacy import Model
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class Tested:
    """A sensitive attribute and the models asked of it.

    Attributes:
        alias: its column in the cells.
        positions: a row for each value: code, records in the table, position in the order of the
            distance, and for a hierarchical distance node_0 to node_<height - 1>.
        t: the greatest distance of a class to the table.
        distance: ``equal``, ``ordered`` or ``hierarchical``.
        alpha: the greatest share of a value in a class.
        distinct: the least number of values in a class.
        entropy: the least effective number of values in a class, exp of the entropy.
        recursive: c and l of recursive (c, l)-diversity.
        height: of the hierarchy.
    """

    alias: Sql
    positions: Relation
    t: Fraction | None
    distance: str
    alpha: Fraction | None
    distinct: int | None
    entropy: Fraction | None
    recursive: tuple[Fraction, int] | None
    height: int

    @property
    def diverse(self) -> bool:
        """Whether anything beside t is asked."""
        asked = (self.alpha, self.distinct, self.entropy, self.recursive)
        return any(one is not None for one in asked)

    @property
    def asked(self) -> bool:
        """Whether anything is asked."""
        return self.t is not None or self.diverse


def tested(attribute: Attribute, models: Sequence[Model]) -> Tested:
    """The models asked of a sensitive attribute, as the search tests them."""
    assert attribute.positions is not None  # noqa: S101 - sensitive attributes have them
    own = {model.metric: model for model in models if model.attribute == attribute}
    asked = {metric: model.threshold for metric, model in own.items()}
    distinct, recursive = asked["distinct_l"], own.get("recursive_l")
    return Tested(
        attribute.alias,
        attribute.positions,
        asked["t_closeness"],
        own["t_closeness"].template.removeprefix("privacy/t_"),
        asked["alpha"],
        None if distinct is None else int(distinct),
        asked["entropy_l"],
        None
        if recursive is None or recursive.threshold is None
        else (recursive.threshold, recursive.params["l"]),
        attribute.height,
    )


@dataclass(frozen=True)
class Measure:
    """A relation that measures both sides of every cut.

    Attributes:
        name: what ``allowed_cuts`` calls it.
        template: how it is made.
        reads: its inputs, of left_values, cut_positions and positions.
        params: its parameters.
    """

    name: str
    template: str
    reads: tuple[str, ...]
    params: Mapping[str, Any]

    @property
    def alias(self) -> Sql:
        """Its name in a query."""
        return Sql(self.name)

    @property
    def relation(self) -> Relation:
        """Where it lies."""
        return work(self.name)


@dataclass(frozen=True)
class Test:
    """The models of a sensitive attribute, as the templates read them.

    Attributes:
        alias: its column.
        positions: the table's distribution.
        t: the greatest distance.
        distance: ``equal``, ``ordered`` or ``hierarchical``.
        height: of the hierarchy.
        scale: by what the measured distance is divided, beside the numbers of records.
        alpha: the greatest share of a value.
        distinct: the least number of values.
        entropy: the least effective number of values.
        recursive: how many times the tail the head must stay below.
        tail: the rank at which that tail begins.
    """

    alias: Sql
    positions: Relation
    t: Fraction | None
    distance: str
    height: int
    scale: int
    alpha: Fraction | None
    distinct: int | None
    entropy: Fraction | None
    recursive: Fraction | None
    tail: int

    @property
    def diverse(self) -> bool:
        """Whether anything beside t is asked."""
        asked = (self.alpha, self.distinct, self.entropy, self.recursive)
        return any(one is not None for one in asked)

    @property
    def capped(self) -> bool:
        """Whether counts alone tell that a group of records is not diverse enough."""
        return self.alpha is not None or self.distinct is not None

    @property
    def measures(self) -> Iterator[Measure]:
        """What has to be measured for it."""
        if self.t is not None:
            yield Measure(
                f"distances_{self.alias}",
                f"split_or_deal/distances_{self.distance}",
                ("left_values", "cut_positions", "positions"),
                {"height": self.height},
            )
        shares = {"alpha": self.alpha, "distinct": self.distinct, "entropy": self.entropy}
        if any(one is not None for one in shares.values()):
            yield Measure(
                f"diversities_{self.alias}",
                "split_or_deal/diversities",
                ("left_values",),
                {name: one is not None for name, one in shares.items()},
            )
        if self.recursive is not None:
            yield Measure(
                f"heads_and_tails_{self.alias}",
                "split_or_deal/heads_and_tails",
                ("left_values",),
                {"l": self.tail},
            )


def make_tests(bench: Bench, sensitive: Sequence[Tested]) -> tuple[Test, ...]:
    """The tests of every sensitive attribute of which something is asked."""
    return tuple(
        Test(
            one.alias,
            one.positions,
            one.t,
            one.distance,
            one.height,
            _distance_scale(bench, one),
            one.alpha,
            one.distinct,
            one.entropy,
            None if one.recursive is None else one.recursive[0],
            0 if one.recursive is None else one.recursive[1],
        )
        for one in sensitive
        if one.asked
    )


def _distance_scale(bench: Bench, tested: Tested) -> int:
    if tested.distance == "ordered":  # a single value is at no distance of itself
        return max(1, bench.rows(tested.positions) - 1)
    return tested.height if tested.distance == "hierarchical" else 1
