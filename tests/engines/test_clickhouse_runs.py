"""Runs in ClickHouse, as a library: the release is DuckDB's, and a failure publishes nothing.

The client is the vendor's. What stands between it and a server is not run: HTTP, sessions, rights.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from on_clickhouse import ADDRESS, Server, emulated, failed
from people import COLUMNS, people_rows
from servers import DuckDBPlace, plain
from warehouses import (
    DEALT,
    LEVELS,
    broken,
    check_a_failure_keeps_the_older,
    check_a_frame_changes_no_number,
    check_a_recipe_is_applied,
    check_a_refused_release_stands_nowhere,
    check_a_search_here_is_asked_for,
    check_a_wrong_address_is_named,
    check_another_run_is_not_overwritten,
    in_duckdb,
    recipes,
)
from warehouses import publish as publish_by

import sqlanon
from sqlanon.errors import EngineError, InfeasibleError, OutcomeUnknownError, SpecError
from sqlanon.plan import Materialization, work

pytestmark = pytest.mark.clickhouse

PUBLISHED = {"pub", "pub__classes", "pub__metrics", "pub__run"}


@pytest.fixture
def server() -> Iterator[Server]:
    with emulated() as here:
        here.fill(COLUMNS, people_rows(120))
        yield here


def run(spec: dict[str, Any] = LEVELS, **declared: Any) -> sqlanon.Release:
    """A release of the test's table, of which only what is asked for is measured."""
    given = {**spec, **declared}
    return sqlanon.anonymize("people", database=ADDRESS, all_metrics=False, **given)


# --- the release is DuckDB's ------------------------------------------------------------------


def test_a_release_again_replaces_the_older_one(server: Server) -> None:
    run(DEALT).close()
    first = server.standing()
    run().close()
    again = server.standing()
    assert again.keys() == first.keys() == PUBLISHED
    assert len({*again.values()}) == 1  # one mark, and another than before
    assert {*again.values()}.isdisjoint(first.values())
    with in_duckdb(LEVELS) as expected:
        assert server.rows("pub") == Counter(plain(expected.sql("from pub").fetchall()))


@pytest.mark.parametrize("kind", recipes("allotment"))
def test_a_recipe_of_a_search_elsewhere_is_applied(
    server: Server, tmp_path: Path, kind: str
) -> None:
    check_a_recipe_is_applied(server, ADDRESS, tmp_path, kind, 95)


def test_a_search_in_this_process_is_asked_for(server: Server, tmp_path: Path) -> None:
    check_a_search_here_is_asked_for(server, ADDRESS, tmp_path)


def test_old_dates_and_other_letters_are_recoded_as_in_duckdb(server: Server) -> None:
    """Functions that take bytes for letters, and dates for those since 1970, are not called."""
    columns = {"born": "date", "town": "varchar", "dose": "double", "ill": "varchar"}
    names = ["Örebro", "Øre", "日本", "日光"]
    rows = [
        (
            f"19{10 + i % 4 * 20}-02-0{1 + i % 3}",
            names[i % 4],
            [0.0009765625, 1e16, 2][i % 3],
            "flu",
        )
        for i in range(48)
    ]
    server.fill(columns, rows, "odd")
    declared = {
        **LEVELS,
        "quasi_identifiers": {
            "born": {"hierarchy": {"dates": ["month", "decade"]}},
            "town": {"hierarchy": {"prefix": [1, 0]}},
            "dose": {"hierarchy": {"tree": {"*": ["0.0009765625", "1e+16", "2.0"]}}},
        },
        "sensitive": {"ill": {}},
        "levels": {"born": 2, "town": 1, "dose": 0},
        "k": 2,
    }
    sqlanon.anonymize("odd", database=ADDRESS, **declared).close()
    here = DuckDBPlace()
    here.make_table("odd", columns, rows)
    sqlanon.anonymize("odd", connection=here.connection, **declared).close()
    for name in ("pub", "pub__classes", "pub__metrics"):
        found = here.connection.sql(f"from {name}").fetchall()
        assert server.rows(name) == Counter(plain(found)), name
    here.connection.close()


