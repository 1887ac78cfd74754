"""`python -m benchmarks.carving`: what carving gains by an ordered distance, and by two attributes.

CPU seconds of a whole run, each in a process of its own, on two threads, and the loss that it
found. P1 to P4 are tasks on the 30,162 complete records of Adult; the survey is the first 60,000
records of BRFSS 2020. Both lie under SQLANON_DATA.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from time import process_time
from typing import Any

import click
import duckdb

import sqlanon
from benchmarks.adult import quasi_identifiers

HIDDEN = ("sex", "race", "marital-status", "workclass", "native-country", "education")
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
    hidden, sensitive = CASES[case]
    data = Path(os.environ["SQLANON_DATA"])
    if hidden == SURVEY:
        file = data / "parquet" / "brfss2020_heart.parquet"
        age_group = "cast(left(replace(\"AgeCategory\", '80 or older', '80'), 2) as integer)"
        query = (
            f'select * replace ({age_group} as "AgeCategory") '
            f"from read_parquet('{file}') limit 60000"
        )
        source: dict[str, Any] = {"query": query}
        return {
            "source": source,
            "quasi_identifiers": list(hidden),
            "sensitive": sensitive,
            "privacy": {"k": 5},
        }
    return {
        "source": str(data / "csv" / "arx_adult.csv"),
        "quasi_identifiers": quasi_identifiers(hidden),
        "sensitive": sensitive,
        "privacy": {"k": 5},
    }


def cost(case: str, effort: str) -> tuple[float, float]:
    """The CPU seconds of a run, and its GCP."""
    method = {"name": "split_or_deal", "effort": effort}
    with duckdb.connect() as connection:
        before = process_time()
        made = sqlanon.anonymize(
            **declared(case),
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


@click.command()
@click.option("--effort", default="normal", show_default=True, help="quick, normal or best.")
@click.option("--case", "cases", multiple=True, type=click.Choice(list(CASES)), help="Only these.")
@click.option("--alone", is_flag=True, hidden=True)
def main(effort: str, cases: tuple[str, ...], alone: bool) -> None:
    """Print a table of what these cases lose."""
    if alone:
        click.echo(json.dumps(cost(cases[0], effort)))
        return
    click.echo(f"| effort: {effort} | CPU s | GCP |\n|---|---:|---:|")
    for case in cases or CASES:
        again = [sys.executable, "-m", "benchmarks.carving", "--alone", "--effort", effort]
        shown = subprocess.run([*again, "--case", case], capture_output=True, text=True, check=True)
        taken, loss = json.loads(shown.stdout)
        click.echo(f"| {case} | {taken:.1f} | {loss:.4f} |")


if __name__ == "__main__":
    main()
