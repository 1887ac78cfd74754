"""Publishing on BigQuery."""

from __future__ import annotations

from sqlanon.engines.warehouse import publishing
from sqlanon.sql import quoted
from sqlanon.sql.dialects import text_literal
from sqlanon.sql.names import Relation


class Staging(publishing.Staging):
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
