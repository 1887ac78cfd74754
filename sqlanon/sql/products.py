"""The databases SQL is written for, a row each, and the database that a name means.

A row has all that is not the same everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqlanon.errors import Problem, SpecError, without_credentials
from sqlanon.inputs.files import is_remote_database, without_query


@dataclass(frozen=True)
class Building:
    """How dbt builds models on a database, as far as databases differ.

    The macros of the dbt package that differ are written from it, and those of a database without
    a row from the defaults.

    Attributes:
        at_once: whether dbt publishes a release with its proof in one transaction.
        reads_portable: whether it reads what templates write for every database.
        reads_files: whether a model reads a file of the project.
        reads_values: whether it has VALUES, in which a test lists the values in their order.
        ctes: what a CTE says so that it is read as if it stood in FROM.
        rights: whether sqlanon knows its statements about who may read a table.
        settings: the statements that a work model begins with.
        double: the type of a number of 53 bits.
        holds: a condition that the text `true` meets, and any other fails with as its message.
        joined: the texts of several rows as one; NULL for no row.
        rounds_logarithms: its name in messages, where it takes logarithms of decimal numbers: the
            tests that compare these are not offered there.
    """

    at_once: bool = False
    reads_portable: bool = False
    reads_files: bool = False
    reads_values: bool = True
    ctes: str = ""
    rights: bool = False
    settings: Sequence[str] = ()
    double: str = "double"
    holds: str = "cast({said} as boolean)"
    joined: str = "string_agg({text}, '; ')"
    rounds_logarithms: str = ""


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
        shown: the form of such a name, as messages show it.
        settings: the settings that change what SQL means, as they are in every run and script.
        backticks: whether it quotes names with backticks.
        backslashes: whether it reads a backslash within text as a sign of its own.
        capitals: whether a name without quotes means one in capital letters.
        cased: whether it finds functions and types only as it writes them itself.
        longest_name: how many bytes it keeps of a name, where it cuts a longer one in silence.
        exact: whether a construct that cannot be put into its dialect is an error.
        own_text: whether templates for it are written in its own SQL, and not in portable SQL.
        commenting: the statement that comments on a relation; empty where none was tried.
        dbt: how dbt builds models there; None where no dbt models are written for it.
    """

    name: str
    engine: str = ""
    extra: str = ""
    client: str = ""
    address: str = ""
    shown: str = ""
    settings: Mapping[str, str] = field(default_factory=dict, hash=False)
    backticks: bool = False
    backslashes: bool = False
    capitals: bool = False
    cased: bool = False
    longest_name: int | None = None
    exact: bool = False
    own_text: bool = False
    commenting: str = ""
    dbt: Building | None = None


