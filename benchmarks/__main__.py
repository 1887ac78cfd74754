"""`python -m benchmarks`: make tables, run, and print ratios to the floor."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict
from pathlib import Path
from statistics import median
from typing import Any

import click
from rich.console import Console
from rich.table import Table

from benchmarks.data import Shape, adult_roles, make, make_adult, roles
from benchmarks.runs import Taken, Task, alone, check, floor, release

METHODS: dict[str, dict[str, Any]] = {
    "stack_and_deal": {"name": "stack_and_deal"},
    "curve": {"name": "stack_and_deal", "locality": "curve"},
    "stripes": {"name": "stack_and_deal", "locality": "stripes"},
    "split_or_deal": {"name": "split_or_deal"},
}


@click.command()
@click.option("--rows", default="1e6", show_default=True, help="Sizes, such as 1e6,1e7.")
@click.option("--method", "methods", default="stack_and_deal", show_default=True, help="A list.")
@click.option("--adult", is_flag=True, help="Adult's records with jitter; see SQLANON_DATA.")
@click.option("--t", type=float, help="The greatest distance of a class, for split_or_deal.")
@click.option("--k", default=10, show_default=True)
@click.option("--values", default=15, show_default=True, help="How many sensitive values.")
@click.option("--zips", default=8000, show_default=True, help="How many postal codes.")
@click.option("--skew", default=2.0, show_default=True)
@click.option("--nulls", default=0, show_default=True, help="One in so many has no postal code.")
@click.option("--rounds", default=3, show_default=True)
@click.option("--memory-limit", default="4GB", show_default=True)
@click.option("--threads", type=int)
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write the figures here too.")
def main(
    rows: str,
    methods: str,
    adult: bool,
    t: float | None,
    k: int,
    values: int,
    zips: int,
    skew: float,
    nulls: int,
    rounds: int,
    memory_limit: str,
    threads: int | None,
    file: Path | None,
) -> None:
    """Run methods on seeded tables, interleaved with the floor, and show medians.

    The floor is CREATE TABLE AS … ORDER BY of the same table in the same file. Other work on the
    machine slows all of them alike, so only the ratios mean anything.
    """
    settings: dict[str, str | int] = {"memory_limit": memory_limit}
    if threads is not None:
        settings["threads"] = threads
    found: list[dict[str, Any]] = []
    for size in rows.split(","):
        shape = Shape(int(float(size)), zips, values, skew, nulls)
        with tempfile.TemporaryDirectory() as folder:
            database = Path(folder) / "persons.duckdb"
            if adult:
                make_adult(shape.rows, database)
            else:
                make(shape, database)
            for name in methods.split(","):
                asked = t if name == "split_or_deal" else None
                declared = adult_roles(k, asked) if adult else roles(k, asked)
                task = Task(database, declared, METHODS[name], settings)
                taken = _rounds(task, rounds)
                _show(shape, name, taken)
                found.append(
                    {
                        "shape": asdict(shape),
                        "method": name,
                        "k": k,
                        **{what: [asdict(one) for one in runs] for what, runs in taken.items()},
                    }
                )
    if file is not None:
        file.write_text(json.dumps(found, indent=2), encoding="utf-8")


def _rounds(task: Task, rounds: int) -> dict[str, list[Taken]]:
    taken: dict[str, list[Taken]] = {"floor": [], "release": [], "check": []}
    for _ in range(rounds):
        taken["floor"].append(alone(floor, task))
        taken["release"].append(alone(release, task))
        taken["check"].append(alone(check, task))
    return taken


def _show(shape: Shape, method: str, taken: dict[str, list[Taken]]) -> None:
    base = median(one.seconds for one in taken["floor"])
    table = Table(title=f"{shape.rows:,} rows, {method}", title_justify="left")
    for name in ("", "seconds", "ratio to floor", "rows/s", "peak MB"):
        table.add_column(name, justify="right" if name else "left")

    def row(name: str, seconds: float, peak: float | None) -> None:
        speed = f"{shape.rows / seconds:,.0f}" if seconds else ""
        table.add_row(
            name,
            f"{seconds:.2f}",
            f"{seconds / base:.2f}",
            speed,
            "" if peak is None else f"{peak:,.0f}",
        )

    for what, runs in taken.items():
        row(what, median(one.seconds for one in runs), max(one.peak for one in runs))
        for stage in runs[0].stages:
            row(f"  {stage}", median(one.stages[stage] for one in runs), None)
    outcome = ", ".join(
        f"{name} {value:.4g}" for name, value in taken["release"][0].outcome.items()
    )
    console = Console(width=100)
    console.print(table)
    console.print(f"reached: {outcome}\n", highlight=False)


if __name__ == "__main__":
    main()
