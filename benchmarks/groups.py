"""`python -m benchmarks.groups`: classes of alike background, on all of Adult.

Amiri et al. (2023), tables 3 to 5 and figures 1 to 3: the 45,222 complete records of both files of
Adult, with the quasi-identifiers age, sex and education and the income as the sensitive attribute.
The paper does not publish its background, which is estimated here by all three with smoothing 1.
The classes are counted as they were formed, as in the paper, and as a reader sees them. The third
method stands for k-primacy, of which the paper names no steps. The data is found under
SQLANON_DATA. The figures are kept in docs/figures/groups.csv, and drawn from there.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click
import duckdb

import sqlanon
from benchmarks.adult import quasi_identifiers
from sqlanon.pages.charts.picture import Axis, Curve, Dot, Marker, Panel, Picture, Stroke
from sqlanon.pages.charts.svg import document

KNOWN, SENSITIVE = ("age", "sex", "education"), "income"
PLACES = {"age": 0, "education": 3, "sex": 9, SENSITIVE: 14}  # in a line of the files
METHODS: dict[str, dict[str, Any]] = {
    "UHRA": {"name": "uhra"},
    "BKA-JS": {"name": "uhra", "scope": "table", "order": "curve", "rounds": 0},
    "k-primacy": {"name": "microaggregation"},
}
FIGURES = Path(__file__).parents[1] / "docs" / "figures"
KEPT, CHART = FIGURES / "groups.csv", FIGURES / "groups.svg"
Asked = tuple[str, str, str, str]  # method, k, J and t, as they are kept
Figures = Mapping[str, float]
RISK = "record_linkage"
METRICS = ("least_formed_class", "mean_formed_class", "k_anonymity", "gcp", RISK)
# Table, k, J, t and the least and mean size that the paper prints of each method.
PRINTED: tuple[tuple[int, str, str, str, tuple[str, str, str]], ...] = (
    (3, "3", "0.8", "0.5", ("3 / 8", "3 / 8.8", "3 / 8")),
    (3, "5", "0.8", "0.5", ("5 / 9", "5 / 13", "5 / 11")),
    (3, "10", "0.8", "0.5", ("10 / 11", "10 / 14", "10 / 11")),
    (3, "15", "0.8", "0.5", ("15 / 17", "15 / 20", "15 / 18")),
    (3, "20", "0.8", "0.5", ("20 / 23", "20 / 25", "20 / 24")),
    (4, "5", "0.2", "0.5", ("5 / 9", "5 / 11", "5 / 10")),
    (4, "5", "0.3", "0.5", ("5 / 9", "5 / 11.8", "5 / 11")),
    (4, "5", "0.4", "0.5", ("5 / 10", "5 / 13", "5 / 12")),
    (4, "5", "0.5", "0.5", ("5 / 11", "5 / 13", "5 / 12")),
    (4, "5", "0.6", "0.5", ("5 / 10", "5 / 13", "5 / 12")),
    (5, "5", "0.8", "0.5", ("5 / 9", "5 / 13", "5 / 11")),
    (5, "5", "0.8", "0.6", ("5 / 10", "5 / 13", "5 / 12")),
    (5, "5", "0.8", "0.7", ("5 / 11", "5 / 15", "5 / 12")),
    (5, "5", "0.8", "0.8", ("5 / 11", "5 / 17", "5 / 12.8")),
)
# What a panel shows: a figure, and the table whose settings it goes along.
MAPS = (("Figure 1: over k", 3), ("Figure 2: over J", 4), ("Figure 3: over t", 5))
LOOKS: dict[str, tuple[int, Stroke, Marker]] = {
    "UHRA": (0, "solid", "circle"),
    "BKA-JS": (1, "dashed", "square"),
    "k-primacy": (2, "solid", "diamond"),
}


def complete(every: int) -> list[tuple[str, ...]]:
    """The records without a question mark, of both files, or one in so many of them."""
    folder, found = Path(os.environ["SQLANON_DATA"]) / "csv", []
    for name in ("adult.data", "adult.test"):
        for line in (folder / name).read_text(encoding="utf-8").splitlines():
            values = [text.strip().rstrip(".") for text in line.split(",")]
            if len(values) > max(PLACES.values()) and "?" not in values:
                found.append(tuple(values[place] for place in PLACES.values()))
    return found[::every]


def reached(
    rows: list[tuple[str, ...]], k: int, j: str, t: str, method: dict[str, Any]
) -> dict[str, float]:
    """The sizes of the classes of a method, its loss and risk, and the records it leaves out."""
    with duckdb.connect(config={"threads": 1}) as connection:
        listed = ", ".join(
            f'unnest(${n}::varchar[]) as "{text}"' for n, text in enumerate(PLACES, 1)
        )
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
            metrics=["least_formed_class", "mean_formed_class", "record_linkage"],
            seed=1,
        ) as release:
            found = {name: release.measure(name) or 0.0 for name in METRICS}
            counting = "select (select count(*) from out__classes), count(*) from out"
            ((size, shown),) = connection.execute(counting).fetchall()
    return {**found, "mean": shown / size, "left_out": len(rows) - shown}


def settings(methods: list[str]) -> Iterator[Asked]:
    """Each method with each k, J and t of the tables, once."""
    for name in methods:
        yield from dict.fromkeys((name, k, j, t) for _, k, j, t, _ in PRINTED)


def kept() -> dict[Asked, Figures]:
    """The figures that are kept, of some settings perhaps without a risk."""
    with KEPT.open(newline="", encoding="utf-8") as file:
        return {
            (entry.pop("method"), entry.pop("k"), entry.pop("J"), entry.pop("t")): {
                name: float(value) for name, value in entry.items() if value
            }
            for entry in csv.DictReader(file)
        }


def keep(found: Mapping[Asked, Figures]) -> None:
    """Keep the figures, in the order of the tables."""
    rows = [
        {**dict(zip(("method", "k", "J", "t"), one, strict=True)), **_short(found[one])}
        for one in settings(list(METHODS))
        if one in found
    ]
    with KEPT.open("w", newline="", encoding="utf-8") as file:
        written = csv.DictWriter(file, max(rows, key=len), lineterminator="\n")
        written.writeheader()
        written.writerows(rows)


def _short(figures: Figures) -> dict[str, str]:
    return {name: f"{value:.6g}" for name, value in figures.items()}


def table(found: Mapping[Asked, Figures], methods: list[str]) -> Iterator[str]:
    """A row for each setting of the tables: of each method the printed sizes, and those here."""
    yield f"| table | k | J | t | {' | '.join(f'{text}: printed | here' for text in methods)} |"
    yield "|---:|---:|---:|---:|" + "---|---|" * len(methods)
    for number, k, j, t, printed in PRINTED:
        cells = []
        for name, sizes in zip(METHODS, printed, strict=True):
            if name in methods:
                one = found.get((name, k, j, t))
                cells += [sizes, "not run" if one is None else _sizes(one)]
        yield f"| {number} | {k} | {j} | {t} | {' | '.join(cells)} |"


def _sizes(figures: Figures) -> str:
    return f"{figures['least_formed_class']:.0f} / {figures['mean_formed_class']:.1f}"


def draw(found: Mapping[Asked, Figures], file: Path) -> None:
    """Draw the maps of risk and utility, record linkage over the loss, where both are kept."""
    panels: list[Panel] = []
    for title, number in MAPS:
        asked = [(k, j, t) for of, k, j, t, _ in PRINTED if of == number]
        curves = []
        for name, looks in LOOKS.items():
            ones = [(one, found.get((name, *one), {})) for one in asked]
            dots = tuple(
                Dot(entry["gcp"], entry[RISK], f"{name}, k = {k}, J = {j}, t = {t}")
                for (k, j, t), entry in ones
                if RISK in entry
            )
            curves.append(Curve(dots, *looks, "" if panels else name))
        every = [dot for curve in curves for dot in curve.dots]
        across, up = max(dot.x for dot in every) * 1.05, max(dot.y for dot in every) * 1.05
        panels.append(Panel(Axis("GCP", 0, across), Axis("RL", 0, up), tuple(curves), title))
    described = "Each dot is a setting of Amiri et al. (2023), tables 3 to 5, on all of Adult."
    picture = Picture("Maps of risk and utility", tuple(panels), described, columns=1, high=190)
    file.write_text(document(picture), encoding="utf-8")


@click.command()
@click.option("--every", default=1, help="Take one record in so many.")
@click.option("--method", "methods", multiple=True, type=click.Choice(list(METHODS)))
@click.option("--keep", "keeps", is_flag=True, help="Measure what is not kept, keep and draw it.")
def main(every: int, methods: tuple[str, ...], keeps: bool) -> None:
    """Print a row for each setting of the tables, with each method."""
    if keeps and every > 1:
        raise click.UsageError("figures of all records are kept: leave --every out, or --keep")
    named, rows = list(methods or METHODS), complete(every)
    found = kept() if keeps else {}
    for one in settings(named):
        if RISK not in found.get(one, ()):
            name, k, j, t = one
            found[one] = reached(rows, int(k), j, t, METHODS[name])
            click.echo(", ".join(one), err=True)
            if keeps:
                keep(found)
    for row in table(found, named):
        click.echo(row)
    if keeps:
        draw(found, CHART)


if __name__ == "__main__":
    main()
