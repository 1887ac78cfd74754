"""Outliers are left out before classes form: who they are, and that every limit holds."""

from __future__ import annotations

import json
import math
import random
from collections import Counter, defaultdict
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from oracle import outliers as oracle
from searched import Quasi, Table, laid_out
from support import Row, data_set, database, examples, facts, make_table, read, select

import sqlanon
from benchmarks import suppression
from sqlanon.clauses.person.stages import persons_kept
from sqlanon.domains.attribute import Unit
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.methods.outliers import Outliers, Pricing, outliers_of
from sqlanon.methods.workspace import KEPT, Workspace
from sqlanon.plan import Step, work
from sqlanon.session import Session
from sqlanon.sql.names import Relation, Sql

METHODS: list[Any] = [
    "split_or_deal",
    {"name": "split_or_deal", "transferable": True},
    "mondrian",
    "microaggregation",
    "stack_and_deal",
    {"name": "stack_and_deal", "locality": "curve"},
    {"name": "stack_and_deal", "locality": "stripes", "stripe": 40},
]
COLUMNS = {"age": "integer", "town": "varchar", "region": "varchar", "ill": "varchar"}
DECLARED: dict[str, Any] = {
    "quasi_identifiers": {"age": {"publish": "bounds"}, "town": {}, "region": {}},
    "sensitive": {"ill": {"t": 0.4, "distance": "equal"}},
    "privacy": {"k": 10},
    "suppression": {"records": 0.1},
    "seed": 1,
}


def people(seed: int, count: int = 150, far: int = 2) -> list[Row]:
    """Persons of about one age, and up to two who were born long before or after them."""
    chance = random.Random(seed)
    towns, regions, ills = "abcd", "NNNS", ["flu", "cold", "cold"]
    ages = [chance.randint(30, 40) for _ in range(count)]
    ages += [100, -30][:far]
    return [(age, *map(chance.choice, (towns, regions, ills))) for age in ages]


def released(rows: Sequence[Row], **declared: Any) -> tuple[list[Row], dict[str, float]]:
    """The records that a release has, by their sensitive value and region, and some metrics."""
    with database() as connection:
        make_table(connection, "people", COLUMNS, rows)
        with sqlanon.anonymize(
            "people", connection=connection, release="public", **{**DECLARED, **declared}
        ) as made:
            found = read(connection, "public")
            names = ("suppressed_records", "suppressed_share", "gcp")
            told = {
                metric.metric: metric.value or 0.0
                for metric in made.measures
                if metric.metric in names
            }
            return found[1], told


def missing(rows: Sequence[Row], **declared: Any) -> list[int]:
    """The numbers of the records that a release lacks."""
    numbered = [(*row, str(number)) for number, row in enumerate(rows)]
    own = {"own": {"accept": "the number of the record, to know it by"}}
    with database() as connection:
        make_table(connection, "people", {**COLUMNS, "own": "varchar"}, numbered)
        sqlanon.anonymize(
            "people",
            connection=connection,
            release="public",
            **{**DECLARED, "insensitive": own, **declared},
        ).close()
        found = select(connection, "select own from public")[1]
    return sorted({*range(len(rows))} - {int(one) for (one,) in found})


# --- who they are -----------------------------------------------------------------------------


@st.composite
def tables(draw: st.DrawFn) -> Table:
    """Tables with a few records far from the others."""
    kinds = [
        Quasi("interval", 30),
        Quasi("interval", 12, weight=2),
        Quasi("set", 6),
        Quasi("lca", 8, height=2),
    ]
    quasi = tuple(draw(st.lists(st.sampled_from(kinds), min_size=1, max_size=3)))
    chance = random.Random(draw(st.integers(0, 2**32)))
    nulls = draw(st.booleans())

    def record() -> tuple[int, ...]:
        far = chance.random() < 0.1
        return tuple(
            chance.randint(0 if nulls and far else 1, column.codes if far else min(4, column.codes))
            for column in quasi
        )

    return Table(quasi, (), tuple(record() for _ in range(draw(st.sampled_from([12, 40, 120])))))


