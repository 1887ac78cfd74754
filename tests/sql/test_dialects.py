"""Scripts in every dialect: as the golden files show them, readable, and honest about what ran."""

from __future__ import annotations

import os
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import pytest
import sqlglot
from rendered import SOURCE
from sqlglot import exp
from support import ROOT

import sqlanon
from sqlanon.errors import EngineError, SpecError
from sqlanon.scripts.dialects import SYNTAX
from sqlanon.sql.dialects import in_capitals, text_literal, transpile
from sqlanon.sql.names import check_names
from sqlanon.sql.products import DIALECTS, PRODUCTS

GOLDEN = ROOT / "tests" / "golden" / "scripts"
# test_postgres.py, test_spark.py and test_docs.py run their scripts; an emulator is no product.
RUN_HERE = {
    name for name, product in PRODUCTS.items() if product.engine and not SYNTAX[name].emulator
}
SMALL: dict[str, Any] = {
    "source": "patients",
    "release": "public",
    "quasi_identifiers": {"age": {}, "zip": {"hierarchy": {"prefix": [5, 3]}}},
    "sensitive": {"disease": {"t": 0.5}},
    "privacy": {"k": 10},
    "method": "stack_and_deal",
}
# What every plan has in it.
LEAST = {"quasi_identifiers": "age", "sensitive": "disease"}


def compiled(dialect: str, **declared: Any) -> str:
    with duckdb.connect() as connection:
        connection.execute(SOURCE)
        return sqlanon.compile(connection=connection, dialect=dialect, **{**SMALL, **declared})


def test_a_remainder_and_a_product_are_taken_from_left_to_right() -> None:
    """sqlglot before 30.18 took the product first, and a script for BigQuery made other classes."""
    written = transpile("select a % 7 * 5 + b as c from t", "bigquery")
    assert "mod(`a`, 7) * 5 + `b`" in written


@pytest.mark.parametrize("dialect", ["bigquery", "snowflake"])
def test_a_quotient_is_a_double_where_it_would_be_a_decimal(dialect: str) -> None:
    double = "float64" if dialect == "bigquery" else "double"
    text = (
        "select a / b as x, cast(a as double) / b as y, cast((a - a % 2) / 2 as bigint) as z from t"
    )
    written = transpile(text, dialect).replace("`", '"')
    assert written.count(f"as {double}") == 2
    assert f'cast("a" as {double}) / "b" as "x"' in written


def test_names_for_snowflake_are_those_without_quotes() -> None:
    text = """select "age" as "Age x", 'a "town"' as "e\'s" -- "kept"\nfrom "pub"."people_1" """
    capitals = """select "AGE" as "Age x", 'a "town"' as "e\'s" -- "kept"\nfrom "PUB"."PEOPLE_1" """
    assert in_capitals(text, "snowflake") == capitals


@pytest.mark.parametrize("dialect", ["bigquery", "postgres", "spark"])
def test_every_part_of_the_metrics_is_in_the_statement(dialect: str) -> None:
    """Each is translated by itself, and put where the dialect's own quotes hold its place."""
    script = compiled(dialect, **LEAST, all_metrics=True)
    assert "\ue001" not in script
    assert "non_uniform_entropy" not in script  # asked for by name alone
    assert "discernibility" in script


def without(script: str, step: str) -> str:
    """Without the text of a step; its title stays."""
    following = r"(?=\n\n-- (?:\d+\. |Everything holds|What was needed|The same may)|\Z)"
    return re.sub(rf"(-- \d+\. {step}: [^\n]*\n).*?{following}", r"\1", script, flags=re.DOTALL)


def without_what_varies(script: str) -> str:
    """Without the version, the release's number, and the record of the run: it holds the spec."""
    script = re.sub(r"\A-- sqlanon \S+:", "-- sqlanon:", script)
    script = re.sub(r"(?<=sqlanon release )[0-9a-f]{32}", "0" * 32, script)
    return without(script, "recording the run")


