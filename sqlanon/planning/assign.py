"""From the records to an equivalence class for each of them, in the way that the spec asks for.

Classes of recoded records are held to every model before any of them is published.

A script and a view of the source leave a class out by SQL alone: for the first model that it
violates, as a run does. The gate of a run measures again what is published then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sqlanon.domains.attribute import tie_breaker
from sqlanon.draft import Draft, Stages
from sqlanon.forms.label import one_level_of
from sqlanon.measure.asked import OF_RECORDS, Asked, asked_of_covered, held_step
from sqlanon.methods import method_of
from sqlanon.methods.method import PLACED, Counts, Forming, Task
from sqlanon.methods.strata import Strata, strata_held, strata_of
from sqlanon.plan import Materialization, Phase, Step, work
from sqlanon.source.source import RECORDS, ties
from sqlanon.spec.publication import least_class
from sqlanon.sql.names import Relation, Sql

RECODED = work("recoded")  # every record with its labels, where some may be left out
CLASSES, JUDGED = work("recoded_classes"), work("judged_classes")
_TITLE = "which classes meet every model"


def judging_steps(published: Sequence[Sql], asked: Sequence[Asked], of_cells: bool) -> list[Step]:
    """The steps from `RECODED` to `JUDGED`: the first model that each of its classes violates.

    Args:
        published: the columns that stand for quasi-identifiers.
        asked: the models that are asked for.
        of_cells: whether known cells are laid over the records, of which some may lie in none.
    """
    outside = {"outside": PLACED} if of_cells else {}
    bounded = [replace(model, stem="judged") for model in asked if model.bound is not None]
    if [model.key for model in bounded] == [OF_RECORDS]:
        inputs = {"recoded": RECODED, **outside}
        sized = {"published": tuple(published), "k": bounded[0].demand.threshold}
        return [Step(_TITLE, JUDGED, "recode/sized_classes", inputs, sized)]
    attributes = {model.attribute.alias: model.attribute for model in bounded if model.attribute}
    values = {str(alias): work("recoded_values_", alias) for alias in attributes}
    shown = {"published": tuple(published)}
    steps = [
        Step("classes of the records", CLASSES, "measure/classes", {"measured": RECODED}, shown)
    ]
    for alias, attribute in attributes.items():
        inputs = {"measured": RECODED, "classes": CLASSES, "positions": attribute.positions}
        params = {"attribute": alias, "tie_breaker": attribute.tie_breaker, **shown}
        title = f"values of {attribute.name} in each of them"
        steps.append(Step(title, values[str(alias)], "measure/class_values", inputs, params))
    steps += [model.step(CLASSES, values) for model in bounded]
    inputs = {"placed": CLASSES, **outside}
    holding = held_step(bounded, work("judged_held"))
    if holding is not None:
        steps.append(holding)
        inputs["held"] = holding.output
    return [*steps, Step(_TITLE, JUDGED, "recode/judged_classes", inputs, shown)]


def tasked(draft: Draft, count: Callable[[], Counts]) -> Draft:
    """The draft with the task of the spec's method, once all attributes are known."""
    spec, short = draft.spec, draft.short
    models = draft.models
    strata = strata_of(spec, draft.quasi_identifiers)
    task = Task(
        records=RECORDS,
        coded=draft.coded,
        quasi_identifiers=draft.quasi_identifiers,
        sensitive=draft.sensitive,
        insensitive=tuple(Sql(short[name]) for name in (*spec.insensitive, *spec.pseudonyms)),
        key=tuple(Sql(short[name]) for name in spec.key),
        ties=tuple(map(Sql, ties(spec, draft.columns))),
        models=models,
        k=least_class(spec),
        seed=spec.seed,
        count=count,
        projected=draft.projected,
        people=draft.people,
        of_people=tuple(asked_of_covered(spec.privacy)),
        hidden=draft.hidden,
        clusters=Strata(models, strata) if strata else None,
    )
    return replace(draft, task=task)


def _forming_of(draft: Draft, clauses: Sequence[Stages]) -> Forming:
    """The way in which a spec's classes are formed: by its method, if by nothing else."""
    for stages in clauses:
        forming = stages.forming(draft)
        if forming is not None:
            return forming
    return method_of(draft.spec.method)


def formed(draft: Draft, clauses: Sequence[Stages]) -> Draft:
    """A class for each of the records."""
    forming = _forming_of(draft, clauses)
    draft, coding = _coded(draft, forming)
    # The last codes first: a clause may read the codes of those after it.
    for stages in reversed(clauses):
        draft = stages.code(draft)
    assert draft.task is not None  # noqa: S101 - a stage before
    task = replace(draft.task, coded=draft.coded)
    draft = replace(draft, task=task, classes=forming.group(task))
    for stages in clauses:
        draft = stages.form(draft)
    classes = draft.classes
    assert classes is not None  # noqa: S101 - as set above
    strata = () if task.clusters is None else task.clusters.strata
    levels: dict[str, Relation] | None = None
    if classes.suppressed_cells is None:  # else the other cells are values, and no groups
        levelled = (attribute for attribute in task.quasi_identifiers if attribute.of_one_level)
        levels = {attribute.name: one_level_of(attribute.alias) for attribute in levelled}
    draft = draft.adding(Phase.FORMING, *classes.steps, *strata_held(strata, classes))
    classes = replace(classes, levels=levels, forming=forming, coding=coding)
    return replace(draft, classes=classes)


def _coded(draft: Draft, forming: Forming) -> tuple[Draft, Step]:
    """The records with codes, and the step that codes them."""
    task = draft.task
    assert task is not None  # noqa: S101 - a stage before
    codes = (*task.quasi_codes, *forming.value_columns(task.sensitive))
    carried = (*task.insensitive, *task.key, *draft.unit.columns, *task.ties)
    domains = {
        str(attribute.alias): attribute.domain
        for attribute in (*task.quasi_identifiers, *task.sensitive)
    }
    coding = Step(
        "coding the records",
        draft.coded,
        "source/coded",
        {"records": RECORDS} | {f"domain_{alias}": at for alias, at in domains.items()},
        {
            "attributes": codes,
            "domains": domains,
            "nodes": {
                attribute.alias: attribute.node
                for attribute in task.quasi_identifiers
                if attribute.coarse
            },
            "carried": (
                *carried,
                *(column for attribute in task.hidden for column in attribute.read),
            ),
            "tie_breaker": tie_breaker(task.sensitive),
        },
        Materialization.WORK_VIEW,
    )
    return replace(draft, codes=codes, carried=carried).adding(Phase.FORMING, coding), coding
