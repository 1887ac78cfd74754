"""What is wrong is said clearly, with the right exit code, and nothing is written.

Every table here holds the value SENTINEL-VALUE: no message may ever show it.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from support import (
    DEALT,
    ROOT,
    Connection,
    anonymized,
    database,
    make_table,
    read,
    refused,
    relations,
    slow,
)

import sqlanon
from sqlanon.engines.duckdb.messages import safe_message
from sqlanon.errors import EngineError, InfeasibleError, SpecError, SqlanonError

SENTINEL = "SENTINEL-VALUE"
NAMED = {"name": "stack_and_deal"}
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "town"],
    "sensitive": ["disease"],
    "k": 2,
    **DEALT,
}


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Connection]:
    """A database with one table, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    rows = [
        (20 + i, ["Linz", SENTINEL][i % 2], ["flu", SENTINEL, "gout"][i % 3]) for i in range(12)
    ]
    with database() as connection:
        make_table(
            connection,
            "people",
            {"age": "integer", "town": "varchar", "disease": "varchar"},
            rows,
        )
        yield connection


def complaint(
    connection: Connection,
    error: type[SqlanonError] = SpecError,
    source: Any = "people",
    **changed: Any,
) -> str:
    """The message of a refusal that wrote nothing and shows no cell."""
    before = relations(connection)
    records = read(connection, "people")
    refusal = refused(error, source, connection=connection, **{**ROLES, **changed})
    assert relations(connection) == before
    assert read(connection, "people") == records
    assert refusal.exit_code == {SpecError: 2, InfeasibleError: 1, EngineError: 3}[error]
    assert SENTINEL not in str(refusal)
    assert SENTINEL not in repr(refusal)
    return str(refusal)


# --- the source and its columns ------------------------------------------------------------------


def test_missing_source(people: Connection) -> None:
    assert "source: there is no file 'nowhere.csv'" in complaint(people, source="nowhere.csv")
    assert "source: there is no file 'no/*.parquet'" in complaint(people, source="no/*.parquet")
    assert "source: there is no table or view 'nobody'" in complaint(people, source="nobody")
    assert "source: it cannot be read" in complaint(people, source="select * from nobody")


def test_a_query_must_be_one_that_reads(people: Connection) -> None:
    for query in ("select 1; drop table people", "with x as (select 1) delete from people"):
        assert "the query is refused" in complaint(people, source=query)
    assert "the query is refused" in complaint(people, source={"query": "drop table people"})
    made = anonymized(people, "select * from people -- all of them", **ROLES)
    assert len(made.rows) == 12


def test_a_source_is_a_file_or_a_table_or_a_query(people: Connection) -> None:
    assert "one of file, table or query" in complaint(people, source={})
    both = {"file": "a.csv", "table": "people"}
    assert "one of file, table or query" in complaint(people, source=both)
    assert "delimiter: for a text file alone, such as CSV" in complaint(
        people, source={"table": "people", "delimiter": ";"}
    )
    assert "an open quote" in complaint(people, source={"table": '"people'})


def test_unknown_columns_are_all_named_with_the_nearest(people: Connection) -> None:
    message = complaint(people, quasi_identifiers=["agee", "twon"], sensitive=["disaese"])
    assert "quasi_identifiers.agee: the source has no such column; did you mean 'age'?" in message
    assert "quasi_identifiers.twon: the source has no such column; did you mean 'town'?" in message
    assert "sensitive.disaese: the source has no such column; did you mean 'disease'?" in message
    message = complaint(people, quasi_identifiers=["xyz"])
    assert "known: 'age', 'disease', 'town'" in message


def test_a_column_has_one_role(people: Connection) -> None:
    message = complaint(people, sensitive=["disease", "town"])
    assert "sensitive.town: the column is already in quasi_identifiers: give it one role" in message
    message = complaint(people, insensitive=["age"], identifiers=["Disease"])
    assert "insensitive.age" in message
    assert "already in" in message
    assert message.count("give it one role") == 2


def test_an_empty_table(people: Connection) -> None:
    people.execute("create table nobody as from people limit 0")
    assert "source: it has no records" in complaint(people, source="nobody")
    Path("nobody.csv").write_text("age,town,disease\n", encoding="utf-8")
    assert "source: it has no records after" in complaint(people, source="nobody.csv")


def test_a_type_that_cannot_have_the_role(people: Connection) -> None:
    source = "select [age] as age, town, {'d': disease} as disease from people"
    message = complaint(people, source=source)
    assert "quasi_identifiers.age: a column of type" in message
    assert "sensitive.disease: a column of type" in message
    assert "cannot have this role: numbers, dates, timestamps, booleans and text can" in message


def test_a_file_that_cannot_be_read_does_not_show_itself(people: Connection) -> None:
    Path("bad.parquet").write_text(f"no parquet {SENTINEL}", encoding="utf-8")
    assert "source" in complaint(people, source="bad.parquet")
    lines = ["age,town,disease", *(f"{i},a,b" for i in range(50_000)), f'"{SENTINEL}']
    Path("bad.csv").write_text("\n".join(lines), encoding="utf-8")
    types = (
        "read_csv('bad.csv', columns = {'age': 'integer', 'town': 'varchar', 'disease': 'date'})"
    )
    complaint(people, source=f"select * from {types}")


@pytest.mark.parametrize(
    ("last", "why"),
    [
        (
            f"1,{SENTINEL},größe".encode("latin-1"),
            "line 3002 of the file cannot be read: it is not",
        ),
        (f"1,a,b,{SENTINEL}".encode(), "line 3002 of the file has 4 fields, the first 3"),
    ],
)
def test_a_file_that_cannot_be_read_says_which_line_and_why(
    people: Connection, last: bytes, why: str
) -> None:
    lines = [b"age,town,disease", *(b"%d,a,b" % i for i in range(3000)), last]
    Path("bad.csv").write_bytes(b"\n".join(lines))
    message = complaint(people, source="bad.csv")
    assert why in message


