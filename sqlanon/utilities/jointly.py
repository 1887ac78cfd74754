"""How far the joint distribution of all quasi-identifiers is from the source's."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.plan import Step, work
from sqlanon.session import Session
from sqlanon.sql import Relation
from sqlanon.utilities import RELEASED, SOURCE, Part

# So many pairs of a combination of the source and one of the release are looked at, at most.
MOST_PAIRS = 200_000_000
_TUPLES, _ALIKE = work("joint_tuples"), work("joint_alike")


class TooManyPairsError(Exception):
    """The combinations of both sides are too many to hold each against each."""


def joint_divergence(session: Session, parts: Sequence[Part]) -> float | None:
    """The Kullback-Leibler divergence of the source from the release. Kifer and Gehrke (2006), §3.

    Args:
        session: where both are.
        parts: the columns, at least one.

    Returns:
        It, in bits; None where the release lacks a combination of bins of the source.

    Raises:
        TooManyPairsError: if there are more pairs of combinations than are looked at.
    """
    attributes = [
        {"alias": one.alias, "source": one.read(SOURCE), "released": one.read(RELEASED)}
        for one in parts
    ]
    of = {"attributes": attributes}
    of_source = {f"source_{one.alias}": one.read(SOURCE) for one in parts}
    released = {f"released_{one.alias}": one.read(RELEASED) for one in parts}
    title = "combinations of all quasi-identifiers"
    session.create(Step(title, _TUPLES, "utility/tuples", {"source": SOURCE} | of_source, of))
    session.create(Step(title, _ALIKE, "utility/alike", {"released": RELEASED}, of))
    try:
        if _rows(session, _TUPLES) * _rows(session, _ALIKE) > MOST_PAIRS:
            raise TooManyPairsError
        inputs = {"tuples": _TUPLES, "alike": _ALIKE} | released
        ((divergence,),) = session.fetch("utility/joint", inputs, of, 1).rows
    finally:
        session.drop(_ALIKE)
        session.drop(_TUPLES)
    return None if divergence is None else max(0.0, float(divergence))


def _rows(session: Session, relation: Relation) -> int:
    found = session.fetch("split_or_deal/row_count", {"counted": relation}, {}, 1)
    return int(found.rows[0][0])
