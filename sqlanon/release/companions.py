"""Companions: persons who are in the same class of every release, and what they have."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.domains import SensitiveAttribute
from sqlanon.measure import Asked
from sqlanon.plan import Check, Materialization, Step, work
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.release.kept import Kept
from sqlanon.release.persons import PERSONS
from sqlanon.spec import Spec
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class Shown:
    """A sensitive attribute, as a series holds it.

    Attributes:
        attribute: the attribute.
        least: how many values must be possible; 0 if nothing is asked of them.
        demand: the place of what asks it among the models that are asked for.
        earlier: the earlier releases whose classes rule out a value; none where values change.
    """

    attribute: SensitiveAttribute
    least: int
    demand: int
    earlier: tuple[Kept, ...]

    @property
    def alias(self) -> Sql:
        """Its name in work relations."""
        return self.attribute.alias


@dataclass(frozen=True)
class Follows:
    """How a release follows earlier ones.

    Attributes:
        spec: what is declared.
        person: the columns that name a person, in the records.
        earlier: what the earlier releases kept.
        shown: the sensitive attributes.
        demand: the place of k among the models that are asked for.
    """

    spec: Spec
    person: tuple[Sql, ...]
    earlier: tuple[Kept, ...]
    shown: tuple[Shown, ...]
    demand: int

    @property
    def named(self) -> tuple[dict[str, Any], ...]:
        """The columns that name a person, by alias and by name."""
        pairs = zip(self.person, self.spec.person, strict=True)
        return tuple({"alias": alias, "name": name} for alias, name in pairs)

    @property
    def kept_as_they_were(self) -> list[Step | Check]:
        """The steps that hold what the earlier releases kept to what their runs left."""
        return [step for one in self.earlier for step in one.checks(self.spec.person)]


def follows(
    spec: Spec,
    person: Sequence[Sql],
    earlier: Sequence[Kept],
    sensitive: Sequence[SensitiveAttribute],
    models: Sequence[Asked],
) -> Follows:
    """How a release follows earlier ones.

    Args:
        spec: what is declared.
        person: the columns that name a person.
        earlier: what the earlier releases kept.
        sensitive: the sensitive attributes.
        models: what is asked.
    """
    places = {
        (one.model.name, one.name): place
        for place, one in enumerate((one for one in models if one.bound is not None), 1)
    }
    shown = []
    changing = set() if spec.series is None else set(spec.series.changing)
    for attribute in sensitive:
        asking = [
            (one.model.least_size(one.demand.threshold), places[one.model.name, one.name])
            for one in models
            if one.name == attribute.name
            and one.model.field is DISTINCT_L.field
            and one.bound is not None
        ]
        least, place = max(asking, default=(0, 0))
        persists = attribute.name not in changing
        ruling = tuple(one for one in earlier if persists and attribute.name in one.attributes)
        shown.append(Shown(attribute, least, place, ruling))
    demand = places.get((K_ANONYMITY.name, None), 1)
    return Follows(spec, tuple(person), tuple(earlier), tuple(shown), demand)


def group_steps(follows: Follows, prefix: str, placed: Relation | None = None) -> list[Step]:
    """The steps that group persons by their classes in all releases, and measure the groups.

    Args:
        follows: how the release follows others.
        prefix: of the names of the relations.
        placed: the class of every person in this release, where it is known.
    """
    histories, groups = work(prefix, "_histories"), work(prefix, "_groups")
    grouped, standing = grouped_relation(prefix), standing_relation(prefix)
    places = tuple(([] if placed is None else [0]) + [one.place for one in follows.earlier])
    joined: dict[str, Relation] = {} if placed is None else {"placed": placed}
    joined |= {f"earlier_{one.place}": one.members for one in follows.earlier}
    kept = [{"place": one.place, "members": one.members} for one in follows.earlier]
    steps = [
        Step(
            "in which class of every release each person is",
            histories,
            "series/histories",
            {"persons": PERSONS, **joined},
            {"earlier": kept, "person": follows.named, "now": placed is not None},
        ),
        Step(
            "persons of equal history",
            groups,
            "series/groups",
            {"histories": histories},
            {"places": places},
        ),
        Step(
            "which of them each person is of",
            grouped,
            "series/grouped",
            {"histories": histories, "groups": groups},
            {"places": places, "person": follows.person},
            Materialization.WORK_TABLE if placed is None else Materialization.WORK_VIEW,
        ),
    ]
    possible = {}
    for one in follows.shown:
        possible[one.alias] = work(prefix, "_possible_", one.alias)
        values = {kept.place: kept.values for kept in one.earlier if kept.values is not None}
        read: dict[str, Relation] = {"grouped": grouped, "pairs": work("pairs_", one.alias)}
        read |= {"groups": groups} if values else {}
        read |= {f"values_{place}": relation for place, relation in values.items()}
        steps.append(
            Step(
                f"values of {one.attribute.name} that are possible in them",
                possible[one.alias],
                "series/possible",
                read,
                {
                    "attribute": one.alias,
                    "name": one.attribute.name,
                    "person": follows.person,
                    "earlier": [{"place": at, "relation": of} for at, of in values.items()],
                },
            )
        )
    asked = [
        {
            "alias": one.alias,
            "name": one.attribute.name,
            "least": one.least,
            "demand": one.demand,
            "possible": possible[one.alias],
        }
        for one in follows.shown
    ]
    steps.append(
        Step(
            "what is asked of them, and what they have",
            standing,
            "series/standing",
            {"groups": groups} | {f"possible_{alias}": at for alias, at in possible.items()},
            {"k": follows.spec.privacy.k, "k_place": follows.demand, "attributes": asked},
        )
    )
    return steps


def grouped_relation(prefix: str) -> Relation:
    """Who is in which group."""
    return work(prefix, "_grouped")


def standing_relation(prefix: str) -> Relation:
    """The groups, beside what is asked of them."""
    return work(prefix, "_standing")