def loss_of(table: Table) -> oracle.Loss:
    """What a record loses in a class of combinations."""
    present = [{record[place] for record in table.records} for place in range(len(table.quasi))]
    weights = sum(column.weight for column in table.quasi)

    def column(place: int, one: Quasi, codes: set[int]) -> Fraction:
        if len(codes) == 1:
            return Fraction(0)
        if one.publish == "set":
            return Fraction(len(codes) - 1, len(present[place]) - 1)
        if one.height is not None:
            levels = range(one.height + 1)
            level = min(at for at in levels if len({one.node(code, at) for code in codes}) == 1)
            nodes = [one.node(code, level) for code in range(one.codes + 1)]
            under = nodes.count(one.node(min(codes), level))
            return Fraction(under - 1, one.codes)
        if 0 in codes:
            return Fraction(1)
        axis = [code * code for code in present[place] if code]
        return Fraction(max(codes) ** 2 - min(codes) ** 2, max(axis) - min(axis))

    def loss(combinations: Sequence[oracle.Codes]) -> Fraction:
        return (
            sum(
                (
                    scale.weight * column(index, scale, {codes[index] for codes in combinations})
                    for index, scale in enumerate(table.quasi)
                ),
                Fraction(0),
            )
            / weights
        )

    return loss


@pytest.mark.slow
@given(
    tables(),
    st.integers(1, 6),
    st.sampled_from([Fraction(1, 50), Fraction(1, 10), Fraction(1, 2), Fraction(1)]),
    st.booleans(),
)
@examples(40, 400)
def test_they_are_the_oracles(table: Table, k: int, limit: Fraction, within: bool) -> None:
    """Of the groups of k that were cut, whose every member costs what the oracle says."""
    with database() as connection, patch.object(Workspace, "clear"):
        quasi, _ = laid_out(connection, table)
        group = quasi[0].alias if within else None
        with closing(DuckDBEngine(connection=connection)) as engine:
            session = Session(engine)
            with session.transaction():
                search = Outliers(
                    cells=Relation("cells"),
                    quasi=quasi,
                    models=(),
                    k=k,
                    least=k,
                    limit=limit,
                    within=group,
                )
                search.run(session)
            names = [str(column.alias) for column in quasi]
            tuples = {
                row[0]: tuple(row[1 : len(names) + 1])
                for row in select(
                    connection,
                    f"select cell_id, {', '.join(names)} from sqlanon_outlier_tuples",
                )[1]
            }
            parts = select(
                connection, "select class_id, cell_id, records from sqlanon_outlier_parts"
            )[1]
            kept = {row[0] for row in select(connection, f"select cell_id from {KEPT}")[1]}
            cells = select(connection, f"select cell_id, {', '.join(names)} from cells")[1]
            noted = dict(session.notes)
    sizes = Counter(table.records)
    assert sorted((tuples[cell], records) for _, cell, records in parts) == sorted(sizes.items())
    groups: dict[int, dict[oracle.Codes, int]] = defaultdict(dict)
    for label, cell, records in parts:
        groups[label][tuples[cell]] = records
    of_limit = (lambda codes: codes[0]) if within else (lambda codes: 0)
    of_groups = Counter(map(of_limit, table.records))
    for members in groups.values():
        assert len({of_limit(one) for one in members}) == 1
        least = min(k, min(of_groups[of_limit(one)] for one in members))
        assert sum(members.values()) >= least
    costs = oracle.costs(list(groups.values()), loss_of(table), k)
    # Where two amounts are nearly the same, whole units decide otherwise than fractions.
    every = oracle.costs(list(groups.values()), loss_of(table), k, worth=0)
    amounts = sorted([Fraction(1), *(cost for cost, _ in every.values())])
    gaps = [above - below for below, above in pairwise(amounts)]
    assume(all(gap == 0 or gap > Fraction(1, 10**6) for gap in gaps))
    most = min(math.floor(len(table.records) * limit), len(table.records) - k)
    expected = oracle.left_out(costs, of_limit, of_groups, limit, most)
    found = {tuple(row[1:]) for row in cells if row[0] not in kept}
    assert found == expected
    assert int(noted["search_outliers"]) == sum(sizes[entry] for entry in found)


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS, ids=str)
def test_they_stretch_nobodys_cells_any_more(method: Any) -> None:
    rows = people(3, far=1)
    without, _ = released(rows, method=method, suppression=None)
    found, told = released(rows, method=method)
    assert told["suppressed_records"] == len(rows) - len(found) == 1
    assert told["suppressed_share"] == pytest.approx(1 / len(rows))
    assert max(row[1] for row in without) == 100
    assert max(row[1] for row in found) <= 40


