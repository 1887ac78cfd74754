"""Random releases against the oracle: what is published, what is measured, what is left alone."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from drawn import (
    HIDDEN_FORMS,
    SENSITIVE_FORMS,
    Attribute,
    Drawn,
    Form,
    drawn_releases,
    members_of,
    text,
)
from hypothesis import Phase, given
from hypothesis import strategies as st
from oracle import (
    Cell,
    Order,
    alpha,
    c_avg,
    cell_order,
    class_count_matrix,
    deal,
    discernibility,
    distinct_l,
    entropy_holds,
    entropy_l,
    gcp,
    k_anonymity,
    multiplicity,
    number_of_classes,
    record_loss,
    recursive_holds,
    stack,
    value_counts,
)
from support import (
    DEALT,
    Assigned,
    Connection,
    Outcome,
    Row,
    anonymized,
    database,
    examples,
    facts,
    in_report,
    one_in,
    quoted,
    ran_to,
    read,
    relations,
    select,
)

import sqlanon
from sqlanon.plan import Step
from sqlanon.sql.names import Relation
from sqlanon.sql.templates import load_template

pytestmark = pytest.mark.slow


@contextmanager
def made(drawn: Drawn) -> Iterator[tuple[Connection, Path]]:
    """A database that holds the drawn source, and a folder for hierarchy files."""
    with database() as connection, tempfile.TemporaryDirectory() as folder:
        drawn.make(connection)
        yield connection, Path(folder)


def run(connection: Connection, drawn: Drawn, folder: Path, **changed: Any) -> Outcome:
    fields = {**drawn.declared(folder), **changed}
    return anonymized(connection, {"table": quoted(drawn.source)}, drawn.release, **fields)


# --- Stack & Deal --------------------------------------------------------------------------------


def assert_dealt(
    drawn: Drawn, assigned: Assigned, positions: dict[str, list[tuple[int, Any, int]]]
) -> None:
    """The classes are those of the oracle: the same counts of every cell, class by class.

    Along a curve, the classes have other numbers; in stripes, only their size is promised.
    """
    sizes = Counter(assigned.class_ids)
    assert min(sizes.values()) >= drawn.k
    assert sorted(sizes) == list(range(len(sizes)))
    if drawn.locality == "stripes":
        return
    first = len(drawn.hidden)
    cells: list[Cell] = [codes[first:] for codes in assigned.codes]
    if drawn.stack_order != "frequency":
        place = [
            {code: number for number, (code, _, _) in enumerate(positions[f"s{axis}"])}
            for axis in range(1, len(drawn.sensitive) + 1)
        ]
        cells = [tuple(place[axis][code] for axis, code in enumerate(cell)) for cell in cells]
    order: Order = drawn.stack_order  # type: ignore[assignment]
    counts = multiplicity(cells)
    stacked = stack(counts, order)
    present = cell_order(counts, order)
    expected = class_count_matrix(stacked, deal(stacked, drawn.k), present)
    found = Counter(zip(assigned.class_ids, cells, strict=True))
    e = number_of_classes(drawn.size, drawn.k)
    dealt = [[found[number, cell] for cell in present] for number in range(e)]
    if drawn.locality == "curve":
        dealt, expected = sorted(dealt), sorted(expected)
    assert dealt == expected
    assert sum(found.values()) == drawn.size == sum(map(sum, expected))

    assert len(sizes) == e == drawn.size // drawn.k
    assert max(sizes.values()) - min(sizes.values()) <= 1
    for column in zip(*expected, strict=True):
        assert max(column) - min(column) <= 1


def assert_codes_follow_values(drawn: Drawn, assigned: Assigned) -> None:
    """Without a hierarchy or a list, codes stand in the order of the values, NULL first."""
    named = [(f"q{n}", attribute) for n, attribute in enumerate(drawn.hidden, 1)]
    named += [(f"s{n}", attribute) for n, attribute in enumerate(drawn.sensitive, 1)]
    for alias, one in named:
        listed = one.settings.get("order")
        if one.hierarchy is None and isinstance(listed, list):
            found = [text(value) for code, value in sorted(assigned.domains[alias].items()) if code]
            used = {text(value) for value in one.values}
            assert found == [label if label in used else None for label in listed]
        elif one.hierarchy is None:
            known = sorted({value for value in one.values if value is not None})
            nothing = {0: None} if None in one.values else {}
            assert assigned.domains[alias] == {**nothing, **dict(enumerate(known, 1))}


@pytest.mark.slow
@examples(10, 50)
@given(drawn_releases(most=24))
def test_portable_and_duckdb_templates_deal_alike(drawn: Drawn) -> None:
    """The sibling templates give every record's values the same class; the invariants hold."""
    with made(replace(drawn, locality="none")) as (connection, folder):
        fields = replace(drawn, locality="none").declared(folder)
        source = quoted(drawn.source)
        with ran_to(connection, "sqlanon_assigned", source, **fields) as plan:
            fast = read(connection, "sqlanon_assigned")[1]
            steps = {str(step.output): step for step in plan if isinstance(step, Step)}
            stacking, dealing = steps["sqlanon_stacked"], steps["sqlanon_assigned"]
            portable = Relation("portable_stacked")
            connection.execute(
                f"create temporary table {portable.sql} as {stacking.sql('portable')}"
            )
            template = load_template(dealing.template, "portable")
            assert template != load_template(dealing.template, "duckdb")
            assert stacking.sql("portable") != stacking.sql("duckdb")
            query = template.render({**dealing.inputs, "stacked": portable}, dealing.params)
            assert Counter(select(connection, query)[1]) == Counter(fast)
            places = select(connection, "select position from portable_stacked")[1]
        assert sorted(place for (place,) in places) == list(range(drawn.size))