def golden(dialect: str) -> str:
    """A script whole on DuckDB; elsewhere of the least plan, without the metrics."""
    if dialect == "duckdb":
        return without_what_varies(compiled(dialect))
    return without(without_what_varies(compiled(dialect, **LEAST)), "metrics")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_golden(dialect: str) -> None:
    """Run with UPDATE_GOLDEN=1 to write the files anew; then read the difference."""
    script = golden(dialect)
    file = GOLDEN / f"{dialect}.sql"
    if os.environ.get("UPDATE_GOLDEN"):
        GOLDEN.mkdir(exist_ok=True)
        file.write_text(script, encoding="utf-8")
        (GOLDEN / "sqlglot").write_text(version("sqlglot") + "\n", encoding="utf-8")
    written_by = (GOLDEN / "sqlglot").read_text(encoding="utf-8").strip()
    if version("sqlglot") != written_by and dialect != "duckdb":
        pytest.skip(f"the golden scripts are those of sqlglot {written_by}")
    assert script == file.read_text(encoding="utf-8")
    assert {path.stem for path in GOLDEN.glob("*.sql")} == set(DIALECTS)


def test_the_number_that_readers_see_of_a_script_tells_nothing_of_it() -> None:
    """Else it would confirm who guesses the seed and the spec."""
    numbers = [set(re.findall(r"sqlanon release ([0-9a-f]{32})", compiled("duckdb"))) for _ in "ab"]
    assert [len(number) for number in numbers] == [1, 1]
    assert numbers[0] != numbers[1]


def test_every_product_has_scripts_and_says_whether_they_ran() -> None:
    assert {name: bool(syntax.untested) for name, syntax in SYNTAX.items()} == {
        name: name not in RUN_HERE for name in DIALECTS
    }


def test_the_page_of_what_runs_where_names_tests_and_every_database() -> None:
    page = (ROOT / "docs" / "engines.md").read_text(encoding="utf-8")
    table = page.partition("## What runs where")[2].partition("\n## ")[0]
    named = set(re.findall(r"`(\w+/test_\w+\.py)`", table))
    assert len(named) > 10
    assert {name for name in named if not (ROOT / "tests" / name).exists()} == set()
    products = {name: syntax.untested or name for name, syntax in SYNTAX.items()}
    assert {name for name, shown in products.items() if shown.lower() not in table.lower()} == set()
    emulated = {name for name, syntax in SYNTAX.items() if syntax.emulator}
    assert {name for name in emulated if f"engines/test_{name}.py" not in named} == set()


@pytest.mark.parametrize("dialect", sorted(set(DIALECTS) - RUN_HERE))
def test_what_was_not_run_says_so(dialect: str) -> None:
    head = compiled(dialect).split("\n\n")[0]
    emulated = r"(, but on \w+, [\w ]+)?"
    said = rf"^-- This text was not run on \w+{emulated}: read it before you use it\.$"
    assert re.search(said, head, re.M)


@pytest.mark.parametrize("dialect", sorted(RUN_HERE))
def test_what_is_run_in_the_tests_has_no_such_remark(dialect: str) -> None:
    assert "was not run" not in compiled(dialect).split("\n\n")[0]


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_statement_can_be_read(dialect: str) -> None:
    """As SQL of the dialect: a query, or a relation made of one, and nothing left of DuckDB's."""
    allowed = (
        exp.Query,
        exp.Comment,
        exp.Create,
        exp.Drop,
        exp.Insert,
        exp.TruncateTable,
        exp.Analyze,
        exp.Alter,
    )
    around = (exp.Transaction, exp.Commit, exp.Set, exp.Command)
    statements = sqlglot.parse(compiled(dialect, release="pub lic"), read=dialect)
    found = [statement for statement in statements if statement is not None]
    assert len(found) > 30
    for one in found:
        assert isinstance(one, (*allowed, *around)), one.sql()[:200]
    names = {table.name for one in found for table in one.find_all(exp.Table)}
    patients = "PATIENTS" if PRODUCTS[dialect].capitals else "patients"
    assert {patients, "pub lic", "pub lic__metrics"} <= names