@pytest.mark.slow
def test_who_is_left_out_does_not_depend_on_sensitive_values() -> None:
    """The same persons are absent, whatever they have: an absence tells nothing of it."""
    rows, chance = people(5), random.Random(1)
    absent = set[tuple[int, ...]]()
    for _ in range(4):
        ills = [row[3] for row in rows]
        chance.shuffle(ills)
        changed = [(*row[:3], ill) for row, ill in zip(rows, ills, strict=True)]
        absent.add(tuple(missing(changed, method="mondrian")))
    assert absent == {(150, 151)}


@pytest.mark.slow
def test_records_alike_in_all_quasi_identifiers_stay_or_go_together() -> None:
    rows = [*people(7, far=0), *[(300, "a", "N", text) for text in ("flu", "cold")]]
    for limit, gone in (("1/152", 0), ("2/152", 2)):
        found, told = released(rows, method="mondrian", suppression={"records": limit})
        assert len(rows) - len(found) == told["suppressed_records"] == gone


def test_as_many_alike_as_a_class_has_are_no_outliers() -> None:
    rows = [*people(7, far=0), *[(300, "a", "N", text) for text in ("flu", *["cold"] * 9)]]
    assert released(rows, method="mondrian")[1]["suppressed_records"] == 0


# --- where persons are counted ----------------------------------------------------------------