def test_a_frame_changes_no_number(server: Server) -> None:
    check_a_frame_changes_no_number(server, ADDRESS)


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "where"),
    [
        (
            {"method": "mondrian", "levels": {}},
            "method: mondrian as declared asks .* recipe of a search",
        ),
        ({"materialize": "view"}, "materialize: a release in a warehouse is a table"),
        (
            {"identifiers": {"zip": {"pseudonym": "keyed", "key": {"env": "SECRET"}}}},
            r"identifiers.zip.pseudonym: a key is not sent to a warehouse",
        ),
        ({"sensitive": ["nothing"]}, "nothing"),
        ({"release": "elsewhere.pub"}, "elsewhere"),
    ],
)
def test_what_does_not_go_is_refused_before_anything_is_written(
    server: Server, monkeypatch: pytest.MonkeyPatch, declared: Any, where: str
) -> None:
    monkeypatch.setenv("SECRET", "0123456789abcdef0123456789abcdef")
    with pytest.raises((SpecError, EngineError), match=where):
        run(**declared)
    assert server.changed() == []
    assert not [one for one in server.sent if "temporary" in one]


def test_a_file_and_an_empty_table_are_refused(server: Server, tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,job,ill\n1,a,flu\n")
    with pytest.raises(SpecError, match="source: no file is sent to a warehouse"):
        sqlanon.anonymize(tmp_path / "people.csv", database=ADDRESS, **LEVELS)
    server.fill(COLUMNS, [])
    with pytest.raises(InfeasibleError, match="the source has only 0 records"):
        run()
    with pytest.raises(SpecError, match="it has no records"):
        run(DEALT)
    assert server.standing() == {}


def test_the_source_is_never_written(server: Server) -> None:
    run().close()
    before = server.published()
    server.say("create view own as select age, job, ill from pub")
    server.say("create view of_own as select * from own")
    declared = {**LEVELS, "quasi_identifiers": ["age", "job"], "levels": {}}
    declared |= {"method": "stack_and_deal"}
    with pytest.raises(SpecError, match="the source reads pub"):
        sqlanon.anonymize("of_own", database=ADDRESS, **declared)
    server.say("create table taken (a Int32)")
    with pytest.raises(SpecError, match="is no release of sqlanon's"):
        run(release="taken")
    for text in ("view own", "view of_own", "table taken"):
        server.say(f"drop {text}")
    assert server.published() == before


def test_a_view_and_a_query_are_read(server: Server) -> None:
    server.say("create view seen as select age, job, ill from people where zip > '110'")
    sqlanon.anonymize("seen", database=ADDRESS, all_metrics=False, **LEVELS).close()
    made = server.rows("pub")
    query = "select age, job, ill from people where zip > '110'"
    sqlanon.anonymize({"query": query}, database=ADDRESS, all_metrics=False, **LEVELS).close()
    assert server.rows("pub") == made
    (kept,) = server.say("select count(*) from people where zip > '110'")
    assert made.total() == kept[0]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("clickhouse://ann:s3cret@acme/pubs?pasword=s3cret", "has no option 'pasword'"),
        ("clickhouse://acme/pubs/more", "an address of ClickHouse is"),
        ("clickhouse://ann@acme:port/pubs", "an address of ClickHouse is"),
        ("clickhouse:///pubs", "an address of ClickHouse is"),
    ],
)
def test_a_wrong_address_is_named(tmp_path: Path, address: str, said: str) -> None:
    check_a_wrong_address_is_named(tmp_path, address, said)


def test_who_cannot_log_in_is_told_so_without_the_password(monkeypatch: Any) -> None:
    import clickhouse_connect

    def refuse(**given: Any) -> Any:
        assert given["password"] == "s3cret"
        text = f"ann: Authentication failed: password {given['password']} is incorrect"
        raise failed(516, "AUTHENTICATION_FAILED", text)

    monkeypatch.setattr(clickhouse_connect, "get_client", refuse)
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", "s3cret")
    for address in ("clickhouse://ann:s3cret@acme/pubs", ADDRESS):
        with pytest.raises(EngineError, match="cannot be opened") as refused:
            sqlanon.anonymize("people", database=address, **LEVELS)
        assert "s3cret" not in str(refused.value)


