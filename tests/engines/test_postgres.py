"""What only PostgreSQL can do wrong: connections, locks of work tables, long names, passwords."""

from __future__ import annotations

import _thread
import json
import re
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from needs import missing
from rendered import EVERYTHING, SIMPLE, SOURCE
from servers import DuckDBPlace, PostgresPlace, place, plain
from support import DEALT, at, interruptible, multiset, slow

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.engines import open_engine
from sqlanon.errors import EngineError, InfeasibleError, InterruptedRunError, SpecError
from sqlanon.sql.dialects import transpile
from sqlanon.sql.names import Relation

pytestmark = pytest.mark.slow

DECLARED: dict[str, Any] = {
    key: value for key, value in SIMPLE.items() if key not in ("source", "release")
}
WORDS = {"q": "varchar", "s": "varchar"}
SERVERS = ["postgres", "postgres_icu"]  # the newest that is to be had, and the system's


@pytest.fixture(params=SERVERS)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[PostgresPlace]:
    with place(request.param, urls) as found:
        assert isinstance(found, PostgresPlace)
        yield found


def fill(there: PostgresPlace) -> None:
    """The patients of the rendered plans."""
    with duckdb.connect() as connection:
        connection.execute(SOURCE)
        described = connection.execute("describe patients").fetchall()
        rows = connection.execute("from patients").fetchall()
    columns = {name: kind.lower() for name, kind, *_ in described}
    there.make_table("patients", columns, rows)


def people(there: PostgresPlace, rows: int = 40) -> None:
    there.make_table("t", WORDS, [(f"q{i % 7}", f"s{i % 4}") for i in range(rows)])


def run(there: PostgresPlace, **declared: Any) -> sqlanon.Release:
    settings = {"quasi_identifiers": "q", "sensitive": "s", "k": 4, **DEALT, **declared}
    return sqlanon.anonymize("t", connection=there.connection, **settings)


# --- all of it, or nothing -----------------------------------------------------------------------


def test_a_failed_run_leaves_the_old_release_and_no_work_relation(there: PostgresPlace) -> None:
    people(there)
    run(there).close()
    before, names = there.read("anonymized"), there.relations()
    there.connection.execute("insert into t values ('alone', 'new')")
    with pytest.raises(InfeasibleError):
        run(there, alpha=0.01)
    assert there.read("anonymized") == before
    assert there.relations() == names


def test_a_second_release_takes_the_place_of_the_first(there: PostgresPlace) -> None:
    """Also where it was a view of a table, or becomes one."""
    people(there)
    for materialize in ("table", "table", "view", "view"):
        run(there, materialize=materialize).close()
        assert len(there.read("anonymized")[1]) == 40
    assert not [name for name in there.relations() if name.startswith("sqlanon_")]


def test_what_depends_on_the_release_is_not_dropped_with_it(there: PostgresPlace) -> None:
    people(there)
    run(there).close()
    there.connection.execute("create view mine as select * from anonymized")
    before = there.read("anonymized")
    with pytest.raises(EngineError, match="depend"):
        run(there, seed=2)
    assert there.read("anonymized") == there.read("mine") == before


def test_a_lost_connection_is_an_error_and_publishes_nothing(there: PostgresPlace) -> None:
    import psycopg

    people(there)
    lost = psycopg.connect(there.url, autocommit=True)
    number = lost.info.backend_pid

    def lose() -> None:
        there.connection.execute(f"select pg_terminate_backend({number}, 5000)".encode())

    with pytest.raises(EngineError) as caught:
        sqlanon.anonymize(
            "t",
            connection=lost,
            quasi_identifiers="q",
            sensitive="s",
            k=4,
            progress=at("writing the release", lose),
        )
    assert caught.value.exit_code == 3
    assert there.relations() == {"t"}


def test_ctrl_c_ends_the_running_statement(there: PostgresPlace) -> None:
    people(there)
    slow = "select t.* from t cross join (select pg_sleep(60)) as slow"
    timer = threading.Timer(1.0, _thread.interrupt_main)
    began = time.perf_counter()
    timer.start()
    with interruptible(), pytest.raises(InterruptedRunError):
        sqlanon.anonymize(
            {"query": slow},
            connection=there.connection,
            quasi_identifiers="q",
            sensitive="s",
            k=4,
        )
    assert time.perf_counter() - began < 20
    assert there.relations() == {"t"}
    run(there).close()  # the connection is of use as before


