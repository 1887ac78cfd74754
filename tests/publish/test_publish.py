"""A publication says what it publishes: what a run writes, replaces and accounts for."""

from __future__ import annotations

from typing import Any

import duckdb
import pytest
from support import Connection

import sqlanon
from sqlanon.plan import Materialization, Step
from sqlanon.record.ownership import reserved

RELEASE: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ["age"],
    "sensitive": ["disease"],
    "insensitive": {"ward": {"accept": "it is known"}},
    "privacy": {"k": 2},
    "method": "stack_and_deal",
    "seed": 1,
}


@pytest.fixture
def connection() -> Connection:
    made = duckdb.connect()
    made.execute(
        "create table people as "
        "select n as age, n % 3 as disease, n % 2 as ward from range(12) as numbers(n)"
    )
    return made


@pytest.mark.parametrize("how", ["table", "view"])
def test_what_a_plan_writes_is_what_its_publication_names(connection: Connection, how: Any) -> None:
    prepared = sqlanon.plan("people", connection=connection, materialize=how, **RELEASE)
    published = {
        step.output: step.how
        for step in prepared.plan
        if isinstance(step, Step) and step.how.published
    }
    named = {relation.relation: relation.how for relation in prepared.publication.relations}
    proof = dict.fromkeys(
        map(prepared.release.sibling, ("classes", "metrics")), Materialization.TABLE
    )
    assert published == named | proof
    assert prepared.written[0] == prepared.release
    assert set(prepared.written) == {*published, prepared.release.sibling("run")}
    assert set(prepared.written) <= set(reserved(prepared.release))


@pytest.mark.parametrize("how", ["table", "view"])
def test_published_relations_have_the_columns_that_are_named(
    connection: Connection, how: Any
) -> None:
    prepared = sqlanon.plan("people", connection=connection, materialize=how, **RELEASE)
    sqlanon.anonymize("people", connection=connection, materialize=how, **RELEASE)
    for relation in prepared.publication.relations:
        found = connection.execute(f"select * from {relation.relation} limit 0").description
        assert [column[0] for column in found] == [column.name for column in relation.columns]
    roles = [column.role for column in prepared.publication.relations[0].columns]
    assert roles == ["quasi_identifier", "sensitive", "insensitive"]


def test_every_record_that_is_read_is_accounted_for(connection: Connection) -> None:
    sqlanon.anonymize("people", connection=connection, **RELEASE)
    wanted = "'records_in', 'records_out', 'records_suppressed'"
    found = dict(
        connection.execute(
            f"select item, value from public__run where item in ({wanted})"
        ).fetchall()
    )
    assert found == {"records_in": "12", "records_out": "12", "records_suppressed": "0"}
