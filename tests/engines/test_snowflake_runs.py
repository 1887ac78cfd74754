"""Runs in Snowflake, on an emulator: the release is DuckDB's, and a failure publishes nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from on_snowflake import ADDRESS, Account, emulated, failed
from people import COLUMNS, people_rows
from servers import plain
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
from sqlanon.errors import EngineError, OutcomeUnknownError, SpecError
from sqlanon.plan import Materialization, work

pytestmark = pytest.mark.snowflake

PUBLISHED = {"PUB", "PUB__CLASSES", "PUB__METRICS", "PUB__RUN"}


@pytest.fixture
def account() -> Iterator[Account]:
    with emulated() as here:
        here.fill(COLUMNS, people_rows(120))
        yield here


def run(**declared: Any) -> sqlanon.Release:
    """A release of the test's table, of which only what is asked for is measured."""
    given = {**DEALT, **declared}
    return sqlanon.anonymize("people", database=ADDRESS, all_metrics=False, **given)


# --- the release is DuckDB's ------------------------------------------------------------------


def test_a_release_again_replaces_the_older_one_and_its_readers_stay(account: Account) -> None:
    run().close()
    first = account.standing()
    run(**LEVELS).close()
    again = account.standing()
    assert again.keys() == first.keys() == PUBLISHED
    assert len({*again.values()}) == 1  # one mark, and another than before
    assert {*again.values()}.isdisjoint(first.values())
    with in_duckdb(LEVELS) as expected:
        assert account.rows("pub") == Counter(plain(expected.sql("from pub").fetchall()))
    keeps = [statement for statement in account.changed() if "copy grants" in statement]
    assert len(keeps) == 2
    assert all('"PUBS"."PUB" copy grants' in one for one in keeps)  # the proof is the owner's
    assert list(account.changed())[-1].startswith("drop table if exists")


def test_a_release_that_is_named_in_capitals_is_the_same(account: Account) -> None:
    run(release="PUB").close()
    assert account.standing().keys() == PUBLISHED
    run(release="held.pubs.pub").close()
    assert account.standing().keys() == PUBLISHED


# --- from start to end, by commands -----------------------------------------------------------

# A session, what is looked at beforehand, the work, the gate, publishing and the verdict.
STATEMENTS = {"levels": 60, "cells": 95, "allotment": 90}


@pytest.mark.parametrize("kind", recipes("cells"))
def test_a_recipe_of_a_search_elsewhere_is_applied(
    account: Account, tmp_path: Path, kind: str
) -> None:
    check_a_recipe_is_applied(account, ADDRESS, tmp_path, kind, STATEMENTS[kind])


def test_a_search_in_this_process_is_asked_for(account: Account, tmp_path: Path) -> None:
    check_a_search_here_is_asked_for(account, ADDRESS, tmp_path)


def test_a_frame_changes_no_number(account: Account) -> None:
    check_a_frame_changes_no_number(account, ADDRESS)


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "where"),
    [
        (
            {"method": "mondrian"},
            "method: mondrian as declared asks .* recipe of a search elsewhere",
        ),
        (
            {"method": "microaggregation", "search": "local"},
            "method: microaggregation as declared asks the data .* searches cells",
        ),
        ({"materialize": "view"}, "materialize: a release in a warehouse is a table"),
        (
            {"identifiers": {"zip": {"pseudonym": "keyed", "key": {"env": "SECRET"}}}},
            r"identifiers.zip.pseudonym: a key is not sent to a warehouse",
        ),
        ({"sensitive": ["nothing"]}, "nothing"),
    ],
)
def test_what_does_not_go_is_refused_before_anything_is_written(
    account: Account, monkeypatch: pytest.MonkeyPatch, declared: Any, where: str
) -> None:
    monkeypatch.setenv("SECRET", "0123456789abcdef0123456789abcdef")
    with pytest.raises(SpecError, match=where):
        run(**declared)
    assert account.changed() == []
    assert not [one for one in account.sent if "temporary" in one]


def test_a_file_and_a_frame_are_not_sent(account: Account, tmp_path: Path) -> None:
    import pandas as pd

    (tmp_path / "people.csv").write_text("age,job,ill\n1,a,flu\n")
    with pytest.raises(SpecError, match="source: no file is sent to a warehouse"):
        sqlanon.anonymize(tmp_path / "people.csv", database=ADDRESS, **DEALT)
    with pytest.raises(SpecError, match="DataFrame is not sent to Snowflake"):
        sqlanon.anonymize(pd.DataFrame({"age": [1]}), database=ADDRESS, **DEALT)
    assert account.changed() == []


def test_a_name_that_is_stored_in_small_letters_is_not_taken_for_another(account: Account) -> None:
    account.say('create table odd as select 1 as "age", job, ill from people')
    with pytest.raises(SpecError, match="age"):
        sqlanon.anonymize("odd", database=ADDRESS, **DEALT)


def test_the_source_is_never_written(account: Account) -> None:
    run().close()
    before = account.published()
    account.say("create view own as select age, job, ill from pub")
    account.say("create view of_own as select * from own")
    declared = {**DEALT, "quasi_identifiers": ["age", "job"]}
    with pytest.raises(SpecError, match="the source reads pub"):
        sqlanon.anonymize("of_own", database=ADDRESS, **declared)
    with pytest.raises(SpecError, match="the source"):
        sqlanon.anonymize("pub", database=ADDRESS, **DEALT)
    account.say("create table taken (a int)")
    with pytest.raises(SpecError, match="is no release of sqlanon's"):
        run(release="taken")
    assert account.standing().pop("TAKEN", "") is None
    account.say("drop table taken")
    assert account.published() == before


