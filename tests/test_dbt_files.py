"""What is written for dbt, as text; `test_dbt.py` has dbt build it."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from support import ROOT

from sqlanon.dbt import write_models
from sqlanon.dbt.macros import macro_files
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import SpecError
from sqlanon.spec import parse_spec
from sqlanon.sql import Relation, check_contract, columns_of, load_template

RELATIONS = ROOT / "dbt" / "macros" / "relations"
SIMPLE: dict[str, Any] = {
    "source": {"table": "patients"},
    "release": "public",
    "quasi_identifiers": ["age", "sex"],
    "sensitive": {"disease": {"t": 0.5}},
    "privacy": {"k": 2},
    "method": "stack_and_deal",
}


@pytest.fixture
def engine() -> Iterator[DuckDBEngine]:
    connection = duckdb.connect()
    connection.execute(
        "create table patients as select i as age, 'x' as sex, i % 2 as disease from range(9) t(i)"
    )
    engine = DuckDBEngine(connection=connection)
    yield engine
    engine.close()
    connection.close()


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "dbt_project.yml").write_text("name: p\n")
    return tmp_path


def written(engine: DuckDBEngine, project: Path, **changed: Any) -> dict[str, str]:
    spec = parse_spec({**SIMPLE, **changed})
    paths = write_models(spec, engine, project, "duckdb")
    return {path.relative_to(project).as_posix(): path.read_text() for path in paths}


def test_package_has_the_text_of_the_templates() -> None:
    """Run with UPDATE_DBT=1 to write the macros anew; then read the difference."""
    files = macro_files()
    if os.environ.get("UPDATE_DBT"):
        for old in RELATIONS.glob("*.sql"):
            old.unlink()
        for name, text in files.items():
            (RELATIONS / name).write_text(text, encoding="utf-8")
    assert {path.name for path in RELATIONS.glob("*.sql")} == set(files)
    for name, text in files.items():
        assert (RELATIONS / name).read_text(encoding="utf-8") == text, name


def test_macros_keep_nothing_that_dbt_does_not_know() -> None:
    for name, text in macro_files().items():
        expressions = " ".join(re.findall(r"\{\{.*?\}\}|\{%.*?%\}", text))
        assert not re.search(r"\| (ident|literal|sql)\b|comma|_if\(|union_all\(", expressions), name
        assert "{% from" not in text, name


def test_relations_are_read_by_ref(engine: DuckDBEngine, project: Path) -> None:
    files = written(engine, project)
    models = {name: text for name, text in files.items() if name.startswith("models/")}
    read = set(re.findall(r"ref\('(\w+)'\)", " ".join(files.values())))
    made = {Path(name).stem for name in models if name.endswith(".sql")}
    assert read - made == {"patients"}
    for name, text in models.items():
        assert "sqlanon_" not in re.sub(r"--.*", "", text), name
        assert "materialized='view'" not in text or "/work/" in name


def test_the_published_models_keep_their_contract() -> None:
    template = load_template("release/published")
    inputs = {"candidate": Relation("made"), "refusals": Relation("refusals")}
    sql = template.render(inputs, {"columns": [{"name": "age"}, {"name": 'a "b"'}]})
    check_contract(sql, template.outputs, {"made", "refusals"})
    assert columns_of(sql) == ["age", 'a "b"']


def test_a_release_named_like_a_relation_of_a_template(engine: DuckDBEngine, project: Path) -> None:
    files = written(engine, project, release="tuples")
    assert "from tuples" in files["models/tuples/work/tuples__work_classes.sql"]


def test_braces_in_names_are_not_for_dbt(engine: DuckDBEngine, project: Path) -> None:
    engine.connection.execute('create table braces as select age as "a{{b}}", * from patients')
    files = written(
        engine, project, source={"table": "braces"}, quasi_identifiers=["a{{b}}", "sex"]
    )
    text = files["models/public/public.sql"]
    assert "candidate.\"a{{ '{' }}{b}}\"" in text
    assert "a{{b}}" not in " ".join(files.values())


def test_a_schema_is_a_source_of_dbt(engine: DuckDBEngine, project: Path) -> None:
    engine.connection.execute("create schema raw; create table raw.patients as from patients")
    files = written(engine, project, source={"table": "raw.patients"})
    declared = yaml.safe_load(files["models/public/schema.yml"])["sources"]
    assert declared == [{"name": "raw", "schema": "raw", "tables": [{"name": "patients"}]}]
    assert "{{ source('raw', 'patients') }}" in files["models/public/work/public__work_records.sql"]


def test_what_is_not_needed_any_more_goes(engine: DuckDBEngine, project: Path) -> None:
    first = written(engine, project)
    second = written(engine, project, quasi_identifiers=["age"])
    there = {p.relative_to(project).as_posix() for p in project.rglob("*") if p.is_file()}
    assert there == {*second, "dbt_project.yml"}
    assert set(first) - set(second)


def test_files_of_others_stay(engine: DuckDBEngine, project: Path) -> None:
    other = project / "models" / "public" / "mine.sql"
    other.parent.mkdir(parents=True)
    other.write_text("select 1 as one")
    with pytest.raises(SpecError, match="was not written by sqlanon"):
        written(engine, project)
    assert other.read_text() == "select 1 as one"
    assert not (project / "models" / "public" / "schema.yml").exists()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"method": "split_or_deal"}, "method: split_or_deal asks the data what to do next"),
        ({"materialize": "view"}, "materialize: a release made by dbt is a table"),
        ({"release": "main.public"}, "release: as the name of a dbt model"),
        ({"release": "patients"}, "release: it is the source"),
        ({"source": {"query": "select * from patients"}}, "name the model or seed .* with --ref"),
        ({"release": "x" * 50}, "give the release a name of at most"),
    ],
)
def test_what_cannot_be_models_is_refused(
    engine: DuckDBEngine, project: Path, changed: dict[str, Any], message: str
) -> None:
    with pytest.raises(SpecError, match=message):
        written(engine, project, **changed)
    assert [path.name for path in project.iterdir()] == ["dbt_project.yml"]


def test_a_folder_without_a_project_is_refused(engine: DuckDBEngine, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"there is no dbt_project.yml"):
        written(engine, tmp_path)
