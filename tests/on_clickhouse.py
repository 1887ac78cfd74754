"""ClickHouse as a library of this process, with a table, and all statements that it was sent.

The client is the vendor's: it speaks to chdb as it would to a server, but for HTTP.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any

import pytest
from needs import missing
from warehouses import Warehouse, in_arrow

ADDRESS = "clickhouse://ann@acme/pubs"
TYPES = {
    "bigint": "Int64",
    "integer": "Int32",
    "varchar": "String",
    "double": "Float64",
    "date": "Date32",
    "timestamp": "DateTime64(6)",
    "boolean": "Bool",
}


def failed(code: int | None, name: str, text: str) -> Exception:
    """An error of the client's."""
    from clickhouse_connect.driver import exceptions

    kind = exceptions.DatabaseError if code else exceptions.OperationalError
    said = f"Code: {code}. DB::Exception: {text} ({name})" if code else text
    error: Exception = kind(said, code=code, name=name or None)
    return error


class Server(Warehouse):
    """An embedded ClickHouse with the database of the tests, and all that it was sent."""

    def __init__(self, connect: Callable[..., Any]) -> None:
        import clickhouse_connect

        self.connecting = (clickhouse_connect, "get_client")
        right = "ann: Not enough privileges. To execute this query, it's necessary to have the "
        right += "grant CREATE TABLE ON pubs.pub."
        self.failures = {
            "right": failed(497, "ACCESS_DENIED", right),
            "lost": failed(None, "", "Error ProtocolError executing HTTP request attempt 1"),
            "away": failed(None, "", "Error NewConnectionError executing HTTP request attempt 1"),
        }
        self.connection = connect(interface="chdb")
        self.sent: list[str] = []
        self.watch: Callable[[str], None] = lambda statement: None
        self.connection.command("create database pubs")
        self.connection.command("use pubs")

    def say(self, sql: str) -> list[Any]:
        """The rows of a statement of the test's own, which nobody watches."""
        settings = {"session_timezone": "UTC", "create_table_empty_primary_key_by_default": 1}
        if not sql.startswith(("select", "describe")):
            self.connection.command(sql, settings=settings)
            return []
        return [tuple(row) for row in self.connection.query(sql, settings=settings).result_rows]

    def fill(self, columns: Mapping[str, str], rows: Sequence[Any], name: str = "people") -> None:
        """A table with the records of a test."""
        kinds = (TYPES.get(kind, kind.replace("decimal", "Decimal")) for kind in columns.values())
        described = ", ".join(
            f'"{n}" Nullable({kind})' for n, kind in zip(columns, kinds, strict=True)
        )
        self.say(
            f"create or replace table {name} ({described}) engine = MergeTree order by tuple()"
        )
        if rows:
            self.connection.insert_arrow(name, in_arrow(columns, rows))

    def standing(self) -> dict[str, Any]:
        """All that other sessions see but the source, with the comments."""
        listed = "select name, comment from system.tables where database in ('pubs', 'default')"
        return {name: comment for name, comment in self.say(listed) if name != "people"}


@contextmanager
def emulated() -> Iterator[Server]:
    """A server for as long as the block lasts; every connection of this process goes there."""
    if find_spec("chdb") is None or find_spec("clickhouse_connect") is None:
        missing("clickhouse", "chdb is not installed: pip install -e '.[emulators]'")
    import clickhouse_connect

    connect = clickhouse_connect.get_client
    here = Server(connect)
    opened = []

    def embedded(**given: Any) -> Any:
        client = connect(interface="chdb", database=given.get("database"))
        opened.append(client)
        for name in ("query", "command"):
            setattr(client, name, watched(getattr(client, name)))
        return client

    def watched(run: Callable[..., Any]) -> Callable[..., Any]:
        def watching(statement: str, *rest: Any, **named: Any) -> Any:
            here.sent.append(statement)
            here.watch(statement)
            return run(statement, *rest, **named)

        return watching

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(clickhouse_connect, "get_client", embedded)
        try:
            yield here
        finally:
            here.connection.command("drop database pubs sync")
            for client in (*opened, here.connection):
                client.close()
