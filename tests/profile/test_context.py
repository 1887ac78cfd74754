"""Roles that the rest of a table decides, and what a first spec protects first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from commands import sqlanon as command
from made_tables import MADE
from support import database

import sqlanon
from sqlanon.uses.profile.names import meaning_of, stems_of, words_of, worth_of

AGE = "20 + i % 40 as age"
BODY, SAMPLE = "50 + i * 7 % 60", "300.5 + i * 7 % 900"


def roles(query: str, records: int = 600) -> dict[str, str]:
    with database() as connection:
        connection.execute(f"create table t as select {query} from range({records}) as n(i)")
        found = sqlanon.profile("t", connection=connection)
    return {column.name: column.role.role for column in found.columns}


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("Race1", "quasi_identifier"),
        ("gender_1", "quasi_identifier"),
        ("Age2", "age"),
        ("zip5", "postcode"),
        ("HHIncome", "sensitive"),
        ("HHIncomeMid", "sensitive"),
        ("AgeFirstMarij", "sensitive"),
        ("SexAge", "sensitive"),
        ("Age1stBaby", "age"),
        ("personSearch", "sensitive"),
        ("dx4", "diagnosis"),
        ("q12", None),
        ("x", None),
        ("2020", None),
    ],
)
def test_a_name_is_known_with_digits_suffixes_and_capitals(name: str, meaning: str) -> None:
    assert meaning_of(name) == meaning


def test_capitals_before_a_word_are_a_word() -> None:
    assert words_of("HHIncomeMid") == ["hh", "income", "mid"]
    assert words_of("dateOfBirth") == ["date", "of", "birth"]
    assert words_of("ID") == ["id"]
    assert stems_of(["race1", "2nd", "x7", "age"]) == ["race", "age"]


@pytest.mark.parametrize(
    ("query", "role"),
    [
        (f"{AGE}, 150 + i % 40 as Height, {BODY} as Weight", "quasi_identifier"),
        (f"{AGE}, 20 + i % 20 as BMI1, {BODY} as weight", "quasi_identifier"),
        (f"{AGE}, {BODY} as weight", "unclear"),
        (f"{AGE}, 30 + i % 4 as weight", "withheld"),
        (f"{AGE}, {SAMPLE} as weight", "withheld"),
        (f"{AGE}, 150 + i % 40 as height, {SAMPLE} * 9 as weight", "withheld"),
        (f"{AGE}, 150 + i % 40 as height, {BODY} as pwgtp", "withheld"),
        (f"{AGE}, {BODY} as body_weight", "quasi_identifier"),
    ],
)
def test_a_weight_is_a_bodys_by_its_values_and_neighbours(query: str, role: str) -> None:
    found = roles(query)
    assert next(found[name] for name in found if "w" in name.lower()) == role


def test_long_beside_lat_is_a_place() -> None:
    lat, long = "(i * 11 % 90) / 10.0 as lat", "(i * 7 % 90) / 10.0 as long"
    assert roles(f"{AGE}, {lat}, {long}", 2000)["long"] == "quasi_identifier"
    assert roles(f"{AGE}, {long}", 2000)["long"] == "unclear"


def test_an_id_of_events_that_keeps_a_persons_sex_is_the_person() -> None:
    events = "i // 5 as id, 'e' || i % 7 as event, 20 + i // 5 % 50 as age"
    with database() as connection:
        for name, sex in (("kept", "i // 5 % 2"), ("changing", "i % 2")):
            connection.execute(
                f"create table {name} as select {events}, {sex} as sex_1 from range(900) as n(i)"
            )
        assert sqlanon.profile("kept", connection=connection).person == "id"
        changing = sqlanon.profile("changing", connection=connection)
    assert changing.person is None
    assert changing.column("id").role.role == "withheld"


def test_what_is_most_worth_protecting_comes_first() -> None:
    names = ["score_text", "income2", "HardDrugs", "label", "HHIncome", "diagnosis"]
    assert sorted(names, key=worth_of) == [
        *("HardDrugs", "diagnosis"),
        *("score_text", "income2", "HHIncome"),
        "label",
    ]


def drafted(tmp_path: Any, query: str) -> tuple[str, dict[str, Any]]:
    duckdb.execute(f"copy ({query}) to '{tmp_path}/t.parquet'")
    done = command(tmp_path, "init", "t.parquet", "--quiet")
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "t.yaml").read_text(encoding="utf-8")
    return text, yaml.safe_load(text)


@pytest.mark.further
@pytest.mark.slow
def test_a_first_spec_of_a_survey_protects_four_and_runs(tmp_path: Any) -> None:
    """The others wait in comments, a copy of one that is protected behind them."""
    text, declared = drafted(tmp_path, MADE["nutrition_survey"][0])
    assert list(declared["sensitive"]) == ["Diabetes", "AgeFirstMarij", "HardDrugs", "SexAge"]
    waiting = text[text.index("Not released yet; each more") :]
    assert waiting.index("# HHIncome:") < waiting.index("# HHIncomeMid:")
    for settings in declared["sensitive"].values():
        assert (settings["t"], settings["l"]) == (0.3, 2)
    assert command(tmp_path, "run", "t.yaml", "--quiet").returncode == 0


@pytest.mark.slow
def test_a_sensitive_column_that_gives_a_quasi_identifier_back_waits(tmp_path: Any) -> None:
    """As a run would refuse it."""
    query = f"select {AGE}, i % 40 as income, i % 3 as diagnosis from range(900) as n(i)"
    text, declared = drafted(tmp_path, query)
    assert list(declared["sensitive"]) == ["diagnosis"]
    assert "would refuse it unless its settings have accept: WHY:\n  # income: {" in text
    assert command(tmp_path, "run", "t.yaml", "--quiet").returncode == 0
    taken = text.replace("  # income: {", "  income: {")
    (tmp_path / "t.yaml").write_text(taken, encoding="utf-8")
    done = command(tmp_path, "run", "t.yaml", "--quiet")
    assert (done.returncode, "gives a quasi-identifier back" in done.stderr) == (1, True)


@pytest.mark.slow
@pytest.mark.parametrize(("rare", "asked"), [(100, True), (101, False)])
def test_l_stands_beside_t_unless_it_would_cost_everything(
    tmp_path: Any, rare: int, asked: bool
) -> None:
    """A value that fewer than one in 10 k records lack cannot be kept from a class of that size."""
    ill = f"case when i % {rare} = 0 then 'yes' else 'no' end as diabetes"
    _, declared = drafted(tmp_path, f"select {AGE}, {ill} from range(10100) as n(i)")
    assert declared["privacy"]["k"] == 10
    assert ("l" in declared["sensitive"]["diabetes"]) is asked
    assert declared["sensitive"]["diabetes"]["t"] == 0.3
    assert command(tmp_path, "run", "t.yaml", "--quiet").returncode == 0


@pytest.mark.parametrize("kind", ["date", "timestamp"])
def test_the_day_of_an_event_is_known_to_others(kind: str) -> None:
    """Also where its name says nothing, as the values of a text that holds dates are."""
    day = f"{kind} '2020-01-01' + to_days((i % 200)::int)"
    assert roles(f"{AGE}, ({day})::{kind} as a, ({day})::date::varchar as b") == {
        "age": "quasi_identifier",
        "a": "quasi_identifier",
        "b": "quasi_identifier",
    }


@pytest.mark.slow
def test_a_table_of_events_gets_a_spec_that_runs(tmp_path: Path) -> None:
    """Its dates are its only quasi-identifiers; its head says how many persons have them."""
    file = tmp_path / "conditions.csv"
    duckdb.execute(
        "copy (select date '2020-01-01' + (i % 60 * 9)::int as start, i // 3 as patient, "
        f"'ill' || i % 5 as description from range(600) as n(i)) to '{file}'"
    )
    assert command(tmp_path, "init", file.name, "--quiet").returncode == 0
    text = (tmp_path / "conditions.yaml").read_text(encoding="utf-8")
    assert "200 persons have 600 records" in text
    assert "start: {hierarchy: {dates: [month, year, decade]}}" in text
    done = command(tmp_path, "run", "conditions.yaml", "--quiet")
    assert done.returncode == 0, done.stderr
    assert "Every person shares" in done.stdout
