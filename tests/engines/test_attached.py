"""A release in an attached database is DuckDB's, is published whole, and passes first."""

from __future__ import annotations

import os
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import psycopg
import pytest
from needs import missing
from servers import PostgresPlace
from support import Connection, Row

import sqlanon
from sqlanon.engines.duckdb.attached import Attached, AttachedPostgres
from sqlanon.engines.duckdb.driver import DuckDBDriver
from sqlanon.errors import EngineError, InfeasibleError, SpecError
from sqlanon.plan import Rows
from sqlanon.spec import parse_spec

HERE = Path(__file__).parent
KINDS = ("lake", "lite", "served")
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


def attach_served(connection: Connection, url: str) -> None:
    """The schema is called like those of the other databases."""
    connection.execute(f"load '{extension('postgres_scanner')}'")
    connection.execute(f"attach '{url}' as served (type postgres)")


@pytest.fixture
def connection(
    tmp_path: Path, urls: Mapping[str, str], request: pytest.FixtureRequest
) -> Iterator[Connection]:
    with duckdb.connect() as opened:
        attach(opened, tmp_path)
        opened.execute(f"create table people as {PEOPLE}")
        given = getattr(request.node, "callspec", None)
        if given is None or "served" not in given.params.values():
            yield opened
            return
        there = PostgresPlace(urls["postgres"])
        there.connection.execute("drop schema if exists main cascade")
        there.connection.execute("create schema main")
        attach_served(opened, there.url)
        yield opened
        there.connection.execute("drop schema if exists main cascade")
        there.connection.close()


@pytest.fixture
def server(connection: Connection, urls: Mapping[str, str]) -> Iterator[Any]:
    """Another session of the attached server."""
    import psycopg

    with psycopg.connect(urls["postgres"], autocommit=True) as session:
        yield session


SERVED = pytest.mark.parametrize("kind", ["served"])


def publish(connection: Connection, kind: str, **declared: Any) -> sqlanon.Release:
    spec = {**SPEC, "release": f"{kind}.main.pub", **declared}
    return sqlanon.anonymize("people", connection=connection, **spec)


def rows(connection: Connection, name: str) -> list[Row]:
    """A published relation, its truth values as numbers, where SQLite has no others."""
    columns = [column for column, *_ in connection.execute(f"describe {name}").fetchall()]
    cells = [
        f"cast({column} as integer)" if column in ("moved", "passed") else column
        for column in columns
    ]
    return sorted(connection.execute(f"select {', '.join(cells)} from {name}").fetchall(), key=str)


