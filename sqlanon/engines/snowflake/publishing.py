"""Publishing on Snowflake."""

from __future__ import annotations

from sqlanon.engines.warehouse import publishing
from sqlanon.sql.names import Relation, literal


class Staging(publishing.Staging):
    """Copies cost no space there; those who may read a table may read the one in its place."""

    dialect = "snowflake"

    def _copying(self, final: Relation, left: Relation) -> str:
        return f"create table {left.sql} clone {final.sql}"

    def _replacing(self, final: Relation, staged: Relation, comment: str | None) -> str:
        rights = "" if final in self.withheld else " copy grants"
        said = "" if comment is None else f" comment = {literal(comment)}"
        made = f"create or replace table {final.sql}{rights}{said}"
        return f"{made} as\nselect * from {staged.sql}"
