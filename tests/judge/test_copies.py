"""A sensitive column that gives a quasi-identifier back undoes its cells: it is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from servers import place
from support import (
    Connection,
    Row,
    anonymized,
    database,
    examples,
    facts,
    make_table,
    refused,
    slow,
)

import sqlanon
from sqlanon.errors import InfeasibleError
from sqlanon.spec import parse_spec

pytestmark = pytest.mark.slow

_drawn = Random(7)
COLUMNS = {"id": "integer", "age": "integer", "sex": "varchar", "ill": "varchar"}
ROWS: list[Row] = [
    (n, _drawn.randrange(18, 78), _drawn.choice(["F", "M"]), _drawn.choice(["flu", "gout", "none"]))
    for n in range(600)
]
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "sex"],
    "k": 5,
    "method": "stack_and_deal",
    "seed": 1,
}


def with_column(connection: Connection, expression: str) -> None:
    """The people, and a column more."""
    make_table(connection, "drawn", COLUMNS, ROWS)
    connection.execute(f"create table people as select *, {expression} as x from drawn")


@pytest.mark.parametrize(
    "expression",
    [
        "age",
        "case when id % 60 > 0 then age end",
        "age * 12 + 7",
        "100000 - hash(age) % 100000",
        "date '2020-01-01' - age * 365 - id % 365",
    ],
)
def test_a_sensitive_column_that_gives_age_back_is_refused(expression: str) -> None:
    """The exact age would stand in every row, whatever k is."""
    with database() as connection:
        with_column(connection, expression)
        declared = {**ROLES, "sensitive": ["ill", "x"]}
        error = refused(InfeasibleError, "people", connection=connection, **declared)
        assert isinstance(error, InfeasibleError)
        assert "sensitive: {COLUMN: {accept: WHY}}" in str(error)
        (found,) = error.shortfalls
        assert (found.model, found.attribute) == ("copied_share", "age by x")
        assert (found.records or 0) > 500


@pytest.mark.parametrize(
    "expression",
    [
        "id",
        "id % 60",
        "age // 10",
        "age + id % 3",
        "1000 * (age // 10) + (id * 7919) % 1000",
        "sex = 'F' and id % 8 = 0",
        "id % 3 + 3 * (sex = 'M')::integer",
        "case when age = 40 or age > 74 then age else id % 7 end",
    ],
)
def test_what_gives_no_age_back_is_no_copy(expression: str) -> None:
    """Nor is a band of ages, an age give or take a year, a pregnancy, or an exact amount."""
    with database() as connection:
        with_column(connection, expression)
        anonymized(connection, "people", **{**ROLES, "sensitive": ["ill", "x"]})


def test_a_copy_undoes_nothing_that_is_published_as_it_is() -> None:
    with database() as connection:
        with_column(connection, "age")
        anonymized(connection, "people", **{**ROLES, "sensitive": ["x"], "k": 1})


def test_a_few_records_go_together_by_chance() -> None:
    """Two towns of six records each, with an illness each."""
    rows: list[Row] = [(("Paris", "Lyon")[n % 2], ("a", "b")[n % 2]) for n in range(12)]
    with database() as connection:
        make_table(connection, "people", {"town": "varchar", "ill": "varchar"}, rows)
        declared = {**ROLES, "quasi_identifiers": ["town"], "sensitive": ["ill"]}
        anonymized(connection, "people", **declared)


def test_a_table_loaded_again_and_again_proves_no_copy() -> None:
    """Each disease goes with one age, of six persons who are there ten times each."""
    rows: list[Row] = [(30 + 5 * (n % 6), f"ill {n % 6}") for n in range(60)]
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "ill": "varchar"}, rows)
        declared = {**ROLES, "quasi_identifiers": ["age"], "sensitive": ["ill"]}
        anonymized(connection, "people", **declared)


def test_all_records_of_a_person_prove_as_much_as_one() -> None:
    """A salary is a person's own, and is there as often as the person; an age is given back."""
    with database() as connection:
        with_column(connection, "(id * 7919) % 600")
        connection.execute("create table visits as select * from people, range(6) as v(visit)")
        declared = {**ROLES, "sensitive": ["x"], "person": "id"}
        anonymized(connection, "visits", **declared)
        connection.execute("update visits set x = age")
        error = refused(InfeasibleError, "visits", connection=connection, **declared)
        assert "copied_share of age by x" in str(error)


