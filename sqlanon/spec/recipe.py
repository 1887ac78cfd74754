"""A recipe: an earlier release whose levels or cells a release takes over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlanon.spec.levels import levelled

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


def takes_cells(spec: Spec) -> bool:
    """Whether a spec takes over the cells of its recipe; where columns have one level, these."""
    return spec.recipe is not None and not levelled(spec)
