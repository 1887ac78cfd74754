"""What stages of clauses can do to a plan, and what they cannot: the gate is the core's alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from fractions import Fraction
from typing import Any

import pytest
from pydantic import BaseModel
from support import Connection, database, make_table

import sqlanon
from sqlanon.clauses import FOLDERS, declared, stages
from sqlanon.draft import Draft, Stages
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import InfeasibleError
from sqlanon.measure.metrics import METRIC_OF
from sqlanon.plan import Check, Phase, Plan, Step, work
from sqlanon.planning.prepare import build_plan, prepare
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import Privacy, Sensitive, Spec, parse_spec
from sqlanon.sql.names import Sql

ROWS = [(age, ill) for age in range(8) for ill in ("a", "b")]
DECLARED: dict[str, Any] = {
    "source": {"table": "people"},
    "release": "public",
    "quasi_identifiers": ["age"],
    "sensitive": {"ill": {"l": 2}},
    "privacy": {"k": 4},
    "method": "stack_and_deal",
}


@pytest.fixture
def connection() -> Iterator[Connection]:
    with database() as opened:
        make_table(opened, "people", {"age": "integer", "ill": "varchar"}, ROWS)
        yield opened


def without(draft: Draft) -> Draft:
    """A stage that takes back what others laid out, and asks for nothing any more."""
    looking = tuple(step for step in draft.steps.get(Phase.LOOKING, ()) if isinstance(step, Step))
    return replace(draft, steps={**draft.steps, Phase.LOOKING: looking, Phase.GATE: ()})


def with_own_gate(draft: Draft) -> Draft:
    """A stage that writes steps of its own into the last phases."""
    own = Check("all is well", "source/check_not_empty", {"size": work("size")}, {}, "", "")
    return draft.adding(Phase.GATE, own).adding(Phase.MEASURING, own)


def planned(monkeypatch: pytest.MonkeyPatch, engine: DuckDBEngine, *clauses: Stages) -> Plan:
    monkeypatch.setattr("sqlanon.planning.prepare.stages_of", lambda spec: list(clauses))
    return prepare(parse_spec(DECLARED), engine).plan


@pytest.mark.parametrize("stage", [without, with_own_gate])
@pytest.mark.parametrize("at", ["read", "look", "code", "form"])
def test_the_gate_stays_last_and_whole_whatever_a_clause_did(
    connection: Connection, monkeypatch: pytest.MonkeyPatch, stage: Any, at: str
) -> None:
    engine = DuckDBEngine(connection=connection)
    plain = planned(monkeypatch, engine)
    changed = planned(monkeypatch, engine, Stages(**{at: stage}))

    def ends(plan: Plan) -> list[tuple[Phase, Any]]:
        both = zip(plan.phases, plan, strict=True)
        return [(phase, step) for phase, step in both if phase in (Phase.MEASURING, Phase.GATE)]

    def reads(plan: Plan) -> list[tuple[Any, ...]]:
        """All of a step or check but the function that makes its error."""
        return [(at, end.title, end.sql()) for at, end in ends(plan)]

    assert reads(changed) == reads(plain)
    gate = [end for phase, end in ends(changed) if phase is Phase.GATE]
    assert list(changed)[-len(gate) :] == gate
    assert [one.title for one in gate][-1] == "every declared model holds"
    assert gate[0].template == "release/check_conserved"


def test_a_clause_measures_metrics_of_its_own_and_changes_no_others(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its step stands before what is measured anyway, also if it is called like one of the core."""
    engine = DuckDBEngine(connection=connection)
    plain = planned(monkeypatch, engine)
    inputs, template = {"measured": work("measured"), "classes": work("classes")}, "unique_records"
    columns = {"published": (Sql("q1"),), "insensitive": (), "sensitive": (Sql("s1"),)}
    params = {**columns, "tie_breaker": {}}
    own = Step("own", work("own"), f"measure/{template}", inputs, params)
    changed = planned(monkeypatch, engine, Stages(measure=lambda draft, view: [own]))

    def titled(plan: Plan) -> list[tuple[str, str]]:
        return [(step.title, step.sql()) for step in plan if isinstance(step, Step | Check)]

    added = [one for one in titled(changed) if one not in titled(plain)]
    assert added == [("own", own.sql())]
    assert [one for one in titled(changed) if one not in added] == titled(plain)


