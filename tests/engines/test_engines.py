"""A database is opened by its name; other names stay DuckDB files, and a password stays hidden."""

import logging
import sys
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import duckdb
import pytest

import sqlanon
from sqlanon.engines import DuckDBEngine, open_engine
from sqlanon.engines.clickhouse.address import parameters as clickhouse
from sqlanon.engines.driver import Setting
from sqlanon.engines.duckdb.driver import DuckDBDriver
from sqlanon.engines.snowflake.names import parameters
from sqlanon.engines.warehouse.driver import silenced
from sqlanon.errors import EngineError, SpecError
from sqlanon.spec import parse_spec, product, shown
from sqlanon.sql.dialects import transpile
from sqlanon.sql.templates import load_template

DECLARED = {
    "source": {"table": "t"},
    "release": "r",
    "quasi_identifiers": ["a"],
    "sensitive": ["b"],
    "privacy": {"k": 2},
}


@pytest.mark.parametrize(
    ("database", "named"),
    [
        (None, "duckdb"),
        ("patients.duckdb", "duckdb"),
        ("postgres.duckdb", "duckdb"),
        ("./spark", "duckdb"),
        ("postgresql://host/name", "postgres"),
        ("postgres://host/name", "postgres"),
        ("spark", "spark"),
        ("spark://host:7077", "spark"),
        ("local[2]", "spark"),
        ("sc://host:15002", "spark"),
        ("snowflake://ann@acme/shop/public", "snowflake"),
        ("snowflake://", "snowflake"),
        ("clickhouse://ann@acme:8443/shop", "clickhouse"),
        ("bigquery://acme-research/patients", "bigquery"),
    ],
)
def test_the_product_is_known_by_the_name(database: str | None, named: str) -> None:
    assert product(database) == named


@pytest.mark.parametrize(
    "database", ["out.csv", "out.CSV.gz", "a/out.parquet", "out.jsonl", "out.xlsx", "out.csv.zst"]
)
def test_a_file_of_data_is_no_database(database: str, tmp_path: Path) -> None:
    file = tmp_path / Path(database).name
    for given in (str(file), file):
        with pytest.raises(SpecError, match=r"release\.duckdb; .* COPY"):
            open_engine(given)
    with pytest.raises(SpecError, match=r"^database: "):
        parse_spec({**DECLARED, "database": database})
    assert not file.exists()


