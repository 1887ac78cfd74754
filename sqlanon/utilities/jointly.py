"""How far the joint distribution of all quasi-identifiers is from the source's."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.methods.workspace import Workspace
from sqlanon.session import Session
from sqlanon.utilities import RELEASED, SOURCE, Part

# So many pairs of a combination of the source and one of the release are looked at, at most.
MOST_PAIRS = 200_000_000
_TITLE = "combinations of all quasi-identifiers"


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
    workspace = Workspace(session)
    read = {"source": SOURCE} | of_source
    tuples = workspace.make(_TITLE, "joint_tuples", "utility/tuples", read, **of)
    alike = workspace.make(_TITLE, "joint_alike", "utility/alike", {"released": RELEASED}, **of)
    try:
        if workspace.rows(tuples) * workspace.rows(alike) > MOST_PAIRS:
            raise TooManyPairsError
        inputs = {"tuples": tuples, "alike": alike} | released
        divergence = workspace.one("utility/joint", inputs, **of)["divergence"]
    finally:
        workspace.clear()
    return None if divergence is None else max(0.0, float(divergence))
