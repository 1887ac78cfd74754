"""The settings of microaggregation, as a spec declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.fields import Exact, Whole
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.spec import MethodSettings, Spec

# Its square times that of a distance stays within a decimal's 38 digits.
_MOST = 10**9
# By which distances a t may be asked for, by the order.
_DISTANCES = {"k_anonymity_first": ("ordered", "equal"), "t_closeness_first": ("ordered",)}


class MicroaggregationSettings(MethodSettings):
    """Groups of k neighbours, joined until every model holds. Domingo-Ferrer & Torra (2005)."""

    reads_records: ClassVar[bool] = True
    clusters: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    leaves_outliers: ClassVar[bool] = True

    name: Literal["microaggregation"] = "microaggregation"
    order: Literal["merging", "k_anonymity_first", "t_closeness_first"] = Field(
        default="merging",
        description="the work for a t before groups are joined: merging, nothing; "
        "k_anonymity_first, near groups swap records until no swap brings one that fails nearer to "
        "the one t; or t_closeness_first, each is formed with a record of every part of the range "
        "of the one sensitive attribute that is to be t-close in its order",
    )
    block: Whole = Field(
        default=2000,
        ge=2,
        le=1_000_000,
        description="how many records groups are formed of at once at most; a table with more is "
        "cut into blocks along a curve",
    )

    swaps: Literal["formed", "free"] = Field(
        default="formed",
        description="for order: k_anonymity_first: formed, groups swap records with each other "
        "once all are formed; free, each swaps with records in no group yet while it forms, as in "
        "the paper, for small tables",
    )

    gamma: Exact | None = Field(
        default=None,
        gt=0,
        description="groups of k to 2k - 1: a group takes up to k - 1 more records while each is "
        "nearer to it than so many times its distance to the nearest other that is left; groups "
        "of k if none. Solanas & Martinez-Balleste (2006)",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """An order other than merging needs one attribute with a t; parts bind a group's size."""
        if self.gamma is not None and max(self.gamma.as_integer_ratio()) > _MOST:
            yield Problem(
                "method.gamma",
                "it must be a fraction of whole numbers up to 1,000,000,000, such as 1.1 or "
                "'11/10'",
            )
        if self.swaps == "free" and (self.order != "k_anonymity_first" or self.gamma is not None):
            yield Problem(
                "method.swaps",
                "groups of k swap with free records under order: k_anonymity_first, without gamma: "
                "say so, or leave it out",
            )
        if self.order == "merging":
            return
        if self.gamma is not None and self.order == "t_closeness_first":
            yield Problem(
                "method.gamma",
                "t_closeness_first takes as many records of every part of a range, so its groups "
                "cannot vary in size by gamma: take order merging, or leave gamma out",
            )
        found = [
            name
            for name, one in spec.sensitive.items()
            if T_CLOSENESS.asked_of(one, spec.privacy) is not None
        ]
        # No distance is one that is left to the type, which is not known yet.
        if len(found) == 1 and spec.sensitive[found[0]].distance in (None, *_DISTANCES[self.order]):
            return
        asked, distances = ", ".join(found) or "none", " or ".join(_DISTANCES[self.order])
        yield Problem(
            "method.order",
            f"{self.order} is for one sensitive attribute, the only one with a t, and its distance "
            f"must be {distances}; those with a t are: {asked}. Take merging, which goes with any "
            "of them",
        )
