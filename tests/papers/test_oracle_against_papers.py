"""The oracle against the worked examples of the papers, exactly.

A handler per method computes the answer to every key that a case may expect. It takes the case's
input as keyword arguments and is asked for one key at a time: an input or a key that it does not
know is an error, so that no part of a case is passed over.
"""

import json
import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from oracle import (
    Box,
    Greatest,
    Tie,
    aggregate_bounds,
    attribute_values,
    box_mass,
    cells_above,
    centre_of_gravity,
    class_count_matrix,
    class_members,
    conforms,
    deal,
    deal_rows,
    distinct_l,
    distribution,
    emd_equal,
    emd_hierarchical,
    emd_ordered,
    entropy_diverse,
    entropy_l,
    find_fragmentation,
    frequency_order,
    from_table,
    from_vector,
    gcp,
    gcp_sum,
    heavy_side,
    k_anonymity,
    marginal,
    multiplicity,
    number_of_classes,
    numeric_record_losses,
    ordered_distance,
    record_linkage,
    recursive_diverse,
    recursive_holds,
    sizes_by_divisor,
    stack,
    stack_rows,
    to_table,
)
from oracle.lattice import Column, Table

Case = dict[str, Any]
Answers = Callable[[str], object]

CASE_FILE = Path(__file__).parent / "cases.json"
CASES: list[Case] = json.loads(CASE_FILE.read_text(encoding="utf-8"))["cases"]


class UnknownKeyError(Exception):
    """A case expects something that its handler cannot compute."""


def answers(table: dict[str, object]) -> Answers:
    """Answers from a finished table."""

    def look_up(key: str) -> object:
        if key not in table:
            raise UnknownKeyError(key)
        return table[key]

    return look_up


def by_class(measure: Greatest) -> dict[str, Fraction]:
    """A measure per class under the names of the case file: 1, 2, ..."""
    return {str(number): value for number, value in enumerate(measure.per_class, start=1)}


def grouped(values: list[Any], labels: list[Any]) -> list[list[Any]]:
    """The values of each class, classes in the order in which they first appear."""
    return [
        [v for v, own in zip(values, labels, strict=True) if own == label]
        for label in dict.fromkeys(labels)
    ]


def dealt(counts: list[int], k: int, tie: Tie) -> list[list[int]]:
    """Stack & Deal on one attribute: the codes of each class."""
    stacked = stack(from_vector(counts), "frequency", tie)
    members = class_members(stacked, deal(stacked, k))
    return [[cell[0] for cell in cells] for cells in members]


def expand(counts: list[int]) -> list[int]:
    """One code per record."""
    return [code for code, count in enumerate(counts) for _ in range(count)]


# --- one handler per method ----------------------------------------------------------------------


def answer_frequency_order(
    *,
    counts_natural: list[int] | None = None,
    counts: list[int] | None = None,
    labels: list[str] | None = None,
) -> Answers:
    """Tables of frequencies."""
    given = counts_natural if counts_natural is not None else counts
    assert given is not None
    order = frequency_order(given)
    shares = distribution(expand(given))
    table: dict[str, object] = {
        "order": order,
        "p": [shares.get(i, Fraction(0)) for i in order],
        "n": sum(given),
        "distinct_values": len(shares),
    }
    if labels is not None:
        table["labels"] = [labels[i] for i in order]
    return answers(table)


def answer_stack_and_deal(
    *,
    counts_natural: list[int] | None = None,
    counts: list[int] | None = None,
    k: int | list[int],
    tie: Tie = "high",
) -> Answers:
    """Stack & Deal on one attribute; distances over the values in frequency order."""
    given = counts_natural if counts_natural is not None else counts
    assert given is not None
    order = frequency_order(given, tie)

    def outcome(size: int) -> dict[str, object]:
        classes = dealt(given, size, tie)
        sizes = k_anonymity(classes).per_class
        return {
            "e": number_of_classes(sum(given), size),
            "distinct_l": distinct_l(classes).minimum,
            "min_size": min(sizes),
            "max_size": max(sizes),
            "t": emd_ordered(classes, expand(given), order).maximum,
            "entropy_l": round(entropy_l(classes).minimum, 9),
        }

    if isinstance(k, list):  # the first and the last size of a sweep, which has to be complete
        low, high = k
        return answers({str(size): outcome(size) for size in range(low, high + 1)})

    stacked = stack(from_vector(given), "frequency", tie)
    matrix = class_count_matrix(stacked, deal(stacked, k), [(i,) for i in order])
    result = outcome(k)
    return answers(
        {
            "e": result["e"],
            "class_counts_in_frequency_order": {
                str(number): row for number, row in enumerate(matrix, start=1)
            },
            "sd_t": result["t"],
        }
    )


