"""Memory and disk: what a run may use, and what is left when it does not suffice."""

from __future__ import annotations

from contextlib import closing, nullcontext
from pathlib import Path
from typing import Any, ClassVar

import duckdb
import pytest

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.engines.duckdb import driver as duckdb_driver
from sqlanon.engines.duckdb.spill import SpillFolder, contained_limit
from sqlanon.engines.messages import REFUSED
from sqlanon.errors import EngineError, ShortageError, SpecError
from sqlanon.plan.step import Runner
from sqlanon.session import Session
from sqlanon.session.session import _of_spec
from sqlanon.sql.names import Relation

pytestmark = pytest.mark.slow

GIGABYTE = 2**30
LARGE = (
    "select i % 97 as q, 'value ' || i % 1009 as s, md5(i::varchar) as x from range(400000) as t(i)"
)
DECLARED: dict[str, Any] = {
    "quasi_identifiers": "q",
    "sensitive": "s",
    "insensitive": {"x": {"accept": "each its own: what is written must be large"}},
    "k": 2,
    "method": "stack_and_deal",
}


# --- the limit of a container --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("membership", "limits", "found"),
    [
        ("0::/\n", {"memory.max": GIGABYTE}, "716MiB"),
        ("0::/\n", {"memory.max": "max"}, None),
        ("0::/\n", {}, None),
        (
            "0::/slice/unit\n",
            {"slice/unit/memory.max": "max", "slice/memory.max": GIGABYTE},
            "716MiB",
        ),
        ("0::/slice\n", {"slice/memory.max": 2 * GIGABYTE, "memory.max": GIGABYTE}, "716MiB"),
        ("3:cpu:/a\n4:memory:/a\n", {"memory/a/memory.limit_in_bytes": GIGABYTE}, "716MiB"),
        ("4:hugetlb,memory:/a\n", {"memory/a/memory.limit_in_bytes": GIGABYTE}, "716MiB"),
        ("4:memory:/not/mounted\n", {"memory/memory.limit_in_bytes": GIGABYTE}, "716MiB"),
        ("4:memory:/\n", {"memory/memory.limit_in_bytes": 9223372036854771712}, None),
        ("4:cpu:/a\n", {"cpu/a/memory.limit_in_bytes": GIGABYTE}, None),
        (None, {"memory.max": GIGABYTE}, None),
    ],
)
def test_the_least_limit_around_a_process_is_found(
    membership: str | None, limits: dict[str, Any], found: str | None, tmp_path: Path
) -> None:
    named = tmp_path / "cgroup"
    if membership is not None:
        named.write_text(membership)
    for place, limit in limits.items():
        file = tmp_path / "mounted" / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"{limit}\n")
    assert contained_limit(named, tmp_path / "mounted") == found


def memory_limit(engine: DuckDBEngine) -> str:
    found: str = engine.fetch_portable("select current_setting('memory_limit') as found").rows[0][0]
    return found


def test_a_container_limits_what_duckdb_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless the user says how much, or the connection is the user's."""
    mine = duckdb.connect(config={"memory_limit": "512MiB"})
    theirs = duckdb.connect()
    before = theirs.execute("select current_setting('memory_limit')").fetchall()[0][0]
    monkeypatch.setattr(duckdb_driver, "contained_limit", lambda: "256MiB")
    said = {"memory_limit": "300MiB"}
    for connection, settings, limit in (
        (None, {}, "256.0 MiB"),
        (None, said, "300.0 MiB"),
        (theirs, {}, before),
        (mine, said, "300.0 MiB"),
        (mine, {}, "512.0 MiB"),  # put back
    ):
        engine = DuckDBEngine(connection=connection, settings=settings)
        assert memory_limit(engine) == limit
        engine.close()
    mine.close()
    theirs.close()


# --- too little of it ----------------------------------------------------------------------------


def first_release(database: Path) -> list[Any]:
    """A release that stands before anything goes wrong."""
    with duckdb.connect(str(database)) as connection:
        connection.execute("create table few as select i % 3 as q, i as s from range(9) as t(i)")
    sqlanon.anonymize(
        "few", database=database, release="r", quasi_identifiers="q", sensitive="s", k=3
    ).close()
    return contents(database)


def contents(database: Path) -> list[Any]:
    with duckdb.connect(str(database)) as connection:
        names = connection.execute("select table_name from duckdb_tables() order by 1").fetchall()
        return [names, *(connection.execute(f'from "{name}"').fetchall() for (name,) in names)]


def refused(database: Path, **settings: str | int) -> str:
    with pytest.raises(EngineError) as caught:
        sqlanon.anonymize(
            {"query": LARGE},
            database=database,
            release="r",
            settings={"threads": 1, **settings},
            **DECLARED,
        )
    assert caught.value.exit_code == 3
    return str(caught.value)


def test_too_little_memory_is_said_and_loses_nothing(tmp_path: Path) -> None:
    database = tmp_path / "d.duckdb"
    before = first_release(database)
    limits: dict[str, str | int] = {"memory_limit": "24MB", "max_temp_directory_size": "1MB"}
    said = refused(database, **limits, temp_directory=str(tmp_path))
    assert "Out of Memory" in said
    assert "value " not in said
    assert contents(database) == before
    assert not list(tmp_path.glob("sqlanon-spill-*"))


