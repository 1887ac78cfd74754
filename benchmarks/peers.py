"""`python -m benchmarks.peers`: other programs on the same tables, with a time limit.

pycanon measures what Stack & Deal published, beside `check`; anonypy and anjana anonymize the
table. They are installed into an environment of their own, which is made if it is not there.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import click
import duckdb

import sqlanon
from benchmarks.data import Shape, make, roles

PROGRAMS = Path(__file__).with_name("peer_programs.py")
PACKAGES = ("pycanon", "anonypy", "anjana", "pyarrow")
MEASURES = {"k": "k_anonymity", "l": "distinct_l", "t": "t_closeness"}


@dataclass(frozen=True)
class Peer:
    """What a program took on a table.

    Attributes:
        program: its name; ``sqlanon check`` and ``sqlanon run`` are ours.
        rows: of the table.
        seconds: without reading the table, but with it for ours; None past the limit.
        found: k, l and t, of programs that measure.
    """

    program: str
    rows: int
    seconds: float | None
    found: dict[str, float]


def measured(rows: int, environment: Path, limit: float, anonymizing: bool) -> list[Peer]:
    """Every program on a table of so many rows."""
    python = _environment(environment)
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "persons.duckdb"
        make(Shape(rows), database)
        started = time.perf_counter()
        sqlanon.anonymize(
            {"table": "persons"},
            release="published",
            database=database,
            identifiers=["id"],
            method={"name": "stack_and_deal", "locality": "stripes"},
            **roles(10, None),
        ).close()
        found = [Peer("sqlanon run", rows, time.perf_counter() - started, {})]
        published, persons = (Path(folder) / f"{name}.parquet" for name in ("published", "persons"))
        with duckdb.connect(str(database)) as connection:
            connection.execute(f"copy published to '{published}'")
            connection.execute(f"copy (select * exclude (id) from persons) to '{persons}'")
        found.append(_ours(published, rows))
        found.append(_theirs("pycanon", python, published, rows, limit))
        if anonymizing:
            for program in ("anonypy", "anjana"):
                found.append(_theirs(program, python, persons, rows, limit))
    return found


def _ours(published: Path, rows: int) -> Peer:
    started = time.perf_counter()
    reached = sqlanon.check(
        published,
        quasi_identifiers=list(roles(10, None)["quasi_identifiers"]),
        sensitive={"disease": {"t": 1, "l": 1}},
        k=1,
    )
    seconds = time.perf_counter() - started
    values = {metric.metric: metric.value for metric in reached.measures}
    found = {short: float(values[name] or 0) for short, name in MEASURES.items()}
    return Peer("sqlanon check", rows, seconds, found)


def _theirs(program: str, python: Path, table: Path, rows: int, limit: float) -> Peer:
    command = [str(python), str(PROGRAMS), program, str(table), "10"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired:
        return Peer(program, rows, None, {})
    reached = json.loads(done.stdout.splitlines()[-1])
    found = {short: float(reached[short]) for short in MEASURES if short in reached}
    return Peer(program, rows, float(reached["seconds"]), found)


def _environment(folder: Path) -> Path:
    python = folder / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "-q", *PACKAGES], check=True)
    return python


def table(peers: list[Peer], limit: float) -> list[str]:
    """The figures as a table in Markdown."""
    lines = ["| rows | program | seconds | k | l | t |", "|---:|---|---:|---:|---:|---:|"]
    for one in peers:
        seconds = f"over {limit:,.0f}" if one.seconds is None else f"{one.seconds:,.2f}"
        cells = [f"{one.found[name]:.6g}" if name in one.found else "" for name in MEASURES]
        lines.append(f"| {one.rows:,} | {one.program} | {seconds} | {' | '.join(cells)} |")
    return lines


@click.command()
@click.option("--rows", default="1e4,1e5", show_default=True)
@click.option("--limit", default=600.0, show_default=True, help="Seconds a program may take.")
@click.option("--environment", type=click.Path(path_type=Path), default=Path(".venv-peers"))
@click.option("--json", "file", type=click.Path(path_type=Path), help="Write the figures here too.")
def main(rows: str, limit: float, environment: Path, file: Path | None) -> None:
    """Run every program on tables of these sizes."""
    peers: list[Peer] = []
    for size in rows.split(","):
        peers += measured(int(float(size)), environment.absolute(), limit, anonymizing=True)
    click.echo("\n".join(table(peers, limit)))
    if file is not None:
        file.write_text(json.dumps([asdict(one) for one in peers], indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
