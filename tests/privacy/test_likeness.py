"""β-likeness and δ-disclosure privacy: worked examples, and the oracle on random tables."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import oracle
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from searched import Quasi, Sensitive, Table, searched
from support import database, examples, slow

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.errors import SpecError
from sqlanon.methods.cut import constraints
from sqlanon.privacy import MODELS
from sqlanon.spec import parse_spec

# Ten persons: half of them have the flu, three a cold, two an ulcer.
TABLE = ["flu"] * 5 + ["cold"] * 3 + ["ulcer"] * 2
# With whom of them each class is.
EVEN = ["flu", "flu", "cold", "ulcer"]
STEEP = ["flu", "flu", "flu", "cold", "cold", "ulcer"]


def test_the_oracle_in_numbers_worked_by_hand() -> None:
    """Of EVEN, the ulcer is .25 where it was .2: a gain of 1/4. The cold falls from .3 to .25."""
    assert oracle.gains(EVEN, TABLE) == {"ulcer": Fraction(1, 4)}
    assert oracle.greatest_factor(EVEN, TABLE) == Fraction(5, 4)
    assert oracle.greatest_factor(["flu", "cold"], TABLE) is None
    # The ulcer alone gains 4, and -ln .2 is 1.609…: no beta allows it in the enhanced form.
    assert oracle.beta_likeness([["ulcer"]], TABLE).maximum == 4
    assert not oracle.enhanced_likeness_holds(["ulcer"], TABLE, 100)
    # Two ulcers of five gain 1 < 1.609…; two of three gain 7/3, beyond it.
    assert oracle.enhanced_likeness_holds(["ulcer"] * 2 + ["flu"] * 3, TABLE, 1)
    assert not oracle.enhanced_likeness_holds(["ulcer"] * 2 + ["flu"], TABLE, 3)
    # 2^(1/2) is 1.414…, and .3 / (1/6) is 1.8.
    assert oracle.delta_disclosure_holds(EVEN, TABLE, Fraction(1, 2))
    assert not oracle.delta_disclosure_holds(
        ["flu"] * 3 + ["cold"] + ["ulcer"] * 2, TABLE, Fraction(4, 5)
    )


def measured(classes: list[list[str]], reference: list[str], **asked: Any) -> dict[str, Any]:
    """What is measured of classes against a table, by metric."""
    with database() as connection:
        rows = [(number, value) for number, values in enumerate(classes) for value in values]
        connection.execute("create table released (label integer, s varchar)")
        connection.executemany("insert into released values (?, ?)", rows)
        connection.execute("create table source (label integer, s varchar)")
        connection.executemany("insert into source values (0, ?)", [(text,) for text in reference])
        found = sqlanon.check(
            "released",
            connection=connection,
            reference="source",
            quasi_identifiers=["label"],
            sensitive=["s"],
            **asked,
        )
    return {metric.metric: metric for metric in found.measures}


def test_the_worked_example_is_measured() -> None:
    """At equality beta holds and delta, which is strict, does not."""
    asked = {"beta": {"basic": "1/4", "enhanced": 1}, "delta": {"log2": 1, "ln": 1}}
    found = measured([EVEN], TABLE, **asked)
    assert found["beta_likeness"].value == found["enhanced_beta_likeness"].value == 0.25
    assert found["delta_disclosure"].value == pytest.approx(0.321928095)
    assert found["delta_disclosure_ln"].value == pytest.approx(0.223143551)
    assert all(found[name].passed for name in found if found[name].threshold)
    missing = measured([["flu"] * 4, EVEN], TABLE, delta=1)["delta_disclosure"]
    assert (missing.value, missing.passed) == (None, False)
    twice = measured([["flu", "cold"] * 2], ["flu", "cold", "cold", "cold"], delta=1)
    assert (twice["delta_disclosure"].value, twice["delta_disclosure"].passed) == (1, False)
    assert measured([["flu", "cold"]], ["flu", "cold", "cold", "cold"], delta="1.000001")[
        "delta_disclosure"
    ].passed
    certain = measured([["ulcer"]], TABLE, beta={"enhanced": 100})["enhanced_beta_likeness"]
    assert (certain.value, certain.passed) == (None, False)


@pytest.mark.slow
@examples(10, 40)
@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), min_size=1, max_size=4),
    st.lists(st.sampled_from("aaabbcd"), max_size=8),
    st.sampled_from([Fraction(1, 3), Fraction(1, 2), 1, Fraction(3, 2), 2, 3]),
    st.sampled_from([Fraction(1, 2), 1, Fraction(4, 3), 2, 3]),
)
def test_what_is_measured_is_the_oracles(
    classes: list[list[str]], more: list[str], beta: Fraction, delta: Fraction
) -> None:
    """Every class is judged as the exact fractions say, also at equality."""
    table = [value for values in classes for value in values] + more
    found = measured(
        classes,
        table,
        beta={"basic": str(beta), "enhanced": str(beta)},
        delta={"log2": str(delta), "ln": str(delta)},
    )
    gained = oracle.beta_likeness(classes, table)
    assert found["beta_likeness"].value == pytest.approx(float(gained.maximum))
    expected = {
        "beta_likeness": [one <= beta for one in gained.per_class],
        "enhanced_beta_likeness": [
            oracle.enhanced_likeness_holds(entry, table, beta) for entry in classes
        ],
        "delta_disclosure": [
            oracle.delta_disclosure_holds(entry, table, delta) for entry in classes
        ],
        "delta_disclosure_ln": [
            oracle.delta_disclosure_holds(entry, table, delta, natural=True) for entry in classes
        ],
    }
    for name, holds in expected.items():
        assert found[name].failing_classes == holds.count(False), name


@pytest.mark.parametrize(
    "asked",
    [{"beta": Fraction(1)}, *slow({"delta": Fraction(3, 2)}, {"enhanced": Fraction(1, 2)})],
    ids=lambda asked: next(iter(asked)),
)
def test_a_search_finds_classes_that_meet_them(asked: dict[str, Any]) -> None:
    """Both sides of every cut are tested: several classes are found, and each of them holds."""
    records = tuple((1 + i % 12, 1 + i * i % 7 % 3) for i in range(72))
    table = Table((Quasi("set", 12),), (replace(Sensitive(3), **asked),), records)
    found = searched(table, k=4, refine=1)
    values = [[value for _, value in members] for members in found.classes]
    whole = [value for _, value in records]
    assert len(values) > 2
    if "beta" in asked:
        assert oracle.beta_likeness(values, whole).maximum <= asked["beta"]
    for entry in values:
        if "enhanced" in asked:
            assert oracle.enhanced_likeness_holds(entry, whole, asked["enhanced"])
        if "delta" in asked:
            assert oracle.delta_disclosure_holds(entry, whole, asked["delta"])


DECLARED: dict[str, Any] = {
    "source": {"table": "t"},
    "release": "r",
    "quasi_identifiers": ["a"],
    "sensitive": {"s": {"beta": 1}},
    "privacy": {"k": 2, "delta": 2},
    "seed": 1,
}


@pytest.mark.parametrize("method", ["split_or_deal", "mondrian"])
def test_a_search_refuses_a_model_that_it_cannot_test(
    method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so beforehand, by name and place, with the methods that can be held to it."""
    known = [
        replace(model, cut=None) if model.name == "beta_likeness" else model for model in MODELS
    ]
    monkeypatch.setattr(constraints, "MODELS", known)
    with pytest.raises(SpecError) as caught:
        parse_spec({**DECLARED, "method": method})
    (problem,) = caught.value.problems
    assert problem.where == "sensitive.s.beta"
    assert f"{method} cannot test β-likeness while it searches" in problem.what
    assert "stack_and_deal, deal_tree, fragmentation, optimal" in problem.what
    parse_spec({**DECLARED, "method": "stack_and_deal"})


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"beta": 0}, "privacy.beta.basic: it must be greater than 0"),
        ({"beta": "much"}, "privacy.beta.basic: it must be a number such as 0.2 or '1/5'"),
        ({"beta": []}, "privacy.beta: it must be a number, or a mapping such as {basic: 1"),
        ({"beta": {"enhanzed": 1}}, "privacy.beta.enhanzed: unknown key; did you mean 'enhanced'?"),
        ({"delta": {"ln": 61}}, "privacy.delta.ln: it must be less than or equal to 60"),
    ],
    ids=str,
)
def test_what_is_no_threshold_is_refused(asked: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec({**DECLARED, "privacy": {"k": 2, **asked}})
    assert said in str(caught.value)


@pytest.mark.further
@pytest.mark.slow
def test_the_command_asks_for_them(tmp_path: Path) -> None:
    """Each has an option; what does not hold ends with 1."""
    file = tmp_path / "released.csv"
    rows = "".join(f"0,{value}\n" for value in EVEN) + "".join(f"1,{value}\n" for value in STEEP)
    file.write_text(f"label,s\n{rows}")
    command = ["check", str(file), "--qi", "label", "--sensitive", "s"]
    for options, code in (
        (["--beta", "1/4", "--delta", "1"], 0),
        (["--beta", "1/9"], 1),
        (["--beta-enhanced", "0.25", "--delta-ln", "0.23"], 0),
        (["--delta-ln", "0.01"], 1),
    ):
        done = CliRunner().invoke(cli, [*command, *options])
        assert done.exit_code == code, (options, done.output)
