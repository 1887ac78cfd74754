"""Persons in a plan: they are numbered, and the method forms classes of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sqlanon.clauses.person.forming import ByPerson
from sqlanon.domains.unit import Unit
from sqlanon.draft import Draft, Stages
from sqlanon.methods import method_of
from sqlanon.plan import Check, Step, infeasible, work
from sqlanon.source.source import RECORD_UNIT, RECORDS
from sqlanon.spec import Column
from sqlanon.spec.clauses import goes_on
from sqlanon.sql.names import Sql

_PERSONS, _SIZE = work("persons"), work("person_size")
_TOO_FEW = "k-anonymity cannot be reached: k is {k}, the source has only {records} persons; lower k"


@dataclass(frozen=True)
class Persons(Unit):
    """Persons as what a class counts."""

    def values(self, column: Column, alias: str) -> Step:
        """The step that pairs the persons with their values of a column."""
        return Step(
            f"values of {column.name} of each person",
            work("pairs_", alias),
            "clauses/person/pairs",
            {"records": RECORDS},
            {"attribute": Sql(alias), "telling": column.telling, "person": self.columns},
        )

    def taken(self, columns: Sequence[Sql]) -> Step:
        """The step that takes one record of each person, where what they share is to count once."""
        return Step(
            "one record of each person, as it is",
            self.once,
            "clauses/person/one_record",
            {"records": RECORDS},
            {"columns": tuple(columns), "person": self.columns},
        )


def unit(draft: Draft) -> Unit:
    """Persons; or records, of which a person adds no more than a bound to what is published."""
    spec = draft.spec
    person = tuple(Sql(draft.short[name]) for name in spec.person)
    named = Check(
        "every record is about a person",
        "clauses/person/check_named",
        {"records": RECORDS},
        {"person": person},
        "person",
        "{records} records do not say whom they are about, so persons cannot be counted: fill "
        "the column, or leave these records out by a query",
    )
    if spec.counts:
        return replace(RECORD_UNIT, bounded=person, steps=(named,))
    numbering = Step(
        "numbering the persons",
        _PERSONS,
        "clauses/person/persons",
        {"records": RECORDS},
        {"person": person},
    )
    counting = Step("counting the persons", _SIZE, "source/record_count", {"records": _PERSONS})
    enough = Check(
        "there are enough persons",
        "source/check_enough_records",
        {"size": _SIZE},
        {"k": spec.privacy.k},
        "privacy.k",
        _TOO_FEW.replace("{k}", str(spec.privacy.k)),
        infeasible,
    )
    return Persons(
        noun="person",
        numbered=_PERSONS,
        size=_SIZE,
        once=work("one_record"),
        columns=person,
        number=Sql("x0"),
        steps=(named, numbering, counting, enough),
    )


def forming(draft: Draft) -> ByPerson | None:
    """The method's classes of persons; where classes go on, none leave but for lack of company."""
    if draft.unit.number is None:
        return None
    method = method_of(draft.spec.method)
    return ByPerson(method, draft.unit, draft.spec.privacy, not goes_on(draft.spec))


STAGES = Stages(unit=unit, forming=forming)
