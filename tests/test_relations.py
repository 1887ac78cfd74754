"""Relations on small tables: given the inputs of a template, the rows it makes (tests/relations).

A file is called as its template. Each of its cases has ``params``, the tables ``given``, whose
first row names and types the columns, and the relation ``expected``, whose first row names them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
import yaml
from support import Connection, database, multiset, select

from sqlanon.sql import Relation, check_contract, load_template, template_names
from sqlanon.sql.names import Sql

FOLDER = Path(__file__).parent / "relations"
# Every process of a run reads all of them: where PyYAML comes with its loader in C, by that.
QUICK = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True)
class Case:
    """A case of a template, as one of the two texts that DuckDB can run."""

    template: str
    dialect: str
    says: str
    declared: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.template}-{self.dialect}-{self.says}"


def cases() -> Iterator[Case]:
    every = frozenset(template_names())
    for file in sorted(FOLDER.rglob("*.yaml")):
        template = str(file.relative_to(FOLDER).with_suffix("").as_posix())
        dialects = ["portable"] + ["duckdb"] * (f"{template}.duckdb" in every)
        declared = yaml.load(file.read_text(encoding="utf-8"), QUICK)
        for says, one in declared.items():
            yield from (Case(template, dialect, says, one) for dialect in dialects)


def as_sql(value: Any) -> Any:
    """Parameters as a plan gives them: names and words are SQL."""
    if isinstance(value, str):
        return Sql(value)
    if isinstance(value, list):
        return [as_sql(one) for one in value]
    if isinstance(value, dict):
        return {key: as_sql(one) for key, one in value.items()}
    return value


def fill(connection: Connection, name: str, table: list[list[Any]]) -> None:
    columns, *rows = table
    connection.execute(f"create table {name} ({', '.join(columns)})")
    if rows:
        places = ", ".join(f"({', '.join('?' * len(row))})" for row in rows)
        connection.execute(f"insert into {name} values {places}", list(chain(*rows)))


def plain(value: Any) -> Any:
    """A decimal that is a whole number as one, as YAML writes it."""
    return int(value) if isinstance(value, Decimal) and value % 1 == 0 else value


@pytest.mark.parametrize("case", list(cases()), ids=str)
def test_a_relation_is_as_expected(case: Case) -> None:
    template = load_template(case.template, case.dialect)
    given = case.declared["given"]
    inputs = {name: Relation(name) for name in given}
    sql = template.render(inputs, as_sql(case.declared.get("params", {})))
    check_contract(sql, template.outputs, frozenset(given), "duckdb")
    with database() as connection:
        for name, table in given.items():
            fill(connection, name, table)
        columns, rows = select(connection, sql)
    named, *expected = case.declared["expected"]
    assert list(columns) == named
    assert multiset([tuple(map(plain, row)) for row in rows]) == multiset(expected)
