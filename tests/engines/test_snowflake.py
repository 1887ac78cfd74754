"""Scripts for Snowflake, on an emulator: the release is DuckDB's, and a refused one is nowhere."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest
from needs import missing
from support import recipe_file

import sqlanon

ROWS = [(20 + i, f"T{i % 2}", f"d{i % 3}") for i in range(8)]
TABLE = "people (age bigint, town varchar, ill varchar)"  # which Snowflake calls PEOPLE
SPEC: dict[str, Any] = {
    "release": "pub",
    "quasi_identifiers": ["age", "town"],
    "sensitive": ["ill"],
    "k": 2,
    "method": "stack_and_deal",
}
TREE = {"hierarchy": {"tree": {"*": ["T0", "T1"]}}}
LEVELS: dict[str, Any] = {
    **SPEC,
    "quasi_identifiers": {"age": {"hierarchy": {"bands": [4, 8]}}, "town": TREE},
    "method": "optimal",
    "levels": {"age": 1, "town": 1},
}
PUBLISHED = ["PUB", "PUB__CLASSES", "PUB__METRICS", "PUB__RUN"]


@pytest.fixture
def snowflake() -> Iterator[Any]:
    if find_spec("fakesnow") is None:
        missing("snowflake", "fakesnow is not installed: pip install -e '.[emulators]'")
    import fakesnow
    from snowflake import connector

    with fakesnow.patch(), connector.connect(database="held", schema="pubs") as connection:
        cursor = connection.cursor()
        cursor.execute(f"create table {TABLE}")
        cursor.execute(f"insert into people values {', '.join(map(str, ROWS))}")
        yield cursor


def carry_out(cursor: Any, script: str) -> None:
    from snowflake.connector.util_text import split_statements

    for statement, _ in split_statements(io.StringIO(script), remove_comments=True):
        if statement.strip():
            cursor.execute(statement)


def standing(cursor: Any) -> list[str]:
    """All tables of the schema in which readers look, and those of the session."""
    found = "select table_name from information_schema.tables where table_schema ilike 'pubs'"
    return sorted(name for (name,) in cursor.execute(found).fetchall() if name != "PEOPLE")


def compiled(**declared: Any) -> tuple[str, list[Any]]:
    """A script for Snowflake, and the rows of the release in DuckDB."""
    with duckdb.connect() as connection:
        connection.execute(f"create table {TABLE}")
        connection.executemany("insert into people values (?, ?, ?)", ROWS)
        spec = {**SPEC, **declared}
        script = sqlanon.compile("people", connection=connection, dialect="snowflake", **spec)
        released = spec if declared.get("method") else SPEC
        sqlanon.anonymize("people", connection=connection, **released).close()
        return script, sorted(connection.sql("from pub").fetchall())


pytestmark = [pytest.mark.snowflake, pytest.mark.filterwarnings("ignore:Arrow output")]


def test_a_script_makes_duckdbs_release_in_place_of_an_older_one(snowflake: Any) -> None:
    searched = compiled(method="mondrian")  # its script holds what the search found
    for script, expected in (compiled(), compiled(**LEVELS), searched):
        carry_out(snowflake, script)
        assert sorted(snowflake.execute("select age, town, ill from pub").fetchall()) == expected
        assert standing(snowflake) == PUBLISHED


@pytest.mark.parametrize("kind", ["levels", "cells"])
def test_a_script_of_a_recipe_makes_duckdbs_release(
    snowflake: Any, tmp_path: Path, kind: str
) -> None:
    searched = {**SPEC, "quasi_identifiers": {"age": {}, "town": TREE}, "method": "mondrian"}
    if kind == "levels":
        searched = {name: value for name, value in LEVELS.items() if name != "levels"}
    with duckdb.connect() as connection:
        connection.execute(f"create table {TABLE}")
        connection.executemany("insert into people values (?, ?, ?)", ROWS)
        earlier = {**searched, "release": "earlier", "k": 3}
        sqlanon.anonymize("people", connection=connection, **earlier).close()
        file = recipe_file(connection, "earlier", tmp_path)
    script, expected = compiled(**{**searched, "recipe": file})
    carry_out(snowflake, script)
    assert sorted(snowflake.execute("select age, town, ill from pub").fetchall()) == expected
    assert standing(snowflake) == PUBLISHED


def test_a_refused_release_stands_nowhere(snowflake: Any) -> None:
    from snowflake.connector.errors import ProgrammingError

    refused, expected = compiled(sensitive={"ill": {"t": 0.01}})
    with pytest.raises(ProgrammingError, match="asked for"):
        carry_out(snowflake, refused)
    assert not [name for name in standing(snowflake) if not name.startswith("SQLANON_")]
    carry_out(snowflake, compiled()[0])
    with pytest.raises(ProgrammingError, match="asked for"):
        carry_out(snowflake, refused)
    assert sorted(snowflake.execute("select age, town, ill from pub").fetchall()) == expected
