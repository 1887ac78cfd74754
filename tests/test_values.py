"""What is published is the source's, bit by bit, and every cell covers its records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import pytest
from support import Connection, Row, anonymized, database, measured, refused, select

from sqlanon.errors import SpecError


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as fresh:
        yield fresh


def counted(connection: Connection, query: str) -> Counter[Row]:
    """How often a query yields each row; every text as its bytes."""
    return Counter(select(connection, query)[1])


def as_bytes(columns: Sequence[str]) -> str:
    """Columns as what tells any two of their values apart."""
    return ", ".join(f"typeof({name}), encode(cast({name} as varchar))" for name in columns)


# --- collations ----------------------------------------------------------------------------------

TEXTS = "case i % 4 when 0 then 'flu' when 1 then 'FLU' when 2 then 'grippé' else 'grippe' end"


@pytest.mark.parametrize(
    ("collation", "method"),
    [
        ("nocase", "stack_and_deal"),
        ("nocase.noaccent", "stack_and_deal"),
        ("de", "stack_and_deal"),
        ("nocase", "deal_tree"),
    ],
)
def test_a_collation_does_not_change_a_value_into_another(
    connection: Connection, collation: str, method: str
) -> None:
    text = f"varchar collate {collation}"
    connection.execute(f"create table t (age integer, town {text}, disease {text}, note {text})")
    connection.execute(
        f"insert into t select i % 5, {TEXTS}, {TEXTS.replace('4', '3')}, {TEXTS} "
        "from range(60) r(i)"
    )
    plainly = ", ".join(f"decode(encode({name})) as {name}" for name in ("town", "disease", "note"))
    connection.execute(f"create table same as select age, {plainly} from t")
    declared: dict[str, Any] = {
        "quasi_identifiers": ["age", "town"],
        "sensitive": ["disease"],
        "insensitive": ["note"],
        "k": 3,
        "l": 2,
        "method": method,
    }
    found = anonymized(connection, "t", **declared)
    plain = anonymized(connection, "same", release="plain", **declared)
    assert Counter(found.rows) == Counter(plain.rows)
    carried = as_bytes(["disease", "note"])
    assert counted(connection, f"select {carried} from anonymized") == counted(
        connection, f"select {carried} from t"
    )


def test_a_collation_does_not_hide_a_failing_model_from_a_check(connection: Connection) -> None:
    text = "varchar collate nocase"
    connection.execute(f"create table t (town {text}, disease {text})")
    connection.execute("insert into t values ('Bern', 'flu'), ('BERN', 'cold'), ('bern', 'Flu')")
    found, _ = measured(connection, "t", quasi_identifiers=["town"], sensitive=["disease"], k=3)
    assert found.measure("k_anonymity") == 1
    assert not found.passed


# --- bands ---------------------------------------------------------------------------------------


def covers(cell: str, value: Fraction) -> bool:
    """Whether a published cell holds a number: its own text, the star, or a band with its ends."""
    if cell[0] != "[":
        return cell == "*" or Fraction(cell) == value
    low, high = (Fraction(end) for end in cell[1:-1].split(", "))
    return low <= value < high or (value == high and cell[-1] == "]")


LARGE = 4611686018427387892  # which no double holds
BANDED: dict[str, list[str]] = {
    "tinyint": ["-128", "-125", "0", "127", "124"],
    "bigint": [str(LARGE), str(LARGE + 5), str(-(2**63)), str(2**63 - 1), "-1"],
    "ubigint": [str(2**64 - 1), str(2**64 - 6), "0"],
    "hugeint": [str(10**36), str(10**36 + 3), str(-(10**36)), str(LARGE), "-3"],
    "uhugeint": [str(10**36), "7", str(LARGE)],
    "decimal(38,10)": ["-0.5", "1234567890123456789012345678.9876543210", "7", "7.5"],
    "decimal(9,2)": ["-0.01", "9999999.99", "0", "4.99", "5"],
    "float": ["-0.5", "3.25", "16777216"],
    "double": ["-0.5", "4611686018427387904", "4611686018427388928", "0", "4.75"],
}


@pytest.mark.parametrize("kind", BANDED)
def test_a_band_holds_the_numbers_that_are_published_inside_it(
    connection: Connection, kind: str
) -> None:
    values = ", ".join(f"('{value}')" for value in BANDED[kind])
    connection.execute(
        f"create table t as select row_number() over (order by v) as id, cast(v as {kind}) as v, "
        f"i as disease from (values {values}) as given (v), range(2) as r(i)"
    )
    bands = {"hierarchy": {"bands": [5, 10, 1000]}}
    for k in (2, 4):
        found = anonymized(
            connection,
            "t",
            quasi_identifiers={"v": bands},
            sensitive=["disease"],
            insensitive=["id"],
            k=k,
        )
        exact: dict[int, str] = dict(select(connection, "select id, cast(v as varchar) from t")[1])
        for cell, _, number in found.rows:
            assert covers(cell, Fraction(exact[number])), (cell, exact[number])
    labels = select(connection, "select distinct v from anonymized")[1]
    assert any(cell[0] in "[*" for (cell,) in labels)


@pytest.mark.parametrize(
    ("kind", "value"),
    [("hugeint", 10**38), ("uhugeint", 2**128 - 1), ("double", 1e30), ("decimal(38,0)", -(10**37))],
)
def test_a_number_that_no_band_reaches_is_refused_by_the_name_of_its_column(
    connection: Connection, kind: str, value: float
) -> None:
    connection.execute(f"create table t as select cast('{value}' as {kind}) as wealth, 1 as s")
    error = refused(
        SpecError,
        "t",
        connection=connection,
        quasi_identifiers={"wealth": {"hierarchy": {"bands": [10]}}},
        sensitive=["s"],
        k=1,
    )
    assert str(error).startswith("quasi_identifiers.wealth.hierarchy: 1 records hold numbers of ")
    assert str(value) not in str(error)
