"""The papers' worked examples through the package: its SQL gives the (corrected) numbers.

A handler per method computes, by the package alone, the answer to every key that a case expects.
An input or a key that it does not know is an error, so that no part of a case is passed over.
Counts are compared exactly, doubles to one part in a trillion with the fractions.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from support import (
    Connection,
    Row,
    anonymized,
    database,
    facts,
    in_report,
    make_table,
    measured,
    ran_to,
    select,
)

import sqlanon
from sqlanon.judge.check_result import CheckResult
from sqlanon.methods.deal.fragmentation.fragments import (
    Axis,
    Matrix,
    Strategy,
    aggregate_bounds,
    find_fragmentation,
)
from sqlanon.methods.deal.fragmentation.sizing import common_divisor
from sqlanon.methods.level.nodes import Dimension, Lattice
from sqlanon.plan import work
from sqlanon.sql.names import Sql

Case = dict[str, Any]
Answers = Callable[[str], object]

CASE_FILE = Path(__file__).parent / "cases.json"
CASES: list[Case] = json.loads(CASE_FILE.read_text(encoding="utf-8"))["cases"]

# What a case asks for that no part of the package computes, and where it belongs.
ELSEWHERE = {
    "003-F4.1": {  # of a class that is none of the table, and of the reasoning behind a spread
        "E_not_below_M_at",
        "conforms_0_2__0_1",
        "conforms_2_3__1_2",
        "gravity_rows",
        "gravity_cols",
        "heavy",
    },
    "003-F4.3": {"bounds_fragment_norm"},  # it bounds nothing of the table's distance
    **{  # whether equal splits were met on the way
        f"003-FIND-{strategy}-{t}": {"path_unique"}
        for strategy in (1, 2)
        for t in ("1_4-1_4", "1_10-3_10", "1_2-1_10")
    },
    "004-T2": {"rl_box", "rl_centroid"},  # record linkage, 004 §5.2
}


class UnknownKeyError(Exception):
    """A case expects something that its handler does not compute."""


def answers(table: dict[str, object]) -> Answers:
    def look_up(key: str) -> object:
        if key not in table:
            raise UnknownKeyError(key)
        return table[key]

    return look_up


# --- the package's answers -----------------------------------------------------------------------


def expand(counts: Sequence[int]) -> list[int]:
    """One code per record."""
    return [code for code, count in enumerate(counts) for _ in range(count)]


def fill(connection: Connection, name: str, **columns: Sequence[Any]) -> None:
    """A table of these columns; text where any value is text."""
    kinds = {
        column: "varchar" if any(isinstance(value, str) for value in values) else "integer"
        for column, values in columns.items()
    }
    make_table(connection, name, kinds, list(zip(*columns.values(), strict=True)))


def stacked(connection: Connection, k: int, **sensitive: Sequence[Any]) -> list[tuple[Row, int]]:
    """The stack of a run: the sensitive values at each of its places, and their class, from 1."""
    size = len(next(iter(sensitive.values())))
    fill(connection, "t", record=range(size), **sensitive)
    values = ", ".join(f"values_{number}.value" for number, _ in enumerate(sensitive, 1))
    joins = " ".join(
        f"join sqlanon_domain_s{number} as values_{number} on values_{number}.code = s{number}"
        for number, _ in enumerate(sensitive, 1)
    )
    with ran_to(
        connection,
        "sqlanon_assigned",
        "t",
        quasi_identifiers=["record"],
        sensitive=list(sensitive),
        privacy={"k": k},
        method={"stack": "frequency"},
    ):
        query = f"select {values} from sqlanon_stacked as stacked {joins} order by stacked.rowid"
        places = select(connection, query)[1]
        _, found = select(connection, f"select class_id, {values} from sqlanon_assigned {joins}")
    # Places follow each other round the classes; each class must be there to be taken.
    free = Counter((class_id, tuple(cell)) for class_id, *cell in found)
    number_of_classes = len({class_id for class_id, *_ in found})
    dealt = []
    for index, cell in enumerate(places):
        class_id = index % number_of_classes
        assert free[class_id, cell], "the record at this place is not in the class that is next"
        free[class_id, cell] -= 1
        dealt.append((cell, class_id + 1))
    return dealt


def class_counts(dealt: Sequence[tuple[Row, int]], values: Sequence[Any]) -> dict[str, list[int]]:
    """How often each value of one sensitive attribute occurs in each class, 1, 2, ..."""
    counted = Counter((number, value) for (value,), number in dealt)
    return {
        str(number): [counted[number, value] for value in values]
        for number in sorted({number for _, number in dealt})
    }


def by_frequency(connection: Connection, values: Sequence[Any]) -> list[tuple[Any, int]]:
    """Each value that occurs with its count, in the order of the frequency distance."""
    fill(connection, "t", record=range(len(values)), s=values)
    declared = {"s": {"distance": "ordered", "order": "frequency"}}
    with ran_to(
        connection,
        "sqlanon_positions_s1",
        "t",
        quasi_identifiers=["record"],
        sensitive=declared,
        privacy={"k": 1},
    ):
        query = "select value, records from sqlanon_positions_s1 order by position"
        return [(value, records) for value, records in select(connection, query)[1]]


def measure_classes(
    classes: Sequence[Sequence[Any]],
    reference: Sequence[Any] | None = None,
    settings: dict[str, Any] | None = None,
    **privacy: Any,
) -> tuple[CheckResult, list[dict[str, Any]]]:
    """Measure classes of one sensitive attribute, and report each of them, 1, 2, ..."""
    with database() as connection:
        labels = [number for number, values in enumerate(classes, 1) for _ in values]
        fill(connection, "t", label=labels, s=[value for values in classes for value in values])
        if reference is not None:
            fill(connection, "reference", label=[0] * len(reference), s=reference)
            privacy["reference"] = "reference"
        return measured(
            connection, "t", quasi_identifiers=["label"], sensitive={"s": settings or {}}, **privacy
        )


def distances(report: list[dict[str, Any]], attribute: str = "s") -> dict[str, float]:
    """The distance of each class by its label."""
    return {str(entry["label"]): entry[in_report(attribute, "t_closeness")] for entry in report}


def ordered(order: str | list[int]) -> dict[str, Any]:
    return {"distance": "ordered", "order": order}


def passed(measurements: CheckResult, metric: str) -> bool:
    """Whether what was asked for of a metric holds."""
    (verdict,) = [measure.passed for measure in measurements.measures if measure.metric == metric]
    assert verdict is not None
    return verdict


# --- one handler per method ----------------------------------------------------------------------


def answer_frequency_order(
    *,
    counts_natural: list[int] | None = None,
    counts: list[int] | None = None,
    labels: list[str] | None = None,
) -> Answers:
    """Tables of frequencies: the positions that distances and the stack are based on."""
    given = counts_natural if counts_natural is not None else counts
    assert given is not None
    with database() as connection:
        found = by_frequency(connection, expand(given))
    total = sum(records for _, records in found)
    table: dict[str, object] = {
        "order": [value for value, _ in found],
        "p": [Fraction(records, total) for _, records in found],
        "n": total,
        "distinct_values": len(found),
    }
    if labels is not None:
        with database() as connection:
            named = by_frequency(connection, [labels[code] for code in expand(given)])
        table["labels"] = [label for label, _ in named]
    return answers(table)


def answer_stack_and_deal(
    *,
    counts_natural: list[int] | None = None,
    counts: list[int] | None = None,
    k: int | list[int],
    tie: str = "high",
) -> Answers:
    """Stack & Deal on one attribute; distances over the values in frequency order."""
    given = counts_natural if counts_natural is not None else counts
    assert given is not None
    # Of two equally frequent values ours is the higher one: falling codes turn that round.
    sign = {"high": 1, "low": -1}[tie]
    values = [sign * code for code in expand(given)]

    with database() as connection:
        order = [value for value, _ in by_frequency(connection, values)]

    def outcome(size: int) -> dict[str, object]:
        with database() as connection:
            dealt = stacked(connection, size, s=values)
        counts_of = class_counts(dealt, order)
        classes = [
            [value for value, n in zip(order, row, strict=True) for _ in range(n)]
            for row in counts_of.values()
        ]
        found, report = measure_classes(classes, values, ordered("frequency"))
        assert found.measure("k_anonymity") == min(map(len, classes))
        tables[size] = counts_of
        return {
            "e": len(report),
            "distinct_l": found.measure("distinct_l", "s"),
            "min_size": found.measure("k_anonymity"),
            "max_size": found.measure("largest_class"),
            "t": found.measure("t_closeness", "s"),
            "entropy_l": found.measure("entropy_l", "s"),
        }

    tables: dict[int, dict[str, list[int]]] = {}
    if isinstance(k, list):
        low, high = k
        return answers({str(size): outcome(size) for size in range(low, high + 1)})
    single = outcome(k)
    more = {"sd_t": single["t"], "class_counts_in_frequency_order": tables[k]}
    return answers(single | more)


def answer_other_partition(case: Case) -> Answers:
    """Stack & Deal beside another partition of the same table that is closer to it."""
    given = case["input"]["counts"]
    sign = {"high": 1, "low": -1}[case["input"].get("tie", "high")]
    partition = case["expect"]["other_partition_class_counts"]
    classes = [[sign * code for code in expand(counts)] for counts in partition]
    values = [sign * code for code in expand(given)]
    assert sorted(value for entry in classes for value in entry) == sorted(values)
    found, report = measure_classes(classes, values, ordered("frequency"), k=case["input"]["k"])
    assert found.passed
    own = answer_stack_and_deal(**case["input"])
    other = found.measure("t_closeness", "s")
    here = {"other_partition_class_counts": partition, "other_t": other}
    assert len(report) == len(partition)
    assert isinstance(other, float)
    assert isinstance(own("sd_t"), float)
    assert other < own("sd_t")  # type: ignore[operator]
    return lambda key: here[key] if key in here else own(key)


def answer_class_emds(*, counts_natural: list[int], k: int) -> Answers:
    """Distances of the classes of Stack & Deal, the values in two orders."""
    values = expand(counts_natural)
    with database() as connection:
        dealt = stacked(connection, k, s=values)
    numbers = sorted({number for _, number in dealt})
    classes = [[value for (value,), number in dealt if number == one] for one in numbers]
    frequency, by_frequency_report = measure_classes(classes, values, ordered("frequency"))
    natural, natural_report = measure_classes(classes, values, ordered("natural"))
    _, equal_report = measure_classes(classes, values, {"distance": "equal"})
    return answers(
        {
            "emd_frequency_order": distances(by_frequency_report),
            "t_frequency_order": frequency.measure("t_closeness", "s"),
            "emd_natural_order": distances(natural_report),
            "t_natural_order": natural.measure("t_closeness", "s"),
            "emd_equal": distances(equal_report),
        }
    )


def answer_stack_and_deal_multi(*, rows: list[list[int]], k: list[int]) -> Answers:
    """Stack & Deal on the multiplicity matrix of two attributes.

    Inside a cell our order of the records is a shuffle: rows count by their cells.
    """
    first, second = ([row[axis] for row in rows] for axis in (0, 1))
    shape = (max(first) + 1, max(second) + 1)
    classes, worst, stack = {}, {}, []
    for size in k:
        with database() as connection:
            dealt = stacked(connection, size, a=first, b=second)
            stack = [cell for cell, _ in dealt]
            fill(
                connection,
                "classes",
                label=[number for _, number in dealt],
                a=[a for (a, _), _ in dealt],
                b=[b for (_, b), _ in dealt],
            )
            found = sqlanon.check(
                "classes",
                connection=connection,
                quasi_identifiers=["label"],
                sensitive={"a": ordered("natural"), "b": ordered("natural")},
            )
        # Each cell's classes, in the order of the stack, for the cell's rows as they come.
        waiting = {cell: [n for own, n in dealt if own == cell] for cell in stack}
        classes[str(size)] = [waiting[tuple(row)].pop(0) for row in rows]
        worst[str(size)] = [found.measure("t_closeness", name) for name in ("a", "b")]
    counted = Counter(stack)
    waiting_rows = {
        cell: [index for index, row in enumerate(rows) if tuple(row) == cell] for cell in stack
    }
    return answers(
        {
            "multiplicity": [[counted[a, b] for b in range(shape[1])] for a in range(shape[0])],
            "stacked": [f"a{a + 1}b{b + 1}" for a, b in stack],
            "stacked_rows": [waiting_rows[cell].pop(0) for cell in stack],
            "classes": classes,
            "t": worst,
        }
    )


def answer_emd_ordered(**vectors: list[str]) -> Answers:
    """Ordered distances between named distributions: the key PQ is from P to Q."""

    def values(name: str) -> list[int]:
        shares = [Fraction(share) * 10 for share in vectors[name]]
        assert all(share.denominator == 1 for share in shares)
        return expand([share.numerator for share in shares])

    def look_up(key: str) -> object:
        if len(key) != 2 or not set(key) <= set(vectors):
            raise UnknownKeyError(key)
        domain = list(range(len(vectors[key[0]])))  # also what has no share in it
        found, _ = measure_classes([values(key[1])], values(key[0]), ordered(domain))
        return found.measure("t_closeness", "s")

    return look_up


def answer_privacy_models(*, rows: list[list[str]], qi: int) -> Answers:
    """All models on a published table whose last column is the sensitive attribute."""
    assert all(len(row) == qi + 1 for row in rows)

    def measure(**privacy: Any) -> CheckResult:
        with database() as connection:
            names = [f"qi {number}" for number in range(qi)]
            fill(connection, "t", **dict(zip([*names, "s"], zip(*rows, strict=True), strict=True)))
            return sqlanon.check(
                "t", connection=connection, quasi_identifiers=names, sensitive=["s"], **privacy
            )

    found = measure()
    known = answers(
        {
            "k": found.measure("k_anonymity"),
            "classes": found.measure("classes"),
            "distinct_l": found.measure("distinct_l", "s"),
            "entropy_l": found.measure("entropy_l", "s"),
            "t_equal": found.measure("t_closeness", "s"),
        }
    )

    def look_up(key: str) -> object:
        if entropy := re.fullmatch(r"entropy_(\d+)", key):
            return passed(measure(l={"entropy": int(entropy[1])}), "entropy_l")
        if recursive := re.fullmatch(r"recursive_c([\d.]+)_l(\d+)", key):
            declared = {"c": recursive[1], "l": int(recursive[2])}
            return passed(measure(l={"recursive": declared}), "recursive_l")
        return known(key)

    return look_up


def answer_t_closeness(**given: Any) -> Answers:
    """Two sensitive attributes: a salary with its order, a disease with its tree."""
    salary, disease = given.pop("salary"), given.pop("disease")
    labels, groups = given.pop("class"), given.pop("disease_tree")
    assert not given, f"unknown input: {sorted(given)}"
    tree = {"*": {f"group {number}": group for number, group in enumerate(groups)}}
    equal = {"salary": ordered("natural"), "disease": {}}
    by_tree = {
        "salary": ordered("natural"),
        "disease": {"distance": "hierarchical", "hierarchy": {"tree": tree}},
    }
    with database() as connection:
        fill(connection, "t", label=labels, salary=salary, disease=disease)
        measures = [
            measured(
                connection,
                "t",
                quasi_identifiers=["label"],
                sensitive=sensitive,
                l={"entropy": 3},
            )
            for sensitive in (equal, by_tree)
        ]
    (found, by_class), (_, by_class_and_tree) = measures
    both = [measure for measure in found.measures if measure.metric == "entropy_l"]
    assert len(both) == 2
    return answers(
        {
            "salary_emd": distances(by_class, "salary"),
            "disease_equal": distances(by_class, "disease"),
            "disease_hier": distances(by_class_and_tree, "disease"),
            "k": found.measure("k_anonymity"),
            "distinct_l": min(
                measure.value or 0 for measure in found.measures if measure.metric == "distinct_l"
            ),
            "entropy_3": all(one.passed for one in both),
        }
    )


def answer_marginals(*, M: list[list[int]], E: list[list[int]]) -> Answers:  # noqa: N803
    """A multiplicity matrix, a class, and their row and column sums."""

    def columns(matrix: list[list[int]]) -> dict[str, list[int]]:
        cells = [
            (x, y) for x, row in enumerate(matrix) for y, n in enumerate(row) for _ in range(n)
        ]
        return {"x": [x for x, _ in cells], "y": [y for _, y in cells]}

    def sums(connection: Connection, relation: str, count: str, size: int) -> list[int]:
        query = f"select code, {count} from {relation}"
        found: dict[int, int] = dict(select(connection, query)[1])
        return [found.get(code, 0) for code in range(1, size + 1)]

    seen: dict[str, object] = {}
    with database() as connection:
        fill(connection, "class", label=[1] * len(columns(E)["x"]), **columns(E))
        fill(connection, "t", label=[1] * len(columns(M)["x"]), **columns(M))

        def look(event: sqlanon.Event) -> None:
            if event.kind == "end" and event.number == event.total:
                for axis, letter, size in (("s1", "R", len(M)), ("s2", "C", len(M[0]))):
                    domain = f"sqlanon_positions_{axis}"
                    seen[f"{letter}_M"] = sums(connection, domain, "records", size)
                    values = f"sqlanon_class_values_{axis}"
                    seen[f"{letter}_E"] = sums(connection, values, "records", size)

        found = sqlanon.check(
            "class",
            reference="t",
            connection=connection,
            progress=look,
            quasi_identifiers=["label"],
            sensitive={"x": ordered("natural"), "y": ordered("natural")},
        )
    seen["emd_rows"] = found.measure("t_closeness", "x")
    seen["emd_cols"] = found.measure("t_closeness", "y")
    return answers(seen)


def matrix_of(table: list[list[int]]) -> Matrix:
    """A multiplicity matrix as a run's SQL counts it."""
    cells = [(x, y) for x, row in enumerate(table) for y, n in enumerate(row) for _ in range(n)]
    with database() as connection:
        fill(connection, "t", x=[x for x, _ in cells], y=[y for _, y in cells], q=[0] * len(cells))
        with ran_to(
            connection,
            "sqlanon_matrix",
            "t",
            quasi_identifiers=["q"],
            sensitive={"x": ordered("natural"), "y": ordered("natural")},
            privacy={"k": 1, "t": 1},
            method="fragmentation",
        ):
            found = select(connection, "select s1, s2, records from sqlanon_matrix")[1]
    axes = (Axis.of_values(len(table)), Axis.of_values(len(table[0])))
    return Matrix(axes, {(x, y): records for x, y, records in found})


