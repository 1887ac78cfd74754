"""Linked releases: a table of persons and one of their visits, joined by what is published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.linked import Table, farthest, fewest, least_values
from servers import DuckDBPlace, Place, place, plain
from support import Connection, database, examples, make_table, read, relations, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

pytestmark = pytest.mark.slow

KEY, OTHER = "0123456789abcdef0123456789abcdef", "fedcba9876543210fedcba9876543210"
PERSONS = {"who": "varchar", "code": "varchar", "age": "integer", "payer": "varchar"}
VISITS = {"who": "varchar", "code": "varchar", "ward": "varchar", "found": "varchar"}
DRUGS = {"who": "varchar", "code": "varchar", "dose": "integer", "drug": "varchar"}
COMMON: dict[str, Any] = {
    "person": "who",
    "identifiers": {"code": {"pseudonym": "keyed", "key": {"env": "LINK_KEY"}}},
    "seed": 7,
    "method": "stack_and_deal",
    "progress": False,
}
FIRST: dict[str, Any] = {
    **COMMON,
    "release": "persons_public",
    "quasi_identifiers": ["age"],
    "sensitive": {"payer": {"l": 2}},
    "k": 4,
    "series": {},
}
SECOND: dict[str, Any] = {
    **COMMON,
    "release": "visits_public",
    "quasi_identifiers": ["ward"],
    "sensitive": {"found": {"l": {"recursive": {"c": 99, "l": 2}}}},
    "k": 3,
    "series": {"after": "persons_public", "joined": "code"},
}
THIRD: dict[str, Any] = {
    **COMMON,
    "release": "drugs_public",
    "quasi_identifiers": ["dose"],
    "sensitive": ["drug"],
    "k": 2,
    "series": {"after": "visits_public", "joined": "code"},
}
OF: dict[str, tuple[list[str], list[str]]] = {
    "persons_public": (["age"], ["payer"]),
    "visits_public": (["ward"], ["found"]),
    "drugs_public": (["dose"], ["drug"]),
}
Rows = list[tuple[Any, ...]]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINK_KEY", KEY)


def star(seed: int, several: int, all_visit: bool) -> tuple[Rows, Rows, Rows]:
    """Persons, their visits and their drugs; where not all visit, some have no row there."""
    random = Random(seed)
    persons, visits, drugs = Rows(), Rows(), Rows()
    for i in range(several):
        who = f"p{i}"
        named = (who, who)
        persons.append((*named, random.randint(20, 60), random.choice(["a", "b", None])))
        number = random.choice([1, 1, 2]) if all_visit else random.choice([0, 1, 1, 1, 1, 1, 2])
        for _ in range(number):
            ward = random.choice(["er", "icu", None])
            visits.append((*named, ward, random.choice(["flu", "cold", "it's", None])))
        if all_visit or random.random() < 0.9:
            drugs.append((*named, random.randint(1, 9), random.choice("xyz")))
    return persons, visits, drugs


def make(connection: Connection, tables: Sequence[Rows]) -> None:
    for name, columns, rows in zip(
        ("persons", "visits", "drugs"), (PERSONS, VISITS, DRUGS), tables, strict=False
    ):
        make_table(connection, name, columns, rows)


def table(connection: Connection, release: str) -> Table:
    """A release as its readers have it."""
    columns, rows = read(connection, release)
    cells, sensitive = OF["visits_public" if release == "alone" else release]
    found = [dict(zip(columns, row, strict=True)) for row in rows]
    return Table(
        [
            (
                row["code"],
                tuple(row[cell] for cell in cells),
                {attribute: row[attribute] for attribute in sensitive},
            )
            for row in found
        ]
    )


def measured(connection: Connection, release: str) -> dict[tuple[str, str | None], int]:
    """What was counted in the join."""
    rows = read(connection, f"{release}__series")[1]
    counted = ("joined_candidates", "joined_values", "joined_parted")
    return {(row[0], row[1]): row[3] for row in rows if row[0] in counted}


def check(connection: Connection, k: int) -> None:
    """Two releases hold k and l over the join, and say what it comes to."""
    tables = [table(connection, text) for text in ("persons_public", "visits_public")]
    assert fewest(tables) >= k
    assert least_values(tables, 0, "payer") >= 2
    assert least_values(tables, 1, "found") >= 2
    assert measured(connection, "visits_public") == {
        ("joined_candidates", None): fewest(tables),
        ("joined_values", "found"): least_values(tables, 1, "found"),
        ("joined_values", "payer in persons_public"): least_values(tables, 0, "payer"),
    }


@pytest.mark.slow
@examples(4, 15)
@given(seed=st.integers(0, 2**31), all_visit=st.booleans(), left_out=st.booleans())
def test_every_pair_that_is_accepted_holds_over_the_join(
    seed: int, all_visit: bool, left_out: bool
) -> None:
    more: dict[str, Any] = {"suppression": {"records": "0.9"}} if left_out else {}
    with pytest.MonkeyPatch.context() as patch, database() as connection:
        patch.setenv("LINK_KEY", KEY)
        make(connection, star(seed, 24, all_visit))
        try:
            sqlanon.anonymize("persons", connection=connection, **FIRST)
        except InfeasibleError:
            return
        before = relations(connection)
        try:
            sqlanon.anonymize("visits", connection=connection, **SECOND, **more)
        except InfeasibleError:
            assert relations(connection) == before
        else:
            check(connection, 3)


@pytest.mark.slow
@examples(4, 15)
@given(seed=st.integers(0, 2**31), first_k=st.sampled_from([10, 24]), k=st.sampled_from([3, 6, 13]))
def test_the_gate_refuses_what_the_oracle_finds(seed: int, first_k: int, k: int) -> None:
    """Classes formed without a look at the earlier ones: published if and only if they hold."""
    first, later = {**FIRST, "k": first_k}, {**SECOND, "k": k}
    with pytest.MonkeyPatch.context() as patch, database() as connection:
        patch.setenv("LINK_KEY", KEY)
        make(connection, star(seed, 24, all_visit=bool(seed % 2)))
        alone = {**later, "release": "alone"}
        del alone["series"]
        try:
            sqlanon.anonymize("persons", connection=connection, **first)
            sqlanon.anonymize("visits", connection=connection, **alone)
        except InfeasibleError:
            return
        tables = [table(connection, text) for text in ("persons_public", "alone")]
        holds = fewest(tables) >= k and least_values(tables, 0, "payer") >= 2
        holds = holds and least_values(tables, 1, "found") >= 2
        later["series"] = {**SECOND["series"], "reuse": False}
        if holds:
            sqlanon.anonymize("visits", connection=connection, **later)
            check(connection, k)
        else:
            with pytest.raises(InfeasibleError, match=r"candidates|values|recursive_l"):
                sqlanon.anonymize("visits", connection=connection, **later)
            assert not any(
                relation.startswith("visits_public") for relation in relations(connection)
            )


@pytest.fixture
def two() -> Iterator[Connection]:
    """Persons who all have visits; those of the persons are published."""
    with database() as connection:
        make(connection, star(5, 24, all_visit=True))
        sqlanon.anonymize("persons", connection=connection, **FIRST)
        yield connection


def second(connection: Connection, **declared: Any) -> Any:
    return sqlanon.anonymize("visits", connection=connection, **{**SECOND, **declared})


@pytest.mark.slow
def test_three_tables_hold_over_their_join(two: Connection) -> None:
    second(two)
    sqlanon.anonymize("drugs", connection=two, **THIRD)
    tables = [table(two, text) for text in OF]
    found = measured(two, "drugs_public")
    assert found["joined_candidates", None] == fewest(tables) >= 2
    assert found["joined_values", "found in visits_public"] == least_values(tables, 1, "found") >= 2
    assert found["joined_values", "drug"] == least_values(tables, 2, "drug")


@pytest.mark.slow
def test_t_holds_among_persons_who_are_alike(two: Connection) -> None:
    """Exactly: at equality it holds, below it nobody is published."""
    second(two)
    tables = [table(two, text) for text in ("persons_public", "visits_public")]
    reached = farthest(tables, 1, "found")
    asked = SECOND["sensitive"]["found"]
    second(two, sensitive={"found": {**asked, "t": str(reached)}})
    rows = read(two, "visits_public__series")[1]
    told = {row[0]: row[2:] for row in rows if row[0].endswith("t_closeness")}
    held = (str(reached), pytest.approx(float(reached)), 0, 0)
    assert told == {"joined_t_closeness": held, "companions_t_closeness": held}
    less = str(reached - Fraction(1, 1000))
    with pytest.raises(InfeasibleError, match=r"cannot be published.*violate another model"):
        second(two, sensitive={"found": {**asked, "t": less}})


@pytest.mark.slow
def test_t_along_a_tree_holds_among_persons_who_are_alike(two: Connection) -> None:
    tree = {"tree": {"*": {"lungs": ["flu", "cold"], "other": ["it's"]}}}
    found = {"distance": "hierarchical", "hierarchy": tree, **SECOND["sensitive"]["found"]}
    second(two, sensitive={"found": {**found, "t": "1"}})
    apart = {"series": {**SECOND["series"], "reuse": False}, "method": "split_or_deal"}
    with pytest.raises(InfeasibleError, match=r"joined_t_closeness of found: asked for 0\.001"):
        second(two, sensitive={"found": {**found, "t": "1/1000"}}, **apart)


def test_what_more_was_asked_of_an_earlier_attribute_needs_whole_classes() -> None:
    first = {**FIRST, "sensitive": {"payer": {"l": 2, "t": "0.9"}}, "k": 8}
    with database() as connection:
        persons, visits, _ = star(5, 24, all_visit=True)
        make(connection, (persons, visits))
        sqlanon.anonymize("persons", connection=connection, **first)
        second(connection)
        assert (
            measured(connection, "visits_public")["joined_parted", "payer in persons_public"] == 0
        )
        with pytest.raises(InfeasibleError, match="joined_parted of payer in persons_public: ask"):
            second(connection, series={**SECOND["series"], "reuse": False}, k=1, sensitive=[])
        connection.execute("delete from visits where who in ('p0', 'p1', 'p2', 'p3')")
        with pytest.raises(
            InfeasibleError, match="Readers who join the releases see who has a row"
        ):
            second(connection)


def test_what_was_asked_of_an_earlier_attribute_is_not_read_where_anybody_may_change_it() -> None:
    """The metrics are no part of what a hash binds; the run's own record says what was asked."""
    first = {**FIRST, "sensitive": {"payer": {"l": 2, "t": "0.9"}}, "k": 8}
    with database() as connection:
        make(connection, star(5, 24, all_visit=True))
        sqlanon.anonymize("persons", connection=connection, **first)
        connection.execute("update persons_public__metrics set threshold = null")
        with pytest.raises(InfeasibleError, match="joined_parted of payer in persons_public: ask"):
            second(connection, series={**SECOND["series"], "reuse": False}, k=1, sensitive=[])


