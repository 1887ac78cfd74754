"""`python -m benchmarks.utility`: what four releases of Adult are still good for.

Without --rows the releases of `benchmarks.attacks` are made and measured, and the table of
docs/utility.md is written anew. With --rows the measuring is timed on Adult's records taken
again and again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import click
import duckdb

import sqlanon
from benchmarks.attacks import RELEASES, adult, make
from benchmarks.floors import in_floors
from benchmarks.pages import write_table
from sqlanon.uses.utilities.useful import Utility

HEAD = "| what it is good for |"
# What the table tells, and in which words; the mean where a figure is of several columns.
TOLD = {
    "marginal_variation": "The distribution of a column is off by, on average",
    "pair_variation": "The joint distribution of two columns is off by, on average",
    "exact_share": "Records show a quasi-identifier's value as it is, on average",
    "correlation_difference": "The correlation of two numbers is off by, on average",
    "means_difference": "The mean of a number in a group is off by, on average",
    "means_exact_difference": "The same for who reads exact cells only",
    "classifier_accuracy": "Who learned from it predicts the occupation of held-out records right",
    "classifier_accuracy_source": "The same, learned from the source",
    "classifier_baseline": "The same, always guessing the commonest",
    "query_error": "Half of 200 COUNT queries are off by at most",
    "query_error_nine_tenths": "Nine in ten of them by at most",
}


def measured(name: str, connection: duckdb.DuckDBPyConnection) -> Utility:
    """One release, measured beside its source."""
    make(name, connection)
    return sqlanon.utility("public", connection=connection)


def rows(found: Mapping[str, Utility]) -> Iterator[str]:
    """The table's lines, a figure each."""
    for figure, words in TOLD.items():
        means = [some.mean(figure) for some in found.values()]
        cells = ["none" if number is None else f"{number:.2%}" for number in means]
        if any(number is not None for number in means):
            yield f"| {words} (`{figure}`) | {' | '.join(cells)} |"


def timed(number: int, rounds: int) -> Iterator[str]:
    """How long measuring takes on so many records, as a multiple of the floor."""

    def work(there: duckdb.DuckDBPyConnection) -> object:
        return sqlanon.utility("public", connection=there)

    with duckdb.connect() as connection:
        adult(connection, number)
        make("t = 0.2, Split-or-Deal", connection)
        yield from in_floors(connection, {"utility": work}, rounds)


@click.command()
@click.option("--rows", "number", type=float, help="Time the measuring on so many records.")
@click.option("--rounds", default=3, show_default=True)
def main(number: float | None, rounds: int) -> None:
    """Measure releases of Adult, found under SQLANON_DATA."""
    if number is not None:
        for line in timed(int(number), rounds):
            click.echo(line)
        return
    with duckdb.connect() as connection:
        adult(connection)
        found = {name: measured(name, connection) for name in RELEASES}
    write_table("utility.md", HEAD, found, rows(found))
    for line in rows(found):
        click.echo(line)


if __name__ == "__main__":
    main()
