"""How many records of every bucket a class takes: the table, halved time and again.

Cao et al. (2011), redistribution: the vector of the buckets' records is dichotomized as long as
both halves are large enough and close enough. Here the buckets lie one after the other as in a
deck, and halves are its odd and its even places, as if dealt to two. So every part is the places p
with p mod modulus = residue: what it holds of each bucket is a count of multiples, and all residues
between two that a bucket begins at hold the same. Millions of parts are so a few kinds for each
modulus, and only these are looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

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