@pytest.mark.slow
def test_a_long_search_keeps_few_locks(
    there: PostgresPlace, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Work tables are filled anew: a transaction has room for some thousand locks."""
    monkeypatch.setattr("sqlanon.methods.workspace.FEW_CELLS", 0)  # or a loop is one query
    fill(there)
    locks: list[int] = []

    def count() -> None:
        found = there.connection.execute("select count(*) from pg_locks").fetchone()
        locks.append(found[0] if found else 0)

    with open_connection(there) as connection:
        made = sqlanon.anonymize(
            "patients",
            connection=connection,
            progress=at("handing the records out to the classes", count),
            **{**DECLARED, "quasi_identifiers": ["age", "sex"], "method": "split_or_deal"},
        )
        made.close()
    assert len(made.steps) > 150
    assert locks[0] < 500


def test_no_join_compares_every_row_with_every_other(there: PostgresPlace) -> None:
    """Also where NULL equals NULL: a class is found by its published tuple."""
    rows = [(f"q{i}" if i % 9 else None, str(i)) for i in range(4000)]
    for name in ("one", "two"):
        there.make_table(name, WORDS, rows)
        there.connection.execute(f"analyze {name}".encode())
    joined = "from one inner join two on one.q is not distinct from two.q and one.s = two.s"
    query = transpile(f"select count(*) as n {joined}", "postgres")
    assert there.connection.execute(query.encode()).fetchone() == (4000,)
    both = transpile(
        "select count(*) as n from one inner join two on one.q is not distinct "
        "from two.q where one.q is null",
        "postgres",
    )
    assert there.connection.execute(both.encode()).fetchone() == (445 * 445,)
    for text in (query, both.partition("where")[0]):
        plan = there.connection.execute(b"explain " + text.encode()).fetchall()
        assert "Nested Loop" not in str(plan)


def open_connection(there: PostgresPlace) -> Any:
    import psycopg

    return psycopg.connect(there.url, autocommit=True)


# --- the caller's connection ---------------------------------------------------------------------


def test_the_callers_connection_is_given_back_as_it_was(there: PostgresPlace) -> None:
    import psycopg
    from psycopg.rows import dict_row

    people(there)
    there.connection.execute("insert into t values ('Zürich', 's1')")
    with psycopg.connect(there.url, row_factory=dict_row, client_encoding="latin1") as connection:
        connection.execute("set extra_float_digits = 0")
        connection.commit()
        made = sqlanon.anonymize(
            "t", connection=connection, quasi_identifiers="q", sensitive="s", k=4, release="für"
        )
        made.close()
        assert connection.autocommit is False
        assert connection.execute("show extra_float_digits").fetchone() == {
            "extra_float_digits": "0"
        }
        assert connection.info.encoding == "iso8859-1"
    assert "Zürich" in str(there.read("für"))


def test_a_cursor_is_no_connection(there: PostgresPlace) -> None:
    with pytest.raises(SpecError, match=r"psycopg\.Cursor is no connection .* give a psycopg one"):
        sqlanon.open(connection=there.connection.cursor())


@pytest.mark.parametrize("search", ["engine", "local"])
def test_a_server_with_little_room_for_files_is_told_of(there: PostgresPlace, search: str) -> None:
    """What, where and what helps; nothing is published, and with what helps the run ends."""
    there.connection.execute(
        "create table wide as select i * 7919 % 997 as a, i * 104729 % 991 as b, 'd' || i % 7 as d "
        "from generate_series(1, 3000) as numbers (i)"
    )
    declared: dict[str, Any] = {"quasi_identifiers": ["a", "b"], "sensitive": ["d"], "k": 5}
    declared |= {"method": "mondrian", "search": search, "release": "pub"}
    little: dict[str, str | int] = {"temp_file_limit": "64kB", "work_mem": "64kB"}
    with sqlanon.open(connection=there.connection, settings=little, progress=False) as db:
        with pytest.raises(EngineError, match=r"than the 64kB .* raise work_mem .*\(in step '"):
            db.run("wide", **declared)
        assert there.relations() == {"wide"}
    enough = {**little, "work_mem": "64MB"}
    with sqlanon.open(connection=there.connection, settings=enough, progress=False) as db:
        assert (db.run("wide", **declared).measure("k") or 0) >= 5


def test_a_transaction_of_the_callers_is_left_alone(there: PostgresPlace) -> None:
    import psycopg

    people(there)
    with psycopg.connect(there.url) as connection:
        connection.execute("insert into t values ('mine', 'mine')")
        with pytest.raises(SpecError, match="inside a transaction"):
            sqlanon.anonymize("t", connection=connection, quasi_identifiers="q", sensitive="s", k=4)
        assert connection.execute("select count(*) from t").fetchone() == (41,)


def test_settings_are_the_databases_own(there: PostgresPlace) -> None:
    people(there)
    run(there, settings={"work_mem": "64MB"}).close()
    with pytest.raises(SpecError, match=r"refuses the setting memory_limit: .*unrecognized"):
        run(there, settings={"memory_limit": "1GB"})


# --- names, values, passwords --------------------------------------------------------------------


@pytest.mark.parametrize("release", ["r" * 60, "ü" * 30, "r" * 64])
def test_a_name_that_would_be_cut_is_refused(release: str, there: PostgresPlace) -> None:
    people(there)
    with pytest.raises(SpecError, match="longer than the 63 bytes"):
        run(there, release=release)
    assert there.relations() == {"t"}
    with pytest.raises(SpecError, match="longer than the 63 bytes"):
        sqlanon.compile(
            "t",
            connection=there.connection,
            release=release,
            quasi_identifiers="q",
            sensitive="s",
            k=4,
        )


def test_an_error_shows_no_cell_of_the_data(there: PostgresPlace) -> None:
    people(there)
    with pytest.raises(SpecError, match="withheld") as caught:
        run(there, quasi_identifiers={"q": {"hierarchy": {"sql": ["cast(q as integer)"]}}})
    assert "q1" not in str(caught.value).replace("_q1", "")


def test_a_password_is_nowhere(there: PostgresPlace, tmp_path: Path) -> None:
    people(there)
    secret = "s3cret-Pa55"
    url = re.sub("postgres:?@", f"postgres:{secret}@", there.url)
    assert secret in url
    spec = tmp_path / "spec.yaml"
    spec.write_text(
        json.dumps(
            {
                "source": "t",
                "release": "anonymized",
                "database": url,
                "quasi_identifiers": ["q"],
                "sensitive": ["s"],
                "privacy": {"k": 4},
            }
        )
    )
    said = [
        CliRunner().invoke(cli, [*words, str(spec)], catch_exceptions=False).output
        for words in (["run"], ["run", "--json"], ["plan"], ["plan", "--json"], ["compile"])
    ]
    assert all(said)
    assert "anonymized__metrics" in said[0]
    assert "postgresql://postgres@" in said[0]
    said.append(str(there.read("anonymized__run")))
    elsewhere = url.replace("host=", "host=/nowhere")
    for wrong in (elsewhere, url.replace("@", "@x:y:z@@[", 1), url + "&unheard=of"):
        with pytest.raises(EngineError) as caught:
            open_engine(wrong)
        said.append(f"{caught.value}")
    assert not [text for text in said if "s3cret" in text or "Pa55" in text]


def test_a_database_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="cannot be opened") as caught:
        open_engine(f"postgresql:///name?host={tmp_path}")
    assert caught.value.exit_code == 3


# --- sources -------------------------------------------------------------------------------------


def test_files_and_frames_are_loaded(there: PostgresPlace, tmp_path: Path) -> None:
    """Every type that a file can hold, and what is missing; as DuckDB itself reads them."""
    with duckdb.connect() as connection:
        query = (
            "select (i % 5)::{kind} as q, case when i % 9 > 0 then 's' || i % 3 end as s, "
            "timestamp '2024-02-29 12:00:00.5' + to_days((i % 4)::integer) as seen, "
            "i % 2 = 0 as even, ((i % 3) / 4)::decimal(5, 2) as fee from range(60) as t(i)"
        )
        whole = query.format(kind="utinyint")
        connection.execute(f"copy ({whole}) to '{tmp_path}/a.parquet'")
        connection.execute(f"copy ({whole}) to '{tmp_path}/b.csv' (delimiter ';')")
        frame = connection.execute(query.format(kind="double")).df()
    here = DuckDBPlace()
    for source in (f"{tmp_path}/a.parquet", f"{tmp_path}/b.csv", frame):
        for one in (here, there):
            made = sqlanon.anonymize(
                source,
                connection=one.connection,
                quasi_identifiers={"q": {}, "seen": {}, "fee": {"publish": "bounds"}},
                sensitive={"s": {"t": 0.9}},
                insensitive=["even"],
                k=5,
                **DEALT,
            )
            made.close()
        found = [plain(one.read("anonymized")[1]) for one in (here, there)]
        assert found[0] == found[1]
    assert not [name for name in there.relations() if name.startswith("sqlanon_")]


@pytest.mark.parametrize("engine", ["postgres"])
def test_a_release_is_held_against_its_source_as_a_file_or_a_frame(
    engine: str, urls: Mapping[str, str], tmp_path: Path
) -> None:
    """Whose columns are read in the types that it was released in, text as what it is."""
    columns = {"q": "text", "age": "integer", "s": "text", "ok": "boolean", "ward": "integer"}
    rows = [(f"q{i % 7}", i % 9, f"s{i % 4}", i % 3 == 0, i % 2) for i in range(40)]
    declared = {"source": "t", "quasi_identifiers": ["q", "age"], "sensitive": ["s", "ok", "ward"]}
    spec = sqlanon.parse_spec({**declared, "release": "anonymized", "privacy": {"k": 4}, **DEALT})
    with place(engine, urls) as there:
        there.make_table("t", columns, rows)
        with sqlanon.anonymize(spec, connection=there.connection) as release:
            release.export(tmp_path / "shown.csv")
            frame = release.frame()
        written = frame.assign(ok=frame.ok.astype(str), ward=frame.ward.map("{}.0".format))
        for table in (tmp_path / "shown.csv", frame, written):
            found = sqlanon.check(table, spec=spec, connection=there.connection)
            assert (found.passed, found.faults) == (True, ())
        wrong = written.assign(ok="maybe")
        faults = sqlanon.check(wrong, spec=spec, connection=there.connection).faults
        assert {fault.column for fault in faults if fault.what == "unknown_values"} == {"ok"}


TYPED = {
    "time": "time '10:00' + (i % 2) * interval '1 hour'",
    "timestamptz": "timestamptz '2020-01-01' + (i % 2) * interval '1 hour'",
    "interval": "(i % 2) * interval '1 hour'",
    "bit(3)": "(i % 2)::bit(3)",
    "bytea": "decode('0' || (i % 2), 'hex')",
    "inet": "('10.0.0.' || (i % 2))::inet",
}


@pytest.mark.parametrize("engine", ["postgres"])
def test_values_of_other_types_are_read_back_too(
    engine: str, urls: Mapping[str, str], tmp_path: Path
) -> None:
    columns = ", ".join(f"{value} as x{at}" for at, value in enumerate(TYPED.values()))
    names = [f"x{at}" for at in range(len(TYPED))]
    spec = sqlanon.parse_spec(
        {
            "source": "t",
            "release": "anonymized",
            "quasi_identifiers": ["q"],
            "sensitive": ["s"],
            "insensitive": {name: {"accept": "everybody's"} for name in names},
            "privacy": {"k": 4},
            **DEALT,
        }
    )
    with place(engine, urls) as there:
        there.connection.execute(
            f"create table t as select i % 5 as q, i % 2 as s, {columns}"
            " from generate_series(1, 20) as g(i)"
        )
        with sqlanon.anonymize(spec, connection=there.connection) as release:
            release.export(tmp_path / "shown.csv")
            frame = release.frame()
        for table in (tmp_path / "shown.csv", frame):
            found = sqlanon.check(table, spec=spec, connection=there.connection)
            assert (found.passed, found.faults) == (True, ())


def test_a_query_is_postgresqls_own(there: PostgresPlace) -> None:
    """On the oldest server too, where a subquery in FROM must have a name."""
    people(there)
    sqlanon.anonymize(
        {"query": "select distinct on (n) n, q, s from (select *, ctid as n from t) as t"},
        connection=there.connection,
        quasi_identifiers="q",
        sensitive="s",
        k=4,
    ).close()
    assert len(there.read("anonymized")[1]) == 40


@pytest.mark.parametrize("engine", ["postgres_icu"])
def test_a_column_may_have_an_order_of_its_own(engine: str, urls: Mapping[str, str]) -> None:
    """A collation of the column's, an enum, a blank-padded type and an empty schema path."""
    with place(engine, urls) as there:
        there.connection.execute("create type mood as enum ('Sad', 'ok', 'Happy')")
        there.connection.execute(
            'create table t (q text collate "en-US-x-icu", m mood, c char(4), u uuid, s text)'
        )
        there.connection.execute(
            "insert into t select (array['a', 'B', 'b', 'A'])[i % 4 + 1], "
            "(array['Sad', 'ok', 'Happy'])[i % 3 + 1]::mood, (array['x', 'Yy'])[i % 2 + 1], "
            "md5((i % 2)::text)::uuid, 's' || i % 5 from generate_series(1, 60) as t(i)"
        )
        sqlanon.anonymize(
            "t",
            connection=there.connection,
            quasi_identifiers=["q", "m", "c", "u"],
            sensitive={"s": {"t": 0.9}},
            k=5,
        ).close()
        cells = [row[0] for row in there.read("anonymized")[1]]
        assert cells == sorted(cells)
        found = sqlanon.check(
            "t", connection=there.connection, quasi_identifiers=["q", "m"], sensitive="s"
        )
        assert found.measure("classes") == 12


# --- rights --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("taken", "said"),
    [
        ("revoke create on schema public from reader", 'grant create on schema "public" to'),
        ("revoke temporary on database {} from public", "grant temporary on database"),
        ("revoke select on t from reader", 'grant select on "public"."t" to "reader"'),
        ("alter table anonymized__metrics owner to current_user", '__metrics" owner to "reader"'),
        ("revoke usage on schema mine from reader", 'grant usage on schema "mine" to "reader"'),
        (
            "alter role reader set default_transaction_read_only to on",
            "the connection is read-only",
        ),
    ],
)
def test_a_missing_right_is_found_before_the_work(
    there: PostgresPlace, taken: str, said: str
) -> None:
    """And named, with what would grant it; not after hours, when the release is written."""
    import psycopg

    people(there)
    database = there.connection.info.dbname
    execute = there.connection.execute
    execute("create role reader login")
    try:
        execute("create schema mine; create table mine.t as select * from t")
        execute(
            "grant usage on schema mine to reader; grant usage, create on schema public to reader"
        )
        execute("grant select on t, mine.t to reader")
        source = "mine.t" if "mine" in taken else "t"
        settings = {"quasi_identifiers": "q", "sensitive": "s", "k": 4, **DEALT}
        url = psycopg.conninfo.make_conninfo(there.url, user="reader")

        def as_reader(heard: list[str]) -> None:
            with psycopg.connect(url, autocommit=True) as reader:
                made = sqlanon.anonymize(
                    source,
                    connection=reader,
                    progress=lambda event: heard.append(event.title),
                    **settings,
                )
                made.close()

        as_reader([])
        execute(taken.format(database).encode())
        heard: list[str] = []
        with pytest.raises(SpecError) as refused:
            as_reader(heard)
        assert said in str(refused.value)
        assert heard == []
    finally:
        execute(f"grant temporary on database {database} to public".encode())
        execute("drop schema mine cascade; drop owned by reader; drop role reader")