# --- the release ---------------------------------------------------------------------------------


def assert_truthful(drawn: Drawn, made_of: Outcome) -> list[Fraction]:
    """Every class publishes what its records' own values give; returns each record's loss."""
    assigned = made_of.assigned
    attributes = [*drawn.hidden, *drawn.sensitive]
    insensitive = [one.values for one in drawn.others.get("insensitive", ())]
    true = zip(*(attribute.values for attribute in attributes), *insensitive, strict=True)
    known = [
        (*values, *more) for values, more in zip(assigned.values, assigned.insensitive, strict=True)
    ]
    assert Counter(known) == Counter(true)

    first = len(drawn.hidden)
    expected: Counter[Row] = Counter()
    losses: list[Fraction] = []
    for class_id in set(assigned.class_ids):
        members = [
            record for record, own in zip(known, assigned.class_ids, strict=True) if own == class_id
        ]
        cells: Row = ()
        lost = []
        for index, attribute in enumerate(drawn.hidden):
            cell, loss = attribute.recoded([record[index] for record in members])
            cells += cell
            lost.append(loss)
        expected.update((*cells, *record[first:]) for record in members)
        losses += [record_loss(lost, [attribute.weight for attribute in drawn.hidden])] * len(
            members
        )
    assert Counter(as_read(drawn, made_of.rows)) == expected
    return losses


def as_read(drawn: Drawn, rows: Sequence[Row]) -> list[Row]:
    """The published rows, sets read back."""
    published = [attribute for attribute in drawn.hidden for _ in attribute.released]
    return [
        (
            *(
                members_of(cell) if one.publish == "set" else cell
                for one, cell in zip(published, row, strict=False)
            ),
            *row[len(published) :],
        )
        for row in rows
    ]


def published_classes(drawn: Drawn, rows: Sequence[Row]) -> dict[Row, list[Row]]:
    """The records of each distinct published tuple, as a reader sees them."""
    width = sum(len(attribute.released) for attribute in drawn.hidden)
    found: dict[Row, list[Row]] = {}
    for row in rows:
        found.setdefault(row[:width], []).append(row[width:])
    return found


