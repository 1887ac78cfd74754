"""A table that is checked with a spec is a release of its source, or it is refused.

Every test of a fault takes a release that passes and does one thing to it.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support import DEALT, Connection, database, make_table, slow

import sqlanon
from sqlanon.judge.check_result import CheckResult

SPEC: dict[str, Any] = {
    "source": {"table": "t"},
    "release": "public",
    "identifiers": ["id"],
    "quasi_identifiers": {
        "age": {},
        "zip": {"hierarchy": {"prefix": [4, 2, 0]}},
        "town": {},
        "visits": {"publish": "bounds"},
    },
    "sensitive": {"disease": {}},
    "insensitive": ["ward"],
    "privacy": {"k": 4},
    "method": {"name": "stack_and_deal", "locality": "curve"},
}
SOURCE = """
create table t as select
    i as id,
    (20 + i * 7 % 50)::integer as age,
    lpad((i * 37 % 90)::varchar, 4, '0') as zip,
    'town ' || (i * i % 7) as town,
    i % 9 as visits,
    ['flu', 'cold', 'ulcer'][1 + i % 3] as disease,
    'ward ' || (i % 4) as ward
from range(120) as r(i)
"""


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a source and a release of it."""
    file = tmp_path_factory.mktemp("released") / "released.duckdb"
    with database(file) as fresh:
        fresh.execute(SOURCE)
        sqlanon.anonymize(sqlanon.parse_spec(SPEC), connection=fresh).engine.close()
    return file


@pytest.fixture
def connection(released: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Connection]:
    """A copy of it, to do with as a test likes."""
    file = tmp_path_factory.mktemp("copy") / released.name
    shutil.copy(released, file)
    with database(file) as copy:
        yield copy


def checked(connection: Connection, table: Any = "public", **changed: Any) -> CheckResult:
    spec = sqlanon.parse_spec({**SPEC, **changed})
    return sqlanon.check(table, spec=spec, connection=connection)


def faults(found: CheckResult) -> set[tuple[str, str | None]]:
    return {(fault.what, fault.column) for fault in found.faults}


def changed(connection: Connection, columns: str) -> CheckResult:
    """The check of the release with other columns."""
    connection.execute(f"create or replace table other as select {columns} from public as p")
    return checked(connection, "other")


def test_an_untouched_release_passes(connection: Connection) -> None:
    found = checked(connection)
    assert found.passed
    assert not found.faults
    assert found.measure("gcp") is not None
    assert changed(connection, "ward, * exclude (ward)").passed, "the order of columns is free"


def test_a_release_is_checked_by_the_spec_of_its_run(connection: Connection) -> None:
    found = sqlanon.check("public", connection=connection)
    assert found == checked(connection)
    with pytest.raises(sqlanon.SpecError, match="no release"):
        sqlanon.check("t", connection=connection)
    with pytest.raises(sqlanon.SpecError, match="quasi_identifiers"):
        sqlanon.check("t.csv", connection=connection)


def test_a_release_that_was_changed_is_not_checked_by_the_spec_of_its_run(
    connection: Connection,
) -> None:
    connection.execute("delete from public where rowid = 3")
    with pytest.raises(sqlanon.SpecError, match="changed since its run"):
        sqlanon.check("public", connection=connection)


@pytest.mark.slow
def test_a_release_of_records_without_a_name_is_checked_against_them(
    connection: Connection,
) -> None:
    """The run kept no name of them: who checks gives them again."""
    records = connection.sql("select * from t").to_arrow_table()
    declared = {name: value for name, value in SPEC.items() if name not in ("source", "release")}
    release = sqlanon.anonymize(records, release="of_frame", connection=connection, **declared)
    with pytest.raises(sqlanon.SpecError, match="no name"):
        sqlanon.check(release)
    found = sqlanon.check(release, reference=records)
    assert found.passed
    assert found.measure("gcp") == checked(connection).measure("gcp")
    with pytest.raises(sqlanon.SpecError, match="knows its spec"):
        sqlanon.check(release, k=3)
    release.engine.close()


# --- columns -------------------------------------------------------------------------------------


def test_an_identifier_beside_the_declared_columns_is_refused(connection: Connection) -> None:
    found = changed(connection, "*, row_number() over () as id")
    assert faults(found) == {("undeclared_column", "id")}
    assert not found.passed
    assert found.measure("k_anonymity") == checked(connection).measure("k_anonymity")


