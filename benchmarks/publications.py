"""`python -m benchmarks.publications`: a reader's queries, by how the same classes are published.

Adult, age, sex, race and education, occupation as the sensitive attribute; the same models asked of
every publication. The table of docs/methods.md is written anew.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click
import duckdb

import sqlanon
from benchmarks.adult import quasi_identifiers
from benchmarks.attacks import HIDDEN, SENSITIVE, adult
from benchmarks.pages import write_table
from sqlanon.release.useful import Utility

HEAD = "| published | asked |"
GROUP = 10
SEARCHED = "split_or_deal"
DEALT = {"name": "stack_and_deal", "locality": "curve"}
ASKED: dict[str, dict[str, Any]] = {"l = 4": {"l": 4}, "t = 0.3": {"t": "0.3"}}
SLICES = [["age", "sex"], ["race", "education"], [SENSITIVE]]
# How classes are published, and by which method they are formed.
PUBLISHED: dict[str, dict[str, Any]] = {
    "generalized, Split-or-Deal": {"method": SEARCHED},
    "generalized, Mondrian": {"method": "mondrian"},
    "generalized, Stack & Deal": {"method": DEALT},
    "anatomy, Split-or-Deal": {"method": SEARCHED, "publish": "anatomy"},
    "anatomy, Stack & Deal": {"method": DEALT, "publish": "anatomy"},
    "permuted, Split-or-Deal": {"method": SEARCHED, "publish": "permuted"},
    "sliced, Split-or-Deal": {"method": SEARCHED, "publish": "sliced"},
}
SHOWN = ("half of the queries", "nine in ten", "pairs", "predicted")
FIGURES = ("query_error", "query_error_nine_tenths", "pair_variation", "classifier_accuracy")


def measured(name: str, asked: str, connection: duckdb.DuckDBPyConnection) -> Utility | None:
    """One release beside its source; None where the method cannot reach what is asked."""
    published = dict(PUBLISHED[name])
    publish = published.pop("publish", None)
    fields: dict[str, Any] = {
        "source": {"table": "adult"},
        "release": "public",
        "quasi_identifiers": quasi_identifiers(HIDDEN),
        "sensitive": {SENSITIVE: ASKED[asked]},
        "privacy": {"k": GROUP},
        "seed": 1,
        **published,
    }
    if publish is not None:
        fields["quasi_identifiers"] = list(HIDDEN)
        fields["privacy"] = {"k": 1}
        fields["publish"] = {"name": publish, "group": GROUP}
        if publish == "sliced":
            fields["publish"] |= {"columns": SLICES}
    try:
        sqlanon.anonymize(sqlanon.parse_spec(fields), connection=connection)
    except sqlanon.InfeasibleError:
        return None
    return sqlanon.utility("public", connection=connection, source="adult")


def row(name: str, asked: str, found: Utility | None) -> str:
    """A line of the table."""
    means = [None if found is None else found.mean(one) for one in FIGURES]
    cells = ["not reached" if one is None else f"{one:.1%}" for one in means]
    return f"| {name} | {asked} | {' | '.join(cells)} |"


def rows() -> Iterator[str]:
    """The table's lines."""
    with duckdb.connect() as connection:
        adult(connection)
        for asked in ASKED:
            for name in PUBLISHED:
                line = row(name, asked, measured(name, asked, connection))
                click.echo(line)
                yield line


@click.command()
def main() -> None:
    """Measure publications of Adult, found under SQLANON_DATA."""
    write_table("methods.md", HEAD, SHOWN, rows())


if __name__ == "__main__":
    main()
