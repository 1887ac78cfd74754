"""Scripts for ClickHouse, in chdb: the release is DuckDB's, and a refused one is nowhere.

chdb is ClickHouse itself, as a library of this process.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest
from needs import missing
from support import recipe_file

import sqlanon

Row = tuple[Any, ...]
# With NULL among the values of every column.
PEOPLE = (
    "select case when i % 11 = 0 then null else 20 + i % 7 end as age, "
    "case when i % 17 = 0 then null else 'T' || (i % 2) end as town, "
    "date '2020-01-01' + cast(i * 13 % 90 as integer) as seen, "
    "case when i % 13 = 0 then null else 'd' || (i * i % 5) end as ill from range(60) as t (i)"
)
SPEC: dict[str, Any] = {
    "release": "pub",
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [5, 10]}},
        "seen": {"hierarchy": {"dates": ["month", "year"]}},
        "town": {"hierarchy": {"tree": {"*": ["T0", "T1"]}}},
    },
    "sensitive": {"ill": {"l": 2, "t": 0.9}},
    "k": 2,
    "method": "stack_and_deal",
    "seed": 1,
}
LEVELS: dict[str, Any] = {**SPEC, "method": "optimal", "suppression": {"records": 0.2}}
FIXED = {**LEVELS, "levels": {"age": 1, "seen": 1, "town": 1}}
SEARCHED = {**SPEC, "method": "mondrian"}  # its script holds what the search found
RECIPE = {**LEVELS, "recipe": "earlier"}  # of the levels that a search has chosen
# Of cells, which a file has.
CELLS: dict[str, Any] = {
    **SPEC,
    "quasi_identifiers": {**SPEC["quasi_identifiers"], "age": {}, "seen": {}},
    "sensitive": {"ill": {"l": 2, "t": 0.9, "order": ["d0", "d1", "d4", "d2"]}},
    "method": "mondrian",
    "k": 6,
}
PUBLISHED = {"pub", "pub__classes", "pub__metrics", "pub__run", "pub__suppressed"}

pytestmark = pytest.mark.clickhouse


class ClickHouse:
    """A session of ClickHouse, with a database and the table of the tests."""

    def __init__(self, session: Any, people: list[Row]) -> None:
        self._session = session
        self.carry_out(
            "create database pubs engine = Atomic;\nuse pubs;\n"
            "create table people (age Nullable(Int64), town Nullable(String), "
            "seen Nullable(Date32), ill Nullable(String)) engine = MergeTree order by tuple();\n"
        )
        rows = (
            ", ".join("null" if one is None else repr(str(one)) for one in row) for row in people
        )
        self.carry_out(f"insert into people values ({'), ('.join(rows)});\n")

    def carry_out(self, script: str) -> None:
        for statement in script.split(";\n"):
            if any(line and not line.startswith("--") for line in statement.splitlines()):
                self._session.query(statement)

    def rows(self, sql: str) -> list[Row]:
        found = json.loads(self._session.query(sql, "JSONCompact").data())["data"]
        return sorted(map(tuple, found), key=str)

    def standing(self) -> set[str]:
        """All tables of all databases, and not those of the session."""
        listed = "select name from system.tables where not is_temporary and database not in"
        own = "('system', 'INFORMATION_SCHEMA', 'information_schema')"
        return {name for (name,) in self.rows(f"{listed} {own}")} - {"people"}


@pytest.fixture
def clickhouse() -> Iterator[ClickHouse]:
    if find_spec("chdb") is None:
        missing("clickhouse", "chdb is not installed: pip install -e '.[emulators]'")
    from chdb.session import Session

    with duckdb.connect() as connection:
        people = connection.sql(f"select age, town, seen, ill from ({PEOPLE})").fetchall()
    session = Session()
    try:
        yield ClickHouse(session, people)
    finally:
        session.close()


@contextmanager
def people(
    spec: dict[str, Any], earlier: dict[str, Any] = LEVELS
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The table in DuckDB, with the release whose recipe the spec takes."""
    with duckdb.connect() as connection:
        connection.execute(f"create table people as {PEOPLE}")
        if "recipe" in spec and not spec["recipe"].endswith(".yaml"):
            searched = {**earlier, "release": spec["recipe"]}
            sqlanon.anonymize("people", connection=connection, **searched).close()
        yield connection


def compiled(spec: dict[str, Any], all_metrics: bool = True) -> str:
    with people(spec) as connection:
        return sqlanon.compile(
            "people", connection=connection, dialect="clickhouse", all_metrics=all_metrics, **spec
        )


def test_a_script_makes_duckdbs_release_and_a_refused_one_stands_nowhere(
    clickhouse: ClickHouse,
) -> None:
    refused = compiled({**SPEC, "sensitive": {"ill": {"t": 0.01}}})
    with pytest.raises(RuntimeError, match="asked for"):
        clickhouse.carry_out(refused)
    assert clickhouse.standing() == set()
    metrics = (
        "select metric, attribute, cast(round(1000000 * value) as integer), "
        "case when passed then 'true' when not passed then 'false' end from pub__metrics"
    )
    for spec in (SPEC, FIXED, SEARCHED, RECIPE):
        clickhouse.carry_out(compiled(spec))
        with people(spec) as connection:
            sqlanon.anonymize("people", connection=connection, **spec).close()
            made = connection.sql("from pub").fetchall()
            measured = connection.sql(metrics).fetchall()
        assert clickhouse.rows("select * from pub") == sorted(made, key=str)
        assert clickhouse.rows(metrics) == sorted(measured, key=str)
        assert clickhouse.standing() <= PUBLISHED
    with pytest.raises(RuntimeError, match="asked for"):
        clickhouse.carry_out(refused)
    assert clickhouse.rows("select * from pub") == sorted(made, key=str)


def test_a_short_script_of_cells_makes_duckdbs_release(
    clickhouse: ClickHouse, tmp_path: Path
) -> None:
    with people({**CELLS, "recipe": "cells"}, CELLS) as connection:
        file = recipe_file(connection, "cells", tmp_path)
    spec = {**CELLS, "k": 2, "recipe": file}
    clickhouse.carry_out(compiled(spec, all_metrics=False))
    with people(spec) as connection:
        sqlanon.anonymize("people", connection=connection, **spec).close()
        made = connection.sql("from pub").fetchall()
    assert clickhouse.rows("select * from pub") == sorted(made, key=str)
