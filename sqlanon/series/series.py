"""The gate of a series: what a reader of all its releases can do by intersecting classes.

A reader who knows in which releases a person is, and the person's quasi-identifiers, finds the
class of each. The persons who are in the same classes of all of them, and in no other release, are
a group: exchanging any two of them throughout leaves every release as it is, so that no reader can
tell which of them somebody is. Every group of persons of the new release must have k of them, and l
sensitive values.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, Shortfall, SqlanonError
from sqlanon.kept.content import content_step
from sqlanon.kept.metrics import METRIC_LIMIT, Metric
from sqlanon.kept.ownership import SERIES
from sqlanon.measure import MEASURED, AdversaryView, Asked
from sqlanon.plan import Check, Found, Materialization, Step, fault, work
from sqlanon.series.companions import Follows, group_steps, standing_relation
from sqlanon.series.departed import departed_steps
from sqlanon.series.joined import joined_steps
from sqlanon.series.kept import MEMBERS, VALUE_COLUMNS, VALUES, content_relation
from sqlanon.source.persons import PERSONS
from sqlanon.spec.series import CLASS
from sqlanon.sql import Relation

_REFUSED = (
    "a reader of the earlier releases could find out more by intersecting the classes than the "
    "spec allows, so nothing was published; relax what is violated, keep persons together with "
    "whom they shared their classes (series: {reuse: true}), or let records be left out "
    "(suppression: {records: SHARE}):"
)


def gate_steps(
    follows: Follows, view: AdversaryView, release: Relation, models: Sequence[Asked]
) -> list[Step | Check]:
    """The steps that keep what later releases need, and refuse what intersecting would tell.

    Args:
        follows: how the release follows others.
        view: what a reader can tie together of it, with the persons.
        release: the release.
        models: what is asked of it.
    """
    placed, members, values, measures = work("placed"), *map(release.beside, SERIES)
    counted = {f"class_values_{one.alias}": view.class_values[one.alias] for one in follows.shown}
    counted |= {f"positions_{one.alias}": one.attribute.positions for one in follows.shown}
    attributes = [
        {
            "alias": one.alias,
            "name": one.attribute.name,
            "class_values": view.class_values[one.alias],
            "positions": one.attribute.positions,
        }
        for one in follows.shown
    ]
    steps: list[Step | Check] = [
        Step(
            "who is found in which class",
            placed,
            "series/placed",
            {"measured": MEASURED, "classes": view.classes},
            {"published": tuple(one.alias for one in view.shown)},
        ),
        Check(
            "nobody is in several classes",
            "series/check_one_class",
            {"placed": placed},
            {},
            "",
            "{persons} persons are in several classes: a fault of sqlanon's; nothing was published",
            fault,
        ),
        Step(
            "keeping who is in which class, for later releases alone",
            members,
            "series/members",
            {"placed": placed, "persons": PERSONS},
            {"person": follows.named},
            Materialization.TABLE,
        ),
        content_step(members, (CLASS, *follows.spec.person), content_relation(MEMBERS)),
    ]
    if attributes:
        steps += [
            Step(
                "keeping which values each class shows, for later releases alone",
                values,
                "series/class_values",
                counted,
                {"attributes": attributes},
                Materialization.TABLE,
            ),
            content_step(values, VALUE_COLUMNS, content_relation(VALUES)),
        ]
    departing, left = departed_steps(follows, "series")
    departed = {f"departed_{place}": one for place, one in enumerate(_relations(left), 1)}
    asked = [
        {"alias": one.alias, "name": one.attribute.name, "least": one.least}
        for one in follows.shown
    ]
    joining: list[Step | Check] = []
    if follows.joins is not None:
        cells = [one.name for one in view.shown]
        k = follows.spec.privacy.k
        joining, joined = joined_steps(
            follows.joins,
            release=release,
            members=members,
            cells=cells,
            shown=follows.shown,
            models=models,
            k=k,
        )
        departed["joined"] = joined
    return [
        *steps,
        *group_steps(follows, "series", placed),
        *departing,
        *joining,
        Step(
            "what intersecting the classes of all releases leaves",
            measures,
            "series/measures",
            {"standing": standing_relation("series"), **departed},
            {"k": follows.spec.privacy.k, "attributes": asked, "left": left},
            Materialization.TABLE,
        ),
        Check(
            "intersecting the classes of all releases leaves enough",
            "series/check_series",
            {"measures": measures},
            {},
            "series",
            f"{_REFUSED} {{measure}} {{attribute}}: asked for {{threshold}}, reached {{value}}; "
            "{failing_groups} groups with {failing_persons} persons violate it",
            _violation,
        ),
    ]


def _relations(left: Sequence[Mapping[str, Any]]) -> list[Relation]:
    return [relation for one in left for relation in one["departed"]]


def _violation(where: str, message: str, found: Found) -> SqlanonError:
    short = [
        Shortfall(
            str(one["measure"]),
            one["attribute"],
            f"{one['threshold']} ({_groups(one)})",
            one["value"],
        )
        for one in found
    ]
    return InfeasibleError(_REFUSED, short)


def _groups(found: Mapping[str, Any]) -> str:
    """How many groups and persons violate it."""
    groups, persons = found["failing_groups"], found["failing_persons"]
    return f"{groups:,} groups with {persons:,} persons violate it"


def read_series(kept: Sequence[Relation], engine: Engine) -> tuple[Metric, ...]:
    """The measures of what intersecting the classes of all releases leaves, if any are kept."""
    if not kept:
        return ()
    columns = "measure, attribute, value, threshold, failing_groups, failing_persons"
    query = f"select {columns} from {engine.named(kept[-1])} order by measure, attribute"
    return tuple(
        Metric(
            metric=name,
            attribute=about,
            value=float(value),
            threshold=None if asked is None else str(asked),
            passed=None if asked is None else not groups,
            failing_classes=int(groups),
            failing_records=int(persons),
        )
        for name, about, value, asked, groups, persons in engine.fetch_portable(
            query, METRIC_LIMIT
        ).rows
    )
