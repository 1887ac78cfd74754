"""What is written for dbt, as text; `test_dbt.py` has dbt build it."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import duckdb
import jinja2
import pytest
import sqlglot
import yaml
from header import check_contract
from jinja2 import nodes
from support import ROOT
from test_dbt_package import Package

import sqlanon
from sqlanon.dbt import write_models
from sqlanon.dbt.folding import MEASURED, measured_once
from sqlanon.dbt.jinja import in_dbt, text_of
from sqlanon.dbt.package import database_files, generic_tests, macro_files, plan_files
from sqlanon.dbt.project import install, is_known
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import SpecError
from sqlanon.plan import Step, needed
from sqlanon.planning.prepare import prepare
from sqlanon.privacy import MODELS
from sqlanon.spec import parse_spec
from sqlanon.sql.names import LISTS, Relation
from sqlanon.sql.products import PRODUCTS, Building, Product
from sqlanon.sql.reading import columns_of, tables_read
from sqlanon.sql.templates import load_template

SIMPLE: dict[str, Any] = {
    "source": {"table": "patients"},
    "release": "public",
    "quasi_identifiers": ["age", "sex"],
    "sensitive": {"disease": {"t": 0.5}},
    "privacy": {"k": 2},
    "method": "stack_and_deal",
}


SEARCHED = {"method": "mondrian", "sensitive": {"disease": {"l": 2}}}


@pytest.fixture
def engine() -> Iterator[DuckDBEngine]:
    connection = duckdb.connect()
    connection.execute(
        "create table patients as "
        "select i as age, 'x' as sex, i % 2 as disease, 'a' as plan from range(9) t(i)"
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


def rendered(text: str) -> str:
    """A model as dbt fills it in, with what it reads of other models in a schema of its own."""
    return (
        jinja2.Environment()
        .from_string(text)
        .render(
            config=lambda **settings: "",
            ref="outside.{}".format,
            invocation_id="a",
            sqlanon=Package(duckdb.connect()),
        )
    )


@pytest.mark.parametrize(
    ("folder", "written_by", "by_hand"),
    [
        ("relations", macro_files, set()),
        ("plans", plan_files, set()),
        ("tests", generic_tests, {"checks_pass.sql", "row_conservation.sql"}),
        ("databases", database_files, set()),
    ],
)
def test_package_has_the_text_of_templates_plans_and_models(
    folder: str, written_by: Callable[[], dict[str, str]], by_hand: set[str]
) -> None:
    """Run with UPDATE_DBT=1 to write the macros anew; then read the difference."""
    files, place = written_by(), ROOT / "dbt" / "macros" / folder
    if os.environ.get("UPDATE_DBT"):
        for old in place.glob("*.sql"):
            if old.name not in by_hand:
                old.unlink()
        for name, text in files.items():
            (place / name).write_text(text, encoding="utf-8")
    assert {path.name for path in place.glob("*.sql")} == {*files, *by_hand}
    for name, text in files.items():
        assert (place / name).read_text(encoding="utf-8") == text, name


def test_every_privacy_model_has_a_generic_test() -> None:
    """Those of what is known or guarded beside the records have none."""
    names = {name.removesuffix(".sql") for name in generic_tests()}
    models = {model.name for model in MODELS if model.per in ("release", "sensitive")}
    of_some_tables = {"distinct_groups_l", "proximity", "km_anonymity"}
    assert names == models - {"distinct_l"} - of_some_tables | {"l_diversity"}


def test_what_a_spec_asks_is_written_as_generic_tests(engine: DuckDBEngine, project: Path) -> None:
    """With the registry's arguments; none for what PostgreSQL rounds otherwise."""
    asked = {
        "t": "1/3",
        "distance": "ordered",
        "l": {"distinct": 2, "entropy": 1.5, "recursive": {"c": "7/3", "l": 2}},
        "alpha": 0.9,
        "beta": {"basic": 2, "enhanced": "1/3"},
        "delta": {"log2": 3, "ln": 2},
    }
    written(engine, project, sensitive={"disease": asked})
    (release, *_) = yaml.safe_load((project / "models/public/schema.yml").read_text())["models"]
    named = {next(iter(one)): next(iter(one.values())) for one in release["data_tests"]}
    about = {"quasi_identifiers": ["age", "sex"], "sensitive": "disease"}
    arguments = {
        name.removeprefix("sqlanon."): {
            key: value for key, value in one["arguments"].items() if key not in about
        }
        for name, one in named.items()
        if about.items() <= one["arguments"].items()
    }
    assert arguments == {
        "l_diversity": {"l": 2},
        "recursive_l": {"c": "7/3", "l": 2},
        "alpha": {"alpha": "0.9"},
        "t_closeness": {"t": "1/3", "distance": "ordered"},
        "beta_likeness": {"beta": "2"},
        "enhanced_beta_likeness": {"beta": "1/3"},
    }


