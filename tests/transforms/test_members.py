"""Lists as one value each: the set of their members as text, on the engines that have lists."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from servers import place
from support import Connection, database, examples, slow

import sqlanon
from sqlanon.errors import SpecError

MEMBERS = st.sampled_from(["flu", "Flu", "a, b", "50%", "NULL", "", "Ärger", "it's", None, "*"])
LISTS = st.lists(st.one_of(st.none(), st.lists(MEMBERS, max_size=4)), min_size=2, max_size=12)
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age"],
    "k": 2,
    "method": "stack_and_deal",
    "seed": 1,
    "release": "out",
}


def as_one(members: list[Any] | None) -> str | None:
    """The set of a list's members, each written so that a program can read it back."""
    if members is None:
        return None
    written = set()
    for one in members:
        if one is None:
            written.add("NULL")
        elif one == "NULL":
            written.add("%4EULL")
        elif one == "":
            written.add("%")
        else:
            written.add(str(one).replace("%", "%25").replace(",", "%2C"))
    return f"{{{', '.join(sorted(written, key=lambda each: each.encode()))}}}"


def with_lists(connection: Connection, lists: list[list[Any] | None]) -> None:
    connection.execute("drop table if exists t")
    connection.execute("create table t (age integer, ills varchar[])")
    for number, one in enumerate(lists):
        connection.execute("insert into t values (?, ?)", [20 + number % 3, one])


@pytest.mark.slow
@examples(4, 30)
@given(lists=LISTS)
def test_a_list_is_read_as_the_set_of_its_members(lists: list[list[Any] | None]) -> None:
    with database() as connection:
        with_lists(connection, lists)
        declared = {**ROLES, "sensitive": {"ills": {"transform": {"members": "sorted"}}}}
        sqlanon.anonymize("t", connection=connection, **declared).close()
        found = connection.execute("select ills from out").fetchall()
        assert Counter(one for (one,) in found) == Counter(map(as_one, lists))


@pytest.mark.parametrize("engine", ["postgres", *slow("spark")])
def test_the_same_elsewhere(engine: str, urls: Mapping[str, str]) -> None:
    lists: list[list[Any] | None] = [
        ["flu", "a, b", "flu"],
        ["Ärger", "Zoo", "apple"],
        [None, "NULL", ""],
        [],
        None,
        ["5%"],
    ]
    rows = [(20 + number, one, [10, 9, 10], None) for number, one in enumerate(lists)]
    with place(engine, urls) as found:
        if engine == "postgres":
            execute = found.connection.execute
            execute("create table t (age integer, ills text[], codes integer[], days date[])")
            for row in rows:
                execute("insert into t values (%s, %s, %s, %s)", row)
        else:
            types = "age int, ills array<string>, codes array<int>, days array<date>"
            found.connection.createDataFrame(rows, types).write.saveAsTable("t")
        sensitive = {
            name: {"transform": {"members": "sorted"}} for name in ("ills", "codes", "days")
        }
        made = sqlanon.anonymize("t", connection=found.connection, **ROLES, sensitive=sensitive)
        columns, released = found.read("out")
        cells = [dict(zip(columns, row, strict=True)) for row in released]
        assert Counter(cell["ills"] for cell in cells) == Counter(map(as_one, lists))
        assert {(cell["codes"], cell["days"]) for cell in cells} == {("{10, 9}", None)}
        assert [text for text in made.remarks if "codes in common" in text]


@pytest.mark.parametrize("kind", ["varchar", "integer[][]", "struct(a integer)[]", "double[]"])
def test_what_is_no_list_of_texts_numbers_or_dates_is_refused(kind: str) -> None:
    with database() as connection:
        connection.execute(f"create table t (age integer, ills {kind})")
        declared = {**ROLES, "sensitive": {"ills": {"transform": {"members": "sorted"}}}}
        with pytest.raises(SpecError, match="it needs a list of text"):
            sqlanon.anonymize("t", connection=connection, **declared)


def test_a_list_without_the_transform_is_refused_by_its_name() -> None:
    with database() as connection:
        with_lists(connection, [["flu"], ["cold"]])
        with pytest.raises(SpecError, match=r"say transform: \{members: sorted\}"):
            sqlanon.anonymize("t", connection=connection, **ROLES, sensitive=["ills"])


def test_a_list_is_no_quasi_identifier_and_a_text_of_its_members_is_named() -> None:
    with database() as connection:
        with_lists(connection, [["flu"], ["cold"]])
        asked = {**ROLES, "quasi_identifiers": ["ills"]}
        with pytest.raises(SpecError, match="k holds of whole lists") as found:
            sqlanon.anonymize("t", connection=connection, **asked)
        assert found.value.problems[0].where == "quasi_identifiers.ills"


def test_a_member_that_all_of_a_class_have_is_remarked() -> None:
    """The lists differ, so that l 2 holds, and everybody has the flu."""
    sensitive = {"ills": {"l": 2, "transform": {"members": "sorted"}}}
    with database() as connection:
        with_lists(connection, [["flu", "cold"], ["flu"]] * 3)
        made = sqlanon.anonymize("t", connection=connection, **ROLES, sensitive=sensitive)
        (said,) = (text for text in made.remarks if "in common" in text)
        assert "with 6 records" in said
        assert "flu" not in said
        with_lists(connection, [["cold"], ["flu"], ["ulcer"], [], None, [None, "gout"]])
        made = sqlanon.anonymize("t", connection=connection, **ROLES, sensitive=sensitive)
        assert not [text for text in made.remarks if "in common" in text]
        made.close()
