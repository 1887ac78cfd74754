"""Published cells as values to calculate with."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pandas as pd
import pytest
from support import Connection, database, make_table

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.engines.frames import held_by_polars
from sqlanon.errors import SpecError
from sqlanon.record.preview import usable
from sqlanon.sql.names import Relation

COLUMNS = {"age": "integer", "born": "date", "town": "varchar", "pay": "double", "ill": "varchar"}
ROWS = [
    (20, "2004-01-31", "Bern", 1.5, "flu"),
    (24, "2000-01-01", "it's", 2.5, "cold"),
    (24, "2000-01-03", "Bern", -1e3, "flu"),
    (None, None, None, None, "cold"),
    (40, "1984-12-01", "Chur", 7.0, "flu"),
    (44, "1980-12-01", "Chur", 7.0, "cold"),
]


@pytest.fixture
def people() -> Any:
    with database() as connection:
        make_table(connection, "people", COLUMNS, ROWS)
        yield connection


def made(connection: Connection, **declared: Any) -> sqlanon.Release:
    asked: dict[str, Any] = {
        "quasi_identifiers": ["age", "born", "town", "pay"],
        "sensitive": "ill",
        "k": 2,
        "method": "stack_and_deal",
        "seed": 1,
        "progress": False,
    }
    return sqlanon.anonymize("people", connection=connection, **{**asked, **declared})


def test_intervals_hold_what_the_cells_say(people: Connection) -> None:
    release = made(people)
    texts, cells = release.frame(), release.frame(cells="interval")
    assert any(one.startswith("[") for one in texts["age"])
    for text, cell in zip(texts["age"], cells["age"], strict=True):
        if text.startswith("["):
            low, high = map(float, text.strip("[]").split(", "))
            assert (cell.left, cell.right, cell.closed) == (low, high, "both")
    assert all(one is None or isinstance(one.left, pd.Timestamp) for one in cells["born"])
    assert list(cells["town"]) == list(texts["town"])  # sets stay
    assert list(cells["ill"]) == list(texts["ill"])


def test_the_middle_of_a_cell_is_a_number_or_a_date() -> None:
    frame = pd.DataFrame(
        {
            "age": ["[20, 24]", "30", "*", None, "[-3, 1)"],
            "born": ["[2000-01-01, 2000-01-03]", "2004-02-29", "*", None, None],
            "site": ["{a, b}", "a", "*", None, "b"],
            "code": ["[20, 24]", "x", "*", None, "30"],
        }
    )
    found = usable(frame, ["age", "born", "site", "code"], "mid")
    assert list(found["age"][[0, 1, 4]]) == [22, 30, -1]
    assert found["age"].isna().tolist() == [False, False, True, True, False]
    assert found["age"].mean() == 17
    assert found["born"][0] == pd.Timestamp("2000-01-02")
    assert found["born"].isna().tolist() == [False, False, True, True, True]
    for name in ("site", "code"):  # not all of its cells are intervals
        assert found[name].tolist() == frame[name].tolist()
    assert frame["age"][0] == "[20, 24]"


def test_bounds_are_two_columns_where_the_one_was() -> None:
    frame = pd.DataFrame(
        {
            "age": ["[20, 24]", "30", "*"],
            "born": ["[2000-01-01, 2000-01-03]", None, "*"],
            "site": ["{a, b}", "a", None],
            "pay": ["1", "2", "1"],
            "note": ["[1, 2]", "x", "y"],
        }
    )
    found = usable(frame, ["age", "born", "site", "pay"], "bounds")
    names = ["age_min", "age_max", "born_min", "born_max", "site", "pay", "note"]
    assert list(found.columns) == names
    assert found["age_min"][:2].tolist() == [20, 30]
    assert found["age_max"][:2].tolist() == [24, 30]
    assert found["age_min"].isna()[2]
    assert found["born_max"][0] == pd.Timestamp("2000-01-03")
    assert found["site"].dtype == "category"
    assert found["note"].tolist() == frame["note"].tolist()


def test_no_bound_takes_the_place_of_a_column() -> None:
    frame = pd.DataFrame({"age": ["[1, 2]"], "age_min": ["x"]})
    assert list(usable(frame, ["age"], "bounds").columns) == ["age_min_", "age_max", "age_min"]


@pytest.mark.parametrize("cells", ["interval", "mid", "bounds"])
def test_a_column_of_single_values_has_numbers(cells: Any) -> None:
    frame = pd.DataFrame({"pay": ["1", "2", "1"]})
    assert usable(frame, ["pay"], cells)["pay"].tolist() == [1.0, 2.0, 1.0]


def test_half_open_bands_are_half_open() -> None:
    frame = pd.DataFrame({"pay": ["[20, 25)", "[25, 30)"]})
    first, _ = usable(frame, ["pay"], "interval")["pay"]
    assert first == pd.Interval(20, 25, closed="left")


def test_an_unknown_kind_of_cell_is_refused(people: Connection) -> None:
    with pytest.raises(SpecError, match="cells='middle' is not known: say one of 'text', 'in"):
        made(people).frame(cells="middle")  # type: ignore[arg-type]


def test_text_that_looks_like_an_interval_is_read_in_quasi_identifiers_alone() -> None:
    frame = pd.DataFrame({"age": ["[1, 2]"], "note": ["[1, 2]"]})
    assert usable(frame, ["age"], "interval")["note"][0] == "[1, 2]"


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("hugeint", [2**53 + 1, 2**53, None]),
        ("hugeint", [2**127 - 1, 1, None]),
        ("uhugeint", [2**128 - 1, 2**128 - 2]),
        ("bignum", [10**40, None]),
        ("decimal(18, 2)", ["9007199254740993.25", "0.10", None]),
        ("decimal(38, 38)", ["0.12345678901234567890123456789012345678", None]),
        ("decimal(18, 2)", ["9999999999999.99", "-0.10"]),
        ("date", ["infinity", "2020-02-29", None]),
        ("timestamp", ["-infinity", "2020-02-29 00:00:00"]),
        ("timestamp_s", ["infinity"]),
        ("interval", ["1 month", "3 days", None]),
        ("time with time zone", ["10:00:00+02"]),
        ("bit", ["0101", None]),
        ("date", ["5874897-12-31", "2020-02-29"]),
        ("time_ns", ["23:59:59.999999999"]),
        ("hugeint[]", [f"[{2**127 - 1}, NULL]"]),
        ("struct(a decimal(38, 2)[])", ["{'a': [9007199254740993.25]}"]),
        ("struct(a date)", ["{'a': infinity}"]),
        ("date[]", ["[5874897-12-31]", "[infinity]"]),
        ("map(varchar, timestamp)", ["{k='0044-03-15 (BC) 00:00:00'}"]),
        ("timestamp_ns[]", ["['2020-02-29 00:00:00.000000001', NULL]"]),
        ("struct(a interval, b time_ns)", ["{'a': 1 month, 'b': NULL}"]),
        ("timestamptz[][]", ["[['2020-02-29 00:00:00+00']]"]),
        ("enum('a', 'b')[]", ["[a, NULL]"]),
        ("bit[]", ["[0101]"]),
        ("timetz[]", ["['10:00:00+02']"]),
    ],
)
def test_a_frame_has_no_value_that_the_database_has_not(kind: str, cells: list[Any]) -> None:
    """Pandas has no type of many digits, infinite dates and months: text and Python's numbers."""
    rows = [(n, None if cell is None else str(cell)) for n, cell in enumerate(cells)]
    with database() as connection:
        make_table(connection, "t", {"n": "integer", "x": kind}, rows)
        found = DuckDBEngine(connection=connection).frame(Relation("t")).sort_values("n")["x"]
    read = Decimal if kind.startswith("decimal") else type(cells[0])
    exact = [None if pd.isna(one) else read(str(one)) for one in found]
    assert exact == [None if cell is None else read(cell) for cell in cells]


