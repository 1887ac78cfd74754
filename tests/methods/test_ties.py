"""Which of equally frequent values is stacked first, and what that does to t."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracle import cell_order, class_count_matrix, deal, multiplicity, stack
from support import anonymized, data_set, database, examples, make_table

import sqlanon
from sqlanon.errors import SpecError

codes = st.tuples(st.integers(0, 3), st.integers(0, 2))


def settings(ties: str) -> dict[str, Any]:
    return {"name": "stack_and_deal", "stack": "frequency", "ties": ties}


@pytest.mark.slow
@examples(4, 40)
@given(cells=st.lists(codes, min_size=4, max_size=20), k=st.integers(1, 4))
def test_the_lower_of_equally_frequent_cells_is_stacked_first(
    cells: list[tuple[int, int]], k: int
) -> None:
    """Gowda (2023), section 5.3.1: every class holds as many of each cell as the oracle's."""
    rows = [(number % 3, *cell) for number, cell in enumerate(cells)]
    with database() as connection:
        make_table(connection, "people", {"age": "integer", "a": "integer", "b": "integer"}, rows)
        made = anonymized(
            connection,
            "people",
            quasi_identifiers=["age"],
            sensitive=["a", "b"],
            privacy={"k": k},
            method=settings("lower"),
            seed=1,
        )
    counts = multiplicity(cells)
    present, stacked = cell_order(counts, "frequency", "low"), stack(counts, "frequency", "low")
    found = Counter(
        (number, values[1:])
        for number, values in zip(made.assigned.class_ids, made.assigned.values, strict=True)
    )
    dealt = [[found[number, cell] for cell in present] for number in range(len(cells) // k)]
    assert dealt == class_count_matrix(stacked, deal(stacked, k), present)


@pytest.mark.parametrize(("ties", "cholesterol"), [("lower", 0.1389339), ("higher", 0.1817929)])
def test_the_rule_decides_t_of_heart_patients(ties: str, cholesterol: float) -> None:
    """Blood pressure and cholesterol of 1,025 patients, k = 10: Gowda (2023), section 5.5."""
    ordered = {"distance": "ordered"}
    with sqlanon.anonymize(
        data_set("csv/heart_lapp_1025.csv"),
        quasi_identifiers=["age"],
        sensitive={"trestbps": ordered, "chol": ordered},
        privacy={"k": 10},
        method=settings(ties),
        seed=1,
    ) as release:
        found = release.measure("t_closeness", "chol")
    assert found == pytest.approx(cholesterol, abs=1e-6)


def test_ties_are_of_the_order_by_frequency() -> None:
    declared = {"source": "t", "release": "r", "quasi_identifiers": "q", "privacy": {"k": 2}}
    for stack_by in ({}, {"stack": "value"}, {"stack": "snake"}):
        method = {**settings("lower"), "stack": None, **stack_by}
        with pytest.raises(SpecError, match="ties belongs to stack: frequency"):
            sqlanon.parse_spec({**declared, "method": method})
