"""An attached PostgreSQL: statements of its own, which DuckDB's extension hands on to it.

They run in the server's transaction that belongs to DuckDB's, so that the server commits or undoes
them with all that DuckDB writes there.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlanon.engines.base import RelationKind, Standing
from sqlanon.engines.postgres.catalog import (
    SYSTEM_COLUMNS,
    lacking_to_write,
    names_beside,
    standing_of,
)
from sqlanon.plan import Rows
from sqlanon.sql.names import Relation, identifier, literal
from sqlanon.sql.rights import constants, keep_readers, settle_rights

if TYPE_CHECKING:
    from sqlanon.engines.duckdb.driver import DuckDBDriver

#: The statement after which DuckDB asks the server again what stands there.
AFRESH = "call pg_clear_cache()"
_LONGEST = 63  # bytes of a name that the server does not cut
# The server's types that hold DuckDB's values as they are; text holds all others.
_TYPES = {
    "BOOLEAN": "boolean",
    "SMALLINT": "smallint",
    "INTEGER": "integer",
    "BIGINT": "bigint",
    "FLOAT": "real",
    "DOUBLE": "double precision",
    "DATE": "date",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP WITH TIME ZONE": "timestamp with time zone",
}
_MOST_DIGITS = 36  # after the point: DuckDB's extension fails to send more
_WIDER = {"TINYINT": "SMALLINT", "UTINYINT": "SMALLINT", "USMALLINT": "INTEGER"}
_WIDER |= {"UINTEGER": "BIGINT", "UBIGINT": "DECIMAL(20,0)"}


def kept_in_postgres(type_name: str) -> tuple[str, str]:
    """The type in which it keeps a column, as DuckDB calls it, and the expression that makes it."""
    decimal = re.fullmatch(r"DECIMAL\(\d+,(\d+)\)", type_name)
    if type_name in _TYPES or (decimal is not None and int(decimal[1]) <= _MOST_DIGITS):
        return type_name, "{0}"
    kept = _WIDER.get(type_name, "VARCHAR")
    return kept, f"cast({{0}} as {kept})"


def _type(kept: str) -> str:
    if kept == "VARCHAR":
        return 'text collate "C"'
    return _TYPES.get(kept) or kept.lower().replace("decimal", "numeric")


class AttachedPostgres:
    """One attached PostgreSQL database.

    Args:
        catalog: its name in DuckDB.
        driver: the connection of DuckDB's.
    """

    def __init__(self, catalog: str, driver: DuckDBDriver) -> None:
        self._catalog, self._driver = catalog, driver

    def execute(self, sql: str, step: str = "") -> Rows:
        """The rows of a query that the server answers."""
        asked = f"postgres_query({literal(self._catalog)}, {literal(sql)})"
        return self._driver.execute(f"select * from {asked}", step)

    def tell(self, statement: str, step: str = "") -> None:
        """Have the server carry out a statement that has no rows."""
        told = f"call postgres_execute({literal(self._catalog)}, {literal(statement)})"
        self._driver.execute(told, step)

    def standing(self, places: Sequence[Relation], hold: bool) -> dict[Relation, Standing]:
        """Those of some relations that exist, by their names on the server.

        Args:
            places: these names.
            hold: whether nobody else may replace those with a comment until the transaction ends.
        """
        found = standing_of(places, self, unseen=True)
        ours = [place for place, there in found.items() if there.comment is not None]
        if not hold or not ours:
            return found
        for place in ours:
            self.tell(f"lock table {place.sql} in access exclusive mode")
        now = standing_of(
            places, self, unseen=True
        )  # what the names mean, if this transaction may see it
        gone = {place: Standing(there.kind, None) for place, there in found.items()}
        return gone | now

    def beside(self, schema: str, ending: str) -> list[str]:
        """The relations in a schema whose names end so."""
        return names_beside(schema, ending, self)

    def lacking_to_write(self, places: Sequence[Relation]) -> list[str]:
        """Why its role may not make these relations, or DuckDB would take others for them."""
        return [
            *lacking_to_write(self, places),
            *(_too_long(place.name) for place in places if _is_long(place.name)),
            *(why for place in places for why in self._namesakes(place)),
        ]

    def _namesakes(self, place: Relation) -> list[str]:
        """Relations that DuckDB does not tell from one: it knows no upper and lower case."""
        schema, name = literal(place.path[-1]), literal(place.name)
        found = self.execute(
            "select nspname::text, relname::text from pg_catalog.pg_class inner join "
            "pg_catalog.pg_namespace on relnamespace = pg_namespace.oid where "
            f"lower(nspname::text) = lower({schema}) and lower(relname::text) = lower({name}) and "
            f"(nspname::text, relname::text) <> ({schema}, {name})"
        )
        there = (str(Relation(other, (path,))) for path, other in found.rows)
        return [f"DuckDB does not tell {one!r} from {str(place)!r}: rename it" for one in there]

    def misfits(self, columns: Sequence[str]) -> list[str]:
        """The faults of names of columns on the server."""
        own = [name for name in columns if name in SYSTEM_COLUMNS]
        return [
            *(f"{name!r} is the name of a column of PostgreSQL's own: rename it" for name in own),
            *(_too_long(name) for name in columns if _is_long(name)),
        ]

    def replacing(
        self, older: Sequence[tuple[Relation, RelationKind]], readers: Sequence[Relation]
    ) -> list[str]:
        """The statements that note the readers of relations, and drop the older relations.

        Views come first: they may read the tables.
        """
        views_first = sorted(older, key=lambda one: one[1] == "table")
        drops = [f"drop {kind} {place.sql}" for place, kind in views_first]
        return [str(keep_readers(constants(readers))), *drops]

    def making(self, place: Relation, columns: Sequence[tuple[str, str]]) -> str:
        """The statement that makes an empty table of columns and their types in DuckDB."""
        described = ", ".join(f"{identifier(name)} {_type(kept)}" for name, kept in columns)
        return f"create table {place.sql} ({described})"

    def marking(self, place: Relation, comment: str | None) -> str:
        """The statement that comments on a table."""
        return f"comment on table {place.sql} is {literal(comment)}"

    def settling(self, withheld: Sequence[Relation]) -> str:
        """The statement that gives readers their rights, and nobody what is withheld."""
        return str(settle_rights(constants(withheld)))


def on_server(full: Relation) -> Relation:
    """A relation's name on the server: DuckDB's full name without the catalog."""
    return Relation(full.name, full.path[1:])


def _is_long(name: str) -> bool:
    return len(name.encode()) > _LONGEST


def _too_long(name: str) -> str:
    return f"{name!r} has more than {_LONGEST} bytes, and PostgreSQL cuts such a name: shorten it"
