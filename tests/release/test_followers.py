"""Columns that follow another: their cells against plain Python, and classes that never split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle.followers import STAR, interval, listed, node, values_of
from oracle.population import in_interval, in_set, under
from support import Connection, database, examples, make_table, read, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.methods import METHODS
from sqlanon.spec import parse_spec

COLUMNS = {
    "id": "integer",
    "zip": "varchar",
    "tö wn": "varchar",
    "born": "integer",
    "age": "integer",
    "band": "varchar",
    "ill": "varchar",
}
TREE = {"*": {"north": ["Åbo", "Bo'ness"], "south": ["Cork"]}}
CHAINS = {"Åbo": ("north", "*"), "Bo'ness": ("north", "*"), "Cork": ("south", "*")}
# One town, one district and one year of each code, so that they are functions of it.
TOWNS = {"101": "Åbo", "102": "Bo'ness", "103": "Cork", "201": "Cork", None: None}
ROWS = st.lists(
    st.tuples(
        st.sampled_from(["101", "102", "103", "201", None]),
        st.sampled_from([1950, 1951, 1970]),
        st.sampled_from([20, 30, 31, 50]),
        st.sampled_from(["flu", "cold"]),
    ),
    min_size=4,
    max_size=20,
)
QUASI: dict[str, Any] = {
    "tö wn": {"hierarchy": {"tree": TREE}, "follows": "zip"},
    "born": {"publish": "interval", "follows": "zip"},
    "age": {"hierarchy": {"bands": [10, 40]}},
    "band": {"follows": "age"},
    "zip": {"hierarchy": {"prefix": [2, 1]}},
}
# Stretches of values, and no labels.
STRETCHES: dict[str, Any] = {
    **QUASI,
    "age": {"hierarchy": {"bands": [10, 40]}, "publish": "set"},
    "zip": {"publish": "set"},
}
# Every cell is its value or *.
STARRED = {**QUASI, "born": {"follows": "zip"}}
OWN = [name for name, value in METHODS.items() if name not in ("anatomy", "uhra")]
OTHERWISE = {"k_optimize": STRETCHES, "cell_suppression": STARRED}
SENSITIVE: dict[str, Any] = {
    "fragmentation": {"distance": "ordered", "order": "frequency", "t": 1},
    "sabre": {"t": 1},
}
Record = tuple[Any, ...]


def records_of(rows: Sequence[tuple[str | None, int, int, str]]) -> list[Record]:
    return [
        (number, code, TOWNS[code], born, age, "ab"[age > 30], ill)
        for number, (code, born, age, ill) in enumerate(rows)
    ]


def spec_of(method: str, **more: Any) -> dict[str, Any]:
    return {
        "release": "out",
        "quasi_identifiers": OTHERWISE.get(method, QUASI),
        "sensitive": {"ill": SENSITIVE.get(method, {})},
        "insensitive": {"id": {"accept": "a test finds the records by it"}},
        "privacy": {"k": 2},
        "method": method,
        "seed": 1,
        **more,
    }


def made(connection: Connection, records: Sequence[Record], **asked: Any) -> list[dict[str, Any]]:
    """The rows of a release, by their columns; its own evidence is that of all columns."""
    make_table(connection, "t", COLUMNS, records)
    release = sqlanon.anonymize("t", connection=connection, **asked)
    columns, rows = read(connection, "out")
    assert columns == (*asked["quasi_identifiers"], *asked["sensitive"], "id")
    sizes = Counter(row[: len(asked["quasi_identifiers"])] for row in rows)
    assert release.measure("k_anonymity") == min(sizes.values())
    release.close()
    return [dict(zip(columns, row, strict=True)) for row in rows]


def holds(found: list[dict[str, Any]], records: Sequence[Record], stars: bool = False) -> None:
    """Every follower shows what its definition says, and tells nothing that its leader does not."""
    there = {record[0]: dict(zip(COLUMNS, record, strict=True)) for record in records}
    for follower, leader, written in (
        ("tö wn", "zip", lambda values: node(values, CHAINS)),
        ("born", "zip", interval),
        ("band", "age", listed),
    ):
        shown = [row[leader] for row in found]
        of = values_of(shown, [there[row["id"]][follower] for row in found])
        for row in found:
            values = of[row[leader]]
            if stars:
                expected = STAR if len(values) > 1 else next(iter(values))
                expected = None if expected is None else str(expected)
            else:
                expected = written(values)
            assert row[follower] == expected, (follower, row)
    with_all = Counter(tuple(row[name] for name in QUASI) for row in found)
    led = Counter((row["age"], row["zip"]) for row in found)
    assert sorted(with_all.values()) == sorted(led.values())
    assert min(led.values()) >= 2


@pytest.mark.parametrize("method", ["stack_and_deal", *slow("mondrian", "optimal")])
@examples(3, 25)
@given(rows=ROWS)
def test_a_follower_shows_what_records_with_its_leaders_cell_share(
    method: str, rows: list[tuple[str | None, int, int, str]]
) -> None:
    """A year is no function of a code, and a town is: both are held to the same definition."""
    records = records_of(rows)
    with database() as connection:
        found = made(connection, records, **spec_of(method))
    assert len(found) == len(records)
    holds(found, records)


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", [*OWN, "along a curve"])
def test_followers_go_with_every_method(method: str) -> None:
    records = records_of(
        [
            (
                list(TOWNS)[number % 5],
                1950 + number * number % 7,
                20 + number * 7 % 40,
                ["flu", "cold"][number % 2],
            )
            for number in range(40)
        ]
    )
    with database() as connection:
        asked = spec_of("stack_and_deal" if method not in METHODS else method)
        if method not in METHODS:
            asked["method"] = {"locality": "curve"}
        found = made(connection, records, **asked)
    assert len(found) == len(records)
    holds(found, records, stars=method == "cell_suppression")


def test_where_the_leader_is_exact_what_is_a_function_of_it_is_exact() -> None:
    """And what is none shows what all records of the code have, though a class of them agrees."""
    rows = [("101", 1950 + age // 50, age, "flu") for age in (20, 20, 50, 50)]
    with database() as connection:
        found = made(connection, records_of(rows), **spec_of("mondrian"))
    assert {(row["zip"], row["tö wn"], row["age"], row["band"]) for row in found} == {
        ("101", "Åbo", "20", "a"),
        ("101", "Åbo", "50", "b"),
    }
    assert {row["born"] for row in found} == {"[1950, 1951]"}


def test_a_follower_is_suppressed_with_its_leader_and_reports_who_was_left_out() -> None:
    rows = [("101", 1950, 20, "flu")] * 4 + [("201", 1970, 50, "flu")]
    asked = spec_of("optimal", suppression={"records": "1/4"}, privacy={"k": 2})
    with database() as connection:
        found = made(connection, records_of(rows), **asked)
    assert len(found) == 4
    assert {row["tö wn"] for row in found} == {"Åbo"}


@pytest.mark.slow
def test_persons_values_and_guards_are_held_with_followers() -> None:
    """A follower may be sensitive itself; persons are counted in the same classes."""
    records = records_of(
        [
            (list(TOWNS)[number % 4], 1950 + number % 3, 20 + number % 4 * 10, "flu")
            for number in range(24)
        ]
    )
    quasi = {**QUASI, "born": {"publish": "interval", "follows": "zip", "sensitive": {"l": 2}}}
    with database() as connection:
        found = made(connection, records, **spec_of("mondrian", quasi_identifiers=quasi))
        holds(found, records)
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        asked = {**spec_of("stack_and_deal", person="id"), "insensitive": {}}
        release = sqlanon.anonymize("t", connection=connection, **asked)
        assert (release.measure("k_anonymity") or 0) >= 2
        release.close()


SUBSETS = st.lists(
    st.sampled_from(
        [("band",), ("tö wn",), ("age",), ("band", "tö wn"), ("born", "age"), ("zip",)]
    ),
    min_size=1,
    max_size=3,
    unique=True,
)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["mondrian", *slow("stack_and_deal", "optimal")])
@examples(4, 30)
@given(rows=ROWS, subsets=SUBSETS, greater=st.integers(3, 20))
def test_a_greater_k_of_some_columns_is_held_with_followers(
    method: str,
    rows: list[tuple[str | None, int, int, str]],
    subsets: list[tuple[str, ...]],
    greater: int,
) -> None:
    """A subset may name a follower with its leader or without, and two may have one leader."""
    records, k = records_of(rows), min(greater, len(rows))
    asked: list[dict[str, Any]] = [
        {"columns": list(subset), "k": max(k - at, 3)} for at, subset in enumerate(subsets)
    ]
    asked = [entry for entry in asked if entry["k"] <= len(rows)]
    with database() as connection:
        found = made(connection, records, **spec_of(method, privacy={"k": 2, "subsets": asked}))
    assert len(found) == len(records)
    holds(found, records)
    for entry in asked:
        shared = Counter(tuple(row[name] for name in entry["columns"]) for row in found)
        assert min(shared.values()) >= entry["k"]


def covers(row: dict[str, Any], person: dict[str, Any]) -> bool:
    """Whether a person may be whom a row is about, by every quasi-identifier."""
    code, shown = person["zip"], row["zip"]
    begins = None not in (code, shown) and code.startswith(shown.rstrip("*"))
    tree = {"north": ["Åbo", "Bo'ness"], "south": ["Cork"], "Åbo": [], "Bo'ness": [], "Cork": []}
    return (
        (shown in ("*", code) or begins)
        and under(tree, row["tö wn"], person["tö wn"])
        and in_interval(row["born"], person["born"])
        and in_interval(row["age"], person["age"])
        and in_set(row["band"], person["band"])
    )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("beside", [[], [("101", 1950, 20, "flu")] * 6])
@examples(4, 40, Phase.explicit, Phase.generate)
@given(rows=ROWS, others=ROWS, k_map=st.integers(2, 7))
def test_persons_of_a_population_are_counted_by_the_cells_of_followers_too(
    beside: list[Any], rows: list[Any], others: list[Any], k_map: int
) -> None:
    """The gate counts whom all cells cover; a run that ends in no release has published nothing."""
    records, people = records_of(rows), records_of([*rows, *beside, *others])
    population = {"source": "persons", "k_map": k_map}
    asked = spec_of("optimal", privacy={"k": 1, "population": population})
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        make_table(connection, "persons", COLUMNS, people)
        try:
            release = sqlanon.anonymize("t", connection=connection, **asked)
        except InfeasibleError:
            return
        columns, found = read(connection, "out")
        persons = [dict(zip(COLUMNS, entry, strict=True)) for entry in people]
        counts = [
            sum(covers(dict(zip(columns, row, strict=True)), person) for person in persons)
            for row in found
        ]
        assert min(counts) >= k_map
        assert release.measure("k_map") == min(counts)
        release.close()


def test_a_population_whose_codes_have_one_town_each_is_met() -> None:
    """Each code has three persons, whom the cells of the towns cover as those of the codes do."""
    rows = [(code, 1950, 20, "flu") for code in ("101", "102", "103", "201")]
    population = {"source": "persons", "k_map": 3}
    with database() as connection:
        make_table(connection, "persons", COLUMNS, records_of(rows * 3))
        asked = spec_of("optimal", privacy={"k": 1, "population": population})
        found = made(connection, records_of(rows), **asked)
    assert {(row["zip"], row["tö wn"]) for row in found} == {
        (code, town) for code, town in TOWNS.items() if code is not None
    }


@pytest.mark.parametrize(
    ("quasi", "more", "where", "what"),
    [
        ({"band": {"follows": "agee"}}, {}, "quasi_identifiers.band.follows", "did you mean"),
        ({"band": {"follows": "band"}}, {}, "quasi_identifiers.band.follows", "another"),
        ({"band": {"follows": "tö wn"}}, {}, "quasi_identifiers.band.follows", "itself"),
        ({}, {"levels": {"band": 0}}, "levels.band", "follows 'age'"),
        (
            {},
            {"suppression": {"records": "1/4", "within": "band"}},
            "suppression.within",
            "name 'age'",
        ),
        ({"band": {"follows": "age", "publish": "mode"}}, {}, "quasi_identifiers.band", "mode"),
        (
            {"born": {"hierarchy": {"bands": [5]}, "publish": "level", "follows": "zip"}},
            {},
            "quasi_identifiers.born",
            "level",
        ),
    ],
)
def test_what_a_spec_says_wrong_of_a_follower(
    quasi: dict[str, Any], more: dict[str, Any], where: str, what: str
) -> None:
    asked = {**spec_of("mondrian", **more), "quasi_identifiers": {**QUASI, **quasi}}
    with pytest.raises(SpecError) as found:
        parse_spec({"source": "t", **asked}, Path())
    assert any(
        problem.where == where and what in problem.what for problem in found.value.problems
    ), found.value


def test_a_background_is_known_by_columns_that_classes_form_by() -> None:
    background = {"ill": {"background": {"estimate": {"by": ["band"]}}}}
    with database() as connection:
        make_table(connection, "t", COLUMNS, records_of([("101", 1950, 20, "flu")] * 4))
        with pytest.raises(SpecError, match="somebody knows more") as found:
            sqlanon.anonymize(
                "t", connection=connection, **spec_of("mondrian", sensitive=background)
            )
    assert found.value.problems[0].where == "quasi_identifiers.band.follows"