@pytest.mark.parametrize(
    ("moment", "told"),
    [
        ("2020-02-29 10:00:00.000001+02", pd.Timestamp("2020-02-29 08:00:00.000001", tz="UTC")),
        ("2020-02-29 10:00:00.000000001+02", "2020-02-29 08:00:00.000000001+00"),
    ],
)
def test_a_frame_has_the_zone_of_times_to_the_nanosecond(moment: str, told: Any) -> None:
    with database() as connection:
        types = connection.execute("select type_name from duckdb_types()").fetchall()
        if ("timestamptz_ns",) not in types:
            pytest.skip("this DuckDB has no times to the nanosecond with a zone")
        connection.execute("set time zone 'UTC'")
        connection.execute(f"create table t as select '{moment}'::timestamptz_ns as x")
        found = DuckDBEngine(connection=connection).frame(Relation("t"))["x"]
    assert list(found) == [told]


@pytest.mark.parametrize(
    ("kind", "cells"),
    [
        ("time with time zone", ["10:00:00+02", None]),
        ("time with time zone[]", ["[10:00:00-01:30]"]),
        ("struct(x time with time zone)", ["{'x': '10:00:00+02'}"]),
        ("time", ["23:59:59.999999", None]),
        ("bit", ["0101", None]),
        ("uhugeint", [str(2**128 - 1), "3"]),
        ("uhugeint", ["3", None]),
        ("hugeint", [str(-(2**127)), "3"]),
        ("bignum", [str(10**40)]),
        ("decimal(38, 38)", ["0.12345678901234567890123456789012345678"]),
        ("timestamp", ["infinity", "2020-02-29 00:00:00"]),
        ("interval", ["1 month 2 days 00:00:03.000004"]),
        ("date", ["5874897-12-31"]),
    ],
)
def test_an_arrow_table_has_no_value_that_the_database_has_not(
    kind: str, cells: list[str | None]
) -> None:
    """Read again by a database that knows the table alone, every cell has the text it had."""
    rows = list(enumerate(cells))
    with database() as connection, database() as reader:
        make_table(connection, "t", {"n": "integer", "x": kind}, rows)
        asked = "select n, cast(x as varchar) from {} order by n"
        before = connection.execute(asked.format("t")).fetchall()
        reader.register("arrow", DuckDBEngine(connection=connection).arrow(Relation("t")))
        try:
            assert reader.execute(asked.format("arrow")).fetchall() == before
        finally:
            reader.unregister("arrow")


def test_a_frame_has_nested_values_that_pandas_holds_as_they_are() -> None:
    with database() as connection:
        connection.execute("create table t as select [date '2020-02-29'] as x, {'a': 1.5} as y")
        found = DuckDBEngine(connection=connection).frame(Relation("t"))
    assert str(found["x"][0][0]).startswith("2020-02-29")
    assert found["y"][0] == {"a": Decimal("1.5")}


def test_polars_gets_text_for_what_it_has_no_type_for() -> None:
    """It refuses intervals of months, and has NULL for 24:00."""
    columns = {
        "months": "interval 1 month",
        "nested": "[interval 1 day]",
        "late": "time '24:00'",
        "noon": "time '12:00'",
        "number": "1.5",
    }
    cells = ", ".join(f"{text} as {name}" for name, text in columns.items())
    with database() as connection:
        connection.execute(f"create table t as select {cells}")
        found = held_by_polars(DuckDBEngine(connection=connection).arrow(Relation("t")))
    texts = {name: cell for name, (cell,) in found.to_pydict().items() if isinstance(cell, str)}
    assert texts == {"months": "1 month", "nested": "[1 day]", "late": "24:00:00"}
