"""A recipe: an earlier release whose levels or cells a release takes over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlanon.spec.levels import levelled

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


RECIPE_ENDINGS = (".yaml", ".yml")


def is_recipe_file(recipe: str) -> bool:
    """Whether a recipe is named by a file, and not by a release."""
    return recipe.lower().endswith(RECIPE_ENDINGS)


def takes_cells(spec: Spec) -> bool:
    """Whether a spec takes over the cells of its recipe; where columns have one level, these."""
    return spec.recipe is not None and not levelled(spec)
