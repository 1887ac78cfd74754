"""The same release from every kind of source: files, tables, views, queries, frames."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from support import (
    DEALT,
    Connection,
    Row,
    anonymized,
    database,
    refused,
    relations,
    select,
    slow,
)

import sqlanon
from sqlanon.errors import EngineError, SpecError

DECLARED: dict[str, Any] = {
    **DEALT,
    "quasi_identifiers": {"age": {}, "town": {}},
    "sensitive": {"pay": {"distance": "ordered", "t": 1}, "disease": {}},
    "insensitive": ["note"],
    "k": 5,
}
MADE = {"anonymized", *(f"anonymized__{part}" for part in ("classes", "metrics", "run"))}
PEOPLE = (
    "create table people as select i as id, i % 17 as age, "
    "case when i % 7 > 0 then 'town, ' || i % 4 end as town, (i % 5 + 0.5)::double as pay, "
    "case i % 3 when 0 then 'flu' when 1 then 'cold; bad' end as disease, "
    "case when i % 2 = 0 then 'é' else 'a \"note\"' end as note from range(83) as t(i)"
)


@pytest.fixture
def connection(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """A database with the table ``people``, in a folder that holds the same as files."""
    monkeypatch.chdir(tmp_path)
    with database() as fresh:
        fresh.execute(PEOPLE)
        fresh.execute("create view everybody as from people")
        fresh.execute("copy people to 'people.csv'")
        fresh.execute("copy people to 'people.tsv' (delimiter '\t')")
        fresh.execute("copy people to 'piped.txt' (delimiter '|')")
        fresh.execute("copy people to 'people.csv.gz'")
        fresh.execute("copy people to 'people.parquet'")
        Path("parts").mkdir()
        fresh.execute("copy (from people where id < 40) to 'parts/1.csv'")
        fresh.execute("copy (from people where id >= 40) to 'parts/2.csv'")
        yield fresh


@pytest.fixture(scope="module")
def expected() -> list[Row]:
    with database() as fresh:
        fresh.execute(PEOPLE)
        return anonymized(fresh, "people", **DECLARED).rows


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    "source",
    [
        "everybody",
        "memory.main.people",
        "with one as (select * from people) select * from one -- all",
        "people.csv",
        "people.csv.gz",
        "people.parquet",
        *slow("main.people", '"people"', "select * from people", "  SELECT * FROM people ;"),
        *slow("from people", "people.tsv"),
        "parts/*.csv",
        Path("people.csv"),
        {"file": "piped.txt", "delimiter": "|"},
        {"table": "people"},
        {"query": "from people"},
    ],
    ids=str,
)
def test_the_same_release(connection: Connection, expected: list[Row], source: Any) -> None:
    before = relations(connection)
    assert anonymized(connection, source, **DECLARED).rows == expected
    assert relations(connection) == before | MADE


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pandas", "arrow", "reader", "relation"])
def test_the_same_release_of_a_frame(
    connection: Connection, expected: list[Row], kind: str
) -> None:
    people = connection.execute("from people").df()
    frames: dict[str, Any] = {
        "pandas": people,
        "arrow": pa.Table.from_pandas(people),
        "reader": pa.Table.from_pandas(people).to_reader(),
        "relation": connection.table("people"),
    }
    before = relations(connection)
    assert anonymized(connection, frames[kind], **DECLARED).rows == expected
    assert relations(connection) == before | MADE


def test_a_frame_without_a_connection() -> None:
    frame = pd.DataFrame({"q": [1, 2, 3, 4], "<s>": ["a", None, "a", "b"]})
    release = sqlanon.anonymize(frame, quasi_identifiers="q", sensitive="<s>", k=2)
    released = release.frame()
    assert list(released.columns) == ["q", "<s>"]
    assert released["<s>"].isna().sum() == 1
    assert release.arrow().to_pydict() == released.to_dict("list") | {
        "<s>": [None if pd.isna(value) else value for value in released["<s>"]]
    }
    assert list(release.metrics_frame()["metric"]) == [metric.metric for metric in release.measures]
    shown = release._repr_html_()
    assert "<caption>anonymized</caption>" in shown
    assert "<td>&lt;s&gt;</td>" in shown
    assert "<s>" not in shown
    assert len(repr(release)) < 500
    plan = sqlanon.plan(frame, quasi_identifiers="q", sensitive="<s>", k=2)
    assert "<td>reading the source</td>" in plan._repr_html_()
    release.engine.close()
    assert frame.shape == (4, 2)


@pytest.mark.slow
def test_a_release_may_be_called_frame(connection: Connection, expected: list[Row]) -> None:
    """A frame is no table of that name: neither is one read in its place, nor is it the source."""
    connection.execute("create table frame as select 1 as q")
    people = connection.execute("from people").df()
    with pytest.raises(SpecError, match="frame"):  # a table that sqlanon did not make
        sqlanon.anonymize(people, connection=connection, release="frame", **DECLARED)
    connection.execute("drop table frame")
    release = sqlanon.anonymize(people, connection=connection, release="frame", **DECLARED)
    assert len(release.frame()) == len(expected)
    facts = dict(connection.execute("select item, value from frame__run").fetchall())
    assert json.loads(facts["spec"])["source"]["frame"] is True


@pytest.mark.slow
def test_a_file_and_a_database_file(connection: Connection, expected: list[Row]) -> None:
    """The release goes to the file, and nothing else does."""
    release = sqlanon.anonymize("people.csv", database="new.duckdb", **DECLARED)
    release.engine.close()
    with database(Path("new.duckdb")) as file:
        assert select(file, "from anonymized")[1] == expected
        assert relations(file) == {
            "anonymized" + part for part in ("", "__classes", "__metrics", "__run")
        }
    again = sqlanon.check("anonymized", database="new.duckdb", **_measured())
    assert again.measure("k_anonymity") == release.measure("k_anonymity")


@pytest.mark.slow
def test_a_query_of_the_release_does_not_replace_it(
    connection: Connection, expected: list[Row]
) -> None:
    """Also under another spelling; a query of another table does."""
    sqlanon.anonymize("people", connection=connection, release="kept", **DECLARED).close()
    error = refused(
        SpecError, "select * from main.KEPT", connection=connection, release="kept", **DECLARED
    )
    assert "it is read by the source's query" in str(error)
    assert select(connection, "from kept")[1] == expected
    query = "with kept as (from people) select * from kept"
    sqlanon.anonymize(query, connection=connection, release="kept", **DECLARED).close()
    assert select(connection, "from kept")[1] == expected


@pytest.mark.slow
def test_a_database_that_can_only_be_read(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is enough for all that writes nothing, a search that is compiled among it."""
    file = Path("kept.duckdb")
    older = {**DECLARED, "release": "public", "materialize": "view"}
    sqlanon.anonymize("people.csv", database=file, **older).close()
    connection.execute("attach 'kept.duckdb' as kept")
    connection.execute("create table kept.people as from people")
    made = set(relations(connection)) - {"people", "everybody"}
    connection.execute("detach kept")
    before = file.read_bytes()
    monkeypatch.setattr("os.access", lambda path, mode: False)
    declared = {**DECLARED, "method": "split_or_deal"}
    methods = ("split_or_deal", "stack_and_deal", "stack_and_deal")
    found = sqlanon.check("people", database=file, **_measured())
    assert found.measure("records") == 83
    assert sqlanon.plan("people", database=file, **declared).plan.steps
    releases = ("public", "main.public", "kept.main.public")
    for release, method in zip(releases, methods, strict=True):
        named = {**DECLARED, "release": release, "method": method}
        script = sqlanon.compile("people", database=file, **named)
        assert "commit;" in script
    with pytest.raises(EngineError, match="cannot be written: no release can be made in it"):
        sqlanon.anonymize("people", database=file, **declared)
    assert file.read_bytes() == before
    with database() as other:
        other.execute("attach 'kept.duckdb' as kept (read_only); use kept")
        assert relations(other) == {"people", *made}


