"""Metrics that a spec asks for: worked by hand, held to the oracle, refused where there is none."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import oracle.metrics as by_hand
import pytest
from drawn import members_of
from hypothesis import given
from hypothesis import strategies as st
from support import DEALT, database, examples, make_table, select

import sqlanon
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import SpecError
from sqlanon.plan import Step
from sqlanon.planning.prepare import build_plan
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import parse_spec
from sqlanon.spec.metrics import RULES
from sqlanon.sql.names import Relation
from sqlanon.sql.templates import load_template

CLOSE = Fraction(1, 10**8)


def test_the_classification_metric_worked_by_hand() -> None:
    """Of (a, a, b) one is wrong, of (c) none; of two that are left out both are."""
    classes = [["a", "a", "b"], ["c"]]
    assert by_hand.classification_metric(classes) == Fraction(1, 4)
    assert by_hand.classification_metric(classes, suppressed=2) == Fraction(1, 2)
    assert by_hand.classification_metric([["a"], ["b"]]) == 0


@examples(20, 200)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=30),
    st.one_of(st.none(), st.integers(0, 9)),
)
def test_the_classification_metric_is_the_oracles(
    records: list[tuple[int, int]], suppressed: int | None
) -> None:
    classes = defaultdict(list)
    for label, value in records:
        classes[label].append(value)
    exact = by_hand.classification_metric(list(classes.values()), suppressed or 0)
    counted = sorted((*record, 1, records.count(record)) for record in set(records))
    columns = dict.fromkeys(("class_id", "code", "position", "records"), "bigint")
    there = {"class_values_s1": Relation("class_values_s1")}
    with database() as connection:
        make_table(connection, "class_values_s1", columns, counted)
        if suppressed is not None:
            make_table(connection, "ledger", {"records_suppressed": "bigint"}, [(suppressed,)])
            there["ledger"] = Relation("ledger")
        sensitive = [{"name": "illness", "class_values": there["class_values_s1"]}]
        sql = load_template("measure/minorities").render(there, {"sensitive": sensitive})
        ((_, metric, attribute, value, *_),) = select(connection, sql)[1]
    assert (metric, attribute) == ("classification_metric", "illness")
    assert abs(Fraction(value) - exact) < CLOSE


def test_the_metrics_of_cells_worked_by_hand() -> None:
    """Two records of a three-valued column and a two-valued one; the second was suppressed."""
    ages, sexes = {20, 30, 40}, {"f", "m"}
    records = [({20, 30}, {"f"}), (ages, sexes)]
    assert by_hand.ambiguity(records) == Fraction(2 * 1 + 3 * 2, 2)
    assert by_hand.coarsened_share([*records, ({20}, {"f"})]) == Fraction(2, 3)
    half = Fraction(1, 2)
    expected = Fraction(1, 3) + Fraction(2, 3) + half * half
    assert by_hand.iloss(records, (ages, sexes), (Fraction(1), half)) == expected
    # Kiran and Kavya (2012), §5.2: 5371* stands for two of four values.
    assert by_hand.iloss([({53711, 53712},)], ({1, 2, 3, 4},), (Fraction(1),)) == Fraction(1, 4)


def test_non_uniform_entropy_worked_by_hand() -> None:
    """Of (a, a, b, b): all known, the cell of two whole, one record of a and one of b left open."""
    values = ["a", "a", "b", "b"]
    assert by_hand.non_uniform_entropy(values, [{"a"}, {"a"}, {"b"}, {"b"}]) == 0
    assert by_hand.non_uniform_entropy(values, [{"a", "b"}] * 4) == 1
    assert by_hand.non_uniform_entropy(values, [{"a"}, {"a", "b"}, {"a", "b"}, {"b"}]) == 0.5
    assert by_hand.non_uniform_entropy(["a", "a"], [{"a"}, {"a", "b"}]) == 0


def test_levels_worked_by_hand() -> None:
    """53711 to 537** is two levels of three; Sweeney's table of values as they are has 1."""
    chain = ["53711", "5371*", "537**", "*"]
    assert by_hand.level_of("537**", {"53711": chain}) == 2
    assert by_hand.minimal_distortion([[2], [0]]) == 2
    assert by_hand.precision([[2], [0]], [3]) == Fraction(2, 3)
    assert by_hand.precision([[0, 0]], [3, 1]) == 1


# Names with quotes, commas and letters beyond ASCII; "d" is a value that no record has.
TREE = {"one, or two": ["a", "é'"], "G": ["b, c", "d"]}
CHAINS: dict[Any, list[Any]] = {
    value: [value, group, "*"] for group, values in TREE.items() for value in values
} | {None: [None, None, "*"]}
LABELLED = {"hierarchy": {"tree": TREE}}
AGES = st.one_of(st.none(), st.integers(18, 24))
NAMES = st.sampled_from(["a", "b, c", "é'", None])
RECORDS = st.lists(st.tuples(AGES, NAMES, NAMES), min_size=1, max_size=12)
COLUMNS = {
    "number": "integer",
    "age": "integer",
    'na"me': "varchar",
    "town": "varchar",
    "illness": "varchar",
}