def answer_aggregate_bounds(
    *,
    M: list[list[int]],  # noqa: N803
    fragments: list[list[list[int]]] | None = None,
    split: list[list[list[int]]] | None = None,
) -> Answers:
    """The bounds of the whole matrix and of a fragmentation of it."""
    matrix = matrix_of(M)
    found = [
        matrix.fragment(tuple((low, high) for low, high in box)) for box in fragments or split or []
    ]
    bounds = list(aggregate_bounds(matrix, found))
    return answers(
        {
            "masses": sorted(fragment.records for fragment in found),
            "top": list(aggregate_bounds(matrix, [matrix.whole])),
            "bounds": bounds,
            "after": bounds,
            "gcd": common_divisor(found),
            "size": matrix.records // common_divisor(found),
        }
    )


def answer_gcd_sizing(*, masses: list[int]) -> Answers:
    """Fragments of one value each, which no t of zero allows to be larger, dealt into classes."""
    with database() as connection:
        values = expand(masses)
        fill(connection, "t", q=range(len(values)), s=values)
        made = anonymized(
            connection,
            "t",
            quasi_identifiers=["q"],
            sensitive={"s": {**ordered("natural"), "t": 0}},
            method={"name": "fragmentation", "sizing": "gcd"},
            k=1,
        )
    classes: dict[int, Counter[int]] = {}
    for number, (_, value) in zip(made.assigned.class_ids, made.assigned.values, strict=True):
        classes.setdefault(number, Counter())[value] += 1
    (shares,) = {tuple(sorted(one.items())) for one in classes.values()}
    return answers(
        {
            "q": len(classes),
            "r": made.measure("k_anonymity"),
            "per_class": [count for _, count in shares],
        }
    )


