"""Cells of slices that are suppressed where records of a group are alike.

The oracle compares records two by two, and sees what is published and the source.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle.similar import STAR, believed, in_pairs, suppressed, unmatched
from support import DEALT, Connection, Row, copy_of, database, examples, one_in

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.sql.names import Relation, Sql
from sqlanon.sql.templates import load_template

pytestmark = pytest.mark.slow

NAMES = ("age", "sex", 'zip "é', "born", "disease")
KINDS = ("integer", "varchar", "varchar", "date", "varchar")
SPEC: dict[str, Any] = {
    "release": "public",
    "quasi_identifiers": list(NAMES[:4]),
    "sensitive": {"disease": {"l": 1, "alpha": 1, "t": 1}},
    "privacy": {"k": 1, "beta": 10**6},
    "seed": 5,
    **DEALT,
}


def sliced(slices: Any, group: int, **declared: Any) -> dict[str, Any]:
    publish = {"name": "sliced", "group": group, "suppress": "similar"}
    return {**SPEC, "publish": {**publish, "columns": [list(one) for one in slices]}, **declared}


def publish(
    connection: Connection,
    rows: list[Row],
    declared: dict[str, Any],
    names: tuple[str, ...] = NAMES,
    kinds: tuple[str, ...] = KINDS,
) -> list[Row]:
    columns = ", ".join(
        f'"{name.replace(chr(34), chr(34) * 2)}" {kind}'
        for name, kind in zip(names, kinds, strict=True)
    )
    connection.execute(f"create or replace table people ({columns})")
    marks = ", ".join("?" * len(names))
    connection.executemany(f"insert into people values ({marks})", rows)
    sqlanon.anonymize("people", connection=connection, **declared).close()
    return connection.execute("select * from public").fetchall()


def reached(connection: Connection, metric: str) -> float:
    statement = "select value from public__metrics where metric = ?"
    ((value,),) = connection.execute(statement, [metric]).fetchall()
    return float(value)


def faults(connection: Connection, declared: dict[str, Any]) -> set[str]:
    spec = sqlanon.parse_spec({**declared, "source": "people"})
    return {
        fault.what for fault in sqlanon.check("public", spec=spec, connection=connection).faults
    }


def cost(connection: Connection) -> dict[str, int]:
    statement = "select value from public__run where item = 'suppressed_cells'"
    ((text,),) = connection.execute(statement).fetchall()
    found: dict[str, int] = json.loads(text)
    return found


def groups_of(released: list[Row]) -> dict[int, list[Row]]:
    found: dict[int, list[Row]] = defaultdict(list)
    for number, *row in released:
        found[number].append(tuple(row))
    return found


def part(row: Row, slice_: list[int]) -> Row:
    return tuple(row[place] for place in slice_)


def as_text(row: Row) -> Row:
    """A record as it is published: what may be suppressed is text."""
    return (*row[:3], row[3] and str(row[3]), *row[4:])


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as made:
        yield made


# --- against the oracle --------------------------------------------------------------------------

people = st.lists(
    st.tuples(
        st.one_of(st.none(), st.integers(0, 1)),
        st.sampled_from([None, "", "f"]),
        st.sampled_from(["x", "é'", None]),
        st.sampled_from(["2020-02-29", "1999-12-31", None]),
        st.sampled_from(["flu", "cold", None]),
    ),
    min_size=2,
    max_size=16,
)
partitions = st.sampled_from(
    [[[0, 1], [2, 3, 4]], [[0], [1], [2], [3], [4]], [[3, 1], [2, 4, 0]], [[4], [0, 1, 2, 3]]]
)


def agree(rows: list[Row], slices: list[list[int]], size: int) -> None:
    declared = sliced([[NAMES[place] for place in entry] for entry in slices], min(size, len(rows)))
    source = [as_text(row) for row in rows]
    with database() as connection:
        released = [as_text(row) for row in publish(connection, rows, declared)]
        alpha, distinct = reached(connection, "alpha"), reached(connection, "distinct_l")
        counted = cost(connection)
        assert faults(connection, declared) == set()
    groups = groups_of(released)
    if len(groups) == 1:  # whose group that is, is known
        expected = suppressed(source, 4)
        for slice_ in slices:
            assert Counter(part(row[1:], slice_) for row in released) == Counter(
                part(row, slice_) for row in expected
            )
    stars = {name: sum(row[at] == STAR for row in released) for at, name in enumerate(NAMES, 1)}
    assert counted == {name: stars[name] for name in NAMES[2:4]}
    assert not any(stars[name] for name in (*NAMES[:2], "disease"))
    # what is measured of each part that stands beside the values bounds what is believed
    (sensitive,) = (entry for entry in slices if 4 in entry)
    beside = [place for place in sensitive if place != 4]
    seen: dict[Any, Counter[Any]] = defaultdict(Counter)
    for number, several in groups.items():
        for row in several:
            seen[number, part(row, beside)][row[4]] += 1
    worst = max(Fraction(max(one.values()), one.total()) for one in seen.values())
    assert alpha == pytest.approx(float(worst), abs=1e-9)
    assert distinct == min(map(len, seen.values()))
    for record in source:
        found = believed(record, groups, slices, 4)
        assert sum(found.values()) == 1
        assert max(found.values()) <= worst
        assert len(found) >= distinct


@pytest.mark.slow
@examples(4, 15, Phase.explicit, Phase.generate)
@given(rows=people, slices=partitions, size=st.sampled_from([2, 3, 5, 16]))
def test_no_record_is_believed_more_than_was_measured(
    rows: list[Row], slices: list[list[int]], size: int
) -> None:
    agree(rows, slices, size)


SIX = [
    (1, None, "x", "2020-02-29", "flu"),
    (1, None, "x", None, "cold"),
    (1, None, None, None, "flu"),
    (None, "f", "x", None, None),
    (None, "f", "x", "2020-02-29", "cold"),
    (2, "", "x", "2020-02-29", "flu"),
]


@pytest.mark.parametrize("slices", [[[0, 1], [2, 3, 4]], [[0, 2], [1, 3], [4]]])
def test_null_is_alike_to_null_and_a_date_is_text(slices: list[list[int]]) -> None:
    agree(SIX, slices, 6)


def test_the_order_of_the_records_does_not_matter(connection: Connection) -> None:
    declared = sliced([NAMES[:4], NAMES[4:]], 6)
    first = publish(connection, SIX, declared)
    assert publish(connection, SIX[::-1], declared) == first


shown_parts = st.lists(
    st.tuples(
        st.integers(0, 1), st.sampled_from(["a", "b", None, STAR]), st.sampled_from(["c", STAR])
    ).filter(lambda one: one[1] == STAR or one[2] != STAR),
    max_size=8,
)
known_parts = st.lists(
    st.tuples(st.integers(0, 1), st.sampled_from(["a", "b", None]), st.sampled_from(["c", "d"])),
    max_size=8,
)


@examples(8, 60, Phase.explicit, Phase.generate)
@given(shown=shown_parts, known=known_parts)
def test_rows_are_matched_with_records_if_they_can_be(shown: list[Row], known: list[Row]) -> None:
    rows = [{"source": Sql(f"q{n}"), "shown": Sql(f"p{n}"), "masks": None} for n in (1, 3, 4)]
    levels = [[Sql(name) for name in one] for one in (("p1", "p3", "p4"), ("p1", "p4"), ("p1",))]
    params = {
        "rows": rows,
        "kept": [],
        "starred": [Sql("p3"), Sql("p4")],
        "masked": {},
        "levels": levels,
    }
    inputs = {name: Relation(name) for name in ("records", "measured")}
    with database() as connection:
        connection.execute("create table records (q1 integer, q3 varchar, q4 varchar)")
        connection.execute("create table measured (p1 integer, p3 varchar, p4 varchar)")
        for table, several in (("records", known), ("measured", shown)):
            for row in several:
                connection.execute(f"insert into {table} values (?, ?, ?)", row)
        sql = load_template("check/check_parts", "duckdb").render(inputs, params)
        found = connection.execute(sql).fetchall()
    invented = unmatched(shown, known)
    missing = len(known) - len(shown) + invented
    assert found == ([(missing, invented)] if missing or invented else [])


# --- the paper's table ---------------------------------------------------------------------------

FOUR = ("age", "sex", "zip", "disease")
TABLE_1 = [
    (22, "M", "47906", "Dyspepsia"),
    (22, "F", "47906", "Flu"),
    (33, "F", "47905", "Flu"),
    (52, "F", "47905", "Bronchitis"),
    (54, "M", "47302", "Flu"),
    (60, "M", "47302", "Dyspepsia"),
    (60, "M", "47304", "Dyspepsia"),
    (64, "F", "47304", "Gastritis"),
]
PAPER: dict[str, Any] = {"quasi_identifiers": list(FOUR[:3]), "method": "mondrian"}
HALF: dict[str, Any] = {"sensitive": {"disease": {"l": 2, "alpha": "1/2"}}, "privacy": {"k": 1}}
ALONE, TWO = [[text] for text in FOUR], [FOUR[:2], FOUR[2:]]
KINDS_4 = ("integer", *["varchar"] * 3)


def test_one_attribute_in_a_slice_stays_diverse(connection: Connection) -> None:
    """Kiruthika and Raseen, table 4: the zips of both men of 60 are suppressed."""
    declared = sliced(ALONE, 4, **PAPER, **HALF)
    groups = groups_of(publish(connection, TABLE_1, declared, FOUR, KINDS_4))
    by_age = sorted(groups.values(), key=lambda rows: min(row[0] for row in rows))
    for shown, records in zip(by_age, [TABLE_1[:4], TABLE_1[4:]], strict=True):
        expected = suppressed(records, 3)
        for place in range(4):
            assert Counter(row[place] for row in shown) == Counter(row[place] for row in expected)
    assert cost(connection) == {"zip": 2}
    assert reached(connection, "alpha") == 0.5
    assert faults(connection, declared) == set()


def test_the_table_as_printed(connection: Connection) -> None:
    """Kiruthika and Raseen, table 4: pairs of a queue, and 473* in place of the zips of two men.

    The print does not say in which order records stand in the queue. By this seed the two men of 60
    are a pair.
    """
    zips = {"hierarchy": {"sql": ["left(zip, 3) || '*'"]}}
    declared = sliced(ALONE, 4, **PAPER, **HALF)
    declared["quasi_identifiers"] = {"age": {}, "sex": {}, "zip": zips}
    declared["publish"]["suppress"] = {"rule": "pairs", "levels": {"zip": 1}}
    released = publish(connection, TABLE_1, {**declared, "seed": 6}, FOUR, KINDS_4)
    printed = [
        (22, 22, 33, 52, *"FFMF", "47905", "47905", "47906", "47906", *"BDFF"),
        (54, 60, 60, 64, *"MFMM", "47302", "473*", "473*", "47304", *"DDFG"),
    ]
    groups = sorted(groups_of(released).values(), key=lambda rows: min(row[0] for row in rows))
    for rows, told in zip(groups, printed, strict=True):
        for place in range(4):
            column = [row[place] if place < 3 else row[place][0] for row in rows]
            assert Counter(column) == Counter(told[4 * place : 4 * place + 4])
    assert cost(connection) == {"zip": 2}
    assert faults(connection, declared) == set()


def test_suppression_that_breaks_diversity_is_refused(connection: Connection) -> None:
    """Table 5: the slices are 2-diverse, and not when cells of them are suppressed."""
    declared = sliced(TWO, 4, **PAPER, **HALF)
    plain = {**declared, "publish": {"name": "sliced", "group": 4, "columns": TWO}}
    publish(connection, TABLE_1, plain, FOUR, KINDS_4)
    assert reached(connection, "alpha") == 0.5
    for left in ("public", "public__classes", "public__metrics", "public__run"):
        connection.execute(f"drop table {left}")
    with pytest.raises(InfeasibleError, match="disease") as refused:
        publish(connection, TABLE_1, declared, FOUR, KINDS_4)
    assert "or no suppressed cells (publish.suppress) may help" in str(refused.value)
    found = connection.execute("select table_name from duckdb_tables()").fetchall()
    assert found == [("people",)]


def test_who_knows_the_rule_believes_more_than_who_does_not(connection: Connection) -> None:
    """A man of 60 is believed to have Dyspepsia by 2/3 if * is any zip, and it is certain.

    Both men of 60 are in his group, so that his zip is suppressed; what stands beside suppressed
    ones is Dyspepsia alone. So that is what is measured.
    """
    declared = sliced(TWO, 4, **PAPER)
    groups = groups_of(publish(connection, TABLE_1, declared, FOUR, KINDS_4))
    assert believed(TABLE_1[5], groups, [[0, 1], [2, 3]], 3)["Dyspepsia"] == Fraction(2, 3)
    assert reached(connection, "alpha") == 1
    assert reached(connection, "distinct_l") == 1


def test_of_two_quasi_identifiers_the_second_is_suppressed(connection: Connection) -> None:
    rows = [(1, "f", "flu"), (1, "f", "cold"), (1, "m", "flu"), (2, "f", "cold")]
    names = ("age", "sex", "disease")
    declared = sliced([names[:2], names[2:]], 4, quasi_identifiers=list(names[:2]))
    released = publish(connection, rows, declared, names, ("integer", "varchar", "varchar"))
    assert sorted(row[1:3] for row in released) == [(1, "*"), (1, "*"), (1, "m"), (2, "f")]


# --- pairs of a queue --------------------------------------------------------------------------


@pytest.mark.further
@examples(2, 15, Phase.explicit, Phase.generate)
@given(rows=people.filter(lambda some: len(some) < 7), slices=partitions)
def test_pairs_leave_a_queue(rows: list[Row], slices: list[list[int]]) -> None:
    """What is published is what the paper's loop makes of the records in some order."""
    declared = sliced([[NAMES[place] for place in entry] for entry in slices], len(rows))
    declared["publish"]["suppress"] = "pairs"
    source = [as_text(row) for row in rows]
    with database() as connection:
        released = [as_text(row) for row in publish(connection, rows, declared)]
        again = [as_text(row) for row in publish(connection, rows[::-1], declared)]
        assert faults(connection, declared) == set()
        attacked = sqlanon.attack("public", external="people", connection=connection)
        assert attacked.value("linking_found_share") == 1
    assert released == again
    shown = [Counter(part(row[1:], entry) for row in released) for entry in slices]
    made = (
        [Counter(part(row, entry) for row in in_pairs(queue, 4)) for entry in slices]
        for queue in permutations(source)
    )
    assert any(entry == shown for entry in made)