@pytest.mark.slow
@given(
    tables(),
    st.integers(1, 4),
    st.sampled_from([Fraction(1, 50), Fraction(1, 10), Fraction(1, 2), Fraction(1)]),
    st.booleans(),
    st.integers(0, 2**32),
)
@examples(40, 400)
def test_persons_who_are_left_out_are_the_oracles(
    table: Table, k: int, limit: Fraction, within: bool, seed: int
) -> None:
    """Of the groups of k persons that were cut, whose every member costs what the oracle says."""
    chance = random.Random(seed)
    several = max(k, len(table.records) // 2)
    owners = [*range(several), *(chance.randrange(several) for _ in table.records[several:])]
    with database() as connection, patch.object(Workspace, "clear"):
        quasi, _ = laid_out(connection, table)
        names = [str(column.alias) for column in quasi]
        rows = [(*codes, owner) for codes, owner in zip(table.records, owners, strict=False)]
        make_table(connection, "coded", dict.fromkeys([*names, "w1"], "bigint"), rows)
        with closing(DuckDBEngine(connection=connection)) as engine:
            session = Session(engine)
            scales = patch("sqlanon.clauses.person.stages.scales_of", return_value=(quasi, []))
            task = Mock(
                coded=Relation("coded"),
                quasi_codes=tuple(column.alias for column in quasi),
                sensitive=(),
                models=(),
                projected=(),
                k=k,
                allowance=limit,
                within=quasi[0].alias if within else None,
            )
            records = {"records": Relation("coded")}
            numbered = work("persons")
            unit = Unit("person", numbered, numbered, numbered, (Sql("w1"),), Sql("x0"))
            numbering = Step(
                "", numbered, "clauses/person/persons", records, {"person": [Sql("w1")]}
            )
            with session.transaction(), scales:
                session.create(numbering)
                for step in persons_kept(task, unit):
                    session.carry_out(step)
            kept = {row[0] for row in select(connection, "select w1 from sqlanon_kept_persons")[1]}
            parts = select(
                connection,
                f"select parts.class_id, {', '.join(names)} from sqlanon_outlier_parts as parts "
                "inner join sqlanon_person_tuples as tuples on parts.cell_id = tuples.cell_id",
            )[1]
            noted = dict(session.notes)
    held = [Counter(row[:-1] for row in rows if row[-1] == owner) for owner in range(several)]
    persons: list[oracle.Alike] = [tuple(sorted(one.items())) for one in held]
    group_of_tuple = {tuple(codes): label for label, *codes in parts}
    groups: dict[int, Counter[oracle.Alike]] = defaultdict(Counter)
    for person in persons:
        commonest = min(person, key=lambda pair: (-pair[1], pair[0]))[0]
        groups[group_of_tuple[commonest]][person] += 1
    of_limit = (lambda codes: codes[0]) if within else (lambda codes: 0)
    if not within:
        assert all(group.total() >= k for group in groups.values())
    loss = loss_of(table)
    every = oracle.person_costs(list(groups.values()), loss, k, worth=0)
    amounts = sorted([Fraction(1), *(cost for cost, _ in every.values())])
    gaps = [above - below for below, above in pairwise(amounts)]
    assume(all(gap == 0 or gap > Fraction(1, 10**6) for gap in gaps))
    costs = oracle.person_costs(list(groups.values()), loss, k)
    expected = oracle.persons_left_out(costs, persons, of_limit, limit, k)
    gone = {persons[owner] for owner in range(several) if owner not in kept}
    assert gone == expected
    assert all((person in gone) == (owner not in kept) for owner, person in enumerate(persons))
    assert int(noted["search_outliers"]) == several - len(kept)


VISITS = {**COLUMNS, "who": "varchar"}


def visits(seed: int, count: int = 60) -> list[Row]:
    """Persons with one to three records in one or two regions, two of them far from all others."""
    chance = random.Random(seed)
    rows: list[Row] = []
    for number in range(count):
        age = chance.randint(30, 40)
        for _ in range(chance.randint(1, 3)):
            place = (chance.choice("abcd"), chance.choice("NNNS"))
            ill = chance.choice(["flu", "cold", "cold", None])
            rows.append((age, *place, ill, f"o'{number}"))
    rows += [(100, "a", "N", "flu", "fär"), (35, "a", "N", "cold", "fär")]
    return [*rows, (-30, "b", "S", "cold", 'f"r'), (-30, "b", "N", "cold", 'f"r')]


def visitors_missing(rows: Sequence[Row], **declared: Any) -> list[Row]:
    """The records that a release by persons lacks."""
    numbered = [(*row, str(number)) for number, row in enumerate(rows)]
    own = {"own": {"accept": "the number of the record, to know it by"}}
    with database() as connection:
        make_table(connection, "people", {**VISITS, "own": "varchar"}, numbered)
        asked = {"sensitive": {"ill": {"t": 0.5, "distance": "equal"}}, "insensitive": own}
        sqlanon.anonymize(
            "people",
            connection=connection,
            release="public",
            **{**DECLARED, "person": "who", **asked, **declared},
        ).close()
        found = select(connection, "select own from public")[1]
    kept = {int(one) for (one,) in found}
    return [row for number, row in enumerate(rows) if number not in kept]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["split_or_deal", "microaggregation", "stack_and_deal"])
def test_a_person_goes_with_all_records(method: str) -> None:
    rows = visits(3)
    gone = visitors_missing(rows, method=method)
    assert {"fär", 'f"r'} <= {row[-1] for row in gone}
    assert Counter(row[-1] for row in gone) == {
        who: number
        for who, number in Counter(row[-1] for row in rows).items()
        if any(row[-1] == who for row in gone)
    }


@pytest.mark.slow
@given(st.integers(0, 2**32), st.sampled_from(["1/60", "1/20", "1/10"]), st.booleans())
@examples(4, 40)
def test_the_limit_counts_persons_and_records(seed: int, limit: str, within: bool) -> None:
    rows = visits(seed)
    suppression = {"records": limit} | ({"within": "region"} if within else {})
    gone = visitors_missing(rows, method="mondrian", suppression=suppression, privacy={"k": 5})
    groups: list[set[str]] = [{"N", "S"}, *([{"N"}, {"S"}] if within else [])]
    for group in groups:
        before, after = ([row for row in of if row[2] in group] for of in (rows, gone))
        assert len(after) <= Fraction(limit) * len(before)
        assert len({row[-1] for row in after}) <= Fraction(limit) * len({r[-1] for r in before})


