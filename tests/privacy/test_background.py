"""What is known beforehand: divergences, clusters and releases against plain Python."""

from __future__ import annotations

import random
from collections import defaultdict
from fractions import Fraction
from typing import Any

import oracle.background as oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Connection, database, examples, make_table, multiset, quoted, ran_to, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.spec import parse_spec

pytestmark = pytest.mark.slow

COLUMNS = {"id": "integer", "age": "integer", "sex": "varchar", "disease": "varchar"}
KNOWN = {"estimate": {"by": ["age", "sex"], "smoothing": "3/2"}}
DECLARED: dict[str, Any] = {
    "quasi_identifiers": ["age", "sex"],
    "sensitive": {"disease": {"background": KNOWN}},
    "insensitive": {"id": {"accept": "a test finds the records by it"}},
    "privacy": {"k": 2, "bk": 0.1},
    "method": "split_or_deal",
    "seed": 1,
}
HALF, THIRD = Fraction(1, 2), Fraction(1, 3)

Record = tuple[int, int | None, str | None, str | None]
RECORDS = st.lists(
    st.tuples(
        st.sampled_from([20, 30, 40, None]),
        st.sampled_from(["F", "M", None]),
        st.sampled_from(["flu", "cold", "o'dd", None]),
    ),
    min_size=6,
    max_size=40,
)


def test_the_oracle_in_numbers_worked_by_hand() -> None:
    """Of P = (1/2, 1/2) and Q = (1, 0): H(3/4, 1/4) - 1/2 = 0.811278… - 0.5."""
    even, certain, other = {"a": HALF, "b": HALF}, {"a": Fraction(1)}, {"b": Fraction(1)}
    assert oracle.billionths(even, certain) == 311_278_124
    assert oracle.billionths(certain, other) == 10**9
    assert oracle.billionths(even, even) == 0
    records = [("u", "a"), ("u", "a"), ("v", "b")]
    # (2 + 2/3) / (2 + 1), and (0 + 2/3) / (1 + 1)
    assert oracle.m_estimate(records, Fraction(1)) == {
        "u": {"a": Fraction(8, 9), "b": Fraction(1, 9)},
        "v": {"a": THIRD, "b": 2 * THIRD},
    }
    # The even one may be joined with either; then the other is too far from the first.
    assert oracle.complete_linkage([certain, even, other], 400_000_000) == [[0, 1], [2]]
    assert oracle.furthest([certain, even, other]) == 10**9
    # Of a: 1 / (1 + 1/2) for the certain one, 1/2 / (1 + 1/2) for the other, who alone can have b.
    assert oracle.beliefs([(certain, "a"), (even, "b")]) == [
        {"a": 1, "b": 0},
        {"a": Fraction(1, 4), "b": Fraction(3, 4)},
    ]


def profiles_of(records: list[Record]) -> dict[Any, oracle.Distribution]:
    return oracle.m_estimate(
        [((age, sex), value) for _, age, sex, value in records], Fraction("3/2")
    )


def numbered(rows: list[tuple[Any, ...]]) -> list[Record]:
    return [(number, *row) for number, row in enumerate(rows)]


@examples(4, 60)
@given(RECORDS)
def test_estimates_and_divergences_are_the_oracles(rows: list[tuple[Any, ...]]) -> None:
    """Tuples of which the same is known are one profile; others lie as far apart as is exact."""
    records = numbered(rows)
    with database() as connection:
        make_table(connection, "t", COLUMNS, records)
        with ran_to(connection, "sqlanon_divergences_b1", "t", **DECLARED):
            tuples = connection.execute(
                "select p.code, q1.value, q2.value, p.records from sqlanon_profiles_b1 p"
                " join sqlanon_domain_q1 q1 on p.q1 = q1.code"
                " join sqlanon_domain_q2 q2 on p.q2 = q2.code"
            ).fetchall()
            apart = connection.execute("from sqlanon_divergences_b1").fetchall()
    known = profiles_of(records)
    codes = {(age, sex): code for code, age, sex, _ in tuples}
    assert set(codes) == set(known)
    assert sum(times for *_, times in tuples) == len(records)
    first: dict[int, Any] = {}
    for one, code in codes.items():
        assert known[first.setdefault(code, one)] == known[one]
    assert len({frozenset(one.items()) for one in known.values()}) == len(first)
    expected = {(a, b): oracle.billionths(known[first[a]], known[first[b]]) for a, b, _ in apart}
    assert len(apart) == len(first) * (len(first) - 1) // 2
    for a, b, amount in apart:
        assert abs(amount - expected[a, b]) <= 1


