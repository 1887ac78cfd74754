"""A connection to DuckDB, in this process, and the functions that it knows."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar

import duckdb

from sqlanon.engines.driver import SETTINGS, Driver, Setting
from sqlanon.engines.duckdb.messages import (
    held_elsewhere,
    is_taken_there,
    kind_of,
    needed_extension,
    safe_message,
    untyped,
)
from sqlanon.engines.duckdb.spill import SpillFolder, contained_limit
from sqlanon.engines.frames import OBJECTS
from sqlanon.engines.worker import INTERRUPTED
from sqlanon.errors import EngineError, InterruptedRunError, Problem, SpecError
from sqlanon.inputs.files import is_remote_database
from sqlanon.plan import Rows
from sqlanon.sql.names import identifier, literal
from sqlanon.sql.products import PRODUCTS, gives_away, shown

# The functions that a call may find, and whether each counts as DuckDB's own. To list them takes a
# tenth of the time of a small run: they are listed once.
SIGNATURES = (
    "select internal, lower(function_name), function_type, cast(parameters is null as varchar), "
    "cast(parameter_types as varchar), coalesce(varargs, ''), coalesce(return_type, '') "
    "from system.main.duckdb_functions()"
)
LOADED = (
    "select extension_name, install_path from system.main.duckdb_extensions() where loaded "
    "order by extension_name"
)
Signature = tuple[str, ...]


def listed(rows: Iterable[tuple[Any, ...]]) -> tuple[list[Signature], set[str]]:
    """The functions that count as DuckDB's own, and the names of all others."""
    own: list[Signature] = []
    others: set[str] = set()
    for internal, *signature in rows:
        if internal:
            own.append(tuple(signature))
        else:
            others.add(signature[0])
    return own, others


def added(found: Iterable[Signature], extensions: Iterable[tuple[str, str]]) -> str | None:
    """A function that was added under the name of one of DuckDB's own; None if there is none.

    A Python function is put into the system's catalog, and counts there as DuckDB's own. A new
    database does not have it, and so it is known.

    Args:
        found: the functions of a connection that count as DuckDB's own.
        extensions: what it has loaded, by name and file.
    """
    own = _own(tuple(extensions))
    names = {name for name, *_ in own}
    return next((entry[0] for entry in found if entry[0] in names and entry not in own), None)


@cache
def _own(extensions: tuple[tuple[str, str], ...]) -> frozenset[Signature]:
    """The functions of a database with these extensions and nothing else.

    An extension that cannot be loaded from its file again brings no function that is known as its
    own.
    """
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as fresh:
        has = {name for name, _ in fresh.execute(LOADED).fetchall()}
        for name, file in extensions:
            if name not in has:
                try:
                    fresh.execute(f"load {literal(file)}")
                except duckdb.Error:
                    continue
        return frozenset(listed(fresh.execute(SIGNATURES).fetchall())[0])


# Fixed settings that not every version has, and the other name of one.
_OF_VERSIONS: dict[str, Setting] = {
    "null_order": "NULLS_LAST",
    "old_implicit_casting": "false",
    "error_on_division_by_zero": "true",
    "dialect_compatibility_mode": "NONE",
    "regex_match_operator_semantics": "partial",
    # By a part of a frame's objects DuckDB takes 2.7 among whole numbers for 3.
    "pandas_analyze_sample": OBJECTS,
}

# The first words of statements that make and drop no relation.
_READING = ("select ", "describe ", "explain ")

_OPEN_ALREADY = (
    "it is open in this process already: close the release, the sweep or the database that holds "
    "it, or work in that"
)

# The settings that keep statements with the values in them, and those that say how; not every
# version has all of the latter.
_WATCHING = ("enable_profiling", "enable_logging")
_OF_PROFILES = ("profiling_mode", "custom_profiling_settings")


