"""The utility of a release: what it is still good for."""

from __future__ import annotations

import re
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from sqlanon.cli.figures import show_utility
from sqlanon.cli.options import AS_JSON, Opening, held, of_any_table, opens_database, reading
from sqlanon.cli.output import echo_object
from sqlanon.uses.utilities.useful import Utility
from sqlanon.uses.utilities.utility import QUERIES


def utility_object(found: Utility) -> dict[str, Any]:
    """The utility of a release, for programs."""
    return {
        "release": found.release,
        "records": found.records,
        "source_records": found.source_records,
        "findings": [finding.as_object() for finding in found.findings],
        "queries": found.queries,
        "seed": found.seed,
        "answers": [asdict(answer) for answer in found.answers],
        "notes": dict(found.notes),
    }


@click.command()
@click.argument("release")
@click.option("--source", metavar="TABLE", help="The source; by default the one that the run read.")
@click.option(
    "--queries",
    metavar="N|FILE",
    default=str(QUERIES),
    show_default=True,
    help="How many COUNT queries are drawn and asked of both; or a YAML file of your own queries.",
)
@of_any_table
@click.option("--seed", type=int, default=1, show_default=True, help="Seed of the drawn queries.")
@opens_database()
@AS_JSON
@reading("release", "source")
def utility(
    release: str,
    source: str | None,
    queries: str,
    spec: Path | None,
    qi: list[str] | None,
    sensitive: list[str] | None,
    seed: int,
    opening: Opening,
    as_json: bool,
) -> None:
    """Measure how well RELEASE answers questions, compared with its source.

    RELEASE is the name of a release that a run made, or with --spec or --qi any table or file. The
    figures are of the distributions of columns and pairs, means by group, correlations, and COUNT
    queries. Each says how the release was read. --queries FILE.yaml adds your own queries. Nothing
    is written.
    """
    database = held(release, opening.database, of_run=spec is None and qi is None)
    with opening.open(database) as db:
        found = db.utility(
            release,
            source=source,
            queries=int(queries) if re.fullmatch("-?[0-9]{1,18}", queries) else queries,
            seed=seed,
            spec=spec,
            quasi_identifiers=qi,
            sensitive=sensitive,
        )
    if as_json:
        echo_object(utility_object(found))
    else:
        show_utility(found)
