"""A recipe: an earlier release whose levels or cells a release takes over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pydantic import Field

from sqlanon.clauses.clause import Clause, MethodRule, Use, at
from sqlanon.common.fields import Truth
from sqlanon.errors import Problem

RECIPE, CELLS = "recipe", "cells of a recipe"  # the clauses
ALLOTMENT = "allotment"  # how the name ends of the relation that says how records were dealt out
PARQUET = ".parquet"
RECIPE_ENDINGS = (".yaml", ".yml", PARQUET)
_NO_CELLS = (
    "cells here are values, and no groups that could be taken over: leave it out, or take another "
    "method and publish: generalized"
)
# A run says this of an earlier release that kept no allotment, or an allotment of records.
_NO_GROUPS = (
    "{recipe!r} has no groups to take over: name a release of {publication} with an allotment, or "
    "publish: generalized"
)
OF_RECORDS = (
    "{recipe!r} says nothing of persons: name a release with an allotment that has the same "
    "person, or leave one of the two out"
)
# A run says this of an earlier release that is no table of generalized cells.
NO_CLASSES = (
    "{recipe!r} shows no classes whose levels or cells could be taken over: publish it as "
    "generalized, by a method that does not keep single values"
)
_GOES_ON = "classes go on there from those of the release before: leave one of the two out"


def is_recipe_file(recipe: str) -> bool:
    """Whether a recipe is named by a file, and not by a release."""
    return recipe.lower().endswith(RECIPE_ENDINGS)


def recipe_of(spec: Any) -> str | None:
    """The release or the file whose levels or cells a spec takes over, if any."""
    found: str | None = spec.recipe
    return found


def takes_cells(spec: Any) -> bool:
    """Whether a spec takes over the cells of its recipe; where columns have one level, these."""
    return recipe_of(spec) is not None and not spec.levelled


def _problems(spec: Any) -> Iterator[Problem]:
    """Columns of one level, of which a recipe takes the level over and no classes."""
    if not spec.allotment or spec.method.chooses_levels:
        return
    for name in spec.levelled:
        what = (
            f"a recipe takes over the level of {name!r}, and not how records were dealt out: leave "
            f"this out, or publish {name!r} otherwise"
        )
        yield Problem("allotment", what)


CLAUSES = (
    Clause(
        RECIPE,
        "levels or cells of an earlier release are taken over",
        at("recipe", lambda spec: spec.recipe is not None),
        unless_found={"exact rows": _NO_GROUPS},
        method=MethodRule(
            lambda method, names: (
                not method.stars and not (method.chooses_levels and "exact rows" in names)
            ),
            _NO_CELLS,
        ),
        gives_levels=True,
        unplaced="in no cell of the recipe",
        by_value=True,
        fields={
            "spec": {
                "recipe": (
                    str | None,
                    Field(
                        default=None,
                        min_length=1,
                        description="an earlier release, or a file of `sqlanon recipe`, so that "
                        "labels or cells of both mean the same: columns published as labels of one "
                        "level keep that level; without such columns its cells are the classes",
                    ),
                )
            }
        },
        files={"recipe": is_recipe_file},
    ),
    Clause(
        CELLS,
        "a recipe's cells, or what its allotment dealt out, are the classes, where no column is "
        "published at one level",
        at("recipe", takes_cells),
        refused={
            Use.SWEEP: "there is nothing to try: its cells are the classes for any method and k",
            Use.LIMITS: "the limits of an earlier release's cells are not known: leave recipe out",
            Use.PREDICTION: "only a run shows what the cells of an earlier release reach",
        },
        excludes={"series": _GOES_ON},
        needs={"recipe": "cells are those of a recipe: name the release"},
        unless_found={"person": OF_RECORDS},
        forms=True,
        searches=False,
        by_value=True,
    ),
    Clause(
        "allotment",
        "the run keeps how records were dealt out, for a recipe",
        at("allotment", lambda spec: spec.allotment),
        refused={
            Use.SCRIPT: "a script records no recipe of its release: use `sqlanon run`, or leave it "
            "out",
            Use.DBT: "dbt models keep no allotment: use `sqlanon run`, or leave it out",
        },
        excludes={
            "series": _GOES_ON,
            "recipe": "a recipe of {recipe!r} makes the same classes already: leave this out",
        },
        method=MethodRule(
            lambda method, _: not (method.stars or method.chooses_levels or method.covers),
            "{method} deals no records out: leave it out, since a recipe takes its levels or cells "
            "over, or take another method",
        ),
        fields={
            "spec": {
                "allotment": (
                    Truth,
                    Field(
                        default=False,
                        description="whether the run keeps, for the publisher alone, how many "
                        "records of every combination of values went to which class: a recipe then "
                        "makes the same classes again",
                    ),
                )
            }
        },
        keeps={ALLOTMENT: lambda spec: spec.allotment},
        problems=_problems,
    ),
)
