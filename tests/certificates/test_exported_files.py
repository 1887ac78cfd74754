"""A file of a release is read back as it was written, and it alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon as command
from servers import place
from support import DEALT, slow

import sqlanon
from sqlanon.common.files import appearing
from sqlanon.errors import SpecError
from sqlanon.spec import Source
from sqlanon.sql.names import shown_type
from sqlanon.uses.certificates.certificate import Certificate
from sqlanon.uses.certificates.export import check_file
from sqlanon.uses.certificates.verify import Verified
from sqlanon.uses.profile.table import profile_table

pytestmark = pytest.mark.slow

DECLARED: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age"],
    "sensitive": ["disease"],
    "privacy": {"k": 3},
    "seed": 1,
    **DEALT,
}
PEOPLE = "create table people as select i % 3 as age, i % 2 as disease from range(12) as n(i)"


def made(
    connection: duckdb.DuckDBPyConnection, further: str | None = None, **declared: Any
) -> sqlanon.Release:
    """A release of people; of one more column as it is, if its SQL is given."""
    connection.execute(PEOPLE)
    if further is not None:
        connection.execute(
            f"create or replace table people as select *, {further} as x from people"
        )
        declared["insensitive"] = {"x": {"accept": "a test"}}
    return sqlanon.anonymize("people", connection=connection, **{**DECLARED, **declared})


@pytest.fixture(scope="module")
def connection() -> duckdb.DuckDBPyConnection:
    return duckdb.connect()


@pytest.fixture(scope="module")
def release(connection: duckdb.DuckDBPyConnection) -> sqlanon.Release:
    return made(connection)


@pytest.fixture(scope="module")
def known(release: sqlanon.Release) -> Certificate:
    return release.certificate()


def held(known: Certificate, file: Path) -> Verified:
    return sqlanon.verify(known, str(file))


# --- which file is read --------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.parametrize("ending", ["parquet", *slow("csv")])
@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("g[1]", "g1"),
        ("a*", "ab"),
        ("q?", "qr"),
        ("d[a-c]/x", "db/x"),
        ("[[]", "["),
        ("{a,b}", "a"),
    ],
)
def test_a_path_is_no_pattern(
    release: sqlanon.Release, known: Certificate, tmp_path: Path, name: str, other: str, ending: str
) -> None:
    """Neither of another file, whose certificate would be read as its own, nor of several."""
    file, honest = (tmp_path / f"{text}.{ending}" for text in (name, other))
    for path in (file, honest):
        path.parent.mkdir(exist_ok=True)
        release.export(path)
    assert held(known, file).passed
    duckdb.execute(f"copy (select '*' as age, 0 as disease) to '{file}'")
    assert not held(known, file).passed
    assert held(known, honest).passed


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_folder_is_no_column(
    release: sqlanon.Release, known: Certificate, tmp_path: Path, ending: str
) -> None:
    """Its name would be read in place of the cells, or beside them."""
    honest, *_ = release.export(tmp_path / f"x.{ending}")
    for folder in ("k=5", "age=x", "disease=1"):
        (tmp_path / folder).mkdir()
        file, *_ = release.export(tmp_path / folder / f"x.{ending}")
        assert held(known, file).passed
        duckdb.execute(f"create or replace table t as from '{honest}'")
        duckdb.execute("update t set age = '[0, 9]'")
        file.unlink()
        duckdb.execute(f"copy t to '{file}'")
        assert not held(known, file).passed


def test_a_path_that_cannot_be_told_is_refused(
    release: sqlanon.Release, known: Certificate, tmp_path: Path
) -> None:
    file = tmp_path / "a\\*.csv"
    file.write_text("age,disease\n")
    with pytest.raises(SpecError, match="no path with both a backslash and one of"):
        held(known, file)


# --- what a file holds ---------------------------------------------------------------------------

KEPT = [
    "sum(i) over ()",  # a HUGEINT, which Parquet lacks
    "case when i = 1 then cast('99999999999999999999999999999999999999' as hugeint) end",
    "cast('9007199254740993' as uhugeint)",
    "case when i > 3 then '' end",
    "cast('2020-01-01 00:00:00.000001' as timestamptz)",
    "cast('0101' as bit)",
    "cast(case when i > 3 then '-0.0' else 'nan' end as double)",
    "cast(0.1 as float)",
    "cast('a' as enum ('a', 'b'))",
    "time '12:00:00.000001'",
    "[i, null]",
]
LOST = [
    "cast('170141183460469231731687303715884105727' as hugeint)",
    "interval '1 microsecond'",
    "interval '-1 day'",
    "[interval '-1 month']",
    "cast('12:00:00+02' as timetz)",
    "cast(1 as union (a integer, b varchar))",
    "[cast(9007199254740993 as hugeint)]",
]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_no_type_changes_a_value(tmp_path: Path, ending: str) -> None:
    """Each is exported as it is, or not at all."""
    with duckdb.connect() as connection:
        some = KEPT + (LOST if ending == "csv" else [])
        listed = ", ".join(f"{sql} as x{index}" for index, sql in enumerate(some))
        connection.execute(f"create table typed as select i % 3 as age, i % 2 as disease, {listed} "
                           "from range(12) as n(i)")  # fmt: skip
        accepted = {f"x{place}": {"accept": "a test"} for place in range(len(some))}
        declared = DECLARED | {"insensitive": accepted}
        with sqlanon.anonymize("typed", connection=connection, **declared) as release:
            file, *_ = release.export(tmp_path / f"x.{ending}")
            assert held(release.certificate(), file).passed


@pytest.mark.parametrize("sql", LOST)
def test_what_parquet_cannot_hold_is_refused(tmp_path: Path, sql: str) -> None:
    says = r"does not hold the column 'x', of type [A-Z]+"
    with (
        duckdb.connect() as connection,
        made(connection, sql) as release,
        pytest.raises(SpecError, match=says),
    ):
        release.export(tmp_path / "x.parquet")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_postgres_exports_what_it_certifies(
    urls: Mapping[str, str], tmp_path: Path, ending: str
) -> None:
    types = {
        "character(5)": "'ab'",
        '"char"': "'b'",
        "numeric": "1.50",
        "numeric(38, 2)": "-0.5",
        "double precision": "1e300",
        "real": "0.1",
        "boolean": "i = 1",
        "timestamptz": "'2020-01-01 00:00:00.5+02'",
        "time": "'12:00:00.000001'",
        "interval": "'1 day 1 microsecond'",
        "bytea": "'\\x00ff'",
        "text[]": "array['a', null, '']",
        "json": "'{\"a\": null}'",
        "date": "'0001-01-01'",
        "uuid": "'00000000-0000-0000-0000-000000000001'",
    }
    listed = ", ".join(
        f"cast({sql} as {name}) as x{index}" for index, (name, sql) in enumerate(types.items())
    )
    with place("postgres", urls) as there:
        there.connection.execute(
            f"create table people as select i % 3 as age, i % 2 as disease, {listed} "
            "from generate_series(0, 11) as n(i)"
        )
        accepted = {
            f"x{index}": {"accept": "a test"}
            for index, name in enumerate(types)
            if name != "json"  # which cannot be put in order
        }
        declared = DECLARED | {"insensitive": accepted}
        with sqlanon.anonymize("people", connection=there.connection, **declared) as release:
            file, *_ = release.export(tmp_path / f"x.{ending}")
            assert held(release.certificate(), file).passed


@pytest.mark.parametrize("ending", ["csv", "parquet"])
@pytest.mark.parametrize(
    ("pays", "lacking"),
    [
        (["1", "2", "10"], ()),
        (["-1.50", "2.25", "10"], ()),
        (["1e30", "2e30", "3"], ()),
        (["1.0", "1.00", "2"], ("t_closeness of disease",)),
        (["1e45", "2.5", "3"], ("t_closeness of disease",)),
    ],
)
def test_numbers_of_postgres_are_measured_in_a_file(
    urls: Mapping[str, str], tmp_path: Path, ending: str, pays: list[str], lacking: tuple[str, ...]
) -> None:
    """What no decimal of DuckDB holds is counted as text, and no distance is measured of it."""
    with place("postgres", urls) as there:
        rows = [(i % 3, pays[i // 3 % 3]) for i in range(36)]
        there.make_table("people", {"age": "integer", "disease": "numeric"}, rows)
        asked = {"sensitive": {"disease": {"t": 0.5, "l": 2}}}
        declared = DECLARED | asked | {"connection": there.connection}
        with sqlanon.anonymize("people", **declared) as release:
            file, *_ = release.export(tmp_path / f"x.{ending}")
            known = release.certificate()
    verified = held(known, file)
    assert verified.passed, verified.faults
    assert set(lacking) == set(verified.unknown)
    assert {"k_anonymity", "distinct_l"} <= {measure.measure for measure in verified.confirmed}


# --- what a type says ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("type_name", "shown"),
    [
        ("ENUM('a', 'b')", "ENUM"),
        ("ENUM('it''s)', '(')", "ENUM"),
        ("ENUM('a')[]", "ENUM[]"),
        ("STRUCT(a ENUM('x', 'y'), b INTEGER)", "STRUCT(a ENUM, b INTEGER)"),
        ("MAP(ENUM('x'), DECIMAL(9,2))", "MAP(ENUM, DECIMAL(9,2))"),
        ("DECIMAL(9,2)", "DECIMAL(9,2)"),
    ],
)
def test_the_labels_of_an_enum_are_no_part_of_its_type(type_name: str, shown: str) -> None:
    assert shown_type(type_name) == shown


def test_no_label_is_handed_out(tmp_path: Path) -> None:
    label = "cast('a' as enum ('a', 'hushed'))"
    with duckdb.connect() as connection, made(connection, f"[{label}]") as release:
        *_, dictionary = release.export(tmp_path / "x.csv")
        assert "ENUM" in dictionary.read_text()
        assert "hushed" not in dictionary.read_text() + release.certificate().text
        profiled = profile_table(Source(table="people"), release.engine)
        assert "hushed" not in str(profiled.as_dict())
    bands = {"quasi_identifiers": {"x": {"hierarchy": {"bands": [2]}}}}
    with duckdb.connect() as connection:
        connection.execute(f"create table other as select 1 as disease, {label} as x")
        with pytest.raises(SpecError, match="column is ENUM") as raised:
            sqlanon.anonymize("other", connection=connection, **DECLARED | bands)
    assert "hushed" not in str(raised.value)


# --- where it is written -------------------------------------------------------------------------


@pytest.mark.parametrize("there", ["out__sensitive.csv", "out.dictionary.csv"])
def test_a_run_looks_for_all_of_its_files_before_it_begins(tmp_path: Path, there: str) -> None:
    with duckdb.connect(str(tmp_path / "public.duckdb")) as connection:
        connection.execute(PEOPLE)
    (tmp_path / "spec.yaml").write_text(
        "source: people\nrelease: public\ndatabase: public.duckdb\nquasi_identifiers: [age]\n"
        "sensitive: [disease]\nprivacy: {k: 1, l: 2}\nmethod: stack_and_deal\n"
        "publish: {name: anatomy, group: 2}\n"
    )
    (tmp_path / there).write_text("mine")
    done = command(tmp_path, "run", "spec.yaml", "--quiet", "-o", "out.csv")
    assert (done.returncode, done.stdout) == (2, "")
    assert f"'{there}' is there already" in done.stderr
    with duckdb.connect(str(tmp_path / "public.duckdb")) as connection:
        assert connection.execute("show tables").fetchall() == [("people",)]


def test_a_folder_that_takes_no_file_is_named_before_anything_is_done() -> None:
    for file in (Path("/proc/x.csv"), Path("/nowhere/x.csv")):
        with pytest.raises(
            SpecError, match=rf"^'{file}': (no file can be made in|there is no fol)"
        ):
            check_file(file, False)
        with (
            pytest.raises(SpecError, match=rf"^'{file}': (no file can be made in|there is no fol)"),
            appearing([file], False),
        ):
            pass


def test_a_failure_names_the_file_that_was_asked_for(tmp_path: Path) -> None:
    file = tmp_path / "x.json"
    with pytest.raises(SpecError) as raised, appearing([file], False) as (hidden,):
        os.open(hidden / "x", os.O_RDONLY)
    assert str(raised.value) == f"{str(file)!r} cannot be written: No such file or directory"


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_the_source_is_not_replaced(tmp_path: Path, ending: str) -> None:
    """Whatever may be replaced, and by whichever path it is reached."""
    source = tmp_path / f"people.{ending}"
    duckdb.execute(
        f"copy (select i % 3 as age, i % 2 as disease from range(12) as n(i)) to '{source}'"
    )
    before = source.read_bytes()
    link = tmp_path / f"link.{ending}"
    link.symlink_to(source)
    declared = {**DECLARED, "connection": duckdb.connect()}
    release = sqlanon.anonymize(f"{tmp_path}/p*.{ending}", **declared)
    for file, says in ((source, "is the source of the release"), (link, "is a link: name the")):
        with pytest.raises(SpecError, match=says):
            release.export(file, overwrite=True)
    (tmp_path / "release.yaml").write_text(
        f"source: people.{ending}\nrelease: people\nquasi_identifiers: [age]\n"
        "sensitive: [disease]\nprivacy: {k: 3}\nmethod: stack_and_deal\n",
        encoding="utf-8",
    )
    done = command(tmp_path, "run", "release.yaml", "-o", source.name, "--overwrite")
    assert done.returncode == 2, done.stderr
    assert "is the source of the release" in done.stderr
    assert not (tmp_path / "people.duckdb").exists()
    assert source.read_bytes() == before


def test_a_record_is_no_column(tmp_path: Path) -> None:
    """A file whose first line is a record, in every place where a table is asked for."""
    (tmp_path / "nohead.csv").write_text("Ann Miller,F\nBob Smith,M\n", encoding="utf-8")
    nohead = str(tmp_path / "nohead.csv")
    with duckdb.connect() as connection:
        release = made(connection)
        asked: dict[str, Any] = {"connection": connection, "progress": False}
        calls: list[Any] = [
            lambda: sqlanon.risk(nohead, quasi_identifiers=["age"], **asked),
            lambda: sqlanon.risk("people", quasi_identifiers=["age"], population=nohead, **asked),
            lambda: sqlanon.attack("public", external=nohead, **asked),
            lambda: sqlanon.attack(nohead, quasi_identifiers=["age"], **asked),
            lambda: sqlanon.utility("public", source=nohead, **asked),
        ]
        for call in calls:
            with pytest.raises(SpecError) as caught:
                call()
            assert "Ann" not in str(caught.value)
        found = sqlanon.verify(release.certificate(), release=nohead)
    assert found.faults
    assert "Ann" not in str(found.faults)


def test_what_a_run_reads_is_spared_by_what_it_is(tmp_path: Path) -> None:
    """A hierarchy, a file of the query, or the source that is called like a data dictionary."""
    people = "age,town,ill\n" + "".join(f"{i % 3},{'ab'[i % 2]},x\n" for i in range(12))
    for name in ("people.csv", "q.dictionary.csv"):
        (tmp_path / name).write_text(people, encoding="utf-8")
    (tmp_path / "towns.csv").write_text("a;any\nb;any\n", encoding="utf-8")
    text = (
        "source: {source}\nrelease: pub\n"
        "quasi_identifiers: {{age: {{}}, town: {{hierarchy: towns.csv}}}}\n"
        "sensitive: [ill]\nprivacy: {{k: 2}}\nmethod: stack_and_deal\nseed: 1\n"
    )
    for source, file, says in (
        ("people.csv", "people.csv", "'people.csv' is the source of the release"),
        ("people.csv", "towns.csv", "read by the release: quasi_identifiers.town.hierarchy"),
        ("{query: from 'people.csv'}", "people.csv", "is read by the query of source"),
        ("q.dictionary.csv", "q.csv", "'q.dictionary.csv' is the source of the release"),
    ):
        (tmp_path / "release.yaml").write_text(text.format(source=source), encoding="utf-8")
        done = command(tmp_path, "run", "release.yaml", "-o", file, "--overwrite", "--quiet")
        assert (done.returncode, says in done.stderr) == (2, True), done.stderr
    assert (tmp_path / "q.dictionary.csv").read_text(encoding="utf-8") == people
