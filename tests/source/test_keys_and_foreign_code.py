"""No function of somebody else's ever runs while a session has a key."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
from servers import ENGINES, Place, PostgresPlace, place
from support import DEALT, database

import sqlanon
from sqlanon.engines import DuckDBEngine, Engine, open_engine
from sqlanon.engines.driver import Driver
from sqlanon.errors import EngineError, InterruptedRunError, SpecError
from sqlanon.plan import Step, work
from sqlanon.session import Session
from sqlanon.source.keys import pads
from sqlanon.source.source import secret_names
from sqlanon.sql.names import Relation

KEY = "correct horse battery staple, and so on 4711"
COLUMNS = {"id": "bigint", "age": "integer", "weight": "integer", "disease": "varchar"}
HOW = {"env": "PEPPER"}
ROLES: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age"],
    "sensitive": ["disease"],
    "identifiers": {"id": {"pseudonym": "keyed", "key": HOW}},
    "key": ["number"],
    "insensitive": {
        "weight": {"accept": "a test", "transform": {"noise": {"within": 2, "key": HOW}}}
    },
    "privacy": {"k": 3},
    "seed": 1,
    **DEALT,
}


def rows() -> list[tuple[Any, ...]]:
    return [(i, i % 9, 50 + i % 20, "abc"[i % 3]) for i in range(33)]


@pytest.fixture(autouse=True)
def pepper(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PEPPER", KEY)


@pytest.fixture(params=ENGINES)
def there(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        yield found


class Watched:
    """What is said to a database while it has a key, and under which names it has keys."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, engine: type[Engine]) -> None:
        self.said: list[str] = []
        self.names: list[str] = []
        self.held: set[str] = set()
        secret, forget, call = engine.secret, engine.forget, Driver.call

        def told(self_: Engine, name: Any, value: str) -> None:
            self.names.append(name.name)
            self.held.add(name.name)
            secret(self_, name, value)

        def forgotten(self_: Engine, name: Any) -> None:
            forget(self_, name)
            self.held.discard(name.name)

        def called(self_: Driver, use: Callable[[], Any], step: str = "", sql: str = "") -> Any:
            if self.held and step != "a key":
                self.said.append(sql)
            return call(self_, use, step, sql)

        monkeypatch.setattr(engine, "secret", told)
        monkeypatch.setattr(engine, "forget", forgotten)
        monkeypatch.setattr(Driver, "call", called)


def engine_of(there: Place) -> type[Engine]:
    engine = open_engine(connection=there.connection)
    engine.close()
    return type(engine)


