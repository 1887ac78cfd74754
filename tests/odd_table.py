"""A table of odd names and values, and what the cells that are published of it say."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from hypothesis import strategies as st
from oracle.attacks import ANYTHING, Cell, Interval, Under

TYPES = {
    "äge": "integer",
    "zip": "varchar",
    "Town, of": "varchar",
    "visits": "integer",
    "born": "date",
    "disease": "varchar",
    "pay": "integer",
}
KNOWN = list(TYPES)[:5]
DISEASES = {"*": {"lungs": ["flu", "cold"], "stomach": ["ulcer", "a, b"]}}
GROUP: dict[Any, Any] = {"flu": 1, "cold": 1, "ulcer": 2, "a, b": 2}
SPEC: dict[str, Any] = {
    "source": {"table": "t"},
    "release": "public",
    "quasi_identifiers": {
        "äge": {},
        "zip": {"hierarchy": {"prefix": [3, 1, 0]}},
        "Town, of": {"publish": "set"},
        "visits": {"publish": "bounds"},
        "born": {"hierarchy": {"dates": ["month", "year"]}},
    },
    "sensitive": {
        "disease": {"distance": "hierarchical", "hierarchy": {"tree": DISEASES}},
        "pay": {"distance": "ordered"},
    },
    "privacy": {"k": 2},
    "method": "stack_and_deal",
    "seed": 3,
}
QUASI = (
    st.one_of(st.none(), st.integers(18, 24)),
    st.one_of(st.none(), st.sampled_from(["100", "101", "110", "234"])),
    st.one_of(st.none(), st.sampled_from(["a", "b, c", "{d}", "NULL", "50%", "*"])),
    st.one_of(st.none(), st.integers(0, 3)),
    st.one_of(st.none(), st.sampled_from([date(2000, 1, 1), date(2000, 1, 31), date(2001, 5, 2)])),
)
VALUES = (st.sampled_from(list(GROUP)), st.one_of(st.none(), st.integers(0, 25)))


def members(cell: str) -> Under:
    """A set as it is published: a comma inside a value as %2C, a percent sign as %25."""
    if not (cell.startswith("{") and cell.endswith("}")) or cell == "{d}":
        return Under(frozenset([cell]))
    texts = cell[1:-1].split(", ")
    plain = (
        None if text == "NULL" else "NULL" if text == "%4EULL"
        else text.replace("%2C", ",").replace("%25", "%")
        for text in texts
    )  # fmt: skip
    return Under(frozenset(plain))


ZIPS = ["100", "101", "110", "234", "999"]
BORN = [date(2000, 1, 1), date(2000, 1, 31), date(2001, 5, 2), date(1970, 1, 1)]


def under(cell: str | None, values: Sequence[Any]) -> Cell:
    """The values under a label: what begins as a prefix does, or lies in a month or a year."""
    if cell is None or cell == "*":
        return cell if cell is None else ANYTHING
    if cell.startswith("["):  # a month or a year, by its first day and its last
        first, last = cell[1:-1].split(", ")
        return Under(frozenset(value for value in values if first <= str(value) <= last))
    begins = cell.rstrip("*")
    return Under(frozenset(value for value in values if str(value).startswith(begins)))


def cells(row: Sequence[Any]) -> tuple[Cell, ...]:
    """What the published columns of a record say."""
    age, zip_, town, low, high, born = row
    if age is not None and age.startswith("["):
        age = Interval(*map(int, age[1:-1].split(", ")))
    elif age is not None:
        age = ANYTHING if age == "*" else int(age)
    visits: Cell = ANYTHING if low is None else Interval(low, high)
    return (
        age,
        under(zip_, ZIPS),
        None if town is None else members(town),
        visits,
        under(born, BORN),
    )
