"""A column that a model cannot take is refused by its name, and never by the database."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from servers import place
from support import DEALT, Connection, database, make_table, refused

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.measure import asked
from sqlanon.privacy import MODELS
from sqlanon.privacy.alpha import ALPHA
from sqlanon.privacy.l_diversity import ENTROPY_L
from sqlanon.privacy.model import PrivacyModel, only
from sqlanon.spec import columns

pytestmark = pytest.mark.slow

NUMBERS = only("integer", "decimal", "number", needs="numbers")
ROWS = [(i % 3, f"v{i % 4}", i % 4) for i in range(24)]
# Everything that can be asked of one attribute, for next to nothing.
ALL = {
    "l": {"distinct": 1, "entropy": 1, "recursive": {"c": 1000, "l": 1}},
    "alpha": 1,
    "t": 1,
    "beta": {"basic": 1000, "enhanced": 1000},
    "delta": {"log2": 60, "ln": 60},
}
OF_WHOLE_NUMBERS = {"proximity": {"epsilon": 1, "m": 1}}
OF_TEXT = {"km": {"k": 1, "m": 1}}
# A type that can be sensitive, and a value of it as text.
OF_DUCKDB = {
    "utinyint": "0",
    "bigint": "9223372036854775807",
    "hugeint": "170141183460469231731687303715884105727",
    "decimal(38, 10)": "0.0000000001",
    "float": "0.1",
    "double": "1.5",
    "varchar": "a",
    "date": "2020-02-29",
    "timestamp": "2020-01-01",
    "boolean": "true",
    "uuid": "00000000-0000-0000-0000-000000000001",
    "enum('a', 'b')": "a",
}
OF_POSTGRES = {
    "smallint": "-32768",
    "numeric(20, 0)": "-99999999999999999999",
    "numeric": "1e30",
    "numeric(9, 2)": "0.1",
    "double precision": "0.1",
    '"char"': "a",
    "date": "2020-02-29",
    "boolean": "true",
    "uuid": "00000000-0000-0000-0000-000000000001",
}
# Types that have no role.
NONE_OF_DUCKDB = {
    "time": "10:00",
    "interval": "1 day",
    "blob": "a",
    "bit": "01",
    "integer[]": "[1]",
    "struct(a integer)": "{a: 1}",
    "map(varchar, integer)": "{a=1}",
    "json": "{}",
}
NONE_OF_POSTGRES = {
    "time": "10:00",
    "interval": "1 day",
    "bytea": "a",
    "bit(2)": "01",
    "integer[]": "{1}",
    "json": "{}",
    "money": "1",
    "inet": "127.0.0.1",
    "int4range": "[1,2)",
    "point": "(1,2)",
    "tsvector": "a",
}


def with_numbers_for(model: PrivacyModel) -> tuple[PrivacyModel, ...]:
    """The models, one of them of numbers alone."""
    return tuple(
        replace(privacy_model, fits=NUMBERS) if privacy_model is model else privacy_model
        for privacy_model in MODELS
    )


@pytest.fixture
def of_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """(α, k)-anonymity and entropy l-diversity as if they were of numbers alone."""
    monkeypatch.setattr(columns, "MODELS", with_numbers_for(ALPHA))
    monkeypatch.setattr(asked, "MODELS", with_numbers_for(ENTROPY_L))


def people(connection: Connection) -> None:
    make_table(connection, "t", {"q": "integer", "text": "varchar", "number": "integer"}, ROWS)


@pytest.mark.usefixtures("of_numbers")
@pytest.mark.parametrize(
    ("declared", "where"),
    [
        ({"sensitive": {"text": {"alpha": 1}, "number": {}}}, "sensitive.text.alpha"),
        ({"sensitive": ["text", "number"], "alpha": 1}, "privacy.alpha"),
    ],
)
def test_a_model_of_a_column_that_it_does_not_fit_is_refused_where_it_is_asked(
    declared: dict[str, Any], where: str
) -> None:
    with database() as connection:
        people(connection)
        error = refused(
            SpecError, "t", connection=connection, quasi_identifiers=["q"], k=2, **declared
        )
        assert isinstance(error, SpecError)
        (problem,) = error.problems
        assert (problem.where, error.exit_code) == (where, 2)
        assert problem.what == (
            "(α, k)-anonymity of 'text' needs numbers, and 'text' is VARCHAR: cast it in a query, "
            "or leave the model out"
        )
        with pytest.raises(SpecError, match="needs numbers"):
            sqlanon.check("t", connection=connection, quasi_identifiers=["q"], **declared)


@pytest.mark.usefixtures("of_numbers")
def test_where_nobody_asks_a_model_is_measured_of_what_it_fits() -> None:
    """Entropy l-diversity always is, of what it fits."""
    with database() as connection:
        people(connection)
        made = sqlanon.anonymize(
            "t",
            connection=connection,
            quasi_identifiers=["q"],
            sensitive={"text": {}, "number": {"alpha": 1}},
            k=2,
            **DEALT,
        )
        measured = {(metric.metric, metric.attribute) for metric in made.measures}
        assert {("entropy_l", "number"), ("distinct_l", "text")} <= measured
        assert ("entropy_l", "text") not in measured


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("engine", "types", "refuses"),
    [
        ("duckdb", OF_DUCKDB, False),
        ("duckdb", NONE_OF_DUCKDB, True),
        ("postgres", OF_POSTGRES, False),
        ("postgres", NONE_OF_POSTGRES, True),
    ],
)
def test_every_model_takes_a_column_or_its_spec_is_refused(
    engine: str, types: Mapping[str, str], refuses: bool, urls: Mapping[str, str]
) -> None:
    """One run for each type asks for all models at once, of it as the only sensitive attribute."""
    asked_of = {name for model in MODELS if model.per == "sensitive" for name in [model.field.name]}
    assert {*ALL, *OF_WHOLE_NUMBERS, *OF_TEXT} == asked_of
    whole = ("utinyint", "bigint", "smallint", "numeric(20, 0)")
    with place(engine, urls) as here, sqlanon.open(here.connection, progress=False) as db:
        for type_name, value in types.items():
            cast = f"cast('{value}' as {type_name})"
            here.connection.execute("drop table if exists typed")
            here.connection.execute(
                f"create table typed as select i % 3 as q, {cast} as s from "
                f"(values {', '.join(f'({i})' for i in range(12))}) as rows (i)"
            )
            every = ALL | (OF_WHOLE_NUMBERS if type_name in whole else {})
            fields = {"quasi_identifiers": ["q"], "sensitive": {"s": every}, "k": 2, **DEALT}
            if not refuses:
                assert db.run("typed", release="public", **fields).measure("records") == 12
                continue
            with pytest.raises(SpecError, match="cannot have this role") as caught:
                db.run("typed", release="public", **fields)
            assert caught.value.problems[0].where == "sensitive.s", type_name
            with pytest.raises(SpecError, match="cannot have this role"):
                db.check("typed", quasi_identifiers=["q"], sensitive=["s"], l=2)