def measured(
    rows: list[tuple[Any, ...]], **declared: Any
) -> tuple[dict[tuple[str, str | None], float | None], dict[int, tuple[Any, ...]]]:
    """The metrics of a release, and its cells by the numbers of their records."""
    numbered = [(number, *row, "xyz"[number % 3]) for number, row in enumerate(rows)]
    with database() as connection:
        make_table(connection, "people", COLUMNS, numbered)
        made = sqlanon.anonymize(
            "people",
            connection=connection,
            progress=False,
            release="anonymized",
            sensitive={"illness": {}},
            insensitive={"number": {"accept": "it tells the records apart"}},
            **{"seed": 7, **declared},
        )
        names, cells = select(connection, "from anonymized")
        where, shown = names.index("number"), names.index("illness")
        return (
            {(metric.metric, metric.attribute): metric.value for metric in made.measures},
            {row[where]: row[:shown] for row in cells},
        )


def of_number(cells: tuple[Any, ...], domain: set[Any]) -> set[Any]:
    """What a cell of numbers stands for, be it an interval as one text or as two bounds."""
    if len(cells) == 2:
        low, high = cells
        every = low is None and high is None
        return domain if every else {one for one in domain - {None} if low <= one <= high}
    (cell,) = cells
    if cell is None or cell == "*":
        return domain if cell else {None}
    low, high = map(int, cell[1:-1].split(", ")) if cell[0] == "[" else (int(cell), int(cell))
    return {one for one in domain - {None} if low <= one <= high}


def below(label: Any, domain: set[Any]) -> set[Any]:
    """The values below a label."""
    return {value for value in domain if label in CHAINS[value]} if label else {None}


@pytest.mark.slow
@examples(8, 80)
@given(RECORDS, st.sampled_from(["interval", "bounds"]), st.integers(1, 3), st.booleans())
def test_the_metrics_of_cells_are_the_oracles(
    rows: list[tuple[Any, ...]], publish: str, k: int, listed: bool
) -> None:
    """Non-uniform entropy by its definition, of known records; the SQL knows counts alone."""
    k = min(k, len(rows))
    metrics, cells = measured(
        rows,
        quasi_identifiers={
            "age": {"publish": publish, "weight": "1/3"},
            'na"me': LABELLED,
            "town": {"publish": "set"} if listed else LABELLED,
        },
        privacy={"k": k},
        metrics=["ambiguity", "iloss", "coarsened_share", "non_uniform_entropy"],
        **DEALT,
    )
    ages, names, towns = (set(column) for column in zip(*rows, strict=True))
    domains = (ages, names | CHAINS.keys() - {None}, towns)
    domains = (*domains[:2], towns if listed else towns | CHAINS.keys() - {None})
    read = [
        (
            of_number(cells[number][:-2], ages),
            below(cells[number][-2], domains[1]),
            set(members_of(cells[number][-1])) if listed else below(cells[number][-1], domains[2]),
        )
        for number in range(len(rows))
    ]
    assert all(
        value in cell
        for row, of in zip(rows, read, strict=True)
        for value, cell in zip(row, of, strict=True)
    )
    third = Fraction(1, 3)
    exact = {
        "coarsened_share": by_hand.coarsened_share(read),
        "ambiguity": by_hand.ambiguity(read),
        "iloss": by_hand.iloss(read, domains, (third, Fraction(1), Fraction(1))),
    }
    for metric, value in exact.items():
        assert abs(Fraction(metrics[metric, None] or 0) - value) < CLOSE
    for name, values, own in zip(
        ("age", 'na"me', "town"), zip(*rows, strict=True), zip(*read, strict=True), strict=True
    ):
        found = metrics["non_uniform_entropy", name]
        assert found is not None
        assert abs(found - by_hand.non_uniform_entropy(values, own)) < 1e-8


@pytest.mark.slow
@examples(8, 80)
@given(RECORDS, st.integers(1, 3), st.sampled_from(["0", "1/2"]))
def test_the_metrics_of_levels_are_the_oracles(
    rows: list[tuple[Any, ...]], k: int, suppressed: str
) -> None:
    """Those that were suppressed are at the root."""
    asked = ["precision", "minimal_distortion", "mean_level", "height", "non_uniform_entropy"]
    metrics, cells = measured(
        rows,
        quasi_identifiers={'na"me': LABELLED, "town": LABELLED},
        privacy={"k": min(k, len(rows))},
        method="optimal",
        metrics=asked,
        **({} if suppressed == "0" else {"suppression": {"records": suppressed}}),
    )
    labels = [cells.get(number, ("*", "*")) for number in range(len(rows))]
    levels = [[by_hand.level_of(label, CHAINS) for label in row] for row in labels]
    exact: dict[tuple[str, str | None], Fraction] = {
        ("precision", None): by_hand.precision(levels, [2, 2]),
        ("minimal_distortion", None): Fraction(by_hand.minimal_distortion(levels)),
        ("height", None): Fraction(
            sum(max(levels[number][place] for number in cells) for place in range(2))
        ),
    }
    for index, name in enumerate(('na"me', "town")):
        column = [row[index] for row in levels]
        exact["mean_level", name] = Fraction(sum(column), len(column))
    for metric, value in exact.items():
        assert abs(Fraction(metrics[metric] or 0) - value) < CLOSE, metric
    for index, name in enumerate(('na"me', "town")):
        values = [row[index + 1] for row in rows]
        own = [below(row[index], set(values)) for row in labels]
        found = metrics["non_uniform_entropy", name]
        assert found is not None
        assert abs(found - by_hand.non_uniform_entropy(values, own)) < 1e-8


