"""Stack & Deal for one or several sensitive attributes: sort the records, deal them like cards.

Gowda (2023), chapters 3 and 5. Everything works on the multiplicity matrix, a mapping from a cell
(one 0-based code per sensitive attribute) to its number of records.
"""

from collections.abc import Hashable, Sequence
from itertools import product
from typing import Literal

from .marginals import Cell, Matrix, multiplicity
from .privacy import Tie

Order = Literal["frequency", "value", "snake"]


def snake(shape: Sequence[int]) -> list[Cell]:
    """All cells of a grid, walked so that two consecutive cells are always neighbours.

    Boustrophedon, "as the ox ploughs": the first code only grows, and each time it does the walk
    through the remaining dimensions turns round.
    """
    if not shape:
        return [()]
    walk: list[Cell] = []
    for code in range(shape[0]):
        rest = snake(shape[1:])
        walk += [(code, *cell) for cell in (rest if code % 2 == 0 else reversed(rest))]
    return walk


def cell_order(counts: Matrix, order: Order = "frequency", tie: Tie = "high") -> list[Cell]:
    """The cells that have records, in the order in which they are stacked.

    Args:
        counts: The multiplicity matrix.
        order: ``frequency``: joint frequency, the greatest first (Gowda 2023, sections 3.3.1 and
            5.3.1); ``value``: by code, the first attribute leading; ``snake``: see `snake`.
        tie: Of two equally frequent cells, the lexicographically ``high`` one first (section
            3.3.1) or the ``low`` one (section 5.3.1). Only for ``frequency``.
    """
    present = [cell for cell, count in counts.items() if count > 0]
    if not present:
        raise ValueError("a table without records")
    if order == "frequency":
        by_code = sorted(present, reverse=(tie == "high"))
        return sorted(by_code, key=lambda cell: -counts[cell])  # stable: ties stay as they are
    shape = [max(cell[d] for cell in present) + 1 for d in range(len(present[0]))]
    if order == "value":
        return [cell for cell in product(*map(range, shape)) if cell in present]
    if order == "snake":
        return [cell for cell in snake(shape) if cell in present]
    raise ValueError("order is one of frequency, value, snake")


def cluster_order(
    counts: Matrix, unordered: Sequence[int] = (), halvings: int = 10
) -> list[list[Cell]]:
    """The clusters of similar cells, in the order in which they are stacked.

    Every cluster is halved time and again: first come the cells nearer to its first pole, the
    farthest from all, than to its second, the farthest from that. Wang et al. (2018), as Gowda
    (2023), section 2.6.6, reviews them.

    Args:
        counts: The multiplicity matrix.
        unordered: The dimensions whose codes are alike or not; the others lie along a line.
        halvings: How often.
    """
    ends = [(min(entry), max(entry)) for entry in zip(*counts, strict=True)]

    def squared(one: Cell, other: Cell) -> int:
        found = 0
        for axis, (a, b, (low, high)) in enumerate(zip(one, other, ends, strict=True)):
            a, b = ((code - low) * 1000 // max(high - low, 1) for code in (a, b))
            found += (1000 * (a != b)) ** 2 if axis in unordered else (a - b) ** 2
        return found

    def halves(cells: list[Cell]) -> list[list[Cell]]:
        first = max(
            cells, key=lambda cell: (sum(counts[c] * squared(cell, c) for c in cells), cell)
        )
        second = max(cells, key=lambda cell: (squared(cell, first), cell))
        line = sorted(cells, key=lambda cell: (squared(cell, first) - squared(cell, second), cell))
        sides: tuple[list[Cell], list[Cell]] = ([], [])
        before, total = 0, sum(counts[cell] for cell in cells)
        for entry in line:
            sides[2 * before + counts[entry] > total].append(entry)
            before += counts[entry]
        return [sorted(side) for side in sides if side]

    clusters = [sorted(counts)]
    for _ in range(halvings):
        clusters = [half for entry in clusters for half in halves(entry)]
    return clusters


def stack(counts: Matrix, order: Order = "frequency", tie: Tie = "high") -> list[Cell]:
    """The cell of each record of the stack, the first record first (see `cell_order`)."""
    return [cell for cell in cell_order(counts, order, tie) for _ in range(counts[cell])]


def stack_rows(
    rows: Sequence[Sequence[int]], order: Order = "frequency", tie: Tie = "high"
) -> list[int]:
    """The positions of the rows (tuples of codes) in the stack; equal rows stay as they come."""
    cells = cell_order(multiplicity(rows), order, tie)
    return [position for cell in cells for position, row in enumerate(rows) if tuple(row) == cell]


def number_of_classes(n: int, k: int) -> int:
    """The number of classes, floor(n/k): so many that none is smaller than k.

    Gowda (2023), section 3.3.2; the ceiling printed in section 5.3.2 gives classes below k.

    Raises:
        ValueError: If k is not positive, or greater than the number of records.
    """
    if k < 1:
        raise ValueError(f"k is at least 1, got {k}")
    if k > n:
        raise ValueError(f"no class of {k} records can be made of {n}")
    return n // k


def deal(stacked: Sequence[object], k: int) -> list[int]:
    """The class, from 0, of each position of the stack: round robin over floor(n/k) classes.

    Gowda (2023), section 3.4: record i, from 1, goes to class ((i - 1) mod e) + 1.
    """
    e = number_of_classes(len(stacked), k)
    return [(i - 1) % e for i in range(1, len(stacked) + 1)]


def deal_rows(
    rows: Sequence[Sequence[int]], k: int, order: Order = "frequency", tie: Tie = "high"
) -> list[int]:
    """The class, from 0, of each row in the given order of rows: `stack_rows`, then `deal`."""
    positions = stack_rows(rows, order, tie)
    class_at = dict(zip(positions, deal(positions, k), strict=True))
    return [class_at[position] for position in range(len(rows))]


def class_members(stacked: Sequence[Cell], class_of: Sequence[int]) -> list[list[Cell]]:
    """The cells of the records of each class."""
    members: list[list[Cell]] = [[] for _ in range(max(class_of) + 1)]
    for cell, number in zip(stacked, class_of, strict=True):
        members[number].append(cell)
    return members


def attribute_values(members: Sequence[Sequence[Cell]], axis: int) -> list[list[Hashable]]:
    """The codes of one sensitive attribute per class: what the privacy measures take."""
    return [[cell[axis] for cell in cells] for cells in members]


def class_count_matrix(
    stacked: Sequence[Cell], class_of: Sequence[int], cells: Sequence[Cell]
) -> list[list[int]]:
    """How many records of each cell (columns, as given) each class (rows) has."""
    members = class_members(stacked, class_of)
    return [[values.count(cell) for cell in cells] for values in members]
