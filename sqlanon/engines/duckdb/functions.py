"""The functions that DuckDB brings, and those that somebody has added to them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import duckdb

from sqlanon.sql.names import literal

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
    return next((one[0] for one in found if one[0] in names and one not in own), None)


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
