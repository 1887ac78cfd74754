"""Scripts for BigQuery, on an emulator: the release is DuckDB's, and a refused one is nowhere."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import urllib.error
import urllib.request
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

SERVER = Path(__file__).with_name("bigquery_server.py")
ROWS = [(20 + i, f"T{i % 2}", f"d{i % 3}") for i in range(12)]
SPEC: dict[str, Any] = {
    "release": "pub",
    "quasi_identifiers": ["age", "town"],
    "sensitive": ["ill"],
    "k": 2,
    "method": "stack_and_deal",
    "seed": 1,
}
TREE = {"hierarchy": {"tree": {"*": ["T0", "T1"]}}}
LEVELS: dict[str, Any] = {
    **SPEC,
    "quasi_identifiers": {"age": {"hierarchy": {"bands": [3, 6]}}, "town": TREE},
    "method": "optimal",
}
FIXED = {**LEVELS, "levels": {"age": 1, "town": 1}, "suppression": {"records": 0.1}}
SEARCHED = {**SPEC, "method": "mondrian"}  # its script holds what the search found
RECIPE = {**LEVELS, "recipe": "earlier"}  # of the levels that a search has chosen
# Of cells, which a file has.
CELLS = {**SPEC, "quasi_identifiers": {"age": {}, "town": TREE}, "method": "mondrian", "k": 3}
PUBLISHED = {"pub", "pub__classes", "pub__metrics", "pub__run", "pub__suppressed"}

pytestmark = pytest.mark.bigquery


class RefusedError(Exception):
    """What the emulator says of a script that failed."""


class BigQuery:
    """A client of the emulator, with a data set and the table of the tests."""

    def __init__(self, address: str, project: str) -> None:
        self._root, self._project = f"{address}/bigquery/v2/projects/{project}", project
        named = {"projectId": project, "datasetId": "pubs"}
        self._data_set = named
        self._post("/datasets", {"datasetReference": named})
        self.rows("create table people (age int64, town string, ill string)")
        self.rows(f"insert into people values {', '.join(map(str, ROWS))}")

    def rows(self, sql: str) -> list[tuple[str | None, ...]]:
        """The rows of a query, or none of a script; each is a job."""
        asked = {"query": sql, "useLegacySql": False, "defaultDataset": self._data_set}
        found = self._post("/queries", {**asked, "timeoutMs": 60_000})
        if found.get("errors"):
            raise RefusedError(found["errors"][0]["message"])
        return [tuple(cell["v"] for cell in row["f"]) for row in found.get("rows", ())]

    def standing(self) -> set[str]:
        """All tables of the data set in which readers look."""
        listed = self.rows("select table_name from pubs.INFORMATION_SCHEMA.TABLES")
        return {str(name) for (name,) in listed} - {"people"}

    def _post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        request = urllib.request.Request(
            f"{self._root}{path}",
            data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=90) as answer:
                found: dict[str, Any] = json.loads(answer.read() or b"{}")
                return found
        except urllib.error.HTTPError as error:
            with error:
                raise RefusedError(error.read().decode()) from None


@pytest.fixture
def bigquery() -> Iterator[BigQuery]:
    python = os.environ.get("SQLANON_BQEMULATOR") or (
        sys.executable if find_spec("bqemulator") is not None else None
    )
    if python is None:
        missing("bigquery", "SQLANON_BQEMULATOR names no Python that has bqemulator")
    pipe, none = subprocess.PIPE, subprocess.DEVNULL
    command = [python, str(SERVER)]
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=none, text=True) as server:
        assert server.stdout is not None
        said = iter(server.stdout.readline, "")
        address, project = next(line for line in said if line.startswith("http")).split()
        yield BigQuery(address, project)
        server.communicate("")


def compiled(spec: dict[str, Any]) -> str:
    with people(spec) as connection:
        return sqlanon.compile("people", connection=connection, dialect="bigquery", **spec)


def expected(spec: dict[str, Any]) -> list[tuple[str, ...]]:
    """The rows of the release in DuckDB."""
    with people(spec) as connection:
        sqlanon.anonymize("people", connection=connection, **spec).close()
        return sorted(connection.sql("from pub").fetchall())


@contextmanager
def people(
    spec: dict[str, Any], earlier: dict[str, Any] = LEVELS
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The table in DuckDB, with the release whose recipe the spec takes."""
    with duckdb.connect() as connection:
        connection.execute("create table people (age bigint, town varchar, ill varchar)")
        connection.executemany("insert into people values (?, ?, ?)", ROWS)
        if "recipe" in spec and not spec["recipe"].endswith(".yaml"):
            searched = {**earlier, "release": spec["recipe"]}
            sqlanon.anonymize("people", connection=connection, **searched).close()
        yield connection


def released(bigquery: BigQuery) -> list[tuple[str | None, ...]]:
    """The release; the emulator writes 20.000 for a decimal that BigQuery writes 20."""
    found = bigquery.rows("select * from pub")
    return sorted(tuple(re.sub(r"\.0+\b", "", str(cell)) for cell in row) for row in found)


def test_a_script_makes_duckdbs_release_and_a_refused_one_stands_nowhere(
    bigquery: BigQuery, tmp_path: Path
) -> None:
    refused = compiled({**SPEC, "sensitive": {"ill": {"t": 0.01}}, "k": 4})
    with pytest.raises(RefusedError, match="asked for"):
        bigquery.rows(refused)
    assert bigquery.standing() == set()
    with people({**CELLS, "recipe": "cells"}, CELLS) as connection:
        file = recipe_file(connection, "cells", tmp_path)
    cells = {**CELLS, "k": 2, "recipe": file}
    for spec in (SPEC, FIXED, SEARCHED, cells, RECIPE):
        bigquery.rows(compiled(spec))
        assert released(bigquery) == expected(spec)
        assert bigquery.standing() <= PUBLISHED
    with pytest.raises(RefusedError, match="asked for"):
        bigquery.rows(refused)
    assert released(bigquery) == expected(RECIPE)
