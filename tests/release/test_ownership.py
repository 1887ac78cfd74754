"""A release replaces what a release of ours wrote, and nothing else; the source never."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import duckdb
import psycopg
import pytest
from servers import ENGINES, SPARK_LATER, Place, PostgresPlace, SparkPlace, place
from support import DEALT, at

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.record.ownership import Ownership
from sqlanon.sql.names import Relation

pytestmark = pytest.mark.slow

DECLARED: dict[str, Any] = {
    **DEALT,
    "release": "rel",
    "quasi_identifiers": "q",
    "insensitive": {"s": {"accept": "nothing is asked of it here"}},
    "k": 4,
}
PARTS = ("", "__classes", "__metrics", "__run", "__rows")

LATER = [one for one in SPARK_LATER if one != "postgres"]


@pytest.fixture(params=[name for name in ENGINES if name != "postgres"])
def here(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    """A database with the table ``people``."""
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


@pytest.mark.parametrize("here", LATER, indirect=True)
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


@pytest.mark.sampled
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


def test_a_release_that_another_run_made_while_the_plan_looks_is_replaced(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What the other run has dropped is no relation of somebody else's: the plan looks again."""
    recorded, looked = Ownership._recorded, list[Relation]()
    with duckdb.connect() as connection:
        connection.execute(
            "create table people as "
            "select 'q' || i % 7 as q, 's' || i % 4 as s from range(40) as t(i)"
        )
        other = connection.cursor()

        def publish(there: Any) -> None:
            sqlanon.anonymize("people", connection=there, **DECLARED).close()

        def slowly(self: Ownership, relation: Relation) -> dict[str, str]:
            looked.append(relation)
            if len(looked) == 1:
                publish(other)
            return recorded(self, relation)

        publish(connection)
        monkeypatch.setattr(Ownership, "_recorded", slowly)
        publish(connection)
        assert len(looked) > 1


@pytest.mark.sampled
@pytest.mark.parametrize("here", LATER, indirect=True)
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


@pytest.mark.parametrize("here", LATER, indirect=True)
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


# --- the source is never written -----------------------------------------------------------------

READS = "create view v as select * from rel"
EVERYWHERE: dict[str, tuple[list[str], Any]] = {
    "a view": ([READS], "v"),
    "a view of a view": ([READS, "create view u as select * from v"], "u"),
    "a query of a view": ([READS], {"query": "select * from v"}),
    "a view that is empty": ([READS, "create view u as select * from v where 1 = 0"], "u"),
    "a condition": (
        ["create view v as select * from people where exists (select 1 from rel)"],
        "v",
    ),
}
DUCKDB: dict[str, tuple[list[str], Any]] = {
    "query_table": ([], {"query": "select * from query_table('rel')"}),
    "query": ([], {"query": "select * from query('from rel')"}),
    "a table macro": (["create macro m() as table from rel"], {"query": "from m()"}),
    "a macro": (
        ["create macro m(x) as x || (select count(*) from rel)"],
        {"query": "select m(q) as q, s from people"},
    ),
}
POSTGRES: dict[str, tuple[list[str], Any]] = {
    "a function of text": (
        ["create function f() returns setof people language sql as 'select * from rel'"],
        {"query": "select * from f()"},
    ),
    "a function of SQL": (
        [
            "create function f() returns bigint begin atomic select count(*) from rel; end",
            "create view v as select q, s || f() as s from people",
        ],
        "v",
    ),
    "a function of a language": (
        [
            "create function f() returns text language plpgsql as "
            "'begin return (select max(q) from rel); end'"
        ],
        {"query": "select q, f() as s from people"},
    ),
    "a table that it inherits": (
        [
            'create table everything (q text collate "C", s text collate "C")',
            "alter table rel inherit everything",
        ],
        "everything",
    ),
}


@pytest.mark.sampled
@pytest.mark.parametrize("way", [*EVERYWHERE, *DUCKDB, *POSTGRES])
def test_the_source_is_not_written_however_it_is_reached(here: Place, way: str) -> None:
    postgres, spark = isinstance(here, PostgresPlace), isinstance(here, SparkPlace)
    ways = {**EVERYWHERE, **(POSTGRES if postgres else {} if spark else DUCKDB)}
    if way not in ways:
        pytest.skip("there is no such thing on this database")
    statements, source = ways[way]
    run(here)
    for statement in statements:
        sql(here, statement)
    before = here.read("rel")
    said = refusal(here, source, k=5)
    assert "the source reads rel, which would be replaced; the source is never written" in said
    assert here.read("rel") == before
    if way != "a view that is empty":
        run(here, source, k=1, release="another")


