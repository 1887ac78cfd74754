"""A goal stands for k, l and t; what a spec asks for itself counts in their place."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support import DEALT, assert_listed, database

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.spec.privacy import GOALS

DECLARED: dict[str, Any] = {
    "source": "t",
    "release": "r",
    "quasi_identifiers": ["age"],
    "sensitive": ["ill"],
    "seed": 1,
}


def asked(**given: Any) -> tuple[int, Any, Any]:
    privacy = sqlanon.parse_spec({**DECLARED, **given}).privacy.model_dump(mode="json")
    return privacy["k"], privacy["l"], privacy["t"]


@pytest.mark.parametrize("goal", GOALS)
def test_a_goal_is_what_its_numbers_are(goal: Any) -> None:
    numbers = GOALS[goal].asked
    assert asked(goal=goal) == asked(privacy=numbers)
    spec = sqlanon.parse_spec({**DECLARED, "goal": goal})
    again = sqlanon.parse_spec(
        json.loads(json.dumps(spec.model_dump(mode="json", exclude_none=True)))
    )
    assert again == spec


def test_the_goals_are_in_the_documents() -> None:
    rows = [
        f"| `{name}` | {value.readers} | {value.k} | {value.l} | {value.t} |"
        for name, value in GOALS.items()
    ]
    assert_listed("spec/privacy.md", "| goal | who reads it", rows)
    assert float(1 / Fraction(GOALS["public"].k)) <= 0.09


def test_goals_ask_for_more_the_less_binds_those_who_read() -> None:
    public, researchers, internal = GOALS.values()
    assert public.k > researchers.k > internal.k
    assert public.l >= researchers.l >= internal.l >= 2
    assert float(public.t) < float(researchers.t) < float(internal.t)


def test_what_is_asked_for_counts_in_place_of_the_goals() -> None:
    assert asked(goal="public", privacy={"k": 20}) == (20, *asked(goal="public")[1:])
    ill = sqlanon.parse_spec({**DECLARED, "goal": "public", "sensitive": {"ill": {"t": 0.9}}})
    assert ill.sensitive["ill"].t == Fraction(9, 10)  # type: ignore[attr-defined]


def test_without_a_sensitive_attribute_a_goal_is_k_alone() -> None:
    assert asked(goal="internal", sensitive=[]) == (3, None, None)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"goal": "publik"}, "goal: 'publik' is not accepted; did you mean 'public'?"),
        ({"goal": 3}, "goal: '3' is not accepted"),
        ({"goal": None}, "privacy: it is missing"),
        ({"goal": "public", "privacy": 5}, "privacy: "),
        ({"goal": "public", "privacy": {"kay": 5}}, "privacy.kay: unknown key"),
    ],
    ids=str,
)
def test_what_is_no_goal_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(SpecError) as caught:
        sqlanon.parse_spec({**DECLARED, **given})
    assert message in str(caught.value)


def test_a_schema_asks_for_a_goal_or_for_privacy() -> None:
    schema = sqlanon.schema()
    assert "privacy" not in schema["required"]
    assert schema["anyOf"] == [{"required": ["privacy"]}, {"required": ["goal"]}]


def test_a_run_and_a_check_hold_what_a_goal_asks_for() -> None:
    rows = "(20 + i % 5)::integer as age, 'ill' || i % 3 as ill from range(60) as n(i)"
    with database() as connection:
        connection.execute(f"create table t as select {rows}")
        given: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["ill"], **DEALT}
        made = sqlanon.anonymize("t", goal="public", release="r", connection=connection, **given)
        thresholds = {
            metric.metric: metric.threshold for metric in made.measures if metric.threshold
        }
        assert thresholds == {"k_anonymity": "12", "distinct_l": "3", "t_closeness": "0.2"}
        made.engine.close()
        roles = {name: given[name] for name in ("quasi_identifiers", "sensitive")}
        raw = sqlanon.check("t", goal="public", connection=connection, **roles)
        assert ("k_anonymity", True) in {(metric.metric, metric.passed) for metric in raw.measures}
        with pytest.raises(InfeasibleError, match="distinct_l of ill"):
            sqlanon.anonymize(
                "select * from t where ill <> 'ill0'",
                goal="public",
                release="s",
                connection=connection,
                **given,
            )


def test_a_first_spec_names_the_goals(tmp_path: Path) -> None:
    with database(tmp_path / "t.duckdb") as connection:
        connection.execute(
            "create table t as select 20 + i % 40 as age, i % 3 as diagnosis from range(400) n(i)"
        )
        with sqlanon.open(connection) as db:
            text = db.init("t").text
    assert all(f"goal: {name}" in text for name in GOALS)
