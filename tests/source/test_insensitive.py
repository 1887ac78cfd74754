"""Columns that are released as they are: none points at single records unless that was accepted."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import duckdb
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from oracle.insensitive import by_chance, given_back, in_rare_values
from support import (
    Connection,
    anonymized,
    database,
    examples,
    facts,
    make_table,
    refused,
    relations,
)

import sqlanon
from sqlanon.cli.main import cli
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.planning.prepare import prepare
from sqlanon.session import Event
from sqlanon.spec import parse_spec
from sqlanon.uses.outlook.dry_run import dry_run
from sqlanon.uses.outlook.outlook import insensitive_shares, most_rows
from sqlanon.uses.outlook.predict import predict_metrics
from sqlanon.uses.profile.first_spec import first_spec

# 1,200 persons: nothing here depends on anything else.
PEOPLE = {
    "patient_id": "integer",
    "age": "integer",
    "sex": "varchar",
    "region": "varchar",
    "disease": "varchar",
    "plan": "varchar",
}
_drawn = Random(7)
ROWS = [
    (
        number,
        _drawn.randrange(17, 77),
        _drawn.choice(["Female", "Male"]),
        _drawn.choice(["North", "East", "South", "West"]),
        _drawn.choice(["flu", "gout", "none"]),
        _drawn.choice(["free", "shared"]),
    )
    for number in range(1200)
]
ROLES: dict[str, Any] = {
    "quasi_identifiers": ["age", "sex", "region"],
    "sensitive": ["disease"],
    "k": 5,
}


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as fresh:
        make_table(fresh, "people", PEOPLE, ROWS)
        yield fresh


def with_column(connection: Connection, expression: str) -> None:
    """The persons with one column more, ``x``."""
    connection.execute(
        f"create or replace table people as select *, {expression} as x from people as p"
    )


def too_telling(connection: Connection, expression: str) -> dict[str, float]:
    """The shares for which a release with the column is refused; nothing is published."""
    with_column(connection, expression)
    error = refused(
        InfeasibleError, "people", connection=connection, insensitive=["x"], method=STACK, **ROLES
    )
    assert isinstance(error, InfeasibleError)
    assert relations(connection) == {"people"}
    return {
        f"{shortfall.model} of {shortfall.attribute}": shortfall.reached
        for shortfall in error.shortfalls
        if shortfall.reached is not None
    }


STACK = "stack_and_deal"


def test_a_record_number_is_refused(connection: Connection) -> None:
    assert too_telling(connection, "patient_id * 3") == {"rare_share of x": 1.0}


@pytest.mark.parametrize(
    "copied",
    ["age", "age * 10 + 3", "age * 12", "-age / 7.0", "age * age", "chr(age)", "hash(age)"],
)
def test_a_copy_of_age_under_a_code_name_is_refused(connection: Connection, copied: str) -> None:
    """Rescaled, recoded, in months: what counts is which values come together."""
    assert too_telling(connection, copied) == {"determined_share of age by x": 1.0}


@pytest.mark.parametrize(
    "equal",
    [
        "to_days(80 - age) + to_hours(24 * age)",
        "[to_days(80 - age) + to_hours(24 * age)]",
        "{'a': to_days(80 - age) + to_hours(24 * age)}",
        "[if((age >> bit) & 1 = 1, '-0.0', '0.0')::double for bit in range(7)]",
    ],
)
def test_a_copy_in_equal_values_that_read_differently_is_refused(
    connection: Connection, equal: str
) -> None:
    """80 days, and 79 days with 24 hours: equal to DuckDB, and a reader sees the age."""
    with_column(connection, equal)
    assert connection.execute("select count(distinct x) from people").fetchall() == [(1,)]
    assert too_telling(connection, equal) == {"determined_share of age by x": 1.0}


def test_a_copy_with_errors_is_refused(connection: Connection) -> None:
    """One wrong record among those of a value hides nothing."""
    with_column(connection, "5 * age + case when patient_id % 40 = 0 then 5 else 0 end")
    connection.execute("alter table people rename column x to noisy")
    found = too_telling(connection, "noisy")
    assert found["determined_share of age by x"] > 0.5


def test_a_survey_weight_that_gives_the_region_back_is_refused(connection: Connection) -> None:
    weight = "case when patient_id % 20 = 7 then 1.0 else hash(region) % 997 + age % 3 / 10 end"
    found = too_telling(connection, weight)
    assert list(found) == ["determined_share of region by x"]
    assert 0.9 < found["determined_share of region by x"] < 0.96


def test_an_almost_unique_weight_is_refused(connection: Connection) -> None:
    found = too_telling(
        connection, "case when patient_id < 600 then patient_id % 9 else patient_id end"
    )
    assert found == {"rare_share of x": 0.5}


def test_an_accepted_column_is_released_with_its_figures(connection: Connection) -> None:
    with_column(connection, "patient_id / 2.0")
    accepted = {"x": {"accept": "survey weight, perturbed"}, "plan": None}
    made = anonymized(connection, "people", insensitive=accepted, **ROLES)
    assert len(made.rows) == 1200
    (share,) = (
        measure
        for measure in made.release.measures
        if (measure.metric, measure.attribute) == ("rare_share", "x")
    )
    assert (share.value, share.threshold, share.passed) == (1.0, None, None)
    run = facts(connection)
    assert json.loads(run["spec"])["insensitive"]["x"]["accept"] == "survey weight, perturbed"


@pytest.mark.parametrize("reason", ["", "  "])
def test_a_column_is_not_accepted_without_a_reason(connection: Connection, reason: str) -> None:
    error = refused(
        SpecError,
        "people",
        connection=connection,
        insensitive={"plan": {"accept": reason}},
        **ROLES,
    )
    assert str(error).startswith("insensitive.plan.accept: say in a few words why")


def test_unknown_settings_of_a_column_are_refused(connection: Connection) -> None:
    error = refused(
        SpecError, "people", connection=connection, insensitive={"plan": {"acept": "x"}}, **ROLES
    )
    assert "insensitive.plan.acept: unknown key; did you mean 'accept'?" in str(error)


def test_an_honest_column_passes(connection: Connection) -> None:
    made = anonymized(connection, "people", insensitive="plan", **ROLES)
    figures = {
        (measure.metric, measure.attribute): (measure.value, measure.threshold, measure.passed)
        for measure in made.release.measures
        if measure.metric in ("rare_share", "determined_share")
    }
    assert figures == {
        ("rare_share", "plan"): (0.0, "0.05", True),
        ("determined_share", "age by plan"): (0.0, "0.1", True),
        ("determined_share", "sex by plan"): (0.0, "0.1", True),
        ("determined_share", "region by plan"): (0.0, "0.1", True),
    }


def shares(connection: Connection, **declared: Any) -> dict[tuple[str, str | None], float | None]:
    """What is measured of the insensitive columns of ``t``."""
    engine = DuckDBEngine(connection=connection)
    fields = {"source": {"table": "t"}, "release": "public", "sensitive": [], **declared}
    with dry_run(prepare(parse_spec(fields), engine), engine) as dry:
        found = insensitive_shares(dry)
    engine.close()
    return {(metric.metric, metric.attribute): metric.value for metric in found}


def test_a_plan_reads_its_source_once(connection: Connection) -> None:
    """What is told of a run beforehand comes of one dry run, which makes each relation once."""
    make_table(connection, "t", {"x": "varchar", "q": "integer"}, [("a", 0), ("b", 1)] * 9)
    fields = {"source": "t", "release": "public", "quasi_identifiers": "q", "insensitive": "x"}
    spec = parse_spec({**fields, "privacy": {"k": 2}, "method": "stack_and_deal"})
    engine = DuckDBEngine(connection=connection)
    with dry_run(prepare(spec, engine), engine) as dry:
        assert most_rows(dry)["public"] == 18
        assert insensitive_shares(dry)
        assert [metric.metric for metric in predict_metrics(dry) or []] == ["k_anonymity"]
        made = [record.relation for record in dry.session.records]
    engine.close()
    assert len(made) == len(set(made))
    assert relations(connection) == {"people", "t"}


def test_a_value_of_k_records_is_common_and_of_one_less_is_rare(connection: Connection) -> None:
    rows = [("a", 0)] * 5 + [("b", 0)] * 4 + [("c", 1)] * 11
    make_table(connection, "t", {"x": "varchar", "q": "integer"}, rows)
    roles = {"quasi_identifiers": ["q"], "insensitive": ["x"]}
    for k, rare in ((4, 0), (5, 4), (6, 9), (11, 9), (12, 20)):
        found = shares(connection, **roles, privacy={"k": k})
        assert found["rare_share", "x"] == rare / 20


@pytest.mark.parametrize(("rare", "holds"), [(5, True), (6, False)])
def test_a_share_of_the_limit_itself_holds(connection: Connection, rare: int, holds: bool) -> None:
    rows = [(i, i % 7, i % 3) for i in range(rare)]
    rows += [(-1, i % 7, i % 3) for i in range(100 - rare)]
    make_table(connection, "t", {"x": "integer", "q": "integer", "s": "integer"}, rows)
    roles: dict[str, Any] = {
        "quasi_identifiers": "q",
        "sensitive": "s",
        "insensitive": "x",
        "k": 2,
        "method": STACK,
    }
    if holds:
        anonymized(connection, "t", **roles)
    else:
        assert "rare_share of x" in str(
            refused(InfeasibleError, "t", connection=connection, **roles)
        )


def test_null_is_a_value_of_an_insensitive_column(connection: Connection) -> None:
    rows: list[tuple[Any, ...]] = [(None, 9, None)] * 30 + [
        (i % 4, i % 10, i % 5) for i in range(70)
    ]
    make_table(connection, "t", {"x": "integer", "q": "integer", "r": "integer"}, rows)
    roles = {"quasi_identifiers": ["q", "r"], "insensitive": ["x"], "privacy": {"k": 3}}
    found = shares(connection, **roles)
    assert found["rare_share", "x"] == 0
    assert found["determined_share", "q by x"] == 0.3
    assert found["determined_share", "r by x"] == 0.3
    connection.execute("delete from t where q = 9 and x is null")
    connection.execute("insert into t values (null, 1, 1), (null, 2, 2)")
    assert shares(connection, **roles)["rare_share", "x"] == round(2 / 72, 9)


def test_constants_tell_nothing(connection: Connection) -> None:
    rows = [(7, i % 50, 1, None) for i in range(500)]
    columns = dict.fromkeys(("one", "age", "c", "n"), "integer")
    make_table(connection, "t", columns, rows)
    found = shares(
        connection,
        quasi_identifiers=["age", "c"],
        insensitive={"one": {}, "n": {}},
        privacy={"k": 5},
    )
    assert set(found.values()) == {0}
    found = shares(connection, quasi_identifiers=["c", "n"], insensitive=["age"], privacy={"k": 5})
    assert set(found.values()) == {0}


def test_a_rare_mark_is_not_given_back_by_chance(connection: Connection) -> None:
    """Most small groups agree on a mark that hardly anybody has; that is no copy of it."""
    connection.execute(
        "create table t as select i % 80 as x, (hash(i) % 50 = 0)::integer as mark, "
        "(hash(i) % 50 = 0)::integer * 3 as copied from range(1000) as t(i)"
    )
    found = shares(
        connection,
        quasi_identifiers=["mark"],
        insensitive=["x", "copied"],
        privacy={"k": 5},
    )
    assert found["determined_share", "mark by x"] == 0
    assert (found["determined_share", "mark by copied"] or 0) > 0.9


def test_columns_that_point_at_a_record_together_are_shown(connection: Connection) -> None:
    connection.execute(
        "create table t as select i // 20 as x, i % 20 as y, hash(i) % 10 as q from range(400) t(i)"
    )
    found = shares(connection, quasi_identifiers=["q"], insensitive=["x", "y"], privacy={"k": 5})
    assert found["rare_share", "x"] == found["rare_share", "y"] == 0
    assert found["rare_share", None] == 1


def test_a_telling_column_is_refused_before_classes_are_formed(connection: Connection) -> None:
    with_column(connection, "patient_id")
    seen: list[Event] = []
    with pytest.raises(InfeasibleError):
        sqlanon.anonymize(
            "people", connection=connection, insensitive="x", progress=seen.append, **ROLES
        )
    assert seen[-1].title == "insensitive columns within their limits"


def test_a_compiled_script_refuses_a_telling_column(connection: Connection) -> None:
    """It holds for the records that are there when the script runs."""
    script = sqlanon.compile(
        "people", connection=connection, insensitive="plan", method=STACK, **ROLES
    )
    connection.execute(script)
    connection.execute("drop table anonymized")
    connection.execute("update people set plan = patient_id")
    with pytest.raises(duckdb.Error, match="rare_share of plan"):
        connection.execute(script)
    connection.execute("rollback")
    assert "anonymized" not in relations(connection)


def test_a_sweep_says_why_no_combination_holds(connection: Connection) -> None:
    with_column(connection, "age + 1000")
    found = sqlanon.sweep(
        "people",
        connection=connection,
        insensitive="x",
        k=[5, 10],
        methods=[STACK],
        **ROLES_OF_SWEEP,
    )
    assert [trial.holds for trial in found.trials] == [False, False]
    assert all("determined_share of age by x" in trial.why for trial in found.trials)


ROLES_OF_SWEEP = {name: value for name, value in ROLES.items() if name != "k"}


def test_records_that_no_other_equals_are_counted(connection: Connection) -> None:
    """On what is published: of the quasi-identifiers, with the insensitive columns, with all."""
    made = anonymized(connection, "people", insensitive=["plan"], **ROLES)
    hidden_and_plan = Counter((*row[:3], row[4]) for row in made.rows)
    everything = Counter(made.rows)
    unique = sum(times == 1 for times in hidden_and_plan.values())
    with_sensitive = sum(times == 1 for times in everything.values())
    assert 0 < unique < with_sensitive
    assert made.measure("unique_records") == unique
    assert made.measure("unique_share") == round(unique / 1200, 9)
    assert made.measure("unique_with_sensitive") == with_sensitive
    assert made.measure("unique_with_sensitive_share") == round(with_sensitive / 1200, 9)
    found = sqlanon.check("anonymized", connection=connection, **ROLES)
    assert found.measure("unique_records") == 0, "k holds on the quasi-identifiers alone"


@pytest.mark.slow
def test_a_check_with_the_spec_measures_the_same(connection: Connection) -> None:
    declared = {**ROLES, "insensitive": {"plan": {}}, "method": STACK}
    made = anonymized(connection, "people", **declared)
    spec = parse_spec(
        {
            "source": {"table": "people"},
            "release": "anonymized",
            "privacy": {"k": declared.pop("k")},
            **declared,
        }
    )
    found = sqlanon.check("anonymized", spec=spec, connection=connection)
    assert found.passed
    assert found.measures == made.release.measures
    connection.execute("update people set plan = patient_id")
    found = sqlanon.check("anonymized", spec=spec, connection=connection)
    assert [
        (shortfall.model, shortfall.attribute, shortfall.records) for shortfall in found.shortfalls
    ] == [("rare_share", "plan", 1200)]


def test_init_proposes_no_column_that_a_run_would_refuse(tmp_path: Path) -> None:
    rows = [
        f"{age},{region},{31 * age + 7},{ord(region[0]) * 1.25},{number % 900},{plan}"
        for number, age, _, region, _, plan in ROWS
    ]
    table = tmp_path / "people.csv"
    table.write_text("\n".join(["age,region,q07,w,visit,plan", *rows]), encoding="utf-8")
    engine = DuckDBEngine()
    text, _ = first_spec(str(table), None, tmp_path, engine)
    engine.close()
    released, _, withheld = text.partition("insensitive:")[2].partition("# Not released: each")
    assert re.findall(r"# - (\w+)", released) == ["plan"]
    assert re.findall(r"#   (\w+)", withheld.partition("\n\n")[0]) == ["q07", "w"]
    assert "q07  # BIGINT, 60 values; it gives age back for 100% of the records" in withheld


def test_plan_warns_of_a_telling_column(tmp_path: Path) -> None:
    (tmp_path / "people.csv").write_text(
        "\n".join(["age,code,s", *(f"{row[1]},{row[1] * 3},{row[4]}" for row in ROWS)]),
        encoding="utf-8",
    )
    (tmp_path / "spec.yaml").write_text(
        "{source: people.csv, release: public, quasi_identifiers: age, sensitive: s, "
        "insensitive: code, privacy: {k: 5}, method: stack_and_deal}",
        encoding="utf-8",
    )
    runner = CliRunner()
    done = runner.invoke(cli, ["plan", str(tmp_path / "spec.yaml")])
    assert done.exit_code == 0
    assert "A run will be refused" in done.output
    done = runner.invoke(cli, ["plan", str(tmp_path / "spec.yaml"), "--json"])
    found = {
        (load["metric"], load["attribute"]): load for load in json.loads(done.output)["insensitive"]
    }
    assert found["determined_share", "age by code"]["passed"] is False


@examples(12, 60)
@given(
    st.lists(
        st.tuples(
            st.sampled_from([None, 0, 1, 2, 3]),
            st.sampled_from([None, "a", "b", "c"]),
            st.sampled_from([None, 7, 8]),
        ),
        min_size=1,
        max_size=40,
    ),
    st.integers(1, 6),
)
def test_the_shares_are_those_of_the_definition(rows: list[tuple[Any, ...]], k: int) -> None:
    k = min(k, len(rows))
    with database() as connection:
        make_table(connection, "t", {"x": "integer", "q": "varchar", "y": "integer"}, rows)
        found = shares(
            connection, quasi_identifiers=["q"], insensitive=["x", "y"], privacy={"k": k}
        )
    hidden = [row[1] for row in rows]
    for name, place in (("x", 0), ("y", 2)):
        values = [row[place] for row in rows]
        rare = in_rare_values(values, k)
        assert found["rare_share", name] == round(rare / len(rows), 9)
        determined, chance = given_back(values, hidden, k), by_chance(values, hidden, k)
        near = {int(chance + shift) for shift in map(Decimal, ("0.499999999", "0.500000001"))}
        expected = {round(max(0, determined - number) / len(rows), 9) for number in near}
        assert found["determined_share", f"q by {name}"] in expected
    together = in_rare_values([(row[0], row[2]) for row in rows], k)
    assert found["rare_share", None] == round(together / len(rows), 9)
