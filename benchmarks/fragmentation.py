"""`python -m benchmarks.fragmentation`: how many classes each method makes at the same t.

Tables with several ordered sensitive attributes, found under SQLANON_DATA. Stack & Deal knows no t:
it is dealt into fewer and fewer classes until it meets them.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

import sqlanon

K = 5


@dataclass(frozen=True)
class Case:
    """A table: its file, its quasi-identifiers, and a t for each sensitive attribute."""

    name: str
    file: str
    columns: tuple[str, ...]
    t: dict[str, str]


HEART = ("age", "sex", "cp", "dataset")
CASES = (
    Case("heart, 2 values", "heart_uci_920", HEART, {"trestbps": "0.15", "chol": "0.25"}),
    Case(
        "heart, 6 values",
        "heart_uci_920",
        HEART,
        dict.fromkeys(("trestbps", "chol", "thalch", "oldpeak", "ca", "num"), "0.25"),
    ),
    Case(
        "NHIS 2003, 2 values",
        "nhis2003",
        ("sex", "age.grp", "hisp", "race", "educ", "parents"),
        {"inc.grp": "0.15", "doing.lw": "0.25"},
    ),
    Case(
        "households, 3 values",
        "sdcmicro_testdata",
        ("urbrur", "roof", "walls", "water", "electcon", "relat", "sex", "age"),
        dict.fromkeys(("expend", "income", "savings"), "0.2"),
    ),
)
METHODS: dict[str, dict[str, Any]] = {
    "fragmentation, sizing: gcd": {"name": "fragmentation", "sizing": "gcd"},
    "fragmentation": {"name": "fragmentation"},
    "Stack & Deal along a curve": {"name": "stack_and_deal", "locality": "curve"},
    "Split-or-Deal": {"name": "split_or_deal"},
}


@dataclass(frozen=True)
class Figure:
    """What a release reached."""

    records: int
    formed: int
    classes: int
    gcp: float
    t: tuple[float, ...]
    seconds: float


def release(case: Case, method: dict[str, Any], k: int) -> Figure:
    """Make a release of a table in memory, and measure it."""
    started = time.perf_counter()
    with sqlanon.anonymize(
        Path(os.environ["SQLANON_DATA"]) / "parquet" / f"{case.file}.parquet",
        quasi_identifiers=list(case.columns),
        sensitive={name: {"distance": "ordered", "t": t} for name, t in case.t.items()},
        k=k,
        method=method,
    ) as made:
        seconds = time.perf_counter() - started
        formed = f"select value from {made.run.sql} where item = 'classes_formed'"
        return Figure(
            int(made.measure("records") or 0),
            int(made.engine.fetch(formed, 1).rows[0][0]),
            int(made.measure("classes") or 0),
            made.measure("gcp") or 0.0,
            tuple(made.measure("t_closeness", name) or 0.0 for name in case.t),
            seconds,
        )


def fewer(case: Case, method: dict[str, Any], records: int) -> Figure:
    """The first release that is close enough, by ever fewer classes."""
    classes = records // K
    while True:
        try:
            return release(case, method, records // classes)
        except sqlanon.InfeasibleError:
            classes = min(classes - 1, classes * 15 // 16)


@click.command()
@click.option("--case", "wanted", help="One table alone, by the start of its name.")
def main(wanted: str | None) -> None:
    """Print a row for each table and method."""
    click.echo("| table | method | classes | published | of n / k | GCP | t reached | seconds |")
    click.echo("|---|---|---|---|---|---|---|---|")
    for case in CASES:
        if wanted and not case.name.startswith(wanted):
            continue
        records = 0
        for name, method in METHODS.items():
            if method["name"] == "stack_and_deal":
                found = fewer(case, method, records)
            else:
                found = release(case, method, K)
            records = found.records
            t = ", ".join(f"{number:.3f}" for number in found.t)
            click.echo(
                f"| {case.name} | {name} | {found.formed:,} | {found.classes:,} | "
                f"{records // K:,} | {found.gcp:.3f} | {t} | {found.seconds:.1f} |"
            )


if __name__ == "__main__":
    main()
