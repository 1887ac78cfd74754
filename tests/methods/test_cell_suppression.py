"""Cell suppression: what is published, against an oracle that sees the records and the release."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle.cells import Record, as_shown, classes, least_cost, stars
from support import Connection, database, examples, facts, make_table, read, slow
from test_lattice import ASKED, holds

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.methods.level.cell_suppression import rounds
from sqlanon.methods.level.cell_suppression.method import costs
from sqlanon.spec import parse_spec

NAMES = ("age", "SELECT", 'a "code"')
KINDS = {"age": "integer", "SELECT": "varchar", 'a "code"': "varchar", "s": "varchar"}
VALUES = (
    st.sampled_from([None, 20, 21, 33]),
    st.sampled_from(["f", "m", None, "*x", ""]),
    st.sampled_from(["100", "101", None]),
    st.sampled_from(["a", "b", None]),
)
rows_of = st.lists(st.tuples(*VALUES), min_size=2, max_size=14)


def released(
    connection: Connection, rows: Sequence[Record], importance: dict[str, Any], **asked: Any
) -> tuple[sqlanon.Release, dict[int, Record]]:
    """The release of some rows, and what every record that is released shows."""
    numbered = [(*row, number) for number, row in enumerate(rows)]
    make_table(connection, "people", {**KINDS, "id": "integer"}, numbered)
    sensitive = asked.pop("sensitive", {})
    made = sqlanon.anonymize(
        "people",
        connection=connection,
        quasi_identifiers=NAMES,
        sensitive={"s": sensitive},
        insensitive={"id": {"accept": "a test"}},
        method={"name": "cell_suppression", "importance": importance},
        seed=1,
        **asked,
    )
    names, found = read(connection, "anonymized")
    places = [names.index(name) for name in (*NAMES, "id")]
    shown = {row[places[3]]: tuple(row[at] for at in places[:3]) for row in found}
    assert len(shown) == len(found)
    return made, shown


def cost_of(rows: Sequence[Record], shown: dict[int, Record], each: Sequence[Fraction]) -> Fraction:
    """What the suppressed cells cost."""
    found = (zip(stars(rows[at][:3], cells), each, strict=True) for at, cells in shown.items())
    return sum((cost for one in found for star, cost in one if star), Fraction(0))


@examples(2, 25, Phase.explicit, Phase.generate)
@given(rows=rows_of, k=st.integers(1, 5), asked=st.sampled_from([{}, *ASKED]), data=st.data())
def test_every_class_holds_and_no_value_is_changed(
    rows: list[Record], k: int, asked: dict[str, Any], data: st.DataObject
) -> None:
    k = min(k, len(rows))
    limit = data.draw(st.sampled_from([None, "1/5", "1/2"]))
    importance = data.draw(st.dictionaries(st.sampled_from(NAMES), st.sampled_from([1, 3, "1/2"])))
    subsets = data.draw(
        st.lists(
            st.sampled_from([["age", "SELECT"], ['a "code"', "SELECT"], ['a "code"']]),
            max_size=2,
            unique_by=len,
        )
    )
    more_than = {1: k + 2, 2: k + 1}
    known: list[dict[str, Any]] = [
        {"columns": entry, "k": more_than[len(entry)]} for entry in subsets
    ]
    more: dict[str, Any] = {"suppression": {"records": limit}} if limit else {}
    table = [row[3] for row in rows]
    with database() as connection:
        try:
            made, shown = released(
                connection,
                rows,
                importance,
                sensitive=asked,
                privacy={"k": k, "subsets": known},
                **more,
            )
        except InfeasibleError:
            whole = holds(table, k, asked, table)
            assert not whole or any(entry["k"] > len(rows) for entry in known)
            return
        kept = [stars(rows[at][:3], cells) for at, cells in shown.items()]
        counted = {name: sum(one[at] for one in kept) for at, name in enumerate(NAMES)}
        assert made.suppressed_cells == counted
        told = facts(connection)
        assert json.loads(told["suppressed_cells"]) == counted
        lost = made.measure("gcp")
        assert lost == pytest.approx(sum(counted.values()) / (3 * len(shown)), abs=1e-9) or limit
        for one in classes(shown):
            assert holds([rows[at][3] for at in one], k, asked, table)
        for subset in known:
            places = [NAMES.index(name) for name in subset["columns"]]
            tuples = Counter(tuple(cells[at] for at in places) for cells in shown.values())
            assert min(tuples.values()) >= subset["k"]
        left_out = len(rows) - len(shown)
        assert left_out <= Fraction(limit or 0) * len(rows)
        if limit:
            _, reasons = read(connection, "anonymized__suppressed")
            assert sum(row[-1] for row in reasons) == left_out


@pytest.mark.parametrize("asked", [{}, *slow({"l": 2}, {"t": "2/5"})])
@examples(2, 25, Phase.explicit, Phase.generate)
@given(rows=st.lists(st.tuples(*VALUES), min_size=2, max_size=6), k=st.integers(1, 3))
def test_no_less_is_suppressed_than_must_be(
    asked: dict[str, Any], rows: list[Record], k: int
) -> None:
    """The least over all ways to form classes is never undercut, and nothing is where 0 is."""
    k = min(k, len(rows))
    each = [Fraction(3), Fraction(1), Fraction(1, 2)]
    table = [row[3] for row in rows]
    least = least_cost(
        [row[:3] for row in rows],
        each,
        lambda some: holds([table[at] for at in some], k, asked, table),
    )
    with database() as connection:
        importance = {name: str(number) for name, number in zip(NAMES, each, strict=True)}
        if least is None:
            with pytest.raises(InfeasibleError, match="even with all cells suppressed"):
                released(connection, rows, importance, sensitive=asked, k=k)
            return
        _, shown = released(connection, rows, importance, sensitive=asked, k=k)
    found = cost_of(rows, shown, each)
    assert found >= least
    assert (found == 0) is (least == 0)


def test_the_less_important_column_is_suppressed() -> None:
    """Two pairs that differ in both columns can share either."""
    rows: list[Record] = [(20, "f", "1", "a"), (20, "m", "1", "a"), (33, "f", "1", "a")]
    rows += [(33, "m", "1", "a")]
    for important, suppressed in (("age", "SELECT"), ("SELECT", "age")):
        with database() as connection:
            made, _ = released(connection, rows, {important: 2}, k=2)
        assert made.suppressed_cells == {name: 4 * (name == suppressed) for name in NAMES}


def test_an_outlier_joins_a_class_that_gives_up_what_it_must() -> None:
    """Three of four alike stay; the fourth, alone in one cell, cannot: all four lose that cell."""
    rows: list[Record] = [(20, "f", "1", "a")] * 3 + [(20, "m", "1", "a")]
    with database() as connection:
        made, shown = released(connection, rows, {}, k=2)
    assert set(shown.values()) == {("20", "*", "1")}
    assert made.suppressed_cells == {"age": 0, "SELECT": 4, 'a "code"': 0}
    with database() as connection:
        made, shown = released(connection, rows, {}, k=2, suppression={"records": "1/4"})
        _, reasons = read(connection, "anonymized__suppressed")
    assert set(shown.values()) == {("20", "f", "1")}
    assert [row[0::4] for row in reasons] == [("k_anonymity", 1)]


def test_a_suppressed_cell_is_no_wildcard() -> None:
    """A record with a suppressed cell does not stand for one whose cell is kept."""
    rows: list[Record] = [(20, "f", "1", "a"), (20, "f", "1", "a"), (20, "m", "1", "a")]
    rows += [(20, None, "1", "a")]
    with database() as connection:
        made, shown = released(connection, rows, {}, k=2)
    counted = Counter(shown.values())
    assert counted == {("20", "f", "1"): 2, ("20", "*", "1"): 2}
    assert made.measure("k_anonymity") == 2


def test_one_value_and_as_many_records_as_k() -> None:
    """A column with one value is never suppressed: that would change nothing."""
    rows: list[Record] = [(20, text, None, "a") for text in ("f", "m", None)]
    with database() as connection:
        made, shown = released(connection, rows, {}, k=3)
    assert set(shown.values()) == {("20", "*", None)}
    assert made.measure("gcp") == pytest.approx(1 / 3)
    same: list[Record] = [(None, None, None, None)] * 2
    with database() as connection:
        made, shown = released(connection, same, {}, k=2)
    assert set(shown.values()) == {(None, None, None)}
    assert made.suppressed_cells == dict.fromkeys(NAMES, 0)


@pytest.mark.parametrize(
    ("module", "name", "value"),
    [
        (rounds, "_MOST_PATTERNS", 2),
        pytest.param(rounds, "_TOGETHER", 1, marks=pytest.mark.slow),
    ],
)
def test_all_holds_however_much_is_tried(
    module: Any, name: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With few choices that are tried, and with one cost at a time."""
    rows = [(n % 5, "fm"[n % 2], str(n % 7), "abc"[n % 3]) for n in range(40)]
    monkeypatch.setattr(module, name, value)
    with database() as connection:
        made, shown = released(connection, rows, {}, sensitive={"l": 2}, k=3)
    assert min(Counter(shown.values()).values()) >= 3
    assert (made.measure("distinct_l", "s") or 0) >= 2


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"method": {"importance": {"aeg": 2}}},
            "method.importance.aeg: it is no quasi-identifier; did you mean 'age'?",
        ),
        (
            {"method": {"importance": {"age": 0}}},
            "method.importance.age: it must be greater than 0",
        ),
        (
            {"method": {"importance": {"age": 1_000_001}}, "quasi_identifiers": ["age", "x"]},
            "method.importance: the importance of the columns, with the weight of those that are "
            "not named, must be as whole numbers up to 1,000,000",
        ),
        (
            {"quasi_identifiers": {"age": {"publish": "interval"}}},
            "quasi_identifiers.age.publish: cell_suppression publishes every cell as its value",
        ),
        (
            {"quasi_identifiers": [f"q{n}" for n in range(17)]},
            "method: cell_suppression tries choices of at most 16 quasi-identifiers, and 17 are",
        ),
        ({"person": ["s"]}, "cell_suppression: it counts records, and person: asks for persons"),
        (
            {"levels": {"age": 1}},
            "levels.age: cell_suppression publishes every cell as its value or as *, and no group",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(changed: dict[str, Any], said: str) -> None:
    fields: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["s"], "k": 2}
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "s": "varchar"}, [(1, "a")])
        asked = {"method": "cell_suppression", **fields, **changed}
        with pytest.raises(SpecError) as caught:
            sqlanon.anonymize("people", connection=connection, **asked)
    assert said in str(caught.value)


