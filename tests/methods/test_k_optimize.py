"""k-Optimize against the enumeration of all sets of splits, on small tables."""

from __future__ import annotations

import itertools
import json
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle.k_optimize import Line, Split
from support import Connection, database, examples, facts, make_table, read, select
from test_lattice import ASKED, holds

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.methods.level.k_optimize import splits

pytestmark = pytest.mark.slow

AGES = (None, 1, 2, 4, 8)
TOWNS = (None, "Bern", "Chur", "x'\"y")
CODES = (None, "drei", "eins", "vier", "zwei")
TREE = {"*": {"low": ["zwei", "eins"], "high": ["drei", "vier"]}}
NAMES = ("age", "SELECT", 'a "code"')
DECLARED: dict[str, Any] = {
    "age": {},
    "SELECT": {"weight": "1/3"},
    'a "code"': {"hierarchy": {"tree": TREE}, "weight": 2},
}
WEIGHTS = (Fraction(1), Fraction(1, 3), Fraction(2))


def in_order(used: set[Any]) -> list[Any]:
    """The leaves in use: NULL, then group by group, that with the least value first."""
    ordered = sorted(one for one in used if one is not None)
    groups = [set(entry) for entry in TREE["*"].values()]
    groups.sort(key=lambda group: next((one for one in ordered if one in group), "~"))
    leaves = [one for group in groups for one in ordered if one in group]
    return [*([None] if None in used else []), *leaves]


@st.composite
def tables(draw: st.DrawFn) -> tuple[Split, int, dict[str, Any]]:
    """Records, and what is asked of a release of them."""
    kinds = [st.sampled_from(one) for one in (AGES, TOWNS, CODES)]
    rows = st.tuples(*kinds, st.sampled_from(["a", "b", None]))
    drawn = draw(st.lists(rows, min_size=2, max_size=12))
    records = [(4, *entry[1:3]) if n == 0 else entry[:3] for n, entry in enumerate(drawn)]
    sensitive = [entry[3] for entry in drawn]
    k = min(len(drawn), draw(st.sampled_from([1, 2, 3, 12])))
    asked = draw(st.sampled_from(ASKED))
    limit = draw(st.sampled_from([Fraction(0), Fraction(1, 5), Fraction(1, 2), Fraction(1)]))
    lines = []
    for at, (order, weight) in enumerate(zip((AGES, TOWNS, CODES), WEIGHTS, strict=True)):
        there = {record[at] for record in records}
        used = in_order(there) if at == 2 else [one for one in order if one in there]
        domain = [one for one in order if one in used or (at == 2 and one is not None)]
        lines.append(Line(used, domain, at == 0, weight))
    table = Split(
        records,
        sensitive,
        lines,
        lambda values: holds(values, k, asked, sensitive),
        limit,
    )
    return table, k, asked


def released(
    connection: Connection, table: Split, k: int, asked: dict[str, Any], method: dict[str, Any]
) -> sqlanon.Release:
    """The release of a table."""
    columns = {"age": "integer", **dict.fromkeys((*NAMES[1:], "s"), "varchar")}
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
        method={"name": "k_optimize", "nodes": 100_000, **method},
        **more,
    )


@pytest.mark.sampled
@pytest.mark.slow
@pytest.mark.parametrize("objective", ["discernibility", "gcp"])
@examples(4, 25, Phase.explicit, Phase.generate)
@given(drawn=tables())
def test_the_splits_are_the_best_that_enumeration_finds(
    objective: str, drawn: tuple[Split, int, dict[str, Any]]
) -> None:
    table, k, asked = drawn
    found = table.satisfied()
    with database() as connection:
        if not found:
            with pytest.raises(InfeasibleError, match="none of the sets of splits"):
                released(connection, table, k, asked, {"objective": objective})
            return
        made = released(connection, table, k, asked, {"objective": objective})
        told = facts(connection)
        least = min(getattr(one, objective) for one in found)
        # Losses are counted in billionths: of two that are as good as equal either may be taken.
        assert float(told[f"search_{objective}"]) == pytest.approx(float(least), abs=1e-7)
        assert told["search_bound"] == told[f"search_{objective}"]
        assert told["search_nodes"].endswith("none is better")
        rows = Counter(read(connection, "anonymized")[1])
        best = [one for one in found if float(getattr(one, objective) - least) <= 1e-7]
        assert any(rows == Counter(one.rows) for one in best)
        assert int(told["records_suppressed"]) in {one.suppressed for one in best}
        if objective == "gcp":  # cells show no values of suppressed records alone
            lost = made.measure("gcp")
            assert lost is not None
            assert lost <= float(least) + 1e-7
            assert table.limit or lost == pytest.approx(float(least), abs=1e-7)


@pytest.fixture
def people() -> Iterator[Connection]:
    """Forty persons, some without a code."""
    with database() as connection:
        connection.execute(
            "create table people as select 20 + i as age, date '2020-01-01' + i::integer as seen, "
            "case when i % 13 > 0 then (100 + i % 5)::varchar end as code, 'd' || i % 3 as s "
            "from range(40) t(i)"
        )
        yield connection


