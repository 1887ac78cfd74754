"""DuckDB, in this process: the default engine."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import duckdb

from sqlanon.engines.base import Rows
from sqlanon.engines.waiting import INTERRUPTED, Worker
from sqlanon.errors import EngineError, InterruptedRunError, SpecError
from sqlanon.plan import How
from sqlanon.spec.columns import Column, Kind
from sqlanon.sql.names import Relation, Sql, literal

if TYPE_CHECKING:
    import pandas as pd

# Errors whose text names objects and files, never values of the data.
_SPEAKABLE = (
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.DependencyException,
    duckdb.IOException,
    duckdb.NotImplementedException,
    duckdb.OutOfMemoryException,
    duckdb.ParserException,
    duckdb.PermissionException,
    duckdb.TransactionException,
)
_KINDS: tuple[tuple[str, Kind], ...] = (
    (r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", "integer"),
    (r"DECIMAL\(\d+,\s*0\)", "integer"),
    (r"DECIMAL.*|FLOAT|DOUBLE", "number"),
    (r"DATE", "date"),
    (r"TIMESTAMP.*", "timestamp"),
    (r"BOOLEAN", "boolean"),
    (r"VARCHAR|ENUM.*|UUID", "text"),
)
_CREATE = {
    How.WORK_TABLE: "create or replace temporary table",
    How.WORK_VIEW: "create or replace temporary view",
    How.TABLE: "create or replace table",
    How.VIEW: "create or replace view",
}
# A table keeps the order it is written in (Stack & Deal counts on it); a query tells its progress.
_SETTINGS: dict[str, bool] = {
    "preserve_insertion_order": True,
    "enable_progress_bar": True,
    "enable_progress_bar_print": False,
}
_FRAME = "sqlanon_frame"
_SPILL = "sqlanon-spill-"


class DuckDBEngine:
    """Runs on a DuckDB file, in memory, or on a connection the caller owns.

    Work relations are temporary: nothing of the source is ever written into the database file,
    and a killed process leaves nothing behind in it.

    Args:
        database: a file; it is made if it is not there. In memory where None.
        connection: the caller's own connection, left open; the database is then not used.
        settings: DuckDB settings, such as ``{"memory_limit": "4GB", "threads": 2}``.
    """

    dialect = "duckdb"

    def __init__(
        self,
        database: str | Path | None = None,
        connection: duckdb.DuckDBPyConnection | None = None,
        settings: dict[str, str | int] | None = None,
    ) -> None:
        self.version = f"DuckDB {duckdb.__version__}"
        self.progress: Callable[[float | None, float], None] | None = None
        self._owned = connection is None
        self._tidy: weakref.finalize[Any, Any] | None = None
        self._worker = Worker("sqlanon-duckdb", self._interrupt, self._tell)
        self._restore: dict[str, Any] = {}
        self._frames = 0
        self._closed = False
        self._made = None if database is None or Path(database).exists() else Path(database)
        settings = dict(settings or {})
        if connection is None:
            connection = self._open(database, settings.pop("temp_directory", None))
        self.connection = connection
        try:
            self._refuse_transaction()
            for name, value in {**_SETTINGS, **settings}.items():
                self._set(name, value)
        except BaseException:
            self.close()
            raise

    def _refuse_transaction(self) -> None:
        """A run is a transaction of its own; the caller's would be broken by its start."""
        first, second = (self._execute("select txid_current()").rows for _ in range(2))
        if first == second:
            raise SpecError("the connection is inside a transaction: commit or roll it back first")

    def _open(
        self, database: str | Path | None, spill_to: str | int | None
    ) -> duckdb.DuckDBPyConnection:
        # What spills to disk is raw data: it goes to a private folder, removed with the engine.
        root = Path(str(spill_to or tempfile.gettempdir()))
        try:
            _remove_stale_spills(root)
            spill = Path(tempfile.mkdtemp(prefix=f"{_SPILL}{os.getpid()}-", dir=root))
        except OSError as error:
            raise SpecError(
                f"nothing can be written to the folder {str(root)!r}: {error}"
            ) from None
        self._tidy = weakref.finalize(self, shutil.rmtree, spill, ignore_errors=True)
        if database is not None and not Path(database).parent.is_dir():
            self._tidy()
            raise SpecError(f"there is no folder {str(Path(database).parent)!r} for the database")
        config: dict[str, Any] = {"temp_directory": str(spill)}
        try:
            connection = duckdb.connect(str(database or ":memory:"), config=config)
        except duckdb.Error as error:
            self.close()
            raise EngineError(f"the database {str(database)!r} cannot be opened: {error}") from None
        return connection

    def _set(self, name: str, value: str | int | bool) -> None:
        """Change a setting until the engine is closed."""
        known = self._execute(
            f"select value from duckdb_settings() where name = {literal(name)}", "settings"
        )
        if not known.rows:
            raise SpecError(f"DuckDB has no setting {name!r}")
        self._restore.setdefault(name, known.rows[0][0])
        try:
            self._execute(f"set {name} = {literal(value)}", "settings")
        except EngineError as error:
            raise SpecError(f"DuckDB refuses the setting {name}: {error}") from None

    def scan(self, path: str, delimiter: str | None) -> Sql:
        """The FROM item that reads CSV, TSV or Parquet files."""
        if path.lower().endswith(".parquet"):
            return Sql(f"read_parquet({literal(path)})")
        options = f", delim = {literal(delimiter)}" if delimiter else ""
        return Sql(f"read_csv({literal(path)}, header = true, sample_size = -1{options})")

    @contextmanager
    def register(self, frame: Any) -> Iterator[Sql]:
        """A FROM item that reads a pandas, polars or Arrow frame, or a DuckDB relation."""
        if isinstance(frame, duckdb.DuckDBPyRelation):
            yield Sql(f"({frame.sql_query()})")
            return
        name = f"{_FRAME}_{self._frames}" if self._frames else _FRAME
        try:
            self.connection.register(name, frame)
        except duckdb.Error:
            raise SpecError(f"a {type(frame).__name__} cannot be read as a table") from None
        self._frames += 1
        try:
            yield Sql(name)
        finally:
            self._frames -= 1
            self.connection.unregister(name)

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order."""
        described = self._execute(f"describe select * from {source}", step="reading the source")
        return [Column(name, kind, _kind(kind)) for name, kind, *_ in described.rows]

    def kind_of(self, relation: Relation) -> Literal["table", "view"] | None:
        """Whether a relation is a table or a view, or does not exist."""
        full = self.resolve(relation)
        where = " and ".join(
            f"lower({column}) = lower({literal(part)})"
            for column, part in zip(
                ("table_catalog", "table_schema", "table_name"),
                (*full.path, full.name),
                strict=True,
            )
        )
        found = self._execute(f"select table_type from information_schema.tables where {where}")
        if not found.rows:
            return None
        return "view" if found.rows[0][0] == "VIEW" else "table"

    def has_place(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""
        catalog, schema = self.resolve(relation).path
        found = self._execute(
            "select 1 from duckdb_schemas() "
            f"where lower(database_name) = lower({literal(catalog)}) "
            f"and lower(schema_name) = lower({literal(schema)})"
        )
        return bool(found.rows)

    def resolve(self, relation: Relation) -> Relation:
        """The relation's full name: catalog, schema and name."""
        catalog, schema = self._execute("select current_database(), current_schema()").rows[0]
        if len(relation.path) == 1 and self._is_catalog(relation.path[0]):
            return Relation(relation.name, (relation.path[0], "main"))
        path = (catalog, schema)[: 2 - len(relation.path)] + relation.path
        return Relation(relation.name, path[-2:])

    def _is_catalog(self, name: str) -> bool:
        """Whether a single qualifier names an attached database rather than a schema."""
        schemas = self._execute(
            "select 1 from duckdb_schemas() where database_name = current_database() "
            f"and schema_name = {literal(name)}"
        )
        databases = self._execute(
            f"select 1 from duckdb_databases() where database_name = {literal(name)}"
        )
        return not schemas.rows and bool(databases.rows)

    def create(self, relation: Relation, select: str, how: How, step: str = "") -> None:
        """Make a relation of a SELECT, in place of an older one of the same name."""
        if how in (How.TABLE, How.VIEW):
            older = self.kind_of(relation)
            if older is not None and older != how.value:
                self._execute(f"drop {older} {relation.sql}", step)
        self._execute(f"{_CREATE[how]} {relation.sql} as\n{select}", step)

    def fetch(self, select: str, limit: int, step: str = "") -> Rows:
        """The rows of a SELECT, all of them; more than the limit is an error."""
        result = self._execute(f"select * from (\n{select}) as bounded limit {limit + 1}", step)
        if len(result.rows) > limit:
            raise EngineError(f"more than {limit} rows where only counts were expected", step)
        return result

    def frame(self, relation: Relation) -> pd.DataFrame:
        """A published relation as a pandas frame."""
        found: pd.DataFrame = self.connection.execute(f"select * from {relation.sql}").df()
        return found

    def drop(self, relation: Relation, how: How) -> None:
        """Drop a relation if it is there."""
        kind = "view" if how in (How.VIEW, How.WORK_VIEW) else "table"
        self._execute(f"drop {kind} if exists {relation.sql}")

    @contextmanager
    def transaction(self, keep: bool = True) -> Iterator[None]:
        """What happens inside is visible at once at the end, or undone; one snapshot throughout."""
        self._execute("begin transaction")
        try:
            yield
            self._execute("commit" if keep else "rollback", step="publishing")
        except BaseException as error:
            self._worker.finish(self._rollback)
            if isinstance(error, KeyboardInterrupt):  # between two statements
                raise InterruptedRunError(INTERRUPTED) from None
            raise

    def _rollback(self) -> None:
        try:
            self.connection.execute("rollback")
        except duckdb.Error:  # the failed statement has ended the transaction already
            return

    def close(self) -> None:
        """Close the connection if it is ours, and remove what spilled to disk; once is enough."""
        if self._closed:
            return
        self._closed = True
        if hasattr(self, "connection"):
            if self._owned:
                empty = not self._execute("select 1 from information_schema.tables").rows
                self.connection.close()
                if empty and self._made is not None:  # a failed run leaves no file behind
                    self._made.unlink(missing_ok=True)
            else:
                for name, value in self._restore.items():
                    self._execute(f"set {name} = {literal(value)}", "settings")
        if self._tidy is not None:
            self._tidy()
        self._worker.close()

    def _execute(self, sql: str, step: str = "") -> Rows:
        """Run a statement in the worker thread, so that Ctrl-C reaches this one at once."""
        try:
            return self._worker.run(lambda: self._drain(sql))
        except duckdb.InterruptException:
            raise InterruptedRunError(INTERRUPTED) from None
        except duckdb.Error as error:
            raise EngineError(speakable(error), step, sql) from None

    def _drain(self, sql: str) -> Rows:
        result = self.connection.execute(sql)
        columns = tuple(column[0] for column in result.description or ())
        return Rows(columns, result.fetchall())

    def _interrupt(self) -> None:
        self.connection.interrupt()

    def _tell(self, seconds: float) -> None:
        if self.progress is not None:
            percent = self.connection.query_progress()
            self.progress(percent / 100 if 0 <= percent <= 100 else None, seconds)


def _kind(type_name: str) -> Kind:
    return next((kind for form, kind in _KINDS if re.fullmatch(form, type_name)), "other")


def speakable(error: duckdb.Error) -> str:
    """An engine's message, unless it may quote a value of the data."""
    if isinstance(error, _SPEAKABLE):
        return str(error).split("\n\nLINE ")[0]
    return (
        f"DuckDB refused the statement ({type(error).__name__}); its message is withheld "
        "because it may quote the data: run the step's SQL yourself to see it"
    )


def _remove_stale_spills(root: Path) -> None:
    """Remove what killed processes left on disk."""
    for folder in root.glob(f"{_SPILL}*"):
        owner = folder.name.removeprefix(_SPILL).split("-")[0]
        if owner.isdigit() and not _alive(int(owner)):
            shutil.rmtree(folder, ignore_errors=True)


def _alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:  # it is alive and somebody else's
        return True
    return True
