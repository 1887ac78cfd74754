"""Multiplicity matrices of several sensitive attributes and what is summed from them.

A multiplicity matrix is a mapping from a cell (one 0-based code per sensitive attribute) to the
number of records with this combination; a cell that is not named counts 0. Gowda (2023), ch. 4.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

Cell = tuple[int, ...]
Matrix = Mapping[Cell, int]
Box = Sequence[tuple[int, int]]
"""Per dimension the first and the last code, both included."""


def multiplicity(rows: Sequence[Sequence[int]]) -> dict[Cell, int]:
    """Count the records of each cell; rows are tuples of codes. Gowda (2023), section 4.2.1."""
    counts: dict[Cell, int] = {}
    for row in rows:
        counts[tuple(row)] = counts.get(tuple(row), 0) + 1
    return counts


def from_vector(counts: Sequence[int]) -> dict[Cell, int]:
    """The one-dimensional matrix of one sensitive attribute: ``counts[i]`` in cell ``(i,)``."""
    return {(i,): count for i, count in enumerate(counts)}


def from_table(table: Sequence[Sequence[int]]) -> dict[Cell, int]:
    """The two-dimensional matrix written as a list of rows."""
    return {(i, j): count for i, row in enumerate(table) for j, count in enumerate(row)}


def to_table(counts: Matrix, rows: int, columns: int) -> list[list[int]]:
    """A two-dimensional matrix as a list of rows; the inverse of `from_table`."""
    return [[counts.get((i, j), 0) for j in range(columns)] for i in range(rows)]


def mass(counts: Matrix) -> int:
    """The number of records, |M|. Gowda (2023), section 4.2.2."""
    return sum(counts.values())


def marginal(counts: Matrix, axis: int, size: int) -> list[int]:
    """The counts of one attribute's values: row sums for axis 0, column sums for axis 1.

    Gowda (2023), definition 1 (whose index ranges are exchanged in print).

    Args:
        counts: The multiplicity matrix.
        axis: Which attribute, 0-based.
        size: How many values its domain has; values without a record count 0.
    """
    sums = [0] * size
    for cell, count in counts.items():
        sums[cell[axis]] += count
    return sums


def box_mass(counts: Matrix, box: Box) -> int:
    """The number of records inside a contiguous box. Gowda (2023), definition 5."""
    return sum(
        count
        for cell, count in counts.items()
        if all(low <= code <= high for code, (low, high) in zip(cell, box, strict=True))
    )


def conforms(whole: Matrix, part: Matrix, box: Box) -> bool:
    """Whether both have the same share of their records in the box. Gowda (2023), definition 8."""
    share_of_whole = Fraction(box_mass(whole, box), mass(whole))
    share_of_part = Fraction(box_mass(part, box), mass(part))
    return share_of_whole == share_of_part


def cells_above(part: Matrix, whole: Matrix) -> list[Cell]:
    """The cells in which a class has more records than the table: none, for a class of it."""
    return sorted(cell for cell, count in part.items() if count > whole.get(cell, 0))


def centre_of_gravity(vector: Sequence[int]) -> Fraction:
    """The point, between 1 and the length, on which the vector balances.

    Gowda (2023), definition 2: the sum over i of p_i (i - g), with i from 1, vanishes.
    """
    return Fraction(sum(i * p for i, p in enumerate(vector, start=1)), sum(vector))


def heavy_side(vector: Sequence[int]) -> str:
    """``left``, ``right`` or ``balanced``: the centre of gravity against the midpoint (k + 1)/2.

    Gowda (2023), definition 3.
    """
    difference = centre_of_gravity(vector) - Fraction(len(vector) + 1, 2)
    if difference == 0:
        return "balanced"
    return "left" if difference < 0 else "right"