def test_a_star_in_the_data_and_an_empty_table_are_refused() -> None:
    fields: dict[str, Any] = {"quasi_identifiers": ["age"], "k": 2, "method": "cell_suppression"}
    with database() as connection:
        make_table(connection, "people", {"age": "varchar"}, [("*",), ("x",)])
        with pytest.raises(SpecError, match="records hold the text"):
            sqlanon.anonymize("people", connection=connection, **fields)
        connection.execute("delete from people")
        with pytest.raises(SpecError, match="it has no records"):
            sqlanon.anonymize("people", connection=connection, **fields)


@pytest.mark.slow
def test_a_hierarchy_is_not_read_and_check_accepts_the_release() -> None:
    """The same spec serves methods that generalize; here a cell is its value or a star."""
    rows = [(20 + n % 9, "ab"[n % 2]) for n in range(30)]
    fields: dict[str, Any] = {
        "source": {"table": "people"},
        "release": "anonymized",
        "quasi_identifiers": {"age": {"hierarchy": {"bands": [5, 10]}}},
        "sensitive": {"s": {"l": 2}},
        "privacy": {"k": 4},
        "method": "cell_suppression",
    }
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "s": "varchar"}, rows)
        spec = parse_spec(fields)
        sqlanon.anonymize(spec, connection=connection)
        ages = {row[0] for row in read(connection, "anonymized")[1]}
        assert ages <= {"*", *(as_shown(20 + n) for n in range(9))}
        assert sqlanon.check("anonymized", spec=spec, connection=connection).passed
        connection.execute("update anonymized set age = '[20, 24]' where age = '*'")
        found = sqlanon.check("anonymized", spec=spec, connection=connection)
        assert {fault.what for fault in found.faults} == {"unreadable_cells"}


def test_importance_is_in_whole_numbers() -> None:
    weights = {"a": Fraction(1), "b": Fraction(1, 3), "c": Fraction(2)}
    assert costs({}, weights) == {"a": 3, "b": 1, "c": 6}
    assert costs({"b": Fraction(4), "a": Fraction(2)}, weights) == {"a": 1, "b": 2, "c": 1}
