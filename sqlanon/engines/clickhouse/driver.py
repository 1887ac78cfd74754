"""A connection to ClickHouse, through clickhouse-connect."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import clickhouse_connect
from clickhouse_connect.driver import exceptions

from sqlanon.common.interrupts import raised
from sqlanon.engines.clickhouse.address import parameters
from sqlanon.engines.driver import SETTINGS, Setting
from sqlanon.engines.messages import Safe, safe_text
from sqlanon.engines.warehouse.driver import WarehouseDriver, silenced
from sqlanon.engines.worker import Result
from sqlanon.errors import SpecError
from sqlanon.plan import Rows
from sqlanon.sql.products import PRODUCTS

# By the error's number; a group that begins with `name` is shown where the statement holds it.
SAFE = (
    Safe(
        ("60 ",),
        r"(Unknown table expression identifier|Table) '?`?(?P<name>[^'` ]*)[`']?.*",
        "there is no table {name}",
    ),
    Safe(
        ("47 ",),
        r"(Unknown expression( or function)? identifier|Missing columns:) "
        r"[`'](?P<name>[^`']*)[`'].*",
        "there is no column {name}",
    ),
    Safe(("81 ",), r"Database `?(?P<name>\S+?)`? does not exist.*", "there is no database {name}"),
    Safe(
        ("497 ",),
        r".*: Not enough privileges\. To execute this query, it's necessary to have (the )?grant "
        r"(?P<right>[A-Z ]+)(\(.*\))? ON (?P<name>\w+)\.(?P<name_of_table>\w+|\*).*",
        "the user lacks the right {right} on {name}.{name_of_table}",
    ),
    Safe(("497 ",), r".*: Not enough privileges\..*", "the user lacks a right that this needs"),
    Safe(("57 ",), r".*", "the name is taken"),
    Safe(("153 ",), r".*", "division by zero"),
    Safe(("159 ",), r".*", "the statement reached a limit of time"),
    Safe(("241 ",), r".*", "the statement reached a limit of memory"),
    Safe(("243 ", "1001 "), r".*[Nn]o.? (enough )?space.*", "there is no room on the disk"),
    Safe(("372 ", "373 "), r".*", "the session has ended, or is in use"),
    Safe(("394 ",), r".*", "the statement was canceled"),
    Safe(("lost",), r".*", "the connection is lost"),
)

_TAKEN = 57  # the number of the error that a name is taken
_LOGGERS = ("clickhouse_connect", "urllib3")
_IDLE_SECONDS = 3600  # how long a session waits for its next statement: as long as servers allow


class ClickHouseDriver(WarehouseDriver):
    """A session of ClickHouse.

    Settings are sent with each statement: those of the caller's client stay as they are.
    """

    product = "ClickHouse"
    failures = exceptions.ClickHouseError
    settings = {"max_query_size": 2**30}  # noqa: RUF012 - bytes; the record of a run is long
    fixed = PRODUCTS["clickhouse"].settings
    _parameters: dict[str, Any] | None = None  # of a connection of our own
    _settings: dict[str, Setting]  # that are sent with each statement
    _running: str | None = None  # the id of the last statement
    _other: Any = None  # a connection by which statements are ended

    def _open(self, database: str | Path | None, settings: dict[str, Setting]) -> Any:
        address = str(database)
        self._parameters = parameters(address)
        try:
            with raised(), silenced(*_LOGGERS):
                return self._connect()
        except exceptions.ClickHouseError as error:
            password = self._parameters.get("password")
            if password and password in str(error):  # it may be the environment's
                error = type(error)("its message is withheld because it quotes the password")
            raise self._unopened(address, error) from None

    def _connect(self) -> Any:
        within = {"session_id": str(uuid.uuid4()), "session_timeout": _IDLE_SECONDS}
        return clickhouse_connect.get_client(**(self._parameters or {}), settings=within)

    def _ready(self) -> str:
        self._settings = {}
        over_http = str(self.connection.uri).startswith("http")
        if over_http and not self.connection.get_client_setting("session_id"):
            what = "the client has no session, in which work tables stand: make it with session_id="
            raise SpecError(what)
        (found,) = self.ask("select version(), currentDatabase()").rows
        version, database = map(str, found)
        self.path = (database,)
        self._names = database
        return version

    def _setting(self, name: str) -> Any:
        return self._settings.get(name)

    def _change(self, name: str, value: Any) -> None:
        if not re.fullmatch(r"\w+", name):
            raise SpecError(f"ClickHouse has no setting {name!r}")
        if value is None:
            self._settings.pop(name, None)
            return
        self._settings[name] = value
        if name not in {**self.fixed, **self.settings}:
            self.execute("select 1 as one", SETTINGS)

    def call(self, use: Callable[[], Result], step: str = "", sql: str = "") -> Result:
        """Use the client in the worker; its loggers are silenced meanwhile."""
        with silenced(*_LOGGERS):
            return super().call(use, step, sql)

    def ask(self, sql: str) -> Rows:
        """All that a statement yields, within the worker."""
        found = self.connection.query(sql, settings=self._sent())
        return Rows(tuple(found.column_names), [tuple(row) for row in found.result_rows])

    def say(self, sql: str) -> None:
        """Run a statement that yields nothing, within the worker."""
        self.connection.command(sql, settings=self._sent())

    def send(self, table: str, frame: Any) -> None:
        """Send an Arrow table to a table of its columns, within the worker."""
        self.connection.insert_arrow(table, frame, settings=self._sent())

    def _sent(self) -> dict[str, Any]:
        """The settings of a statement, and its id, by which another connection can end it."""
        self._running = str(uuid.uuid4())
        return {**self._settings, "query_id": self._running}

    def _interrupt(self) -> None:
        """End what is running, if there is another connection to say so on.

        The caller's client has none, and ClickHouse as a library neither: they end by themselves.
        """
        if self._parameters is None or not str(self.connection.uri).startswith("http"):
            return
        with suppress(exceptions.ClickHouseError):
            if self._other is None:
                self._other = clickhouse_connect.get_client(**self._parameters)
            self._end(self._other)

    def _cancel(self, lost: Any) -> None:
        with suppress(exceptions.ClickHouseError):
            self._end(self.connection)

    def _end(self, connection: Any) -> None:
        if self._running is not None:
            connection.command(f"kill query where query_id = '{self._running}' sync")

    def _is_conflict(self, error: Exception) -> bool:
        return getattr(error, "code", None) == _TAKEN

    def _leave(self) -> None:
        super()._leave()
        if self._other is not None:
            self._other.close()

    def _safe(self, error: Exception, known: str) -> str | None:
        text = re.sub(r"^.*?Code: \d+\. DB::Exception: ", "", str(error), flags=re.DOTALL)
        return safe_text(text, self._number(error), SAFE, known)

    def _kind(self, error: Exception, known: str) -> str:
        name = getattr(error, "name", None)
        shown_name = f", {name}" if name and re.fullmatch(r"[A-Z_]+", str(name)) else ""
        return f"error {self._number(error).strip()}{shown_name}"

    def _number(self, error: Exception) -> str:
        """The number of an error; one of the connection has none."""
        code = getattr(error, "code", None)
        lost = isinstance(error, exceptions.OperationalError) and not code
        return "lost" if lost else f"{int(code or 0)} "
