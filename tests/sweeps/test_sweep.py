"""The sweep: every combination as a run of its own would have it, what is shared made once."""

from __future__ import annotations

import _thread
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from fractions import Fraction
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import oracle
import pytest
from commands import sqlanon as sqlanon_command
from needs import missing
from servers import place
from support import (
    ROOT,
    Connection,
    data_set,
    database,
    interruptible,
    make_table,
    multiset,
    read,
    relations,
    slow,
)

import sqlanon
from sqlanon.engines import DuckDBEngine, open_engine
from sqlanon.errors import InfeasibleError, InterruptedRunError, SpecError
from sqlanon.pages.charts.chart import check_drawable, draw_text
from sqlanon.plan import Materialization
from sqlanon.session import Event
from sqlanon.sql.names import Relation
from sqlanon.uses.sweeps.sweep import COLUMNS, kept_map

PEOPLE = {"id": "integer", "age": "integer", "town": "varchar", "s": "varchar", "pay": "integer"}
ROWS = [
    (i, 20 + i * 7 % 31, f"town {i % 4}", "aaaabbbccd"[i * 3 % 10], i * i % 6) for i in range(70)
]
DECLARED: dict[str, Any] = {
    "quasi_identifiers": {"age": {}, "town": {}},
    "sensitive": {"s": {"t": "0.4"}, "pay": {"distance": "ordered", "t": "0.3"}},
}
STRIPES = {"name": "stack_and_deal", "locality": "stripes", "stripe": 20}
CURVE = {"name": "stack_and_deal", "locality": "curve"}
SEARCH = {"name": "split_or_deal", "effort": "quick", "refine": 0}
METHODS = ["stack_and_deal", CURVE, STRIPES, "deal_tree", SEARCH]
MEASURES = ("classes", "gcp", "c_avg")
QUICK = {"quick": True}


@pytest.fixture
def people() -> Iterator[Connection]:
    with database() as connection:
        make_table(connection, "people", PEOPLE, ROWS)
        yield connection


def sweep(connection: Any, source: Any = "people", **given: Any) -> sqlanon.Sweep:
    found = sqlanon.sweep(source, connection=connection, **DECLARED | given)
    found.close()
    return found


def rows_of(connection: Connection, release: str = "anonymized") -> list[dict[str, Any]]:
    columns, rows = read(connection, f"{release}__sweep")
    assert columns == COLUMNS
    return [dict(zip(columns, row, strict=True)) for row in rows]


def asked(declared: dict[str, Any], t: str | None) -> dict[str, Any]:
    """The sensitive attributes with t in place of their own."""
    if t is None:
        return dict(declared["sensitive"])
    return {name: {**settings, "t": t} for name, settings in declared["sensitive"].items()}


# --- what it finds -------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", [*METHODS[:2], *slow(*METHODS[2:])], ids=str)
def test_rows_are_what_separate_runs_reach(people: Connection, method: Any) -> None:
    """Also of what a run refuses: its shortfalls are what the row says."""
    sizes, levels = ((20,), ("0.5",)) if method == SEARCH else ((2, 12), ("0.25", "0.5"))
    found = sweep(people, k=sizes, t=levels, methods=[method])
    assert [(one.k, one.closeness[0].asked) for one in found.trials] == [
        (k, t) for k in sizes for t in levels
    ]
    for trial in found.trials:
        t = trial.closeness[0].asked
        declared = {**DECLARED, "sensitive": asked(DECLARED, t), "k": trial.k, "method": method}
        if not trial.holds:
            with pytest.raises(InfeasibleError) as caught:
                sqlanon.anonymize("people", connection=people, **declared)
            assert trial.shortfalls == caught.value.shortfalls
            assert trial.why == "; ".join(map(str, caught.value.shortfalls))
            continue
        alone = sqlanon.anonymize("people", connection=people, **declared)
        alone.close()
        assert trial.why == ""
        assert [getattr(trial, name) for name in MEASURES] == [
            alone.measure(name) for name in MEASURES
        ]
        assert {closeness.attribute: closeness.reached for closeness in trial.closeness} == {
            name: alone.measure("t_closeness", name) for name in ("s", "pay")
        }
        assert trial.marketer_risk == alone.measure("marketer_risk")