@pytest.mark.slow
def test_who_goes_depends_on_no_name_and_no_sensitive_value() -> None:
    rows = visits(5)
    names = sorted({row[-1] for row in rows})
    first = Counter(row[:3] for row in visitors_missing(rows, method="mondrian"))
    assert first.total() > 2
    for shift in (1, 7):
        others = dict(zip(names, [*names[shift:], *names[:shift]], strict=True))
        ills = [*rows[shift:], *rows[:shift]]
        changed = [(*row[:3], ill[3], others[row[-1]]) for row, ill in zip(rows, ills, strict=True)]
        assert Counter(row[:3] for row in visitors_missing(changed, method="mondrian")) == first


@pytest.mark.slow
def test_the_report_counts_persons_by_group(tmp_path: Path) -> None:
    """No small count of persons is kept, however many records they have."""
    rows = visits(3)
    numbered = [(*row, str(number)) for number, row in enumerate(rows)]
    own = {"own": {"accept": "the number of the record, to know it by"}}
    asked = {"person": "who", "privacy": {"k": 3}, "insensitive": own, "method": "mondrian"}
    with database() as connection:
        make_table(connection, "people", {**VISITS, "own": "varchar"}, numbered)
        made = sqlanon.anonymize(
            "people", connection=connection, release="public", **{**DECLARED, **asked}
        )
        noted = facts(connection, "public")
        made.report(tmp_path / "report.html")
        kept = {int(one) for (one,) in select(connection, "select own from public")[1]}
    absent = {row[-1] for number, row in enumerate(rows) if number not in kept}
    assert int(noted["search_outliers"]) == len(absent) < int(noted["records_suppressed"])
    groups = [load for load in json.loads(noted["left_out_groups"]) if load["column"] == "region"]
    assert groups
    for group in groups:
        persons = {row[-1] for row in rows if row[2] == group["group"]}
        assert (group["records"], group["left_out"]) == (len(persons), len(persons & absent))
        assert group["left_out"] >= 3
    assert "a greater share of their persons" in (tmp_path / "report.html").read_text()


def test_the_gate_counts_persons_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that left out more persons than it may would release nothing."""

    def beyond(self: Pricing) -> Relation:
        self._limit, self._most, self._most_records = Fraction(1), 50, 10**6
        return chosen(self)

    chosen = Pricing.chosen
    monkeypatch.setattr(Pricing, "chosen", beyond)
    rows = [*visits(2), *[(35, "a", "N", "cold", "often")] * 900]
    with pytest.raises(InfeasibleError, match=r"\d+ of \d+ persons would be left out"):
        visitors_missing(rows, method="random", suppression={"records": "1/80"})


# --- the limits -------------------------------------------------------------------------------


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize("method", ["split_or_deal", "mondrian", "stack_and_deal"])
@given(st.integers(0, 2**32), st.sampled_from(["1/100", "1/30", "1/10"]), st.booleans())
@examples(3, 30)
def test_no_more_are_left_out_than_may_be(method: str, seed: int, limit: str, within: bool) -> None:
    """Counted by a reader who has the source: of the table, and of every group."""
    rows = people(seed, 80)
    suppression = {"records": limit} | ({"within": "region"} if within else {})
    gone_ones = missing(rows, method=method, suppression=suppression)
    before = Counter(row[2] for row in rows)
    gone = Counter(rows[number][2] for number in gone_ones)
    assert sum(gone.values()) <= Fraction(limit) * len(rows)
    if within:
        assert all(gone[one] <= Fraction(limit) * before[one] for one in before)


def test_the_gate_counts_what_was_left_out_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that left out more than it may would release nothing."""

    def beyond(*given: Any) -> Outliers:
        search = outliers_of(*given)
        assert search is not None
        return replace(search, limit=Fraction(1), within=None)

    rows = people(2)
    monkeypatch.setattr("sqlanon.methods.cut.mondrian.outliers_of", beyond)
    with pytest.raises(InfeasibleError, match=r"\d of 152 records would be"):
        released(rows, method="mondrian", suppression={"records": "1/152"})
    with pytest.raises(InfeasibleError, match=r"of \d of 2 groups more records would be"):
        released(
            [(*row[:2], "S" if not 0 < row[0] < 99 else row[2], row[3]) for row in rows],
            method="mondrian",
            suppression={"records": "1/50", "within": "region"},
        )


