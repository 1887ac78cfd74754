"""k^m-anonymity: worked by hand, the oracle on random sets, rare members, searches, refusals."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import Any

import oracle
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import Connection, database, examples, make_table, read, refused, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError

MEMBERS = st.sampled_from(["a", "b", "c", "d", "Ä", "it's"])
SETS = st.one_of(st.none(), st.lists(MEMBERS, max_size=5))
ROWS = st.lists(st.tuples(st.integers(20, 23), SETS), min_size=2, max_size=30)
DECLARED: dict[str, Any] = {"quasi_identifiers": ["age"], "k": 2, "seed": 1}


def with_sets(connection: Connection, rows: list[tuple[int, list[str] | None]]) -> None:
    connection.execute("create table baskets (age integer, bought varchar[])")
    for row in rows:
        connection.execute("insert into baskets values (?, ?)", row)


def asking(k: int, m: int, rare: int | None = None) -> dict[str, Any]:
    done: list[dict[str, Any]] = [{"members": "sorted"}]
    if rare is not None:
        done.append({"rare_members": {"k": rare, "m": m}})
    return {"bought": {"transform": done, "km": {"k": k, "m": m}}}


def members_of(text: str | None) -> frozenset[str] | None:
    """The members of a set as the release writes it."""
    return None if text is None else frozenset(filter(None, text[1:-1].split(", ")))


def classes_of(connection: Connection, table: str) -> list[list[frozenset[str] | None]]:
    found: dict[Any, list[frozenset[str] | None]] = defaultdict(list)
    for age, bought in read(connection, table)[1]:
        found[age].append(members_of(bought))
    return list(found.values())


def test_the_oracle_by_hand() -> None:
    """Of table 1 of Terrovitis et al.'s kind: every item is of two, no pair of more than one."""
    sets = [frozenset("ab"), frozenset("bc"), frozenset("ca")]
    assert [oracle.km_anonymity([sets], m) for m in (0, 1, 2, 9)] == [[3], [2], [1], [1]]
    assert oracle.km_anonymity([[None, frozenset()]], 2) == [2]
    assert oracle.without_rare(sets, 2, 1) == sets
    # Of each pair the first by its bytes goes, for all are as frequent.
    assert oracle.without_rare(sets, 2, 2) == [frozenset(), frozenset("c"), frozenset("c")]


@examples(6, 60)
@given(ROWS, st.integers(1, 3))
def test_a_table_is_measured_as_the_oracle_counts(
    rows: list[tuple[int, list[str] | None]], m: int
) -> None:
    """By its definition, over all subsets: with NULL, empty sets, doubles, and m beyond a set."""
    texts = [(age, None if row is None else f"{{{', '.join(row)}}}") for age, row in rows]
    with database() as connection:
        make_table(connection, "t", {"age": "integer", "bought": "varchar"}, texts)
        expected = min(oracle.km_anonymity(classes_of(connection, "t"), m))
        for k, passed in ((expected, True), (expected + 1, False)):
            asked = {"bought": {"km": {"k": k, "m": m}}}
            found = sqlanon.check(
                "t", connection=connection, quasi_identifiers=["age"], sensitive=asked
            )
            (one,) = (each for each in found.measures if each.metric == "km_anonymity")
            assert (one.value, one.passed) == (expected, passed)
            assert one.threshold == f"k = {k}, m = {m}"


def test_a_text_that_is_no_set_is_its_own_only_member() -> None:
    """And never one of a set: nobody shares it but who has the same text."""
    rows = [(1, text) for text in ("{a}", "{a}", "a", "a, b", "{a, b", "{")]
    with database() as connection:
        make_table(connection, "t", {"age": "integer", "bought": "varchar"}, rows * 2)
        found = sqlanon.check(
            "t",
            connection=connection,
            quasi_identifiers=["age"],
            sensitive={"bought": {"km": {"k": 2, "m": 2}}},
        )
        assert {metric.metric: metric.value for metric in found.measures}["km_anonymity"] == 2