BANDS: dict[str, Any] = {"age": {"hierarchy": {"bands": [5]}}}
ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "privacy": {"k": 1}, "seed": 1}


@pytest.mark.parametrize(
    ("metric", "declared", "says"),
    [
        ("ambigity", {}, "'ambigity' is not accepted; did you mean 'ambiguity'?"),
        ("classification_metric", {}, "it is of sensitive attributes, and none is declared"),
        (
            "ambiguity",
            {"sensitive": {"illness": {"t": 1}}, "publish": {"name": "anatomy", "group": 2}},
            "it is of generalized cells, and anatomy publishes none",
        ),
        ("precision", {}, "'age' is not published as labels of one: give it a hierarchy"),
        (
            "precision",
            {"quasi_identifiers": {"town": {"publish": "set", **LABELLED}}},
            "'town' is not published as labels of one",
        ),
        ("height", {"quasi_identifiers": BANDS}, "'age' is not: publish: level, or a method"),
    ],
)
def test_a_metric_that_a_release_cannot_have_is_refused(
    metric: str, declared: dict[str, Any], says: str
) -> None:
    with pytest.raises(SpecError) as refused:
        parse_spec(
            {
                "source": "people.csv",
                "release": "r",
                **ROLES,
                **DEALT,
                **declared,
                "metrics": metric,
            }
        )
    assert says in str(refused.value)
    assert "metrics" in str(refused.value)


def test_nothing_of_it_is_measured_that_was_not_asked_for() -> None:
    metrics, _ = measured([(20, "a", "a"), (21, "a", None)], **ROLES, **DEALT)
    assert not {name for name, _ in metrics} & RULES.keys()


@pytest.mark.parametrize("quasi", [{"age": {}, "town": {}}, {**BANDS, "town": LABELLED}])
def test_a_check_measures_what_the_run_did(quasi: dict[str, Any]) -> None:
    rows = [(20, "a", "a"), (21, "a", None), (24, None, "é'"), (None, "a", "b, c")]
    asked = ["classification_metric", "ambiguity", "non_uniform_entropy"]
    asked += ["precision"] if quasi["age"] else []
    declared = {"quasi_identifiers": quasi, "sensitive": {"illness": {}}, "privacy": {"k": 2}}
    with database() as connection:
        make_table(connection, "people", COLUMNS, [(0, *row, "xyz"[len(row) - 3]) for row in rows])
        spec: dict[str, Any] = {
            **declared,
            **DEALT,
            "release": "anonymized",
            "metrics": asked,
            "seed": 1,
        }
        made = sqlanon.anonymize("people", connection=connection, progress=False, **spec)
        found = sqlanon.check(
            "anonymized",
            connection=connection,
            progress=False,
            spec=parse_spec({"source": {"table": "people"}, **spec}),
        )
    values = {(metric.metric, metric.attribute): metric.value for metric in made.measures}
    assert values == {(metric.metric, metric.attribute): metric.value for metric in found.measures}
    assert {name for name, _ in values} >= set(asked)
    assert None not in [values[value] for value in values if value[0] in asked]


def test_a_check_without_a_spec_reads_no_cells() -> None:
    with database() as connection:
        make_table(connection, "people", COLUMNS, [(0, 20, "a", "a", "x"), (1, 20, "a", "b", "y")])
        asked: dict[str, Any] = {
            "quasi_identifiers": ["age"],
            "sensitive": {"illness": {}},
            "progress": False,
        }
        with pytest.raises(SpecError, match="metrics: ambiguity: cells are read by the spec"):
            sqlanon.check("people", connection=connection, metrics="ambiguity", **asked)
        found = sqlanon.check(
            "people", connection=connection, metrics="classification_metric", **asked
        )
        assert found.measure("classification_metric", "illness") == 0.5


def test_what_is_tried_is_not_measured_by_more() -> None:
    """A sweep reads none of it."""
    asked = {"source": {"table": "people"}, "release": "r", **ROLES, **DEALT}
    spec = parse_spec({**asked, "metrics": "ambiguity"})
    with database() as connection:
        make_table(connection, "people", COLUMNS, [(0, 20, "a", "a", "x"), (1, 21, "a", "b", "y")])
        info = SourceInfo.of(spec, DuckDBEngine(connection=connection), None)
        tried, run = (build_plan(spec, info, release) for release in (None, Relation("r")))
    made = [
        {step.template for step in prepared.plan.steps if isinstance(step, Step)}
        for prepared in (tried, run)
    ]
    assert "measure/class_cover" not in made[0]
    assert "measure/class_cover" in made[1]