def test_no_test_compares_what_is_left_with_itself(engine: DuckDBEngine, project: Path) -> None:
    """Of a release from which records are left out: the checks compare it with the source."""
    fixed = {"age": {"hierarchy": {"bands": [5]}}, "sex": {"hierarchy": {"tree": {"*": ["x"]}}}}
    declared = {
        "sensitive": {"disease": {"t": 0.5, "l": 2, "beta": 3}},
        "quasi_identifiers": fixed,
        "method": "optimal",
        "levels": {"age": 1, "sex": 0},
        "suppression": {"records": 0.5},
    }
    written(engine, project, **declared)
    (release, *_) = yaml.safe_load((project / "models/public/schema.yml").read_text())["models"]
    tests = {next(iter(one)).removeprefix("sqlanon.") for one in release["data_tests"]}
    assert tests == {"row_conservation", "k_anonymity", "l_diversity"}


_FILTERS = {*("map", "trim", "unique", "length", "list", "string"), "rejectattr", "selectattr"}


@pytest.mark.slow
def test_macros_keep_nothing_that_dbt_does_not_know() -> None:
    """Filters of ours and imports are gone, and each macro is called by the package's name."""
    files = macro_files() | {"": (ROOT / "dbt/macros/helpers.sql").read_text()}
    trees = {name: jinja2.Environment().parse(text) for name, text in files.items()}
    defined = {one.name for tree in trees.values() for one in tree.find_all(nodes.Macro)}
    assert set(LISTS) <= defined
    for name, tree in trees.items():
        assert not [*tree.find_all(nodes.FromImport)], name
        assert {one.name for one in tree.find_all(nodes.Filter)} <= _FILTERS, name
        for call in tree.find_all(nodes.Call):
            called = call.node
            if isinstance(called, nodes.Name):
                assert called.name in {"range", "return"}, name
            elif isinstance(called, nodes.Getattr) and isinstance(called.node, nodes.Name):
                package = called.node.name == "sqlanon" and called.attr != "double"
                assert not package or called.attr in defined, name


@pytest.mark.parametrize(
    ("ours", "in_the_package"),
    [
        ("{{ comma(loop, more) }}", "{{ sqlanon.comma(loop, more) }}"),
        ("{{ column.name | ident }}", "{{ sqlanon.ident(column.name) }}"),
        ('{{ f(("a." ~ (x.y | ident)) | sql) | sql }}', '{{ f(("a." ~ (sqlanon.ident(x.y)))) }}'),
        ("{{ ('a' ~ b) | literal }}", "{{ sqlanon.literal(('a' ~ b)) }}"),
        ("{{ f(a).b | literal }}", "{{ sqlanon.literal(f(a).b) }}"),
        (
            '{% from "macros/tie_breaker.sql.j2" import tie_breaker %}\n'
            "  {% if tie_breaker(x) %}\n{% endif %},",
            "{%- if sqlanon.tie_breaker(x) %}\n{% endif %},",
        ),
        (
            '{% for x in y %}\n{% import "macros/ways/" ~ x.way ~ ".sql.j2" as form %}\n'
            "{{ form.cell(x, comma(loop)) | sql }}{% endfor %}",
            '{%- for x in y %}\n{{ sqlanon["ways_" ~ x.way ~ "_cell"](x, sqlanon.comma(loop)) }}'
            "{% endfor %}",
        ),
        ("cast(a as double)", "cast(a as {{ sqlanon.double() }})"),
        ("cast(a as varchar\n)", "cast(a as {{ dbt.type_string() }}\n)"),
        ("{# comma(loop) #}{{ x.comma }}", "{# comma(loop) #}{{ x.comma }}"),
    ],
)
def test_a_template_in_the_words_of_dbt(ours: str, in_the_package: str) -> None:
    assert in_dbt(ours, LISTS) == in_the_package


def test_a_release_is_a_few_models(engine: DuckDBEngine, project: Path) -> None:
    files = written(engine, project, insensitive={"plan": {"accept": "it is public"}})
    work = [Path(name).stem for name in files if "/work/" in name]
    kinds = "records assigned candidate classes metrics"  # and the release: six
    assert sorted(work) == sorted(f"public__work_{kind}" for kind in kinds.split())
    others = set(files) - {f"models/public/work/{name}.sql" for name in work}
    assert others == {
        "models/public/public.sql",
        *(f"models/public/public__{one}.sql" for one in ("classes", "metrics", "run")),
        "models/public/schema.yml",
    }
    read = set(re.findall(r"ref\('(\w+)'\)", " ".join(files.values())))
    assert read == {"patients", *work} - {"public__work_metrics"}
    listed = ", ".join(f'"{kind}"' for kind in kinds.split())
    assert (
        f'refuse_unchecked([{listed}], ["classes", "metrics", "run"])'
        in (files["models/public/public.sql"])
    )
    for name, text in files.items():
        assert ("--   q1 = age, q2 = sex\n" in text) is ("/work/" in name), name
        assert "-- relation:" not in text


