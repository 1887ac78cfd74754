"""A series in a plan: earlier releases say what must hold, and it keeps the same for later ones.

Its gate asks what a reader of all its releases can do by intersecting classes. A reader who knows
in which releases a person is, and the person's quasi-identifiers, finds the class of each. The
persons who are in the same classes of all of them, and in no other release, are a group: exchanging
any two of them throughout leaves every release as it is, so that no reader can tell which of them
somebody is. Every group of persons of the new release must have k of them, and l sensitive values.

Nothing holds the persons who left, since no class of the new release can change what the old one
shows. The gate measures how much a reader of both finds out of them, if the reader knows all
persons who stayed, and the run says so.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlanon.clauses import allowing
from sqlanon.clauses.series.companions import (
    Follows,
    follows,
    group_steps,
    groups_relation,
    held_companions,
    own_values,
    standing_relation,
)
from sqlanon.clauses.series.declared import CLASS, MEASURES, MEMBERS, VALUES
from sqlanon.clauses.series.earlier import (
    FACT,
    VALUE_COLUMNS,
    Kept,
    content_relation,
    earlier_releases,
    known_marks,
    other_releases,
    published_since,
)
from sqlanon.clauses.series.joined import joined_steps, violation
from sqlanon.clauses.series.linked import links_of
from sqlanon.clauses.series.reuse import Continued
from sqlanon.draft import Draft, Stages, Told
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.measure.view import MEASURED, AdversaryView
from sqlanon.plan import FOUND, Check, Materialization, Phase, Step, fault, work
from sqlanon.record.content import content_step
from sqlanon.record.metrics import METRIC_LIMIT, Metric
from sqlanon.sql.names import Relation, Sql

CERTAIN = 2  # with fewer values than this, one is certain
_LEFT = (
    "{:,} persons who left {:,} classes have fewer values of {} among them than the spec asks of "
    "those who stayed, or only one: a reader who knows the others' values can subtract them."
)
_REFUSED = (
    "a reader of the earlier releases could find out more by intersecting the classes than the "
    "spec allows, so nothing was published; relax what is violated, keep persons together with "
    "whom they shared their classes (series: {reuse: true}), or let records be left out "
    f"({allowing()}):"
)


def _keeping(
    follows: Follows, view: AdversaryView, release: Relation, placed: Relation
) -> Iterator[Step | Check]:
    """The steps that keep what later releases need: classes of persons, and values of classes."""
    members, values = release.sibling(MEMBERS), release.sibling(VALUES)
    yield Step(
        "who is found in which class",
        placed,
        "clauses/series/placed",
        {"measured": MEASURED, "classes": view.classes},
        {"published": tuple(column.alias for column in view.shown)},
    )
    yield Check(
        "nobody is in several classes",
        "clauses/series/check_one_class",
        {"placed": placed},
        {},
        "",
        f"{FOUND.persons} persons are in several classes: a fault of sqlanon's; nothing was "
        "published",
        fault,
    )
    yield Step(
        "keeping who is in which class, for later releases alone",
        members,
        "clauses/series/members",
        {"placed": placed, "persons": follows.unit.numbered},
        {"person": follows.named},
        Materialization.TABLE,
    )
    yield content_step(members, (CLASS, *follows.spec.person), content_relation(MEMBERS))
    if not follows.shown:
        return
    counted = {
        f"class_values_{attribute.alias}": view.class_values[attribute.alias]
        for attribute in follows.shown
    }
    counted |= {
        f"positions_{attribute.alias}": attribute.attribute.positions for attribute in follows.shown
    }
    attributes = [
        {
            "alias": attribute.alias,
            "name": attribute.attribute.name,
            "class_values": view.class_values[attribute.alias],
            "positions": attribute.attribute.positions,
        }
        for attribute in follows.shown
    ]
    yield Step(
        "keeping which values each class shows, for later releases alone",
        values,
        "clauses/series/class_values",
        counted,
        {"attributes": attributes},
        Materialization.TABLE,
    )
    yield content_step(values, VALUE_COLUMNS, content_relation(VALUES))


def gate_steps(follows: Follows, view: AdversaryView, release: Relation) -> list[Step | Check]:
    """The steps that keep what later releases need, and refuse what intersecting would tell."""
    placed = work("placed")
    members, measures = release.sibling(MEMBERS), release.sibling(MEASURES)
    departing, left = _departed_steps(follows)
    leaving = (relation for entry in left for relation in entry["departed"])
    departed = {f"departed_{number}": one for number, one in enumerate(leaving, 1)}
    asked = [
        {"alias": attribute.alias, "name": attribute.attribute.name, "least": attribute.least}
        for attribute in follows.shown
    ]
    held = held_companions(follows, "series")
    if held is not None:
        departed["held"] = held.measures
    joining: list[Step | Check] = []
    if follows.joins is not None:
        joining, departed["joined"] = joined_steps(
            follows.joins,
            release=release,
            members=members,
            cells=[column.name for column in view.shown],
            shown=follows.shown,
            asked=follows.asked,
            k=follows.spec.privacy.k,
        )
    return [
        *_keeping(follows, view, release, placed),
        *group_steps(follows, "series", placed),
        *departing,
        *joining,
        Step(
            "what intersecting the classes of all releases leaves",
            measures,
            "clauses/series/measures",
            {"standing": standing_relation("series"), **departed},
            {"k": follows.spec.privacy.k, "attributes": asked, "left": left},
            Materialization.TABLE,
        ),
        Check(
            "intersecting the classes of all releases leaves enough",
            "clauses/series/check_series",
            {"measures": measures},
            {},
            "series",
            f"{_REFUSED} {FOUND.measure} {FOUND.attribute}: asked for {FOUND.threshold}, reached "
            f"{FOUND.value}; {FOUND.failing_groups} groups with {FOUND.failing_persons} persons "
            "violate it",
            violation(_REFUSED),
        ),
    ]


def told(follows: Follows, release: Relation, engine: Engine) -> Told:
    """The items of the series for the run relation, and sentences for people."""
    parts = (MEMBERS, VALUES) if follows.spec.sensitive else (MEMBERS,)
    metrics = _measured(release.sibling(MEASURES), engine)
    kept = ", ".join(str(release.sibling(part)) for part in parts)
    return Told(
        facts=((FACT, json.dumps(_fact(follows, parts, engine), ensure_ascii=False)),),
        title="What a reader of this and the earlier releases is left with",
        metrics=metrics,
        sentences=tuple(
            _LEFT.format(metric.failing_records, metric.failing_classes, metric.attribute)
            for metric in metrics
            if metric.metric == "left_values" and metric.failing_records
        ),
        kept=f"Kept for the releases that follow: {kept} (who is in which class, and its "
        "sensitive values). Show them to nobody.",
    )


def _fact(follows: Follows, parts: Sequence[str], engine: Engine) -> dict[str, Any]:
    """By what a later release can follow this one, once the kept relations were written."""
    kept = {}
    for name in parts:
        content = engine.named(content_relation(name))
        found = engine.fetch_portable(f"select records, content from {content}", 1)
        kept[name] = [int(found.rows[0][0]), str(found.rows[0][1])]
    return {
        "person": follows.kinds,
        "attributes": list(follows.spec.sensitive),
        "after": {release.release.written: release.number for release in follows.earlier},
        "kept": kept,
    }


def _measured(measures: Relation, engine: Engine) -> tuple[Metric, ...]:
    """The measures of what intersecting the classes of all releases leaves."""
    columns = "measure, attribute, value, threshold, failing_groups, failing_persons"
    query = f"select {columns} from {engine.named(measures)} order by measure, attribute"
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


def _departed_steps(follows: Follows) -> tuple[list[Step], list[dict[str, Any]]]:
    """The steps that count who left the releases that the spec names, and their values.

    Returns:
        The steps, and what is to be measured of them.
    """
    steps: list[Step] = []
    groups = groups_relation("series")
    left: dict[int, Relation] = {}
    for release in follows.earlier:
        if release.named:
            left[release.index] = work("series", f"_departed_{release.index}")
            steps.append(
                Step(
                    f"who left since {release.release}",
                    left[release.index],
                    "clauses/series/departed",
                    {"members": release.members, "groups": groups},
                    {"index": release.index},
                )
            )
    found = [_measure("left_candidates", None, "persons", follows.spec.privacy.k, left)]
    for shown in follows.shown:
        values: dict[int, Relation] = {}
        for release in shown.earlier:
            if release.index in left and release.values is not None:
                name = shown.attribute.name
                values[release.index] = work("series", f"_departed_{release.index}_", shown.alias)
                steps.append(
                    Step(
                        f"values of {name} of those who left since {release.release}",
                        values[release.index],
                        "clauses/series/departed_values",
                        {
                            "departed": left[release.index],
                            "kept_values": release.values,
                            "groups": groups,
                            "own_values": own_values("series", shown),
                        },
                        {"index": release.index, "name": release.attribute(shown.attribute.name)},
                    )
                )
        least = max(shown.least, CERTAIN)
        found.append(_measure("left_values", shown.attribute.name, "amount", least, values))
    return steps, [entry for entry in found if entry["departed"]]


def _measure(
    measure: str, name: str | None, column: str, least: int, of: Mapping[int, Relation]
) -> dict[str, Any]:
    found = {"measure": measure, "name": name, "column": Sql(column), "least": least}
    return {**found, "departed": list(of.values())}


def looked(draft: Draft) -> Draft:
    """The draft with what earlier releases kept, and the checks that hold that to what it was.

    Raises:
        SpecError: if one of them cannot be followed.
    """
    spec, release, engine = draft.spec, draft.release, draft.engine
    assert release is not None  # noqa: S101 - a release on trial is refused
    earlier = earlier_releases(spec, release, draft.read, engine)
    known = known_marks(spec, release, earlier, engine)
    others = other_releases(spec, _searched(release, earlier), draft.read, known, engine)
    found = follows(draft, earlier, others, links_of(spec, earlier, engine), known)
    draft = replace(draft, known={**draft.known, "series": found})
    return draft.adding(Phase.LOOKING, *found.checks)


def _follows(draft: Draft) -> Follows:
    found: Follows = draft.known["series"]
    return found


def forming(draft: Draft) -> Continued | None:
    """Classes that go on, where there is an earlier release whose classes do."""
    found = _follows(draft)
    return Continued(found) if found.reuses and found.earlier else None


def gate(draft: Draft) -> list[Step | Check]:
    """The steps that keep what later releases need, and refuse what intersecting would tell."""
    assert draft.publication is not None  # noqa: S101 - stages before
    assert draft.release is not None  # noqa: S101 - a release on trial is refused
    return gate_steps(_follows(draft), draft.publication.view, draft.release)


def turns(follows: Follows, release: Relation, engine: Engine) -> list[str]:
    """The turns of runs that look for each other's releases, one for each schema."""
    persons = json.dumps(sorted(name.lower() for name in follows.spec.person))
    searched = _searched(release, follows.earlier)
    schemas = {json.dumps(engine.qualified(relation).path).lower() for relation in searched}
    return [f"sqlanon series {schema} {persons}" for schema in sorted(schemas)]


def still(follows: Follows, release: Relation, engine: Engine) -> None:
    """Refuse a run where another has published a release of the same persons meanwhile.

    Raises:
        SpecError: if one has, or is about to.
    """
    releases = _searched(release, follows.earlier)
    found = published_since(follows.spec, releases, follows.known, engine)
    if found is not None:
        names = ", ".join(follows.spec.person)
        what = f"another run has published {found}, of persons named by {names} too, since this run"
        raise SpecError(Problem("series", f"{what} began; this run published nothing: run again"))


def _searched(release: Relation, earlier: Sequence[Kept]) -> list[Relation]:
    """The releases in whose schemas others are looked for: it, and those that it follows."""
    return [release, *(kept.release for kept in earlier)]


STAGES = Stages(look=looked, forming=forming, gate=gate, turns=turns, still=still, told=told)
