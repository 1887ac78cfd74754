"""The benchmarks run, and the page of figures shows the figures that are kept."""

from __future__ import annotations

import csv
import json
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any

import highspy
import numpy as np
import oracle
import pytest
from click.testing import CliRunner
from support import data_set

from benchmarks import (
    adult,
    bounds,
    carving,
    compare,
    groups,
    pages,
    papers,
    performance,
    picture,
    publications,
    sweep,
)
from benchmarks.__main__ import main
from benchmarks.cases import Case, Outcome, run
from benchmarks.data import Shape

CHARTS = sorted((pages.DOCS / "figures").glob("*.svg"))
SETTINGS: dict[str, str | int] = {"memory_limit": "1GB", "threads": 1}


@pytest.mark.slow
def test_a_case_tells_what_every_stage_took() -> None:
    shape = Shape(2000, zips=50, nulls=10, correlation=30)
    outcome = run(Case(shape, "stripes", distance="ordered", rounds=1), SETTINGS)
    assert set(outcome.taken) == {"floor", "release", "check"}
    stages = sum(outcome.seconds("release", stage) for stage in outcome.stages)
    assert 0 < stages <= outcome.seconds("release")
    assert outcome.reached["classes"] <= 200
    assert outcome.reached["t"] > 0
    assert Outcome.from_dict(json.loads(json.dumps(outcome.to_dict()))) == outcome


@pytest.mark.slow
def test_the_command_prints_ratios() -> None:
    shown = CliRunner().invoke(main, ["--rows", "1e3", "--rounds", "1", "--threads", "1"])
    assert shown.exit_code == 0, shown.output
    assert "ratio to floor" in shown.output
    assert "writing the release" in shown.output


