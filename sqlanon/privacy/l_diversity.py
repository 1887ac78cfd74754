"""l-diversity in its three forms, and of groups of values. Machanavajjhala et al. (2007)."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from sqlanon.common.fields import Declared, Exact, Whole
from sqlanon.privacy.model import CarveRule, CutCondition, DbtTest, PrivacyModel, SpecField
from sqlanon.sql.names import exact

_PAPER = "Machanavajjhala et al. (2007)"
_L = SpecField(
    "l",
    "LDiversity",
    "a whole number, or a mapping with one or more of `distinct`, `entropy` and "
    "`recursive: {c: …, l: …}`; with a `level` too, `distinct` counts the groups of the "
    "hierarchy at that level",
)


class Recursive(Declared):
    """Recursive (c, l)-diversity: the most frequent value is rarer than c times the tail from l."""

    c: Exact = Field(gt=0, description="how many times the tail the most frequent value may be")
    l: Whole = Field(  # noqa: E741 - the literature's name
        ge=1, description="from which value on, by frequency, the tail is counted"
    )


class Groups(Declared):
    """Distinct l-diversity of groups: so many of one level of the hierarchy in every class."""

    distinct: Whole = Field(ge=1, description="how many groups every class holds at least")
    level: Whole = Field(ge=1, description="of which level; 1 is right above the values")


def _logarithm(l: Fraction, tolerance: float) -> Fraction:  # noqa: E741
    """Its logarithm less a tolerance: none is exact, and a class at equality is to pass."""
    return Fraction(round((math.log(l) - tolerance) * 10**18), 10**18)


DISTINCT_L = PrivacyModel(
    name="distinct_l",
    title="distinct l-diversity",
    field=_L,
    form="distinct",
    with_level=False,
    threshold=Annotated[Whole, Field(ge=1)],
    example="3",
    vacuous=1,
    measured="privacy/distinct_l",
    reads=("class_values",),
    of_units="units/distinct_l",
    says_of_units="of every class at most one record in `l` has the same sensitive value",
    worst="least",
    least_size=int,
    cut=CutCondition("privacy/cut/diversities", amount="values", scale="one"),
    carve=CarveRule(lambda l: {"distinct": l}, pays="alone"),  # noqa: E741
    dbt=DbtTest(
        name="l_diversity",  # as everybody knows it
        read="whole_bound",
        missed="classes of fewer than {threshold} values",
    ),
    monotone="parted",
    formula="m ≥ l",
    value="m",
    range="[1, n]",
    paper=_PAPER,
    says="every class holds at least `l` different sensitive values",
)
DISTINCT_GROUPS_L = PrivacyModel(
    name="distinct_groups_l",
    title="distinct l-diversity of groups",
    field=_L,
    form="distinct",
    with_level=True,
    threshold=Groups,
    example="{distinct: 2, level: 1}",
    measured="privacy/distinct_groups_l",
    reads=("classes", "class_values", "positions"),
    worst="least",
    always=False,
    bound=lambda asked: Fraction(asked.distinct),
    of_any_table=False,
    shown=lambda asked: f"l = {asked.distinct}, h = {asked.level}",
    taken={"level": 1},
    least_size=lambda asked: int(asked.distinct),
    cut=CutCondition(
        "privacy/cut/group_diversities",
        amount="groups",
        scale="one",
        params=lambda demand, sides: {"level": demand.threshold.level},
    ),
    monotone="parted",
    formula="m ≥ l, of the groups of level h",
    value="m",
    range="[1, n]",
    paper=f"{_PAPER}; Li et al. (2007), §3",
    says="every class holds sensitive values of at least `l` different groups of level `h` of the "
    "hierarchy",
)
ENTROPY_L = PrivacyModel(
    name="entropy_l",
    title="entropy l-diversity",
    field=_L,
    form="entropy",
    threshold=Annotated[Exact, Field(ge=1)],
    example="2.5",
    vacuous=1,
    measured="privacy/entropy_l",
    reads=("classes", "class_values"),
    counted="shares",
    worst="least",
    bound=lambda l: _logarithm(l, 1e-9),  # noqa: E741
    least_size=math.ceil,
    # A side passes within less than a class does, so that no rounding parts the two.
    cut=CutCondition(
        "privacy/cut/diversities",
        amount="entropy",
        scale="one",
        bound=lambda l: _logarithm(l, 5e-10),  # noqa: E741
    ),
    carve=CarveRule(lambda l: {"entropy": l}, pays="beside"),  # noqa: E741
    dbt=DbtTest(read="logarithm", by_logarithm=True),
    monotone="merged",
    formula="H(Q) ≥ ln l",
    equality="holds, within 10⁻⁹ of ln l",
    value="exp H(Q)",
    range="[1, n]",
    paper=_PAPER,
    says="the sensitive values of every class are as mixed as `l` equally frequent ones",
)
RECURSIVE_L = PrivacyModel(
    name="recursive_l",
    title="recursive (c, l)-diversity",
    field=_L,
    form="recursive",
    threshold=Recursive,
    example="{c: 3, l: 2}",
    measured="privacy/recursive_l",
    reads=("class_values",),
    counted="shares",
    strict=True,
    always=False,
    bound=lambda asked: Fraction(asked.c),
    shown=lambda asked: f"c = {exact(asked.c)}, l = {asked.l}",
    taken={"l": 2},
    least_size=lambda asked: int(asked.l),
    cut=CutCondition(
        "privacy/cut/heads_and_tails",
        amount="head",
        scale="tail",
        params=lambda demand, sides: {"l": demand.threshold.l},
    ),
    carve=CarveRule(lambda asked: {"recursive": asked.c, "tail": asked.l}, pays="beside"),
    dbt=DbtTest(argument="c"),
    monotone="merged",
    formula="r₁ < c · (r_l + r_{l+1} + … + r_m)",
    equality="fails",
    value="r₁ / (r_l + … + r_m)",
    range="[0, n]",
    paper=_PAPER,
    says="the most frequent sensitive value of every class is rarer than `c` times the rest from "
    "the `l`-th on",
)
