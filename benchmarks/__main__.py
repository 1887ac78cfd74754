"""`python -m benchmarks`: make tables, run, and print ratios to the floor."""

from __future__ import annotations

import json
from pathlib import Path

import click

from benchmarks.cases import METHODS, Case, run, show
from benchmarks.data import Shape


@click.command()
@click.option("--rows", default="1e6", show_default=True, help="Sizes, such as 1e6,1e7.")
@click.option(
    "--method",
    "methods",
    default="stack_and_deal",
    show_default=True,
    help=f"A list of: {', '.join(METHODS)}.",
)
@click.option("--adult", is_flag=True, help="Adult's records with jitter; see SQLANON_DATA.")
@click.option("--t", type=float, help="The greatest distance of a class, for split_or_deal.")
@click.option("--distance", type=click.Choice(["equal", "ordered"]), default="equal")
@click.option(
    "--publish",
    type=click.Choice(["anatomy", "permuted", "sliced"]),
    help="Exact rows in groups of k in place of generalized cells.",
)
@click.option("--k", default=10, show_default=True)
@click.option("--values", default=15, show_default=True, help="How many sensitive values.")
@click.option("--zips", default=8000, show_default=True, help="How many postal codes.")
@click.option("--skew", default=2.0, show_default=True)
@click.option("--nulls", default=0, show_default=True, help="One in so many has no postal code.")
@click.option("--correlation", default=0, show_default=True, help="Of age and disease, percent.")
@click.option("--rounds", default=3, show_default=True)
@click.option("--memory-limit", default="4GB", show_default=True)
@click.option("--threads", type=int)
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write the figures here too.")
def main(
    rows: str,
    methods: str,
    adult: bool,
    t: float | None,
    distance: str,
    publish: str | None,
    k: int,
    values: int,
    zips: int,
    skew: float,
    nulls: int,
    correlation: int,
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
    found = []
    for size in rows.split(","):
        shape = Shape(int(float(size)), zips, values, skew, nulls, correlation)
        for name in methods.split(","):
            asked = t if name == "split_or_deal" else None
            outcome = run(Case(shape, name, k, asked, distance, adult, rounds, publish), settings)
            show(outcome)
            found.append(outcome.to_dict())
    if file is not None:
        file.write_text(json.dumps(found, indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