def test_an_exact_age_beside_the_declared_columns_is_refused(connection: Connection) -> None:
    found = changed(connection, "*, 31 as exact_age")
    assert faults(found) == {("undeclared_column", "exact_age")}


def test_a_missing_insensitive_column_is_refused(connection: Connection) -> None:
    found = changed(connection, "* exclude (ward)")
    assert faults(found) == {("missing_column", "ward")}
    assert not found.passed
    assert found.measures == ()


def test_an_identifier_in_place_of_the_insensitive_column_is_refused(
    connection: Connection,
) -> None:
    found = changed(connection, "* replace ('person ' || row_number() over () as ward)")
    assert faults(found) == {("missing_records", None), ("invented_records", None)} | {
        ("unsupported_records", None)
    }
    assert {fault.records for fault in found.faults} == {120}
    found = changed(connection, "* replace (row_number() over () as ward)")
    assert faults(found) == {("column_type", "ward")}
    assert "it is BIGINT, and a release has VARCHAR" in str(found.faults[0])


# --- cells ---------------------------------------------------------------------------------------


def test_all_rows_in_one_class_are_refused(connection: Connection) -> None:
    one = "(select {0} from public order by all limit 1) as {0}"
    names = ("age", "zip", "town", "visits_min", "visits_max")
    found = changed(connection, f"* replace ({', '.join(one.format(name) for name in names)})")
    assert faults(found) == {("unsupported_records", None)}
    assert found.measure("k_anonymity") == 120


def test_quasi_identifiers_that_are_all_null_are_refused(connection: Connection) -> None:
    names = ("age", "zip", "town", "visits_min", "visits_max")
    nulls = ", ".join(
        f"null::{'bigint' if 'visits' in name else 'varchar'} as {name}" for name in names
    )
    found = changed(connection, f"* replace ({nulls})")
    assert faults(found) == {
        ("unreadable_cells", name) for name in ("age", "zip", "town", "visits_min")
    }
    connection.execute(
        "update t set age = null, zip = null, town = null, visits = null where id < 9"
    )
    assert ("unsupported_records", None) in faults(changed(connection, f"* replace ({nulls})"))


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("column", "cell"),
    [
        ("age", "hello"),
        ("age", "[20, hello]"),
        ("age", "[41, 20]"),
        ("age", "*"),
        ("zip", "hello"),
        ("zip", "{0001}"),
        ("town", "hello"),
        ("town", "{town 1, hello}"),
        ("town", "*"),
    ],
)
def test_a_cell_that_no_release_has_is_refused(
    connection: Connection, column: str, cell: str
) -> None:
    found = changed(connection, f"* replace ('{cell}' as {column})")
    assert faults(found) == {("unreadable_cells", column)}
    (fault,) = found.faults
    assert (fault.classes, fault.records) == (found.measure("classes"), 120)
    assert cell not in str(fault)


@pytest.mark.slow
def test_ages_that_the_source_does_not_have_are_refused(connection: Connection) -> None:
    for cell in ("17", "[17, 99]"):
        assert faults(changed(connection, f"* replace ('{cell}' as age)")) == {
            ("unreadable_cells", "age")
        }
    found = changed(connection, "* replace (99 as visits_max)")
    assert faults(found) == {("column_type", "visits_max")}
    found = changed(connection, "* replace (99::bigint as visits_max)")
    assert faults(found) == {("unreadable_cells", "visits_min")}


# --- records -------------------------------------------------------------------------------------


def test_records_that_are_dropped_and_others_twice_are_refused(connection: Connection) -> None:
    connection.execute("create table other as select * from public")
    lost = "select min(rowid) from other where disease = '{}' group by ward"
    connection.execute(
        f"insert into other select * from other where rowid in ({lost.format('flu')})"
    )
    connection.execute(f"delete from other where rowid in ({lost.format('cold')})")
    found = checked(connection, "other")
    assert found.measure("records") == 120
    assert {("missing_records", None), ("invented_records", None)} <= faults(found)
    assert {fault.records for fault in found.faults if fault.what == "missing_records"} == {4}