def test_a_clause_refuses_more_after_the_core_has_judged(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = DuckDBEngine(connection=connection)
    own = Check("no more", "source/check_not_empty", {"size": work("size")}, {}, "", "")
    plain = planned(monkeypatch, engine)
    changed = planned(monkeypatch, engine, Stages(gate=lambda draft: [own]))
    assert [statement.title for statement in changed] == [
        *(step.title for step in plain),
        "no more",
    ]
    assert changed.phases[-1] is Phase.GATE


def test_a_clause_that_asks_for_less_publishes_nothing(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Classes are formed by the spec that its stage wrote, and judged by the one that was given."""

    def weaker(draft: Draft) -> Draft:
        privacy = draft.spec.privacy.model_copy(update={"k": 2})
        return replace(draft, spec=draft.spec.model_copy(update={"privacy": privacy}), full=False)

    assert sqlanon.anonymize(connection=connection, **DECLARED).measure("k") == 4
    connection.execute("drop table public")
    monkeypatch.setattr("sqlanon.planning.prepare.stages_of", lambda spec: [Stages(look=weaker)])
    with pytest.raises(InfeasibleError, match="k_anonymity"):
        sqlanon.anonymize(connection=connection, **{**DECLARED, "release": "second"})
    found = connection.execute("select count(*) from duckdb_tables() where table_name = 'second'")
    assert found.fetchone() == (0,)


def test_more_is_left_out_than_the_spec_allows_and_nothing_is_published(
    connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A method leaves out what a stage allows, and the gate takes the limit from the spec."""
    connection.execute("insert into people select 0, ill from people where age < 3")  # 8 of age 0
    fixed = {**DECLARED, "sensitive": [], "method": "optimal", "levels": {"age": 0}}
    fixed["quasi_identifiers"] = {"age": {"hierarchy": {"bands": [2, 4]}, "publish": "level"}}

    def released(allowed: str, *clauses: Stages) -> Any:
        asked = {**fixed, "suppression": {"records": allowed}}
        if clauses:
            monkeypatch.setattr("sqlanon.planning.prepare.stages_of", lambda spec: list(clauses))
        return sqlanon.anonymize(connection=connection, **asked)

    def wider(draft: Draft) -> Draft:
        assert draft.task is not None
        return replace(draft, task=replace(draft.task, allowance=Fraction(1)))

    # Each of the seven other ages has two records, and a class needs four.
    assert released("14/22").measure("suppressed_records") == 14
    connection.execute("drop table public")
    refused = "14 of 22 records would be left out, which is more than is allowed"
    with pytest.raises(InfeasibleError, match=refused):
        released("13/22", Stages(code=wider))
    with pytest.raises(InfeasibleError, match="none of the 1 choices of levels"):
        released("14/22", Stages())  # which allows the method nothing


def test_a_draft_is_frozen(connection: Connection) -> None:
    engine, spec = DuckDBEngine(connection=connection), parse_spec(DECLARED)
    info = SourceInfo.of(spec, engine)
    draft = Draft(spec=spec, engine=engine, source=info.source, read=info.columns)
    with pytest.raises(FrozenInstanceError):
        draft.full = False  # type: ignore[misc]
    assert draft.adding(Phase.READING, *build_plan(spec, info).plan.steps[:1]).steps
    assert not draft.steps


@pytest.mark.parametrize("name", FOLDERS)
def test_a_folder_has_both_halves(name: str) -> None:
    assert isinstance(stages(name), Stages)
    assert declared()[name][0].name == name.replace("_", " ")


@pytest.mark.parametrize("name", FOLDERS)
def test_what_a_folder_declares_is_known_where_it_is_used(name: str) -> None:
    """Its fields are in their part of a spec, and its models and metrics have its templates."""
    parts: dict[str, type[BaseModel]] = {"spec": Spec, "sensitive": Sensitive, "privacy": Privacy}
    for settings in declared()[name]:
        for part, own in settings.fields.items():
            assert set(own) <= set(parts[part].model_fields)
        found = [(each.name, each.measured) for each in settings.models]
        found += [(each.name, each.measured) for each in settings.metrics]
        for metric, template in found:
            assert METRIC_OF[metric].says
            assert template.startswith(f"clauses/{name}/")
