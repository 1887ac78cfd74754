"""The DuckDB table macros give what the Python path gives."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import duckdb
import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import ROOT, Connection, assert_listed, examples, multiset

import sqlanon
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import SpecField
from sqlanon.sql.names import Relation
from sqlanon.sql.templates import load_template
from sqlanon.uses.macros import families, library

pytestmark = pytest.mark.slow

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
    equal = sqlanon.check("patients", sensitive={sensitive: {"distance": "equal"}}, **about)
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
    recursive = {sensitive: {"l": {"recursive": {"c": 1, "l": 3}}}}
    tailed = sqlanon.check("patients", sensitive=recursive, **about)
    assert asked(shell, f"from l_diversity({arguments}, l := 3)") == [
        (reached("distinct_l"), reached("entropy_l"), tailed.measure("recursive_l", sensitive))
    ]
    assert asked(shell, f"from t_closeness({arguments})") == [(reached("t_closeness"), in_order)]
    metrics = {
        "alpha": ["alpha"],
        "beta_likeness": ["beta_likeness", "enhanced_beta_likeness"],
        "delta_disclosure": ["delta_disclosure", "delta_disclosure_ln"],
    }
    asking = {"beta": {"basic": 1, "enhanced": 1}, "delta": {"log2": 1, "ln": 1}}
    further = sqlanon.check("patients", sensitive={sensitive: asking}, **about)
    for macro, named in metrics.items():
        reaching = tuple(further.measure(text, sensitive) for text in named)
        assert asked(shell, f"from {macro}({arguments})") == [reaching], macro
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


def exactly(values: list[Any], table: list[Any], tail: int) -> dict[str, Any]:
    """What every model measures of a class, by the oracle; None where there is no such number."""
    counts = sorted(Counter(values).values(), reverse=True)
    rest = sum(counts[tail - 1 :])
    order = sorted(set(table), key=lambda one: (one is not None, one))
    (gain,) = oracle.beta_likeness([values], table).per_class
    bounded = oracle.enhanced_likeness_holds(values, table, 10**9)
    factor = oracle.greatest_factor(values, table)
    (entropy,) = oracle.entropy_l([values]).per_class
    return {
        "distinct_l": len(counts),
        "entropy_l": pytest.approx(entropy, abs=1e-9),
        "recursive_l": float(Fraction(counts[0], rest)) if rest else None,
        "alpha": float(Fraction(counts[0], len(values))),
        "t_equal": float(oracle.emd_equal([values], table).maximum),
        "t_ordered": float(oracle.emd_ordered([values], table, order).maximum),
        "beta_likeness": float(gain),
        "enhanced_beta_likeness": float(gain) if bounded else None,
        "delta_disclosure": factor and pytest.approx(math.log2(factor), abs=1e-9),
        "delta_disclosure_ln": factor and pytest.approx(math.log(factor), abs=1e-9),
    }


@pytest.mark.sampled
@pytest.mark.parametrize("tail", [1, 2, 3])
@pytest.mark.parametrize(
    "classes",
    [
        [[1, 1, 2, 3], [1, 1, 1, 2, 2, 3]],
        [[1, 2, 2, None], [None, 4], [4, 4, 4, 4, 1, 2, None]],
        [[5], [5, 5]],
        [[1] * 6 + [2], [2] * 5, [1, 2, 3, 3]],
    ],
)
def test_every_model_is_measured_exactly(
    shell: Connection, classes: list[list[int | None]], tail: int
) -> None:
    """In every class, and in the class that is worst off, of which no number is known if one is."""
    rows = [(label, value) for label, values in enumerate(classes) for value in values]
    shell.execute("create or replace table told (label integer, s integer)")
    shell.executemany("insert into told values (?, ?)", rows)
    table = [value for _, value in rows]
    expected = [exactly(values, table, tail) for values in classes]
    about = "'told', ['label'], 's'"
    found = shell.execute(f"from class_metrics({about}, l := {tail})")
    names = [column[0] for column in found.description or ()]
    assert names == ["class_id", "records", *expected[0]]
    assert found.fetchall() == [
        (number, len(values), *measured.values())
        for number, (values, measured) in enumerate(zip(classes, expected, strict=True), 1)
    ]
    for macro, columns in families().items():
        given = f", l := {tail}" if macro == "l_diversity" else ""
        (reached,) = asked(shell, f"from {macro}({about}{given})")
        for value, column in zip(reached, columns, strict=True):
            every = asked(shell, f"select {column.name} from class_metrics({about}, l := {tail})")
            worst = min if column.model.worst == "least" else max
            assert value == (None if (None,) in every else worst(every)[0]), column.name


def test_a_model_of_the_registry_has_a_macro(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is added there gets a macro and a column of the classes by itself.

    A table by itself tells neither the groups of a hierarchy nor whether its values are numbers.
    """
    shown = {column.model for columns in families().values() for column in columns}
    assert shown == {model for model in MODELS if model.per == "sensitive" and model.of_any_table}
    assert {model.name for model in MODELS if not model.of_any_table} == {
        "distinct_groups_l",
        "proximity",
        "km_anonymity",
    }
    given = next(model for model in MODELS if model.name == "alpha")
    field = SpecField("cap", "GreatestShare", "a share")
    added = replace(given, name="capped", field=field)
    monkeypatch.setattr(sys.modules[families.__module__], "MODELS", (*MODELS, added))
    with duckdb.connect() as connection:
        connection.execute(library())
        connection.execute("create table t as select i % 2 as a, i % 3 as s from range(9) as r(i)")
        assert asked(connection, "select capped from greatest_share('t', ['a'], 's')") == [(0.5,)]
        of_classes = asked(connection, "select alpha, capped from class_metrics('t', ['a'], 's')")
    assert of_classes == [(0.4, 0.4), (0.5, 0.5)]


def test_the_page_lists_the_macros() -> None:
    """Run with UPDATE_DOCS=1 to write the table anew; then read the difference."""
    macros = families()
    every = [f"`{column.name}`" for columns in macros.values() for column in columns]
    assert_listed(
        "sql.md",
        "| macro | columns |",
        [
            "| `k_anonymity` | `k`: the least class; `classes`; `records` |",
            *(
                f"| `{name}` | {'; '.join(f'`{each.name}`: {each.says}' for each in columns)} |"
                for name, columns in macros.items()
            ),
            f"| `class_metrics` | for each class: `class_id`, `records`, {', '.join(every)} |",
        ],
    )


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
        sensitive={sensitive: {"distance": "equal"}},  # stacked by frequency, as the macro does
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
    columns = ["relation", "packed", "p1", "s1", "class_id", "k", "l", "codes", "seed"]
    columns.append("sensitive")
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
        (
            "generalize_number(value, 5)",
            "bands",
            {"bands": [{"width": 5, "places": None}], "kind": "integer", "digits": 0},
            "i - 20",
        ),
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