_COMMENT = "comment on {kind} {name} is {text};"
# A table keeps the order it is written in (Stack & Deal counts on it).
_DUCKDB = {
    "preserve_insertion_order": "true",
    "default_order": "ASCENDING",
    "default_null_order": "NULLS_LAST",
    "default_collation": "",
    "TimeZone": "UTC",
    "Calendar": "gregorian",
    "integer_division": "false",
    "ieee_floating_point_ops": "true",
    "scalar_subquery_error_on_multiple_rows": "true",
    "order_by_non_integer_literal": "false",
}
# The text of literals and of values depends on these settings.
_POSTGRES = {
    "client_encoding": "UTF8",
    "standard_conforming_strings": "on",
    "datestyle": "ISO, YMD",
    "intervalstyle": "postgres",
    "timezone": "UTC",
    "extra_float_digits": "1",
    "bytea_output": "hex",
    "array_nulls": "on",
    "transform_null_equals": "off",
    "quote_all_identifiers": "off",
}
# Arithmetic that overflows is an error, a time of day reads the same everywhere, text is text.
_SPARK = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.caseSensitive": "false",
    "spark.sql.storeAssignmentPolicy": "ANSI",
    "spark.sql.timestampType": "TIMESTAMP_LTZ",
    "spark.sql.legacy.timeParserPolicy": "CORRECTED",
    "spark.sql.legacy.ctePrecedencePolicy": "CORRECTED",
    "spark.sql.decimalOperations.allowPrecisionLoss": "true",
    "spark.sql.parser.escapedStringLiterals": "false",
    "spark.sql.ansi.doubleQuotedIdentifiers": "false",
    "spark.sql.variable.substitute": "false",
    "spark.sql.functionResolution.sessionOrder": "second",  # after Spark's own functions
}
# The text of values depends on these settings, and so does what a quoted name means.
_SNOWFLAKE = {
    "AUTOCOMMIT": "true",
    "TIMEZONE": "UTC",
    "DATE_OUTPUT_FORMAT": "YYYY-MM-DD",
    "TIMESTAMP_NTZ_OUTPUT_FORMAT": "YYYY-MM-DD HH24:MI:SS.FF9",
    "TIMESTAMP_LTZ_OUTPUT_FORMAT": "YYYY-MM-DD HH24:MI:SS.FF9",
    "BINARY_OUTPUT_FORMAT": "HEX",
    "WEEK_START": "1",
    "QUOTED_IDENTIFIERS_IGNORE_CASE": "false",
}
# The text of a moment depends on it.
_BIGQUERY = {"time_zone": "UTC"}
# Joins and unions are those of standard SQL, a time reads the same everywhere, a month may lie
# before 1970, and a table needs no key.
_CLICKHOUSE = {
    "enable_extended_results_for_datetime_functions": "1",
    "session_timezone": "UTC",
    "join_use_nulls": "1",
    "union_default_mode": "DISTINCT",
    "use_variant_as_common_type": "0",
    "default_table_engine": "MergeTree",
    "create_table_empty_primary_key_by_default": "1",
}

# A CTE is computed once unless it says otherwise, and then takes no part in what reads it.
_IN_PLACE = " not materialized"
# PostgreSQL takes what a CTE holds for a few rows: a nested loop would compare each with each.
_FEW_ROWS = ("set local enable_nestloop = off", "set local jit = off")
# dbt opens its sessions itself, and they commit as it says. One statement has all settings there.
_IN_SESSION = " ".join(
    f"{name} = {value}" if re.fullmatch("true|false|[0-9]+", value) else f"{name} = '{value}'"
    for name, value in _SNOWFLAKE.items()
    if name != "AUTOCOMMIT"
)
_ON_SPARK = Building(
    settings=tuple(f"set {name} = {value}" for name, value in _SPARK.items()),
    holds="if({said} = 'true', true, raise_error({said}))",
    joined="nullif(array_join(collect_list({text}), '; '), '')",
)

_ROWS = (
    Product(
        "duckdb",
        engine="DuckDBEngine",
        client="duckdb",
        shown="a DuckDB file",
        settings=_DUCKDB,
        commenting=_COMMENT,
        dbt=Building(at_once=True, reads_portable=True, reads_files=True, ctes=_IN_PLACE),
    ),
    Product(
        "postgres",
        engine="PostgresEngine",
        extra="postgres",
        client="psycopg",
        address=r"postgres(ql)?://.*",
        shown="a postgresql:// address",
        settings=_POSTGRES,
        commenting=_COMMENT,
        longest_name=63,
        exact=True,
        own_text=True,
        dbt=Building(
            at_once=True,
            reads_portable=True,
            ctes=_IN_PLACE,
            rights=True,
            settings=_FEW_ROWS,
            double="double precision",
            rounds_logarithms="PostgreSQL",
        ),
    ),
    Product("redshift", backslashes=True, longest_name=127),
    Product(
        "snowflake",
        engine="SnowflakeEngine",
        extra="snowflake",
        client="snowflake",
        address=r"snowflake://.*",
        shown="a snowflake:// address",
        settings=_SNOWFLAKE,
        commenting=_COMMENT,
        backslashes=True,
        capitals=True,
        dbt=Building(
            settings=(f"alter session set {_IN_SESSION}",),
            joined="nullif(listagg({text}, '; '), '')",  # of no row it may be an empty text
        ),
    ),
    Product(
        "bigquery",
        engine="BigQueryEngine",
        extra="bigquery",
        client="google",
        address=r"bigquery://.*",
        shown="a bigquery:// address",
        settings=_BIGQUERY,
        backticks=True,
        backslashes=True,
        dbt=Building(
            reads_values=False,
            double="float64",
            holds="if({said} = 'true', true, error({said}))",
        ),
    ),
    Product(
        "clickhouse",
        engine="ClickHouseEngine",
        extra="clickhouse",
        client="clickhouse_connect",
        address=r"clickhouse://.*",
        shown="a clickhouse:// address",
        settings=_CLICKHOUSE,
        commenting="alter table {name} modify comment {text};",
        backslashes=True,
        cased=True,
    ),
    Product("trino"),
    Product(
        "spark",
        engine="SparkEngine",
        extra="spark",
        client="pyspark",
        address=r"spark(://.*)?|local\[.*\]|sc://.*",
        shown="Spark (local[N], spark, spark://… or sc://…)",
        settings=_SPARK,
        commenting=_COMMENT,
        backticks=True,
        backslashes=True,
        exact=True,
        dbt=_ON_SPARK,
    ),
    Product(
        "databricks",
        backticks=True,
        backslashes=True,
        # A warehouse there lets nobody set more.
        dbt=replace(_ON_SPARK, settings=("set ansi_mode = true", "set time zone 'UTC'")),
    ),
)
PRODUCTS = {row.name: row for row in _ROWS}
DIALECTS = tuple(PRODUCTS)  # that SQL can be written in


