"""A recipe: the levels or the cells of an earlier release, so that those of both mean the same.

Every column that is published as labels of one level keeps that level. Where there is no such
column, the cells of the earlier release are the new one's classes. The gate decides whether the new
table meets its models so.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.domains import QuasiAttribute
from sqlanon.domains.lines import hierarchy_lines
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError, as_key
from sqlanon.forms import form_called, published_columns
from sqlanon.kept.content import content_of, held, hold_kept
from sqlanon.kept.ownership import ALLOTMENT
from sqlanon.kept.recipe_file import RecipeFile, read_recipe
from sqlanon.kept.recorded import Recorded
from sqlanon.methods import Recipe
from sqlanon.methods.earlier.allotment import COUNTED, Allotment, EarlierAllotment
from sqlanon.methods.earlier.cells import EarlierCells
from sqlanon.plan import Check, Phase, Plan, Step, work
from sqlanon.source.attributes import named_values, quasi_attributes
from sqlanon.spec import Column, FileHierarchy, Spec, TreeHierarchy
from sqlanon.spec.levels import levelled
from sqlanon.spec.load import changed
from sqlanon.spec.recipe import is_recipe_file, takes_cells
from sqlanon.sql import Relation
from sqlanon.sql.names import Query, Sql

_LEVELS, _MEANINGS, _CELLS = "levels", "levels_mean", "cells_mean"
_SHOWN, _LISTED = work("recipe"), work("recipe_listed")
_CONTENT = work("recipe_content")
# Kinds whose values are the same and have the same text in all of their types.
_ALIKE = ("integer", "text", "date", "boolean")


@dataclass(frozen=True)
class TakenClasses:
    """The classes of an earlier release that a spec takes over.

    Attributes:
        classes: its cells, or how it dealt records out.
        reading: the steps that read it.
        values: by alias of a quasi-identifier the values that its cells name.
    """

    classes: EarlierCells | EarlierAllotment
    reading: tuple[Step, ...]
    values: Mapping[str, Relation]


def recipe_facts(
    recipe: Recipe | None,
    spec: Spec,
    columns: Mapping[str, Column],
    engine: Engine,
    fixed: bool = False,
    allotment: Allotment | None = None,
) -> list[tuple[str, str]]:
    """The facts of the cells that later releases need: what they mean, and the published levels.

    Args:
        recipe: what they can take over, if anything.
        spec: what was declared.
        columns: the source's columns.
        engine: where it was published, with the work relations that stand.
        fixed: whether the levels are those of the spec, and no relation holds them.
        allotment: what was kept of the classes, if anything was.
    """
    if recipe is None:
        return []
    known: dict[str, Any] = {_CELLS: meanings(spec, columns)}
    if recipe.levels:
        levels = {name: level for name, (level, _) in spec.levels.items()}
        known[_LEVELS] = levels if fixed else _levels(recipe, engine)
        known[_MEANINGS] = {name: _level_meaning(spec, name) for name in recipe.levels}
    if allotment is not None:
        known[ALLOTMENT] = {"seed": allotment.seed, "columns": dict(allotment.columns)}
    return [(name, json.dumps(fact, ensure_ascii=False)) for name, fact in known.items()]


def _levels(recipe: Recipe, engine: Engine) -> dict[str, int]:
    """The published levels."""
    shown = (
        f"(select max(level) from {engine.named(relation)}) as l{place}"
        for place, relation in enumerate(recipe.levels.values())
    )
    found = engine.fetch_portable(f"select {', '.join(shown)}").rows[0]
    return dict(zip(recipe.levels, map(int, found), strict=True))


def taken_classes(
    spec: Spec, columns: Mapping[str, Column], short: Mapping[str, str], engine: Engine
) -> TakenClasses | None:
    """The classes of the release that a spec takes for its recipe, if it takes them over.

    They are what it dealt out, where its run kept that, and else its cells.

    Args:
        spec: what is declared.
        columns: the source's columns.
        short: the alias of each of them.
        engine: where the earlier release stands.

    Raises:
        SpecError: if there is no such release, or its cells are others or mean something else.
    """
    if not takes_cells(spec):
        return None
    earlier, attributes = _earlier(spec, engine), quasi_attributes(spec, columns, short)[0]
    dealt = json.loads(earlier.facts[ALLOTMENT]) if ALLOTMENT in earlier.facts else None
    problems = list(_misfits(spec, columns, earlier, attributes, dealt))
    if problems:
        raise SpecError(problems)
    # The path of a file is nobody's but this machine's.
    name = earlier.relation if isinstance(earlier, RecipeFile) else str(spec.recipe)
    if dealt is not None:
        return _allotment(earlier, name, dealt, engine)
    title, listing = f"reading the cells of {earlier.relation}", list[Step]()
    table: Relation | Sql = _LISTED
    if isinstance(earlier, RecipeFile):
        listing.append(_cells_of(earlier))
    else:
        earlier.columns_there(earlier.relation)
        table = engine.item(earlier.relation)
    reading, values = named_values(title, table, attributes, shown=_SHOWN, where="recipe")
    reading = [*listing, *reading]
    return TakenClasses(EarlierCells(name, _SHOWN), tuple(reading), values)


def _allotment(
    earlier: Recorded | RecipeFile, name: str, dealt: Mapping[str, Any], engine: Engine
) -> TakenClasses:
    """The classes of an earlier release, by how it dealt records out.

    Raises:
        SpecError: if it was changed since.
    """
    columns: dict[str, str] = dealt["columns"]
    table: Relation | Sql = _LISTED
    listing, listed = list[Step](), 0
    if isinstance(earlier, RecipeFile):
        names, listed = [*COUNTED, *columns], len(earlier.allotment)
        listing.append(_listed("what the recipe dealt out", names, earlier.allotment))
    else:
        table = engine.item(hold_kept(earlier, ALLOTMENT, (*COUNTED, *columns)))
    by_name = {column: alias for alias, column in columns.items()}
    classes = EarlierAllotment(name, table, by_name, int(dealt["seed"]), listed)
    return TakenClasses(classes, tuple(listing), {})


def held_to_recipe(
    plan: Plan, taken: EarlierCells | EarlierAllotment | None, engine: Engine
) -> Plan:
    """The plan of a script or of dbt models, which look themselves whether the recipe was changed.

    A run reads no recipe that was changed since its own run. A script runs another day, so it holds
    the recipe to the cells, or the allotment, of the day on which it was written.

    Args:
        plan: the plan.
        taken: the classes of an earlier release that it takes over, if it takes any over.
        engine: where that release stands.
    """
    place = 0
    read: Relation | Sql = _SHOWN
    if isinstance(taken, EarlierCells):
        place = next(at for at, one in enumerate(plan, 1) if getattr(one, "output", 0) == _SHOWN)
        reading = plan.steps[place - 1]
        assert isinstance(reading, Step)  # noqa: S101 - the step of `taken_classes`
        earlier = reading.inputs["earlier"]
        if earlier == _LISTED:
            return plan
        kind = Query if isinstance(earlier, Query) else Sql
        now: Relation | Sql = kind(f"({reading.written(engine.dialect).sql(engine.place)})")
        columns = [str(one["alias"]) for one in reading.params["columns"]]
    elif isinstance(taken, EarlierAllotment) and not taken.listed:
        now = read = taken.earlier
        columns = [*COUNTED, *taken.columns.values()]
    else:
        return plan
    rows, content = content_of(now, columns, engine)
    title, params = "the content of the recipe", {"columns": columns}
    looking = Step(title, _CONTENT, "certificate/content", {"released": read}, params)
    check = Check(
        "the recipe is what it was",
        "recipe/check_unchanged",
        {"content": _CONTENT},
        {"rows": rows, "content_then": content},
        "recipe",
        f"{taken.name!r} was changed since this was written: run its spec again, and write this "
        "again",
    )
    steps, phases = [*plan.steps], [*plan.phases]
    steps[place:place] = [looking, check]
    phases[place:place] = [Phase.LOOKING] * 2
    return Plan(tuple(steps), tuple(phases))


def _cells_of(file: RecipeFile) -> Step:
    """The step that has the cells of a file as a relation.

    Raises:
        SpecError: if it has none.
    """
    if not file.cells:
        what = f"{file.relation!r} has levels and no cells: its columns must be published as "
        raise SpecError(Problem("recipe", f"{what}labels of one level here too"))
    return _listed("the cells of the recipe", [one.name for one in file.columns], file.cells)


def _listed(title: str, names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> Step:
    """The step that has rows of a file as a relation."""
    return Step(title, _LISTED, "recipe/listed", {}, {"names": names, "tuples": rows})


def _misfits(
    spec: Spec,
    columns: Mapping[str, Column],
    earlier: Recorded | RecipeFile,
    attributes: Sequence[QuasiAttribute],
    dealt: Mapping[str, Any] | None,
) -> Iterator[Problem]:
    """The quasi-identifiers whose cells are not those of the recipe, or mean something else."""
    for name in () if dealt is None else dealt["columns"].values():
        if name not in spec.quasi_identifiers and name not in spec.sensitive:
            what = f"{spec.recipe!r} dealt records out by {name!r}: declare it as it was there"
            yield Problem("recipe", what)
    there = [one for one in earlier.columns if one.role == "quasi_identifier" and not one.beside]
    forms = {one.name: one.form for one in there}
    here = published_columns(attributes)
    for one in here:
        where = f"quasi_identifiers.{one.source}"
        if one.name not in forms:
            yield Problem(where, f"{spec.recipe!r} has no column {one.name!r}")
        elif forms[one.name] != one.form:
            what = f"{spec.recipe!r} publishes it otherwise, as {forms[one.name]}: so must this"
            yield Problem(where, what)
        elif dealt is None and not form_called(one.form).rule.covers:
            what = f"a {one.form} does not say which values it stands for: no cell to take over"
            yield Problem(where, what)
    lacking = sorted(set(forms) - {one.name for one in here})
    if lacking:
        what = f"its quasi-identifiers are others: {', '.join(lacking)} is none here"
        yield Problem("recipe", what)
    meant = json.loads(earlier.facts.get(_CELLS, "{}"))
    for name in spec.quasi_identifiers:
        same_form = all(forms.get(one.name) == one.form for one in here if one.source == name)
        if same_form and meant.get(name) != _meaning(spec, name, columns[name]):
            what = (
                f"its type, hierarchy or order, or what stands for NULL, is not what "
                f"{spec.recipe!r} was made with, so that its cells would mean something else: "
                "take that, or leave recipe out"
            )
            yield Problem(f"quasi_identifiers.{name}", what)


def _earlier(spec: Spec, engine: Engine) -> Recorded | RecipeFile:
    if is_recipe_file(str(spec.recipe)):
        return read_recipe(str(spec.recipe))
    try:
        return held(str(spec.recipe), engine)
    except SpecError as error:
        raise SpecError([Problem("recipe", one.what) for one in error.problems]) from None


def following_recipe(spec: Spec, engine: Engine) -> Spec:
    """The same spec, with the levels of the release that it takes for its recipe.

    Args:
        spec: what is declared.
        engine: where the earlier release stands.

    Raises:
        SpecError: if there is no such release, it chose no levels, or they mean something else.
    """
    if spec.recipe is None or takes_cells(spec):
        return spec
    earlier = _earlier(spec, engine).facts
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
    now = {name: _level_meaning(spec, name) for name in levelled(spec)}
    for name in now:
        if name not in levels and name not in spec.levels:
            mend = f"give its level, as levels: {{{as_key(name)}: 1}}"
            what = f"{spec.recipe!r} says nothing of it: {mend}"
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


def _level_meaning(spec: Spec, name: str) -> str:
    """A hash of what the labels of a column's levels stand for."""
    return hashlib.sha256(_text(spec, name).encode()).hexdigest()


def meanings(spec: Spec, columns: Mapping[str, Column]) -> dict[str, str]:
    """A hash for each quasi-identifier of what its labels and cells stand for.

    Args:
        spec: what is declared.
        columns: the source's columns.
    """
    return {name: _meaning(spec, name, columns[name]) for name in spec.quasi_identifiers}


def _meaning(spec: Spec, name: str, column: Column) -> str:
    """A hash of what decides which values a cell of a column stands for."""
    declared = spec.quasi_identifiers[name]
    kind = column.kind if column.kind in _ALIKE else column.type
    parts = [_text(spec, name), kind, declared.order, declared.nominal]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False).encode()).hexdigest()


def _text(spec: Spec, name: str) -> str:
    """The base of a column's levels, as text: its hierarchy, and which codes stand for NULL."""
    hierarchy = spec.quasi_identifiers[name].hierarchy
    made_of: Any = None if hierarchy is None else hierarchy.model_dump(mode="json")
    if isinstance(hierarchy, FileHierarchy | TreeHierarchy):
        made_of = sorted(hierarchy_lines(hierarchy, f"quasi_identifiers.{name}.hierarchy", name))
    return json.dumps([made_of, sorted(spec.missing.get(name, ()))], ensure_ascii=False)