def assert_measured(drawn: Drawn, made_of: Outcome, losses: list[Fraction]) -> None:
    """Every metric is what the oracle makes of the published rows."""
    classes = published_classes(drawn, made_of.rows)
    sizes = [len(members) for members in classes.values()]
    assert made_of.measure("k_anonymity") == min(sizes) >= drawn.k
    assert made_of.measure("records") == drawn.size
    assert made_of.measure("classes") == len(sizes)
    assert made_of.measure("largest_class") == max(sizes)
    assert made_of.measure("discernibility") == discernibility(sizes)
    assert made_of.measure("c_avg") == pytest.approx(float(c_avg(sizes, drawn.k)), abs=1e-12)
    assert made_of.measure("gcp") == pytest.approx(float(gcp(losses)), abs=2e-9)

    columns, rows = made_of.classes
    report = {
        row[2 : len(row)][: len(next(iter(classes)))]: dict(zip(columns, row, strict=True))
        for row in rows
    }
    assert set(report) == set(classes)
    assert {cells: entry["records"] for cells, entry in report.items()} == {
        cells: len(members) for cells, members in classes.items()
    }
    for axis, attribute in enumerate(drawn.sensitive):
        values = {cells: [row[axis] for row in members] for cells, members in classes.items()}
        of_classes = list(values.values())
        exact: dict[str, Sequence[Fraction | int]] = {
            "distinct_l": distinct_l(of_classes).per_class,
            "alpha": alpha(of_classes).per_class,
            "t_closeness": attribute.distances(of_classes),
        }
        worst = {"distinct_l": min, "alpha": max, "t_closeness": max}
        for metric, per_class in exact.items():
            reached = made_of.measure(metric, attribute.name)
            assert reached == pytest.approx(float(worst[metric](per_class)), abs=1e-12)
            for cells, value in zip(values, per_class, strict=True):
                found = report[cells][in_report(attribute.name, metric)]
                assert found == pytest.approx(float(value), abs=1e-12)
        entropy = made_of.measure("entropy_l", attribute.name)
        assert entropy == pytest.approx(entropy_l(of_classes).minimum, abs=1e-9)


def assert_declared_columns(drawn: Drawn, made_of: Outcome) -> None:
    """The release has the declared columns, in the declared order, and no other."""
    insensitive = [one.name for one in drawn.others.get("insensitive", ())]
    expected = [name for attribute in drawn.hidden for name in attribute.released]
    expected += [attribute.name for attribute in drawn.sensitive] + insensitive
    assert list(made_of.columns) == expected


# Every form of a quasi-identifier and of a sensitive attribute, side by side.
FORMS = list(
    zip(
        (HIDDEN_FORMS * 2)[: max(len(HIDDEN_FORMS), len(SENSITIVE_FORMS))],
        (SENSITIVE_FORMS * 2)[: max(len(HIDDEN_FORMS), len(SENSITIVE_FORMS))],
        strict=True,
    )
)


@pytest.mark.sampled
@pytest.mark.parametrize("forms", one_in(4, FORMS), ids=str)
@examples(1, 4, Phase.generate)  # one fault may fail them all: no least case is looked for
@given(data=st.data())
def test_a_release_is_what_the_oracle_says(forms: tuple[Form, Form], data: st.DataObject) -> None:
    """Assignment, recoding, measures; the source untouched, nothing left behind."""
    hidden, sensitive = forms
    drawn = data.draw(drawn_releases(hidden_form=hidden, sensitive_form=sensitive))
    with made(drawn) as (connection, folder):
        before = read(connection, drawn.source)
        outcome = run(connection, drawn, folder)
        assert read(connection, drawn.source) == before
        made_too = {"", "__classes", "__metrics", "__run"}
        made_too |= {"__rows"} if drawn.materialize == "view" else set()
        assert relations(connection) == {drawn.source, *(drawn.release + text for text in made_too)}
        assert_declared_columns(drawn, outcome)
        assert_dealt(drawn, outcome.assigned, outcome.positions)
        assert_codes_follow_values(drawn, outcome.assigned)
        losses = assert_truthful(drawn, outcome)
        assert_measured(drawn, outcome, losses)

        again = sqlanon.check(
            {"table": quoted(drawn.release)},
            spec=sqlanon.parse_spec(drawn.spec(folder)),
            connection=connection,
        )
        assert again.faults == ()
        assert same_metrics(again.measures, outcome.release.measures)


def same_metrics(one: Sequence[Any], other: Sequence[Any]) -> bool:
    """Whether two lists of metrics say the same, doubles to twelve digits."""

    def plain(metrics: Sequence[Any]) -> list[Row]:
        return [
            (m.metric, m.attribute, m.threshold, m.passed, m.failing_classes, m.failing_records)
            for m in metrics
        ]

    close = [
        a.value == b.value or abs(a.value - b.value) < 1e-12
        for a, b in zip(one, other, strict=True)
    ]
    return plain(one) == plain(other) and all(close)


