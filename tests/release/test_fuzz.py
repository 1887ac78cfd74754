"""Random releases over all methods, models, forms and types (more: ``python -m tests.fuzz``)."""

from __future__ import annotations

from fuzz.attempt import attempt
from fuzz.releases import Case, cases
from hypothesis import Phase, given
from support import examples


@examples(3, 200, Phase.generate)
@given(cases())
def test_a_random_release_is_true_and_meets_its_models_or_is_refused(case: Case) -> None:
    """Each is judged by the oracle, from the release and its source alone."""
    attempt(case)
