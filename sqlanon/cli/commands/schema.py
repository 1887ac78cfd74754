"""The spec's JSON Schema, printed."""

from __future__ import annotations

import json

import click

from sqlanon.spec import spec_schema


@click.command()
def schema() -> None:
    """Print the spec's JSON Schema, for editors."""
    click.echo(json.dumps(spec_schema(), indent=2))