def released(
    connection: Connection, records: list[Record], **declared: Any
) -> tuple[sqlanon.Release, dict[Any, list[int]]]:
    """A release, and the records of each of its classes."""
    make_table(connection, "t", COLUMNS, records)
    fields = {**DECLARED, **declared, "release": quoted("out")}
    made = sqlanon.anonymize("t", connection=connection, **fields)
    names = [one[0] for one in connection.execute("describe out").fetchall()]
    shown = [name for name in names if name not in ("id", "disease")]
    classes = defaultdict(list)
    for number, *cells in connection.execute(f"select id, {', '.join(shown)} from out").fetchall():
        classes[tuple(cells)].append(number)
    made.close()
    return made, classes


@pytest.mark.sampled
@pytest.mark.parametrize("method", ["split_or_deal", *slow("mondrian", "uhra")])
@examples(2, 40)
@given(
    rows=RECORDS,
    j=st.sampled_from(["0.02", "0.1", "0.3"]),
    k=st.sampled_from([1, 2, 3]),
    bands=st.booleans(),
)
def test_no_class_holds_what_lies_further_apart(
    method: str, rows: list[tuple[Any, ...]], j: str, k: int, bands: bool
) -> None:
    """Nor is a cluster left out that is large enough, unless it shows what another one does."""
    records = numbered(rows)
    known = profiles_of(records)
    most = int(Fraction(j) * 10**9)
    age = {"hierarchy": {"bands": [20]}} if bands else {}
    asked = {
        "quasi_identifiers": {"age": age, "sex": {}},
        "privacy": {"k": k, "bk": j},
        "suppression": {"records": "99/100"},
        "method": method,
    }
    distinct: dict[Any, list[Any]] = defaultdict(list)
    for one in sorted(known, key=lambda u: (u[0] or 0, u[1] or "")):  # NULL is the first code
        distinct[frozenset(known[one].items())].append(one)
    profiles = list(distinct)
    clusters = [
        [
            number
            for number, *u, _ in records
            if tuple(u) in [v for i in one for v in distinct[profiles[i]]]
        ]
        for one in oracle.complete_linkage([dict(one) for one in profiles], most)
    ]
    kept = [entry for entry in clusters if len(entry) >= k]
    with database() as connection:
        if not kept or (len(records) - sum(map(len, kept))) * 100 > len(records) * 99:
            with pytest.raises(InfeasibleError):
                released(connection, records, **asked)
            return
        made, classes = released(connection, records, **asked)
    there = {number for members in classes.values() for number in members}
    left_out = [entry for entry in kept if not there.issuperset(entry)]
    assert there == {number for entry in kept if entry not in left_out for number in entry}
    for one in left_out:
        others = [other for other in kept if other not in left_out]
        assert any(stand_for_each_other(one, other, records, bands, most) for other in others)
    reached = 0
    for members in classes.values():
        assert len(members) >= k
        reached = max(reached, oracle.furthest([known[records[i][1:3]] for i in members]))
    assert reached <= most
    value = made.measure("background_knowledge", "disease")
    assert value == pytest.approx(reached / 1e9, abs=2e-9)
    assert made.measure("suppressed_records") == len(records) - len(there)
    told = {i: known[records[i][1:3]] for i in range(len(records))}
    hold_beliefs(made, [[(told[i], records[i][3]) for i in entry] for entry in classes.values()])


def stand_for_each_other(
    one: list[int], other: list[int], records: list[Record], bands: bool, most: int
) -> bool:
    """Two clusters show the same as one class each, and are none together."""

    def shown(cluster: list[int]) -> tuple[Any, ...]:
        ages = {records[number][1] for number in cluster}
        known = sorted(age for age in ages if age is not None)
        # Any age, where it holds records without one beside others.
        extent = ("*",) if None in ages and known else (*known[:1], *known[-1:])
        return (len(ages) == 1 if bands else extent, {records[number][2] for number in cluster})

    profiles = profiles_of(records)
    both = [profiles[records[number][1:3]] for number in (*one, *other)]
    return shown(one) == shown(other) and oracle.furthest(both) > most


# What is known of the four kinds of people: of the first two the same, and of the others.
ALIKE = [(20, "M", "0.9"), (30, "F", "0.9"), (20, "F", "0.1"), (30, "M", "0.1")]


