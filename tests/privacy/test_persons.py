"""Where several records are about one person, k, l and t count persons: against plain Python."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import privacy as oracle
from support import (
    DEALT,
    Connection,
    at,
    database,
    examples,
    facts,
    make_table,
    multiset,
    read,
    refused,
    relations,
    select,
)

import sqlanon
from sqlanon.errors import EngineError, InfeasibleError, SpecError
from sqlanon.session import Event
from sqlanon.spec import parse_spec
from sqlanon.sql.names import Relation
from sqlanon.sql.templates import load_template

pytestmark = pytest.mark.slow

COLUMNS = {"who": "varchar", "born": "integer", "age": "integer", "sex": "varchar"}
COLUMNS |= {"disease": "varchar", "pay": "integer", "ward": "varchar"}
ROLES: dict[str, Any] = {"quasi_identifiers": {"age": {}, "sex": {}}, "person": "who"}
WARD = {"ward": {"accept": "known to all"}}
VISITS = """
create table visits as
select
    'p' || i % 37 as who,
    i % 37 as born,
    (20 + i % 37 + case when i % 11 = 0 then 1 else 0 end)::integer as age,
    case when i % 37 < 20 then 'f' else 'm' end as sex,
    'd' || (i * 7 % 5) as disease,
    (i * i % 9)::integer as pay,
    'w' || i % 3 as ward