def product_of(dialect: str) -> Product:
    """The row of a dialect; ``portable`` text is written as DuckDB reads it."""
    return PRODUCTS["duckdb" if dialect == "portable" else dialect]


def known_databases() -> str:
    """The forms in which people name a database that plans run on, for messages."""
    *others, last = (row.shown for row in _ROWS if row.engine)
    return f"{', '.join(others)} or {last}"


# Files that DuckDB would take for a table to read, or make a database of under a deceiving name.
_DATA_FILE = (
    r".*\.(csv|tsv|txt|parquet|jsonl?|ndjson|xlsx?|arrow|feather|avro|orc|gz|bz2|xz|zst|zip)"
)


def product(database: str | None) -> str:
    """The product that a database's name means; a name that is no address is a DuckDB file.

    Raises:
        SpecError: if it is the address of another product, or the name of a file of data.
    """
    database = database or ""
    for known_product in PRODUCTS.values():
        if known_product.address and re.fullmatch(known_product.address, database, re.DOTALL):
            return known_product.name
    if is_remote_database(database):
        return "duckdb"
    scheme = re.match(r"([A-Za-z][\w+.-]+):(?=/|[^/]*@)", database)
    if scheme or without_credentials(database) != database:
        named = "what looks like an address"
        if scheme:
            named = f"{scheme[1]}:" + ("//" if "://" in database else "")
        what = f"{named} is no database that sqlanon knows: give {known_databases()}"
        raise SpecError(Problem("database", what))
    if re.fullmatch(_DATA_FILE, database, re.DOTALL | re.IGNORECASE):
        what = (
            f"{database!r} is named like a file of data, and this is where the database goes: name "
            "it like release.duckdb; the table can be exported from it with COPY"
        )
        raise SpecError(Problem("database", what))
    return "duckdb"


def shown(database: str) -> str:
    """A database's name without its secrets; rather too little than a part of a password."""
    if product(database) == "duckdb":
        return without_query(database)
    scheme, colon, rest = database.partition("://")
    user, at, host = rest.rpartition("@")
    host = re.sub(r"[?&;][^=&;]*(pass|token|secret)[^=&;]*=[^&;]*", "", host, flags=re.IGNORECASE)
    return f"{scheme}{colon}{user.partition(':')[0]}{at}{host}"


def gives_away(database: str, message: str) -> bool:
    """Whether a message about a database quotes a part of what `shown` hides of its name."""
    kept = set(re.split(r"[^\w]+", shown(database)))
    secret = set(re.split(r"[^\w]+", database)) - kept
    return any(part in message for part in secret if part)
