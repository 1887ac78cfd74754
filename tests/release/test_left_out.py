"""Who was left out is counted by group, and no small count is kept of it."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
from hypothesis import given
from hypothesis import strategies as st
from support import Connection, examples, make_table

import sqlanon
from sqlanon.record.left_out import LeftOutGroup, least_shown, may_be_shown
from sqlanon.sql.names import literal

SPEC: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": {"age": {"hierarchy": {"bands": [10]}}},
    "sensitive": {"disease": {"t": 1}},
    "method": "optimal",
    "k": 4,
    "suppression": {"records": 0.5},
    "levels": {"age": 0},
    "seed": 1,
}


def people(connection: Connection) -> None:
    """Forty persons of whom those of rare ages are left out: most of them are ill."""
    common = [(20 + i % 3, "well" if i % 5 else "ill") for i in range(30)]
    rare = [(60 + i, "ill" if i < 8 else "well") for i in range(10)]
    make_table(connection, "people", {"age": "integer", "disease": "varchar"}, [*common, *rare])


def facts(connection: Connection, item: str) -> str | None:
    query = f"select value from public__run where item = {literal(item)}"
    found = connection.execute(query).fetchall()
    return found[0][0] if found else None


def test_the_groups_are_those_of_the_source_that_the_release_lacks() -> None:
    connection: Connection = duckdb.connect()
    people(connection)
    made = sqlanon.anonymize("people", connection=connection, **SPEC)
    assert made.measure("suppressed_records") == 10
    kept = json.loads(facts(connection, "left_out_groups") or "[]")
    # Of the well 2 are lost, which is fewer than k, so that the 8 ill would give them away.
    assert [one["group"] for one in kept if one["column"] == "disease"] == []
    lost = [(one["group"], one["records"], one["left_out"]) for one in kept]
    assert lost == []
    connection.execute("update people set disease = 'ill' where age >= 60")
    sqlanon.anonymize("people", connection=connection, **SPEC)
    kept = json.loads(facts(connection, "left_out_groups") or "[]")
    query = """
        select disease, count(*), count(*) - (select count(*) from public as p
            where p.disease = people.disease)
        from people group by disease having count(*) > (select count(*) from public as p
            where p.disease = people.disease)
    """
    counted = [tuple(row) for row in connection.execute(query).fetchall()]
    assert counted == [("ill", 16, 10)]
    assert [tuple(one.values()) for one in kept] == [("disease", "ill", 16, 10)]
    risk = json.loads(facts(connection, "source_risk") or "{}")
    assert risk == {"records": 40, "combinations": 13, "unique_records": 10, "least": 1}


GROUPS: dict[str, Any] = {"k": 1, "sensitive": {"disease": {"l": 2}}}
SLICES = [["age", "disease"], ["sex"]]
PUBLISHED: dict[str, dict[str, Any]] = {
    "cells": {"k": 2, "sensitive": ["disease"], "method": "stack_and_deal"},
    "exact rows": {**GROUPS, "method": "stack_and_deal", "publish": "permuted"},
    # All ages of a band have the code of its node.
    "coarse slices": {
        **GROUPS,
        "method": "mondrian",
        "publish": {"name": "sliced", "columns": SLICES, "levels": {"age": 1}},
    },
}


def test_the_risk_of_the_source_is_that_of_its_values() -> None:
    """NULL equals NULL, and codes are counted only where each stands for one value."""
    ages = [None, 20, 20, 21, 22, 22, 35, 35, None, None, 48, 48]
    rows = [(age, "fm"[at % 5 > 2], ("well", "ill")[at % 2]) for at, age in enumerate(ages)]
    tuples = Counter(row[:2] for row in rows)
    expected = {
        "records": len(rows),
        "combinations": len(tuples),
        "unique_records": list(tuples.values()).count(1),
        "least": min(tuples.values()),
    }
    columns = {"age": "integer", "sex": "varchar", "disease": "varchar"}
    given = {"age": {"hierarchy": {"bands": [10]}}, "sex": {}}
    for name, asked in PUBLISHED.items():
        connection: Connection = duckdb.connect()
        make_table(connection, "people", columns, rows)
        spec = {"release": "public", "quasi_identifiers": given, "seed": 1, **asked}
        sqlanon.anonymize("people", connection=connection, **spec)
        assert json.loads(facts(connection, "source_risk") or "{}") == expected, name


def test_nothing_is_said_where_nobody_was_left_out() -> None:
    connection: Connection = duckdb.connect()
    people(connection)
    sqlanon.anonymize("people", connection=connection, **{**SPEC, "levels": {"age": 2}})
    assert facts(connection, "left_out_groups") is None


def test_the_report_names_the_groups_to_the_publisher_alone(tmp_path: Path) -> None:
    connection: Connection = duckdb.connect()
    people(connection)
    connection.execute("update people set disease = 'ill' where age >= 60")
    made = sqlanon.anonymize("people", connection=connection, **SPEC)
    text, other = (
        made.report(tmp_path / f"{external}.html", external=external).read_text(encoding="utf-8")
        for external in (False, True)
    )
    assert "Who was left out" in text
    assert "More than half of their records lost: disease ill (62%)." in text
    assert "10 of 16" in text
    assert "Who was left out" not in other
    assert "10 of 16" not in other
    assert "compares a class with the whole source" in other
    made.export(tmp_path / "public.csv")
    dictionary = (tmp_path / "public.dictionary.csv").read_text(encoding="utf-8")
    assert "t-closeness compares a class with the whole source" in dictionary


@examples(50, 500)
@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), max_size=6),
    st.integers(1, 6),
)
def test_no_count_that_is_shown_or_follows_is_small(counts: list[tuple[int, int]], k: int) -> None:
    groups = [LeftOutGroup("a", str(i), out + kept, out) for i, (out, kept) in enumerate(counts)]
    suppressed, least = sum(group.left_out for group in groups), least_shown(k)
    shown = may_be_shown([group for group in groups if group.records], suppressed, k)
    for group in shown:
        assert group.left_out >= least
        assert group.records == group.left_out or group.records - group.left_out >= least
    rest = suppressed - sum(group.left_out for group in shown)
    assert not shown or rest == 0 or rest >= least
