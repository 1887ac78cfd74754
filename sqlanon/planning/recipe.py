"""A recipe: the levels of an earlier release, so that the labels of both mean the same.

Every column that is published as labels of one level keeps that level, and the gate decides whether
the new table meets its models there.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from sqlanon.domains.lines import hierarchy_lines
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.forms.label import one_level_of
from sqlanon.kept.recorded import recorded
from sqlanon.source.source import aliases
from sqlanon.spec import FileHierarchy, Spec, TreeHierarchy
from sqlanon.spec.levels import published_as
from sqlanon.spec.load import changed

_LEVELS, _MEANINGS = "levels", "levels_mean"


def recipe_facts(spec: Spec, engine: Engine) -> list[tuple[str, str]]:
    """The published levels, and what they mean: for later releases; none without levels.

    Args:
        spec: what was declared.
        engine: where they were published, with the work relations that stand.
    """
    meanings = _meanings(spec)
    if not meanings:
        return []
    short = aliases(spec)
    published = {name: one_level_of(short[name]) for name in meanings}
    shown = (
        f"(select max(level) from {engine.named(relation)}) as l{place}"
        for place, relation in enumerate(published.values())
    )
    found = engine.ask(f"select {', '.join(shown)}").rows[0]
    levels = dict(zip(published, map(int, found), strict=True))
    return [
        (_LEVELS, json.dumps(levels, ensure_ascii=False)),
        (_MEANINGS, json.dumps(meanings, ensure_ascii=False)),
    ]


def following_recipe(spec: Spec, engine: Engine) -> Spec:
    """The same spec, with the levels of the release that it takes for its recipe.

    Args:
        spec: what is declared.
        engine: where the earlier release stands.

    Raises:
        SpecError: if there is no such release, it chose no levels, or they mean something else.
    """
    if spec.recipe is None:
        return spec
    try:
        earlier = recorded(spec.recipe, engine).facts
    except SpecError as error:
        raise SpecError([Problem("recipe", one.what) for one in error.problems]) from None
    if _LEVELS not in earlier or _MEANINGS not in earlier:
        what = (
            f"{spec.recipe!r} has no column of one level to take over: its method was "
            f"{earlier['method']}; name a release of a method such as optimal"
        )
        raise SpecError(Problem("recipe", what))
    levels: dict[str, int] = json.loads(earlier[_LEVELS])
    problems = list(_problems(spec, levels, json.loads(earlier[_MEANINGS])))
    if problems:
        raise SpecError(problems)
    fixed = {name: (level, level) for name, level in levels.items()}
    return changed(spec, levels={**spec.levels, **fixed})


def _problems(spec: Spec, levels: Mapping[str, int], meanings: Mapping[str, str]) -> list[Problem]:
    """Where the recipe and the spec do not go together."""
    problems = []
    now = _meanings(spec)
    for name in now:
        if name not in levels and name not in spec.levels:
            what = f"{spec.recipe!r} says nothing of it: give its level, as levels: {{{name}: 1}}"
            problems.append(Problem(f"quasi_identifiers.{name}", what))
    for name, level in levels.items():
        if name not in now:
            what = f"{spec.recipe!r} publishes {name!r} at one level, and this spec does not"
            problems.append(Problem("recipe", what))
        elif level and now[name] != meanings[name]:
            what = (
                f"its hierarchy, or what stands for NULL, is not what {spec.recipe!r} was made "
                f"with, so that level {level} would mean something else: take that, or leave "
                "recipe out and give the levels"
            )
            problems.append(Problem(f"quasi_identifiers.{name}.hierarchy", what))
        elif spec.levels.get(name, (level, level)) != (level, level):
            what = f"{spec.recipe!r} has level {level}: leave this one out, or the recipe"
            problems.append(Problem(f"levels.{name}", what))
    return problems


def _meanings(spec: Spec) -> dict[str, str]:
    """A hash of the hierarchy of every column that is published as labels of one level."""
    if spec.shows_exact:
        return {}
    return {
        name: hashlib.sha256(_text(spec, name).encode()).hexdigest()
        for name in spec.quasi_identifiers
        if published_as(spec, name) == "level"
    }


def _text(spec: Spec, name: str) -> str:
    """What the levels of a column are made of: its hierarchy, and which codes stand for NULL."""
    hierarchy = spec.quasi_identifiers[name].hierarchy
    made_of: Any = None if hierarchy is None else hierarchy.model_dump(mode="json")
    if isinstance(hierarchy, FileHierarchy | TreeHierarchy):
        made_of = sorted(hierarchy_lines(hierarchy, f"quasi_identifiers.{name}.hierarchy", name))
    return json.dumps([made_of, sorted(spec.missing.get(name, ()))], ensure_ascii=False)
