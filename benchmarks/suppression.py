"""`python -m benchmarks.suppression`: what leaving outliers out costs and gains on Adult.

Task A of `benchmarks.adult` under limits from 0 to 10 %. The loss is computed here, in plain
Python, from the published cells and the hierarchies' files: no figure of the program is read.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path
from typing import Any

import click

import sqlanon
from benchmarks.adult import SEED, TASKS, declared

LIMITS = ("0", "0.002", "0.01", "0.02", "0.05", "0.1")
CASES: tuple[tuple[Mapping[str, Any], int, str], ...] = (
    ({"name": "split_or_deal"}, 5, ""),
    ({"name": "split_or_deal"}, 50, ""),
    ({"name": "mondrian"}, 5, ""),
    ({"name": "mondrian"}, 50, ""),
    ({"name": "split_or_deal"}, 5, "0.2"),
)


@dataclass(frozen=True)
class Row:
    """A release under a limit.

    Attributes:
        method: the method.
        k: the least class size.
        t: the threshold of t-closeness; empty where none is asked for.
        limit: the greatest share of the records that may be left out.
        left_out: how many were.
        loss: the mean loss of a record, those that were left out counted as lost.
        kept: the mean loss of a record that is published.
        worst: the least loss among the 1 % of the published records that lose most.
    """

    method: str
    k: int
    t: str
    limit: str
    left_out: int
    loss: float
    kept: float
    worst: float


class Column:
    """A column of Adult, as a reader of its hierarchy's file sees it.

    Args:
        name: the column.
        values: its values in the source.
    """

    def __init__(self, name: str, values: Sequence[str]) -> None:
        self._paths: dict[str, list[str]] = {}
        self._span: tuple[float, float] | None = None
        if name == "age":
            self._span = min(map(float, values)), max(map(float, values))
            return
        folder = Path(os.environ["SQLANON_DATA"]) / "hierarchies"
        with (folder / f"arx_adult_hierarchy_{name}.csv").open(encoding="utf-8") as file:
            for path in csv.reader(file, delimiter=";"):
                self._paths[path[0]] = path
        self._under: dict[str, int] = {}
        for path in self._paths.values():
            for label in {*path[1:]} - {path[0]}:
                self._under[label] = self._under.get(label, 0) + 1

    @cache  # noqa: B019 - as long as the program runs
    def loss(self, cell: str) -> float:
        """The loss of a cell: 0 of a value, 1 of the whole domain. Xu et al. (2006), NCP."""
        if self._span is not None:
            low, high = self._span
            ends = [float(text) for text in cell.strip("[]").split(", ")]
            return (ends[-1] - ends[0]) / (high - low)
        if cell in self._paths:
            return 0.0
        return (self._under[cell] - 1) / (len(self._paths) - 1)


def measured(case: tuple[Mapping[str, Any], int, str], limit: str) -> Row:
    """Make a release and read its cells."""
    method, k, t = case
    spec, names = declared("A", k, t), TASKS["A"][0]
    source = spec.pop("source")
    with Path(source).open(encoding="utf-8") as file:
        first = file.readline()
        file.seek(0)
        records = list(csv.DictReader(file, delimiter=";" if ";" in first else ","))
    columns = {name: Column(name, [entry[name] for entry in records]) for name in names}
    if limit != "0":
        spec["suppression"] = {"records": limit}
    with sqlanon.anonymize(source, method=dict(method), seed=SEED, **spec) as made:
        frame = made.frame()
    losses = sorted(
        sum(columns[name].loss(str(cell)) for name, cell in zip(names, cells, strict=True))
        / len(names)
        for cells in frame[list(names)].itertuples(index=False)
    )
    gone = len(records) - len(losses)
    return Row(
        str(method["name"]),
        k,
        t,
        limit,
        gone,
        round((sum(losses) + gone) / len(records), 4),
        round(sum(losses) / len(losses), 4),
        round(losses[-(len(losses) // 100)], 4),
    )


def all_rows(limits: Sequence[str]) -> Iterator[Row]:
    """Every case under every limit."""
    for case in CASES:
        for limit in limits:
            yield measured(case, limit)


@click.command()
@click.option("--limit", "limits", multiple=True, default=LIMITS, show_default=True)
def main(limits: tuple[str, ...]) -> None:
    """Print a row for each release."""
    click.echo("method, k, t, limit, left out, loss, loss of those kept, the worst 1 %")
    for row in all_rows(limits):
        click.echo(", ".join(map(str, astuple(row))))


if __name__ == "__main__":
    main()
