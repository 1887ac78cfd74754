"""Levels by lattice: every method against the enumeration of all nodes, on small tables."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import oracle
import pytest
import yaml
from click.testing import CliRunner
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle.lattice import Column, Label, Node, Record, Table
from support import (
    ROOT,
    Connection,
    data_set,
    database,
    examples,
    facts,
    make_table,
    read,
    select,
    slow,
)

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.methods.level import judging, nodes
from sqlanon.methods.level.lattice import search
from sqlanon.privacy import MODELS
from sqlanon.spec import parse_spec

TOWNS = {
    "Bern": ["west", "CH"],
    "Genf": ["west", "CH"],
    "Chur": ["east", "CH"],
    "Linz": ["AT", "A"],
}
TREE = {"*": {"CH": {"west": ["Bern", "Genf"], "east": ["Chur"]}, "A": {"AT": ["Linz"]}}}
SEXES: dict[str, list[str]] = {"f": [], "m": [], "x'\"y": []}
CODES = {text: [text[:2] + "*", text[:1] + "**"] for text in ("100", "101", "110", "200", "201")}
NAMES = ("town", "SELECT", 'a "code"')
COLUMNS = (Column(TOWNS), Column(SEXES, Fraction(1, 3)), Column(CODES, Fraction(2)))
DECLARED: dict[str, Any] = {
    "town": {"hierarchy": {"tree": TREE}},
    "SELECT": {"hierarchy": {"tree": {"*": [*SEXES]}}, "weight": "1/3"},
    'a "code"': {"hierarchy": {"prefix": [2, 1, 0]}, "weight": 2},
}
METHODS = ("optimal", "samarati", "incognito", "datafly")
ASKED: list[dict[str, Any]] = [
    {},
    {"l": 2},
    {"t": "1/4"},
    {"t": "2/5", "l": {"recursive": {"c": 2, "l": 2}}},
    {"alpha": "2/3", "l": {"entropy": 2}},
    {"beta": 1},
    {"delta": 2},
]


def leaves_in_use(records: Sequence[Record]) -> list[Column]:
    """The columns as the package sees them: masked codes have the leaves that are in use."""
    used = {record[2] for record in records if record[2] is not None}
    return [*COLUMNS[:2], Column({one: CODES[one] for one in sorted(used)}, COLUMNS[2].weight)]


def holds(values: Sequence[Label], k: int, asked: dict[str, Any], table: Sequence[Label]) -> bool:
    """Whether a class meets what is asked, by the definitions."""
    diverse = asked.get("l", 1)
    forms: dict[str, Any] = {"distinct": diverse} if isinstance(diverse, int) else diverse
    counts = list(Counter(values).values())
    tests = [
        len(values) >= k,
        len(counts) >= forms.get("distinct", 1),
        "entropy" not in forms or oracle.entropy_holds(counts, forms["entropy"]),
        "recursive" not in forms or oracle.recursive_holds(counts, **forms["recursive"]),
        "t" not in asked or oracle.emd_equal([values], table).maximum <= Fraction(asked["t"]),
        "alpha" not in asked or oracle.alpha([values]).maximum <= Fraction(asked["alpha"]),
        "beta" not in asked or oracle.beta_likeness([values], table).maximum <= asked["beta"],
        "delta" not in asked or oracle.delta_disclosure_holds(values, table, asked["delta"]),
    ]
    return all(tests)


@st.composite
def tables(draw: st.DrawFn) -> tuple[Table, int, dict[str, Any]]:
    """Records, and what is asked of a release of them."""
    kinds = [st.sampled_from([None, *one.chains]) for one in COLUMNS]
    drawn = draw(st.lists(st.tuples(*kinds, st.sampled_from(["a", "b", None])), min_size=2))
    records = [
        (*entry[:2], entry[2] or "100") if n == 0 else entry[:3] for n, entry in enumerate(drawn)
    ]
    sensitive = [entry[3] for entry in drawn]
    k = draw(st.integers(1, min(4, len(drawn))))
    asked = draw(st.sampled_from(ASKED))
    bounds = []
    for column in COLUMNS:
        low = draw(st.sampled_from([0, 0, 1]))
        bounds.append((low, draw(st.sampled_from([column.height, column.height, low]))))
    limit = draw(st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(1)]))
    table = Table(
        records,
        sensitive,
        leaves_in_use(records),
        bounds,
        lambda values: holds(values, k, asked, sensitive),
        limit,
    )
    return table, k, asked


def released(
    connection: Connection, table: Table, k: int, asked: dict[str, Any], method: Any
) -> sqlanon.Release:
    """The release of a table."""
    columns = dict.fromkeys((*NAMES, "s"), "varchar")
    rows = [(*record, value) for record, value in zip(table.records, table.sensitive, strict=True)]
    make_table(connection, "people", columns, rows)
    more: dict[str, Any] = {}
    if table.limit:
        more["suppression"] = {"records": str(table.limit)}
    return sqlanon.anonymize(
        "people",
        connection=connection,
        quasi_identifiers=DECLARED,
        sensitive={"s": asked},
        k=k,
        method=method,
        levels=dict(zip(NAMES, map(list, table.bounds), strict=True)),
        **more,
    )


def expected(table: Table, method: str) -> Node | None:
    """The node that a method is to choose, found by looking at all of them."""
    found = table.minimal() if method == "incognito" else table.all_satisfied()
    if method == "datafly":
        return table.datafly()
    judged = {node: table.judged(node) for node in found}
    keys: dict[str, Any] = {
        "optimal": lambda node: (judged[node].loss, judged[node].suppressed, sum(node), node),
        "samarati": lambda node: (sum(node), judged[node].loss, node),
        "incognito": lambda node: (judged[node].loss, sum(node), node),
    }
    return min(found, key=keys[method]) if found else None


@pytest.mark.one_in(2)
@pytest.mark.sampled
@pytest.mark.parametrize("method", METHODS)
@examples(1, 60, Phase.explicit, Phase.generate)
@given(drawn=tables())
def test_the_node_is_the_one_that_enumeration_finds(
    method: str, drawn: tuple[Table, int, dict[str, Any]]
) -> None:
    table, k, asked = drawn
    best = expected(table, method)
    with database() as connection:
        if best is None:
            with pytest.raises(InfeasibleError, match="choices of levels"):
                released(connection, table, k, asked, method)
            return
        made = released(connection, table, k, asked, method)
        told = facts(connection)
        node = tuple(json.loads(told["search_levels"])[name] for name in NAMES)
        assert made.levels == dict(zip(NAMES, node, strict=True))
        wanted = table.judged(best)
        # Losses are counted in billionths: of two that are as good as equal either may be taken.
        found = table.judged(node)
        assert table.satisfied(node)
        assert float(found.loss) == pytest.approx(float(wanted.loss), abs=1e-7)
        if method in ("samarati", "datafly"):
            assert sum(node) == sum(best)
        if method == "incognito":
            minimal = json.loads(told["search_minimal"])
            assert [tuple(one["levels"].values()) for one in minimal] == table.minimal()
        lost = made.measure("gcp")
        assert lost is not None
        if method == "datafly":  # a column is published at a lower level where that shows no more
            assert lost <= float(found.loss) + 1e-7
        else:
            assert lost == pytest.approx(float(found.loss), abs=1e-7)
        assert int(told["records_suppressed"]) == found.suppressed
        assert int(told["records_in"]) == len(table.records)
        if table.limit:
            assert made.measure("suppressed_records") == found.suppressed
            _, reasons = read(connection, "anonymized__suppressed")
            assert sum(row[-1] for row in reasons) == found.suppressed
        rows = Counter(read(connection, "anonymized")[1])
        assert any(
            rows == Counter((*table.generalized(one, level), s) for one, s in found.kept)
            for level in table.nodes()
            if all(low <= high for low, high in zip(level, node, strict=True))
        )


@pytest.mark.one_in(2)
@pytest.mark.parametrize("method", METHODS)
@examples(1, 40, Phase.explicit, Phase.generate)
@given(drawn=tables())
def test_the_nodes_that_are_kept_are_what_enumeration_says_of_them(
    method: str, drawn: tuple[Table, int, dict[str, Any]]
) -> None:
    table, k, asked = drawn
    with database() as connection:
        if expected(table, method) is None:
            return
        made = released(connection, table, k, asked, method)
        if all(low == high for low, high in table.bounds):
            with pytest.raises(SpecError, match="kept no choices of levels"):
                sqlanon.nodes("anonymized", connection=connection)
            return
        found = sqlanon.nodes("anonymized", connection=connection)
        judged = [tuple(one.levels[name] for name in NAMES) for one in found.nodes]
        assert len(judged) == len(set(judged))
        assert facts(connection)["search_lattice"].startswith(f"{len(judged)} of ")
        assert [one.levels for one in found.nodes if one.chosen] == [made.levels]
        for one, node in zip(found.nodes, judged, strict=True):
            wanted = table.judged(node)
            assert one.holds == table.satisfied(node)
            assert one.height == sum(node)
            if one.holds:
                assert one.loss == pytest.approx(float(wanted.loss), abs=1e-7)
                assert one.suppressed == wanted.suppressed
            else:
                assert one.suppressed <= wanted.suppressed
        ranks = [(not one.holds, round(one.loss, 7)) for one in found.nodes]
        assert ranks == sorted(ranks)


@pytest.mark.one_in(2)
@pytest.mark.sampled
@pytest.mark.parametrize(
    "objective", ["precision", "minimal_distortion", "discernibility", "non_uniform_entropy"]
)
@examples(1, 25, Phase.explicit, Phase.generate)
@given(drawn=tables())
def test_the_node_is_the_best_by_another_metric(
    objective: str, drawn: tuple[Table, int, dict[str, Any]]
) -> None:
    table, k, asked = drawn
    costs = {node: table.cost(node, objective) for node in table.all_satisfied()}
    with database() as connection:
        method = {"name": "optimal", "objective": objective}
        if not costs:
            with pytest.raises(InfeasibleError, match="choices of levels"):
                released(connection, table, k, asked, method)
            return
        released(connection, table, k, asked, method)
        told = facts(connection)
        node = tuple(json.loads(told["search_levels"])[name] for name in NAMES)
        assert float(costs[node]) == pytest.approx(float(min(costs.values())), abs=1e-7)
        found = float(1 - costs[node] if objective == "precision" else costs[node])
        assert float(told[f"search_{objective}"]) == pytest.approx(found, abs=1e-7)


@pytest.fixture
def people() -> Iterator[Connection]:
    """Forty persons, some without a code."""
    with database() as connection:
        connection.execute(
            "create table people as select 20 + i % 40 as age, case when i % 13 > 0 then "
            "(100 + i % 25)::varchar end as code, 'd' || i % 3 as s from range(40) t(i)"
        )
        yield connection


PEOPLE: dict[str, Any] = {
    "quasi_identifiers": {
        "age": {"hierarchy": {"bands": [5, 10, 20]}},
        "code": {"hierarchy": {"prefix": [2, 1]}},
    },
    "sensitive": ["s"],
    "k": 4,
}


def test_what_is_kept_least_is_what_is_measured(people: Connection) -> None:
    """The loss of the search is the mean of the metric over the columns, by their weights."""
    quasi = {name: {**value} for name, value in PEOPLE["quasi_identifiers"].items()}
    quasi["code"]["weight"] = 3
    made = sqlanon.anonymize(
        "people",
        connection=people,
        **{**PEOPLE, "quasi_identifiers": quasi},
        method={"name": "optimal", "objective": "non_uniform_entropy"},
        suppression={"records": 0.2},
        metrics=["non_uniform_entropy"],
    )
    age, code = (made.measure("non_uniform_entropy", name) for name in ("age", "code"))
    assert age is not None
    assert code is not None
    found = float(facts(people)["search_non_uniform_entropy"])
    assert 0 < found < 1
    assert found == pytest.approx((age + 3 * code) / 4, abs=1e-7)


def test_every_model_says_whether_it_is_monotone() -> None:
    """Of all models that there are it is known; a new one may say that it is not."""
    assert {model.name: model.monotone for model in MODELS} == {
        **dict.fromkeys((model.name for model in MODELS), "merged"),
        "k_anonymity": "parted",
        "k_map": "parted",
        "distinct_l": "parted",
        "distinct_groups_l": "parted",
        "background_knowledge": None,
        "guarded_share": None,
        "proximity": None,
        "km_anonymity": "merged",
        "least_presence": None,
    }


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("method", "levels", "found"),
    [
        ("stack_and_deal", {"age": [0, 4]}, {"*"}),
        ("optimal", {"age": 3, "code": 3}, {"[20, 39]", "[40, 59]"}),
        ("optimal", {"age": [2, 3], "code": 3}, {f"[{n}0, {n}9]" for n in range(2, 6)}),
    ],
)
def test_a_column_is_published_at_one_level_within_its_bounds(
    people: Connection, method: str, levels: dict[str, Any], found: set[str]
) -> None:
    declared = {
        name: {**value, "publish": "level"} for name, value in PEOPLE["quasi_identifiers"].items()
    }
    more = {**PEOPLE, "quasi_identifiers": declared, "levels": levels, "method": method}
    sqlanon.anonymize("people", connection=people, **more)
    assert {age for (age,) in select(people, "select age from anonymized")[1]} == found


def test_classes_that_need_a_higher_level_than_is_allowed_are_refused(people: Connection) -> None:
    age = {"age": {"hierarchy": {"bands": [5, 10]}, "publish": "level"}}
    people.execute("create table persons as select row_number() over () as id, * from people")
    more = {**PEOPLE, "quasi_identifiers": age, "levels": {"age": [0, 2]}}
    of_persons = {**more, "person": "id", "method": "stack_and_deal"}
    with pytest.raises(InfeasibleError, match="from level 3 on, and 2 is the highest"):
        sqlanon.anonymize("persons", connection=people, **of_persons)
    more = {**more, "levels": {"age": 0}}
    with pytest.raises(InfeasibleError, match="none of the 1 choices of levels"):
        sqlanon.anonymize("people", connection=people, method="optimal", **more)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"levels": {"age": 9}},
            "levels.age: there is no level 9: the highest, where all is *, is 4",
        ),
        ({"levels": {"age": [2, 1]}}, "levels.age: it must be a level, such as 2"),
        ({"levels": {"aeg": 1}}, "levels.aeg: it is no quasi-identifier; did you mean 'age'?"),
        (
            {"levels": {"age": 1}, "method": "stack_and_deal"},
            "levels.age: only publish: level shows",
        ),
        (
            {"quasi_identifiers": ["age"]},
            "quasi_identifiers.age: optimal publishes every column as labels of one level of its "
            "hierarchy: give it one",
        ),
        (
            {"quasi_identifiers": {"age": {"hierarchy": {"bands": [5]}, "publish": "lca"}}},
            "leave publish out, or say publish: level",
        ),
        (
            {"suppression": {"records": "1/10"}, "method": "deal_tree"},
            "suppression: deal_tree releases every record: leave it out, or take split_or_deal, "
            "stack_and_deal, mondrian, optimal, samarati, incognito, datafly, k_optimize, "
            "top_down, cell_suppression, uhra or microaggregation",
        ),
        ({"suppression": {"records": 0}}, "suppression.records: it must be greater than 0"),
        (
            {"suppression": {"cells": 1}},
            "suppression.cells: unknown key; known: 'records', 'within'",
        ),
        ({"suppression": 0.1}, "suppression: it must be a mapping such as {records: 0.01}"),
        ({"person": ["code"]}, "optimal: it counts records, and person: asks for persons"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    people: Connection, changed: dict[str, Any], said: str
) -> None:
    with pytest.raises(SpecError) as caught:
        sqlanon.anonymize("people", connection=people, **{**PEOPLE, "method": "optimal", **changed})
    assert said in str(caught.value)


@pytest.mark.slow
def test_what_is_left_out_is_told_and_check_accepts_it(people: Connection) -> None:
    """The reasons add up; a table that lacks more than was allowed is none of the spec's."""
    fields = {name: value for name, value in PEOPLE.items() if name != "k"}
    declared = {
        **fields,
        "source": {"table": "people"},
        "release": "anonymized",
        "privacy": {"k": 4, "l": 2},
        "method": "optimal",
        "levels": {"age": 2, "code": 3},
        "suppression": {"records": "3/10"},
    }
    people.execute("insert into people select 90, null, 'd0' from range(6)")
    people.execute("insert into people select 70, null, 'd0' from range(3)")
    spec = parse_spec(declared)
    sqlanon.anonymize(spec, connection=people)
    names, reasons = read(people, "anonymized__suppressed")
    assert names == ("metric", "attribute", "threshold", "classes", "records")
    assert reasons == [("k_anonymity", None, "4", 1, 3), ("distinct_l", "s", "2", 1, 6)]
    told = facts(people)
    account = [told[f"records_{text}"] for text in ("in", "out", "suppressed")]
    assert account == ["49", "40", "9"]
    assert sqlanon.check("anonymized", spec=spec, connection=people).passed
    people.execute("delete from anonymized where age = '[20, 29]'")
    found = sqlanon.check("anonymized", spec=spec, connection=people)
    assert {fault.what for fault in found.faults} == {"missing_records"}
    assert {shortfall.model for shortfall in found.shortfalls} == {"suppressed_share"}


