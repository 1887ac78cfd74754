"""Quasi-identifiers as people have them: texts in an order, numbers that are codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from oracle import gcp, ncp_interval, ncp_set, record_loss
from support import DEALT, Connection, anonymized, database, make_table, read, refused, relations

import sqlanon
from sqlanon.errors import SpecError

SECRET = "SECRET0"
SCHOOLS = ["NONE", "BASIC", "COLLEGE", "DOCTOR"]
LISTED: dict[str, Any] = {"order": SCHOOLS}


@pytest.fixture
def here() -> Iterator[Connection]:
    """People whose schools stand in another order than their names; every tenth has none."""
    with database() as connection:
        columns = {"school": "varchar", "area": "integer", "ill": "varchar", "site": "varchar"}
        rows = [
            (SCHOOLS[i * 7 % 4] if i % 10 else None, i * 5 % 28 + 1, "abc"[i % 3], SECRET)
            for i in range(60)
        ]
        make_table(connection, "t", columns, rows)
        yield connection


def release(connection: Connection, columns: Mapping[str, Any], **changed: Any) -> list[Any]:
    fields = {"sensitive": [], "k": 12, "seed": 1, "method": "mondrian", **changed}
    sqlanon.anonymize("t", connection=connection, quasi_identifiers=columns, **fields)
    return read(connection, "anonymized")[1]


@pytest.mark.parametrize(
    ("publish", "cells"),
    [
        (None, {("{NULL, NONE}",), ("{BASIC, COLLEGE}",), ("DOCTOR",)}),
        ("interval", {("*",), ("[BASIC, COLLEGE]",), ("DOCTOR",)}),
        ("bounds", {(None, None), ("BASIC", "COLLEGE"), ("DOCTOR", "DOCTOR")}),
    ],
)
def test_neighbours_in_the_order_share_a_class(
    here: Connection, publish: str | None, cells: set[tuple[Any, ...]]
) -> None:
    """Where a class of 12 needs two values, they are neighbours in the list."""
    here.execute(
        "create or replace table t as select * from (values "
        "(null, 5), ('NONE', 25), ('BASIC', 6), ('COLLEGE', 6), ('DOCTOR', 15)"
        ") as v(school, n), range(n)"
    )
    asked = LISTED | ({} if publish is None else {"publish": publish})
    assert set(release(here, {"school": asked})) == cells


def test_one_interval_is_one_of_the_order_and_not_of_the_alphabet(here: Connection) -> None:
    order = ["DOCTOR", "NONE", "COLLEGE", "BASIC"]
    here.execute("delete from t where school is null or school in ('DOCTOR', 'BASIC')")
    rows = release(here, {"school": {"order": order, "publish": "interval"}}, k=20)
    assert set(rows) == {("[NONE, COLLEGE]",)}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("method", ["stack_and_deal", "split_or_deal", "mondrian"])
def test_loss_is_that_of_the_definition(here: Connection, method: str) -> None:
    """Places of the list over the places of all, used or not; a code loses as a member of a set."""
    columns = {
        "school": {"order": [*SCHOOLS, "PROFESSOR"], "publish": "interval", "weight": 2},
        "area": {"nominal": True},
    }
    made = anonymized(
        here, "t", quasi_identifiers=columns, sensitive=["ill"], k=5, seed=1, method=method
    )
    order, areas = [*SCHOOLS, "PROFESSOR"], {row[1] for row in read(here, "t")[1]}

    def school(cell: str | None) -> Fraction:
        if cell is None:
            return Fraction(0)
        if cell == "*":
            return Fraction(1)
        low, high = cell.strip("[]").split(", ") if cell[0] == "[" else (cell, cell)
        return ncp_interval(order.index(low), order.index(high), 4)

    def area(cell: str) -> Fraction:
        return ncp_set(len(cell.split(", ")), len(areas))

    losses = [record_loss([school(one), area(two)], [2, 1]) for one, two, *_ in made.rows]
    assert made.measure("gcp") == pytest.approx(float(gcp(losses)), abs=2e-9)
    assert all(two.isdigit() or two.startswith("{") for _, two, *_ in made.rows)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("publish", ["interval", "bounds"])
def test_a_release_is_read_back_and_an_end_that_no_list_has_is_a_fault(
    here: Connection, publish: str, tmp_path: Path
) -> None:
    columns = {"school": LISTED | {"publish": publish}, "area": {"nominal": True}}
    rows = release(here, columns)
    cells = read(here, "anonymized")[0]
    spec = sqlanon.parse_spec(
        {
            "source": {"table": "t"},
            "release": "r",
            "quasi_identifiers": columns,
            "privacy": {"k": 5},
        }
    )
    assert rows
    assert sqlanon.check("anonymized", spec=spec, connection=here).faults == ()
    here.execute(f"copy anonymized to '{tmp_path / 'r.csv'}' (header)")
    file = {"file": str(tmp_path / "r.csv")}
    assert sqlanon.check(file, spec=spec, connection=here).faults == ()
    odd = "'[DOCTOR, NONE]'" if publish == "interval" else "'DOCTOR'"
    here.execute(f'update anonymized set "{cells[0]}" = {odd} where "{cells[0]}" is not null')
    found = sqlanon.check("anonymized", spec=spec, connection=here).faults
    assert "unreadable_cells" in {fault.what for fault in found}


def test_a_value_that_is_not_listed_is_an_error_that_shows_no_cell(here: Connection) -> None:
    before = relations(here)
    refusal = refused(
        SpecError,
        "t",
        connection=here,
        quasi_identifiers={"site": {"order": ["a", "b"]}},
        sensitive=["ill"],
        k=2,
        **DEALT,
    )
    assert "quasi_identifiers.site.order: the order does not cover 1 of the column's 1" in str(
        refusal
    )
    assert SECRET not in repr(refusal)
    assert SECRET not in str(refusal)
    assert relations(here) == before


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"order": "natural"}, "it must be the list of all values in order"),
        ({"order": []}, "order"),
        ({"order": ["a", "a"]}, "order names a value twice"),
        ({"order": ["a", None]}, "the place of NULL is before the first value"),
        ({"order": ["a"], "nominal": True}, "order and nominal contradict each other"),
        ({"order": ["a"], "hierarchy": {"prefix": [1]}}, "order takes no hierarchy"),
        (
            {"order": ["a", "b, c", "[d", "", "*"], "publish": "interval"},
            "those of order at 2, 3, 4, 5 are empty, '*', begin with '['",
        ),
        ({"order": ["a", ""], "publish": "bounds"}, "those of order at 2 are empty"),
        ({"nominal": True}, "nominal is said of numbers that are codes, the column is VARCHAR"),
        ({"nominal": "yes"}, "nominal"),
        ({"publish": "interval"}, "publish: set, list its values in order, or give it a hierarchy"),
    ],
)
def test_what_does_not_go_together_is_refused(
    here: Connection, settings: dict[str, Any], what: str
) -> None:
    columns = {"school": settings}
    refusal = refused(
        SpecError, "t", connection=here, quasi_identifiers=columns, sensitive=["ill"], k=2, **DEALT
    )
    assert "quasi_identifiers.school" in str(refusal)
    assert what in str(refusal)


@pytest.mark.parametrize(
    ("settings", "what"),
    [
        ({"nominal": True, "publish": "interval"}, "leave publish: interval out"),
        ({"nominal": True, "publish": "bounds"}, "leave publish: bounds out"),
        ({"nominal": True, "hierarchy": {"bands": [5]}}, "leave bands out"),
    ],
)
def test_codes_have_no_intervals(here: Connection, settings: dict[str, Any], what: str) -> None:
    refusal = refused(
        SpecError, "t", connection=here, quasi_identifiers={"area": settings}, k=2, **DEALT
    )
    assert "nothing lies between two values" in str(refusal)
    assert what in str(refusal)


def test_a_listed_order_is_for_what_has_one_text_everywhere(here: Connection) -> None:
    here.execute("alter table t alter area type double")
    columns = {"area": {"order": ["1.0"]}}
    refusal = refused(SpecError, "t", connection=here, quasi_identifiers=columns, k=2, **DEALT)
    assert "area.order: a listed order is for text, whole numbers and booleans" in str(refusal)


def test_codes_that_are_not_finite_are_values_like_others(here: Connection) -> None:
    here.execute("alter table t alter area type double")
    here.execute("update t set area = 'nan' where area > 20")
    rows = release(here, {"area": {"nominal": True}})
    assert any("nan" in cell for (cell,) in rows)