@pytest.mark.slow
def test_nobody_is_left_out_where_the_others_would_violate_a_model() -> None:
    """The ulcers are far from all others, and without them nobody is close to the table."""
    rows = [*people(1, far=0), (100, "a", "N", "ulcer"), (-30, "b", "N", "ulcer")]
    asked = {"ill": {"distance": "equal", "t": "1/100"}}
    found, told = released(rows, method="mondrian", sensitive=asked)
    assert len(found) == len(rows)
    assert told["suppressed_records"] == 0
    assert len(released(rows, method="mondrian")[0]) < len(rows)


@pytest.mark.further
@pytest.mark.slow
def test_they_are_counted_by_a_reason_of_their_own(tmp_path: Path) -> None:
    with database() as connection:
        make_table(connection, "people", COLUMNS, people(3))
        made = sqlanon.anonymize("people", connection=connection, release="public", **DECLARED)
        made.report(tmp_path / "report.html")
        reasons = read(connection, "public__suppressed")[1]
        noted = facts(connection, "public")["search_outliers"]
        assert reasons[0] == ("outliers", None, "0.1", 2, 2)
        assert [row[4] for row in reasons[1:]] == [0] * (len(reasons) - 1)
        assert int(noted) == made.measure("suppressed_records") == 2
    assert "an outlier, by its quasi-identifiers" in (tmp_path / "report.html").read_text()


# --- what is refused --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"suppression": {"records": 0.1, "within": "regoin"}}, "'regoin' is no quasi-identifier"),
        (
            {"suppression": {"records": 0.1, "within": "region"}, "method": "cell_suppression"},
            "suppression.within: cell_suppression leaves out classes, of all groups alike",
        ),
        ({"method": "deal_tree"}, "suppression: deal_tree releases every record: leave it out"),
    ],
)
def test_what_cannot_be_held_is_refused(changed: dict[str, Any], says: str) -> None:
    with pytest.raises(SpecError) as found:
        sqlanon.parse_spec({**DECLARED, "source": "people", "release": "public", **changed})
    assert any(says in f"{problem.where}: {problem.what}" for problem in found.value.problems)


# --- what it costs ----------------------------------------------------------------------------


@pytest.mark.further
@pytest.mark.slow
def test_the_figures_of_the_documents_are_those_of_plain_python() -> None:
    """Of the benchmark, which computes a loss from published cells and the hierarchies' files."""
    data_set("csv/arx_adult.csv")
    case = ({"name": "mondrian"}, 50, "")
    rows = [suppression.measured(case, limit) for limit in ("0", "0.01", "0.1")]
    assert [(row.left_out, row.loss, row.kept) for row in rows] == [
        (0, 0.2339, 0.2339),
        (130, 0.2334, 0.2301),
        (130, 0.2334, 0.2301),
    ]


@pytest.mark.parametrize("unit", [{}, {"person": "id"}], ids=["records", "persons"])
def test_enough_stay_for_a_greater_k_of_some_columns(unit: dict[str, Any]) -> None:
    """An outlier stays where the others would be fewer than some columns ask for."""
    with database() as connection:
        connection.execute("""
            create table source as
            select * from (values (1, 1, 'F'), (2, 1, 'F'), (3, 1, 'F'), (4, 90, 'M'))
            as t(id, age, sex)
        """)
        sqlanon.anonymize(
            "source",
            connection=connection,
            release="released",
            quasi_identifiers=["age", "sex"],
            privacy={"k": 3, "subsets": [{"columns": ["sex"], "k": 4}]},
            suppression={"records": 0.5},
            method="stack_and_deal",
            **unit,
        )
        assert len(select(connection, "select age from released")[1]) == 4