def answer_find_fragmentation(
    *,
    M: list[list[int]],  # noqa: N803
    t: list[str],
    strategy: int,
) -> Answers:
    """The fragmentation that a greedy strategy finds."""
    matrix = matrix_of(M)
    names: dict[int, Strategy] = {1: "sum", 2: "excess"}
    found = find_fragmentation(matrix, [Fraction(text) for text in t], names[strategy])
    assert found is not None
    return answers(
        {
            "bounds": list(aggregate_bounds(matrix, found)),
            "fragments": [[list(ends) for ends in fragment.box] for fragment in found],
            "count": len(found),
        }
    )


def answer_ncp_gcp(**given: Any) -> Answers:
    """Numeric quasi-identifiers published as the intervals of each class."""
    records, labels = given.pop("numeric"), given.pop("class")
    assert not given, f"unknown input: {sorted(given)}"
    columns = [[record[axis] for record in records] for axis in range(len(records[0]))]
    names = [f"qi {axis}" for axis in range(len(columns))]

    def interval(column: list[int], label: int) -> str:
        members = [value for value, own in zip(column, labels, strict=True) if own == label]
        low, high = min(members), max(members)
        return str(low) if low == high else f"[{low}, {high}]"

    cells = [[interval(column, label) for label in labels] for column in columns]
    spec = sqlanon.parse_spec(
        {
            "source": "t",
            "release": "published",
            "quasi_identifiers": names,
            "sensitive": ["s"],
            "privacy": {"k": 1},
        }
    )
    with database() as connection:
        s = [0] * len(labels)
        fill(connection, "t", **dict(zip(names, columns, strict=True)), s=s)
        fill(connection, "published", **dict(zip(names, cells, strict=True)), s=s)
        found = sqlanon.check("published", spec=spec, connection=connection)
    loss = found.measure("gcp")
    assert loss is not None
    return answers(
        {
            "k": found.measure("k_anonymity"),
            "gcp_sum": loss * len(records),
            "gcp_normalised": loss,
        }
    )


