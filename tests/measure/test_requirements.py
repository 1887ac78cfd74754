"""Requirements: a model is called by its key, and has one number wherever a relation has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support import database, make_table

from sqlanon.engines import DuckDBEngine, Engine
from sqlanon.measure.asked import Requirements, asked_models
from sqlanon.measure.cover import asked_of_projections
from sqlanon.methods import METHODS
from sqlanon.plan import Search, Step
from sqlanon.planning.prepare import Prepared, prepare
from sqlanon.spec import parse_spec

ROWS = [
    (20 + number % 4, "FM"[number % 2], ("flu", "cold", "ulcer")[number % 3])
    for number in range(12)
]
SPEC: dict[str, Any] = {
    "source": "people",
    "release": "public",
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [2, 10]}},
        "sex": {"hierarchy": {"tree": {"*": ["F", "M"]}}},
    },
    "sensitive": {"ill": {"l": 2, "t": 0.9}},
    "privacy": {"k": 2, "subsets": [{"columns": ["sex"], "k": 3}]},
    "suppression": {"records": 0.5},
    "seed": 1,
}
# Methods that leave records out and see to what is asked of some of the columns.
ABLE = [
    name
    for name, value in METHODS.items()
    if value.Settings.suppresses and value.Settings.tests_projections and not value.Settings.needs
]


@pytest.fixture
def engine() -> Iterator[Engine]:
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "sex": "text", "ill": "text"}, ROWS)
        yield DuckDBEngine(connection=connection)


def reasons(prepared: Prepared) -> dict[int, tuple[str, str | None]]:
    """What a run calls each number by which records are left out."""
    (step,) = (one for one in prepared.plan if getattr(one, "template", "") == "release/suppressed")
    assert isinstance(step, Step)
    return {place: (metric, attribute) for place, metric, attribute, _ in step.params["models"]}


@pytest.mark.parametrize("method", ABLE)
@pytest.mark.parametrize("k", [1, 2])
def test_a_search_numbers_models_as_the_account_of_what_is_left_out(
    engine: Engine, method: str, k: int
) -> None:
    """Also where nothing is asked by k, and a size by what follows from the other models alone."""
    privacy = {**SPEC["privacy"], "k": k}
    prepared = prepare(parse_spec({**SPEC, "method": method, "privacy": privacy}), engine)
    search: Any = next(
        step
        for step in prepared.plan
        if isinstance(step, Search) and hasattr(step, "models") and hasattr(step, "projected")
    )
    own = Requirements.bounded((*search.models, *search.projected))
    assert {number: model.key for number, model in own} == reasons(prepared)
    assert all(own.number(key) == number for number, key in reasons(prepared).items())
    assert reasons(prepared)[own.of_size] == (
        ("distinct_l", "ill") if k == 1 else own.models[0].key
    )


def test_what_is_not_asked_has_no_number(engine: Engine) -> None:
    spec = parse_spec({**SPEC, "method": "optimal"})
    asked = asked_models(spec.privacy, prepare(spec, engine).publication.view.sensitive)
    bounded = Requirements.bounded((*asked, *asked_of_projections(spec)))
    assert [model.key for _, model in bounded] == [
        ("k_anonymity", None),
        ("distinct_l", "ill"),
        ("t_closeness", "ill"),
        ("k_anonymity", "sex"),
    ]
    assert len(Requirements(tuple(asked)).models) > 3
    with pytest.raises(KeyError):
        bounded.number(("entropy_l", "ill"))


def test_two_models_of_one_key_are_refused() -> None:
    """They could not be told apart by what is said of them."""
    spec = parse_spec({**SPEC, "method": "optimal"})
    (one,) = asked_of_projections(spec)
    with pytest.raises(ValueError, match="one key"):
        Requirements((one, one)).number(one.key)