def test_an_accepted_copy_is_released_with_the_reason() -> None:
    why = "the age at the diagnosis is asked for"
    with database() as connection:
        with_column(connection, "age")
        declared = {**ROLES, "sensitive": {"ill": {}, "x": {"accept": why}}}
        anonymized(connection, "people", **declared)
        assert json.loads(facts(connection)["spec"])["sensitive"]["x"]["accept"] == why


def test_a_check_refuses_a_copy() -> None:
    with database() as connection:
        with_column(connection, "age")
        declared: dict[str, Any] = {**ROLES, "sensitive": {"x": {"accept": "asked for"}}}
        anonymized(connection, "people", **declared)
        privacy = {"k": declared.pop("k")}
        fields = {**declared, "source": {"table": "people"}, "release": "anonymized"}
        spec = parse_spec({**fields, "privacy": privacy})
        assert sqlanon.check("anonymized", spec=spec, connection=connection).passed
        spec = parse_spec({**fields, "privacy": privacy, "sensitive": ["x"]})
        found = sqlanon.check("anonymized", spec=spec, connection=connection)
        assert not found.passed
        (copied,) = (
            shortfall for shortfall in found.shortfalls if shortfall.model == "copied_share"
        )
        assert copied.attribute == "age by x"


SMALL = [(30, "F", "flu"), (41, "M", "gout"), (52, "F", "flu"), (63, "M", "none")]


@pytest.mark.parametrize(
    "expression",
    ["age", "age + 1", "2020 - age", "age || '.5'", "-age", "date '2020-01-01' - age * 365"],
)
def test_a_copy_among_few_records_is_remarked(expression: str) -> None:
    """Of five records and up an order is seen, of three and up a text, a sum or a difference."""
    rows = [*SMALL, (75, "M", "flu")]
    with database() as connection:
        make_table(
            connection, "drawn", {"age": "integer", "sex": "varchar", "ill": "varchar"}, rows
        )
        connection.execute(f"create table people as select *, {expression} as x from drawn")
        made = sqlanon.anonymize(
            "people", connection=connection, **{**ROLES, "k": 2}, sensitive=["x"]
        )
        (said,) = (text for text in made.remarks if "gives it back" in text)
        assert "a reader may take age from x" in said and "its cells in 5" in said  # noqa: PT018
        assert not any(str(age) in said for age, _, _ in rows)
        accepted = {"x": {"accept": "asked for"}}
        made = sqlanon.anonymize(
            "people", connection=connection, **{**ROLES, "k": 2}, sensitive=accepted
        )
        assert not [text for text in made.remarks if "gives it back" in text]
        made.close()


@pytest.mark.parametrize(
    "expression", ["ill", "age % 7", "age // 20", "case when age > 45 then age end"]
)
def test_what_gives_no_age_back_is_not_remarked(expression: str) -> None:
    rows = [*SMALL, (75, "M", "flu"), (44, "M", "flu")]
    with database() as connection:
        make_table(
            connection, "drawn", {"age": "integer", "sex": "varchar", "ill": "varchar"}, rows
        )
        connection.execute(f"create table people as select *, {expression} as x from drawn")
        made = sqlanon.anonymize(
            "people", connection=connection, **{**ROLES, "k": 2}, sensitive=["x"]
        )
        assert not [text for text in made.remarks if "gives it back" in text]
        made.close()


WORDS = {"age": "integer", "zip": "varchar", "visit": "integer", "ill": "varchar"}


