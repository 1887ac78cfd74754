"""Publishing on ClickHouse."""

from __future__ import annotations

from sqlanon.engines.warehouse import publishing
from sqlanon.sql.dialects import text_literal
from sqlanon.sql.names import Relation


class Staging(publishing.Staging):
    """Copies share their parts with the table there; rights belong to names, and stay."""

    dialect = "clickhouse"

    def _copying(self, final: Relation, left: Relation) -> str:
        return f"create table {left.sql} clone as {final.sql}"

    def _replacing(self, final: Relation, staged: Relation, comment: str | None) -> str:
        said = "" if comment is None else f" comment {text_literal(comment, self.dialect)}"
        return f"create or replace table {final.sql}{said} as\nselect * from {staged.sql}"
