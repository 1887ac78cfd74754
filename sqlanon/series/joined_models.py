"""The models besides k and l that are asked of a release, among persons alike in a join."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlanon.errors import InfeasibleError, Shortfall, SqlanonError
from sqlanon.measure import Asked, PersonCounts, Requirements, person_counts
from sqlanon.measure.asked import as_parameter
from sqlanon.plan import Check, Found, Step, work
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_NOT_HELD = (
    "a reader who joins the releases finds groups of persons of whom less holds than the spec asks "
    "for, so nothing was published; relax what is violated, or release without pseudonyms:"
)


def model_steps(
    name: str, release: Relation, groups: Relation, grouped: Relation, models: Sequence[Asked]
) -> list[Step | Check]:
    """The steps that hold groups of persons to what else is asked of a release's attributes.

    Args:
        name: the column of pseudonyms.
        release: the release.
        groups: the persons who are alike in the join.
        grouped: the group of each person.
        models: what is asked of the release.
    """
    counted = (K_ANONYMITY.name, DISTINCT_L.name)
    asked = [one for one in models if one.bound is not None and one.metric not in counted]
    if not asked:
        return []
    sizes, held = work("linked_sizes"), work("linked_held")
    steps: list[Step | Check] = [
        Step("persons who are alike, as classes", sizes, "linked/sizes", {"groups": groups})
    ]
    values: dict[str, Relation] = {}
    persons: dict[str, PersonCounts] = {}
    of = {str(one.attribute.alias): one.attribute for one in asked if one.attribute is not None}
    for alias, attribute in of.items():
        values[alias] = work("linked_values_", alias)
        steps.append(
            Step(
                f"values of {attribute.name} among persons who are alike",
                values[alias],
                "linked/class_values",
                {"released": release, "grouped": grouped, "positions": attribute.positions},
                {"name": name, "attribute": attribute.name, "telling": attribute.telling},
            )
        )
        persons[alias], counting = person_counts(attribute, sizes, values[alias], "linked")
        steps += [replace(one, title=f"{one.title} of them") for one in counting]
    listed = []
    for place, one in Requirements(tuple(asked)):
        relation = work("linked_", one.relation.name)
        steps.append(replace(one.step(sizes, values, persons), output=relation))
        worst = Sql("min" if one.model.worst == "least" else "max")
        listed.append({**as_parameter(place, one), "relation": relation, "worst": worst})
    measured = {one["place"]: one["relation"] for one in listed}
    steps += [
        Step(
            "holding persons who are alike to what is asked",
            held,
            "privacy/held",
            {f"model_{place}": relation for place, relation in measured.items()},
            {"models": listed},
        ),
        Check(
            "what is asked holds among persons who are alike in the join",
            "linked/check_held",
            {
                "held": held,
                "sizes": sizes,
                **{f"measured_{place}": relation for place, relation in measured.items()},
            },
            {"models": [{**one, "measure": f"joined_{one['metric']}"} for one in listed]},
            "series.joined",
            f"{_NOT_HELD} {{measure}} of {{attribute}}: asked for {{threshold}}, reached "
            "{value}; {failing_groups} groups with {failing_persons} persons violate it",
            _violation,
        ),
    ]
    return steps


def _violation(where: str, message: str, found: Found) -> SqlanonError:
    short = [
        Shortfall(
            str(one["measure"]),
            one["attribute"],
            f"{one['threshold']} ({one['failing_groups']:,} groups with "
            f"{one['failing_persons']:,} persons violate it)",
            None if one["value"] is None else float(one["value"]),
        )
        for one in found
    ]
    return InfeasibleError(_NOT_HELD, short)
