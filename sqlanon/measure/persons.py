"""Counts of an attribute's values where persons are counted and may have several."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.domains import SensitiveAttribute
from sqlanon.plan import Step, work
from sqlanon.sql import Relation


@dataclass(frozen=True)
class PersonCounts:
    """The relations that stand for the persons of every class, of a single attribute.

    Attributes:
        pairs: how many pairs of a person and a value every class has.
        shares: the shares of the values among the persons of every class, as whole numbers.
        wholes: what these are shares of.
    """

    pairs: Relation
    shares: Relation
    wholes: Relation


def person_counts(
    attribute: SensitiveAttribute, sizes: Relation, values: Relation, prefix: str = "class"
) -> tuple[PersonCounts, list[Step]]:
    """The relations that stand for the persons of every class, and the steps that make them.

    Args:
        attribute: the attribute.
        sizes: how many persons every class has.
        values: how many of them have each value.
        prefix: of the names of the relations.
    """
    alias, name = attribute.alias, attribute.name
    counts = PersonCounts(
        work(prefix, "_pairs_", alias),
        work(prefix, "_shares_", alias),
        work(prefix, "_wholes_", alias),
    )
    sharing = {"classes": sizes, "class_values": values}
    return counts, [
        Step(
            f"pairs of a person and a value of {name} in each class",
            counts.pairs,
            "units/class_pairs",
            {"class_values": values},
        ),
        Step(
            f"shares of the values of {name} among the persons of each class",
            counts.shares,
            "units/class_shares",
            sharing,
        ),
        Step(
            f"what these are shares of, of {name}",
            counts.wholes,
            "units/class_pairs",
            {"class_values": counts.shares},
        ),
    ]
