"""Compiled models, built by dbt on Spark and on emulators of warehouses: the rows of a run."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from commands import sqlanon as command
from needs import missing
from on_bigquery import PROJECT, server, shortened
from on_spark import QUICK, STARTED, needs_spark
from support import ROOT, Row, multiset

import sqlanon

pytestmark = pytest.mark.dbt

PATIENTS = ROOT / "examples" / "health_insurance" / "patients.csv"
COLUMNS = {"patient_id": int, "age": int, "sex": str, "health": str, "medical_spending": int}
DECLARED = """name: clinic
version: "1.0"
profile: clinic
query-comment: null
flags: {send_anonymous_usage_stats: false, require_generic_test_arguments_property: true}
"""
# dbt, every connection of which goes to an emulated account that lies in a folder.
EMULATED = """
import sys, warnings
warnings.simplefilter("ignore")
import fakesnow
from dbt.cli.main import cli
with fakesnow.patch(db_path=sys.argv.pop(1), nop_regexes=["alter session"]):
    cli()
"""
# dbt, whose client sends no comments: the emulator takes their apostrophes for those of texts.
STRIPPED = """
import re, sys
from dbt.cli.main import cli
from google.cloud import bigquery
comment, ask = re.compile(r"(?m)^ *--.*$"), bigquery.Client.query
bigquery.Client.query = lambda self, query, *a, **b: ask(self, comment.sub("", query), *a, **b)
cli()
"""
COMMON: dict[str, Any] = {
    "source": "patients.csv",
    "identifiers": ["patient_id"],
    "sensitive": {"health": {"order": ["excellent", "good", "fair", "poor"], "t": 0.5}},
    "seed": 7,
}
SPECS: dict[str, dict[str, Any]] = {
    "dealt": {"quasi_identifiers": ["age", "sex"], "privacy": {"k": 5, "l": 2}},
    "by_levels": {
        "quasi_identifiers": {
            "age": {"hierarchy": {"bands": [10, 20]}},
            "sex": {"hierarchy": {"tree": {"*": ["Female", "Male"]}}},
        },
        "insensitive": {"medical_spending": {"accept": "nobody knows what it was"}},
        "method": "optimal",
        "levels": {"age": 1, "sex": 0},
        "privacy": {"k": 8},
        "suppression": {"records": 0.3},
    },
    "by_cells": {
        "quasi_identifiers": ["age", "sex"],
        "privacy": {"k": 5},
        "recipe": "found.recipe.yaml",
        "suppression": {"records": 0.3},
    },
}


def records() -> list[dict[str, Any]]:
    with PATIENTS.open(encoding="utf-8") as file:
        rows = [entry for _, entry in zip(range(120), csv.DictReader(file), strict=False)]
    return [{name: kind(row[name]) for name, kind in COLUMNS.items()} for row in rows]


@dataclass(frozen=True)
class Project:
    """A project whose one model of its own is a table of persons, and where it is built."""

    folder: Path
    target: str

    def declare(self, name: str, **more: Any) -> dict[str, Any]:
        """A spec, with its models in the project."""
        spec = {**COMMON, "method": "stack_and_deal", **SPECS[name], "release": name, **more}
        file = self.folder.parent / f"{name}.yaml"
        file.write_text(yaml.safe_dump(spec), encoding="utf-8")
        given = ("--dbt", self.folder.name, "--ref", "patients", "--dialect", self.target)
        told = command(file.parent, "compile", file.name, *given)
        assert told.returncode == 0, told.stderr
        return spec

    def dbt(self, *arguments: str, fails: bool = False) -> str:
        started = {
            "bigquery": ["-c", STRIPPED],
            "snowflake": ["-c", EMULATED, str(self.folder.parent / "account")],
            "spark": ["-m", "dbt.cli.main"],
        }[self.target]
        done = subprocess.run(
            [sys.executable, *started, *arguments, "--profiles-dir", ".", "--no-use-colors"],
            cwd=self.folder,
            env=os.environ | STARTED,
            capture_output=True,
            text=True,
            check=False,
        )
        assert (done.returncode != 0) == fails, done.stdout + done.stderr
        return done.stdout

    def results(self) -> dict[str, str]:
        """The outcome of each node of the last call, by its name."""
        found = json.loads((self.folder / "target" / "run_results.json").read_text())["results"]
        return {one["unique_id"].split(".")[2]: one["status"] for one in found}

    def rows(self, table: str, columns: Sequence[str] = ("*",)) -> list[Row]:
        """The rows of a table as DuckDB reads what the engine or the emulator keeps."""
        listed = ", ".join(columns)
        if self.target == "bigquery":
            with asking() as client:
                found = client.query(f"select {listed} from clinic.{table}").result()
                return [tuple(map(shortened, row.values())) for row in found]
        with duckdb.connect() as connection:
            if self.target == "snowflake":
                account = self.folder.parent / "account" / "HELD.db"
                connection.execute(f"attach '{account}' as held (read_only)")
                return connection.execute(f"select {listed} from held.clinic.{table}").fetchall()
            files = self.folder / "spark-warehouse" / "clinic.db" / table / "*.parquet"
            return connection.execute(f"select {listed} from '{files}'").fetchall()

    def standing(self) -> list[Any]:
        """The release and its proof."""
        proof = [self.rows(f"dealt__{text}") for text in ("classes", "metrics", "run")]
        return [multiset(entry) for entry in (self.rows("dealt"), *proof)]


def asking() -> Any:
    """A client of the emulator."""
    from google.auth.credentials import AnonymousCredentials
    from google.cloud import bigquery

    there, nobody = {"api_endpoint": server()}, AnonymousCredentials()
    return contextlib.closing(
        bigquery.Client(project=PROJECT, credentials=nobody, client_options=there)
    )


def profile(target: str) -> dict[str, Any]:
    """The part of dbt's profile that is of a target alone."""
    if target == "bigquery":
        given = {"method": "oauth-secrets", "token": "any", "location": "US"}
        return {**given, "project": PROJECT, "api_endpoint": server()}
    if target == "snowflake":
        return {"account": "acme", "user": "ann", "password": "any", "database": "HELD"}
    return {"method": "session", "host": "none", "server_side_parameters": QUICK}


