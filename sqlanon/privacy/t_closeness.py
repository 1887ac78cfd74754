"""t-closeness: a class's sensitive values are distributed as the table's. Li et al. (2007)."""

from __future__ import annotations

from sqlanon.common.fields import Closeness
from sqlanon.privacy.model import CarveRule, CutCondition, DbtTest, PrivacyModel, Sides, SpecField


def _scale(sides: Sides) -> int:
    """The divisor of the measured distance, apart from the numbers of records."""
    if sides.distance == "ordered":  # a single value is at no distance of itself
        return max(1, sides.values() - 1)
    return sides.height if sides.distance == "hierarchical" else 1


T_CLOSENESS = PrivacyModel(
    name="t_closeness",
    title="t-closeness",
    field=SpecField("t", "TCloseness", "a number from 0 to 1"),
    threshold=Closeness,
    example="0.2",
    vacuous=1,
    measured="privacy/t_{distance}",
    reads=("classes", "class_values", "positions"),
    counted="pairs",
    distances={"hierarchical": ("height",)},
    cut=CutCondition(
        "privacy/cut/distances_{distance}",
        in_bins={"ordered": "privacy/cut/distances_in_bins"},
        factor=lambda sides: sides.records * _scale(sides),
        params=lambda demand, sides: {"height": sides.height},
        wide=True,
        reserved=True,
    ),
    carve=CarveRule(lambda t: {"t": t}, pays="always"),
    dbt=DbtTest(missed="classes farther than {threshold}"),
    monotone="merged",
    formula="D(P, Q) ≤ t",
    value="D(P, Q)",
    paper="Li et al. (2007)",
    says="the sensitive values of every class are distributed as in the whole table, within `t`",
)
