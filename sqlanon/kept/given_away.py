"""The values that a release gives away: the classes in which everybody has one of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlanon.domains.attribute import one_of
from sqlanon.kept.metrics import Metric
from sqlanon.measure.asked import class_column
from sqlanon.privacy.alpha import ALPHA
from sqlanon.session import Session
from sqlanon.sql.names import Relation


@dataclass(frozen=True)
class GivenAway:
    """The classes of a release in which everybody has one value of a sensitive attribute.

    Attributes:
        attribute: the attribute.
        classes: how many these are.
        records: how many records they have.
        units: how many of what a class counts these are of.
    """

    attribute: str
    classes: int
    records: int
    units: int


def with_shares(sensitive: Iterable[str], measures: Iterable[Metric]) -> list[str]:
    """The attributes whose greatest share in each class was measured.

    A script, and a run that measures what is asked for, measure α only where the spec asks for it.
    """
    known = {one.attribute for one in measures if one.metric == ALPHA.name}
    return [name for name in sensitive if name in known]


def given_away(
    classes: Relation, sensitive: Sequence[str], counts: str, session: Session
) -> tuple[GivenAway, ...]:
    """Count the classes that give a value away to a reader who knows somebody in them.

    Args:
        classes: the classes of a release, with what was measured in each.
        sensitive: its sensitive attributes.
        counts: what a class counts: records, or another word.
        session: asks the database.

    Raises:
        EngineError: if the database fails.
    """
    if not sensitive:
        return ()
    shares = [class_column(ALPHA.name, name) for name in sensitive]
    found = session.fetch(
        "measure/given_away",
        {"class_report": classes},
        {"shares": shares, "persons": counts != "records"},
        len(shares),
    )
    return tuple(
        GivenAway(sensitive[int(place) - 1], int(number), int(records), int(units))
        for place, number, records, units in found.rows
    )


def sentence_of_given(given: Sequence[GivenAway], counts: str) -> str:
    """A sentence on what is given away, without its end, which says what may be done.

    Args:
        given: what is; something.
        counts: what a class counts: records, or another word.
    """
    counted = "; ".join(
        f"of {one.attribute} in {one.classes:,} {'class' if one.classes == 1 else 'classes'} with "
        f"{one.records if counts == 'records' else one.units:,} {counts}"
        for one in given
    )
    everybody = f"every {one_of(counts)} has" if counts != "records" else "all records have"
    return f"There are classes where {everybody} one value, so that it is known of each: {counted}"
