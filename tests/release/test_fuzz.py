"""Random releases over all methods, models, forms and types (more: ``python -m tests.fuzz``)."""

from __future__ import annotations

from random import Random

import pytest
from fuzz import combined
from fuzz.attempt import attempt
from fuzz.releases import Case, cases
from hypothesis import Phase, given
from support import examples

BATCH = 25
IN_THE_GATE, IN_ALL = 2, 80  # batches


@pytest.mark.slow
@examples(3, 200, Phase.generate)
@given(cases())
def test_a_random_release_is_true_and_meets_its_models_or_is_refused(case: Case) -> None:
    """Each is judged by the oracle, from the release and its source alone."""
    attempt(case)


def batches() -> list[object]:
    further = [pytest.mark.slow, pytest.mark.further]
    return [
        pytest.param(batch, marks=pytest.mark.slow if batch < IN_THE_GATE else further)
        for batch in range(IN_ALL)
    ]


@pytest.mark.sampled
@pytest.mark.parametrize("batch", batches())
def test_whatever_a_spec_combines_holds_or_is_refused(batch: int) -> None:
    """And every command reads the release, or says why it does not."""
    for seed in range(batch * BATCH, (batch + 1) * BATCH):
        case = combined.draw(Random(seed))
        try:
            combined.attempt(case)
        except combined.FaultError as fault:
            pytest.fail(f"seed {seed}: {fault}\n{case}")


def test_what_is_registered_is_drawn() -> None:
    assert combined.undrawn() == set()
