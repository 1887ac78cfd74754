"""BigQuery: the run stays in the project that holds the table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from google.api_core.exceptions import NotFound

from sqlanon.engines.base import Standing
from sqlanon.engines.bigquery.driver import BigQueryDriver, id_of
from sqlanon.engines.warehouse.driver import Catalog
from sqlanon.engines.warehouse.engine import WarehouseEngine, WarehouseStaging
from sqlanon.plan import Materialization
from sqlanon.spec.columns import Column
from sqlanon.sql.dialects import text_literal
from sqlanon.sql.names import Relation, Sql, quoted

# The names of types in the API, and elsewhere.
_CALLED = {
    "INTEGER": "bigint",
    "NUMERIC": "decimal(38, 9)",
    "FLOAT": "double",
    "DATE": "date",
    "DATETIME": "timestamp",
    "TIMESTAMP": "timestamp with time zone",
    "BOOLEAN": "boolean",
    "STRING": "varchar",
}


class Staging(WarehouseStaging):
    """Copies are read and written in full; rights belong to the data set, and stay."""

    dialect = "bigquery"

    def _copying(self, final: Relation, left: Relation) -> str:
        return f"create table {self._name(left)} as\nselect * from {self._name(final)}"

    def _replacing(self, final: Relation, staged: Relation, comment: str | None) -> str:
        said = ""
        if comment is not None:
            said = f" options (description = {text_literal(comment, self.dialect)})"
        made = f"create or replace table {self._name(final)}{said}"
        return f"{made} as\nselect * from {self._name(staged)}"

    def _name(self, relation: Relation) -> str:
        return quoted(relation, self.dialect)


class BigQueryCatalog(Catalog):
    """The API's tables and data sets, which cost no query."""

    _driver: BigQueryDriver

    def standing_in(
        self, path: tuple[str, ...], relations: Sequence[Relation]
    ) -> dict[Relation, Standing]:
        """Those of some relations of one data set that exist."""
        tables = {relation: self._seen("get_table", id_of(relation)) for relation in relations}
        return {
            relation: Standing("view" if "VIEW" in table.table_type else "table", table.description)
            for relation, table in tables.items()
            if table is not None
        }

    def tables_in(self, path: tuple[str, ...]) -> list[Relation]:
        """The relations of a data set."""
        listed = self._seen("list_tables", ".".join(path)) or ()
        return [Relation(name, path) for name in sorted(one.table_id for one in listed)]

    def text_of(self, view: Relation) -> str:
        """The SELECT that a view is made of; empty of one that is materialized."""
        data_set = quoted(Relation(view.path[-1], view.path[:-1]), "bigquery")
        query = (
            f"select view_definition from {data_set}.INFORMATION_SCHEMA.VIEWS "
            f"where table_name = {text_literal(view.name, 'bigquery')}"
        )
        found = self._use(lambda: self._driver.ask(query, bare=False), query)
        return str(found.rows[0][0] or "") if found.rows else ""

    def has_schema(self, path: tuple[str, ...]) -> bool:
        """Whether a data set exists."""
        return self._seen("get_dataset", ".".join(path)) is not None

    def _seen(self, method: str, name: str) -> Any:
        """The answer of the API; None if there is no such thing."""

        def look() -> Any:
            try:
                found = self._driver.look(method, name)
                return list(found) if method.startswith("list") else found
            except NotFound:
                return None

        return self._use(look, name)


class BigQueryEngine(WarehouseEngine):
    """Runs in a project of BigQuery; a work relation is a table of a hidden data set of the run."""

    dialect = "bigquery"
    connecting = BigQueryDriver
    driver: BigQueryDriver
    staging = Staging
    catalog = BigQueryCatalog
    work_table = "create or replace table"
    kinds = (
        (r"bigint", "integer"),
        (r"decimal.*", "decimal"),
        (r"double", "number"),
        (r"date", "date"),
        (r"timestamp.*", "timestamp"),
        (r"boolean", "boolean"),
        (r"varchar", "text"),
    )
    sent_types = (
        (r"u?int\d+", "int64"),
        (r"decimal128\(\d+, 0\)", "bignumeric"),
        (r"bool", "bool"),
        (r"float|double", "float64"),
        (r"string", "string"),
    )

    def _send(self, table: Relation, frame: Any) -> None:
        self.driver.send(table, frame)

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order, with types as they are called elsewhere."""
        asked = f"select * from {source} as source"
        found = self.driver.call(lambda: self.driver.describe(asked), "reading the source", asked)
        return [_column(self, one) for one in found]

    def drop(self, relation: Relation, how: Materialization) -> None:
        """Drop a relation if it is there; work tables go with their data set."""
        if how.published:
            super().drop(relation, how)

    def _begin(self) -> None:
        self.work_path = (*self.driver.work.path, self.driver.work.name)
        super()._begin()

    def _clear(self) -> None:
        """Forget what was staged; the work tables go, and expire if that fails."""
        self._begin()
        self._made.clear()
        with suppress(self.driver.failures):
            self.driver.drop_work()


def _column(engine: BigQueryEngine, field: Any) -> Column:
    called = str(field.field_type)
    if field.mode == "REPEATED":
        called = f"array of {called}"
    kind = engine.kind(_CALLED.get(called, ""))
    return Column(field.name, _CALLED.get(called) or called.lower(), kind)
