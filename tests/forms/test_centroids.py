"""Centroids: a class publishes its mean, median or mode of a column, and nothing of the others."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import (
    first_mode,
    gcp,
    is_told,
    lower_median,
    ncp_interval,
    ncp_set,
    record_loss,
    rounded_mean,
    told,
)
from support import (
    Connection,
    Outcome,
    Row,
    anonymized,
    at,
    database,
    examples,
    make_table,
    multiset,
    refused,
    slow,
)

import sqlanon
from sqlanon.errors import SpecError

SCHOOLS = ["none", "Basic", "*", "doctor"]
COLUMNS = {
    "age": "integer",
    "fee": "decimal(9, 2)",
    "born": "date",
    "school": "varchar",
    "town": "varchar",
    "dose": "double",
    "ill": "varchar",
}
ASKED: dict[str, Any] = {
    "age": {"publish": "mean", "weight": 2},
    "fee": {"publish": "mean"},
    "born": {"publish": "median"},
    "school": {"publish": "median", "order": SCHOOLS},
    "town": {"publish": "mode"},
    "dose": {"publish": "mode"},
}
FIRST = date(2020, 1, 1)
DIGITS = {"age": 0, "fee": 2}

records = st.lists(
    st.tuples(
        st.none() | st.integers(-9, 9),
        st.none() | st.integers(-300, 300).map(lambda cents: Decimal(cents) / 100),
        st.none() | st.integers(0, 40).map(lambda days: FIRST + timedelta(days)),
        st.none() | st.sampled_from(SCHOOLS),
        st.none() | st.sampled_from(["", "a", "B"]),
        st.none() | st.sampled_from([0.5, -1.0, 1e21]),
        st.sampled_from("xy"),
    ),
    min_size=4,
    max_size=14,
)


def in_order(name: str, values: list[Any]) -> list[Any]:
    return SCHOOLS if name == "school" else sorted({value for value in values if value is not None})


def centroid(name: str, members: list[Any], column: list[Any]) -> Any:
    """What a class of these values publishes."""
    form, order = ASKED[name]["publish"], in_order(name, column)
    if form == "mean":
        return rounded_mean(members, DIGITS[name])
    return (lower_median if form == "median" else first_mode)(members, order)


def lost(name: str, members: list[Any], column: list[Any], k: int) -> Fraction:
    """What the interval or the set of the values would lose; all, where too few have one."""
    if set(members) != {None} and not is_told(members, k):
        return Fraction(1)
    if ASKED[name]["publish"] == "mode":
        return ncp_set(len(set(members)), len(set(column)))
    known = [one for one in members if one is not None]
    if len(known) < len(members):
        return Fraction(bool(known))
    if name == "school":
        places = [SCHOOLS.index(one) for one in known]
        return ncp_interval(min(places), max(places), len(SCHOOLS) - 1)
    at: Callable[[Any], Fraction] = lambda one: Fraction(  # noqa: E731
        (one - FIRST).days if isinstance(one, date) else one
    )
    points = [at(one) for one in column if one is not None]
    return ncp_interval(at(min(known)), at(max(known)), max(points) - min(points))


@given(rows=records, k=st.integers(1, 4), seed=st.integers(0, 9))
@examples(1, 30)
def test_a_class_publishes_its_centroids_and_loses_what_it_hides(
    rows: list[Row], k: int, seed: int
) -> None:
    with database() as connection:
        make_table(connection, "t", COLUMNS, rows)
        k = min(k, len(rows))
        made = anonymized(
            connection, "t", quasi_identifiers=ASKED, sensitive=["ill"], k=k, seed=seed
        )
        columns = [list(entry) for entry in zip(*made.assigned.values, strict=True)]
        names = list(ASKED)
        expected, losses, classes = [], [], made.assigned.class_ids
        for place in set(classes):
            own = [
                row
                for row, value in zip(made.assigned.values, classes, strict=True)
                if value == place
            ]
            members = [list(entry) for entry in zip(*own, strict=True)]
            each = list(zip(names, members, columns, strict=False))
            cells = [told(centroid(*one), one[1], k) for one in each]
            loss = record_loss([lost(*one, k) for one in each], [2, 1, 1, 1, 1, 1])
            expected += [(*cells, row[-1]) for row in own]
            losses += [loss] * len(own)
        assert multiset(list(map(as_exact, made.rows))) == multiset(list(map(as_exact, expected)))
        assert made.measure("gcp") == pytest.approx(float(gcp(losses)), abs=2e-9)
        types = connection.execute("describe anonymized").fetchall()
        assert [one[1] for one in types][:3] == ["INTEGER", "DECIMAL(9,2)", "DATE"]


def as_exact(row: Row) -> Row:
    return tuple(Fraction(one) if isinstance(one, int | Decimal) else one for one in row)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["mean", "median", "mode"])
def test_no_centroid_is_published_of_fewer_than_k(form: str) -> None:
    """Of a class in which one person has a value it would be that person's own."""
    rows = [(number, "a", 7 if number == 0 else None, "x") for number in range(4)]
    rows += [(number, "b", 5 if number > 4 else None, "y") for number in range(4, 8)]
    rows += [(7, "b", 6, "y")] * 3
    with database() as connection:
        make_table(
            connection,
            "t",
            {"who": "integer", "town": "varchar", "dose": "integer", "ill": "varchar"},
            rows,
        )
        asked = {"town": {}, "dose": {"publish": form}}
        common: dict[str, Any] = {"quasi_identifiers": asked, "sensitive": ["ill"], "seed": 1}
        common["method"] = "mondrian"
        made = anonymized(connection, "t", **common, k=3)
        shown = {row[0]: row[1] for row in made.rows}
        assert shown["a"] is None
        assert shown["b"] is not None
        made = anonymized(connection, "t", **common, k=4, person="who")
        assert {row[0]: row[1] for row in made.rows} == {"a": None, "b": None}, "three persons"


