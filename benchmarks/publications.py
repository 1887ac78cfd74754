"""`python -m benchmarks.publications`: a reader's queries, by how the same classes are published.

Two tables, a sensitive attribute each, and the same models asked of every publication. The chart
and the table of docs/appendix/experiments_publications.md come of docs/figures/publications.csv,
which --measure makes anew.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import duckdb

import sqlanon
from benchmarks.adult import FIGURES, quasi_identifiers
from benchmarks.attacks import HIDDEN, SENSITIVE, adult
from benchmarks.pages import write_table
from sqlanon.pages.charts.picture import Axis, Curve, Dot, Note, Panel, Picture, Tick
from sqlanon.pages.charts.svg import document
from sqlanon.uses.utilities.useful import Utility

HEAD = "| table | asked | published |"
GROUP = 10
SEARCHED = "split_or_deal"
NEIGHBOURS = {"name": "microaggregation", "block": 500}
DEALT = {"name": "stack_and_deal", "locality": "curve"}
# How classes are published, and by which method they are formed.
PUBLISHED: dict[str, dict[str, Any]] = {
    "generalized, Split-or-Deal": {"method": SEARCHED},
    "generalized, Mondrian": {"method": "mondrian"},
    "generalized, Stack & Deal": {"method": DEALT},
    "generalized, microaggregation": {"method": NEIGHBOURS},
    "centroids, microaggregation": {"method": NEIGHBOURS, "publish": "centroids"},
    "permuted, microaggregation": {"method": NEIGHBOURS, "publish": "permuted"},
    "anatomy, Split-or-Deal": {"method": SEARCHED, "publish": "anatomy"},
    "anatomy, Stack & Deal": {"method": DEALT, "publish": "anatomy"},
    "permuted, Split-or-Deal": {"method": SEARCHED, "publish": "permuted"},
    "sliced, Split-or-Deal": {"method": SEARCHED, "publish": "sliced"},
}
SHOWN = ("half of the queries", "nine in ten", "pairs", "predicted")
MEASURED = ("query_error", "query_error_nine_tenths", "pair_variation", "classifier_accuracy")


@dataclass(frozen=True)
class Task:
    """A table, and what is asked of it.

    Attributes:
        load: makes it, under the name ``persons``.
        names: its quasi-identifiers; as they are where every record keeps its own.
        generalized: how they are declared where classes share cells.
        numbers: those of which a mean can be published; of the others it is the mode.
        slices: what stays together where they are sliced.
        sensitive: the sensitive attribute.
        asked: the models.
    """

    load: Callable[[duckdb.DuckDBPyConnection], None]
    names: tuple[str, ...]
    generalized: Callable[[Iterable[str]], dict[str, Any]]
    numbers: tuple[str, ...]
    slices: list[list[str]]
    sensitive: str
    asked: dict[str, dict[str, Any]]


def load_adult(connection: duckdb.DuckDBPyConnection) -> None:
    """Adult's 30,162 complete records."""
    adult(connection)
    connection.execute("alter table adult rename to persons")


def load_survey(connection: duckdb.DuckDBPyConnection) -> None:
    """The first 60,000 records of BRFSS 2020, the age from where its group begins."""
    file = Path(os.environ["SQLANON_DATA"]) / "parquet" / "brfss2020_heart.parquet"
    begins = 'cast(left("AgeCategory", 2) as integer)'
    connection.execute(
        f'create table persons as select * replace ({begins} as "AgeCategory") '
        f"from read_parquet('{file}') limit 60000"
    )


SURVEY = ("AgeCategory", "Sex", "Race", "Diabetic")
TASKS = {
    "Adult": Task(
        load_adult,
        HIDDEN,
        quasi_identifiers,
        ("age",),
        [["age", "sex"], ["race", "education"], [SENSITIVE]],
        SENSITIVE,
        {"l = 4": {"l": 4}, "t = 0.3": {"t": "0.3"}},
    ),
    "survey": Task(
        load_survey,
        SURVEY,
        lambda names: {name: {} for name in names},
        ("AgeCategory",),
        [["AgeCategory", "Sex"], ["Race", "Diabetic"], ["GenHealth"]],
        "GenHealth",
        {"l = 4": {"l": 4}, "t = 0.1": {"t": "0.1"}},
    ),
}
COLUMNS = ("table", "asked", "published", *MEASURED)
Row = dict[str, str]


