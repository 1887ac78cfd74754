"""What a run remarks: what holds as it was asked for, and protects less than it seems to."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from sqlanon.domains import SensitiveAttribute
from sqlanon.engines import Engine
from sqlanon.errors import EngineError, SpecError
from sqlanon.kept.ownership import mark
from sqlanon.kept.recorded import Recorded
from sqlanon.measure import MeasurementPlan
from sqlanon.measure.asked import Asked
from sqlanon.measure.view import AdversaryView
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.session import Session
from sqlanon.source.source import table_named
from sqlanon.sql import Relation

FACT = "remarks"  # the item of the run relation
_HIERARCHICAL = "hierarchical"


def remarks_of(
    measurement: MeasurementPlan, view: AdversaryView, session: Session
) -> tuple[str, ...]:
    """What is to be remarked of a release, while the relations of its run are still there.

    Figures and names of columns alone; never a cell of the data.

    Args:
        measurement: what was measured.
        view: on what it was measured.
        session: asks the database.

    Raises:
        EngineError: if the database fails.
    """
    known = {one.name: one for one in view.sensitive if type(one) is SensitiveAttribute}
    return (
        *_spellings(known, session),
        *_nulls_counted(measurement, view, known, session),
        *_excluding_nothing(measurement, view, session),
    )


def _spellings(known: Mapping[str, SensitiveAttribute], session: Session) -> Iterator[str]:
    """The attributes whose values differ in part by case and blanks only."""
    for name, attribute in known.items():
        if attribute.kind != "text":
            continue
        there = {"positions": attribute.positions}
        ((spellings, folded),) = session.fetch("measure/spellings", there, {}, 1).rows
        if folded < spellings:
            yield (
                f"{spellings:,} values of {name} are {folded:,} without case and blanks, "
                "and each spelling counts as a value of its own: write one of them in the source"
            )


def _nulls_counted(
    measurement: MeasurementPlan,
    view: AdversaryView,
    known: Mapping[str, SensitiveAttribute],
    session: Session,
) -> Iterator[str]:
    """The attributes of which l holds only because NULL counts as a value."""
    for one in _declared(measurement):
        attribute = known.get(one.name or "")
        if one.model is not DISTINCT_L or attribute is None or view.persons is not None:
            continue
        least = int(one.demand.threshold)
        there = {
            "class_report": measurement.class_report,
            "class_values": view.class_values[str(attribute.alias)],
            "positions": attribute.positions,
        }
        params = {"diversity": one.column, "least": least}
        ((classes, records),) = session.fetch("measure/null_counted", there, params, 1).rows
        if classes and least > 1:
            in_classes = f"{classes:,} {'class' if classes == 1 else 'classes'}"
            yield (
                f"l {least} of {one.name} holds only because NULL counts as a value in "
                f"{in_classes} with {int(records):,} records: leave the records without a value "
                f"out of the source and say nulls: reject, or ask for l {least + 1}"
            )


def _excluding_nothing(
    measurement: MeasurementPlan, view: AdversaryView, session: Session
) -> Iterator[str]:
    """The thresholds that every class meets that this table can have."""
    declared = list(_declared(measurement))
    if not declared:  # not even a k: one of 1 is only measured
        yield "k 1 excludes nothing: a record alone is a class; ask for a greater k"
    for one in declared:
        of = f" of {one.name}" if one.name else ""
        title, shown = one.model.title, one.shown
        if one.model is T_CLOSENESS:
            greatest = _farthest(one, view, session)
            if greatest is not None and one.demand.threshold >= greatest:
                yield (
                    f"{title}{of} excludes nothing: no class of this table can be farther than "
                    f"{float(greatest):.4g}, and t is {shown}; ask for a smaller t"
                )
        elif one.demand.threshold == one.model.vacuous:
            yield f"{title}{of} excludes nothing with {shown}: every class of one record has it"


def _farthest(one: Asked, view: AdversaryView, session: Session) -> Fraction | None:
    """The greatest distance that a class can have; None where that is not simple."""
    attribute = one.attribute
    if attribute is None or view.persons is not None or attribute.distance == _HIERARCHICAL:
        return None
    there = {"positions": attribute.positions}
    params = {"ordered": attribute.distance == "ordered"}
    ((amount, scale),) = session.fetch("measure/farthest", there, params, 1).rows
    return Fraction(int(amount), int(scale)) if scale else None


def _declared(measurement: MeasurementPlan) -> Iterator[Asked]:
    """The models that were asked for, and not only measured."""
    for one in measurement.models:
        if isinstance(one, Asked) and one.demand.threshold is not None:
            yield one


def all_remarks(release: Recorded) -> tuple[str, ...]:
    """What is remarked of a release that stands: what its run did, and of the releases beside it.

    Args:
        release: the release.

    Raises:
        EngineError: if the database fails.
    """
    kept: Sequence[str] = json.loads(release.facts.get(FACT, "[]"))
    return (*kept, *_of_one_source(release))


def _of_one_source(release: Recorded) -> Iterator[str]:
    """That other releases of the same source stand beside it, with no series that holds them."""
    own = _source(release.spec, release.engine)
    if not any(own):
        return
    names = [
        str(one)
        for one, spec in _specs_beside(release.relation, release.engine)
        if _source(spec, release.engine) == own
        and not (spec.get("series") and release.spec.get("series"))
    ]
    if names:
        are = "is another release" if len(names) == 1 else "are other releases"
        yield (
            f"{', '.join(names)} {are} of the same source: who has both can intersect them, and "
            "nothing holds that here; give readers one of them, or declare a series"
        )


def _specs_beside(release: Relation, engine: Engine) -> Iterator[tuple[Relation, dict[str, Any]]]:
    """The other releases in the schema of one, each with its spec; those that may be read."""
    place = engine.place(release)
    runs = [one for one in engine.beside(release, "__run") if one.name != f"{place.name}__run"]
    for run, there in engine.standing(runs).items():
        marked = re.fullmatch(mark("[0-9a-f]{32}"), there.comment or "")
        if not marked or engine.lacking_to_read(run):
            continue
        of = Relation(run.name.removesuffix("__run"), run.path)
        text = f"select value from {engine.named(run)} where item = 'spec'"
        try:
            found = engine.fetch_portable(text, 1, "reading a run")
            if found.rows and engine.kind_of(of) is not None:
                yield Relation(of.name, release.path), json.loads(found.rows[0][0])
        except (EngineError, SpecError, ValueError):
            continue  # another run replaces it just now


def _source(spec: Mapping[str, Any], engine: Engine) -> tuple[str | None, ...]:
    """What a spec reads: a file, a table or a query; nothing where it is a frame."""
    source = spec["source"]
    table = source.get("table")
    if table is not None:
        try:
            table = str(engine.place(table_named(table, "source.table")))
        except (EngineError, SpecError):
            table = str(table)
    return source.get("file"), table, source.get("query")