def test_a_model_makes_no_relation_twice(engine: DuckDBEngine, project: Path) -> None:
    """At fixed levels a check reads what is measured of classes, as the metrics do."""
    fixed = {"method": "optimal", "levels": {"age": 1, "sex": 0}}
    hierarchies = {
        "age": {"hierarchy": {"bands": [10]}},
        "sex": {"hierarchy": {"tree": {"*": [0]}}},
    }
    asked = {
        "quasi_identifiers": hierarchies,
        "sensitive": {"disease": {"l": 2}},
        "insensitive": [],
    }
    for name, text in written(engine, project, **asked, **fixed).items():
        made = re.findall(r'^(?:with )?("\w+") as', text, re.MULTILINE)
        assert len(made) == len(set(made)), name


def test_a_value_that_looks_like_a_header_stays(engine: DuckDBEngine, project: Path) -> None:
    value = "a\n-- grain: b"
    hierarchies = {
        "age": {"hierarchy": {"bands": [10]}},
        "sex": {"hierarchy": {"tree": {"*": [value]}}},
    }
    fixed = {"method": "optimal", "levels": {"age": 1, "sex": 0}, "quasi_identifiers": hierarchies}
    files = written(engine, project, **fixed, sensitive={}, privacy={"k": 2})
    (text,) = (text for name, text in files.items() if name.endswith("__work_candidate.sql"))
    assert value in text
    assert "-- grain" not in text.replace(value, "")


def test_the_values_of_groups_stand_beside_the_release(engine: DuckDBEngine, project: Path) -> None:
    files = written(engine, project, publish={"name": "anatomy", "group": 3}, privacy={"k": 1})
    assert "models/public/work/public__work_candidate_sensitive.sql" in files
    assert sum("/work/" in name for name in files) == 6
    published = files["models/public/public.sql"]
    assert '["classes", "metrics", "run", "sensitive"]) }}' in published
    (release, *_) = yaml.safe_load(files["models/public/schema.yml"])["models"]
    types = {one["name"]: one["data_type"] for one in release["columns"]}
    assert types == {"group_id": "bigint", "age": "bigint", "sex": "varchar"}
    (_, grouped) = release["data_tests"]
    arguments = grouped["sqlanon.k_anonymity"]["arguments"]
    assert arguments == {"quasi_identifiers": ["group_id"], "k": 3}


def test_every_step_of_the_plan_is_a_cte_under_its_title(
    engine: DuckDBEngine, project: Path
) -> None:
    files = " ".join(written(engine, project).values())
    prepared = prepare(parse_spec({**SIMPLE, "release": "other"}), engine, full=False)
    for step in prepared.plan:
        titles = [f"-- {step.title}\n", f"-- {step.title}: ", f", {text_of(step.title)}, "]
        titles.append(f'"sqlanon_{step.title.replace(" ", "_")}" as ')  # its name says it
        assert any(text in files for text in titles), step.title


def test_models_read_nothing_but_what_they_name(engine: DuckDBEngine, project: Path) -> None:
    """Every relation of a model is a CTE of it, or what dbt puts in place of a ref()."""
    for name, text in written(engine, project).items():
        if "/work/" not in name:
            continue
        sql = rendered(text)
        read = {str(relation) for relation in tables_read(sql)}
        assert read
        assert all(one.startswith("outside.") for one in read), name


