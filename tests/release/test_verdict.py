"""A release that is nearly all lost says so first, and what to relax; a good one says nothing."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import sqlanon as command

import sqlanon
from sqlanon.record.metrics import Metric
from sqlanon.uses.reports.verdict import least_size

pytestmark = pytest.mark.slow

_ROWS = [(20 + i % 20, "mf"[i % 2], 1000 + 7 * i, "abc"[i % 3]) for i in range(60)]


def _write(folder: Path, **changed: Any) -> None:
    lines = "".join(f"{','.join(map(str, row))}\n" for row in _ROWS)
    (folder / "t.csv").write_text(f"age,sex,income,job\n{lines}", encoding="utf-8")
    declared = {
        "source": "t.csv",
        "release": "r",
        "quasi_identifiers": ["age", "sex"],
        "sensitive": {"income": {"t": 0.3, "distance": "equal"}},
        "privacy": {"k": 2},
        "method": {"name": "split_or_deal", "effort": "quick"},
        "seed": 1,
        **changed,
    }
    (folder / "s.yaml").write_text(yaml.safe_dump(declared), encoding="utf-8")


@pytest.mark.further
def test_run_plan_why_and_report_begin_with_it(tmp_path: Path) -> None:
    _write(tmp_path)
    nothing = "Nothing is left of the quasi-identifiers"
    needs = "a class within t = 0.3 needs 42 of the 60 records at least"
    ran = command(tmp_path, "run", "s.yaml", "--quiet", columns=300)
    assert ran.returncode == 0
    assert ran.stdout.startswith(nothing)
    assert needs in ran.stdout
    assert "distance: ordered" in ran.stdout
    told = command(tmp_path, "why", "r", "--database", "r.duckdb", columns=300)
    assert told.stdout.startswith(nothing)
    assert needs in told.stdout
    ahead = command(tmp_path, "plan", "s.yaml", columns=300).stdout.splitlines()
    assert ahead[1].startswith("All records will be one class:")
    assert needs in ahead[1]
    command(tmp_path, "report", "r", "--database", "r.duckdb", "-o", "in.html")
    inside = (tmp_path / "in.html").read_text(encoding="utf-8")
    assert inside.index(nothing) < inside.index("What was declared</h2>")
    assert needs in inside
    command(tmp_path, "report", "r", "--database", "r.duckdb", "-o", "out.html", "--external")
    outside = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert nothing in outside
    assert needs not in outside
    found = json.loads(command(tmp_path, "run", "s.yaml", "--json").stdout)["verdict"]
    assert found["lost"][0].startswith(nothing)
    assert needs in found["relax"][0]
    seen = json.loads(command(tmp_path, "why", "r", "--database", "r.duckdb", "--json").stdout)
    assert seen["verdict"] == found
    assert needs in json.loads(command(tmp_path, "plan", "s.yaml", "--json").stdout)["foreseen"][0]


def test_a_t_that_only_the_whole_table_meets_is_named_in_every_output(tmp_path: Path) -> None:
    """One class reaches 0 however small t is: no figure of it shows that t keeps it so."""
    _write(tmp_path, sensitive={"job": {"t": 0.0000001}}, quasi_identifiers=["age", "income"])
    lines = (tmp_path / "t.csv").read_text(encoding="utf-8").splitlines()[:-1]  # 59, a prime
    (tmp_path / "t.csv").write_text("\n".join(lines), encoding="utf-8")
    nothing = "Nothing is left of the quasi-identifiers"
    ran = command(tmp_path, "run", "s.yaml", "--quiet", columns=300)
    assert ran.stdout.startswith(nothing)
    assert "Every class has job just as the whole table has it" in ran.stdout
    assert "It cost all of the quasi-identifiers" in ran.stdout
    checked = ("check", "r", "--database", "r.duckdb")
    assert command(tmp_path, *checked, columns=300).stdout.startswith(nothing)
    (lost,) = json.loads(command(tmp_path, *checked, "--json").stdout)["lost"]
    assert lost.startswith(nothing)
    assert command(tmp_path, "run", "s.yaml", "--json").stderr.startswith(f"sqlanon: {nothing}")
    with sqlanon.open(str(tmp_path / "r.duckdb")) as db:
        assert "It cost all of" in db.check("r").summary.cost
    command(tmp_path, "report", "r", "--database", "r.duckdb", "-o", "out.html", "--external")
    outside = (tmp_path / "out.html").read_text(encoding="utf-8")
    assert 0 < outside.index(nothing) < outside.index("Every record shares")


def _verdict(rows: list[tuple[Any, ...]], names: str, **declared: Any) -> Any:
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(rows, columns=names.split())
    with sqlanon.anonymize(table, seed=1, **declared) as made:
        return made.verdict


def test_classes_that_lose_nothing_may_be_large() -> None:
    rows = [("mf"[i // 50], "ns"[i // 50]) for i in range(100)]
    declared = {"quasi_identifiers": ["sex", "region"], "k": 2, "method": "mondrian"}
    assert not _verdict(rows, "sex region", **declared)


def test_a_column_of_one_value_is_not_called_lost() -> None:
    rows = [(20 + i // 6, "same") for i in range(24)]
    declared = {"quasi_identifiers": ["age", "site"], "k": 6, "method": "mondrian"}
    assert not _verdict(rows, "age site", **declared)


def test_a_blind_method_is_told_and_its_columns_of_one_value_are_named() -> None:
    rows = [(20 + i * 7 % 40, "mf"[i % 2]) for i in range(40)]
    declared = {"quasi_identifiers": ["age", "sex"], "k": 8, "method": "stack_and_deal"}
    found = _verdict(rows, "age sex", **declared)
    assert found.lost[0].startswith("Most is lost of the quasi-identifiers")
    assert found.lost[1] == "sex is published as one value throughout."
    assert len(found.relax) == 1
    assert "leave method out for split_or_deal" in found.relax[0]


def test_a_column_that_is_to_be_published_at_one_level_is_not_advice() -> None:
    rows = [(20 + i % 4, "mf"[i % 2]) for i in range(24)]
    bands = {"hierarchy": {"bands": [2, 4]}, "publish": "level"}
    sex = {"hierarchy": {"tree": {"*": ["m", "f"]}}, "publish": "level"}
    declared = {"quasi_identifiers": {"age": bands, "sex": sex}, "k": 2, "method": "optimal"}
    found = _verdict(rows, "age sex", **declared, levels={"sex": 1})
    assert "sex" not in " ".join(found.lost)


def test_exact_rows_lose_nothing() -> None:
    rows = [(20 + i, "mf"[i % 2], "abc"[i % 3]) for i in range(12)]
    declared = {"quasi_identifiers": ["age", "sex"], "sensitive": {"job": {"l": 3}}, "k": 1}
    assert not _verdict(rows, "age sex job", **declared, publish="anatomy", method="anatomy")


def test_what_every_model_needs_is_the_greatest_size_that_one_asks_for() -> None:
    def asked(metric: str, threshold: str | None, of: str | None = "ill") -> Metric:
        return Metric(metric, of, 1.0, threshold, None)

    assert least_size([asked("k_anonymity", "5", None), asked("alpha", "0.1")]) == 10
    assert least_size([asked("k_anonymity", "5", None), asked("entropy_l", "5.5")]) == 6
    assert least_size([asked("recursive_l", "c = 2, l = 7")]) == 7
    assert least_size([asked("t_closeness", "0.2"), asked("distinct_l", None)]) == 1


def test_a_greater_k_is_not_advised_where_no_k_helps(tmp_path: Path) -> None:
    for method, asked in (("stack_and_deal", {"l": 5}), ("mondrian", {"alpha": 0.2})):
        _write(tmp_path, sensitive={"job": asked}, method=method)
        done = command(tmp_path, "run", "s.yaml", "--quiet")
        assert done.returncode == 1
        assert "no k helps" in done.stderr
        assert "a greater k" not in done.stderr
    _write(tmp_path, sensitive={"job": {"t": 0.01}}, method="mondrian")
    done = command(tmp_path, "run", "s.yaml", "--quiet")
    assert "no k helps" not in done.stderr
