"""beta-likeness: nobody's sensitive value becomes much likelier by the class. Cao & Karras (2012).

Bounded is the gain of every value that a class has more of than the table: how much likelier it is
there, relative to what everybody knows. Rare values are guarded as frequent ones are, which the
sum that t-closeness bounds does not do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any

from pydantic import Field

from sqlanon.common.fields import Exact
from sqlanon.privacy.model import CutCondition, Demand, PrivacyModel, Sides, SpecField

_BETA = SpecField(
    "beta",
    "BetaLikeness",
    "a number above 0 (`basic`), or a mapping with one or both of `basic` and `enhanced`",
)
_THRESHOLD = Annotated[Exact, Field(gt=0)]


def _cut(enhanced: bool) -> CutCondition:
    def params(demand: Demand, sides: Sides) -> Mapping[str, Any]:
        return {"bound": demand.cut_bound, "enhanced": enhanced}

    return CutCondition("privacy/cut/gains", counted=True, params=params)


BASIC_BETA = PrivacyModel(
    name="beta_likeness",
    title="β-likeness",
    field=_BETA,
    form="basic",
    threshold=_THRESHOLD,
    example="1",
    measured="privacy/beta_likeness",
    reads=("classes", "class_values", "positions"),
    counted="pairs",
    always=False,
    fixed={"enhanced": False},
    cut=_cut(enhanced=False),
    monotone="merged",
    formula="(qᵥ − pᵥ) / pᵥ ≤ β for every value v with qᵥ > pᵥ",
    value="the greatest (qᵥ − pᵥ) / pᵥ",
    range="[0, inf)",
    paper="Cao and Karras (2012)",
    says="in no class does the share of a sensitive value exceed that in the whole table by more "
    "than `beta` times that",
)
ENHANCED_BETA = replace(
    BASIC_BETA,
    name="enhanced_beta_likeness",
    title="enhanced β-likeness",
    form="enhanced",
    fixed={"enhanced": True},
    cut=_cut(enhanced=True),
    formula="(qᵥ − pᵥ) / pᵥ ≤ min(β, −ln pᵥ) for every value v with qᵥ > pᵥ",
    says="in no class does the share of a sensitive value exceed that in the whole table by more "
    "than `beta` times that; frequent values are held closer, so that none is certain",
)