def test_the_gate_finds_a_centroid_of_few(here: Connection) -> None:
    """By SQL of its own, whatever found the value."""
    here.execute("update t set age = case when age < 3 then age end")
    asked = {"age": {"publish": "median"}, "town": {}}

    def tell() -> None:
        here.execute("update sqlanon_centroids_q1 set label = 1 where label is null")

    listener = at("every median of age is that of its class", tell)
    with pytest.raises(SpecError, match="the median cannot be computed"):
        sqlanon.anonymize(
            "t", connection=here, progress=listener, **declared(quasi_identifiers=asked)
        )


def test_a_check_finds_centroids_of_few(here: Connection) -> None:
    """A table in which three classes show a mean, of a source in which two persons have a value."""
    here.execute("update t set age = case when age < 2 then age end")
    here.execute("create table r as select 1 as age, town, ill from t")
    spec = sqlanon.parse_spec(
        {
            "source": {"table": "t"},
            "release": "r",
            "privacy": {"k": 5},
            "seed": 1,
            "quasi_identifiers": {"age": {"publish": "mean"}, "town": {}},
            "sensitive": ["ill"],
        }
    )
    faults = sqlanon.check("r", spec=spec, connection=here).faults
    assert [(fault.what, fault.column) for fault in faults] == [("centroids_of_few", "age")]
    assert "k of a class" in str(faults[0])
    here.execute("update r set age = null")
    assert sqlanon.check("r", spec=spec, connection=here).faults == ()


def test_centroids_by_hand() -> None:
    assert rounded_mean([1, 2, None], 0) == 2  # half up
    assert rounded_mean([-1, -2], 0) == -1
    assert rounded_mean([Decimal("0.01"), Decimal("0.02")], 2) == Fraction(2, 100)
    assert rounded_mean([None], 0) is None
    assert lower_median([4, 1, 3, 2], [1, 2, 3, 4]) == 2
    assert lower_median([None, 3], [3]) == 3
    assert first_mode(["b", "a", None], ["a", "b"]) is None
    assert first_mode(["b", "a", "b", None], ["a", "b"]) == "b"


@pytest.fixture
def here() -> Iterator[Connection]:
    with database() as connection:
        rows = [
            (
                i * 7 % 60,
                Decimal(i % 13) / 4,
                FIRST + timedelta(i * 5 % 90),
                SCHOOLS[i % 4],
                "abc"[i * i % 3],
                i % 5 / 2,
                "xy"[i % 2],
            )
            for i in range(60)
        ]
        make_table(connection, "t", COLUMNS, rows)
        yield connection


def declared(**changed: Any) -> dict[str, Any]:
    return {"quasi_identifiers": ASKED, "sensitive": ["ill"], "k": 5, "seed": 1, **changed}


def classes_of(made: Outcome) -> list[Row]:
    """The records with their classes; a relation has no order of its own."""
    each = zip(made.assigned.codes, made.assigned.class_ids, strict=True)
    return multiset([(*codes, number) for codes, number in each])


@pytest.mark.parametrize("method", ["mondrian", *slow("split_or_deal")])
def test_a_search_prices_them_as_intervals_and_sets(here: Connection, method: str) -> None:
    """The classes are those of the forms that lose as much, and so is the loss."""
    asked = {"age": {"publish": "mean"}, "town": {"publish": "mode"}}
    points = anonymized(here, "t", **declared(quasi_identifiers=asked, method=method))
    asked = {"age": {"publish": "interval"}, "town": {"publish": "set"}}
    stretches = anonymized(here, "t", **declared(quasi_identifiers=asked, method=method))
    assert classes_of(points) == classes_of(stretches)
    assert points.measure("gcp") == stretches.measure("gcp")


