"""What of a spec does not go with a recipe, whose levels or cells a release takes over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlanon.errors import Problem
from sqlanon.spec.guard import guard_columns
from sqlanon.spec.levels import levelled, shows_stars

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


def takes_cells(spec: Spec) -> bool:
    """Whether a spec takes over the cells of its recipe; where columns have one level, these."""
    return spec.recipe is not None and not levelled(spec)


def recipe_problems(spec: Spec) -> Iterator[Problem]:
    """What of a spec does not go with its recipe."""
    if spec.recipe is None:
        return
    if spec.shows_exact or shows_stars(spec):
        what = "cells here are values, and no groups that could be taken over: leave it out, or "
        yield Problem("recipe", f"{what}publish the release as generalized")
        return
    if not takes_cells(spec):
        return
    declared = {
        "person": bool(spec.person),
        "privacy.subsets": bool(spec.privacy.subsets),
        "privacy.population": spec.privacy.population is not None,
        "series": spec.series is not None,
        "choose": spec.choose is not None,
        **{f"sensitive.{name}.guard": True for name in guard_columns(spec)},
    }
    for where, given in declared.items():
        if given:
            what = f"the cells of {spec.recipe!r} are taken over as they are: leave this out, or "
            yield Problem(where, f"{what}the recipe")
