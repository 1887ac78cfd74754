"""Numbers, dates and times are ordered unless a spec says equal; text is equal; all is said."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from commands import sqlanon as command

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.spec import Column, Distances, parse_spec, with_distances

_COLUMNS = {
    "age": Column("age", "INTEGER", "integer"),
    "income": Column("income", "DOUBLE", "number"),
    "born": Column("born", "DATE", "date"),
    "seen": Column("seen", "TIMESTAMP", "timestamp"),
    "smoker": Column("smoker", "BOOLEAN", "boolean"),
    "job": Column("job", "VARCHAR", "text"),
    "health": Column("health", "VARCHAR", "text"),
}


def _spec(**sensitive: Any) -> Any:
    declared = {"source": "t", "release": "r", "quasi_identifiers": ["sex"], "privacy": {"k": 2}}
    return parse_spec({**declared, "sensitive": sensitive})


@pytest.mark.parametrize(
    ("column", "declared", "distance"),
    [
        ("income", {}, "ordered"),
        ("income", {"distance": "equal"}, "equal"),
        ("born", {}, "ordered"),
        ("seen", {}, "ordered"),
        ("smoker", {}, "equal"),
        ("job", {}, "equal"),
        ("job", {"transform": {"mask": 1}}, "equal"),
        ("age", {"transform": {"round": 10}}, "ordered"),
        ("health", {"order": ["good", "poor"]}, "ordered"),
        ("job", {"order": "frequency"}, "ordered"),
    ],
    ids=str,
)
def test_the_type_decides_where_the_spec_does_not(
    column: str, declared: dict[str, Any], distance: str
) -> None:
    spec = with_distances(_spec(**{column: {**declared, "t": 0.3}}), _COLUMNS)
    assert spec.sensitive[column].distance == distance
    assert with_distances(spec, _COLUMNS) == spec


def test_an_old_spec_whose_meaning_changed_is_told_how_to_get_the_old() -> None:
    asked = {"income": {"t": 0.3}, "born": {"t": 0.3}, "job": {"t": 0.3}, "seen": {"l": 2}}
    found = Distances.of(with_distances(_spec(**asked), _COLUMNS))
    assert found.asked == {"income": "ordered", "born": "ordered", "job": "equal"}
    said, changed = found.sentences
    assert said == "Distance of t: income ordered, born ordered, job equal."
    assert "income, born:" in changed
    assert "distance: equal" in changed
    declared = {"income": {"t": 0.3, "distance": "ordered"}, "job": {"t": 0.3}}
    assert len(Distances.of(with_distances(_spec(**declared), _COLUMNS)).sentences) == 1
    assert Distances.of(with_distances(_spec(job={"l": 2}), _COLUMNS)).sentences == ()


def test_a_method_for_an_order_is_refused_once_the_type_is_known() -> None:
    declared = {"source": "t", "release": "r", "quasi_identifiers": ["age"], "privacy": {"k": 2}}
    asked = {"income": {"t": 0.3}, "job": {"t": 0.3}}
    spec = parse_spec({**declared, "sensitive": asked, "method": "fragmentation"})
    with pytest.raises(SpecError, match=r"sensitive\.job\.distance: fragmentation needs an order"):
        with_distances(spec, _COLUMNS)


@pytest.mark.further
@pytest.mark.slow
def test_every_command_says_the_distance(tmp_path: Path) -> None:
    rows = "".join(f"{20 + i},{'mf'[i % 2]},{1000 + 7 * i}\n" for i in range(6))
    (tmp_path / "t.csv").write_text(f"age,sex,income\n{rows}", encoding="utf-8")
    declared = {
        "source": "t.csv",
        "release": "r",
        "quasi_identifiers": ["age", "sex"],
        "sensitive": {"income": {"t": 0.5}},
        "privacy": {"k": 2},
        "method": "stack_and_deal",
        "seed": 1,
    }
    (tmp_path / "s.yaml").write_text(yaml.safe_dump(declared), encoding="utf-8")
    roles = ("--qi", "age,sex", "--sensitive", "income", "--t", "0.9", "--quiet")
    for arguments in (
        ("plan", "s.yaml"),
        ("run", "s.yaml", "--quiet"),
        ("sweep", "s.yaml", "--k", "2,3", "--quiet"),
        ("check", "r", "--database", "r.duckdb", "--spec", "s.yaml", "--quiet"),
        ("check", "t.csv", *roles),
    ):
        done = command(tmp_path, *arguments, columns=200)
        assert "Distance of t: income ordered." in done.stdout, arguments
        assert "No distance is declared of income" in done.stdout, arguments
        if arguments[0] != "plan":
            found = json.loads(command(tmp_path, *arguments, "--json").stdout)
            assert found["distances"] == {"income": "ordered"}, arguments
    ahead = json.loads(command(tmp_path, "plan", "s.yaml", "--json").stdout)
    assert ahead["distances"] == {"income": "ordered"}
    equal = command(tmp_path, "check", "t.csv", *roles, "--distance", "equal", columns=200)
    assert "Distance of t: income equal." in equal.stdout
    report = command(tmp_path, "report", "r", "--database", "r.duckdb", "-o", "r.html")
    assert report.returncode == 0, report.stderr
    assert "distance ordered" in (tmp_path / "r.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_number_with_t_alone_keeps_more_than_one_class() -> None:
    """5,000 incomes, all different: equally far apart they leave one class of all."""
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(
        {
            "age": [20 + i % 40 for i in range(400)],
            "sex": ["mf"[i % 2] for i in range(400)],
            "income": [1000 + 37 * i % 4001 for i in range(400)],
        }
    )
    roles: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "k": 5, "seed": 1}
    asked: dict[str, Any] = {"t": 0.3}
    method = {"name": "split_or_deal", "effort": "quick"}
    with sqlanon.anonymize(table, sensitive={"income": asked}, method=method, **roles) as made:
        assert (made.measure("classes") or 0) > 10
        assert not made.verdict
