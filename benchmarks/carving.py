"""`python -m benchmarks.carving`: what carving loses, where it is not simple.

By an ordered distance, by two attributes, and where l asks for rare values: CPU seconds of a whole
run, each in a process of its own, on two threads, and the loss that it found. P1 to P4 and the rare
values are tasks on the 30,162 complete records of Adult; the survey is the first 60,000 records of
BRFSS 2020. Both lie under SQLANON_DATA. --chart measures P1 and P2 at several t instead, with and
without carving, into docs/figures/carving.csv, and draws it.
"""

from __future__ import annotations

import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import click
import duckdb

import sqlanon
from benchmarks.adult import FIGURES, quasi_identifiers
from sqlanon.methods.cut.split_or_deal.attempts import Attempts
from sqlanon.pages.charts.picture import Axis, Curve, Dot, Marker, Panel, Picture, Stroke
from sqlanon.pages.charts.svg import document

HIDDEN = ("sex", "race", "marital-status", "workclass", "native-country", "education")
RARE = ("sex", "age", "education", "salary-class")
SURVEY = ("Sex", "AgeCategory", "Race", "Smoking", "Diabetic", "PhysicalActivity", "DiffWalking")


def age(t: str, **more: int) -> dict[str, Any]:
    """The age as an ordered attribute."""
    return {"age": {"distance": "ordered", "t": t, **more}}


CASES: dict[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "P1, age ordered .1": ((*HIDDEN, "salary-class"), age("0.1")),
    "P1, age ordered .05": ((*HIDDEN, "salary-class"), age("0.05")),
    "P2, occupation and salary-class .2 each": (
        (*HIDDEN, "age"),
        {"occupation": {"t": "0.2"}, "salary-class": {"t": "0.2"}},
    ),
    "P4, occupation .2, age ordered .1": (
        (*HIDDEN, "salary-class"),
        {"occupation": {"t": "0.2"}, **age("0.1")},
    ),
    "P4l, occupation l = 3, age ordered .1 and l = 3": (
        (*HIDDEN, "salary-class"),
        {"occupation": {"l": 3}, **age("0.1", l=3)},
    ),
    "rare values, race l = 3": ((*RARE, "marital-status"), {"race": {"l": 3}}),
    "rare values, race l = 3 and .05": ((*RARE, "marital-status"), {"race": {"l": 3, "t": "0.05"}}),
    "rare values, native country l = 3": ((*RARE, "race"), {"native-country": {"l": 3}}),
    "survey, general health ordered .05": (
        SURVEY,
        {
            "GenHealth": {
                "distance": "ordered",
                "order": ["Excellent", "Very good", "Good", "Fair", "Poor"],
                "t": "0.05",
            }
        },
    ),
}


def declared(case: str) -> dict[str, Any]:
    """The spec of a case, with k = 5."""
    columns, sensitive = CASES[case]
    data = Path(os.environ["SQLANON_DATA"])
    if columns == SURVEY:
        file = data / "parquet" / "brfss2020_heart.parquet"
        age_group = "cast(left(replace(\"AgeCategory\", '80 or older', '80'), 2) as integer)"
        query = (
            f'select * replace ({age_group} as "AgeCategory") '
            f"from read_parquet('{file}') limit 60000"
        )
        source: dict[str, Any] = {"query": query}
        return {
            "source": source,
            "quasi_identifiers": list(columns),
            "sensitive": sensitive,
            "privacy": {"k": 5},
        }
    return {
        "source": str(data / "csv" / "arx_adult.csv"),
        "quasi_identifiers": quasi_identifiers(columns),
        "sensitive": sensitive,
        "privacy": {"k": 5},
    }


def cost(declared: dict[str, Any], effort: str) -> tuple[float, float]:
    """The CPU seconds of a run, and its GCP."""
    method = {"name": "split_or_deal", "effort": effort}
    with duckdb.connect() as connection:
        before = process_time()
        made = sqlanon.anonymize(
            **declared,
            release="public",
            method=method,
            seed=7,
            connection=connection,
            settings={"threads": 2},
        )
        taken, loss = process_time() - before, made.measure("gcp")
        assert loss is not None
        made.close()
    return taken, loss