def people_alike(connection: Connection, *more: tuple[int, str, str]) -> None:
    """Two clusters that show 20 to 30 and either sex as one class each; and who is more."""
    chances = [*ALIKE, *more]
    rows = [
        (number, age, sex, ["flu", "cold"][number % 2])
        for number, (age, sex, _) in enumerate([*chances, *chances])
    ]
    make_table(connection, "t", COLUMNS, rows)
    connection.execute(
        "create table known (age integer, sex varchar, disease varchar, p decimal(2, 1))"
    )
    for age, sex, p in chances:
        connection.execute("insert into known values (?, ?, 'flu', ?)", [age, sex, p])
        connection.execute(
            "insert into known values (?, ?, 'cold', 1 - ?::decimal(2, 1))", [age, sex, p]
        )


TOLD_APART: dict[str, Any] = {
    **DECLARED,
    "sensitive": {
        "disease": {
            "background": {
                "table": "known",
                "columns": {"age": "age", "sex": "sex"},
                "value": "disease",
                "probability": "p",
            }
        }
    },
    "privacy": {"k": 4, "bk": 0.1},
}


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.parametrize("method", ["split_or_deal", "mondrian", "uhra", "microaggregation"])
def test_of_clusters_that_show_the_same_one_is_left_out_if_records_may_be(method: str) -> None:
    asked = {**TOLD_APART, "method": method}
    with database() as connection:
        people_alike(connection)
        with pytest.raises(InfeasibleError) as caught:
            sqlanon.anonymize("t", connection=connection, release="public", **asked)
        assert "background_knowledge of disease: asked for 0.1, reached" in str(caught.value)
        few: dict[str, Any] = {"suppression": {"records": 0.4}}
        with pytest.raises(InfeasibleError) as caught:
            sqlanon.anonymize("t", connection=connection, **few, **asked)
        assert "4 of 8 records would be left out" in str(caught.value)
        made = sqlanon.anonymize(
            "t", connection=connection, release="public", suppression={"records": 0.5}, **asked
        )
        assert (made.measure("records"), made.measure("suppressed_records")) == (4, 4)
        assert made.measure("background_knowledge", "disease") == 0
        why = connection.execute(
            "select metric, classes, records from public__suppressed where records > 0"
        ).fetchall()
        assert why == [("background_knowledge", 1, 4)]


@pytest.mark.sampled
@pytest.mark.parametrize("method", ["split_or_deal", "mondrian", "uhra", "microaggregation"])
def test_a_class_that_shows_what_one_of_another_cluster_does_joins_one_of_its_own(
    method: str,
) -> None:
    more = [(age, "F", "0.9") for age in (70, 71)]  # cut by age, as there are two men
    with database() as connection:
        people_alike(connection, *more)
        made = sqlanon.anonymize("t", connection=connection, **{**TOLD_APART, "method": method})
        assert (made.measure("records"), made.measure("classes")) == (12, 2)
        assert made.measure("background_knowledge", "disease") == 0


def hold_beliefs(
    made: sqlanon.Release, classes: list[list[tuple[oracle.Distribution, Any]]]
) -> None:
    """That the beliefs in the metrics are the oracle's."""
    priors, beliefs, gains = [], [], []
    for members in classes:
        for (known, value), belief in zip(members, oracle.beliefs(members), strict=True):
            priors.append(known.get(value, Fraction(0)))
            beliefs.append(belief[value])
            gains += [belief[one] - known.get(one, Fraction(0)) for one in belief]
    expected = {
        "background_prior": sum(priors) / len(priors),
        "background_belief": sum(beliefs) / len(beliefs),
        "background_gain": max(gains),
    }
    for metric, value in expected.items():
        assert made.measure(metric, "disease") == pytest.approx(float(value), abs=2e-9)


TWO_SIDES = numbered(
    [(20 + 10 * (i % 2), "F", "flu" if i % 8 < 6 else "cold") for i in range(0, 16, 2)]
    + [(30, "M", "cold" if i % 8 < 6 else "flu") for i in range(0, 16, 2)]
)


def test_clusters_that_fall_short_are_refused_or_left_out() -> None:
    """k is 9 and each of the two clusters has 8 records."""
    asked: dict[str, Any] = {"privacy": {"k": 9, "bk": 0.01}}
    with database() as connection:
        with pytest.raises(InfeasibleError) as caught:
            released(connection, TWO_SIDES, **asked)
        assert "2 of 2 clusters of alike background, with 16 records" in str(caught.value)
    with database() as connection:
        made, classes = released(connection, TWO_SIDES, privacy={"k": 8, "bk": 0.01})
        assert sorted(map(len, classes.values())) == [8, 8]
        assert made.measure("background_knowledge", "disease") == 0
    with database() as connection:
        with pytest.raises(InfeasibleError) as caught:
            released(connection, TWO_SIDES, privacy={"k": 8, "bk": 0.01, "t": 0.1})
        assert "2 of 2 clusters" in str(caught.value)
    with database() as connection:
        with pytest.raises(InfeasibleError) as caught:
            released(connection, TWO_SIDES[:14], privacy={"k": 8, "bk": 0.01})
        assert "1 of 2 clusters of alike background, with 6 records" in str(caught.value)
        assert "or allow records to be suppressed" in str(caught.value)


