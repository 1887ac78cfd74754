"""Persons: where several records are about one, k, l and t count persons and not records.

A method forms classes of persons, one record standing for each; every record then follows its
person. The published rows are held against the source and the persons row by row. Steps that know
nothing of the method measure them on all of the persons' values.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlanon.domains import SensitiveAttribute
from sqlanon.plan import Check, Materialization, Step, infeasible, work
from sqlanon.source.source import RECORDS
from sqlanon.spec import Column
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

PERSONS, PERSON_SIZE = work("persons"), work("person_size")
ONE_RECORD = work("one_record")
UNITS, UNIT_VALUES = work("units"), work("unit_values")
UNIT_CLASSES, FOLLOWED = work("unit_classes"), work("followed")
# A person's number, in work relations alone.
NUMBER = Sql("x0")
_TOO_FEW = "k-anonymity cannot be reached: k is {k}, the source has only {records} persons; lower k"


def person_steps(person: Sequence[Sql], k: int) -> list[Step | Check]:
    """The steps that number the persons, once it is known of every record whom it is about.

    Args:
        person: the columns that name a person.
        k: how many persons a class must have.
    """
    return [
        check_named(person),
        Step(
            "numbering the persons",
            PERSONS,
            "persons/persons",
            {"records": RECORDS},
            {"person": tuple(person)},
        ),
        Step("counting the persons", PERSON_SIZE, "source/record_count", {"records": PERSONS}),
        Check(
            "there are enough persons",
            "source/check_enough_records",
            {"size": PERSON_SIZE},
            {"k": k},
            "privacy.k",
            _TOO_FEW.replace("{k}", str(k)),
            infeasible,
        ),
    ]


def check_named(person: Sequence[Sql]) -> Check:
    """The check that it is known of every record whom it is about.

    Args:
        person: the columns that name a person.
    """
    return Check(
        "every record is about a person",
        "persons/check_named",
        {"records": RECORDS},
        {"person": tuple(person)},
        "person",
        "{records} records do not say whom they are about, so persons cannot be counted: fill "
        "the column, or leave these records out by a query",
    )


def one_record_step(person: Sequence[Sql], columns: Sequence[Sql]) -> Step:
    """The step that takes one record of each person, where what they share is to count once."""
    return Step(
        "one record of each person, as it is",
        ONE_RECORD,
        "persons/one_record",
        {"records": RECORDS},
        {"columns": tuple(columns), "person": tuple(person)},
    )


def pairs_step(column: Column, alias: str, person: Sequence[Sql]) -> Step:
    """The step that pairs the persons with their values of a sensitive attribute."""
    return Step(
        f"values of {column.name} of each person",
        work("pairs_", alias),
        "persons/pairs",
        {"records": RECORDS},
        {"attribute": Sql(alias), "telling": column.telling, "person": tuple(person)},
    )


def unit_steps(
    coded: Relation,
    person: Sequence[Sql],
    coordinates: Sequence[Sql],
    sensitive: Sequence[SensitiveAttribute],
    seed: int,
    persons: Relation = PERSONS,
) -> tuple[list[Step], tuple[SensitiveAttribute, ...]]:
    """The steps that choose one record to stand for each person.

    Args:
        coded: the records with integer codes.
        person: the columns that name a person.
        coordinates: the codes.
        sensitive: the sensitive attributes.
        seed: of the choice.
        persons: those that are to be published.

    Returns:
        The steps, and the sensitive attributes with the frequencies of what was chosen.
    """
    steps = [
        Step(
            "one record for each person",
            UNITS,
            "persons/units",
            {"coded": coded, "persons": persons},
            {
                "coordinates": tuple(coordinates),
                "drawn_by": (NUMBER, *coordinates),
                "person": tuple(person),
                "seed": seed,
            },
        )
    ]
    counting, chosen = frequency_steps(UNITS, UNIT_VALUES, sensitive, "unit_positions_")
    return [*steps, *counting], chosen


def frequency_steps(
    units: Relation,
    values: Relation,
    sensitive: Sequence[SensitiveAttribute],
    prefix: str,
) -> tuple[list[Step], tuple[SensitiveAttribute, ...]]:
    """The steps that count the sensitive values among records that stand for persons.

    Args:
        units: one record for each person.
        values: the relation to make: their sensitive values.
        sensitive: the sensitive attributes.
        prefix: of the names of the relations of frequencies.
    """
    steps: list[Step] = []
    chosen = []
    for attribute in sensitive:
        positions = work(prefix, attribute.alias)
        hierarchical = attribute.nodes is not None
        steps.append(
            Step(
                f"frequencies of {attribute.name} among them",
                positions,
                "persons/unit_positions",
                {"positions": attribute.positions, "units": units},
                {
                    "attribute": attribute.alias,
                    "height": attribute.height if hierarchical else 0,
                },
            )
        )
        chosen.append(replace(attribute, positions=positions))
    if sensitive:
        domains = {str(one.alias): one.domain for one in sensitive}
        steps.append(
            Step(
                "their sensitive values",
                values,
                "persons/unit_values",
                {"units": units} | {f"domain_{alias}": at for alias, at in domains.items()},
                {"sensitive": tuple(one.alias for one in sensitive), "domains": domains},
                Materialization.WORK_VIEW,
            )
        )
    return steps, tuple(chosen)


def following_step(
    coded: Relation,
    classes: Relation,
    person: Sequence[Sql],
    columns: Sequence[Sql],
) -> Step:
    """The step by which all records of a person go to his or her class."""
    return Step(
        "all records follow their persons",
        FOLLOWED,
        "persons/assigned",
        {"coded": coded, "persons": PERSONS, "unit_classes": classes},
        {"columns": tuple(columns), "person": tuple(person)},
    )
