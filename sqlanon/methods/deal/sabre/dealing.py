"""Dealing buckets into classes along the curve, and measuring what was dealt.

Cao et al. (2011), redistribution: the vector of the buckets' records is dichotomized as long as
both halves are large enough and close enough. Here the buckets lie one after the other as in a
deck, and halves are its odd and its even places, as if dealt to two. So every part is the places p
with p mod modulus = residue: what it holds of each bucket is a count of multiples, and all residues
between two that a bucket begins at hold the same. Millions of parts are so a few kinds for each
modulus, and only these are looked at.

The buckets and the halves that make the most classes are found from counts alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import accumulate, pairwise

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.asked import Asked
from sqlanon.methods.deal.locality import STACKED, Columns, Curve, failing, ordered_along
from sqlanon.methods.deal.sabre.buckets import (
    Bound,
    Levels,
    Ordered,
    Partition,
    Run,
    partitions,
    records_of,
)
from sqlanon.methods.workspace import Workspace
from sqlanon.plan import Materialization, Runner, Step
from sqlanon.sql.names import Relation, Sql, exact


@dataclass(frozen=True)
class Found:
    """Buckets, and into what classes they are dealt.

    Attributes:
        buckets: none of them empty.
        halved: the classes.
        promised: the greatest distance that any of them may have.
    """

    buckets: Partition
    halved: Halved
    promised: Fraction


class Table:
    """The table as the search knows it, and what was found for it.

    Args:
        runs: the values.
        distance: ``equal``, ``ordered`` or ``hierarchical``.
        t: the greatest distance of a class to the table.
    """

    def __init__(self, runs: list[Run], distance: str, t: Fraction) -> None:
        self._runs, self._distance, self._t = runs, distance, t
        self._partitions = partitions(runs, distance, t)
        self._records = sum(run.table_records for run in runs)
        self._whole = self._records == sum(run.records for run in runs)
        self._found: dict[int, Found] = {}

    def most(self, least: int) -> Found:
        """The most classes of at least so many records; of equals those of the fewest buckets."""
        if least not in self._found:
            self._found[least] = max(self._tried(least), key=lambda one: one.halved.classes)
        return self._found[least]

    def _tried(self, least: int) -> Iterator[Found]:
        for buckets in self._partitions:
            ordered = self._distance == "ordered"
            bound: Bound = (Ordered if ordered else Levels)(self._runs, buckets)
            sizes = [records_of(self._runs, bucket) for bucket in buckets]
            halved = Deck(sizes, partial(self._close, bound)).halved(least)
            promised = max(
                Fraction(bound.moved(held), sum(held) * self._records * bound.scale)
                for held in halved.kinds
            )
            # A single class may be the table itself, at distance 0, though the bound may be more.
            itself = self._whole and halved.classes == 1
            yield Found(buckets, halved, Fraction(0) if itself else promised)

    def _close(self, bound: Bound, held: Sequence[int]) -> bool:
        """Whether a class that holds so many of each bucket is surely within t."""
        scale = sum(held) * self._records * bound.scale
        return bound.moved(held) * self._t.denominator <= self._t.numerator * scale


# Residues from the first, to but not including the second.
Span = tuple[int, int]
# The deck is dealt to so many at first, before halving: of 2^i times these one is near any number.
ROOTS = (1, 3, 5, 7, 9, 11, 13, 15)


@dataclass(frozen=True)
class Halved:
    """The parts that are left, which are to be classes.

    Attributes:
        root: into how many parts the deck is dealt first.
        levels: for each modulus, which is root * 2^level, the residues of the parts that are
            halved, and of those that are not; all that then come of the last are not.
        kinds: of every kind of class what it holds of each bucket.
        classes: how many there are.
    """

    root: int
    levels: tuple[tuple[tuple[Span, ...], tuple[Span, ...]], ...]
    kinds: tuple[tuple[int, ...], ...]
    classes: int


class Deck:
    """The buckets, one after the other.

    Args:
        sizes: how many records each bucket has; none is empty.
        close: whether a part that holds so many records of each bucket is close enough.
    """

    def __init__(self, sizes: Sequence[int], close: Callable[[Sequence[int]], bool]) -> None:
        self._starts = [0, *accumulate(sizes)]
        self._close = close

    @property
    def records(self) -> int:
        """How many there are."""
        return self._starts[-1]

    def held(self, residue: int, modulus: int) -> tuple[int, ...]:
        """How many records the part of a residue holds of each bucket."""
        before = [(start - residue + modulus - 1) // modulus for start in self._starts]
        return tuple(high - low for low, high in pairwise(before))

    def halved(self, least: int) -> Halved:
        """The most classes of at least so many records each, by way of any of the roots."""
        best = Halved(1, (), (self.held(0, 1),), 1)
        most = {root: self._most(root, least) for root in ROOTS if root * least <= self.records}
        for root in sorted(most, key=lambda one: (-most[one], one)):
            if most[root] > best.classes:
                found = self._from_root(root, least)
                if found is not None and found.classes > best.classes:
                    best = found
        return best

    def _most(self, root: int, least: int) -> int:
        """How many classes there are by way of a root where every part is close enough."""
        classes, modulus = root, root
        while True:
            # A part is halved if its odd places are enough: those of the first residues are.
            halved = min(modulus, self.records - modulus * (2 * least - 1))
            if halved <= 0:
                return classes
            classes += halved
            modulus *= 2

    def _from_root(self, root: int, least: int) -> Halved | None:
        """Halve the parts of a root; None where these are not close enough themselves."""
        there: list[Span] = [(0, root)]
        if root > 1 and self._allowed(there, root, least) != there:
            return None
        modulus, classes = root, root
        levels: list[tuple[tuple[Span, ...], tuple[Span, ...]]] = []
        kinds: set[tuple[int, ...]] = set()
        while True:
            doubled = [(low + turn, high + turn) for turn in (0, modulus) for low, high in there]
            fine = self._allowed(doubled, 2 * modulus, least)
            even = _joined([span for span in _cut(fine, modulus) if span[1] <= modulus])
            odd = [span for span in _cut(fine, modulus) if span[0] >= modulus]
            halved = _both(even, _joined([(low - modulus, high - modulus) for low, high in odd]))
            left = _without(there, halved)
            kinds.update(self.held(low, modulus) for low, _ in self._of_kinds(left, modulus))
            if not halved:
                return Halved(root, tuple(levels), tuple(sorted(kinds)), classes)
            levels.append((tuple(halved), tuple(left)))
            classes += _length(halved)
            there = _joined(
                [(low + turn, high + turn) for turn in (0, modulus) for low, high in halved]
            )
            modulus *= 2

    def _allowed(self, there: Sequence[Span], modulus: int, least: int) -> list[Span]:
        """Those of some residues whose parts are large enough and close enough."""
        found = []
        for span in self._of_kinds(there, modulus):
            held = self.held(span[0], modulus)
            if sum(held) >= least and self._close(held):
                found.append(span)
        return _joined(found)

    def _of_kinds(self, there: Sequence[Span], modulus: int) -> Iterator[Span]:
        """The spans, cut where a bucket begins: within each all parts hold the same."""
        cuts = sorted({start % modulus for start in self._starts})
        for low, high in there:
            inner = [cut for cut in cuts if low < cut < high]
            yield from pairwise([low, *inner, high])


def _cut(spans: Sequence[Span], at: int) -> list[Span]:
    """The spans, none of them with residues on both sides of a place."""
    return [
        part
        for low, high in spans
        for part in (((low, at), (at, high)) if low < at < high else ((low, high),))
    ]


def _joined(spans: Sequence[Span]) -> list[Span]:
    """The spans in order, neighbours as one."""
    found: list[Span] = []
    for low, high in sorted(spans):
        if found and found[-1][1] == low:
            found[-1] = (found[-1][0], high)
        else:
            found.append((low, high))
    return found


def _both(some: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """The spans that lie in both."""
    return [
        (max(low, start), min(high, end))
        for low, high in some
        for start, end in others
        if max(low, start) < min(high, end)
    ]


def _without(some: Sequence[Span], others: Sequence[Span]) -> list[Span]:
    """The first spans without the others, each of which lies in one of the first."""
    found = []
    for low, high in some:
        at = low
        for start, end in others:
            if low <= start and end <= high:
                if at < start:
                    found.append((at, start))
                at = end
        if at < high:
            found.append((at, high))
    return found


def _length(spans: Sequence[Span]) -> int:
    return sum(high - low for low, high in spans)


@dataclass(frozen=True)
class Dealt:
    """The records that are dealt, and the relation of their classes.

    Attributes:
        curve_places: the records with their place on the curve.
        matrix: how many records each run of values has.
        assigned: the relation to make: a class for every record.
        columns: of the records.
        released: those of them that go on to the release.
        attribute: the sensitive attribute.
        bins: the run of every value.
        curve: the order of the records.
    """

    curve_places: Relation
    matrix: Relation
    assigned: Relation
    columns: Columns
    released: tuple[Sql, ...]
    attribute: SensitiveAttribute
    bins: Relation
    curve: Curve


class Dealing:
    """Deals buckets into classes and measures these, time and again.

    Attributes:
        tried: what was dealt, in order, and how many classes violated a model.
    """

    def __init__(self, dealt: Dealt, session: Runner, workspace: Workspace) -> None:
        self._given, self._session, self._workspace = dealt, session, workspace
        self._dealt: Found | None = None
        self._stacks: Relation | None = None
        self.tried: list[dict[str, object]] = []

    def deal(self, found: Found) -> None:
        """A class for every record; the same is not dealt twice in a row."""
        if found == self._dealt:
            return
        if self._dealt is None or found.buckets != self._dealt.buckets:
            self._order(found.buckets)
        assert self._stacks is not None  # noqa: S101 - it was made with the order
        workspace = self._workspace
        leaves = workspace.make(
            "numbering the classes", "leaves", "methods/sabre/leaves", {}, **leaves_of(found.halved)
        )
        dealt_classes = workspace.make(
            "spreading the places over the curve",
            "dealt_classes",
            "methods/sabre/dealt_classes",
            {"stacked": STACKED, "stripe_stacks": self._stacks, "leaves": leaves},
        )
        self._session.create(
            Step(
                "dealing the records into classes",
                self._given.assigned,
                "methods/locality/assigned",
                {"stacked": STACKED, "dealt_classes": dealt_classes},
                {"columns": self._given.released},
                Materialization.WORK_TABLE,
            )
        )
        self._dealt = found
        self.tried.append(
            {
                "buckets": len(found.buckets),
                "classes": found.halved.classes,
                "promised_t": exact(found.promised),
                "failing": 0,
            }
        )

    def holds(self, models: list[Asked]) -> bool:
        """Whether every class dealt meets these models."""
        given = self._given
        positions = {given.attribute.alias: given.attribute.positions}
        short = failing(self._workspace, given.assigned, positions, models)
        self.tried[-1]["failing"] = short
        return not short

    def _order(self, buckets: Partition) -> None:
        """Put the records of every bucket in the order of the curve."""
        given, workspace = self._given, self._workspace
        alias = given.attribute.alias
        fragments = workspace.make(
            "writing the buckets down",
            "fragments",
            "methods/deal/fragments",
            {},
            sensitive=(alias,),
            boxes=buckets,
        )
        pieces = workspace.make(
            "the bucket of every value",
            "pieces",
            "methods/deal/pieces",
            {"matrix": given.matrix, "fragments": fragments},
            sensitive=(alias,),
        )
        self._stacks = workspace.make(
            "stacking the buckets",
            "stripe_stacks",
            "methods/deal/stripe_stacks",
            {"pieces": pieces},
            classes=1,
        )
        striped = workspace.make(
            "finding the bucket of every record",
            "striped",
            "methods/deal/striped",
            {"curve_places": given.curve_places, "pieces": pieces, f"bins_{alias}": given.bins},
            columns=given.columns.all,
            sensitive=(alias,),
            bins={str(alias): given.bins},
        )
        by = (Sql("fragment"),)
        workspace.create(
            ordered_along(striped, self._stacks, given.columns, by, given.curve, in_stripes=False)
        )
        workspace.drop(striped)


def leaves_of(halved: Halved) -> dict[str, object]:
    """The parameters of the template that numbers the classes."""
    depth, root = len(halved.levels), halved.root
    levels = [
        {"modulus": root * 2**number, "halved": spans, "left": left, "ends": 2 ** (depth - number)}
        for number, (spans, left) in enumerate(halved.levels)
    ]
    return {"root": root, "levels": levels, "modulus": root * 2**depth}
