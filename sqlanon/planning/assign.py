"""From the records to an equivalence class for each of them, in the way that the spec asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlanon.domains import (
    BackgroundAttribute,
    GuardAttribute,
    QuasiAttribute,
    SensitiveAttribute,
    telling,
)
from sqlanon.joining import clusters_apart, holding_guards
from sqlanon.measure import Population, asked_models, asked_population, asked_subsets
from sqlanon.methods import Counts, Forming, Grouping, Recipe, Task, coarsened, method_of
from sqlanon.methods.allotment import EarlierAllotment
from sqlanon.methods.recipe import EarlierCells
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.planning.persons import ByPerson
from sqlanon.series.companions import Follows
from sqlanon.series.reuse import Continued
from sqlanon.source.background import KNOWN_CODED, background_steps
from sqlanon.source.guard import GUARDED_CODED, guard_steps
from sqlanon.source.persons import NUMBER
from sqlanon.source.source import RECORDS, ties
from sqlanon.spec import Column, Spec
from sqlanon.spec.publication import least_class
from sqlanon.sql.names import Sql

CODED = work("coded")


def task_of(
    spec: Spec,
    columns: Mapping[str, Column],
    short: Mapping[str, str],
    quasi_identifiers: Sequence[QuasiAttribute],
    sensitive: Sequence[SensitiveAttribute],
    count: Callable[[], Counts],
    backgrounds: Sequence[BackgroundAttribute] = (),
    population: Population | None = None,
    guards: Sequence[GuardAttribute] = (),
) -> Task:
    """What the method of a spec is given.

    Args:
        spec: what is declared.
        columns: the source's columns.
        short: the alias of each of them.
        quasi_identifiers: with their domains.
        sensitive: with their domains.
        count: counts the source.
        backgrounds: what is known of the records.
        population: the population, where one is declared.
        guards: what persons guard.
    """
    coded = GUARDED_CODED if guards else CODED
    return Task(
        records=RECORDS,
        coded=KNOWN_CODED if backgrounds else coded,
        quasi_identifiers=tuple(quasi_identifiers),
        sensitive=tuple(sensitive),
        insensitive=tuple(Sql(short[name]) for name in (*spec.insensitive, *spec.pseudonyms)),
        key=tuple(Sql(short[name]) for name in spec.key),
        ties=tuple(map(Sql, ties(spec, columns))),
        models=tuple(asked_models(spec.privacy, [*sensitive, *backgrounds, *guards])),
        k=least_class(spec),
        seed=spec.seed,
        suppression=spec.most_suppressed,
        count=count,
        backgrounds=tuple(backgrounds),
        subsets=tuple(asked_subsets(spec.privacy)),
        population=population,
        asked_beside=tuple(asked_population(spec.privacy)),
        guards=tuple(guards),
    )


def forming_of(
    spec: Spec,
    person: Sequence[Sql],
    follows: Follows | None = None,
    earlier: EarlierCells | EarlierAllotment | None = None,
) -> Forming:
    """The way in which a spec's classes are formed: by its method, if by nothing else.

    Args:
        spec: names the method.
        person: the columns that name whom a record is about, if persons are counted.
        follows: how the release follows earlier ones, if their classes are to go on.
        earlier: the cells or the allotment of an earlier release, if its classes are taken over.
    """
    if follows is not None:
        return Continued(follows)
    if earlier is not None:
        return earlier
    method = method_of(spec.method)
    return ByPerson(method, tuple(person), spec.privacy) if person else method


def assignment(
    task: Task,
    forming: Forming,
    person: Sequence[Sql],
    tables: Mapping[str, Any] | None = None,
) -> Grouping:
    """The steps from the records to a class for each of them.

    Args:
        task: what the classes are formed of.
        forming: how they are formed.
        person: the columns that name whom a record is about, if persons are counted.
        tables: the FROM items of given backgrounds, by sensitive attribute.
    """
    codes = (*task.quasi_codes, *forming.value_columns(task.sensitive))
    domains = {str(one.alias): one.domain for one in (*task.quasi_identifiers, *task.sensitive)}
    carried = (*task.insensitive, *task.key, *person, *task.ties)
    coding = Step(
        "coding the records",
        CODED,
        "source/coded",
        {"records": RECORDS} | {f"domain_{alias}": at for alias, at in domains.items()},
        {
            "attributes": codes,
            "domains": domains,
            "carried": (*carried, *(one.label for one in task.guards)),
            "telling": telling(task.sensitive),
        },
        Materialization.WORK_VIEW,
    )
    knowing: list[Step | Check] = []
    if task.guards:
        knowing += guard_steps(CODED, codes, carried, task.guards, task.sensitive)
    if task.backgrounds:
        knowing += _knowing(task, (*codes, *task.guard_codes, *carried), tables or {})
    formed = clusters_apart(task, forming.group(task))
    formed = holding_guards(task, formed)
    formed = coarsened(task, formed, NUMBER if person else None)
    # Where single cells are suppressed, the others are values, and no groups to take over.
    recipe = Recipe.of(task.quasi_identifiers) if formed.suppressed_cells is None else None
    steps = (coding, *knowing, *formed.steps)
    return replace(formed, steps=steps, recipe=recipe, coding=coding)


def _knowing(task: Task, columns: Sequence[Sql], tables: Mapping[str, Any]) -> list[Step | Check]:
    """The steps that say of every record what is known of it."""
    return background_steps(
        GUARDED_CODED if task.guards else CODED,
        columns,
        task.backgrounds,
        task.sensitive,
        task.quasi_identifiers,
        tables,
    )
