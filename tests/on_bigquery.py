"""An emulated project of BigQuery with a table, and all statements that it was sent.

The client is the vendor's. The emulator runs in an environment of its own, since its pins stand
beside nothing else's, and serves all tests of a process.
"""

from __future__ import annotations

import atexit
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from needs import missing
from warehouses import Warehouse, in_arrow

PROJECT = "test-project"  # the emulator's only one
ADDRESS = f"bigquery://{PROJECT}/pubs"
SERVER = Path(__file__).with_name("engines") / "bigquery_server.py"
HIDDEN = f"create or replace table `{PROJECT}`.`_sqlanon_"  # how a work table is made
_COMMENT = re.compile(r"(?m)^ *(--.*|/\*.*\*/)$")  # the emulator takes its apostrophe for a text's
TYPES = {
    "bigint": "int64",
    "integer": "int64",
    "varchar": "string",
    "double": "float64",
    "timestamp": "datetime",
    "boolean": "bool",
}


def failed(reason: str, text: str, code: int = 400) -> Exception:
    """An error of the client's."""
    from google.api_core import exceptions

    told = {"reason": reason, "message": text}
    error: Exception = exceptions.from_http_status(code, text, errors=[told])
    return error


class Project(Warehouse):
    """An emulated project with the data set of the tests, and all that it was sent."""

    def __init__(self, connect: Callable[[], Any]) -> None:
        from google.auth.exceptions import TransportError
        from google.cloud import bigquery
        from requests.exceptions import ConnectionError as UnreachedError

        self.connecting = (bigquery, "Client")
        right = f"Access Denied: Dataset {PROJECT}:pubs: Permission bigquery.tables.create denied "
        self.failures = {
            "right": failed("accessDenied", f"{right}on dataset {PROJECT}:pubs.", 403),
            "lost": UnreachedError("Connection reset by peer"),
            "away": TransportError("Max retries exceeded"),
        }
        self.connection = connect()
        self.sent: list[str] = []
        self.watch: Callable[[str], None] = lambda statement: None
        self.connection.create_dataset("pubs")

    def say(self, sql: str) -> list[Any]:
        """The rows of a statement of the test's own, which nobody watches."""
        from google.cloud import bigquery

        config = bigquery.QueryJobConfig(default_dataset=f"{PROJECT}.pubs")
        return [tuple(row.values()) for row in self.connection.query(sql, config).result()]

    def fill(self, columns: Mapping[str, str], rows: Sequence[Any], name: str = "people") -> None:
        """A table with the records of a test."""
        import io

        import pyarrow.parquet
        from google.cloud import bigquery

        kinds = (TYPES.get(kind, kind.replace("decimal", "numeric")) for kind in columns.values())
        described = ", ".join(f"`{n}` {kind}" for n, kind in zip(columns, kinds, strict=True))
        self.say(f"create or replace table {name} ({described})")
        if rows:
            held = io.BytesIO()
            pyarrow.parquet.write_table(in_arrow(columns, rows), held)
            config = bigquery.LoadJobConfig(source_format="PARQUET")
            self.connection.load_table_from_file(
                held, f"{PROJECT}.pubs.{name}", rewind=True, job_config=config
            ).result()

    def written(self, rows: Sequence[Any]) -> Counter[Any]:
        """Rows in no order, without zeros at the end of a number: nobody here writes 2.50."""
        return Counter(tuple(map(shortened, row)) for row in rows)

    def standing(self) -> dict[str, Any]:
        """All that others see but the source, with the comments: also in data sets of a run."""
        tables = (
            self.connection.get_table(one)
            for data_set in self.connection.list_datasets(include_all=True)
            for one in self.connection.list_tables(data_set)
        )
        return {table.table_id: table.description for table in tables if table.table_id != "people"}

    def say_of(self, name: str, comment: str) -> None:
        """Comment on a table, as somebody else does."""
        table = self.connection.get_table(f"pubs.{name}")
        table.description = comment
        self.connection.update_table(table, ["description"])

    def changes(self, statement: str) -> bool:
        """Whether a statement makes what lasts, or drops it: no work table."""
        return super().changes(statement) and not statement.startswith(HIDDEN)

    def data_sets(self) -> set[str]:
        """All that there are, also the hidden ones."""
        listed = self.connection.list_datasets(include_all=True)
        return {str(one.dataset_id) for one in listed}

    def close(self) -> None:
        """Leave the emulator as it was found."""
        for name in self.data_sets():
            self.connection.delete_dataset(name, delete_contents=True)
        self.connection.close()


def shortened(cell: Any) -> Any:
    """``[2.5, 20]`` for ``[2.50, 20.00000]``, as BigQuery writes it and its emulator does not."""
    if not isinstance(cell, str):
        return cell
    return re.sub(r"(?<=\d)(\.\d*?)0+(?!\d)", lambda found: found[1].rstrip("."), cell)


@contextmanager
def emulated() -> Iterator[Project]:
    """A project for as long as the block lasts; every client of this process goes there."""
    if find_spec("google.cloud.bigquery") is None:
        missing("bigquery", "its client is not installed: pip install -e '.[emulators]'")
    from google.auth.credentials import AnonymousCredentials
    from google.cloud import bigquery

    from sqlanon.engines.bigquery.driver import BigQueryDriver

    client, address = bigquery.Client, server()

    def connect(**given: Any) -> Any:
        there = {"api_endpoint": address}
        nobody = AnonymousCredentials()
        return client(**{"project": PROJECT, **given}, credentials=nobody, client_options=there)

    here = Project(connect)
    opened = []

    def watched(**given: Any) -> Any:
        found = connect(**given)
        opened.append(found)
        query = found.query

        ask = found._connection.api_request

        def asking(*rest: Any, **named: Any) -> Any:
            here.watch("")  # no statement; whose connection is lost has no answer
            return ask(*rest, **named)

        def watching(statement: str, *rest: Any, **named: Any) -> Any:
            if not named["job_config"].dry_run:
                here.sent.append(statement)
                here.watch(statement)
            return query(_COMMENT.sub("", statement), *rest, **named)

        found.query, found._connection.api_request = watching, asking
        return found

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bigquery, "Client", watched)
        once = bigquery.DEFAULT_RETRY.with_predicate(lambda error: False)
        patch.setattr(BigQueryDriver, "retry", once.with_timeout(60))
        try:
            yield here
        finally:
            here.close()
            for one in opened:
                one.close()


@cache
def server() -> str:
    """The address of the emulator, which ends with this process."""
    python = os.environ.get("SQLANON_BQEMULATOR") or (
        sys.executable if find_spec("bqemulator") is not None else None
    )
    if python is None:
        missing("bigquery", "SQLANON_BQEMULATOR names no Python that has bqemulator")
    pipe, none = subprocess.PIPE, subprocess.DEVNULL
    process = subprocess.Popen(
        [python, str(SERVER)], stdin=pipe, stdout=pipe, stderr=none, text=True
    )

    def end() -> None:
        with suppress(ValueError):  # it has ended
            process.communicate("")

    atexit.register(end)
    assert process.stdout is not None
    said = iter(process.stdout.readline, "")
    return next(line for line in said if line.startswith("http")).split()[0]
