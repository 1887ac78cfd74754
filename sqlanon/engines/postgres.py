"""PostgreSQL, through psycopg: the run stays in the database that holds the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import psycopg
from psycopg.adapt import Buffer, Loader
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.rows import tuple_row

from sqlanon.engines.base import Rows
from sqlanon.engines.loading import Batches, batches
from sqlanon.engines.waiting import INTERRUPTED, Worker
from sqlanon.errors import EngineError, InterruptedRunError, SpecError
from sqlanon.plan import How
from sqlanon.spec.columns import Column, Kind
from sqlanon.spec.database import gives_away, shown
from sqlanon.sql import check_names
from sqlanon.sql.names import Relation, Sql, identifier, literal

if TYPE_CHECKING:
    import pandas as pd

# Classes of SQLSTATE whose primary message names objects, rights or resources, never a value.
_SPEAKABLE = ("08", "0A", "25", "28", "2B", "3D", "3F", "40", "42", "53", "54", "55", "57", "58")
_KINDS: tuple[tuple[str, Kind], ...] = (
    (r"smallint|integer|bigint|numeric\(\d+(,0)?\)", "integer"),
    (r"numeric.*|real|double precision", "number"),
    (r"date", "date"),
    (r"timestamp.*", "timestamp"),
    (r"boolean", "boolean"),
    (r"text|character.*|\"char\"|name|citext|uuid", "text"),
)
_TYPES = (
    (r"U?TINYINT|SMALLINT", "smallint"),
    (r"USMALLINT|INTEGER", "integer"),
    (r"UINTEGER|BIGINT", "bigint"),
    (r"U?(BIG|HUGE)INT", "numeric(39,0)"),
    (r"DECIMAL(\(.*\))", r"numeric\1"),
    (r"FLOAT", "real"),
    (r"DOUBLE", "double precision"),
    (r"DATE", "date"),
    (r"TIMESTAMP WITH TIME ZONE", "timestamp with time zone"),
    (r"TIMESTAMP.*", "timestamp"),
    (r"BOOLEAN", "boolean"),
)
# What the text of literals and of values hangs on. Many short statements gain nothing from jit, and
# the planner takes work relations for small: a nested loop over large ones would run for hours.
_SETTINGS: dict[str, str | int] = {
    "client_encoding": "UTF8",
    "standard_conforming_strings": "on",
    "datestyle": "ISO, YMD",
    "extra_float_digits": 1,
    "client_min_messages": "warning",
    "enable_nestloop": "off",
    "jit": "off",
}
Result = TypeVar("Result")


class _Number(Loader):
    """Whole numbers as such: PostgreSQL's sums of bigint are numeric."""

    def load(self, data: Buffer) -> int | float:
        text = bytes(data).decode()
        return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


