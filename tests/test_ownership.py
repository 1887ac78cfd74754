"""A release replaces what a release of ours wrote, and nothing else; the source never."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
import pytest
from servers import ENGINES, Place, PostgresPlace, SparkPlace, place
from support import DEALT, at

import sqlanon
from sqlanon.errors import SpecError

DECLARED: dict[str, Any] = {
    **DEALT,
    "release": "rel",
    "quasi_identifiers": "q",
    "sensitive": "s",
    "k": 4,
}
PARTS = ("", "__classes", "__metrics", "__run", "__rows")


@pytest.fixture(params=[name for name in ENGINES if name != "postgres"])
def here(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    """A database with the table ``people``."""
    if request.param == "spark" and "spark" not in os.environ.get("SQLANON_REQUIRE", "").split(","):
        pytest.skip("a long test: it runs where SQLANON_REQUIRE names spark")
    with place(request.param, urls) as found:
        rows = [(f"q{i % 7}", f"s{i % 4}") for i in range(40)]
        found.make_table("people", {"q": "varchar", "s": "varchar"}, rows)
        yield found


def run(here: Place, source: Any = "people", **declared: Any) -> None:
    sqlanon.anonymize(source, connection=here.connection, **{**DECLARED, **declared}).close()


def sql(here: Place, statement: str) -> None:
    """Run a statement beside what the run does, as somebody else would."""
    if isinstance(here, SparkPlace):
        here.connection.sql(statement)
    elif isinstance(here, PostgresPlace):
        import psycopg

        with psycopg.connect(here.url, autocommit=True) as other:
            other.execute(statement.encode())
    else:
        here.connection.cursor().execute(statement)


def foreign(here: Place, name: str) -> None:
    sql(here, f"create table {name} as select 1 as one")


def refusal(here: Place, source: Any = "people", **declared: Any) -> str:
    with pytest.raises(SpecError) as caught:
        run(here, source, **declared)
    assert caught.value.exit_code == 2
    return str(caught.value)


@pytest.mark.parametrize("name", ["rel" + part for part in PARTS])
def test_a_foreign_relation_is_not_replaced_though_another_bears_the_name_of_a_run(
    here: Place, name: str
) -> None:
    foreign(here, "rel__run")
    if name != "rel__run":
        foreign(here, name)
    said = refusal(here, materialize="view" if name == "rel__rows" else "table")
    found = (
        min(name, "rel__run", key=("rel", "rel__classes", "rel__metrics", "rel__run").index)
        if (name != "rel__rows")
        else "rel__run"
    )
    assert f"a relation '{found}' exists and is no release of sqlanon's" in said
    assert "choose another name for the release, or drop it yourself" in said
    assert here.read(name) == (("one",), [(1,)])


@pytest.mark.parametrize("name", ["rel", "rel__classes", "rel__run"])
def test_a_foreign_relation_in_the_midst_of_a_release_is_not_replaced(
    here: Place, name: str
) -> None:
    """Of a release made before: somebody dropped a part of it and took its name."""
    run(here)
    sql(here, f"drop table {name}")
    foreign(here, name)
    assert "exists and is no release of sqlanon's" in refusal(here)
    assert here.read(name) == (("one",), [(1,)])


def test_a_mark_that_no_run_relation_records_is_no_proof(here: Place) -> None:
    """Nor one of a release whose run relation records another, nor one with the marks removed."""
    run(here)
    run(here, release="other")
    for part in PARTS[:-1]:
        sql(here, f"drop table rel{part}")
        sql(here, f"alter table other{part} rename to rel{part}")
    assert "a relation 'rel' exists and is no release of sqlanon's" in refusal(here)


def test_a_release_that_bears_no_mark_is_not_replaced(here: Place) -> None:
    """An earlier version made it."""
    run(here)
    before = here.read("rel")
    sql(
        here,
        "comment on table rel is null"
        if not isinstance(here, SparkPlace)
        else "alter table rel set tblproperties ('comment' = '')",
    )
    assert "it bears no mark of one" in refusal(here, k=6)
    assert here.read("rel") == before
    for part in PARTS[:-1]:
        sql(here, f"drop table rel{part}")
    run(here, k=6)


@pytest.mark.parametrize("name", ["rel", "rel__metrics", "rel__run"])
@pytest.mark.parametrize("older", [False, True], ids=["nothing before", "an older release before"])
def test_what_somebody_makes_between_the_check_and_the_write_is_not_replaced(
    here: Place, name: str, older: bool
) -> None:
    if older:
        run(here)
    before = {part: here.read(f"rel{part}") for part in PARTS[:-1]} if older else {}

    def meddle() -> None:
        if older:
            sql(here, f"drop table {name}")
        foreign(here, name)

    said = refusal(here, progress=at("stacking the records", meddle))
    assert "no release of sqlanon's" in said or "while the run was under way" in said
    assert here.read(name) == (("one",), [(1,)])
    made = {"people", name} | ({"rel" + part for part in PARTS[:-1]} if older else set())
    assert here.relations() == made
    assert all(
        here.read(f"rel{part}") == was for part, was in before.items() if f"rel{part}" != name
    )


@pytest.mark.parametrize("first", ["table", "view"])
def test_a_release_replaces_one_of_either_kind_and_leaves_nothing_of_it(
    here: Place, first: str
) -> None:
    second = "view" if first == "table" else "table"
    run(here, materialize=first)
    run(here, materialize=second)
    parts = PARTS if second == "view" else PARTS[:-1]
    assert here.relations() == {"people", *("rel" + part for part in parts)}
    run(here, materialize=first, k=5)
    run(here, materialize=first, k=6)


def test_a_relation_of_another_run_that_was_set_aside_is_in_nobodys_way(here: Place) -> None:
    run(here)
    foreign(here, "sqlanon_old_0")
    run(here, k=5)
    assert here.read("sqlanon_old_0") == (("one",), [(1,)])


def test_a_sweep_replaces_a_sweep_and_no_table_that_looks_like_one(here: Place) -> None:
    def sweep() -> None:
        sqlanon.sweep("people", connection=here.connection, **{**DECLARED, "k": [4, 5]}).close()

    sweep()
    sweep()
    columns = ", ".join(f"1 as {name}" for name in here.read("rel__sweep")[0])
    sql(here, "drop table rel__sweep")
    sql(here, f"create table rel__sweep as select {columns}")
    with pytest.raises(SpecError, match="'rel__sweep' exists and is no sweep of sqlanon's"):
        sweep()


def test_the_marks_outlive_the_process(tmp_path: Any) -> None:
    file = tmp_path / "kept.duckdb"
    query = "select i % 7 as q, i % 4 as s from range(40) as t(i)"
    for k in (4, 5):
        sqlanon.anonymize(query, database=file, **{**DECLARED, "k": k}).close()
    with duckdb.connect(str(file)) as connection:
        comments = connection.execute("select distinct comment from duckdb_tables()").fetchall()
        item = "select value from rel__run where item = 'release_id'"
        assert comments == [(f"sqlanon release {connection.execute(item).fetchone()[0]}",)]  # type: ignore[index]