def test_a_value_of_another_type_is_said_to_be_one(people: Connection) -> None:
    lines = ["age,town,disease", *(f"{i},a,b" for i in range(50_000)), f"{SENTINEL},a,b"]
    Path("bad.csv").write_text("\n".join(lines), encoding="utf-8")
    message = complaint(people, source="from read_csv('bad.csv', sample_size = 9)")
    assert "line 50002, column age: a value is not of the type of its column" in message


def test_a_frame_that_is_none(people: Connection) -> None:
    message = complaint(people, source=object())
    assert "a object cannot be read as a table" in message
    with pytest.raises(SpecError, match="give a file, a table or a query"):
        sqlanon.compile(object(), connection=people, **ROLES)


def test_a_mapping_of_columns_is_to_be_a_frame(people: Connection) -> None:
    message = complaint(people, source={"age": [1, 2], "town": ["a", "b"], "disease": ["c", "d"]})
    assert "source: a mapping of columns is no source: give a frame" in message


# --- the spec on its own -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"k": 0}, "privacy.k: it must be greater than or equal to 1"),
        ({"k": "many"}, "privacy.k: it must be a whole number"),
        ({"k": 2.5}, "privacy.k: it must be a whole number"),
        ({"k": True}, "privacy.k: it must be a whole number"),
        ({"t": 2}, "privacy.t: it must be less than or equal to 1"),
        ({"t": -1}, "privacy.t: it must be greater than or equal to 0"),
        ({"t": "near"}, "privacy.t: it must be a number such as 0.2 or '1/5'"),
        ({"alpha": 0}, "privacy.alpha: it must be greater than 0"),
        ({"alpha": "3/2"}, "privacy.alpha: it must be less than or equal to 1"),
        ({"l": 0}, "privacy.l.distinct: it must be greater than or equal to 1"),
        ({"l": 1.5}, "privacy.l: it must be a whole number, or a mapping such as {distinct: 3"),
        ({"l": True}, "privacy.l.distinct: it must be a whole number"),
        ({"l": {"recursive": 3}}, "privacy.l.recursive: it must be a mapping such as {c: 3, l: 2}"),
        ({"l": {"entropie": 2}}, "privacy.l.entropie: unknown key; did you mean 'entropy'?"),
        ({"l": {"recursive": {"c": 2}}}, "privacy.l.recursive.l: it is missing"),
        (
            {"l": {"recursive": {"c": 0, "l": 2}}},
            "privacy.l.recursive.c: it must be greater than 0",
        ),
        ({"insensitve": []}, "insensitve: unknown key; did you mean 'insensitive'?"),
        ({"seed": -1}, "seed: it must be greater than or equal to 0"),
        ({"seed": 2**31}, "seed: it must be less than"),
        ({"method": "shuffle"}, "method.name"),
        ({"method": {**NAMED, "stak": "value"}}, "method.stak: unknown key; did you mean 'stack'?"),
        (
            {"method": {**NAMED, "stack": "snak"}},
            "method.stack: 'snak' is not accepted; did you mean 'snake'?",
        ),
        ({"materialize": "views"}, "materialize: 'views' is not accepted; did you mean 'view'?"),
        ({"quasi_identifiers": []}, "quasi_identifiers: name at least one column, as `column: {}`"),
        ({"quasi_identifiers": ["age", "town", "age"]}, "quasi_identifiers: it names 'age' twice"),
        ({"quasi_identifiers": {"age": 5}}, "quasi_identifiers.age: it must be the column's sett"),
        ({"quasi_identifiers": {2019: {}}}, "quasi_identifiers.2019: it must be a text: put it in"),
        (
            {"sensitive": 3},
            "sensitive: it must be columns with their settings, as `column: {t: 0.3}`, or a list",
        ),
        (
            {"sensitive": [], "t": 0.3},
            "privacy.t: it is asked of sensitive attributes, and none is declared",
        ),
        (
            {"sensitive": None, "method": "fragmentation"},
            "method: fragmentation needs sensitive attributes, and none is declared: take another "
            "method",
        ),
        ({"key": 3}, "key: it must be a column's name or a list of names"),
        ({"method": 5}, "method: it must be a method's name, or a mapping such as {name: stack_"),
        ({"choose": 5}, "choose: it must be a mapping such as {privacy_weight: 0.5}"),
        (
            {"privacy": {"differential": 3}, "k": None},
            "privacy.differential: it must be a mapping such as {epsilon: 1, delta: 0.000001}",
        ),
        (
            {"sensitive": {"disease": {"background": {"columns": ["town"]}}}},
            "sensitive.disease.background.columns: it must be a mapping, such as {NAME: VALUE}",
        ),
        ({"seed": None}, "seed: it must be a whole number"),
        (
            {"materialize": None},
            "materialize: an empty value is not accepted; known: 'live', 'table', 'v",
        ),
        (
            {"quasi_identifiers": {"age": {"publsh": "set"}}},
            "publsh: unknown key; did you mean 'publ",
        ),
        ({"quasi_identifiers": {"age": {"publish": "lca"}}}, "publish: lca needs a hierarchy"),
        ({"quasi_identifiers": {"age": {"weight": 0}}}, "weight: it must be greater than 0"),
        (
            {"sensitive": {"disease": {"t": 2}}},
            "sensitive.disease.t: it must be less than or equal",
        ),
        (
            {"sensitive": {"disease": {"distance": "far"}}},
            "sensitive.disease.distance: 'far' is not",
        ),
        (
            {"sensitive": {"disease": {"distance": "equal", "order": "natural"}}},
            "order belongs to distance: ordered",
        ),
        (
            {"sensitive": {"disease": {"distance": "ordered", "order": ["a", "a"]}}},
            "order names a value twice",
        ),
        (
            {"sensitive": {"disease": {"distance": "ordered", "order": "natrual"}}},
            "disease.order: it must be natural, frequency, or the list of all values in order",
        ),
        (
            {"sensitive": {"disease": {"distance": "hierarchical"}}},
            "distance: hierarchical and a hierarchy belong together",
        ),
        ({"settings": {"memory_limt": "1GB"}}, "DuckDB has no setting 'memory_limt'"),
        ({"settings": {"threads": "many"}}, "DuckDB refuses the setting threads"),
        ({"database": "x.duckdb"}, "give a database or a connection, not both"),
    ],
    ids=str,
)
def test_a_wrong_field(people: Connection, changed: dict[str, Any], said: str) -> None:
    assert said in complaint(people, **changed)