def test_labels_of_two_levels_are_no_release(people: Connection) -> None:
    spec = parse_spec(
        {
            **{name: value for name, value in PEOPLE.items() if name != "k"},
            "source": {"table": "people"},
            "release": "anonymized",
            "privacy": {"k": 4},
            "method": "optimal",
        }
    )
    sqlanon.anonymize(spec, connection=people)
    ((age,),) = select(people, "select min(age) from anonymized")[1]
    people.execute(f"update anonymized set age = '*' where age = '{age}'")
    found = sqlanon.check("anonymized", spec=spec, connection=people)
    assert ("unreadable_cells", "age") in {(fault.what, fault.column) for fault in found.faults}


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize("limit", ["1/4", *slow(None)])
def test_bands_and_periods_lose_what_is_measured(limit: str | None) -> None:
    """A band with a single value in it is published as the band, and priced so. By enumeration."""
    ages = [20, 21, 33, 33, 47, 48, None, None]
    days = ["01-10", "01-11", "02-12", "02-13", "04-10", "04-12", "08-10", "08-10"]
    rows = [(age, f"2024-{day}") for age, day in zip(ages, days, strict=True)]
    declared: dict[str, Any] = {
        "quasi_identifiers": {
            "age": {"hierarchy": {"bands": [5]}},
            "day": {"hierarchy": {"dates": ["month"]}},
        },
        "k": 2,
        "method": "optimal",
    }
    if limit:
        rows.append((90, "2024-12-01"))
        declared["suppression"] = {"records": limit}
    with database() as connection:
        make_table(connection, "t", {"age": "integer", "day": "date"}, rows)

        def lost(**more: Any) -> float:
            try:
                made = sqlanon.anonymize("t", connection=connection, **declared, **more)
            except InfeasibleError:
                return 1.0
            loss = made.measure("gcp")
            assert loss is not None
            assert loss == pytest.approx(float(facts(connection)["search_gcp"]), abs=1e-7)
            return loss

        every = [lost(levels={"age": age, "day": day}) for age in range(3) for day in range(3)]
        assert lost() == pytest.approx(min(every), abs=1e-7)
        assert min(every) < 1


