"""Choosing k: what Gowda (2023), chapter 6, takes, by the package and by exact fractions."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

import oracle
import pytest
from servers import PostgresPlace, place
from support import Connection, database, facts, make_table, multiset, read, relations, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.plan import Check, Step
from sqlanon.planning.trials import Closeness, Trial
from sqlanon.session import Event, Session
from sqlanon.uses.sweeps.choose import cheapest, costs, may_be_chosen

PEOPLE = {"age": "integer", "s": "varchar"}
ROWS = [(20 + i * 7 % 31, "aaaabbbccd"[i * 3 % 10]) for i in range(80)]
DECLARED: dict[str, Any] = {
    "quasi_identifiers": {"age": {}},
    "sensitive": {"s": {}},
    "method": {"name": "stack_and_deal", "locality": "curve"},
    "k": 2,
}
ALPHAS = ["0", "1/4", "1/2", "0.9", "1"]


@pytest.fixture
def people() -> Iterator[Connection]:
    with database() as connection:
        make_table(connection, "people", PEOPLE, ROWS)
        yield connection


def anonymize(connection: Any, **given: Any) -> sqlanon.Release:
    made = sqlanon.anonymize("people", connection=connection, **DECLARED | given)
    made.close()
    return made


def trial(
    k: int, t: Fraction, gcp: Fraction, holds: bool = True, risk: Fraction = Fraction(1, 10)
) -> Trial:
    closeness = (Closeness("s", None, float(t)),)
    return Trial("a method", k, closeness, 1, float(gcp), 1.0, float(risk), 0.0, holds, "")


def losses_of(connection: Connection) -> tuple[Fraction, Fraction, Fraction]:
    """t, marketer risk and GCP of the published table, by the oracle alone."""
    _, rows = read(connection, "anonymized")
    classes: dict[str, list[Any]] = {}
    for age, s in rows:
        classes.setdefault(age, []).append(s)
    t = oracle.emd_equal(list(classes.values()), [s for _, s in ROWS]).maximum
    span = max(age for age, _ in ROWS) - min(age for age, _ in ROWS)
    cells = []
    for age, _ in rows:
        ends = [int(end) for end in re.findall(r"\d+", age)]
        cells.append(oracle.ncp_interval(ends[0], ends[-1], span))
    return t, Fraction(len(classes), len(rows)), oracle.gcp(cells)


# --- the rule ------------------------------------------------------------------------------------


@pytest.mark.parametrize("alpha", ALPHAS)
def test_the_rule_is_the_oracles(alpha: str) -> None:
    chance = random.Random(alpha)
    for _ in range(200):
        losses = {
            k: (
                Fraction(chance.randrange(21), 40),
                Fraction(chance.randrange(9), 16),
                Fraction(chance.randrange(21), 25),
            )
            for k in sorted(chance.sample(range(2, 60), chance.randrange(1, 9)))
        }
        trials = [trial(k, t, i, risk=risk) for k, (t, risk, i) in losses.items()]
        place_of = cheapest(trials, Fraction(alpha))
        assert place_of is not None
        assert trials[place_of].k == oracle.chosen_k(losses, Fraction(alpha))
        expected = oracle.costs_of_k(losses, Fraction(alpha))
        for one, cost in zip(trials, costs(trials, Fraction(alpha)), strict=True):
            assert cost is not None
            assert abs(cost - expected[one.k]) <= Fraction(1, 10**6)


@pytest.mark.parametrize("alpha", ALPHAS)
def test_without_normalizing_the_cost_is_the_printed_one(alpha: str) -> None:
    chance = random.Random(alpha)
    for _ in range(100):
        losses = {
            k: (
                Fraction(chance.randrange(21), 40),
                Fraction(1, k),
                Fraction(chance.randrange(9), 8),
            )
            for k in sorted(chance.sample(range(2, 60), chance.randrange(1, 9)))
        }
        trials = [trial(k, t, i, risk=risk) for k, (t, risk, i) in losses.items()]
        expected = oracle.printed_costs(losses, Fraction(alpha))
        known = costs(trials, Fraction(alpha), "none")
        for one, cost in zip(trials, known, strict=True):
            assert cost is not None
            assert abs(cost - expected[one.k]) <= Fraction(1, 10**6)
        place_of = cheapest(trials, Fraction(alpha), "none")
        assert place_of is not None
        assert known[place_of] == min(cost for cost in known if cost is not None)


def test_normalizing_changes_which_k_is_chosen() -> None:
    """t falls by a little and the loss grows by less: as they are, the smallest loss decides."""
    trials = [
        trial(2, Fraction(3, 100), Fraction(50, 100)),
        trial(5, Fraction(2, 100), Fraction(52, 100)),
        trial(9, Fraction(1, 100), Fraction(60, 100)),
    ]
    half = Fraction(1, 2)
    assert cheapest(trials, half) == 1
    assert cheapest(trials, half, "none") == 0


def test_for_the_same_t_linkage_decides() -> None:
    """The dissertation weighs t alone, by which the smallest k would always cost least."""
    half, same = Fraction(1, 2), Fraction(3, 10)
    trials = [
        trial(k, same, gcp, risk=Fraction(1, k))
        for k, gcp in ((3, Fraction(1, 10)), (10, Fraction(2, 10)), (30, Fraction(6, 10)))
    ]
    assert cheapest(trials, half) == 1
    assert cheapest(trials[:2], half) == 1, "of two that cost the same, the one that protects more"
    assert cheapest(trials, Fraction(0)) == 0
    assert cheapest(trials, Fraction(1)) == 2


def test_of_equal_costs_the_least_privacy_loss_and_then_the_smallest_k() -> None:
    """Thirds and sixths tie exactly, though no double holds them."""
    third = Fraction(1, 3)
    trials = [
        trial(9, Fraction(0), Fraction(1)),
        trial(4, third, third),
        trial(6, third / 2, 2 * third),
        trial(3, Fraction(1, 2), Fraction(0)),
    ]
    known = costs(trials, Fraction(1, 2))
    assert known[0] == known[3] == Fraction(1, 2)
    assert known[1] == known[2] == Fraction(1, 2)
    assert cheapest(trials, Fraction(1, 2)) == 0
    alike = [trial(k, third, third) for k in (9, 4, 6)]
    assert cheapest(alike, Fraction(1, 2)) == 1


@pytest.mark.parametrize("seed", range(20))
def test_what_may_be_chosen_after_more_trials_is_known_before(seed: int) -> None:
    """Whatever comes after it, a trial that is chosen is among those that might have been."""
    chance = random.Random(seed)
    trials = [
        trial(
            k,
            Fraction(chance.randrange(9), 8),
            Fraction(chance.randrange(9), 8),
            k % 5 > 0,
            Fraction(chance.randrange(5), 8),
        )
        for k in chance.sample(range(2, 14), 10)
    ]
    for alpha in map(Fraction, ALPHAS):
        for tried in range(1, len(trials) + 1):
            place_of = cheapest(trials[:tried], alpha)
            for before in range(1, tried + 1):
                kept = may_be_chosen(trials[:before], alpha)
                assert place_of is None or place_of >= before or place_of in kept
    worse = [trial(k, Fraction(k), Fraction(k % 3)) for k in range(2, 12)]
    assert may_be_chosen(worse, Fraction(1, 2)) == {0, 1}
    assert may_be_chosen(worse, Fraction(1)) == {0}


def test_what_does_not_hold_neither_wins_nor_counts() -> None:
    trials = [
        trial(2, Fraction(1, 10), Fraction(1, 10), holds=False),
        trial(3, Fraction(3, 10), Fraction(5, 10)),
        trial(4, Fraction(2, 10), Fraction(6, 10)),
    ]
    assert costs(trials, Fraction(3, 4)) == [None, Fraction(3, 4), Fraction(1, 4)]
    assert cheapest(trials, Fraction(3, 4)) == 2
    assert cheapest(trials[:1], Fraction(3, 4)) is None


# --- a run ---------------------------------------------------------------------------------------


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("alpha", [ALPHAS[0], *slow(*ALPHAS[1:])])
def test_a_run_publishes_the_oracles_choice(people: Connection, alpha: str) -> None:
    """Each k published by itself and weighed by the oracle; the release is the winner's."""
    sizes = (2, 3, 5, 9, 20)
    losses: dict[int, tuple[Fraction, Fraction, Fraction]] = {}
    releases: dict[int, list[Any]] = {}
    for k in sizes:
        anonymize(people, k=k)
        losses[k] = losses_of(people)
        releases[k] = multiset(read(people, "anonymized")[1])
    made = anonymize(people, choose={"privacy_weight": alpha, "k": list(sizes)})
    chosen = oracle.chosen_k(losses, Fraction(alpha))
    assert multiset(read(people, "anonymized")[1]) == releases[chosen]
    told = facts(people)
    assert told["choose_chosen"].startswith(f"k = {chosen}: cost ")
    tried = json.loads(told["choose_tried"])
    assert [one["k"] for one in tried] == list(sizes)
    for one in tried:
        t, risk, gcp = losses[one["k"]]
        assert one["t"] == pytest.approx(float(t), abs=1e-12)
        assert one["marketer_risk"] == pytest.approx(float(risk), abs=1e-9)
        assert one["gcp"] == pytest.approx(float(gcp), abs=1e-8)
    assert made.measure("k_anonymity") is not None
    declared = json.loads(told["spec"])
    assert declared["privacy"]["k"] == 2
    assert declared["choose"] == {
        "privacy_weight": str(Fraction(alpha)),
        "k": list(sizes),
        "normalize": "range",
    }
    assert relations(people) == {"people"} | {
        f"anonymized{suffix}" for suffix in ("", "__classes", "__metrics", "__run")
    }