def test_privacy_is_a_mapping(people: Connection) -> None:
    roles = {name: value for name, value in ROLES.items() if name != "k"}
    with pytest.raises(SpecError, match="privacy: it must be a mapping such as"):
        sqlanon.anonymize("people", connection=people, **{**roles, "privacy": 5})


def test_a_source_is_something(people: Connection) -> None:
    assert "source: it must be a file, a table or a query" in complaint(people, source=None)


@pytest.mark.parametrize("name", ["l", "recursive", "hierarchy", "order"])
def test_a_column_may_be_called_as_a_setting_is(people: Connection, name: str) -> None:
    message = complaint(people, quasi_identifiers={name: {"weigth": 2}})
    assert f"quasi_identifiers.{name}.weigth: unknown key; did you mean 'weight'?" in message


def test_nothing_stands_for_an_empty_list(people: Connection) -> None:
    empty = dict.fromkeys(["identifiers", "insensitive", "key", "method", "choose"])
    assert len(anonymized(people, "people", **{**ROLES, **empty}).rows) == 12


def test_every_problem_is_listed_at_once(people: Connection) -> None:
    with pytest.raises(SpecError) as caught:
        anonymized(people, "people", **{**ROLES, "k": 0, "t": 2, "seed": -1, "extra": 1})
    assert len(caught.value.problems) == 4
    assert {problem.where for problem in caught.value.problems} == {
        "privacy.k",
        "privacy.t",
        "seed",
        "extra",
    }


def test_what_is_missing_is_named(people: Connection) -> None:
    with pytest.raises(SpecError) as caught:
        sqlanon.anonymize("people", connection=people)
    assert {str(problem) for problem in caught.value.problems} == {
        "quasi_identifiers: it is missing",
        "privacy.k: it is missing",
    }


def test_a_spec_file(people: Connection, tmp_path: Path) -> None:
    def spec(text: str) -> str:
        (tmp_path / "spec.yaml").write_text(textwrap.dedent(text), encoding="utf-8")
        with pytest.raises(SpecError) as caught:
            sqlanon.anonymize(tmp_path / "spec.yaml", connection=people)
        return str(caught.value)

    with pytest.raises(SpecError, match="there is no spec file"):
        sqlanon.anonymize(tmp_path / "none.yaml", connection=people)
    assert "must hold a mapping" in spec("- a\n- b\n")
    assert "spec.yaml' is empty" in spec("")
    assert "spec.yaml' is empty" in spec("# nothing yet\n")
    assert "no valid YAML at line 2, column 1" in spec("a: [1\n")
    assert "no valid YAML" in spec("a: !!python/object:os.system x\n")
    twice = "source: people\nrelease: x\nprivacy:\n  k: 2\n  k: 3\n"
    assert "the mapping at line 4 names 'k' twice" in spec(twice)
    assert "${NOT_SET_ANYWHERE}, which is not set" in spec("source: ${NOT_SET_ANYWHERE}\n")
    (tmp_path / "latin.yaml").write_bytes("source: größe\n".encode("latin-1"))
    with pytest.raises(SpecError, match="cannot be read"):
        sqlanon.anonymize(tmp_path / "latin.yaml", connection=people)
    good = (
        "source: people\nrelease: x\nquasi_identifiers: age\nsensitive: disease\nprivacy: {k: 2}\n"
    )
    (tmp_path / "good.yaml").write_text(good, encoding="utf-8")
    with pytest.raises(SpecError, match="a spec is given, so"):
        sqlanon.anonymize(tmp_path / "good.yaml", connection=people, k=3)
    assert relations(people) == {"people"}


def test_a_frame_with_two_columns_of_one_name(people: Connection) -> None:
    frame = people.execute("select age, town, disease from people").df()
    frame.columns = ["age", "town", "town"]
    refused = pytest.raises(SpecError, match="source: the frame has two columns called 'town'")
    with refused:
        sqlanon.anonymize(frame, **ROLES | {"sensitive": []})
    with refused:
        sqlanon.profile(frame)


@pytest.mark.parametrize("other", ["NaN", "Infinity"])
def test_decimals_next_to_nan_are_not_rounded(people: Connection, other: str) -> None:
    """DuckDB holds them in doubles of 32 bits, where 12345678.91 is 12345679."""
    given = people.execute("select age, town, disease from people").df()
    decimals = [Decimal(other), *[Decimal("12345678.91")] * (len(given) - 1)]
    given["pay"] = pd.Series(decimals, dtype=object)
    said = str(refused(SpecError, given, **ROLES | {"sensitive": ["pay"]}))
    assert "the frame's column 'pay' has values that the database does not hold as they are" in said
    given["pay"] = pd.Series([Decimal(other), *[Decimal("1.5")] * (len(given) - 1)], dtype=object)
    sqlanon.anonymize(given, **DEALT | ROLES | {"sensitive": ["pay"]}).close()


def arrow(people: Connection) -> tuple[Any, Any]:
    """PyArrow, and the people as one of its tables."""
    pa = pytest.importorskip("pyarrow")
    return pa, pa.Table.from_pandas(people.execute("select age, town, disease from people").df())