def standing(connection: Connection, kind: str) -> list[str]:
    if kind == "served":
        connection.execute("call pg_clear_cache()")
    found = connection.execute(
        "select table_name from duckdb_tables() "
        f"where database_name in ('{kind}', 'temp') and schema_name = 'main'"
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
    connection.execute(f"use {kind}.main")
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
    take, said = DuckDBDriver._take, list[str]()

    def failing(driver: DuckDBDriver, sql: str) -> Rows:
        said.append(sql)
        last = any(text.startswith("insert") and '_new_pub__run"' in text for text in said)
        if sql.startswith(statement) and last:
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
from test_attached import PEOPLE, Attached, attach, attach_served, publish
folder, kind, after = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
connection = duckdb.connect()
attach(connection, folder)
if kind == "served":
    attach_served(connection, sys.argv[4])
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
    connection: Connection, tmp_path: Path, kind: str, urls: Mapping[str, str]
) -> None:
    publish(connection, kind).close()
    before = [rows(connection, f"{kind}.main.{name}") for name in PUBLISHED]
    for text in ("lake", "lite"):  # the files, which the other process is to write
        connection.execute(f"detach {text}")
    command = [sys.executable, "-c", KILLED, str(tmp_path), kind, "4"]
    command += [urls["postgres"]] if kind == "served" else []
    paths = [str(folder) for folder in (HERE, HERE.parent, HERE.parent.parent)]
    done = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, capture_output=True
    )
    assert done.returncode == 9, done.stderr.decode()
    with duckdb.connect() as again:
        attach(again, tmp_path)
        if kind == "served":
            attach_served(again, urls["postgres"])
        assert standing(again, kind) == PUBLISHED
        assert [rows(again, f"{kind}.main.{name}") for name in PUBLISHED] == before


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


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_32_bits_are_the_same_numbers_there(connection: Connection, kind: str) -> None:
    """A reader of the release finds the source's number, and so do the gate, check and attacks."""
    connection.execute(
        "create table paid as select age, cast(0.1 + i % 5 as float) as pay from people, range(3) "
        "as numbers (i)"
    )
    asked: dict[str, Any] = {**SPEC, "sensitive": {"pay": {"t": 0.5}}, "progress": False}
    sqlanon.anonymize("paid", connection=connection, release="pub", **asked).close()
    place = f"{kind}.main.pub"
    sqlanon.anonymize("paid", connection=connection, release=place, **asked).close()
    numbers = "select age, cast(pay as double) from {} order by all"
    here, there = (
        connection.execute(numbers.format(text)).fetchall() for text in ("memory.main.pub", place)
    )
    assert here == there
    with sqlanon.open(connection=connection, progress=False) as db:
        assert db.check(place).passed
        told = [
            {
                (finding.figure, finding.of): finding.value
                for finding in db.attack(name, external="paid").findings
            }
            for name in ("memory.main.pub", place)
        ]
    assert told[0] == told[1]


def test_a_value_that_sqlite_cannot_hold_stops_the_publication(connection: Connection) -> None:
    connection.execute("update people set share = 'nan' where age = 20")
    with pytest.raises(EngineError, match="does not hold pub as it was written"):
        publish(connection, "lite", **TYPES)
    assert standing(connection, "lite") == []


@pytest.mark.parametrize(
    ("type_name", "value", "says"),
    [
        ("integer", "secret", "in its column ill, and one has another type"),
        ("text", b"secret", "in its column ill, and one has another type"),
        ("date", "secret", "in a column of dates or times, and one is none"),
    ],
)
def test_a_cell_of_another_type_than_sqlite_declares_is_a_fault_of_the_source(
    connection: Connection, tmp_path: Path, type_name: str, value: Any, says: str
) -> None:
    with sqlite3.connect(tmp_path / "lite.sqlite") as lite:
        lite.execute(f"create table people (age integer, ill {type_name})")
        lite.executemany("insert into people values (?, ?)", [(20, None)] * 9 + [(20, value)])
    spec = {**SPEC, "release": "memory.main.pub"}
    with pytest.raises(SpecError, match=rf"^source: .*{says}") as refused:
        sqlanon.anonymize("lite.main.people", connection=connection, **spec)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("type_name", "well", "ill"),
    [
        ("date", "2020-01-02", ["2020-01-02 10:00:00", "2020-01-02T10:00", 20200102, 2458850.5]),
        (
            "timestamp",
            "2020-01-02T10:00:00.123456Z",
            ["2020-01-02 10:00:00+02:00", "2020-01-02 10:00:00.1234567", 1577836800],
        ),
    ],
)
def test_a_moment_that_duckdb_reads_as_another_is_refused(
    connection: Connection, tmp_path: Path, type_name: str, well: str, ill: list[Any]
) -> None:
    with sqlite3.connect(tmp_path / "lite.sqlite") as lite:
        lite.execute(f'create table people (age integer, "{{value}} \'s" {type_name}, ill text)')
        rows = [(20, well, "a"), (20, None, "b"), (20, well, "c"), (20, well, "d")]
        lite.executemany("insert into people values (?, ?, ?)", rows)
    spec = {**SPEC, "release": "memory.main.pub", "insensitive": {"{value} 's": ACCEPTED}}
    sqlanon.anonymize("lite.main.people", connection=connection, **spec)
    for value in ill:
        with sqlite3.connect(tmp_path / "lite.sqlite") as lite:
            lite.execute("update people set \"{value} 's\" = ? where ill = 'a'", (value,))
        with pytest.raises(SpecError, match=r"^source: .* 1 values of {value} 's as others"):
            sqlanon.anonymize("lite.main.people", connection=connection, **spec)


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