def answer_other_partition(case: Case) -> Answers:
    """Stack & Deal beside another partition that the case states, with a smaller t."""
    given, k, tie = case["input"]["counts"], case["input"]["k"], case["input"].get("tie", "high")
    own = answer_stack_and_deal(**case["input"])
    partition = case["expect"]["other_partition_class_counts"]
    classes = [expand(counts) for counts in partition]
    t = emd_ordered(classes, expand(given), frequency_order(given, tie)).maximum
    # It is a partition of the same records into classes of at least k, and it is the better one.
    assert [sum(column) for column in zip(*partition, strict=True)] == given
    assert k_anonymity(classes).minimum >= k
    assert t < emd_ordered(dealt(given, k, tie), expand(given), frequency_order(given, tie)).maximum

    here: dict[str, object] = {"other_partition_class_counts": partition, "other_t": t}
    return lambda key: here[key] if key in here else own(key)


def answer_class_emds(*, counts_natural: list[int], k: int) -> Answers:
    """Distances of the classes of Stack & Deal, the values in two orders."""
    classes, table = dealt(counts_natural, k, "high"), expand(counts_natural)
    by_frequency = emd_ordered(classes, table, frequency_order(counts_natural))
    natural = emd_ordered(classes, table, list(range(len(counts_natural))))
    return answers(
        {
            "emd_frequency_order": by_class(by_frequency),
            "t_frequency_order": by_frequency.maximum,
            "emd_natural_order": by_class(natural),
            "t_natural_order": natural.maximum,
            "emd_equal": by_class(emd_equal(classes, table)),
        }
    )


def answer_stack_and_deal_multi(*, rows: list[list[int]], k: list[int]) -> Answers:
    """Stack & Deal on the multiplicity matrix of two attributes."""
    counts = multiplicity(rows)
    sizes = [max(row[axis] for row in rows) + 1 for axis in (0, 1)]
    classes, worst = {}, {}
    for size in k:
        class_of = deal_rows(rows, size)
        members = class_members([tuple(row) for row in rows], class_of)
        classes[str(size)] = [number + 1 for number in class_of]
        worst[str(size)] = [
            emd_ordered(
                attribute_values(members, axis), [row[axis] for row in rows], range(sizes[axis])
            ).maximum
            for axis in (0, 1)
        ]
    return answers(
        {
            "multiplicity": to_table(counts, *sizes),
            "stacked": [f"a{a + 1}b{b + 1}" for a, b in stack(counts)],
            "stacked_rows": stack_rows(rows),
            "classes": classes,
            "t": worst,
        }
    )


def answer_emd_ordered(**vectors: list[str]) -> Answers:
    """Ordered distances between named distributions: the key PQ is from P to Q."""
    shares = {name: [Fraction(p) for p in vector] for name, vector in vectors.items()}

    def look_up(key: str) -> object:
        if len(key) != 2 or not set(key) <= set(shares):
            raise UnknownKeyError(key)
        return ordered_distance(shares[key[0]], shares[key[1]])

    return look_up


def answer_privacy_models(*, rows: list[list[str]], qi: int) -> Answers:
    """All models on a published table whose last column is the sensitive attribute."""
    classes = grouped([row[-1] for row in rows], [tuple(row[:qi]) for row in rows])
    assert all(len(row) == qi + 1 for row in rows)
    known = answers(
        {
            "k": k_anonymity(classes).minimum,
            "classes": len(classes),
            "distinct_l": distinct_l(classes).minimum,
            "entropy_l": round(entropy_l(classes).minimum, 9),
            "t_equal": emd_equal(classes, [row[-1] for row in rows]).maximum,
        }
    )

    def look_up(key: str) -> object:
        if entropy := re.fullmatch(r"entropy_(\d+)", key):
            return entropy_diverse(classes, int(entropy[1]))
        if recursive := re.fullmatch(r"recursive_c([\d.]+)_l(\d+)", key):
            return recursive_diverse(classes, Fraction(recursive[1]), int(recursive[2]))
        return known(key)

    return look_up


