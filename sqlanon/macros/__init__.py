"""DuckDB table macros: measuring and dealing in any DuckDB shell, without Python."""

from sqlanon.macros.library import library

__all__ = ["library"]
