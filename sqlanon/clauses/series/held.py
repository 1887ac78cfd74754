"""Groups of persons, held to what else is asked of a class: t, entropy and the other models.

Of the persons of a group no reader of all releases can tell one from the other, so that at best the
reader knows which values they have among them. To the reader the group is a class.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from sqlanon.domains.attribute import SensitiveAttribute, follows
from sqlanon.measure.asked import Asked, Requirements, UnitCounts, as_parameter, unit_counts
from sqlanon.plan import Step, work
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.sql.names import Relation, Sql

_COUNTED = (K_ANONYMITY.name, DISTINCT_L.name)  # by persons and by values, and not as in a class


@dataclass(frozen=True)
class Holding:
    """Groups of persons as classes.

    Attributes:
        steps: that measure them.
        held: of each model, by its number among the requirements, and each group whether it holds.
        measures: of each model what the worst group reaches, and how many do not hold it.
    """

    steps: tuple[Step, ...]
    held: Relation
    measures: Relation


def asked_of_groups(models: Sequence[Asked]) -> dict[int, Asked]:
    """The models besides k and distinct l, by their numbers among the requirements.

    A model of what is known beforehand holds of each part of a class, and so of companions.
    """
    return {
        number: one
        for number, one in Requirements.bounded(models)
        if one.metric not in _COUNTED and not follows(one.attribute)
    }


def holding(
    prefix: str,
    groups: Relation,
    counting: Callable[[SensitiveAttribute, Relation], Step],
    asked: Mapping[int, Asked],
    called: str,
    absent: bool = False,
) -> Holding:
    """The steps that hold groups of persons to what is asked.

    Args:
        prefix: of the names of the relations.
        groups: the groups.
        counting: makes the step that leaves how many persons of each group have each value.
        asked: what is asked of them, by number.
        called: what the names of the measures begin with.
        absent: whether there are groups of persons who are not in this release.
    """
    sizes, held, measures = (work(prefix, one) for one in ("_sizes", "_held", "_model_measures"))
    steps = [
        Step(
            "groups of persons, as classes",
            sizes,
            "clauses/series/sizes",
            {"groups": groups},
            {"absent": absent},
        )
    ]
    values: dict[str, Relation] = {}
    persons: dict[str, UnitCounts] = {}
    of = {str(one.attribute.alias): one.attribute for one in asked.values() if one.attribute}
    for alias, attribute in of.items():
        values[alias] = work(prefix, "_values_", alias)
        steps.append(counting(attribute, values[alias]))
        persons[alias], counted = unit_counts(attribute, "person", sizes, values[alias], prefix)
        steps += [replace(one, title=f"{one.title} of them") for one in counted]
    listed = []
    for place, one in asked.items():
        relation = work(prefix, "_", one.relation.name)
        steps.append(replace(one.step(sizes, values, persons), output=relation))
        worst = Sql("min" if one.model.worst == "least" else "max")
        measure = f"{called}_{one.metric}"
        listed.append(
            {**as_parameter(place, one), "relation": relation, "worst": worst, "measure": measure}
        )
    measured = {f"model_{one['place']}": one["relation"] for one in listed}
    steps += [
        Step(
            "holding groups of persons to what is asked",
            held,
            "privacy/held",
            measured,
            {"models": listed},
        ),
        Step(
            "what else groups of persons come to",
            measures,
            "clauses/series/model_measures",
            {"held": held, "sizes": sizes, **measured},
            {"models": listed},
        ),
    ]
    return Holding(tuple(steps), held, measures)