# --- an attached PostgreSQL ---------------------------------------------------------------------


@SERVED
def test_every_type_is_kept_there_as_it_is_or_as_text(connection: Connection, kind: str) -> None:
    double = "case age when 20 then 'nan'::double when 21 then -0.0 else 1e300 end"
    wide = {
        "tiny": ("200::utinyint", "SMALLINT"),
        "small": ("40000::usmallint", "INTEGER"),
        "whole": ("3000000000::uinteger", "BIGINT"),
        "big": ("18446744073709551615::ubigint", "DECIMAL(20,0)"),
        "huge": ("170141183460469231731687303715884105727::hugeint", "VARCHAR"),
        "money": ("1.50::decimal(9, 2)", "DECIMAL(9,2)"),
        "short": ("0.1::float", "FLOAT"),
        "long": (double, "DOUBLE"),
        "moment": ("timestamp '2020-01-01 00:00:00.123456'", "TIMESTAMP"),
        "hour": ("time '10:00'", "VARCHAR"),
        "word": ("case when age > 22 then 'é''\"\\' || age end", "VARCHAR"),
    }
    cells = ", ".join(f"{made} as {name}" for name, (made, _) in wide.items())
    connection.execute(f"create table wide as select *, {cells} from people")
    spec = {**SPEC, "insensitive": dict.fromkeys(wide, ACCEPTED)}
    sqlanon.anonymize("wide", connection=connection, **spec, release="pub").close()
    sqlanon.anonymize("wide", connection=connection, **spec, release="served.main.pub").close()
    cells = ", ".join(f"cast({name} as varchar)" for name in ("age", "ill", *wide))
    here, there = (
        sorted(connection.execute(f"select {cells} from {text}").fetchall(), key=str)
        for text in ("memory.main.pub", "served.main.pub")
    )
    assert here == there
    described = connection.execute("describe served.main.pub").fetchall()
    types = {name: type_name for name, type_name, *_ in described}
    assert {name: types[name] for name in wide} == {name: kept for name, (_, kept) in wide.items()}


@SERVED
def test_the_proof_is_its_owners_alone_and_readers_stay(
    connection: Connection, kind: str, server: Any
) -> None:
    """As where the run is in PostgreSQL itself, whose release it replaces, and is replaced by."""
    for role in ("reader", "curious"):
        server.execute(f"create role {role}")
        server.execute(f"grant usage on schema main to {role}")
    server.execute("alter default privileges in schema main grant select on tables to curious")
    publish(connection, kind).close()
    may = "select relname from pg_class where relnamespace = 'main'::regnamespace and {} order by 1"
    reads = may.format("has_table_privilege('{}', oid, 'SELECT')")

    def read_by(role: str) -> list[str]:
        return [name for (name,) in server.execute(reads.format(role)).fetchall()]

    assert read_by("curious") == ["pub"]
    server.execute("revoke select on main.pub from curious")
    server.execute("grant select on main.pub to reader")
    for _ in range(2):
        publish(connection, kind).close()
        assert (read_by("curious"), read_by("reader")) == ([], ["pub"])
    own = {**SPEC, "release": "main.pub", "connection": server}
    server.execute(
        "create table main.people as select 20 + i % 7 as age, 'd' || i % 3 as ill "
        "from generate_series(0, 59) as numbers (i)"
    )
    sqlanon.anonymize("main.people", **own).close()
    assert (read_by("curious"), read_by("reader")) == (["people"], ["pub"])
    publish(connection, kind).close()
    assert (read_by("curious"), read_by("reader")) == (["people"], ["pub"])


