"""The population that a release is measured against: reading it, and counting its tuples."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from sqlanon.domains import QuasiAttribute
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.measure import Population
from sqlanon.plan import Check, Materialization, Step, infeasible, work
from sqlanon.source.source import as_read, check_not_source, inspect_source, lacking
from sqlanon.spec import Column, Spec
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

PEOPLE = work("people")
_SIZE = work("people_size")
_CODED, _TUPLES = work("people_coded"), work("people_tuples")
OF_PEOPLE = (PEOPLE, _CODED)  # of whose rows the source does not tell how many they are
_WHERE = "privacy.population.source"
# Kinds whose values are the same and have the same text in all of their types.
_ALIKE = ("integer", "text", "date", "boolean")


@dataclass(frozen=True)
class People:
    """A population that a spec names.

    Attributes:
        reading: the steps that read it.
        relation: a row for each person, with the quasi-identifiers under their short names.
    """

    reading: tuple[Step | Check, ...]
    relation: Relation

    def counted(
        self, quasi_identifiers: Sequence[QuasiAttribute]
    ) -> tuple[Population, tuple[Step, ...]]:
        """The population as counts of tuples of codes, and the steps that make them.

        Args:
            quasi_identifiers: with domains that have the population's values too.
        """
        codes = tuple(one.alias for one in quasi_identifiers)
        domains = {str(one.alias): one.domain for one in quasi_identifiers}
        coding = Step(
            "coding the population",
            _CODED,
            "source/coded",
            {"records": self.relation} | {f"domain_{alias}": at for alias, at in domains.items()},
            {"attributes": codes, "domains": domains, "carried": (), "telling": {}},
            Materialization.WORK_VIEW,
        )
        counting = Step(
            "the different combinations of the population",
            _TUPLES,
            "population/tuples",
            {"coded": _CODED},
            {"columns": codes},
        )
        return Population(_TUPLES), (coding, counting)


def people_of(
    spec: Spec,
    columns: Mapping[str, Column],
    short: Mapping[str, str],
    engine: Engine,
    written: Sequence[Relation] = (),
) -> People | None:
    """The population of a spec, if it names one.

    Args:
        spec: what is declared.
        columns: the source's columns.
        short: the alias of each of them.
        engine: where the population is.
        written: what the run writes; the release first, or nothing.

    Raises:
        SpecError: if it is not there, lacks a quasi-identifier, or has it in another type.
    """
    population = spec.privacy.population
    if population is None:
        return None
    if written:
        check_not_source(written[0], written, population.source, engine)
    item, found = inspect_source(
        population.source, engine, _WHERE, needed=list(spec.quasi_identifiers)
    )
    there = {one.name: one for one in found}
    problems = lacking(list(spec.quasi_identifiers), population.source, there, _WHERE)
    problems += _misfits([columns[name] for name in spec.quasi_identifiers], there)
    if problems:
        raise SpecError(problems)
    read = [as_read(spec, there[name], Sql(short[name])) for name in spec.quasi_identifiers]
    reading = Step(
        "reading the population",
        PEOPLE,
        "source/records",
        {"source": item},
        {"columns": read},
        Materialization.WORK_TABLE,
    )
    counting = Step("counting the population", _SIZE, "source/record_count", {"records": PEOPLE})
    there_are_some = Check(
        "the population has rows",
        "source/check_not_empty",
        {"size": _SIZE},
        {},
        _WHERE,
        "it has no rows: a population has one for each person",
    )
    least = population.k_map or 1
    enough = Check(
        "the population is large enough",
        "source/check_enough_records",
        {"size": _SIZE},
        {"k": least},
        "privacy.population.k_map",
        f"k-map cannot be reached: k_map is {least}, the population has only {{records}} rows; "
        "lower it",
        infeasible,
    )
    return People((reading, counting, there_are_some, enough), PEOPLE)


def values_of(people: People | None, spec: Spec, short: Mapping[str, str]) -> dict[str, Relation]:
    """By alias, the population whose values the domains have too; empty if there is none."""
    if people is None:
        return {}
    return dict.fromkeys((short[name] for name in spec.quasi_identifiers), people.relation)


def _misfits(columns: Sequence[Column], there: Mapping[str, Column]) -> Iterator[Problem]:
    """The quasi-identifiers whose values are of another type in the population."""
    for one in columns:
        other = there.get(one.name)
        if other is None:
            continue
        alike = one.kind == other.kind and (one.kind in _ALIKE or one.type == other.type)
        if not alike:
            what = f"{one.name!r} is {other.shown_type} there and {one.shown_type} in the source: "
            yield Problem(_WHERE, f"{what}cast one of them in a query")
