"""Relations on small tables: given the inputs of a template, the rows it makes (tests/relations).

A file is called as its template. Each of its cases has ``params``, the tables ``given``, whose
first row names and types the columns, and the relation ``expected``, whose first row names them.
Every engine makes the same of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import chain, groupby
from typing import Any

import pytest
import yaml
from header import check_contract
from servers import PostgresPlace, SparkPlace, place
from servers import plain as in_numbers
from support import ROOT, Connection, Row, database, multiset, select

from sqlanon.sql.dialects import text_literal
from sqlanon.sql.names import Relation, Sql
from sqlanon.sql.templates import load_template, template_names

FOLDER = ROOT / "tests" / "relations"
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

    @property
    def family(self) -> str:
        """The folder of the template."""
        return self.template.rpartition("/")[0]

    @property
    def given(self) -> dict[str, list[list[Any]]]:
        """The tables that it reads, by name."""
        return dict(self.declared["given"])

    def sql(self, dialect: str) -> str:
        """The template's text for a dialect, of these tables."""
        params = as_sql(self.declared.get("params", {}))
        inputs = {name: Relation(name) for name in self.given}
        return load_template(self.template, dialect).render(inputs, params)


def cases() -> Iterator[Case]:
    every = frozenset(template_names())
    for file in sorted(FOLDER.rglob("*.yaml")):
        template = str(file.relative_to(FOLDER).with_suffix("").as_posix())
        dialects = ["portable"] + ["duckdb"] * (f"{template}.duckdb" in every)
        declared = yaml.load(file.read_text(encoding="utf-8"), QUICK)
        for says, settings in declared.items():
            yield from (Case(template, dialect, says, settings) for dialect in dialects)


CASES = list(cases())


def as_sql(value: Any) -> Any:
    """Parameters as a plan gives them: names and words are SQL."""
    if isinstance(value, str):
        return Sql(value)
    if isinstance(value, list):
        return [as_sql(one) for one in value]
    if isinstance(value, dict):
        return {as_sql(key): as_sql(one) for key, one in value.items()}
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


TEMPLATES = {
    name: list(every)
    for name, every in groupby(
        sorted(CASES, key=lambda case: (case.template, case.dialect)),
        key=lambda case: f"{case.template}-{case.dialect}",
    )
}


@pytest.mark.parametrize("name", TEMPLATES)
def test_a_relation_is_as_expected(name: str) -> None:
    for case in TEMPLATES[name]:
        is_as_expected(case)


def is_as_expected(case: Case) -> None:
    template, sql = load_template(case.template, case.dialect), case.sql(case.dialect)
    check_contract(sql, template.outputs, frozenset(case.given), "duckdb")
    with database() as connection:
        for name, table in case.given.items():
            fill(connection, name, table)
        columns, rows = select(connection, sql)
    named, *expected = case.declared["expected"]
    assert list(columns) == named, case.says
    assert multiset([tuple(map(plain, row)) for row in rows]) == multiset(expected), case.says


# Templates whose two texts read different columns, so that no case here is of both.
_LEAVES = [["class_id integer", "modulus integer", "residue integer"]]
READ_DIFFERENTLY = [
    Case(
        "methods/sabre/dealt_classes",
        dialect,
        "none",
        {"given": {"stacked": [stacked], "stripe_stacks": [stacks], "leaves": _LEAVES}},
    )
    for dialect, stacked, stacks in (
        (
            "portable",
            ["stripe integer", "block integer", "turn bigint"],
            ["stripe integer", "block integer", "start bigint"],
        ),
        ("duckdb", ["pile bigint"], ["pile bigint", "first_place bigint"]),
    )
]
# Where DuckDB compares every row with every other for a column that equals another.
UNHASHED = re.compile(r"[^<>!]= (?!NULL|CAST\(\d)(CAST\()?[a-z]", re.IGNORECASE)


def unhashed(plan: Mapping[str, Any]) -> Iterator[str]:
    """The conditions by which rows are found among all pairs of a plan."""
    children = plan["children"]
    of_pairs = any(one["name"].strip() == "CROSS_PRODUCT" for one in children)
    if plan["name"].strip() == "BLOCKWISE_NL_JOIN" or (plan["name"] == "FILTER" and of_pairs):
        said = str(plan["extra_info"].get("Condition") or plan["extra_info"].get("Expression"))
        yield from [said] * bool(UNHASHED.search(said))
    for one in children:
        yield from unhashed(one)


@pytest.mark.slow
def test_what_equals_is_hashed() -> None:
    """A join by an OR, or by an expression of both sides, takes hours where tables are large."""
    found = set()
    with database() as connection:
        for case in [*CASES, *READ_DIFFERENTLY]:
            connection.execute("begin")
            for name, table in case.given.items():
                fill(connection, name, [table[0]])
            explained = f"explain (format json) {case.sql(case.dialect)}"
            (plan,) = connection.execute(explained).fetchall()
            connection.execute("rollback")
            parts = json.loads(plan[1])
            found |= {(case.template, text) for part in parts for text in unhashed(part)}
    assert not found


