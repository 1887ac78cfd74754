"""The table macros, printed."""

from __future__ import annotations

import click


@click.command()
def macros() -> None:
    """Print the DuckDB table macros: measuring and dealing in any DuckDB shell, in SQL alone."""
    from sqlanon.macros import library

    click.echo(library(), nl=False)