from range(150) as t(i)
"""


@pytest.fixture
def visits() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(VISITS)
    return connection


def published(connection: Connection, **declared: Any) -> tuple[sqlanon.Release, list[Any]]:
    """Make a release; its rows as they stand beside the persons: age, sex, sensitive, person."""
    seen: list[Any] = []

    def look(event: Event) -> None:
        if event.kind == "end" and event.number == event.total:
            beside, persons = (
                read(connection, f"sqlanon_{name}")[0] for name in ("beside", "persons")
            )
            columns = [column for column in beside if column[0] in "ps"]
            columns += [column for column in persons if column[0] == "w"]
            query = f"select {', '.join(columns)} from sqlanon_beside"
            seen.extend(select(connection, f"{query} join sqlanon_persons using (x0)")[1])

    made = sqlanon.anonymize("visits", connection=connection, progress=look, **declared)
    return made, seen


def holds_for_persons(connection: Connection, rows: list[Any], made: Any, sensitive: int) -> None:
    """The oracle: of what was published, with the person in the last column of each row."""
    names = ["disease", "pay"][:sensitive]
    columns, released = read(connection, "anonymized")
    assert "who" not in columns
    assert multiset([row[:-1] for row in rows]) == multiset(
        [row[: 2 + sensitive] for row in released]
    )
    source = select(connection, f"select who, age, {', '.join(names) or '1'} from visits")[1]
    ours = [(row[-1], *row[2:-1]) for row in rows]
    assert multiset(ours) == multiset([(row[0], *row[2 : 2 + sensitive]) for row in source])

    class_of: dict[Any, Any] = {}
    for row in rows:
        assert class_of.setdefault(row[-1], row[:2]) == row[:2], "a person in two classes"
    for who, age, *_ in source:
        low, *high = class_of[who][0].strip("[]").split(", ")
        assert int(low) <= age <= int((high or [low])[0])

    members = defaultdict(set)
    for who, shown in class_of.items():
        members[shown].add(who)
    sizes = [len(persons) for persons in members.values()]
    assert made.measure("k_anonymity") == min(sizes)
    for index, name in enumerate(names):
        pairs = {
            shown: {(r[-1], r[2 + index]) for r in rows if r[:2] == shown} for shown in members
        }
        values = [[value for _, value in found] for found in pairs.values()]
        everything = list({(row[0], row[2 + index]) for row in source})
        reference = [value for _, value in everything]
        counts = [Counter(value) for value in values]
        share = max(
            Fraction(max(one.values()), len(members[shown]))
            for shown, one in zip(members, counts, strict=True)
        )
        assert made.measure("alpha", name) == pytest.approx(float(share))
        owned = [holdings(found) for found in pairs.values()]
        distinct = min(oracle.distinct_l_of_persons(owned))
        assert made.measure("distinct_l", name) == pytest.approx(float(distinct))
        if name == "disease":
            t = oracle.emd_equal(values, reference).maximum
        else:
            t = oracle.emd_ordered(values, reference, sorted(set(reference))).maximum
        assert made.measure("t_closeness", name) == pytest.approx(float(t))
        entropies = [
            -math.fsum(float(one) * math.log(one) for one in oracle.shares_of_persons(persons))
            for persons in owned
        ]
        assert made.measure("entropy_l", name) == pytest.approx(math.exp(min(entropies)))
        asked = [measure for measure in made.measures if measure.metric == "recursive_l"]
        for one in (one for one in asked if one.attribute == name):
            assert one.value == pytest.approx(float(max(map(head_over_tail, owned))))


def holdings(pairs: Collection[tuple[Any, Any]]) -> list[frozenset[Any]]:
    """The values of every person, of the pairs of a class."""
    found = defaultdict(set)
    for who, value in pairs:
        found[who].add(value)
    return [frozenset(one) for one in found.values()]


def head_over_tail(persons: Sequence[frozenset[Any]]) -> Fraction:
    """The greatest share of a class over all others together: recursive l of (c, 2)."""
    first, *others = oracle.shares_of_persons(persons)
    return first / sum(others)


ASKED: list[dict[str, Any]] = [
    {},
    {"t": "0.4"},
    {"l": {"distinct": 2, "entropy": 2}, "alpha": "0.8"},
    {"l": {"recursive": {"c": 3, "l": 2}}},
]


@st.composite
def tables(draw: st.DrawFn) -> list[Any]:
    """Records of a few persons; some differ in their age, and most in their values."""
    found = []
    for number in range(draw(st.integers(1, 9))):
        age, sex = draw(st.integers(20, 26)), draw(st.sampled_from("fm"))
        for _ in range(draw(st.integers(1, 3))):
            older = age + draw(st.sampled_from([0, 0, 0, 1]))
            disease = draw(st.sampled_from(["flu", "flu", "cold", "gout"]))
            found.append((f"p{number}", number, older, sex, disease, draw(st.integers(0, 4)), "w"))
    return found


@pytest.mark.slow
@examples(5, 25)
@given(
    tables(),
    st.integers(1, 4),
    st.integers(0, 2),
    st.sampled_from(["none", "none", "curve", "stripes"]),
    st.sampled_from(ASKED),
    st.integers(0, 3),
)
def test_what_is_published_holds_for_persons(
    rows: list[Any], k: int, sensitive: int, locality: str, asked: dict[str, Any], seed: int
) -> None:
    """And is refused where a model does not hold for persons; k alone only where they are few."""
    if not sensitive:
        asked = {}
    roles = {"disease": {}, "pay": {"distance": "ordered"}}
    chosen = {name: roles[name] for name in list(roles)[:sensitive]}
    method: dict[str, Any] = {"locality": locality} if locality != "none" else {"stack": None}
    if locality == "stripes":
        method["stripe"] = 4
    declared = {**ROLES, "sensitive": chosen, "k": k, "seed": seed, **asked}
    persons = len({row[0] for row in rows})
    with database() as connection:
        make_table(connection, "visits", COLUMNS, rows)
        error: InfeasibleError | None = None
        try:
            made, beside = published(
                connection, **declared, method={"name": "stack_and_deal", **method}
            )
        except InfeasibleError as raised:
            error = raised
        if error is not None:
            assert relations(connection) == {"visits"}
            too_few = "k-anonymity cannot be reached: k is" in str(error)
            assert too_few == (persons < k)
            assert too_few or (asked and error.shortfalls)
            assert not any("k_anonymity" in str(shortfall) for shortfall in error.shortfalls)
            return
        assert persons >= k
        holds_for_persons(connection, beside, made, sensitive)
        for name in chosen:
            if "t" in asked:
                assert (made.measure("t_closeness", name) or 0) <= 0.4 + 1e-12
            if "l" in asked:
                assert (made.measure("alpha", name) or 1) < 1, "a value is certain of somebody"
                if "distinct" in asked["l"]:
                    assert (made.measure("distinct_l", name) or 0) >= 2


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.parametrize(
    ("method", "asked"),
    [
        ("deal_tree", {"k": 3, "l": {"recursive": {"c": 20, "l": 2}}}),
        pytest.param(
            {"name": "split_or_deal", "refine": 1}, {"k": 3, "t": 0.25}, marks=pytest.mark.slow
        ),
        ({"name": "split_or_deal", "refine": 0}, {"k": 2, "l": {"distinct": 3, "entropy": 2}}),
        pytest.param("mondrian", {"k": 2, "l": 2}, marks=pytest.mark.slow),
    ],
)
def test_searches_count_persons(
    method: Any, asked: dict[str, Any], visits: duckdb.DuckDBPyConnection
) -> None:
    visits.execute(
        "update visits set disease = 'd' || (born + (ward = 'w0')::integer) % 9, "
        "pay = (born + 2 * (ward = 'w1')::integer) % 8"
    )
    sensitive = {"disease": {}, "pay": {"distance": "ordered"}}
    declared = {**ROLES, "sensitive": sensitive, "insensitive": WARD, "method": method, **asked}
    made, beside = published(visits, **declared)
    holds_for_persons(visits, beside, made, 2)
    assert (made.measure("classes") or 0) > 1
    assert facts(visits)["persons"] == "37"
    if method != "deal_tree":
        assert json.loads(facts(visits)["classes_joined"])[-1] == made.measure("classes")
    script = sqlanon.compile("visits", connection=visits, release="scripted", **declared)
    visits.cursor().execute(script)
    assert read(visits, "scripted") == read(visits, "anonymized")


@pytest.mark.further
def test_classes_that_fall_short_by_all_values_are_joined(
    visits: duckdb.DuckDBPyConnection,
) -> None:
    """One record of each person says nothing of the others': with alpha most classes violate it."""
    declared = {**ROLES, "sensitive": {"disease": {"alpha": 0.9}}, "k": 2}
    made, beside = published(visits, **declared, method={"name": "split_or_deal", "refine": 0})
    counted = json.loads(facts(visits)["classes_joined"])
    assert counted[0] > counted[-1]
    assert (made.measure("alpha", "disease") or 1) <= 0.9
    holds_for_persons(visits, beside, made, 1)


