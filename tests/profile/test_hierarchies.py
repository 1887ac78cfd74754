"""Hierarchies that are drafted: rounded borders near the quantiles, groups that a run can use."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from support import Connection, database, make_table

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.sql.names import identifier
from sqlanon.uses.profile.hierarchies import FINER, borders

ODD = "a \"b'ü"
numbers = st.lists(
    st.one_of(st.integers(-30, 30), st.integers(-(10**9), 10**9)), min_size=1, max_size=60
)


def parted(values: list[int], groups: int) -> dict[int, Fraction]:
    """The least number of each fine part, a number by the middle of its stretch."""
    ordered, found = sorted(values), dict[int, Fraction]()
    for value in sorted(set(values)):
        middle = Fraction(2 * ordered.index(value) + values.count(value), 2 * len(values))
        found.setdefault(int(middle * groups), Fraction(value))
    return found


@given(values=numbers, groups=st.integers(2, 6))
def test_borders_are_near_their_quantiles(values: list[int], groups: int) -> None:
    cuts = list(borders(parted(values, FINER * groups), groups, whole=True))
    assert cuts == sorted(set(cuts))
    assert all(number.denominator == 1 and min(values) < number <= max(values) for number in cuts)
    most = max(map(values.count, values))
    for number in cuts:  # within a fine part and a tie of where a group should end
        below = sum(value < number for value in values)
        off = min(abs(below - Fraction(place * len(values), groups)) for place in range(1, groups))
        assert off <= Fraction(len(values), FINER * groups) + most


def test_borders_are_round_and_not_of_the_data() -> None:
    values = [103 + 17 * number for number in range(100)]
    assert list(borders(parted(values, FINER * 4), 4, whole=True)) == [500, 1000, 1400]


@pytest.fixture
def people() -> Any:
    """Numbers, dates, codes and text, some of it missing."""
    with database() as connection:
        connection.execute(
            f"create table people as select i % 90 as age, i % 7 * 0.1e0 as {identifier(ODD)}, "
            "case when i % 9 > 0 then sqrt(i) end as size, date '2020-01-01' + i::integer as born, "
            "(10000 + i)::varchar as zip, "
            "'t' || case when i % 50 = 0 then i else i % 3 end as town, "
            "null::varchar as nothing, [i] as many, true as flag, 's' || i % 4 as s "
            "from range(400) as t(i)"
        )
        yield connection


def release(connection: Connection, column: str, declared: dict[str, Any]) -> sqlanon.Release:
    """A release that publishes levels of a column's hierarchy."""
    return sqlanon.anonymize(
        "people",
        connection=connection,
        quasi_identifiers={column: {"hierarchy": declared}},
        sensitive=["s"],
        k=5,
        method="optimal",
    )


@pytest.mark.one_in(3)
@pytest.mark.parametrize("column", ["age", ODD, "size", "born", "zip"])
def test_a_run_takes_what_is_drafted(people: Connection, column: str) -> None:
    found = sqlanon.hierarchy("people", column, connection=people, groups=8)
    assert yaml.safe_load(yaml.safe_dump(found.declared)) == found.declared
    made = release(people, column, found.declared)
    assert made.measure("records") == 400
    if "sql" in found.declared:
        for level in found.declared["sql"]:
            counts = people.execute(
                f"select count(*) from people group by {level} having {level} is not null"
            ).fetchall()
            assert len(counts) > 1
            whole = f"select count({level}) = count({identifier(column)}) from people"
            assert people.execute(whole).fetchall() == [(True,)]


def test_rare_text_is_one_group_of_a_file(people: Connection, tmp_path: Path) -> None:
    found = sqlanon.hierarchy("people", "town", connection=people, k=3)
    assert found.text is not None
    lines = [line.split(",") for line in found.text.splitlines()]
    assert {line[0]: line[1] for line in lines if line[1] != line[0]} == dict.fromkeys(
        (f"t{number}" for number in range(50, 400, 50)), "(rare)"
    )
    file = tmp_path / "town.csv"
    file.write_text(found.text)
    release(people, "town", {"file": str(file)})
    (towns,) = zip(*people.execute("select distinct town from anonymized").fetchall(), strict=True)
    assert set(towns) <= {"t0", "t1", "t2", "(rare)", "*"}


@pytest.mark.parametrize(
    ("column", "more", "message"),
    [
        ("aeg", {}, "there is no 'aeg'; did you mean 'age'"),
        ("many", {}, "cannot be compared"),
        ("nothing", {}, "has no value"),
        ("flag", {}, "one value alone"),
        ("town", {"k": 0}, "k: it must be at least 1"),
        ("age", {"groups": 1}, "groups: it must be at least 2"),
        ("s", {"k": 101}, "none of its values is of 101 records"),
    ],
)
def test_what_does_not_fit_is_named(
    people: Connection, column: str, more: dict[str, Any], message: str
) -> None:
    with pytest.raises(SpecError) as caught:
        sqlanon.hierarchy("people", column, connection=people, **more)
    assert message in str(caught.value)


def test_an_empty_table_has_no_hierarchy() -> None:
    with database() as connection:
        make_table(connection, "people", {"age": "bigint"}, [])
        with pytest.raises(SpecError, match="has no value"):
            sqlanon.hierarchy("people", "age", connection=connection)


def test_the_command_prints_what_a_spec_takes(tmp_path: Path) -> None:
    duckdb.execute(
        "copy (select i as age, 't' || i % 3 as town from range(90) as t(i)) "
        f"to '{tmp_path / 'p.csv'}'"
    )
    done = command(tmp_path, "hierarchy", "p.csv", "age", "--groups", "4", "--quiet")
    (declared,) = yaml.safe_load(done.stdout)["quasi_identifiers"].values()
    assert [level.count("when") for level in declared["hierarchy"]["sql"]] == [4, 2]
    done = command(tmp_path, "hierarchy", "p.csv", "town", "--quiet")
    declared = yaml.safe_load(done.stdout)["quasi_identifiers"]["town"]["hierarchy"]
    file = tmp_path / declared["file"]
    assert file.read_text().splitlines() == ["t0,t0,*", "t1,t1,*", "t2,t2,*"]
    assert file.stat().st_mode & 0o077 == 0
    again = command(tmp_path, "hierarchy", "p.csv", "town", "--quiet")
    assert again.returncode == 2
    assert "is there already" in again.stderr
