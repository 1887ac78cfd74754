"""`python -m benchmarks.risks`: how far records of Adult and of four releases of it stand out.

Without --rows the releases of `benchmarks.attacks` are made, and the table of docs/attacks.md is
written anew. With --rows the risk of the raw table is timed, on Adult's records taken again and
again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click
import duckdb

import sqlanon
from benchmarks.attacks import HIDDEN, RELEASES, adult, make
from benchmarks.floors import in_floors
from benchmarks.pages import write_table
from sqlanon.uses.profile.risk import Risks

HEAD = "| how far records stand out |"


def rows(found: Mapping[str, Risks]) -> Iterator[str]:
    """The table's lines, a figure each."""
    for first in next(iter(found.values())).figures:
        values = [some.value(first.figure) for some in found.values()]
        share = first.range.endswith("1]")
        cells = [
            "none" if value is None else f"{value:.2%}" if share else f"{value:,.6g}"
            for value in values
        ]
        yield f"| {first.sentence.removesuffix('.')} (`{first.figure}`) | {' | '.join(cells)} |"


def timed(number: int, rounds: int) -> Iterator[str]:
    """How long the risk of a raw table takes on so many records, as a multiple of the floor."""
    with duckdb.connect() as connection:
        adult(connection, number)
        yield from in_floors(connection, {"risk": lambda there: of("adult", there)}, rounds)


@click.command()
@click.option("--rows", "number", type=float, help="Time it on so many records.")
@click.option("--rounds", default=3, show_default=True)
def main(number: float | None, rounds: int) -> None:
    """Count how far records of Adult stand out, found under SQLANON_DATA."""
    if number is not None:
        for line in timed(int(number), rounds):
            click.echo(line)
        return
    with duckdb.connect() as connection:
        adult(connection)
        found = {"the source": of("adult", connection)}
        for name in RELEASES:
            make(name, connection)
            found[name] = of("public", connection)
    write_table("attacks.md", HEAD, found, rows(found))
    for line in rows(found):
        click.echo(line)


def of(table: str, connection: duckdb.DuckDBPyConnection) -> Risks:
    """The risk of a table."""
    return sqlanon.risk(table, quasi_identifiers=HIDDEN, connection=connection)


if __name__ == "__main__":
    main()