@pytest.mark.parametrize(
    ("fails", "reach", "merged"),
    [
        ([0, 1, 0, 0], 0, [1, 2, 2, 3]),
        ([0, 1, 1, 0], 0, [1, 2, 2, 3]),
        ([1, 1, 1, 0, 0], 0, [1, 1, 2, 2, 3]),
        ([0, 0, 1], 0, [1, 2, 2]),
        ([1, 1, 1], 0, [1, 1, 1]),
        ([0, 0, 0, 1, 0, 0], 1, [1, 2, 3, 3, 3, 4]),
        ([0, 0, 0, 0, 1, 0, 0, 0, 0], 2, [1, 2, 3, 3, 3, 3, 3, 4, 5]),
    ],
)
def test_which_classes_are_joined(fails: list[int], reach: int, merged: list[int]) -> None:
    """Every one that violates it gets larger, and what holds is left alone where it can be."""
    template = load_template("groups/merged")
    names = {"group_classes": Relation("now"), "group_states": Relation("states")}
    with database() as connection:
        numbers = list(range(3, 3 + 2 * len(fails), 2))
        make_table(
            connection,
            "now",
            {"class_id": "bigint", "number": "bigint"},
            [(index, number) for index, number in enumerate(numbers)],
        )
        make_table(
            connection,
            "states",
            {"number": "bigint", "cluster": "integer", "fails": "integer"},
            [(number, 0, one) for number, one in zip(numbers, fails, strict=True)],
        )
        found: dict[int, int] = dict(
            select(connection, template.render(names, {"reach": reach}))[1]
        )
    ours = [found[place] for place in range(len(fails))]
    assert [1 + sorted(set(ours)).index(number) for number in ours] == merged


def test_one_person_with_all_records_is_one_person(visits: duckdb.DuckDBPyConnection) -> None:
    visits.execute("update visits set who = 'one'")
    declared = {**ROLES, "sensitive": ["disease"], **DEALT}
    error = refused(InfeasibleError, "visits", connection=visits, k=2, **declared)
    assert "k is 2, the source has only 1 person; lower k" in str(error)
    made, beside = published(visits, k=1, **declared)
    assert made.measure("k_anonymity") == 1
    assert len({row[:2] for row in beside}) == 1


def test_records_without_a_person_are_refused(visits: duckdb.DuckDBPyConnection) -> None:
    """They may be one person's, or several's: nobody can say."""
    visits.execute("update visits set who = null where pay = 4")
    number = select(visits, "select count(*) from visits where who is null")[1][0][0]
    for person in ("who", ["born", "who"]):
        declared = {**ROLES, "person": person, "sensitive": ["disease"], **DEALT}
        error = refused(SpecError, "visits", connection=visits, k=2, **declared)
        assert f"person: {number} records do not say whom they are about" in str(error)
    assert relations(visits) == {"visits"}


def test_a_person_may_be_named_by_several_columns(visits: duckdb.DuckDBPyConnection) -> None:
    declared = {**ROLES, "person": ["sex", "born"], "sensitive": ["disease"], **DEALT}
    with pytest.raises(SpecError, match="sex: the column is already in quasi_identifiers"):
        sqlanon.anonymize("visits", connection=visits, k=2, **declared)
    declared["person"] = ["born", "ward"]
    made, _ = published(visits, k=2, **declared)
    assert facts(visits)["persons"] == "111"
    assert (made.measure("k_anonymity") or 0) >= 2


