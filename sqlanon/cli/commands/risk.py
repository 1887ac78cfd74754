"""How identifying the quasi-identifiers of a table are."""

from __future__ import annotations

from typing import Any

import click

from sqlanon.cli import options
from sqlanon.cli.figures import show_risks
from sqlanon.cli.output import echo_object
from sqlanon.uses.profile.risk import Risks


def risks_object(found: Risks) -> dict[str, Any]:
    """How identifying a table is, for programs."""
    return {
        "table": found.table,
        "columns": list(found.columns),
        "figures": [finding.as_object() for finding in found.figures],
        "combinations": [
            {
                "columns": list(combination.columns),
                "tuples": combination.tuples,
                "unique_records": combination.single,
            }
            for combination in found.combinations
        ],
        "special": [{"columns": list(some), "records": number} for some, number in found.special],
        "shares": dict(found.shares),
        "at_once": found.at_once,
    }


@click.command()
@click.argument("table")
@options.columns_option("--qi", about="The quasi-identifiers.", required=True)
@click.option("--population", metavar="TABLE", help="A table of the population, of these columns.")
@click.option("--fraction", metavar="P", help="The share of the population that TABLE samples.")
@click.option("--weight", metavar="COLUMN", help="How many persons each record stands for.")
@click.option("--household", metavar="COLUMN", help="The column of the household.")
@click.option("--person", metavar="COLUMN", help="Whose item a record is, with items as --qi.")
@click.option("--known", metavar="M", type=int, help="How many items of a person are known [2].")
@options.opens_database()
@options.AS_JSON
@options.reading("table", "population")
def risk(
    table: str,
    qi: list[str],
    population: str | None,
    fraction: str | None,
    weight: str | None,
    household: str | None,
    person: str | None,
    known: int | None,
    opening: options.Opening,
    as_json: bool,
) -> None:
    """Count the persons of TABLE, raw or released, whom their quasi-identifiers pick out.

    The command also shows the combinations of columns that do it, and how few columns single a
    record out. --population, --fraction or --weight give the risk in the population. Nothing is
    written.
    """
    with opening.open(options.existing(options.beside(table, opening.database))) as db:
        found = db.risk(
            table,
            quasi_identifiers=qi,
            population=population,
            fraction=fraction,
            weight=weight,
            household=household,
            person=person,
            known=known,
        )
    if as_json:
        echo_object(risks_object(found))
    else:
        show_risks(found)