def test_an_arrow_table_is_called_by_names_and_never_by_cells(people: Connection) -> None:
    """Its ``columns`` are cells, of which a message would show some."""
    pa, cells = arrow(people)
    twice = pa.table([*cells.columns], names=["age", "age", "disease"])
    said = str(refused(SpecError, twice, **ROLES))
    assert "source: the frame has two columns called 'age'" in said
    assert SENTINEL not in said
    wide = pa.array([0] * len(cells), type=pa.decimal256(50, 2))
    beside = cells.append_column("wide", wide)
    assert sqlanon.anonymize(beside, **DEALT | ROLES).relation
    said = str(refused(SpecError, beside, **ROLES | {"quasi_identifiers": ["age", "wide"]}))
    assert (
        "the frame's column 'wide' has values that the database does not hold as they are" in said
    )


def test_a_file_with_a_value_that_no_database_holds_is_a_fault_of_the_source(
    tmp_path: Path,
) -> None:
    pa = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    columns = {"age": [1, 2] * 3, "at": pa.array([9 * 10**18, 5] * 3, type=pa.timestamp("ms"))}
    file = tmp_path / "far.parquet"
    parquet.write_table(pa.table(columns), file)
    asked = {"quasi_identifiers": ["age", "at"], "sensitive": []}
    said = str(refused(SpecError, str(file), **ROLES | asked))
    assert said.startswith("source: it has values that cannot be read: DuckDB refused")


def test_cells_that_a_database_cannot_read_are_said_to_be_of_their_column() -> None:
    pandas = pytest.importorskip("pandas")
    for cells in ([True, 2], ["a", "\ud800"]):
        odd = pandas.Series(cells * 3, dtype=object)
        frame = pandas.DataFrame({"age": [1, 2] * 3, "town": odd, "disease": ["a", "b"] * 3})
        said = str(refused(SpecError, frame, **ROLES))
        assert "source: of the frame's column 'town' some cells cannot be read" in said


def test_a_connection_that_another_thread_uses_is_said_to_be_busy() -> None:
    """DuckDB 2 refuses the second call, which a run would tell of in words withheld."""

    class ResourceInUseException(duckdb.Error):
        pass

    error = ResourceInUseException("Resource In Use Error: connection is busy with another call")
    assert "give each its own, by connection.cursor()" in str(safe_message(error, ""))


