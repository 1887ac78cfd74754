"""Fragmentation: a t for each of several ordered sensitive attributes.

Gowda (2023), §4. The multiplicity matrix is cut into contiguous boxes, fragments, such that a class
with the table's share of every fragment is close to the table, whichever records it gets. That
freedom is used to give every class neighbours in the quasi-identifiers. How many classes there are
is not the dissertation's greatest common divisor but the most that an envelope of every class
allows (`sqlanon.methods.envelope`); and what is promised from counts is measured on the classes as
dealt before it is taken.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlanon.hierarchies import Attribute
from sqlanon.methods.bench import Bench
from sqlanon.methods.envelope import Envelope, common_divisor, greatest_divisor, most_classes
from sqlanon.methods.fragments import (
    Axis,
    Fragment,
    Matrix,
    Splitting,
    Strategy,
    find_fragmentation,
)
from sqlanon.methods.locality import Curve, along_curve, ordered_along, spread_along
from sqlanon.plan import Check, How, Runner, Search, Step, work
from sqlanon.privacy import Model
from sqlanon.spec import FragmentationMethod
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql, exact

# The search in Python holds every cell of the matrix: so many of them at most. By default there are
# as many bins as can never make more, and at most so many of one attribute.
MOST_CELLS, MOST_BINS = 20_000, 200
# Fragments for what part of t are tried. A class gets its share of each rounded up or down, for
# which small fragments leave room: a part of t.
PARTS_OF_T = tuple(map(Fraction, ("1", "3/4", "2/3", "1/2", "2/5", "1/3", "1/4", "1/6", "1/8")))
STRATEGIES: tuple[Strategy, ...] = ("excess", "sum")
# Finer fragmentations take long to find; single cells are tried where they are not more than this.
MOST_FRAGMENTS, MOST_SINGLE_CELLS = 400, 2000
# How many of the fragmentations with the most classes are dealt, if measuring asks for fewer.
DEALT = 4


@dataclass(frozen=True)
class Ordered:
    """A sensitive attribute, as fragments are sought over it.

    Attributes:
        alias: its column.
        t: the greatest distance of a class to the table.
        positions: its values in the order of the distance.
        bins: the bin of every value.
    """

    alias: Sql
    t: Fraction
    positions: Relation
    bins: Relation


@dataclass(frozen=True)
class Fragmentation:
    """The search for fragments, and for the most classes dealt from them that hold.

    Attributes:
        matrix: the cells of the multiplicity matrix: a bin of every attribute, and records.
        along: the records with their place on the curve.
        assigned: the relation to make: a class for every record.
        hidden: the quasi-identifiers.
        sensitive: the sensitive attributes.
        insensitive: released columns; they break ties.
        key: the columns that name a record; they break the last ties and go no further.
        curve: the order of the records.
        models: everything that every class must meet.
        least: how many records a class must have to meet them at all.
        sizing: ``envelope``, or ``gcd`` as in the dissertation.
        strategy: by what fragments are split; None to try each.
    """

    matrix: Relation
    along: Relation
    assigned: Relation
    hidden: tuple[Sql, ...]
    sensitive: tuple[Ordered, ...]
    insensitive: tuple[Sql, ...]
    key: tuple[Sql, ...]
    curve: Curve
    models: tuple[Model, ...]
    least: int
    sizing: str
    strategy: Strategy | None

    @property
    def title(self) -> str:
        """What is searched for, for people."""
        return "searching for the fragments that make the most classes"

    @property
    def output(self) -> Relation:
        """The relation it leaves."""
        return self.assigned

    def describe(self) -> str:
        """The settings that decide the outcome."""
        models = [
            (one.metric, one.attribute and one.attribute.alias, one.threshold, dict(one.params))
            for one in self.models
        ]
        return repr((replace(self, models=()), models))

    def run(self, session: Runner) -> None:
        """Search, by steps of its own; the session's notes say what was dealt and chosen."""
        bench = Bench(session)
        matrix = self._read(bench)
        t = [one.t for one in self.sensitive]
        ceiling = max(1, matrix.records // self.least)
        if self.sizing == "gcd":
            sized = [_by_divisor(matrix, t, self.strategy or "excess", ceiling)]
        else:
            strategies = STRATEGIES if self.strategy is None else (self.strategy,)
            sized = _by_envelope(matrix, t, strategies, ceiling)
        dealing = _Dealing(self, session, bench)
        most = max(sized, key=lambda one: one.classes)
        fewest = ceiling + 1
        while not dealing.holds(most) and most.classes > 1:
            fewest = most.classes
            sized[sized.index(most)] = most.lowered()
            most = max(sized, key=lambda one: one.classes)
        if most.envelope is not None:
            self._raise(dealing, most, fewest)
        session.notes.append(("search_tried", json.dumps(dealing.tried)))
        bench.clear()

    def _raise(self, dealing: _Dealing, found: _Sized, too_many: int) -> None:
        """Deal into more classes than the envelope allows, as long as measuring allows them.

        The envelope fears the worst of a fragment's records; along the curve they come mixed.
        """
        dealt = found
        while too_many - found.classes > max(1, found.classes // 16):
            dealt = replace(found, classes=(found.classes + too_many) // 2)
            if dealing.holds(dealt):
                found = dealt
            else:
                too_many = dealt.classes
        if dealt is not found:
            dealing.holds(found)

    def _read(self, bench: Bench) -> Matrix:
        """The multiplicity matrix: counts, and where the bins lie."""
        axes = []
        for one in self.sensitive:
            extents = bench.several("fragmentation/extents", {"bins": one.bins}, MOST_CELLS)
            # Twice the middle of a bin's places, so that it is a whole number.
            middles = [row["first_position"] + row["last_position"] for row in extents]
            length = 2 * (extents[-1]["last_position"] - extents[0]["first_position"])
            axes.append(Axis(tuple(middles), max(1, length)))
        aliases = [one.alias for one in self.sensitive]
        cells = bench.several(
            "fragmentation/cells", {"matrix": self.matrix}, MOST_CELLS, sensitive=aliases
        )
        counts = {tuple(row[str(alias)] for alias in aliases): row["records"] for row in cells}
        return Matrix(tuple(axes), counts)


@dataclass(frozen=True)
class _Sized:
    """A fragmentation, and into how many classes it is to be dealt.

    Attributes:
        name: how it was found.
        fragments: in the order in which they are dealt, none of them empty.
        classes: how many.
        envelope: what bounds the classes; None where they conform to the fragments exactly.
    """

    name: str
    fragments: tuple[Fragment, ...]
    classes: int
    envelope: Envelope | None

    def lowered(self) -> _Sized:
        """The same with fewer classes, down to one."""
        if self.envelope is None:
            divisor = common_divisor(self.fragments)
            return replace(self, classes=greatest_divisor(divisor, self.classes - 1))
        ceiling = min(self.classes - 1, self.classes * 7 // 8)
        return replace(self, classes=most_classes(self.envelope, ceiling))


def _by_divisor(matrix: Matrix, t: Sequence[Fraction], strategy: Strategy, ceiling: int) -> _Sized:
    """The dissertation's form, with k: the divisor of q that leaves classes large enough."""
    found = find_fragmentation(matrix, t, strategy, MOST_SINGLE_CELLS)
    fragments = _filled(matrix.singletons() if found is None else found)
    divisor = greatest_divisor(common_divisor(fragments), ceiling)
    return _Sized(f"gcd, {strategy}", fragments, divisor, None)


def _by_envelope(
    matrix: Matrix, t: Sequence[Fraction], strategies: Sequence[Strategy], ceiling: int
) -> list[_Sized]:
    """The fragmentations with the most classes, those with the fewest fragments first of equals."""
    sized = []
    for name, fragments in _fragmentations(matrix, t, strategies):
        for turn in range(len(matrix.axes)):
            # Neighbours follow each other: along one attribute first, then another.
            ordered = tuple(sorted(fragments, key=lambda one: (*one.box[turn:], *one.box[:turn])))
            envelope = Envelope(matrix, ordered, t)
            classes = most_classes(envelope, ceiling)
            sized.append(_Sized(name, ordered, classes, envelope))
    sized.sort(key=lambda one: (-one.classes, len(one.fragments)))
    return sized[:DEALT]


def _fragmentations(
    matrix: Matrix, t: Sequence[Fraction], strategies: Sequence[Strategy]
) -> Iterator[tuple[str, tuple[Fragment, ...]]]:
    """The fragmentations that are tried, each once."""
    known = set()
    wanted = [[limit * part for limit in t] for part in PARTS_OF_T]
    for strategy in strategies:
        splitting = Splitting(matrix, wanted, strategy, MOST_FRAGMENTS)
        for part, limits in zip(PARTS_OF_T, wanted, strict=True):
            if strategy == "excess":  # its way depends on t; that of the sum does not
                splitting = Splitting(matrix, wanted, strategy, MOST_FRAGMENTS)
            found = splitting.until(limits)
            if found is None:  # those for less would be more
                break
            fragments = _filled(found)
            boxes = tuple(one.box for one in fragments)
            if boxes not in known:
                known.add(boxes)
                yield f"{exact(part)} t, {strategy}", fragments
    if len(matrix.cells) <= MOST_SINGLE_CELLS:
        yield "single cells", matrix.singletons()


def _filled(fragments: Sequence[Fragment]) -> tuple[Fragment, ...]:
    return tuple(one for one in fragments if one.records)


class _Dealing:
    """Deals fragments into classes and measures these, time and again.

    Attributes:
        tried: what was dealt, in order, and how many classes fell short.
    """

    def __init__(self, search: Fragmentation, session: Runner, bench: Bench) -> None:
        self._search, self._session, self._bench = search, session, bench
        self._aliases = tuple(one.alias for one in search.sensitive)
        self._bins = {str(one.alias): one.bins for one in search.sensitive}
        self._ordered: tuple[Fragment, ...] = ()
        self.tried: list[dict[str, object]] = []

    def holds(self, sized: _Sized) -> bool:
        """Deal; whether every class meets every model."""
        self._deal(sized)
        failing = self._failing()
        self.tried.append(
            {
                "found": sized.name,
                "fragments": len(sized.fragments),
                "classes": sized.classes,
                "failing": failing,
            }
        )
        return not failing

    def _deal(self, sized: _Sized) -> None:
        search, bench = self._search, self._bench
        if sized.fragments is not self._ordered:
            self._cut(sized.fragments)
        stacks = self._stack(sized.classes)
        if sized.fragments is not self._ordered:
            self._order(stacks)
            self._ordered = sized.fragments
        released = (*search.hidden, *self._aliases, *search.insensitive)
        spread, assigned = spread_along(stacks, search.assigned, released)
        bench.create(spread)
        self._session.create(replace(assigned, how=How.WORK_TABLE))

    def _cut(self, fragments: tuple[Fragment, ...]) -> None:
        boxes = [[end for ends in one.box for end in ends] for one in fragments]
        bench = self._bench
        found = bench.make(
            "writing the fragments down",
            "fragments",
            "fragmentation/fragments",
            {},
            sensitive=self._aliases,
            boxes=boxes,
        )
        bench.make(
            "the fragment of every combination of sensitive values",
            "pieces",
            "fragmentation/pieces",
            {"matrix": self._search.matrix, "fragments": found},
            sensitive=self._aliases,
        )

    def _stack(self, classes: int) -> Relation:
        return self._bench.make(
            "stacking the fragments",
            "stripe_stacks",
            "fragmentation/stripe_stacks",
            {"pieces": work("pieces")},
            classes=classes,
        )

    def _order(self, stacks: Relation) -> None:
        """Put the records of every fragment in the order of the curve."""
        search, bench = self._search, self._bench
        carried = (*search.insensitive, *search.key)
        striped = bench.make(
            "finding the fragment of every record",
            "striped",
            "fragmentation/striped",
            {
                "along": search.along,
                "pieces": work("pieces"),
                **{f"bins_{alias}": bins for alias, bins in self._bins.items()},
            },
            columns=(*search.hidden, *self._aliases, *carried),
            sensitive=self._aliases,
            bins=self._bins,
        )
        bench.create(
            ordered_along(
                striped,
                stacks,
                search.hidden,
                self._aliases,
                carried,
                (Sql("fragment"),),
                search.curve,
                in_stripes=False,
            )
        )
        bench.drop(striped)

    def _failing(self) -> int:
        """How many classes fall short of a model, counted once for each model.

        Measured are the classes as dealt. Those that publish the same tuple are one class to a
        reader, and not worse for it.
        """
        search, bench = self._search, self._bench
        classes = bench.make(
            "measuring the classes as dealt",
            "dealt_classes",
            "fragmentation/dealt_classes",
            {"assigned": search.assigned},
        )
        values = {
            str(one.alias): bench.make(
                "measuring the classes as dealt",
                f"dealt_values_{one.alias}",
                "fragmentation/dealt_values",
                {"assigned": search.assigned, "positions": one.positions},
                attribute=one.alias,
            )
            for one in search.sensitive
        }
        measured = {}
        for place, model in enumerate(search.models, 1):
            if model.threshold is not None:
                step = model.step(classes, values)
                relation = bench.create(replace(step, output=work("dealt_model_", place)))
                measured[f"measured_{place}"] = relation
        if not measured:
            return 0
        short = self._session.fetch(
            "fragmentation/failing", measured, {"models": tuple(measured.values())}, limit=1
        )
        return int(short.dicts()[0]["classes"])


def fragmentation_steps(
    coded: Relation,
    assigned: Relation,
    quasi_identifiers: Sequence[Attribute],
    sensitive: Sequence[Attribute],
    insensitive: Sequence[Sql],
    key: Sequence[Sql],
    method: FragmentationMethod,
    models: Sequence[Model],
    curve: Curve,
) -> list[Step | Check | Search]:
    """The steps that assign every record to a class.

    Args:
        coded: the records with integer codes.
        assigned: the relation to make: class_id and the released columns of every record.
        quasi_identifiers: what the curve runs through.
        sensitive: each of them ordered.
        insensitive: released columns.
        key: the columns that name a record.
        method: how fragments are found and classes counted.
        models: everything that every class must meet, a t for every sensitive attribute among it.
        curve: the order of the records.
    """
    along, matrix = work("along"), work("matrix")
    aliases = tuple(one.alias for one in sensitive)
    hidden = tuple(one.alias for one in quasi_identifiers)
    bins = {str(alias): work("bins_", alias) for alias in aliases}
    most = most_bins(len(aliases)) if method.bins is None else method.bins
    steps: list[Step | Check | Search] = [
        Step(
            f"the values of {one.name} in bins",
            bins[str(one.alias)],
            "fragmentation/bins",
            {"positions": one.positions},
            {"bins": most},
        )
        for one in sensitive
    ]
    steps += [
        Step(
            "counting the combinations of sensitive values",
            matrix,
            "fragmentation/matrix",
            {"coded": coded, **{f"bins_{alias}": relation for alias, relation in bins.items()}},
            {"sensitive": aliases, "bins": bins},
        ),
        Check(
            "fragments can be searched for",
            "fragmentation/check_cells",
            {"matrix": matrix},
            {"most": MOST_CELLS},
            "method.bins",
            f"the sensitive attributes make {{cells}} combinations of bins, and fragments are "
            f"searched for among {MOST_CELLS:,} at most; bins: {most_bins(len(aliases))} or fewer "
            "never make more",
        ),
    ]
    columns = (*hidden, *aliases, *insensitive, *key)
    steps += along_curve(coded, along, quasi_identifiers, columns, curve)
    search = Fragmentation(
        matrix,
        along,
        assigned,
        hidden,
        tuple(_ordered(one, bins[one.alias], models) for one in sensitive),
        tuple(insensitive),
        tuple(key),
        curve,
        tuple(models),
        _least(models),
        method.sizing,
        method.strategy,
    )
    return [*steps, search]


def _ordered(attribute: Attribute, bins: Relation, models: Sequence[Model]) -> Ordered:
    (t,) = (
        one.threshold
        for one in models
        if one.attribute == attribute and one.metric == "t_closeness"
    )
    assert t is not None  # noqa: S101 - a spec without it is refused
    assert attribute.positions is not None  # noqa: S101 - sensitive attributes have them
    return Ordered(attribute.alias, t, attribute.positions, bins)


def _least(models: Sequence[Model]) -> int:
    """How many records a class has if it meets k and has as many values as l and alpha ask for."""
    sizes = [1]
    for one in models:
        if one.threshold is None:
            continue
        if one.metric in ("k_anonymity", "distinct_l", "entropy_l"):
            sizes.append(math.ceil(one.threshold))
        elif one.metric == "recursive_l":
            sizes.append(one.params["l"])
        elif one.metric == "alpha":
            sizes.append(math.ceil(1 / one.threshold))
    return max(sizes)


def most_bins(attributes: int) -> int:
    """How many bins of each attribute can never make more cells than are allowed."""
    bins = MOST_BINS
    while bins**attributes > MOST_CELLS and bins > 1:
        bins -= 1
    return bins
