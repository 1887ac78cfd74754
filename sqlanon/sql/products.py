"""The databases SQL is written for: a row each, with all that is not the same everywhere."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Product:
    """A database, and the dialect of the same name.

    Attributes:
        name: the dialect's name, as sqlglot has it.
        engine: the class in ``sqlanon.engines.<name>.engine`` that runs a plan on it; empty where
            SQL is only written for it.
        extra: the extra that brings its client; empty where every installation has it.
        client: the package that a caller's own connection is of.
        address: what the name of such a database looks like, as a regular expression.
        backticks: whether it quotes names with backticks.
        backslashes: whether it reads a backslash within text as a sign of its own.
        longest_name: how many bytes it keeps of a name, where it cuts a longer one in silence.
        exact: whether a construct that cannot be put into its dialect is an error.
        dbt: whether dbt models are written for it.
    """

    name: str
    engine: str = ""
    extra: str = ""
    client: str = ""
    address: str = ""
    backticks: bool = False
    backslashes: bool = False
    longest_name: int | None = None
    exact: bool = False
    dbt: bool = False


_ROWS = (
    Product("duckdb", engine="DuckDBEngine", client="duckdb", dbt=True),
    Product(
        "postgres",
        engine="PostgresEngine",
        extra="postgres",
        client="psycopg",
        address=r"postgres(ql)?://.*",
        longest_name=63,
        exact=True,
        dbt=True,
    ),
    Product("redshift", backslashes=True, longest_name=127),
    Product("snowflake", backslashes=True),
    Product("bigquery", backticks=True, backslashes=True),
    Product("trino"),
    Product(
        "spark",
        engine="SparkEngine",
        extra="spark",
        client="pyspark",
        address=r"spark(://.*)?|local\[.*\]|sc://.*",
        backticks=True,
        backslashes=True,
        exact=True,
    ),
    Product("databricks", backticks=True, backslashes=True),
)
PRODUCTS = {row.name: row for row in _ROWS}
DIALECTS = tuple(PRODUCTS)  # that SQL can be written in


def product_of(dialect: str) -> Product:
    """The row of a dialect; ``portable`` text is written as DuckDB reads it."""
    return PRODUCTS["duckdb" if dialect == "portable" else dialect]
