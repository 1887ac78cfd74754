"""The constraints on every class of a search, as its templates test the two sides of a cut."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, partial
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.errors import Problem
from sqlanon.measure.asked import Asked
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Step, work
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import Bound, Demand, Sides
from sqlanon.spec import Spec
from sqlanon.spec.method import SETTINGS
from sqlanon.sql.names import Relation, Sql
from sqlanon.sql.templates import load_template

_NONE = Bound(Fraction(0), least=False, strict=False)
# So few values are looked at one by one. Where there are more, all cuts are measured in so many
# bins of them, and value by value only those that are still allowed then.
FEW_VALUES, BINS = 16, 8


@dataclass(frozen=True)
class SensitiveConstraint:
    """A sensitive attribute and the models asked of it.

    Attributes:
        alias: its column in the cells.
        positions: a row for each value: code, records in the table, position in the order of the
            distance, and for a hierarchical distance node_0 to node_<height - 1>.
        distance: ``equal``, ``ordered`` or ``hierarchical``.
        height: of the hierarchy.
        demands: the models that are asked for.
        beside: the quasi-identifiers that are shown together with it. Each combination of them in a
            class has to meet the models.
    """

    alias: Sql
    positions: Relation
    distance: str
    height: int
    demands: tuple[Demand, ...]
    beside: tuple[Sql, ...] = ()

    @property
    def asked(self) -> bool:
        """Whether anything is asked."""
        return bool(self.demands)


def constraint_of(
    attribute: SensitiveAttribute, models: Sequence[Asked], beside: Sequence[Sql] = ()
) -> SensitiveConstraint:
    """The models asked of a sensitive attribute, as the search tests them."""
    own = (model for model in models if model.attribute == attribute)
    return SensitiveConstraint(
        alias=attribute.alias,
        positions=attribute.positions,
        distance=attribute.distance,
        height=attribute.height,
        demands=tuple(model.demand for model in own if model.bound is not None),
        beside=tuple(beside),
    )


@dataclass(frozen=True)
class CutMeasure:
    """A relation that measures both sides of every cut.

    Attributes:
        name: what ``allowed_cuts`` calls it.
        template: how it is made, of left_values, the cuts, and the values as they are laid out.
        params: its parameters.
    """

    name: str
    template: str
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
    """A condition on a side of a cut: an amount over a scale that keeps a bound.

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
class CutConstraint:
    """The models of a sensitive attribute, as the templates read them.

    Attributes:
        alias: its column.
        positions: the table's distribution.
        distance: ``equal``, ``ordered`` or ``hierarchical``.
        demands: what is asked.
        sides: the facts of the attribute that the conditions come of, with the demands.
        beside: the quasi-identifiers that are shown together with it.
    """

    alias: Sql
    positions: Relation
    distance: str
    demands: tuple[Demand, ...]
    sides: Sides
    beside: tuple[Sql, ...] = ()

    @property
    def by_order(self) -> bool:
        """Whether something is asked of it that goes by the order of its values."""
        return self.distance == "ordered" and any(
            demand.model.by_distance for demand in self.demands
        )

    @property
    def measures(self) -> Iterator[CutMeasure]:
        """The measures that it needs of all cuts, each relation once."""
        columns: dict[str, list[str]] = {}
        found: dict[str, CutMeasure] = {}
        for demand in self.demands:
            cut = demand.model.cut
            assert cut is not None  # noqa: S101 - a spec with another model is refused
            name = self._measure(demand)
            if self._is_binned(demand):
                found[name] = CutMeasure(name, cut.in_bins[self.distance], {"exact": self.few})
                continue
            columns.setdefault(name, []).append(cut.amount)
            params = {**cut.params(demand, self.sides), "columns": tuple(columns[name])}
            found[name] = CutMeasure(name, cut.measured.format(distance=self.distance), params)
        yield from found.values()

    @property
    def conditions(self) -> Iterator[Condition]:
        """The conditions on a side, as they are measured of all cuts."""
        yield from (self._condition(demand, self._measure(demand)) for demand in self.demands)

    @property
    def exact_measures(self) -> Iterator[CutMeasure]:
        """The measures that it needs of the cuts that are still allowed then."""
        for demand in self._exact:
            cut = demand.model.cut
            assert cut is not None  # noqa: S101 - it is measured in bins
            template = cut.measured.format(distance=self.distance)
            yield CutMeasure(f"exact_{self.alias}", template, cut.params(demand, self.sides))

    @property
    def exact_conditions(self) -> Iterator[Condition]:
        """The conditions on a side by these measures."""
        yield from (self._condition(demand, f"exact_{self.alias}") for demand in self._exact)

    @property
    def bins(self) -> Relation | None:
        """The bins of its values, if anything is measured in bins."""
        return work("search_bins_", self.alias) if any(map(self._is_binned, self.demands)) else None

    @property
    def prefixes(self) -> Relation | None:
        """The table's cumulated counts of its values, if anything is measured in bins."""
        return work("search_prefixes_", self.alias) if self.bins is not None else None

    @property
    def block_bins(self) -> Relation | None:
        """The bins of its values that dealt cuts keep in proportion, if not the values."""
        return None if self.few else self.bins

    @property
    def few(self) -> bool:
        """Whether every value has a bin of its own."""
        return self.sides.values() <= FEW_VALUES

    @property
    def _exact(self) -> list[Demand]:
        return [] if self.few else [demand for demand in self.demands if self._is_binned(demand)]

    def _is_binned(self, demand: Demand) -> bool:
        return demand.model.cut is not None and self.distance in demand.model.cut.in_bins

    def _condition(self, demand: Demand, measure: str) -> Condition:
        cut = demand.model.cut
        assert cut is not None  # noqa: S101 - a spec with another model is refused
        return Condition(
            measure=Sql(measure),
            amount=Sql(f"{cut.amount}_" if cut.amount else ""),
            scale=Sql("one" if cut.counted else cut.scale),
            factor=cut.factor(self.sides),
            bound=_NONE if cut.counted else demand.cut_bound,
            wide=cut.wide,
            reserved=cut.reserved,
        )

    def _measure(self, demand: Demand) -> str:
        """The relation that measures it; models of which one template has the columns share it."""
        assert demand.model.cut is not None  # noqa: S101 - a spec with another model is refused
        if demand.model.cut.counted:
            return f"sides_{demand.model.name}_{self.alias}"
        family = demand.model.cut.measured.rpartition("/")[2].removesuffix("_{distance}")
        return f"sides_{family}_{self.alias}"

    @property
    def carves(self) -> bool:
        """Whether carving by the attribute pays (docs/appendix/carving.md).

        It does with t, and with any diversity that is asked as well. A class within t by the equal
        distance is within t by the hierarchical one, whose levels are each at most as far.
        """
        ways = {demand.model.carve.pays if demand.model.carve else None for demand in self.demands}
        return None not in ways and ("always" in ways or ways == {"alone"})