@examples(5, 60)
@given(ROWS, st.integers(1, 6), st.integers(1, 3))
def test_rare_members_are_left_out_until_none_is(
    rows: list[tuple[int, list[str] | None]], k: int, m: int
) -> None:
    """The whole column then has k^m, with every choice of members as frequent as it was."""
    with database() as connection:
        with_sets(connection, rows)
        declared = {**DECLARED, "method": "stack_and_deal", "k": len(rows)}
        sets = [None if row is None else frozenset(row) for _, row in rows]
        expected = oracle.without_rare(sets, k, m)
        asked = {"bought": {"transform": asking(1, m, rare=k)["bought"]["transform"]}}
        sqlanon.anonymize("baskets", connection=connection, sensitive=asked, **declared).close()
        (found,) = classes_of(connection, "anonymized")
        assert Counter(found) == Counter(expected)
        kept = oracle.privacy.choices(found, m) - {frozenset()}
        assert all(oracle.privacy.support(one, found) >= k for one in kept)
        assert all(
            oracle.privacy.support(one, found) == oracle.privacy.support(one, sets) for one in kept
        )


@pytest.mark.parametrize("method", ["mondrian", *slow("split_or_deal", "optimal")])
@examples(3, 25)
@given(ROWS, st.integers(1, 4), st.integers(1, 2))
def test_a_release_holds_what_the_oracle_counts(
    method: str, rows: list[tuple[int, list[str] | None]], k: int, m: int
) -> None:
    """A search finds a release wherever one class of all is one: it cuts where both sides hold."""
    with database() as connection:
        with_sets(connection, rows)
        own: dict[str, Any] = {"method": method, "sensitive": asking(k, m, rare=k)}
        if method == "optimal":
            own["quasi_identifiers"] = {"age": {"hierarchy": {"bands": [2, 4]}}}
        try:
            made = sqlanon.anonymize("baskets", connection=connection, **{**DECLARED, **own})
        except InfeasibleError:
            assert len(rows) < k
            return
        found = min(oracle.km_anonymity(classes_of(connection, "anonymized"), m))
        assert found >= k
        assert made.measure("km_anonymity", "bought") == found
        assert sqlanon.check("anonymized", connection=connection).passed


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"km": 3}, "sensitive.bought.km: it must be a mapping such as {k: 5, m: 2}"),
        ({"km": {"k": 0, "m": 2}}, "sensitive.bought.km.k: it must be greater than or"),
        ({"km": {"k": 2, "m": 4}}, "sensitive.bought.km.m: it must be less than or equal to 3"),
        ({"km": {"k": 2, "m": 1}}, "cannot have this role"),
        (
            {"transform": {"rare_members": {"k": 2, "m": 1}}},
            "needs sets as text, the column is VARCHAR[]: say members: sorted before it",
        ),
        (
            {"transform": [{"rare_members": {"k": 2, "m": 1}}, {"members": "sorted"}]},
            "rare_members counts what the other transforms leave: put it after all others",
        ),
    ],
    ids=str,
)
def test_what_cannot_be_held_is_refused(asked: Any, said: str) -> None:
    with database() as connection:
        with_sets(connection, [(1, ["a"])])
        declared = {**DECLARED, "sensitive": {"bought": asked}}
        assert said in str(refused(SpecError, "baskets", connection=connection, **declared))


def test_where_no_class_can_hold_a_set_the_run_says_how_to_mend_it() -> None:
    with database() as connection:
        with_sets(connection, [(number, ["a", "bcd"[number]]) for number in range(3)])
        declared = {**DECLARED, "method": "mondrian", "sensitive": asking(2, 1)}
        error = refused(InfeasibleError, "baskets", connection=connection, **declared)
        assert "no k helps" in str(error)
        assert "rare_members in its transform leaves out the members" in str(error)
        mended = {**declared, "sensitive": asking(2, 1, rare=2)}
        sqlanon.anonymize("baskets", connection=connection, **mended).close()


def test_other_than_text_is_refused() -> None:
    with database() as connection:
        make_table(connection, "t", {"age": "integer", "pay": "integer"}, [(1, 1)])
        declared = {**DECLARED, "sensitive": {"pay": {"km": {"k": 2, "m": 1}}}}
        error = refused(SpecError, "t", connection=connection, **declared)
        assert "k^m-anonymity of 'pay' needs sets as text" in str(error)
        declared = {
            "quasi_identifiers": {"pay": {"sensitive": {"km": {"k": 2, "m": 1}}}},
            "privacy": {"k": 1},
        }
        error = refused(SpecError, "t", connection=connection, **declared)
        assert "sensitive.km: the cells hide codes, which have no members" in str(error)