def test_sensitive_values_that_the_source_does_not_have_are_refused(connection: Connection) -> None:
    found = changed(connection, "* replace (replace(disease, 'flu', 'FLU') as disease)")
    assert ("unknown_values", "disease") in faults(found)
    assert ("invented_records", None) in faults(found)
    assert found.measure("t_closeness", "disease") is None
    assert found.measure("unique_with_sensitive") is None
    assert found.measure("unique_records") is not None


def test_what_is_asked_of_values_that_nobody_knows_does_not_hold(connection: Connection) -> None:
    make_table(connection, "t", {"q": "integer", "s": "integer"}, [(i % 4, i) for i in range(40)])
    asked = {
        "source": "t",
        "release": "r",
        "quasi_identifiers": ["q"],
        "sensitive": {"s": {"l": 2}},
    }
    spec = sqlanon.parse_spec({**asked, "privacy": {"k": 2}})
    sqlanon.anonymize(spec, connection=connection)
    connection.execute(
        "create table u as select * replace (case s when 3 then 500 else s end as s) from r"
    )
    found = sqlanon.check("u", spec=spec, connection=connection)
    (row,) = (metric for metric in found.measures if metric.metric == "distinct_l")
    assert (row.value, row.threshold, row.passed) == (None, "2", False)
    assert [(shortfall.model, shortfall.attribute) for shortfall in found.shortfalls] == [
        ("distinct_l", "s")
    ]
    assert found.measure("k_anonymity") == 10


def test_sensitive_values_that_change_places_are_refused(connection: Connection) -> None:
    """The values are the source's, and the cells as well: only together they are not."""
    connection.execute(
        "create table other as select p.* exclude (disease, ward), s.disease, s.ward from "
        "(select *, row_number() over (order by age, zip, town) as n from public) as p inner join "
        "(select disease, ward, row_number() over (order by disease, ward) as n from public) as s "
        "using (n)"
    )
    connection.execute("alter table other drop column n")
    assert faults(checked(connection, "other")) == {("unsupported_records", None)}


def test_a_class_may_not_publish_more_than_the_source_has_inside_it(connection: Connection) -> None:
    """Held against a count of the records by hand, for each class and tuple of values."""
    connection.execute("drop table t")
    connection.execute(
        "create table t as select i as id, i // 4 as age, '0000' as zip, 'a' as town, 1::bigint as "
        "visits, 'flu' as disease, 'w' as ward from range(16) as r(i)"
    )
    spec = {"quasi_identifiers": {"age": {}}, "insensitive": [], "identifiers": []}
    for cells, short in (
        (["0"] * 4 + ["1"] * 4 + ["[2, 3]"] * 8, None),
        (["0"] * 5 + ["1"] * 3 + ["[2, 3]"] * 8, (1, 1)),
        (["0"] * 6 + ["[1, 2]"] * 10, (2, 4)),
        (["[0, 1]"] * 4 + ["[1, 2]"] * 8 + ["3"] * 4, None),
    ):
        rows = ", ".join(f"('{cell}', 'flu')" for cell in cells)
        connection.execute(
            f"create or replace table other as select * from (values {rows}) as v(age, disease)"
        )
        found = checked(connection, "other", **spec)
        assert [(fault.classes, fault.records) for fault in found.faults] == [short] * bool(short)


# --- files ---------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_an_export_that_is_read_again_passes(
    connection: Connection, ending: str, tmp_path: Path
) -> None:
    """Also zips with leading zeros, and ages alone, which look like numbers."""
    file = str(tmp_path / f"public.{ending}")
    connection.execute(f"copy public to '{file}'")
    found = checked(connection, file)
    assert found.passed
    assert found.measures == checked(connection).measures
    connection.execute(f"copy (select *, 1 as id from public) to '{file}'")
    assert faults(checked(connection, file)) == {("undeclared_column", "id")}
    connection.execute(f"copy (select * replace ('0001' as zip) from public) to '{file}'")
    assert not checked(connection, file).passed