# --- what does not hold, or is not known ---------------------------------------------------------


@pytest.mark.parametrize(
    ("declared", "says"),
    [
        (
            {"publish": {"name": "permuted", "suppress": "similar"}},
            "publish.suppress: permuted has",
        ),
        ({"publish": {"name": "anatomy", "suppress": "similar"}}, "leave it out, or say name: sli"),
        (
            {"quasi_identifiers": ["age"], "publish": [["age"], ["disease"]]},
            "publish.suppress: records are alike in two quasi-identifiers at least, and one is",
        ),
        ({"publish": {"name": "sliced", "suppress": "simlar"}}, "publish.suppress"),
    ],
)
def test_what_does_not_go_together(declared: dict[str, Any], says: str) -> None:
    asked = sliced([NAMES[:4], NAMES[4:]], 2)
    if isinstance(declared["publish"], list):
        declared = {**declared, "publish": {**asked["publish"], "columns": declared["publish"]}}
    with pytest.raises(SpecError, match=says):
        sqlanon.parse_spec({**asked, "source": "people", **declared})


def test_a_value_that_is_written_like_a_suppressed_one_is_refused(connection: Connection) -> None:
    rows = [(1, "*", "x", None, "flu"), (2, "f", "*", None, "cold"), (2, "f", "y", None, "flu")]
    declared = sliced([NAMES[:4], NAMES[4:]], 2)
    with pytest.raises(SpecError, match=r"quasi_identifiers.zip.*: 1 records hold the text \*"):
        publish(connection, rows, declared)
    publish(connection, [*rows[:1], *rows[2:]], declared)  # what is never suppressed may be *


