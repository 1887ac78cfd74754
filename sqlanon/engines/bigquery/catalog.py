"""Relations in BigQuery's catalog."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from google.api_core.exceptions import NotFound

from sqlanon.engines.base import Standing
from sqlanon.engines.bigquery.driver import BigQueryDriver, id_of
from sqlanon.engines.warehouse.driver import Catalog
from sqlanon.sql.dialects import text_literal
from sqlanon.sql.names import Relation, quoted


class BigQueryCatalog(Catalog):
    """The API's tables and data sets, which cost no query."""

    _driver: BigQueryDriver

    def standing_in(
        self, path: tuple[str, ...], relations: Sequence[Relation]
    ) -> dict[Relation, Standing]:
        """Those of some relations of one data set that exist."""
        tables = {one: self._seen("get_table", id_of(one)) for one in relations}
        return {
            one: Standing("view" if "VIEW" in table.table_type else "table", table.description)
            for one, table in tables.items()
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