def test_calls_of_macros_make_the_sql_of_the_plan(
    engine: DuckDBEngine, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a model calls of the package is what would stand in it."""
    _with_doubles(engine)
    asked: dict[str, Any]
    asked = {"disease": {"t": "1/3", "l": {"distinct": 2, "recursive": {"c": 3, "l": 2}}}}
    called = written(engine, project, sensitive=asked, insensitive=["plan"])
    assert sum(text.count("{{ sqlanon.select_") for text in called.values()) > 20
    monkeypatch.setattr("sqlanon.dbt.folding.packaged", frozenset)
    spelled_out = written(engine, project, sensitive=asked, insensitive=["plan"])
    for name in (text for text in called if "/work/" in text):
        assert "sqlanon.select_" not in spelled_out[name]
        assert bare(rendered(called[name])) == bare(rendered(spelled_out[name])), name


def _with_doubles(engine: DuckDBEngine) -> None:
    """Columns of doubles, whose zeros are told apart by their sign."""
    engine.connection.execute(
        "create or replace table memory.main.patients as select i as age, 'x' as sex, "
        "(i % 2)::double as disease, (i % 3)::double as plan from range(9) t(i)"
    )


def test_no_model_for_postgres_calls_what_duckdb_alone_has(
    engine: DuckDBEngine, project: Path
) -> None:
    """The sign of a zero is seen from its text there, also where the package has a macro.

    And decimals alone are rounded to so many digits.
    """
    _with_doubles(engine)
    asked = {"disease": {"l": {"entropy": 1.5}, "delta": {"ln": 2, "log2": 3}}}
    spec = parse_spec({**SIMPLE, "sensitive": asked, "insensitive": ["plan"]})
    texts = [path.read_text() for path in write_models(spec, engine, project, "postgres")]
    assert not any("signbit" in text for text in texts)
    assert any("'-0'" in text for text in texts)
    rounded = [one for text in texts for one in re.findall(r"\bround\(.*", text, re.IGNORECASE)]
    assert rounded
    assert all(re.match(r"round\((?:$|.* as decimal\))", one, re.I) for one in rounded), rounded
    called = "".join(texts)
    assert "select_entropy_l" not in called
    assert "select_delta_disclosure" not in called


def bare(sql: str) -> str:
    """SQL as a tree writes it: without comments, and with the names of CTEs in no quotes."""
    text = sqlglot.parse_one(sql, "duckdb").sql("duckdb", comments=False)
    return re.sub(r'"(\w+)"', r"\1", text)


@pytest.mark.slow
def test_postgres_plans_as_in_a_run(engine: DuckDBEngine, project: Path) -> None:
    """It takes a CTE for a few rows: a nested loop over two of them would not end."""
    for dialect in ("duckdb", "postgres"):
        for path in write_models(parse_spec(SIMPLE), engine, project, dialect):
            if path.parent.name == "work":
                settings = settings_of(path.read_text(), dialect)
                assert ("set local enable_nestloop = off" in settings.get("pre_hook", [])) == (
                    dialect == "postgres"
                )


def test_on_postgres_work_models_and_the_proof_are_granted_to_nobody(
    engine: DuckDBEngine, project: Path
) -> None:
    """By no grants of the project either; the release has those that the project says."""
    apart = {
        **SIMPLE,
        "sensitive": {"disease": {"l": 2}},
        "privacy": {"k": 1},
        "publish": "anatomy",
    }
    for dialect in ("duckdb", "postgres"):
        for path in write_models(parse_spec(apart), engine, project, dialect):
            text = path.read_text()
            if path.parent.name == "work":
                settings = settings_of(text, dialect)
                found = settings.get("post_hook"), settings.get("grants")
                withheld: tuple[Any, Any] = ("{{ sqlanon.withhold(this) }}", {"select": []})
                assert found == (withheld if dialect == "postgres" else (None, None))
            elif path.stem == "public":
                assert "grants=" not in text
                assert text.count("for_readers=true") == 1
                assert 'checks=7, work="candidate_sensitive", by_value=true, for_readers=true' in (
                    " ".join(text.split())
                )


def settings_of(text: str, dialect: str) -> dict[str, Any]:
    """The settings that a work model has in dbt, of its macros."""
    settings: dict[str, Any] = {}
    package = Package(duckdb.connect(), dialect, lambda **more: settings.update(more) or "")
    (call,) = re.findall(r"\{\{ sqlanon\.(work_model\(.*\)) \}\}", text)
    package.work_model(fixed="fixed=true" in call)
    return settings


def test_work_models_stand_in_a_schema_of_their_own(engine: DuckDBEngine, project: Path) -> None:
    files = written(engine, project)
    tables = {"models/public/work/public__work_records.sql", "models/public/public.sql"}
    schema = project / "models" / "public" / "schema.yml"
    models = yaml.safe_load(schema.read_text())["models"]
    work = [model for model in models if "__work_" in model["name"]]
    given = {one["name"].removeprefix("public__work_"): one["config"] for one in work}
    assert given.pop("records") == {"schema": "private"}  # a table it stays
    assert all(one == {"schema": "private", "materialized": "table"} for one in given.values())
    for name, text in files.items():
        is_table = "materialized='table'" in text or "work_model(fixed=true)" in text
        assert is_table == (name in tables), name
    assert settings_of("{{ sqlanon.work_model(fixed=true) }}", "duckdb")["materialized"] == "table"
    text = schema.read_text().replace("materialized: table", "materialized: view")
    schema.write_text(text.replace("schema: private", "schema: secret"))
    before = schema.read_text()
    written(engine, project)
    assert schema.read_text() == before


def test_what_is_measured_is_kept_and_read_back_as_it_was(engine: DuckDBEngine) -> None:
    prepared = prepare(parse_spec({**SIMPLE, "release": "other"}), engine)
    steps = [step for step in prepared.plan if isinstance(step, Step)]
    readers = (prepared.measurement.class_report, prepared.measurement.metrics)
    once = measured_once(steps, prepared.measurement.class_report)
    assert not [step for step in steps if step not in once]
    columns = {step.output: columns_of(step.sql()) for step in steps}
    added = [step for step in once if step not in steps]
    assert [step.output for step in added].count(MEASURED) == 1
    for step in added:
        template = load_template(step.template)
        check_contract(step.sql(), template.outputs, {name.name for name in step.inputs.values()})
        if step.output != MEASURED:
            assert columns_of(step.sql()) == columns[step.output]
    wanted = needed(once, readers, [MEASURED])
    assert {one.template for one in wanted if one.template.startswith("privacy/")} == {
        "privacy/held"  # what is asked is no part of what is measured
    }


def test_the_judged_metrics_keep_their_contract() -> None:
    template = load_template("dbt/judged")
    sql = template.render({"metrics": Relation("metrics"), "checks": Relation("checks")}, {})
    check_contract(sql, template.outputs, {"metrics", "checks"})


def test_a_release_named_like_a_relation_of_a_template(engine: DuckDBEngine, project: Path) -> None:
    files = written(engine, project, release="copies")
    models = [text for path, text in files.items() if path.startswith("models/copies/")]
    assert any("\nfrom copies\n" in rendered(text) for text in models)


def test_braces_in_names_are_not_for_dbt(engine: DuckDBEngine, project: Path) -> None:
    engine.connection.execute(
        'create table memory.main.braces as select age as "a{{b}}", * from patients'
    )
    files = written(
        engine, project, source={"table": "braces"}, quasi_identifiers=["a{{b}}", "sex"]
    )
    text = files["models/public/public.sql"]
    assert '["a\\u007b{b}}", "sex", "disease"]' in text
    assert "a{{b}}" not in " ".join(files.values())


def test_a_schema_is_a_source_of_dbt(engine: DuckDBEngine, project: Path) -> None:
    engine.connection.execute(
        "create schema memory.raw; create table memory.raw.patients as from patients"
    )
    files = written(engine, project, source={"table": "raw.patients"})
    declared = yaml.safe_load(files["models/public/schema.yml"])["sources"]
    (source,) = declared
    assert source == {"name": "public__source", "schema": "raw", "tables": [{"name": "patients"}]}
    records = files["models/public/work/public__work_records.sql"]
    assert "{{ source('public__source', 'patients') }}" in records


def test_another_table_is_read_once_as_the_source_is(engine: DuckDBEngine, project: Path) -> None:
    """By a work model of its own that stays a table: a model, a file, or a table with a schema."""
    file = project / "others.csv"
    engine.connection.execute(f"copy patients to '{file}'")
    engine.connection.execute("create table memory.main.others as from patients")
    said_of = {
        "others": ("{{ ref('others') }}", []),
        "main.others": (
            "{{ source('public__table_1', 'others') }}",
            [{"name": "public__table_1", "schema": "main", "tables": [{"name": "others"}]}],
        ),
        str(file): ("{{ source('public__table_1', 'records') }}", None),
    }
    for source, (said, declared) in said_of.items():
        privacy = {"k": 2, "population": {"source": source, "k_map": 2}}
        files = written(engine, project, privacy=privacy)
        schema = yaml.safe_load(files["models/public/schema.yml"])
        if declared is not None:
            assert schema.get("sources", []) == declared
        readers = [path for path, text in files.items() if said in text]
        assert readers == ["models/public/work/public__work_people.sql"]
        assert "work_model(fixed=true)" in files[readers[0]]
        (people,) = [one for one in schema["models"] if one["name"].endswith("work_people")]
        assert people["config"] == {"schema": "private"}
        shutil.rmtree(project / "models")
    refused = [
        (str(file), "public", "postgres", "privacy.population.source: dbt cannot read a file on"),
        (
            {"query": "from others"},
            "public",
            "duckdb",
            "population.source: a query must be a model",
        ),
        ("others", "others", "duckdb", "it is called like what privacy.population.source names"),
    ]
    for read, release, dialect, why in refused:
        population = {"k": 2, "population": {"source": read, "k_map": 2}}
        spec = parse_spec({**SIMPLE, "privacy": population, "release": release})
        with pytest.raises(SpecError, match=re.escape(why)):
            write_models(spec, engine, project, dialect)


def test_what_is_not_needed_any_more_goes(engine: DuckDBEngine, project: Path) -> None:
    first = written(engine, project, publish={"name": "anatomy", "group": 3}, privacy={"k": 1})
    second = written(engine, project)
    there = {p.relative_to(project).as_posix() for p in project.rglob("*") if p.is_file()}
    assert there == {*second, "dbt_project.yml"}
    assert set(first) - set(second)


def test_work_models_of_an_earlier_version_go(engine: DuckDBEngine, project: Path) -> None:
    first = written(engine, project)
    schema = project / "models/public/schema.yml"
    for earlier in ("shares", "measured", "checks"):
        name = f"public__work_{earlier}"
        text = first["models/public/work/public__work_assigned.sql"]
        (project / f"models/public/work/{name}.sql").write_text(text)
        schema.write_text(f"{schema.read_text()}- name: {name}\n  config: {{schema: private}}\n")
    assert written(engine, project) == first
    there = {p.relative_to(project).as_posix() for p in project.rglob("*") if p.is_file()}
    assert there == {*first, "dbt_project.yml"}


def test_files_of_others_stay(engine: DuckDBEngine, project: Path) -> None:
    other = project / "models" / "public" / "mine.sql"
    other.parent.mkdir(parents=True)
    other.write_text("select 1 as one")
    with pytest.raises(SpecError, match="was not written by sqlanon"):
        written(engine, project)
    assert other.read_text() == "select 1 as one"
    assert not (project / "models" / "public" / "schema.yml").exists()


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"method": "split_or_deal"}, "method: split_or_deal as declared asks the data what to do"),
        (
            {"method": "stack_and_deal", "suppression": {"records": "0.1"}},
            "use stack_and_deal without suppression, optimal",
        ),
        (
            {"publish": {"name": "sliced", "group": 3, "widest": 2}, "privacy": {"k": 1}},
            "publish.widest: a run finds the slices",
        ),
        ({**SEARCHED, "recipe": "public"}, "recipe: it is the release that dbt builds"),
        ({**SEARCHED, "recipe": "odd name"}, "recipe: 'odd name' is no name for dbt"),
        ({"materialize": "view"}, "materialize: a release made by dbt is a table"),
        ({"release": "main.public"}, "release: as the name of a dbt model"),
        ({"release": "patients"}, "release: it is called like the source"),
        (
            {"source": {"table": "memory.main.patients"}, "release": "Patients"},
            "release: it is called like the source",
        ),
        ({"source": {"query": "select * from patients"}}, "name the model or seed .* with --ref"),
        ({"release": "x" * 50}, "give the release a name of at most"),
    ],
)
def test_what_cannot_be_models_is_refused(
    engine: DuckDBEngine, project: Path, changed: dict[str, Any], message: str
) -> None:
    if "recipe" in changed:
        searched = {**SIMPLE, **SEARCHED, "release": '"odd name"'}
        for release in ('"odd name"', "public"):
            spec = parse_spec({**searched, "release": release})
            sqlanon.anonymize(spec, connection=engine.connection.cursor()).close()
    with pytest.raises(SpecError, match=message):
        written(engine, project, **changed)
    assert [path.name for path in project.iterdir()] == ["dbt_project.yml"]


LABELLED: dict[str, Any] = {
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [5]}},
        "sex": {"hierarchy": {"tree": {"*": ["x"]}}},
    },
    "sensitive": {"disease": {"accept": "it is public"}},
    "method": "optimal",
    "levels": {"age": 1, "sex": 0},
}


def test_a_release_that_grows_takes_new_batches_only(engine: DuckDBEngine, project: Path) -> None:
    spec = parse_spec({**SIMPLE, **LABELLED, "suppression": {"records": 0.1}})
    paths = write_models(spec, engine, project, "duckdb", incremental="age")
    files = {path.name: path.read_text() for path in paths}
    records = files["public__work_records.sql"]
    assert "where {{ sqlanon.is_new_batch('public', 'labels.label') }}" in records
    published = files["public.sql"]
    assert "materialized='incremental', incremental_strategy='append'" in published
    assert "full_refresh=false" in published
    assert published.count("grows=true") == 4  # the release, and what lies next to it
    batches = 'labelled="recoded", label="p1"'
    assert f"publish_run(checks=5, {batches}, facts=[" in published
    tests = yaml.safe_load(files["schema.yml"])["models"][0]["data_tests"]
    assert [next(iter(test)) for test in tests] == ["sqlanon.k_anonymity"]


def _meaning(engine: DuckDBEngine, project: Path, declared: Mapping[str, Any]) -> str:
    paths = write_models(parse_spec(declared), engine, project, "duckdb", incremental="age")
    published = next(path for path in paths if path.name == "public.sql").read_text()
    return published.partition('meaning="')[2].partition('"')[0]


@pytest.mark.slow
def test_what_grows_means_what_files_of_hierarchies_and_recipes_say(
    engine: DuckDBEngine, project: Path
) -> None:
    """Else records would be published again, by other labels, and a reader could compare both."""
    ages, recipes = project / "ages.csv", [project / "one.yaml", project / "two.yaml"]
    columns = {**LABELLED["quasi_identifiers"], "age": {"hierarchy": str(ages)}}
    declared = {**SIMPLE, **LABELLED, "quasi_identifiers": columns}
    found = []
    for group in ("young", "old"):
        ages.write_text("".join(f"{age};{group};*\n" for age in range(9)))
        found.append(_meaning(engine, project, declared))
    for level, recipe in enumerate(recipes):
        leveled = {**declared, "levels": {"age": level, "sex": 0}}
        run = {**leveled, "privacy": {"k": 1}}
        with sqlanon.open(engine.connection) as database:
            database.run(parse_spec(run)).close()
            recipe.write_text(database.recipe("public").text)
        taken = {name: settings for name, settings in declared.items() if name != "levels"}
        found.append(_meaning(engine, project, {**taken, "recipe": str(recipe)}))
    assert len(set(found[:3])) == 3
    assert found[3] == found[1]  # the same levels, which the spec names or a recipe


@pytest.mark.parametrize(
    ("changed", "column", "message"),
    [
        ({}, "disease", "a release grows by a quasi-identifier that is published"),
        (SIMPLE, "age", "the labels must follow from a record's values alone"),
        ({"levels": {"age": 2, "sex": 0}}, "age", "levels.age: all batches would have one label"),
        ({"sensitive": {"disease": {"t": 0.5}}}, "age", "t_closeness compares classes with the"),
    ],
)
def test_a_release_whose_batches_would_not_hold_does_not_grow(
    engine: DuckDBEngine, project: Path, changed: dict[str, Any], column: str, message: str
) -> None:
    spec = parse_spec({**SIMPLE, **LABELLED, **changed} if changed != SIMPLE else SIMPLE)
    with pytest.raises(SpecError, match=message):
        write_models(spec, engine, project, "duckdb", incremental=column)
    assert [path.name for path in project.iterdir()] == ["dbt_project.yml"]


def test_a_folder_without_a_project_is_refused(engine: DuckDBEngine, tmp_path: Path) -> None:
    with pytest.raises(SpecError, match=r"there is no dbt_project.yml"):
        written(engine, tmp_path)


def test_what_people_added_to_the_schema_stays(engine: DuckDBEngine, project: Path) -> None:
    written(engine, project)
    schema = project / "models" / "public" / "schema.yml"
    text = schema.read_text()
    assert "data_type: varchar" in text
    assert "k: 2\n" in text
    text = text.replace(
        "  - name: age\n    description: quasi-identifier, generalized\n",
        "  - name: age  # in years\n    description: how old\n    data_tests: [not_null]\n"
        "    meta: {owner: ward 3}\n",
    ).replace(
        "  - name: disease\n",
        "  - name: disease\n    data_tests:\n    - accepted_values: {a: [1]}\n",
    )
    text = text.replace(
        "  data_tests:\n  - sqlanon",
        "  config: {contract: {enforced: true}}\n  data_tests:\n  - unique: {name: mine}\n"
        "  - sqlanon",
        1,
    )
    text += "- name: mine\n  description: my own model\n"
    schema.write_text(text)
    before = yaml.safe_load(text)
    written(engine, project, privacy={"k": 3, "l": 2}, insensitive=[], quasi_identifiers=["age"])
    assert "# in years" in schema.read_text()
    after = yaml.safe_load(schema.read_text())
    release, *others = after["models"]
    assert release["config"] == {"contract": {"enforced": True}}
    assert release["columns"][0] == before["models"][0]["columns"][0]
    assert [column["name"] for column in release["columns"]] == ["age", "disease"]
    assert release["columns"][1]["data_tests"] == [{"accepted_values": {"a": [1]}}]
    tests = {next(iter(one)): next(iter(one.values())) for one in release["data_tests"]}
    assert tests["unique"] == {"name": "mine"}
    assert tests["sqlanon.k_anonymity"]["arguments"] == {"quasi_identifiers": ["age"], "k": 3}
    assert tests["sqlanon.l_diversity"]["arguments"]["l"] == 2
    assert {"name": "mine", "description": "my own model"} in others
    made = {one["name"] for one in others} - {"mine"}
    written_for = {path.stem for path in (project / "models/public").rglob("*.sql")}
    assert made == written_for - {"public"}
    again = schema.read_text()
    written(engine, project, privacy={"k": 3, "l": 2}, insensitive=[], quasi_identifiers=["age"])
    assert schema.read_text() == again


def test_a_schema_that_cannot_be_read_is_not_written_over(
    engine: DuckDBEngine, project: Path
) -> None:
    written(engine, project)
    schema = project / "models" / "public" / "schema.yml"
    schema.write_text(schema.read_text() + "\n  - [\n")
    broken = schema.read_text()
    with pytest.raises(SpecError, match=r"cannot be read as YAML at line \d+: mend it first"):
        written(engine, project, privacy={"k": 3})
    assert schema.read_text() == broken


def test_types_are_those_of_the_database_that_dbt_runs_on(
    engine: DuckDBEngine, project: Path
) -> None:
    engine.connection.execute(
        "create or replace table memory.main.patients as select i as age, i::hugeint as sex, "
        "i::decimal(9, 2) as disease, 'x'::varchar as plan from range(9) t(i)"
    )
    fields = {"quasi_identifiers": {"age": {"publish": "bounds"}}, "insensitive": ["sex", "plan"]}
    found = {}
    for dialect in ("duckdb", "postgres"):
        write_models(parse_spec({**SIMPLE, **fields}), engine, project, dialect)
        schema = yaml.safe_load((project / "models/public/schema.yml").read_text())
        found[dialect] = [one["data_type"] for one in schema["models"][0]["columns"]]
        (project / "models/public/schema.yml").unlink()
    assert found == {
        "duckdb": ["bigint", "bigint", "decimal(9,2)", "hugeint", "varchar"],
        "postgres": ["bigint", "bigint", "decimal(9, 2)", "numeric", "text"],
    }


def test_the_package_is_written_into_a_project(project: Path) -> None:
    assert not is_known(project)
    assert install(project) is None
    assert is_known(project)
    listed = yaml.safe_load((project / "packages.yml").read_text())
    assert listed == {"packages": [{"local": "sqlanon_package"}]}
    there = {path.relative_to(project / "sqlanon_package") for path in project.rglob("*.sql")}
    assert there == {path.relative_to(ROOT / "dbt") for path in (ROOT / "dbt").rglob("*.sql")}
    assert (project / "sqlanon_package" / "README.md").is_file()
    assert install(project) is None  # written anew, named once
    (project / "packages.yml").write_text("packages:\n  - package: a/b\n    version: 1.0.0\n")
    assert "- local: sqlanon_package" in (install(project) or "")
    (project / "sqlanon_package" / "dbt_project.yml").write_text("name: other\n")
    with pytest.raises(SpecError, match="is something else"):
        install(project)


def test_the_wheel_holds_the_package_and_the_types_mark(tmp_path: Path) -> None:
    """As hatchling builds it; somebody who has only pip must have what the written tests call."""
    build = [sys.executable, "-c", f"import hatchling.build as b; b.build_wheel({str(tmp_path)!r})"]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {"sqlanon/py.typed", "sqlanon/pages/page.html.j2"} <= names
    package = [path for path in (ROOT / "dbt").rglob("*") if path.suffix in (".sql", ".yml", ".md")]
    assert len(package) > 20
    for path in package:
        assert f"sqlanon/dbt_package/{path.relative_to(ROOT / 'dbt').as_posix()}" in names


def test_a_database_of_dbt_is_one_row(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is not the same on each: no module and no macro of ours asks for its name."""
    named = re.compile(rf"\b({'|'.join(PRODUCTS)})", re.IGNORECASE)
    ours = (ROOT / "sqlanon" / "dbt").glob("*.py")
    texts = {path.name: said_in(path.read_text(encoding="utf-8")) for path in ours}
    # DuckDB alone runs a Python model.
    assert {name for name, text in texts.items() if named.search(text)} == {"python_model.py"}
    by_hand = (ROOT / "dbt" / "macros").glob("*.sql")
    heads = re.compile(rf"macro (?:{'|'.join(PRODUCTS)})__(\w+)|target\.type (?:==|in) ")
    found = {path.name for path in by_hand if heads.search(path.read_text(encoding="utf-8"))}
    assert found == {"pseudonym.sql"}  # an algorithm of its own on each

    row = Product("other", capitals=True, dbt=Building(double="real64", settings=["set a = 1"]))
    monkeypatch.setitem(PRODUCTS, "other", row)
    text = database_files()["other.sql"]
    assert "other__double() -%} real64 {%-" in text
    assert '"set a = 1"' in text
    assert "name.upper()" in text


@pytest.mark.parametrize("dialect", ["spark", "snowflake"])
def test_work_models_have_the_settings_of_a_run(dialect: str) -> None:
    text = database_files()[f"{dialect}.sql"]
    for name, value in PRODUCTS[dialect].settings.items():
        assert name == "AUTOCOMMIT" or re.search(rf"{re.escape(name)} = '?{value}", text), name


def said_in(module: str) -> str:
    """The constants of a module but for its docstrings, a line each."""
    tree = ast.parse(module)
    said = {id(one.value) for one in ast.walk(tree) if isinstance(one, ast.Expr)}
    constants = (one for one in ast.walk(tree) if isinstance(one, ast.Constant))
    texts = (one.value for one in constants if id(one) not in said)
    return "\n".join(text for text in texts if isinstance(text, str))