def measured(
    task: Task, published: str, asked: str, connection: duckdb.DuckDBPyConnection
) -> Utility | None:
    """One release beside its source; None where the method cannot reach what is asked."""
    way = dict(PUBLISHED[published])
    publish = way.pop("publish", None)
    fields: dict[str, Any] = {
        "source": {"table": "persons"},
        "release": "public",
        "quasi_identifiers": task.generalized(task.names),
        "sensitive": {task.sensitive: task.asked[asked]},
        "privacy": {"k": GROUP},
        "seed": 1,
        **way,
    }
    if publish == "centroids":
        means = {name: {"publish": "mean"} for name in task.numbers}
        fields["quasi_identifiers"] = {
            name: means.get(name, {**value, "publish": "mode"})
            for name, value in task.generalized(task.names).items()
        }
    elif publish is not None:
        fields["quasi_identifiers"] = list(task.names)
        fields["privacy"] = {"k": 1}
        fields["publish"] = {"name": publish, "group": GROUP}
        if publish == "sliced":
            fields["publish"] |= {"columns": task.slices}
    try:
        sqlanon.anonymize(sqlanon.parse_spec(fields), connection=connection)
    except sqlanon.InfeasibleError:
        return None
    return sqlanon.utility("public", connection=connection, source="persons")


def rows() -> Iterator[Row]:
    """A row for each release; its figures are empty where it does not reach what is asked."""
    for name, task in TASKS.items():
        with duckdb.connect() as connection:
            task.load(connection)
            for asked in task.asked:
                for published in PUBLISHED:
                    found = measured(task, published, asked, connection)
                    means = [None if found is None else found.mean(text) for text in MEASURED]
                    texts = ["" if number is None else f"{number:.4f}" for number in means]
                    row = dict(zip(COLUMNS, (name, asked, published, *texts), strict=True))
                    click.echo(" ".join(row.values()))
                    yield row


def lines(found: Iterable[Row]) -> Iterator[str]:
    """The table's lines."""
    for row in found:
        figures = [row[text] for text in MEASURED]
        cells = [f"{float(figure):.1%}" if figure else "not reached" for figure in figures]
        yield f"| {' | '.join((row['table'], row['asked'], row['published'], *cells))} |"


def draw(found: list[Row], file: Path) -> None:
    """The median error of the queries and that of nine in ten, a panel for each table and model."""
    asked = [(name, text) for name, task in TASKS.items() for text in task.asked]
    names = list(PUBLISHED)[::-1]
    errors = [float(row[text]) for row in found for text in MEASURED[:2] if row[text]]
    low, high = min(errors) / 1.3, max(errors) * 1.3
    panels = []
    for index, (table, text) in enumerate(asked):
        known = {
            row["published"]: row for row in found if (row["table"], row["asked"]) == (table, text)
        }
        marks = [mark for at, name in enumerate(names) for mark in _row(known.get(name), at, low)]
        ticks = tuple(Tick(at, name) for at, name in enumerate(names))
        y = Axis("", -0.5, len(names) - 0.5, ticks=ticks)
        title = "relative error: half of the queries (dot), nine in ten (bar)" if index > 1 else ""
        panels.append(Panel(Axis(title, low, high, log=True), y, tuple(marks), f"{table}, {text}"))
    title = "Errors of queries by table, model and publication"
    shown = Picture(title, tuple(panels), columns=2, wide=1160, high=300, left=210)
    file.write_text(document(shown), encoding="utf-8")


def _row(row: Row | None, at: int, low: float) -> Iterator[Curve | Note]:
    """The two errors of a publication, or why there are none."""
    if row is None or not row[MEASURED[0]]:
        yield Note(low, at, "not measured" if row is None else "not reached")
        return
    median, most = (float(row[each]) for each in MEASURED[:2])
    hue = 2 if row["published"].startswith("generalized") else 9
    yield Curve((Dot(median, at), Dot(most, at)), hue, marker="none")
    yield Curve((Dot(median, at),), hue, "none")
    yield Curve((Dot(most, at),), hue, "none", "stroke")


@click.command()
@click.option("--measure", is_flag=True, help="Make the releases anew; minutes.")
def main(measure: bool) -> None:
    """Measure publications of Adult and a survey, found under SQLANON_DATA."""
    table = FIGURES / "publications.csv"
    if measure:
        made = list(rows())
        with table.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            writer.writeheader()
            writer.writerows(made)
    with table.open(newline="", encoding="utf-8") as file:
        found = list(csv.DictReader(file))
    draw(found, FIGURES / "publications.svg")
    write_table("appendix/experiments_publications.md", HEAD, SHOWN, lines(found))


if __name__ == "__main__":
    main()