class DuckDBDriver(Driver):
    """A DuckDB file, a database in memory, or the caller's connection.

    A file that cannot be written is read: work relations are temporary, and need no more.

    Attributes:
        restartable: whether the transaction may be ended and begun again.
        read_only: whether the current database cannot be written.
        keeps: whether the transaction is to become visible.
        here: the catalog and the schema that an unqualified name of the user's means.
        changes: how many statements have run that may make or drop a relation.
    """

    product = "DuckDB"
    failures = duckdb.Error
    conflicts = (duckdb.TransactionException,)
    shortages = (duckdb.OutOfMemoryException,)
    # The plan before it is optimized shows what a source reads.
    settings: ClassVar = {"explain_output": "all"}
    # A query reports its progress, and prints none. In a notebook without ipywidgets DuckDB refuses
    # both settings with any value: then it reports none.
    wishes: ClassVar = {"enable_progress_bar_print": False, "enable_progress_bar": True}
    fixed: ClassVar = {**PRODUCTS["duckdb"].settings, **_OF_VERSIONS}
    paths = ("schema", "search_path")
    restartable = read_only = keeps = False
    changes = 0
    here: tuple[str, str]
    _known: ClassVar[tuple[str, ...]] = ()  # the settings of a run that this version has
    _clean: ClassVar[list[tuple[Any, ...]]] = []  # functions that stand in for none of DuckDB's
    _left: tuple[str, ...] = ()
    _spill: SpillFolder | None = None
    _watched: Mapping[str, Any] = MappingProxyType({})  # what the caller's connection kept of all

    def _open(self, database: str | Path | None, settings: dict[str, Setting]) -> Any:
        address = None if database is None else str(database)
        is_file = address is not None and not is_remote_database(address)
        file = Path(str(address)) if is_file else None
        if file is not None and not file.parent.is_dir():
            raise SpecError(f"there is no folder {str(file.parent)!r} for the database")
        if file is not None and file.is_dir():
            raise SpecError(f"{str(file)!r} is a folder: name a file in it for the database")
        if file is not None and file.exists() and not _is_database(file):
            raise SpecError(f"{str(file)!r} exists and is no DuckDB database: name another file")
        self._made = None if file is None or file.exists() else file
        self.read_only = file is not None and file.exists() and not os.access(file, os.W_OK)
        self._file = file
        root = settings.pop("temp_directory", None)
        self._spill = SpillFolder(None if root is None else str(root))
        self._names = f"{database}\n{database}.wal\n{self._spill.path}"
        config: dict[str, Any] = {"temp_directory": str(self._spill.path)}
        memory = contained_limit()
        if memory is not None:
            config["memory_limit"] = memory
        try:
            with private():
                return duckdb.connect(str(database or ":memory:"), self.read_only, config)
        except duckdb.Error as error:
            name = shown(str(database))
            why = needed_extension(error) or held_elsewhere(error) or str(error)
            if "different configuration" in why:
                why = _OPEN_ALREADY
            if gives_away(str(database), why):
                why = "its message is withheld because it quotes a part of the address"
            raise EngineError(f"the database {name!r} cannot be opened: {why}") from None

    def _ready(self) -> str:
        catalog, schema, kind, readonly = self.execute(
            "select database_name, system.main.current_schema(), type, readonly "
            "from system.main.duckdb_databases() "
            "where database_name = system.main.current_database()"
        ).rows[0]
        self.read_only = self.read_only or bool(readonly)
        self._refuse_transaction(kind == "duckdb")
        self._look()
        self.here, self._path = (catalog, schema), str(self._setting("search_path") or "")
        if not self.owned:  # DuckDB finds these first with any search path
            self._refuse_shadows()
            self._stop_watching()
        return str(duckdb.__version__)

    def _refuse_transaction(self, numbered: bool) -> None:
        """Refuse a connection inside a transaction: a run is one of its own, and would break it.

        Args:
            numbered: whether DuckDB tells the number of one: of another product's it fails.
        """
        inside = "the connection is inside a transaction: commit or roll it back first"
        if not numbered:
            try:
                self.execute("begin")
            except EngineError:
                raise SpecError(inside) from None
            self.execute("rollback")
            return
        first, second = (self.execute("select system.main.txid_current()").rows for _ in range(2))
        if first == second:
            raise SpecError(inside)

    def tell(self, sql: str, secret: str) -> None:
        """Run a statement that takes a secret as its parameter."""
        self.call(lambda: self.connection.execute(sql, [secret]).fetchall(), "a key", sql)

    def refuse_namesakes(self) -> None:
        """Refuse the user's macros that would be called in a query of the user's."""
        self._refuse_macros(lambda database: database != "system", "macro")

    def _refuse_shadows(self) -> None:
        """Refuse a macro or a Python function that a call may find in place of one of DuckDB's."""
        functions = self.execute(SIGNATURES).rows
        if functions == DuckDBDriver._clean:
            return
        own, others = listed(functions)
        namesakes = others.intersection(name for name, *_ in own)
        if namesakes:
            self._refuse_macros(lambda database: database == "temp", "temporary macro")
        try:
            loaded = self.execute(LOADED).rows
        except EngineError:  # a connection that reads no file lists none: it has DuckDB's alone
            loaded = []
        name = added(own, loaded)
        if name is not None:
            raise SpecError(
                f"the function {name!r} was made with the name of one of DuckDB's own, which a run "
                "may take for it: remove it, or give it another name"
            )
        if not namesakes:  # of these it matters where they are, which the list does not say
            DuckDBDriver._clean = functions

    def _refuse_fixed(self, settings: Mapping[str, Setting]) -> None:
        super()._refuse_fixed(settings)
        for name in settings:
            if name.lower() in _WATCHING:
                raise SpecError(
                    f"the setting {name} would keep what a run reads, and the keys that it is "
                    "given: leave it out"
                )

    def _stop_watching(self) -> None:
        """Keep no profile and no log of a run: they would hold its keys."""
        self._watched = {
            name: value
            for name, value in self._found.items()
            if name in (*_WATCHING, *_OF_PROFILES) and value is not None
        }
        if "enable_profiling" in self._watched:
            self.execute("reset enable_profiling", SETTINGS)
        if _is_on(self._watched.pop("enable_logging", None)):
            self._watched["enable_logging"] = "true"
            self.execute("set enable_logging = false", SETTINGS)

    def give_back(self) -> None:
        """Put the settings of the caller's connection back: nothing is to be made any more."""
        super().give_back()
        watched, self._watched = self._watched, {}
        if not {"enable_profiling", "enable_logging"} & watched.keys():
            return
        with suppress(EngineError):  # it may be lost
            for name in ("enable_profiling", *_OF_PROFILES, "enable_logging"):
                if name in watched:
                    self.execute(f"set {name} = {literal(str(watched[name]))}", SETTINGS)

    def _refuse_macros(self, where: Callable[[str], bool], what: str) -> None:
        functions = "from system.main.duckdb_functions()"
        # Which database each is of is asked of the user's alone: of all functions it takes as long
        # again as listing them.
        found = self.execute(
            f"select function_name, database_name {functions} where not internal"
        ).rows
        users = sorted({name for name, database in found if where(database)})
        if not users:  # they are many: they are listed again only where that tells something
            return
        names = ", ".join(literal(name.lower()) for name in users)
        own = self.execute(
            f"select function_name {functions} where internal and function_name in ({names})"
        ).rows
        own_names = {name for (name,) in own}
        name = next((name for name in users if name.lower() in own_names), None)
        if name is not None:
            raise SpecError(
                f"the {what} {name!r} stands in for a function of DuckDB's own: drop it, or give "
                "it another name"
            )

    def _fixed_here(self) -> Mapping[str, Setting]:
        return {name: value for name, value in self.fixed.items() if name in self._found}

    def _search(self, users: bool) -> None:
        """A function is found in the system's catalog first; there are no relations in it."""
        schema = ".".join(map(identifier, self.here))
        if not users:
            self.execute(f"set search_path = {literal(f'system.main,{self._path or schema}')}")
            return
        self.execute("reset search_path")
        if self._path:
            self.execute(f"use {schema}")
        if "," in self._path:
            self.execute(f"set search_path = {literal(self._path)}")

    @contextmanager
    def transaction(
        self, keep: bool = True, published: Callable[[], bool] | None = None
    ) -> Iterator[None]:
        """Make the block's changes visible at once at its end, or undo them: also if not kept."""
        if keep and self.read_only and self.owned:
            raise EngineError("the database file cannot be written: no release can be made in it")
        self.restartable, self.keeps = True, keep
        try:
            with super().transaction(keep, published):
                yield
        finally:
            self.restartable = False
            self.worker.finish(self._clear)

    def restart_transaction(self, left: Iterable[str]) -> None:
        """End the transaction and begin another: what was dropped in it takes no more room.

        Args:
            left: the statements that drop what it leaves behind, if it is there; they run when
                the other has ended, however that ends.
        """
        if self.restartable:
            self._left = tuple(left)
            self.execute("commit")
            self.execute(self.begin)

    def reconnect(self) -> None:
        """A file that failed is of no more use in this process until it is closed."""
        if not self.owned or self._file is None:
            raise EngineError("the database is gone")
        self.connection.close()
        self.connection = duckdb.connect(str(self._file), self.read_only)

    def _clear(self) -> None:
        for statement in self._left:
            with suppress(self.failures):
                self._drain(statement)
        self._left = ()

    def _drain(self, sql: str) -> Rows:
        if sql == "commit" and self.owned:  # which may make a log next to the file
            with private():
                return self._take(sql)
        return self._take(sql)

    @contextmanager
    def serial(self) -> Iterator[None]:
        """Run the block on one thread; not on the caller's connection, which others share."""
        if not self.owned:
            yield
            return
        threads = int(self._named(["threads"])["threads"])
        try:
            self._change("threads", 1)
            yield
        finally:
            self.restore(f"set threads = {threads}")

    def restore(self, statement: str) -> None:
        """Say it now; or after a transaction that has failed, which takes no statement any more."""

        def say() -> None:
            try:
                self._drain(statement)
            except duckdb.Error:
                self._left = (*self._left, statement)

        self.worker.finish(say)

    def _take(self, sql: str) -> Rows:
        self.changes += not sql.startswith(_READING)
        try:
            result = self.connection.execute(sql)
            columns = tuple(column[0] for column in result.description or ())
            return Rows(columns, result.fetchall())
        except duckdb.InterruptException:
            raise InterruptedRunError(INTERRUPTED) from None

    def _interrupt(self) -> None:
        self.connection.interrupt()

    def _fraction(self) -> float | None:
        percent = self.connection.query_progress()
        return percent / 100 if 0 <= percent <= 100 else None

    def _settings(self) -> dict[str, Any]:
        return dict(self.execute("select name, value from system.main.duckdb_settings()").rows)

    def _named(self, names: Sequence[str]) -> dict[str, Any]:
        values = (
            f"cast(system.main.current_setting({literal(name)}) as varchar)" for name in names
        )
        return dict(zip(names, *self.execute(f"select {', '.join(values)}").rows, strict=True))

    def _look(self) -> None:
        """To list all settings takes DuckDB ten times as long as to tell those of a run.

        But to ask for one that it has not is an error. A process has one version of DuckDB, so the
        first list says which these are, if the extension is loaded that some are of.
        """
        if DuckDBDriver._known:
            with suppress(EngineError):  # a connection without that extension
                self._found = self._named(DuckDBDriver._known)
                return
        self._found = self._settings()
        if self._found.keys() >= PRODUCTS["duckdb"].settings.keys():
            DuckDBDriver._known = tuple(name for name in _OF_RUNS if name in self._found)

    def _setting(self, name: str) -> Any:
        if name not in self._found:
            self._found = self._settings() | self._found
        if name not in self._found:
            raise SpecError(f"DuckDB has no setting {name!r}")
        return self._found[name]

    def _change(self, name: str, value: Any) -> None:
        if name in ("threads", "worker_threads") and str(value).isdigit() and int(value) > 1024:
            raise SpecError(f"the setting {name} takes at most 1024: DuckDB starts them all")
        self.execute(f"set {name} = {literal(value)}", "settings")

    def _abandon(self) -> None:
        if self._spill is not None:
            self._spill.remove()

    def _leave(self) -> None:
        if not self.owned:
            return
        empty = False
        if self._made is not None:
            with suppress(EngineError):  # after a failed write it may answer no more
                empty = not self.execute("select 1 from system.information_schema.tables").rows
        self.connection.close()
        self._abandon()
        if empty and self._made is not None:  # a failed run leaves no file behind
            self._made.unlink(missing_ok=True)

    def _is_conflict(self, error: Exception) -> bool:
        # A full disk ends a commit by an error of the same class.
        here = super()._is_conflict(error) and "onflict" in str(error)
        return here or is_taken_there(error)

    def _of_source(self, error: Exception) -> SpecError | None:
        if not isinstance(error, duckdb.TypeMismatchException | duckdb.ConversionException):
            return None
        with suppress(duckdb.Error), self.connection.cursor() as aside:  # this transaction is over
            found = aside.execute(
                "select 1 from system.main.duckdb_databases() where type = 'sqlite'"
            ).fetchone()
            what = None if found is None else untyped(error)
            return None if what is None else SpecError(Problem("source", what))
        return None

    def _safe(self, error: Exception, known: str) -> str | None:
        return safe_message(error, known)

    def _kind(self, error: Exception, known: str) -> str:
        return kind_of(error, known)


# The settings that every run asks for.
_OF_RUNS = (
    "search_path",
    *DuckDBDriver.settings,
    *DuckDBDriver.wishes,
    *DuckDBDriver.fixed,
    *_WATCHING,
    *_OF_PROFILES,
)


def _is_on(value: Any) -> bool:
    return str(value).lower() in ("1", "true")


@contextmanager
def private() -> Iterator[None]:
    """Files that are made meanwhile are their owner's alone."""
    before = os.umask(0o077)
    try:
        yield
    finally:
        os.umask(before)


def _is_database(file: Path) -> bool:
    """Whether a file is DuckDB's own; others it may read, and hold what is written in memory."""
    try:
        with file.open("rb") as opened:
            return opened.read(12)[8:] == b"DUCK"
    except OSError:  # DuckDB will say why
        return True
