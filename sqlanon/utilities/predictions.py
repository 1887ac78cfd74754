"""The predictions of a classifier for held-out records, by counts."""

from __future__ import annotations

from dataclasses import dataclass


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