@SERVED
@pytest.mark.parametrize("moment", ["insert into", "commit"])
def test_a_lost_server_keeps_the_earlier_release(
    connection: Connection, kind: str, server: Any, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    publish(connection, kind).close()
    before = server.execute("select * from main.pub__run order by 1").fetchall()
    take, said = DuckDBDriver._take, list[str]()

    def failing(driver: DuckDBDriver, sql: str) -> Rows:
        said.append(sql)
        last = any(text.startswith("insert") and '_new_pub__run"' in text for text in said)
        if sql.startswith(moment) and last:
            server.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where pid <> pg_backend_pid() and state like 'idle in transaction%'"
            )
        return take(driver, sql)

    monkeypatch.setattr(DuckDBDriver, "_take", failing)
    with pytest.raises(EngineError):
        publish(connection, kind, k=4)
    monkeypatch.undo()
    assert server.execute("select * from main.pub__run order by 1").fetchall() == before
    publish(connection, kind, k=4).close()  # the same connection goes on
    assert server.execute("select * from main.pub__run order by 1").fetchall() != before


@SERVED
def test_what_the_server_will_not_take_is_named_before_the_work(
    connection: Connection, kind: str, server: Any
) -> None:
    long = "a" * 60
    with pytest.raises(SpecError, match=r"a__metrics' has more than 63 bytes"):
        publish(connection, kind, release=f"served.main.{long}")
    server.execute('create table main."Pub" (one int)')
    with pytest.raises(SpecError, match=r"DuckDB does not tell 'main.Pub' from 'main.pub'"):
        publish(connection, kind)
    server.execute('drop table main."Pub"')
    connection.execute("create table own as select *, ill as xmin from people")
    with pytest.raises(SpecError, match=r"'xmin' is the name of a column of PostgreSQL's own"):
        sqlanon.anonymize(
            "own",
            connection=connection,
            **{**SPEC, "sensitive": ["xmin"]},
            release="served.main.pub",
        )
    assert standing(connection, kind) == []


@SERVED
def test_a_role_without_rights_is_refused_with_the_statement_that_grants_them(
    connection: Connection, kind: str, server: Any, urls: Mapping[str, str]
) -> None:
    server.execute("create role limited login")
    server.execute("grant usage on schema main to limited")
    connection.execute("detach served")
    attach_served(connection, urls["postgres"].replace("postgres:@", "limited@"))
    with pytest.raises(SpecError, match=r'grant create on schema "main" to "limited"'):
        publish(connection, kind)
    server.execute("grant create on schema main to limited")
    publish(connection, kind).close()
    server.execute("alter table main.pub__classes owner to postgres")
    with pytest.raises(SpecError, match=r"'main.pub__classes' would be replaced and belongs to"):
        publish(connection, kind)
    connection.execute("detach served")


@SERVED
def test_a_view_that_reads_the_earlier_release_keeps_it(
    connection: Connection, kind: str, server: Any
) -> None:
    publish(connection, kind).close()
    before = server.execute("select * from main.pub__run order by 1").fetchall()
    server.execute("create view main.mine as select age from main.pub")
    with pytest.raises(
        EngineError, match=r"cannot drop table main\.pub because other objects depend on it"
    ):
        publish(connection, kind, k=4)
    assert server.execute("select * from main.pub__run order by 1").fetchall() == before
    assert server.execute("select count(*) from main.mine").fetchone() == (60,)


@SERVED
def test_a_nul_character_stops_the_publication(connection: Connection, kind: str) -> None:
    connection.execute("update people set ill = 'd' || chr(0) || 'secret' where ill = 'd1'")
    with pytest.raises(SpecError, match="its column 'ill' holds NUL characters"):
        publish(connection, kind)
    assert standing(connection, kind) == []


