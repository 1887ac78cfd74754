"""A greater k of some quasi-identifiers: held by every method and measured exactly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle.lattice import Column, Table
from support import Connection, Row, database, examples, make_table, multiset, read, select

import sqlanon
from sqlanon.api import verify
from sqlanon.clauses.subsets.stages import chains
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.measure.cover import Projected, asked_of_projections
from sqlanon.spec import parse_spec
from sqlanon.spec.clauses import CLAUSES

pytestmark = pytest.mark.slow

NAMES = ("age", "code", "sex")
KINDS = {"age": "integer", "code": "varchar", "sex": "varchar", "s": "varchar"}
FORMS: list[dict[str, Any]] = [
    {"age": {}, "code": {}, "sex": {}},
    {"age": {"publish": "bounds"}, "code": {"hierarchy": {"prefix": [2, 1]}}, "sex": {}},
    {
        "age": {"hierarchy": {"bands": [10]}, "publish": "lca"},
        "code": {"hierarchy": {"prefix": [2, 1]}, "publish": "level"},
        "sex": {"publish": "set"},
    },
]
VALUES = (
    st.sampled_from([None, 20, 21, 25, 33, 47]),
    st.sampled_from([None, "100", "101", "110", "200"]),
    st.sampled_from(["f", "m", None]),
    st.sampled_from(["a", "b", None]),
)


def least(rows: Sequence[Row], columns: Sequence[int]) -> int:
    """How many rows share the rarest tuple of some columns."""
    return min(Counter(tuple(row[at] for at in columns) for row in rows).values())


def places(names: Sequence[str], columns: Sequence[str]) -> list[int]:
    """Where a release shows some quasi-identifiers: a column each, or two."""
    return [at for at, name in enumerate(names) if name.removesuffix("_min") in columns]


@st.composite
def subsets(draw: st.DrawFn, most: int) -> list[dict[str, Any]]:
    """What is asked of some of the columns, at most so much."""
    wanted = [["age"], ["code"], ["sex", "age"], ["code", "sex"], ["age", "code"], ["sex"]]
    found = draw(st.lists(st.sampled_from(wanted), min_size=1, max_size=3, unique_by=tuple))
    return [{"columns": entry, "k": draw(st.integers(2, max(2, most)))} for entry in found]


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.parametrize(
    "method", ["mondrian", "stack_and_deal", pytest.param("split_or_deal", marks=pytest.mark.slow)]
)
@examples(1, 12, Phase.explicit, Phase.generate)
@given(data=st.data())
def test_what_is_published_of_some_columns_is_shared(method: str, data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.tuples(*VALUES), min_size=2, max_size=24))
    asked = data.draw(subsets(len(rows)))
    quasi = data.draw(st.sampled_from(FORMS))
    with database() as connection:
        make_table(connection, "people", KINDS, rows)
        made = sqlanon.anonymize(
            "people",
            connection=connection,
            quasi_identifiers=quasi,
            sensitive="s",
            privacy={"k": 1, "subsets": asked},
            method=method,
        )
        names, found = read(connection, "anonymized")
        bounds = {name.removesuffix("_max"): at for at, name in enumerate(names) if "_max" in name}
        for entry in asked:
            at = places(names, entry["columns"])
            at += [place for name, place in bounds.items() if name in entry["columns"]]
            reached = made.measure("k_anonymity", ", ".join(entry["columns"]))
            assert reached == least(found, at) >= entry["k"]
        assert len(found) == len(rows)


TOWNS = {"Bern": ["CH"], "Genf": ["CH"], "Linz": ["A"]}
SEXES: dict[str, list[str]] = {"f": [], "m": []}
TREES: dict[str, Any] = {
    "town": {"hierarchy": {"tree": {"*": {"CH": ["Bern", "Genf"], "A": ["Linz"]}}}},
    "sex": {"hierarchy": {"tree": {"*": ["f", "m"]}}},
    "home": {"hierarchy": {"tree": {"*": {"CH": ["Bern", "Genf"], "A": ["Linz"]}}}},
}


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.parametrize("method", ["optimal", "samarati", "incognito", "datafly"])
@examples(1, 12, Phase.explicit, Phase.generate)
@given(data=st.data())
def test_levels_are_those_that_enumeration_finds(method: str, data: st.DataObject) -> None:
    town, sex = st.sampled_from([None, *TOWNS]), st.sampled_from([None, *SEXES])
    rows = data.draw(st.lists(st.tuples(town, sex, town), min_size=2, max_size=14))
    k = data.draw(st.integers(1, 2))
    wanted = data.draw(
        st.lists(
            st.sampled_from([("town",), ("sex",), ("town", "sex"), ("home", "sex")]),
            min_size=1,
            max_size=2,
            unique=True,
        )
    )
    asked = [(entry, data.draw(st.integers(k + 1, max(k + 1, len(rows))))) for entry in wanted]
    limit = data.draw(st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(3, 4)]))
    columns = [Column(TOWNS), Column(SEXES), Column(TOWNS)]
    table = Table(
        rows,
        ["a"] * len(rows),
        columns,
        [(0, column.height) for column in columns],
        lambda values: len(values) >= k,
        limit,
        [([[*TREES].index(name) for name in entry], number) for entry, number in asked],
    )
    found = table.minimal() if method == "incognito" else table.all_satisfied()
    if method == "datafly":
        node = table.datafly()
        found = [] if node is None else [node]
    more: dict[str, Any] = {"suppression": {"records": str(limit)}} if limit else {}
    with database() as connection:
        make_table(connection, "people", dict.fromkeys(TREES, "varchar"), rows)
        declared: dict[str, Any] = {
            "quasi_identifiers": TREES,
            "privacy": {"k": k, "subsets": [{"columns": c, "k": n} for c, n in asked]},
            "method": method,
            **more,
        }
        if not found or any(number > len(rows) for _, number in asked):
            with pytest.raises(InfeasibleError):
                sqlanon.anonymize("people", connection=connection, **declared)
            return
        made = sqlanon.anonymize("people", connection=connection, **declared)
        judged = {node: table.judged(node) for node in found}
        height = 1 if method == "samarati" else 0
        best = judged[min(found, key=lambda node: (height * sum(node), judged[node].loss))]
        names, released = read(connection, "anonymized")
        for entry, number in asked:
            reached = made.measure("k_anonymity", ", ".join(entry))
            assert reached == least(released, places(names, entry)) >= number
        if method == "optimal":
            gcp = made.measure("gcp")
            assert gcp is not None
            assert gcp <= float(best.loss) + 1e-7
            assert len(rows) - len(released) <= limit * len(rows)
        if limit:
            _, reasons = read(connection, "anonymized__suppressed")
            assert sum(row[-1] for row in reasons) == len(rows) - len(released)


@pytest.fixture
def people() -> Any:
    """Two hundred records of a hundred persons."""
    with database() as connection:
        connection.execute(
            "create table people as select 20 + i % 40 as age, case when i % 13 > 0 then "
            "(100 + i % 25)::varchar end as code, ['f', 'm', null][1 + i % 3] as sex, "
            "'d' || i % 3 as s, i // 2 as pid from range(200) t(i)"
        )
        yield connection


DECLARED: dict[str, Any] = {
    "source": {"table": "people"},
    "release": "anonymized",
    "quasi_identifiers": {"age": {"publish": "bounds"}, "code": {}, "sex": {}},
    "sensitive": "s",
    "privacy": {"k": 4, "subsets": [{"columns": ["age", "code"], "k": 20}]},
    "method": "mondrian",
}


@pytest.mark.further
def test_persons_are_counted_where_they_are_declared(people: Connection) -> None:
    """A person has two records, and they are of two ages: both show the same."""
    made = sqlanon.anonymize(parse_spec({**DECLARED, "person": "pid"}), connection=people)
    reached = made.measure("k_anonymity", "age, code")
    names, rows = read(people, "anonymized")
    at = [index for index, name in enumerate(names) if name in ("age_min", "age_max", "code")]
    assert reached == least(rows, at) / 2 >= 20


@pytest.mark.further
@pytest.mark.slow
def test_check_certificate_and_reports_know_of_it(people: Connection) -> None:
    spec = parse_spec(DECLARED)
    made = sqlanon.anonymize(spec, connection=people)
    found = sqlanon.check("anonymized", spec=spec, connection=people)
    assert found.passed
    reached = found.measure("k_anonymity", "age, code")
    assert reached == made.measure("k_anonymity", "age, code")
    certificate = made.certificate()
    again = verify(certificate, "anonymized", connection=people)
    assert again.passed
    assert ("k_anonymity", "age, code") in {(o.measure, o.attribute) for o in again.confirmed}
    assert [edge.attribute for edge in made.why().edges][:2] == [None, "age, code"]
    names, _ = read(people, "anonymized__classes")
    assert "age_code_k_anonymity" in names
    people.execute("update anonymized set code = '{100, 101}' where rowid = 0")
    assert not sqlanon.check("anonymized", spec=spec, connection=people).passed


def test_a_table_of_anybody_is_measured(people: Connection) -> None:
    found = sqlanon.check(
        "people",
        connection=people,
        quasi_identifiers=["age", "sex"],
        privacy={"subsets": [{"columns": "sex", "k": 67}]},
    )
    assert found.measure("k_anonymity", "sex") == 66
    (short,) = found.shortfalls
    assert (short.model, short.attribute) == ("k_anonymity", "sex")
    assert short.records == 66


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([{"columns": [], "k": 20}], "subsets.0.columns: it must not be empty"),
        ([{"columns": "aeg", "k": 20}], "'aeg' is no quasi-identifier; did you mean 'age'?"),
        ([{"columns": "s", "k": 20}], "'s' is no quasi-identifier: the spec has it in sensitive"),
        ([{"columns": ["age", "age"], "k": 20}], "subsets.0.columns: it names 'age' twice"),
        ([{"columns": [*NAMES], "k": 20}], "these are all quasi-identifiers"),
        ([{"columns": "age", "k": 4}], "subsets.0.k: it is no more than privacy.k, 4"),
        ([{"columns": "age"}], "subsets.0.k: it is missing"),
        ([{"colums": "age", "k": 5}], "subsets.0.colums: unknown key; did you mean 'columns'?"),
        ([3], "subsets.0: it must be a mapping such as {columns: [age, zip], k: 20}"),
        ("age", "subsets: it must be a list such as [{columns: [age, zip], k: 20}]"),
        (
            [{"columns": ["age", "sex"], "k": 9}, {"columns": ["sex", "age"], "k": 8}],
            "subsets.1.columns: privacy.subsets.0 has the same columns",
        ),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(given: Any, said: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec({**DECLARED, "privacy": {"k": 4, "subsets": given}})
    assert said in str(caught.value)


CENTROIDS = {
    **DECLARED,
    "quasi_identifiers": {"age": {"publish": "mean"}, "code": {"publish": "mode"}, "sex": {}},
    "method": "mondrian",
}


@pytest.mark.parametrize(("columns", "apart"), [("age", "mean"), (["sex", "code"], "mode")])
def test_centroids_tell_classes_apart(columns: Any, apart: str) -> None:
    asked = {"k": 4, "subsets": [{"columns": columns, "k": 20}]}
    with pytest.raises(SpecError, match=f"subsets.0.columns: .* is published as the {apart} of"):
        parse_spec({**CENTROIDS, "privacy": asked})


@pytest.mark.parametrize("columns", ["age", ["sex", "code"]])
def test_the_gate_counts_them_too(
    people: Connection, columns: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    unheld = replace(CLAUSES["subsets"], problems=lambda spec: iter(()))
    monkeypatch.setitem(CLAUSES, "subsets", unheld)
    asked = {"k": 4, "subsets": [{"columns": columns, "k": 20}]}
    with pytest.raises(InfeasibleError, match=r"k_anonymity of .*: asked for 20, reached [4-9] "):
        sqlanon.anonymize(parse_spec({**CENTROIDS, "privacy": asked}), connection=people)


@pytest.mark.sampled
@pytest.mark.parametrize("form", ["mean", "median", "mode"])
def test_centroids_of_other_columns_are_of_the_records(people: Connection, form: str) -> None:
    quasi = {"age": {"publish": form}, "code": {"publish": "mode"}, "sex": {}}
    shown = []
    for subsets in ([], [{"columns": "sex", "k": 60}]):
        declared = {
            **CENTROIDS,
            "quasi_identifiers": quasi,
            "privacy": {"k": 4, "subsets": subsets},
        }
        sqlanon.anonymize(parse_spec(declared), connection=people)
        shown.append(multiset(select(people, "select age, code from anonymized")[1]))
    assert shown[0] == shown[1]


def test_more_than_there_are_is_refused(people: Connection) -> None:
    asked = {"k": 4, "subsets": [{"columns": "age", "k": 201}]}
    with pytest.raises(InfeasibleError, match=r"subsets.0.k is 201, the source has only 200 rec"):
        sqlanon.anonymize(parse_spec({**DECLARED, "privacy": asked}), connection=people)
    persons = {**DECLARED, "privacy": {"k": 4, "subsets": [{"columns": "age", "k": 101}]}}
    with pytest.raises(InfeasibleError, match="has only 100 persons"):
        sqlanon.anonymize(parse_spec({**persons, "person": "pid"}), connection=people)


def test_subsets_with_columns_in_common_are_one_chain() -> None:
    def asked(*columns: tuple[str, int]) -> list[Projected]:
        some = [{"columns": list(names), "k": k} for names, k in columns]
        quasi = list("abcdef")
        given = {**DECLARED, "quasi_identifiers": quasi, "privacy": {"k": 1, "subsets": some}}
        return list(asked_of_projections(parse_spec(given)))

    found = chains(asked(("ab", 9), ("cd", 5), ("bc", 7), ("e", 3)))
    assert [[projection.k for projection in chain] for chain in found] == [[5, 7, 9], [3]]