def test_a_folder_that_its_maker_cannot_use_ends_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under a umask of 777, or without locks, a run made one after the other, and never ended."""

    def fail(*given: Any) -> None:
        raise OSError

    monkeypatch.setattr("fcntl.flock", fail)
    with pytest.raises(SpecError, match=r"nothing can be written to the folder .*: no folder can"):
        SpillFolder(str(tmp_path))
    assert not list(tmp_path.iterdir())


def test_too_little_memory_is_no_fault_of_a_file(tmp_path: Path) -> None:
    """Exit code 2 would say that the spec is wrong."""
    file = tmp_path / "t.csv"
    file.write_text("q,s,x\n" + "1,x,1\n2,y,2\n" * 9, encoding="utf-8")
    with pytest.raises(EngineError, match="raise memory_limit") as caught:
        sqlanon.anonymize(file, settings={"threads": 1, "memory_limit": "1MB"}, **DECLARED)
    assert caught.value.exit_code == 3


def test_what_to_do_about_too_little_memory_keeps_what_a_run_counts_on(tmp_path: Path) -> None:
    said = refused(tmp_path / "d.duckdb", memory_limit="1MB")
    assert "Out of Memory" in said
    assert "raise memory_limit (--memory-limit)" in said
    assert "preserve_insertion_order" not in said
    assert "\n" not in said


def test_too_little_memory_is_no_fault_of_the_spec(tmp_path: Path) -> None:
    """Whatever step it ends, be it that which reads a query of the user's."""
    engine = DuckDBEngine(settings={"memory_limit": "1MB", "max_temp_directory_size": "1MB"})
    sorting = "select list(i order by hash(i)) from range(1000000) as numbers (i)"
    with closing(engine), pytest.raises(ShortageError, match="Out of Memory"), _of_spec("source"):
        engine.driver.execute(sorting)
    with (
        pytest.raises(SpecError, match="source: it has values that cannot be read"),
        _of_spec("source"),
    ):
        raise EngineError(f"DuckDB {REFUSED}: Conversion Error")


def test_a_limit_that_is_no_size_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SpecError, match="memory_limit"):
        DuckDBEngine(settings={"memory_limit": "much"})


def test_a_full_disk_to_spill_to_is_said_and_loses_nothing(
    small_disk: Path, tmp_path: Path
) -> None:
    database = tmp_path / "d.duckdb"
    before = first_release(database)
    said = refused(database, memory_limit="24MB", temp_directory=str(small_disk))
    assert "space" in said.lower() or "Out of Memory" in said
    assert contents(database) == before
    assert not list(small_disk.iterdir())


def test_a_full_disk_of_the_database_is_said_and_loses_nothing(small_disk: Path) -> None:
    database = small_disk / "d.duckdb"
    before = first_release(database)
    said = refused(database)
    assert "space" in said.lower()
    assert contents(database) == before


# --- threads -------------------------------------------------------------------------------------

SEARCHED: dict[str, Any] = {
    "quasi_identifiers": ["age", "visits"],
    "sensitive": {"disease": {"t": 0.3}},
    "k": 4,
    "release": "published",
    "settings": {"threads": 3},
}
PATIENTS = (
    "select 17 + i % 60 as age, i % 23 as visits, "
    "case i % 4 when 0 then 'flu' else 'cold' end as disease from range(240) as t(i)"
)


@pytest.mark.further
@pytest.mark.parametrize("failing", [False, True])
def test_a_search_has_one_thread_from_its_first_loop_to_its_end(
    failing: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    drain = duckdb_driver.DuckDBDriver._drain

    def heard(self: duckdb_driver.DuckDBDriver, sql: str) -> Any:
        if sql.startswith("set threads"):
            said.append(sql)
        elif sql.startswith("create or replace temporary") and "with recursive" in sql:
            said.append("a loop")
        if failing and said[-3:] == ["set threads = 1", "a loop", "a loop"]:
            # An error of a row: a transaction may go on after what cannot be bound.
            sql = "select error('said by a test')"
        return drain(self, sql)

    monkeypatch.setattr(duckdb_driver.DuckDBDriver, "_drain", heard)
    with pytest.raises(EngineError) if failing else nullcontext():
        made = sqlanon.anonymize(PATIENTS, database=tmp_path / "own.duckdb", **SEARCHED)
        made.close()
    ends = 2 if failing else 1  # again after the transaction, which takes no more statements
    asked, first, *loops = said[:-ends]
    assert (asked, first) == ("set threads = 3", "set threads = 1")
    assert said[-ends:] == ["set threads = 3"] * ends
    assert len(loops) > 1
    assert set(loops) == {"a loop"}


class Nested:
    """A search that carries another out, if there is one, and goes on."""

    title, output = "a search", Relation("nothing")
    on_cells: ClassVar[bool] = False

    def __init__(self, engine: DuckDBEngine, found: list[int], inner: Nested | None = None) -> None:
        self._engine, self._found, self._inner = engine, found, inner

    def describe(self) -> str:
        return ""

    def run(self, session: Runner) -> None:
        if self._inner is None:
            session.serial()
            session.serial()
        else:
            session.carry_out(self._inner)
        asked = "select current_setting('threads')"
        self._found.append(int(self._engine.driver.execute(asked).rows[0][0]))


def test_a_search_in_another_ends_what_it_has_asked_for() -> None:
    threads: list[int] = []
    with closing(DuckDBEngine(settings={"threads": 3})) as engine:
        Session(engine).carry_out(Nested(engine, threads, Nested(engine, threads)))
    assert threads == [1, 3]
