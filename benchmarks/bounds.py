"""`python -m benchmarks.bounds`: a loss that no release of task B of Adult can be below.

A linear program: every record is put into a box of the quasi-identifiers, all that is put into a
box is t-close, and the mean NCP is least. It leaves out k and whole numbers. There are 200,000
boxes and many ways to fill each, so columns are generated: the dual prices of the records say of
each box whether any filling of it pays. Prices that no box beats prove the bound.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import duckdb
import highspy
import numpy as np

from benchmarks.adult import LEVELS, TASKS

Numbers = np.ndarray[Any, np.dtype[np.float64]]
# More than any box costs: what a record costs that no box has taken yet.
UNCOVERED = 4.0


@dataclass(frozen=True)
class Node:
    """A cell that may be published of a column: positions of the values in it, and its NCP."""

    values: tuple[int, ...]
    loss: float


@dataclass(frozen=True)
class Task:
    """A table of an interval, two trees and a sensitive attribute of two values.

    Attributes:
        counts: records by value of the interval, the first, the second tree, the sensitive value.
        points: the interval's values, ascending.
        first: the nodes of the first tree.
        second: the nodes of the second tree.
    """

    counts: Numbers
    points: Numbers
    first: tuple[Node, ...]
    second: tuple[Node, ...]


@dataclass(frozen=True)
class Column:
    """A box, from a value of the interval to another, and the record of each sensitive value."""

    cells: tuple[int, int]
    share: float
    loss: float


def nodes(paths: list[list[str]], values: list[str]) -> tuple[Node, ...]:
    """The nodes of a hierarchy, given as the path from each value to the root."""
    found: set[tuple[int, ...]] = {(number,) for number in range(len(values))}
    for level in range(max(map(len, paths))):
        for label in {path[level] for path in paths}:
            under = [path[0] for path in paths if path[level] == label]
            found.add(tuple(sorted(values.index(text) for text in under if text in values)))
    most = max(1, len(values) - 1)
    return tuple(Node(entry, (len(entry) - 1) / most) for entry in sorted(found) if entry)


def boxes(task: Task, prices: Numbers, t: float) -> Iterator[tuple[Numbers, Any]]:
    """What the best filling of each box pays, and how it is filled, by pairs of nodes.

    Args:
        task: the table.
        prices: the price of a record, by cell and sensitive value.
        t: the greatest distance of a box.
    """
    total = task.counts.sum(axis=(0, 1, 2))
    known = total[1] / total.sum()
    least, most = max(0.0, known - t), min(1.0, known + t)
    size = len(task.points)
    open_ = np.where(task.counts > 0, prices, -np.inf)
    span = (task.points[None, :] - task.points[:, None]) / (task.points[-1] - task.points[0])
    below = np.tril(np.ones((size, size), dtype=bool), -1)
    for first in task.first:
        for second in task.second:
            within = open_[:, first.values][:, :, second.values].reshape(size, -1, 2)
            best = within.max(axis=1)
            spread = np.where(below[..., None], -np.inf, best[None, :, :])
            reached = np.maximum.accumulate(spread, axis=1)
            loss = (span + first.loss + second.loss) / 3
            with np.errstate(invalid="ignore"):
                ends = [
                    np.nan_to_num(share * reached[..., 1], nan=0.0, neginf=-np.inf)
                    + np.nan_to_num((1 - share) * reached[..., 0], nan=0.0, neginf=-np.inf)
                    for share in (least, most)
                ]
            pays = np.maximum(*ends) - loss
            shares = np.where(ends[1] > ends[0], most, least)
            yield pays, (first, second, within, best, loss, shares)


def generated(task: Task, prices: Numbers, t: float) -> tuple[list[Column], float]:
    """The best new columns, and by how much the best pays."""
    found: list[Column] = []
    top = -np.inf
    wide = task.counts.shape
    for pays, (first, second, within, best, loss, shares) in boxes(task, prices, t):
        top = max(top, float(pays.max()))
        for low in range(len(task.points)):
            high = int(pays[low].argmax())
            if pays[low, high] <= 1e-7:
                continue
            cells = []
            for value in (0, 1):
                at = low + int(best[low : high + 1, value].argmax())
                inner = int(within[at, :, value].argmax())
                one, two = divmod(inner, len(second.values))
                place = (at, first.values[one], second.values[two], value)
                cells.append(int(np.ravel_multi_index(place, wide)))
            found.append(
                Column((cells[0], cells[1]), float(shares[low, high]), float(loss[low, high]))
            )
    return found, top


def bound(task: Task, t: float, gap: float = 0.005, turns: int = 300) -> float:
    """The lower bound on GCP of releases whose classes are all t-close.

    Args:
        task: the table.
        t: the greatest distance of a class.
        gap: when to stop: the bound is this share of itself below what the columns reach.
        turns: how often columns are generated at most.
    """
    counts = task.counts.ravel()
    rows = {int(cell): row for row, cell in enumerate(np.flatnonzero(counts))}
    needed = counts[list(rows)] / counts.sum()
    program: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    program.setOptionValue("output_flag", False)
    for amount in needed:
        program.addRow(float(amount), float(amount), 0, np.array([], np.int32), np.array([]))
    for row in range(len(rows)):
        program.addCol(UNCOVERED, 0, np.inf, 1, np.array([row], np.int32), np.array([1.0]))
    proved = 0.0
    center: Numbers | None = None
    for _ in range(turns):
        program.run()
        reached = program.getObjectiveValue()
        now = np.array(program.getSolution().row_dual)
        # Prices near the best ones so far swing less than those of the program alone.
        tried = [now] if center is None else [0.7 * center + 0.3 * now, now]
        columns: list[Column] = []
        for dual in tried:
            prices = np.full(counts.shape, -np.inf)
            prices[list(rows)] = dual
            columns, top = generated(task, prices.reshape(task.counts.shape), t)
            # Prices lower by what the best box pays: none pays any more.
            proven = float(dual @ needed) - max(0.0, top)
            if proven > proved:
                proved, center = proven, dual
            columns = [column for column in columns if _pays(column, now, rows)]
            if columns:
                break
        if reached - proved <= gap * proved or not columns:
            break
        for column in columns:
            mixed = zip(column.cells, (1 - column.share, column.share), strict=True)
            parts = [(rows[cell], share) for cell, share in mixed if share > 0]
            index = np.array([row for row, _ in parts], np.int32)
            values = np.array([share for _, share in parts])
            program.addCol(column.loss, 0, np.inf, len(parts), index, values)
    return proved


def _pays(column: Column, dual: Numbers, rows: dict[int, int]) -> bool:
    zero, other = (dual[rows[cell]] if cell in rows else 0.0 for cell in column.cells)
    return bool((1 - column.share) * zero + column.share * other - column.loss > 1e-9)


def task_b() -> Task:
    """Task B of Adult: age, sex, education; salary class."""
    data = Path(os.environ["SQLANON_DATA"])
    (age, *trees), sensitive = TASKS["B"]
    columns = ", ".join(f'"{text}"' for text in (age, *trees, sensitive))
    file = data / "csv" / "arx_adult.csv"
    with duckdb.connect() as connection:
        records = connection.execute(
            f"select {columns}, count(*) from read_csv('{file}', delim = ';') group by all"
        ).fetchall()
    domains = [sorted({record[place] for record in records}) for place in range(4)]
    counts = np.zeros([len(entry) for entry in domains])
    for *cell, number in records:
        counts[tuple(domains[index].index(value) for index, value in enumerate(cell))] += number
    forests = []
    for name, domain in zip(trees, domains[1:3], strict=True):
        file = data / "hierarchies" / f"arx_adult_hierarchy_{name}.csv"
        with file.open(newline="", encoding="utf-8") as opened:
            forests.append(nodes(list(csv.reader(opened, delimiter=";")), domain))
    return Task(counts, np.array(domains[0], dtype=float), *forests)


@click.command()
def main() -> None:
    """Print the bound at each t."""
    task = task_b()
    for t in LEVELS:
        found = math.floor(bound(task, float(t)) * 10_000) / 10_000  # a bound is cut off
        click.echo(f"B, t = {t}: {found:.4f}")


if __name__ == "__main__":
    main()