@pytest.mark.slow
def test_a_run_weighs_losses_as_printed(people: Connection) -> None:
    chosen = {"privacy_weight": "1/2", "k": [2, 5, 20], "normalize": "none"}
    anonymize(people, choose=chosen)
    told = facts(people)
    tried = json.loads(told["choose_tried"])
    for one in tried:
        assert one["cost"] == pytest.approx((one["t"] + one["gcp"]) / 2, abs=2e-6)
    best = min(tried, key=lambda one: one["cost"])
    assert told["choose_chosen"].startswith(f"k = {best['k']}: cost ")
    assert json.loads(told["spec"])["choose"]["normalize"] == "none"


@pytest.mark.slow
def test_models_that_do_not_hold_rule_a_k_out(people: Connection) -> None:
    anonymize(people, choose={"privacy_weight": 0, "k": "2-12"}, l=3)
    tried = json.loads(facts(people)["choose_tried"])
    assert not tried[0]["holds"]
    assert "distinct_l of s: asked for 3" in tried[0]["why"]
    first = next(one for one in tried if one["holds"])
    least = min(one["gcp"] for one in tried if one["holds"])
    assert first["k"] > 2
    assert (
        f"k = {next(one['k'] for one in tried if one['gcp'] == least and one['holds'])}:"
        in (facts(people)["choose_chosen"])
    )


