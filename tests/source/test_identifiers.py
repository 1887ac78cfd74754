"""An identifier that repeats shows that a record is not a person: then nothing is published."""

from pathlib import Path
from typing import Any

import duckdb
import pytest
from support import DEALT, refused, relations

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import SpecError
from sqlanon.spec import load_spec, parse_spec

VISITS = """
create table visits as
select
    i as visit,
    i // 3 as patient,
    case when i % 4 = 0 then 'card ' || i end as card,
    'hospital ' || i % 2 as hospital,
    cast(null as varchar) as fax,
    20 + i % 7 as age,
    'd' || i % 3 as disease
from range(60) as t(i)
"""
ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["disease"], **DEALT}


@pytest.fixture
def visits() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(VISITS)
    return connection


def run(connection: duckdb.DuckDBPyConnection, identifiers: Any) -> None:
    sqlanon.anonymize("visits", connection=connection, identifiers=identifiers, k=3, **ROLES)


@pytest.mark.parametrize(("name", "counts"), [("patient", "20 values"), ("hospital", "2 values")])
def test_an_identifier_that_repeats_is_refused(
    name: str, counts: str, visits: duckdb.DuckDBPyConnection
) -> None:
    error = refused(
        SpecError, "visits", connection=visits, identifiers=["visit", name], k=3, **ROLES
    )
    assert f"identifiers.{name}: {counts} in 60 records" in str(error)
    assert f"identifiers: {{{name}: {{repeats: true}}}}" in str(error)
    assert error.exit_code == 2
    assert relations(visits) == {"visits"}


def test_missing_values_are_no_repetition(visits: duckdb.DuckDBPyConnection) -> None:
    run(visits, ["visit", "card", "fax"])


def test_what_repeats_may_be_declared(visits: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    run(visits, {"visit": None, "hospital": {"repeats": True}})
    (tmp_path / "spec.yaml").write_text(
        "source: visits\nrelease: r\nquasi_identifiers: age\nprivacy: {k: 3}\n"
        "identifiers: {visit: {}, hospital: {repeats: true}}\n",
        encoding="utf-8",
    )
    assert load_spec(tmp_path / "spec.yaml").identifiers["hospital"].repeats


def test_settings_of_an_identifier_are_checked(visits: duckdb.DuckDBPyConnection) -> None:
    for wrong, said in (
        ({"visit": {"repeats": "yes"}}, "identifiers.visit.repeats: it must be true or false"),
        ({"visit": 3}, "identifiers.visit: it must be the column's settings"),
        ({"visit": {"repeat": True}}, "did you mean 'repeats'"),
        (3, "identifiers: it must be a list of columns"),
    ):
        with pytest.raises(SpecError, match=said):
            run(visits, wrong)


def test_a_script_refuses_what_repeats_by_then(visits: duckdb.DuckDBPyConnection) -> None:
    declared = {"identifiers": ["visit"], "k": 3, "release": "scripted", **ROLES}
    script = sqlanon.compile("visits", connection=visits, **declared)
    visits.execute("insert into visits select * from visits where visit = 7")
    with pytest.raises(duckdb.Error, match=r"identifiers\.visit: 60 values in 61 records"):
        visits.execute(script)


def test_dbt_models_count_identifiers_where_dbt_reads_the_source(
    visits: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    from sqlanon.dbt import write_models

    (tmp_path / "dbt_project.yml").write_text("name: mine\n", encoding="utf-8")
    fields = {"source": {"table": "visits"}, "release": "r", "privacy": {"k": 3}, **ROLES}
    spec = parse_spec({**fields, "identifiers": ["visit"]})
    write_models(spec, DuckDBEngine(connection=visits), tmp_path)
    text = (tmp_path / "models/r/work/r__work_metrics.sql").read_text(encoding="utf-8")
    assert "select * from {{ ref('visits') }}" in text
    assert 'sqlanon.select_check_identifier(holders="sqlanon_holders_1")' in text
