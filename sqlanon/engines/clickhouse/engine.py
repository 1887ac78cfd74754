"""ClickHouse: the run stays on the server that holds the table."""

from __future__ import annotations

import re
from typing import Any

from sqlanon.engines.clickhouse.catalog import ClickHouseCatalog
from sqlanon.engines.clickhouse.driver import ClickHouseDriver
from sqlanon.engines.clickhouse.publishing import Staging
from sqlanon.engines.warehouse.engine import WarehouseEngine
from sqlanon.spec.columns import Column
from sqlanon.sql.dialects import data_type
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


def _bare(type_name: str) -> str:
    """A type without what says that it may be NULL, or how it is stored."""
    while found := _WRAPPED.fullmatch(type_name):
        type_name = found[1]
    return type_name