@pytest.mark.parametrize("content", [b"", b"a,b\n1,2\n", b"SQLite format 3\0" + bytes(100)])
def test_a_file_that_is_no_database_is_left_alone(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "patients"
    file.write_bytes(content)
    with pytest.raises(SpecError, match="exists and is no DuckDB database"):
        open_engine(file)
    assert file.read_bytes() == content
    assert list(tmp_path.iterdir()) == [file]


def test_an_unknown_address_is_refused_without_its_secrets() -> None:
    with pytest.raises(SpecError, match=r"mysql:// is no database .* postgresql://") as caught:
        open_engine("mysql://ann:s3cret@host/name")
    assert "s3cret" not in str(caught.value)


@pytest.mark.parametrize(
    ("database", "seen"),
    [
        ("data/patients.duckdb", "data/patients.duckdb"),
        ("postgresql://ann:s3cret@host:5432/name", "postgresql://ann@host:5432/name"),
        ("postgresql://ann:s3/cr@et@host/name", "postgresql://ann@host/name"),
        ("postgresql://host/name?password=s3cret&sslmode=require", "postgresql://host/name"),
        ("postgresql://ann:s3?c&ret@host/name", "postgresql://ann@host/name"),
        ("postgresql://host/name?user=ann&password=s3cret", "postgresql://host/name?user=ann"),
        ("postgresql:///name?host=/run/pg", "postgresql:///name?host=/run/pg"),
        ("sc://host/;token=s3cret;user_id=ann", "sc://host/"),
        (
            "snowflake://ann:s3cret@acme/shop/public?role=a",
            "snowflake://ann@acme/shop/public?role=a",
        ),
        ("clickhouse://ann:s3cret@acme/shop", "clickhouse://ann@acme/shop"),
    ],
)
def test_a_database_is_shown_without_its_secrets(database: str, seen: str) -> None:
    assert shown(database).startswith(seen)
    assert "s3" not in shown(database)


def test_a_duckdb_file_is_opened(tmp_path: Path) -> None:
    engine = open_engine(tmp_path / "new.duckdb")
    engine.close()
    assert isinstance(engine, DuckDBEngine)


def threads(engine: DuckDBEngine) -> int:
    asked = "select current_setting('threads')"
    return int(engine.driver.execute(asked).rows[0][0])


def test_a_database_of_ours_takes_one_thread_for_a_while() -> None:
    with closing(DuckDBEngine(settings={"threads": 3})) as engine:
        with engine.driver.serial():
            assert threads(engine) == 1
        assert threads(engine) == 3
        with pytest.raises(EngineError), engine.driver.serial():
            engine.driver.execute("select no_such_column")
        assert threads(engine) == 3


@pytest.mark.parametrize("refused", ["enable_progress_bar", "enable_progress_bar_print"])
def test_a_progress_bar_that_duckdb_refuses_is_no_error(
    refused: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a notebook without ipywidgets; and none is drawn where the print cannot be put off."""
    change = DuckDBDriver._change

    def refusing(driver: DuckDBDriver, name: str, value: Setting) -> None:
        if name == refused:
            raise EngineError("required package 'ipywidgets' is missing")
        change(driver, name, value)

    monkeypatch.setattr(DuckDBDriver, "_change", refusing)
    with closing(DuckDBEngine()) as engine:
        assert engine.driver.execute("select 1").rows == [(1,)]
        shown = engine.driver.execute("select current_setting('enable_progress_bar')").rows
        with duckdb.connect() as plain:  # where Python is interactive DuckDB itself draws
            assert (
                shown == plain.execute("select current_setting('enable_progress_bar')").fetchall()
            )
    with duckdb.connect() as plain:  # what it is not by itself
        (usual,) = plain.execute(f"select current_setting('{refused}')").fetchone() or (None,)
    asked = {refused: not usual}
    with pytest.raises(SpecError, match=f"DuckDB refuses the setting {refused}"):
        DuckDBEngine(settings=asked)


def test_a_transaction_that_fails_leaves_the_threads_as_they_were() -> None:
    with closing(DuckDBEngine(settings={"threads": 3})) as engine:
        engine.driver.execute("create temporary table temp.main.one (k integer primary key)")
        with pytest.raises(EngineError), engine.driver.transaction(), engine.driver.serial():
            engine.driver.execute("insert into temp.main.one values (1), (1)")
        assert threads(engine) == 3


def test_threads_of_the_callers_database_are_left_alone() -> None:
    connection = duckdb.connect(config={"threads": 3})
    with closing(DuckDBEngine(connection=connection)) as engine, engine.driver.serial():
        assert threads(engine) == 3


@pytest.mark.parametrize(
    ("database", "package"),
    [
        ("postgresql://host/name", "psycopg"),
        ("local[1]", "pyspark"),
        ("snowflake://", "snowflake"),
        ("clickhouse://acme", "clickhouse_connect"),
        ("bigquery://acme/pubs", "google.cloud.bigquery"),
    ],
)
def test_a_missing_extra_is_named(
    database: str, package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = product(database)
    monkeypatch.delitem(sys.modules, f"sqlanon.engines.{name}.engine", raising=False)
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(SpecError, match=f"extra '{name}'"):
        open_engine(database)


@pytest.mark.parametrize(
    ("address", "read"),
    [
        ("snowflake://", {}),
        ("snowflake://nightly/shop", {"connection_name": "nightly", "database": "shop"}),
        (
            "snowflake://ann%40b:p%2Fw@acme-eu1/shop/public?warehouse=small&role=r",
            {
                "user": "ann@b",
                "password": "p/w",
                "account": "acme-eu1",
                "database": "shop",
                "schema": "public",
                "warehouse": "small",
                "role": "r",
            },
        ),
    ],
)
def test_an_address_of_snowflake_is_read(address: str, read: dict[str, str]) -> None:
    assert parameters(address) == read


def test_an_address_of_clickhouse_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", "p/w")
    assert clickhouse("clickhouse://acme") == {"host": "acme", "password": "p/w"}
    assert clickhouse("clickhouse://ann%40b:x@acme:8443/my%20shop?secure=true") == {
        "host": "acme",
        "port": 8443,
        "username": "ann@b",
        "password": "x",
        "database": "my shop",
        "secure": "true",
    }


@pytest.mark.parametrize(
    "address",
    [
        "snowflake://ann:s3cret@/shop/public",
        "snowflake://ann:s3cret@acme/a/b/c",
        "snowflake://ann:s3cret@acme/a/b#c",
        "snowflake://ann@acme/a/b?private_key_file_pwd=s3cret",
        "snowflake://[s3cret/a/b",
    ],
)
def test_another_address_of_snowflake_is_refused_without_its_secrets(address: str) -> None:
    with pytest.raises(SpecError, match=r"^database: an address of Snowflake") as refused:
        parameters(address)
    assert "s3cret" not in str(refused.value)


def test_an_address_is_no_path(tmp_path: Path) -> None:
    spec = parse_spec({**DECLARED, "database": "postgresql://host/name"}, folder=tmp_path)
    assert spec.database == "postgresql://host/name"
    spec = parse_spec({**DECLARED, "database": "a.duckdb"}, folder=tmp_path)
    assert spec.database == str(tmp_path / "a.duckdb")


def test_a_template_without_a_sibling_is_translated() -> None:
    sized = {"records": load_template("source/record_count")}
    portable = load_template("source/record_count", "portable")
    assert portable.translate_to is None
    other = load_template("source/record_count", "postgres")
    assert (other.text, other.translate_to) == (sized["records"].text, "postgres")


def test_translation_keeps_the_header_and_quotes_names() -> None:
    sql = transpile("-- relation: one\n-- grain: a row\nselect a.b from a\n", "postgres")
    assert sql.startswith("-- relation: one\n-- grain: a row\n")
    assert '"a"."b"' in sql


def test_a_logger_is_silent_until_the_last_of_two_runs_lets_it_speak(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Runs of two threads overlap, and the one that began first may end first."""
    log = logging.getLogger("a_client.of_a_warehouse")
    first, second = ExitStack(), ExitStack()
    first.enter_context(silenced("a_client"))
    second.enter_context(silenced("a_client"))
    first.close()
    log.error("the cell 'ulcer'")
    assert not caplog.records
    second.close()
    log.error("heard again")
    assert [record.message for record in caplog.records] == ["heard again"]


@pytest.mark.parametrize("role", ["quasi_identifiers", "sensitive", "insensitive"])
def test_a_zero_with_a_sign_is_refused_where_sorting_loses_it(
    role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else l counts two values where the release shows one."""
    monkeypatch.setattr(DuckDBEngine, "sorts_signed_zeros", False)
    declared: dict[str, Any] = {
        "quasi_identifiers": ["age"],
        role: {"x": {}},
        "k": 2,
        "method": "stack_and_deal",
    }
    if role == "insensitive":
        declared[role] = {"x": {"accept": "known to all"}}
    with duckdb.connect() as connection:
        connection.execute(
            "create table t as select i as age, i // 2 + 1.5e0 as x from range(6) as t(i)"
        )
        sqlanon.anonymize("t", connection=connection, **declared).close()
        connection.execute("update t set x = cast('-0.0' as double) where age = 3")
        with pytest.raises(SpecError, match=rf"{role}\.x: 1 records hold .* or use DuckDB 2"):
            sqlanon.anonymize("t", connection=connection, **declared)