@pytest.mark.slow
def test_by_default_k_is_doubled_four_times(people: Connection) -> None:
    anonymize(people, k=3, choose={})
    told = facts(people)
    assert [load["k"] for load in json.loads(told["choose_tried"])] == [3, 6, 12, 24, 48]
    anonymize(people, k=30, choose={})
    tried = json.loads(facts(people)["choose_tried"])
    assert [one["holds"] for one in tried] == [True, True, False, False, False]
    assert "the source has only 80 records" in tried[-1]["why"]


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", ["split_or_deal", "mondrian"])
def test_a_search_chooses_too_and_searches_once_for_each_k(
    people: Connection, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The release, what is recorded of it and its script are those of a run with the chosen k."""
    searched, search = list[str](), Session.carry_out

    def run_one(self: Session, step: Any) -> None:
        if not isinstance(step, Step | Check):
            searched.append(step.title)
        search(self, step)

    monkeypatch.setattr(Session, "carry_out", run_one)
    named = {"name": method, "refine": 0} if method == "split_or_deal" else {"name": method}
    declared = {"method": named, "t": "0.3"}
    anonymize(people, **declared, choose={"privacy_weight": "1/2", "k": [2, 8, 20]})
    tries, told = len(searched), facts(people)
    chosen, rows = int(re.findall(r"k = (\d+): cost", told["choose_chosen"])[0]), multiset
    released = rows(read(people, "anonymized")[1])
    assert chosen < 20  # what the last one has left is of no use to it
    anonymize(people, **declared, k=chosen)
    direct = facts(people)
    assert rows(read(people, "anonymized")[1]) == released
    assert tries == 3 * (len(searched) - tries)
    steps, theirs = (
        [(load["relation"], load["title"], load["rows"]) for load in json.loads(each["steps"])]
        for each in (told, direct)
    )
    assert steps == theirs
    number = re.compile(r"\b[0-9a-f]{32}\b")
    assert number.sub("", told["sql"]) == number.sub("", direct["sql"])
    people.execute("drop table anonymized")
    people.execute(told["sql"])
    assert rows(read(people, "anonymized")[1]) == released
    assert {name for name in relations(people) if "kept" in name} == set()


@pytest.mark.slow
def test_a_script_makes_the_chosen_release(people: Connection) -> None:
    choose = {"privacy_weight": "1/2", "k": "2-9"}
    anonymize(people, choose=choose)
    chosen = multiset(read(people, "anonymized")[1])
    told = facts(people)
    before = relations(people)
    compiled = sqlanon.compile("people", connection=people, **DECLARED | {"choose": choose})
    assert relations(people) == before
    for script in (told["sql"], compiled):
        people.execute("drop table anonymized")
        people.execute(script)
        assert multiset(read(people, "anonymized")[1]) == chosen
    assert facts(people)["choose_chosen"] == told["choose_chosen"]


@pytest.mark.slow
def test_none_that_holds_is_refused_with_evidence(people: Connection) -> None:
    anonymize(people)
    before, old = relations(people), multiset(read(people, "anonymized")[1])
    with pytest.raises(InfeasibleError, match="none of k = 2, 3 reaches") as caught:
        anonymize(people, choose={"k": [2, 3]}, l=4)
    (shortfall,) = caught.value.shortfalls
    assert (shortfall.model, shortfall.attribute) == ("distinct_l", "s")
    assert "let choose.k go further. With k = 3:" in str(caught.value)
    with pytest.raises(InfeasibleError, match="the source has only 80 records"):
        anonymize(people, choose={"k": "81-83"})
    assert relations(people) == before
    assert multiset(read(people, "anonymized")[1]) == old


def test_its_steps_are_told(people: Connection) -> None:
    events: list[Event] = []
    anonymize(people, choose={"k": [2, 3]}, progress=events.append)
    titles = [event.title for event in events]
    assert titles[0] == "stack_and_deal, k = 2: reading the source"
    assert "stack_and_deal, k = 3: metrics" in titles
    assert "metrics" in titles


def test_a_plan_is_that_of_the_least_k(people: Connection) -> None:
    declared = {**DECLARED, "choose": {"k": [4, 6]}}
    prepared = sqlanon.plan("people", connection=people, **declared)
    assert prepared.spec.choose is not None
    assert prepared.spec.choose.tried(2) == (4, 6)
    assert relations(people) == {"people"}


@pytest.mark.parametrize(
    ("choose", "message"),
    [
        ({"privacy_wight": 1}, "choose.privacy_wight: unknown key; did you mean 'privacy_weight'?"),
        ({"kay": 3}, "choose.kay: unknown key; known: 'k', 'normalize', 'privacy_weight'"),
        (
            {"privacy_weight": "half"},
            "choose.privacy_weight: it must be a number such as 0.2 or '1/5'",
        ),
        ({"privacy_weight": 1.5}, "choose.privacy_weight: it must be less than or equal to 1"),
        ({"alpha": 0.5}, "choose.alpha: unknown key; it is called privacy_weight"),
        ({"k": "few"}, "choose.k: 'few' is no whole number: give whole numbers from 1 and ranges"),
        ({"k": []}, "choose.k: there is no number in it"),
        ({"k": "1-4"}, "choose.k: it lists 1, below privacy.k, the least allowed: begin with 2"),
        (5, "choose: "),
    ],
    ids=str,
)
def test_bad_input_is_refused(people: Connection, choose: Any, message: str) -> None:
    with pytest.raises(SpecError) as caught:
        anonymize(people, choose=choose)
    assert message in str(caught.value)
    assert relations(people) == {"people"}


def test_a_stripe_holds_the_greatest_k_tried(people: Connection) -> None:
    method = {"name": "stack_and_deal", "locality": "stripes", "stripe": 10}
    with pytest.raises(SpecError, match="a stripe must hold k records at least"):
        anonymize(people, method=method, choose={"k": [5, 20]})


def test_dbt_models_are_of_one_k(people: Connection, tmp_path: Any) -> None:
    from sqlanon.dbt import write_models
    from sqlanon.engines import DuckDBEngine

    (tmp_path / "dbt_project.yml").write_text("name: mine\n", encoding="utf-8")
    fields = {name: value for name, value in DECLARED.items() if name != "k"}
    spec = sqlanon.parse_spec(
        {**fields, "source": "people", "release": "r", "privacy": {"k": 2}, "choose": {}}
    )
    with pytest.raises(SpecError, match="choose: dbt models are of one k"):
        write_models(spec, DuckDBEngine(connection=people), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("method", [DECLARED["method"], "mondrian"], ids=["dealt", "searched"])
def test_postgres_chooses_alike(people: Connection, urls: Mapping[str, str], method: Any) -> None:
    choose = {"privacy_weight": "1/2", "k": "2-9"}
    anonymize(people, choose=choose, method=method)
    with place("postgres", urls) as there:
        assert isinstance(there, PostgresPlace)
        there.make_table("people", PEOPLE, ROWS)
        anonymize(there.connection, choose=choose, method=method)
        theirs: dict[str, str] = {
            str(item): value for item, value in there.read("anonymized__run")[1]
        }
        assert theirs["choose_chosen"] == facts(people)["choose_chosen"]
        assert there.read("anonymized") == read(people, "anonymized")
