"""Top-down specialization: against plain Python on small tables, and what it refuses."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle.lattice import Column
from oracle.top_down import UNITS, Line, Specializing, Tree, Values
from support import Connection, database, examples, facts, make_table, read
from test_lattice import ASKED, CODES, COLUMNS, DECLARED, holds

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.methods.level.top_down import rounds

NAMES = ("town", 'a "code"', "age")
WEIGHTS = ("1", "2", "1/3")


def columns_of(records: list[tuple[Any, ...]]) -> list[Values]:
    """The columns as the package sees them: masked codes and numbers are those in use."""
    codes = sorted({record[1] for record in records if record[1] is not None})
    ages = sorted({record[2] for record in records if record[2] is not None})
    nulls = [any(record[at] is None for record in records) for at in range(3)]
    return [
        Tree(COLUMNS[0], nulls[0]),
        Tree(Column({one: CODES[one] for one in codes}, Fraction(2)), nulls[1]),
        Line((*([None] if nulls[2] else []), *ages), Fraction(1, 3)),
    ]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Specializing, int, dict[str, Any]]:
    """Records, and what is asked of a release of them."""
    towns, codes = st.sampled_from([None, *COLUMNS[0].chains]), st.sampled_from([None, *CODES])
    ages = st.sampled_from([None, 1, 2, 5, 9])
    rows = st.tuples(towns, codes, ages, st.sampled_from(["a", "b", None]))
    drawn = draw(st.lists(rows, min_size=2, max_size=24))
    records = [
        (one[0], one[1] or "100", one[2]) if n == 0 else one[:3] for n, one in enumerate(drawn)
    ]
    sensitive = [one[3] for one in drawn]
    k = draw(st.sampled_from([1, 2, 3, len(drawn)]))
    asked = draw(st.sampled_from(ASKED))
    limit = draw(st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(1)]))
    table = Specializing(
        records,
        sensitive,
        columns_of(records),
        lambda values: holds(values, min(k, len(drawn)), asked, sensitive),
        limit,
    )
    return table, min(k, len(drawn)), asked


def released(
    connection: Connection, table: Specializing, k: int, asked: dict[str, Any]
) -> sqlanon.Release:
    """The release of a table."""
    kinds = dict(zip((*NAMES, "s"), ("varchar", "varchar", "integer", "varchar"), strict=True))
    rows = [(*record, value) for record, value in zip(table.records, table.sensitive, strict=True)]
    make_table(connection, "people", kinds, rows)
    more: dict[str, Any] = {}
    if table.limit:
        more["suppression"] = {"records": str(table.limit)}
    declared: dict[str, Any] = {name: DECLARED.get(name, {}) for name in NAMES}
    declared = {
        name: settings | {"weight": weight}
        for (name, settings), weight in zip(declared.items(), WEIGHTS, strict=True)
    }
    return sqlanon.anonymize(
        "people",
        connection=connection,
        quasi_identifiers=declared,
        sensitive={"s": asked},
        k=k,
        method="top_down",
        **more,
    )


@pytest.mark.slow
@examples(6, 25, Phase.explicit, Phase.generate)
@given(drawn=tables())
def test_the_cuts_are_those_of_one_step_after_the_other(
    drawn: tuple[Specializing, int, dict[str, Any]],
) -> None:
    table, k, asked = drawn
    wanted = table.released()
    with database() as connection:
        if wanted is None:
            with pytest.raises(InfeasibleError, match="not even the most general values"):
                released(connection, table, k, asked)
            return
        made = released(connection, table, k, asked)
        pairs = zip(wanted.cells, table.sensitive, strict=True)
        rows = Counter((*cells, value) for cells, value in pairs if cells is not None)
        assert Counter(read(connection, "anonymized")[1]) == rows
        told = facts(connection)
        assert int(told["records_suppressed"]) == wanted.suppressed
        assert all(
            one > other for one, other in zip(wanted.losses, wanted.losses[1:], strict=False)
        )
        gcp = Fraction(wanted.losses[-1], len(table.records) * UNITS)
        assert float(told["search_gcp"]) == pytest.approx(float(gcp), abs=1e-7)
        assert made.measure("gcp") == pytest.approx(float(gcp), abs=1e-7)
        classes: dict[Any, list[Any]] = {}
        for cells, value in zip(wanted.cells, table.sensitive, strict=True):
            classes.setdefault(cells, []).append(value)
        assert all(
            holds(values, k, asked, table.sensitive)
            for cells, values in classes.items()
            if cells is not None
        )


PEOPLE = [
    ("Bern", 1, "a"),
    ("Bern", 2, "b"),
    ("Genf", 1, "a"),
    ("Genf", 2, "b"),
    ("Linz", 9, "a"),
]


def small(**declared: Any) -> list[tuple[Any, ...]]:
    """The release of a few people."""
    with database() as connection:
        kinds = {"town": "varchar", "age": "integer", "s": "varchar"}
        make_table(connection, "people", kinds, PEOPLE)
        columns = declared.pop("quasi_identifiers", {"town": DECLARED["town"]})
        spec: dict[str, Any] = {"quasi_identifiers": columns, "k": 2, "method": "top_down"}
        sqlanon.anonymize("people", connection=connection, **{**spec, **declared})
        return sorted(read(connection, "anonymized")[1], key=repr)


def test_nodes_of_one_cut_lie_on_different_levels() -> None:
    rows = small(suppression={"records": 0.2})
    assert rows == [("Bern",), ("Bern",), ("Genf",), ("Genf",)]
    assert small(k=5) == [("*",)] * 5  # k = n


def test_a_column_of_every_other_round_is_not_made_of_itself() -> None:
    """Ages are specialized, then codes, then ages: PostgreSQL would empty the cut that it reads."""
    rows = [("121", 2), ("211", 8), ("112", 2), ("111", 1)]
    rows += [("211", 9), ("121", 1), ("112", 9), ("121", 5)]
    columns = {"zip": {"hierarchy": {"prefix": [2, 1]}}, "age": {}}
    with database() as connection:
        make_table(connection, "people", {"zip": "varchar", "age": "integer"}, rows)
        asked: dict[str, Any] = {"quasi_identifiers": columns, "k": 2, "method": "top_down"}
        sqlanon.anonymize("people", connection=connection, **asked)
        assert facts(connection, "anonymized")["search_rounds"] == "4"
        shown = Counter(read(connection, "anonymized")[1])
    assert shown.total() == 8
    assert min(shown.values()) >= 2


@pytest.mark.slow
def test_steps_taken_together_come_to_what_single_ones_do(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = {"town": DECLARED["town"], "age": {}}
    together = small(quasi_identifiers=columns, k=1)
    monkeypatch.setattr(rounds, "MOST_TOGETHER", 1)
    assert small(quasi_identifiers=columns, k=1) == together


@pytest.mark.parametrize(
    ("declared", "where", "what"),
    [
        ({"quasi_identifiers": ["town"]}, "quasi_identifiers.town", "needs a hierarchy"),
        (
            {"quasi_identifiers": {"town": {**DECLARED["town"], "publish": "level"}}},
            "quasi_identifiers.town",
            "labels of its hierarchy, on one cut",
        ),
        (
            {"quasi_identifiers": {"age": {"publish": "set"}}},
            "quasi_identifiers.age",
            "intervals: leave publish out",
        ),
        ({"person": "s"}, "method", "it counts records"),
        ({"method": {"name": "top_down", "places": 0}}, "method.places", "greater than"),
    ],
)
def test_what_does_not_go_with_it_is_refused(
    declared: dict[str, Any], where: str, what: str
) -> None:
    with pytest.raises(SpecError) as refused:
        small(**declared)
    found = {problem.where: problem.what for problem in refused.value.problems}
    assert what in found[where]


def test_some_columns_apart_are_refused() -> None:
    subsets = {"k": 2, "subsets": [{"columns": "age", "k": 3}]}
    columns = {"town": DECLARED["town"], "age": {}}
    spec = {"quasi_identifiers": columns, "privacy": subsets, "method": "top_down"}
    with pytest.raises(SpecError, match="all quasi-identifiers together"):
        sqlanon.parse_spec({"source": "people.csv", "release": "r", **spec})


def test_a_table_that_violates_a_model_as_one_class_is_refused() -> None:
    with pytest.raises(InfeasibleError, match="not even the most general values meet"):
        small(sensitive={"s": {"alpha": "1/2"}})
