"""The header of a template, to which its rendered SQL is held."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fnmatch import fnmatchcase

from sqlglot import exp

from sqlanon.sql.reading import select


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
    query = select(sql, dialect)
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
    within = {cte.alias for cte in query.find_all(exp.CTE)}
    read = {table.name for table in query.find_all(exp.Table)} - within
    if not read <= set(inputs):
        raise ValueError(f"it reads {sorted(read - set(inputs))}, which are no inputs")
