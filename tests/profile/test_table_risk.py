"""The risk of a table against plain Python, on every engine."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import exp, log
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from oracle import risk as oracle
from servers import Place, place
from support import Row, database, examples, make_table, slow

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.uses.profile.measured import most_at_once, population_uniques
from sqlanon.uses.profile.risk import Risks

TYPES = {"äge": "integer", "a, b": "varchar", "member": "boolean", "dose": "double", "e": "integer"}
NAMES = list(TYPES)
VALUES = (
    st.one_of(st.none(), st.integers(0, 6)),
    st.one_of(st.none(), st.sampled_from(["", "x", "X", "NULL"])),
    st.one_of(st.none(), st.booleans()),
    st.one_of(st.none(), st.sampled_from([0.0, 0.5, 1e300])),
    st.integers(0, 2),
)
ROWS = st.lists(st.tuples(*VALUES), min_size=1, max_size=25)


def of(rows: Sequence[Row], names: Sequence[str] = NAMES, **asked: Any) -> Risks:
    with database() as connection:
        make_table(connection, "t", TYPES, rows)
        if "population" in asked:
            make_table(connection, "p", TYPES, asked["population"])
            asked["population"] = "p"
        return sqlanon.risk("t", quasi_identifiers=names, connection=connection, **asked)


def compare(found: Risks, wanted: Mapping[str, Any]) -> None:
    for figure, value in wanted.items():
        reached = found.value(figure)
        assert (reached is None) == (value is None), figure
        assert value is None or reached == pytest.approx(float(value), abs=2e-9), figure


@examples(4, 80)
@given(ROWS, ROWS, st.integers(1, 5))
def test_figures_are_those_of_the_definitions(
    rows: list[Row], population: list[Row], number: int
) -> None:
    names, kept = NAMES[:number], [row[:number] for row in rows]
    found = of(rows, names, population=population)
    compare(found, oracle.figures(kept))
    compare(found, oracle.in_population(kept, [row[:number] for row in population]))
    most = most_at_once(number)
    uniques = oracle.minimal_uniques(kept, most)
    few = sum(any(len(some) < number for some in each) for each in uniques.values())
    scores = [oracle.score(each, number, most) for each in uniques.values()]
    compare(
        found,
        {
            "special_unique_share": few / len(rows),
            "greatest_score": max(scores, default=0),
            "mean_score": sum(scores) / len(rows),
        },
    )
    special: dict[tuple[str, ...], int] = {}
    for each in uniques.values():
        for some in each:
            columns = tuple(names[one] for one in some)
            special[columns] = special.get(columns, 0) + 1
    assert dict(found.special) == special
    assert [n for _, n in found.special] == sorted(special.values(), reverse=True)
    for combination in found.combinations:
        places = [names.index(name) for name in combination.columns]
        assert combination.single == len(oracle.alone_with(kept, places))
        assert combination.tuples == len({tuple(row[at] for at in places) for row in kept})
    total = sum(special.values())
    for name, share in found.shares:
        has = sum(n for columns, n in special.items() if name in columns)
        assert share == pytest.approx(has / total if total else 0)


def test_the_subsets_are_bounded() -> None:
    """All of few columns, of many columns fewer at once; what is shown says of how many."""
    assert [most_at_once(number) for number in (1, 2, 4, 8, 9, 12, 22, 23, 60)] == [
        *(1, 2, 4, 4, 4, 2, 2, 1, 1)
    ]
    rows: list[Row] = [(i, "x", True, 0.0, 0) for i in range(9)]
    found = of(rows)
    assert found.at_once == 4
    assert found.special == ((("äge",), 9),)
    assert found.shares[0] == ("äge", 1.0)


def test_the_estimates_for_a_population() -> None:
    """A sample of a population whose combinations are equally likely, and of one that is skewed."""
    even = {"records": 1000, "squares": 11_000}
    uniform = population_uniques({"records": 1000, "squares": 10_000}, 100, 10_000)
    assert uniform == pytest.approx(10_000 * exp(-100))
    # f: mean 10, variance 10; 11,000 / 100 - 100 = 10 is that of a Poisson: no spread at all
    assert population_uniques(even, 100, 10_000) == pytest.approx(uniform)
    # variance 20: b = (20 / 10 - 1) / 1000 = 1/1000 and a = 1 / (100 / 1000) = 10
    skewed = population_uniques({"records": 1000, "squares": 12_000}, 100, 10_000)
    assert skewed == pytest.approx(10_000 * 11.0**-11)
    rows: list[Row] = [(i // 2 if i < 6 else i, "x", True, 0.0, 0) for i in range(10)]
    found = of(rows, ["äge", "e"], fraction="1/5")  # 4 alone, 3 pairs
    assert found.value("unique_match_risk") == pytest.approx(0.8 / (0.8 + 2 * 0.8 * 3))
    estimate = found.value("population_uniques")
    assert estimate is not None
    assert 0 < estimate < 50
    together = of([row for row in rows if row[0] < 3], ["äge"], fraction=0.5)
    assert together.value("unique_match_risk") is None  # nobody is alone


@examples(4, 60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, 1, 2, 3]),
            st.fractions(Fraction(1, 2), 40, max_denominator=4),
            st.sampled_from([None, "a", "b b", "", "  "]),
        ),
        min_size=1,
        max_size=20,
    )
)
def test_samples_and_households(rows: list[tuple[Any, Fraction, Any]]) -> None:
    with database() as connection:
        types = {"age": "integer", "Wéight": "double", "home": "varchar"}
        make_table(connection, "t", types, [(one, float(two), three) for one, two, three in rows])
        asked: dict[str, Any] = {"weight": "Wéight", "household": "home"}
        found = sqlanon.risk("t", quasi_identifiers=["age"], connection=connection, **asked)
    kept = [(row,) for row, *_ in rows]
    compare(found, oracle.in_households(kept, [home for *_, home in rows]))
    wanted = oracle.weighted(kept, [weight for _, weight, _ in rows])
    for figure, value in wanted.items():
        large = max(Counter(kept).values()) > 3 and figure.endswith("risk")
        # For more than three records p / (f - q) stands for a series: at most 2.05 % above it,
        # for four records and q near 0.635.
        near = pytest.approx(value, rel=0.0206 if large else 2e-6, abs=1e-6)
        assert found.value(figure) == near, figure


@examples(4, 60)
@given(
    rows=st.lists(
        st.tuples(st.sampled_from([None, 1, 2, 3]), st.sampled_from("ab"), st.integers(0, 4)),
        min_size=1,
        max_size=20,
    ),
    known=st.sampled_from([1, 2, 3]),
)
def test_sets_of_items_of_which_some_are_known(
    rows: list[tuple[Any, str, int]], known: int
) -> None:
    """An item is a combination of two columns, NULL is one, and a person may have it twice."""
    with database() as connection:
        make_table(connection, "t", {"a": "integer", "b": "varchar", "Wh o": "integer"}, rows)
        asked: dict[str, Any] = {"person": "Wh o", "known": known, "connection": connection}
        found = sqlanon.risk("t", quasi_identifiers=["a", "b"], **asked)
    kept = [(one, two) for one, two, _ in rows]
    compare(found, oracle.of_items(kept, [who for *_, who in rows], known))


def test_risks_of_a_sample_worked_by_hand() -> None:
    """One record for two persons, p = 1/2: -p ln p / q = ln 2. One for one: p = 1."""
    with database() as connection:
        make_table(connection, "t", {"a": "integer", "w": "integer"}, [(1, 2), (2, 1)])
        found = sqlanon.risk("t", quasi_identifiers=["a"], connection=connection, weight="w")
    assert found.value("individual_risk") == 1
    assert found.value("weighted_marketer_risk") == pytest.approx((log(2) + 1) / 2)
    assert found.value("unique_in_population") == 1.5
    assert found.value("estimated_persons") == 3


@pytest.mark.parametrize("q", [0.0099, 0.0101, 1e-7])
@pytest.mark.parametrize("f", [1, 2, 3])
def test_risks_where_nearly_everybody_is_in_the_sample(f: int, q: float) -> None:
    """On both sides of where a series takes the place of the closed form."""
    with database() as connection:
        make_table(connection, "t", {"a": "integer", "w": "double"}, [(1, 1 / (1 - q))] * f)
        found = sqlanon.risk("t", quasi_identifiers=["a"], connection=connection, weight="w")
    p = Fraction(1 - q)
    wanted = oracle.mean_of_reciprocal(f, p, Fraction(1, 10**15))
    assert found.value("individual_risk") == pytest.approx(wanted, abs=2e-9)


def test_a_typo_next_to_columns_that_are_there_gets_a_hint(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("age,sex,home\n1,F,1\n2,M,2\n")
    typos: list[dict[str, Any]] = [{"household": "hme"}, {"person": "hme"}]
    for typo in typos:
        (asked,) = typo
        with pytest.raises(SpecError, match=f"{asked}: .* did you mean 'home'"):
            sqlanon.risk(tmp_path / "t.csv", quasi_identifiers=["age"], **typo)


def test_what_does_not_fit_is_refused() -> None:
    rows: list[Row] = [(1, "x", True, 0.5, 2)]
    with database() as connection:
        make_table(connection, "t", TYPES, rows)
        make_table(connection, "p", {**TYPES, "e": "varchar"}, rows)
        make_table(connection, "none", TYPES, [])
        make_table(connection, "lists", {"a": "integer[]"}, [])

        def refused(message: str, table: str, names: list[str], **asked: Any) -> None:
            with pytest.raises(SpecError, match=message):
                sqlanon.risk(table, quasi_identifiers=names, connection=connection, **asked)

        refused("no column 'f'", "t", ["f"])
        refused("no table or view 'q'", "q", ["e"])
        refused("it has no record", "none", ["e"])
        refused("cannot be compared", "lists", ["a"])
        refused("each once", "t", ["e", "e"])
        refused("each once", "t", [])
        refused("cast one of them", "t", ["e"], population="p")
        refused("less than 1", "t", ["e"], fraction=1)
        refused("at least 1e-12", "t", ["e"], fraction="1e-400")
        refused("weight: 'e' is a quasi-identifier", "t", ["e"], weight="e")
        refused("household: 'e' is a quasi-identifier", "t", ["e"], household="e")
        refused("weight: 'a, b' is VARCHAR, and must be numbers", "t", ["e"], weight="a, b")
        refused("household: it has no column 'hom'", "t", ["e"], household="hom")
        refused("household: 'e' is the weight", "t", ["äge"], weight="e", household="e")
        refused("person: 'e' is the household", "t", ["äge"], household="e", person="e")
        refused("known: it counts the items of a person", "t", ["e"], known=2)
        refused("known: it must be from 1 to 3", "t", ["e"], person="äge", known=4)
        make_table(connection, "i", {"e": "integer", "who": "integer"}, [(1, None), (2, 1)])
        refused("person: of 1 records it is missing", "i", ["e"], person="who")
        with patch("sqlanon.uses.profile.measured.MOST_SETS", 0):
            refused("known: persons have up to 1 sets of 2 items", "t", ["e"], person="äge")
        make_table(connection, "w", {"e": "integer", "w": "double"}, [(1, None), (1, 0), (1, 2)])
        refused("weight: of 2 records it is missing", "w", ["e"], weight="w")
        connection.execute("update w set w = 'nan' where w = 2")
        refused("weight: of 3 records it is missing", "w", ["e"], weight="w")
        refused("at most 62", "t", [f"c{place}" for place in range(63)])
        refused("such as 0.01", "t", ["e"], fraction="some")


def test_more_combinations_than_a_double_holds() -> None:
    """Where K has no end, a person is alone unless the sample shows pairs."""
    spread = {"records": 1000, "squares": 1000}
    assert population_uniques(spread, 10**360, 10_000.0) == pytest.approx(10_000)
    clumped = {"records": 1000, "squares": 1500}  # b = 1/2000: N / (1 + N b) alone
    assert population_uniques(clumped, 10**360, 10_000.0) == pytest.approx(10_000 / 6)


@pytest.mark.slow
def test_figures_at_the_most_columns(tmp_path: Path) -> None:
    """Sets of columns are numbers of 62 bits."""
    lines = [",".join(str((row * (place + 3)) % 4) for place in range(62)) for row in range(6)]
    head = [f"c{place}" for place in range(62)]
    (tmp_path / "wide.csv").write_text("\n".join([",".join(head), *lines]), encoding="utf-8")
    found = sqlanon.risk(str(tmp_path / "wide.csv"), quasi_identifiers=head)
    columns = list(zip(*(line.split(",") for line in lines), strict=True))
    alone = {
        name: sum(column.count(value) == 1 for value in column)
        for name, column in zip(head, columns, strict=True)
    }
    assert found.at_once == 1
    assert dict(found.special) == {(name,): count for name, count in alone.items() if count}


@pytest.mark.slow
@pytest.mark.parametrize("where", ["postgres", *slow("postgres_icu", "spark")])
def test_the_same_on_every_engine(where: str, urls: Mapping[str, str]) -> None:
    rows: list[Row] = [
        (i % 7 or None, "xyÄ"[i % 3], i % 2 == 0, i % 5 / 2, i * i % 11) for i in range(40)
    ]

    def found(there: Place) -> Risks:
        beside = {"weight": "double", "home": "integer", "who": "integer"}
        sampled = [(*row, 1 + i % 4 / 2, i // 3 or None, i // 5) for i, row in enumerate(rows)]
        there.make_table("t", {**TYPES, **beside}, sampled)
        there.make_table("p", TYPES, [*rows, *rows[:9]])
        return sqlanon.risk(
            "t",
            quasi_identifiers=NAMES,
            population="p",
            fraction=0.1,
            weight="weight",
            household="home",
            person="who",
            known=3,
            connection=there.connection,
        )

    with place("duckdb", urls) as here, place(where, urls) as there:
        assert found(there) == found(here)


def test_the_command(tmp_path: Path) -> None:
    lines = "\n".join(f"Zoe{i % 9},{i % 40 + 4000}" for i in range(200))
    (tmp_path / "t.csv").write_text(f"name,zip\n{lines}\n", encoding="utf-8")
    done = command(tmp_path, "risk", "t.csv", "--qi", "name,zip", "--fraction", "0.1")
    assert "What singles most records out" in done.stdout
    shown = json.loads(
        command(tmp_path, "risk", "t.csv", "--qi", "zip", "--population", "t.csv", "--json").stdout
    )
    assert {one["figure"]: one["value"] for one in shown["figures"]}["journalist_risk"] == 0.2
    assert "Zoe" not in done.stdout