def test_no_record(connection: Connection) -> None:
    connection.execute(
        'create table people (age integer, sex text, "zip ""é" text, born date, disease text)'
    )
    with pytest.raises(SpecError, match="it has no records"):
        sqlanon.anonymize("people", connection=connection, **sliced([NAMES[:4], NAMES[4:]], 2))


TAMPERED = {
    "nothing": ("select 1", set()),
    "a cell more is suppressed": (
        'update public set "zip ""é" = \'*\' where rowid = 5',
        set(),
    ),
    "a later cell alone is suppressed": (
        "update public set born = '*' where \"zip \"\"é\" <> '*'",
        {"missing_rows"},
    ),
    "a suppressed cell is filled in": (
        'update public set "zip ""é" = \'z\' where "zip ""é" = \'*\'',
        {"missing_rows"},
    ),
    "a part of a row": ("update public set age = 99 where rowid = 0", {"missing_rows"}),
    "a value": ("update public set disease = 'plague' where rowid = 0", {"invented_values"}),
    "the type": ("alter table public alter age type varchar", {"column_type"}),
}


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a release."""
    file = tmp_path_factory.mktemp("released") / "similar"
    with database(file) as connection:
        publish(connection, SIX, sliced([NAMES[:4], NAMES[4:]], 6))
    return file


@pytest.mark.parametrize("done", one_in(3, TAMPERED))
def test_what_is_no_release_of_the_source_is_found(
    released: Path, tmp_path: Path, done: str
) -> None:
    statement, expected = TAMPERED[done]
    with copy_of(released, tmp_path) as connection:
        connection.execute(statement)
        found = faults(connection, sliced([NAMES[:4], NAMES[4:]], 6))
    assert found >= expected
    assert bool(found) == bool(expected)


@pytest.mark.further
@pytest.mark.slow
def test_attacks_and_utility_read_it(connection: Connection) -> None:
    publish(connection, SIX, sliced([NAMES[:4], NAMES[4:]], 6))
    attacked = sqlanon.attack("public", external="people", connection=connection)
    assert "a suppressed cell may stand for any value" in attacked.notes["membership"]
    found = {finding.figure: finding.value for finding in attacked.findings}
    assert found["linking_found_share"] == 1
    measured = sqlanon.utility("public", source="people", connection=connection)
    exact = {
        finding.of: finding.value
        for finding in measured.findings
        if finding.figure == "exact_share"
    }
    stars = cost(connection)
    assert exact == {(name,): pytest.approx(1 - stars.get(name, 0) / 6) for name in NAMES[:4]}
    statement = "select value from public__run where item = 'published'"
    ((text,),) = connection.execute(statement).fetchall()
    forms = {load["name"]: (load["form"], load["kind"]) for load in json.loads(text)}
    assert forms["born"] == ("of_group_or_suppressed", "text")
    assert forms["age"] == ("of_group", "integer")


def test_what_it_costs_is_told_and_it_is_handed_out(connection: Connection, tmp_path: Path) -> None:
    declared = sliced([NAMES[:4], NAMES[4:]], 6)
    publish(connection, SIX, declared)
    with sqlanon.anonymize("people", connection=connection, **declared) as release:
        assert release.suppressed_cells == {NAMES[2]: 5, "born": 4}
        page = release.report(tmp_path / "report.html").read_text(encoding="utf-8")
        assert "cells are suppressed: " in page
        assert "born in 4." in page
        _, dictionary = release.export(tmp_path / "public.csv")
    assert "suppressed * or a coarser label" in dictionary.read_text(encoding="utf-8")


def test_a_compiled_script_publishes_the_same(connection: Connection) -> None:
    declared = sliced([NAMES[:2], NAMES[2:]], 6)
    released = publish(connection, SIX, declared)
    script = sqlanon.compile("people", connection=connection, **declared)
    connection.execute("update public set age = 0")
    connection.execute(script)
    assert connection.execute("select * from public").fetchall() == released


def test_slices_that_are_found(connection: Connection) -> None:
    declared = {**SPEC, "publish": {"name": "sliced", "group": 6, "widest": 2}}
    declared["publish"]["suppress"] = "similar"
    released = publish(connection, SIX, declared)
    assert sum(row[3] == "*" for row in released) == cost(connection)[NAMES[2]] == 5
