"""What a reader of several releases finds who joins their rows by a pseudonym, in plain Python."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

Name = str


@dataclass(frozen=True)
class Table:
    """A release as published: of each row whose it is, its cells, and its sensitive values."""

    rows: Sequence[tuple[Name, tuple[Hashable, ...], Mapping[str, Hashable]]]

    def cells(self, name: Name) -> frozenset[tuple[Hashable, ...]]:
        """The cells of a person's rows; none where there is no row."""
        return frozenset(cells for row, cells, _ in self.rows if row == name)

    def values(self, some: Iterable[Name], attribute: str) -> Counter[Hashable]:
        """How many of these persons have each value of an attribute."""
        names = set(some)
        return Counter(
            value for _, value in {(row, of[attribute]) for row, _, of in self.rows if row in names}
        )


def alike(tables: Sequence[Table]) -> list[frozenset[Name]]:
    """The persons of any of the releases, those together whose cells agree in all of them."""
    names = {name for table in tables for name, _, _ in table.rows}
    found: dict[Hashable, set[Name]] = {}
    for name in names:
        found.setdefault(tuple(table.cells(name) for table in tables), set()).add(name)
    return [frozenset(some) for some in found.values()]


def fewest(tables: Sequence[Table]) -> int:
    """The multi-relational k: how many persons are alike at least."""
    return min(map(len, alike(tables)))


def least_values(tables: Sequence[Table], place: int, attribute: str) -> int:
    """How many values of an attribute of one release persons who are alike show at least."""
    table = tables[place]
    there = [some for some in alike(tables) if any(name in some for name, _, _ in table.rows)]
    return min(len(table.values(some, attribute)) for some in there)


def farthest(tables: Sequence[Table], place: int, attribute: str) -> Fraction:
    """The greatest equal distance of persons who are alike to everybody, of a release whole."""
    table = tables[place]
    everybody = table.values((name for name, _, _ in table.rows), attribute)
    total = sum(everybody.values())
    found = Fraction(0)
    for some in alike(tables):
        values = table.values(some, attribute)
        size = sum(values.values())
        if size:
            gaps = (
                abs(Fraction(values[one], size) - Fraction(everybody[one], total))
                for one in everybody
            )
            apart = sum(gaps, Fraction(0))
            found = max(found, apart / 2)
    return found
