"""What a release is still good for, against plain Python that reads the published cells."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from fractions import Fraction
from itertools import combinations
from math import lcm
from pathlib import Path
from typing import Any

import pytest
from commands import sqlanon as command
from hypothesis import given
from hypothesis import strategies as st
from odd_table import QUASI, SPEC, TYPES, VALUES, cells
from oracle import utility as oracle
from servers import Place, place
from support import Connection, Row, database, examples, make_table, read, slow

import sqlanon
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.uses import utilities
from sqlanon.uses.utilities.asking import Range, draw
from sqlanon.uses.utilities.reading import BINS
from sqlanon.uses.utilities.useful import Bin, Utility

pytestmark = pytest.mark.slow

BESIDE = {**TYPES, "kids": "double"}
NAMES = list(BESIDE)
QUASI_AT, SENSITIVE_AT, NUMBERS_AT = range(5), (5, 6), (0, 3, 6, 7)
KIDS = st.one_of(st.none(), st.sampled_from([0.0, 1.5, -2.0, 7.0]))
RECORDS = st.lists(st.tuples(*QUASI, *VALUES, KIDS), min_size=2, max_size=24)


def spec(**asked: Any) -> Any:
    return sqlanon.parse_spec({**SPEC, "insensitive": {"kids": {"accept": "made up"}}, **asked})


def measured(connection: Connection, rows: Sequence[Row], **asked: Any) -> Utility:
    make_table(connection, "t", BESIDE if len(rows[0]) == len(BESIDE) else TYPES, rows)
    sqlanon.anonymize(spec(**asked), connection=connection)
    return sqlanon.utility("public", connection=connection, queries=20, seed=5)


def compare_bins(
    found: Sequence[Bin],
    p: Mapping[tuple[int, ...], Fraction],
    r: Mapping[tuple[int, ...], Fraction],
    bin_of: Mapping[Any, int],
) -> None:
    """The shares of every bin, and between which values it lies."""
    assert len(found) == max(bin_of.values())
    for number, group in enumerate(found, 1):
        assert group.source == pytest.approx(float(p.get((number,), 0)), abs=1e-9)
        assert group.released == pytest.approx(float(r.get((number,), 0)), abs=1e-9)
        held = [value for value, its in bin_of.items() if its == number]
        assert (group.starts is None) == (None in held)
        assert (group.ends is None) == (held == [None])


def as_float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def compare(
    found: Utility,
    reading: oracle.Side,
    rows: Sequence[Row],
    times: int = 1,
    exact: bool = False,
    shuffled: bool = False,
) -> None:
    """Hold every figure against the oracle.

    Args:
        found: what was measured.
        reading: the release as it is read.
        rows: the source.
        times: how often each record is there as it is read.
        exact: whether its quasi-identifiers are published as they are.
        shuffled: whether the sensitive values of a record may not belong together.
    """
    columns = list(zip(*rows, strict=True))
    bin_of = [oracle.bins(column, BINS) for column in columns]
    true = oracle.exactly(rows)
    wanted: dict[tuple[str, tuple[str, ...]], float | None] = {}
    asked = (*QUASI_AT, *SENSITIVE_AT)
    pairs = [pair for pair in combinations(asked, 2) if pair[0] in QUASI_AT or shuffled]
    for at in [*((one,) for one in asked), *pairs]:
        p, r = (oracle.distribution(side, at, bin_of) for side in (true, reading))
        figure, of = ("marginal", "pair")[len(at) - 1], tuple(NAMES[one] for one in at)
        wanted[f"{figure}_variation", of] = oracle.variation(p, r)
        wanted[f"{figure}_hellinger", of] = oracle.hellinger(p, r)
        wanted[f"{figure}_divergence", of] = oracle.divergence(p, r)
        if len(at) == 1:
            compare_bins(found.marginals[of[0]], p, r, bin_of[at[0]])
    for of, joint in [((), QUASI_AT), *(((NAMES[s],), (*QUASI_AT, s)) for s in SENSITIVE_AT)]:
        name = "joint_sensitive_divergence" if of else "joint_divergence"
        wanted[name, of] = oracle.joint_divergence(true, reading, joint, bin_of)
    each = [*((one,) for one in asked), *pairs]
    patterns = [oracle.frequent(side, each, bin_of, Fraction(1, 100)) for side in (true, reading)]
    wanted["misses_cost", ()] = as_float(oracle.misses_cost(*patterns))
    wanted["artifactual_patterns", ()] = as_float(oracle.misses_cost(*reversed(patterns)))
    for group in QUASI_AT:
        if not exact:
            single = sum(len(record[group]) == 1 for record in reading)
            wanted["exact_share", (NAMES[group],)] = single / len(reading)
        for number in range(6, len(columns)):
            of = (NAMES[number], NAMES[group])
            is_ = oracle.means(true, number, group, bin_of[group])
            other = oracle.means(reading, number, group, bin_of[group])
            alone = oracle.means(reading, number, group, bin_of[group], exact=True)
            wanted["means_difference", of] = oracle.difference(is_, other)
            if not exact:
                wanted["means_exact_difference", of] = oracle.difference(is_, alone)
    for x, y in combinations([at for at in NUMBERS_AT if at < len(columns)], 2):
        both = [oracle.correlation(side, x, y) for side in (true, reading)]
        known = None not in both
        of = (NAMES[x], NAMES[y])
        wanted["correlation_difference", of] = abs(both[0] - both[1]) if known else None  # type: ignore[operator]
    held = [oracle.held_out(row, rows, QUASI_AT) for row in rows]
    tests = [row for row, out in zip(rows, held, strict=True) if out]
    kept = [record for record, out in zip(true, held, strict=True) if not out]
    for target in SENSITIVE_AT:
        learned = oracle.classified(reading, tests, target, QUASI_AT, bin_of, times)
        known_ = oracle.classified(kept, tests, target, QUASI_AT, bin_of)
        of = (NAMES[target],)
        wanted["classifier_accuracy", of] = learned and learned[0]
        wanted["classifier_accuracy_source", of] = known_ and known_[0]
        wanted["classifier_baseline", of] = known_ and known_[1]
        wanted["misclassification_error", of] = None
        if tests:
            sorted_ = [
                oracle.predicted(side, tests, target, QUASI_AT, bin_of, often)[0]
                for side, often in ((true, 1), (reading, times))
            ]
            wanted["misclassification_error", of] = float(oracle.misclassification_error(*sorted_))
    in_order = [BESIDE[NAMES[at]] in ("integer", "double", "date") for at in QUASI_AT]
    wanted["clustering_error", ()] = oracle.clustering_error(
        true, reading, QUASI_AT, bin_of, in_order, times
    )
    at_of = {f"q{at + 1}": at for at in range(7)}
    sizes = {name: max(bin_of[at].values()) for name, at in at_of.items()}
    queries = draw(sizes, ["q6", "q7"], 20, 5)
    assert found.queries == len(queries)
    if queries:
        ranges = [{at_of[one.column]: (one.low, one.high) for one in query} for query in queries]
        asked_of, counted = (
            [oracle.counted(side, bin_of, entry, often) for entry in ranges]
            for side, often in ((true, 1), (reading, times))
        )
        errors = oracle.query_errors(asked_of, counted, len(rows))
        wanted["query_error", ()], wanted["query_error_nine_tenths", ()] = errors
    told = {(finding.figure, finding.of): finding.value for finding in found.findings}
    assert set(told) == set(wanted)
    for key, value in wanted.items():
        reached = told[key]
        assert (reached is None) == (value is None), key
        assert value is None or reached == pytest.approx(value, abs=1e-7), key


def uniformly(released: Sequence[Row], rows: Sequence[Row]) -> oracle.Side:
    """The published records, their cells read uniformly."""
    return oracle.read([(*cells(row[:6]), *row[6:]) for row in released], rows)


PLAIN: dict[str, Any] = {name: {} for name in NAMES[:5]}


def grouped(name: str, size: int, **more: Any) -> dict[str, Any]:
    """What asks for exact rows in groups."""
    asked = {name: {"t": "0.999"} for name in ("disease", "pay")}
    publish = {"name": name, "group": size, **more}
    return {
        "quasi_identifiers": PLAIN,
        "sensitive": {
            "disease": {**SPEC["sensitive"]["disease"], **asked["disease"]},
            "pay": {**SPEC["sensitive"]["pay"], **asked["pay"]},
        },
        "privacy": {"k": 1},
        "publish": publish,
        **({"insensitive": {}} if name == "sliced" else {}),
    }


@pytest.mark.slow
@examples(4, 40)
@given(RECORDS, st.sampled_from(("anatomy", "permuted", "sliced")), st.integers(2, 5))
def test_exact_rows_in_groups(rows: list[Row], publish: str, size: int) -> None:
    """Anatomy is read by its groups, each record with the values of its own; others as they are."""
    more: dict[str, Any] = {}
    if publish == "sliced":
        more = {"columns": [NAMES[:2], [*NAMES[2:4], "disease", "pay"], ["born"]]}
        rows = [row[:7] for row in rows]
    asked = grouped(publish, min(size, len(rows)), **more)
    with database() as connection:
        try:
            found = measured(connection, rows, **asked)
        except InfeasibleError:
            return
        names, released = read(connection, "public")
        apart = read(connection, "public__sensitive") if publish == "anatomy" else None
    at = [list(names).index(name) for name in NAMES if name in names]
    if apart is None:
        shown = oracle.exactly([tuple(row[one] for one in at) for row in released])
        compare(found, shown, rows, exact=True, shuffled=True)
        return
    values: dict[int, list[Row]] = defaultdict(list)
    for group, *both, number in apart[1]:
        values[group] += [tuple(both)] * number
    times = lcm(*map(len, values.values()))
    tied = [
        (*row[1:6], *value, row[6])
        for row in released
        for value in values[row[0]]
        for _ in range(times // len(values[row[0]]))
    ]
    compare(found, oracle.exactly(tied), rows, times, exact=True)


def test_the_papers_metrics_worked_by_hand() -> None:
    """Kiran and Kavya (2012), §5.2: clusters of 5 and 5 become 7 and 3; {a, b, c} to {a, d, e}."""
    true, found = [1] * 5 + [2] * 5, [1] * 7 + [2] * 3
    assert oracle.misclassification_error(true, found) == Fraction(2, 5)
    before, after = {("a",), ("b",), ("c",)}, {("a",), ("d",), ("e",)}
    assert oracle.misses_cost(before, after) == Fraction(2, 3)  # b and c
    assert oracle.misses_cost(after, before) == Fraction(2, 3)  # d and e are artifacts
    assert oracle.misses_cost(set(), after) is None


def test_a_divergence_worked_by_hand() -> None:
    half, quarter = Fraction(1, 2), Fraction(1, 4)
    p: Mapping[tuple[int, ...], Fraction] = {(1,): half, (2,): half}
    q: Mapping[tuple[int, ...], Fraction] = {(1,): quarter, (2,): 3 * quarter}
    one: Mapping[tuple[int, ...], Fraction] = {(1,): Fraction(1)}
    assert oracle.divergence(p, q) == pytest.approx(0.20751875)
    assert oracle.divergence(p, one) is None
    assert oracle.divergence(one, p) == 1


def test_a_joint_divergence_worked_by_hand() -> None:
    """Two records whose columns say the same, published as one class: 2 of 4 combinations."""
    cell = {1: Fraction(1, 2), 2: Fraction(1, 2)}
    true, found = oracle.exactly([(1, 1), (2, 2)]), [(cell, cell)] * 2
    bin_of = [{1: 1, 2: 2}] * 2
    assert oracle.joint_divergence(true, found, (0, 1), bin_of) == 1
    assert oracle.joint_divergence(true, found, (0,), bin_of) == 0
    assert oracle.joint_divergence(true, true[:1], (0, 1), bin_of) is None


@pytest.mark.slow
@examples(3, 40)
@given(RECORDS, st.sampled_from(("split_or_deal", "stack_and_deal", "mondrian")), st.integers(1, 4))
def test_generalized_releases(rows: list[Row], method: str, k: int) -> None:
    with database() as connection:
        found = measured(connection, rows, privacy={"k": min(k, len(rows))}, method=method)
        _, released = read(connection, "public")
    compare(found, uniformly(released, rows), rows)


@pytest.mark.slow
def test_any_table_is_read_by_a_spec_or_as_it_is(tmp_path: Path) -> None:
    """A release under another name, as if another tool had made it, is read alike by its spec."""
    with database(tmp_path / "made.duckdb") as connection:
        ours = measured(connection, ROWS)
        connection.execute("create table theirs as select * from public")
        asked: dict[str, Any] = {"connection": connection, "queries": 20, "seed": 5}
        theirs = sqlanon.utility("theirs", spec=spec(), **asked)
        assert theirs.findings == ours.findings
        assert theirs.marginals == ours.marginals
        frame = connection.execute("select * from public").df()
        assert sqlanon.utility(frame, spec=spec(), **asked).findings == ours.findings
        roles: dict[str, Any] = {"quasi_identifiers": NAMES[:4], "sensitive": NAMES[5:7]}
        plain = sqlanon.utility("t", source="t", **roles, **asked)
        exact = {"exact_share", "means_exact_difference"}
        for finding in plain.findings:
            if not finding.figure.startswith("classifier") and finding.figure not in exact:
                assert finding.value in (0, None), finding.figure

        def refused(text: str, release: Any = "t", **given: Any) -> None:
            with pytest.raises(SpecError) as raised:
                sqlanon.utility(release, **asked, **given)
            assert text in str(raised.value)

        refused("source: without a spec nobody knows it: name the table", **roles)
        refused("the roles of the columns are the spec's", spec=spec(), **roles)
        refused("or neither", sensitive=["pay"], source="t")
    told = command(
        tmp_path, "utility", "theirs", "--database", "made.duckdb", "--qi", "zip", "--sensitive",
        "pay", "--source", "t", "--quiet",
    )  # fmt: skip
    assert told.returncode == 2  # cells such as 1** are no values of the source
    assert "source:" in told.stderr
    told = command(
        tmp_path, "utility", "t", "--database", "made.duckdb", "--qi", "zip", "--sensitive", "pay",
        "--source", "t", "--json",
    )  # fmt: skip
    findings = json.loads(told.stdout)["findings"]
    assert findings[0]["figure"] == "marginal_variation"
    shown = command(
        tmp_path, "utility", "t", "--database", "made.duckdb", "--qi", "zip", "--sensitive", "pay",
        "--source", "t", "--quiet",
    )  # fmt: skip
    # A name stands for the rows below it that have none.
    names, rows, figure = {finding["figure"] for finding in findings}, Counter[str](), ""
    for line in filter(str.strip, shown.stdout.splitlines()):
        first = line.split()[0]
        if line.startswith("   ") or first in names:
            figure = first if first in names else figure
            rows[figure] += 1
    assert rows == Counter(finding["figure"] for finding in findings)


@pytest.mark.slow
def test_more_values_than_bins() -> None:
    """Values are gathered in bins of about as many records, and cells reach into some of them."""
    rows = [
        (
            20 + i * i % 57,
            ("100", "101", "110")[i % 3],
            "ab"[i % 2],
            i % 4,
            None,
            "flu",
            i * 7 % 61,
            i / 2,
        )
        for i in range(200)
    ]
    with database() as connection:
        found = measured(connection, rows, privacy={"k": 3})
        _, released = read(connection, "public")
    compare(found, uniformly(released, rows), rows)


def test_suppressed_records() -> None:
    """What is left out is missing from the release, which is then a whole of its own."""
    rows = [(20 + i % 2, "100", "a", 1, None, "flu", i % 3, 1.0) for i in range(20)]
    rows += [(60, "999", "b", 3, None, "cold", 1, 2.0)]
    asked: dict[str, Any] = {
        "privacy": {"k": 2},
        "quasi_identifiers": {"zip": {"hierarchy": {"prefix": [3, 0]}}},
        "levels": {"zip": 0},
        "method": "optimal",
        "suppression": {"records": 0.1},
    }
    with database() as connection:
        make_table(connection, "t", BESIDE, rows)
        sqlanon.anonymize(spec(**asked), connection=connection)
        found = sqlanon.utility("public", connection=connection)
    assert (found.records, found.source_records) == (20, 21)
    assert found.value("marginal_variation", "zip") == pytest.approx(1 / 21, abs=1e-9)
    assert found.value("exact_share", "zip") == 1


def test_a_release_that_changes_nothing() -> None:
    """Where every cell is its value, every difference is 0."""
    rows = [(i % 5, "100", "ab"[i % 2], i % 4, None, "flu", i % 7, 1.0 + i) for i in range(30)]
    with database() as connection:
        found = measured(connection, rows, privacy={"k": 1}, sensitive=["disease", "pay"])
    for finding in found.findings:
        if not finding.figure.startswith("classifier"):
            assert finding.value in ({1} if finding.figure == "exact_share" else {0, None}), (
                finding.figure
            )
    assert found.value("query_error") == 0
    assert found.value("correlation_difference", "äge", "kids") == 0


def test_queries_are_drawn_from_the_seed() -> None:
    """Two to four columns, a sensitive one always, and ranges of their bins."""
    bins = {"q1": 20, "q2": 7, "q3": 1, "s1": 5, "s2": 1}
    queries = draw(bins, ["s1", "s2"], 300, 9)
    assert queries == draw(bins, ["s1", "s2"], 300, 9) != draw(bins, ["s1", "s2"], 300, 8)
    assert {len(query) for query in queries} == {2, 3}
    for query in queries:
        assert "s1" in [one.column for one in query]
        for one in query:
            assert 1 <= one.low <= one.high <= bins[one.column]
    widths = {one.high - one.low + 1 for query in queries for one in query if one.column == "q1"}
    assert widths == {round(20 * 0.05**0.5), round(20 * 0.05 ** (1 / 3))}
    assert draw({"q1": 1}, [], 5, 1) == ()
    assert {len(query) for query in draw({"q1": 3}, [], 5, 1)} == {1}
    assert draw({"q1": 1, "q2": 2}, [], 1, 1)[0] in ((Range("q2", 1, 1),), (Range("q2", 2, 2),))


ROWS = [
    (20 + i % 9, str(100 + i % 4), "ab"[i % 2], i % 4, date(2000, 1, 1), "flu", i % 7, i / 4)
    for i in range(40)
]


def test_what_is_refused(tmp_path: Path) -> None:
    with database() as connection:
        measured(connection, ROWS)

        def refused(text: str, error: Any = SpecError, **given: Any) -> None:
            with pytest.raises(error) as raised:
                sqlanon.utility("public", **{"connection": connection, **given})
            assert text in str(raised.value)

        refused("queries: it must be from 0 to 1,000", queries=-1)
        refused("there is no table or view 'other'", source="other")
        connection.execute("create table other as select * exclude (zip) from t")
        refused("source: it has no column 'zip'", source="other")
        connection.execute("create or replace table other as select * from t where false")
        refused("source: it has no row", source="other")
        connection.execute('create or replace table other as select * from t where "äge" < 24')
        refused("stands for no value of the source", source="other")
        connection.execute(
            "create or replace table other as select * replace (zip = '1' as zip) from t"
        )
        refused("source:", source="other")
        refused("there is no release", connection=None)


def test_records_that_have_no_name() -> None:
    """A run that was given records itself cannot say where they are; so are they given again."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"age": [1, 2, 3, 4], "dis": list("xyxy")})
    with database() as connection:
        asked: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["dis"], "k": 2}
        sqlanon.anonymize(frame, release="public", connection=connection, **asked)
        with pytest.raises(SpecError, match="source: the run was given records"):
            sqlanon.utility("public", connection=connection)
        found = sqlanon.utility("public", source=frame, connection=connection)
    assert found.value("marginal_variation", "dis") == 0