PEOPLE: dict[str, Any] = {
    "quasi_identifiers": {"age": {}, "code": {}},
    "sensitive": ["s"],
    "k": 4,
}


def test_every_value_of_the_table_is_published_in_one_way(people: Connection) -> None:
    """Global recoding: the stretches of a column do not overlap, and no record is lost."""
    declared = {"age": {}, "seen": {"publish": "bounds"}, "code": {}}
    more = {**PEOPLE, "quasi_identifiers": declared}
    method = {"name": "k_optimize", "splits": 2}
    sqlanon.anonymize("people", connection=people, method=method, **more)
    cells = select(people, "select distinct seen_min, seen_max from anonymized order by 1")[1]
    assert all(low[1] < high[0] for low, high in itertools.pairwise(cells))
    told = facts(people)
    assert told["records_out"] == "40"
    assert set(json.loads(told["search_splits"])) == {"age", "seen", "code"}


def test_columns_with_many_values_are_split_between_bins(people: Connection) -> None:
    """Forty ages with three splits: bins of ten."""
    method = {"name": "k_optimize", "splits": 3}
    more = {**PEOPLE, "quasi_identifiers": {"age": {}}}
    sqlanon.anonymize("people", connection=people, method=method, **more)
    ages = select(people, "select age, count(*) from anonymized group by age order by age")[1]
    assert ages == [(f"[{age}, {age + 9}]", 10) for age in (20, 30, 40, 50)]
    assert facts(people)["search_splits"] == '{"age": "3 of 3"}'


def test_a_limit_leaves_the_best_so_far_and_how_much_better_others_could_be(
    people: Connection,
) -> None:
    """Of a search that is cut short the bound stays true."""
    costs = {}
    for nodes in (1, 20, 100_000):
        method = {"name": "k_optimize", "nodes": nodes, "splits": 3}
        sqlanon.anonymize("people", connection=people, method=method, **PEOPLE)
        told = facts(people)
        costs[nodes] = (int(told["search_bound"]), int(told["search_discernibility"]))
        assert ("stopped" in told["search_nodes"]) == (nodes < 100_000)
    best = costs[100_000][1]
    assert all(bound <= best <= found for bound, found in costs.values())
    assert costs[1][1] == 40 * 40


def test_the_batch_does_not_decide_what_is_found(
    people: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = {"name": "k_optimize", "splits": 3}
    sqlanon.anonymize("people", connection=people, method=method, **PEOPLE)
    found = facts(people)["search_discernibility"]
    monkeypatch.setattr(splits, "TOGETHER", 3)
    sqlanon.anonymize("people", connection=people, method=method, **PEOPLE)
    assert facts(people)["search_discernibility"] == found


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"quasi_identifiers": {"age": {"hierarchy": {"bands": [5]}, "publish": "level"}}},
            "quasi_identifiers.age.publish: k_optimize publishes stretches of ordered values",
        ),
        ({"method": {"name": "k_optimize", "splits": 0}}, "method.splits: "),
        ({"method": {"name": "k_optimize", "node": 9}}, "did you mean 'nodes'"),
        (
            {"privacy": {"subsets": [{"columns": ["age"], "k": 5}]}},
            "k_optimize tests what is asked of all quasi-identifiers together",
        ),
        ({"person": ["code"]}, "k_optimize: it counts records, and person: asks for persons"),
    ],
)
def test_what_cannot_be_is_refused_with_its_place(
    people: Connection, changed: dict[str, Any], said: str
) -> None:
    with pytest.raises(SpecError) as caught:
        sqlanon.anonymize(
            "people", connection=people, **{**PEOPLE, "method": "k_optimize", **changed}
        )
    assert said in str(caught.value)


def test_too_many_columns_are_refused(people: Connection) -> None:
    names = [f"c{place}" for place in range(13)]
    columns = ", ".join(f"i % {40 - index} as {name}" for index, name in enumerate(names))
    people.execute(f"create table wide as select {columns} from range(40) t(i)")
    method = {"name": "k_optimize", "splits": 39}
    with pytest.raises(InfeasibleError, match="more classes than can be numbered: take fewer"):
        sqlanon.anonymize("wide", connection=people, quasi_identifiers=names, k=4, method=method)


def test_check_accepts_the_release_that_a_run_makes(tmp_path: Path, people: Connection) -> None:
    people.execute(f"copy people to '{tmp_path / 'people.csv'}'")
    spec = {
        "source": "people.csv",
        "release": "anonymized",
        "quasi_identifiers": PEOPLE["quasi_identifiers"],
        "sensitive": {"s": {"l": 2}},
        "privacy": {"k": 4},
        "method": {"name": "k_optimize", "splits": 2},
        "suppression": {"records": "1/10"},
    }
    (tmp_path / "spec.yaml").write_text(yaml.safe_dump(spec))
    file = str(tmp_path / "out.duckdb")
    made = CliRunner().invoke(cli, ["run", str(tmp_path / "spec.yaml"), "--database", file])
    assert made.exit_code == 0, made.output
    told = ["anonymized", "--database", file, "--spec", str(tmp_path / "spec.yaml")]
    checked = CliRunner().invoke(cli, ["check", *told])
    assert checked.exit_code == 0, checked.output
