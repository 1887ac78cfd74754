"""`python -m benchmarks.series`: what a series costs beside a release that is looked at alone.

Three releases of persons with a record each: one alone, the first of a series, and one that follows
it with a fiftieth of the persons gone. They take turns with the floor, in one file; the table of
docs/performance.md is written anew.
"""

from __future__ import annotations

import re
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import click
import duckdb

import sqlanon
from benchmarks.data import Shape, make, roles
from benchmarks.runs import FLOOR

PAGE = Path(__file__).parents[1] / "docs" / "performance.md"
HEAD = "| a series costs |"
LATER = "select * from persons where id % 50 > 0"
# The relations that a step of a release makes, by what they are for.
PARTS: Mapping[str, str] = {
    "keeping who is in which class, and its values": "placed|members|values",
    "the hashes of what is kept": "content_members|content_values",
    "the hashes of what the earlier release kept": "content_earlier_.*",
    "who stays together": "earlier_.*",
    "the gate of the series": "series.*",
}


def part_of(relation: str) -> str | None:
    """For which part of a series a step is."""
    name = relation.removeprefix("sqlanon_").rpartition("__")[2]
    found = (part for part, those in PARTS.items() if re.fullmatch(those, name))
    return next(found, None)


def made(connection: Any, release: str, **declared: Any) -> dict[str, float]:
    """The seconds of a release: of each part of a series, and of all of it."""
    follows = "after" in declared
    asked = roles(10 if follows else 20, None)
    begun = time.perf_counter()
    found = sqlanon.anonymize(
        {"query": LATER} if follows else {"table": "persons"},
        connection=connection,
        release=release,
        person="id",
        method={"name": "stack_and_deal", "locality": "curve"},
        seed=1,
        progress=False,
        **{**asked, "sensitive": {"disease": {"l": 3}}, **declared},
    )
    taken = {"all of it": time.perf_counter() - begun}
    for step in found.steps:
        part = part_of(str(step["relation"]))
        if part is not None:
            taken[part] = taken.get(part, 0) + float(step["seconds"])
    return taken


def measured(number: int, rounds: int) -> tuple[float, dict[str, list[dict[str, float]]]]:
    """The floor's median, and what each release took in every round."""
    kinds: dict[str, dict[str, Any]] = {
        "alone": {},
        "first": {"series": {}},
        "following": {"after": "first", "suppression": {"records": 0.5}},
    }
    taken: dict[str, list[dict[str, float]]] = {kind: [] for kind in kinds}
    floors: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "persons.duckdb"
        make(Shape(number), file)
        for _ in range(rounds):
            with duckdb.connect(str(file)) as connection:
                begun = time.perf_counter()
                connection.execute(FLOOR.format("disease"))
                floors.append(time.perf_counter() - begun)
                for kind, declared in kinds.items():
                    taken[kind].append(made(connection, kind, **declared))
                for kind in kinds:
                    names = connection.execute(
                        f"select table_name from duckdb_tables() where table_name like '{kind}%'"
                    ).fetchall()
                    for (name,) in names:
                        connection.execute(f'drop table "{name}"')
    return median(floors), taken


def table(floor: float, taken: Mapping[str, Sequence[Mapping[str, float]]]) -> Iterator[str]:
    """The table's lines: multiples of the floor."""
    yield f"{HEAD} {' | '.join(taken)} |"
    yield "|---|" + "---:|" * len(taken)
    for what in ("all of it", *PARTS):
        cells = []
        for rounds in taken.values():
            of = [entry[what] for entry in rounds if what in entry]
            cells.append(f"{median(of) / floor:.1f}" if of else "")
        yield f"| {what} | {' | '.join(cells)} |"


def write(lines: Sequence[str]) -> None:
    """Put the table into the page."""
    page = PAGE.read_text(encoding="utf-8").splitlines()
    start = next(at for at, line in enumerate(page) if line.startswith(HEAD))
    end = next(at for at in range(start, len(page)) if not page[at])
    page[start:end] = lines
    PAGE.write_text("\n".join(page) + "\n", encoding="utf-8")


@click.command()
@click.option("--rows", "number", type=float, default=1e6, show_default=True)
@click.option("--rounds", default=3, show_default=True)
@click.option("--dry", is_flag=True, help="Leave the page as it is.")
def main(number: float, rounds: int, dry: bool) -> None:
    """Time a series as multiples of the floor."""
    floor, taken = measured(int(number), rounds)
    lines = list(table(floor, taken))
    if not dry:
        write(lines)
    click.echo(f"{int(number):,} persons; floor {floor:.2f} s")
    for line in lines:
        click.echo(line)


if __name__ == "__main__":
    main()