# --- scripts -------------------------------------------------------------------------------------


def by_psql(there: PostgresPlace, script: Path) -> subprocess.CompletedProcess[str]:
    psql = shutil.which("psql")
    if psql is None:
        missing("psql", "psql is not installed")
    arguments = [psql, there.url, "-q", "-v", "ON_ERROR_STOP=1", "-f", str(script)]
    return subprocess.run(arguments, capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["everything", "anatomy", *slow("simple", "searched", "permuted")])
def test_a_script_makes_the_same_release(name: str, there: PostgresPlace, tmp_path: Path) -> None:
    """Written on PostgreSQL or on DuckDB, run once or again; nothing is left of its work."""
    spec = {**EVERYTHING, "source": "patients", "release": "by"}
    if name != "everything":
        spec = {**DECLARED, "source": "patients", "release": "by"}
    if name == "searched":
        spec |= {"method": "deal_tree", "privacy": {"k": 60}}
    relations = ["by", "by__classes", "by__metrics"]
    if name in ("anatomy", "permuted"):
        spec |= {"quasi_identifiers": ["age", "zip"], "sensitive": {"disease": {"l": 2}}}
        spec |= {"privacy": {"k": 1}, "publish": {"name": name, "group": 12}}
        relations += ["by__sensitive"] * (name == "anatomy")
    fill(there)
    sqlanon.anonymize(connection=there.connection, **spec).close()
    made, names = [there.read(relation) for relation in relations], there.relations()
    with duckdb.connect() as connection:
        connection.execute(SOURCE)
        scripts = [
            sqlanon.compile(dialect="postgres", connection=connection, all_metrics=True, **spec),
            sqlanon.compile(connection=there.connection, all_metrics=True, **spec),
        ]
    file = tmp_path / "script.sql"
    for script in [*scripts, scripts[0]]:
        there.connection.execute("update by__metrics set value = 0")
        file.write_text(script, encoding="utf-8")
        done = by_psql(there, file)
        assert (done.returncode, done.stderr) == (0, "")
        assert [there.read(relation) for relation in relations] == made
        assert there.relations() == names


