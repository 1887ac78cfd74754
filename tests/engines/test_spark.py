"""What is Spark's own: distributed ranking, publishing without transactions, its sessions.

That it makes the same releases as DuckDB is shown by the conformance tests.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from on_spark import STARTED, empty, spark_session
from sqlglot import exp
from support import interruptible, multiset, slow

import sqlanon
from sqlanon.engines import open_engine
from sqlanon.errors import EngineError, InfeasibleError, InterruptedRunError, SpecError
from sqlanon.session import Event
from sqlanon.sql.dialects import rebind_relations, transpile
from sqlanon.sql.names import Relation

pytestmark = [
    pytest.mark.spark,
    # pyspark says of newer pandas that it does not support it yet.
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support:FutureWarning"),
]

COLUMNS = "id int, age int, town string, disease string"
ROWS = [(i, 20 + i * 7 % 40, "abcd"[i % 4], ["flu", "cold", "ulcer"][i % 3]) for i in range(60)]
SKEWED = [(i, i * 7919 % 97, "abcd"[i % 4], "flu" if i % 20 else "ulcer") for i in range(4000)]
# The fewest steps, for what is no matter of what a release holds; and some of every kind.
DECLARED: dict[str, Any] = {
    "quasi_identifiers": {"age": {"hierarchy": {"bands": [10]}}},
    "levels": {"age": 1},
    "k": 5,
    "method": "optimal",
    "all_metrics": False,
}
TOO_SMALL = {**DECLARED, "k": 16}  # four classes of 15 records
FULL: dict[str, Any] = {
    "quasi_identifiers": ["age", "town"],
    "levels": {},
    "sensitive": "disease",
    "key": "id",
    "k": 5,
    "method": "stack_and_deal",
}


@pytest.fixture
def session() -> Iterator[Any]:
    """A session without a table, whatever ran in it before; no test leaves a work relation."""
    session = spark_session()
    empty(session)
    yield session
    assert not [name for name in empty(session) if name.startswith("sqlanon_")]


def make(session: Any, name: str = "patients", rows: list[Any] = ROWS) -> None:
    frame = session.createDataFrame(rows, COLUMNS)
    frame.write.saveAsTable(name)


def tables(session: Any) -> set[str]:
    return {one.name for one in session.catalog.listTables()}


def rows(session: Any, name: str) -> list[Any]:
    return multiset([tuple(row) for row in session.table(name).collect()])


def on_duckdb(made: list[Any], **declared: Any) -> list[Any]:
    connection = duckdb.connect()
    connection.execute("create table patients (id int, age int, town text, disease text)")
    connection.executemany("insert into patients values (?, ?, ?, ?)", made)
    sqlanon.anonymize("patients", connection=connection, **{**DECLARED, **declared})
    found = connection.execute("from anonymized").fetchall()
    connection.close()
    return multiset(found)


# --- ranking -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_dominating_value_is_ranked_by_several_tasks(session: Any) -> None:
    make(session, rows=SKEWED)
    seen: dict[str, Any] = {}

    def look(event: Event) -> None:
        if event.kind == "end" and event.title == "dealing the records into classes":
            ranges = (
                "select place div 8589934592 as place, count(*) from sqlanon_stacked group by 1"
            )
            seen["ranges"] = dict(map(tuple, session.sql(ranges).collect()))
            plan = session.sql("select count(*) from sqlanon_assigned")
            seen["classes"] = plan.collect()[0][0]

    with sqlanon.anonymize(
        "patients",
        connection=session,
        progress=look,
        settings={
            "spark.sql.adaptive.coalescePartitions.enabled": "false",
            "spark.sql.shuffle.partitions": 8,
        },
        **FULL,
    ):
        assert rows(session, "anonymized") == on_duckdb(SKEWED, **FULL)
    assert len(seen["ranges"]) == 8
    assert max(seen["ranges"].values()) < len(SKEWED) / 4  # though one value has 19 of 20 records


# --- publishing ----------------------------------------------------------------------------------


def test_a_release_that_violates_a_model_leaves_the_older_one(session: Any) -> None:
    make(session)
    sqlanon.anonymize("patients", connection=session, **DECLARED).close()
    before, held = tables(session), rows(session, "anonymized")
    with pytest.raises(InfeasibleError):
        sqlanon.anonymize("patients", connection=session, **TOO_SMALL)
    assert tables(session) == before
    assert rows(session, "anonymized") == held


def test_a_view_takes_the_place_of_a_table_and_back(session: Any) -> None:
    make(session)
    for materialize in ("table", "view", "table"):
        declared = {**DECLARED, "materialize": materialize, "all_metrics": False}
        sqlanon.anonymize("patients", connection=session, **declared).close()
        kind = session.catalog.getTable("anonymized").tableType
        assert (kind == "VIEW") == (materialize == "view")
        assert rows(session, "anonymized") == on_duckdb(ROWS)
    assert not [name for name in tables(session) if "__new_" in name or "__old_" in name]


def failing_at(rename: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the renames from now on one fails, counted from 1; those that undo it are none of them."""
    from sqlanon.engines.spark.engine import Staging

    done, times = Staging._rename, Counter[str]()

    def fail(*given: Any) -> None:
        times["renamed"] += 1
        if times["renamed"] == rename:
            raise RuntimeError("the catalog is away")
        done(*given)

    monkeypatch.setattr(Staging, "_rename", fail)