def answer_t_closeness(**given: Any) -> Answers:
    """Two sensitive attributes: a salary with its order, a disease with its tree."""
    salary, disease = given.pop("salary"), given.pop("disease")
    labels, groups = given.pop("class"), given.pop("disease_tree")
    assert not given, f"unknown input: {sorted(given)}"
    salaries, diseases = grouped(salary, labels), grouped(disease, labels)
    tree = {leaf: (f"group {i}", "*") for i, group in enumerate(groups) for leaf in group}
    both = (salaries, diseases)
    return answers(
        {
            "salary_emd": by_class(emd_ordered(salaries, salary, sorted(salary))),
            "disease_equal": by_class(emd_equal(diseases, disease)),
            "disease_hier": by_class(emd_hierarchical(diseases, disease, tree)),
            "k": k_anonymity(salaries).minimum,
            "distinct_l": min(distinct_l(classes).minimum for classes in both),
            "entropy_3": all(entropy_diverse(classes, 3) for classes in both),
        }
    )


def answer_marginals(*, M: list[list[int]], E: list[list[int]]) -> Answers:  # noqa: N803
    """A multiplicity matrix, a class, and their row and column sums."""
    whole, part = from_table(M), from_table(E)
    shape = (len(M), len(M[0]))
    of_whole = [marginal(whole, axis, shape[axis]) for axis in (0, 1)]
    of_part = [marginal(part, axis, shape[axis]) for axis in (0, 1)]

    def distance(axis: int) -> Fraction:
        classes, table = [expand(of_part[axis])], expand(of_whole[axis])
        return emd_ordered(classes, table, range(shape[axis])).maximum

    known = answers(
        {
            "R_M": of_whole[0],
            "C_M": of_whole[1],
            "R_E": of_part[0],
            "C_E": of_part[1],
            "emd_rows": distance(0),
            "emd_cols": distance(1),
            "E_not_below_M_at": cells_above(part, whole),
            "gravity_rows": centre_of_gravity(of_whole[0]),
            "gravity_cols": centre_of_gravity(of_whole[1]),
            "heavy": [heavy_side(vector) for vector in of_whole],
        }
    )

    def look_up(key: str) -> object:
        if box := re.fullmatch(r"conforms_(\d+)_(\d+)__(\d+)_(\d+)", key):
            r1, r2, c1, c2 = map(int, box.groups())
            return conforms(whole, part, [(r1, r2), (c1, c2)])
        return known(key)

    return look_up


def answer_aggregate_bounds(
    *,
    M: list[list[int]],  # noqa: N803
    fragments: list[Box] | None = None,
    split: list[Box] | None = None,
) -> Answers:
    """The bounds of the whole matrix and of a fragmentation of it."""
    whole, sizes = from_table(M), (len(M), len(M[0]))
    boxes = fragments or split or []
    masses = sorted(box_mass(whole, box) for box in boxes)
    bounds = aggregate_bounds(whole, sizes, boxes)
    divisor, size, _ = sizes_by_divisor(masses)
    return answers(
        {
            "masses": masses,
            "top": aggregate_bounds(whole, sizes, [[(0, len(M) - 1), (0, len(M[0]) - 1)]]),
            "bounds": bounds,
            "after": bounds,
            "bounds_fragment_norm": aggregate_bounds(whole, sizes, boxes, of_fragment=True),
            "gcd": divisor,
            "size": size,
        }
    )


def answer_gcd_sizing(*, masses: list[int]) -> Answers:
    """How many classes conform to fragments of these masses."""
    divisor, size, shares = sizes_by_divisor(masses)
    return answers({"q": divisor, "r": size, "per_class": shares})


def answer_find_fragmentation(
    *,
    M: list[list[int]],  # noqa: N803
    t: list[str],
    strategy: int,
) -> Answers:
    """The fragmentation that a greedy strategy finds."""
    whole, sizes = from_table(M), (len(M), len(M[0]))
    found = find_fragmentation(whole, sizes, [Fraction(text) for text in t], strategy)
    return answers(
        {
            "bounds": aggregate_bounds(whole, sizes, found.boxes),
            "fragments": found.boxes,
            "count": len(found.boxes),
            "path_unique": found.unique,
        }
    )


