"""A user's own queries of a release and its source, against plain Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from odd_table import cells
from oracle import utility as oracle
from servers import Place, place
from support import Connection, Row, database, examples, make_table, read, slow
from test_utility import BESIDE, NAMES, RECORDS, ROWS, spec

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.uses.utilities.useful import Answer

pytestmark = pytest.mark.slow

Condition = tuple[int, Any, Callable[[Any], bool]]  # a column's place, what is asked, what meets it


def within(low: Any, high: Any) -> Callable[[Any], bool]:
    return lambda value: value is not None and low <= value <= high


def one_of(*wanted: Any) -> Callable[[Any], bool]:
    return lambda value: value in wanted


def ranged(at: int, ends: st.SearchStrategy[Any]) -> st.SearchStrategy[Condition]:
    pairs = st.tuples(ends, ends).map(lambda two: sorted(two))
    return pairs.map(lambda two: (at, two, within(*two)))


def listed(at: int, values: Sequence[Any]) -> st.SearchStrategy[Condition]:
    some = st.lists(st.sampled_from(values), min_size=1, max_size=3, unique=True)
    return some.map(lambda wanted: (at, wanted, one_of(*wanted)))


def alone(at: int, values: Sequence[Any]) -> st.SearchStrategy[Condition]:
    return st.sampled_from(values).map(lambda value: (at, value, one_of(value)))


DAYS = st.dates(date(1999, 12, 30), date(2001, 6, 1))
CONDITIONS = st.one_of(
    ranged(0, st.integers(16, 26)),
    alone(0, [20, None, 99]),
    listed(1, ["100", "110", "999", None]),
    listed(2, ["a", "b, c", "{d}", "NULL", "50%", "*", "o'b", None]),
    ranged(3, st.integers(-1, 4)),
    ranged(4, DAYS),
    alone(4, [date(2000, 1, 31), None]),
    alone(5, ["flu", "a, b", "nöne"]),
    ranged(6, st.integers(0, 25)),
    ranged(7, st.sampled_from([-2.0, -0.5, 1.5, 7.0, 8.25])),
)
QUERIES = st.lists(
    st.tuples(
        st.lists(CONDITIONS, min_size=1, max_size=4, unique_by=lambda one: one[0]),
        st.sampled_from([None, 0, 3, 6, 7]),
    ),
    min_size=1,
    max_size=4,
)


@pytest.mark.slow
@examples(3, 40)
@given(RECORDS, QUERIES, st.sampled_from(("split_or_deal", "stack_and_deal", "mondrian")))
def test_answers(
    rows: list[Row], asked: list[tuple[list[Condition], int | None]], method: str
) -> None:
    named = {f"\"{number}' \u00fc": query for number, query in enumerate(asked)}
    hidden = {name for name, (_, mean) in named.items() if mean is None}
    declared = {
        name: {"where": {NAMES[at]: wanted for at, wanted, _ in conditions}}
        | ({"hidden": name in hidden} if mean is None else {"mean": NAMES[mean]})
        for name, (conditions, mean) in named.items()
    }
    with database() as connection:
        make_table(connection, "t", BESIDE, rows)
        sqlanon.anonymize(spec(method=method), connection=connection)
        found = sqlanon.utility("public", connection=connection, queries=declared)
        _, released = read(connection, "public")
    true = oracle.exactly(rows)
    reading = oracle.read([(*cells(row[:6]), *row[6:]) for row in released], rows)
    assert [answer.query for answer in found.answers] == list(named)
    for name, (conditions, mean) in named.items():
        met = {at: meets for at, _, meets in conditions}
        is_, other = (oracle.own_answer(side, met, mean) for side in (true, reading))
        error = oracle.own_error(is_, other, mean is not None, len(rows))
        one = found.answer(name)
        assert one.mean == (None if mean is None else NAMES[mean])
        for reached, wanted in ((one.true, is_), (one.released, other), (one.error, error)):
            assert (reached is None) == (wanted is None), name
            assert wanted is None or reached == pytest.approx(float(wanted), abs=1e-7), name
    if hidden:
        patterns = [{at: meets for at, _, meets in named[name][0]} for name in hidden]
        share = oracle.hiding_failure(true, reading, patterns, Fraction(1, 100))
        assert hiding(found) == (None if share is None else pytest.approx(float(share), abs=1e-7))


@pytest.fixture(scope="module")
def released() -> Iterator[Connection]:
    """A table and its release, which are only read."""
    with database() as connection:
        make_table(connection, "t", BESIDE, ROWS)
        sqlanon.anonymize(spec(), connection=connection)
        yield connection


@pytest.mark.slow
def test_a_range_that_cuts_an_interval() -> None:
    """Of a cell as much is counted as the share of its different values that the range has."""
    rows = [(20 + i, "100", "a", 1, None, "flu", 1, 1.0) for i in range(4)]
    with database() as connection:
        make_table(connection, "t", BESIDE, rows)
        sqlanon.anonymize(spec(privacy={"k": 4}), connection=connection)
        asked = {"cut": {"where": {"äge": [20, 22]}, "mean": "äge"}, "n": {"where": {"äge": 20}}}
        found = sqlanon.utility("public", connection=connection, queries=asked)
    assert found.answer("cut").released == found.answer("cut").true == 21
    assert (found.answer("n").true, found.answer("n").released, found.answer("n").error) == (
        1,
        1,
        0,
    )


def hiding(found: Any) -> float | None:
    value: float | None = found.value("hiding_failure")
    return value


@pytest.mark.slow
def test_hiding_failure_worked_by_hand() -> None:
    """One of two patterns that are frequent is made rare; one that was rare does not count."""
    ages = [20] * 50 + [30] * 49 + [90]
    rows = [(age, "100", "a", 1, None, "flu", 1, 1.0) for age in ages]
    patterns: dict[str, Any] = {
        "young": {"where": {"äge": 20}, "hidden": True},
        "old": {"where": {"äge": 90}, "hidden": True},
        "nobody": {"where": {"äge": [1, 2]}, "hidden": True},
        "not meant": {"where": {"äge": 30}},
    }
    with database() as connection:
        make_table(connection, "t", BESIDE, rows)
        sqlanon.anonymize(spec(privacy={"k": 40}), connection=connection)
        asked: dict[str, Any] = {"connection": connection, "queries": patterns}
        found = sqlanon.utility("public", **asked)
        # 90 is published as [30, 90], read as 25 records of that age: still 1 % of them.
        assert hiding(found) == 1
        sqlanon.anonymize(
            spec(privacy={"k": 40}, source={"query": 'select * from t where "äge" <> 90'}),
            connection=connection,
        )
        found = sqlanon.utility("public", source="t", **asked)
        assert hiding(found) == 0.5
        few = {name: patterns[name] for name in ("nobody", "not meant")}
        found = sqlanon.utility("public", source="t", connection=connection, queries=few)
        assert hiding(found) is None
        del few["nobody"]
        found = sqlanon.utility("public", source="t", connection=connection, queries=few)
        with pytest.raises(KeyError):
            hiding(found)


@pytest.mark.slow
def test_empty_selections(released: Connection) -> None:
    """Nobody is counted, and nobody's mean is none."""
    where = {"where": {"disease": "nobody's"}}
    asked = {"count": where, "mean": {**where, "mean": "pay"}}
    found = sqlanon.utility("public", connection=released, queries=asked)
    assert found.queries == 200
    count, mean = found.answers
    assert (count.true, count.released, count.error) == (0, 0, 0)
    assert (mean.true, mean.released, mean.error) == (None, None, None)


