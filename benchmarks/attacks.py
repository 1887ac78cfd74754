"""`python -m benchmarks.attacks`: what attacks find on four releases of Adult, and what they cost.

Without --rows the releases are made and attacked with their own source as the external table, and
the table of docs/attacks.md is written anew. With --rows the attacks are timed on Adult's
records taken again and again.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import duckdb

import sqlanon
from benchmarks.adult import quasi_identifiers
from benchmarks.floors import in_floors
from benchmarks.pages import write_table
from sqlanon.uses.attacks import ATTACKS
from sqlanon.uses.attacks.findings import Attacked

HIDDEN, SENSITIVE, K = ("age", "sex", "race", "education"), "occupation", 10
# The four releases: what is asked beside k.
RELEASES: Mapping[str, Mapping[str, Any]] = {
    "k alone": {"sensitive": [SENSITIVE]},
    "l = 4": {"sensitive": {SENSITIVE: {"l": 4}}},
    "t = 0.2, Stack & Deal": {
        "sensitive": {SENSITIVE: {"t": "0.2"}},
        "method": {"name": "stack_and_deal", "locality": "curve"},
        "privacy": {"k": 40},
    },
    "t = 0.2, Split-or-Deal": {"sensitive": {SENSITIVE: {"t": "0.2"}}},
}
HEAD = "| what a reader finds out |"


def make(name: str, connection: Any) -> None:
    """Make one of the releases."""
    sqlanon.anonymize(
        sqlanon.parse_spec(
            {
                "source": {"table": "adult"},
                "release": "public",
                "quasi_identifiers": quasi_identifiers(HIDDEN),
                "privacy": {"k": K},
                "seed": 1,
                **RELEASES[name],
            }
        ),
        connection=connection,
    )


def made(name: str, connection: Any) -> Attacked:
    """One release, attacked with its own source."""
    make(name, connection)
    return sqlanon.attack("public", external="adult", connection=connection)


def rows(found: Mapping[str, Attacked]) -> Iterator[str]:
    """The table's lines, a figure each."""
    told = [{finding.figure: finding for finding in some.findings} for some in found.values()]
    for figure in ATTACKS:
        if any(figure.name in some for some in told):
            cells = [
                some[figure.name].shown if figure.name in some else "not computed" for some in told
            ]
            meaning = figure.sentence.removesuffix(".")
            yield f"| {meaning} (`{figure.name}`) | {' | '.join(cells)} |"


def adult(connection: Any, number: int | None = None) -> None:
    """Adult's complete records; so many of them again and again, with jitter, if that is given."""
    file = Path(os.environ["SQLANON_DATA"]) / "csv" / "arx_adult.csv"
    connection.execute(f"create table adult as select * from read_csv('{file}', delim = ';')")
    if number is not None:
        copies = -(-number // 30_000)
        connection.execute(
            "create or replace table adult as select * replace (cast(greatest(17, least(90, age + "
            "hash(copy, age, education) % 5 - 2)) as bigint) as age) from adult, "
            f"range({copies}) as copies(copy) limit {number}"
        )


def timed(number: int, rounds: int) -> Iterator[str]:
    """How long the attacks take on so many records, as multiples of the floor."""

    def work(persons: str | None) -> Any:
        return lambda there: sqlanon.attack("public", connection=there, external=persons)

    with duckdb.connect() as connection:
        adult(connection, number)
        make("t = 0.2, Split-or-Deal", connection)
        asked = {"attack without persons": work(None), "attack with the source": work("adult")}
        yield from in_floors(connection, asked, rounds)


@click.command()
@click.option("--rows", "number", type=float, help="Time the attacks on so many records.")
@click.option("--rounds", default=3, show_default=True)
def main(number: float | None, rounds: int) -> None:
    """Attack releases of Adult, found under SQLANON_DATA."""
    if number is not None:
        for line in timed(int(number), rounds):
            click.echo(line)
        return
    with duckdb.connect() as connection:
        adult(connection)
        found = {name: made(name, connection) for name in RELEASES}
    write_table("attacks.md", HEAD, found, rows(found))
    for line in rows(found):
        click.echo(line)


if __name__ == "__main__":
    main()
