"""Quasi-identifiers that must not be learned either: their values in the published classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.privacy import alpha, distinct_l, emd_equal, emd_hierarchical, emd_ordered
from servers import place
from support import Connection, database, examples, make_table, read, refused, relations, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.spec import parse_spec

COLUMNS = {"id": "integer", "age": "integer", "town": "varchar", "ill": "varchar"}
TREE = {"*": {"north": ["Åbo", "Bo'ness"], "south": ["Cork"]}}
CHAINS: dict[Any, tuple[str, ...]] = {
    "Åbo": ("north", "*"),
    "Bo'ness": ("north", "*"),
    "Cork": ("south", "*"),
}
ROLES: dict[str, Any] = {
    "sensitive": ["ill"],
    "insensitive": {"id": {"accept": "a test finds the records by it"}},
    "privacy": {"k": 2},
    "seed": 1,
}
ROWS = st.lists(
    st.tuples(
        st.sampled_from([20, 21, 30, 50, None]),
        st.sampled_from(["Åbo", "Bo'ness", "Cork"]),
        st.sampled_from(["flu", "cold", None]),
    ),
    min_size=4,
    max_size=24,
)
Record = tuple[int, int | None, str, str | None]


def records_of(rows: Sequence[tuple[int | None, str, str | None]]) -> list[Record]:
    return [(number, *row) for number, row in enumerate(rows)]


def published(connection: Connection, records: Sequence[Record]) -> dict[Any, list[Record]]:
    """The records of every published tuple."""
    there = {record[0]: record for record in records}
    classes = defaultdict(list)
    for age, town, number in connection.execute("select age, town, id from out").fetchall():
        classes[age, town].append(there[number])
    assert sum(map(len, classes.values())) == len(records)
    return classes


def order_of(values: Sequence[Any]) -> list[Any]:
    """NULL stands before all values."""
    known = sorted({value for value in values if value is not None})
    return [*([None] if None in values else []), *known]


@pytest.mark.further
@pytest.mark.parametrize("method", ["mondrian", *slow("split_or_deal", "microaggregation")])
@examples(3, 20)
@given(rows=ROWS, t=st.sampled_from(["1/10", "1/3", "1/2"]))
def test_no_class_tells_the_values_that_its_cells_hide(
    method: str, rows: list[tuple[int | None, str, str | None]], t: str
) -> None:
    """All records as one class meet a t, so that nothing is refused."""
    records = records_of(rows)
    ages, towns = [record[1] for record in records], [record[2] for record in records]
    quasi = {
        "age": {"publish": "interval", "sensitive": {"t": t}},
        "town": {
            "hierarchy": {"tree": TREE},
            "sensitive": {"distance": "hierarchical", "t": t},
        },
    }
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        made = sqlanon.anonymize(
            "t",
            connection=connection,
            release="out",
            quasi_identifiers=quasi,
            method=method,
            **ROLES,
        )
        names = [one[0] for one in connection.execute("describe out").fetchall()]
        assert names == ["age", "town", "ill", "id"]
        classes = published(connection, records)
        assert all(len(entry) >= 2 for entry in classes.values())
        of_age = [[one[1] for one in members] for members in classes.values()]
        of_town = [[one[2] for one in members] for members in classes.values()]
        reached = emd_ordered(of_age, ages, order_of(ages)).maximum
        along = emd_hierarchical(of_town, towns, CHAINS).maximum
        assert max(reached, along) <= Fraction(t)
        assert made.measure("t_closeness", "age") == pytest.approx(float(reached), abs=1e-9)
        assert made.measure("t_closeness", "town") == pytest.approx(float(along), abs=1e-9)
        assert made.measure("distinct_l", "age") == distinct_l(of_age).minimum
        share = float(alpha(of_town).maximum)
        assert made.measure("alpha", "town") == pytest.approx(share, abs=1e-9)
        made.close()


@examples(3, 20)
@given(rows=ROWS)
def test_a_release_of_which_a_class_tells_a_value_is_refused(
    rows: list[tuple[int | None, str, str | None]],
) -> None:
    """Dealing is blind to the quasi-identifiers: what it publishes holds, or nothing is."""
    records = records_of(rows)
    quasi = {"age": {"sensitive": {"distance": "equal", "l": 2, "t": "1/2"}}, "town": {}}
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        asked = {**ROLES, "quasi_identifiers": quasi, "method": "stack_and_deal"}
        violated: set[str | None] = set()
        try:
            sqlanon.anonymize("t", connection=connection, release="out", **asked).close()
        except InfeasibleError as error:
            violated = {shortfall.attribute for shortfall in error.shortfalls}
        if violated:
            assert violated == {"age"}
            assert "out" not in relations(connection)
            return
        of_age = [
            [one[1] for one in members] for members in published(connection, records).values()
        ]
        assert distinct_l(of_age).minimum >= 2
        assert emd_equal(of_age, [record[1] for record in records]).maximum <= Fraction(1, 2)


@pytest.mark.slow
def test_a_class_of_one_age_is_refused_though_no_exact_age_is_published() -> None:
    """Two classes of one age each would show [20, 20] and [50, 50]."""
    records = [(n, 20 if n < 6 else 50, "Cork", "flu") for n in range(12)]
    quasi = {"age": {"sensitive": {"l": 2}}, "town": {}}
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        sqlanon.anonymize(
            "t",
            connection=connection,
            release="out",
            quasi_identifiers=quasi,
            method="mondrian",
            **ROLES,
        ).close()
        assert [*published(connection, records)] == [("[20, 50]", "Cork")]
        single = [(*record[:1], 20, *record[2:]) for record in records]
        connection.execute("drop table t")
        make_table(connection, "t", COLUMNS, single)
        error = refused(
            InfeasibleError,
            "t",
            connection=connection,
            quasi_identifiers=quasi,
            method="mondrian",
            release="other",
            **ROLES,
        )
        assert "distinct_l of age: asked for 2, reached 1" in str(error)


@pytest.mark.slow
def test_they_go_with_nodes_that_persons_guard() -> None:
    """The labels of the guards reach the step that reads them."""
    tree = {"*": {"lungs": ["flu", "cold"], "other": ["gout"]}}
    ill = {"hierarchy": {"tree": tree}, "distance": "hierarchical"}
    roles = {**ROLES, "sensitive": {"ill": {**ill, "guard": {"column": "town", "p": "0.9"}}}}
    ills = [("lungs", "flu"), (None, "cold"), (None, "gout")]
    rows = [(n, 20 + n % 4, *ills[n % 3]) for n in range(12)]
    with database() as connection:
        make_table(connection, "t", COLUMNS, rows)
        made = sqlanon.anonymize(
            "t",
            connection=connection,
            release="out",
            quasi_identifiers={"age": {"sensitive": {"l": 2}}},
            method="mondrian",
            **roles,
        )
        assert (made.measure("distinct_l", "age") or 0) >= 2
        made.close()


@pytest.mark.slow
def test_a_threshold_for_all_attributes_holds_for_them_too_and_alone() -> None:
    """There need be no other sensitive column."""
    records = [(n, 20 + n % 4, "Cork", "flu") for n in range(16)]
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        declared = {**ROLES, "sensitive": [], "privacy": {"k": 2, "l": 3}, "method": "mondrian"}
        made = sqlanon.anonymize(
            "t",
            connection=connection,
            release="out",
            quasi_identifiers={"age": {"sensitive": {}}, "town": {}},
            **declared,
        )
        assert (made.measure("distinct_l", "age") or 0) >= 3
        made.close()


@pytest.mark.parametrize("dose", ["nan", "inf"])
def test_a_number_that_lies_nowhere_has_no_ordered_distance(dose: str) -> None:
    quasi: dict[str, Any] = {"dose": {"publish": "set", "sensitive": {"t": 0.9}}}
    with database() as connection:
        rows = [(at, float(dose) if at == 3 else float(at % 2)) for at in range(8)]
        make_table(connection, "t", {"id": "integer", "dose": "double"}, rows)
        asked: dict[str, Any] = {"release": "out", "k": 2, "method": "stack_and_deal"}
        asked["connection"] = connection
        with pytest.raises(
            SpecError, match=r"1 records hold NaN .* sensitive: \{distance: equal\}"
        ):
            sqlanon.anonymize("t", quasi_identifiers=quasi, **asked)
        quasi["dose"]["sensitive"] = {"t": 0.9, "distance": "equal"}
        sqlanon.anonymize("t", quasi_identifiers=quasi, **asked).close()


def test_specs_that_cannot_be_held_are_refused() -> None:
    def problems(quasi: Mapping[str, Any], **more: Any) -> str:
        fields = {**ROLES, "source": {"table": "t"}, "release": "out", "quasi_identifiers": quasi}
        with pytest.raises(SpecError) as found:
            parse_spec({**fields, **more})
        return str(found.value)

    assert "nothing is asked of its values" in problems({"age": {"sensitive": {}}})
    asked: dict[str, Any] = {"age": {"sensitive": {"distance": "hierarchical", "t": 0.2}}}
    assert "it has none: declare one" in problems(asked)
    asked = {"age": {"nominal": True, "sensitive": {"distance": "ordered", "t": 0.2}}}
    assert "which have no order" in problems(asked)
    asked = {"age": {"sensitive": {"l": {"distinct": 2, "level": 1}}}}
    assert "leave level out" in problems(asked)
    assert "unknown key; did you mean 't'?" in problems({"age": {"sensitive": {"tt": 0.2}}})
    asked = {"age": {"sensitive": {"l": {"recursiv": {"l": 2, "c": 2}}}}}
    assert "unknown key; did you mean 'recursive'?" in problems(asked)
    asked = {"age": {"sensitive": {"t": 0.2}}}
    assert "levels.age: level 0 publishes each value" in problems(asked, levels={"age": 0})
    both = problems({"age": {}}, sensitive=["ill", "age"])
    assert "quasi_identifiers: {COLUMN: {sensitive: {t: 0.3}}}" in both


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["postgres", *slow("spark")])
def test_the_same_release_elsewhere(engine: str, urls: Mapping[str, str]) -> None:
    records = [(n, 20 + 7 * n % 30, ("Åbo", "Cork")[n % 2], "flu") for n in range(24)]
    declared = {
        **ROLES,
        "quasi_identifiers": {"age": {"sensitive": {"t": 0.3}}, "town": {}},
        "method": "mondrian",
        "release": "out",
    }
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        made = sqlanon.anonymize("t", connection=connection, **declared)
        expected = read(connection, "out")
        reached = made.measure("t_closeness", "age")
        made.close()
    with place(engine, urls) as found:
        found.make_table("t", COLUMNS, records)
        made = sqlanon.anonymize("t", connection=found.connection, **declared)
        columns, rows = found.read("out")
        assert (columns, sorted(rows)) == (expected[0], sorted(expected[1]))
        assert made.measure("t_closeness", "age") == pytest.approx(reached)


@pytest.mark.slow
def test_an_ordered_distance_goes_by_the_numbers_not_by_a_trees_leaves(
    tmp_path: Path,
) -> None:
    rows = [(20 if i % 4 < 2 else 40, i % 4 + 1) for i in range(16)]
    tree = {"tree": {"*": {"A": [1, 4], "B": [2, 3]}}}
    asked = {"hierarchy": tree, "publish": "set", "sensitive": {"t": 0.2, "distance": "ordered"}}
    with database() as connection:
        make_table(connection, "t", {"age": "integer", "income": "integer"}, rows)
        release = sqlanon.anonymize(
            "t",
            connection=connection,
            quasi_identifiers={"age": {}, "income": asked},
            sensitive=[],
            k=4,
            method="mondrian",
            seed=1,
        )
        cells = {frozenset(one) - {*"{}, "} for one in release.frame()["income"]}
        assert cells == {frozenset("14"), frozenset("23")}  # and not 1 and 2, whose t is 1/3
        assert release.measure("t_closeness", "income") == pytest.approx(1 / 6)
        page = release.report(tmp_path / "page.html").read_text(encoding="utf-8")
        assert "No certificate is made" in page
