"""What is handed out is what was measured: a release that was changed since its run is refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from servers import place
from support import Connection, database, make_table, slow

import sqlanon
from sqlanon.errors import SpecError

SPEC: dict[str, Any] = {
    "source": {"table": "t"},
    "release": "public",
    "quasi_identifiers": {"age": {"publish": "set"}},
    "sensitive": ["ill"],
    "privacy": {"k": 2},
    "method": "stack_and_deal",
    "seed": 1,
}
GROUPED = {
    "quasi_identifiers": ["age"],
    "sensitive": {"ill": {"l": 2}},
    "privacy": {"k": 1},
    "publish": {"name": "anatomy", "group": 2},
}
TYPES = {"p": "integer", "age": "integer", "ill": "varchar"}
CHANGES = {
    "a cell": ("update public set ill = 'zzz' where ill = 'x'", "24 records as before"),
    "a record more": ("insert into public select * from public limit 1", "25 records, 1 more"),
    "a record less": (
        "create table less as select * from public limit 23; delete from public; "
        "insert into public select * from less",
        "23 records, 1 fewer",
    ),
}


def made(connection: Connection, **changed: Any) -> sqlanon.Release:
    make_table(connection, "t", TYPES, [(i, i % 5, "xyz"[i % 3]) for i in range(24)])
    return sqlanon.anonymize(sqlanon.parse_spec({**SPEC, **changed}), connection=connection)


def readers(
    release: sqlanon.Release, connection: Connection, folder: Path
) -> dict[str, Callable[[], Any]]:
    """All that reads a release."""
    again = {**SPEC, "release": "again", "recipe": "public"}
    after = {**SPEC, "release": "later", "person": "p", "series": {"after": "public"}}
    return {
        "frame": release.frame,
        "export": lambda: release.export(folder / "public.csv"),
        "why": release.why,
        "report": lambda: release.report(folder / "public.html"),
        "certificate": release.certificate,
        "charts": release.charts,
        "attack": lambda: sqlanon.attack("public", connection=connection),
        "utility": lambda: sqlanon.utility("public", connection=connection),
        "risk": lambda: sqlanon.risk("public", quasi_identifiers=["age"], connection=connection),
        "recipe": lambda: sqlanon.anonymize(sqlanon.parse_spec(again), connection=connection),
        "series": lambda: sqlanon.anonymize(sqlanon.parse_spec(after), connection=connection),
    }


@pytest.mark.one_in(3)
@pytest.mark.parametrize("change", CHANGES)
def test_no_command_reads_a_release_that_was_changed(change: str, tmp_path: Path) -> None:
    how, says = CHANGES[change]
    with database() as connection:
        release = made(connection, person="p", series={})
        connection.execute(how)
        for name, read in readers(release, connection, tmp_path).items():
            with pytest.raises(SpecError, match=f"was changed since its run: .*{says}") as caught:
                read()
            assert "zzz" not in str(caught.value), name
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    "how", ["delete from public__classes", "update public__classes set records = 99"]
)
def test_a_report_of_classes_that_were_changed_is_refused(how: str, tmp_path: Path) -> None:
    with database() as connection:
        release = made(connection)
        connection.execute(how)
        with pytest.raises(SpecError, match="'public__classes' was changed since its run"):
            release.report(tmp_path / "public.html")
    assert not list(tmp_path.iterdir())


def test_a_report_of_the_classes_of_a_script_that_were_changed_is_refused(tmp_path: Path) -> None:
    with database() as connection:
        made(connection)
        declared = {name: value for name, value in SPEC.items() if name != "source"}
        text = sqlanon.compile("t", connection=connection, all_metrics=True, **declared)
        connection.execute(text)
        connection.execute("delete from public__classes")
        with pytest.raises(SpecError, match="'public__classes' was changed since its run"):
            sqlanon.report("public", tmp_path / "public.html", connection=connection)


def test_sensitive_values_beside_a_release_are_held_too() -> None:
    with database() as connection:
        release = made(connection, **GROUPED)
        assert len(release.frame()) == 24
        connection.execute("update public__sensitive set records = records + 1 where ill = 'x'")
        with pytest.raises(SpecError, match="'public__sensitive' was changed since its run"):
            sqlanon.attack("public", connection=connection)


def test_a_release_without_a_hash_is_of_an_older_version() -> None:
    with database() as connection:
        release = made(connection)
        connection.execute("delete from public__run where item = 'content'")
        with pytest.raises(SpecError, match="kept nothing that tells whether it was changed"):
            release.frame()


def test_a_script_keeps_the_hash_of_a_certificate() -> None:
    said = "select value from public__run where item = 'content'"
    with database() as connection:
        made(connection)
        with sqlanon.open(connection) as opened:
            certified = opened.certificate("public").relations[0]
        declared = {name: value for name, value in SPEC.items() if name != "source"}
        connection.execute(sqlanon.compile("t", connection=connection, **declared))
        [(kept,)] = connection.execute(said).fetchall()
        assert kept == f"{certified.records} {certified.content}"
        connection.execute("update public set ill = 'x' where ill = 'y'")
        with pytest.raises(SpecError, match="not all of them are the same"):
            sqlanon.attack("public", connection=connection)


@pytest.mark.parametrize("engine", slow("postgres", "spark"))
def test_a_change_is_seen_on_every_engine(engine: str, urls: Mapping[str, str]) -> None:
    with place(engine, urls) as there:
        there.make_table("t", TYPES, [(i, i % 5, "xyz"[i % 3]) for i in range(24)])
        release = sqlanon.anonymize(sqlanon.parse_spec(SPEC), connection=there.connection)
        assert len(release.frame()) == 24
        run = there.connection.sql if engine == "spark" else there.connection.execute
        run("insert into public values ('0', 'x')")
        with pytest.raises(SpecError, match="25 records, 1 more than its run left"):
            release.frame()


ITEMS = ("spec", "published", "hierarchies", "columns_not_released", "detail", "source_risk")


@pytest.mark.one_in(4)
@pytest.mark.parametrize("item", [*ITEMS, "cells_mean", "records_in", "content"])
def test_a_record_that_was_changed_is_refused_in_words(item: str, tmp_path: Path) -> None:
    """No command ends in an error of Python's, whatever stands in the run relation."""
    with database() as connection:
        made(connection).close()
        for value in ("zzz", "[]", None):
            asked = "update public__run set value = ? where item = ?"
            connection.execute(asked, [value, item])
            if item in ("columns_not_released", "detail") and value == "[]":
                continue  # which a run may write
            with sqlanon.open(connection) as opened:
                for read in (opened.check, opened.report, opened.recipe):
                    given = (tmp_path / "page.html",) if read == opened.report else ()
                    with pytest.raises(SpecError, match="run its spec again") as caught:
                        read("public", *given)
                    assert "zzz" not in str(caught.value)
    assert not list(tmp_path.iterdir())
