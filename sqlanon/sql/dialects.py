"""Reading SQL as a tree: contract checks, checks of the user's own SQL, and other dialects.

The only module that imports sqlglot.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase
from functools import lru_cache

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError


def _select(sql: str, dialect: str = "duckdb") -> exp.Query:
    statements = sqlglot.parse(sql, read=dialect)
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise ValueError("it must be one SELECT")
    return statements[0]


def check_contract(
    sql: str, outputs: Sequence[str], inputs: Collection[str], dialect: str = "duckdb"
) -> None:
    """Hold rendered SQL against its template's header.

    Args:
        sql: one SELECT.
        outputs: the columns the header promises, in order; ``q*`` takes any number of columns.
        inputs: the names of the relations it may read.
        dialect: the dialect it is written in.

    Raises:
        ValueError: if it is not one SELECT, if its columns are others, if a column has no
            explicit name, or if it reads a relation that is not among the inputs.
    """
    query = _select(sql, dialect)
    columns = [column.alias_or_name for column in query.selects]
    if any(isinstance(column, exp.Star) or not column.alias_or_name for column in query.selects):
        raise ValueError("every output column needs a name of its own, no star")
    rest = list(columns)
    for pattern in outputs:
        if "*" in pattern:
            while rest and any(fnmatchcase(rest[0], part) for part in pattern.split("|")):
                rest.pop(0)
        elif rest and rest[0] == pattern:
            rest.pop(0)
        else:
            raise ValueError(f"the header promises {list(outputs)}, the SQL yields {columns}")
    if rest:
        raise ValueError(f"the header promises {list(outputs)}, the SQL yields {columns}")
    named = {cte.alias for cte in query.find_all(exp.CTE)}
    read = {table.name for table in query.find_all(exp.Table)} - named
    if not read <= set(inputs):
        raise ValueError(f"it reads {sorted(read - set(inputs))}, which are no inputs")


def check_query(sql: str) -> str:
    """A user's own query, if it is one SELECT that writes nothing.

    Raises:
        ValueError: otherwise.
    """
    try:
        _select(sql)
    except SqlglotError as error:
        raise ValueError("it cannot be read as SQL") from error
    return sql.strip().rstrip(";")


def check_expression(sql: str, columns: Collection[str]) -> bool:
    """Check a user's own scalar expression over the named columns.

    Returns:
        Whether it names a column at all, so that its value may vary.

    Raises:
        ValueError: if it is not one expression, holds a subquery, an aggregate or a window, or
            names another column.
    """
    try:
        expression = sqlglot.parse_one(sql, read="duckdb", into=exp.Condition)
    except SqlglotError as error:
        raise ValueError("it cannot be read as one SQL expression") from error
    if expression.find(exp.Query, exp.AggFunc, exp.Window, exp.Star) is not None:
        raise ValueError("it must be a scalar expression: no subquery, aggregate or window")
    named = {column.name for column in expression.find_all(exp.Column)}
    other = sorted(named - set(columns))
    if other:
        raise ValueError(f"it names {', '.join(map(repr, other))}; only {sorted(columns)} is there")
    return bool(named)


@lru_cache(maxsize=2048)
def transpile(sql: str, dialect: str) -> str:
    """The same SELECT in another dialect, every identifier quoted, its header kept.

    A run renders the same text again and again: each is translated once.
    """
    lines = sql.splitlines(keepends=True)
    header = next((at for at, line in enumerate(lines) if not line.startswith("--")), len(lines))
    tree = _select("".join(lines[header:]))
    written = tree.sql(dialect=dialect, identify=True, pretty=True, normalize_functions="lower")
    return "".join(lines[:header]) + written + "\n"