def answer_has_recursive_cl(*, class_counts: list[int]) -> Answers:
    """Recursive (c, l)-diversity of one class: the key c1.01_l2 asks for c = 1.01, l = 2."""

    def look_up(key: str) -> object:
        parameters = re.fullmatch(r"c([\d.]+)_l(\d+)", key)
        if not parameters:
            raise UnknownKeyError(key)
        declared = {"c": parameters[1], "l": int(parameters[2])}
        found, _ = measure_classes([expand(class_counts)], l={"recursive": declared})
        return passed(found, "recursive_l")

    return look_up


def answer_generalize(*, record: list[str], vector: list[int]) -> Answers:
    """A record at a node of the lattice, published with the levels fixed to that node."""
    names = ("sex", "zip")
    with database() as connection:
        fill(connection, "t", **{name: [value] for name, value in zip(names, record, strict=True)})
        made = sqlanon.anonymize(
            "t",
            connection=connection,
            quasi_identifiers={
                "sex": {"hierarchy": {"tree": {"*": ["Male", "Female"]}}},
                "zip": {"hierarchy": {"prefix": [4, 3]}},
            },
            k=1,
            method="samarati",
            levels=dict(zip(names, vector, strict=True)),
        )
        (row,) = select(connection, f"select * from {made.relation}")[1]
        told = json.loads(facts(connection)["search_levels"])
    dimensions = [
        Dimension(Sql(name), work(name), 0, sizes, sizes)
        for name, sizes in (("sex", (2, 1)), ("zip", (4, 3, 2, 1)))
    ]
    lattice = Lattice(tuple(dimensions))
    nodes = [node for stretch in lattice.stretches() for node in stretch]
    return answers(
        {
            "generalized": list(row),
            "height": sum(told.values()),
            "total_height": sum(lattice.top),
            "vectors_of_height_2": sorted(list(node) for node in nodes if sum(node) == 2),
        }
    )


