"""An emulated Snowflake account with a table, and all statements that it was sent."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import pytest
from needs import missing
from warehouses import Warehouse, in_arrow

ADDRESS = "snowflake://ann@acme/held/pubs"


def failed(errno: int, text: str, state: str = "") -> Exception:
    """An error of the connector's."""
    from snowflake.connector import errors

    kind = errors.OperationalError if errno >= 250000 else errors.ProgrammingError
    error: Exception = kind(msg=text, errno=errno, sqlstate=state or None)
    return error


class Account(Warehouse):
    """An emulated account with the schema of the tests, and all statements that it was sent."""

    def __init__(self) -> None:
        from snowflake import connector

        self.connecting = (connector, "connect")
        right = "SQL access control error:\nInsufficient privileges to operate on schema 'PUBS'"
        self.failures = {
            "right": failed(3001, right, "42501"),
            "lost": failed(250002, "Connection is closed", "08003"),
            "away": failed(250001, "Could not connect to Snowflake backend"),
        }
        self.connection = connector.connect(database="held", schema="pubs")
        self.sent: list[str] = []
        self.watch: Callable[[str], None] = lambda statement: None

    def say(self, sql: str) -> list[Any]:
        """The rows of a statement of the test's own, which nobody watches."""
        watch, sent = self.watch, list(self.sent)
        self.watch = lambda statement: None
        try:
            found: list[Any] = self.connection.cursor().execute(sql).fetchall()
            return found
        finally:
            self.watch, self.sent[:] = watch, sent

    def fill(self, columns: Mapping[str, str], rows: Sequence[Any], name: str = "people") -> None:
        """A table with the records of a test."""
        names = (name.upper() if name.islower() else name for name in columns)
        kinds = (kind.replace("timestamp", "timestamp_ntz") for kind in columns.values())
        described = ", ".join(f'"{n}" {kind}' for n, kind in zip(names, kinds, strict=True))
        self.say(f"create or replace table {name} ({described})")
        emulated = self.connection.cursor()._duck_conn
        emulated.register("given", in_arrow(columns, rows))
        emulated.execute(f"insert into held.pubs.{name} from given")

    def standing(self) -> dict[str, Any]:
        """All that other sessions see but the source, with the comments."""
        found = "select table_name, comment from information_schema.tables "
        listed = self.say(found + "where table_schema = 'PUBS' and table_type = 'BASE TABLE'")
        return {name: comment for name, comment in listed if name != "PEOPLE"}


@contextmanager
def emulated() -> Iterator[Account]:
    """An account for as long as the block lasts; every connection of this process goes there."""
    if find_spec("fakesnow") is None:
        missing("snowflake", "fakesnow is not installed: pip install -e '.[emulators]'")
    import fakesnow
    from fakesnow.cursor import FakeSnowflakeCursor

    execute = FakeSnowflakeCursor.execute
    with (
        warnings.catch_warnings(),
        fakesnow.patch(nop_regexes=["alter session"]),
        pytest.MonkeyPatch.context() as patch,
    ):
        warnings.filterwarnings("ignore", "Arrow output|For backward compatibility")  # its own
        here = Account()

        def watched(cursor: Any, statement: str, *rest: Any, **named: Any) -> Any:
            here.sent.append(statement)
            here.watch(statement)
            return execute(cursor, statement, *rest, **named)

        patch.setattr(FakeSnowflakeCursor, "execute", watched)
        # The emulator's own takes no wide number, which Snowflake's does.
        here.connection.cursor()._duck_conn.execute(
            "create macro held.pubs.rpad(a, b, c) as "
            "left(a || repeat(c, cast(b as bigint)), cast(b as bigint))"
        )
        yield here