@pytest.mark.parametrize("dialect", DIALECTS)
def test_text_stays_text(dialect: str) -> None:
    """Whatever a value holds; some dialects read a backslash as a sign of its own."""
    for text in ("it's", "back\\slash", "\\'; drop table t; --", "UPPER", "new\nline", 'a"b`c'):
        literal = text_literal(text, dialect)
        assert sqlglot.parse_one(literal, read=dialect) == exp.Literal.string(text)
        quoted = text.replace("'", "''")
        written = transpile(f"select '{quoted}' as \"It's\" from t", dialect)
        select = sqlglot.parse_one(written, read=dialect)
        assert select.find(exp.Literal) == exp.Literal.string(text)
        assert [one.alias for one in select.find_all(exp.Alias)] == ["It's"]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_long_text_stays_text(dialect: str) -> None:
    """Also where a text holds the sign that stands for another while the SELECT is written."""
    given = ("it's\\\n", "'sqlanon_text_0'")
    texts = [f"{text}{number}" * 300 for number, text in enumerate(given)]
    listed = ", ".join("'" + text.replace("'", "''") + "'" for text in [*texts, "short"])
    select = sqlglot.parse_one(transpile(f"select {listed} from t", dialect), read=dialect)
    assert list(select.find_all(exp.Literal)) == [
        exp.Literal.string(text) for text in [*texts, "short"]
    ]


STAGED = ("bigquery", "clickhouse", "databricks", "snowflake", "spark", "trino")


def is_refusal(statement: Any) -> bool:
    return isinstance(statement, exp.Query) and statement.named_selects == ["refused"]


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("materialize", ["table", "view"])
@pytest.mark.parametrize("dialect", STAGED)
def test_nothing_published_is_touched_before_the_last_check(dialect: str, materialize: str) -> None:
    """Where DDL commits by itself, an older release must outlive a check that fails."""
    text = compiled(dialect, materialize=materialize, release="main.people")
    statements = [one for one in sqlglot.parse(text, read=dialect) if one is not None]
    made = {"people", "people__classes", "people__metrics", "people__run"}
    made |= {"people__rows"} if materialize == "view" else set()
    made = {name.upper() for name in made} if PRODUCTS[dialect].capitals else made
    touched = [
        at
        for at, statement in enumerate(statements)
        if any(table.name in made for table in statement.find_all(exp.Table))
    ]
    refusals = [at for at, statement in enumerate(statements) if is_refusal(statement)]
    assert len(refusals) > 4
    assert min(touched) > max(refusals)
    for name in made:
        assert re.search(rf"(rename to|or replace (table|view)) .*\W{name}\W", text), name


@pytest.mark.parametrize("dialect", ["redshift", "snowflake"])
def test_no_refusal_is_a_constant_that_fails_without_a_row(dialect: str) -> None:
    """These cast the message to a number: a constant is cast when the statement is planned."""
    statements = [one for one in sqlglot.parse(compiled(dialect), read=dialect) if one is not None]
    refusals = [statement for statement in statements if is_refusal(statement)]
    assert len(refusals) > 4
    for node in refusals:
        assert list(node.expressions[0].find_all(exp.Column)), node.sql()[:200]


def test_what_an_engine_lacks_is_refused() -> None:
    with pytest.raises(EngineError, match="cannot be written for postgres"):
        transpile("select first(a ignore nulls) as m from t", "postgres")


@pytest.mark.parametrize("source", [{"file": "a.csv"}, {"query": "select * from patients"}])
def test_a_script_in_another_dialect_reads_a_table(
    source: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with duckdb.connect() as connection:
        connection.execute(SOURCE + f"; copy patients to '{tmp_path}/a.csv'")
    with pytest.raises(SpecError, match=r"cannot read a file|is none in that of another"):
        compiled("bigquery", source=source)


def test_an_unknown_dialect_is_refused() -> None:
    with pytest.raises(SpecError, match="did you mean 'postgres'"):
        compiled("postgress")


def test_an_apostrophe_in_a_comment_begins_no_text() -> None:
    """Else a long text in double quotes, within a text, is taken for a name."""
    said = """select 1 as "a" /* the table's */, '{"hash": "%s"}' as b""" % ("f" * 64)
    check_names(said, "postgres")
    with pytest.raises(ValueError, match="longer than the 63 bytes"):
        check_names(said + f', 2 as "{"f" * 64}"', "postgres")
