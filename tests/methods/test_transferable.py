"""Split-or-Deal by cuts between values alone: a record's class follows from its values."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Connection, database, examples, make_table, read

import sqlanon
from sqlanon.errors import SpecError

COLUMNS = {"age": "integer", "town": "varchar", "ill": "varchar"}
METHOD = {"name": "split_or_deal", "transferable": True}
PLAIN: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": {"age": {"publish": "bounds"}, "town": {}},
    "sensitive": {"ill": {"t": "0.4"}},
    "k": 3,
    "seed": 7,
    "progress": False,
    "method": METHOD,
}


def rows(random: Random, several: int) -> list[tuple[Any, ...]]:
    towns, ills = ["Bern", "it's", None, "Chur"], ["flu", "cold", None]
    return [
        (random.choice([None, *range(20, 40)]), random.choice(towns), random.choice(ills))
        for _ in range(several)
    ]


def released(connection: Connection, **declared: Any) -> list[tuple[Any, ...]]:
    sqlanon.anonymize("people", connection=connection, **{**PLAIN, **declared}).close()
    return sorted(read(connection, str(declared.get("release", "public")))[1], key=repr)


def named(text: str | None) -> set[str | None]:
    """The towns that a cell names."""
    if text is None or not text.startswith("{"):
        return {text}
    return {None if one == "NULL" else one for one in text[1:-1].split(", ")}


@pytest.mark.slow
@examples(3, 40)
@given(seed=st.integers(0, 2**31), several=st.integers(3, 60))
def test_every_record_lies_in_the_cell_of_its_class_and_in_no_other(
    seed: int, several: int
) -> None:
    people = rows(Random(seed), several)
    with database() as connection:
        make_table(connection, "people", COLUMNS, people)
        cells = Counter(row[:3] for row in released(connection))
    found = Counter[tuple[Any, ...]]()
    for age, town, _ in people:
        holding = [
            cell
            for cell in cells
            if town in named(cell[2])
            and (cell[0] <= age <= cell[1] if age is not None and cell[0] is not None else True)
            and (age is not None or cell[0] is None)
        ]
        assert len(holding) >= 1
        known = [cell for cell in holding if (cell[0] is None) == (age is None)]
        found.update(known if len(known) == 1 else holding[:1])
    assert sum(found.values()) == sum(cells.values()) == several


@pytest.mark.slow
@examples(2, 20)
@given(seed=st.integers(0, 2**31))
def test_its_cells_as_a_recipe_make_the_same_release(seed: int) -> None:
    """Row by row, and no record is left out."""
    with database() as connection:
        make_table(connection, "people", COLUMNS, rows(Random(seed), 80))
        first = released(connection, release="first")
        assert released(connection, recipe="first") == first


@pytest.mark.slow
def test_it_lets_nothing_be_dealt_out() -> None:
    """What deals loses less, and a record's class does not follow from its values."""
    with database() as connection:
        make_table(connection, "people", COLUMNS, rows(Random(3), 200))
        losses = []
        for method in (METHOD, "split_or_deal"):
            made = sqlanon.anonymize("people", connection=connection, **{**PLAIN, "method": method})
            losses.append(made.measure("gcp"))
            made.close()
    assert losses[0] is not None
    assert losses[1] is not None
    assert losses[0] >= losses[1]


@pytest.mark.parametrize("name", ["refine", "regions"])
def test_what_makes_cells_overlap_does_not_go_with_it(name: str) -> None:
    with database() as connection:
        make_table(connection, "people", COLUMNS, rows(Random(3), 20))
        with pytest.raises(SpecError, match=rf"method\.{name}: cells that overlap come of it"):
            released(connection, method={**METHOD, name: 3})