def make_cut_constraints(
    workspace: Workspace, sensitive: Sequence[SensitiveConstraint], records: int
) -> tuple[CutConstraint, ...]:
    """The constraints of every sensitive attribute of which something is asked.

    Args:
        workspace: counts values, where a condition asks for their number.
        sensitive: the attributes.
        records: how many records the table has.
    """
    constraints = tuple(
        CutConstraint(
            alias=constraint.alias,
            positions=constraint.positions,
            distance=constraint.distance,
            demands=constraint.demands,
            sides=Sides(
                records,
                constraint.distance,
                constraint.height,
                cache(partial(workspace.rows, constraint.positions)),
            ),
            beside=constraint.beside,
        )
        for constraint in sensitive
        if constraint.asked
    )
    for constraint in constraints:
        if constraint.bins is not None and constraint.prefixes is not None:
            _bin_values(workspace, constraint, constraint.bins, constraint.prefixes)
    return constraints


def _bin_values(
    workspace: Workspace, constraint: CutConstraint, bins: Relation, prefixes: Relation
) -> None:
    """The values in bins, and the table's cumulated counts of them."""
    title, values = "laying out the sensitive values", constraint.sides.values()
    positions = {"positions": constraint.positions}
    workspace.create(Step(title, prefixes, "methods/cut/prefixes", positions))
    count = values if constraint.few else BINS
    fine = workspace.make(title, "search_places", "domains/bins", positions, bins=count)
    step = Step(title, bins, "methods/cut/bins", {"places": fine, "prefixes": prefixes})
    workspace.create(step)
    workspace.drop(fine)


@dataclass(frozen=True)
class Cuts:
    """The cuts of a level whose sides are measured.

    Attributes:
        title: of the steps, for people.
        made: ranked_parts and cut_positions; with block_cuts, cuts are dealt as well.
        numbers: of a node's cuts, numbered from 1.
        records: how many records the table has.
        k: how many a side has at least; 0 where it may have none, of which nothing is asked then.
        percent: to what part of a bound a pooled cut is held that leaves a large side.
        small: above how many records a side is large.
        pooling: whether cuts are pooled as well.
    """

    title: str
    made: Mapping[str, Relation]
    numbers: Sequence[int]
    records: int
    k: int
    percent: int
    small: int
    pooling: bool = True

    @property
    def dealing(self) -> bool:
        """Whether cuts are dealt as well."""
        return "block_cuts" in self.made


