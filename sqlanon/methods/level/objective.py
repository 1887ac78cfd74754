"""The objective that the optimal node keeps least, and a node's cost by it, in whole numbers.

Where a loss is a sum over records, a level's loss is known before any node is judged. A suppressed
record then costs all, and nodes that cannot lose less are passed over. Discernibility is a sum over
classes: it falls from a level to the one below and rises with what is suppressed there, so every
node that may be satisfied is judged.

Non-uniform entropy is such a sum as well, though the bits that a record loses hang on its value:
summed over the records, -log P(v | cell) is log of the records alike in the cell less log of those
of the value. The second is the same for every node, so that its mean is taken from every record:
a record of which all is lost then counts 1, with any value. Gionis and Tassa (2009).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from sqlanon.domains.attribute import QuasiAttribute

ObjectiveName = Literal[
    "gcp", "precision", "minimal_distortion", "discernibility", "non_uniform_entropy"
]
_ENTROPY: ObjectiveName = "non_uniform_entropy"
# A loss of 1, the whole domain of all quasi-identifiers, in the whole numbers of the search.
UNITS = 10**9


@dataclass(frozen=True)
class Objective:
    """A metric of the release that a search keeps as good as it can be.

    Attributes:
        name: the metric's.
    """

    name: ObjectiveName = "gcp"

    @property
    def by_record(self) -> bool:
        """Whether it is a sum over the records of what each loses."""
        return self.name != "discernibility"

    @property
    def by_entropy(self) -> bool:
        """Whether a record loses by how many are alike in its cell; nothing where all are."""
        return self.name == _ENTROPY

    def units(self, attributes: Sequence[QuasiAttribute]) -> list[int]:
        """The loss of a record by each quasi-identifier when all of it is lost."""
        weights = [self._weight(one) for one in attributes]
        total = sum(weights)
        return [_rounded(UNITS * weight / total) for weight in weights]

    def fixed(self, attribute: QuasiAttribute, units: int) -> dict[int, int] | None:
        """The loss of a record at each level; None where that hangs on its value."""
        if self.name in ("gcp", _ENTROPY):
            return None
        lost = units if self.by_record else 0
        levels = range(attribute.levels[0], attribute.levels[1] + 1)
        return {level: _rounded(Fraction(lost * level, attribute.height)) for level in levels}

    def value(self, loss: int, records: int, attributes: Sequence[QuasiAttribute]) -> str:
        """The metric, as it is recorded, of a node that loses so much of so many records."""
        if not self.by_record:
            return str(loss)
        # Rounded losses below none at all are none.
        share = max(loss, 0) / (records * sum(self.units(attributes)))
        if self.name == "minimal_distortion":
            return str(round(share * records * sum(one.height for one in attributes)))
        return f"{1 - share if self.name == 'precision' else share:.9f}"

    def _weight(self, attribute: QuasiAttribute) -> Fraction:
        if self.name in ("gcp", _ENTROPY):
            return attribute.weight
        return Fraction(attribute.height if self.name == "minimal_distortion" else 1)


def _rounded(value: Fraction) -> int:
    """The nearest whole number; halves go up."""
    return (value + Fraction(1, 2)).__floor__()
