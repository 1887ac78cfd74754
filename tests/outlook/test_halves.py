"""How close a class of half of the records can come: held against all classes of few records."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from itertools import product

import pytest
from support import database

from sqlanon.engines import open_engine
from sqlanon.planning.prepare import prepare
from sqlanon.spec import parse_spec
from sqlanon.uses.outlook.halves import MOST_COMPARED, closest
from sqlanon.uses.outlook.outlook import outlook


def parts(counts: Sequence[int], least: int) -> Iterator[tuple[int, ...]]:
    """Every class of at most half of the records, as how many it has of each value."""
    for taken in product(*(range(count + 1) for count in counts)):
        if least <= sum(taken) <= sum(counts) // 2:
            yield taken


def distance(taken: Sequence[int], counts: Sequence[int], ordered: bool) -> Fraction:
    shares = [
        Fraction(number, sum(taken)) - Fraction(of, sum(counts))
        for number, of in zip(taken, counts, strict=True)
    ]
    if not ordered:
        return sum((abs(share) for share in shares), Fraction()) / 2
    so_far = (sum(shares[:place], Fraction()) for place in range(1, len(shares)))
    return sum((abs(number) for number in so_far), Fraction()) / (len(shares) - 1)


@pytest.mark.parametrize("ordered", [False, True])
@pytest.mark.parametrize("least", [1, 3])
@pytest.mark.parametrize(
    "counts", [[7, 5], [1, 1], [6, 1, 4], [3, 3, 3, 2], [5, 1, 1, 4], [2, 2, 2, 2, 2], [9, 1, 1]]
)
def test_no_class_comes_closer(counts: list[int], least: int, ordered: bool) -> None:
    each = [distance(taken, counts, ordered) for taken in parts(counts, least)]
    assert closest(counts, least, ordered) == (min(each) if each else None)


def test_what_takes_long_to_compare_is_not() -> None:
    assert closest([MOST_COMPARED, MOST_COMPARED + 1], 1, False) is None
    assert closest([12], 2, False) is None


@pytest.mark.parametrize(
    ("name", "counts", "ordered"), [("ill", [42, 17], False), ("pay", [17, 17, 17, 8], True)]
)
def test_one_class_is_foreseen(name: str, counts: list[int], ordered: bool) -> None:
    """A t that is met by the whole table alone makes a release that says nothing."""
    best = closest(counts, 2, ordered)
    assert best is not None
    with database() as connection:
        connection.execute(
            "create table people as select i as id, i % 20 as age, case when i < 17 then 'flu' "
            "else 'cold' end as ill, i // 17 as pay from range(59) as r(i)"
        )
        for t, is_told in ((best, False), (best * 999 / 1000, True)):
            declared = {
                "source": "people",
                "release": "p",
                "quasi_identifiers": ["age"],
                "sensitive": {name: {"t": f"{t.numerator}/{t.denominator}"}},
                "privacy": {"k": 2},
            }
            with closing(open_engine(connection=connection)) as engine:
                found = outlook(prepare(parse_spec(declared), engine), engine).foreseen
            what = f"All records will be one class: no class of at most half of them has {name} "
            assert any(text.startswith(what) for text in found) == is_told
