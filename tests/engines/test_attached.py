"""A release in an attached SQLite or DuckLake is DuckDB's, is published whole, and passes first."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest
from needs import missing
from support import Connection, Row

import sqlanon
from sqlanon.engines.duckdb.attached import Attached
from sqlanon.engines.duckdb.driver import DuckDBDriver
from sqlanon.errors import EngineError, InfeasibleError, SpecError
from sqlanon.plan import Rows

HERE = Path(__file__).parent
KINDS = ("lake", "lite")
PEOPLE = (
    "select 20 + i % 7 as age, 'T' || (i % 2) as town, date '2020-01-01' + cast(i % 3 as integer) "
    "as seen, i % 5 < 3 as moved, i % 4 / 3.0 as share, 'd' || (i * i % 5) as ill "
    "from range(60) as numbers (i)"
)
ACCEPTED = {"accept": "a test"}
SPEC: dict[str, Any] = {
    "quasi_identifiers": ["age"],
    "sensitive": ["ill"],
    "k": 3,
    "method": "stack_and_deal",
    "seed": 1,
}
TYPES: dict[str, Any] = {  # of all that SQLite has not
    "quasi_identifiers": ["age", "town", "seen"],
    "insensitive": {"moved": ACCEPTED, "share": ACCEPTED},
}
PUBLISHED = ["pub", "pub__classes", "pub__metrics", "pub__run"]


def extension(name: str) -> Path:
    """The file of an extension of this DuckDB, from the package that brings it."""
    found = find_spec(f"duckdb_extension_{name}")
    folder = Path(str(found.origin)).parent if found is not None else Path("nowhere")
    file = folder / "extensions" / f"v{duckdb.__version__}" / f"{name}.duckdb_extension"
    if not file.exists():
        missing("extensions", f"no package brings DuckDB {duckdb.__version__} its {name}")
    return file


def attach(connection: Connection, folder: Path) -> None:
    for name in ("sqlite_scanner", "ducklake"):
        connection.execute(f"load '{extension(name)}'")
    connection.execute(f"attach '{folder}/lite.sqlite' as lite (type sqlite)")
    connection.execute(f"attach 'ducklake:{folder}/lake.db' as lake (data_path '{folder}/lake')")


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Connection]:
    with duckdb.connect() as opened:
        attach(opened, tmp_path)
        opened.execute(f"create table people as {PEOPLE}")
        yield opened


def publish(connection: Connection, kind: str, **declared: Any) -> sqlanon.Release:
    spec = {**SPEC, "release": f"{kind}.main.pub", **declared}
    return sqlanon.anonymize("people", connection=connection, **spec)


def rows(connection: Connection, name: str) -> list[Row]:
    """A published relation, its truth values as numbers, where SQLite has no others."""
    columns = [column for column, *_ in connection.execute(f"describe {name}").fetchall()]
    cells = [f"cast({one} as integer)" if one in ("moved", "passed") else one for one in columns]
    return sorted(connection.execute(f"select {', '.join(cells)} from {name}").fetchall(), key=str)


def standing(connection: Connection, kind: str) -> list[str]:
    found = connection.execute(
        f"select table_name from duckdb_tables() where database_name in ('{kind}', 'temp')"
    )
    return sorted(name for (name,) in found.fetchall())


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_is_duckdbs_and_replaces_itself(connection: Connection, kind: str) -> None:
    own = {**SPEC, **TYPES, "release": "pub"}
    sqlanon.anonymize("people", connection=connection, **own).close()
    for _ in range(2):
        with publish(connection, kind, **TYPES) as release:
            assert release.measure("k") == 3
            release.certificate()
            assert len(release.frame()) == 60
        assert standing(connection, kind) == PUBLISHED
    for name in PUBLISHED[:3]:
        assert rows(connection, f"{kind}.main.{name}") == rows(connection, f"main.{name}")


@pytest.mark.parametrize("kind", KINDS)
def test_source_recipe_and_release_may_stand_there_as_the_databases_own(
    connection: Connection, kind: str
) -> None:
    """As under the address ``ducklake:FILE``, names without a database mean the attached one."""
    connection.execute(f"create table {kind}.main.people as from people")
    connection.execute(f"use {kind}")
    levels = {"quasi_identifiers": {"age": {"hierarchy": {"bands": [3, 6]}}}, "method": "optimal"}
    searched = {**SPEC, **levels, "release": "found"}
    sqlanon.anonymize("people", connection=connection, **searched).close()
    again = {**searched, "release": "again", "recipe": "found"}
    sqlanon.anonymize("people", connection=connection, **again).close()
    assert rows(connection, f"{kind}.main.again") == rows(connection, f"{kind}.main.found")
    assert {"found__nodes", "found__run", "again"} <= set(standing(connection, kind))
    with sqlanon.open(connection) as database:
        assert database.check("again").passed
    connection.execute("begin")
    with pytest.raises(SpecError, match="is inside a transaction"):
        sqlanon.anonymize("people", connection=connection, **again)
    connection.execute("rollback")
    connection.execute("use memory")


@pytest.mark.parametrize("kind", KINDS)
def test_a_release_that_is_refused_leaves_the_earlier_one(
    connection: Connection, kind: str
) -> None:
    with pytest.raises(InfeasibleError):
        publish(connection, kind, sensitive={"ill": {"t": 0.0001}})
    assert standing(connection, kind) == []
    publish(connection, kind).close()
    before = rows(connection, f"{kind}.main.pub__run")
    with pytest.raises(InfeasibleError):
        publish(connection, kind, sensitive={"ill": {"t": 0.0001}})
    assert rows(connection, f"{kind}.main.pub__run") == before
    assert standing(connection, kind) == PUBLISHED


@pytest.mark.parametrize("kind", KINDS)
def test_no_reader_finds_anything_before_the_end(
    connection: Connection, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found: list[list[str]] = []
    written = Attached.publish

    def seen(attached: Attached) -> None:
        found.append(standing(connection.cursor(), kind))
        written(attached)
        found.append(standing(connection.cursor(), kind))

    monkeypatch.setattr(Attached, "publish", seen)
    publish(connection, kind).close()
    assert found == [[], []]
    assert standing(connection, kind) == PUBLISHED


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("statement", ["insert into", "commit"])
def test_a_publication_that_fails_leaves_the_earlier_release(
    connection: Connection, kind: str, statement: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What fails is the statement that writes the last relation, or the commit after it."""
    publish(connection, kind).close()
    before = [rows(connection, f"{kind}.main.{name}") for name in PUBLISHED]
    take, said = DuckDBDriver._take, [""]

    def failing(driver: DuckDBDriver, sql: str) -> Rows:
        said.append(sql)
        if sql.startswith(statement) and '"sqlanon_new_pub__run"' in f"{sql}{said[-2]}":
            take(driver, "rollback")
            raise duckdb.IOException("IO Error: the disk is gone")
        return take(driver, sql)

    monkeypatch.setattr(DuckDBDriver, "_take", failing)
    with pytest.raises(EngineError, match="IOException"):
        publish(connection, kind, k=4)
    monkeypatch.undo()
    assert any(sql.startswith(statement) for sql in said)
    assert [rows(connection, f"{kind}.main.{name}") for name in PUBLISHED] == before
    assert standing(connection, kind) == PUBLISHED


