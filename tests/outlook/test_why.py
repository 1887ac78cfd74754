"""What keeps classes large: counted by plain Python from the classes as published."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon as command
from support import DEALT, Connection, make_table

import sqlanon
from sqlanon.errors import SpecError

COLUMNS = {'a"ge': "integer", "ill": "varchar"}
ROLES: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": ['a"ge'],
    "sensitive": {"ill": {"t": 0.5, "l": 2}},
    "privacy": {"k": 4},
    **DEALT,
}


@pytest.fixture
def connection() -> Connection:
    made: Connection = duckdb.connect()
    rows = [(i * i % 37, f"ill{i * 7 % 5 % 3}") for i in range(60)]
    make_table(made, "people", COLUMNS, rows)
    return made


def test_classes_at_an_edge_are_counted(connection: Connection) -> None:
    release = sqlanon.anonymize("people", connection=connection, **ROLES)
    classes: dict[str, Counter[str]] = {}
    for cell, ill in connection.execute("from public").fetchall():
        classes.setdefault(cell, Counter())[ill] += 1
    table = sum(classes.values(), Counter())
    at: dict[str, Counter[str]] = {name: Counter() for name in ("k", "l", "t", "none")}
    for cell, counts in classes.items():
        records = counts.total()
        distance = sum(
            max(Fraction(counts[ill], records) - Fraction(n, table.total()), Fraction(0))
            for ill, n in table.items()
        )
        edges = {"k": records < 8, "l": len(counts) < 3, "t": distance >= Fraction(45, 100)}
        for name in [name for name, there in edges.items() if there] or ["none"]:
            at[name][cell] = records
    found = release.why()
    assert found.classes == len(classes)
    by_title = {one.title: one for one in found.edges}
    assert len(by_title) == 3
    for title, name in (
        ("k-anonymity", "k"),
        ("distinct l-diversity", "l"),
        ("t-closeness", "t"),
    ):
        edge = by_title[title]
        assert (edge.classes, edge.records) == (len(at[name]), at[name].total()), title
    assert (found.free_classes, found.free_records) == (len(at["none"]), at["none"].total())
    sizes = sorted((one.total() for one in classes.values()), reverse=True)
    assert [large_class.records for large_class in found.largest] == sizes[:5]
    for large_class in found.largest:
        assert classes[large_class.cells['a"ge'] or ""].total() == large_class.records
        assert {found.edges[place].title for place in large_class.edges} == {
            title
            for title, name in (("k-anonymity", "k"), ("distinct l-diversity", "l"))
            if large_class.cells['a"ge'] in at[name]
        } | ({"t-closeness"} if large_class.cells['a"ge'] in at["t"] else set())
    left = connection.execute("select table_name from duckdb_tables()").fetchall()
    proof = {f"public__{name}" for name in ("classes", "metrics", "run")}
    assert {name for (name,) in left} == {"people", "public"} | proof


def test_the_command_says_the_same(connection: Connection, tmp_path: Path) -> None:
    database = tmp_path / "held.duckdb"
    with duckdb.connect(str(database)) as held:
        make_table(held, "people", COLUMNS, [(i * i % 37, f"ill{i % 3}") for i in range(60)])
        found = sqlanon.anonymize("people", connection=held, **ROLES).why()
    shown = command(tmp_path, "why", "public", "--database", str(database))
    assert "none of these" in shown.stdout
    assert f"public: {found.classes} classes" in shown.stdout
    told = json.loads(
        command(tmp_path, "why", "public", "--database", str(database), "--json").stdout
    )
    assert told["free_classes"] == found.free_classes
    assert [one["records"] for one in told["largest"]] == [
        large_class.records for large_class in found.largest
    ]


def test_what_is_gone_is_named(connection: Connection) -> None:
    release = sqlanon.anonymize("people", connection=connection, **ROLES)
    connection.execute("drop table public__classes")
    with pytest.raises(SpecError, match="'public__classes' is gone: run its spec again"):
        release.why()