HANDLERS: dict[str, Callable[..., Answers]] = {
    "frequency_order": answer_frequency_order,
    "stack_and_deal": answer_stack_and_deal,
    "class_emds": answer_class_emds,
    "stack_and_deal_multi": answer_stack_and_deal_multi,
    "emd_ordered": answer_emd_ordered,
    "privacy_models": answer_privacy_models,
    "t_closeness": answer_t_closeness,
    "marginals": answer_marginals,
    "aggregate_bounds": answer_aggregate_bounds,
    "gcd_sizing": answer_gcd_sizing,
    "find_fragmentation": answer_find_fragmentation,
    "ncp_gcp": answer_ncp_gcp,
    "has_recursive_cl": answer_has_recursive_cl,
    "generalize": answer_generalize,
}


BY_ID = {case["id"]: case for case in CASES}


def answers_of(name: str) -> Answers:
    """The package's answers to a case."""
    case = BY_ID[name]
    if "other_partition_class_counts" in case["expect"]:
        return answer_other_partition(case)
    return HANDLERS[case["method"]](**case["input"])


# --- comparing -----------------------------------------------------------------------------------


def assert_same(found: object, expected: object, where: str) -> None:
    """Counts and names exactly, doubles to 1e-12 with the fraction that the case states."""
    if isinstance(expected, dict):
        assert isinstance(found, dict), where
        assert set(found) == set(expected), where
        for key, value in expected.items():
            assert_same(found[key], value, f"{where}.{key}")
    elif isinstance(expected, list):
        assert isinstance(found, list), where
        assert len(found) == len(expected), where
        for number, (one, other) in enumerate(zip(found, expected, strict=True)):
            assert_same(one, other, f"{where}[{number}]")
    elif isinstance(expected, bool):
        assert found is expected, where
    elif isinstance(expected, str) and isinstance(found, float):
        assert abs(Fraction(found) - Fraction(expected)) < Fraction(1, 10**12), where
    elif isinstance(expected, str) and isinstance(found, Fraction):
        assert found == Fraction(expected), where
    else:
        assert found == expected, where