@pytest.mark.slow
@examples(5, 24)
@given(drawn_releases(most=10))
def test_the_script_makes_the_same_release(drawn: Drawn) -> None:
    """`sqlanon.compile`, run by plain DuckDB on the same source."""
    with made(drawn) as (connection, folder), database() as plain:
        fields = drawn.spec(folder)
        script = sqlanon.compile(
            fields.pop("source"), connection=connection, all_metrics=True, **fields
        )
        assert relations(connection) == {drawn.source}
        drawn.make(plain)
        plain.execute(script)
        outcome = run(connection, drawn, folder)
        for part in ("", "__classes", "__metrics"):
            columns, rows = read(plain, drawn.release + part)
            expected = read(connection, drawn.release + part)
            assert columns == expected[0]
            assert Counter(rows) == Counter(expected[1])
        of_script, of_run = facts(plain, drawn.release), facts(connection, drawn.release)
        assert of_script["fingerprint"] == of_run["fingerprint"]
        assert outcome.release.sql.count("\n") > 100


@pytest.mark.slow
@examples(5, 24)
@given(drawn_releases(most=12), st.randoms(use_true_random=False))
def test_the_order_of_the_source_does_not_matter(drawn: Drawn, random: Any) -> None:
    """The same records in another order give the same release, row by row."""
    shuffled = drawn.rows
    random.shuffle(shuffled)
    with made(drawn) as (connection, folder):
        first = run(connection, drawn, folder).rows
        drawn.make(connection, shuffled)
        assert run(connection, drawn, folder).rows == first


# --- the gate ------------------------------------------------------------------------------------


def thresholds(attribute: Attribute, classes: Sequence[Sequence[Any]]) -> dict[str, Fraction | int]:
    """What is just reached: the strictest demand that an attribute's classes meet."""
    return {
        "t": max(attribute.distances(classes)),
        "alpha": max(alpha(classes).per_class),
        "l": min(distinct_l(classes).per_class),
    }


@pytest.mark.slow
@examples(5, 24)
@given(drawn_releases(most=10), st.data())
def test_the_gate_lets_through_what_is_reached_and_nothing_less(
    drawn: Drawn, data: st.DataObject
) -> None:
    """At equality a release passes; a hair stricter, it is refused with the evidence."""
    with made(drawn) as (connection, folder):
        outcome = run(connection, drawn, folder)
        classes = published_classes(drawn, outcome.rows)
        axis = data.draw(st.integers(0, len(drawn.sensitive) - 1))
        one = drawn.sensitive[axis]
        values = [[row[axis] for row in members] for members in classes.values()]
        reached = thresholds(one, values)
        hair = Fraction(1, 10**6)
        passing = {"t": str(reached["t"]), "alpha": str(reached["alpha"]), "l": reached["l"]}
        fields = drawn.declared(folder)

        def declared(**more: Any) -> dict[str, Any]:
            mine = {**fields["sensitive"][one.name], **more}
            return {**fields["sensitive"], one.name: mine}

        strict = run(connection, drawn, folder, sensitive=declared(**passing))
        assert strict.rows == outcome.rows

        demands: list[tuple[str, dict[str, Any]]] = [
            ("alpha", {"alpha": str(reached["alpha"] - hair)}),
            ("distinct_l", {"l": reached["l"] + 1}),
        ]
        if reached["t"] > 0:
            demands.append(("t_closeness", {"t": str(reached["t"] - hair)}))
        model, stricter = data.draw(st.sampled_from(demands))
        published = read(connection, drawn.release)
        with pytest.raises(sqlanon.InfeasibleError) as caught:
            run(connection, drawn, folder, sensitive=declared(**stricter))
        (shortfall,) = caught.value.shortfalls
        assert (shortfall.model, shortfall.attribute) == (model, one.name)
        per_class: dict[str, list[bool]] = {
            "alpha": [a > reached["alpha"] - hair for a in alpha(values).per_class],
            "distinct_l": [n < reached["l"] + 1 for n in distinct_l(values).per_class],
            "t_closeness": [t > reached["t"] - hair for t in one.distances(values)],
        }
        assert shortfall.classes == sum(per_class[model])
        at_risk = zip(map(len, values), per_class[model], strict=True)
        assert shortfall.records == sum(size for size, fails in at_risk if fails)
        assert read(connection, drawn.release) == published
        assert not {name for name in relations(connection) if name.startswith("sqlanon_")} - {
            drawn.source
        }


