"""Requirements on the tuples of some columns, for which their cells are suppressed."""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from sqlanon.measure.asked import Asked
from sqlanon.sql.names import Sql

# All choices of up to 12 columns; of more columns those of the fewest cells.
_MOST_PATTERNS = 4096


@dataclass(frozen=True)
class Column:
    """A column whose cells may be suppressed.

    Attributes:
        alias: of its codes.
        cost: what a suppressed cell of a record costs.
        digit: its digit in the number of a choice of columns.
        kept: whether no cell of it is suppressed, and so no group shows two of its values.
    """

    alias: Sql
    cost: int
    digit: int
    kept: bool = False


@dataclass(frozen=True)
class Requirement:
    """A requirement on the tuples of some columns.

    Attributes:
        columns: the columns.
        least: how many records must show a tuple at least.
        models: what else must hold of them.
        places: the places of these models among all that is asked for.
        place: the place of the size there.
    """

    columns: tuple[Column, ...]
    least: int
    models: tuple[Asked, ...]
    places: tuple[int, ...]
    place: int

    @property
    def aliases(self) -> tuple[Sql, ...]:
        """The columns' codes."""
        return tuple(one.alias for one in self.columns)

    @property
    def kept(self) -> tuple[Sql, ...]:
        """The codes of the columns whose cells are kept."""
        return tuple(one.alias for one in self.columns if one.kept)

    @property
    def most_cells(self) -> int:
        """How many cells a choice may have, but for the one of all."""
        size, tried = len(self.columns) - len(self.kept), 0
        for cells in range(size + 1):
            tried += comb(size, cells)
            if tried > _MOST_PATTERNS:
                return cells - 1
        return size
