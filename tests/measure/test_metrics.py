"""The registry of metrics: what their relation and the document that lists them make of it."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import DEALT, ROOT, anonymized, database, examples, make_table, select

from sqlanon.engines import DuckDBEngine
from sqlanon.measure.metrics import BESIDE_MODELS, METRICS
from sqlanon.measure.metrics.changes import CHANGES_OF_VALUES, SAMPLING
from sqlanon.measure.metrics.records import LEFT_OUT, UNIQUENESS
from sqlanon.pages.figures import Figure
from sqlanon.privacy import MODELS
from sqlanon.record.metrics import Metric, read_metrics
from sqlanon.sql.names import Relation
from sqlanon.sql.templates import load_template

ROWS = [(1, "a", "x", "u"), (2, "a", "y", "v"), (3, "b", "x", "u"), (9, None, "y", None)]
# What any table meets, and what one meets whose classes have every value as often as it has.
ASKED = [figure for figure in METRICS if figure.needs is not None]
LENIENT: dict[str, Any] = {
    "l": {"distinct": 1, "entropy": 1, "recursive": {"c": 99, "l": 1}},
    "alpha": 1,
    "t": 1,
    "beta": {"basic": 99},
}
EVERY: dict[str, Any] = {
    **LENIENT,
    "beta": {"basic": 99, "enhanced": 99},
    "delta": {"log2": 9, "ln": 9},
    "bk": 1,
    "background": {"estimate": {"by": ["age"]}},
}


def released(
    rows: list[tuple[Any, ...]], asked: dict[str, Any], metrics: Sequence[Figure] = ()
) -> list[Metric]:
    """The metrics of a release of a table, as the relation has them."""
    with database() as connection:
        columns = {"age": "integer", "sex": "varchar", "disease": "varchar", "ward": "varchar"}
        make_table(connection, "people", columns, rows)
        anonymized(
            connection,
            "people",
            quasi_identifiers={
                "age": {"hierarchy": {"bands": [2, 4]}, "publish": "level"},
                "sex": {"hierarchy": {"tree": {"*": ["a", "b"]}}, "publish": "level"},
            },
            sensitive={"disease": asked},
            insensitive={"ward": {"accept": "it is a test"}},
            k=2,
            metrics=[figure.name for figure in metrics],
            seed=7,
            **DEALT,
        )
        names, found = select(connection, "from anonymized__metrics")
        assert list(names) == list(Metric.__annotations__)
        return [Metric(*row) for row in found]


@pytest.mark.parametrize("figure", BESIDE_MODELS, ids=lambda figure: figure.name)
def test_a_metrics_template_has_its_column(figure: Figure) -> None:
    columns = {"release": figure.name, "quasi-identifier": f"q*_{figure.name}"}
    assert columns.get(figure.per, "metric") in load_template(figure.measured).outputs


def test_every_metric_is_measured_in_the_order_of_the_registry() -> None:
    """The shares stand in the order of the columns.

    Nothing is left out here (test_lattice), nothing transformed (test_transforms), and there are no
    population (test_population), no guards (test_guard), no groups to count (test_l_of_groups), no
    whole numbers (test_proximity), no sets (test_km), no noise (test_local), and no record is drawn
    (test_differential).
    """
    elsewhere = {figure.name for figure in (*LEFT_OUT, *CHANGES_OF_VALUES)}
    elsewhere |= {model.name for model in MODELS if model.is_of_covered}
    elsewhere |= {
        "guarded_share",
        "distinct_groups_l",
        "proximity",
        "km_anonymity",
        "epsilon",
        "epsilon_total",
    }
    elsewhere |= {figure.name for figure in SAMPLING}
    found = [metric.metric for metric in released(ROWS, EVERY, ASKED)]
    assert set(found) == {figure.name for figure in METRICS} - elsewhere
    stacked = [
        figure.name for figure in BESIDE_MODELS if figure.per in ("release", "quasi-identifier")
    ]
    places = [stacked.index(text) for text in found if text in stacked]
    assert places == sorted(places)


@examples(2, 20)
@given(
    st.lists(
        st.tuples(
            st.integers(0, 5),
            st.sampled_from(["a", "b", None]),
            st.sampled_from(["x", "y", "z"]),
            st.sampled_from(["u", "v", None]),
        ),
        min_size=2,
        max_size=9,
    )
)
def test_a_metric_lies_in_its_range_and_says_what_the_registry_says(
    rows: list[tuple[Any, ...]],
) -> None:
    known = {figure.name: figure for figure in METRICS}
    ends = {"n": len(rows), "n^2": len(rows) ** 2, "inf": math.inf}
    for measure in released(rows, LENIENT if len(rows) % 2 else {}, ASKED):
        metric = known[measure.metric]
        said = (metric.direction, metric.range, metric.sentence)
        assert (measure.direction, measure.range, measure.sentence) == said
        least, most = metric.range.strip("[])").split(", ")
        if measure.value is not None:
            assert float(least) <= measure.value <= ends.get(most, 1) + 1e-9, measure


def test_no_two_parts_name_a_common_table_alike() -> None:
    """Spark's SQL has them all at the top of the statement, where a name stands once."""
    names: Counter[str] = Counter()
    parts = {figure.measured for figure in BESIDE_MODELS if figure not in UNIQUENESS}
    for template in (part for part in parts if part.startswith("measure/")):
        text = (ROOT / "sql_templates" / f"{template}.sql.j2").read_text(encoding="utf-8")
        found = set(re.findall(r"^(?:with )?(\w+) as \($", text, re.MULTILINE))
        names.update({template.removeprefix("measure/"), *found})
    assert [name for name, count in names.items() if count > 1] == []


def test_metrics_of_every_two_columns_are_read() -> None:
    """Of 500 insensitive columns beside 20 quasi-identifiers there are more than 10,000."""
    with database() as connection:
        connection.execute(
            "create table m as select 'determined_share' as metric, 'x' || i as attribute, 0.5 as "
            "value, null as threshold, null as passed from range(12_000) as r(i)"
        )
        engine = DuckDBEngine(connection=connection)
        assert len(read_metrics(Relation("m"), engine)) == 12_000
