"""Information loss, with exact fractions: 0 loses nothing, 1 loses everything.

Xu et al. (2006), normalized certainty penalty; Amiri et al. (2023), section 5.2, whose equation 2
divides by the number of distinct values where the range belongs.
"""

from collections.abc import Sequence
from fractions import Fraction

Number = int | Fraction

NCP_SUPPRESSED = Fraction(1)
"""The penalty of a suppressed cell, whatever its domain."""


def ncp_interval(low: Number, high: Number, span: Number) -> Fraction:
    """The penalty of a published interval: (high - low) over the range of the column.

    Args:
        low: The least value published.
        high: The greatest value published.
        span: Greatest minus least value of the column in the source; if 0, the penalty is 0.
    """
    if not 0 <= high - low <= span:
        raise ValueError("an interval lies inside the range of its column")
    return Fraction(0) if span == 0 else Fraction(high - low) / span


def ncp_node(leaves: int, all_leaves: int) -> Fraction:
    """The penalty of a hierarchy's node: (leaves below it - 1)/(all leaves - 1), one leaf 0."""
    if not 1 <= leaves <= all_leaves:
        raise ValueError("a node has between one and all of the leaves below it")
    return Fraction(0) if all_leaves == 1 else Fraction(leaves - 1, all_leaves - 1)


def ncp_set(size: int, domain: int) -> Fraction:
    """The penalty of a published set of values: (size - 1)/(domain - 1), one value 0.

    Args:
        size: how many values the set has.
        domain: how many the column has in the source; with a hierarchy how many leaves that has.
    """
    if not 1 <= size <= domain:
        raise ValueError("a published set has between one and all of the values")
    return Fraction(0) if domain == 1 else Fraction(size - 1, domain - 1)


def record_loss(cells: Sequence[Fraction], weights: Sequence[Number] | None = None) -> Fraction:
    """The weighted mean of a record's cell penalties; without weights all count the same.

    Amiri et al. (2023), equation 3.
    """
    weights = [1] * len(cells) if weights is None else weights
    total = sum((w * cell for w, cell in zip(weights, cells, strict=True)), Fraction(0))
    return total / sum(weights)


def gcp_sum(records: Sequence[Fraction]) -> Fraction:
    """The global certainty penalty as Amiri et al. (2023), section 5.2, state it: a sum."""
    return sum(records, Fraction(0))


def gcp(records: Sequence[Fraction]) -> Fraction:
    """The global certainty penalty in [0, 1]: the mean loss of all records, suppressed ones too."""
    return gcp_sum(records) / len(records)


def class_intervals(records: Sequence[Sequence[Number]]) -> list[tuple[Number, Number]]:
    """The smallest interval per numeric attribute that covers a class."""
    return [(min(values), max(values)) for values in zip(*records, strict=True)]


def numeric_record_losses(
    records: Sequence[Sequence[Number]],
    class_of: Sequence[object],
    weights: Sequence[Number] | None = None,
) -> list[Fraction]:
    """The loss of each record when every class publishes its intervals (see `class_intervals`)."""
    spans = [high - low for low, high in class_intervals(records)]
    losses = []
    for label in class_of:
        members = [r for r, c in zip(records, class_of, strict=True) if c == label]
        cells = [
            ncp_interval(low, high, span)
            for (low, high), span in zip(class_intervals(members), spans, strict=True)
        ]
        losses.append(record_loss(cells, weights))
    return losses


def discernibility(class_sizes: Sequence[int], suppressed: int = 0) -> int:
    """The discernibility metric: a record costs its class size, a suppressed one the table size.

    Bayardo & Agrawal (2005). The table size counts released and suppressed records.
    """
    n = sum(class_sizes) + suppressed
    return sum(size * size for size in class_sizes) + suppressed * n


def c_avg(class_sizes: Sequence[int], k: int) -> Fraction:
    """The average class size over k: (released records/classes)/k. LeFevre et al. (2006)."""
    return Fraction(sum(class_sizes), len(class_sizes)) / k