def remarked(expression: str, rows: list[Row], qi: list[str], **asked: Any) -> bool:
    """Whether a run remarks that a column says a quasi-identifier in other words."""
    declared = {**ROLES, "k": 2, "quasi_identifiers": qi, "sensitive": ["x"], **asked}
    with database() as connection:
        make_table(connection, "drawn", WORDS, rows)
        connection.execute(f"create table people as select *, {expression} as x from drawn")
        with sqlanon.anonymize("people", connection=connection, **declared) as made:
            said = [text for text in made.remarks if "in other words" in text]
    assert all("take age from x" in text for text in said)
    return bool(said)


@pytest.mark.parametrize(
    "expression",
    ["md5(cast(age as varchar))", "'patient aged ' || age", "cast(2020 - age as varchar) || '?'"],
)
def test_a_quasi_identifier_in_other_words_is_remarked(expression: str) -> None:
    """No value is there often enough to tell that from chance alone; all of them together are."""
    drawn = Random(3)
    rows = [(drawn.randrange(20, 45), f"Z{n % 6}", 1, "flu") for n in range(30)]
    assert remarked(expression, rows, ["age", "zip"])
    assert not remarked(expression, rows, ["age", "zip"], sensitive={"x": {"accept": "asked for"}})
    wrong = f"case when age = {rows[0][0]} then 'unknown' || visit else {expression} end"
    assert remarked(wrong, rows, ["age", "zip"])


@pytest.mark.parametrize("expression", ["ill", "cast(age // 2 as varchar)", "ill || visit"])
def test_what_says_less_or_something_else_is_not_remarked(expression: str) -> None:
    drawn = Random(4)
    ills = ["flu", "gout", "none", "cold"]
    rows = [(drawn.randrange(20, 45), f"Z{n % 6}", n % 9, drawn.choice(ills)) for n in range(40)]
    assert not remarked(expression, rows, ["age", "zip"])


def test_visits_of_the_same_persons_are_no_evidence() -> None:
    """A weight goes with a person, and an age does, who is there four times: no weight says it."""
    rows = [
        (20 + n, f"Z{n % 6}", visit, f"{61 + n * 7 % 40} kg")
        for n in range(12)
        for visit in range(4)
    ]
    assert not remarked("ill", rows, ["age", "zip"])
    assert not remarked("ill", rows, ["age"])


@examples(6, 60)
@given(data=st.data())
def test_chance_gives_no_remark(data: st.DataObject) -> None:
    """Values that are dealt out at random, few or many, are told of in no table that is drawn."""
    drawn = Random(data.draw(st.integers(0, 10**6)))
    ages, words = data.draw(st.tuples(st.integers(2, 40), st.integers(2, 40)))
    rows = [
        (20 + drawn.randrange(ages), f"Z{n % 5}", 1, f"w{drawn.randrange(words)}")
        for n in range(data.draw(st.sampled_from([10, 25, 60])))
    ]
    assert not remarked("ill", rows, ["age", "zip"])


def test_a_finer_code_of_a_text_is_refused() -> None:
    """The postcode's first digits are the quasi-identifier: no value is there five times."""
    with database() as connection:
        with_column(connection, "null")
        connection.execute(
            "create table coded as select sex, 'W' || age % 7 as ward, "
            "'W' || age % 7 || '/' || id as x from people"
        )
        declared = {**ROLES, "quasi_identifiers": ["ward", "sex"], "sensitive": ["x"]}
        error = refused(InfeasibleError, "coded", connection=connection, **declared)
        assert "copied_share of ward by x" in str(error)


@pytest.mark.parametrize("engine", ["postgres", *slow("spark")])
def test_a_copy_is_refused_elsewhere(engine: str, urls: Mapping[str, str]) -> None:
    rows = [(age, 7 * age, ill) for _, age, _, ill in ROWS[:120]]
    with place(engine, urls) as found:
        columns = {"age": "integer", "x": "integer", "ill": "varchar"}
        found.make_table("people", columns, rows)
        declared = {**ROLES, "quasi_identifiers": ["age"], "sensitive": ["ill", "x"]}
        with pytest.raises(InfeasibleError, match="copied_share of age by x"):
            sqlanon.anonymize("people", connection=found.connection, **declared)