@pytest.mark.slow
def test_without_suppression_the_older_account_of_it_goes(people: Connection) -> None:
    """A release that leaves out nothing has no relation that says how much."""
    options: list[dict[str, Any]] = [{"suppression": {"records": 1}}, {}]
    for more in options:
        sqlanon.anonymize("people", connection=people, method="optimal", **PEOPLE, **more)
        kept = {name for (name,) in select(people, "select table_name from duckdb_tables()")[1]}
        assert ("anonymized__suppressed" in kept) is bool(more)


@pytest.mark.slow
def test_nodes_are_judged_one_by_one_where_their_ids_would_be_too_large(
    people: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = []
    for most in (nodes.MOST_ID, 1):
        monkeypatch.setattr(judging, "MOST_ID", most)
        sqlanon.anonymize("people", connection=people, method="incognito", **PEOPLE)
        made.append((facts(people)["search_minimal"], read(people, "anonymized")))
    assert made[0] == made[1]


def test_a_lattice_that_is_too_large_is_refused(
    people: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "MOST_NODES", 19)
    with pytest.raises(InfeasibleError, match="make 20 combinations, and 19 are searched at most"):
        sqlanon.anonymize("people", connection=people, method="optimal", **PEOPLE)


@pytest.mark.slow
def test_a_script_makes_the_release_that_was_found(people: Connection) -> None:
    declared = {**PEOPLE, "method": "optimal", "suppression": {"records": "1/4"}, "release": "r"}
    text = sqlanon.compile("people", connection=people, **declared)
    sqlanon.anonymize("people", connection=people, **declared)
    expected = Counter(read(people, "r")[1]), read(people, "r__suppressed")
    people.execute(text)
    assert (Counter(read(people, "r")[1]), read(people, "r__suppressed")) == expected


@pytest.mark.slow
def test_the_command_line_tells_the_levels_and_dbt_is_refused(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text("age,s\n" + "".join(f"{i},a\n" for i in range(20, 40)))
    (tmp_path / "dbt_project.yml").write_text("name: shop\n")
    spec = tmp_path / "people.yaml"
    spec.write_text(
        "source: people.csv\nrelease: r\nquasi_identifiers: {age: {hierarchy: {bands: [5, 10]}}}\n"
        "sensitive: [s]\nprivacy: {k: 5}\nmethod: samarati\nsuppression: {records: 0.1}\n"
    )
    database = ["--database", str(tmp_path / "r.duckdb")]
    done = CliRunner().invoke(cli, ["run", str(spec), *database])
    assert (done.exit_code, "Levels: age 1." in done.output) == (0, True)
    told = " ".join(done.output.split())
    assert "the release r and, for you alone, its proof r__classes, r__metrics, r__supp" in told
    assert CliRunner().invoke(cli, ["check", "r", "--spec", str(spec), *database]).exit_code == 0
    refused = CliRunner().invoke(cli, ["compile", str(spec), "--dbt", str(tmp_path)])
    assert isinstance(refused.exception, SpecError)
    assert "samarati as declared asks the data what to do next" in str(refused.exception)


@pytest.mark.parametrize("source", ["nobody", "people"])
def test_an_empty_table_is_not_measured(people: Connection, source: str) -> None:
    people.execute("create table nobody as from people limit 0")
    people.execute("create table released as select age::varchar as age, s from nobody")
    declared = {"source": {"table": source}, "release": "r", "method": "optimal"}
    declared |= {"quasi_identifiers": {"age": {"hierarchy": {"bands": [5]}}}, "sensitive": "s"}
    spec = parse_spec({**declared, "privacy": {"k": 2}, "suppression": {"records": 0.1}})
    with pytest.raises(InfeasibleError, match="'released' has no records"):
        sqlanon.check("released", spec=spec, connection=people)


@pytest.mark.further
@pytest.mark.slow
@pytest.mark.parametrize(
    ("limit", "t", "most"),
    [
        *((None, None, 0.6792), ("0.05", None, 0.2446), (1, None, 0.2171)),
        pytest.param(1, "0.2", 0.646, marks=pytest.mark.further),
    ],
)
def test_adult_loses_no_more_than_with_the_best_known_tool(
    limit: Any, t: str | None, most: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All eight columns of Adult at k = 10; a suppressed record counts as lost."""
    monkeypatch.setenv("SQLANON_DATA", str(data_set("csv").parent))
    declared = yaml.safe_load((ROOT / "examples" / "adult_levels.yaml").read_text(encoding="utf-8"))
    declared["sensitive"] = {"occupation": {"t": t} if t else {}}
    declared["suppression"] = {"records": limit} if limit else None
    with sqlanon.anonymize(parse_spec(declared)) as made:
        loss = made.measure("gcp")
        assert loss is not None
        assert loss <= most