# --- elsewhere -----------------------------------------------------------------------------------

# What looks at a release or at a table and publishes nothing.
ONLY_LOOKING = {"attacks", "profile", "report", "risk", "utility", "why"}
# Spark takes no window in a recursive query; a run there says so.
WINDOWS_IN_RECURSION = {"methods/fragmentation/assigned"}
# On Spark cells are searched in an embedded DuckDB, unless the user says otherwise.
SEARCHES = {
    f"methods/{name}"
    for name in (
        *("carving", "cell_suppression", "cut", "fragmentation", "k_optimize", "lattice", "level"),
        *("microaggregation", "mondrian", "sabre", "split_or_deal", "top_down", "uhra"),
    )
}
FAMILIES = {
    name: list(every)
    for name, every in groupby(
        [case for case in CASES if case.dialect == "portable"], key=lambda case: case.family
    )
}


def elsewhere() -> Iterator[Any]:
    """Each family on every other engine; one PostgreSQL is enough for what orders no text.

    On Spark the gate tries a case of each template that makes a release there; all of them is for
    whoever changes that engine.
    """
    for family in FAMILIES:
        yield pytest.param("postgres", family, "all")
        left = family in SEARCHES or family.split("/")[0] in ONLY_LOOKING
        later = [pytest.mark.slow] * left
        yield pytest.param("spark", family, "one of each", marks=later)
        yield pytest.param("spark", family, "all", marks=pytest.mark.slow)


class Elsewhere:
    """An engine on which relations are made as temporary views, which cost less than tables."""

    def __init__(self, there: PostgresPlace | SparkPlace) -> None:
        self._there = there
        self.dialect = "spark" if isinstance(there, SparkPlace) else "postgres"
        if isinstance(there, PostgresPlace):  # each has other columns under the same names
            there.connection.prepare_threshold = None

    def run(self, case: Case) -> tuple[tuple[str, ...], list[Row]]:
        """The columns and rows that the template makes of what is given."""
        views = {name: self._of(table) for name, table in case.given.items()}
        views["made"] = case.sql(self.dialect)
        for name, select_ in views.items():
            self._do(f"create temporary view {name} as\n{select_}")
        found = self._there.read("made")
        for name in reversed(views):
            self._do(f"drop view {name}")
        return found

    def _do(self, statement: str) -> None:
        if isinstance(self._there, SparkPlace):
            self._there.connection.sql(statement)
        else:
            self._there.connection.execute(statement.encode())

    def _of(self, table: list[list[Any]]) -> str:
        """A SELECT of these rows."""
        declared, *rows = table
        parts = [column.strip().split(" ", 1) for column in declared]
        columns = [(name, self._there.TYPES.get(kind.lower(), kind)) for name, kind in parts]
        written = [
            f"({', '.join(map(self._written, row))})" for row in rows or [[None] * len(columns)]
        ]
        cells = ", ".join(f"cast({name} as {kind}) as {name}" for name, kind in columns)
        names = ", ".join(name for name, _ in columns)
        given = f"select {cells} from (values {', '.join(written)}) as given ({names})"
        return given + ("" if rows else " where 1 = 0")

    def _written(self, value: Any) -> str:
        if value is None:
            return "null"
        return text_literal(
            str(value).lower() if isinstance(value, bool) else str(value), self.dialect
        )


@pytest.mark.parametrize(("engine", "family", "which"), list(elsewhere()))
def test_other_engines_make_the_same(
    engine: str, family: str, which: str, urls: Mapping[str, str]
) -> None:
    tried = FAMILIES[family]
    if engine == "spark":
        tried = [case for case in tried if case.template not in WINDOWS_IN_RECURSION]
    if which == "one of each":
        tried = list({case.template: case for case in reversed(tried)}.values())
    with place(engine, urls) as there:
        assert isinstance(there, PostgresPlace | SparkPlace)
        other = Elsewhere(there)
        for case in tried:
            columns, rows = other.run(case)
            named, *expected = case.declared["expected"]
            assert list(columns) == named, case
            rows = [tuple(map(plain, row)) for row in rows]
            if engine == "spark":
                rows, expected = unsigned(rows), unsigned(expected)
            assert multiset(in_numbers(rows)) == multiset(in_numbers(expected)), case


def unsigned(rows: Iterable[Sequence[Any]]) -> list[Row]:
    """Rows without the sign of zero, as Spark groups them; another column tells them apart."""
    return [tuple(one + 0.0 if isinstance(one, float) else one for one in row) for row in rows]