@examples(10, 50)
@given(
    st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=8), min_size=1, max_size=3),
    st.sampled_from([1, 2, 3, Fraction(3, 2), Fraction(5, 2), Fraction(19, 10)]),
    st.sampled_from([1, 2, Fraction(1, 2), Fraction(3, 2), Fraction(101, 100)]),
    st.integers(1, 3),
)
def test_entropy_and_recursive_diversity_are_decided_exactly(
    classes: list[list[str]],
    least: Fraction,
    c: Fraction,
    l: int,  # noqa: E741
) -> None:
    """The verdict on each class is the oracle's, also at equality."""
    with database() as connection:
        rows = [(number, value) for number, values in enumerate(classes) for value in values]
        connection.execute("create table t (label integer, s varchar)")
        connection.executemany("insert into t values (?, ?)", rows)
        found = sqlanon.check(
            "t",
            connection=connection,
            quasi_identifiers=["label"],
            sensitive=["s"],
            l={"entropy": str(least), "recursive": {"c": str(c), "l": l}},
        )
    failing = {metric.metric: metric.failing_classes for metric in found.measures}
    counts = [list(value_counts(values).values()) for values in classes]
    assert failing["entropy_l"] == sum(not entropy_holds(entry, least) for entry in counts)
    assert failing["recursive_l"] == sum(not recursive_holds(entry, c, l) for entry in counts)
    assert found.passed == (failing["entropy_l"] == failing["recursive_l"] == 0)


@examples(4, 16)
@given(drawn_releases(most=8))
def test_more_records_asked_for_than_there_are(drawn: Drawn) -> None:
    """k > n is infeasible and writes nothing."""
    drawn = replace(drawn, k=drawn.size + 1)
    with made(drawn) as (connection, folder):
        with pytest.raises(sqlanon.InfeasibleError, match="k-anonymity cannot be reached"):
            run(connection, drawn, folder)
        assert relations(connection) == {drawn.source}


@examples(4, 16)
@given(drawn_releases(most=8))
def test_k_is_the_number_of_records(drawn: Drawn) -> None:
    """k = n gives one class, which is the table: every distance is 0."""
    drawn = replace(drawn, k=drawn.size)
    with made(drawn) as (connection, folder):
        outcome = run(connection, drawn, folder)
        assert outcome.measure("classes") == 1
        assert outcome.measure("k_anonymity") == drawn.size
        for attribute in drawn.sensitive:
            assert outcome.measure("t_closeness", attribute.name) == 0
            assert k_anonymity([attribute.values]).minimum == outcome.measure("k_anonymity")


@pytest.mark.slow
def test_cells_of_many_columns_are_joined_some_columns_at_a_time() -> None:
    """DuckDB orders hundreds of joins for minutes; each record keeps its class's cells."""
    names = [f"q{place}" for place in range(40)]
    values = {name: f"(i * {index + 3} + {index}) % 7" for index, name in enumerate(names)}
    forms: list[dict[str, Any]] = [{}, {"publish": "bounds"}, {"publish": "set"}]
    columns = {name: forms[index % 3] for index, name in enumerate(names)}
    with database() as connection:
        listed = ", ".join(f"{value} as {name}" for name, value in values.items())
        connection.execute(f"create table wide as select i as id, {listed} from range(12) as r(i)")
        declared: dict[str, Any] = {
            "source": "wide",
            "release": "public",
            "quasi_identifiers": columns,
            "insensitive": {"id": {"accept": "a test"}},
            "k": 3,
            "seed": 1,
            **DEALT,
        }
        with sqlanon.open(connection) as db:
            db.run(declared)
            script = db.compile(declared)
        made = {row["id"]: row for row in _rows(connection, "select * from public")}
        given = _rows(connection, "select * from wide")
    assert script.count("as materialized") == 3
    assert len(made) == len(given) == 12
    for row in given:
        for name in names:
            assert _shows(made[row["id"]], name, columns[name].get("publish"), row[name])


def _rows(connection: Connection, query: str) -> list[dict[str, Any]]:
    found = connection.execute(query)
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _shows(cells: dict[str, Any], name: str, form: str | None, value: int) -> bool:
    """Whether a class's cells of a column hold a value."""
    if form == "bounds":
        return bool(cells[f"{name}_min"] <= value <= cells[f"{name}_max"])
    found = [int(one) for one in cells[name].strip("[]{}").split(", ")]
    return value in found if form == "set" else found[0] <= value <= found[-1]