# A script measures these together.
IN_ORDER = {
    "pain": {"distance": "ordered", "order": ["low", "middle", "high"], "l": 1, "t": 1},
    "salary": {"distance": "ordered", "order": "natural", "l": 1, "t": 1},
}


@pytest.mark.parametrize(
    ("suppression", "sensitive"),
    [
        (None, {"disease": {}}),
        ({"records": 0.5}, {"disease": {}}),
        (None, IN_ORDER),
    ],
)
def test_a_script_at_fixed_levels_makes_the_release_of_a_run(
    there: PostgresPlace,
    tmp_path: Path,
    suppression: dict[str, Any] | None,
    sensitive: dict[str, Any],
) -> None:
    """Of labels that follow from the values: in bands, periods, by prefixes, from a list."""
    fill(there)
    spec: dict[str, Any] = {
        "source": "patients",
        "quasi_identifiers": {
            "age": {"hierarchy": {"bands": [20, 40]}},
            "dose": {"hierarchy": {"bands": [5]}},
            "zip": {"hierarchy": {"prefix": [3, 1]}},
            "admitted": {"hierarchy": {"dates": ["month", "year"]}},
            "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
        },
        "levels": {"age": 1, "dose": 1, "zip": 2, "admitted": 2, "sex": 0},
        "sensitive": sensitive,
        "method": "optimal",
        "privacy": {"k": 1 if suppression is None else 4},
        "suppression": suppression,
        "seed": 1,
    }
    sqlanon.anonymize(connection=there.connection, **{**spec, "release": "by_run"}).close()
    with duckdb.connect() as connection:
        connection.execute(SOURCE)
        scripts = [
            sqlanon.compile(dialect="postgres", connection=connection, **spec),
            sqlanon.compile(connection=there.connection, **spec),
        ]
    file, released = tmp_path / "script.sql", spec.get("release", "anonymized")
    for script in [*scripts, scripts[0]]:
        assert "sqlanon_labels_q1" in script
        file.write_text(script, encoding="utf-8")
        done = by_psql(there, file)
        assert (done.returncode, done.stderr) == (0, "")
        assert multiset(there.read(released)[1]) == multiset(there.read("by_run")[1])
        assert ("measuring t closeness of pain, salary" in script) == (len(sensitive) > 1)
        (_, measured), (_, found) = (there.read(f"{one}__metrics") for one in ("by_run", released))
        assert found
        assert all(row in measured for row in found)


