"""A search in the process of the run: the same release, and what leaves the database for it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon as command
from people import COLUMNS, GROUPED, people_rows
from servers import PostgresPlace, place
from support import Connection, database, facts, make_table, read, relations, slow

import sqlanon
from sqlanon.engines import DuckDBEngine, Engine
from sqlanon.errors import EngineError, InfeasibleError, SpecError
from sqlanon.session import local

AS_THEY_ARE: dict[str, Any] = {"age": {}, "job": {}, "zip": {}}
PLAIN: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": AS_THEY_ARE,
    "sensitive": {"ill": {"t": "0.6"}},
    "k": 4,
    "seed": 7,
    "progress": False,
    "method": {"name": "split_or_deal", "effort": "quick"},
}
KNOWN = {"ill": {"background": {"estimate": {"by": ["job"], "smoothing": "3/2"}}, "bk": "0.9"}}
LEFT_OUT = {"suppression": {"records": "0.3"}, "quasi_identifiers": GROUPED}
SEARCHES: dict[str, dict[str, Any]] = {
    "split_or_deal": {},
    "persons": {"person": "zip", "quasi_identifiers": ["age", "job"], "k": 2},
    "zones": {"sensitive": KNOWN, "metrics": []},
    "mondrian": {"method": "mondrian"},
    "top_down": {"method": "top_down", "quasi_identifiers": GROUPED},
    "k_optimize": {"method": "k_optimize", **LEFT_OUT},
    "optimal": {"method": "optimal", **LEFT_OUT},
    "cell_suppression": {"method": "cell_suppression", **LEFT_OUT},
}

LATER = sorted(SEARCHES.keys() - {"split_or_deal", "optimal"})


@pytest.fixture
def people() -> Iterator[Connection]:
    with database() as connection:
        make_table(connection, "people", COLUMNS, people_rows(120))
        yield connection


def released(connection: Any, **declared: Any) -> sqlanon.Release:
    return sqlanon.anonymize("people", connection=connection, **{**PLAIN, **declared})


def everything(connection: Connection) -> list[Any]:
    parts = ("", "__classes", "__metrics")
    return [sorted(read(connection, f"public{part}")[1], key=repr) for part in parts]


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("case", ["split_or_deal", "optimal", *slow(*LATER)])
def test_every_search_finds_the_same(people: Connection, case: str) -> None:
    released(people, **SEARCHES[case], search="engine")
    here = everything(people)
    assert "searched_locally" not in facts(people, "public")
    made = released(people, **SEARCHES[case], search="local")
    assert everything(people) == here
    cells, single = json.loads(facts(people, "public")["searched_locally"])
    assert 0 < cells <= 120
    assert 0 <= single <= cells
    assert any(
        f"{cells:,} combinations of values left the database" in text for text in made.remarks
    )


@pytest.mark.slow
@pytest.mark.parametrize("method", ["deal_tree", "mondrian"])
def test_what_left_is_counted_over_the_searches_of_all_strata(
    people: Connection, method: str
) -> None:
    """`deal_tree` deals one after the other: their counts were taken for a list of its notes."""
    rows = [(i, "mf"[i % 2], "abc"[i % 3]) for i in range(24)]
    make_table(people, "people", {"age": "integer", "sex": "varchar", "ill": "varchar"}, rows)
    strata = {"quasi_identifiers": ["age", "sex"], "levels": {"sex": 0}, "sensitive": "ill"}
    made = released(people, **strata, method=method, search="local")
    cells, single = json.loads(facts(people, "public")["searched_locally"])
    assert 0 < single <= cells <= 24
    assert any("combinations of values left the database" in text for text in made.remarks)


@pytest.mark.parametrize("case", ["split_or_deal", *slow("optimal", *LATER)])
def test_codes_and_counts_leave_and_nothing_else(
    people: Connection, monkeypatch: pytest.MonkeyPatch, case: str
) -> None:
    """Text stays where it is, and so do the records: only the cells have a row for many of them."""
    left: dict[str, Any] = {}
    taken = DuckDBEngine.taken

    def watched(self: DuckDBEngine, relation: Any, columns: Any) -> Any:
        left[relation.name] = found = taken(self, relation, columns)
        return found

    monkeypatch.setattr(DuckDBEngine, "taken", watched)
    released(people, **SEARCHES[case], search="local")
    assert left
    for name, table in left.items():
        kinds = {str(kind) for kind in table.schema.types}
        assert kinds <= {"int8", "int16", "int32", "int64", "double", "bool", "decimal128(38, 0)"}
        assert not name.startswith(("sqlanon_records", "sqlanon_coded")), name


@pytest.mark.slow
def test_nothing_of_it_is_written_to_a_disk(
    people: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    bring = local.LocalSession._bring

    def look(self: local.LocalSession, relation: Any) -> None:
        bring(self, relation)
        files = "select current_setting('max_temp_directory_size'), count(path) "
        files += "from duckdb_databases() where not internal"
        asked.append(str(self.engine.driver.execute(files).rows[0]))

    monkeypatch.setattr(local.LocalSession, "_bring", look)
    released(people, search="local")
    assert {*asked} == {"('0 bytes', 0)"}


def test_too_many_cells_stay_where_they_are(
    people: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = relations(people)
    monkeypatch.setattr(local, "MOST_ROWS", 10)
    with pytest.raises(InfeasibleError, match=r"cells out of the database, and 10 may .*engine"):
        released(people, search="local")
    assert relations(people) == before


def test_what_fails_here_leaves_nothing_there(
    people: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = relations(people)

    def fails(self: local.LocalSession, title: str) -> None:
        raise EngineError("the connection is lost")

    monkeypatch.setattr(local.LocalSession, "give_back", fails)
    with pytest.raises(EngineError, match="the connection is lost"):
        released(people, search="local")
    assert relations(people) == before


def test_without_pyarrow_it_is_refused(people: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "find_spec", lambda name: None)
    with pytest.raises(SpecError, match=r"search: a search in this process needs pyarrow"):
        released(people, search="local")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", ["stack_and_deal", "microaggregation", "sabre"])
def test_what_searches_for_nothing_or_reads_records_lends_nothing(
    people: Connection, method: str
) -> None:
    made = released(people, method=method, search="local")
    assert "searched_locally" not in facts(people, "public")
    assert not any("left the database" in text for text in made.remarks)


@pytest.mark.slow
def test_what_the_models_refuse_is_refused_alike(people: Connection) -> None:
    said = []
    for where in ("engine", "local"):
        with pytest.raises(InfeasibleError) as refused:
            released(people, sensitive={"ill": {"l": 5}}, search=where)
        said.append(str(refused.value))
    assert said[0] == said[1]


@pytest.mark.slow
def test_a_runs_script_says_that_it_lacks_what_was_searched_elsewhere(people: Connection) -> None:
    script = released(people, search="local").sql
    assert "The run searched in its own process, and no script holds what it found" in script
    with duckdb.connect() as other:
        make_table(other, "people", COLUMNS, people_rows(120))
        with pytest.raises(duckdb.CatalogException, match="searched_in_the_run"):
            other.execute(script)
    written = sqlanon.compile("people", connection=people, **{**PLAIN, "search": "local"})
    assert "searched_in_the_run" not in written


@pytest.mark.slow
def test_a_sweep_searches_where_the_spec_says(people: Connection) -> None:
    here, there = (
        sqlanon.sweep("people", connection=people, **{**PLAIN, "k": [3, 5], "search": where})
        for where in ("engine", "local")
    )
    found = [
        [(trial.k, trial.classes, trial.gcp) for trial in some.trials] for some in (here, there)
    ]
    assert found[0] == found[1]


@pytest.mark.further
@pytest.mark.slow
def test_the_commands_say_what_leaves(tmp_path: Path) -> None:
    with duckdb.connect(str(tmp_path / "people.duckdb")) as connection:
        make_table(connection, "people", COLUMNS, people_rows(120))
    (tmp_path / "s.yaml").write_text(
        "source: {table: people}\nrelease: public\ndatabase: people.duckdb\nseed: 7\n"
        "quasi_identifiers: [age, job]\nsensitive: {ill: {t: 0.6}}\nprivacy: {k: 4}\n"
        "search: local\n"
    )
    said = " ".join(command(tmp_path, "plan", "s.yaml").stdout.split())
    assert "combinations of values with their counts leave the database for it" in said
    places = [[*COLUMNS].index(name) for name in ("age", "job", "ill")]
    counted = Counter(tuple(row[place] for place in places) for row in people_rows(120))
    alone = sum(records == 1 for records in counted.values())
    assert f"{alone} of the records ({alone / 120:.1%}) are the only ones of their" in said
    planned = json.loads(command(tmp_path, "plan", "s.yaml", "--json").stdout)
    assert planned["leaving_alone"] == alone
    said = " ".join(command(tmp_path, "run", "s.yaml", "--quiet").stdout.split())
    assert "combinations of values left the database for it" in said
    said = command(tmp_path, "run", "s.yaml", "--quiet", "--search", "engine").stdout
    assert "left the database" not in said


@pytest.mark.parametrize("case", [*slow("split_or_deal", "optimal", "top_down", "zones")])
def test_postgresql_lends_its_cells(case: str, urls: Mapping[str, str]) -> None:
    with place("postgres", urls) as there:
        assert isinstance(there, PostgresPlace)
        there.make_table("people", COLUMNS, people_rows(120))
        found = []
        for where in ("engine", "local"):
            released(there.connection, **SEARCHES[case], search=where).close()
            parts = ("public", "public__classes", "public__metrics")
            found.append([sorted(there.read(part)[1], key=repr) for part in parts])
        assert found[0] == found[1]


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.search
def test_spark_searches_in_spark_where_the_spec_says_so() -> None:
    """In Spark itself, which takes long: in the long run alone."""
    from servers import SparkPlace

    there = SparkPlace()
    there.make_table("people", COLUMNS, people_rows(120))
    made = released(there.connection, **SEARCHES["optimal"], search="engine")
    assert not any("left the database" in text for text in made.remarks)
    with database() as connection:
        make_table(connection, "people", COLUMNS, people_rows(120))
        released(connection, **SEARCHES["optimal"])
        here = sorted(read(connection, "public")[1], key=repr)
    assert sorted(there.read("public")[1], key=repr) == here


@pytest.mark.slow
@pytest.mark.spark
def test_spark_searches_in_the_driver_unless_the_spec_says_otherwise() -> None:
    from servers import SparkPlace

    there = SparkPlace()
    there.make_table("people", COLUMNS, people_rows(120))
    made = released(there.connection)
    assert any("left the database" in text for text in made.remarks)
    with database() as connection:
        make_table(connection, "people", COLUMNS, people_rows(120))
        released(connection)
        here = sorted(read(connection, "public")[1], key=repr)
    assert sorted(there.read("public")[1], key=repr) == here


def test_an_engine_says_whether_searches_run_in_it(people: Connection) -> None:
    spec = sqlanon.parse_spec({"source": {"table": "people"}, "privacy": {"k": 4}, **_columns()})
    engine: Engine = DuckDBEngine(connection=people)
    assert local.searching(spec, engine) is None


def _columns() -> dict[str, Any]:
    return {"release": "public", "quasi_identifiers": ["age"], "sensitive": ["ill"]}