def test_a_method_that_does_not_know_it_is_held_to_it() -> None:
    """Stack & Deal mixes what is known: the gate refuses what it makes."""
    with database() as connection, pytest.raises(InfeasibleError) as caught:
        released(connection, TWO_SIDES, method="stack_and_deal")
    assert "background_knowledge of disease: asked for 0.1" in str(caught.value)
    assert "a greater k" not in str(caught.value)


GIVEN = {
    "table": '"pre valence"',
    "columns": {"age": "Years", "sex": "sex"},
    "value": "what",
    "probability": "p",
}
TABLE = {"Years": "bigint", "sex": "varchar", "what": "varchar", "p": "double"}
ROWS: list[tuple[Any, ...]] = [
    (20, "F", "flu", 0.75),
    (20, "F", "cold", 0.25),
    (30, "M", "flu", 0.25),
    (30, "M", "cold", 0.25),
    (30, "M", "unheard of", 0.5),
    (99, "M", "flu", -3.0),  # of nobody
]


def told(rows: list[tuple[Any, ...]], k: int = 8, **asked: Any) -> sqlanon.Release:
    """A release with what a table says."""
    with database() as connection:
        make_table(connection, "pre valence", TABLE, rows)
        declared = {"sensitive": {"disease": {"background": {**GIVEN, **asked}}}}
        return released(connection, TWO_SIDES, **declared, privacy={"k": k, "bk": 1})[0]


def test_a_table_says_what_is_known() -> None:
    """Also of values that no record has; of tuples that no record has it may say anything."""
    one = {"flu": Fraction(3, 4), "cold": Fraction(1, 4)}
    two = {"flu": Fraction(1, 4), "cold": Fraction(1, 4), "unheard of": HALF}
    assert told(ROWS).measure("background_knowledge", "disease") in (
        0,
        pytest.approx(oracle.billionths(one, two) / 1e9),
    )


def test_what_a_table_says_is_believed() -> None:
    known: dict[str | None, oracle.Distribution] = {
        "F": {"flu": Fraction(3, 4), "cold": Fraction(1, 4)},
        "M": {"flu": Fraction(1, 4), "cold": Fraction(1, 4), "unheard of": HALF},
    }
    whole = [(known[sex], value) for _, _, sex, value in TWO_SIDES]
    hold_beliefs(told(ROWS, k=len(TWO_SIDES)), [whole])


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (ROWS[:2], "1 tuples of the source's quasi-identifiers have no row"),
        ([*ROWS, ROWS[0]], "1 pairs of a tuple and a value have several"),
        ([*ROWS, (20, "F", "none", None)], "1 rows have no probability from 0 to 1"),
        ([*ROWS, (20, "F", "none", float("nan"))], "1 rows have no probability from 0 to 1"),
        ([*ROWS, (20, "F", "none", 1.5)], "1 rows have no probability from 0 to 1"),
        ([*ROWS, (20, "F", "none", 0.1)], "of 1 tuples the probabilities do not sum to 1"),
        (
            [(*entry[:2], f"{entry[2]}s", entry[3]) for entry in ROWS],
            "2 values of the source are never",
        ),
    ],
    ids=["lacking", "twice", "null", "nan", "above", "uneven", "unnamed"],
)
def test_a_table_that_is_no_background_is_refused(rows: list[tuple[Any, ...]], said: str) -> None:
    with pytest.raises(SpecError) as caught:
        told(rows)
    assert said in str(caught.value)
    assert "sensitive.disease.background.table" in str(caught.value)
    assert "flu" not in str(caught.value)


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"table": "nowhere"}, "background.table: there is no table or view 'nowhere'"),
        ({"value": "wha"}, "background.value: the table has no column 'wha'"),
        ({"value": "p"}, "background.value: the column is DOUBLE, the source's is VARCHAR"),
        ({"probability": "what"}, "background.probability: the column is VARCHAR"),
        ({"columns": {"age": "sex"}}, "background.columns.age: the column is VARCHAR"),
        ({"table": "out"}, "release: it is the source"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_table_that_does_not_fit_is_refused(asked: dict[str, Any], where: str) -> None:
    with pytest.raises(SpecError) as caught:
        told(ROWS, **asked)
    assert where in str(caught.value)


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"sensitive": {"disease": {}}}, "privacy.bk: it is asked of sensitive attributes with a"),
        ({"sensitive": {"disease": {"bk": 0.2}}}, "sensitive.disease.bk: it is asked of a"),
        (
            {"sensitive": {"disease": {"background": {"estimate": {"by": ["agee"]}}}}},
            "background.estimate.by: 'agee' is no quasi-identifier; did you mean 'age'?",
        ),
        (
            {"sensitive": {"disease": {"background": {"table": "t"}}}},
            "sensitive.disease.background: it must be {estimate: {by: [COLUMN, …]}}, or a table",
        ),
        (
            {"sensitive": {"disease": {"background": "age"}}},
            "sensitive.disease.background: it must be a mapping such as {estimate: {by: [age",
        ),
        (
            {"sensitive": {"disease": {"background": {"estimate": {"bye": ["age"]}}}}},
            "background.estimate.bye: unknown key; did you mean 'by'?",
        ),
        (
            {"sensitive": {"disease": {"background": {"estimate": {"by": ["age", "age"]}}}}},
            "background.estimate.by: it names a column twice",
        ),
        (
            {"publish": {"name": "anatomy", "group": 4}, "privacy": {"k": 1, "l": 2, "bk": 0.2}},
            "sensitive.disease.background: anatomy shows every record's own",
        ),
        ({"privacy": {"k": 2, "bk": 2}}, "privacy.bk.j: it must be less than or equal to 1"),
        ({"suppression": {"records": 0.1}, "method": "fragmentation"}, "suppression: "),
    ],
    ids=str,
)
def test_what_does_not_go_together_is_refused(fields: dict[str, Any], said: str) -> None:
    with pytest.raises(SpecError) as caught:
        parse_spec({"source": {"table": "t"}, "release": "r", **DECLARED, **fields})
    assert said in str(caught.value)