def test_a_view_is_read(account: Account) -> None:
    account.say("create view seen as select age, job, ill from people where zip is not null")
    sqlanon.anonymize("seen", database=ADDRESS, all_metrics=False, **DEALT).close()
    made = account.rows("pub")
    run().close()
    assert account.rows("pub") == made


def test_a_query_is_read_in_the_users_words(account: Account) -> None:
    query = "select age, job, ill from people where zip > '110'"
    sqlanon.anonymize({"query": query}, database=ADDRESS, all_metrics=False, **DEALT).close()
    (kept,) = account.say("select count(*) from people where zip > '110'")
    assert account.rows("pub").total() == kept[0]
    account.sent.clear()
    for named in ('"age"', 'age as "age"'):
        declared = {"query": query.replace("age", named)}
        with pytest.raises(SpecError, match="a name in small letters and quotes"):
            sqlanon.anonymize(declared, database=ADDRESS, **DEALT)
    assert account.changed() == []


def test_an_empty_table_is_refused(account: Account) -> None:
    account.fill(COLUMNS, [])
    with pytest.raises(SpecError, match="it has no records"):
        run()
    assert account.standing() == {}


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("snowflake://ann@acme/held", "the session has no database and schema with a name"),
        ("snowflake://ann@acme/held/pubs?pasword=s3cret", "has no option 'pasword'"),
        ("snowflake://ann@acme/held/pubs/more", "an address of Snowflake is"),
        ("snowflake://@acme/held/pubs", "an address of Snowflake is"),
    ],
)
def test_a_wrong_address_is_named(
    account: Account, tmp_path: Path, address: str, said: str
) -> None:
    check_a_wrong_address_is_named(tmp_path, address, said, (2, 3))


def test_who_cannot_log_in_is_told_so_without_the_password(account: Account) -> None:
    from snowflake import connector

    def refuse(**given: Any) -> Any:
        raise connector.errors.DatabaseError(
            msg=f"Incorrect username or password: {given['password']}", errno=250001
        )

    address = "snowflake://ann:s3cret@acme/held/pubs"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connector, "connect", refuse)
        with pytest.raises(EngineError, match="cannot be opened") as refused:
            sqlanon.anonymize("people", database=address, **DEALT)
    assert "s3cret" not in str(refused.value)


# --- all of it or nothing ---------------------------------------------------------------------


def test_a_refused_release_stands_nowhere(account: Account) -> None:
    check_a_refused_release_stands_nowhere(account, run)


def test_a_missing_right_is_named_and_nothing_is_published(account: Account) -> None:
    def refuse(statement: str) -> None:
        if statement.startswith("create or replace table"):
            raise account.failures["right"]

    account.watch = refuse
    with pytest.raises(EngineError, match="the role lacks a right on the schema PUBS"):
        run()
    assert account.standing() == {}


def test_an_error_quotes_no_cell(account: Account) -> None:
    def refuse(statement: str) -> None:
        if '"SQLANON_CODED"' in statement:
            raise failed(100038, "Numeric value 'ulcer' is not recognized", "22018")

    account.watch = refuse
    with pytest.raises(EngineError, match=r"error 100038, 22018.*withheld") as told:
        run()
    assert "ulcer" not in str(told.value)


def publish(value: int) -> None:
    from sqlanon.engines.snowflake.engine import SnowflakeEngine

    publish_by(SnowflakeEngine(ADDRESS), value)


@pytest.mark.parametrize("lost", [False, True], ids=["refused", "lost"])
@pytest.mark.parametrize("older", [False, True], ids=["first", "again"])
def test_wherever_publishing_fails_the_older_release_stays(
    account: Account, older: bool, lost: bool
) -> None:
    check_a_failure_keeps_the_older(account, publish, older, lost, "lacks a right")
    assert account.standing() == dict.fromkeys(PUBLISHED, "of 2")


def test_who_is_cut_off_is_told_where_the_older_release_is(account: Account) -> None:
    publish(1)
    said = r"held\.pubs\.pub as held\.pubs\.pub__old_"
    cut_off = broken(account, 7, lost=True, returns=False)
    with cut_off, pytest.raises(OutcomeUnknownError, match=said):
        publish(2)
    kept = [name for name in account.standing() if "__OLD_" in name.upper()]
    assert len(kept) == 4
    assert account.rows("pub") == account.rows(f'"{kept[0]}"') == Counter([(1,)])  # it comes last


def test_another_run_meanwhile_is_not_overwritten(account: Account) -> None:
    def other() -> None:
        account.say("comment on table pub is 'of somebody else'")

    staged = '"SQLANON_NEW_PUB__METRICS"'
    check_another_run_is_not_overwritten(account, run, lambda: run(**LEVELS), staged, other)


def test_the_callers_session_is_given_back(account: Account) -> None:
    from snowflake import connector

    from sqlanon.engines.snowflake.engine import SnowflakeEngine

    mine = connector.connect(database="held", schema="pubs")
    account.sent.clear()
    with closing(SnowflakeEngine(connection=mine)) as engine:
        assert engine.driver.execute("select 1 as one").rows == [(1,)]
        with engine.transaction(keep=False):
            engine.create(work("tried"), "select 1 as one", Materialization.WORK_TABLE)
    changed = [one for one in account.sent if one.startswith("alter session")]
    sets = {statement.split()[3] for statement in changed if " set " in statement}
    unsets = {statement.split()[3] for statement in changed[len(sets) :]}
    assert "TIMEZONE" in sets
    assert sets == unsets
    assert 'drop table if exists "SQLANON_TRIED"' in account.sent
    assert not mine.is_closed()
