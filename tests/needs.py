"""What some tests need and a machine may lack: they are skipped there, unless it is required."""

from __future__ import annotations

from typing import NoReturn

import pytest

NEEDS = frozenset(
    {
        "bigquery",  # a Python that has bqemulator, named by SQLANON_BQEMULATOR
        "cairo",  # the extra `chart`, and the library of the system that it needs
        "chromium",  # or Chrome, on the path, or named by SQLANON_CHROMIUM
        "clickhouse",  # the extra `emulators`: ClickHouse as a library
        "data",  # the data sets of SQLANON_DATA
        "dbt",
        "extensions",  # DuckDB's for other databases, as packages of the same version
        "notebook",  # the extra: a kernel, and what runs a notebook in it
        "postgres",
        "postgres_icu",  # the system's own server, for text in another order than that of its bytes
        "psql",
        "snowflake",  # the extra `emulators`: one of Snowflake
        "small_disk",  # the right to mount one
        "spark",
        "spark_connect",
    }
)
REQUIRED: set[str] = set()  # by the option --require; tests/conftest.py fills it


def missing(name: str, why: str) -> NoReturn:
    """Skip a test for want of something, or fail where that must be there."""
    assert name in NEEDS, name
    if name in REQUIRED:
        pytest.fail(f"{name} is required: {why}")
    pytest.skip(why)
