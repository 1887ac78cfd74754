"""What is known beforehand of persons with several records, in releases against plain Python."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import oracle.background as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from servers import ENGINES, DuckDBPlace, Place, place
from support import Connection, database, examples, make_table, read, slow

import sqlanon
from sqlanon.errors import InfeasibleError

pytestmark = pytest.mark.slow

COLUMNS = {"who": "varchar", "age": "integer", "sex": "varchar", "ill ness": "varchar"}
DECLARED: dict[str, Any] = {
    "person": "who",
    "quasi_identifiers": ["age", "sex"],
    "suppression": {"records": "99/100"},
    "release": "out",
    "seed": 1,
}
Record = tuple[str, int | None, str | None, str | None]
PERSONS = st.lists(
    st.lists(
        st.tuples(
            st.sampled_from([20, 30, None]),
            st.sampled_from(["F", "M"]),
            st.sampled_from(["flu", "cold", "o'dd", None]),
        ),
        min_size=1,
        max_size=3,
    ),
    min_size=4,
    max_size=16,
)


def records_of(persons: list[list[tuple[Any, ...]]]) -> list[Record]:
    return [(f"ä{number}", *one) for number, own in enumerate(persons) for one in own]


def known_of(records: list[Record]) -> tuple[dict[Any, Any], dict[str, oracle.Distribution]]:
    """What is known of each combination, and of each person."""
    known = oracle.m_estimate([((age, sex), value) for _, age, sex, value in records], Fraction(1))
    own: dict[str, list[Any]] = defaultdict(list)
    for who, age, sex, _ in records:
        own[who].append((age, sex))
    return known, {who: oracle.of_person(tuples, known) for who, tuples in own.items()}


def released(connection: Connection, **declared: Any) -> tuple[Any, list[set[str]]]:
    """A release, and the persons of each class that a reader sees."""
    found: list[Any] = []

    def look(event: Any) -> None:
        if event.kind == "end" and event.number == event.total:
            query = "select p1, p2, w1 from sqlanon_beside join sqlanon_persons using (x0)"
            found.extend(connection.execute(query).fetchall())

    made = sqlanon.anonymize("t", connection=connection, **DECLARED, **declared, progress=look)
    made.close()
    classes: dict[Any, set[str]] = defaultdict(set)
    for *cells, who in found:
        classes[tuple(cells)].add(who)
    assert len(found) == len(read(connection, "out")[1])
    return made, list(classes.values())


def asked(j: str, k: int, **background: Any) -> dict[str, Any]:
    of = background or {"estimate": {"by": ["age", "sex"]}}
    return {"sensitive": {"ill ness": {"background": of, "bk": j}}, "privacy": {"k": k}}


@pytest.mark.parametrize("method", ["uhra", *slow("split_or_deal", "mondrian", "microaggregation")])
@examples(3, 40)
@given(PERSONS, st.sampled_from(["0.01", "0.1", "0.3"]), st.sampled_from([1, 2, 3]))
def test_persons_of_a_class_are_alike(
    method: str, persons: list[list[tuple[Any, ...]]], j: str, k: int
) -> None:
    """Who is published, how far apart those of a class lie, and what a reader then believes."""
    records = records_of(persons)
    _, own = known_of(records)
    most = int(Fraction(j) * 10**9)
    distinct: dict[Any, list[str]] = defaultdict(list)
    for who, one in own.items():
        distinct[frozenset(one.items())].append(who)
    alike = oracle.complete_linkage([dict(one) for one in distinct], most)
    groups = list(distinct.values())
    clusters = [{who for place in one for who in groups[place]} for one in alike]
    kept = {who for one in clusters if len(one) >= k for who in one}
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        left = [record for record in records if record[0] not in kept]
        if not kept or len(left) * 100 > len(records) * 99:
            with pytest.raises(InfeasibleError):
                released(connection, method=method, **asked(j, k))
            return
        made, classes = released(connection, method=method, **asked(j, k))
    there = {who for members in classes for who in members}
    assert there <= kept
    # A cluster is left out whole, where it shows the same as another one.
    assert all(one <= there or not one & there for one in clusters)
    assert all(len(members) >= k for members in classes)
    reached = max(oracle.furthest([own[who] for who in members]) for members in classes)
    assert reached <= most
    measured = made.measure("background_knowledge", "ill ness")
    assert measured == pytest.approx(reached / 1e9, abs=2e-9)
    priors, beliefs, gains = [], [], [Fraction(0)]
    for members in classes:
        pairs = sorted({(who, value) for who, *_, value in records if who in members}, key=repr)
        for (who, value), found in zip(
            pairs, oracle.beliefs([(own[who], value) for who, value in pairs]), strict=True
        ):
            priors.append(own[who][value])
            beliefs.append(found[value])
            gains += [found[one] - own[who][one] for one in found]
    for name, share in (
        ("prior", sum(priors) / len(priors)),
        ("belief", sum(beliefs) / len(beliefs)),
        ("gain", max(gains)),
    ):
        reached_here = made.measure(f"background_{name}", "ill ness")
        assert reached_here == pytest.approx(float(share), abs=3e-9)


@pytest.mark.parametrize("method", ["stack_and_deal", "random"])
def test_a_method_without_clusters_leaves_out_outliers_with_all_records(method: str) -> None:
    """The one old person of twelve stretches a class, and so do both records of another."""
    ages = [*(20 + number % 3 for number in range(11)), 90]
    records = [(f"p{who}", age, "FM"[who % 2], "flu") for who, age in enumerate(ages)]
    records += [("p10", 91, "F", "cold"), ("p1", 21, "M", "cold")]
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        made, classes = released(connection, method=method, **asked("1", 3))
    there = {who for members in classes for who in members}
    assert there == {f"p{who}" for who in range(10)}
    assert made.measure("suppressed_records") == 3


def test_a_background_that_is_read_is_of_persons_too() -> None:
    """The same probabilities from a table come to the same classes and figures."""
    records = records_of(
        [[(20, "F", "flu"), (30, "M", "cold")], [(20, "F", None)], [(30, "M", "flu")]] * 4
    )
    known, _ = known_of(records)
    rows = [(*u, value, float(p)) for u, one in known.items() for value, p in one.items()]
    table = {
        "table": "known",
        "columns": {"age": "years", "sex": "sex"},
        "value": "ill",
        "probability": "p",
    }
    found = []
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        types = {"years": "integer", "sex": "varchar", "ill": "varchar", "p": "double"}
        make_table(connection, "known", types, rows)
        for background in ({}, table):
            made, classes = released(connection, method="uhra", **asked("0.01", 2, **background))
            figures = ("background_knowledge", "background_belief", "background_gain")
            numbers = [made.measure(name, "ill ness") for name in figures]
            found.append((sorted(map(sorted, classes)), pytest.approx(numbers, abs=2e-9)))
            numbers_of = numbers
        assert found[0][0] == found[1][0]
        assert numbers_of == found[0][1]


def test_releases_that_follow_each_other_hold_it() -> None:
    """In each release of a series; and where classes that go on no longer do, nothing is out."""
    persons = [[(20 + 10 * (i % 2), "FM"[i % 3 % 2], ["flu", "cold"][i % 2])] for i in range(24)]
    records = records_of(persons)
    background = {"estimate": {"by": ["age"]}}
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        released(connection, method="uhra", series={}, **asked("0.1", 4, **background))
        later = {"method": "uhra", "connection": connection, **DECLARED, "release": "next"}
        make_table(connection, "t", COLUMNS, records[2:] + records_of(persons * 2)[24:32])
        series = {"after": "out"}
        made = sqlanon.anonymize("t", **later, series=series, **asked("0.1", 3, **background))
        made.close()
        reached = made.measure("background_knowledge", "ill ness")
        assert reached is not None
        assert reached <= 0.1
        # Of one of them another age is known: who shared a class are not alike any more.
        moved = [("ä0", 30, *records[0][2:]), *records[1:]]
        make_table(connection, "t", COLUMNS, moved)
        series = {"after": "out", "apart": "next"}
        with pytest.raises(InfeasibleError, match="background_knowledge of ill ness: asked for"):
            sqlanon.anonymize(
                "t",
                **{**later, "release": "third"},
                series=series,
                **asked("0.001", 3, **background),
            )


@pytest.mark.parametrize("engine", [one for one in ENGINES if one != "duckdb"])
def test_every_engine_makes_the_same_classes_of_persons(
    engine: str, urls: Mapping[str, str]
) -> None:
    persons = [
        [
            (20 + i % 3 * 10, "FM"[i % 2], ["flu", "o'dd", None][(i + n) % 3])
            for n in range(i % 3 + 1)
        ]
        for i in range(24)
    ]

    def figures(there: Place) -> list[float | None]:
        there.make_table("t", COLUMNS, records_of(persons))
        declared = {**DECLARED, "method": {"name": "uhra", "order": "curve"}, **asked("0.1", 3)}
        with sqlanon.anonymize("t", connection=there.connection, **declared) as made:
            names = ("knowledge", "prior", "belief", "gain")
            own = [made.measure(f"background_{name}", "ill ness") for name in names]
            return [*own, made.measure("k_anonymity"), made.measure("gcp")]

    with place(engine, urls) as there:
        assert figures(there) == pytest.approx(figures(DuckDBPlace()), abs=2e-9)
