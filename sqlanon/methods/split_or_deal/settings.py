"""What a spec may say of Split-or-Deal, and of the deal tree."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from sqlanon.spec import MethodSettings
from sqlanon.spec.counts import Whole

DEFAULT_REFINE = 4


class SplitOrDealSettings(MethodSettings):
    """Carve, then Split-or-Deal: the least information loss at a given k, l and t."""

    name: Literal["split_or_deal"] = "split_or_deal"
    refine: Whole = Field(
        default=DEFAULT_REFINE,
        ge=0,
        le=100,
        description="how many times neighbouring classes are pooled and split anew",
    )
    regions: Whole | None = Field(
        default=None,
        ge=2,
        description="in about how many regions of the table carving is tried as well",
    )


class DealTreeSettings(MethodSettings):
    """Stack & Deal's counts, dealt by cuts along the quasi-identifiers."""

    name: Literal["deal_tree"] = "deal_tree"
