"""Training classifiers on a release and on its source."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.session import Session
from sqlanon.sql import Relation
from sqlanon.utilities import BINS, SOURCE, Part, Predicted, Predictions


def predictions(
    session: Session,
    target: Part,
    known: Sequence[Part],
    side: Relation,
    holds_out: bool = False,
) -> Predictions:
    """The predictions of naive Bayes for held-out records of the source, trained on one side.

    Args:
        session: where both sides are laid out.
        target: the attribute whose bins are predicted.
        known: the attributes from whose bins they are.
        side: what it is trained on.
        holds_out: whether it is not trained on those records, if it is trained on the source.
    """
    inputs = {"profiles": side, "source": SOURCE}
    columns = []
    for one in (target, *known):
        read = {"read": one.read(side), "source": one.read(SOURCE)}
        inputs |= {f"{name}_{one.alias}": relation for name, relation in read.items()}
        columns.append({"alias": one.alias, **read})
    params = {"target": columns[0], "attributes": columns[1:], "holds_out": holds_out}
    found = session.fetch("utility/classified", inputs, params, BINS)
    return Predictions(
        tuple(Predicted(**{name: int(is_) for name, is_ in row.items()}) for row in found.dicts())
    )