@pytest.mark.further
@pytest.mark.slow
def test_rows_of_several_j_are_what_separate_runs_reach(people: Connection) -> None:
    """Each J stands in place of the attribute's own and of the one for all."""
    known = {"estimate": {"by": ["age", "town"]}}
    declared: dict[str, Any] = {
        **DECLARED,
        "sensitive": {"s": {"background": known, "bk": 0.9}, "pay": {"t": 1}},
        "method": SEARCH,
        "k": 5,
    }
    found = sweep(people, **{**declared, "bk": "0.5,0.2"})
    assert [one.further["bk"][0].asked for one in found.trials] == ["0.5", "0.2"]
    assert len({one.further["bk"][0].reached for one in found.trials}) == 2
    for trial, row in zip(found.trials, rows_of(people)[1::2], strict=True):
        (known_of_s,) = trial.further["bk"]
        of_s = {"background": known, "bk": known_of_s.asked}
        own = {**declared, "sensitive": {"s": of_s, "pay": {"t": 1}}}
        alone = sqlanon.anonymize("people", connection=people, **own)
        alone.close()
        assert trial.holds
        assert known_of_s.reached == alone.measure("background_knowledge", "s")
        assert trial.gcp == alone.measure("gcp")
        assert (row["attribute"], row["bk_asked"]) == ("s", known_of_s.asked)
        assert row["bk_reached"] == known_of_s.reached
    other = [row for row in rows_of(people) if row["attribute"] == "pay"]
    assert {row["bk_asked"] for row in other} == {None}
    assert len(found.map().series) == 2


@pytest.mark.further
@pytest.mark.slow
def test_rows_of_several_l_are_what_separate_runs_reach(people: Connection) -> None:
    """Each l stands in place of the attribute's own, and of the one for all."""
    declared: dict[str, Any] = {
        **DECLARED,
        "sensitive": {"s": {"l": 4}, "pay": {"t": 1, "l": {"entropy": 1.1}}},
        "method": SEARCH,
        "k": 3,
    }
    found = sweep(people, **{**declared, "l": "2-4"})
    asked = [[closeness.asked for closeness in each.diversity] for each in found.trials]
    assert asked == [["2", "2"], ["3", "3"], ["4", "4"]]
    for trial, row in zip(found.trials, rows_of(people)[::2], strict=True):
        of_pay, of_s = (
            trial.diversity
            if trial.diversity[0].attribute == "pay"
            else (
                trial.diversity[1],
                trial.diversity[0],
            )
        )
        l_asked = int(of_s.asked or 0)
        own = {"s": {"l": l_asked}, "pay": {"t": 1, "l": l_asked}}
        alone = sqlanon.anonymize("people", connection=people, **{**declared, "sensitive": own})
        alone.close()
        assert trial.holds
        assert of_s.reached == alone.measure("distinct_l", "s")
        assert of_pay.reached == alone.measure("distinct_l", "pay")
        assert trial.gcp == alone.measure("gcp")
        named = {"s": of_s, "pay": of_pay}[row["attribute"]]
        assert (row["l_asked"], row["l_reached"]) == (named.asked, named.reached)
    same = sweep(people, **{**declared, "l": {"entropy": 2}, "k": "3,4"})
    assert len(same.trials) == 2, "a mapping is the spec's own l"


@pytest.mark.slow
def test_the_table_of_a_sweep_shows_l_where_it_is_asked_for(tmp_path: Path) -> None:
    with database(tmp_path / "people.duckdb") as connection:
        make_table(connection, "people", PEOPLE, ROWS)
    (tmp_path / "s.yaml").write_text(
        "{source: people, release: r, quasi_identifiers: [age], sensitive: [s],\n"
        " privacy: {k: 3}, method: mondrian, seed: 1, database: people.duckdb}",
        encoding="utf-8",
    )
    with_l = sqlanon_command(tmp_path, "sweep", "s.yaml", "--l", "2,3", "--quiet", columns=200)
    assert with_l.returncode == 0, with_l.stderr
    assert "l of s" in with_l.stdout
    assert "(≥ 3)" in with_l.stdout
    assert (
        "l of s" not in sqlanon_command(tmp_path, "sweep", "s.yaml", "--k", "3,4", "--quiet").stdout
    )


