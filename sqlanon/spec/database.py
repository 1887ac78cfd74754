"""The name of a database: which product it means, and how it may be shown."""

from __future__ import annotations

import re

from sqlanon.errors import Problem, SpecError, without_credentials
from sqlanon.inputs.files import is_remote_database, without_query
from sqlanon.sql.products import PRODUCTS, known_databases

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
    for one in PRODUCTS.values():
        if one.address and re.fullmatch(one.address, database, re.DOTALL):
            return one.name
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
    user, at, place = rest.rpartition("@")
    place = re.sub(r"[?&;][^=&;]*(pass|token|secret)[^=&;]*=[^&;]*", "", place, flags=re.IGNORECASE)
    return f"{scheme}{colon}{user.partition(':')[0]}{at}{place}"


def gives_away(database: str, message: str) -> bool:
    """Whether a message about a database quotes a part of what `shown` hides of its name."""
    kept = set(re.split(r"[^\w]+", shown(database)))
    secret = set(re.split(r"[^\w]+", database)) - kept
    return any(part in message for part in secret if part)
