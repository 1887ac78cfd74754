"""Sources and databases that are elsewhere: taken as what they are, or refused with what to do."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from support import DEALT, Connection, multiset

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.engines.duckdb.parquet_files import parquet_item
from sqlanon.engines.duckdb.text_copies import Files, Head
from sqlanon.engines.duckdb.text_files import TextFile
from sqlanon.errors import EngineError, SpecError
from sqlanon.spec import Source, load_spec, parse_spec, product, shown

ROLES: dict[str, Any] = {**DEALT, "quasi_identifiers": "q", "sensitive": "s", "k": 2}
SPEC = """
source: "{source}"
release: public
quasi_identifiers: q
sensitive: s
privacy: {{k: 2}}
method: stack_and_deal
"""


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Connection]:
    """A connection that has no extension and fetches none, so that no test needs a network."""
    settings: dict[str, Any] = {
        "autoinstall_known_extensions": False,
        "extension_directory": str(tmp_path / "extensions"),
    }
    with duckdb.connect(config=settings) as connection:
        yield connection


@pytest.mark.parametrize(
    ("source", "item"),
    [
        ("s3://bucket/x.csv", "read_csv('s3://bucket/x.csv', auto_detect"),
        ("https://host/x?format=csv", "read_csv('https://host/x?format=csv', auto_detect"),
        ("https://host/x.parquet?sig=a", "read_parquet('https://host/x.parquet?sig=a', hive"),
        ("gs://bucket/*.parquet", "read_parquet('gs://bucket/*.parquet', hive"),
        ("az://box/people.tsv", "read_csv('az://box/people.tsv', auto_detect"),
    ],
)
def test_an_address_is_a_file_that_no_folder_is_searched_for(
    source: str, item: str, tmp_path: Path
) -> None:
    assert Source.read(source) == {"file": source}
    (tmp_path / "spec.yaml").write_text(SPEC.format(source=source))
    loaded = load_spec(tmp_path / "spec.yaml").source
    assert loaded.file == source
    text = TextFile(Files(loaded, [source]), Head(",", 0, ("q", "s")))
    read = text.item({}) if loaded.is_text else parquet_item(loaded, {})
    assert read.startswith(item)


@pytest.mark.parametrize("source", ["s3://bucket/x.csv?token=SECRET", "https://host/x.parquet"])
def test_without_the_extension_the_message_says_what_to_do(alone: Connection, source: str) -> None:
    with pytest.raises(
        SpecError, match=r"DuckDB needs its extension 'httpfs'.*`install httpfs`"
    ) as e:
        sqlanon.plan(source, connection=alone, **ROLES)
    assert "SECRET" not in str(e.value)


def test_a_database_elsewhere_is_one_and_shows_no_token(tmp_path: Path) -> None:
    for name in ("md:lab?motherduck_token=SECRET", "ducklake:lake.ducklake"):
        assert product(name) == "duckdb"
        assert "SECRET" not in shown(name)
        text = SPEC.format(source="people") + f'database: "{name}"\n'
        (tmp_path / "spec.yaml").write_text(text)
        assert load_spec(tmp_path / "spec.yaml").database == name


def test_a_database_that_cannot_be_opened_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def connect(name: str, *_: Any) -> None:
        raise duckdb.IOException('Failed to download extension "motherduck" at URL "x"')

    monkeypatch.setattr(duckdb, "connect", connect)
    with pytest.raises(
        EngineError, match=r"'md:lab' cannot be opened: .*`install motherduck`"
    ) as e:
        sqlanon.plan("t", database="md:lab?motherduck_token=SECRET", **ROLES)
    assert "SECRET" not in str(e.value)
    given = ["check", "t", "--database", "md:lab", "--qi", "q", "--sensitive", "s"]
    assert "install motherduck" in str(CliRunner().invoke(cli, given).exception)


@pytest.mark.parametrize("name", ["md:lab", "ducklake:lake.ducklake"])
def test_a_database_is_no_source(name: str) -> None:
    with pytest.raises(SpecError, match="name a table of it as the source, and it as the database"):
        parse_spec({"source": name, "release": "r", **{**ROLES, "k": None}, "privacy": {"k": 2}})


@pytest.mark.slow
def test_a_table_of_an_attached_file_is_read_and_a_release_written_there(
    alone: Connection, tmp_path: Path
) -> None:
    alone.execute(f"attach '{tmp_path / 'lab.duckdb'}' as lab; create schema lab.raw")
    alone.execute(
        "create table people as select i % 5 as q, 's' || i % 3 as s from range(30) t(i);"
        "create table lab.people as from people; create table lab.raw.people as from people"
    )
    sqlanon.anonymize("people", connection=alone, **ROLES).close()
    expected = multiset(alone.execute("from anonymized").fetchall())
    for number, source in enumerate(("lab.main.people", "lab.people", 'lab.raw."people"')):
        release = f"lab.raw.public_{number}"
        sqlanon.anonymize(source, connection=alone, release=release, **ROLES).close()
        assert multiset(alone.execute(f"from {release}").fetchall()) == expected


def test_a_catalog_that_is_not_attached_says_how_to_name_it(alone: Connection) -> None:
    with pytest.raises(SpecError, match=r"'lab' is attached: name the file .* as the database"):
        sqlanon.plan("lab.main.people", connection=alone, **ROLES)
