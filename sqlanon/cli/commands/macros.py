"""The table macros, printed."""

from __future__ import annotations

import click

from sqlanon.visible import write_exactly


@click.command()
def macros() -> None:
    """Print the DuckDB table macros: measuring and dealing in any DuckDB shell, in SQL alone."""
    from sqlanon.macros import library

    write_exactly(library())