def test_objects_of_a_frame_are_read_as_they_are_or_not_at_all() -> None:
    """DuckDB takes a column's type from the first thousand, and rounds what does not fit it."""
    pandas = pytest.importorskip("pandas")

    def frame(*cells: Any) -> Any:
        pays = pandas.Series(cells, dtype=object)
        return pandas.DataFrame({"age": [1, 2] * (len(cells) // 2), "pay": pays})

    asked = {"quasi_identifiers": ["age"], "sensitive": ["pay"], "k": 2, **DEALT}
    ones = [1] * 3000
    with sqlanon.anonymize(frame(*ones, 2.7, 2.7, *ones), **asked) as made:
        assert set(made.frame()["pay"]) == {1, 2.7}
    long = Decimal("0.1234567890123456789012345678901234567891")
    for odd in (long, 2**53 + 1, pandas.Timestamp(1)):
        other = odd if isinstance(odd, pandas.Timestamp) else 0.5
        said = str(refused(SpecError, frame(odd, other, odd, other), **asked))
        assert "the frame's column 'pay' has values that the database does not hold" in said


def test_a_database_that_fails_for_good_is_an_error_of_ours(people: Connection) -> None:
    """DuckDB 2.0 ends at such a time, and takes nothing more: no clean-up hides the error."""
    pa, cells = arrow(people)
    far = pa.array([10**15] * len(cells), type=pa.timestamp("s"))
    with pytest.raises(SqlanonError):
        sqlanon.anonymize(
            cells.append_column("at", far), **DEALT | ROLES | {"quasi_identifiers": ["age", "at"]}
        )


def test_a_closed_release_says_so(tmp_path: Path, people: Connection) -> None:
    frame = people.execute("select age, town, disease from people").df()
    release = sqlanon.anonymize(frame, **ROLES)
    release.close()
    for read_it in (release.frame, release.arrow):
        with pytest.raises(EngineError, match="the connection was closed: open the database again"):
            read_it()


# --- hierarchies ---------------------------------------------------------------------------------


def hierarchy(connection: Connection, declared: Any, column: str = "town", **more: Any) -> str:
    """The complaint about a quasi-identifier's hierarchy."""
    return complaint(connection, quasi_identifiers={column: {"hierarchy": declared}}, **more)


def test_a_hierarchy_that_does_not_cover_a_value(people: Connection) -> None:
    """How many values and records, where to mend it; not which."""
    message = hierarchy(people, {"tree": {"*": {"Austria": ["Linz", "Graz"]}}})
    assert message.startswith("quasi_identifiers.town.hierarchy: ")
    assert "does not cover 1 of the column's 2 values, in 6 records" in message
    by_tree = {"distance": "hierarchical", "hierarchy": {"tree": {"*": ["flu", "gout"]}}}
    message = complaint(people, sensitive={"disease": by_tree})
    assert message.startswith("sensitive.disease.hierarchy: ")
    assert "does not cover 1 of the column's 3 values, in 4 records" in message
    by_order = {"distance": "ordered", "order": ["flu", "gout"]}
    message = complaint(people, sensitive={"disease": by_order})
    assert "sensitive.disease.order: the order does not cover 1 of the column's 3" in message
    null = {"sql": ["case when town = 'Linz' then 'Austria' end"]}
    assert "does not cover 1 of the column's 2 values" in hierarchy(people, null)


def test_ambiguous_labels(people: Connection) -> None:
    """One label for several groups, for a group and a leaf, or for the root and a group."""
    two = {"tree": {"*": {"A": {"other": ["Linz"]}, "B": {"other": [SENTINEL]}}}}
    assert "1 labels stand for several different groups" in hierarchy(people, two)
    leaf = {"tree": {"*": {"Linz": ["Linz", SENTINEL], "A": ["Graz"]}}}
    assert "1 labels stand for several" in hierarchy(people, leaf)
    root = {"tree": {"A": {"*": ["Linz"]}, "B": [SENTINEL]}}
    assert "1 labels stand for several" in hierarchy(people, root)
    bands = {"sql": ["case when age < 25 then 'young' else 'old' end", "age // 10 * 10"]}
    assert "labels stand for several" in hierarchy(people, bands, "age")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("\n \n", "is empty"),
        (
            f"Linz;Austria;*\nLinz;Italy;*\n{SENTINEL};A;*\n",
            "line 1 and 2 place one leaf differently",
        ),
        (f"Linz;;*\n{SENTINEL};A;*\n", "line 1 has an empty level"),
        ("Linz;Austria;*\n", "does not cover 1 of the column's 2 values"),
        (f"Town;country\nLinz;Austria\n{SENTINEL};A\n", "line 1 of the file 'towns.csv' begins"),
        (f"\nvalue;land\nLinz;A;*\n{SENTINEL};A;*\n", "line 2 of the file 'towns.csv' alone"),
    ],
    ids=["empty", "blank", "two places", "empty level", "uncovered", "header", "other header"],
)
def test_a_wrong_hierarchy_file(people: Connection, text: str, said: str) -> None:
    Path("towns.csv").write_text(text, encoding="utf-8")
    message = hierarchy(people, "towns.csv")
    assert message.startswith("quasi_identifiers.town.hierarchy: ")
    assert said in message


def test_a_missing_or_unreadable_hierarchy_file(people: Connection) -> None:
    assert "there is no file 'none.csv'" in hierarchy(people, "none.csv")
    Path("latin.csv").write_bytes("Größe;*\n".encode("latin-1"))
    assert "cannot be read" in hierarchy(people, "latin.csv")
    Path("folder").mkdir()
    assert "cannot be read" in hierarchy(people, "folder")


def test_a_ragged_hierarchy_file_is_no_fault(people: Connection) -> None:
    """A leaf that hangs higher than others is one; a line may end before the root, or be blank."""
    text = f"\n \nLinz;Upper;Austria;*\n\nGraz;Austria\n{SENTINEL}\n"
    Path("towns.csv").write_text(text, "utf-8")
    declared = {"town": {"hierarchy": "towns.csv"}, "age": {}}
    made = anonymized(people, "people", quasi_identifiers=declared, sensitive="disease", k=12)
    assert {row[0] for row in made.rows} == {"*"}


@pytest.mark.parametrize(
    ("column", "declared", "said"),
    [
        ("town", {"bands": [5]}, "quasi_identifiers.town.hierarchy: bands need numbers"),
        ("town", {"dates": ["year"]}, "dates need a date or a timestamp"),
        ("age", {"dates": ["year"]}, "dates need a date or a timestamp"),
        ("age", {"bands": [5, 12]}, "bands of 12 do not hold whole bands of 5"),
        ("age", {"bands": [5, 5]}, "do not hold whole bands"),
        ("age", {"bands": [0]}, "must be greater than 0"),
        ("town", {"prefix": [2, 3]}, "the kept lengths must fall"),
        ("town", {"prefix": []}, "hierarchy.prefix"),
        ("town", {"tree": {}}, "hierarchy.tree"),
        ("town", {"tree": {"*": [["Linz"]]}}, "a member of a group must be a value or a group"),
        ("town", {"tree": {"*": [None]}}, "a member of a group must be a value or a group"),
        ("town", {"tree": {"*": "Linz"}}, "must be a list, or groups again"),
        ("town", {"prefx": [1]}, "a hierarchy is a file name or one of"),
        ("town", {"prefix": [1], "bands": [5]}, "a hierarchy is a file name or one of"),
        ("town", {"file": "x.csv", "delimeter": ";"}, "unknown key; did you mean 'delimiter'?"),
        ("age", {"sql": ["agee / 2"]}, "level 1: it names 'agee'; only ['age'] is there"),
        ("age", {"sql": ["age / 2", "(select 1)"]}, "level 2: it must be a scalar expression"),
        ("age", {"sql": ["max(age)"]}, "it must be a scalar expression"),
        ("age", {"sql": ["age); drop table people; --"]}, "cannot be read as one SQL expression"),
        ("age", {"sql": ["age as x, age"]}, "level 1"),
        ("age", {"sql": ["age from people --"]}, "level 1"),
        ("age", {"sql": []}, "hierarchy.sql"),
    ],
    ids=str,
)
def test_a_wrong_hierarchy(people: Connection, column: str, declared: Any, said: str) -> None:
    assert said in hierarchy(people, declared, column)


def test_a_hierarchy_whose_sql_fails_on_a_value(people: Connection) -> None:
    """The database's own message would quote the value: it is withheld, the step is named."""
    declared = {"town": {"hierarchy": {"sql": ["cast(town as integer) // 10"]}}}
    message = complaint(people, quasi_identifiers=declared)
    assert message.startswith("quasi_identifiers.town.hierarchy.sql: its SQL fails on a value")
    assert "ConversionException" in message
    assert "withheld" in message
    assert "leaves of town" in message


@pytest.mark.parametrize("source", ["v", "select * from v"])
def test_a_view_whose_own_sql_fails_on_a_value(source: str) -> None:
    """It is the source's fault, and no cell is quoted."""
    with database() as connection:
        connection.execute(
            "create table t as select 'SECRET' || i as age, i as s from range(9) r(i)"
        )
        connection.execute("create view v as select cast(age as integer) as age, s from t")
        declared = {"quasi_identifiers": ["age"], "sensitive": ["s"], "k": 2}
        error = refused(SpecError, source, connection=connection, **declared)
        assert str(error).startswith("source: it has values that cannot be read: DuckDB refused")
        assert "SECRET" not in str(error)


def test_a_statement_that_is_nested_too_deeply_says_what_to_do(people: Connection) -> None:
    """As of some 300 quasi-identifiers, whose codes are hashed one after the other."""
    deep = "select age, town, disease, " + " + ".join(["age"] * 1100) + " as n from people"
    said = complaint(people, source={"query": deep})
    assert "nested too deeply: give fewer columns a role, or shorten a query" in said


@pytest.mark.parametrize("day", ["5877642-06-25 (BC)", "5881580-07-10", "infinity"])
def test_a_date_that_no_timestamp_reaches(day: str) -> None:
    with database() as connection:
        connection.execute(
            "create table t as select date '2020-01-01' + cast(i as integer) as d, i % 3 as s "
            f"from range(9) as r(i) union all select date '{day}', 1"
        )
        declared = {"quasi_identifiers": ["d"], "sensitive": ["s"], "k": 2}
        error = refused(SpecError, "t", connection=connection, **declared)
        assert str(error) == (
            "quasi_identifiers.d: 1 records hold infinity or a year beyond 290,000, which lie "
            "nowhere on a scale: make them NULL in the source, remove them, or say publish: set"
        )


def test_a_temporary_table_has_a_name_of_its_own() -> None:
    with database() as connection:
        connection.execute("create temporary table mine as select i as q from range(9) as r(i)")
        declared: dict[str, Any] = {"connection": connection, "quasi_identifiers": ["q"], "k": 2}
        error = refused(SpecError, "mine", **declared)
        assert str(error) == (
            "source: there is no table or view 'mine'; a temporary one is there: name it "
            "'temp.mine'"
        )
        sqlanon.anonymize("temp.mine", **declared).close()


@pytest.mark.parametrize(
    "method", ["stack_and_deal", *slow("split_or_deal", "deal_tree", "fragmentation", "mondrian")]
)
def test_a_number_that_lies_nowhere(method: str) -> None:
    """It is refused before any method meets it, and published where no scale is needed."""
    with database() as connection:
        connection.execute(
            "create table t as select i % 20 as s, case when i % 10 = 0 then 'nan'::double when "
            "i % 10 = 1 then 'inf' else i % 7 + 0.5 end as x from range(60) as r(i)"
        )
        declared: dict[str, Any] = {
            "connection": connection,
            "sensitive": {"s": {"distance": "ordered", "t": 1}},
            "k": 5,
            "method": method,
        }
        with pytest.raises(SpecError) as caught:
            sqlanon.anonymize("t", quasi_identifiers="x", **declared)
        assert str(caught.value) == (
            "quasi_identifiers.x: 12 records hold NaN or infinity, which lie nowhere on a scale: "
            "make them NULL in the source, remove them, or say publish: set"
        )
        sets = {"x": {"publish": "set"}}
        sqlanon.anonymize("t", quasi_identifiers=sets, **declared).close()


def test_doubles_whose_distance_has_no_end() -> None:
    with database() as connection:
        connection.execute(
            "create table t as select i % 3 as s, case when i < 3 then 1e308 when i < 5 then "
            "-1e308 else i end as x from range(12) as r(i)"
        )
        error = refused(SpecError, "t", connection=connection, quasi_identifiers="x", k=2)
        assert str(error).startswith(
            "quasi_identifiers.x: 5 records hold numbers beyond 10^307, which lie nowhere"
        )


def test_forms_that_do_not_fit_the_type(people: Connection) -> None:
    for publish in ("interval", "bounds"):
        message = complaint(people, quasi_identifiers={"town": {"publish": publish}})
        assert f"quasi_identifiers.town.publish: {publish} needs numbers or dates" in message
        hierarchical = {"hierarchy": {"bands": [5]}, "publish": publish}
        message = complaint(people, quasi_identifiers={"age": hierarchical})
        assert f"publish: {publish} takes no hierarchy" in message


@pytest.mark.parametrize("order", [{}, {"order": "natural"}])
def test_text_has_no_natural_order(people: Connection, order: dict[str, str]) -> None:
    message = complaint(people, sensitive={"disease": {"distance": "ordered", **order}})
    assert "sensitive.disease.order: text has no natural order" in message
    assert "list the values in order in a spec (`sqlanon check` takes it with --spec)" in message


# --- the release's name --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name", ["people", "PEOPLE", "main.people", '"people"', "memory.people", "memory.main.people"]
)
def test_the_release_is_not_the_source(people: Connection, name: str) -> None:
    assert "release: it is the source; the source is never written" in complaint(
        people, release=name
    )
    said = "release: it is read by the source's query; the source is never written"
    for query in (
        "select * from people",
        "from Memory.MAIN.people",
        "with people as (select * from people) select * from people",
        "select * from range(3) as t(age) where age in (select age from people) union from people",
    ):
        assert said in complaint(people, source=query, release=name)


