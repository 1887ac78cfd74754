"""The same release again: on any number of threads, twice in a row, from a source in any order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from support import DEALT, Connection, Row, anonymized, database, facts, select, slow

pytestmark = pytest.mark.slow

RECORDS = 130_000
# Two row groups of DuckDB's, few enough values for many ties, NULLs, and no use of its hash.
PEOPLE = f"""
create table people as
with drawn as (
    select
        i,
        (i * 48271 + 11) % 2147483647 * 48271 % 2147483647 as a,
        (i * 16807 + 5) % 2147483647 * 16807 % 2147483647 as b,
        (i * 69621 + 3) % 2147483647 * 69621 % 2147483647 as c
    from range({RECORDS}) as t(i)
)
select
    i as id,
    case when a % 97 > 0 then 17 + a % 70 end as age,
    (1000 + b % 300)::varchar as zip,
    case when c % 2 = 0 then 'Female' else 'Male' end as sex,
    case b % 7 when 0 then null when 1 then 'flu' when 2 then 'cold' else 'gout' end as disease,
    c % 40 as pay,
    'ward ' || (a % 5) as ward
from drawn
"""
DEALING = {"name": "stack_and_deal"}
DECLARED: dict[str, Any] = {
    **DEALT,
    "quasi_identifiers": {
        "age": {},
        "zip": {"hierarchy": {"prefix": [3, 2, 1]}},
        "sex": {"hierarchy": {"tree": {"*": ["Female", "Male"]}}},
    },
    "insensitive": ["ward"],
    "k": 25,
    "seed": 3,
}
ONE: dict[str, Any] = {"sensitive": {"disease": {"t": 0.5}}}
SEVERAL: dict[str, Any] = {
    "sensitive": {"disease": {}, "pay": {"distance": "ordered", "t": 0.5}},
    "method": {**DEALING, "stack": "snake"},
}
CURVE: dict[str, Any] = {**ONE, "method": {**DEALING, "locality": "curve"}}
STRIPES: dict[str, Any] = {**ONE, "method": {**DEALING, "locality": "stripes", "stripe": 5000}}
HALVES: dict[str, Any] = {**ONE, "method": {"name": "mondrian", "partitioning": "relaxed"}}

FRAGMENTS: dict[str, Any] = {
    "sensitive": {
        "pay": {"distance": "ordered", "t": 0.1},
        "age": {"distance": "ordered", "t": 0.1},
    },
    "quasi_identifiers": {"zip": {"hierarchy": {"prefix": [3, 2, 1]}}, "sex": {}},
    "method": {"name": "fragmentation", "strategy": "sum"},
}


@pytest.fixture(scope="module")
def people() -> Iterator[Connection]:
    with database() as connection:
        connection.execute(PEOPLE)
        yield connection


def released(connection: Connection, **changed: Any) -> Counter[Row]:
    """The rows of a release; in which order they were written is left to the engine."""
    return Counter(anonymized(connection, "people", **{**DECLARED, **ONE, **changed}).rows)


@pytest.fixture(scope="module")
def first(people: Connection) -> Counter[Row]:
    """A run with one thread."""
    return released(people, settings={"threads": 1})


@pytest.mark.further
@pytest.mark.parametrize("threads", [8, *slow(2)])
def test_threads_do_not_matter(people: Connection, first: Counter[Row], threads: int) -> None:
    assert first.total() == RECORDS
    assert len(first) > 1000, "records of one kind only would prove nothing"
    assert released(people, settings={"threads": threads}) == first


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    "method",
    [CURVE, *slow(SEVERAL, STRIPES, FRAGMENTS, HALVES)],
    ids=["curve", "several", "stripes", "fragments", "halves"],
)
def test_threads_do_not_matter_to_any_method(people: Connection, method: dict[str, Any]) -> None:
    one = released(people, settings={"threads": 1}, **method)
    assert released(people, settings={"threads": 8}, **method) == one


@pytest.mark.further
def test_twice_in_a_row_with_the_same_facts(people: Connection) -> None:
    """Rows, classes, metrics and fingerprint; only the times differ."""
    runs = []
    for _ in range(2):
        outcome = anonymized(people, "people", **DECLARED, **ONE)
        measures = select(people, "from anonymized__metrics")[1]
        runs.append(
            (
                Counter(outcome.rows),
                Counter(outcome.classes[1]),
                measures,
                facts(people)["fingerprint"],
            )
        )
    assert runs[0] == runs[1]


@pytest.mark.further
@pytest.mark.slow
def test_another_seed_is_another_assignment(people: Connection, first: Counter[Row]) -> None:
    """Of the same records: as many of every sensitive and insensitive value."""
    other = released(people, seed=4)
    assert other != first

    def without_hidden(rows: Counter[Row]) -> Counter[Row]:
        return Counter(row[3:] for row in rows.elements())

    assert without_hidden(other) == without_hidden(first)


@pytest.mark.sampled
@pytest.mark.parametrize(
    "order", ["pay, zip, id", *slow("id desc", "(id + 1) * 48271 % 65537, id")]
)
def test_the_order_of_the_source_does_not_matter(first: Counter[Row], order: str) -> None:
    with database() as connection:
        connection.execute(PEOPLE.replace("table people", "table everyone", 1))
        connection.execute(f"create table people as from everyone order by {order}")
        assert select(connection, "select id from people limit 1")[1] != [(0,)]
        assert released(connection) == first


@pytest.mark.further
@pytest.mark.slow
def test_a_database_file_and_a_parquet_file_do_not_matter(
    people: Connection, first: Counter[Row], tmp_path: Any
) -> None:
    """A table, the same table in a file, and a file that DuckDB reads."""
    people.execute(f"copy people to '{tmp_path}/people.parquet'")
    with database(tmp_path / "people.duckdb") as connection:
        connection.execute(PEOPLE)
        assert released(connection) == first
        made = anonymized(connection, f"{tmp_path}/people.parquet", **DECLARED, **ONE)
        assert Counter(made.rows) == first