def test_a_swap_that_fails_is_undone_wherever_it_fails(
    session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two tables, each of which is set aside and replaced."""
    from sqlanon.engines.spark.engine import Staging, name_of

    finals = [Relation(name, ("spark_catalog", "default")) for name in ("first", "second")]
    staging = Staging(session)
    for final in finals:
        session.sql(f"create table {name_of(final)} as select 'older' as made")
        session.sql(f"create table {name_of(staging.table(final))} as select 'newer' as made")
    for rename in range(1, 2 * len(finals) + 1):
        with monkeypatch.context() as patch:
            failing_at(rename, patch)
            with pytest.raises(RuntimeError, match="the catalog is away"):
                staging.publish()
        assert [rows(session, final.name) for final in finals] == [[("older",)]] * 2
    staging.publish()
    assert [rows(session, final.name) for final in finals] == [[("newer",)]] * 2
    assert tables(session) == {"first", "second"}


def test_a_release_whose_swap_fails_leaves_the_older_one(
    session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(session)
    sqlanon.anonymize("patients", connection=session, **DECLARED).close()
    before, held = tables(session), rows(session, "anonymized__run")
    failing_at(5, monkeypatch)
    with pytest.raises(EngineError, match="publishing"):
        sqlanon.anonymize("patients", connection=session, **{**DECLARED, "k": 6})
    assert tables(session) == before
    assert rows(session, "anonymized__run") == held


def test_what_a_killed_run_left_is_dropped_in_time(session: Any) -> None:
    make(session)
    recent = f"anonymized__new_{int(time.time()) - 60}_abcd"
    for name in ("anonymized__new_1000000000_abcd", recent, "anonymized__new_wave"):
        session.sql(f"create table {name} as select 1 as one")
    sqlanon.anonymize("patients", connection=session, **DECLARED).close()
    left = {name for name in tables(session) if "__new" in name}
    assert left == {recent, "anonymized__new_wave"}


def test_a_relation_is_read_where_it_stands() -> None:
    places = {Relation("b", ("a",)): Relation("c", ("a",)), Relation("d"): Relation("e")}
    sql = (
        'with "d" as (select x.y as z from a.b as x) select "d".z, f.g from "d" cross join "d.f" f'
    )
    found = sqlglot.parse_one(
        rebind_relations(transpile(sql, "spark"), "spark", places), read="spark"
    )
    names = sorted(table.sql(dialect="spark") for table in found.find_all(exp.Table))
    assert names == ["`a`.`c` AS `x`", "`d.f` AS `f`", "`d`"]  # d is the query's own


# --- scripts -------------------------------------------------------------------------------------


def carry_out(session: Any, script: str) -> None:
    for statement in script.split(";\n"):
        if statement.strip():
            session.sql(statement).collect()


@pytest.mark.parametrize("materialize", slow("view", "table"))
def test_a_script_makes_the_release_and_again(session: Any, materialize: str) -> None:
    make(session)
    script = sqlanon.compile("patients", connection=session, **{**FULL, "materialize": materialize})
    assert tables(session) == {"patients"}
    for _ in range(2):
        carry_out(session, script)
        assert rows(session, "anonymized") == on_duckdb(ROWS, **FULL)
    left = {
        "patients",
        "anonymized",
        *(f"anonymized__{text}" for text in ("classes", "metrics", "run")),
    }
    assert tables(session) == left | ({"anonymized__rows"} if materialize == "view" else set())
    assert not [one for one in session.catalog.listDatabases() if one.name != "default"]


@pytest.mark.parametrize("suppression", [None, *slow({"records": 0.3})])
def test_a_script_at_fixed_levels_makes_the_release_of_duckdb(
    session: Any, suppression: dict[str, Any] | None
) -> None:
    """Of labels that follow from the values, in bands and in a list."""
    spec: dict[str, Any] = {
        "quasi_identifiers": {
            "age": {"hierarchy": {"bands": [10, 20]}},
            "town": {"hierarchy": {"tree": {"*": {"west": ["a", "b"], "east": ["c", "d"]}}}},
        },
        "levels": {"age": 1, "town": 1},
        "method": "optimal",
        "k": 5,
        "suppression": suppression,
        "seed": 1,
    }
    make(session)
    script = sqlanon.compile("patients", connection=session, **spec)
    assert len(script.splitlines()) < 700
    for _ in range(2):
        carry_out(session, script)
        assert rows(session, "anonymized") == on_duckdb(ROWS, **spec)


def test_a_script_for_databricks_makes_the_release_of_duckdb(session: Any) -> None:
    """Spark reads its dialect; but without Delta no table can be replaced in one statement."""
    make(session)
    with duckdb.connect() as connection:
        connection.execute(f"create table patients ({COLUMNS.replace('string', 'varchar')})")
        connection.executemany("insert into patients values (?, ?, ?, ?)", ROWS)
        script = sqlanon.compile("patients", connection=connection, dialect="databricks", **FULL)
    replacing = re.compile(r"create or replace table (\S+) as", re.IGNORECASE)
    assert replacing.search(script)
    carry_out(session, replacing.sub(r"drop table if exists \1;\ncreate table \1 as", script))
    assert rows(session, "anonymized") == on_duckdb(ROWS, **FULL)
    assert not [one for one in session.catalog.listDatabases() if one.name != "default"]


@pytest.mark.slow
def test_cells_of_a_file_make_the_release_of_duckdb(session: Any, tmp_path: Any) -> None:
    spec: dict[str, Any] = {"quasi_identifiers": {"age": {}, "town": {}}, "k": 5, "seed": 1}
    file = tmp_path / "found.recipe.yaml"
    with duckdb.connect() as connection, sqlanon.open(connection) as db:
        connection.execute(f"create table patients ({COLUMNS.replace('string', 'varchar')})")
        connection.executemany("insert into patients values (?, ?, ?, ?)", ROWS)
        db.run("patients", release="found", method="k_optimize", **spec)
        file.write_text(db.recipe("found").text, encoding="utf-8")
        expected = multiset(connection.execute("select * from found").fetchall())
    make(session)
    sqlanon.anonymize("patients", connection=session, recipe=str(file), **spec).close()
    assert rows(session, "anonymized") == expected


def test_a_script_that_is_refused_leaves_the_older_release(session: Any) -> None:
    from pyspark.errors import PySparkException

    make(session)
    sqlanon.anonymize("patients", connection=session, **DECLARED).close()
    held, there = rows(session, "anonymized__run"), tables(session)
    script = sqlanon.compile("patients", connection=session, **TOO_SMALL)
    with pytest.raises(PySparkException, match="asked for 16, reached"):
        carry_out(session, script)
    assert rows(session, "anonymized__run") == held
    assert tables(session) == there  # what was refused stands in the schema of the work tables
    session.sql("drop schema sqlanon_work_anonymized cascade")


def test_spark_sql_runs_a_script(session: Any, tmp_path: Path) -> None:
    make(session)
    values = ", ".join(map(str, ROWS))
    source = (
        f"create table patients as select * from values {values} as t (id, age, town, disease);"
    )
    script = sqlanon.compile("patients", connection=session, **DECLARED)
    file = tmp_path / "release.sql"
    file.write_text(f"{source}\n{script}\nselect * from anonymized;\n", encoding="utf-8")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["spark-sql", "--conf", "spark.sql.catalogImplementation=in-memory", "-f", str(file)],
        cwd=tmp_path,
        env=os.environ | STARTED | {"PATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    printed = [tuple(line.split("\t")) for line in done.stdout.splitlines()]
    found = [row for row in printed if len(row) == 1]  # a setting prints two cells
    assert multiset(found) == multiset([tuple(map(str, row)) for row in on_duckdb(ROWS)])


# --- sessions ------------------------------------------------------------------------------------


def test_the_session_is_given_back_as_it_was(session: Any) -> None:
    make(session)
    session.conf.set("spark.sql.session.timeZone", "Asia/Tokyo")
    session.sql("create temporary view mine as select * from patients")
    sqlanon.anonymize("mine", connection=session, **DECLARED).close()
    assert session.conf.get("spark.sql.session.timeZone") == "Asia/Tokyo"
    session.conf.unset("spark.sql.session.timeZone")
    assert rows(session, "anonymized") == on_duckdb(ROWS)


def test_nothing_of_the_session_stands_in(session: Any) -> None:
    """Temporary views called as the source, the release and its metrics, and settings."""
    make(session)
    settings = {"spark.sql.caseSensitive": "true", "spark.sql.ansi.enabled": "false"}
    views = ["patients", "anonymized", "anonymized__metrics"]
    for name, value in settings.items():
        session.conf.set(name, value)
    for view in views:
        session.sql(f"create temporary view {view} as select 1 as id, 2 as age, 'a' as town")
    try:
        sqlanon.anonymize("patients", connection=session, seed=7, **DECLARED).close()
        assert {name: session.conf.get(name) for name in settings} == settings
        found = rows(session, "spark_catalog.default.anonymized")
    finally:
        for name in settings:
            session.conf.unset(name)
        for view in views:
            session.catalog.dropTempView(view)
    assert found == on_duckdb(ROWS, seed=7)


def test_a_plan_that_is_cut_short_is_no_evidence(session: Any) -> None:
    """What the source reads stands in its plan: of a part of that nothing is concluded."""
    from sqlanon.engines.spark.engine import SparkEngine

    make(session)
    engine = SparkEngine(session)
    session.conf.set("spark.sql.maxPlanStringLength", "150")
    try:
        with pytest.raises(SpecError, match="cuts the texts of plans short"):
            engine.reads(Relation("patients"), [Relation("anonymized")])
    finally:
        session.conf.unset("spark.sql.maxPlanStringLength")
        engine.give_back()
    assert engine.reads(Relation("patients"), [Relation("patients")]) == Relation("patients")


def test_a_function_of_the_session_does_not_stand_in(session: Any) -> None:
    make(session)
    session.sql("create temporary function ln(x double) returns double return 0.0")
    try:
        with pytest.raises(SpecError, match="'ln' of the session has the name of one of Spark's"):
            sqlanon.anonymize("patients", connection=session, **DECLARED)
    finally:
        session.sql("drop temporary function ln")


@pytest.mark.parametrize("name", ["spark.sql.ansi.enabled", "spark.sql.session.timeZone"])
def test_a_setting_that_changes_the_meaning_is_refused(session: Any, name: str) -> None:
    with pytest.raises(SpecError, match=name):
        open_engine(connection=session, settings={name: "false"})


def test_two_runs_in_one_session_are_refused(session: Any) -> None:
    make(session)
    refused: list[str] = []

    def again(event: Event) -> None:
        if event.kind == "end" and event.number == 5:
            with pytest.raises(SpecError, match="another run") as caught:
                sqlanon.anonymize("patients", connection=session, **DECLARED)
            refused.append(str(caught.value))

    sqlanon.anonymize("patients", connection=session, progress=again, **DECLARED).close()
    assert refused
    assert rows(session, "anonymized") == on_duckdb(ROWS)


@pytest.mark.parametrize("name", ["threads", "spark.no.such.setting"])
def test_an_unknown_setting_is_refused(session: Any, name: str) -> None:
    with pytest.raises(SpecError, match=name):
        open_engine(connection=session, settings={name: 2})


def frames(session: Any) -> Mapping[str, Any]:
    import pandas as pd
    import pyarrow as pa

    names = ("id", "age", "town", "disease")
    frame = pd.DataFrame(ROWS, columns=list(names))
    return {
        "pandas": frame,
        "arrow": pa.Table.from_pandas(frame),
        "spark": session.createDataFrame(ROWS, list(names)),
    }


@pytest.mark.parametrize("kind", ["pandas", "spark", *slow("arrow")])
def test_a_frame_is_read(session: Any, kind: str) -> None:
    with sqlanon.anonymize(frames(session)[kind], connection=session, **DECLARED) as release:
        assert rows(session, "anonymized") == on_duckdb(ROWS)
        assert len(release.frame()) == release.arrow().num_rows == len(ROWS)


def test_nanoseconds_are_refused_where_spark_would_cut_them(session: Any) -> None:
    import pandas as pd

    frame = frames(session)["pandas"]
    frame["seen"] = pd.Timestamp("2020-01-01 00:00:00.123456789")
    with pytest.raises(SpecError, match="'seen' holds times to the nanosecond, which Spark cuts"):
        sqlanon.anonymize(frame, connection=session, **{**DECLARED, "insensitive": ["seen"]})
    with sqlanon.anonymize(frame, connection=session, **DECLARED):  # it has no role
        assert rows(session, "anonymized") == on_duckdb(ROWS)
    frame["seen"] = frame["seen"].dt.floor("us")
    declared = {**DECLARED, "insensitive": ["seen"]}
    with sqlanon.anonymize(frame, connection=session, **declared) as release:
        assert {seen.microsecond for seen in release.frame()["seen"]} == {123456}


def test_columns_of_types_that_spark_lacks_are_read_as_their_equals(session: Any) -> None:
    import pyarrow as pa

    frame = frames(session)["arrow"]
    ages = frame.column("age").cast(pa.uint8())
    most = pa.array([2**64 - 1] * len(frame), pa.uint64())
    halves = pa.array([1.5] * len(frame), pa.float32()).cast(pa.float16())
    frame = frame.set_column(frame.schema.get_field_index("age"), "age", ages)
    frame = frame.append_column("most", most).append_column("halves", halves)
    frame = frame.append_column("kind", pa.array(["a"] * len(frame)).dictionary_encode())
    declared = {**DECLARED, "insensitive": ["most", "kind"]}
    with sqlanon.anonymize(frame, connection=session, **declared) as release:
        found = release.frame()
        assert {int(most) for most in found["most"]} == {2**64 - 1}
        assert set(found["kind"]) == {"a"}
        assert len(found) == len(ROWS)


def test_files_that_another_session_left_in_the_warehouse_are_named(session: Any) -> None:
    lying = Path(session.warehouse.name, "left_behind")
    lying.mkdir()
    lying.joinpath("part").write_text("1", encoding="utf-8")
    declared = {**DECLARED, "release": "left_behind"}
    with pytest.raises(EngineError, match="the warehouse has files of a table of the release"):
        sqlanon.anonymize(frames(session)["pandas"], connection=session, **declared)
    shutil.rmtree(lying)
    with sqlanon.anonymize(frames(session)["pandas"], connection=session, **declared) as release:
        assert len(release.frame()) == len(ROWS)


def test_what_is_no_frame_is_refused(session: Any) -> None:
    with pytest.raises(SpecError, match="cannot be read"):
        sqlanon.anonymize(object(), connection=session, **DECLARED)


@pytest.mark.parametrize("name", ["patients.csv", *slow("patients.tsv", "patients.parquet")])
def test_a_file_is_read(session: Any, name: str, tmp_path: Path) -> None:
    frame = frames(session)["pandas"]
    if name.endswith("parquet"):
        frame.to_parquet(tmp_path / name)
    else:
        frame.to_csv(tmp_path / name, sep="\t" if name.endswith("tsv") else ",", index=False)
    with sqlanon.anonymize(tmp_path / name, connection=session, **DECLARED):
        assert rows(session, "anonymized") == on_duckdb(ROWS)


# --- errors --------------------------------------------------------------------------------------


def test_an_error_quotes_no_value(session: Any, capfd: pytest.CaptureFixture[str]) -> None:
    make(session, rows=[(i, i, "s3cret", "flu") for i in range(9)])
    query = "select id, age, cast(town as int) as town, disease from patients"
    with pytest.raises(SpecError, match="withheld") as caught:
        sqlanon.anonymize({"query": query}, connection=session, **FULL)
    shown = capfd.readouterr()
    assert "s3cret" not in str(caught.value) + shown.out + shown.err
    assert "Traceback" not in shown.err


def test_a_source_that_is_missing_is_named(session: Any) -> None:
    with pytest.raises(SpecError, match="no table or view 'nowhere'"):
        sqlanon.anonymize("nowhere", connection=session, **DECLARED)


def test_ctrl_c_ends_the_running_statement(session: Any) -> None:
    make(session)
    slow = (
        "select a.id, a.age, a.town, a.disease from patients a where a.age < (select count(*) "
        "from range(4000000000000) where id % 7 = 3)"
    )
    tracker = session.sparkContext.statusTracker()
    pressed: list[float] = []

    def press() -> None:
        """Once a stage has been running for two seconds, however busy the machine is."""
        running = 0
        while running < 20:
            time.sleep(0.1)
            running = running + 1 if tracker.getActiveStageIds() else 0
        pressed.append(time.perf_counter())
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press, daemon=True).start()
    with interruptible(), pytest.raises(InterruptedRunError):
        sqlanon.anonymize({"query": slow}, connection=session, **DECLARED)
    assert time.perf_counter() - pressed[0] < 30
    assert tables(session) == {"patients"}
    for _ in range(50):
        if not tracker.getActiveStageIds():
            return
        time.sleep(0.1)
    pytest.fail("a stage goes on after the run was interrupted")