def test_a_table_of_a_release_cannot_be_held_to_it_afterwards() -> None:
    with database() as connection:
        make_table(connection, "t", COLUMNS, TWO_SIDES)
        fields = {key: value for key, value in DECLARED.items() if key != "insensitive"}
        spec = parse_spec({"source": {"table": "t"}, "release": "r", **fields})
        with pytest.raises(SpecError) as caught:
            sqlanon.check("t", connection=connection, spec=spec)
    assert "privacy.bk" in str(caught.value)


def some_left_out() -> list[Record]:
    """Records of clusters that are large enough for one k and not for another."""
    chance = random.Random(0)
    ages, sexes = [20, 30, 40, 50, 60, 70, None], ["F", "M"]
    return [
        (i, chance.choice(ages), chance.choice(sexes), chance.choice("aabbc")) for i in range(60)
    ]


LEAVING_OUT = {"suppression": {"records": "99/100"}}


@pytest.mark.further
@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("method", ["split_or_deal", "uhra"])
def test_a_chosen_k_leaves_out_whom_a_run_with_it_does(method: str) -> None:
    """The search leaves word of it beside the classes, and other k that were tried did too."""
    names = ("public", "public__suppressed", "public__metrics")

    def released(connection: Connection, k: int, **declared: Any) -> list[list[Any]]:
        privacy = {"privacy": {"k": k, "bk": "0.05"}, "method": method, "release": "public"}
        fields = {**DECLARED, **LEAVING_OUT, **privacy, **declared}
        sqlanon.anonymize("t", connection=connection, **fields).close()
        return [multiset(connection.execute(f"from {name}").fetchall()) for name in names]

    with database() as connection:
        make_table(connection, "t", COLUMNS, some_left_out())
        chosen = released(connection, 3, choose={"k": [3, 5, 8]})
        assert chosen == released(connection, 5)
        assert chosen != released(connection, 8)


def test_what_a_search_leaves_beside_its_classes_is_of_its_own_method() -> None:
    """So nobody takes what is left of one method for that of another, as sweeps would."""
    with database() as connection:
        make_table(connection, "t", COLUMNS, some_left_out())
        marks = {
            sqlanon.plan(
                "t", connection=connection, **{**DECLARED, **LEAVING_OUT, "method": method}
            ).plan.fingerprints()["anonymized__suppressed"]
            for method in ("split_or_deal", "mondrian", "microaggregation")
        }
    assert len(marks) == 3