@pytest.mark.one_in(2)
@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_file_with_text_in_place_of_numbers_is_no_release(
    connection: Connection, ending: str, tmp_path: Path
) -> None:
    """It is a fault of the table, and no failure of the database, which reads it."""
    file = str(tmp_path / f"public.{ending}")
    people = "select i % 2 as age, i % 4 as pay from range(16) as r(i)"
    spec = {
        "release": "paid",
        "quasi_identifiers": ["age"],
        "sensitive": ["pay"],
        "privacy": {"k": 2},
        "source": {"query": people},
        "method": "stack_and_deal",
    }
    sqlanon.anonymize(sqlanon.parse_spec(spec), connection=connection).engine.close()
    for value, passed in (("pay", True), ("case pay when 1 then 'x' else pay::text end", False)):
        connection.execute(f"copy (select * replace ({value} as pay) from paid) to '{file}'")
        found = sqlanon.check(file, spec=sqlanon.parse_spec(spec), connection=connection)
        assert found.passed == passed
    assert {"missing_records", "invented_records"} <= {fault.what for fault in found.faults}


@pytest.mark.slow
def test_empty_text_that_a_text_file_gives_back_as_null_is_called_so(
    connection: Connection, tmp_path: Path
) -> None:
    connection.execute("update t set ward = '' where ward = 'ward 1'")
    connection.execute("update t set disease = '' where disease = 'flu'")
    sqlanon.anonymize(sqlanon.parse_spec(SPEC), connection=connection).engine.close()
    assert checked(connection).passed
    for ending in ("csv", "parquet"):
        file = str(tmp_path / f"public.{ending}")
        connection.execute(f"copy public to '{file}'")
        found = checked(connection, file)
        columns = {"ward", "disease"} if ending == "csv" else set()
        assert {fault.column for fault in found.faults if fault.what == "empty_texts"} == columns
        assert found.passed == (ending == "parquet")
        assert not {fault.what for fault in found.faults} & {"missing_records", "invented_records"}


# --- every form, and k alone ---------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.sampled
@pytest.mark.parametrize(
    "hierarchy",
    [
        {"bands": [5, 10]},
        {"sql": ["'ten ' || (age // 10)", "'twenty ' || (age // 20)"]},
        {"tree": {"*": {"low": list(range(20, 45)), "high": list(range(45, 70))}}},
    ],
    ids=lambda hierarchy: next(iter(hierarchy)),
)
@pytest.mark.parametrize("publish", ["lca", *slow("set")])
@pytest.mark.parametrize("nulls", [True, *slow(False)])
def test_releases_of_every_hierarchy_pass(
    connection: Connection, hierarchy: dict[str, Any], publish: str, nulls: bool
) -> None:
    if nulls:
        connection.execute("update t set age = null where id % 11 = 0")
    columns = {"age": {"hierarchy": hierarchy, "publish": publish}, "visits": {}}
    spec = {**SPEC, "quasi_identifiers": columns, "sensitive": {}, **DEALT}
    sqlanon.anonymize(sqlanon.parse_spec(spec), connection=connection).engine.close()
    found = checked(connection, quasi_identifiers=columns, sensitive={})
    assert found.passed, list(map(str, found.faults))


@pytest.mark.parametrize("method", ["deal_tree", *slow("split_or_deal", "fragmentation")])
def test_releases_of_the_methods_that_search_pass(connection: Connection, method: str) -> None:
    changes: dict[str, Any] = {"method": method}
    if method == "fragmentation":
        changes["sensitive"] = {"visits": {"distance": "ordered", "t": "1/2"}}
        changes["quasi_identifiers"] = {"age": {}, "town": {}}
    connection.execute("delete from t where id >= 60")
    spec = sqlanon.parse_spec({**SPEC, **changes})
    sqlanon.anonymize(spec, connection=connection).engine.close()
    assert checked(connection, **changes).passed


def test_k_alone_is_checked_without_a_sensitive_attribute(connection: Connection) -> None:
    about: dict[str, Any] = {"connection": connection, "quasi_identifiers": ["town"]}
    assert sqlanon.check("t", **about, k=2).passed
    found = sqlanon.check("t", **about, k=35)
    assert [metric.metric for metric in found.measures if metric.threshold] == ["k_anonymity"]
    sizes = connection.execute("select count(*) as n from t group by town having n < 35").fetchall()
    (shortfall,) = found.shortfalls
    assert (shortfall.classes, shortfall.records) == (len(sizes), sum(n for (n,) in sizes))
    assert f"{len(sizes)} classes with {shortfall.records} records violate it" in str(shortfall)
