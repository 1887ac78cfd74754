"""Snowflake: the run stays in the account that holds the table.

Its relations are those of Snowflake's catalog.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from typing import Any

import snowflake.connector.pandas_tools
from snowflake.connector.constants import FIELD_ID_TO_NAME

from sqlanon.engines.base import Standing
from sqlanon.engines.snowflake.driver import SnowflakeDriver
from sqlanon.engines.snowflake.names import our_name, stored_name
from sqlanon.engines.warehouse.driver import Catalog
from sqlanon.engines.warehouse.engine import WarehouseEngine, WarehouseStaging
from sqlanon.errors import Problem, SpecError
from sqlanon.plan.step import is_work
from sqlanon.spec.columns import Column
from sqlanon.sql.dialects import in_capitals
from sqlanon.sql.names import Relation, Sql, literal


class SnowflakeCatalog(Catalog):
    """The information schema of each database."""

    def standing_in(
        self, path: tuple[str, ...], relations: Sequence[Relation]
    ) -> dict[Relation, Standing]:
        """Those of some relations of one schema that exist, and that the role may see."""
        named = {stored_name(relation.name): relation for relation in relations}
        these = f"{_within(path)} and table_name in ({', '.join(map(literal, named))})"
        rows = self._ask(
            f"select table_name, table_type, comment from {_view(path, 'tables')} {these} union "
            "select table_name, 'VIEW' as table_type, comment "
            f"from {_view(path, 'views')} {these}"
        ).rows
        return {
            named[name]: Standing("view" if "VIEW" in kind else "table", comment)
            for name, kind, comment in rows
        }

    def tables_in(self, path: tuple[str, ...]) -> list[Relation]:
        """The relations of a schema."""
        found = self._ask(
            f"select table_name from {_view(path, 'tables')} {_within(path)} order by table_name"
        )
        return [Relation(our_name(name), path) for (name,) in found.rows]

    def text_of(self, view: Relation) -> str:
        """The statement that made a view; empty if the role may not see it."""
        found = self._ask(
            f"select view_definition from {_view(view.path, 'views')} {_within(view.path)} "
            f"and table_name = {literal(stored_name(view.name))}"
        )
        return str(found.rows[0][0] or "") if found.rows else ""

    def has_schema(self, path: tuple[str, ...]) -> bool:
        """Whether a schema exists, in a database that does."""
        found = self._ask(
            f"select 1 as one from {_view(path, 'schemata')} "
            f"where schema_name = {literal(stored_name(path[1]))}"
        )
        return bool(found.rows)


def _view(path: tuple[str, ...], name: str) -> Sql:
    """A view of the catalog of a database."""
    return Sql(f"{Relation(path[0]).sql}.information_schema.{name}")


def _within(path: tuple[str, ...]) -> str:
    return f"where table_schema = {literal(stored_name(path[1]))}"


_MADE_BY_US = re.compile(r"[A-Z_][A-Z0-9_$]*(__[a-z_]+)?")  # PUB, and what comes with it


class Staging(WarehouseStaging):
    """Copies cost no space there; those who may read a table may read the one in its place."""

    dialect = "snowflake"

    def _copying(self, final: Relation, left: Relation) -> str:
        return f"create table {left.sql} clone {final.sql}"

    def _replacing(self, final: Relation, staged: Relation, comment: str | None) -> str:
        rights = "" if final in self.withheld else " copy grants"
        said = "" if comment is None else f" comment = {literal(comment)}"
        made = f"create or replace table {final.sql}{rights}{said}"
        return f"{made} as\nselect * from {staged.sql}"


class SnowflakeEngine(WarehouseEngine):
    """Runs in a Snowflake account; a work relation is a temporary table."""

    dialect = "snowflake"
    connecting = SnowflakeDriver
    driver: SnowflakeDriver
    staging = Staging
    catalog = SnowflakeCatalog
    kinds = (
        (r"number\(\d+,0\)", "integer"),
        (r"number.*", "decimal"),
        (r"real", "number"),
        (r"date", "date"),
        (r"timestamp_(ntz|ltz)", "timestamp"),
        (r"boolean", "boolean"),
        (r"text", "text"),
    )
    sent_types = (
        (r"u?int\d+|decimal128\(\d+, 0\)", "number(38, 0)"),
        (r"bool", "boolean"),
        (r"float|double", "float"),
        (r"string", "varchar"),
    )

    def stored(self, name: str) -> str:
        """``AGE`` for ``age``."""
        return stored_name(name)

    def _send(self, table: Relation, frame: Any) -> None:
        snowflake.connector.pandas_tools.write_pandas(
            self.connection,
            frame.rename_columns(list(map(stored_name, frame.column_names))).to_pandas(),
            stored_name(table.name),
            quote_identifiers=True,
        )

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order; without those that nobody names without quotes."""
        asked = in_capitals(f"select * from {source} as source", self.dialect)
        found = self.driver.call(
            lambda: self.connection.cursor().describe(asked), "reading the source", asked
        )
        columns = []
        for one in found:
            type_name = FIELD_ID_TO_NAME[one.type_code].lower()
            if type_name == "fixed":
                type_name = f"number({one.precision},{one.scale})"
            name = our_name(one.name)
            if stored_name(name) == one.name:
                columns.append(Column(name, type_name, self.kind(type_name)))
        return columns

    def check_files(self, query: str | Relation, needed: Collection[str] | None = None) -> None:
        """Refuse a query with a name in small letters and quotes, which would mean another here."""
        if isinstance(query, str) and in_capitals(query, self.dialect) != query:
            what = (
                'the query has a name in small letters and quotes, as "age": leave the quotes out'
            )
            raise SpecError(Problem("source", f"{what}, or name a view"))

    def _full(self, relation: Relation, here: tuple[str, ...] = ()) -> Relation:
        full = super()._full(relation, here)
        if is_work(relation):
            return full
        name = full.name
        folded = name.lower() if _MADE_BY_US.fullmatch(name) else name
        return Relation(folded, tuple(map(our_name, full.path)))