@pytest.mark.parametrize(
    ("asked", "text"),
    [
        (
            {"diseas": 3},
            "queries.q.where.diseas: 'diseas' is no column that can be asked for; did you",
        ),
        ({"äge": ["a", "b"]}, "queries.q.where.äge: 'äge' is a number: it must be one, a range"),
        ({"äge": [1, 2, 3]}, "a range of two with both ends included, such as [30, 50], or null"),
        ({"äge": [50, 30]}, "queries.q.where.äge: the range ends before it begins"),
        ({"äge": [None, 30]}, "'äge' is a number: it must be one, a range of two"),
        ({"äge": True}, "'äge' is a number"),
        ({"born": [1, 2]}, "'born' is a date: it must be one, a range of two"),
        ({"born": "2000-13-01"}, "'born' is a date"),
        ({"zip": 100}, "queries.q.where.zip: 'zip' is text: put its values into quotes"),
        ({"zip": []}, "queries.q.where.zip: name a value at least"),
        ({"zip": {"from": 3}}, "queries.q.where.zip: it must be a value, a list of values"),
        ({"pay": float("inf")}, "queries.q.where.pay: a number must be finite"),
        ({"zip": "a\x00b"}, "text must not hold a NUL"),
        ({}, "queries.q: it asks for nothing"),
        (3, "queries.q.where: it must be conditions on columns"),
    ],
)
def test_conditions_that_are_refused(released: Connection, asked: Any, text: str) -> None:
    with pytest.raises(SpecError) as raised:
        sqlanon.utility("public", connection=released, queries={"q": {"where": asked}})
    assert text in str(raised.value)