def test_an_identifier_of_several_persons_is_refused(visits: duckdb.DuckDBPyConnection) -> None:
    """It may be the person; within one person's records it repeats as it should."""
    declared = {**ROLES, "sensitive": ["disease"], "k": 2, **DEALT}
    sqlanon.anonymize("visits", connection=visits, identifiers=["born"], **declared)
    error = refused(SpecError, "visits", connection=visits, identifiers=["ward"], **declared)
    assert "identifiers.ward: 3 values among 111 persons: several persons share one" in str(error)


def test_without_person_a_release_of_visits_is_refused(
    visits: duckdb.DuckDBPyConnection,
) -> None:
    declared = {"quasi_identifiers": ["age", "sex"], "sensitive": ["disease"], "k": 2, **DEALT}
    error = refused(SpecError, "visits", connection=visits, identifiers=["who"], **declared)
    assert "37 values in 150 records" in str(error)
    assert "person: who" in str(error)


def test_the_gate_finds_persons_that_were_counted_on_other_rows(
    visits: duckdb.DuckDBPyConnection,
) -> None:
    """Neither the release nor what stands beside it may be another's than the persons'."""
    declared = {**ROLES, "sensitive": ["disease"], "k": 3, **DEALT}
    for changed in (
        "update anonymized set age = '20' where age is not null and disease = 'd1'",
        "update sqlanon_beside set x0 = x0 % 36 + 1",
        "update sqlanon_beside set s1 = 'd2' where s1 = 'd1'",
    ):
        change = partial(visits.execute, changed)
        listener = at("persons are counted on what is released", change)
        with pytest.raises(EngineError, match="nothing was published"):
            sqlanon.anonymize("visits", connection=visits, progress=listener, **declared)
        assert relations(visits) == {"visits"}


def test_an_insensitive_column_is_looked_at_person_by_person(
    visits: duckdb.DuckDBPyConnection,
) -> None:
    """A weight that all of a person's records share points to one person, not to several."""
    declared = {**ROLES, "sensitive": ["disease"], "k": 3, **DEALT}
    error = refused(InfeasibleError, "visits", connection=visits, insensitive=["born"], **declared)
    assert "born" in str(error)
    accepted = {"born": {"accept": "a number of no meaning"}, "ward": {"accept": "known to all"}}
    made, beside = published(visits, insensitive=accepted, **declared)
    assert len(beside) == 150
    assert made.measure("k_anonymity")


def test_what_cannot_count_persons_says_so(visits: duckdb.DuckDBPyConnection) -> None:
    declared = {**ROLES, "sensitive": {"pay": {"distance": "ordered", "t": 0.9}}}
    error = refused(
        SpecError, "visits", connection=visits, k=2, **{**declared, "method": "fragmentation"}
    )
    assert "method: fragmentation: it counts records" in str(error)
    fields = {**declared, **DEALT, "source": {"table": "visits"}, "release": "r"}
    spec = parse_spec({**fields, "privacy": {"k": 2}})
    with pytest.raises(SpecError, match="person: a released table names no persons"):
        sqlanon.check("visits", connection=visits, spec=spec)
    with pytest.raises(SpecError, match="person: a quick sweep reads the frequencies alone"):
        sqlanon.sweep(spec, k="2,3", quick=True, connection=visits)
    assert sqlanon.predict(spec, connection=visits) is None


@pytest.mark.further
def test_sweep_and_choose_count_persons(visits: duckdb.DuckDBPyConnection) -> None:
    declared = {**ROLES, "sensitive": ["disease"], **DEALT}
    found = sqlanon.sweep("visits", connection=visits, k="2,4,40", **declared)
    assert [trial.holds for trial in found.trials] == [True, True, False]
    assert "only 37 persons" in found.trials[2].why
    made = sqlanon.anonymize("visits", connection=visits, k=2, choose={"k": "2,4"}, **declared)
    assert made.chosen is not None


