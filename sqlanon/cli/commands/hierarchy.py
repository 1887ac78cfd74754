"""A first hierarchy for a column."""

from __future__ import annotations

from pathlib import Path

import click
import yaml

from sqlanon.cli.options import Opening, existing, opens_database, reading
from sqlanon.common.files import check_free, write
from sqlanon.common.visible import write_exactly
from sqlanon.uses.profile.hierarchies import GROUPS


@click.command()
@click.argument("table")
@click.argument("column")
@click.option("-k", default=10, show_default=True, help="Text of fewer records is one group.")
@click.option(
    "--groups",
    default=GROUPS,
    show_default=True,
    help="Bands of numbers at the lowest level; each level has half as many.",
)
@opens_database()
@reading("table")
def hierarchy(table: str, column: str, k: int, groups: int, opening: Opening) -> None:
    """Draft a generalization hierarchy for COLUMN of TABLE (a file or a table); edit and keep it.

    Dates get periods, codes are masked, and numbers get bands of about as many records each. Rare
    text becomes one group, in a file of the folder `hierarchies`. Put the printed lines into a
    spec. They show where the data lies: read them before you hand them on.
    """
    with opening.open(existing(opening.database)) as db:
        found = db.hierarchy(table, column, k=k, groups=groups)
    if found.text is not None:
        file = Path(found.declared["file"])
        check_free(file, mend="is there already: move it away, or edit what is there")
        write({file: found.text})
        click.echo(f"Wrote {file}, for you alone, for it holds values of the data.", err=True)
    click.echo(f"# {column}: {found.why}")
    declared = {"quasi_identifiers": {column: {"hierarchy": found.declared}}}
    write_exactly(yaml.safe_dump(declared, allow_unicode=True, sort_keys=False, width=100))