def test_a_release_that_is_a_view_is_not_read_and_replaced(here: Place) -> None:
    run(here, materialize="view")
    sql(here, "create view v as select * from rel")
    assert "the source reads rel" in refusal(here, "v", k=5)


def test_a_sweep_does_not_write_its_source(here: Place) -> None:
    def sweep(source: str) -> None:
        given = {**DECLARED, "k": [4, 5]}
        sqlanon.sweep(source, connection=here.connection, **given).close()

    sweep("people")
    sql(here, "create view v as select people.* from people cross join rel__sweep")
    with pytest.raises(SpecError, match="the source reads rel__sweep, which would be replaced"):
        sweep("v")


def test_a_duckdb_relation_that_reads_the_release_is_not_written() -> None:
    with duckdb.connect() as connection:
        connection.execute(
            "create table people as select i % 7 as q, i % 4 as s from range(40) as t(i)"
        )
        sqlanon.anonymize("people", connection=connection, **DECLARED).close()
        with pytest.raises(SpecError, match="the source reads rel"):
            sqlanon.anonymize(connection.sql("from rel"), connection=connection, **DECLARED)


# --- scripts -------------------------------------------------------------------------------------


def carry_out(here: Place, script: str) -> str:
    """Run a script; the message with which it fails, if it does."""
    try:
        here.connection.execute(script.encode() if isinstance(here, PostgresPlace) else script)
    except (duckdb.Error, psycopg.Error) as error:
        here.connection.execute("rollback")
        return str(error)
    return ""


@pytest.mark.sampled
@pytest.mark.parametrize("materialize", ["table", "view"])
def test_a_script_replaces_a_release_and_a_run_replaces_a_scripts(
    here: Place, materialize: str
) -> None:
    if isinstance(here, SparkPlace):
        pytest.skip("its script is run by tests/engines/test_spark.py")
    declared = {**DECLARED, "materialize": materialize}
    script = sqlanon.compile("people", connection=here.connection, **declared)
    assert carry_out(here, script) == ""
    made = here.read("rel")
    assert carry_out(here, script) == ""
    run(here, k=5, materialize=materialize)
    assert carry_out(here, script) == ""
    assert here.read("rel") == made
    run(here, k=5, materialize=materialize)
    stored: dict[str, str] = dict(here.read("rel__run")[1])
    assert carry_out(here, stored["sql"]) == ""
    run(here, k=5, materialize=materialize)


def test_a_script_leaves_nothing_of_a_release_that_had_more(here: Place) -> None:
    """It left what such a release kept of suppressed records, and the next run was refused."""
    if isinstance(here, SparkPlace):
        pytest.skip("Spark's script cannot look at what is there")
    whole = sqlanon.compile("people", connection=here.connection, **DECLARED)
    levels = {"hierarchy": {"prefix": [1, 0]}}
    more = {"method": "optimal", "suppression": {"records": 1}, "quasi_identifiers": {"q": levels}}
    run(here, **more)
    assert {"rel__suppressed", "rel__nodes"} <= set(here.relations())
    assert carry_out(here, whole) == ""
    assert not {"rel__suppressed", "rel__nodes"} & set(here.relations())
    run(here, **more)


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["rel", "rel__metrics", "rel__run", "rel__suppressed"])
@pytest.mark.parametrize("older", [False, True], ids=["nothing before", "an older release before"])
def test_a_script_replaces_nothing_foreign(here: Place, name: str, older: bool) -> None:
    if isinstance(here, SparkPlace):
        pytest.skip("Spark's script cannot look at what is there")
    script = sqlanon.compile("people", connection=here.connection, **DECLARED)
    if older:
        run(here)
        sql(here, f"drop table if exists {name}")
    foreign(here, name)
    before = {relation: here.read(relation) for relation in here.relations()}
    said = carry_out(here, script)
    assert "exists and is no release of sqlanon's" in said or name == "rel__run"
    assert said
    assert {relation: here.read(relation) for relation in here.relations()} == before
