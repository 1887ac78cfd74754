"""A recipe in a plan: an earlier release gives the levels or the classes, or is kept for later.

Every column that is published as labels of one level keeps that level. Where there is no such
column, the cells of the earlier release are the new one's classes. The gate decides whether the new
table meets its models so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlanon.clauses.recipe.allotment import COUNTED, Allotment, EarlierAllotment, allotment_of
from sqlanon.clauses.recipe.cells import EarlierCells
from sqlanon.clauses.recipe.declared import (
    ALLOTMENT,
    CELLS,
    NO_CLASSES,
    OF_RECORDS,
    RECIPE,
    is_recipe_file,
    recipe_of,
    takes_cells,
)
from sqlanon.clauses.recipe.file import RecipeFile, read_recipe
from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.draft import Draft, Stages, Told
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError, as_key
from sqlanon.forms import form_called, published_columns
from sqlanon.plan import Phase, Step, work
from sqlanon.record.content import held, hold_kept
from sqlanon.record.dictionary import CELLS_MEAN, LEVELS, LEVELS_MEAN, level_meaning, meanings
from sqlanon.record.ownership import kept_names
from sqlanon.record.recorded import Recorded
from sqlanon.source.attributes import named_values, quasi_attributes
from sqlanon.spec import Column, Spec
from sqlanon.spec.levels import levelled
from sqlanon.spec.load import changed
from sqlanon.spec.refusals import not_found
from sqlanon.sql.names import Relation, Sql

_SHOWN, _LISTED = work("recipe"), work("recipe_listed")
_NAME = "recipe"  # of what is known of it
Taken = EarlierCells | EarlierAllotment
_OF_PERSONS = "{recipe!r} dealt out persons: name them here too (person: COLUMN)"


def read(draft: Draft) -> Draft:
    """The classes of the earlier release are read, if they are taken over.

    Its cells may begin and end with values that the source has not, and so may those of a table
    that is checked.

    Raises:
        SpecError: if there is no such release, or its cells are others or mean something else.
    """
    if not takes_cells(draft.spec):
        return draft
    known = draft.known
    if draft.table is None:
        taken, reading, values = taken_over(draft)
        known = {**known, _NAME: taken}
    else:
        attributes, _ = quasi_attributes(draft.spec, draft.columns, draft.short)
        title, shown = "the table's cells", work("own_cells")
        reading, values = named_values(title, draft.table, attributes, shown, where="table")
    draft = replace(draft, known=known, others={**draft.others, **values})
    return draft.adding(Phase.LOOKING, *reading)


def forming(draft: Draft) -> Taken | None:
    """The classes of the earlier release, if they are taken over."""
    return draft.known.get(_NAME)


def formed(draft: Draft) -> Draft:
    """How records were dealt out is kept, if the spec asks for it.

    Raises:
        SpecError: if the classes do not tell it.
    """
    task, classes, release = draft.task, draft.classes, draft.release
    if release is None or ALLOTMENT not in kept_names(draft.spec):
        return draft
    assert task is not None and classes is not None  # noqa: S101, PT018 - the stages before
    # What follows is shown by the records of a class, too, once classes are formed.
    follows = len(draft.spec.leading) < len(draft.spec.quasi_identifiers)
    if (classes.covered is not None and not task.projected) or (classes.cells and not follows):
        what = "the cells here follow from more than the records of a class: leave it out"
        raise SpecError(Problem("allotment", what))
    unit = draft.unit
    found = allotment_of(task, classes, release.sibling(ALLOTMENT), unit)
    if draft.spec.shows_exact:
        means = meanings(draft.spec, draft.columns)
        found = replace(found, publication=draft.spec.publication, means=means)
    kept = {**draft.kept, found.step.output: found.names}
    draft = replace(draft, kept=kept, known={**draft.known, _NAME: found})
    return draft.adding(Phase.PUBLISHING, *found.before, found.step)


def told(known: Any, release: Relation, engine: Engine) -> Told:
    """The allotment that the run keeps, and the facts by which a later run reads it."""
    if not isinstance(known, Allotment):
        return Told()
    facts = [(ALLOTMENT, known.facts)]
    facts += [(CELLS_MEAN, dict(known.means))] if known.means else []
    kept = (
        f"Kept for a recipe: {known.step.output} (values of records and the class that these went "
        "to). Show it to nobody."
    )
    as_kept = ((name, json.dumps(fact, ensure_ascii=False)) for name, fact in facts)
    return Told(facts=tuple(as_kept), kept=kept)


def taken_over(draft: Draft) -> tuple[Taken, list[Step], dict[str, Relation]]:
    """The classes of the release that a spec takes for its recipe.

    They are what it dealt out, where its run kept that, and else its cells.

    Returns:
        They; the steps that read them; and by alias of a quasi-identifier the values that cells
        name.

    Raises:
        SpecError: if there is no such release, or its cells are others or mean something else.
    """
    spec, columns, engine = draft.spec, draft.columns, draft.engine
    earlier, attributes = _earlier(spec, engine), quasi_attributes(spec, columns, draft.short)[0]
    dealt = json.loads(earlier.facts[ALLOTMENT]) if ALLOTMENT in earlier.facts else None
    of_persons = draft.unit.number is not None
    problems = list(not_found(spec, RECIPE, CELLS)) if dealt is None else []
    if dealt is not None and of_persons != bool(dealt.get("persons")):
        what = OF_RECORDS if of_persons else _OF_PERSONS
        problems.append(Problem("recipe", what.format(recipe=recipe_of(spec))))
    problems = problems or list(_misfits(spec, columns, earlier, attributes, dealt))
    if problems:
        raise SpecError(problems)
    # The path of a file is nobody's but this machine's.
    name = earlier.relation if isinstance(earlier, RecipeFile) else str(recipe_of(spec))
    if dealt is not None:
        return _allotment(earlier, name, dealt, draft)
    title, listing = f"reading the cells of {earlier.relation}", list[Step]()
    table: Relation | Sql = _LISTED
    if isinstance(earlier, RecipeFile):
        listing.append(_cells_of(earlier))
    else:
        earlier.columns_there(earlier.relation)
        table = engine.item(earlier.relation)
    reading, values = named_values(title, table, attributes, shown=_SHOWN, where="recipe")
    read = (*listing, reading[0])
    return EarlierCells(name, _SHOWN, read), [*listing, *reading], values


def _allotment(
    earlier: Recorded | RecipeFile, name: str, dealt: Mapping[str, Any], draft: Draft
) -> tuple[Taken, list[Step], dict[str, Relation]]:
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
        table = draft.engine.item(hold_kept(earlier, ALLOTMENT, (*COUNTED, *columns)))
    by_name = {column: alias for alias, column in columns.items()}
    classes = EarlierAllotment(
        name=name,
        earlier=table,
        columns=by_name,
        seed=int(dealt["seed"]),
        listed=listed,
        unit=draft.unit,
    )
    return classes, listing, {}


def _cells_of(file: RecipeFile) -> Step:
    """The step that has the cells of a file as a relation.

    Raises:
        SpecError: if it has none.
    """
    if not file.cells:
        what = f"{file.relation!r} has levels and no cells: its columns must be published as "
        raise SpecError(Problem("recipe", f"{what}labels of one level here too"))
    return _listed("the cells of the recipe", [column.name for column in file.columns], file.cells)


def _listed(title: str, names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> Step:
    """The step that has rows of a file as a relation."""
    return Step(title, _LISTED, "clauses/recipe/listed", {}, {"names": names, "tuples": rows})


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
            what = f"{recipe_of(spec)!r} dealt records out by {name!r}: declare it as it was there"
            yield Problem("recipe", what)
    there = (dealt or {}).get("publication", "")
    if spec.shows_exact or there:
        if there == spec.publication:
            yield from _other_meanings(spec, columns, earlier, spec.quasi_identifiers)
        else:
            what = f"{recipe_of(spec)!r} is published as {there or 'cells'}: so must this"
            yield Problem("publish", what)
        return
    if dealt is None and CELLS_MEAN not in earlier.facts:
        yield Problem("recipe", NO_CLASSES.format(recipe=recipe_of(spec)))
        return
    forms = {
        column.name: column.form
        for column in earlier.columns
        if column.role == "quasi_identifier" and not column.beside
    }
    here = published_columns(attributes)
    for column in here:
        where = f"quasi_identifiers.{column.source}"
        if column.name not in forms:
            yield Problem(where, f"{recipe_of(spec)!r} has no column {column.name!r}")
        elif forms[column.name] != column.form:
            what = (
                f"{recipe_of(spec)!r} publishes it otherwise, as {forms[column.name]}: so must this"
            )
            yield Problem(where, what)
        elif dealt is None and not form_called(column.form).rule.covers:
            what = f"a {column.form} does not say which values it stands for: no cell to take over"
            yield Problem(where, what)
    lacking = sorted(set(forms) - {column.name for column in here})
    if lacking:
        what = f"its quasi-identifiers are others: {', '.join(lacking)} is none here"
        yield Problem("recipe", what)
    alike = (
        name
        for name in spec.quasi_identifiers
        if all(forms.get(column.name) == column.form for column in here if column.source == name)
    )
    yield from _other_meanings(spec, columns, earlier, alike)


def _other_meanings(
    spec: Spec, columns: Mapping[str, Column], earlier: Recorded | RecipeFile, names: Iterable[str]
) -> Iterator[Problem]:
    """The quasi-identifiers whose values or cells mean something else than in the recipe."""
    meant, now = json.loads(earlier.facts.get(CELLS_MEAN, "{}")), meanings(spec, columns)
    for name in names:
        if meant.get(name) == now[name]:
            continue
        what = (
            f"its type, hierarchy or order, or what stands for NULL, is not what "
            f"{recipe_of(spec)!r} was made with, so that its cells would mean something else: "
            "take that, or leave recipe out"
        )
        yield Problem(f"quasi_identifiers.{name}", what)


def _earlier(spec: Spec, engine: Engine) -> Recorded | RecipeFile:
    if is_recipe_file(str(recipe_of(spec))):
        return read_recipe(str(recipe_of(spec)))
    try:
        return held(str(recipe_of(spec)), engine)
    except SpecError as error:
        raise SpecError([Problem("recipe", problem.what) for problem in error.problems]) from None


def filled(spec: Spec, engine: Engine) -> Spec:
    """The same spec, with the levels of the release that it takes for its recipe.

    Args:
        spec: what is declared.
        engine: where the earlier release stands.

    Raises:
        SpecError: if there is no such release, it chose no levels, or they mean something else.
    """
    if recipe_of(spec) is None or takes_cells(spec):
        return spec
    earlier = _earlier(spec, engine).facts
    if LEVELS not in earlier or LEVELS_MEAN not in earlier:
        what = (
            f"{recipe_of(spec)!r} has no column of one level to take over: its method was "
            f"{earlier['method']}; name a release of a method such as optimal"
        )
        raise SpecError(Problem("recipe", what))
    levels: dict[str, int] = json.loads(earlier[LEVELS])
    problems = list(_problems(spec, levels, json.loads(earlier[LEVELS_MEAN])))
    if problems:
        raise SpecError(problems)
    fixed = {name: (level, level) for name, level in levels.items()}
    return changed(spec, levels={**spec.levels, **fixed})


def _problems(spec: Spec, levels: Mapping[str, int], meanings: Mapping[str, str]) -> list[Problem]:
    """Where the recipe and the spec do not go together."""
    problems = []
    now = {name: level_meaning(spec, name) for name in levelled(spec)}
    for name in now:
        if name not in levels and name not in spec.levels:
            mend = f"give its level, as levels: {{{as_key(name)}: 1}}"
            what = f"{recipe_of(spec)!r} says nothing of it: {mend}"
            problems.append(Problem(f"quasi_identifiers.{name}", what))
    for name, level in levels.items():
        if name not in now:
            what = f"{recipe_of(spec)!r} publishes {name!r} at one level, and this spec does not"
            problems.append(Problem("recipe", what))
        elif level and now[name] != meanings[name]:
            what = (
                f"its hierarchy, or what stands for NULL, is not what {recipe_of(spec)!r} was made "
                f"with, so that level {level} would mean something else: take that, or leave "
                "recipe out and give the levels"
            )
            problems.append(Problem(f"quasi_identifiers.{name}.hierarchy", what))
        elif spec.levels.get(name, (level, level)) != (level, level):
            what = f"{recipe_of(spec)!r} has level {level}: leave this one out, or the recipe"
            problems.append(Problem(f"levels.{name}", what))
    return problems


STAGES = Stages(fill=filled, read=read, forming=forming, form=formed, told=told)
