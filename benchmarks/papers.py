"""`python -m benchmarks.papers`: the papers' experiments on Stack & Deal, made again.

Gowda (2021), figures 1 to 5, and Gowda (2023), figures 3.1, 3.2 and 5.1: what classes of k records
reach in diversity and in t, beside the random partitions that the papers draw. They count classes
as they were formed. So the only quasi-identifier is the number of the record, which tells classes
apart. The papers print these figures as pictures. `benchmarks.background` makes those of Amiri et
al. Kiruthika and Raseen, figures 1 and 2: what slicing and suppression slicing cost in time, and
what counts of both are worth. The data is found under SQLANON_DATA. The figures of Gowda are kept
in docs/figures/papers.csv, and drawn from there.
"""

from __future__ import annotations

import csv
import os
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

import click
import duckdb

import sqlanon
from sqlanon.pages.charts.picture import Axis, Curve, Dot, Marker, Panel, Picture, Stroke
from sqlanon.pages.charts.svg import document

Columns = Mapping[str, Sequence[str]]  # the values of each sensitive attribute, in one order
SIZES = (5, 10, 15, 20)
F = (167, 153, 127, 103, 91, 89)
WIDTHS = 10
FIGURES = Path(__file__).parents[1] / "docs" / "figures"
KEPT, CHART = FIGURES / "papers.csv", FIGURES / "papers.svg"
DEALT = "Stack & Deal"
# The random partitions of the papers by what they have in common with Stack & Deal: groups A to D
# of Gowda (2023), section 3.6, and Rand1 and Rand2 of Gowda (2021), section 5.
CHANCE: dict[str, dict[str, Any]] = {
    "A": {"sizes": "free"},
    "B": {},
    "C": {"counts": 1},
    "D": {"sizes": "free", "counts": 1},
    "Rand1": {"counts": 2},
    "Rand2": {"counts": 3},
}


@dataclass(frozen=True)
class Experiment:
    """A figure of a paper.

    Attributes:
        figure: where it is printed.
        columns: reads the sensitive attributes.
        declared: by the columns, what a spec declares of each of them.
        sizes: the k.
        ties: which of two equally frequent values is dealt first.
        against: the random partitions it is compared with.
    """

    figure: str
    columns: Callable[[], Columns]
    declared: Callable[[Columns], dict[str, Any]]
    sizes: Sequence[int] = SIZES
    ties: str = "higher"
    against: Sequence[str] = ("B",)


@dataclass(frozen=True)
class Reached:
    """What the classes of a method reach, by attribute."""

    t: dict[str, float]
    l: dict[str, float]  # noqa: E741 - as the model is called


def counted(counts: Sequence[int]) -> Columns:
    """A column with each number from 1 on so often as is said."""
    return {"value": [str(value) for value, n in enumerate(counts, 1) for _ in range(n)]}


def read(name: str, *columns: str, delimiter: str = ",") -> Columns:
    """Columns of a data set."""
    file = Path(os.environ["SQLANON_DATA"]) / "csv" / f"{name}.csv"
    with file.open(encoding="utf-8") as lines:
        rows = list(csv.DictReader(lines, delimiter=delimiter))
    return {column: [row[column] for row in rows] for column in columns}


