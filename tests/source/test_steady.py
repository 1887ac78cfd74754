"""A hierarchy in SQL gives a value the same group whenever it is asked."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from servers import Place, place
from support import DEALT

import sqlanon
from sqlanon.errors import SpecError

ENGINES = ["duckdb", "postgres_icu"]


@pytest.fixture(params=ENGINES)
def here(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        rows = [(f"{'ab'[i % 2]}{i % 6}", f"s{i % 3}") for i in range(24)]
        found.make_table("t", {"q": "varchar", "s": "varchar"}, rows)
        yield found


def released(here: Place, expression: str) -> sqlanon.Release:
    declared: dict[str, Any] = {"q": {"hierarchy": {"sql": [expression]}}}
    roles = {"quasi_identifiers": declared, "sensitive": "s", "k": 3, "seed": 1, **DEALT}
    return sqlanon.anonymize("t", connection=here.connection, **roles)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("expression", "named"),
    [
        ("q || random()", "random"),
        ("q || uuid()", "uuid"),
        ("q || gen_random_uuid()", "uuid"),
        ("q || now()", "now"),
        ("q || current_timestamp", "current_timestamp"),
        ("q || current_date", "current_date"),
        ("q || cast('today' as date)", "today"),
        ("q || current_user", "current_user"),
        ("q || nextval('numbers')", "nextval"),
        ("q || current_setting('TimeZone')", "current_setting"),
        ("case when random() < 0.5 then 'x' else left(q, 1) end", "random"),
        ("unheard_of(q)", "unheard_of"),
    ],
)
def test_a_function_whose_value_may_change_is_refused_by_name(
    expression: str, named: str, here: Place
) -> None:
    with pytest.raises(SpecError) as caught:
        released(here, expression)
    said = str(caught.value)
    assert said.startswith("quasi_identifiers.q.hierarchy.sql: level 1: ")
    assert f"{named} is not known to give the same value" in said


def test_a_macro_is_no_steady_function(urls: Mapping[str, str]) -> None:
    """It may stand for anything."""
    with place("duckdb", urls) as found:
        found.make_table("t", {"q": "varchar", "s": "varchar"}, [("a", "b")] * 9)
        found.connection.execute("create macro letter(x) as x || random()")
        with pytest.raises(SpecError, match="letter is not known"):
            released(found, "letter(q)")


@pytest.mark.one_in(6)
@pytest.mark.sampled
@pytest.mark.parametrize(
    "expression",
    [
        "left(q, 1)",
        "upper(substr(q, 1, 1)) || '*'",
        "case when q like 'a%' then 'first' else 'second' end",
        "regexp_replace(q, '[0-9]', '')",
        "md5(left(q, 1))",
        "cast(length(q) as varchar)",
    ],
)
def test_a_steady_function_is_taken(expression: str, here: Place) -> None:
    with released(here, expression) as made:
        assert made.measure("records") == 24
