"""The DuckDB table macros give what the Python path gives."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, Connection, examples, multiset

import sqlanon
from sqlanon.macros import library
from sqlanon.sql import Relation, load_template

PATIENTS = ROOT / "examples" / "health_insurance" / "patients.csv"


@pytest.fixture(scope="module")
def shell() -> Iterator[Connection]:
    """A DuckDB shell with the library and the patients."""
    connection = duckdb.connect()
    connection.execute(library())
    connection.execute(f"create table patients as from '{PATIENTS}'")
    yield connection
    connection.close()


def asked(shell: Connection, query: str) -> list[tuple[Any, ...]]:
    return shell.execute(query).fetchall()


@pytest.mark.parametrize(
    ("hidden", "sensitive"),
    [
        (["age"], "health"),
        (["age", "sex", "race", "site"], "health"),
        (["sex", "education_years"], "medical_spending"),
    ],
)
def test_measures(shell: Connection, hidden: list[str], sensitive: str) -> None:
    about: dict[str, Any] = {"connection": shell, "quasi_identifiers": hidden}
    equal = sqlanon.check("patients", sensitive=sensitive, **about)
    in_order = None  # of text
    if sensitive != "health":
        distance = {sensitive: {"distance": "ordered"}}
        ordered = sqlanon.check("patients", sensitive=distance, **about)
        in_order = ordered.measure("t_closeness", sensitive)

    def reached(metric: str) -> float | None:
        return equal.measure(metric, sensitive)

    assert asked(shell, f"from k_anonymity('patients', {hidden})") == [
        (equal.measure("k_anonymity"), equal.measure("classes"), equal.measure("records"))
    ]
    arguments = f"'patients', {hidden}, '{sensitive}'"
    assert asked(shell, f"from l_diversity({arguments})") == [
        (reached("distinct_l"), reached("entropy_l"))
    ]
    assert asked(shell, f"from t_closeness({arguments})") == [(reached("t_closeness"), in_order)]
    worst = "max(alpha), max(t_equal), max(t_ordered), min(distinct_l), count(*)"
    assert asked(shell, f"select {worst} from class_metrics({arguments})") == [
        (
            reached("alpha"),
            reached("t_closeness"),
            in_order,
            reached("distinct_l"),
            equal.measure("classes"),
        )
    ]


@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize(
    ("hidden", "sensitive", "k"),
    [
        (["age", "sex", "race"], "health", 10),
        (["education_years", "site"], "medical_spending", 3),
        (["family_income"], "chronic_conditions", 25),
    ],
)
def test_deals_as_a_run_does(
    shell: Connection, hidden: list[str], sensitive: str, k: int, seed: int
) -> None:
    run = sqlanon.anonymize(
        "patients",
        connection=shell,
        quasi_identifiers=hidden,
        sensitive=sensitive,
        k=k,
        seed=seed,
        method="stack_and_deal",
    )
    expected = asked(shell, f"from {run.relation}")
    run.close()
    dealt = f"stack_and_deal('patients', {hidden}, '{sensitive}', {k}, seed := {seed})"
    made = shell.execute(f"from {dealt}")
    assert [column[0] for column in made.description or ()] == [*hidden, sensitive]
    assert multiset(made.fetchall()) == multiset(expected)


VALUES = st.sampled_from([None, "", "*", "{x", "a,b", "NULL", "50%", "é", "b"])
ROWS = st.lists(st.tuples(VALUES, st.none() | st.integers(-3, 9), VALUES), min_size=2, max_size=25)


@pytest.mark.slow
@examples(8, 40)
@given(rows=ROWS, k=st.integers(1, 2), seed=st.integers(0, 3))
def test_deals_any_values_as_a_run_does(
    shell: Connection, rows: list[tuple[Any, ...]], k: int, seed: int
) -> None:
    shell.execute("create or replace table drawn (word varchar, number integer, told varchar)")
    shell.executemany("insert into drawn values (?, ?, ?)", rows)
    run = sqlanon.anonymize(
        "drawn",
        connection=shell,
        quasi_identifiers=["word", "number"],
        sensitive="told",
        k=k,
        seed=seed,
        method="stack_and_deal",
    )
    expected = asked(shell, f"from {run.relation}")
    run.close()
    dealt = f"from stack_and_deal('drawn', ['word', 'number'], 'told', {k}, seed := {seed})"
    assert multiset(asked(shell, dealt)) == multiset(expected)


def test_names_that_the_macros_use_themselves(shell: Connection) -> None:
    columns = ["relation", "packed", "p1", "s1", "class_id", "k", "codes", "seed", "sensitive"]
    listed = ", ".join(f'i % {n} as "{name}"' for n, name in enumerate(columns, 2))
    shell.execute(f"create or replace table odd as select {listed} from range(40) as t(i)")
    for name in columns:
        others = [other for other in columns if other != name][:3]
        made = shell.execute(f"from stack_and_deal('odd', {others}, '{name}', 4)")
        assert {column[0] for column in made.description or ()} == {*others, name}
        assert len(made.fetchall()) == 40
        assert asked(shell, f"from l_diversity('odd', {others}, '{name}')")


@pytest.mark.parametrize(
    "query",
    [
        "k_anonymity('patients', ['age', 'nobody'])",
        "k_anonymity('patients', 'age')",
        "k_anonymity('nowhere', ['age'])",
        "l_diversity('patients', ['age'], 'nobody')",
        "stack_and_deal('patients', ['age'], 'nobody', 5)",
        "stack_and_deal('patients', ['age'], 'health', 5639)",
        "stack_and_deal('patients', ['age'], 'health', 0)",
        "stack_and_deal('patients', ['age'], 'health', -5)",
    ],
)
def test_wrong_arguments_are_errors(shell: Connection, query: str) -> None:
    with pytest.raises(duckdb.Error):
        asked(shell, f"from {query}")


@pytest.mark.parametrize(
    ("macro", "template", "params", "value"),
    [
        ("generalize_number(value, 5)", "bands", {"bands": [5], "kind": "integer"}, "i - 20"),
        ("generalize_text(value, 3)", "prefix", {"prefix": [3]}, "repeat('é', i) || 'ab'"),
        *(
            (
                f"generalize_date(value, '{period}')",
                "dates",
                {"dates": [{"name": period, "length": length}]},
                "date '1969-11-30' + i * 97",
            )
            for period, length in (
                ("day", "1 day"),
                ("month", "1 month"),
                ("quarter", "3 months"),
                ("year", "1 year"),
                ("decade", "10 years"),
                ("century", "100 years"),
            )
        ),
    ],
)
def test_generalizes_as_hierarchies_do(
    shell: Connection, macro: str, template: str, params: dict[str, Any], value: str
) -> None:
    shell.execute(
        f"create or replace table in_use as select {value} as value, "
        f"cast({value} as varchar) as label from (select i::integer as i from range(40) as t(i))"
    )
    leaves = load_template(f"domains/leaves_{template}").render(
        {"values_in_use": Relation("in_use")}, params
    )
    expected = asked(shell, f"select value, level_1 from ({leaves})")
    assert multiset(asked(shell, f"select value, {macro} from in_use")) == multiset(expected)
