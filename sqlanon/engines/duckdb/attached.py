"""Attached databases that are not DuckDB's own: a release is made in DuckDB and published there.

A relation to publish is a temporary table until the last moment: it is made, measured and judged
here, where no reader looks. Then it is written to the attached database, by the statements of one
transaction, which that database commits or undoes as a whole.

PostgreSQL is given statements of its own, which DuckDB's extension hands on to it. They run in the
server's transaction that belongs to DuckDB's, so that the server commits or undoes them with all
that DuckDB writes there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from sqlanon.engines.base import RelationKind, Standing
from sqlanon.engines.duckdb.driver import DuckDBDriver, private
from sqlanon.engines.postgres.catalog import (
    SYSTEM_COLUMNS,
    lacking_to_write,
    names_beside,
    standing_of,
)
from sqlanon.errors import EngineError, Problem, SpecError
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

    def standing(self, relations: Sequence[Relation], hold: bool) -> dict[Relation, Standing]:
        """Those of some relations that exist, by their names on the server.

        Args:
            relations: these names.
            hold: whether nobody else may replace those with a comment until the transaction ends.
        """
        found = standing_of(relations, self, unseen=True)
        ours = [relation for relation, there in found.items() if there.comment is not None]
        if not hold or not ours:
            return found
        for relation in ours:
            self.tell(f"lock table {relation.sql} in access exclusive mode")
        now = standing_of(
            relations, self, unseen=True
        )  # what the names mean, if this transaction may see it
        gone = {relation: Standing(there.kind, None) for relation, there in found.items()}
        return gone | now

    def siblings(self, schema: str, ending: str) -> list[str]:
        """The relations in a schema whose names end so."""
        return names_beside(schema, ending, self)

    def lacking_to_write(self, relations: Sequence[Relation]) -> list[str]:
        """Why its role may not make these relations, or DuckDB would take others for them."""
        return [
            *lacking_to_write(self, relations),
            *(_too_long(relation.name) for relation in relations if _is_long(relation.name)),
            *(why for relation in relations for why in self._namesakes(relation)),
        ]

    def _namesakes(self, relation: Relation) -> list[str]:
        """Relations that DuckDB does not tell from one: it knows no upper and lower case."""
        schema, name = literal(relation.path[-1]), literal(relation.name)
        found = self.execute(
            "select nspname::text, relname::text from pg_catalog.pg_class inner join "
            "pg_catalog.pg_namespace on relnamespace = pg_namespace.oid where "
            f"lower(nspname::text) = lower({schema}) and lower(relname::text) = lower({name}) and "
            f"(nspname::text, relname::text) <> ({schema}, {name})"
        )
        there = (str(Relation(other, (path,))) for path, other in found.rows)
        return [
            f"DuckDB does not tell {name!r} from {str(relation)!r}: rename it" for name in there
        ]

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
        views_first = sorted(older, key=lambda known: known[1] == "table")
        drops = [f"drop {kind} {relation.sql}" for relation, kind in views_first]
        return [str(keep_readers(constants(readers))), *drops]

    def making(self, relation: Relation, columns: Sequence[tuple[str, str]]) -> str:
        """The statement that makes an empty table of columns and their types in DuckDB."""
        described = ", ".join(f"{identifier(name)} {_type(kept)}" for name, kept in columns)
        return f"create table {relation.sql} ({described})"

    def marking(self, relation: Relation, comment: str | None) -> str:
        """The statement that comments on a table."""
        return f"comment on table {relation.sql} is {literal(comment)}"

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


_STEP = "publishing in the attached database"
# SQLite keeps no comment: a condition that always holds is part of the table as it was made.
_MARK = re.compile(r"check\s*\(\s*\(?'((?:[^']|'')*)' is not null\)?\s*\)\s*\)\s*$", re.IGNORECASE)
_WHOLE = r"U?(TINY|SMALL)INT|U?INTEGER|BIGINT"  # what 64 bits with a sign hold


def _as_it_is(type_name: str) -> tuple[str, str]:
    return type_name, "{0}"


def _as_sqlite(type_name: str) -> tuple[str, str]:
    if re.fullmatch(rf"{_WHOLE}|DOUBLE|VARCHAR|BLOB", type_name):
        return type_name, "{0}"
    if type_name == "BOOLEAN":
        return "BIGINT", "cast({0} as bigint)"
    if type_name == "FLOAT":  # the same number: 0.1 of 64 bits is another, and equals none
        return "DOUBLE", "cast({0} as double)"
    return "VARCHAR", "cast({0} as varchar)"


@dataclass(frozen=True)
class Kind:
    """A kind of attached database that is not DuckDB's own.

    Attributes:
        name: as DuckDB calls it.
        keeps: the type in which it keeps a column, and the expression that makes it.
        comments: whether it keeps comments on tables.
        server: whether it is a server, which others change meanwhile, and which takes statements of
            its own.
        files: whether its tables are files of their own.
        schema: the schema of a table that names none.
        types: whether its columns keep DuckDB's types.
    """

    name: str
    keeps: Callable[[str], tuple[str, str]] = _as_it_is
    comments: bool = True
    server: bool = False
    files: bool = False
    schema: str = "main"
    types: bool = False

    @classmethod
    def called(cls, name: str) -> Kind:
        """The kind that DuckDB calls so."""
        return KINDS.get(name) or cls(name)


# The kinds that commit all of a release or nothing: a release can be published in them.
KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("ducklake", files=True, types=True),
        Kind("postgres", kept_in_postgres, server=True, schema="public"),
        Kind("sqlite", _as_sqlite, comments=False),
    )
}


@dataclass
class _Staged:
    """A relation that is made and not yet published.

    Attributes:
        final: its full name once it is published.
        here: the temporary table that holds it until then.
        kind: the kind of database that it is published in.
        comment: on it.
    """

    final: Relation
    here: Relation
    kind: Kind
    comment: str | None = None
    columns: list[tuple[str, str]] = field(default_factory=list)


class Attached:
    """The relations that one transaction is to publish in an attached database.

    Args:
        driver: the connection.
        work_path: where temporary tables stand.
    """

    def __init__(self, driver: DuckDBDriver, work_path: tuple[str, ...]) -> None:
        self._driver, self._work_path = driver, work_path
        self._staged: dict[Relation, _Staged] = {}  # by full names
        self._older: dict[Relation, RelationKind] = {}  # dropped by a server's own statements
        self._changed = False  # DuckDB knows tables that a server may undo
        self.withheld: Collection[Relation] = ()  # the publisher's alone
        self.readers: Collection[Relation] = ()  # whose readers stay

    def stage(self, final: Relation, kind: Kind, select: str, step: str) -> tuple[Relation, int]:
        """Make a relation as a temporary table, with the types that it will have.

        Returns:
            Where it stands until it is published, and how many rows it has.
        """
        here = Relation(f"sqlanon_new_{final.name}", self._work_path)
        made = self._driver.execute(
            f"create or replace temporary table {here.sql} as\n{select}", step
        )
        described = self._driver.execute(f"describe {here.sql}", step).rows
        if kind.server:
            self._refuse_misfits(final, [name for name, *_ in described])
        columns = []
        for name, type_name, *_ in described:
            kept, cast = kind.keeps(type_name)
            if kept != type_name:
                column = identifier(name)
                self._driver.execute(
                    f"alter table {here.sql} alter column {column} type {kept} "
                    f"using {cast.format(column)}",
                    step,
                )
            columns.append((name, kept))
        if kind.server:
            self._refuse_nul(here, [name for name, kept in columns if kept == "VARCHAR"], step)
        self._staged[final] = _Staged(final, here, kind, columns=columns)
        return here, int(made.rows[0][0])

    def _refuse_misfits(self, final: Relation, columns: list[str]) -> None:
        problems = self._server(final).misfits(columns)
        if problems:
            raise SpecError([Problem("release", what) for what in problems])

    def _refuse_nul(self, here: Relation, texts: list[str], step: str) -> None:
        """Refuse the character that a text of PostgreSQL's cannot hold."""
        held = (f"coalesce(bool_or(contains({identifier(name)}, chr(0))), false)" for name in texts)
        found = self._driver.execute(f"select {', '.join(held) or 'false'} from {here.sql}", step)
        holding = [name for name, holds in zip(texts, found.rows[0], strict=False) if holds]
        if holding:
            what = (
                f"its column {holding[0]!r} holds NUL characters, which text in PostgreSQL cannot"
            )
            raise SpecError(Problem("release", f"{what}: take them out"))

    def replace(self, final: Relation, kind: RelationKind) -> None:
        """Drop an older relation of a server's when the rest is published."""
        self._older[final] = kind

    def _server(self, final: Relation) -> AttachedPostgres:
        return AttachedPostgres(final.path[0], self._driver)

    def comment(self, final: Relation, text: str) -> bool:
        """Comment on a relation that is to be published; whether it is one."""
        if final not in self._staged:
            return False
        self._staged[final].comment = text
        return True

    def publish(self) -> None:
        """Write all of it where readers find it, as a part of the transaction.

        Raises:
            EngineError: if the database fails, or does not hold what was written.
        """
        staged = [*self._staged.values()]
        served = [table for table in staged if table.kind.server]
        if served:
            self._make_room(self._server(served[0].final), served)
        for table in staged:
            alone = table.kind.files and table.final in self.withheld
            with private() if alone else nullcontext():
                for statement in _publishing(table):
                    self._driver.execute(statement, _STEP)
            written, meant = (
                self._content(relation, table) for relation in (table.final, table.here)
            )
            if written != meant:
                raise EngineError(
                    f"the attached database ({table.kind.name}) does not hold {table.final.name} "
                    "as it was written: nothing was published. It may lack a value that stands in "
                    "a column, such as -0.0, NaN or an infinity",
                    _STEP,
                )
            self._driver.execute(f"drop table {table.here.sql}", _STEP)
        if served:
            server = self._server(served[0].final)
            for table in served:
                server.tell(server.marking(on_server(table.final), table.comment), _STEP)
            server.tell(server.settling([on_server(relation) for relation in self.withheld]), _STEP)

    def _make_room(self, server: AttachedPostgres, served: list[_Staged]) -> None:
        """Make the tables of a server, empty, in place of the older ones."""
        older = [(on_server(relation), kind) for relation, kind in self._older.items()]
        for statement in server.replacing(
            older, [on_server(relation) for relation in self.readers]
        ):
            server.tell(statement, _STEP)
        for table in served:
            server.tell(server.making(on_server(table.final), table.columns), _STEP)
        self._changed = True
        self._driver.execute(AFRESH, _STEP)

    def _content(self, relation: Relation, table: _Staged) -> tuple[object, ...]:
        """How many rows a relation has, and what they add up to in any order."""
        cells = ", ".join(f"cast({identifier(name)} as varchar)" for name, _ in table.columns)
        found = self._driver.execute(
            f"select count(*), sum(cast(hash({cells}) as hugeint)) from {relation.sql}", _STEP
        )
        return tuple(found.rows[0])

    def look_again(self) -> None:
        """After the transaction: DuckDB would go on with what was made, and perhaps undone."""
        if self._changed:
            self._driver.restore(AFRESH)
        self._changed = False

    def is_staged(self, here: Relation) -> bool:
        """Whether a temporary table holds what is to be published."""
        return any(table.here == here for table in self._staged.values())

    def forget(self) -> None:
        """The transaction has ended."""
        self._staged.clear()
        self._older.clear()
        self.withheld = self.readers = ()


def _publishing(table: _Staged) -> list[str]:
    """The statements that make the relation where it is published, in place of an older one."""
    final = table.final.sql
    filling = f"insert into {final} select * from {table.here.sql}"
    if table.kind.server:  # its table is there by now
        return [filling]
    columns = [f"{identifier(name)} {kept}" for name, kept in table.columns]
    comments = table.kind.comments
    if table.comment is not None and not comments:
        columns.append(f"check ({literal(table.comment)} is not null)")
    made = [f"create or replace table {final} ({', '.join(columns)})", filling]
    if table.comment is not None and comments:
        made.append(f"comment on table {final} is {literal(table.comment)}")
    return made


def marks_in(catalog: str, kind: Kind, driver: DuckDBDriver) -> dict[str, str]:
    """The marks that stand for comments in a database that has none, by the tables' names."""
    if kind.comments:
        return {}
    listed = f"sqlite_query({literal(catalog)}, 'select name, sql from sqlite_master')"
    found = driver.execute(f"select name, sql from {listed} where sql is not null").rows
    marked = ((name, _MARK.search(sql)) for name, sql in found)
    return {name: mark[1].replace("''", "'") for name, mark in marked if mark}