def answer_ncp_gcp(**given: Any) -> Answers:
    """Numeric quasi-identifiers published as the intervals of each class."""
    records, labels = given.pop("numeric"), given.pop("class")
    assert not given, f"unknown input: {sorted(given)}"
    losses = numeric_record_losses(records, labels)
    return answers(
        {
            "k": k_anonymity(grouped(labels, labels)).minimum,
            "gcp_sum": gcp_sum(losses),
            "gcp_normalised": gcp(losses),
            "rl_box": record_linkage(records, labels, "box"),
            "rl_centroid": record_linkage(records, labels, "centroid"),
        }
    )


def answer_has_recursive_cl(*, class_counts: list[int]) -> Answers:
    """Recursive (c, l)-diversity of one class: the key c1.01_l2 asks for c = 1.01, l = 2."""

    def look_up(key: str) -> object:
        if parameters := re.fullmatch(r"c([\d.]+)_l(\d+)", key):
            c, least = Fraction(parameters[1]), int(parameters[2])
            return recursive_holds(class_counts, c, least)
        raise UnknownKeyError(key)

    return look_up


def answer_generalize(*, record: list[str], vector: list[int]) -> Answers:
    """A record at a node of the lattice of sex and postal code: 53721, 5372*, 537**, *."""
    sex, code = record
    columns = [Column({sex: []}), Column({code: [f"{code[:4]}*", f"{code[:3]}**"]})]
    bounds = [(0, column.height) for column in columns]
    table = Table([tuple(record)], [None], columns, bounds, lambda _: True, Fraction(0))
    return answers(
        {
            "generalized": list(table.generalized(tuple(record), tuple(vector))),
            "height": sum(vector),
            "total_height": sum(column.height for column in columns),
            "vectors_of_height_2": [list(node) for node in table.nodes() if sum(node) == 2],
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


def answers_of(case: Case) -> Answers:
    """The oracle's answers to a case."""
    if "other_partition_class_counts" in case["expect"]:
        return answer_other_partition(case)
    return HANDLERS[case["method"]](**case["input"])


def as_json(value: object) -> str:
    """Canonical text: fractions as strings, and true is not 1."""
    return json.dumps(value, sort_keys=True, default=fraction_as_text)


def fraction_as_text(value: object) -> str:
    """A fraction as the case file writes it."""
    if not isinstance(value, Fraction):
        raise TypeError(f"no JSON for {type(value).__name__}")
    return str(value)


# --- tests ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_oracle_gives_the_papers_answers(case: Case) -> None:
    """Every key of the expectation, compared exactly."""
    answer = answers_of(case)
    computed = {key: answer(key) for key in case["expect"]}
    assert as_json(computed) == as_json(case["expect"])


def test_case_file_is_whole() -> None:
    """Each case has the same five fields, an id of its own, and something to check."""
    assert len({case["id"] for case in CASES}) == len(CASES) == 29
    for case in CASES:
        assert set(case) == {"id", "method", "source", "input", "expect", "note"}
        assert case["expect"]


def test_every_method_of_the_oracle_has_a_case() -> None:
    """No handler stands unused, and no case stands without one."""
    assert {case["method"] for case in CASES} == set(HANDLERS)


def test_sweep_states_every_k() -> None:
    """A range of k in the input is answered in full."""
    (sweep,) = [case for case in CASES if case["id"] == "000-s5"]
    low, high = sweep["input"]["k"]
    assert set(sweep["expect"]) == {str(k) for k in range(low, high + 1)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_unknown_key_is_an_error(case: Case) -> None:
    """An expectation that nobody computes cannot pass unnoticed."""
    with pytest.raises(UnknownKeyError):
        answers_of(case)("no such key")


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_unknown_input_is_an_error(case: Case) -> None:
    """An input that nobody reads cannot pass unnoticed."""
    changed = {**case, "input": {**case["input"], "no such input": 1}}
    with pytest.raises((TypeError, AssertionError)):
        answers_of(changed)