@pytest.mark.parametrize("part", ["classes", "metrics", "run", "rows"])
def test_nothing_beside_the_release_is_the_source(people: Connection, part: str) -> None:
    people.execute(f"create table x__{part} as from people")
    message = complaint(people, source=f"x__{part}", release="X", materialize="view")
    assert "which is the source; the source is never written" in message


@pytest.mark.parametrize("kind", ["table", "view"])
@pytest.mark.parametrize("name", ["mine", "mine__classes", "mine__metrics"])
def test_what_is_no_release_is_not_overwritten(people: Connection, kind: str, name: str) -> None:
    people.execute(f"create {kind} {name} as select 1 as one")
    message = complaint(people, release="mine")
    assert f"a relation '{name}' exists and is no release of sqlanon's" in message
    assert read(people, name) == (("one",), [(1,)])


@pytest.mark.parametrize("name", ["", "a.", '"open', "sqlanon_x", "a..b", '"a"b'])
def test_a_name_that_is_none(people: Connection, name: str) -> None:
    assert "release" in complaint(people, release=name)


def test_a_release_may_replace_a_release(people: Connection) -> None:
    """Of either kind, and its own relations with it."""
    first = anonymized(people, "people", **ROLES)
    second = anonymized(people, "people", **{**ROLES, "k": 6}, materialize="view")
    assert second.rows != first.rows
    third = anonymized(people, "people", **ROLES)
    assert third.rows == first.rows


