"""The databases a plan can run on; an engine knows SQL dialects and nothing of privacy."""

from sqlanon.engines.base import Engine, Rows
from sqlanon.engines.duckdb import DuckDBEngine
from sqlanon.engines.script import script

__all__ = ["DuckDBEngine", "Engine", "Rows", "script"]
