"""Into how many classes a fragmentation is dealt, and which fragmentations are tried."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from sqlanon.methods.deal.fragmentation.envelope import (
    Envelope,
    common_divisor,
    greatest_divisor,
    most_classes,
)
from sqlanon.methods.deal.fragmentation.fragments import (
    Fragment,
    Matrix,
    Splitting,
    Strategy,
    find_fragmentation,
)
from sqlanon.sql.names import exact

# Fragments for what part of t are tried. A class gets its share of each rounded up or down, for
# which small fragments leave room: a part of t.
PARTS_OF_T = tuple(map(Fraction, ("1", "3/4", "2/3", "1/2", "2/5", "1/3", "1/4", "1/6", "1/8")))
STRATEGIES: tuple[Strategy, ...] = ("excess", "sum")
# Finer fragmentations take long to find; single cells are tried where they are not more than this.
MOST_FRAGMENTS, MOST_SINGLE_CELLS = 400, 2000
# How many of the fragmentations with the most classes are dealt, if measuring asks for fewer.
DEALT = 4


@dataclass(frozen=True)
class Sized:
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

    def lowered(self) -> Sized:
        """The same with fewer classes, down to one."""
        if self.envelope is None:
            divisor = common_divisor(self.fragments)
            return replace(self, classes=greatest_divisor(divisor, self.classes - 1))
        ceiling = min(self.classes - 1, self.classes * 7 // 8)
        return replace(self, classes=most_classes(self.envelope, ceiling))


def by_divisor(matrix: Matrix, t: Sequence[Fraction], strategy: Strategy, ceiling: int) -> Sized:
    """The dissertation's form, with k: the divisor of q that leaves classes large enough."""
    found = find_fragmentation(matrix, t, strategy, MOST_SINGLE_CELLS)
    fragments = _filled(matrix.singletons() if found is None else found)
    divisor = greatest_divisor(common_divisor(fragments), ceiling)
    return Sized(f"gcd, {strategy}", fragments, divisor, None)


def by_envelope(
    matrix: Matrix,
    table: Matrix,
    t: Sequence[Fraction],
    strategy: Strategy | None,
    ceiling: int,
) -> list[Sized]:
    """The fragmentations with the most classes, those with the fewest fragments first of equals.

    Args:
        matrix: of the records that are dealt.
        table: of all records, to which a class must be close.
        t: the greatest distance along each axis.
        strategy: by what fragments are split; None to try each.
        ceiling: the greatest number of classes.
    """
    strategies = STRATEGIES if strategy is None else (strategy,)
    sized = []
    for name, fragments in _fragmentations(matrix, t, strategies):
        for turn in range(len(matrix.axes)):
            # Neighbours follow each other: along one attribute first, then another.
            ordered = tuple(sorted(fragments, key=lambda one: (*one.box[turn:], *one.box[:turn])))
            envelope = Envelope(table, ordered, t)
            classes = most_classes(envelope, ceiling)
            sized.append(Sized(name, ordered, classes, envelope))
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