def test_transformed_columns_are_left_out() -> None:
    asked = {"sensitive": {"disease": {}, "pay": {"transform": {"round": 5}}}}
    with database() as connection:
        found = measured(connection, ROWS, **asked)
    assert found.notes == {"pay": "transformed, so that its values are not the source's"}
    assert not any("pay" in finding.of for finding in found.findings)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["postgres", *slow("postgres_icu", "spark")])
@pytest.mark.parametrize(
    "asked", [{}, *slow(grouped("anatomy", 4))], ids=["generalized", "anatomy"]
)
def test_the_same_on_every_engine(
    where: str, asked: dict[str, Any], urls: Mapping[str, str]
) -> None:
    rows = [*ROWS, (None, None, None, None, None, "cold", None, None)] * 2

    def found(there: Place) -> Utility:
        there.make_table("t", BESIDE, rows)
        sqlanon.anonymize(spec(**asked), connection=there.connection)
        return sqlanon.utility("public", connection=there.connection, queries=60)

    with place("duckdb", urls) as here, place(where, urls) as there:
        one, other = found(here), found(there)
    assert [(x.figure, x.of) for x in one.findings] == [(x.figure, x.of) for x in other.findings]
    for x, y in zip(one.findings, other.findings, strict=True):
        assert x.value == pytest.approx(y.value, abs=1e-8), x.figure


@pytest.mark.slow
def test_the_command(tmp_path: Path) -> None:
    with database(tmp_path / "public.duckdb") as connection:
        make_table(connection, "t", BESIDE, ROWS)
        sqlanon.anonymize(spec(), connection=connection)
    shown = json.loads(command(tmp_path, "utility", "public", "--json").stdout)
    assert shown["source_records"] == len(ROWS)
    assert {one["figure"] for one in shown["findings"]} <= set(utilities.UTILITY_OF)
    told = command(tmp_path, "utility", "public", "--source", "t", "--queries", "0", "--quiet")
    assert "query_error" not in told.stdout
    assert "how it is read" in told.stdout
    assert command(tmp_path, "utility", "public", "--source", "none").returncode == 2


def test_a_release_without_records() -> None:
    with database() as connection:
        measured(connection, ROWS, materialize="table")
        connection.execute("delete from public")
        with pytest.raises(SpecError, match=r"it has 0 records, .* fewer than its run left"):
            sqlanon.utility("public", connection=connection)
