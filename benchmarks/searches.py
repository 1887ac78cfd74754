"""`python -m benchmarks.searches`: what searches cost on small and middle tables.

CPU seconds of a whole run, each in a process of its own, on two threads; the statements it sent;
and the loss that it found. Adult lies under SQLANON_DATA.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time
from typing import Any
from unittest.mock import patch

import click
import duckdb
import yaml

import sqlanon
from benchmarks.adult import declared
from sqlanon.engines.driver import Driver

EXAMPLE = Path(__file__).parents[1] / "examples" / "health_insurance" / "release.yaml"
SIX = """
create table patients as
select * from (values
    (34, 'f', '81667', 'flu'), (36, 'm', '81675', 'flu'), (39, 'f', '81925', 'cold'),
    (45, 'f', '81931', 'ulcer'), (50, 'm', '81933', 'cold'), (52, 'm', '81933', 'ulcer')
) as listed (age, sex, zip, disease)
"""
# Nearly all combinations of the quasi-identifiers differ, and three amounts have some 9,000 values
# each; multiples of a number modulo a prime stand for what is drawn.
DRAWN = (16807, 39373, 69621, 742938, 950706, 62089, 630360, 1203248, 397204, 40014, 40692, 45991)
SURVEY = f"""
create table survey as
with drawn as (
    select {
    ", ".join(
        f"(i + 1) * {factor} % 2147483647 * 48271 % 2147483647 / 2147483647e0 as u{number}"
        for number, factor in enumerate(DRAWN, 1)
    )
}
    from range(37000) as numbers (i)
)
select
    18 + cast(floor(62 * u1 * (0.6 + 0.4 * u2)) as integer) as age,
    case when u3 < 0.5 then 'f' else 'm' end as sex,
    cast(floor(12 * u4 * u4) as varchar) as region,
    1 + cast(floor(4 * (u5 + u1)) as integer) as education,
    1 + cast(floor(6 * u6 * u7) as integer) as household,
    cast(floor(5 * u7 * u1) as varchar) as status,
    cast(floor(60 * u8) as integer) as hours,
    cast(floor(20 * u9 * u5) as varchar) as branch,
    cast(floor(4000 * (u10 + u5 + u1)) as integer) as income,
    cast(floor(6000 * u11 * (u5 + u4)) as integer) as savings,
    cast(floor(12000 * u12 * u2) as integer) as rent
from drawn
"""


@dataclass(frozen=True)
class Cost:
    """What a run took, and what it found."""

    cpu: float
    statements: int
    gcp: float


def six_rows() -> dict[str, Any]:
    """Six patients, k = 2, t = .5."""
    return {
        "source": {"table": "patients"},
        "quasi_identifiers": ["age", "sex", "zip"],
        "sensitive": {"disease": {"t": 0.5}},
        "privacy": {"k": 2},
    }


def example() -> dict[str, Any]:
    """The example of the README."""
    spec: dict[str, Any] = yaml.safe_load(EXAMPLE.read_text(encoding="utf-8"))
    return spec | {"source": str(EXAMPLE.parent / spec["source"])}


def survey(t: str) -> dict[str, Any]:
    """The survey: all that is no amount is a quasi-identifier, and every amount an order."""
    return {
        "source": {"table": "survey"},
        "quasi_identifiers": [
            *("age", "sex", "region", "education", "household", "status", "hours", "branch")
        ],
        "sensitive": {
            text: {"distance": "ordered", "t": t} for text in ("income", "savings", "rent")
        },
        "privacy": {"k": 5},
    }


CASES: dict[str, Callable[[], dict[str, Any]]] = {
    "six rows": six_rows,
    "the example": example,
    **{
        f"Adult {task}, k = 5, t = {t or 'none'}": partial(declared, task, 5, t)
        for task, t in (("A", "0.2"), ("A", ""), ("B", "0.2"), ("C", "0.2"))
    },
    **{f"the survey, k = 5, t = {t}": partial(survey, t) for t in ("0.1", "0.3")},
}


def cost(case: str, method: dict[str, Any]) -> Cost:
    """Make a release of a case in a database of its own, as a command does."""
    sent, execute = 0, Driver.execute

    def count(self: Driver, sql: str, step: str = "") -> Any:
        nonlocal sent
        sent += 1
        return execute(self, sql, step)

    with TemporaryDirectory() as folder, patch.object(Driver, "execute", count):
        database = f"{folder}/searches.duckdb"
        with duckdb.connect(database) as connection:
            connection.execute(SIX)
            connection.execute(SURVEY)
        asked = {"release": "public", "database": database, "method": method, "seed": 7}
        spec = sqlanon.parse_spec(CASES[case]() | asked, folder=EXAMPLE.parent)
        before = process_time()
        made = sqlanon.anonymize(spec, settings={"threads": 2})
        taken, loss = process_time() - before, made.measure("gcp")
        assert loss is not None
        made.close()
    return Cost(taken, sent, loss)


@click.command()
@click.option("--effort", default="normal", show_default=True, help="quick, normal or best.")
@click.option("--case", "cases", multiple=True, type=click.Choice(list(CASES)), help="Only these.")
@click.option("--alone", is_flag=True, hidden=True)
def main(effort: str, cases: tuple[str, ...], alone: bool) -> None:
    """Print a table of what the searches cost."""
    if alone:
        found = cost(cases[0], {"name": "split_or_deal", "effort": effort})
        click.echo(json.dumps([found.cpu, found.statements, found.gcp]))
        return
    click.echo(f"| effort: {effort} | CPU s | statements | GCP |\n|---|---:|---:|---:|")
    for case in cases or CASES:
        again = [sys.executable, "-m", "benchmarks.searches", "--alone", "--effort", effort]
        shown = subprocess.run([*again, "--case", case], capture_output=True, text=True, check=True)
        found = Cost(*json.loads(shown.stdout))
        click.echo(f"| {case} | {found.cpu:.1f} | {found.statements:,} | {found.gcp:.4f} |")


if __name__ == "__main__":
    main()