@pytest.mark.parametrize(("after", "code"), [(8.0, 0), (10.9, 0), (11.1, 1)])
def test_a_commit_that_is_slower_by_a_tenth_fails(
    after: float, code: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def checkout(revision: str) -> Iterator[Path]:
        yield Path(revision)

    def ratios(place: Path, arguments: tuple[str, ...]) -> dict[tuple[str, str], float]:
        rows = arguments[1]
        taken = 10.0 if place.name == "old" else after
        return {(rows, "release"): taken, (rows, "check"): 2.0, (place.name, "check"): 1.0}

    monkeypatch.setattr(compare, "checkout", checkout)
    monkeypatch.setattr(compare, "_ratios", ratios)
    shown = CliRunner().invoke(compare.main, ["old", "new", "--", "--rows", "1e6"])
    assert shown.exit_code == code, shown.output
    assert f"{after / 10 - 1:+.1%}" in shown.output
    assert ("over the limit" in shown.output) == bool(code)
    assert len(shown.output.splitlines()) == 2  # a case that one commit lacks is compared with none


def test_the_pages_show_the_figures_that_are_kept() -> None:
    found = json.loads(performance.FIGURES.read_text(encoding="utf-8"))
    texts = [path.read_text(encoding="utf-8") for path in performance.PAGES]
    assert [performance.page(one, found) for one in texts] == texts
    shown = [name for one in texts for name in performance.TABLES if f"<!-- {name} -->\n" in one]
    assert sorted(shown) == sorted(performance.TABLES)
    text = (pages.DOCS / "papers.md").read_text(encoding="utf-8")
    assert "\n".join(groups.table(groups.kept(), list(groups.METHODS))) in text


@pytest.mark.slow
def test_the_picture_shows_the_examples_release() -> None:
    drawn = picture.svg(*picture.found())
    assert picture.PICTURE.read_text(encoding="utf-8") == drawn
    assert drawn.count('class="bad"') == picture.SHOWN + 1
    assert "Nobody is alone" in drawn


@pytest.mark.slow
def test_the_papers_experiments_measure_what_the_definitions_say() -> None:
    """The classes as they are dealt, by the oracle; and random ones of the same sizes are worse."""
    k = 10
    counts: dict[tuple[int, ...], int] = {(code,): n for code, n in enumerate(papers.F)}
    experiment = replace(papers.EXPERIMENTS[0], sizes=(k,))
    ((size, dealt, chance),) = papers.measured(experiment, partitions=2)
    stacked = oracle.stack(counts)
    classes = oracle.class_members(stacked, oracle.deal(stacked, k))
    values = oracle.attribute_values(classes, 0)
    whole = [code for (code,) in stacked]
    order = oracle.frequency_order(papers.F)
    assert size == k
    assert dealt.t["value"] == pytest.approx(
        float(oracle.emd_ordered(values, whole, order).maximum)
    )
    assert dealt.l["value"] == oracle.distinct_l(values).minimum
    assert all(one.t["value"] > dealt.t["value"] for one in chance["B"])
    assert chance["B"][0] != chance["B"][1]


@pytest.mark.adult
@pytest.mark.slow
def test_suppression_slicing_suppresses_and_costs_utility(monkeypatch: pytest.MonkeyPatch) -> None:
    """Kiruthika and Raseen say that it is more useful than slicing."""
    monkeypatch.setenv("SQLANON_DATA", str(data_set("csv").parent))
    plain, similar = (papers.sliced(400, rule, queries=50) for rule in (None, "similar"))
    assert plain.suppressed == 0 < similar.suppressed < 1
    assert plain.error < similar.error
    assert plain.seconds > 0


@pytest.mark.adult
@pytest.mark.slow
def test_classes_of_alike_background_are_counted_as_formed_and_as_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """On a part of Adult; and the whole has as many complete records as the paper says."""
    monkeypatch.setenv("SQLANON_DATA", str(data_set("csv/adult.test").parents[1]))
    assert len(groups.complete(1)) == 45_222
    rows = groups.complete(300)
    for name in ("UHRA", "BKA-JS"):
        found = groups.reached(rows, 5, "0.8", "0.5", groups.METHODS[name])
        assert 5 <= found["least_formed_class"] <= found["mean_formed_class"] <= found["mean"]
        assert found["k_anonymity"] >= 5
        assert found["left_out"] == 0
        assert 0 < found[groups.RISK] <= 1 / 5


@pytest.mark.parametrize("experiment", papers.EXPERIMENTS, ids=lambda one: one.figure)
def test_the_papers_experiments_find_their_data(
    experiment: papers.Experiment, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As many values as the papers say, and every one of them in the order that is declared."""
    monkeypatch.setenv("SQLANON_DATA", str(data_set("csv").parent))
    columns = experiment.columns()
    sizes = {"value": 730, "occupation": 30162, "donated_mar2007": 748, "survival_status": 306}
    for name, settings in experiment.declared(columns).items():
        assert len(columns[name]) == sizes.get(name, 1025)
        assert isinstance(settings["order"], str) or set(columns[name]) <= set(settings["order"])
    if experiment.declared is papers.over_widths:
        counts = sorted(Counter(columns["chol"]).values(), reverse=True)
        assert counts == [359, 247, 231, 120, 42, 13, 10, 3]


@pytest.mark.parametrize(
    "chart", sorted((pages.DOCS / "figures").glob("*.svg")), ids=lambda x: x.name
)
def test_a_chart_follows_the_readers_dark_mode(chart: Path) -> None:
    text = chart.read_text(encoding="utf-8")
    assert text.count("prefers-color-scheme: dark") == 1


def test_the_charts_show_the_figures_that_are_kept(tmp_path: Path) -> None:
    def rows(name: str) -> list[dict[str, str]]:
        with (adult.FIGURES / f"{name}.csv").open(newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    kept = json.loads(performance.FIGURES.read_text(encoding="utf-8"))
    adult.draw(rows("adult"), tmp_path / "adult.svg")
    carving.draw(rows("carving"), tmp_path / "carving.svg")
    publications.draw(rows("publications"), tmp_path / "publications.svg")
    papers.draw(rows("papers"), tmp_path / "papers.svg")
    groups.draw(groups.kept(), tmp_path / "groups.svg")
    performance.draw(kept, tmp_path / "performance.svg")
    sweep.read(adult.FIGURES / "sweep.csv").save(tmp_path / "sweep.svg")
    for drawn in tmp_path.iterdir():
        written = adult.FIGURES.joinpath(drawn.name).read_text(encoding="utf-8")
        assert drawn.read_text(encoding="utf-8") == written, drawn.name


def test_a_bound_is_the_least_loss_of_all_that_every_box_can_hold() -> None:
    """Held against the whole linear program: as much of each record as is put into each box."""
    counts = np.array([[9, 1, 4, 0], [2, 6, 0, 3]], dtype=float).T.reshape(4, 1, 1, 2)
    alone = (bounds.Node((0,), 0.0),)
    task = bounds.Task(counts, np.array([1.0, 2.0, 4.0, 8.0]), alone, alone)
    for t in (0.05, 0.2, 0.4):
        found = bounds.bound(task, t, gap=1e-6)
        assert found == pytest.approx(_least_loss(counts.reshape(4, 2), [1, 2, 4, 8], t), abs=1e-5)


def _least_loss(counts: Any, ages: list[int], t: float) -> float:
    program: Any = highspy.Highs()  # type: ignore[no-untyped-call]
    program.setOptionValue("output_flag", False)
    share = counts[:, 1].sum() / counts.sum()
    taken: dict[tuple[int, int], list[Any]] = {}
    spent = []
    for low, high in combinations_with_replacement(range(4), 2):
        loss = (ages[high] - ages[low]) / (ages[-1] - ages[0]) / 3
        parts = [(at, value) for at in range(low, high + 1) for value in (0, 1)]
        amounts = {part: program.addVariable(lb=0) for part in parts}
        inside = sum(amounts.values())
        ones = sum(amount for (_, value), amount in amounts.items() if value)
        program.addConstr(ones <= (share + t) * inside)
        program.addConstr(ones >= (share - t) * inside)
        for part, amount in amounts.items():
            taken.setdefault(part, []).append(amount)
        spent.append(loss * inside)
    for (at, value), parted in taken.items():
        program.addConstr(sum(parted) == float(counts[at, value]))
    program.minimize(sum(spent))
    return float(program.getObjectiveValue() / counts.sum())


@pytest.mark.parametrize(("power", "expected"), [(1, 1.0), (2, 2.0), (0.5, 0.5)])
def test_the_slope_of_a_power_is_its_exponent(power: float, expected: float) -> None:
    points = [(float(rows), 3.0 * rows**power) for rows in (10, 100, 1000)]
    assert performance.slope(points) == pytest.approx(expected)
