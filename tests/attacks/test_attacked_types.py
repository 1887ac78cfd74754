"""What attacks compare: exact numbers, kinds that do not fit, persons who fit nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle.attacks import membership
from servers import place
from support import DEALT, Connection, database, examples, make_table, slow

import sqlanon
from sqlanon.errors import SpecError
from sqlanon.uses.attacks.findings import Attacked

pytestmark = pytest.mark.slow

LARGE = 2**53  # the next integer is no double


def attacked(
    connection: Connection, published: str, values: Sequence[Any], type_: str, known: Sequence[Any]
) -> Attacked:
    make_table(connection, "shown", {"q": published}, [(value,) for value in values])
    make_table(connection, "they", {"q": type_}, [(one,) for one in known])
    return sqlanon.attack("shown", quasi_identifiers=["q"], external="they", connection=connection)


@pytest.mark.parametrize(
    ("published", "type_"),
    [
        ("bigint", "bigint"),
        ("bigint", "decimal(30, 2)"),
        ("decimal(20, 1)", "bigint"),
        ("decimal(20, 1)", "decimal(30, 3)"),
        ("bigint", "hugeint"),
    ],
)
def test_neighbouring_integers_beyond_doubles(published: str, type_: str) -> None:
    values = [LARGE, LARGE + 1, -LARGE - 1]
    with database() as connection:
        found = attacked(connection, published, values, type_, [*values, LARGE + 2])
    assert found.value("linking_smallest_group") == 1
    assert found.value("linking_unique_share") == 0.75
    assert found.value("membership_absent_share") == 0.25


@pytest.mark.parametrize(("type_", "end"), [("hugeint", 2**127), ("uhugeint", 2**128)])
def test_whole_numbers_of_more_digits_than_a_decimal(type_: str, end: int) -> None:
    values = [end - 1, end - 2]
    with database() as connection:
        found = attacked(connection, type_, values, type_, [*values, end - 3])
        assert found.value("linking_unique_share") == pytest.approx(2 / 3)
        found = attacked(connection, type_, [1, 2], "bigint", [1, 2])
    assert found.value("linking_smallest_group") == 1


def test_times_with_a_zone_are_read_in_a_session_of_any_zone() -> None:
    """A release shows them as of UTC, and the session's zone is somewhere else."""
    with database() as connection:
        connection.execute("set timezone = 'Asia/Kolkata'")
        hours = [(f"2020-01-0{1 + i % 4} 10:00+02", f"x{i % 3}") for i in range(12)]
        make_table(connection, "they", {"at": "timestamptz", "ill": "varchar"}, hours)
        asked: dict[str, Any] = {"quasi_identifiers": ["at"], "sensitive": ["ill"], **DEALT}
        for k, least in ((3, 3), (5, 6)):
            sqlanon.anonymize(
                "they", connection=connection, release="shown", k=k, progress=False, **asked
            )
            found = sqlanon.attack("shown", external="they", connection=connection)
            assert (found.value("linking_smallest_group") or 0) >= least
            assert found.value("membership_absent_share") == 0
            assert sqlanon.utility("shown", connection=connection).findings


def test_decimals_whose_digits_behind_the_point_differ() -> None:
    with database() as connection:
        values, known = ["1.25", "1.20", "7"], ["1.250", "1.2", "1.251"]
        found = attacked(connection, "decimal(9, 2)", values, "decimal(9, 3)", known)
    assert found.value("linking_unique_share") == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("published", "type_"),
    [
        ("bigint", "boolean"),
        ("boolean", "bigint"),
        ("boolean", "date"),
        ("date", "bigint"),
        ("double", "boolean"),
        ("date", "timestamp"),
        ("varchar", "bigint"),
        ("decimal(38, 0)", "decimal(38, 10)"),
    ],
)
def test_kinds_that_cannot_be_compared_are_refused(published: str, type_: str) -> None:
    with database() as connection, pytest.raises(SpecError) as refused:
        attacked(connection, published, [None], type_, [None])
    assert "external: its column 'q' is " in str(refused.value)
    assert "and the release's is" in str(refused.value)


def test_numbers_that_are_none_or_have_no_end() -> None:
    values = ["nan", "inf", "-inf", "1e300", "-1.5e-7", "0"]
    with database() as connection:
        found = attacked(connection, "double", values, "double", [*values, "2"])
    assert found.value("linking_unique_share") == pytest.approx(6 / 7)


def test_text_in_cells_of_intervals_is_counted_in_good_english() -> None:
    with database() as connection:
        make_table(connection, "t", {"q": "integer"}, [(1,), (2,)])
        make_table(connection, "shown", {"q": "varchar"}, [("[1, x]",)])
        spec = {"source": {"table": "t"}, "release": "shown", "quasi_identifiers": ["q"]}
        with pytest.raises(SpecError, match=r"cells that are no numbers, 1 in number"):
            sqlanon.attack(
                "shown",
                spec=sqlanon.parse_spec({**spec, "privacy": {"k": 2}}),
                external="t",
                connection=connection,
            )