def allowed_cuts(
    cuts: Cuts, constraints: Sequence[CutConstraint], output: Relation
) -> Iterator[Step]:
    """The steps to the cuts that are allowed, as far as that is measured of all cuts."""
    measured: dict[str, Relation] = {}
    for constraint in constraints:
        left = _left(constraint)
        kinds = {"pooling": cuts.pooling, "dealing": cuts.dealing}
        params = {"sensitive": constraint.alias, "cuts": cuts.numbers, **kinds}
        yield Step(cuts.title, left, "methods/cut/left_values", cuts.made, params)
        there = {"left_values": left, "positions": constraint.positions, **cuts.made}
        if constraint.bins is not None:
            there["bins"] = constraint.bins
        for measure in constraint.measures:
            yield _measuring(cuts, measure, there)
            measured[measure.name] = measure.relation
    yield Step(
        cuts.title,
        output,
        "methods/cut/allowed_cuts",
        {"cut_positions": cuts.made["cut_positions"], **measured},
        {
            "conditions": [
                condition for constraint in constraints for condition in constraint.conditions
            ],
            "measures": [measure for constraint in constraints for measure in constraint.measures],
            "pooling": cuts.pooling,
            "dealing": cuts.dealing,
            "cuts": cuts.numbers,
            "k": cuts.k,
            "percent": cuts.percent,
            "small": cuts.small,
        },
    )


def close_cuts(
    cuts: Cuts,
    constraints: Sequence[CutConstraint],
    allowed: Relation,
    output: Relation,
    priced: bool,
) -> Iterator[Step]:
    """The steps to those of the allowed cuts that meet the rest; none where there is no rest.

    Args:
        cuts: the cuts.
        constraints: what is asked.
        allowed: the cuts that are allowed so far.
        output: the relation to make.
        priced: whether it is known what their sides lose.
    """
    measures = [measure for constraint in constraints for measure in constraint.exact_measures]
    if not measures:
        return
    for constraint in constraints:
        there = {"left_values": _left(constraint), "allowed_cuts": allowed}
        if constraint.prefixes is not None:
            there["prefixes"] = constraint.prefixes
        for measure in constraint.exact_measures:
            yield _measuring(cuts, measure, there)
    yield Step(
        cuts.title,
        output,
        "methods/cut/close_cuts",
        {"allowed_cuts": allowed, **{measure.name: measure.relation for measure in measures}},
        {
            "conditions": [
                condition for constraint in constraints for condition in constraint.exact_conditions
            ],
            "measures": measures,
            "priced": priced,
            "k": cuts.k,
            "percent": cuts.percent,
            "small": cuts.small,
        },
    )


def measured_exactly(constraints: Sequence[CutConstraint]) -> bool:
    """Whether anything is measured of the cuts that are still allowed then."""
    return any(True for constraint in constraints for _ in constraint.exact_measures)


def _left(constraint: CutConstraint) -> Relation:
    return work("tree_left_", constraint.alias)


def _measuring(cuts: Cuts, measure: CutMeasure, there: Mapping[str, Relation]) -> Step:
    read = {name: there[name] for name in load_template(measure.template).inputs}
    params = {"cuts": cuts.numbers, "table_records": cuts.records, **measure.params}
    return Step(cuts.title, measure.relation, measure.template, read, params)


def untested(spec: Spec, method: str) -> Iterator[Problem]:
    """The models that are asked for though cuts cannot be tested by them.

    Args:
        spec: what is declared.
        method: the method that cuts, by its name.
    """
    others = [name for name, settings in SETTINGS.items() if not settings.cuts]
    declarations: list[tuple[str, object]] = [("privacy", spec.privacy)]
    declarations += [(f"sensitive.{name}", declared) for name, declared in spec.sensitive.items()]
    declarations += [
        (f"quasi_identifiers.{name}.sensitive", declared.sensitive)
        for name, declared in spec.quasi_identifiers.items()
        if declared.sensitive is not None
    ]
    for where, declared in declarations:
        for model in MODELS:
            if model.per == "sensitive" and not model.cut and model.asked(declared) is not None:
                yield Problem(
                    f"{where}.{model.field.name}",
                    f"{method} cannot test {model.title} while it searches: take "
                    f"{', '.join(others[:-1])} or {others[-1]}, whose classes are measured "
                    "against it in the end",
                )
