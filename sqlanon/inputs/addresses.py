"""Files and databases that are elsewhere, by their addresses; DuckDB reads them by an extension."""

from __future__ import annotations

import re

_FILE = re.compile(r"(https?|s3[an]?|gs|gcs|r2|hf|azure|az|abfss?)://.+", re.DOTALL | re.IGNORECASE)
_DATABASE = re.compile(r"(md|motherduck|ducklake):.*", re.DOTALL)


def is_remote_file(name: str) -> bool:
    """Whether a name is the address of a file, or files, that are not in a folder here."""
    return _FILE.fullmatch(name) is not None


def is_remote_database(name: str) -> bool:
    """Whether it is the address of a database that DuckDB attaches: MotherDuck, or a DuckLake."""
    return _DATABASE.fullmatch(name) is not None


def without_query(name: str) -> str:
    """An address without what follows its path, which may be a token."""
    if is_remote_file(name) or is_remote_database(name):
        return name.partition("?")[0]
    return name
