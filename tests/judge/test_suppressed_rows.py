"""The suppressed records of another tool's table are told apart from its classes."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from commands import sqlanon as command
from hypothesis import given, settings
from hypothesis import strategies as st
from support import DEALT, database

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

ROWS = """age,sex,health
20-29,F,flu
20-29,F,cold
20-29,F,flu
30-39,M,cold
30-39,M,flu
30-39,M,cold
*,*,flu
*,*,cold
"""
ROLES: dict[str, Any] = {"quasi_identifiers": ["age", "sex"], "sensitive": ["health"]}


@pytest.fixture
def theirs(tmp_path: Path) -> Path:
    file = tmp_path / "theirs.csv"
    file.write_text(ROWS, encoding="utf-8")
    return file


def test_declared_rows_are_no_class_and_are_counted_apart(theirs: Path) -> None:
    found = sqlanon.check(theirs, **ROLES, k=3, suppressed="*")
    assert found.passed
    of = {text: found.measure(text) for text in ("k", "records", "classes", "suppressed_records")}
    assert of == {"k": 3, "records": 6, "classes": 2, "suppressed_records": 2}
    assert found.measure("suppressed_share") == 0.25
    assert "2 of 8 records have '*' in every quasi-identifier" in found.remarks[0]
    assert "sensitive values are published nonetheless" in found.remarks[0]
    assert "2 records were left out (25.00%)" in found.summary.cost


def test_undeclared_rows_are_measured_as_a_class_and_remarked(theirs: Path) -> None:
    found = sqlanon.check(theirs, **ROLES, k=3)
    assert not found.passed
    assert (found.measure("k"), found.measure("records")) == (2, 8)
    assert "--suppressed '*', in Python suppressed='*'" in found.remarks[0]


def test_a_table_without_such_rows_has_no_remark(theirs: Path) -> None:
    theirs.write_text(ROWS.replace("*,*", "*,F"), encoding="utf-8")
    assert sqlanon.check(theirs, **ROLES, k=2).remarks == ()
    declared = sqlanon.check(theirs, **ROLES, k=2, suppressed="*")
    assert declared.remarks[:1] == ("0 of 8 records have '*' in every quasi-identifier",)
    assert declared.measure("records") == 8


def test_partly_marked_rows_are_classes_like_others(theirs: Path) -> None:
    """A reader still knows the rest of them, so that nothing of k is given up for a mark."""
    theirs.write_text(f"{ROWS}*,F,flu\n30-39,*,flu\n", encoding="utf-8")
    found = sqlanon.check(theirs, **ROLES, k=2, suppressed="*")
    assert not found.passed
    of = {text: found.measure(text) for text in ("k", "records", "classes", "suppressed_records")}
    assert of == {"k": 1, "records": 8, "classes": 4, "suppressed_records": 2}
    assert found.remarks[1].startswith("2 records have '*' in some quasi-identifiers and not in")


@pytest.mark.parametrize(("limit", "passes"), [("1/4", True), ("0.2499", False)])
def test_more_of_them_than_the_limit_are_refused(theirs: Path, limit: str, passes: bool) -> None:
    asked = {**ROLES, "k": 3, "suppression": {"records": limit}}
    found = sqlanon.check(theirs, **asked, suppressed="*")
    assert found.passed is passes
    assert [shortfall.model for shortfall in found.shortfalls] == (
        [] if passes else ["suppressed_share"]
    )
    with pytest.raises(SpecError, match=r"suppression: nobody knows which records .*'\*'"):
        sqlanon.check(theirs, **asked)


def test_a_table_of_suppressed_rows_alone_is_nothing_to_measure(theirs: Path) -> None:
    theirs.write_text("age,sex,health\n*,*,flu\n*,*,flu\n", encoding="utf-8")
    with pytest.raises(InfeasibleError, match="are suppressed by declaration"):
        sqlanon.check(theirs, **ROLES, k=2, suppressed="*")


def test_the_marks_of_several_tools_and_of_null(tmp_path: Path) -> None:
    table = pd.DataFrame(
        {
            "the 'age'": [20, 20, None, None, None],
            "größe": ["a", "a", "NA", None, "b"],
            "health": ["flu", "cold", "flu", "flu", "flu"],
        }
    )
    roles: dict[str, Any] = {"quasi_identifiers": ["the 'age'", "größe"], "sensitive": ["health"]}
    found = sqlanon.check(table, **roles, k=1)
    assert "2 of 5 records have nothing or 'NA' in every quasi-identifier" in found.remarks[0]
    assert "suppressed=['', 'NA']" in found.remarks[0]
    found = sqlanon.check(table, **roles, k=1, suppressed=["", "NA"])
    assert (found.measure("records"), found.measure("suppressed_records")) == (3, 2)


def test_a_release_of_a_run_has_none(theirs: Path) -> None:
    """Its cells may all be the root of a hierarchy, which is a class like any other."""
    tree = {"hierarchy": {"tree": {"*": ["20-29", "30-39"]}}}
    theirs.write_text(ROWS.replace("*,*", "20-29,F"), encoding="utf-8")
    with database() as fresh, sqlanon.open(fresh) as db:
        fresh.execute(f"create table t as from '{theirs}'")
        db.run("t", quasi_identifiers={"age": tree}, k=8, release="public", **DEALT)
        assert db.check("public").remarks == ()
        for call in (db.check, db.attack):
            with pytest.raises(SpecError, match="release"):
                call("public", suppressed="*")
        with pytest.raises(SpecError, match="the text that stands in every quasi-identifier"):
            db.check("t", quasi_identifiers=["age"], suppressed=[1])  # type: ignore[list-item]


def test_with_a_spec_they_are_left_out_within_its_limit(tmp_path: Path) -> None:
    """The cells of the rest are the spec's, and those that are missing are the suppressed ones."""
    with database() as fresh, sqlanon.open(fresh) as db:
        fresh.execute("create table t as select i % 4 as age, 'f' as sex from range(10) as r(i)")
        bands = {"hierarchy": {"bands": [2, 4]}, "publish": "lca"}
        spec = {
            "source": {"table": "t"},
            "release": "theirs",
            "quasi_identifiers": {"age": bands, "sex": {}},
            "privacy": {"k": 2},
            "method": {"name": "stack_and_deal"},
        }
        fresh.execute(
            "create table theirs as "
            "select case when age < 2 then '[0, 1]' else '[2, 3]' end as age, sex from t "
            "where age > 0 union all select '*', '*' from t where age = 0"
        )
        wrong = sqlanon.parse_spec(spec)
        assert not db.check("theirs", spec=wrong).passed
        assert [
            shortfall.model
            for shortfall in db.check("theirs", spec=wrong, suppressed="*").shortfalls
        ] == ["records"]
        limit = sqlanon.parse_spec({**spec, "suppression": {"records": 0.3}})
        found = db.check("theirs", spec=limit, suppressed="*")
        assert found.passed, (found.faults, found.shortfalls)
        assert (found.measure("records"), found.measure("suppressed_records")) == (7, 3)
        fresh.execute("insert into theirs values ('*', '*')")
        found = db.check("theirs", spec=limit, suppressed="*")
        assert [(fault.what, fault.records) for fault in found.faults] == [("invented_records", 1)]