def test_what_was_asked_of_two_that_knew_nothing_of_each_other_is_held_to_their_join() -> None:
    """A third release that parts nothing does not vouch for what the first two come to."""
    first = {**FIRST, "sensitive": {"payer": {"t": "0.9"}}, "k": 8}
    with database() as connection:
        make(connection, star(5, 24, all_visit=True))
        sqlanon.anonymize("persons", connection=connection, **first)
        second(connection, series={"apart": "persons_public"}, sensitive=[])
        both = {"after": ["persons_public", "visits_public"], "joined": "code"}
        third = {**THIRD, "k": 1, "series": both}
        with pytest.raises(InfeasibleError, match="joined_parted of payer in persons_public: ask"):
            sqlanon.anonymize("drugs", connection=connection, **third)


def test_who_has_no_row_is_seen_and_not_left_alone(two: Connection) -> None:
    two.execute("delete from visits where who = 'p3'")
    with pytest.raises(InfeasibleError, match="1 groups that shared their classes"):
        second(two)
    assert not any(relation.startswith("visits_public") for relation in relations(two))
    second(two, suppression={"records": "0.5"})
    check(two, 3)
    gone = {row[0] for row in read(two, "persons_public__members")[1] if row[1] == "p3"}
    left = [row for row in read(two, "persons_public__members")[1] if row[0] in gone]
    here = {row[1] for row in read(two, "visits_public__members")[1]}
    assert len(left) >= 3
    assert not here & {row[1] for row in left}