@SERVED
def test_who_publishes_second_is_refused(
    connection: Connection,
    kind: str,
    server: Any,
    urls: Mapping[str, str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The other run ends after the release was looked at, and before it is replaced."""
    publish(connection, kind).close()
    look, done = AttachedPostgres.standing, list[bool]()

    def looked(server: AttachedPostgres, places: Any, hold: bool) -> Any:
        if hold and not done:
            done.append(True)
            with duckdb.connect() as other:
                attach_served(other, urls["postgres"])
                other.execute(f"create table people as {PEOPLE}")
                publish(other, kind, k=5).close()
        return look(server, places, hold)

    monkeypatch.setattr(AttachedPostgres, "standing", looked)
    with pytest.raises(SpecError, match=r"somebody else, made served\.main\.pub"):
        publish(connection, kind, k=4)
    assert done
    least = (
        "select min(records) from (select count(*) as records from main.pub group by age) as all"
    )
    assert server.execute(f"{least}_classes").fetchone()[0] >= 5


@SERVED
@pytest.mark.parametrize("is_open", [False, True])
def test_a_first_release_that_another_has_made_meanwhile_is_theirs(
    connection: Connection,
    kind: str,
    server: Any,
    urls: Mapping[str, str],
    monkeypatch: pytest.MonkeyPatch,
    is_open: bool,
) -> None:
    """Neither release was there at first. The other is there by now, or its commit is awaited."""
    tell, done = AttachedPostgres.tell, list[Any]()

    def told(attached: AttachedPostgres, statement: str, step: str = "") -> None:
        if statement.startswith("create table") and not done:
            done.append(psycopg.connect(urls["postgres"]))
            done[0].execute("create table main.pub as select 1 as theirs")
            if is_open:
                later = threading.Timer(0.5, done[0].commit)
                later.start()
                done.append(later)
            else:
                done[0].commit()
        tell(attached, statement, step)

    monkeypatch.setattr(AttachedPostgres, "tell", told)
    with pytest.raises(SpecError, match=r"^release: another run, or somebody else, made served\."):
        publish(connection, kind)
    if is_open:
        done[1].join()
    done[0].close()
    assert server.execute("select * from main.pub").fetchall() == [(1,)]
    assert server.execute("select to_regclass('main.pub__run')").fetchone() == (None,)


@SERVED
def test_the_release_itself_is_no_source_of_it(connection: Connection, kind: str) -> None:
    publish(connection, kind).close()
    connection.execute("create view through as from served.main.pub")
    for source, why in (("served.main.pub", "it is the source"), ("through", "the source reads")):
        with pytest.raises(SpecError, match=why):
            sqlanon.anonymize(source, connection=connection, **SPEC, release="served.main.pub")
    connection.execute("create schema served.raw; create table served.raw.pub as from people")
    sqlanon.anonymize(
        "served.raw.pub", connection=connection, **SPEC, release="served.main.pub"
    ).close()
    connection.execute("drop schema served.raw cascade")


@pytest.mark.parametrize("kind", KINDS)
def test_a_check_reads_types_back_that_the_database_lacks(
    connection: Connection, kind: str
) -> None:
    """A date that stands as text is the source's date; another date is none of it."""
    connection.execute(
        "create or replace table people as select *, "
        "date '2020-01-01' + (age % 3)::integer as day, "
        "('0.1234567890123456789012345678901234567' || age % 5)::decimal(38, 38) as fine, "
        "[age % 2] as listed, (age % 9)::utinyint as small "
        "from people"
    )
    public = dict.fromkeys(("day", "fine", "listed", "small"), ACCEPTED)
    declared = {**SPEC, "insensitive": public, "release": f"{kind}.main.pub"}
    publish(connection, kind, **declared).close()
    name = f"{kind}.main.pub"
    k = {"privacy": {"k": declared.pop("k")}}
    spec = parse_spec({**declared, **k, "source": "people"})
    assert sqlanon.check(name, connection=connection).passed
    assert sqlanon.check(name, connection=connection, spec=spec).passed
    least = f"(select min(day) from {name})"
    connection.execute(f"update {name} set day = '2021-05-05' where day = {least}")
    assert not sqlanon.check(name, connection=connection, spec=spec).passed
    if kind == "lite":
        connection.execute(f"update {name} set day = 'never'")
        (first, *_) = sqlanon.check(name, connection=connection, spec=spec).faults
        assert (first.what, first.column) == ("column_type", "day")
