"""Background knowledge of a random table: what somebody knows beforehand, and how far it goes."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from drawn import NAMES, Attribute, Drawn
from hypothesis import strategies as st
from oracle.background import billionths, m_estimate

ALIKE = ("0.05", "0.2", "0.5", "1")


@dataclass(frozen=True)
class Known:
    """What is known beforehand of one sensitive attribute, and how alike a class's members must be.

    Attributes:
        attribute: the sensitive attribute.
        by: the quasi-identifiers that it is known to go with.
        smoothing: how many records of the table's own distribution are added to each combination.
        most: the greatest divergence within a class.
        tag: a column that is released and tells which record a row is of, for the judge.
    """

    attribute: Attribute
    by: tuple[Attribute, ...]
    smoothing: int
    most: str
    tag: Attribute

    def declared(self) -> dict[str, Any]:
        """The fields of the attribute."""
        estimate = {"by": [one.name for one in self.by], "smoothing": self.smoothing}
        return {"background": {"estimate": estimate}, "bk": self.most}

    def furthest(self, classes: list[list[int]]) -> int:
        """The greatest divergence within classes of records, in billionths."""
        columns = [[repr(value) for value in one.values] for one in (*self.by, self.attribute)]
        records = [(row[:-1], row[-1]) for row in zip(*columns, strict=True)]
        profiles = m_estimate(records, Fraction(self.smoothing))
        kinds = [{records[place][0] for place in members} for members in classes]
        return max(
            billionths(profiles[entry], profiles[other])
            for some in kinds
            for entry in some
            for other in some
        )


@st.composite
def known_of(draw: st.DrawFn, drawn: Drawn) -> Known:
    """What somebody knows of one of a table's sensitive attributes."""
    name = draw(
        st.sampled_from(sorted(set(NAMES) - {attribute.name for attribute in drawn.attributes}))
    )
    return Known(
        draw(st.sampled_from(drawn.sensitive)),
        tuple(draw(st.lists(st.sampled_from(drawn.hidden), min_size=1, unique_by=id))),
        draw(st.sampled_from([1, 5])),
        draw(st.sampled_from(ALIKE)),
        Attribute(name, "integer", tuple(range(drawn.size))),
    )