@pytest.mark.sampled
@pytest.mark.parametrize(
    "asked",
    [
        {"l": 2},
        {"l": {"entropy": 2}},
        {"l": {"recursive": {"c": 1000, "l": 2}}},
        {"alpha": 0.99},
    ],
)
@pytest.mark.parametrize("method", ["stack_and_deal", "split_or_deal"])
def test_a_value_that_every_person_of_a_class_has_is_never_diverse(
    asked: dict[str, Any], method: str
) -> None:
    """Five women, each with a record of one disease and others: it is certain of each of them."""
    with database() as connection:
        rows = [(f"p{n}", 30, "certain") for n in range(5)]
        rows += [(f"p{n}", 30, f"other {n % 4}") for n in range(5)]
        rows += [(f"p{n}", 30, f"third {n}") for n in range(5)]
        columns = {"who": "varchar", "age": "integer", "disease": "varchar"}
        make_table(connection, "visits", columns, rows)
        declared: dict[str, Any] = {
            "person": "who",
            "quasi_identifiers": ["age"],
            "sensitive": ["disease"],
        }
        error = refused(
            InfeasibleError,
            "visits",
            connection=connection,
            k=5,
            method=method,
            **declared,
            **asked,
        )
        assert isinstance(error, InfeasibleError)
        assert error.shortfalls
        assert relations(connection) == {"visits"}


@pytest.mark.parametrize("asked", [{}, {"t": 1}])
def test_a_run_says_that_a_value_is_certain_of_everybody_in_a_class(
    asked: dict[str, Any], tmp_path: Path
) -> None:
    """Nothing was asked that forbids it; whoever publishes it is to know."""
    with database() as connection:
        rows = [(f"p{n}", 30 + n // 3, "certain" if n < 3 else f"d{n}") for n in range(6)]
        rows += [(f"p{n}", 30 + n // 3, f"other {n}") for n in range(6)]
        columns = {"who": "varchar", "age": "integer", "disease": "varchar"}
        make_table(connection, "visits", columns, rows)
        declared: dict[str, Any] = {
            "quasi_identifiers": ["age"],
            "sensitive": ["disease"],
            "k": 3,
            "seed": 1,
        }
        made = sqlanon.anonymize(
            "visits", connection=connection, person="who", method="mondrian", **declared, **asked
        )
        assert [
            (attribute.attribute, attribute.classes, attribute.records, attribute.units)
            for attribute in made.given_away
        ] == [("disease", 1, 6, 3)]
        found = sqlanon.attack("anonymized", connection=connection)
        assert found.value("homogeneity_count", "disease") == 3
        assert found.value("homogeneity_share", "disease") == 0, (
            "of its records, nobody knows whose"
        )
        page = made.report(tmp_path / "report.html").read_text()
        assert "every person has one value" in page
        connection.execute("drop table anonymized__classes")
        found = sqlanon.attack("anonymized", connection=connection)
        assert "are not counted" in found.notes["homogeneity"]


@pytest.mark.further
def test_without_persons_a_class_of_one_value_is_said_too() -> None:
    with database() as connection:
        rows = [(20 + n // 3, "one" if n < 3 else f"d{n}") for n in range(6)]
        make_table(connection, "t", {"age": "integer", "disease": "varchar"}, rows)
        declared: dict[str, Any] = {
            "quasi_identifiers": ["age"],
            "sensitive": ["disease"],
            "seed": 1,
        }
        made = sqlanon.anonymize("t", connection=connection, k=3, method="mondrian", **declared)
        assert [
            (attribute.attribute, attribute.classes, attribute.records)
            for attribute in made.given_away
        ] == [("disease", 1, 3)]
        found = sqlanon.attack("anonymized", connection=connection)
        assert found.value("homogeneity_count", "disease") == 3
        made = sqlanon.anonymize(
            "t", connection=connection, k=3, l=2, release="diverse", **declared
        )
        assert made.given_away == ()


@examples(20, 200)
@given(
    st.lists(st.frozensets(st.integers(0, 4), min_size=1), min_size=1, max_size=7),
    st.integers(2, 4),
    st.integers(1, 9),
)
def test_what_is_diverse_of_persons_is_certain_of_nobody(
    persons: list[frozenset[int]],
    l: int,  # noqa: E741
    c: int,
) -> None:
    """Of the definitions themselves; where everybody has one value they are those of records."""
    counts = oracle.counts_of_shares(oracle.shares_of_persons(persons))
    certain = len(persons) in oracle.holders(persons).values()
    pairs = [value for own in persons for value in own]
    distinct = min(oracle.distinct_l_of_persons([persons])) >= l
    assert not (certain and distinct)
    assert not (certain and oracle.entropy_holds(counts, l))
    assert not (certain and oracle.recursive_holds(counts, c, l))
    assert not distinct or oracle.distinct_l([pairs]).minimum >= l
    assert not oracle.entropy_holds(counts, l) or oracle.entropy_holds(
        list(Counter(pairs).values()), l
    ), "never weaker than among the pairs"
    if all(len(own) == 1 for own in persons):
        records = list(Counter(pairs).values())
        assert oracle.entropy_holds(counts, l) == oracle.entropy_holds(records, l)
        assert oracle.recursive_holds(counts, c, l) == oracle.recursive_holds(records, c, l)
