"""What transforms must not give away, and what of them is refused before anything is published."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support import DEALT, Connection, database

import sqlanon

KEY = "a key of noise that is long enough, 4711"
HOW = {"env": "NOISE"}


@pytest.fixture(autouse=True)
def noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOISE", KEY)


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        yield made


def transformed(*transforms: dict[str, Any]) -> dict[str, Any]:
    return {"accept": "a test", "transform": list(transforms)}


def spec(**declared: Any) -> dict[str, Any]:
    return {
        "release": "public",
        "key": "id",
        "quasi_identifiers": ["age"],
        "sensitive": ["disease"],
        "privacy": {"k": 3},
        "seed": 1,
        **DEALT,
        **declared,
    }


def table(connection: Connection, columns: str, records: int = 60) -> None:
    connection.execute(
        "create or replace table people as select i as id, i % 4 as age, i % 3 as disease, "
        f"{columns} from range({records}) as n(i)"
    )


def released(connection: Connection, **declared: Any) -> list[tuple[Any, ...]]:
    sqlanon.anonymize("people", connection=connection, **spec(**declared)).close()
    return connection.execute("select * exclude (age, disease) from public").fetchall()


def measures(connection: Connection) -> dict[str, float]:
    found = connection.execute("select metric, value from public__metrics").fetchall()
    return {name: value for name, value in found if name in ("changed_share", "mean_change")}


# --- what the metrics say ------------------------------------------------------------------------


@pytest.mark.parametrize("cut", [{"top": 1000}, {"bottom": -1000}])
def test_no_mean_gives_a_cut_off_value_back(connection: Connection, cut: dict[str, int]) -> None:
    table(connection, "case when i = 7 then -48211 when i = 8 then 48211 else i % 5 end as spend")
    released(connection, insensitive={"spend": transformed(cut, {"round": 2})})
    assert set(measures(connection)) == {"changed_share"}


@pytest.mark.parametrize(
    ("k", "changed", "shown"), [(3, 9, 0), (3, 10, 1), (12, 11, 0), (12, 12, 1)]
)
def test_a_mean_is_of_many_changes(
    connection: Connection, k: int, changed: int, shown: bool
) -> None:
    table(connection, f"case when i < {changed} then 4 else 5 end as spend")
    declared = {"spend": transformed({"round": 5})}
    released(connection, insensitive=declared, privacy={"k": k})
    expected = {"changed_share": round(changed / 60, 9)}
    if shown:
        expected["mean_change"] = round(changed / 60, 9)
    assert measures(connection) == pytest.approx(expected, abs=1e-8)


@pytest.mark.parametrize(("persons", "shown"), [(9, False), (10, True)])
def test_a_mean_is_of_many_persons(connection: Connection, persons: int, shown: bool) -> None:
    table(
        connection,
        f"i % 20 as who, 'b' as town, case when i % 20 < {persons} then 4 else 5 end as x",
    )
    connection.execute("update people set age = who % 4, disease = who % 3")
    insensitive = {"x": transformed({"round": 5})}
    released(connection, key=[], person=["who", "town"], insensitive=insensitive)
    assert ("mean_change" in measures(connection)) is shown
