"""A release is that of the last version, row for row, unless a change means to change it.

The other engines are held to DuckDB's releases in test_conformance.py.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from servers import plain
from support import ROOT, data_set, slow
from test_conformance import CASES, FIRST, by_duckdb

import sqlanon

FROZEN = Path(__file__).parent / "yardstick.yaml"
# The metrics of that version: a new one changes none of them.
METRICS = frozenset(
    [
        "k_anonymity",
        "distinct_l",
        "entropy_l",
        "recursive_l",
        "alpha",
        "t_closeness",
        "beta_likeness",
        "enhanced_beta_likeness",
        "delta_disclosure",
        "delta_disclosure_ln",
        "records",
        "classes",
        "average_class_size",
        "largest_class",
        "c_avg",
        "discernibility",
        "gcp",
        "ncp",
        "unique_records",
        "unique_share",
        "unique_with_sensitive",
        "unique_with_sensitive_share",
        "rare_share",
        "determined_share",
    ]
)
EXAMPLES = ROOT / "examples"


def frozen(case: str, found: dict[str, str]) -> dict[str, str]:
    """What is kept of a case; run with UPDATE_YARDSTICK=1 to keep what is found, and say why."""
    kept: dict[str, dict[str, str]] = yaml.safe_load(FROZEN.read_text(encoding="utf-8")) or {}
    if os.environ.get("UPDATE_YARDSTICK"):
        kept[case] = found
        FROZEN.write_text(yaml.safe_dump(kept), encoding="utf-8")
    return kept[case]


def hashed(columns: Any, rows: list[Any]) -> str:
    """A hash of rows in any order."""
    return sha256(repr((columns, sorted(rows, key=repr))).encode()).hexdigest()[:20]


@pytest.mark.sampled
@pytest.mark.parametrize(
    "case",
    ["ordered-fragmentation", *slow(*sorted(FIRST), *(one for one in CASES if one not in FIRST))],
)
def test_a_small_release_is_as_it_was(case: str) -> None:
    found = by_duckdb(case)
    columns, rows = found["anonymized__metrics"]
    places = [columns.index(name) for name in ("metric", "attribute", "value")]
    measured = [tuple(row[place] for place in places) for row in rows]
    measured = [row for row in measured if row[0] in METRICS]
    made = {"release": hashed(*found["anonymized"]), "metrics": hashed("", measured)}
    assert made == frozen(case, made)


def example(name: str, source: Path, **declared: Any) -> dict[str, str]:
    spec = yaml.safe_load((EXAMPLES / name).read_text(encoding="utf-8"))
    spec |= {"source": str(source), "release": "public", "database": None, **declared}
    with duckdb.connect() as connection:
        made = sqlanon.anonymize(
            sqlanon.parse_spec(spec, folder=(EXAMPLES / name).parent), connection=connection
        )
        made.close()
        found = connection.execute("from public")
        columns = tuple(column[0] for column in found.description)
        return {"release": hashed(columns, plain(found.fetchall()))}


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", ["stack_and_deal", "split_or_deal"])
def test_the_examples_release_is_as_it_was(method: str) -> None:
    source = EXAMPLES / "health_insurance" / "patients.csv"
    made = example("health_insurance/release.yaml", source, method=method)
    assert made == frozen(f"health_insurance-{method}", made)


ADULT: dict[str, tuple[str, dict[str, Any]]] = {
    "none": ("adult.yaml", {}),
    "curve": ("adult.yaml", {"method": {"name": "stack_and_deal", "locality": "curve"}}),
    "search": ("adult.yaml", {"method": "split_or_deal"}),
    "levels": ("adult_levels.yaml", {}),
}


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("case", ADULT)
def test_adults_release_is_as_it_was(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = data_set("csv/arx_adult.csv")
    monkeypatch.setenv("SQLANON_DATA", str(source.parents[1]))
    name, declared = ADULT[case]
    made = example(name, source, **declared)
    assert made == frozen(f"adult-{case}", made)