# --- infeasible ----------------------------------------------------------------------------------


INFEASIBLE: dict[str, list[tuple[dict[str, Any], str]]] = {
    "table": [
        ({"k": 13}, "k is 13, the source has only 12 records; lower k"),
        ({"t": 0}, "t_closeness of disease: asked for 0, reached 0.333333 (6 classes"),
        ({"alpha": "1/3"}, "alpha of disease: asked for 1/3, reached 0.5"),
        ({"l": {"recursive": {"c": 1, "l": 2}}}, "recursive_l of disease: asked for c = 1, l = 2"),
        ({"l": {"recursive": {"c": 9, "l": 3}}}, "recursive_l of disease: asked for c = 9, l = 3"),
    ],
    "view": [
        ({"t": 0}, "t_closeness of disease: asked for 0, reached 0.333333 (6 classes"),
        ({"l": 3}, "distinct_l of disease: asked for 3, reached 2"),
    ],
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("materialize", INFEASIBLE)
def test_infeasible_leaves_the_old_release(people: Connection, materialize: str) -> None:
    anonymized(people, "people", **ROLES, materialize=materialize)
    parts = sorted(name for name in relations(people) if name.startswith("anonymized"))
    before = {name: read(people, name) for name in parts}
    for changed, said in INFEASIBLE[materialize]:
        message = complaint(people, InfeasibleError, materialize=materialize, **changed)
        assert said in message
        assert {name: read(people, name) for name in parts} == before


def test_all_that_is_violated_is_evidence(people: Connection) -> None:
    with pytest.raises(InfeasibleError) as caught:
        anonymized(people, "people", **ROLES, t=0, l=3, alpha="1/3")
    found = [
        (shortfall.model, shortfall.attribute, shortfall.classes)
        for shortfall in caught.value.shortfalls
    ]
    assert found == [
        ("distinct_l", "disease", 6),
        ("alpha", "disease", 6),
        ("t_closeness", "disease", 6),
    ]
    assert all(
        shortfall.reached is not None and shortfall.threshold
        for shortfall in caught.value.shortfalls
    )


def test_a_script_is_refused_as_the_run_is(people: Connection) -> None:
    """Its error carries the counts, and its transaction leaves the old release."""
    before = anonymized(people, "people", **ROLES).rows
    script = sqlanon.compile("people", connection=people, **{**ROLES, "t": 0})
    with pytest.raises(Exception, match="does not reach what the spec asks for") as caught:
        people.execute(script)
    assert SENTINEL not in str(caught.value)
    people.execute("rollback")
    assert read(people, "anonymized")[1] == before
    assert not [name for name in relations(people) if name.startswith("sqlanon_")]


def test_no_name_is_filled_with_a_count(people: Connection) -> None:
    """A column may be called as what a check finds, in braces: a message quotes it as it is."""
    people.execute('create table braced as select age as "{missing}", disease from people')
    bands = {"{missing}": {"hierarchy": {"bands": [[0, 1]]}}}
    where = "quasi_identifiers.{missing}.hierarchy: "
    assert where in complaint(people, source="braced", quasi_identifiers=bands)
    declared = {**ROLES, "quasi_identifiers": bands}
    with pytest.raises(duckdb.Error, match=re.escape(where)):
        people.execute(sqlanon.compile("braced", connection=people, **declared))
    people.execute("rollback")


# --- database files ------------------------------------------------------------------------------


def test_a_refused_run_makes_no_database_file(people: Connection, tmp_path: Path) -> None:
    people.execute("copy people to 'people.csv'")
    before = sorted(tmp_path.iterdir())
    for changed in ({"k": 13}, {"t": 0}, {"quasi_identifiers": "agee"}, {"settings": {"x": 1}}):
        fields: dict[str, Any] = {**ROLES, **changed}
        refused(SqlanonError, "people.csv", database="new.duckdb", **fields)
        assert sorted(tmp_path.iterdir()) == before
    made = sqlanon.anonymize("people.csv", database="new.duckdb", **ROLES)
    made.engine.close()
    with database(tmp_path / "new.duckdb") as connection:
        assert relations(connection) == {
            "anonymized" + part for part in ("", "__classes", "__metrics", "__run")
        }


def test_a_database_that_another_process_holds_is_named_with_what_to_do(
    people: Connection, tmp_path: Path
) -> None:
    holding = "import duckdb; held = duckdb.connect('held.duckdb'); print(flush=True); input()"
    command = [sys.executable, "-c", holding]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, cwd=tmp_path, stdin=pipe, stdout=pipe) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        refusal = refused(EngineError, "people.csv", database="held.duckdb", **ROLES)
        holder.communicate(b"\n")
    assert str(refusal) == (
        f"the database 'held.duckdb' cannot be opened: another process ({holder.pid}) has it open, "
        "and DuckDB lets no other process in while one may write: wait for its end or close the "
        "database there, or work with a copy or another file"
    )


