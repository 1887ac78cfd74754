"""Random releases over all methods, models, forms and types (more: ``python -m tests.fuzz``)."""

from __future__ import annotations

import os

from fuzz.attempt import attempt
from fuzz.releases import Case, cases
from hypothesis import HealthCheck, Phase, given, settings

RELEASES = 200 if os.environ.get("SQLANON_SLOW") else 20


@settings(
    max_examples=RELEASES,
    phases=(Phase.generate,),
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
@given(cases())
def test_a_random_release_is_true_and_meets_its_models_or_is_refused(case: Case) -> None:
    """Each is judged by the oracle, from the release and its source alone."""
    attempt(case)
