"""DuckDB: the default engine, and the reader of files for the others."""
