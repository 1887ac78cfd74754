"""The spec's JSON Schema and the table macros, printed."""

from __future__ import annotations

import json

import click

from sqlanon.common.visible import write_exactly
from sqlanon.spec import spec_schema


@click.command()
def schema() -> None:
    """Print the spec's JSON Schema, for editors."""
    click.echo(json.dumps(spec_schema(), indent=2))


@click.command()
def macros() -> None:
    """Print the DuckDB table macros: measuring and dealing in any DuckDB shell, in SQL alone."""
    from sqlanon.uses.macros import library

    write_exactly(library())
