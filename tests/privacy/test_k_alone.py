"""k-anonymity alone: a release without a sensitive attribute is one like any other."""

from collections import Counter
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support import DEALT, anonymized, read, refused

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import SpecError
from sqlanon.spec import parse_spec

PERSONS = """
create table persons as
select
    (17 + i * 37 % 60)::integer as age,
    case when i % 3 = 0 then 'M' else 'F' end as sex,
    case when i % 13 > 0 then 'z' || i * 7 % 13 end as zip,
    'w' || i // 5 % 3 as ward
from range(203) as t(i)
"""
HIDDEN = ["age", "sex", "zip"]
METHODS: dict[str, Any] = {
    "dealt": "stack_and_deal",
    "along a curve": {"locality": "curve"},
    "in stripes": {"locality": "stripes", "stripe": 50},
    "deal_tree": "deal_tree",
    "split_or_deal": {"name": "split_or_deal", "refine": 1},
    "mondrian": {"name": "mondrian", "partitioning": "relaxed"},
    "microaggregation": {"name": "microaggregation", "block": 60},
}


@pytest.fixture
def persons() -> duckdb.DuckDBPyConnection:
    connection = duckdb.connect()
    connection.execute(PERSONS)
    return connection


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("method", "insensitive"),
    [
        *((method, []) for method in list(METHODS)[:1]),
        *(pytest.param(method, [], marks=pytest.mark.slow) for method in list(METHODS)[1:]),
        pytest.param("dealt", ["ward"], marks=pytest.mark.slow),
        pytest.param("split_or_deal", ["ward"], marks=pytest.mark.slow),
    ],
)
def test_k_holds_on_the_published_table(
    method: str, insensitive: list[str], persons: duckdb.DuckDBPyConnection
) -> None:
    roles = {"quasi_identifiers": HIDDEN, "insensitive": insensitive}
    declared: dict[str, Any] = {**roles, "method": METHODS[method], "k": 7}
    made = sqlanon.anonymize("persons", connection=persons, **declared)
    columns, rows = read(persons, "anonymized")
    assert columns == (*HIDDEN, *insensitive)
    sizes = Counter(row[:3] for row in rows)
    assert (sum(sizes.values()), min(sizes.values())) == (203, made.measure("k_anonymity"))
    assert min(sizes.values()) >= 7
    assert len(sizes) > 1
    measured = {metric.metric for metric in made.measures}
    assert "k_anonymity" in measured
    assert not measured & {"distinct_l", "entropy_l", "alpha", "t_closeness"}
    again = sqlanon.compile("persons", connection=persons, release="scripted", **declared)
    persons.cursor().execute(again)
    assert read(persons, "scripted") == (columns, rows)


def test_dealt_classes_differ_by_one_record(persons: duckdb.DuckDBPyConnection) -> None:
    made = anonymized(persons, "persons", quasi_identifiers=HIDDEN, k=7)
    assert set(Counter(made.assigned.class_ids).values()) == {7}
    made = anonymized(persons, "persons", quasi_identifiers=HIDDEN, k=6)
    assert set(Counter(made.assigned.class_ids).values()) == {6, 7}


def test_what_is_asked_of_sensitive_attributes_is_refused(
    persons: duckdb.DuckDBPyConnection,
) -> None:
    roles: dict[str, Any] = {"connection": persons, "quasi_identifiers": HIDDEN, "k": 2}
    for asked in ({"t": 0.3}, {"l": 2}, {"alpha": 0.5}):
        error = refused(SpecError, "persons", **roles, **asked)
        assert f"privacy.{next(iter(asked))}: it is asked of sensitive attributes" in str(error)
    with pytest.raises(SpecError, match=r"privacy\.t"):
        sqlanon.sweep("persons", t="0.1,0.2", **roles)
    assert "take another method" in str(
        refused(SpecError, "persons", **roles, method="fragmentation")
    )


@pytest.mark.slow
def test_a_table_is_measured_by_k_alone(persons: duckdb.DuckDBPyConnection) -> None:
    found = sqlanon.check("persons", connection=persons, quasi_identifiers=["sex"], k=60)
    assert found.passed
    assert found.measure("k_anonymity") == min(
        Counter(row[1] for row in read(persons, "persons")[1]).values()
    )
    declared = {"quasi_identifiers": HIDDEN, **DEALT, "privacy": {"k": 7}, "release": "anonymized"}
    sqlanon.anonymize({"table": "persons"}, connection=persons, **declared)
    spec = parse_spec({"source": {"table": "persons"}, **declared})
    assert sqlanon.check("anonymized", connection=persons, spec=spec).passed


@pytest.mark.further
@pytest.mark.slow
def test_sweep_choose_and_predict_weigh_the_risk_of_linkage(
    persons: duckdb.DuckDBPyConnection,
) -> None:
    """Privacy loss is t in the literature; without a sensitive attribute nothing has a t."""
    roles: dict[str, Any] = {"connection": persons, "quasi_identifiers": HIDDEN, **DEALT}
    swept = sqlanon.sweep("persons", k="5,10,20", privacy_weight=1, **roles)
    columns, rows = read(persons, "anonymized__sweep")
    assert [row[columns.index("attribute")] for row in rows] == [None, None, None]
    assert [trial.risk for trial in swept.trials] == [trial.marketer_risk for trial in swept.trials]
    assert swept.best is not None
    assert swept.best.k == 20
    assert "marketer risk" in swept._repr_html_()
    quick = sqlanon.sweep("persons", k="5,10", quick=True, **roles)
    assert [trial.classes for trial in quick.trials] == [40, 20]
    made = sqlanon.anonymize("persons", k=5, choose={"privacy_weight": 0, "k": "5,10"}, **roles)
    assert made.chosen is not None
    assert made.chosen.startswith("k = 5:")
    (told,) = sqlanon.predict("persons", k=6, **roles) or []
    assert (told.metric, told.value, told.passed) == ("k_anonymity", 6, True)


def test_dbt_models_without_a_sensitive_attribute(
    persons: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    from sqlanon.dbt import write_models

    (tmp_path / "dbt_project.yml").write_text("name: mine\n", encoding="utf-8")
    declared = {"source": {"table": "persons"}, "release": "anonymous", "privacy": {"k": 7}}
    spec = parse_spec({**declared, "quasi_identifiers": HIDDEN, **DEALT})
    engine = DuckDBEngine(connection=persons)
    written = write_models(spec, engine, tmp_path)
    assert "anonymous__work_assigned.sql" in {path.name for path in written}
    text = (tmp_path / "models" / "anonymous" / "schema.yml").read_text(encoding="utf-8")
    assert "sqlanon.k_anonymity" in text
    assert "t_closeness:" not in text
