"""(ε, m)-anonymity: no class tells about which number somebody has. Li, Tao & Xiao (2008).

The l of l-diversity counts different numbers, also where they lie next to each other. Here of every
member's number at most one m-th of the class lies within ε of it.

A union of classes that meet it may fail it: members of one class who are farther than ε from each
other may all be within ε of a member of the other. So a search over levels passes over nothing.
"""

from __future__ import annotations

from fractions import Fraction

from pydantic import Field

from sqlanon.common.fields import Declared, Whole
from sqlanon.privacy.model import CutCondition, PrivacyModel, SpecField, only


class Proximity(Declared):
    """(ε, m)-anonymity of whole numbers, with absolute distances."""

    epsilon: Whole = Field(
        ge=0, le=10**15, description="how far apart two numbers are that count as near each other"
    )
    m: Whole = Field(
        ge=1, description="at most one m-th of a class is near to the number of any member"
    )


PROXIMITY = PrivacyModel(
    name="proximity",
    title="(ε, m)-anonymity",
    field=SpecField("proximity", "Proximity", "`{epsilon: …, m: …}`, two whole numbers"),
    threshold=Proximity,
    example="{epsilon: 5, m: 2}",
    measured="privacy/proximity",
    reads=("classes", "class_values", "positions"),
    always=False,
    bound=lambda asked: Fraction(1, asked.m),
    shown=lambda asked: f"epsilon = {asked.epsilon}, m = {asked.m}",
    taken={"epsilon": 0},
    least_size=lambda asked: int(asked.m),
    cut=CutCondition(
        "privacy/cut/near",
        amount="near",
        params=lambda demand, sides: {"epsilon": demand.threshold.epsilon},
    ),
    of_any_table=False,
    fits=only("integer", needs="whole numbers"),
    formula="r_I / N ≤ 1/m for the interval I = [v − ε, v + ε] of every member's number v, "
    "r_I records having a number in I",
    value="the greatest r_I / N",
    paper="Li, Tao and Xiao (2008)",
    says="at most one `m`-th of every class has a number within `epsilon` of any member's",
)
