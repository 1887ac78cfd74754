"""A small table of persons with hierarchies, for tests of what searches leave."""

from __future__ import annotations

from random import Random
from typing import Any

COLUMNS = {"age": "integer", "job": "varchar", "zip": "varchar", "ill": "varchar"}
GROUPED: dict[str, dict[str, Any]] = {
    "age": {"hierarchy": {"bands": [10, 30]}},
    "job": {"hierarchy": {"tree": {"*": {"x": ["a", "b"], "y": ["c", "d'\""]}}}},
    "zip": {"hierarchy": {"prefix": [2, 1]}},
}


def people_rows(several: int) -> list[tuple[Any, ...]]:
    """Records with NULL, and letters that must be quoted."""
    random = Random(5)
    return [
        (
            random.choice([None, *range(20, 60)]),
            random.choice(["a", "b", "c", "d'\"", None]),
            f"{random.randint(100, 130)}",
            random.choice(["flu", "cold", "ulcer", None]),
        )
        for _ in range(several)
    ]
