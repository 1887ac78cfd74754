"""`python -m benchmarks.groups`: how large classes of alike background are, on all of Adult.

Amiri et al. (2023), tables 3 to 5: the 45,222 complete records of both files of Adult, with the
quasi-identifiers age, sex and education and the income as the sensitive attribute. The paper does
not publish its background, which is estimated here by all three with smoothing 1. Of each method
the classes are counted as they were formed, as in the paper, and as a reader sees them. The third
method stands for k-primacy, of which the paper names no steps. The data is found under
SQLANON_DATA.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import duckdb

import sqlanon
from benchmarks.adult import quasi_identifiers

KNOWN, SENSITIVE = ("age", "sex", "education"), "income"
PLACES = {"age": 0, "education": 3, "sex": 9, SENSITIVE: 14}  # in a line of the files
METHODS: dict[str, dict[str, Any]] = {
    "UHRA": {"name": "uhra"},
    "BKA-JS": {"name": "uhra", "scope": "table", "order": "curve", "rounds": 0},
    "k-primacy": {"name": "microaggregation"},
}
# Table, k, J, t and the least and mean size that the paper prints of each method.
PRINTED: tuple[tuple[int, int, str, str, tuple[str, ...]], ...] = (
    (3, 3, "0.8", "0.5", ("3 / 8", "3 / 8.8", "3 / 8")),
    (3, 5, "0.8", "0.5", ("5 / 9", "5 / 13", "5 / 11")),
    (3, 10, "0.8", "0.5", ("10 / 11", "10 / 14", "10 / 11")),
    (3, 15, "0.8", "0.5", ("15 / 17", "15 / 20", "15 / 18")),
    (3, 20, "0.8", "0.5", ("20 / 23", "20 / 25", "20 / 24")),
    (4, 5, "0.2", "0.5", ("5 / 9", "5 / 11", "5 / 10")),
    (4, 5, "0.3", "0.5", ("5 / 9", "5 / 11.8", "5 / 11")),
    (4, 5, "0.4", "0.5", ("5 / 10", "5 / 13", "5 / 12")),
    (4, 5, "0.6", "0.5", ("5 / 10", "5 / 13", "5 / 12")),
    (5, 5, "0.8", "0.6", ("5 / 10", "5 / 13", "5 / 12")),
    (5, 5, "0.8", "0.7", ("5 / 11", "5 / 15", "5 / 12")),
    (5, 5, "0.8", "0.8", ("5 / 11", "5 / 17", "5 / 12.8")),
)


def complete(every: int) -> list[tuple[str, ...]]:
    """The records without a question mark, of both files, or one in so many of them."""
    folder, found = Path(os.environ["SQLANON_DATA"]) / "csv", []
    for name in ("adult.data", "adult.test"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            values = [one.strip().rstrip(".") for one in line.split(",")]
            if len(values) > max(PLACES.values()) and "?" not in values:
                found.append(tuple(values[place] for place in PLACES.values()))
    return found[::every]


def reached(
    rows: list[tuple[str, ...]], k: int, j: str, t: str, method: dict[str, Any]
) -> dict[str, float]:
    """The sizes of the classes of a method, and how many records it leaves out."""
    with duckdb.connect(config={"threads": 1}) as connection:
        listed = ", ".join(f'unnest(${n}::varchar[]) as "{one}"' for n, one in enumerate(PLACES, 1))
        connection.execute(
            f"create table adult as select * replace (age::integer as age) from (select {listed})",
            [list(column) for column in zip(*rows, strict=True)],
        )
        with sqlanon.anonymize(
            "adult",
            connection=connection,
            release="out",
            quasi_identifiers=quasi_identifiers(KNOWN),
            sensitive={
                SENSITIVE: {
                    "t": t,
                    "bk": j,
                    "background": {"estimate": {"by": list(KNOWN), "smoothing": 1}},
                }
            },
            privacy={"k": k},
            method=method,
            suppression={"records": 0.5},
            metrics=["least_formed_class", "mean_formed_class"],
            seed=1,
        ) as release:
            names = ("least_formed_class", "mean_formed_class", "k_anonymity", "gcp")
            found = {name: release.measure(name) for name in names}
            counting = "select (select count(*) from out__classes), count(*) from out"
            ((size, shown),) = connection.execute(counting).fetchall()
    return {**found, "mean": shown / size, "left_out": len(rows) - shown}


def table(every: int, methods: list[str]) -> Iterator[str]:
    """A row for each printed figure of the methods."""
    rows = complete(every)
    for name in methods:
        for number, k, j, t, printed in PRINTED:
            one = reached(rows, k, j, t, METHODS[name])
            yield (
                f"| {number} | {k} | {j} | {t} | {name} | {printed[list(METHODS).index(name)]} "
                f"| {one['least_formed_class']:.0f} / {one['mean_formed_class']:.1f} "
                f"| {one['k_anonymity']:.0f} / {one['mean']:.1f} | {one['gcp']:.4f} "
                f"| {one['left_out']:,} |"
            )


@click.command()
@click.option("--every", default=1, help="Take one record in so many.")
@click.option("--method", "methods", multiple=True, type=click.Choice(list(METHODS)))
def main(every: int, methods: tuple[str, ...]) -> None:
    """Print a row for each figure of the tables and each method."""
    click.echo("| table | k | J | t | method | printed | formed | published | gcp | left out |")
    click.echo("|---:|---:|---:|---:|---|---|---|---|---:|---:|")
    for row in table(every, list(methods or METHODS)):
        click.echo(row)


if __name__ == "__main__":
    main()