# A panel of the chart: its case, each t that is asked of every attribute, and what the best other
# program measured loses there, a suppressed record counted as lost (runs that are not kept here).
PANELS = {
    "P1, age ordered .1": (("0.2", "0.15", "0.1", "0.05"), {"0.1": 0.165, "0.05": 0.301}),
    "P2, occupation and salary-class .2 each": (("0.3", "0.25", "0.2", "0.1"), {"0.2": 0.494}),
}
CARVED, TREE = "carved, then cut", "cut alone"


def measured() -> Iterator[dict[str, str]]:
    """The points of the chart."""
    for case, (thresholds, _) in PANELS.items():
        for t in thresholds:
            spec = declared(case)
            spec["sensitive"] = {
                name: {**value, "t": t} for name, value in spec["sensitive"].items()
            }
            for way in (CARVED, TREE):
                carving = (
                    nullcontext() if way == CARVED else patch.object(Attempts, "_carved", _none)
                )
                with carving:
                    taken, loss = cost(spec, "normal")
                click.echo(f"{case}, t = {t}, {way}: {loss:.4f} in {taken:.0f} CPU s")
                yield {"case": case[:2], "t": t, "way": way, "gcp": f"{loss:.4f}"}


def _none(*_: object) -> tuple[()]:
    return ()


def draw(points: list[dict[str, str]], file: Path) -> None:
    """GCP over t, a panel for each case."""
    titles = {"P1": "P1: age, ordered", "P2": "P2: occupation and salary class"}
    panels = []
    for case, (_, peers) in PANELS.items():
        known = tuple(Dot(float(t), loss) for t, loss in peers.items())
        curves = [Curve(known, 1, "none", "cross", "best peer measured")]
        looks: tuple[tuple[str, Stroke, Marker, int], ...] = (
            (TREE, "dotted", "square", 8),
            (CARVED, "solid", "circle", 2),
        )
        for way, stroke, marker, hue in looks:
            rows = [point for point in points if (point["case"], point["way"]) == (case[:2], way)]
            dots = tuple(Dot(float(row["t"]), float(row["gcp"])) for row in rows)
            curves.append(Curve(dots, hue, stroke, marker, way))
        most = max(dot.x for curve in curves for dot in curve.dots)
        x = Axis("t asked of each attribute", 0, most * 1.05)
        y = Axis("information loss (GCP)", 0, 0.8)
        panels.append(Panel(x, y, tuple(curves), titles[case[:2]]))
    title = "Information loss over t with an ordered and with two sensitive attributes"
    shown = Picture(title, tuple(panels), columns=2, wide=820, high=320, legend=3)
    file.write_text(document(shown), encoding="utf-8")


def chart() -> None:
    """Measure, and draw."""
    points = list(measured())
    with (FIGURES / "carving.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(points[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows(points)
    draw(points, FIGURES / "carving.svg")


@click.command()
@click.option("--chart", "drawn", is_flag=True, help="Measure and draw the chart instead.")
@click.option("--effort", default="normal", show_default=True, help="quick, normal or best.")
@click.option("--case", "cases", multiple=True, type=click.Choice(list(CASES)), help="Only these.")
@click.option("--alone", is_flag=True, hidden=True)
def main(drawn: bool, effort: str, cases: tuple[str, ...], alone: bool) -> None:
    """Print a table of what these cases lose."""
    if drawn:
        chart()
        return
    if alone:
        click.echo(json.dumps(cost(declared(cases[0]), effort)))
        return
    click.echo(f"| effort: {effort} | CPU s | GCP |\n|---|---:|---:|")
    for case in cases or CASES:
        again = [sys.executable, "-m", "benchmarks.carving", "--alone", "--effort", effort]
        shown = subprocess.run([*again, "--case", case], capture_output=True, text=True, check=True)
        taken, loss = json.loads(shown.stdout)
        click.echo(f"| {case} | {taken:.1f} | {loss:.4f} |")


if __name__ == "__main__":
    main()