# --- tests ---------------------------------------------------------------------------------------


# Each of many k: a tenth of all cases together.
LONG = {"000-s5"}


@pytest.mark.parametrize(
    "case",
    [
        pytest.param(case, id=case["id"], marks=[pytest.mark.slow] * (case["id"] in LONG))
        for case in CASES
    ],
)
def test_package_gives_the_papers_answers(case: Case) -> None:
    """Every key of the expectation that the package has a word for, and an error for any other.

    So an expectation that nobody computes cannot pass unnoticed; and the list of what belongs to
    later parts goes when they come.
    """
    answer = answers_of(case["id"])
    assert set(ELSEWHERE) <= set(BY_ID)
    elsewhere = ELSEWHERE.get(case["id"], set())
    assert elsewhere <= set(case["expect"])
    keys = [key for key in case["expect"] if key not in elsewhere]
    assert keys
    for key in keys:
        assert_same(answer(key), case["expect"][key], key)
    for key in ("no such key", *elsewhere):
        with pytest.raises(UnknownKeyError):
            answer(key)


SALARIES = {50: 24, 55: 31, 60: 16, 65: 20, 70: 42, 75: 39, 80: 17, 85: 37, 90: 15, 95: 9}
FREQUENT_FIRST = [70, 75, 85, 55, 50, 65, 80, 60, 90, 95]
CLASS_TABLES = [  # 003 Table 3.3, in frequency order
    [9, 8, 7, 6, 5, 4, 3, 4, 3, 1],
    [9, 7, 8, 6, 5, 4, 3, 3, 3, 2],
    [8, 8, 8, 6, 5, 4, 3, 3, 3, 2],
    [8, 8, 7, 7, 4, 4, 4, 3, 3, 2],
    [8, 8, 7, 6, 5, 4, 4, 3, 3, 2],
]


