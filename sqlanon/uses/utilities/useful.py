"""The utility of a release, as measured: its figures, in the words of the registry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite, sqrt

from sqlanon.pages.figures import Finding, finding, findings_table, value_of
from sqlanon.uses.utilities import UTILITY_OF
from sqlanon.uses.utilities.figures import UNIFORM

_NO_SPREAD = 1e-12  # of the mean square: what rounding alone can leave


def correlation(sums: Mapping[str, float | None]) -> float | None:
    """The correlation of two numbers; None where one of them does not vary.

    Args:
        sums: weight, x, y, xx, yy and xy, summed over records.
    """
    weight, x, y, xx, yy, xy = (
        sums[name] or 0.0 for name in ("weight", "x", "y", "xx", "yy", "xy")
    )
    if not all(map(isfinite, (weight, x, y, xx, yy, xy))) or weight <= 0:
        return None
    spreads = [square / weight - (mean / weight) ** 2 for mean, square in ((x, xx), (y, yy))]
    if any(
        spread <= _NO_SPREAD * square / weight
        for spread, square in zip(spreads, (xx, yy), strict=True)
    ):
        return None
    found = (xy / weight - x * y / weight**2) / sqrt(spreads[0]) / sqrt(spreads[1])
    return max(-1.0, min(1.0, found))


@dataclass(frozen=True)
class Answer:
    """The answer to a query of the user's own.

    Attributes:
        query: its name.
        mean: the column that is averaged; None where records are counted.
        true: what it comes to in the source; None for a mean of no number.
        released: what it comes to in the release.
        error: how far the release is off, relatively; None where there is no mean to compare, or
            that of the source is 0. A count's error is of a thousandth of the records at least.
        read: how the release was read for it.
    """

    query: str
    mean: str | None
    true: float | None
    released: float | None
    error: float | None
    read: str = UNIFORM


@dataclass(frozen=True)
class Bin:
    """Values of a column that lie together, and how many records have them.

    Attributes:
        starts: the first of the source's values in it, as text; None if they are missing.
        ends: the last.
        source: the share of the source's records.
        released: the share of the release's, cells read uniformly.
    """

    starts: str | None
    ends: str | None
    source: float
    released: float


@dataclass(frozen=True, repr=False)
class Utility:
    """The measured utility of a release.

    Attributes:
        release: its name.
        records: how many it has.
        source_records: how many the source has.
        findings: the figures.
        queries: how many queries were asked of both.
        seed: what they were drawn from.
        answers: what the user's own queries come to.
        notes: what could not be measured, and why.
        marginals: by column, how its values are distributed in the source and in the release.
    """

    release: str
    records: int
    source_records: int
    findings: tuple[Finding, ...]
    queries: int
    seed: int
    answers: tuple[Answer, ...] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    marginals: Mapping[str, tuple[Bin, ...]] = field(default_factory=dict, repr=False)

    def value(self, figure: str, *of: str) -> float | None:
        """The value of a figure of these columns; of none for one of the whole release.

        Raises:
            KeyError: if it was not measured.
        """
        return value_of(self.findings, figure, of)

    def answer(self, query: str) -> Answer:
        """The answer to a query of the user's own.

        Raises:
            KeyError: if it was not asked.
        """
        return {answer.query: answer for answer in self.answers}[query]

    def mean(self, figure: str) -> float | None:
        """The mean of all values of a figure; None where it has none."""
        found = [
            finding.value
            for finding in self.findings
            if finding.figure == figure and finding.value is not None
        ]
        return sum(found) / len(found) if found else None

    def __repr__(self) -> str:
        return f"Utility({self.release}, {len(self.findings)} figures)"

    def _repr_html_(self) -> str:
        return findings_table(repr(self), self.findings)


def useful(
    figure: str, of: tuple[str, ...], value: float | None, uniform: str = UNIFORM
) -> Finding:
    """A figure of utility, as the registry tells it.

    Args:
        figure: its name.
        of: the columns it is of.
        value: what was found.
        uniform: how a release is read whose rows are not cells that are read uniformly.
    """
    known = UTILITY_OF[figure]
    return finding(known, value, of, uniform if known.read == UNIFORM else known.read)