KILLED = """
import os, sys, duckdb
from pathlib import Path
from test_attached import PEOPLE, Attached, attach, publish
folder, kind, after = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
connection = duckdb.connect()
attach(connection, folder)
connection.execute(f"create table people as {PEOPLE}")
content, seen = Attached._content, []
def killing(attached, place, one):
    seen.append(place)
    if len(seen) > after:
        os._exit(9)
    return content(attached, place, one)
Attached._content = killing
publish(connection, kind, k=4)
"""


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_that_is_killed_as_it_publishes_leaves_the_earlier_release(
    tmp_path: Path, kind: str
) -> None:
    with duckdb.connect() as connection:
        attach(connection, tmp_path)
        connection.execute(f"create table people as {PEOPLE}")
        publish(connection, kind).close()
        before = [rows(connection, f"{kind}.main.{name}") for name in PUBLISHED]
    command = [sys.executable, "-c", KILLED, str(tmp_path), kind, "4"]
    paths = [str(folder) for folder in (HERE, HERE.parent, HERE.parent.parent)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, capture_output=True
    )
    assert done.returncode == 9, done.stderr.decode()
    with duckdb.connect() as connection:
        attach(connection, tmp_path)
        assert standing(connection, kind) == PUBLISHED
        assert [rows(connection, f"{kind}.main.{name}") for name in PUBLISHED] == before


