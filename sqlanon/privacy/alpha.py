"""(alpha, k)-anonymity: no sensitive value is too large a share of a class. Wong et al. (2006)."""

from __future__ import annotations

import math

from sqlanon.common.fields import Share
from sqlanon.privacy.model import CarveRule, CutCondition, PrivacyModel, SpecField

ALPHA = PrivacyModel(
    name="alpha",
    title="(α, k)-anonymity",
    field=SpecField("alpha", "Alpha", "a number above 0, up to 1"),
    threshold=Share,
    example="0.5",
    vacuous=1,
    measured="privacy/alpha",
    reads=("classes", "class_values"),
    least_size=lambda alpha: math.ceil(1 / alpha),
    cut=CutCondition("privacy/cut/diversities", amount="most"),
    carve=CarveRule(lambda alpha: {"alpha": alpha}, pays="beside"),
    monotone="merged",
    formula="r₁ / N ≤ α",
    value="r₁ / N",
    paper="Wong et al. (2006)",
    says="no sensitive value makes up more of a class than this share",
)
