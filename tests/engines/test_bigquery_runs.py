"""Runs in BigQuery, on an emulator: the release is DuckDB's, and a failure publishes nothing.

The client is the vendor's, and speaks to the emulator as to the service, but for the login.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from on_bigquery import ADDRESS, PROJECT, Project, emulated, failed
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
from sqlanon.errors import EngineError, InfeasibleError, OutcomeUnknownError, SpecError
from sqlanon.plan import Materialization, work

pytestmark = pytest.mark.bigquery

PUBLISHED = {"pub", "pub__classes", "pub__metrics", "pub__run"}
STATEMENTS = {"levels": 40, "cells": 75, "allotment": 75}


@pytest.fixture
def project() -> Iterator[Project]:
    with emulated() as here:
        here.fill(COLUMNS, people_rows(120))
        yield here
        assert here.data_sets() == {"pubs"}  # no run leaves its work tables


def run(spec: dict[str, Any] = LEVELS, **declared: Any) -> sqlanon.Release:
    """A release of the test's table, of which only what is asked for is measured."""
    given = {**spec, **declared}
    return sqlanon.anonymize("people", database=ADDRESS, all_metrics=False, **given)


# --- the release is DuckDB's ------------------------------------------------------------------


def test_a_release_again_replaces_the_older_one(project: Project) -> None:
    run(DEALT).close()
    first = project.standing()
    with run() as release:
        assert len(release.frame()) == 120
    again = project.standing()
    assert again.keys() == first.keys() == PUBLISHED
    assert len({*again.values()}) == 1  # one mark, and another than before
    assert {*again.values()}.isdisjoint(first.values())
    with in_duckdb(LEVELS) as expected:
        assert project.rows("pub") == project.written(plain(expected.sql("from pub").fetchall()))


@pytest.mark.parametrize("kind", recipes("cells"))
def test_a_recipe_of_a_search_elsewhere_is_applied(
    project: Project, tmp_path: Path, kind: str
) -> None:
    check_a_recipe_is_applied(project, ADDRESS, tmp_path, kind, STATEMENTS[kind])


def test_a_search_in_this_process_is_asked_for(project: Project, tmp_path: Path) -> None:
    check_a_search_here_is_asked_for(project, ADDRESS, tmp_path)


def test_a_frame_changes_no_number(project: Project) -> None:
    check_a_frame_changes_no_number(project, ADDRESS)


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "where"),
    [
        (
            {"method": "mondrian", "levels": {}},
            "method: mondrian as declared asks .* recipe of a search",
        ),
        ({"materialize": "view"}, "materialize: a release in a warehouse is a table"),
        ({"sensitive": ["nothing"]}, "nothing"),
        ({"release": "elsewhere.pub"}, "elsewhere"),
        ({"settings": {"nonsense": 1}}, "BigQuery has no setting 'nonsense'"),
        ({"settings": {"job_timeout_ms": "an hour"}}, "job_timeout_ms: it takes a whole number"),
        ({"settings": {"time_zone": "Europe/Zurich"}}, "time_zone changes what the SQL"),
    ],
)
def test_what_does_not_go_is_refused_before_anything_is_written(
    project: Project, declared: Any, where: str
) -> None:
    with pytest.raises((SpecError, EngineError), match=where):
        run(**declared)
    assert project.changed() == []
    assert not [one for one in project.sent if one.startswith("create")]


def test_an_empty_table_lists_and_a_typo_are_refused(project: Project) -> None:
    project.fill(COLUMNS, [])
    with pytest.raises(InfeasibleError, match="the source has only 0 records"):
        run()
    project.say("create table lists as select 30 as age, 'a' as job, ['flu'] as ill")
    with pytest.raises(SpecError, match=r"sensitive\.ill: a column of type array of string"):
        sqlanon.anonymize("lists", database=ADDRESS, **LEVELS)
    project.say("drop table lists")
    with pytest.raises(SpecError, match="poeple"):
        sqlanon.anonymize("poeple", database=ADDRESS, **LEVELS)
    with pytest.raises(EngineError, match="there is no data set pups"):
        sqlanon.anonymize("people", database=f"bigquery://{PROJECT}/pups", **LEVELS)
    assert project.standing() == {}


def test_the_source_is_never_written(project: Project) -> None:
    run().close()
    before = project.published()
    project.say("create view own as select age, job, ill from pubs.pub")
    project.say("create view of_own as select * from pubs.own")
    declared = {**DEALT, "quasi_identifiers": ["age", "job"]}
    with pytest.raises(SpecError, match="the source reads pub"):
        sqlanon.anonymize("of_own", database=ADDRESS, **declared)
    project.say("create table taken (a int64)")
    with pytest.raises(SpecError, match="is no release of sqlanon's"):
        run(release="taken")
    for text in ("view own", "view of_own", "table taken"):
        project.say(f"drop {text}")
    assert project.published() == before


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("bigquery://ann:s3cret@acme/pubs", "it has no user"),
        ("bigquery://acme/pubs/more", "an address of BigQuery is"),
        ("bigquery://acme", "an address of BigQuery is"),
        ("bigquery:///pubs", "an address of BigQuery is"),
        ("bigquery://acme/pubs.people", "an address of BigQuery is"),
        ("bigquery://acme/pubs%2Fmore", "an address of BigQuery is"),
        ("bigquery://ac me/pubs", "an address of BigQuery is"),
        ("bigquery://acme/pubs?token=s3cret", "an address of BigQuery is"),
    ],
)
def test_a_wrong_address_is_named(tmp_path: Path, address: str, said: str) -> None:
    check_a_wrong_address_is_named(tmp_path, address, said)