def in_widths() -> Columns:
    """The cholesterol of the Heart data in ten stretches of equal width, numbered from 0.

    Their counts are those that the dissertation prints: 359, 247, 231, 120, 42, 13, 10, 3, 0, 0.
    """
    numbers = [int(text) for text in read("heart_lapp_1025", "chol")["chol"]]
    low, span = min(numbers), max(numbers) - min(numbers)
    return {"chol": [str(min((number - low) * WIDTHS // span, WIDTHS - 1)) for number in numbers]}


def by_frequency(columns: Columns) -> dict[str, Any]:
    """The ordered distance over the values in the order of their frequencies."""
    return {column: {"distance": "ordered", "order": "frequency"} for column in columns}


def over_widths(columns: Columns) -> dict[str, Any]:
    """The same over all stretches, also those without a record."""
    found: dict[str, Any] = {}
    for name, values in columns.items():
        counts = Counter(values)
        order = sorted(map(str, range(WIDTHS)), key=lambda one: (-counts[one], one))
        found[name] = {"distance": "ordered", "order": order}
    return found


def over_steps(columns: Columns) -> dict[str, Any]:
    """The ordered distance over all whole numbers from the least value to the greatest."""
    spans = {
        name: (min(map(int, column)), max(map(int, column))) for name, column in columns.items()
    }
    return {
        name: {"distance": "ordered", "order": list(map(str, range(low, high + 1)))}
        for name, (low, high) in spans.items()
    }


def _pressures() -> Columns:
    return read("heart_lapp_1025", "trestbps", "chol")


EXPERIMENTS = (
    Experiment("Gowda (2021), figures 1 and 3", lambda: counted(F), by_frequency, (2, *SIZES)),
    Experiment(
        "Gowda (2021), figure 2: occupation in Adult",
        lambda: read("arx_adult", "occupation", delimiter=";"),
        by_frequency,
    ),
    Experiment(
        "Gowda (2021), figure 4: Blood Transfusion",
        lambda: read("blood_transfusion", "donated_mar2007"),
        by_frequency,
        against=("Rand1", "Rand2"),
    ),
    Experiment(
        "Gowda (2021), figure 5: Haberman's Survival",
        lambda: read("haberman", "survival_status"),
        by_frequency,
        against=("Rand1", "Rand2"),
    ),
    Experiment(
        "Gowda (2023), figure 3.1: 730 records",
        lambda: counted(F),
        by_frequency,
        against=tuple("ABCD"),
    ),
    Experiment(
        "Gowda (2023), figure 3.2: Heart, cholesterol",
        in_widths,
        over_widths,
        against=tuple("ABCD"),
    ),
    Experiment(
        "Gowda (2023), figure 5.1: Heart, lower first", _pressures, over_steps, SIZES[:3], "lower"
    ),
    Experiment("Gowda (2023), figure 5.1: Heart, higher first", _pressures, over_steps, SIZES[:3]),
)


def reached(
    columns: Columns, declared: Mapping[str, Any], k: int, method: Mapping[str, Any], seed: int
) -> Reached:
    """What the classes of a method reach.

    Args:
        columns: the sensitive attributes.
        declared: what a spec declares of each.
        k: how many records a class has at least.
        method: as in a spec.
        seed: of the spec.
    """
    listed = ", ".join(
        f'unnest(${number}::varchar[]) as "{column}"' for number, column in enumerate(columns, 1)
    )
    with duckdb.connect() as connection:
        connection.execute(
            "create table records as select row_number() over () as number, * "
            f"from (select {listed})",
            list(map(list, columns.values())),
        )
        release = sqlanon.anonymize(
            "records",
            connection=connection,
            quasi_identifiers=["number"],
            sensitive=dict(declared),
            privacy={"k": k},
            method=dict(method),
            seed=seed,
        )
        found = Reached(
            {column: release.measure("t_closeness", column) or 0.0 for column in columns},
            {column: release.measure("distinct_l", column) or 0.0 for column in columns},
        )
        release.close()
    return found


def measured(
    experiment: Experiment, partitions: int
) -> Iterator[tuple[int, Reached, dict[str, list[Reached]]]]:
    """For each k what Stack & Deal reaches, and what the random partitions of each group do."""
    columns = experiment.columns()
    declared = experiment.declared(columns)
    dealt = {"name": "stack_and_deal", "stack": "frequency", "ties": experiment.ties}
    for k in experiment.sizes:
        chance = {
            group: [
                reached(columns, declared, k, {"name": "random", **CHANCE[group]}, seed)
                for seed in range(partitions)
            ]
            for group in experiment.against
        }
        yield k, reached(columns, declared, k, dealt, 1), chance


def rows(experiment: Experiment, partitions: int) -> Iterator[dict[str, str]]:
    """A row for each k, attribute and way to form classes."""
    for k, dealt, chance in measured(experiment, partitions):
        for name in dealt.t:
            for way, found in {DEALT: [dealt], **chance}.items():
                t, l = ([getattr(one, model)[name] for one in found] for model in ("t", "l"))  # noqa: E741
                yield {
                    "figure": experiment.figure,
                    "of": name,
                    "k": f"{k}",
                    "way": way,
                    "l": f"{median(l):g}",
                    "least_t": f"{min(t):.4f}",
                    "t": f"{median(t):.4f}",
                }


def table(kept: Sequence[Mapping[str, str]]) -> Iterator[str]:
    """A line for each figure, attribute and k: Stack & Deal's l and t, and chance's t."""
    yield "| figure | of | k | l | t | chance: least t, median |\n|---|---|---|---|---|---|"
    for entry in (row for row in kept if row["way"] == DEALT):
        point = (entry["figure"], entry["of"], entry["k"])
        chance = "; ".join(
            f"{row['way']} {row['least_t']}, {row['t']}"
            for row in kept
            if row["way"] != DEALT and (row["figure"], row["of"], row["k"]) == point
        )
        yield f"| {' | '.join(point)} | {entry['l']} | {entry['t']} | {chance} |"


# What a panel shows: the number of its figure, its attribute, and the model up the other axis.
PANELS = (
    ("figures 1 and 3", "value", "l"),
    ("figure 2", "occupation", "l"),
    ("figures 1 and 3", "value", "t"),
    ("figure 4", "donated_mar2007", "t"),
    ("figure 5:", "survival_status", "t"),
    ("figure 3.1", "value", "t"),
    ("figure 3.2", "chol", "t"),
    ("figure 5.1: Heart, lower", "chol", "t"),
)
LOOKS: dict[str, tuple[int, Stroke, Marker, str]] = {
    DEALT: (0, "solid", "circle", DEALT),
    "A": (1, "dashed", "circle", "A: sizes and counts drawn"),
    "B": (2, "dashed", "square", "B: equal sizes, counts drawn"),
    "C": (3, "solid", "diamond", "C: equal sizes, counts by 1"),
    "D": (4, "solid", "square", "D: sizes drawn, counts by 1"),
    "Rand1": (5, "solid", "diamond", "Rand1: counts by 2"),
    "Rand2": (6, "solid", "square", "Rand2: counts by 3"),
}


def draw(kept: Sequence[Mapping[str, str]], file: Path) -> None:
    """Draw t and l over k, of chance the median."""
    named: set[str] = set()
    panels = []
    for number, name, model in PANELS:
        ways: dict[str, list[tuple[int, float]]] = defaultdict(list)
        figure = ""
        for row in kept:
            if number in row["figure"] and row["of"] == name:
                ways[row["way"]].append((int(row["k"]), float(row[model])))
                figure = row["figure"]
        curves = []
        for way, points in ways.items():
            hue, stroke, marker, called = LOOKS[way]
            dots = tuple(Dot(k, reached, f"k = {k}: {reached:g}") for k, reached in points)
            curves.append(Curve(dots, hue, stroke, marker, "" if way in named else called))
            named.add(way)
        most = max(reached for points in ways.values() for _, reached in points)
        axes = Axis("k", 0, 20), Axis(model, 0, most * 1.05)
        panels.append(Panel(*axes, tuple(curves), figure))
    file.write_text(
        document(
            Picture(
                "The papers' figures: t and l over k",
                tuple(panels),
                "Stack & Deal beside random partitions, of which the median is shown.",
                columns=2,
                wide=760,
                high=190,
                legend=2,
            )
        ),
        encoding="utf-8",
    )


SLICED = "Kiruthika and Raseen, figures 1 and 2"
RULES = (None, "pairs", "similar")
RECORDS = (1_000, 2_000, 4_000)
KNOWN = ("sex", "age", "race", "education")


@dataclass(frozen=True)
class Sliced:
    """What slices of so many records come to.

    Attributes:
        seconds: of the processor's time, for the whole run with its measures.
        suppressed: the share of the quasi-identifiers' cells that are suppressed.
        error: by how much half of the counts are off at most, relatively.
    """

    seconds: float
    suppressed: float
    error: float


def sliced(records: int, rule: str | None, queries: int = 200) -> Sliced:
    """Slice the first records of Adult in groups of 20, each attribute alone.

    Args:
        records: how many.
        rule: by which cells are suppressed; None for plain slicing.
        queries: how many counts are asked of both sides.
    """
    columns = read("arx_adult", *KNOWN, "occupation", delimiter=";")
    with duckdb.connect(config={"threads": 1}) as connection:
        listed = ", ".join(
            f'unnest(${n}::varchar[]) as "{column}"' for n, column in enumerate(columns, 1)
        )
        connection.execute(
            f"create table records as select * replace (age::integer as age) "
            f"from (select {listed})",
            [column[:records] for column in columns.values()],
        )
        began = process_time()
        release = sqlanon.anonymize(
            "records",
            connection=connection,
            release="shown",
            quasi_identifiers=list(KNOWN),
            sensitive={"occupation": {"l": 2}},
            privacy={"k": 1},
            method="mondrian",
            publish={
                "name": "sliced",
                "group": 20,
                "columns": [[column] for column in columns],
                **({} if rule is None else {"suppress": rule}),
            },
            seed=1,
        )
        seconds = process_time() - began
        cells = sum((release.suppressed_cells or {}).values())
        release.close()
        found = sqlanon.utility("shown", source="records", connection=connection, queries=queries)
    return Sliced(seconds, cells / records / len(KNOWN), found.value("query_error") or 0.0)


def slicing() -> Iterator[str]:
    """A row for each size and rule, once all that is loaded is loaded."""
    sliced(RECORDS[0], None, queries=1)
    for records in RECORDS:
        for rule in RULES:
            one = sliced(records, rule)
            shown = rule or "none"
            share, error = f"{one.suppressed:.1%}", f"{one.error:.1%}"
            yield f"| {records:,} | {shown} | {one.seconds:.1f} | {share} | {error} |"


@click.command()
@click.option("--partitions", default=10, show_default=True, help="Random ones for each k.")
@click.option("--figure", default="", help="Only those whose figure says this, such as 3.2.")
@click.option("--keep", is_flag=True, help="Keep the figures, and draw them.")
def main(partitions: int, figure: str, keep: bool) -> None:
    """Print a row for each figure, attribute and k."""
    asked = [one for one in EXPERIMENTS if figure in one.figure]
    found = []
    for one in asked:
        found += list(rows(one, partitions))
        click.echo(one.figure, err=True)
    for line in table(found) if found else ():
        click.echo(line)
    if keep and found:
        with KEPT.open("w", newline="", encoding="utf-8") as file:
            written = csv.DictWriter(file, found[0], lineterminator="\n")
            written.writeheader()
            written.writerows(found)
        draw(found, CHART)
    if figure in SLICED:
        click.echo(
            f"\n{SLICED}\n\n| records | suppress | seconds | cells suppressed | query error |"
        )
        click.echo("|---|---|---|---|---|")
        for line in slicing():
            click.echo(line)


if __name__ == "__main__":
    main()
