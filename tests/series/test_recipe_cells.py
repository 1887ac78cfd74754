"""Cells taken over from an earlier release: the same cells, every record in the one it lies in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import commands
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from support import DEALT, Connection, database, examples, facts, make_table, read, relations

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

pytestmark = pytest.mark.slow

GROUPS = {"Bern": "CH", "Chur": "CH", "Linz": "A", "Graz": "A"}
TREE = {"*": {"CH": ["Bern", "Chur"], "A": ["Linz", "Graz"]}}
COLUMNS = {"age": "integer", 'the "town"': "varchar", "code": "varchar", "disease": "varchar"}
TOWN = 'the "town"'
CODES = ["a", "b, c", "NULL", "10%2C", "{", None]
IN_GROUPS: dict[str, Any] = {"hierarchy": {"tree": TREE}}
QUASI: dict[str, dict[str, Any]] = {
    "top_down": {"age": {"publish": "bounds"}, TOWN: IN_GROUPS},
    "k_optimize": {"age": {}, TOWN: IN_GROUPS, "code": {}},
    "mondrian": {"age": {}, "code": {}},
}


def released(connection: Connection, source: str, release: str, **declared: Any) -> Any:
    asked: dict[str, Any] = {"k": 3, "seed": 7} | declared
    return sqlanon.anonymize(
        source, connection=connection, release=release, progress=False, **asked
    )


def lies_in(value: Any, cell: tuple[Any, ...]) -> bool:
    """Whether a cell stands for a value: bounds, or a text that names values or their group."""
    if len(cell) == 2:
        return bool(cell[0] <= value <= cell[1])
    (text,) = cell
    if isinstance(value, int):
        ends = text.strip("[]").split(", ")
        return int(ends[0]) <= value <= int(ends[-1])
    if value == text or text == "*":
        return True
    if text is None or text in CODES:
        return False
    escaped = "%4EULL" if value == "NULL" else (value or "NULL")
    if value not in (None, "NULL"):
        escaped = value.replace("%", "%25").replace(",", "%2C")
    return GROUPS.get(value, "") == text or (text[0] == "{" and escaped in text[1:-1].split(", "))


def split(row: tuple[Any, ...], method: str) -> tuple[tuple[Any, ...], ...]:
    """The cells of a published row, by quasi-identifier."""
    if method == "top_down":
        return row[:2], row[2:3]
    return tuple((one,) for one in row[: len(QUASI[method])])


rows = st.lists(
    st.tuples(
        st.sampled_from([3, 14, 15, 92, 65]),
        st.sampled_from([*GROUPS]),
        st.sampled_from(CODES),
        st.sampled_from(["flu", "cold", None]),
    ),
    min_size=9,
    max_size=30,
)


@pytest.mark.slow
@examples(10, 60)
@given(
    rows,
    rows,
    st.sampled_from([*QUASI]),
    st.sampled_from([Fraction(0), Fraction(1, 3), Fraction(9, 10)]),
    st.sampled_from([1, 2, 4]),
)
def test_every_record_has_the_cell_that_it_lies_in(
    one: list[Any], other: list[Any], method: str, share: Fraction, k: int
) -> None:
    """Cells of these methods part the values; what fails and what lies in none is left out."""
    names = [*QUASI[method]]
    asked: dict[str, Any] = {
        "quasi_identifiers": QUASI[method],
        "sensitive": "disease",
        "method": {"name": method} | ({"nodes": 20} if method == "k_optimize" else {}),
    }
    with database() as connection:
        make_table(connection, "one", COLUMNS, one)
        make_table(connection, "other", COLUMNS, other)
        released(connection, "one", "first", **asked)
        cells = {split(row, method) for row in read(connection, "first")[1]}
        placed = Counter[tuple[Any, ...]]()
        for record in other:
            values = dict(zip(COLUMNS, record, strict=True))
            found = [
                cell
                for cell in cells
                if all(lies_in(values[name], of) for name, of in zip(names, cell, strict=True))
            ]
            assert len(found) <= 1
            placed.update(found)
        outside = len(other) - placed.total()
        kept = Counter({cell: records for cell, records in placed.items() if records >= k})
        left_out = len(other) - kept.total()
        asked |= {"recipe": "first", "k": k}
        if share:
            asked["suppression"] = {"records": str(share)}
        if left_out > share * len(other) or left_out == len(other):
            with pytest.raises(InfeasibleError) as refused:
                released(connection, "other", "second", **asked)
            said = f"{outside} records lie in no cell of 'first'"
            assert (said in str(refused.value)) == (outside > 0 and not share)
            assert "second" not in relations(connection)
            return
        released(connection, "other", "second", **asked)
        assert Counter(split(row, method) for row in read(connection, "second")[1]) == kept
        assert int(facts(connection, "second")["recipe_outside"]) == outside
        spec = sqlanon.parse_spec(
            {name: value for name, value in asked.items() if name != "k"}
            | {"source": "other", "release": "second", "privacy": {"k": k}}
        )
        assert sqlanon.check("second", spec=spec, connection=connection, progress=False).passed


PEOPLE = [
    (age, town, code, disease)
    for age in range(0, 40, 5)
    for town in GROUPS
    for code in ("a", None)
    for disease in ("flu", "cold")
]
FIRST: dict[str, Any] = {
    "quasi_identifiers": {"age": {}, TOWN: IN_GROUPS},
    "sensitive": {"disease": {"l": 2}},
    "k": 12,
    "method": "mondrian",
}


@pytest.fixture(scope="module")
def connection() -> Iterator[Connection]:
    with database() as opened:
        make_table(opened, "january", COLUMNS, PEOPLE)
        released(opened, "january", "first", **FIRST)
        yield opened


def test_the_older_release_of_the_same_name_is_replaced(connection: Connection) -> None:
    """By one of the same cells; another method of cells may follow."""
    released(connection, "january", "again", **FIRST)
    cells = set(read(connection, "again")[1])
    for method in ("mondrian", "split_or_deal", "top_down"):
        again = FIRST | {"k": 4, "recipe": "again", "method": method}
        if method == "top_down":
            again["suppression"] = {"records": 0.5}
        released(connection, "january", "again", **again)
        assert set(read(connection, "again")[1]) == cells


def test_of_several_cells_the_narrowest_is_taken(connection: Connection) -> None:
    """A class of NULL and other values has a star, in which every value lies."""
    old = [(None, "flu")] * 2 + [(1, "flu"), *[(5, "flu")] * 2, *[(9, "cold")] * 3]
    new = [(None, "flu"), (1, "flu"), (7, "cold"), *[(9, "flu")] * 3]
    columns = {"age": "integer", "disease": "varchar"}
    make_table(connection, "old", columns, old)
    make_table(connection, "new", columns, new)
    asked = {"quasi_identifiers": "age", "sensitive": "disease", "method": "mondrian"}
    released(connection, "old", "starred", **asked)
    assert Counter(row[0] for row in read(connection, "starred")[1]) == {"*": 5, "9": 3}
    released(connection, "new", "starred_again", **asked, recipe="starred")
    assert Counter(row[0] for row in read(connection, "starred_again")[1]) == {"*": 3, "9": 3}


@pytest.mark.parametrize(
    ("declared", "where", "what"),
    [
        ({"recipe": "frist"}, "recipe", "there is no release 'frist'"),
        ({"quasi_identifiers": {"age": {}, TOWN: {}}}, f"quasi_identifiers.{TOWN}", "as lca"),
        ({"quasi_identifiers": {"age": {}}}, "recipe", "is none here"),
        (
            {"quasi_identifiers": {"age": {}, TOWN: IN_GROUPS, "code": {}}},
            "quasi_identifiers.code",
            "has no column 'code'",
        ),
        (
            {
                "quasi_identifiers": {
                    "age": {},
                    TOWN: {"hierarchy": {"tree": {"*": {"CH": [*GROUPS]}}}},
                }
            },
            f"quasi_identifiers.{TOWN}",
            "would mean something else",
        ),
        ({"missing": {"age": [0]}}, "quasi_identifiers.age", "would mean something else"),
        ({"person": "code"}, "recipe", "says nothing of persons"),
        ({"choose": {"k": [12, 13], "privacy_weight": 0.5}}, "choose", "taken over as they are"),
        (
            {"publish": {"name": "permuted", "group": 2}, "k": 1},
            "recipe",
            "name a release of permuted with an allotment",
        ),
        ({"method": "cell_suppression"}, "recipe", "another method and publish: generalized"),
        (
            {"method": "optimal", "quasi_identifiers": {TOWN: IN_GROUPS}},
            "recipe",
            "no column of one level",
        ),
    ],
)
def test_what_cannot_be_taken_over_is_refused(
    connection: Connection, declared: dict[str, Any], where: str, what: str
) -> None:
    with pytest.raises(SpecError) as refused:
        released(connection, "january", "second", **FIRST | {"recipe": "first"} | declared)
    found = {problem.where: problem.what for problem in refused.value.problems}
    assert what in found[where]
    assert "second" not in relations(connection)


@pytest.mark.parametrize("shown", [{"method": "cell_suppression"}, {"publish": "anatomy", "k": 1}])
def test_values_are_no_cells_to_take_over(connection: Connection, shown: dict[str, Any]) -> None:
    declared = {"quasi_identifiers": ["age"], "sensitive": {"code": {"l": 2}}, **DEALT}
    released(connection, "january", "values", **declared | shown)
    with pytest.raises(SpecError, match="shows no classes whose levels or cells") as refused:
        released(connection, "january", "second", **declared, recipe="values")
    assert [problem.where for problem in refused.value.problems] == ["recipe"]


def test_a_type_that_reads_cells_otherwise_is_refused(connection: Connection) -> None:
    make_table(connection, "wide", {**COLUMNS, "age": "bigint"}, PEOPLE)
    released(connection, "wide", "second", **FIRST | {"recipe": "first"})
    make_table(connection, "exact", {**COLUMNS, "age": "decimal(9, 2)"}, PEOPLE)
    with pytest.raises(SpecError, match="its type, hierarchy or order"):
        released(connection, "exact", "third", **FIRST | {"recipe": "first"})


def test_a_sweep_has_nothing_to_try(connection: Connection) -> None:
    asked = FIRST | {"recipe": "first", "k": [3, 4]}
    with pytest.raises(SpecError, match="there is nothing to try"):
        sqlanon.sweep("january", connection=connection, progress=False, **asked)


def test_the_command_line_takes_a_recipe_beside_suppression(tmp_path: Path) -> None:
    """The spec names a method that releases every record: it is not asked, the recipe is."""
    ages = [*range(30, 42), 99]
    (tmp_path / "people.csv").write_text(
        "\n".join(["age,disease", *(f"{age},{'ab'[age % 2]}" for age in ages)]), encoding="utf-8"
    )
    spec: dict[str, Any] = {
        "source": "people.csv",
        "quasi_identifiers": ["age"],
        "sensitive": ["disease"],
        "seed": 1,
    }

    def run(release: str, *options: str, **declared: Any) -> commands.Done:
        (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec | declared | {"release": release}))
        arguments = ["run", "spec.yaml", "--database", "releases.duckdb", "--quiet", *options]
        return commands.sqlanon(tmp_path, *arguments)

    first = run("first", privacy={"k": 4}, source={"query": "from 'people.csv' where age < 50"})
    assert first.returncode == 0, first.stderr
    second = {"privacy": {"k": 3}, "suppression": {"records": 0.1}}
    done = run("second", "--recipe", "first", **second)
    assert done.returncode == 0, done.stderr
    assert "Classes: those of first; records in none of them: 1." in done.stdout
    refused = run("third", "--recipe", "first", **second | {"suppression": {"records": 0.05}})
    assert refused.returncode == 1
    assert "1 of 13 records would be left out" in refused.stderr
    assert "sqlanon why" not in refused.stderr


@pytest.mark.parametrize("form", ["set", "interval", "bounds"])
def test_cells_that_are_taken_over_are_priced_by_the_new_values(form: str) -> None:
    """A column of one value has nothing to lose, whatever its cells say of the older table."""
    with database() as connection:
        for name, ages in (("older", [20, 21, 22, 23, 24]), ("newer", [22])):
            rows = [(ages[i % len(ages)], i % 2) for i in range(10)]
            make_table(connection, name, {"age": "integer", "sex": "integer"}, rows)
        asked: dict[str, Any] = {
            "connection": connection,
            "quasi_identifiers": {"age": {"publish": form}, "sex": {"publish": "set"}},
            "k": 5,
            "method": "stack_and_deal",
            "seed": 1,
        }
        sqlanon.anonymize("older", release="first", **asked)
        made = sqlanon.anonymize("newer", release="second", recipe="first", **asked)
        assert made.measure("ncp", "age") == 0
        assert made.measure("ncp", "sex") == 1


def test_cells_of_the_greatest_numbers_are_taken_over() -> None:
    with database() as connection:
        rows = [(-1e304,), (1e304,), (5.0,), (6.0,)]
        make_table(connection, "t", {"x": "double"}, rows)
        declared: dict[str, Any] = {"quasi_identifiers": ["x"], "sensitive": [], "k": 2}
        first = released(connection, "t", "cells", method="mondrian", **declared)
        again = released(connection, "t", "again", recipe="cells", **declared)
        assert Counter(again.frame()["x"]) == Counter(first.frame()["x"])


@pytest.mark.parametrize("form", ["interval", "set", "bounds"])
def test_cells_of_a_wider_column_are_taken_over_as_text(form: str) -> None:
    """A narrower column next month: bounds, which are of its type, cannot name such values."""
    with database() as connection:
        wide = "case when i < 2 then 10000000000 else 20 + i % 4 end"
        connection.execute(
            f"create table first as select {wide} as age, i as s from range(10) r(i)"
        )
        connection.execute(
            "create table later as select cast(20 + i % 4 as smallint) as age, i as s "
            "from range(16) r(i)"
        )
        declared: dict[str, Any] = {
            "connection": connection,
            "quasi_identifiers": {"age": {"publish": form}},
            "sensitive": ["s"],
            "k": 2,
            "method": "mondrian",
        }
        sqlanon.anonymize("first", release="f", **declared).close()
        if form == "bounds":
            with pytest.raises(SpecError, match="recipe: its SQL fails on a value"):
                sqlanon.anonymize("later", release="l", recipe="f", **declared)
        else:
            sqlanon.anonymize("later", release="l", recipe="f", **declared).close()