def test_who_has_no_credentials_is_told_so_and_the_client_writes_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from google.auth import exceptions
    from google.cloud import bigquery

    def refuse(**given: Any) -> Any:
        import logging

        logging.getLogger("google.auth.transport.requests").error("the cell 'ulcer'")
        raise exceptions.DefaultCredentialsError("Your default credentials were not found.")

    monkeypatch.setattr(bigquery, "Client", refuse)
    with pytest.raises(EngineError, match=r"cannot be opened: .*default credentials"):
        sqlanon.anonymize("people", database=ADDRESS, **LEVELS)
    assert not caplog.records


def test_a_file_of_credentials_that_cannot_be_read_is_named_and_not_quoted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One in UTF-16, as a shell of Windows writes it: Python's own error holds the whole file."""
    file = tmp_path / "key.json"
    file.write_bytes('{"private_key": "s3cret"}'.encode("utf-16"))
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(file))
    with pytest.raises(EngineError, match=r"cannot be opened: File .*key\.json is not") as told:
        sqlanon.anonymize("people", database=ADDRESS, **LEVELS)
    assert "s\\x003" not in str(told.value)
    assert "{" not in str(told.value)


# --- all of it or nothing ---------------------------------------------------------------------


def test_a_refused_release_stands_nowhere(project: Project) -> None:
    check_a_refused_release_stands_nowhere(project, run)


def test_a_missing_right_is_named_and_an_error_quotes_no_cell(project: Project) -> None:
    def refuse(statement: str) -> None:
        if statement.startswith(f"create or replace table `{PROJECT}`.`pubs`.`pub` "):
            raise project.failures["right"]

    project.watch = refuse
    with pytest.raises(EngineError, match=r"lacks the right bigquery\.tables\.create on pubs"):
        run()

    def quote(statement: str) -> None:
        if "`sqlanon_records`" in statement:
            raise failed("invalidQuery", "Bad int64 value: ulcer")

    project.watch = quote
    with pytest.raises(EngineError, match=r"error invalidQuery\).*withheld") as told:
        run()
    assert "ulcer" not in str(told.value)
    project.watch = lambda statement: None
    assert project.standing() == {}


def publish(value: int) -> None:
    from sqlanon.engines.bigquery.engine import BigQueryEngine

    publish_by(BigQueryEngine(ADDRESS), value)


@pytest.mark.parametrize("lost", [False, True], ids=["refused", "lost"])
@pytest.mark.parametrize("older", [False, True], ids=["first", "again"])
def test_wherever_publishing_fails_the_older_release_stays(
    project: Project, older: bool, lost: bool
) -> None:
    check_a_failure_keeps_the_older(project, publish, older, lost, "lacks the right")
    assert project.standing() == dict.fromkeys(PUBLISHED, "of 2")


def test_who_is_cut_off_is_told_where_the_older_release_is() -> None:
    with emulated() as project:
        publish(1)
        cut_off = broken(project, 7, lost=True, returns=False)
        with cut_off, pytest.raises(OutcomeUnknownError, match=r"pubs\.pub as .*\.pub__old_"):
            publish(2)
        kept = [name for name in project.standing() if "__old_" in name]
        assert len(kept) == 4
        assert project.rows("pub") == project.rows(kept[0]) == Counter([(1,)])  # it comes last
        # What nobody could drop is hidden, the user's alone, and expires.
        (left,) = project.data_sets() - {"pubs"}
        hidden = project.connection.get_dataset(left)
        assert left.startswith("_")
        assert hidden.default_table_expiration_ms == 24 * 60 * 60 * 1000
        assert [(one.role, one.entity_id) for one in hidden.access_entries] == [
            ("OWNER", "anonymous")
        ]


def test_another_run_meanwhile_is_not_overwritten(project: Project) -> None:
    def other() -> None:
        project.say_of("pub", "of somebody else")

    staged = "`sqlanon_new_pub__metrics`"
    check_another_run_is_not_overwritten(project, run, lambda: run(DEALT), staged, other)


def test_the_callers_client_stays_open(project: Project) -> None:
    from google.cloud import bigquery

    from sqlanon.engines.bigquery.engine import BigQueryEngine

    with pytest.raises(SpecError, match="the client has no data set"):
        BigQueryEngine(connection=bigquery.Client(project=PROJECT))
    config = bigquery.QueryJobConfig(default_dataset=f"{PROJECT}.pubs")
    mine = bigquery.Client(project=PROJECT, default_query_job_config=config)
    with closing(BigQueryEngine(connection=mine)) as engine:
        engine.create(work("tried"), "select 1 as one", Materialization.WORK_TABLE)
        assert len(project.data_sets()) == 2
    assert len(list(mine.query("select 1 as one", job_config=config).result())) == 1


def test_a_statement_that_is_broken_off_has_ended(project: Project) -> None:
    """A job goes on without its connection, so its end is waited for."""
    from sqlanon.engines.bigquery.engine import BigQueryEngine

    with closing(BigQueryEngine(ADDRESS)) as engine:
        driver = engine.driver
        assert driver.execute("select 1 as one").rows == [(1,)]
        driver._interrupt()
        assert driver._ended == driver._running
        driver.reconnect()
        job = driver.connection.get_job(driver._running)
        assert job.state == "DONE"