def test_the_client_writes_no_message_of_its_own(caplog: pytest.LogCaptureFixture) -> None:
    """It may quote a value; what is said of a failure is the error alone."""
    for address in ("clickhouse://ann@127.0.0.1:1/pubs", "clickhouse://127.0.0.1:1/pubs"):
        with pytest.raises(EngineError, match="cannot be opened"):
            sqlanon.anonymize("people", database=address, **LEVELS)
    assert not caplog.records


# --- all of it or nothing ---------------------------------------------------------------------


def test_a_refused_release_stands_nowhere(server: Server) -> None:
    check_a_refused_release_stands_nowhere(server, run)


def test_a_missing_right_is_named_and_an_error_quotes_no_cell(server: Server) -> None:
    def refuse(statement: str) -> None:
        if statement.startswith('create or replace table "pubs"."pub" '):
            raise server.failures["right"]

    server.watch = refuse
    with pytest.raises(EngineError, match=r"lacks the right CREATE TABLE on pubs\.pub"):
        run()

    def quote(statement: str) -> None:
        if '"sqlanon_records"' in statement:
            raise failed(6, "CANNOT_PARSE_TEXT", "Cannot parse string 'ulcer' as Int32")

    server.watch = quote
    with pytest.raises(EngineError, match=r"error 6, CANNOT_PARSE_TEXT.*withheld") as told:
        run()
    assert "ulcer" not in str(told.value)
    assert server.standing() == {}


def publish(value: int) -> None:
    from sqlanon.engines.clickhouse.engine import ClickHouseEngine

    publish_by(ClickHouseEngine(ADDRESS), value)


@pytest.mark.parametrize("lost", [False, True], ids=["refused", "lost"])
@pytest.mark.parametrize("older", [False, True], ids=["first", "again"])
def test_wherever_publishing_fails_the_older_release_stays(
    server: Server, older: bool, lost: bool
) -> None:
    check_a_failure_keeps_the_older(server, publish, older, lost, "lacks the right")
    assert server.standing() == dict.fromkeys(PUBLISHED, "of 2")


def test_who_is_cut_off_is_told_where_the_older_release_is(server: Server) -> None:
    publish(1)
    cut_off = broken(server, 7, lost=True, returns=False)
    with cut_off, pytest.raises(OutcomeUnknownError, match=r"pubs\.pub as pubs\.pub__old_"):
        publish(2)
    kept = [name for name in server.standing() if "__old_" in name]
    assert len(kept) == 4
    assert server.rows("pub") == server.rows(kept[0]) == Counter([(1,)])  # it comes last


def test_another_run_meanwhile_is_not_overwritten(server: Server) -> None:
    def other() -> None:
        server.say("alter table pub modify comment 'of somebody else'")

    staged = '"sqlanon_new_pub__metrics"'
    check_another_run_is_not_overwritten(server, run, lambda: run(DEALT), staged, other)


def test_the_callers_client_is_left_as_it_was(server: Server) -> None:
    import clickhouse_connect

    from sqlanon.engines.clickhouse.engine import ClickHouseEngine

    mine = clickhouse_connect.get_client(database="pubs")
    asked = "select value from system.settings where name = 'join_use_nulls'"
    before = mine.query(asked).result_rows
    with closing(ClickHouseEngine(connection=mine)) as engine:
        assert engine.driver.execute("select 1 as one").rows == [(1,)]
        assert engine.driver.execute(asked).rows == [("1",)]
        with engine.transaction(keep=False):
            engine.create(work("tried"), "select 1 as one", Materialization.WORK_TABLE)
        with pytest.raises(SpecError, match="refuses the setting nonsense"):
            ClickHouseEngine(connection=mine, settings={"nonsense": 1})
    assert 'drop table if exists "sqlanon_tried"' in server.sent
    assert mine.query(asked).result_rows == before