def test_only_tables_of_the_run_are_read_while_the_session_has_a_key(
    there: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a run and in a check; the names of keys are others each time."""
    there.make_table("people", {**COLUMNS, "number": "bigint"}, [(*r, r[0]) for r in rows()])
    watched = Watched(monkeypatch, engine_of(there))
    query = {"query": "select * from people"}
    sqlanon.anonymize(query, connection=there.connection, all_metrics=False, **ROLES).close()
    made = sum("sha2" in text for text in watched.said)
    assert made  # PostgreSQL makes a table and fills it
    spec = sqlanon.parse_spec({**ROLES, "source": query})
    assert sqlanon.check("public", spec=spec, connection=there.connection).passed
    assert sum("sha2" in text for text in watched.said) == 2 * made
    assert not [text for text in watched.said if "people" in text or "public" in text]
    assert len(set(watched.names)) == len(watched.names)
    assert not [name for name in watched.names if "secret" in name]
    assert not watched.held
    assert not set(watched.names) & there.relations()


def test_a_view_that_looks_for_keys_finds_none_on_duckdb() -> None:
    with database() as connection:
        connection.execute(
            "create table rows as select i as id, i as number, i % 9 as age, i % 20 as weight, "
            "i % 3 as disease from range(33) as n(i); "
            "create view people as select *, concat(getvariable('sqlanon_secret_1_inner'), "
            "(select string_agg(value) from duckdb_variables())) as note from rows"
        )
        insensitive = {**ROLES["insensitive"], "note": {"accept": "a test"}}
        roles = {**ROLES, "insensitive": insensitive}
        sqlanon.anonymize("people", connection=connection, **roles).close()
        assert connection.execute("select distinct note from public").fetchall() == [("",)]
        spec = sqlanon.parse_spec({**roles, "source": "people"})
        assert sqlanon.check("public", spec=spec, connection=connection).passed


def test_a_function_behind_a_view_finds_no_key_on_postgres(urls: Mapping[str, str]) -> None:
    with place("postgres", urls) as there:
        assert isinstance(there, PostgresPlace)
        there.make_table("rows", {**COLUMNS, "number": "bigint"}, [(*r, r[0]) for r in rows()])
        there.connection.execute("create table found (what text)")
        there.connection.execute(
            "create function look(i bigint) returns bigint language plpgsql volatile as $$ begin "
            "insert into found select current_setting('sqlanon.sqlanon_secret_1_inner', true); "
            "insert into found select setting from pg_settings where name like 'sqlanon%'; "
            "return i; end $$"
        )
        there.connection.execute(
            "create view people as select look(id) as id, number, age, weight, disease from rows"
        )
        there.connection.commit()
        sqlanon.anonymize("people", connection=there.connection, **ROLES).close()
        found = there.connection.execute("select distinct what from found").fetchall()
        assert found in ([(None,)], [("",)])


def test_the_log_of_postgres_has_no_key(urls: Mapping[str, str]) -> None:
    """However much it logs: no statement and no parameter of one holds it."""
    with place("postgres", urls) as there:
        there.make_table("people", {**COLUMNS, "number": "bigint"}, [(*r, r[0]) for r in rows()])
        there.connection.execute("set log_statement = 'all'; set client_min_messages = 'log'")
        there.connection.commit()
        notices: list[str] = []
        there.connection.add_notice_handler(
            lambda one: notices.append(f"{one.message_primary}{one.message_detail}{one.context}")
        )
        settings: dict[str, str | int] = {"client_min_messages": "log"}
        sqlanon.anonymize("people", connection=there.connection, settings=settings, **ROLES).close()
        assert any("set_config" in text for text in notices)
        assert not [text for text in notices if any(pad in text for pad in pads(KEY.encode()))]


@pytest.mark.parametrize("error", [EngineError("broken"), InterruptedRunError("interrupted")])
def test_a_step_that_breaks_off_leaves_no_key(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, has = DuckDBEngine.create, list[Any]()

    def broken(self: DuckDBEngine, relation: Any, select: str, *how: Any, **named: Any) -> Any:
        if "getvariable" in select:
            has.extend(self.driver.execute("from duckdb_variables()").rows)
            self.driver.execute("select error('the transaction is of no more use')")
            raise error
        return make(self, relation, select, *how, **named)

    with database() as connection:
        connection.execute(
            "create table people as select i as id, i as number, i % 9 as age, i % 7 as weight, "
            "i % 3 as disease from range(33) as n(i)"
        )
        monkeypatch.setattr(DuckDBEngine, "create", broken)
        with pytest.raises((EngineError, InterruptedRunError)):
            sqlanon.anonymize("people", connection=connection, **ROLES)
        assert has
        assert not connection.execute("from duckdb_variables()").fetchall()


def test_a_step_that_has_a_key_reads_no_table_of_the_users() -> None:
    inner, outer = secret_names(1)
    with database() as connection:
        session = Session(DuckDBEngine(connection=connection), keys={inner: "00", outer: "00"})
        inputs = {"read": Relation("people"), "secret_1_inner": inner, "secret_1_outer": outer}
        step = Step("by a key", work("made"), "source/keyed", inputs, {"columns": [], "draws": []})
        with pytest.raises(EngineError, match="reads more than tables of the run's own"):
            session.create(step)


def test_profiles_and_logs_of_the_callers_connection_hold_no_key(tmp_path: Path) -> None:
    """They are off in a run, and as they were when it has ended."""
    profile = tmp_path / "profile.json"
    with duckdb.connect() as connection:
        connection.execute(
            "create table people as select i as id, i as number, i % 9 as age, i % 7 as weight, "
            "i % 3 as disease from range(33) as n(i)"
        )
        connection.execute("call enable_logging(level = 'trace')")
        connection.execute(f"set enable_profiling = 'json'; set profiling_output = '{profile}'")
        asked = (
            "select name, value from duckdb_settings() where name ilike '%profil%' "
            "or name ilike '%logging%' order by name"
        )
        before = connection.execute(asked).fetchall()
        written = list[str]()
        sqlanon.anonymize(
            "people",
            connection=connection,
            progress=lambda event: written.append(profile.read_text() if profile.exists() else ""),
            **ROLES,
        ).close()
        written.append(json.dumps(connection.execute("from duckdb_logs").fetchall(), default=str))
        assert connection.execute(asked).fetchall() == before
        assert not [text for text in written if any(pad in text for pad in pads(KEY.encode()))]
        with pytest.raises(SpecError, match="enable_profiling would keep what a run reads"):
            sqlanon.anonymize(
                "people", connection=connection, settings={"enable_profiling": "json"}, **ROLES
            )
