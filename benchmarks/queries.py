"""`python -m benchmarks.queries`: how well COUNT queries are answered from a release.

A few hundred seeded queries, with a range or a set of values of one to three quasi-identifiers and
a set of sensitive values, are asked of the table and of its release. A reader of the release takes
a record to be as likely anywhere in its cell. The table is Adult, found under SQLANON_DATA.
"""

from __future__ import annotations

import csv
import os
import re
from dataclasses import dataclass
from pathlib import Path
from statistics import mean, median
from typing import Any

import click
import duckdb
import numpy as np
import pandas as pd

import sqlanon
from benchmarks.adult import TASKS, quasi_identifiers

ADULT = "arx_adult"
# Of an age range the share of all ages, of a set the share of all values; and the least records
# that a query must find, so that an error relative to them means something.
WIDTHS, SHARE, FEWEST = (0.1, 0.2, 0.4), 0.3, 30
BANDS = [5, 10, 20, 40]
WAYS = ("ncp", "queries", "ncp, age in bands")


@dataclass(frozen=True)
class Column:
    """A column as queries see it.

    Attributes:
        values: all that it can hold, in order.
        held: of each record of the table, which of them.
        shares: of each cell, what part of it lies at each value.
        cells: of each released record, which cell.
        ordered: whether queries ask for ranges.
    """

    values: list[Any]
    held: np.ndarray[Any, Any]
    shares: np.ndarray[Any, Any]
    cells: np.ndarray[Any, Any]
    ordered: bool

    def asked(self, chance: np.random.Generator) -> np.ndarray[Any, Any]:
        """A range or a set of values: 1 where it holds a value."""
        count = len(self.values)
        chosen = np.zeros(count)
        if self.ordered:
            width = max(1, int(count * chance.choice(WIDTHS)))
            start = chance.integers(0, count - width + 1)
            chosen[start : start + width] = 1
        else:
            chosen[chance.choice(count, max(1, int(count * SHARE)), replace=False)] = 1
        return chosen


def numbers(table: pd.Series[Any], release: pd.Series[Any]) -> Column:
    """A column of whole numbers, published as intervals or bands."""
    values = list(range(int(table.min()), int(table.max()) + 1))
    return _column(values, table.astype(int), release.astype(str), _interval(values), ordered=True)


def _interval(values: list[int]) -> dict[str, Any] | Any:
    def inside(label: str) -> list[bool]:
        ends = [int(end) for end in re.findall(r"-?\d+", label)] or [values[0], values[-1]]
        low, high = ends[0], ends[-1] - label.endswith(")")
        return [low <= value <= high for value in values]

    return inside


def names(table: pd.Series[Any], release: pd.Series[Any], hierarchy: Path | None) -> Column:
    """A column of categories, published as themselves or as nodes of a hierarchy."""
    values = sorted(set(table))
    under: dict[str, set[str]] = {value: {value} for value in values}
    if hierarchy is not None:
        with hierarchy.open(newline="") as file:
            for leaf, *above in csv.reader(file, delimiter=";"):
                for label in above:
                    under.setdefault(label.strip(), set()).add(leaf.strip())
    return _column(
        values, table, release, lambda label: [value in under[label] for value in values], False
    )


def _column(
    values: list[Any], table: pd.Series[Any], release: pd.Series[Any], inside: Any, ordered: bool
) -> Column:
    place = {value: at for at, value in enumerate(values)}
    labels = sorted(set(release))
    shares = np.array([inside(label) for label in labels], dtype=float)
    at = {label: row for row, label in enumerate(labels)}
    return Column(
        values,
        table.map(place).to_numpy(),
        shares / shares.sum(axis=1, keepdims=True),
        release.map(at).to_numpy(),
        ordered,
    )


def errors(quasi: list[Column], sensitive: Column, queries: int) -> list[float]:
    """The relative error of every query."""
    chance = np.random.default_rng(1)
    found: list[float] = []
    while len(found) < queries:
        few = chance.choice(len(quasi), size=chance.integers(1, 4), replace=False)
        true, read = np.ones(len(sensitive.held)), np.ones(len(sensitive.cells))
        for column in (*(quasi[at] for at in few), sensitive):
            chosen = column.asked(chance)
            true *= chosen[column.held]
            read *= (column.shares @ chosen)[column.cells]
        if true.sum() >= FEWEST:
            found.append(abs(read.sum() - true.sum()) / true.sum())
    return found


def answered(task: str, t: str, way: str, queries: int, seed: int) -> tuple[float, float, float]:
    """GCP, and the median and the mean relative error of the queries."""
    quasi, sensitive = TASKS[task]
    declared = quasi_identifiers(quasi)
    if way.endswith("bands"):
        declared["age"] = {"hierarchy": {"bands": BANDS}}
    file = Path(os.environ["SQLANON_DATA"]) / "csv" / f"{ADULT}.csv"
    with duckdb.connect() as connection:
        made = sqlanon.anonymize(
            str(file),
            quasi_identifiers=declared,
            sensitive={sensitive: {"t": t}},
            privacy={"k": 5},
            method={"name": "split_or_deal", "objective": way.split(",")[0]},
            release="public",
            seed=seed,
            connection=connection,
        )
        loss = made.measure("gcp")
        assert loss is not None
        release = connection.sql("select * from public").df()
        source = pd.read_csv(file, sep=None, engine="python")
        made.close()
    columns = [
        numbers(source[name], release[name])
        if name == "age"
        else names(source[name], release[name], _hierarchy(name))
        for name in quasi
    ]
    found = errors(columns, names(source[sensitive], release[sensitive], None), queries)
    return loss, median(found), mean(found)


def _hierarchy(name: str) -> Path:
    return Path(os.environ["SQLANON_DATA"]) / "hierarchies" / f"{ADULT}_hierarchy_{name}.csv"


@click.command()
@click.option("--task", "tasks", multiple=True, default=("A", "C"), show_default=True)
@click.option("--t", "thresholds", multiple=True, default=("0.2", "0.1"), show_default=True)
@click.option("--queries", default=400, show_default=True)
@click.option("--seed", default=7, show_default=True, help="Of the release.")
def main(tasks: tuple[str, ...], thresholds: tuple[str, ...], queries: int, seed: int) -> None:
    """Print a table of what readers get wrong."""
    click.echo(
        "| task | t | objective | GCP | median error | mean error |\n|---|---|---|--:|--:|--:|"
    )
    for task in tasks:
        for t in thresholds:
            for way in WAYS:
                loss, middle, average = answered(task, t, way, queries, seed)
                click.echo(f"| {task} | {t} | {way} | {loss:.3f} | {middle:.3f} | {average:.3f} |")


if __name__ == "__main__":
    main()