HELD = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("begin immediate")
print("held", flush=True)
sys.stdin.read()
"""


def test_a_sqlite_that_another_program_holds_keeps_the_earlier_release(
    connection: Connection, tmp_path: Path
) -> None:
    """The other is a process of its own: SQLite's locks are between processes."""
    publish(connection, "lite").close()
    before = rows(connection, "lite.main.pub__run")
    command = [sys.executable, "-c", HELD, str(tmp_path / "lite.sqlite")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(EngineError):
            publish(connection, "lite", k=4)
        other.communicate(b"")
    assert rows(connection, "lite.main.pub__run") == before


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_of_somebody_elses_is_not_replaced(connection: Connection, kind: str) -> None:
    publish(connection, kind).close()
    connection.execute(f"create or replace table {kind}.main.pub as select 1 as mine")
    with pytest.raises(SpecError, match="bears no mark"):
        publish(connection, kind)
    assert connection.execute(f"from {kind}.main.pub").fetchall() == [(1,)]


@pytest.mark.parametrize("kind", KINDS)
def test_what_one_release_has_and_the_next_has_not_goes(connection: Connection, kind: str) -> None:
    publish(connection, kind, k=1, sensitive={"ill": {"l": 2}}, publish="anatomy").close()
    assert len(standing(connection, kind)) > len(PUBLISHED)
    publish(connection, kind).close()
    assert standing(connection, kind) == PUBLISHED


def test_sqlite_itself_reads_the_release(connection: Connection, tmp_path: Path) -> None:
    publish(connection, "lite", **TYPES).close()
    with sqlite3.connect(tmp_path / "lite.sqlite") as alone:
        found = alone.execute(
            "select typeof(age), typeof(moved), typeof(share), count(*) from pub group by 1, 2, 3"
        ).fetchall()
        assert found == [("text", "integer", "real", 60)]


def test_a_value_that_sqlite_cannot_hold_stops_the_publication(connection: Connection) -> None:
    connection.execute("update people set share = 'nan' where age = 20")
    with pytest.raises(EngineError, match="does not hold pub as it was written"):
        publish(connection, "lite", **TYPES)
    assert standing(connection, "lite") == []


def test_the_proof_in_a_lake_is_in_files_of_their_owner_alone(
    connection: Connection, tmp_path: Path
) -> None:
    connection.execute("call lake.set_option('data_inlining_row_limit', 0)")
    publish(connection, "lake").close()
    modes = {
        file.parent.name: stat.S_IMODE(file.stat().st_mode)
        for file in (tmp_path / "lake").rglob("*.parquet")
    }
    assert modes.keys() == set(PUBLISHED)
    assert {name for name, mode in modes.items() if mode & 0o077} == {"pub"}


def test_a_database_attached_to_be_read_is_refused_before_the_work(
    connection: Connection, tmp_path: Path
) -> None:
    connection.execute("create table lite.main.there as select 1 as one")
    connection.execute("detach lite")
    connection.execute(f"attach '{tmp_path}/lite.sqlite' as lite (type sqlite, read_only)")
    with pytest.raises(SpecError, match="the database 'lite' is attached to be read only"):
        publish(connection, "lite")


@pytest.mark.parametrize("kind", KINDS)
def test_a_view_and_a_script_are_refused_there(connection: Connection, kind: str) -> None:
    with pytest.raises(SpecError, match="materialize: a view of the release"):
        publish(connection, kind, materialize="view")
    spec = {**SPEC, "release": f"{kind}.main.pub"}
    with pytest.raises(SpecError, match="a script publishes in DuckDB's own databases"):
        sqlanon.compile("people", connection=connection, **spec)
