"""A file of a release is read back as it was written, and it alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
from support import DEALT

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.release.certificate import Certificate
from sqlanon.release.verify import Verified

DECLARED: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age"],
    "sensitive": ["disease"],
    "privacy": {"k": 3},
    "seed": 1,
    **DEALT,
}
PEOPLE = "create table people as select i % 3 as age, i % 2 as disease from range(12) as n(i)"


def made(
    connection: duckdb.DuckDBPyConnection, further: str | None = None, **declared: Any
) -> sqlanon.Release:
    """A release of people; of one more column as it is, if its SQL is given."""
    connection.execute(PEOPLE)
    if further is not None:
        connection.execute(
            f"create or replace table people as select *, {further} as x from people"
        )
        declared["insensitive"] = {"x": {"accept": "a test"}}
    return sqlanon.anonymize("people", connection=connection, **{**DECLARED, **declared})


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@pytest.fixture(scope="module")
def release(connection: duckdb.DuckDBPyConnection) -> sqlanon.Release:
    return made(connection)


@pytest.fixture(scope="module")
def known(release: sqlanon.Release) -> Certificate:
    return release.certificate()


def held(known: Certificate, file: Path) -> Verified:
    return sqlanon.verify(known, str(file))


# --- which file is read --------------------------------------------------------------------------


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("g[1]", "g1"),
        ("a*", "ab"),
        ("q?", "qr"),
        ("d[a-c]/x", "db/x"),
        ("[[]", "["),
        ("{a,b}", "a"),
    ],
)
def test_a_path_is_no_pattern(
    release: sqlanon.Release, known: Certificate, tmp_path: Path, name: str, other: str, ending: str
) -> None:
    """Neither of another file, whose certificate would be read as its own, nor of several."""
    file, honest = (tmp_path / f"{one}.{ending}" for one in (name, other))
    for one in (file, honest):
        one.parent.mkdir(exist_ok=True)
        release.export(one)
    assert held(known, file).passed
    duckdb.execute(f"copy (select '*' as age, 0 as disease) to '{file}'")
    assert not held(known, file).passed
    assert held(known, honest).passed


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_folder_is_no_column(
    release: sqlanon.Release, known: Certificate, tmp_path: Path, ending: str
) -> None:
    """Its name would be read in place of the cells, or beside them."""
    honest, *_ = release.export(tmp_path / f"x.{ending}")
    for folder in ("k=5", "age=x", "disease=1"):
        (tmp_path / folder).mkdir()
        file, *_ = release.export(tmp_path / folder / f"x.{ending}")
        assert held(known, file).passed
        duckdb.execute(f"create or replace table t as from '{honest}'")
        duckdb.execute("update t set age = '[0, 9]'")
        file.unlink()
        duckdb.execute(f"copy t to '{file}'")
        assert not held(known, file).passed


def test_a_path_that_cannot_be_told_is_refused(
    release: sqlanon.Release, known: Certificate, tmp_path: Path
) -> None:
    file = tmp_path / "a\\*.csv"
    file.write_text("age,disease\n")
    with pytest.raises(SpecError, match="no path with both a backslash and one of"):
        held(known, file)