@pytest.mark.parametrize(("order", "t"), [("frequency", "11/1125"), ("natural", "19/1125")])
def test_worked_example_of_the_dissertation(order: str, t: str) -> None:
    """003 §3.5, published: five class tables, t = 0.009778 by frequency, 0.016889 by salary."""
    salaries = [salary for salary, count in SALARIES.items() for _ in range(count)]
    with database() as connection:
        fill(connection, "employees", employee=range(len(salaries)), salary=salaries)
        made = anonymized(
            connection,
            "employees",
            quasi_identifiers=["employee"],
            sensitive={"salary": {"distance": "ordered", "order": order, "t": t}},
            method={"stack": "frequency"},
            k=50,
        )
    assert made.measure("classes") == 5
    of_class: dict[str, Counter[int]] = {}
    for employee, salary in made.rows:
        of_class.setdefault(employee, Counter())[salary] += 1
    tables = [[counts[salary] for salary in FREQUENT_FIRST] for counts in of_class.values()]
    assert sorted(tables) == sorted(CLASS_TABLES)
    assert made.measure("k_anonymity") == 50
    reached = made.measure("t_closeness", "salary")
    assert abs(Fraction(reached) - Fraction(t)) < Fraction(1, 10**12)
    assert round(reached, 6) == {"frequency": 0.009778, "natural": 0.016889}[order]


def test_worked_example_is_refused_below_its_t() -> None:
    """One part in a million less than 11/1125 cannot be reached by the same classes."""
    salaries = [salary for salary, count in SALARIES.items() for _ in range(count)]
    t = Fraction(11, 1125) * Fraction(999_999, 1_000_000)
    with database() as connection:
        fill(connection, "employees", employee=range(len(salaries)), salary=salaries)
        with pytest.raises(sqlanon.InfeasibleError) as caught:
            anonymized(
                connection,
                "employees",
                quasi_identifiers=["employee"],
                sensitive={"salary": {"distance": "ordered", "order": "frequency", "t": str(t)}},
                method={"stack": "frequency"},
                k=50,
            )
    (shortfall,) = caught.value.shortfalls
    assert (shortfall.model, shortfall.attribute) == ("t_closeness", "salary")
    assert shortfall.classes == 1
    assert shortfall.reached == pytest.approx(11 / 1125, abs=1e-12)
