"""Record linkage as a metric of a run and as the risk of a sweep, against plain Python."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from odd_table import QUASI, SPEC, TYPES, VALUES, cells
from oracle.attacks import Row as Published
from oracle.attacks import linked
from support import Row, database, examples, make_table, read

import sqlanon
from sqlanon.errors import SpecError

ASKED = "record_linkage"


@pytest.mark.slow
@examples(2, 20)
@given(
    st.lists(st.tuples(*QUASI, *VALUES), min_size=2, max_size=24),
    st.sampled_from(("split_or_deal", "stack_and_deal", "mondrian")),
    st.integers(2, 4),
)
def test_a_guess_at_every_record(rows: list[Row], method: str, k: int) -> None:
    """Where nothing is left out, as the attack finds it with the source."""
    spec = {**SPEC, "privacy": {"k": min(k, len(rows))}, "method": method, "metrics": ASKED}
    with database() as connection:
        make_table(connection, "t", TYPES, rows)
        release = sqlanon.anonymize(sqlanon.parse_spec(spec), connection=connection)
        attacked = sqlanon.attack("public", external="t", connection=connection)
        _, released = read(connection, "public")
    published = [Published(cells(row[:6]), None) for row in released]
    found = [Fraction(1, len(linked(row[:5], published))) for row in rows]
    assert release.measure(ASKED) == pytest.approx(float(sum(found) / len(rows)), abs=1e-9)
    assert release.measure(ASKED) == attacked.value(ASKED)


def test_who_is_left_out_is_linked_with_nothing() -> None:
    """Of 5 records 3 are published, in one class: 3 / 3 of 5."""
    rows = [(1, "a", "flu"), (1, "a", "flu"), (2, "a", "cold"), (90, "b", "flu"), (2, "c", "flu")]
    with database() as connection:
        types = {"age": "integer", "home": "varchar", "disease": "varchar"}
        make_table(connection, "t", types, rows)
        release = sqlanon.anonymize(
            "t",
            connection=connection,
            release="r",
            quasi_identifiers={"age": {}, "home": {}},
            sensitive=["disease"],
            privacy={"k": 3},
            levels={"home": 0},
            method="mondrian",
            suppression={"records": 0.5},
            metrics=[ASKED, "formed_classes", "least_formed_class", "mean_formed_class"],
            seed=1,
        )
    assert release.measure("formed_classes") == 1
    assert release.measure("least_formed_class") == release.measure("mean_formed_class") == 3
    assert release.measure("suppressed_records") == 2
    assert release.measure(ASKED) == pytest.approx(1 / 5)


@pytest.mark.slow
def test_the_map_of_a_sweep_shows_it_over_j(tmp_path: Path) -> None:
    """Amiri et al. (2023), §5.3.1: thresholds of the background, and record linkage upwards."""
    spec: dict[str, Any] = {
        "source": "t.csv",
        "release": "r",
        "quasi_identifiers": ["age", "sex"],
        "sensitive": {"pay": {"background": {"estimate": {"by": ["age", "sex"]}}}},
        "privacy": {"k": 8},
        "method": "mondrian",
        "suppression": {"records": 0.5},
        "seed": 1,
    }
    rows = [(20 + i % 7, "fm"[i % 2], "ab"[i % 7 // 3 % 2]) for i in range(60)]
    text = "\n".join(["age,sex,pay", *(",".join(map(str, row)) for row in rows)])
    (tmp_path / "t.csv").write_text(text, encoding="utf-8")
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump({**spec, "database": "r.duckdb"}))
    options = ("--bk", "1,0.2", "--chart", "map.svg", "--risk", "linkage", "--json", "--quiet")
    done = command(tmp_path, "sweep", "spec.yaml", *options)
    told = [load["record_linkage"] for load in json.loads(done.stdout)["combinations"]]
    assert "record linkage" in (tmp_path / "map.svg").read_text(encoding="utf-8")
    spec["source"] = str(tmp_path / "t.csv")
    with database() as connection:
        asked: dict[str, Any] = {"connection": connection, "bk": [1, 0.2]}
        plain = sqlanon.sweep(sqlanon.parse_spec(spec), **asked)
        with pytest.raises(SpecError, match="no record linkage was measured"):
            plain.map("linkage")
        found = sqlanon.sweep(sqlanon.parse_spec({**spec, "metrics": [ASKED]}), **asked)
        shown = found.map("linkage")
        _, kept = read(connection, "r__sweep")
        for trial, j in zip(found.trials, (1, 0.2), strict=True):
            one = {**spec, "release": "one", "privacy": {"k": 8, "bk": j}, "metrics": [ASKED]}
            alone = sqlanon.anonymize(sqlanon.parse_spec(one), connection=connection)
            assert trial.record_linkage == alone.measure(ASKED)
    values = [one.record_linkage for one in found.trials]
    assert [point.y for point in shown.points] == values
    assert values[0] != values[1]
    assert told == values
    assert [point.x for point in shown.points] == [one.gcp for one in found.trials]
    assert shown.y == "record linkage"
    assert [any(value in row for value in values) for row in kept] == [True, True]


def test_classes_as_they_were_formed_and_as_a_reader_sees_them() -> None:
    """Dealing makes two classes of two, both of which may be 20 to 30 years old: one of four."""
    with database() as connection:
        rows = [(20, "flu"), (30, "flu"), (20, "cold"), (30, "cold")]
        make_table(connection, "t", {"age": "integer", "disease": "varchar"}, rows)
        release = sqlanon.anonymize(
            "t",
            connection=connection,
            release="r",
            quasi_identifiers={"age": {"hierarchy": {"bands": [50]}, "publish": "level"}},
            sensitive=["disease"],
            privacy={"k": 2},
            levels={"age": 1},
            method="stack_and_deal",
            metrics=["formed_classes", "least_formed_class", "mean_formed_class"],
            seed=1,
        )
        (remark,) = sqlanon.check("r", connection=connection).remarks
    assert "does not tell formed_classes, least_formed_class, mean_formed_class" in remark
    formed = [release.measure(f"{text}_formed_class") for text in ("least", "mean")]
    shown = [release.measure(text) for text in ("k_anonymity", "average_class_size")]
    assert (formed, shown) == ([2, 2], [4, 4])
    assert release.measure("formed_classes") == 2
    assert release.measure("classes") == 1
