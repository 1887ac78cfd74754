"""A connection to PostgreSQL, through psycopg."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import psycopg
import psycopg.errors
from psycopg.abc import AdaptContext
from psycopg.adapt import Buffer, Loader
from psycopg.pq import ExecStatus, Format, TransactionStatus
from psycopg.rows import tuple_row

from sqlanon.common.interrupts import raised
from sqlanon.engines.driver import Driver, Setting
from sqlanon.engines.messages import safe_text
from sqlanon.engines.postgres.messages import SAFE
from sqlanon.errors import EngineError, SpecError
from sqlanon.plan import Rows
from sqlanon.sql.names import check_names, literal
from sqlanon.sql.products import PRODUCTS

_PATIENCE = 100  # tenths of a second that a lost connection may take to end
# By what the rows of a query are counted and compared.
_CALLED = "'count', 'sum', 'min', 'max', 'lower', 'btrim'"
_FIRST = 16384  # the number of the first object that PostgreSQL did not bring itself
_BESIDE_ITS_OWN = f"""
select what from (
    select 'function pg_catalog.' || proname as what
    from pg_catalog.pg_proc
    where pronamespace = 'pg_catalog'::pg_catalog.regnamespace and pg_proc.oid >= {_FIRST}
        and not exists (
            select from pg_catalog.unnest(proargtypes) as argument (type) where type >= {_FIRST}
        )
        and exists (
            select from pg_catalog.pg_proc as own
            where own.proname = pg_proc.proname and own.oid < {_FIRST}
        )
    union all
    select 'operator pg_catalog.' || oprname
    from pg_catalog.pg_operator
    where oprnamespace = 'pg_catalog'::pg_catalog.regnamespace and oid >= {_FIRST}
        and oprleft < {_FIRST} and oprright < {_FIRST}
    union all
    select 'cast of ' || castsource::pg_catalog.regtype || ' to ' || casttarget::pg_catalog.regtype
    from pg_catalog.pg_cast
    where oid >= {_FIRST} and castsource < {_FIRST} and casttarget < {_FIRST}
) as beside limit 1"""
Described = tuple[tuple[str, int, int], ...]  # a column's name, its type's oid and modifier


class PostgresDriver(Driver):
    """A PostgreSQL database by its URL, or the caller's psycopg connection.

    The environment says what the URL leaves out.

    Attributes:
        path: the user's search path.
        schemas: the schemas on it that are there.
    """

    product = "PostgreSQL"
    failures = psycopg.Error
    # Two that make a relation at the same time meet in the catalog's indexes.
    conflicts = (psycopg.errors.DuplicateTable, psycopg.errors.UniqueViolation)
    shortages = (
        psycopg.errors.OutOfMemory,
        psycopg.errors.DiskFull,
        psycopg.errors.ConfigurationLimitExceeded,
    )
    # Many short statements gain nothing from jit, and the planner takes work relations for small: a
    # nested loop over large ones would run for hours. Records that row-level security hides are not
    # left out in silence: the server then refuses the statement.
    settings: ClassVar = {
        "row_security": "off",
        "client_min_messages": "warning",
        "enable_nestloop": "off",
        "jit": "off",
    }
    fixed = PRODUCTS["postgres"].settings
    paths = ("search_path",)
    path: str
    schemas: list[str]
    begin = "begin isolation level repeatable read"  # one snapshot throughout

    def _open(self, database: str | Path | None, settings: dict[str, Setting]) -> Any:
        url = str(database or "postgresql://")
        try:
            with raised():
                return psycopg.connect(url)
        except psycopg.Error as error:
            raise self._unopened(url, error) from None

    def _ready(self) -> str:
        given: object = self.connection
        if not isinstance(given, psycopg.Connection):
            kind = f"{type(given).__module__}.{type(given).__qualname__}"
            raise SpecError(f"a {kind} is no connection that a run can work in: give a psycopg one")
        self._autocommit, info = self.connection.autocommit, self.connection.info
        self._process = info.backend_pid
        self._parameters = {**info.get_parameters(), "password": info.password}
        if self.connection.info.transaction_status != TransactionStatus.IDLE:
            raise SpecError("the connection is inside a transaction: commit or roll it back first")
        self.connection.autocommit = True
        if info.parameter_status("client_encoding") == "SQL_ASCII":  # text would be bytes
            raise SpecError("the connection's client_encoding is SQL_ASCII: set it to UTF8")
        names = ("server_version", "server_encoding", "search_path")
        about = ", ".join(f"pg_catalog.current_setting({literal(name)})" for name in names)
        found = self.execute(f"select {about}, pg_catalog.current_schemas(false)::text[]")
        version, encoding, self.path, self.schemas = found.rows[0]
        if encoding != "UTF8":
            raise SpecError(f"the database is encoded in {encoding}: it must be in UTF8")
        self._refuse_overloads()
        return str(version)

    def _refuse_overloads(self) -> None:
        """Refuse what a superuser has added to PostgreSQL's own functions, operators and casts.

        Of built-in types alone: a run calls nothing that takes a type of somebody's own. All that
        PostgreSQL brings itself has a number below the numbers of all that is made later.
        """
        found = self.execute(_BESIDE_ITS_OWN)
        if found.rows:
            raise SpecError(
                f"the {found.rows[0][0]} hides one of PostgreSQL's own, and would act in a run: "
                f"drop it, or use a database without it"
            )

    def reconnect(self) -> None:
        """Connect again, and wait for the end of what the lost connection began."""
        if not self.connection.closed:
            raise EngineError("the connection is not lost")
        self.connection = psycopg.connect(**self._parameters, autocommit=True)
        self.owned = True  # the caller's is of no more use
        still = f"select 1 from pg_stat_activity where pid = {self._process}"
        for _ in range(_PATIENCE):
            if not self._drain(still).rows:
                return
            time.sleep(0.1)
        raise EngineError("the server is still busy with it")

    def cursor(self) -> psycopg.Cursor[tuple[Any, ...]]:
        """A cursor that yields tuples, even where the caller's connection makes something else."""
        return psycopg.Cursor(self.connection, row_factory=tuple_row)

    def _drain(self, sql: str) -> Rows:
        self._refuse_long_names(sql)
        with self.cursor() as cursor:
            for kind, loader in _LOADERS.items():
                cursor.adapters.register_loader(kind, loader)
            cursor.execute(sql.encode(), prepare=False)
            if cursor.description is None:
                return Rows(made=cursor.rowcount if cursor.rowcount >= 0 else None)
            return Rows(tuple(column.name for column in cursor.description), cursor.fetchall())

    def restore(self, statement: str) -> None:
        """Run a statement, even if the user interrupts; a transaction that failed needs none."""

        def say() -> None:
            with suppress(psycopg.Error):
                self._drain(statement)

        self.worker.finish(say)

    def described(self, select: str, step: str) -> Described:
        """The columns that a SELECT yields, without running it."""

        def describe() -> Described:
            self._refuse_long_names(select)
            server = self.connection.pgconn
            made = server.prepare(b"", select.encode())
            if made.status == ExecStatus.FATAL_ERROR:
                raise psycopg.errors.error_from_result(made)
            found = server.describe_prepared(b"")
            return tuple(
                (found.fname(at).decode(), found.ftype(at), found.fmod(at))
                for at in range(found.nfields)
            )

        return self.call(describe, step, select)

    def copy(self, statement: str, rows: Iterable[tuple[str | None, ...]], step: str) -> None:
        """Carry out a ``copy … from stdin``."""

        def copy() -> None:
            with self.cursor() as cursor, cursor.copy(statement.encode()) as copying:
                for row in rows:
                    copying.write_row(row)

        self.call(copy, step, statement)

    def copy_out(self, statement: str, file: Path, step: str) -> None:
        """Carry out a ``copy … to stdout`` into a file."""

        def copy() -> None:
            with (
                file.open("wb") as opened,
                self.cursor() as cursor,
                cursor.copy(statement.encode()) as copying,
            ):
                for block in copying:
                    opened.write(block)

        self.call(copy, step, statement)

    def _refuse_long_names(self, sql: str) -> None:
        try:
            check_names(sql, "postgres")
        except ValueError as error:
            raise SpecError(str(error)) from None

    def _interrupt(self) -> None:
        with suppress(psycopg.Error):
            self.connection.cancel_safe(timeout=5)

    def _setting(self, name: str) -> Any:
        found = self.execute(f"select pg_catalog.current_setting({literal(name)})", "settings")
        return found.rows[0][0]

    def _change(self, name: str, value: Any) -> None:
        text = literal(str(value))
        self.execute(f"select pg_catalog.set_config({literal(name)}, {text}, false)", "settings")

    def refuse_namesakes(self) -> None:
        """Refuse the user's functions and operators that would be called in a query of the user's.

        The functions and operators of an extension are for types of its own.
        """
        schemas = ", ".join(map(literal, self.schemas)) or "''"
        found = self.execute(
            "select what from (select 'function ' || proname as what, pronamespace as place, oid "
            f"from pg_proc where proname in ({_CALLED}) union all "
            "select 'operator ' || oprname, oprnamespace, oid from pg_operator "
            "where oprname in ('=', '<>')) as named inner join pg_namespace on place = "
            f"pg_namespace.oid where nspname in ({schemas}) and nspname <> 'pg_catalog' "
            "and named.oid not in (select objid from pg_depend where deptype = 'e') limit 1"
        )
        if found.rows:
            raise SpecError(
                f"the {found.rows[0][0]} of your own has the name of one of PostgreSQL's, and "
                "would act on the source's query or view: name a table, or rename the function"
            )

    def _search(self, users: bool) -> None:
        """Relations are always qualified; of functions, operators and types there are others."""
        self._change("search_path", self.path if users else "pg_catalog, pg_temp")

    def _leave(self) -> None:
        if self.owned:
            self.connection.close()
            return
        if not isinstance(given := self.connection, psycopg.Connection):
            return
        with suppress(psycopg.Error):  # it may be lost
            given.autocommit = self._autocommit

    def _safe(self, error: Exception, known: str) -> str | None:
        code = error.sqlstate if isinstance(error, psycopg.Error) else None
        if code is None:  # the client's own: the connection is lost, or what was loaded is refused
            return None
        assert isinstance(error, psycopg.Error)  # noqa: S101 - it has a code
        return safe_text(error.diag.message_primary or "", code, SAFE, known)

    def _kind(self, error: Exception, known: str) -> str:
        code = error.sqlstate if isinstance(error, psycopg.Error) else None
        if code is None:
            return f"{type(error).__name__}: the connection was lost, or its client failed"
        return f"SQLSTATE {code}, {type(error).__name__}"