@examples(5, 30)
@given(
    st.lists(st.one_of(st.none(), st.integers(0, 4)), min_size=1, max_size=12),
    st.lists(st.one_of(st.none(), st.integers(0, 6)), min_size=1, max_size=12),
)
def test_membership_is_of_all_records(values: list[int | None], known: list[int | None]) -> None:
    with database() as connection:
        found = attacked(connection, "integer", values, "integer", known)
    wanted = membership([(one,) for one in known], Counter((one,) for one in values))
    for figure, value in wanted.items():
        assert found.value(figure) == pytest.approx(float(value), abs=2e-9)
    missed = sum(one not in known for one in values)
    if missed:
        told = f"nobody of the external table fits {missed} of {len(values)} records"
        assert found.notes["membership"].startswith(told)
    elif None in known and None not in values:
        told = f"{known.count(None)} of {len(known)} persons fit no record and cannot be compared"
        assert found.notes["membership"].startswith(told)
    else:
        assert "membership" not in found.notes


@pytest.mark.parametrize(
    ("known", "certain"), [([1], Fraction(1, 4)), ([1, 1], Fraction(0)), ([9, None], Fraction(0))]
)
def test_a_class_that_nobody_fits_is_not_left_out(known: list[Any], certain: Fraction) -> None:
    with database() as connection:
        found = attacked(connection, "integer", [1, 5, 5, 5], "integer", known)
    assert found.value("membership_certain_share") == float(certain)
    assert found.value("membership_presence") == (1 / len(known) if 1 in known else 0)


def test_a_label_that_nobody_can_have_is_not_left_out() -> None:
    """The join of labels, or of sets, drops such a class before persons are counted."""
    towns = ["a1", "a2", "b1", "b2", "b3"]
    for form in ({"hierarchy": {"prefix": [1, 0]}}, {"publish": "set"}):
        with database() as connection:
            make_table(connection, "t", {"q": "varchar"}, [(text,) for text in towns])
            shown = ["a*", "a*", "b*", "b*", "b*"]
            if "publish" in form:
                shown = ["{a1, a2}"] * 2 + ["{b1, b2, b3}"] * 3
            make_table(connection, "shown", {"q": "varchar"}, [(text,) for text in shown])
            make_table(connection, "they", {"q": "varchar"}, [("a1",), ("a2",)])
            spec = {"source": {"table": "t"}, "release": "shown", "quasi_identifiers": {"q": form}}
            found = sqlanon.attack(
                "shown",
                spec=sqlanon.parse_spec({**spec, "privacy": {"k": 2}}),
                external="they",
                connection=connection,
            )
        assert found.value("membership_certain_share") == 0.4
        assert "fits 3 of 5 records" in found.notes["membership"]


@pytest.mark.parametrize("dropped", [False, True])
def test_a_new_release_drops_what_was_found_in_the_old(dropped: bool) -> None:
    spec = sqlanon.parse_spec(
        {
            "source": {"table": "t"},
            "release": "shown",
            "quasi_identifiers": ["q"],
            "privacy": {"k": 2},
            "method": "mondrian",
            "seed": 1,
        }
    )

    def there(name: str) -> bool:
        asked = "select count(*) from duckdb_tables() where table_name = ?"
        return bool((connection.execute(asked, [name]).fetchone() or (0,))[0])

    with database() as connection:
        make_table(connection, "t", {"q": "integer"}, [(number,) for number in (1, 2, 3, 4)])
        sqlanon.anonymize(spec, connection=connection)
        found = sqlanon.attack("shown", external="t", keep=True, connection=connection)
        assert all(there(relation.name) for relation in found.relations)
        if dropped:
            connection.execute("comment on table shown__linked is 'theirs'")
        sqlanon.anonymize(spec, connection=connection)
        assert not there("shown__attacked")
        assert there("shown__linked") == dropped  # what is not ours any more stays


@pytest.mark.parametrize("where", ["postgres", *slow("spark")])
def test_numbers_are_compared_alike_elsewhere(where: str, urls: Mapping[str, str]) -> None:
    cases: list[tuple[str, list[Any], float]] = [
        ("bigint", [LARGE, LARGE + 1], 1),
        ("double", [float("nan"), float("inf"), -1.5e-7], 1),
    ]
    with place(where, urls) as there:
        for number, (type_, values, unique) in enumerate(cases):
            name = f"shown{number}"
            there.make_table(name, {"q": type_}, [(value,) for value in values])
            found = sqlanon.attack(
                name, quasi_identifiers=["q"], external=name, connection=there.connection
            )
            assert found.value("linking_unique_share") == unique


@pytest.mark.parametrize("engine", ["duckdb", "postgres"])
@pytest.mark.parametrize("publish", ["interval", "set"])
def test_numbers_of_single_precision_are_found_again(
    engine: str, publish: str, urls: Mapping[str, str]
) -> None:
    """A cell's text is short: as a double it is another number, and nobody would be found."""
    with place(engine, urls) as here:
        rows = [(i % 7 / 3, i % 5 / 7, f"ill{i % 3}") for i in range(42)]
        here.make_table("t", {"height": "real", "dose": "real", "ill": "varchar"}, rows)
        declared: dict[str, Any] = {
            "quasi_identifiers": {"height": {"publish": publish}},
            "sensitive": ["dose", "ill"],
            "k": 3,
            **DEALT,
        }
        sqlanon.anonymize("t", connection=here.connection, release="public", **declared)
        found = sqlanon.attack("public", connection=here.connection, external="t")
        assert found.value("linking_found_share") == 1
        assert found.value("membership_absent_share") == 0
        useful = sqlanon.utility("public", connection=here.connection, queries=0)
        assert useful.value("marginal_variation", "dose") == 0