class PostgresEngine:
    """Runs on a PostgreSQL database, or on a psycopg connection the caller owns.

    A run is one transaction on one snapshot. Work relations are temporary tables.

    Args:
        database: a ``postgresql://`` URL; what it leaves out comes from the environment.
        connection: the caller's own psycopg connection, left open; ``database`` is then not used.
        settings: PostgreSQL settings for the session, such as ``{"work_mem": "256MB"}``.
    """

    dialect = "postgres"

    def __init__(
        self,
        database: str | None = None,
        connection: psycopg.Connection[Any] | None = None,
        settings: dict[str, str | int] | None = None,
    ) -> None:
        self.progress: Callable[[float | None, float], None] | None = None
        self._owned, self._closed = connection is None, False
        self._loaded: list[Relation] = []
        self._restore: dict[str, Any] = {}
        self._work: dict[str, tuple[Any, ...]] = {}  # tables of this transaction, and their form
        self._replaced: dict[Relation, Relation] = {}  # older tables, and what they are called now
        self._spare: set[str] = set()  # those that were dropped
        self.connection = (
            _connect(database or "postgresql://") if connection is None else connection
        )
        self._worker = Worker("sqlanon-postgres", self._interrupt, self._tell)
        self._autocommit = self.connection.autocommit
        try:
            if self.connection.info.transaction_status != TransactionStatus.IDLE:
                raise SpecError(
                    "the connection is inside a transaction: commit or roll it back first"
                )
            self.connection.autocommit = True
            for name, value in {**_SETTINGS, **(settings or {})}.items():
                self._set(name, value)
            about = "current_setting('server_version'), current_setting('server_encoding')"
            version, encoding = self._execute(f"select {about}").rows[0]
            if encoding != "UTF8":
                raise SpecError(f"the database is encoded in {encoding}: it must be in UTF8")
        except BaseException:
            self.close()
            raise
        self.version = f"PostgreSQL {version}"

    def _set(self, name: str, value: str | int) -> None:
        """Change a setting until the engine is closed."""
        try:
            was = self._execute(f"select current_setting({literal(name)})", "settings").rows[0][0]
            self._execute(f"select set_config({literal(name)}, {literal(str(value))}, false)")
        except EngineError as error:
            raise SpecError(f"PostgreSQL refuses the setting {name}: {error}") from None
        self._restore.setdefault(name, was)

    def scan(self, path: str, delimiter: str | None) -> Sql:
        """A temporary table of a file's records: the server cannot read the client's files."""
        with batches(path, delimiter) as records:
            return self._load(records).sql

    @contextmanager
    def register(self, frame: Any) -> Iterator[Sql]:
        """A temporary table of the frame's records; it stays until the engine is closed."""
        with batches(frame) as records:
            table = self._load(records)
        yield table.sql

    def _load(self, records: Batches) -> Relation:
        table = Relation(f"sqlanon_loaded_{len(self._loaded)}")
        names = [identifier(column.name) for column in records.columns]
        columns = ", ".join(
            f"{name} {_type(column.type)}"
            for name, column in zip(names, records.columns, strict=True)
        )
        temporary = Relation(table.name, ("pg_temp",))
        self._loaded.append(table)
        self.drop(table, How.WORK_TABLE)
        self._execute(f"create temporary table {table.sql} ({columns})", "loading the source")

        def copy() -> Rows:
            statement = f"copy {temporary.sql} ({', '.join(names)}) from stdin"
            with self._cursor() as cursor, cursor.copy(statement.encode()) as copying:
                for row in records.rows:
                    copying.write_row(row)
            return Rows((), [])

        self._guarded(copy, "loading the source", "")
        self._execute(f"analyze {temporary.sql}")
        return temporary

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order."""

        def describe() -> list[tuple[str, int, str]]:
            with self._cursor() as cursor:
                cursor.execute(f"select * from {source} limit 0".encode())
                return [
                    (one.name, one.type_code, one.type_display) for one in cursor.description or ()
                ]

        described = self._guarded(describe, "reading the source", "")
        codes = ", ".join(str(code) for _, code, _ in described) or "0"
        types = {
            code: (name, category)
            for code, name, category in self._execute(
                "select oid, format_type(oid, null), typcategory::text from pg_type "
                f"where oid in ({codes})"
            ).rows
        }
        columns = []
        for name, code, display in described:
            plain, category = types[code]
            full = display if plain == "numeric" else plain
            columns.append(Column(name, full, "text" if category == "E" else _kind(full)))
        return columns

    def kind_of(self, relation: Relation) -> Literal["table", "view"] | None:
        """Whether a relation is a table or a view, or does not exist."""
        found = self._execute(
            f"select relkind::text from pg_class where oid = to_regclass({literal(relation.sql)})"
        )
        if not found.rows:
            return None
        return "view" if found.rows[0][0] in "vm" else "table"

    def has_place(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""
        schema = self.resolve(relation).path[-1]
        return bool(
            self._execute(f"select 1 from pg_namespace where nspname = {literal(schema)}").rows
        )

    def resolve(self, relation: Relation) -> Relation:
        """The relation's full name: schema and name."""
        if relation.path:
            return Relation(relation.name, relation.path[-1:])
        found = self._execute(
            "select coalesce((select nspname from pg_class inner join pg_namespace "
            "on relnamespace = pg_namespace.oid "
            f"where pg_class.oid = to_regclass({literal(relation.sql)})), current_schema(), '')"
        )
        return Relation(relation.name, (str(found.rows[0][0]),))

    def create(self, relation: Relation, select: str, how: How, step: str = "") -> None:
        """Make a relation of a SELECT, in place of an older one of the same name."""
        if how in (How.TABLE, How.VIEW):
            older = self.kind_of(relation)
            if older == "table":  # a view of it may be replaced only after it
                aside = Relation(f"sqlanon_old_{len(self._replaced)}", relation.path)
                self._execute(f"alter table {relation.sql} rename to {identifier(aside.name)}")
                self._replaced[relation] = aside
            elif older == "view":
                self._execute(f"drop view {relation.sql}", step)
            self._execute(f"create {how.value} {relation.sql} as\n{select}", step)
            return
        self.drop(relation, how)
        if how is How.WORK_VIEW:
            self._execute(f"create temporary view {relation.sql} as\n{select}", step)
            return
        place, form = _temporary(relation).sql, self._form(select, step)
        if self._work.get(relation.name) == form:
            self._execute(f"insert into {place}\n{select}", step)
        else:
            if self._work.pop(relation.name, None):
                self._execute(f"drop table {place}", step)
            self._execute(f"create temporary table {relation.sql} as\n{select}", step)
            self._work[relation.name] = form
        self._spare.discard(relation.name)
        self._execute(f"analyze {place}", step)

    def _form(self, select: str, step: str) -> tuple[Any, ...]:
        """The names and types of the columns that a SELECT yields."""

        def describe() -> tuple[Any, ...]:
            made = self.connection.pgconn.prepare(b"", select.encode())
            if made.status == ExecStatus.FATAL_ERROR:
                raise psycopg.errors.error_from_result(made)
            found = self.connection.pgconn.describe_prepared(b"")
            columns = range(found.nfields)
            return tuple((found.fname(at), found.ftype(at), found.fmod(at)) for at in columns)

        self._check_names(select)
        return self._guarded(describe, step, select)

    def fetch(self, select: str, limit: int, step: str = "") -> Rows:
        """The rows of a SELECT, all of them; more than the limit is an error."""
        result = self._execute(f"select * from (\n{select}) as bounded limit {limit + 1}", step)
        if len(result.rows) > limit:
            raise EngineError(f"more than {limit} rows where only counts were expected", step)
        return result

    def frame(self, relation: Relation) -> pd.DataFrame:
        """A published relation as a pandas frame."""
        import pandas as pd

        found = self._execute(f"select * from {relation.sql}")
        return pd.DataFrame(found.rows, columns=list(found.columns))

    def drop(self, relation: Relation, how: How) -> None:
        """Drop a relation if it is there; a work relation never is another's of the same name.

        A table made in this transaction is emptied and dropped at its end: PostgreSQL locks every
        table that a transaction makes, for as long as it lasts, and has room for some thousands.
        """
        if how is How.WORK_TABLE and relation.name in self._work:
            if relation.name not in self._spare:
                self._execute(f"truncate {_temporary(relation).sql}")
                self._spare.add(relation.name)
            return
        kind = "view" if how in (How.VIEW, How.WORK_VIEW) else "table"
        place = _temporary(relation) if how in (How.WORK_TABLE, How.WORK_VIEW) else relation
        self._execute(f"drop {kind} if exists {place.sql}")

    @contextmanager
    def transaction(self, keep: bool = True) -> Iterator[None]:
        """What happens inside is visible at once at the end, or undone; one snapshot throughout."""
        self._execute("begin isolation level repeatable read")
        try:
            yield
            for relation, aside in self._replaced.items():
                self._execute(f"drop table {aside.sql}", f"replacing {relation}")
            if self._spare:
                places = (_temporary(Relation(name)).sql for name in self._spare)
                self._execute(f"drop table {', '.join(places)}")
            self._execute("commit" if keep else "rollback", step="publishing")
        except BaseException as error:
            self._worker.finish(self._rollback)
            if isinstance(error, KeyboardInterrupt):  # between two statements
                raise InterruptedRunError(INTERRUPTED) from None
            raise
        finally:
            self._replaced.clear()
            self._work.clear()
            self._spare.clear()

    def _rollback(self) -> None:
        with suppress(psycopg.Error):  # a lost connection is rolled back by the server
            self.connection.execute("rollback")

    def close(self) -> None:
        """Close the connection if it is ours, put its settings back if not; once is enough."""
        if self._closed:
            return
        self._closed = True
        if self._owned:
            self.connection.close()
        else:
            with suppress(EngineError, psycopg.Error):  # it may be lost
                for table in self._loaded:
                    self.drop(table, How.WORK_TABLE)
                for name, value in self._restore.items():
                    self._execute(f"select set_config({literal(name)}, {literal(value)}, false)")
                self.connection.autocommit = self._autocommit
        self._worker.close()

    def _check_names(self, sql: str) -> None:
        try:
            check_names(sql, self.dialect)
        except ValueError as error:
            raise SpecError(str(error)) from None

    def _execute(self, sql: str, step: str = "") -> Rows:
        def drain() -> Rows:
            with self._cursor() as cursor:
                cursor.adapters.register_loader("numeric", _Number)
                cursor.execute(sql.encode(), prepare=False)
                if cursor.description is None:
                    return Rows((), [])
                return Rows(tuple(one.name for one in cursor.description), cursor.fetchall())

        self._check_names(sql)
        return self._guarded(drain, step, sql)

    def _cursor(self) -> psycopg.Cursor[tuple[Any, ...]]:
        """A cursor that yields tuples, whatever the caller's connection makes of rows."""
        return psycopg.Cursor(self.connection, row_factory=tuple_row)

    def _guarded(self, call: Callable[[], Result], step: str, sql: str) -> Result:
        try:
            return self._worker.run(call)
        except psycopg.Error as error:
            raise EngineError(_speakable(error), step, sql) from None

    def _interrupt(self) -> None:
        with suppress(psycopg.Error):
            self.connection.cancel_safe(timeout=5)

    def _tell(self, seconds: float) -> None:
        if self.progress is not None:
            self.progress(None, seconds)