def test_queries_that_are_refused(released: Connection, tmp_path: Path) -> None:
    def refused(text: str, queries: Any) -> None:
        with pytest.raises(SpecError) as raised:
            sqlanon.utility("public", connection=released, queries=queries)
        assert text in str(raised.value)

    refused("queries.q.mean: 'zip' is text: only numbers have a mean", {"q": {"mean": "zip"}})
    refused("queries.q.wher: unknown key; did you mean 'where'?", {"q": {"wher": {}}})
    refused(
        "queries.hierarchy.tree: unknown key; known: 'hidden'", {"hierarchy": {"tree": {"a": "b"}}}
    )
    refused("queries.q: it must be a mapping such as {where:", {"q": [1]})
    refused("queries: it must be queries by their names", {})
    both_asked = {"q": {"where": {"zip": "100"}, "mean": "pay", "hidden": True}}
    refused("queries.q: a query hides a pattern of records", both_asked)
    both = {"q": {"where": {"a": 1, "b": 2}}, "r": {"mean": "c"}}
    refused("queries.r.mean", both)
    refused("there is no file of queries", tmp_path / "none.yaml")
    file = tmp_path / "queries.yaml"
    file.write_text("", encoding="utf-8")
    refused("is empty", file)
    file.write_text("- a\n", encoding="utf-8")
    refused("must hold a mapping", file)


def test_transformed_columns_are_named() -> None:
    asked = {"sensitive": {"disease": {}, "pay": {"transform": {"round": 5}}}}
    with database() as connection:
        make_table(connection, "t", BESIDE, ROWS)
        sqlanon.anonymize(spec(**asked), connection=connection)
        with pytest.raises(SpecError, match=r"queries\.q\.mean: 'pay' is transformed"):
            sqlanon.utility("public", connection=connection, queries={"q": {"mean": "pay"}})


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    with database(tmp_path / "public.duckdb") as connection:
        make_table(connection, "t", BESIDE, ROWS)
        sqlanon.anonymize(spec(), connection=connection)
    text = "the paid:\n  where: {disease: flu, born: 2000-01-01}\n  mean: pay\n"
    (tmp_path / "own.yaml").write_text(text, encoding="utf-8")
    asked = ("utility", "public", "--queries", "own.yaml")
    (one,) = json.loads(command(tmp_path, *asked, "--json").stdout)["answers"]
    pay = [row[6] for row in ROWS]
    assert one["true"] == pytest.approx(sum(pay) / len(pay), abs=1e-8)
    told = command(tmp_path, *asked, "--quiet").stdout
    assert "the paid" in told
    assert "mean of pay" in told
    assert command(tmp_path, "utility", "public", "--queries", "none.yaml").returncode == 2


@pytest.mark.slow
@pytest.mark.parametrize("where", ["postgres", *slow("spark")])
def test_the_same_on_every_engine(where: str, urls: Mapping[str, str]) -> None:
    rows = [*ROWS, (None, None, None, None, None, "a, b", None, None)] * 2
    asked = {
        "a": {"where": {"äge": [20, 23.5], "zip": ["100", None], "Town, of": "a"}, "mean": "kids"},
        "b": {"where": {"born": ["1999-01-01", "2000-01-01"], "visits": [1, 2]}, "mean": "visits"},
        "c": {"where": {"disease": ["o'b", "a, b"], "born": None}},
    }

    def found(there: Place) -> tuple[Answer, ...]:
        there.make_table("t", BESIDE, rows)
        sqlanon.anonymize(spec(), connection=there.connection)
        return sqlanon.utility("public", connection=there.connection, queries=asked).answers

    with place("duckdb", urls) as here, place(where, urls) as there:
        both = zip(found(here), found(there), strict=True)
    for one, other in both:
        assert one.query == other.query
        assert one.true == pytest.approx(other.true, abs=1e-8)
        assert one.released == pytest.approx(other.released, abs=1e-8)


@pytest.fixture(scope="module")
def times() -> Iterator[Connection]:
    """Twelve records each at the first of January, late that day, and at noon of the second."""
    seen = ("2020-01-01 00:00:00", "2020-01-01 23:59:59", "2020-01-02 12:00:00", "2020-01-03")
    rows = [(age, time) for age in range(12) for time in seen]
    with database() as connection:
        make_table(connection, "t", {"age": "integer", "seen": "timestamp"}, rows)
        declared: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["seen"], "k": 2}
        sqlanon.anonymize(
            "t", connection=connection, release="public", method="stack_and_deal", **declared
        )
        yield connection


@pytest.mark.parametrize(
    ("asked", "met"),
    [
        ([date(2020, 1, 1), date(2020, 1, 2)], 36),
        (["2020-01-01", "2020-01-02"], 36),
        (date(2020, 1, 2), 12),
        ([date(2020, 1, 1), "2020-01-02 00:00:00"], 24),
        ("2020-01-02 12:00:00", 12),
    ],
)
def test_a_day_lasts_to_its_end(times: Connection, asked: Any, met: int) -> None:
    queries = {"day": {"where": {"seen": asked}}}
    found = sqlanon.utility("public", queries=queries, connection=times)
    assert found.answer("day").true == found.answer("day").released == met


def test_a_number_that_a_double_does_not_hold_is_refused(times: Connection) -> None:
    too_long = {"large": {"where": {"age": 2**53 + 1}}}
    with pytest.raises(SpecError, match="'age' is a number"):
        sqlanon.utility("public", queries=too_long, connection=times)
