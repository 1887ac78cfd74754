"""k-map and δ-presence: what published cells cover of a population, held and measured."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle.lattice import Column
from oracle.population import Asked, Nodes, in_bounds, in_interval, in_set, reached, under
from support import Connection, Row, database, examples, make_table, read

import sqlanon
from sqlanon.api import verify
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.spec import parse_spec

pytestmark = pytest.mark.slow

TOWNS = {"Bern": ["CH"], "Genf": ["CH"], "Linz": ["A"]}
SEXES: dict[str, list[str]] = {"f": [], "m": []}
TREES: dict[str, Any] = {
    "town": {"hierarchy": {"tree": {"*": {"CH": ["Bern", "Genf"], "A": ["Linz"]}}}},
    "sex": {"hierarchy": {"tree": {"*": ["f", "m"]}}},
}
PEOPLE = st.lists(
    st.tuples(st.sampled_from([None, *TOWNS]), st.sampled_from([None, *SEXES])),
    min_size=1,
    max_size=24,
)
LATTICE = ("optimal", "samarati", "incognito", "datafly")


def tables(
    connection: Connection, kinds: Mapping[str, str], people: Sequence[Row], number: int
) -> None:
    """The population, and its first persons as those who are released."""
    make_table(connection, "voters", kinds, people)
    make_table(connection, "patients", kinds, people[:number])


def figure(made: Any, name: str) -> float:
    """What was measured."""
    found = made.measure(name)
    assert isinstance(found, float)
    return found


def figures(made: Any) -> dict[str, float]:
    """What was measured beside the population."""
    return {text: figure(made, text) for text in ("k_map", "least_presence", "most_presence")}


def test_the_oracle_in_numbers_worked_by_hand() -> None:
    """Two of five in Bern and one of one in Linz: alone, a tuple of one; in all, three of six."""
    people = [("Bern",)] * 5 + [("Linz",)]
    records = [("Bern",), ("Bern",), ("Linz",)]
    columns = [Column(TOWNS)]
    half = Nodes(records, people, columns, Asked(2, Fraction(0), Fraction(1, 2)), 1, Fraction(0))
    assert half.left_out((0,)) == [("Linz",)]
    assert half.left_out((2,)) == []
    assert dict(half.satisfied()) == {(2,): 1}
    assert reached([(2, 5), (1, 1)]) == {
        "k_map": 1,
        "least_presence": Fraction(2, 5),
        "most_presence": 1,
    }


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", LATTICE)
@examples(2, 16, Phase.explicit, Phase.generate)
@given(data=st.data())
def test_levels_are_those_that_enumeration_finds(method: str, data: st.DataObject) -> None:
    people = data.draw(PEOPLE)
    number = data.draw(st.integers(1, len(people)))
    k_map, k = data.draw(st.integers(1, len(people))), data.draw(st.integers(1, 2))
    shares = data.draw(
        st.lists(st.fractions(0, 1, max_denominator=6), min_size=2, max_size=2).map(sorted)
    )
    most = shares[1] or Fraction(1)
    limit = data.draw(st.sampled_from([Fraction(0), Fraction(1, 4), Fraction(3, 4)]))
    columns = [Column(TOWNS), Column(SEXES)]
    asked = Asked(k_map, shares[0], most)
    found = dict(Nodes(people[:number], people, columns, asked, k, limit).satisfied())
    population = {"source": "voters", "k_map": k_map, "presence": [shares[0], most]}
    declared: dict[str, Any] = {
        "quasi_identifiers": TREES,
        "privacy": {"k": k, "population": population},
        "method": method,
        **({"suppression": {"records": str(limit)}} if limit else {}),
    }
    with database() as connection:
        tables(connection, dict.fromkeys(TREES, "varchar"), people, number)
        if not found or k > number:
            with pytest.raises(InfeasibleError):
                sqlanon.anonymize("patients", connection=connection, **declared)
            return
        if method == "datafly" and not isinstance(
            failure := attempt(connection, declared), dict
        ):  # it stops at the first node on its way, and may come to none
            assert isinstance(failure, InfeasibleError)
            return
        made = sqlanon.anonymize("patients", connection=connection, **declared)
        _, rows = read(connection, "anonymized")
        tuples = [
            (
                records,
                sum(under(TOWNS, shown[0], t) and under(SEXES, shown[1], s) for t, s in people),
            )
            for shown, records in Counter(rows).items()
        ]
        assert figures(made) == pytest.approx(reached(tuples))
        assert all(asked.holds(*one) for one in tuples)
        assert number - len(rows) <= limit * number
        if method in ("optimal", "incognito"):
            assert figure(made, "gcp") <= float(min(found.values())) + 1e-7


def attempt(connection: Connection, declared: Mapping[str, Any]) -> dict[str, float] | Exception:
    """What is measured of a release, or what refuses it."""
    try:
        return figures(sqlanon.anonymize("patients", connection=connection, **declared))
    except InfeasibleError as error:
        return error


FORMS: list[tuple[dict[str, Any], Callable[[Row, Row], bool]]] = [
    (
        {"age": {}, "town": {}},
        lambda shown, one: in_interval(shown[0], one[0]) and in_set(shown[1], one[1]),
    ),
    (
        {"age": {"publish": "bounds"}, "town": TREES["town"]},
        lambda shown, one: in_bounds(shown[:2], one[0]) and under(TOWNS, shown[2], one[1]),
    ),
]


@pytest.mark.sampled
@pytest.mark.parametrize("method", ["stack_and_deal", "mondrian"])
@pytest.mark.parametrize("place", range(len(FORMS)))
@examples(2, 16, Phase.explicit, Phase.generate)
@given(data=st.data())
def test_cells_of_any_form_cover_who_lies_in_them(
    method: str, place: int, data: st.DataObject
) -> None:
    age = st.sampled_from([None, 20, 21, 25, 33, 47])
    people = data.draw(
        st.lists(st.tuples(age, st.sampled_from([None, *TOWNS])), min_size=1, max_size=30)
    )
    number = data.draw(st.integers(1, len(people)))
    k = data.draw(st.integers(1, min(4, number)))
    quasi, covers = FORMS[place]
    with database() as connection:
        tables(connection, {"age": "integer", "town": "varchar"}, people, number)
        made = sqlanon.anonymize(
            "patients",
            connection=connection,
            quasi_identifiers=quasi,
            privacy={"k": k, "population": {"source": "voters", "k_map": k}},
            method=method,
        )
        _, rows = read(connection, "anonymized")
    tuples = [
        (records, sum(covers(shown, one) for one in people))
        for shown, records in Counter(rows).items()
    ]
    assert figures(made) == pytest.approx(reached(tuples))


def test_bounds_cover_who_lies_between_them() -> None:
    """A value that the population alone has lies between two of the source."""
    ages = [20, 22, 30, 33, 21, 25, 31, None]
    with database() as connection:
        tables(connection, {"age": "integer"}, [(one,) for one in ages], 4)
        made = sqlanon.anonymize(
            "patients",
            connection=connection,
            quasi_identifiers={"age": {"publish": "bounds"}},
            privacy={"k": 2, "population": {"source": "voters", "k_map": 2}},
            method="mondrian",
        )
        _, rows = read(connection, "anonymized")
    assert Counter(rows) == {(20, 22): 2, (30, 33): 2}
    covered = [sum(in_bounds(shown, one) for one in ages) for shown in Counter(rows)]
    assert covered == [3, 3]
    assert made.measure("k_map") == 3
    assert made.measure("most_presence") == pytest.approx(2 / 3)


@pytest.fixture
def voters() -> Any:
    """A hundred and twenty persons, of whom twelve are patients."""
    with database() as connection:
        connection.execute(
            "create table voters as select (20 + i % 20)::integer as age, "
            "case when i % 2 = 0 then 'f' else 'm' end as sex, "
            "case when i % 3 > 0 then 'Bern' else 'Linz' end as town from range(120) t(i)"
        )
        connection.execute("create table patients as select * from voters limit 12")
        yield connection


QUASI: dict[str, Any] = {**TREES, "age": {"hierarchy": {"bands": [5, 10]}}}
DECLARED: dict[str, Any] = {
    "source": {"table": "patients"},
    "release": "anonymized",
    "quasi_identifiers": QUASI,
    "privacy": {"k": 1, "population": {"source": "voters", "k_map": 4}},
    "method": "optimal",
}


def with_population(**changes: Any) -> dict[str, Any]:
    """What is declared, with another population."""
    own = DECLARED["privacy"]["population"]
    return {**DECLARED, "privacy": {"k": 1, "population": {**own, **changes}}}


def test_a_tuple_of_one_record_is_published_where_enough_others_could_be_it(
    voters: Connection,
) -> None:
    made = sqlanon.anonymize(parse_spec(DECLARED), connection=voters)
    assert made.measure("k_anonymity") == 1
    assert figure(made, "k_map") >= 4
    alike = sqlanon.anonymize(
        parse_spec({**DECLARED, "privacy": {**DECLARED["privacy"], "k": 4}}), connection=voters
    )
    assert figure(alike, "gcp") > figure(made, "gcp")


def test_every_person_of_the_population_may_be_asked_for(voters: Connection) -> None:
    made = sqlanon.anonymize(parse_spec(with_population(k_map=120)), connection=voters)
    assert figures(made) == {
        "k_map": 120,
        "least_presence": pytest.approx(0.1),
        "most_presence": pytest.approx(0.1),
    }
    with pytest.raises(InfeasibleError, match="k_map is 121, the population has only 120 rows"):
        sqlanon.anonymize(parse_spec(with_population(k_map=121)), connection=voters)


def test_a_release_is_checked_beside_its_population(voters: Connection) -> None:
    spec = parse_spec(with_population(presence=[0, "1/2"]))
    made = sqlanon.anonymize(spec, connection=voters)
    found = sqlanon.check("anonymized", spec=spec, connection=voters)
    assert found.passed
    assert found.measure("k_map") == made.measure("k_map")
    certificate = made.certificate()
    assert certificate.privacy["population"] == {"k_map": 4, "presence": ["0", "1/2"]}
    asked = {measure.measure: measure.basis for measure in certificate.measures}
    assert asked["k_map"] == asked["most_presence"] == "run"
    assert "population" in verify(certificate, "anonymized", connection=voters).unknown["k_map"]
    voters.execute("create or replace table voters as select * from voters limit 30")
    assert not sqlanon.check("anonymized", spec=spec, connection=voters).passed
    voters.execute("create or replace table voters as select * from voters limit 3")
    more = parse_spec(with_population(k_map=1))
    with pytest.raises(SpecError, match="the released persons are to be of the population, and"):
        sqlanon.check("anonymized", spec=more, connection=voters)


def test_others_read_what_is_asked_of_a_population_and_not_where_it_lies(
    voters: Connection, tmp_path: Path
) -> None:
    made = sqlanon.anonymize(parse_spec(DECLARED), connection=voters)
    own, given = (
        made.report(tmp_path / f"{external}.html", external=external).read_text(encoding="utf-8")
        for external in (False, True)
    )
    assert "population source table voters, skip 0, k_map 4" in own
    assert "population k_map 4" in given
    assert "voters" not in given


def test_a_check_measures_nothing_that_only_the_publisher_knows(voters: Connection) -> None:
    """Of background knowledge the run alone tells; a population others may have, too."""
    declared = {
        **DECLARED,
        "privacy": {**DECLARED["privacy"], "k": 2},
        "quasi_identifiers": {name: QUASI[name] for name in ("sex", "age")},
        "sensitive": {"town": {"background": {"estimate": {"by": ["sex"]}}}},
    }
    made = sqlanon.anonymize(parse_spec(declared), connection=voters)
    assert made.measure("background_gain", "town") is not None
    found = sqlanon.check("anonymized", spec=parse_spec(declared), connection=voters)
    assert found.passed
    assert found.measure("k_map") == made.measure("k_map")
    assert "background_gain" not in {metric.metric for metric in found.measures}


def test_a_file_counts_from_the_folder_of_the_spec(voters: Connection, tmp_path: Path) -> None:
    voters.execute(f"copy voters to '{tmp_path / 'voters.csv'}' (header)")
    declared = with_population(source={"file": "voters.csv", "columns": {"age": "integer"}})
    voters.execute("alter table patients alter age type bigint")
    made = sqlanon.anonymize(parse_spec(declared, folder=tmp_path), connection=voters)
    assert figure(made, "k_map") >= 4


@pytest.mark.parametrize(
    ("query", "what"),
    [
        ("select age, sex from voters", "it has no column 'town'"),
        ("select age::varchar as age, sex, town from voters", "'age' is VARCHAR there and INTEGER"),
        ("select * from voters where age > 90", "it has no rows"),
        ("select * replace ('Rome' as town) from voters", "does not cover 1 of the column's 3"),
        ("select * from nowhere", "it cannot be read"),
    ],
)
def test_a_population_that_does_not_fit_is_refused(
    voters: Connection, query: str, what: str
) -> None:
    spec = parse_spec(with_population(source={"query": query}))
    with pytest.raises(SpecError, match=what) as error:
        sqlanon.anonymize(spec, connection=voters)
    assert "Rome" not in str(error.value)


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"method": "mondrian"}, "privacy.population.k_map: mondrian cannot test k-map"),
        ({"publish": "anatomy", "sensitive": {"s": {"l": 2}}}, "privacy.population: anatomy"),
        (
            {"quasi_identifiers": {"age": {"publish": "mean"}}, "method": "microaggregation"},
            "quasi_identifiers.age.publish: a mean does not say",
        ),
        ({"privacy": {"k": 1, "population": {"k_map": 4}}}, "privacy.population.source"),
        ({"privacy": {"k": 1, "population": {"source": "voters"}}}, "it must ask for k_map"),
        ({"privacy": {"k": 1, "population": "voters"}}, "it must be a mapping such as"),
        (
            {"privacy": {"k": 1, "population": {"source": "voters", "kmap": 4}}},
            "privacy.population.kmap: unknown key; did you mean 'k_map'",
        ),
        (
            {"privacy": {"k": 1, "population": {"source": "voters", "presence": [1, 0]}}},
            "privacy.population.presence: it must be the least and the greatest share",
        ),
        (
            {
                "privacy": {
                    **DECLARED["privacy"],
                    "subsets": [{"columns": "age", "k": 2}],
                }
            },
            "privacy.population: a search holds classes either to this or to privacy.subsets",
        ),
    ],
)
def test_what_does_not_go_with_a_population_is_refused(changes: Any, where: str) -> None:
    with pytest.raises(SpecError) as error:
        parse_spec({**DECLARED, **changes})
    assert where in str(error.value)