def _connect(database: str) -> psycopg.Connection[Any]:
    try:
        return psycopg.connect(database)
    except psycopg.Error as error:
        reason = str(error).strip()
        if gives_away(database, reason):
            reason = "its message is withheld because it quotes a part of the password"
        raise EngineError(f"the database {shown(database)!r} cannot be opened: {reason}") from None


def _temporary(relation: Relation) -> Relation:
    return Relation(relation.name, ("pg_temp",))


def _kind(type_name: str) -> Kind:
    return next((kind for form, kind in _KINDS if re.fullmatch(form, type_name)), "other")


def _type(duckdb_type: str) -> str:
    """The type that holds DuckDB's values."""
    for form, name in _TYPES:
        found = re.fullmatch(form, duckdb_type)
        if found:
            return found.expand(name)
    return "text"


def _speakable(error: psycopg.Error) -> str:
    """The server's message, unless it may quote a value of the data."""
    code = error.sqlstate
    if code is None:  # the client's own: the connection is lost, or what was loaded is refused
        return f"the connection to PostgreSQL failed ({type(error).__name__})"
    if code.startswith(_SPEAKABLE):
        return f"PostgreSQL refused the statement: {error.diag.message_primary}"
    return (
        f"PostgreSQL refused the statement (SQLSTATE {code}, {type(error).__name__}); its message "
        "is withheld because it may quote the data: run the step's SQL yourself to see it"
    )
