"""How much a search tries before it takes the classes that lose least."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

# The next attempt takes about so much of the work that is left; how much follows is not known.
NEXT = 0.5
# Of so many cells a search tries less: it takes long, and more gained little.
MANY_CELLS = 200_000

EffortName = Literal["quick", "normal", "best"]


@dataclass(frozen=True)
class Effort:
    """The effort of a search; more of it loses less, and takes longer.

    Attributes:
        nodes: along how many lattice nodes classes are carved at most.
        whole_nodes: the same where groups are taken whole: there each node takes more.
        turns: in how many turns all nodes are carved at most, one way after the other.
        whole_widths: how many nodes are carved together where groups are taken whole.
        reserves: within what part of t the remainder of carving must stay: a lopsided one cannot
            be split. In turn, unless one refuses no class.
        shrunk_reserves: the same where classes have no closed form.
        few_cells: the last reserve alone is tried where carving reads more cells than this.
        pooled_percents: to what part of t, in percent, pooled cuts are held where the tree cuts the
            table alone; none to do so only where nothing was carved.
        shares: where a node is cut, in percent of its records; the nearest border between two
            values is tried with each, or in its place where values are kept together. Both borders
            of a value that holds more than half are tried, too.
        dealt_shares: where a node is cut that is dealt alone, which costs less.
        candidates: by how many quasi-identifiers a node may be cut: those that spread its records
            widest.
        least_gain: the cutting ends when a level saves less than this share of the loss, but not in
            the first levels.
        refine: how often at most neighbouring classes are pooled and cut again.
        refine_few: how often at most where few classes were carved.
        exchanges: in how many turns at most classes exchange records.
        offers: how many ways to exchange some a class tries in a turn.
        exchange_gain: it ends with a turn that saves less than this share of the loss.
        whole_values: whether a pooled cut keeps the records of a value together.
    """

    nodes: int
    whole_nodes: int
    turns: tuple[int, ...]
    whole_widths: tuple[int, ...]
    reserves: tuple[Fraction, ...]
    shrunk_reserves: tuple[Fraction, ...]
    few_cells: int
    pooled_percents: tuple[int, ...]
    shares: tuple[int, ...]
    dealt_shares: tuple[int, ...]
    candidates: int
    least_gain: Fraction
    refine: int
    refine_few: int
    exchanges: int
    offers: int
    exchange_gain: Fraction
    whole_values: bool = False

    @property
    def cuts(self) -> tuple[int, ...]:
        """The places of a node's cuts, numbered from 1."""
        of_a_share = 1 if self.whole_values else 2
        return tuple(range(1, of_a_share * len(self.shares) + 3))


_LESS, _MORE = Fraction(7, 10), Fraction(85, 100)
EFFORTS: dict[EffortName, Effort] = {
    "quick": Effort(
        nodes=60,
        whole_nodes=60,
        turns=(20,),
        whole_widths=(16,),
        reserves=(_MORE,),
        shrunk_reserves=(_LESS,),
        few_cells=0,
        pooled_percents=(),
        shares=(50,),
        dealt_shares=(30, 50, 70),
        candidates=2,
        least_gain=Fraction(1, 100),
        refine=0,
        refine_few=0,
        exchanges=0,
        offers=0,
        exchange_gain=Fraction(0),
    ),
    "normal": Effort(
        nodes=400,
        whole_nodes=200,
        turns=(400,),
        whole_widths=(16, 4),
        reserves=(_LESS, _MORE),
        shrunk_reserves=(_LESS,),
        few_cells=3_000_000,
        pooled_percents=(100, 85),
        shares=(30, 50, 70),
        dealt_shares=(20, 30, 40, 50, 60, 70, 80),
        candidates=8,
        least_gain=Fraction(1, 10_000),
        refine=6,
        refine_few=1,
        exchanges=6,
        offers=6,
        exchange_gain=Fraction(1, 300),
    ),
    "best": Effort(
        nodes=400,
        whole_nodes=200,
        turns=(200, 400),
        whole_widths=(16, 4, 2),
        reserves=(_LESS, _MORE),
        shrunk_reserves=(_LESS, _MORE),
        few_cells=10**18,
        pooled_percents=(100, 85, 70),
        shares=(30, 50, 70),
        dealt_shares=tuple(range(20, 85, 5)),
        candidates=8,
        least_gain=Fraction(1, 10_000),
        refine=12,
        refine_few=12,
        exchanges=40,
        offers=12,
        exchange_gain=Fraction(1, 2000),
    ),
}