def test_a_database_that_cannot_be_opened(people: Connection, tmp_path: Path) -> None:
    (tmp_path / "no.duckdb").write_bytes(bytes(8) + b"DUCK and nothing of it")
    refusal = refused(EngineError, "people.csv", database="no.duckdb", **ROLES)
    assert "the database 'no.duckdb' cannot be opened" in str(refusal)
    refusal = refused(SpecError, "people.csv", database="no/folder/x.duckdb", **ROLES)
    assert "there is no folder 'no/folder' for the database" in str(refusal)


# --- killed and interrupted ----------------------------------------------------------------------

BIG = 60_000


def in_a_process(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """Run Python code in a process of its own, whose temporary files stay in the folder."""
    (folder / "tmp").mkdir(exist_ok=True)
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(paths),
        "TMPDIR": str(folder / "tmp"),
    }
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


KILLED = f"""
import os, signal
import sqlanon

def die(event):
    if (event.kind, event.title) == {{when!r}}:
        os.kill(os.getpid(), signal.SIGKILL)

sqlanon.anonymize(
    "select i % 50 as age, i % 6 as disease from range({BIG}) as t(i)",
    database="release.duckdb",
    quasi_identifiers="age",
    sensitive="disease",
    k=10,
    method="stack_and_deal",
    progress=die,
)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "when",
    [
        ("end", "every declared model holds"),
        *(  # tests/release/test_kills.py kills runs at any moment
            pytest.param(("end", title), marks=pytest.mark.further)
            for title in ("stacking the records", "writing the release", "metrics")
        ),
    ],
    ids=lambda when: str(when[1]),
)
def test_a_killed_run_leaves_the_old_release(tmp_path: Path, when: tuple[str, str]) -> None:
    """Readable, with nothing of the run beside it; and the next run works."""
    file = tmp_path / "release.duckdb"
    query = "select i % 40 as age, i % 5 as disease from range(400) as t(i)"
    roles: dict[str, Any] = {"quasi_identifiers": "age", "sensitive": "disease", "k": 4, **DEALT}
    sqlanon.anonymize(query, database=file, **roles).engine.close()
    names = {"anonymized" + part for part in ("", "__classes", "__metrics", "__run")}
    with database(file) as connection:
        before = {name: read(connection, name) for name in names}
    killed = in_a_process(KILLED.format(when=when), tmp_path)
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    spilled = list((tmp_path / "tmp").glob("sqlanon-spill-*"))
    assert len(spilled) == 1, "the process was killed while it ran"
    with database(file) as connection:
        assert relations(connection) == names
        assert {name: read(connection, name) for name in names} == before
    again = in_a_process(KILLED.format(when=("never", "")), tmp_path)
    assert again.returncode == 0, again.stderr
    with database(file) as connection:
        assert relations(connection) == names
        assert len(read(connection, "anonymized")[1]) == BIG
    assert not list((tmp_path / "tmp").iterdir()), "what spilled is removed by the next run"


INTERRUPTED = """
import os, signal, threading, time
import sqlanon

signal.signal(signal.SIGINT, signal.default_int_handler)
roles = dict(
    quasi_identifiers="age",
    sensitive="disease",
    k=4,
    method="stack_and_deal",
    database="release.duckdb",
)
first = sqlanon.anonymize("select i % 40 as age, i % 5 as disease from range(400) as t(i)", **roles)
rows = first.frame().values.tolist()
first.engine.close()
asked = []

def interrupt():
    asked.append(time.monotonic())
    os.kill(os.getpid(), signal.SIGINT)

def watch(event):
    if not asked and {when}:
        asked.append(None)
        threading.Timer({delay}, interrupt).start()

slow = (
    "select i % 40 as age, i % 5 as disease from range(400) as t(i) where (select count(*) from "
    "range(200000) as a(x), range(200000) as b(y) where (x * y + x) % 7 = 3) > 0"
)
try:
    sqlanon.anonymize({source}, **roles, progress=watch)
except sqlanon.InterruptedRunError as error:
    print("interrupted", error.exit_code, time.monotonic() - asked[-1] < 2.0, str(error))
import duckdb
import pandas as pd
with duckdb.connect("release.duckdb") as connection:
    print(connection.sql("from anonymized").fetchall() == [tuple(row) for row in rows])
    tables = connection.sql("select table_name from duckdb_tables() order by all").fetchall()
    print([name for name, in tables])
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("source", "when", "delay"),
    [
        ("slow", "event.title == 'reading the source'", 0.4),
        pytest.param(
            f"'select i % 50 as age, i % 6 as disease from range({BIG}) as t(i)'",
            "(event.kind, event.title) == ('end', 'writing the release')",
            0,
            marks=pytest.mark.slow,
        ),
    ],
    ids=["within a statement", "anywhere"],
)
def test_an_interrupted_run_stops_at_once(
    tmp_path: Path, source: str, when: str, delay: float
) -> None:
    """Ctrl-C ends the run within two seconds, whatever it is doing; the old release stays."""
    code = INTERRUPTED.format(source=source, when=when, delay=delay)
    done = in_a_process(code, tmp_path)
    assert done.returncode == 0, done.stderr
    said, same, tables = done.stdout.splitlines()
    assert said == "interrupted 130 True interrupted; nothing was published"
    assert same == "True"
    assert re.findall(r"'(\w+)'", tables) == [
        "anonymized",
        "anonymized__classes",
        "anonymized__metrics",
        "anonymized__run",
    ]


@pytest.mark.parametrize("order", [{}, {"order": "natural"}])
def test_a_time_of_day_is_not_called_text(order: dict[str, str]) -> None:
    with database() as connection:
        connection.execute(
            "create table t as select i % 3 as q, time '08:30' as s from range(9) r(i)"
        )
        declared = {"s": {"distance": "ordered", **order}}
        error = refused(
            SpecError, "t", connection=connection, quasi_identifiers="q", sensitive=declared, k=2
        )
        assert "sensitive.s: a column of type TIME cannot have this role" in str(error)
        assert "text has" not in str(error)