def test_a_schema_for_the_release(connection: Connection, expected: list[Row]) -> None:
    """The release and what comes with it go to the schema that its name says."""
    connection.execute("create schema public_data")
    release = sqlanon.anonymize(
        "people", connection=connection, release='public_data."people"', **DECLARED
    )
    release.engine.close()
    assert select(connection, "from public_data.people")[1] == expected
    query = "select table_name from duckdb_tables() where schema_name = 'public_data'"
    assert {name for (name,) in select(connection, query)[1]} == {
        "people" + part for part in ("", "__classes", "__metrics", "__run")
    }
    missing = refused(
        sqlanon.SqlanonError, "people", connection=connection, release="nowhere.x", **DECLARED
    )
    assert "nowhere" in str(missing)


def test_a_spec_file_finds_its_files_beside_it(
    connection: Connection, expected: list[Row], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Relative paths count from the spec's folder, wherever it is run from."""
    (tmp_path / "towns.csv").write_text(
        "\n".join(f'"town, {i}";group {i // 2};*' for i in range(4)), encoding="utf-8"
    )
    (tmp_path / "spec.yaml").write_text(
        "source: ${FOLDER_OF_PEOPLE}people.csv\n"
        "release: anonymized\n"
        "quasi_identifiers: {age: {}, town: {hierarchy: towns.csv, publish: set}}\n"
        "sensitive: {pay: {distance: ordered, t: 1}, disease: }\n"
        "insensitive: note\n"
        "privacy: {k: 5}\n"
        "method: stack_and_deal\n",
        encoding="utf-8",
    )
    monkeypatch.chdir("/")
    monkeypatch.setenv("FOLDER_OF_PEOPLE", "./")
    release = sqlanon.anonymize(tmp_path / "spec.yaml", connection=connection)
    release.engine.close()
    found = select(connection, "from anonymized")[1]
    assert [row[0] for row in found] == [row[0] for row in expected]
    assert sqlanon.load_spec(tmp_path / "spec.yaml").source.file == str(tmp_path / "people.csv")


def test_columns_of_a_frame_need_not_be_named_alike(connection: Connection) -> None:
    """A misspelt one is named, with the nearest."""
    frame = connection.execute("from people").df()
    wrong = {**DECLARED, "quasi_identifiers": ["aeg"]}
    error = refused(SpecError, frame, connection=connection, **wrong)
    assert "did you mean 'age'?" in str(error)


@pytest.mark.parametrize(
    "text",
    [
        "30,f,good\n31,m,bad\n",
        "1/2/1980;f;good\n2/2/1980;m;bad\n",
        "anna, f, good\nbea, m, bad\ncyd, f, good\n",
        "0.5|anna\n1.5|bea\n",
        "f,good,true\nm,bad,false\nf,bad,True\n",
        "7,7,7,f\n8,8,8,m\n",
    ],
)
def test_a_file_without_a_header_line_is_refused(connection: Connection, text: str) -> None:
    """And not shown: its names may be a person's record."""
    Path("headless.csv").write_text(text, encoding="utf-8")
    error = refused(SpecError, "headless.csv", connection=connection, **DECLARED)
    said = (
        "source: the first line of the file looks like a record, not like names of columns: give "
        "it a header line, name the columns in a query, or, where a number is a name, declare that "
        'column\'s type by columns, such as {"2023": integer}'
    )
    assert str(error) == said
    with pytest.raises(SpecError) as caught:
        sqlanon.check("headless.csv", connection=connection, **_measured())
    assert str(caught.value) == said.replace("source", "table", 1)


@pytest.mark.parametrize(
    "header", ["town,2019,2020,2021", "x,1,2,3", "sex,male,female,1st", "Town,a,b,a", "x y,$,%,?"]
)
def test_a_header_line_may_hold_what_it_likes(connection: Connection, header: str) -> None:
    records = ["Linz,1,2,3", "Graz,2,2,3", "Linz,1,2,1", "Graz,1,1,1"]
    Path("odd.csv").write_text("\n".join([header, *records]), encoding="utf-8")
    first, second, *_ = header.split(",")
    roles = {**DECLARED, "quasi_identifiers": [first], "sensitive": [second], "insensitive": []}
    assert len(anonymized(connection, "odd.csv", **{**roles, "k": 2}).rows) == 4


@pytest.mark.parametrize("header", ["town,2023,ill", "2023", "town,2023,2021", "1.5,12/3/2024,x"])
def test_a_number_whose_type_is_declared_is_a_name(connection: Connection, header: str) -> None:
    """Without the declaration it may be a cell. A record that is named by no one is found still."""
    names = header.split(",")
    records = [[str(1 + (place + turn) % 2) for place in range(len(names))] for turn in range(6)]
    Path("year.csv").write_text("\n".join([header, *map(",".join, records)]), encoding="utf-8")
    roles = {**DECLARED, "quasi_identifiers": names, "sensitive": [], "insensitive": [], "k": 2}
    assert "looks like a record" in str(
        refused(SpecError, "year.csv", connection=connection, **roles)
    )
    declared = {"file": "year.csv", "columns": dict.fromkeys(names, "text")}
    assert len(anonymized(connection, declared, **roles).rows) == 6
    with pytest.raises(SpecError, match="looks like a record"):
        sqlanon.profile("year.csv", connection=connection)
    assert sqlanon.profile(declared, connection=connection).records == 6
    Path("headless.csv").write_text("30,f,good\n31,m,bad\n", encoding="utf-8")
    one = {"file": "headless.csv", "columns": {"good": "text"}}
    assert "looks like a record" in str(refused(SpecError, one, connection=connection, **DECLARED))


def test_a_file_with_no_more_than_its_first_line(connection: Connection) -> None:
    Path("empty.csv").write_text("", encoding="utf-8")
    error = refused(SpecError, "empty.csv", connection=connection, **DECLARED)
    assert str(error) == "source: the file 'empty.csv' is empty"
    Path("one.csv").write_text("30,f,good\n", encoding="utf-8")
    error = refused(SpecError, "one.csv", connection=connection, **DECLARED)
    assert str(error) == "source: it has no records after its first line"


def test_a_missing_reference_is_called_so(connection: Connection) -> None:
    for reference in ("nope.csv", "nope"):
        with pytest.raises(SpecError, match=r"^reference: there is no .*'nope"):
            sqlanon.check("people", reference=reference, connection=connection, **_measured())


def _measured() -> dict[str, Any]:
    return {
        "quasi_identifiers": ["age", "town"],
        "sensitive": {"pay": {"distance": "ordered"}, "disease": {}},
        "k": 5,
    }


def test_what_a_query_pivots_is_not_told_as_the_name_of_a_column() -> None:
    """Values of the data become names, which an error would list; what the query says is known."""
    with database() as connection:
        connection.execute(
            "create table t as select i % 3 as age, 's' || i % 2 as s, "
            "case i % 2 when 0 then 'secret flu' else 'hidden cold' end as ill from range(12) r(i)"
        )
        pivoted = "select * from (pivot t on ill using count(*) group by age, s)"
        for wrong in ("agee", "secret fl"):
            with pytest.raises(SpecError) as caught:
                sqlanon.anonymize(
                    {"query": pivoted}, connection=connection, quasi_identifiers=wrong,
                    sensitive="s", k=2, **DEALT,
                )  # fmt: skip
            said = str(caught.value)
            assert "secret flu" not in said
            assert "hidden" not in said
            assert "age" in said


def test_a_query_that_locks_what_it_reads_is_refused() -> None:
    with database() as connection, pytest.raises(SpecError, match="it locks what it reads"):
        sqlanon.anonymize(
            {"query": "select 1 as a, 's' as s for update"}, connection=connection,
            quasi_identifiers="a", sensitive="s", k=2, **DEALT,
        )  # fmt: skip