def test_cells_of_a_file_make_the_release_of_duckdb(there: PostgresPlace, tmp_path: Path) -> None:
    """Searched for on DuckDB; laid over the same table by a run and by a script."""
    fill(there)
    spec: dict[str, Any] = {
        "source": "patients",
        "quasi_identifiers": {"age": {"publish": "bounds"}, "admitted": {}, "salary": {}},
        "privacy": {"k": 4},
        "seed": 1,
    }
    file = tmp_path / "found.recipe.yaml"
    with duckdb.connect() as connection, sqlanon.open(connection) as db:
        connection.execute(SOURCE)
        db.run(**spec, release="found", method="top_down")
        file.write_text(db.recipe("found").text, encoding="utf-8")
        expected = multiset(connection.execute("select * from found").fetchall())
        taken = spec | {"recipe": str(file), "release": "again"}
        script = db.compile(**taken, dialect="postgres")
    sqlanon.anonymize(**taken, connection=there.connection).close()
    assert multiset(there.read("again")[1]) == expected
    there.connection.execute("update again set salary = null")
    (tmp_path / "script.sql").write_text(script, encoding="utf-8")
    done = by_psql(there, tmp_path / "script.sql")
    assert (done.returncode, done.stderr) == (0, "")
    assert multiset(there.read("again")[1]) == expected


