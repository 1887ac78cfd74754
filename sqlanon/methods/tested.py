"""What every class of a search must meet, as its templates test the two sides of a cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from sqlanon.domains import SensitiveAttribute
from sqlanon.measure import Asked
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Step, work
from sqlanon.privacy import Bound, Demand, Sides
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_NONE = Bound(Fraction(0), least=False, strict=False)


@dataclass(frozen=True)
class Tested:
    """A sensitive attribute and the models asked of it.

    Attributes:
        alias: its column in the cells.
        positions: a row for each value: code, records in the table, position in the order of the
            distance, and for a hierarchical distance node_0 to node_<height - 1>.
        distance: ``equal``, ``ordered`` or ``hierarchical``.
        height: of the hierarchy.
        demands: the models that are asked for.
    """

    alias: Sql
    positions: Relation
    distance: str
    height: int
    demands: tuple[Demand, ...]

    @property
    def asked(self) -> bool:
        """Whether anything is asked."""
        return bool(self.demands)


def tested(attribute: SensitiveAttribute, models: Sequence[Asked]) -> Tested:
    """The models asked of a sensitive attribute, as the search tests them."""
    own = (model for model in models if model.attribute == attribute)
    return Tested(
        attribute.alias,
        attribute.positions,
        attribute.distance,
        attribute.height,
        tuple(one.demand for one in own if one.bound is not None),
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
class Condition:
    """What a side of a cut must meet: an amount over a scale that keeps a bound.

    Attributes:
        measure: the alias of the relation that has the amount.
        amount: the column is ``<side>_<amount><cut>``.
        scale: ``records``, ``one``, or a column like the amount's.
        factor: by what the scale is multiplied.
        bound: what the side is held to.
        wide: whether the amount is of the size of a square of the records.
        reserved: whether a pooled cut may be held to a part of the bound.
    """

    measure: Sql
    amount: Sql
    scale: Sql
    factor: int
    bound: Bound
    wide: bool
    reserved: bool


@dataclass(frozen=True)
class Test:
    """The models of a sensitive attribute, as the templates read them.

    Attributes:
        alias: its column.
        positions: the table's distribution.
        distance: ``equal``, ``ordered`` or ``hierarchical``.
        demands: what is asked.
        sides: what the conditions come of, beside what is asked.
    """

    alias: Sql
    positions: Relation
    distance: str
    demands: tuple[Demand, ...]
    sides: Sides

    def threshold(self, model: str) -> Any:
        """What is asked of a model; None if it is not."""
        return next((one.threshold for one in self.demands if one.model.name == model), None)

    @property
    def measures(self) -> Iterator[Measure]:
        """What has to be measured for it, each relation once."""
        columns: dict[str, list[str]] = {}
        found: dict[str, Measure] = {}
        for one in self.demands:
            cut = one.model.cut
            assert cut is not None  # noqa: S101 - a spec with another model is refused
            name = self._measure(one)
            columns.setdefault(name, []).append(cut.amount)
            params = {**cut.params(one, self.sides), "columns": tuple(columns[name])}
            template = cut.measured.format(distance=self.distance)
            found[name] = Measure(name, template, cut.reads, params)
        yield from found.values()

    @property
    def conditions(self) -> Iterator[Condition]:
        """What a side must meet."""
        for one in self.demands:
            cut = one.model.cut
            assert cut is not None  # noqa: S101 - a spec with another model is refused
            yield Condition(
                Sql(self._measure(one)),
                Sql(f"{cut.amount}_" if cut.amount else ""),
                Sql("one" if cut.counted else cut.scale),
                cut.factor(self.sides),
                _NONE if cut.counted else one.cut_bound,
                cut.wide,
                cut.reserved,
            )

    def _measure(self, one: Demand) -> str:
        """The relation that measures it; models of which one template has the columns share it."""
        assert one.model.cut is not None  # noqa: S101 - a spec with another model is refused
        if one.model.cut.counted:
            return f"sides_{one.model.name}_{self.alias}"
        family = one.model.cut.measured.partition("/")[2].removesuffix("_{distance}")
        return f"sides_{family}_{self.alias}"

    @property
    def carves(self) -> bool:
        """Whether carving by the attribute pays (docs/methods.md, "Where carving applies").

        It does with t, whatever diversity is asked beside it. A class within t by the equal
        distance is within t by the hierarchical one, whose levels are each at most as far.
        """
        ways = {one.model.carve for one in self.demands}
        if None in ways:
            return False
        return self.threshold("t_closeness") is not None or ways == {"alone"}


def make_tests(workspace: Workspace, sensitive: Sequence[Tested], records: int) -> tuple[Test, ...]:
    """The tests of every sensitive attribute of which something is asked.

    Args:
        workspace: counts values, where a condition asks for their number.
        sensitive: the attributes.
        records: how many records the table has.
    """
    return tuple(
        Test(
            one.alias,
            one.positions,
            one.distance,
            one.demands,
            Sides(records, one.distance, one.height, partial(workspace.rows, one.positions)),
        )
        for one in sensitive
        if one.asked
    )


def sides(
    title: str, test: Test, made: Mapping[str, Relation], cuts: Sequence[int], records: int
) -> Iterator[Step]:
    """The steps that measure what the two sides of every cut hold of a sensitive attribute.

    Args:
        title: of the steps, for people.
        test: the attribute and what is asked of it.
        made: ranked_parts and cut_positions; with block_cuts, cuts are dealt as well.
        cuts: the places of a node's cuts.
        records: how many records the table has.
    """
    left = work("tree_left_", test.alias)
    params = {"sensitive": test.alias, "cuts": cuts, "dealing": "block_cuts" in made}
    yield Step(title, left, "split_or_deal/left_values", made, params)
    there = {"left_values": left, "positions": test.positions, **made}
    for measure in test.measures:
        read = {name: there[name] for name in measure.reads}
        params = {"cuts": cuts, "table_records": records, **measure.params}
        yield Step(title, measure.relation, measure.template, read, params)