@pytest.mark.further
@pytest.mark.slow
def test_a_method_after_another_finds_what_it_finds_alone(people: Connection) -> None:
    """Also one whose relation of a name is a view and not a table."""
    given: dict[str, Any] = {"k": 14, "t": ["0.3", "0.6"]}
    together = sweep(people, methods=METHODS, **given)
    apart = [
        trial for method in METHODS for trial in sweep(people, methods=[method], **given).trials
    ]
    assert [figures(trial) for trial in together.trials] == [figures(trial) for trial in apart]


def figures(trial: sqlanon.Trial) -> tuple[Any, ...]:
    return (
        trial.method,
        trial.k,
        trial.closeness,
        trial.classes,
        trial.gcp,
        trial.c_avg,
        trial.holds,
        trial.why,
    )


def test_the_relation_holds_what_is_returned(people: Connection) -> None:
    found = sweep(
        people, k="3-4,80", t=["0.3", "1/3"], methods="stack_and_deal", privacy_weight=0.25
    )
    rows = rows_of(people)
    assert len(rows) == 2 * len(found.trials)
    for number, (trial, cost) in enumerate(zip(found.trials, found.costs, strict=True), 1):
        own = [row for row in rows if row["combination"] == number]
        assert [row["attribute"] for row in own] == ["pay", "s"]
        for row in own:
            (closeness,) = [one for one in trial.closeness if one.attribute == row["attribute"]]
            assert row["t_asked"] == closeness.asked
            assert row["t_reached"] == closeness.reached
            assert row["cost"] == (None if cost is None else float(cost))
            for name in ("method", "k", "classes", "gcp", "c_avg", "marketer_risk", "why"):
                assert row[name] == getattr(trial, name)
            assert row["holds"] is trial.holds
            assert row["seconds"] == pytest.approx(trial.seconds, abs=0.001)


def test_without_a_t_every_attribute_keeps_its_own(people: Connection) -> None:
    (trial,) = sweep(people, k=5, methods="stack_and_deal").trials
    assert [(closeness.attribute, closeness.asked) for closeness in trial.closeness] == [
        ("s", "0.4"),
        ("pay", "0.3"),
    ]
    (trial,) = sweep(people, k=5, t=0.9, methods="stack_and_deal").trials
    assert [closeness.asked for closeness in trial.closeness] == ["0.9", "0.9"]


def test_a_method_whose_settings_hold_a_mapping_is_tried_once(people: Connection) -> None:
    method = {"name": "cell_suppression", "importance": {"age": 2}}
    found = sweep(people, k=[2], methods=[method, method])
    (tried,) = found.trials
    assert tried.method.startswith("cell_suppression")


def test_what_is_not_swept_stays_as_the_spec_has_it(people: Connection) -> None:
    fields = {"source": "people", "release": "r", "privacy": {"k": 6, "l": 2}, "seed": 3}
    spec = sqlanon.parse_spec({**DECLARED, **fields, "method": CURVE})
    found = sqlanon.sweep(spec, connection=people, t="0.9")
    found.close()
    assert [(trial.method, trial.k) for trial in found.trials] == [
        ("stack_and_deal, locality: curve", 6)
    ]
    assert found.relation == Relation("r__sweep")


def test_combinations_that_cannot_be_met_are_rows(people: Connection) -> None:
    """Too few values for l, a t out of reach, and more than there are records."""
    found = sweep(people, k=[2, 71], t=["0.01", "1"], methods="stack_and_deal", l=3)
    first, second, third, fourth = found.trials
    assert {shortfall.model for shortfall in first.shortfalls} == {"distinct_l", "t_closeness"}
    assert {shortfall.model for shortfall in second.shortfalls} == {"distinct_l"}
    assert first.gcp is not None
    for trial in (third, fourth):
        assert (trial.holds, trial.gcp, trial.classes, trial.t) == (False, None, None, None)
        assert "k is 71, the source has only 70 records; lower k" in trial.why


@pytest.mark.slow
def test_a_search_is_quick_unless_an_effort_is_declared(people: Connection) -> None:
    declared = {"name": "split_or_deal", "effort": "normal", "refine": 0}
    found = sweep(people, k="30", methods=["split_or_deal", declared])
    assert [trial.method for trial in found.trials] == [
        "split_or_deal, effort: quick",
        "split_or_deal, effort: normal, refine: 0",
    ]


