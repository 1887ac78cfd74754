"""A connection to Snowflake, through the vendor's connector."""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import snowflake.connector
from snowflake.connector import errors

from sqlanon.common.interrupts import raised
from sqlanon.engines.driver import SETTINGS, Setting
from sqlanon.engines.messages import Safe, safe_text
from sqlanon.engines.snowflake.names import our_name, parameters, stored_name
from sqlanon.engines.warehouse.driver import WarehouseDriver
from sqlanon.errors import SpecError
from sqlanon.plan import Rows
from sqlanon.sql.dialects import in_capitals, text_literal
from sqlanon.sql.products import PRODUCTS

_COMPILING = r"(SQL compilation error:( error line \d+ at position \d+)?\s*)?"
# By the error's number; a group that begins with `name` is shown where the statement holds it.
SAFE = (
    Safe(
        ("2003", "2043"),
        _COMPILING + r"(\w+ )?'(?P<name>[^']*)' does not exist or not authorized\.",
        "there is no object {name}, or the role may not use it",
    ),
    Safe(
        ("3001",),
        r"SQL access control error:\s*Insufficient privileges to operate on (?P<what>[a-z_ ]+) "
        r"'(?P<name>[^']*)'\.?.*",
        "the role lacks a right on the {what} {name}",
    ),
    Safe(
        ("904",), _COMPILING + r"invalid identifier '(?P<name>[^']*)'", "there is no column {name}"
    ),
    Safe(
        ("606",),
        r"No active warehouse selected in the current session\..*",
        "the session has no warehouse: name one in the address, with ?warehouse=NAME",
    ),
    Safe(("90105", "90106"), r"Cannot perform .*", "the session has no database and schema"),
    Safe(("390114", "390195"), r"Authentication token has expired\..*", "the session has expired"),
    Safe(("604",), r"SQL execution canceled.*", "the statement was canceled"),
    Safe(
        ("630", "631", "632"),
        r"Statement reached its statement or warehouse timeout .*",
        "the statement reached a timeout of the session or the warehouse",
    ),
    Safe(("100051",), r"Division by zero", "division by zero"),
    Safe(("250001", "250002", "250003", "250005", "251005"), r".*", "the connection is lost"),
)


_TAKEN = 2002  # the number of the error that a name is taken


class SnowflakeDriver(WarehouseDriver):
    """A session of Snowflake.

    Names are sent in capitals where they can be written without quotes, as everybody there does.
    """

    product = "Snowflake"
    failures = errors.Error
    fixed = PRODUCTS["snowflake"].settings
    _parameters: dict[str, Any] | None = None  # of a connection of our own
    _found: Mapping[str, str]  # the settings of the caller's session

    def _open(self, database: str | Path | None, settings: dict[str, Setting]) -> Any:
        address = str(database)
        self._parameters = {
            **parameters(address),
            "session_parameters": {**self.fixed, **settings},
            "client_session_keep_alive": True,
            "validate_default_parameters": True,
        }
        settings.clear()
        try:
            with raised():
                return self._connect()
        except errors.Error as error:
            raise self._unopened(address, error) from None

    def _connect(self) -> Any:
        return snowflake.connector.connect(**(self._parameters or {}))

    def _ready(self) -> str:
        found = self.execute("select current_version(), current_database(), current_schema()")
        version, database, schema = found.rows[0]
        if not all(one and stored_name(our_name(one)) == one for one in (database, schema)):
            what = "the session has no database and schema with a name in capitals"
            raise SpecError(f"{what}: name them, as in snowflake://ann@account/shop/public")
        self.path = (database, schema)
        self._names = f"{database} {schema}"
        if self._parameters is None:
            self._look()
        return str(version)

    def _fixed_here(self) -> Mapping[str, Setting]:
        return {} if self._parameters is not None else self.fixed

    def _look(self) -> None:
        found = self.execute("show parameters in session").rows
        self._found = {str(row[0]): str(row[1]) for row in found}

    def _setting(self, name: str) -> Any:
        return self._found.get(name.upper())

    def _change(self, name: str, value: Any) -> None:
        if not re.fullmatch(r"\w+", name):
            raise SpecError(f"Snowflake has no setting {name!r}")
        said = f"unset {name}" if value is None else f"set {name} = {_written(value)}"
        self.execute(f"alter session {said}", SETTINGS)

    def ask(self, sql: str) -> Rows:
        """All that a statement yields, within the worker."""
        cursor = self.connection.cursor()
        cursor.execute(in_capitals(sql, "snowflake"))
        names = (column.name for column in cursor.description)
        return Rows(tuple(map(our_name, names)), cursor.fetchall())

    def say(self, sql: str) -> None:
        """Run a statement that yields nothing, within the worker."""
        self.connection.cursor().execute(in_capitals(sql, "snowflake"))

    def _interrupt(self) -> None:
        self._cancel(self.connection)

    def _cancel(self, lost: Any) -> None:
        """End what a session has running; the emulator's sessions have no number."""
        session = getattr(lost, "session_id", None)
        if session is not None:
            with suppress(errors.Error):
                cursor = self.connection.cursor()
                cursor.execute(f"select system$cancel_all_queries({int(session)})")

    def _is_conflict(self, error: Exception) -> bool:
        return getattr(error, "errno", None) == _TAKEN

    def _safe(self, error: Exception, known: str) -> str | None:
        text = str(getattr(error, "raw_msg", None) or "")
        text = re.sub(r"^\d+ \(\w+\): ([\w-]+: )?", "", text)
        known = f"{known}\n{in_capitals(known, 'snowflake')}"
        return safe_text(text, f"{self._number(error)}", SAFE, known)

    def _kind(self, error: Exception, known: str) -> str:
        state = getattr(error, "sqlstate", None)
        shown_state = f", {state}" if state and re.fullmatch(r"\w{5}", str(state)) else ""
        return f"error {self._number(error)}{shown_state}"

    def _number(self, error: Exception) -> int:
        return int(getattr(error, "errno", None) or 0)


def _written(value: Any) -> str:
    text = str(value)
    return text if text.lower() in ("true", "false") else text_literal(text, "snowflake")