def test_a_script_whose_check_fails_publishes_nothing(there: PostgresPlace, tmp_path: Path) -> None:
    people(there)
    file = tmp_path / "script.sql"
    declared: dict[str, Any] = {"quasi_identifiers": "q", "sensitive": "s", "k": 4}
    file.write_text(sqlanon.compile("t", connection=there.connection, **declared))
    there.connection.execute("delete from t where ctid > '(0,3)'")
    done = by_psql(there, file)
    assert done.returncode == 3
    assert "k-anonymity cannot be reached: k is 4, the source has only 3 records" in done.stderr
    assert there.relations() == {"t"}


def test_a_script_cannot_read_the_clients_files(there: PostgresPlace, tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("q,s\n" + "a,b\n" * 9)
    with pytest.raises(SpecError, match="cannot read a file"):
        sqlanon.compile(
            str(tmp_path / "a.csv"),
            connection=there.connection,
            quasi_identifiers="q",
            sensitive="s",
            k=2,
        )


# --- the command line ----------------------------------------------------------------------------


@pytest.mark.slow
def test_the_commands_take_a_url(there: PostgresPlace, tmp_path: Path) -> None:
    fill(there)
    spec = tmp_path / "patients.yaml"

    def said(*words: str) -> str:
        done = CliRunner().invoke(cli, [*words], catch_exceptions=False)
        assert done.exit_code == 0, done.output
        return done.output

    said("init", "patients", "--database", there.url, "-o", str(spec))
    text = spec.read_text()
    assert "database: " in text
    text = re.sub("method: .*", "method: stack_and_deal", text.replace("t: 0.3", "t: 0.9"))
    spec.write_text(text)
    assert "k_anonymity" in said("run", str(spec), "--full")
    assert "patients_release" in said("plan", str(spec))
    assert "create temporary table" in said("compile", str(spec))
    checked = ("check", "patients_release", "--spec", str(spec))
    assert "gcp" in said(*checked)
    assert Relation("patients_release").name in there.relations()


def test_an_unknown_url_option_is_said(there: PostgresPlace) -> None:
    act: Callable[[], object] = lambda: open_engine(there.url + "&hots=x")  # noqa: E731
    with pytest.raises(EngineError, match="hots"):
        act()


def test_a_connection_that_reads_bytes_is_refused(there: PostgresPlace) -> None:
    """In place of text: of no encoding, which the server's is not."""
    people(there)
    there.connection.execute("set client_encoding = SQL_ASCII")
    with pytest.raises(SpecError, match=r"client_encoding is SQL_ASCII: set it to UTF8"):
        run(there)
