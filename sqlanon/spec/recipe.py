"""A recipe: an earlier release whose levels or cells a release takes over."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlanon.errors import Problem
from sqlanon.spec.levels import levelled

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sqlanon.spec.model import Spec


PARQUET = ".parquet"
RECIPE_ENDINGS = (".yaml", ".yml", PARQUET)


def is_recipe_file(recipe: str) -> bool:
    """Whether a recipe is named by a file, and not by a release."""
    return recipe.lower().endswith(RECIPE_ENDINGS)


def takes_cells(spec: Spec) -> bool:
    """Whether a spec takes over the cells of its recipe; where columns have one level, these."""
    return spec.recipe is not None and not levelled(spec)


def allotment_problems(spec: Spec) -> Iterator[Problem]:
    """Columns of one level, of which a recipe takes the level over and no classes."""
    if not spec.allotment or spec.method.chooses_levels:
        return
    for name in levelled(spec):
        what = (
            f"a recipe takes over the level of {name!r}, and not how records were dealt out: leave "
            f"this out, or publish {name!r} otherwise"
        )
        yield Problem("allotment", what)
