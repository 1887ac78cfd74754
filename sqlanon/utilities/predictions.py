"""Classifiers trained on a release and on its source: their predictions for held-out records."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.session import Session
from sqlanon.sql.names import Relation
from sqlanon.utilities.reading import BINS, SOURCE, Part


@dataclass(frozen=True)
class Predicted:
    """A bin of the attribute that is predicted.

    Attributes:
        answer: its number.
        records: how many held-out records have it.
        predicted: for how many it is predicted.
        met: for how many of these it is right.
        commonest: 1 of the commonest of those that the classifier was trained on, else 0.
    """

    answer: int
    records: int
    predicted: int
    met: int
    commonest: int


@dataclass(frozen=True)
class Predictions:
    """The predictions for held-out records: the bins that a record has or is predicted to have."""

    bins: tuple[Predicted, ...]

    @property
    def accuracy(self) -> float | None:
        """The share that is predicted right; None where none is predicted."""
        return self._share(sum(one.met for one in self.bins))

    @property
    def baseline(self) -> float | None:
        """The share that has the commonest bin; None where none is predicted."""
        return self._share(sum(one.records for one in self.bins if one.commonest))

    def error(self, true: Predictions) -> float | None:
        """The misclassification error against another classifier. Kiran and Kavya (2012), §5.2."""
        mine, other = ({one.answer: one.predicted for one in each.bins} for each in (self, true))
        moved = (abs(mine.get(one, 0) - other.get(one, 0)) for one in {*mine, *other})
        return self._share(sum(moved))

    def _share(self, records: int) -> float | None:
        total = sum(one.predicted for one in self.bins)
        return records / total if total else None


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