class _Number(Loader):
    """Whole numbers as such: PostgreSQL's sums of bigint are numeric."""

    def load(self, data: Buffer) -> int | float:
        text = bytes(data).decode()
        return int(text) if re.fullmatch(r"-?\d+", text) else float(text)


class _Text(Loader):
    """The server's text, where Python's own type would not say the same."""

    def load(self, data: Buffer) -> str:
        return bytes(data).decode()


def _or_text(kind: str) -> type[Loader]:
    """The client's loader of a type; a value that Python's type cannot hold is the server's text.

    Such are infinity, years before Christ and after 9999, 24:00, and months in an interval.
    """
    found = psycopg.adapters.get_loader(psycopg.adapters.types[kind].oid, Format.TEXT)
    assert found is not None  # noqa: S101 - it is one of psycopg's own
    known = found

    class OrText(Loader):
        def __init__(self, oid: int, context: AdaptContext | None = None) -> None:
            super().__init__(oid, context)
            self._known = known(oid, context)

        def load(self, data: Buffer) -> Any:
            text = bytes(data).decode()
            if re.search("mon|year", text):  # of an interval
                return text
            try:
                return self._known.load(data)
            except psycopg.DataError:
                return text

    return OrText


_LOADERS: dict[str, type[Loader]] = {
    "numeric": _Number,
    "json": _Text,
    "jsonb": _Text,
    **{
        kind: _or_text(kind)
        for kind in ("date", "time", "timetz", "timestamp", "timestamptz", "interval")
    },
}
