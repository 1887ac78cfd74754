"""Mondrian: the classes of every table are those of the oracle, cut by cut."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.mondrian import Axis, Record, mondrian
from searched import PARTS, Quasi, Searched, Table, laid_out, meets, run_search
from support import Connection, data_set, database, examples, facts, make_table, read, select
from test_split_or_deal import check, tables
from test_split_or_deal_adult import TASKS

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.methods.cut.mondrian import Partition
from sqlanon.methods.cut.scales import UNITS
from sqlanon.sql.names import Relation

PATIENTS = [
    (25, "M", 53711, "flu"),
    (25, "F", 53712, "hepatitis"),
    (26, "M", 53711, "bronchitis"),
    (27, "M", 53710, "broken arm"),
    (27, "F", 53712, "aids"),
    (28, "M", 53711, "hang nail"),
]


Together = Sequence[
    Sequence[int]
]  # of each sensitive attribute the quasi-identifiers shown with it


def cut(table: Table, k: int, strict: bool, together: Together = ()) -> Searched:
    """The classes of a table of codes."""

    def partition(connection: Connection) -> Partition:
        quasi, sensitive = laid_out(connection, table)
        if together:
            shown = [tuple(quasi[place].alias for place in one) for one in together]
            pairs = zip(sensitive, shown, strict=True)
            sensitive = tuple(replace(pair, beside=beside) for pair, beside in pairs)
        return Partition(Relation("cells"), PARTS, quasi, sensitive, k, strict)

    return run_search(table, partition)


def axis_of(one: Quasi, codes: Sequence[int], units: int) -> Axis:
    """A quasi-identifier for the oracle, what is lost in whole units."""
    counts = Counter(codes)
    known = [code * code for code in codes if code]
    first, length = min(known, default=0), max(known, default=0) - min(known, default=0)

    def key(code: int) -> Any:
        if one.height is None:
            return code
        nodes = [one.node(code, level) for level in range(one.height, -1, -1)]
        under = [
            sum(counts[other] for other in counts if one.node(other, one.height - index) == node)
            for index, node in enumerate(nodes)
        ]
        return [(-records, node) for records, node in zip(under, nodes, strict=True)]

    def width(found: set[int]) -> int:
        if one.publish == "set":
            steps = one.codes if one.height is not None else len(counts) - 1
            return (len(found) - 1) * (units // max(1, steps))
        if one.height is not None:
            shared = (len({one.node(code, level) for code in found}) for level in range(9))
            level = next(level for level, nodes in enumerate(shared) if nodes == 1)
            (node,) = {one.node(code, level) for code in found}
            leaves = sum(one.node(code, level) == node for code in range(one.codes + 1))
            return math.floor((leaves - 1) / one.codes * units + 0.5)
        if 0 in found:
            return units
        places = [math.floor((code * code - first) / length * units + 0.5) for code in found]
        return max(places) - min(places)

    return Axis(key, width)


def expected(table: Table, k: int, strict: bool, together: Together = ()) -> list[list[Record]]:
    """The classes that the oracle cuts."""
    count = len(table.quasi)
    total = sum(column.weight for column in table.quasi)
    axes = [
        axis_of(
            column,
            [record[index] for record in table.records],
            math.floor(Fraction(UNITS * column.weight, total) + Fraction(1, 2)),
        )
        for index, column in enumerate(table.quasi)
    ]

    def holds(members: Sequence[Record]) -> bool:
        for number, attribute in enumerate(table.sensitive, count):
            parts: dict[Record, list[int]] = {}
            for record in members:
                beside = together[number - count] if together else ()
                parts.setdefault(tuple(record[at] for at in beside), []).append(record[number])
            if not meets(
                attribute, list(parts.values()), [record[number] for record in table.records]
            ):
                return False
        return len(members) >= k

    return mondrian(table.records, axes, holds, strict)


@pytest.mark.parametrize("strict", [True, False])
@examples(1, 150)
@given(table=tables())
def test_classes_are_those_that_the_oracle_cuts(strict: bool, table: Table) -> None:
    """So both sides of every cut meet every model, and no class has a cut that is allowed."""
    for k in {1, min(3, len(table.records))}:
        found = cut(table, k, strict)
        check(table, k, found)
        wanted = expected(table, k, strict)
        assert Counter(map(_members, found.classes)) == Counter(map(_members, wanted))
        if strict:
            count = len(table.quasi)
            alike = {(record[:count], n) for n, one in enumerate(found.classes) for record in one}
            assert len(alike) == len({record[:count] for record in table.records})


@pytest.mark.parametrize("strict", [True, False])
@examples(1, 150)
@given(table=tables(), data=st.data())
def test_values_that_are_shown_with_quasi_identifiers_meet_the_models_with_each_of_them(
    strict: bool, table: Table, data: st.DataObject
) -> None:
    """Slices: the oracle cuts while each combination in both sides meets what is asked."""
    places = st.lists(st.sampled_from(range(len(table.quasi))), unique=True)
    together = [sorted(data.draw(places)) for _ in table.sensitive]
    # Of a value that a combination lacks in the table no delta can be held: nothing could be cut.
    kinds = tuple(replace(attribute, delta=None) for attribute in table.sensitive)
    table = replace(table, sensitive=kinds)
    for k in {1, min(3, len(table.records))}:
        found = cut(table, k, strict, together)
        assert not found.left_behind
        wanted = expected(table, k, strict, together)
        assert Counter(map(_members, found.classes)) == Counter(map(_members, wanted))


def _members(records: Sequence[Record]) -> tuple[Record, ...]:
    return tuple(sorted(records))


def test_the_patients_of_the_paper_are_cut_as_it_shows() -> None:
    """LeFevre et al. (2006), the multidimensional anonymization of the patients, k = 2."""
    with database() as connection:
        columns = {"age": "integer", "sex": "varchar", "zip": "integer", "disease": "varchar"}
        make_table(connection, "patients", columns, PATIENTS)
        sqlanon.anonymize(
            "patients",
            connection=connection,
            quasi_identifiers=["sex", "age", "zip"],
            sensitive=["disease"],
            k=2,
            method="mondrian",
        )
        assert Counter(read(connection, "anonymized")[1]) == Counter(
            [
                ("M", "[25, 26]", "53711", "flu"),
                ("M", "[25, 26]", "53711", "bronchitis"),
                ("F", "[25, 27]", "53712", "hepatitis"),
                ("F", "[25, 27]", "53712", "aids"),
                ("M", "[27, 28]", "[53710, 53711]", "broken arm"),
                ("M", "[27, 28]", "[53710, 53711]", "hang nail"),
            ]
        )
        assert facts(connection)["search_passes"] == "2"


@pytest.mark.slow
def test_a_script_makes_the_release_that_was_cut() -> None:
    with database() as connection:
        connection.execute(
            "create table people as select i as id, i * 7 % 40 as age, 'abcd'[i % 4 + 1] as town, "
            "'d' || i % 3 as s from range(60) t(i)"
        )
        declared: dict[str, Any] = {
            "quasi_identifiers": ["age", "town"],
            "sensitive": {"s": {"t": 0.3, "l": 2}},
            "key": "id",
            "k": 3,
            "method": {"name": "mondrian", "partitioning": "relaxed"},
            "release": "r",
            "seed": 3,
        }
        text = sqlanon.compile("people", connection=connection, **declared)
        sqlanon.anonymize("people", connection=connection, **declared)
        made = Counter(read(connection, "r")[1])
        assert len(select(connection, "select distinct age, town from r")[1]) > 2
        connection.execute(text)
        assert Counter(read(connection, "r")[1]) == made


def test_a_table_that_violates_a_model_as_one_class_is_refused() -> None:
    with database() as connection:
        rows = [(age, "flu") for age in range(10)]
        make_table(connection, "people", {"age": "integer", "s": "varchar"}, rows)
        declared: dict[str, Any] = {"quasi_identifiers": ["age"], "k": 2, "method": "mondrian"}
        with pytest.raises(InfeasibleError, match="distinct"):
            sqlanon.anonymize(
                "people", connection=connection, sensitive={"s": {"l": 2}}, **declared
            )
        declared["method"] = {"name": "mondrian", "partitioning": "loose"}
        with pytest.raises(SpecError, match="'loose' is not accepted; known: 'relaxed'"):
            sqlanon.anonymize("people", connection=connection, sensitive=["s"], **declared)


@pytest.mark.slow
def test_what_nothing_is_asked_of_parts_no_records() -> None:
    """Records alike in all else are parted by the seed, and not by their sensitive values."""
    people = [(30, "ABCD"[place % 4]) for place in range(123)]
    people += [(40, "ABCD"[place % 4]) for place in range(77)]
    between = set()
    for seed in range(4):
        with database() as connection:
            make_table(connection, "people", {"age": "integer", "s": "varchar"}, people)
            sqlanon.anonymize(
                "people",
                connection=connection,
                quasi_identifiers=["age"],
                sensitive=["s"],
                k=5,
                method={"name": "mondrian", "partitioning": "relaxed"},
                seed=seed,
            )
            rows = read(connection, "anonymized")[1]
        between.add(tuple(sorted(value for age, value in rows if age == "[30, 40]")))
    assert len(between) > 1


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize(("k", "most"), [(5, 0.05), (10, 0.085)])
def test_adult_loses_little(k: int, most: float) -> None:
    """Task A, strict: every class holds k records, and the loss is within the bound."""
    source = data_set("csv/arx_adult.csv")
    folder = source.parent.parent / "hierarchies"
    hidden, sensitive = TASKS["A"]
    quasi_identifiers: dict[str, Any] = {
        name: {"hierarchy": str(folder / f"arx_adult_hierarchy_{name}.csv")} for name in hidden
    }
    quasi_identifiers["age"] = {}
    with database() as connection:
        release = sqlanon.anonymize(
            source,
            connection=connection,
            quasi_identifiers=quasi_identifiers,
            sensitive=[sensitive],
            k=k,
            method="mondrian",
        )
        least, loss = release.measure("k_anonymity"), release.measure("gcp")
        assert least is not None
        assert loss is not None
        assert least >= k
        assert loss <= most
