"""A population in a plan: it is read and counted, and published cells are held against it.

The count is of the population's rows that lie in the cells of every published tuple, for all forms
and methods. Everybody in the release is one of the population, so that a tuple covers at least as
many of it as it has records. A run refuses a release of which that is not so: then nothing that is
asked against the population means anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from sqlanon.clauses.population.declared import WHERE, population_of
from sqlanon.draft import Draft, Stages
from sqlanon.errors import Problem, SpecError
from sqlanon.measure.cover import cells_of
from sqlanon.measure.view import COVERED, AdversaryView
from sqlanon.plan import FOUND, Check, Materialization, Phase, Step, infeasible, work
from sqlanon.source.source import (
    PEOPLE,
    PEOPLE_CODED,
    OtherTable,
    as_read,
    check_not_source,
    inspect_source,
    lacking,
)
from sqlanon.spec import Column
from sqlanon.sql.names import Sql

_SIZE, _TUPLES = work("people_size"), work("people_tuples")
_SOURCE = f"{WHERE}.source"
# Kinds whose values are the same and have the same text in all of their types.
_ALIKE = ("integer", "text", "date", "boolean")
_NOT_OF_IT = (
    f"the released persons are to be of the population, and {FOUND.classes} published tuples with "
    f"{FOUND.records} records cover only {FOUND.covered} of its rows: name the table that they are "
    "from, with a row for each person and the values that the source has of them"
)


def read(draft: Draft) -> Draft:
    """The population is read, and the quasi-identifiers' domains have its values, too.

    Raises:
        SpecError: if it is not there, lacks a quasi-identifier, or has it in another type.
    """
    spec, short, names = draft.spec, draft.short, list(draft.spec.quasi_identifiers)
    population = population_of(spec)
    assert population is not None  # noqa: S101 - the stages of a spec that names one
    if draft.written:
        check_not_source(draft.written[0], draft.written, population.source, draft.engine)
    item, found = inspect_source(population.source, draft.engine, _SOURCE, needed=names)
    there = {column.name: column for column in found}
    problems = lacking(names, population.source, there, _SOURCE)
    problems += _misfits([draft.columns[name] for name in names], there)
    if problems:
        raise SpecError(problems)
    reading = Step(
        "reading the population",
        PEOPLE,
        "source/records",
        {"source": item},
        {"columns": [as_read(spec, there[name], Sql(short[name])) for name in names]},
        Materialization.WORK_TABLE,
    )
    counting = Step("counting the population", _SIZE, "source/record_count", {"records": PEOPLE})
    there_are_some = Check(
        "the population has rows",
        "source/check_not_empty",
        {"size": _SIZE},
        {},
        _SOURCE,
        "it has no rows: a population has one for each person",
    )
    least = population.k_map or 1
    enough = Check(
        "the population is large enough",
        "source/check_enough_records",
        {"size": _SIZE},
        {"k": least},
        f"{WHERE}.k_map",
        f"k-map cannot be reached: k_map is {least}, the population has only {FOUND.records} rows; "
        "lower it",
        infeasible,
    )
    others = {**draft.others, **dict.fromkeys((short[name] for name in names), PEOPLE)}
    draft = draft.adding(Phase.READING, reading, counting, there_are_some, enough)
    table = OtherTable(_SOURCE, population.source, item)
    return replace(draft, others=others, tables=(*draft.tables, table))


def looked(draft: Draft) -> Draft:
    """The population as counts of tuples of codes."""
    codes = tuple(attribute.alias for attribute in draft.quasi_identifiers)
    domains = {str(attribute.alias): attribute.domain for attribute in draft.quasi_identifiers}
    coding = Step(
        "coding the population",
        PEOPLE_CODED,
        "source/coded",
        {"records": PEOPLE} | {f"domain_{alias}": at for alias, at in domains.items()},
        {"attributes": codes, "domains": domains, "nodes": {}, "carried": (), "tie_breaker": {}},
        Materialization.WORK_VIEW,
    )
    counting = Step(
        "the different combinations of the population",
        _TUPLES,
        "clauses/population/tuples",
        {"coded": PEOPLE_CODED},
        {"columns": codes},
    )
    return replace(draft, people=_TUPLES).adding(Phase.FORMING, coding, counting)


def measured(draft: Draft, view: AdversaryView) -> list[Step | Check]:
    """The steps that find how many of the population each published tuple covers."""
    assert draft.people is not None  # noqa: S101 - a stage before
    cells = cells_of(view.priced, view.classes)
    covering = Step(
        "how much of the population each tuple covers",
        COVERED,
        "clauses/population/covered",
        {"classes": view.sizes, "population": draft.people, **cells.inputs},
        {"columns": cells.columns},
    )
    of_it = Check(
        "every released person is one of the population",
        "clauses/population/check_covered",
        {"covered": COVERED},
        {},
        _SOURCE,
        _NOT_OF_IT,
    )
    return [*cells.steps, covering, of_it]


def _misfits(columns: Sequence[Column], there: Mapping[str, Column]) -> Iterator[Problem]:
    """The quasi-identifiers whose values are of another type in the population."""
    for column in columns:
        other = there.get(column.name)
        if other is None:
            continue
        alike = column.kind == other.kind and (column.kind in _ALIKE or column.type == other.type)
        if not alike:
            types = f"is {other.shown_type} there and {column.shown_type} in the source"
            yield Problem(_SOURCE, f"{column.name!r} {types}: cast one of them in a query")


STAGES = Stages(read=read, look=looked, measure=measured)
