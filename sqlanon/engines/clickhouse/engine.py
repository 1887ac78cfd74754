"""ClickHouse: the run stays on the server that holds the table."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlanon.engines.base import Standing
from sqlanon.engines.clickhouse.driver import ClickHouseDriver
from sqlanon.engines.warehouse.driver import Catalog
from sqlanon.engines.warehouse.engine import WarehouseEngine, WarehouseStaging
from sqlanon.spec.columns import Column
from sqlanon.sql.dialects import data_type, text_literal
from sqlanon.sql.names import Relation, Sql

# Types that are called otherwise elsewhere.
_CALLED = {
    "Int128": "hugeint",
    "UInt128": "uhugeint",
    "Date32": "date",
    "DateTime": "timestamp",
    "DateTime64": "timestamp",
}
_WRAPPED = re.compile(r"(?:Nullable|LowCardinality)\((.*)\)")


def _bare(type_name: str) -> str:
    """A type without what says that it may be NULL, or how it is stored."""
    while found := _WRAPPED.fullmatch(type_name):
        type_name = found[1]
    return type_name


class Staging(WarehouseStaging):
    """Copies share their parts with the table there; rights belong to names, and stay."""

    dialect = "clickhouse"

    def _copying(self, final: Relation, left: Relation) -> str:
        return f"create table {left.sql} clone as {final.sql}"

    def _replacing(self, final: Relation, staged: Relation, comment: str | None) -> str:
        said = "" if comment is None else f" comment {text_literal(comment, self.dialect)}"
        return f"create or replace table {final.sql}{said} as\nselect * from {staged.sql}"


class ClickHouseCatalog(Catalog):
    """The tables of ``system``."""

    def standing_in(
        self, path: tuple[str, ...], relations: Sequence[Relation]
    ) -> dict[Relation, Standing]:
        """Those of some relations of one database that exist, and that the user may see."""
        named = {relation.name: relation for relation in relations}
        rows = self._ask(
            f"select name, engine, comment from system.tables {_within(path)} "
            f"and name in ({', '.join(map(_text, named))})"
        ).rows
        return {
            named[name]: Standing("view" if "View" in engine else "table", comment or None)
            for name, engine, comment in rows
        }

    def tables_in(self, path: tuple[str, ...]) -> list[Relation]:
        """The relations of a database."""
        found = self._ask(f"select name from system.tables {_within(path)} order by name")
        return [Relation(name, path) for (name,) in found.rows]

    def text_of(self, view: Relation) -> str:
        """The SELECT that a view is made of."""
        found = self._ask(
            f"select as_select from system.tables {_within(view.path)} "
            f"and name = {_text(view.name)}"
        )
        return str(found.rows[0][0]) if found.rows else ""

    def has_schema(self, path: tuple[str, ...]) -> bool:
        """Whether a database exists."""
        named = _text(".".join(path))
        return bool(self._ask(f"select 1 as one from system.databases where name = {named}").rows)


def _text(text: str) -> str:
    return text_literal(text, "clickhouse")


def _within(path: tuple[str, ...]) -> str:
    return f"where database = {_text('.'.join(path))}"


class ClickHouseEngine(WarehouseEngine):
    """Runs on a ClickHouse server; a work relation is a temporary table, in memory."""

    dialect = "clickhouse"
    connecting = ClickHouseDriver
    driver: ClickHouseDriver
    staging = Staging
    catalog = ClickHouseCatalog
    kinds = (
        (r"U?Int(8|16|32|64|128)", "integer"),
        (r"Decimal\(\d+, 0\)", "integer"),
        (r"Decimal\(.*", "decimal"),
        (r"Float(32|64)", "number"),
        (r"Date(32)?", "date"),
        (r"DateTime(\('UTC'\))?|DateTime64\([0-6](, 'UTC')?\)", "timestamp"),
        (r"Bool", "boolean"),
        (r"String", "text"),
    )
    sent_types = (
        (r"u?int\d+", "Nullable(Int64)"),
        (r"decimal128\(\d+, 0\)", "Nullable(Decimal(38, 0))"),
        (r"bool", "Nullable(Bool)"),
        (r"float|double", "Nullable(Float64)"),
        (r"string", "Nullable(String)"),
    )

    def _send(self, table: Relation, frame: Any) -> None:
        self.driver.send(table.name, frame)

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order, with types as they are called elsewhere."""
        described = f"describe (select * from {source} as source)"
        found = self.driver.execute(described, "reading the source").rows
        return [self._column(name, _bare(type_name)) for name, type_name, *_ in found]

    def _column(self, name: str, type_name: str) -> Column:
        kind = self.kind(type_name)
        if kind == "other":
            return Column(name, type_name, kind)
        known = _CALLED.get(type_name.split("(")[0]) or data_type(type_name, self.dialect, "duckdb")
        return Column(name, known, kind)
