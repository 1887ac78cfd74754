"""delta-disclosure: a class says little for or against any value. Brickell & Shmatikov (2008).

Every value of the table is in every class, neither much more nor much less frequent there. Only
counts and powers decide: the logarithm of a ratio is below delta where the ratio is below the
power. A power that is no whole number is rounded down, so that a class that passes is within delta.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from decimal import ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Annotated, Any

from pydantic import Field

from sqlanon.common.fields import Exact
from sqlanon.privacy.model import CutCondition, DbtTest, Demand, PrivacyModel, Sides, SpecField

_DELTA = SpecField(
    "delta",
    "DeltaDisclosure",
    "a number above 0 (`log2`), or a mapping with one or both of `log2` and `ln`",
)
_THRESHOLD = Annotated[Exact, Field(gt=0, le=60)]  # no ratio of counts is above 2 to the 60th
_READS = ("classes", "class_values", "positions")
_DIGITS = 18


def _power(base: Decimal, delta: Fraction) -> Fraction:
    """The power, rounded down in its eighteenth digit."""
    context = Context(prec=60)
    exponent = context.divide(Decimal(delta.numerator), Decimal(delta.denominator))
    power = context.power(base, exponent)
    if base == 2 and delta.denominator == 1:
        return Fraction(2**delta.numerator)
    unit = Decimal(1).scaleb(power.adjusted() - _DIGITS + 1)
    return Fraction(power.quantize(unit, rounding=ROUND_FLOOR, context=context))


def _params(demand: Demand, sides: Sides) -> Mapping[str, Any]:
    return {"bound": demand.cut_bound}


_CUT = CutCondition("privacy/cut/ratios", counted=True, params=_params)
DELTA = PrivacyModel(
    name="delta_disclosure",
    title="δ-disclosure privacy",
    field=_DELTA,
    form="log2",
    threshold=_THRESHOLD,
    example="1",
    measured="privacy/delta_disclosure",
    reads=_READS,
    counted="pairs",
    strict=True,
    always=False,
    bound=lambda delta: _power(Decimal(2), delta),
    fixed={"natural": False},
    cut=_CUT,
    dbt=DbtTest(read="power_of_2", by_logarithm=True),
    monotone="merged",
    formula="−δ < log₂ (qᵥ / pᵥ) < δ for every value v of the table",
    equality="fails",
    value="the greatest log₂ (qᵥ / pᵥ) without its sign",
    range="[0, inf)",
    paper="Brickell and Shmatikov (2008)",
    says="in every class the share of every sensitive value is more than 1 / 2^`delta` and less "
    "than 2^`delta` times that in the whole table",
)
DELTA_LN = replace(
    DELTA,
    name="delta_disclosure_ln",
    title="δ-disclosure privacy, natural logarithm",
    form="ln",
    example="0.7",
    bound=lambda delta: _power(Context(prec=60).exp(Decimal(1)), delta),
    fixed={"natural": True},
    dbt=DbtTest(read="power_of_e", by_logarithm=True),
    formula="−δ < ln (qᵥ / pᵥ) < δ for every value v of the table",
    value="the greatest ln (qᵥ / pᵥ) without its sign",
    says="in every class the share of every sensitive value is more than 1 / e^`delta` and less "
    "than e^`delta` times that in the whole table",
)
