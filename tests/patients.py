"""Six patients, and the spec of a release of them, for what is tried on the command line."""

from __future__ import annotations

from pathlib import Path

import duckdb

PATIENTS = """patient,age,sex,disease
1,34,Male,flu
2,36,Female,flu
3,47,Male,cold
4,52,Female,cold
5,23,Male,ulcer
6,29,Female,ulcer
"""
SPEC = """
source: patients.csv
release: public
identifiers: [patient]
quasi_identifiers: [age, sex]
sensitive: {disease: {t: 0.5}}
privacy: {k: 2}
method: stack_and_deal
seed: 1
"""
SEARCHED = SPEC.replace("method: stack_and_deal\n", "")


def patients_in(folder: Path) -> Path:
    """The folder, with patients.csv and release.yaml in it."""
    (folder / "patients.csv").write_text(PATIENTS, encoding="utf-8")
    (folder / "release.yaml").write_text(SPEC, encoding="utf-8")
    return folder


def rows(database: Path, query: str) -> list[tuple[object, ...]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        return connection.execute(query).fetchall()
