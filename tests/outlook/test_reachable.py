"""What a spec could ask for: held against the definitions, on all records as one class."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from math import exp, log
from pathlib import Path
from typing import Any

import duckdb
import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from servers import place as there_is
from support import Connection, examples, make_table

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

COLUMNS = {'a"ge': "integer", "ill": "varchar"}
DEALT: dict[str, Any] = {"method": "stack_and_deal", "progress": False, "release": "public"}
_EVERY: dict[str, Any] = {
    "t": 0.0,
    "alpha": 0.5,
    "beta": 0.1,
    "delta": 0.1,
    "l": {"distinct": 3, "entropy": 2.5, "recursive": {"c": 1, "l": 2}},
}


def place(rows: list[tuple[Any, ...]]) -> Connection:
    made: Connection = duckdb.connect()
    make_table(made, "people", COLUMNS, rows)
    return made


def by_title(found: sqlanon.Reachable) -> dict[str, Any]:
    return {limit.title: limit for limit in found.limits}


@pytest.mark.slow
@examples(6, 60)
@given(
    st.lists(st.sampled_from(["flu", "cold", 'q"uote', "ü", None]), min_size=1, max_size=12),
    st.integers(1, 14),
)
def test_the_best_is_what_one_class_of_all_records_has(ills: list[str | None], k: int) -> None:
    connection = place([(index, ill) for index, ill in enumerate(ills)])
    declared: dict[str, Any] = {"quasi_identifiers": ['a"ge'], "sensitive": {"ill": _EVERY}, "k": k}
    found = sqlanon.why("people", connection=connection, **declared, **DEALT)
    limits, n = by_title(found), len(ills)
    counts = sorted(Counter(ills).values(), reverse=True)
    assert found.records == n
    assert (limits["k-anonymity"].best, limits["k-anonymity"].possible) == (n, k <= n)
    assert limits["distinct l-diversity"].best == len(counts)
    assert limits["distinct l-diversity"].possible == (len(counts) >= 3)
    mixed = exp(-sum(number / n * log(number / n) for number in counts))
    assert limits["entropy l-diversity"].best == pytest.approx(mixed, abs=1e-6)
    assert limits["(α, k)-anonymity"].best == pytest.approx(counts[0] / n)
    assert limits["(α, k)-anonymity"].possible == (2 * counts[0] <= n)
    tail = sum(counts[1:])
    assert limits["recursive (c, l)-diversity"].possible == (counts[0] < tail)
    assert limits["t-closeness"].best == 0
    for title in ("t-closeness", "β-likeness", "δ-disclosure privacy"):
        assert limits[title].possible
    names = connection.execute("select table_name from duckdb_tables()").fetchall()
    assert names == [("people",)]


@pytest.mark.slow
@examples(5, 40)
@given(st.lists(st.sampled_from("aabcd"), min_size=4, max_size=14))
def test_what_is_feasible_is_and_is_said_only_of_what_is_not(ills: list[str]) -> None:
    connection = place([(index, ill) for index, ill in enumerate(ills)])
    sensitive = {"ill": {"alpha": 0.2, "l": {"entropy": 4.5, "distinct": 5}}}
    declared: dict[str, Any] = {"quasi_identifiers": ['a"ge'], "k": len(ills), **DEALT}
    told = sqlanon.why("people", connection=connection, sensitive=sensitive, **declared)
    limits = by_title(told)
    assert not told.passed
    assert {limit.title for limit in told.binding} >= {
        "distinct l-diversity",
        "entropy l-diversity",
    }
    assert all(bool(limit.feasible) != limit.possible for limit in told.limits)
    asked: dict[str, Any] = {
        "alpha": limits["(α, k)-anonymity"].feasible or "0.2",
        "l": {
            "entropy": limits["entropy l-diversity"].feasible,
            "distinct": int(limits["distinct l-diversity"].feasible or 0),
        },
    }
    alone = Fraction(max(Counter(ills).values()), len(ills))
    assert Fraction(asked["alpha"]) - alone <= Fraction(1, 1000) or alone <= Fraction(1, 5)
    declared["sensitive"] = {"ill": asked}
    assert sqlanon.why("people", connection=connection, **declared).passed
    sqlanon.anonymize("people", connection=connection, **declared)


@pytest.mark.slow
def test_a_method_that_does_not_reach_what_can_be_is_told_with_what_it_reaches() -> None:
    connection = place([(i % 7, f"ill{i * i % 3}") for i in range(40)])
    declared: dict[str, Any] = {"quasi_identifiers": ['a"ge'], "k": 3, **DEALT}
    asked = {"ill": {"t": 0.01}}
    told = sqlanon.why("people", connection=connection, sensitive=asked, **declared)
    (short,) = told.binding
    with pytest.raises(InfeasibleError) as refused:
        sqlanon.anonymize("people", connection=connection, sensitive=asked, **declared)
    assert short.reached == refused.value.shortfalls[0].reached
    assert "take a greater k" in told.conclusion
    assert "t-closeness of ill" in repr(told)
    enough = {"ill": {"t": short.feasible}}
    held = sqlanon.why("people", connection=connection, sensitive=enough, **declared)
    assert held.passed
    assert held.conclusion == "stack_and_deal meets all that is asked for."
    less = {"ill": {"t": Fraction(short.feasible or 0) - Fraction(1, 1000)}}
    assert not sqlanon.why("people", connection=connection, sensitive=less, **declared).passed


def test_records_that_may_be_left_out_can_make_more_possible() -> None:
    connection = place([(i // 4, "flu" if i % 2 else "cold") for i in range(16)] + [(90, "flu")])
    declared: dict[str, Any] = {
        "quasi_identifiers": {'a"ge': {"hierarchy": {"bands": [4]}}},
        "sensitive": {"ill": {"alpha": 0.5}},
        "k": 4,
        "release": "public",
        "method": "optimal",
        "levels": {'a"ge': [0, 1]},
        "progress": False,
    }
    told = sqlanon.why("people", connection=connection, **declared)
    assert not told.passed
    told = sqlanon.why("people", connection=connection, suppression={"records": 0.1}, **declared)
    (alpha,) = [limit for limit in told.limits if limit.attribute]
    assert (alpha.possible, alpha.holds, told.passed) == (False, True, True)


def test_persons_are_counted_where_they_are_asked_for() -> None:
    connection = place([(i % 5, "flu" if i % 3 else "cold") for i in range(20)])
    declared: dict[str, Any] = {"sensitive": {"ill": {"l": 3}}, "k": 6, "person": 'a"ge', **DEALT}
    connection.execute("alter table people add column town varchar default 'here'")
    told = sqlanon.why("people", connection=connection, quasi_identifiers=["town"], **declared)
    limits = by_title(told)
    assert told.records == 5
    assert (limits["k-anonymity"].best, limits["k-anonymity"].feasible) == (5, "5")
    assert limits["distinct l-diversity"].best == 1  # every person has had the flu


@pytest.mark.slow
def test_postgres_tells_the_same(urls: Mapping[str, str]) -> None:
    rows = [(i % 7, f"ill{i * i % 3}") for i in range(40)]
    declared: dict[str, Any] = {
        "quasi_identifiers": ['a"ge'],
        "sensitive": {"ill": {"t": 0.01, "l": 4, "alpha": 0.4}},
        "k": 3,
        **DEALT,
    }
    with there_is("postgres", urls) as there:
        there.make_table("people", {**COLUMNS}, rows)
        told = sqlanon.why("people", connection=there.connection, **declared)
    assert told == sqlanon.why("people", connection=place(rows), **declared)


def test_what_it_cannot_answer_is_refused() -> None:
    connection = place([(1, "flu"), (2, "cold")])
    declared: dict[str, Any] = {"quasi_identifiers": ['a"ge'], "sensitive": {"ill": {"l": 2}}}
    declared["release"] = "public"
    with pytest.raises(SpecError, match="publish: generalized"):
        sqlanon.why(
            "people",
            connection=connection,
            k=1,
            publish={"name": "anatomy", "group": 2},
            **declared,
        )
    connection.execute("delete from people")
    with pytest.raises(SpecError, match="it has no records"):
        sqlanon.why("people", connection=connection, k=2, **declared)


@pytest.mark.slow
def test_the_command_tells_the_same_and_a_run_that_is_refused_names_it(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,ill\n" + "".join(f"{i},flu\n" for i in range(6)))
    (tmp_path / "s.yaml").write_text(
        "source: people.csv\nrelease: public\nquasi_identifiers: [age]\n"
        "sensitive: {ill: {l: 2}}\nprivacy: {k: 2}\nmethod: stack_and_deal\n"
    )
    done = command(tmp_path, "why", "s.yaml", "--quiet")
    assert done.returncode == 0
    assert "violated" in done.stdout
    assert "no release of all records and sensitive values can meet this" in done.stdout
    told = json.loads(command(tmp_path, "why", "s.yaml", "--json").stdout)
    assert [one["feasible"] for one in told["limits"]] == [None, "1"]
    assert (told["passed"], told["records"]) == (False, 6)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["people.csv", "s.yaml"]
    done = command(tmp_path, "run", "s.yaml", "--quiet")
    assert done.returncode == 1
    assert done.stderr.endswith("To see the best that can be reached: sqlanon why s.yaml\n")
