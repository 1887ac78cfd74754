"""Which tests run in one process of several, because they share what takes long to make."""

from __future__ import annotations

import re

from xdist.scheduler import LoadScopeScheduling

SHARED = {
    "rendered plans": re.compile(r"test_(templates|one_task)\.py"),
    "the demo's folder": re.compile(r"test_docs\.py::test_examples"),
    "profiles of the data sets": re.compile(r"test_roles\.py"),
    "a dbt project": re.compile(r"test_dbt\.py.*\[duckdb"),
    "servers": re.compile(r"postgres|test_evidence_engines\.py"),
}


class Together(LoadScopeScheduling):  # type: ignore[misc]
    """Tests that share something go to one process, every other to that which is free.

    As ``--dist loadgroup`` does, which finds no group since pytest 9.2 names its tests anew.
    """

    def _split_scope(self, nodeid: str) -> str:
        return next((name for name, ids in SHARED.items() if ids.search(nodeid)), nodeid)
