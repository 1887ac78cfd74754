"""Stack & Deal among neighbours: the curve is a curve, and dealing along it keeps every count."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import duckdb
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import examples

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.methods.deal.locality import Curve, curve_through, grid_params
from sqlanon.methods.method import ASSIGNED
from sqlanon.plan import Plan, Step
from sqlanon.planning.prepare import prepare
from sqlanon.session import Session
from sqlanon.spec import parse_spec
from sqlanon.sql.names import Relation, Sql
from sqlanon.sql.templates import load_template

Row = tuple[int | None, str | None, int, str | None]
ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(0, 30),
        st.none() | st.sampled_from("abc"),
        st.integers(0, 90),
        st.none() | st.sampled_from(["flu", "cold", "ulcer", "gout"]),
    ),
    min_size=1,
    max_size=60,
)


@pytest.mark.parametrize(("axes", "bits"), [(2, 1), (2, 4), (3, 1), (3, 3)])
def test_the_grid_is_a_hilbert_curve(axes: int, bits: int) -> None:
    """It visits every cell once, and one step moves by one along one axis."""
    curve = Curve((), tuple(Sql(f"q{axis}") for axis in range(axes)), bits)
    sql = load_template("methods/locality/grid").render({}, grid_params(curve))
    cells = duckdb.execute(f"select * from ({sql}) order by place").fetchall()
    assert [cell[-1] for cell in cells] == list(range(2 ** (axes * bits)))
    assert len({cell[:-1] for cell in cells}) == len(cells)
    for one, two in pairwise(cells):
        assert sum(abs(a - b) for a, b in zip(one[:-1], two[:-1], strict=True)) == 1


def test_columns_with_few_values_lead_and_others_curve() -> None:
    sizes = {"q1": 73, "q2": 2, "q3": 8000, "q4": 16, "q5": 40, "q6": 900}
    curve = curve_through({Sql(name): size for name, size in sizes.items()}, 1_000_000)
    assert curve == Curve((Sql("q2"), Sql("q4")), (Sql("q3"), Sql("q6"), Sql("q1")), 6)


def dealt(rows: list[Row], k: int, **method: object) -> list[tuple[int, str | None]]:
    """(class, disease) of every record."""
    connection = duckdb.connect()
    connection.execute("create table people (age integer, sex varchar, zip integer, d varchar)")
    connection.executemany("insert into people values (?, ?, ?, ?)", rows)
    engine = DuckDBEngine(connection=connection)
    declared = {
        "source": {"table": "people"},
        "release": "public",
        "quasi_identifiers": ["age", "sex", "zip"],
        "sensitive": ["d"],
        "privacy": {"k": k},
        "method": {"name": "stack_and_deal", "stack": "frequency", **method},
    }
    prepared = prepare(parse_spec(declared), engine)
    names = [getattr(step, "output", None) for step in prepared.plan]
    session = Session(engine)
    with session.transaction(keep=False):
        session.run(Plan(prepared.plan.steps[: names.index(ASSIGNED) + 1]))
        found = connection.execute(
            f"select class_id, value from {ASSIGNED.sql} join sqlanon_domain_s1 on s1 = code"
        ).fetchall()
    engine.close()
    connection.close()
    return found


def profiles(found: list[tuple[int, str | None]]) -> Counter[frozenset[tuple[str | None, int]]]:
    """How many classes hold each multiset of values."""
    classes: dict[int, Counter[str | None]] = {}
    for number, value in found:
        classes.setdefault(number, Counter())[value] += 1
    return Counter(frozenset(counts.items()) for counts in classes.values())


@pytest.mark.slow
@examples(6, 30)
@given(ROWS, st.integers(1, 6))
def test_dealing_along_the_curve_keeps_every_count(rows: list[Row], k: int) -> None:
    if k <= len(rows):
        plain = dealt(rows, k)
        along = dealt(rows, k, locality="curve")
        assert profiles(along) == profiles(plain)


@examples(6, 30)
@given(ROWS, st.integers(1, 6), st.integers(6, 20))
def test_every_stripe_is_dealt_on_its_own(rows: list[Row], k: int, stripe: int) -> None:
    if k <= len(rows):
        found = dealt(rows, k, locality="stripes", stripe=stripe)
        sizes = Counter(number for number, _ in found)
        assert sorted(sizes) == list(range(len(sizes)))
        assert min(sizes.values()) >= k
        assert Counter(value for _, value in found) == Counter(row[3] for row in rows)


LOCALITIES = st.one_of(
    st.just({"locality": "curve"}),
    st.builds(lambda size: {"locality": "stripes", "stripe": size}, st.integers(6, 20)),
)


@pytest.mark.slow
@examples(6, 30)
@given(ROWS, st.integers(1, 6), LOCALITIES, st.booleans())
def test_portable_and_duckdb_templates_deal_alike(
    rows: list[Row], k: int, method: dict[str, Any], alike: bool
) -> None:
    """Also where many records are alike and the borders of stripes fall among them."""
    if k > len(rows):
        return
    connection = duckdb.connect()
    connection.execute(
        "create table people (age integer, sex varchar, zip integer, d varchar, ward integer)"
    )
    connection.executemany(
        "insert into people values (?, ?, ?, ?, ?)",
        [(age, sex, 7 if alike else zip_, d, n % 3) for n, (age, sex, zip_, d) in enumerate(rows)],
    )
    engine = DuckDBEngine(connection=connection)
    declared = {
        "source": {"table": "people"},
        "release": "public",
        "quasi_identifiers": ["zip", "sex"] if alike else ["age", "sex", "zip"],
        "sensitive": ["d"],
        "insensitive": {"ward": {"accept": "few rows"}},
        "privacy": {"k": k},
        "method": {"name": "stack_and_deal", **method},
    }
    steps = prepare(parse_spec(declared), engine).plan.steps
    names = [getattr(step, "output", None) for step in steps]
    steps = steps[: names.index(ASSIGNED) + 1]
    with (session := Session(engine)).transaction(keep=False):
        session.run(Plan(steps))
        portable: dict[Relation, Relation] = {}
        for step in steps[names.index(Relation("sqlanon_curve_places")) :]:
            assert isinstance(step, Step)
            inputs = {name: portable.get(at, at) for name, at in step.inputs.items()}
            select = load_template(step.template, "portable").render(inputs, step.params)
            portable[step.output] = Relation(f"portable_{step.output.name}")
            connection.execute(f"create temp table {portable[step.output].sql} as {select}")
        dealt_by = [
            Counter(connection.execute(f"select * from {relation.sql}").fetchall())
            for relation in (ASSIGNED, portable[ASSIGNED])
        ]
        assert dealt_by[0] == dealt_by[1]
        assert sum(dealt_by[0].values()) == len(rows)
    engine.close()
    connection.close()


@pytest.mark.slow
def test_neighbours_lose_less() -> None:
    """With plain dealing a class spans nearly everything; along the curve it does not."""
    connection = duckdb.connect()
    connection.execute(
        "create table people as select (hash(i) % 70)::int as age, (hash(i + 1e6::int) % 900)::int "
        "as zip, i % 2 as sex, case when hash(i + 2e6::int) % 3 = 0 then 'a' else 'b' end as d "
        "from range(20000) as t(i)"
    )
    loss, closeness = {}, {}
    for locality in ("none", "curve", "stripes"):
        release = sqlanon.anonymize(
            "people",
            connection=connection,
            quasi_identifiers=["age", "zip", "sex"],
            sensitive="d",
            k=10,
            method={
                "name": "stack_and_deal",
                "locality": locality,
                "stripe": 500 if locality == "stripes" else None,
            },
        )
        loss[locality] = release.measure("gcp") or 0
        closeness[locality] = release.measure("t_closeness", "d") or 0
    assert loss["stripes"] < loss["curve"] / 2 < loss["none"] / 4
    assert closeness["curve"] == pytest.approx(closeness["none"], abs=0.05)


def test_predicted_models_are_those_of_the_classes_as_dealt() -> None:
    rows = [(i % 17, "abc"[i % 3], i % 71, ["flu", "cold", "gout"][i * i % 3]) for i in range(97)]
    connection = duckdb.connect()
    connection.execute("create table people (age integer, sex varchar, zip integer, d varchar)")
    connection.executemany("insert into people values (?, ?, ?, ?)", rows)
    declared: dict[str, Any] = {
        "quasi_identifiers": {"zip": {"publish": "set"}, "age": {"publish": "set"}, "sex": {}},
        "sensitive": {"d": {"t": 1}},
        "k": 7,
        "method": "stack_and_deal",
    }
    predicted = sqlanon.predict("people", connection=connection, **declared)
    release = sqlanon.anonymize("people", connection=connection, **declared)
    facts = dict(connection.execute('select item, "value" from anonymized__run').fetchall())
    assert facts["classes_formed"] == facts["classes_published"], "no two classes look alike here"
    assert predicted == list(release.measures[: len(predicted or [])])


def test_stripes_cannot_be_predicted() -> None:
    connection = duckdb.connect()
    connection.execute("create table people as select i as age, i % 3 as d from range(50) as t(i)")
    method = {"name": "stack_and_deal", "locality": "stripes"}
    assert (
        sqlanon.predict(
            "people",
            connection=connection,
            quasi_identifiers="age",
            sensitive="d",
            k=5,
            method=method,
        )
        is None
    )


@pytest.mark.parametrize("locality", ["none", "curve", "stripes"])
def test_where_a_row_stands_tells_no_more_than_its_cells(locality: str) -> None:
    """The release stands in the order of its own columns, not of dealing or of the curve."""
    connection = duckdb.connect()
    connection.execute(
        "create table people as select (hash(i) % 70)::int as age, (hash(i + 1e6::int) % 90)::int "
        "as zip, (hash(i + 2e6::int) % 3)::int as d from range(3000) as t(i)"
    )
    sqlanon.anonymize(
        "people",
        connection=connection,
        quasi_identifiers=["age", "zip"],
        sensitive="d",
        k=5,
        method={"name": "stack_and_deal", "locality": locality},
    )
    rows = connection.execute("select age, zip, d from anonymized").fetchall()
    assert rows == sorted(rows)