@pytest.mark.slow
def test_a_release_is_read_back_and_its_loss_is_not_known(here: Connection, tmp_path: Path) -> None:
    sqlanon.anonymize("t", connection=here, **declared(method="mondrian"))
    asked = {"source": {"table": "t"}, "release": "r", "privacy": {"k": 5}, "seed": 1}
    spec = sqlanon.parse_spec({**asked, "quasi_identifiers": ASKED, "sensitive": ["ill"]})
    here.execute(f"copy anonymized to '{tmp_path / 'r.csv'}' (header)")
    for table in ("anonymized", {"file": str(tmp_path / "r.csv")}):
        found = sqlanon.check(table, spec=spec, connection=here)
        assert found.passed
        assert found.faults == ()
        assert {metric.metric: metric.value for metric in found.measures}["gcp"] is None
    here.execute("update anonymized set age = 61, born = '2019-12-31', town = 'd', school = 'no'")
    faults = sqlanon.check("anonymized", spec=spec, connection=here).faults
    assert {fault.what for fault in faults} == {"unreadable_cells"}
    assert [fault.column for fault in faults] == ["age", "born", "school", "town"]


@pytest.mark.slow
def test_who_links_is_told_that_a_centroid_leaves_nobody_out(here: Connection) -> None:
    asked = {"age": {"publish": "median"}, "town": {}}
    sqlanon.anonymize("t", connection=here, **declared(quasi_identifiers=asked))
    assert sqlanon.attack("anonymized", connection=here).findings
    with pytest.raises(SpecError, match=r"'age' is published as its class's median.*on: town"):
        sqlanon.attack("anonymized", external="t", connection=here)
    found = sqlanon.attack("anonymized", external="t", connection=here, on=["town"])
    assert found.persons == 60


@pytest.mark.slow
def test_utility_reads_a_centroid_as_a_value(here: Connection) -> None:
    """One class of the ages 0, 1, 5: the mean 2 is read as 1 or 5, the median is 1."""
    here.execute("create table u as from (values (0, 'x'), (1, 'y'), (5, 'x')) as v(age, ill)")
    for form, share in (("mean", 1 / 3), ("median", 2 / 3)):
        asked = {"age": {"publish": form}}
        sqlanon.anonymize("u", connection=here, **declared(quasi_identifiers=asked, k=3))
        found = sqlanon.utility("anonymized", source="u", connection=here, queries=0)
        assert "exact_share" in found.notes
        moved = {
            finding.figure: finding.value for finding in found.findings if finding.of == ("age",)
        }
        assert moved["marginal_variation"] == pytest.approx(share)


@pytest.mark.parametrize(
    ("asked", "where", "what"),
    [
        ({"town": {"publish": "mean"}}, "town", "the column is VARCHAR: publish: mode, or set"),
        ({"dose": {"publish": "mean"}}, "dose", "decimals of a declared number of digits"),
        ({"town": {"publish": "median"}}, "town", "publish: mode, or list its values in order"),
        ({"age": {"publish": "centroid"}}, "age", "'centroid' is not accepted"),
        ({"age": {"publish": "mean", "nominal": True}}, "age", "leave publish: mean out"),
        ({"age": {"publish": "mean", "hierarchy": {"bands": [5]}}}, "age", "takes no hierarchy"),
        ({"school": {"publish": "mean", "order": SCHOOLS}}, "school", "publish: median"),
    ],
)
def test_what_does_not_fit_is_refused(
    here: Connection, asked: Mapping[str, Any], where: str, what: str
) -> None:
    error = refused(SpecError, "t", connection=here, **declared(quasi_identifiers=asked))
    assert f"quasi_identifiers.{where}" in str(error)
    assert what in str(error)


def test_metrics_of_what_cells_stand_for_are_refused(here: Connection) -> None:
    error = refused(SpecError, "t", connection=here, **declared(metrics=["ambiguity"]))
    assert "ambiguity: it is of what cells stand for, and 'age'" in str(error)


def test_a_mean_that_cannot_be_told_exactly_is_refused(here: Connection) -> None:
    """2^53 + 1 is no double; one less is told."""
    asked = declared(quasi_identifiers={"q": {"publish": "mean"}}, sensitive=["s"], k=2)
    here.execute(f"create table u(q, s) as from (values (-2, 1), ({2**54 + 2}, 2))")
    assert multiset(anonymized(here, "u", **asked).rows) == [(2**53, 1), (2**53, 2)]
    here.execute("update u set q = 0 where q < 0")
    error = refused(SpecError, "u", connection=here, **asked)
    assert "quasi_identifiers.q.publish: of 1 classes the mean cannot be computed" in str(error)
