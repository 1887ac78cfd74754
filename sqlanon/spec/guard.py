"""Which nodes of a hierarchy persons guard, as a spec declares it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlanon.errors import Problem
from sqlanon.privacy.thresholds import fields_of

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


def guard_columns(spec: Spec) -> dict[str, str]:
    """The column of the labels that persons guard, by sensitive attribute."""
    (field,) = fields_of("guard")
    found = {name: getattr(one, field, None) for name, one in spec.sensitive.items()}
    return {name: guard.column for name, guard in found.items() if guard is not None}


def guard_problems(spec: Spec) -> Iterator[Problem]:
    """Guards of attributes that have no hierarchy."""
    for name in guard_columns(spec):
        where = f"sensitive.{name}.guard"
        if spec.sensitive[name].hierarchy is None:
            what = "a guard names a node of the attribute's hierarchy, and it has none: declare"
            yield Problem(where, f"{what} distance: hierarchical and a hierarchy")