@pytest.mark.slow
def test_no_cell_of_the_data_is_written(people: Connection) -> None:
    secret = [(i, i % 9, "hush", f"secret {i % 2}", i % 2) for i in range(20)]
    make_table(people, "people", PEOPLE, secret)
    sweep(people, k="2-3", t="0.001", methods="stack_and_deal,split_or_deal")
    text = str(rows_of(people))
    assert "secret" not in text
    assert "hush" not in text


# --- what is made once ---------------------------------------------------------------------------


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each relation is made."""
    counted: Counter[str] = Counter()
    create = DuckDBEngine.create

    def count(
        self: Any, relation: Relation, select: str, how: Materialization, step: str = ""
    ) -> None:
        counted[relation.name.removeprefix("sqlanon_")] += 1
        create(self, relation, select, how, step)

    monkeypatch.setattr(DuckDBEngine, "create", count)
    return counted


@pytest.mark.slow
def test_what_combinations_share_is_made_once(people: Connection, made: Counter[str]) -> None:
    sweep(people, k="2,5,9", t=["0.3", "0.6"], methods=["stack_and_deal", CURVE])
    once = ("records", "size", "values_q1", "domain_q1", "domain_q2", "positions_s1", "coded")
    assert {name: made[name] for name in once} == dict.fromkeys(once, 1)
    # The stack is either method's; a class for every record, and what is measured of it, depend on
    # k and on no t: that is held beside it.
    assert made["stack"] == 1
    measured = ("class_values_s1", "class_loss", "measured_t_closeness_s1")
    for name in ("assigned", "recoded", "trial", "classes", *measured):
        assert made[name] == 6, name
    for name in ("held", "metrics"):
        assert made[name] == 12, name


@pytest.mark.slow
def test_searches_share_their_cells(people: Connection, made: Counter[str]) -> None:
    sweep(people, k="20,25", t=["0.4", "0.6"], methods=[SEARCH])
    once = ("records", "domain_q1", "coded", "cells", "axis_q1")
    assert {name: made[name] for name in once} == dict.fromkeys(once, 1)
    assert made["parts"] == 4


@pytest.mark.slow
def test_a_check_is_asked_once(people: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for: Counter[str] = Counter()
    fetch = DuckDBEngine.fetch

    def count(self: Any, select: str, limit: int, step: str = "") -> Any:
        asked_for[step] += 1
        return fetch(self, select, limit, step)

    monkeypatch.setattr(DuckDBEngine, "fetch", count)
    sweep(people, k="2,5,9", t=["0.6", "0.9"], methods="stack_and_deal")
    assert asked_for["source/check_not_empty"] == 1
    assert asked_for["source/check_enough_records"] == 3
    assert asked_for["release/check_gate"] == 6


# --- what it leaves ------------------------------------------------------------------------------


@pytest.mark.slow
def test_nothing_but_the_sweep_stays(people: Connection) -> None:
    sqlanon.anonymize(
        "people", connection=people, **DECLARED | {"k": 9, "method": "stack_and_deal"}
    ).close()
    before, release = relations(people), multiset(read(people, "anonymized")[1])
    sweep(people, k="15", methods=METHODS)
    assert relations(people) == before | {"anonymized__sweep"}
    assert multiset(read(people, "anonymized")[1]) == release
    sweep(people, k=3, methods="stack_and_deal", quick=True)  # in place of the older one
    assert relations(people) == before | {"anonymized__sweep"}
    assert len(rows_of(people)) == 2


def test_another_relation_of_that_name_is_not_replaced(people: Connection) -> None:
    make_table(people, "anonymized__sweep", {"mine": "integer"}, [(1,)])
    with pytest.raises(SpecError, match="is no sweep of sqlanon's"):
        sweep(people, k="2,5")
    assert read(people, "anonymized__sweep")[1] == [(1,)]


def test_the_source_is_not_replaced(people: Connection) -> None:
    people.execute("alter table people rename to x__sweep")
    with pytest.raises(SpecError, match="x__sweep, which is the source"):
        sweep(people, "x__sweep", k="2,5", release="x")


@pytest.mark.parametrize("quick", [False, True])
def test_an_interrupt_leaves_nothing(people: Connection, quick: bool) -> None:
    def interrupt(event: Event) -> None:
        if "values of s" in event.title and (quick or "k = 5" in event.title):
            _thread.interrupt_main()

    given: dict[str, Any] = {"k": "2,5", "methods": "stack_and_deal", "quick": quick}
    with interruptible(), pytest.raises(InterruptedRunError):
        sqlanon.sweep("people", connection=people, progress=interrupt, **DECLARED, **given)
    assert relations(people) == {"people"}


def test_what_fails_midway_leaves_nothing(people: Connection) -> None:
    """A fault of the data that a later method alone meets would be an error of the whole."""
    people.execute("update people set town = null where id = 3")
    declared = {"sensitive": {"town": {"nulls": "reject"}}, "quasi_identifiers": "age"}
    with pytest.raises(SpecError, match="have no value, which the spec rejects"):
        sweep(people, k="2,5", **declared)
    assert relations(people) == {"people"}


@pytest.mark.slow
def test_it_tells_how_it_comes_along(people: Connection) -> None:
    events: list[Event] = []
    sweep(people, k="25,30", methods=["stack_and_deal", SEARCH], progress=events.append)
    numbers, done = [event.number for event in events], [event.done for event in events]
    assert (numbers, done) == (sorted(numbers), sorted(done))
    assert {event.total for event in events} == {numbers[-1]}
    assert done[-1] == 1
    assert events[0].title == "stack_and_deal, k = 25: reading the source"
    assert events[-1].title.startswith("split_or_deal, k = 30: ")


# --- the frequencies alone -----------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize(
    ("stack", "locality"),
    [
        ("frequency", "none"),
        ("snake", "curve"),
        pytest.param("frequency", "curve", marks=pytest.mark.further),
        pytest.param("snake", "none", marks=pytest.mark.further),
    ],
)
def test_frequencies_predict_what_is_measured(
    people: Connection, stack: str, locality: str
) -> None:
    """Where no two classes publish the same tuple;up to one class of all."""
    method = {"name": "stack_and_deal", "stack": stack, "locality": locality}
    given: dict[str, Any] = {
        "quasi_identifiers": "id",
        "k": "1-8,11,23,24,34,35,36,69,70",
        "methods": [method],
        "l": {"distinct": 2, "entropy": 2},
    }
    told, found = sweep(people, quick=True, **given), sweep(people, **given)
    assert len(told.trials) == 16
    for one, other in zip(told.trials, found.trials, strict=True):
        assert one.closeness == other.closeness
        assert (one.k, one.classes, one.c_avg) == (other.k, other.classes, other.c_avg)
        assert one.holds == other.holds
        assert [(each.model, each.attribute, each.reached) for each in one.shortfalls] == [
            (each.model, each.attribute, each.reached) for each in other.shortfalls
        ]
        assert (one.gcp, one.seconds) == (None, None)


@pytest.mark.slow
def test_classes_that_merge_are_better_than_predicted(people: Connection) -> None:
    given: dict[str, Any] = {"k": "1-6,17", "methods": "stack_and_deal"}
    told, found = sweep(people, quick=True, **given), sweep(people, **given)
    for one, other in zip(told.trials, found.trials, strict=True):
        for predicted, reached in zip(one.closeness, other.closeness, strict=True):
            assert predicted.reached is not None
            assert reached.reached is not None
            assert reached.reached <= predicted.reached + 1e-12


@pytest.mark.slow
def test_what_is_predicted_in_parts_is_the_same(
    people: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: dict[str, Any] = {"k": "1-72", "t": ["0.2", "0.5"], "methods": "stack_and_deal"}
    at_once = sweep(people, quick=True, **given)
    module = import_module("sqlanon.uses.outlook.predict")
    monkeypatch.setattr(module, "MOST_PAIRS", 1)
    assert sweep(people, quick=True, **given).trials == at_once.trials
    monkeypatch.setattr(module, "MOST_BLOCKS", 3)
    with pytest.raises(SpecError, match="too many combinations of sensitive values"):
        sweep(people, quick=True, **given)


CASES: list[dict[str, Any]] = json.loads(
    (ROOT / "tests" / "papers" / "cases.json").read_text(encoding="utf-8")
)["cases"]


def case_of(name: str) -> dict[str, Any]:
    (found,) = [case for case in CASES if case["id"] == name]
    return found


def predicted(sizes: Any, **sensitive: list[int]) -> dict[int, list[float | None]]:
    """The t of every k, by a quick sweep, in frequency order for one attribute."""
    names = list(sensitive)
    rows = list(zip(range(10_000), *sensitive.values(), strict=False))
    order = "frequency" if len(names) == 1 else "natural"
    with (
        database() as connection,
        sqlanon.sweep(
            filled(connection, names, rows),
            connection=connection,
            quasi_identifiers="id",
            sensitive={name: {"distance": "ordered", "order": order} for name in names},
            k=sizes,
            methods=[{"name": "stack_and_deal", "stack": "frequency"}],
            quick=True,
        ) as found,
    ):
        return {trial.k: [each.reached for each in trial.closeness] for trial in found.trials}


def filled(connection: Connection, names: list[str], rows: list[tuple[int, ...]]) -> str:
    make_table(connection, "t", {"id": "integer", **dict.fromkeys(names, "integer")}, rows)
    return "t"


def is_close(found: float | None, expected: str | Fraction) -> bool:
    return found is not None and abs(Fraction(found) - Fraction(expected)) < Fraction(1, 10**12)


def test_the_papers_t_of_every_k() -> None:
    """Gowda (2021), section 5, Figure 1: k = 2 to 21 in one quick sweep; and by the oracle."""
    case = case_of("000-s5")
    counts, (low, high) = case["input"]["counts"], case["input"]["k"]
    told = predicted(f"{low}-{high}", s=[c for c, count in enumerate(counts) for _ in range(count)])
    assert sorted(told) == list(range(low, high + 1))
    stacked = oracle.stack(oracle.from_vector(counts))
    table = [code for (code,) in stacked]
    for k, (t,) in told.items():
        assert is_close(t, case["expect"][str(k)]["t"])
        members = oracle.class_members(stacked, oracle.deal(stacked, k))
        values = oracle.attribute_values(members, 0)
        order = oracle.frequency_order(counts)
        assert is_close(t, oracle.emd_ordered(values, table, order).maximum)


def test_the_papers_counterexample() -> None:
    case = case_of("003-nearopt")
    counts, k = case["input"]["counts"], case["input"]["k"]
    told = predicted(k, s=[c for c, count in enumerate(counts) for _ in range(count)])
    values = oracle.from_vector(counts)
    stacked = oracle.stack(values)
    members = oracle.class_members(stacked, oracle.deal(stacked, k))
    found = oracle.emd_ordered(
        oracle.attribute_values(members, 0),
        [code for (code,) in stacked],
        oracle.frequency_order(counts),
    )
    assert is_close(told[k][0], found.maximum)


def test_the_papers_t_of_two_attributes() -> None:
    """Gowda (2023), Tables 5.1 to 5.3: both t of every k."""
    case = case_of("003-T5")
    columns = [[row[axis] for row in case["input"]["rows"]] for axis in (0, 1)]
    told = predicted(case["input"]["k"], a=columns[0], b=columns[1])
    for k, (first, second) in told.items():
        expected = case["expect"]["t"][str(k)]
        assert is_close(first, expected[0])
        assert is_close(second, expected[1])


@pytest.mark.further
@pytest.mark.slow
def test_thousands_of_k_of_adult_cost_one_scan(made: Counter[str]) -> None:
    """Adult, every k to 5,000: 30,162 records are read once, and none is assigned."""
    with database() as connection:
        found = sqlanon.sweep(
            data_set("csv/arx_adult.csv"),
            connection=connection,
            quasi_identifiers=["age", "sex"],
            sensitive=["occupation"],
            k="2-5000",
            methods="stack_and_deal",
            quick=True,
        )
        found.close()
    assert len(found.trials) == 4999
    assert (made["records"], made["stack"], made["coded"], made["trial"]) == (1, 1, 0, 0)
    assert made["profiles"] == 1
    greatest = [trial.t or 0 for trial in found.trials]
    assert greatest[0] > 0.4
    assert greatest[-1] < 0.001


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "nothing to sweep over: give several k"),
        ({"k": "many"}, "k: 'many' is no whole number: give whole numbers from 1 and ranges"),
        ({"k": "0-3"}, "k: '0-3' is below 1"),
        ({"k": "7-3"}, "the range '7-3' runs backwards: write 3-7"),
        ({"k": ""}, "k: there is no number in it"),
        ({"k": []}, "k: there is no number in it"),
        ({"k": "1-99999999"}, "k: at most 10,000 numbers can be tried"),
        ({"k": [2, 2.5]}, "k: '2.5' is no whole number"),
        ({"t": "near"}, "t.0: it must be a number such as 0.2 or '1/5'"),
        ({"t": "0.1,1.5"}, "t.1: it must be less than or equal to 1"),
        ({"t": []}, "t: there is no number in it: give numbers from 0 to 1"),
        ({"l": "0-3"}, "l: '0-3' is below 1"),
        ({"bk": "0.1,2"}, "bk.1: it must be less than or equal to 1"),
        (
            {"k": 3, "bk": "0.1"},
            "privacy.bk: it is asked of sensitive attributes with a background",
        ),
        ({"methods": "stack_and_deel"}, "did you mean 'stack_and_deal'?"),
        ({"methods": "{localty: curve}"}, "method.localty: unknown key"),
        ({"methods": "{name: deal_tree, refine: 3}"}, "method.refine: unknown key"),
        ({"methods": "{name: "}, "methods: it cannot be read: write each method as in a spec"),
        ({"methods": []}, "methods: there is no method in it; known: anatomy, cell_"),
        ({"k": 3, "privacy_weight": 2}, "privacy_weight: it must be less than or equal to 1"),
        ({"k": 3, "alpha": 0.5}, "the weight of privacy loss is called privacy_weight"),
        ({"k": "2-5000", "t": "0.1,0.2,0.3"}, "14,997 combinations; at most 10,000"),
        ({"k": 30, "methods": [STRIPES]}, "method.stripe: a stripe must hold k records at least"),
        ({"k": 3, "methods": "deal_tree", "quick": True}, "tell nothing of deal_tree"),
        (
            {"k": 3, "methods": [STRIPES], "quick": True},
            "tell nothing of stack_and_deal as declared",
        ),
        (
            {"k": 3, "methods": "stack_and_deal", "quick": True, "privacy_weight": 1},
            "does not look at",
        ),
        ({"k": 3, "sensitive": "nobody"}, "the source has no such column"),
        ({"k": 3, "methods": "fragmentation"}, "fragmentation needs an order of the values"),
    ],
    ids=str,
)
def test_bad_input_is_refused(people: Connection, given: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError) as caught:
        sweep(people, **given)
    assert message in str(caught.value)
    assert relations(people) == {"people"}


@pytest.mark.parametrize("quick", [False, True])
def test_a_least_k_above_the_number_of_records_is_refused(people: Connection, quick: bool) -> None:
    with pytest.raises(InfeasibleError, match="k is 71, the source has only 70 records; lower k"):
        sweep(people, k="71-75", methods="stack_and_deal", quick=quick)
    assert relations(people) == {"people"}


# --- other engines -------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("engine", "given"),
    [
        pytest.param(
            "postgres",
            {"methods": METHODS, "k": "14,20", "t": ["0.4"], "privacy_weight": 0.5},
            marks=pytest.mark.slow,
        ),
        (
            "postgres",
            {"methods": ["stack_and_deal", CURVE], "k": "1-71", "t": ["0.3", "0.6"], **QUICK},
        ),
        pytest.param(
            "spark",
            {
                "methods": ["stack_and_deal", CURVE],
                "k": "14,20",
                "t": ["0.4"],
                "privacy_weight": 0.5,
            },
            marks=pytest.mark.slow,
        ),
    ],
    ids=["postgres-tried", "postgres-quick", "spark-tried"],
)
def test_other_engines_find_what_duckdb_finds(
    people: Connection, urls: Mapping[str, str], engine: str, given: dict[str, Any]
) -> None:
    with place(engine, urls) as there:
        there.make_table("people", PEOPLE, ROWS)
        ours, theirs = sweep(people, **given), sweep(there.connection, **given)
        close = (
            [figures(trial) for trial in ours.trials],
            [figures(trial) for trial in theirs.trials],
        )
        for here, found in zip(*close, strict=True):
            assert here[:2] == found[:2]
            assert here[3] == found[3]
            assert here[4:6] == pytest.approx(found[4:6], abs=1e-9)
            assert here[6:] == found[6:]
            for one, other in zip(here[2], found[2], strict=True):
                assert (one.attribute, one.asked) == (other.attribute, other.asked)
                assert one.reached == pytest.approx(other.reached, abs=1e-12)
        assert ours.costs == theirs.costs
        assert there.relations() == {"people", "anonymized__sweep"}
        with closing(open_engine(connection=there.connection)) as opened:
            release: Any = SimpleNamespace(engine=opened, relation=Relation("anonymized"))
            assert kept_map(release) == theirs.map()
        columns, rows = there.read("anonymized__sweep")
        assert columns == COLUMNS
        assert len(rows) == 2 * len(theirs.trials)


# --- the map -------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_map_has_a_line_for_each_method(people: Connection, tmp_path: Path) -> None:
    """One for each t asked where that decides the classes, else one for all."""
    found = sweep(people, k="4,9,20", t=["0.3", "0.9"], methods=["stack_and_deal", SEARCH])
    shown = found.map()
    assert [line.method for line in shown.series] == [
        "stack_and_deal",
        *["split_or_deal, effort: quick, refine: 0"] * 2,
    ]
    assert {len(line.points) for line in shown.series} == {3}
    text = draw_text(shown)
    assert "A stack_and_deal   B split_or_deal, effort: quick, refine: 0" in text
    assert "information loss (GCP)" in text
    found.chart(tmp_path / "map.svg")
    picture = (tmp_path / "map.svg").read_text(encoding="utf-8")
    assert picture.startswith("<svg")
    assert "split_or_deal" in picture
    found.chart(tmp_path / "again.svg")
    assert (tmp_path / "again.svg").read_text(encoding="utf-8") == picture


def test_the_map_of_marketer_risk_shows_it_in_place_of_t(
    people: Connection, tmp_path: Path
) -> None:
    found = sweep(people, k="4,9", methods="stack_and_deal")
    shown = found.map("marketer")
    assert shown.y == "marketer risk"
    assert [point.y for point in shown.points] == [trial.marketer_risk for trial in found.trials]
    assert found.map("t") == found.map()
    assert [point.y for point in found.map().points] == [trial.t for trial in found.trials]
    found.chart(tmp_path / "risk.svg", risk="marketer")
    assert "marketer risk" in (tmp_path / "risk.svg").read_text(encoding="utf-8")


def test_a_map_of_t_is_refused_where_no_attribute_has_one(people: Connection) -> None:
    found = sweep(people, k="4,9", methods="stack_and_deal", sensitive=[])
    assert found.map().y == "marketer risk"
    with pytest.raises(SpecError, match="no sensitive attribute with a t; ask for marketer"):
        found.map("t")


@pytest.mark.slow
def test_a_sweep_shows_itself_in_a_notebook(
    people: Connection,
) -> None:
    found = sweep(people, k="4,9", t=["0.0001"], methods="stack_and_deal")
    shown = found._repr_html_()
    assert shown.startswith("<svg")
    assert shown.count("<tr>") == 3
    assert "t_closeness of pay: asked for 0.0001" in shown


@pytest.mark.slow
def test_a_map_is_drawn_for_print(people: Connection, tmp_path: Path) -> None:
    try:
        import_module("cairosvg")
    except (ImportError, OSError):
        missing("cairo", "the extra 'chart' or the library libcairo2 of the system is missing")
    found = sweep(people, k="4,9", methods=["stack_and_deal"])
    for ending, begins in (("png", b"\x89PNG"), ("pdf", b"%PDF")):
        file = tmp_path / f"map.{ending}"
        found.chart(file)
        assert file.read_bytes().startswith(begins)
        assert file.stat().st_size > 1000


def test_a_quick_map_is_over_k(people: Connection) -> None:
    found = sweep(people, k="2-30", methods="stack_and_deal", quick=True)
    (line,) = found.map().series
    assert [point.x for point in line.points] == list(range(2, 31))


def test_a_chart_that_cannot_be_drawn_is_refused_beforehand(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SpecError, match=r"did you mean '\.svg'\?"):
        check_drawable(tmp_path / "map.svgg")
    with pytest.raises(SpecError, match="there is no folder"):
        check_drawable(tmp_path / "nowhere" / "map.svg")
    monkeypatch.setattr("sqlanon.pages.charts.chart.find_spec", lambda name: None)
    check_drawable(tmp_path / "map.svg")
    for ending in ("png", "PDF"):
        with pytest.raises(SpecError, match=r"install sqlanon's extra 'chart', or take \.svg"):
            check_drawable(tmp_path / f"map.{ending}")