REFUSED: dict[str, tuple[dict[str, Any], str]] = {
    "not said": (
        {"series": {"after": "persons_public"}},
        r"identifiers.code.key: 24 pseudonyms of code are in code of persons_public too.*"
        r"say that they do \(series: \{joined: code\}\)",
    ),
    "no pseudonym": (
        {"series": {"after": "persons_public", "joined": "cod"}},
        "series.joined: 'cod' is no identifier that is released as a pseudonym.*code",
    ),
    "several share it": (
        {"identifiers": {"code": {**COMMON["identifiers"]["code"], "repeats": True}}},
        "identifiers.code.repeats: readers join by the pseudonym of a person",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_joined_is_refused(case: str, two: Connection) -> None:
    declared, said = REFUSED[case]
    with pytest.raises(SpecError, match=said):
        second(two, **declared)
    assert not any(relation.startswith("visits_public") for relation in relations(two))


def test_another_key_is_told(two: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINK_KEY", OTHER)
    with pytest.raises(SpecError, match=r"identifiers.code.key: 24 of the persons have other"):
        second(two)
    second(two, series={"after": "persons_public"})  # nobody can join them


def test_a_pseudonym_of_somebody_else_is_told(two: Connection) -> None:
    two.execute("update visits set code = 'p' || ((cast(code[2:] as integer) + 1) % 24)")
    two.execute("delete from visits where who = 'p23'")
    with pytest.raises(SpecError, match=r"identifiers.code.key: \d+ of the persons"):
        second(two)
    two.execute("update visits set code = null where who = 'p5'")
    with pytest.raises(SpecError, match=r"identifiers.code.key"):
        second(two)


def test_a_release_without_pseudonyms_is_joined_by_nobody() -> None:
    with database() as connection:
        make(connection, star(5, 24, all_visit=True))
        first = {**FIRST, "identifiers": ["code"]}
        sqlanon.anonymize("persons", connection=connection, **first)
        with pytest.raises(SpecError, match=r"series\.joined: persons_public has no pseudonyms 'c"):
            second(connection)
        second(connection, series={"after": "persons_public"})


def made_in(here: Place) -> dict[str, Any]:
    """Both releases, what was measured of their join, and what is refused."""
    persons, visits, _ = star(5, 24, all_visit=True)
    here.make_table("persons", PERSONS, persons)
    here.make_table("visits", VISITS, visits)
    here.make_table("fewer", VISITS, [row for row in visits if row[0] != "p3"])
    connection = here.connection
    sqlanon.anonymize("persons", connection=connection, **FIRST).close()
    asked = {**SECOND, "sensitive": {"found": {"l": 2, "t": "0.9"}}}
    refused = ""
    try:
        sqlanon.anonymize("fewer", connection=connection, **asked).close()
    except InfeasibleError as error:
        refused = str(error)
    assert refused
    less = {**asked, "suppression": {"records": "0.7"}, "release": "fewer_public"}
    sqlanon.anonymize("fewer", connection=connection, **less).close()
    found = {}
    for name in ("persons_public", "fewer_public", "fewer_public__series"):
        columns, rows = here.read(name)
        found[name] = (columns, sorted(plain(rows), key=repr))
    return {**found, "refused": refused}


@pytest.mark.parametrize("engine", slow("postgres", "postgres_icu", "spark"))
def test_a_join_is_held_the_same_on_every_engine(
    engine: str, urls: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LINK_KEY", KEY)
    with place(engine, urls) as there:
        assert made_in(there) == made_in(DuckDBPlace())