def _cell(value: Any) -> str:
    return f"cast({value} as bigint)" if isinstance(value, int) else f"'{value}'"


@pytest.fixture(scope="module", params=["snowflake", "bigquery", "spark"])
def project(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Project]:
    target: str = request.param
    if find_spec("dbt") is None:
        missing("dbt", "dbt is not installed: install the extras dbt and emulators")
    if target == "spark":
        needs_spark()
    if find_spec(f"dbt.adapters.{target}") is None or (
        target == "snowflake" and find_spec("fakesnow") is None
    ):
        missing(target, f"dbt has no adapter for {target}: pip install -e '.[dbt,emulators]'")
    root = tmp_path_factory.mktemp(target)
    (root / "account").mkdir()
    with (root / "patients.csv").open("w", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(COLUMNS))
        writer.writeheader()
        writer.writerows(records())
    made = Project(root / "clinic", target)
    (made.folder / "models").mkdir(parents=True)
    (made.folder / "dbt_project.yml").write_text(DECLARED, encoding="utf-8")
    here = {"type": target, "schema": "clinic", "threads": 1, **profile(target)}
    text = yaml.safe_dump({"clinic": {"target": "here", "outputs": {"here": here}}})
    (made.folder / "profiles.yml").write_text(text, encoding="utf-8")
    rows = [
        ", ".join(f"{_cell(record[name])} as {name}" for name in COLUMNS) for record in records()
    ]
    (made.folder / "models" / "patients.sql").write_text(
        "{{ config(materialized='table') }}\nselect " + "\nunion all select ".join(rows),
        encoding="utf-8",
    )
    told = command(root, "dbt", "init", "clinic")
    assert told.returncode == 0, told.stderr
    made.dbt("deps")
    yield made
    if target == "bigquery":  # other tests speak to the same emulator
        with asking() as client:
            for name in ("clinic", "clinic_private"):
                client.delete_dataset(name, delete_contents=True)


def on_duckdb(project: Project, spec: Mapping[str, Any]) -> dict[str, list[Row]]:
    """The release of a run and what it measures of what is asked for."""
    file = project.folder.parent / f"{spec['release']}.yaml"
    with duckdb.connect() as connection, sqlanon.open(connection) as db:
        db.run(file)
        release = str(spec["release"])
        asked = f"select metric, attribute, value, threshold, passed from {release}__metrics"
        return {
            "rows": connection.execute(f"select * from {release}").fetchall(),
            "metrics": connection.execute(f"{asked} where threshold is not null").fetchall(),
        }


def same(project: Project, spec: Mapping[str, Any]) -> None:
    release, expected = str(spec["release"]), on_duckdb(project, spec)
    assert multiset(project.rows(release)) == multiset(expected["rows"])
    listed = ("metric", "attribute", "value", "threshold", "passed")
    metrics = [row for row in project.rows(f"{release}__metrics", listed) if row[3] is not None]
    assert multiset(metrics) == multiset(expected["metrics"])


def test_a_release_is_that_of_a_run_and_stays_where_the_next_is_refused(project: Project) -> None:
    spec = project.declare("dealt")
    project.dbt("build")
    assert set(project.results().values()) == {"success", "pass"}
    same(project, spec)
    before = project.standing()

    project.declare("dealt", privacy={"k": 5, "l": 4})
    said = " ".join(project.dbt("build", "--select", "+dealt", fails=True).split())
    assert "distinct_l health: asked for 4, reached" in said
    assert project.results()["dealt"] == "skipped"
    said = " ".join(project.dbt("run", "--select", "clinic.dealt.dealt", fails=True).split())
    assert "is published from what the same invocation of dbt has made and checked" in said
    assert project.standing() == before


@pytest.mark.parametrize(
    "project",
    [
        "snowflake",
        *(pytest.param(text, marks=pytest.mark.further) for text in ("bigquery", "spark")),
    ],
    indirect=True,
    scope="module",
)
@pytest.mark.parametrize("name", ["by_levels", "by_cells"])
def test_what_a_search_found_makes_the_release_of_a_run(project: Project, name: str) -> None:
    root = project.folder.parent
    search = {
        **COMMON,
        "release": "found",
        "quasi_identifiers": ["age", "sex"],
        "k": 5,
        "method": "k_optimize",
    }
    with duckdb.connect() as connection, sqlanon.open(connection) as db:
        db.run({**search, "source": str(root / "patients.csv")})
        (root / "found.recipe.yaml").write_text(db.recipe("found").text, encoding="utf-8")
    more: dict[str, Any] = {"method": "k_optimize"} if name == "by_cells" else {}
    spec = project.declare(name, **more)
    project.dbt("build", "--select", f"+{name}")
    same(project, spec)