@pytest.mark.parametrize(
    ("ill", "invented"), [("cold", None), ("flu", 1), ("plague", 1), ("*", None)]
)
def test_what_suppressed_rows_show_is_held_to_the_source(ill: str, invented: int | None) -> None:
    """Their number fits in each case; a row that shows nothing says nothing false."""
    spec = {
        "source": {"table": "t"},
        "release": "theirs",
        "quasi_identifiers": ["age"],
        "sensitive": ["ill"],
        "privacy": {"k": 2},
        "suppression": {"records": 0.5},
        "method": "stack_and_deal",
    }
    with database() as fresh, sqlanon.open(fresh) as db:
        fresh.execute("create table t(age integer, ill varchar)")
        fresh.execute("insert into t values (1, 'flu'), (2, 'flu'), (3, 'cold')")
        fresh.execute("create table theirs(age varchar, ill varchar)")
        fresh.execute(
            "insert into theirs values ('[1, 2]', 'flu'), ('[1, 2]', 'flu'), ('*', ?)", [ill]
        )
        found = db.check("theirs", spec=sqlanon.parse_spec(spec), suppressed="*")
    faults = [(fault.what, fault.records) for fault in found.faults]
    assert faults == ([] if invented is None else [("invented_records", invented)])


def test_an_attack_finds_nobody_in_them(theirs: Path) -> None:
    persons = pd.DataFrame({"age": ["*", "20-29"], "sex": ["*", "F"]})
    found = sqlanon.attack(theirs, **ROLES, external=persons)
    assert found.value("linking_smallest_group") == 2
    found = sqlanon.attack(theirs, **ROLES, external=persons, suppressed="*")
    assert found.value("linking_smallest_group") == 3
    assert "2 of 8 records" in found.remarks[0]


def test_the_commands_take_the_marks(theirs: Path) -> None:
    roles = ("theirs.csv", "--qi", "age,sex", "--sensitive", "health")
    asked = ("--suppressed", "*", "--suppressed", "")
    done = command(theirs.parent, "check", *roles, "--k", "3", "--suppression", "0.2", *asked)
    assert done.returncode == 1
    assert "suppressed_share: asked for 0.2, reached 0.25" in done.stdout
    done = command(theirs.parent, "attack", *roles, *asked, "--json")
    assert "2 of 8 records" in json.loads(done.stdout)["remarks"][0]


CELLS = st.sampled_from(["*", "", "NA", "a", "b"])


@pytest.mark.slow
@settings(max_examples=15)
@given(rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=12))
def test_the_check_agrees_with_a_count_by_hand(rows: list[tuple[str, str]]) -> None:
    table = pd.DataFrame(rows, columns=["p", "q"]).astype("string")
    table["q"] = table["q"].replace("", pd.NA)  # NULL, which is the empty text here
    marked = [row for row in rows if set(row) <= {"*", ""}]
    kept = Counter(row for row in rows if not set(row) <= {"*", ""})
    asked: dict[str, Any] = {"quasi_identifiers": ["p", "q"], "k": 1, "suppressed": ["*", ""]}
    if not kept:
        with pytest.raises(InfeasibleError):
            sqlanon.check(table, **asked)
        return
    found = sqlanon.check(table, **asked)
    assert found.measure("k") == min(kept.values())
    assert found.measure("classes") == len(kept)
    assert found.measure("suppressed_records") == len(marked)
    share = found.measure("suppressed_share")
    assert Fraction(share or 0).limit_denominator(100) == Fraction(len(marked), len(rows))


def test_a_mark_is_a_text(theirs: Path) -> None:
    with pytest.raises(SpecError, match="suppressed: it must be the text"):
        sqlanon.check(theirs, **ROLES, k=1, suppressed=5)  # type: ignore[arg-type]
