"""Reading SQL as a tree: what a SELECT or an expression yields, reads and calls."""

from __future__ import annotations

import re
from collections.abc import Collection

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.scope import traverse_scope

from sqlanon.sql.names import Relation


def select(sql: str, dialect: str = "duckdb") -> exp.Query:
    """The tree of one SELECT.

    Raises:
        ValueError: if it is something else.
    """
    try:
        statements = sqlglot.parse(sql, read=dialect)
    except RecursionError:
        raise ValueError("it nests too deep to be read as SQL") from None
    if len(statements) != 1 or not isinstance(statements[0], exp.Query):
        raise ValueError("it must be one SELECT")
    return statements[0]


def columns_of(sql: str, dialect: str = "duckdb") -> list[str]:
    """The names of a SELECT's columns, in order."""
    return [column.alias_or_name for column in select(sql, dialect).selects]


def check_query(sql: str, dialect: str = "duckdb") -> str:
    """A user's own query in the database's own SQL, if it is one SELECT that writes nothing.

    Raises:
        ValueError: otherwise.
    """
    try:
        read = select(sql, dialect)
    except SqlglotError as error:
        raise ValueError("it cannot be read as SQL") from error
    if read.find(exp.Lock) is not None:
        raise ValueError(
            "it locks what it reads (for update, for share, …), and would for as long as a run "
            "takes: leave that out, a run reads one snapshot"
        )
    return sql.strip().rstrip(";")


def tables_read(sql: str, dialect: str = "duckdb") -> set[Relation]:
    """The tables and views that a SELECT names, as it names them.

    Raises:
        ValueError: if it cannot be read.
    """
    try:
        return {named(table) for table in tables(select(sql, dialect)) if table.name}
    except SqlglotError as error:
        raise ValueError("it cannot be read as SQL") from error


def texts_read(sql: str, dialect: str = "duckdb") -> list[str]:
    """The texts that statements give to functions which they read as tables, as ``read_csv``.

    Raises:
        ValueError: if they cannot be read.
    """
    try:
        statements = sqlglot.parse(sql, read=dialect)
    except (SqlglotError, RecursionError):
        raise ValueError("it cannot be read as SQL") from None
    read = [
        table
        for statement in statements
        if statement
        for table in statement.find_all(exp.Table, exp.Lateral)
    ]
    called = [table.this for table in read if isinstance(table.this, exp.Func)]
    return [text.name for call in called for text in call.find_all(exp.Literal) if text.is_string]


def tables(query: exp.Query) -> list[exp.Table]:
    """Where a SELECT reads tables and no CTE of the same name."""
    sources = [source for scope in traverse_scope(query) for source in scope.sources.values()]
    return [source for source in sources if isinstance(source, exp.Table)]


def named(table: exp.Table) -> Relation:
    """The relation that a table of a tree names."""
    return Relation(table.name, tuple(filter(None, (table.catalog, table.db))))


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
    except (SqlglotError, RecursionError):
        raise ValueError("it cannot be read as one SQL expression") from None
    if expression.find(exp.Query, exp.AggFunc, exp.Window, exp.Star) is not None:
        raise ValueError("it must be a scalar expression: no subquery, aggregate or window")
    over = {column.name for column in expression.find_all(exp.Column)}
    other = sorted(over - set(columns))
    if other:
        raise ValueError(f"it names {', '.join(map(repr, other))}; only {sorted(columns)} is there")
    return bool(over)


# The expressions that give the same value for the same arguments in every database, under any name.
_STEADY: tuple[type[exp.Expr], ...] = (
    exp.Abs, exp.And, exp.Array, exp.Case, exp.Cast, exp.Ceil, exp.Coalesce, exp.Concat,
    exp.ConcatWs, exp.DateDiff, exp.DateFromParts, exp.DateTrunc, exp.Day, exp.DPipe, exp.Exp,
    exp.Extract, exp.Floor, exp.Greatest, exp.If, exp.Least, exp.Left, exp.Length, exp.Ln, exp.Log,
    exp.Lower, exp.MD5, exp.Month, exp.Not, exp.Nullif, exp.Or, exp.Pad, exp.Pow, exp.RegexpExtract,
    exp.RegexpLike, exp.RegexpReplace, exp.Repeat, exp.Replace, exp.Reverse, exp.Right, exp.Round,
    exp.Sign, exp.SplitPart, exp.Sqrt, exp.StartsWith, exp.StrPosition, exp.StrToTime, exp.Struct,
    exp.Substring, exp.TimestampTrunc, exp.TimeToStr, exp.Trim, exp.TryCast, exp.Upper, exp.Xor,
    exp.Year,
)  # fmt: skip

_NOW = ("now", "today", "tomorrow", "yesterday")  # what some databases read as a date


def functions_called(sql: str, dialect: str) -> set[str]:
    """The functions of a dialect that an expression calls, but for those that are steady anywhere.

    Args:
        sql: a scalar expression as DuckDB reads it.
        dialect: the dialect whose names are wanted.

    Raises:
        ValueError: if it cannot be read.
    """
    try:
        expression = sqlglot.parse_one(sql, read="duckdb", into=exp.Condition)
    except (SqlglotError, RecursionError):
        raise ValueError("it cannot be read as one SQL expression") from None
    names = {text.name for text in expression.find_all(exp.Literal) if text.name.lower() in _NOW}
    for called in expression.find_all(exp.Func):
        if isinstance(called, _STEADY):
            continue
        written = called.sql(dialect=None if dialect == "portable" else dialect)
        plain = isinstance(called, exp.Anonymous | exp.AnonymousAggFunc)
        word = called.name if plain else re.split(r"[\s(]", written)[0]
        names.add(word.lower())
    return names
