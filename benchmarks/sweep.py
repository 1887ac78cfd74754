"""`python -m benchmarks.sweep`: the risk-utility map of Adult, as a table and a chart.

Age, sex and education of the 30,162 complete records of the Adult census data with ARX's
hierarchies, found under SQLANON_DATA; the salary class is sensitive. The file of figures is drawn
from as it is; measure anew with --measure.
"""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import Any

import click

import sqlanon
from benchmarks.adult import FIGURES, TASKS
from sqlanon.pages.charts.chart import Line, Map, Point

LEVELS = ("0.25", "0.2", "0.15", "0.1", "0.05")
DEALING = (
    "stack_and_deal, {name: stack_and_deal, locality: curve}, "
    "{name: stack_and_deal, locality: stripes}"
)
# What is tried: dealing costs a fraction of a second for each k, a search several seconds.
GRIDS: tuple[dict[str, Any], ...] = (
    {"methods": DEALING, "k": "2-50", "t": LEVELS},
    {"methods": "split_or_deal", "k": "2-50", "t": LEVELS},
)
COLUMNS = ("line", "method", "k", "x", "y", "holds")


def measured() -> Map:
    """The map of every grid, in one."""
    data = Path(os.environ["SQLANON_DATA"])
    hidden, sensitive = TASKS["B"]
    files = {text: str(data / "hierarchies" / f"arx_adult_hierarchy_{text}.csv") for text in hidden}
    maps = []
    for grid in GRIDS:
        with sqlanon.sweep(
            data / "csv" / "arx_adult.csv",
            quasi_identifiers={
                text: {} if text == "age" else {"hierarchy": file} for text, file in files.items()
            },
            sensitive=[sensitive],
            settings={"memory_limit": "2GB"},
            **grid,
        ) as found:
            click.echo(f"{len(found.trials)} combinations, {found.seconds:.1f} s")
            maps.append(found.map())
    return Map(maps[0].x, maps[0].y, tuple(line for one in maps for line in one.series))


def write(shown: Map, file: Path) -> None:
    """A row for each point."""
    with file.open("w", newline="", encoding="utf-8") as text:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(COLUMNS)
        for number, line in enumerate(shown.series, 1):
            for point in line.points:
                y = round(point.y, 6)
                writer.writerow(
                    [number, point.method, point.k, round(point.x, 6), y, int(point.holds)]
                )


def read(file: Path) -> Map:
    """The map that was written."""
    lines: dict[str, list[Point]] = {}
    with file.open(newline="", encoding="utf-8") as text:
        for row in csv.DictReader(text):
            place = float(row["x"]), float(row["y"])
            point = Point(row["method"], int(row["k"]), *place, row["holds"] == "1")
            lines.setdefault(row["line"], []).append(point)
    series = tuple(Line(points[0].method, tuple(points)) for points in lines.values())
    return Map("information loss (GCP)", "t reached", series)


@click.command()
@click.option("--measure", is_flag=True, help="Sweep anew; the search takes an hour.")
def main(measure: bool) -> None:
    """Draw docs/figures/sweep.svg from docs/figures/sweep.csv."""
    if measure:
        write(measured(), FIGURES / "sweep.csv")
    read(FIGURES / "sweep.csv").save(FIGURES / "sweep.svg")


if __name__ == "__main__":
    main()
