"""The settings of fragmentation, and the declarations that a spec needs for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.fields import Whole
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.spec import MethodSettings, Spec


class FragmentationSettings(MethodSettings):
    """Fragmentation: a t for each of several ordered sensitive attributes."""

    counts_persons: ClassVar[bool] = False
    by_order: ClassVar[bool] = True

    name: Literal["fragmentation"] = "fragmentation"
    sizing: Literal["envelope", "gcd"] = Field(
        default="envelope",
        description="how many classes there are: as many as an envelope of each allows, or the "
        "fragments' greatest common divisor, as in the literature",
    )
    strategy: Literal["excess", "sum"] | None = Field(
        default=None,
        description="the figure that each split makes least: the bounds' excess over t, or their "
        "sum; by "
        "default both are tried, with sizing: gcd excess alone",
    )
    bins: Whole | None = Field(
        default=None,
        ge=1,
        le=1000,
        description="an attribute with more values is searched in so many runs of values; by "
        "default 200 for one attribute, 141 for two, 27, 11, 7, 5 …",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Fragments are runs of values in an order, sought for a t of every attribute."""
        if not spec.sensitive:
            what = "fragmentation needs sensitive attributes, and none is declared"
            yield Problem("method", f"{what}: take another method")
        for name, declared in spec.sensitive.items():
            if declared.distance not in (None, "ordered"):  # None: until the types are known
                yield Problem(
                    f"sensitive.{name}.distance",
                    "fragmentation needs an order of the values, and this distance is "
                    f"{declared.distance}: say distance: ordered, of text with its order, or take "
                    "another method",
                )
            if T_CLOSENESS.asked(declared) is None and T_CLOSENESS.asked(spec.privacy) is None:
                yield Problem(
                    f"sensitive.{name}.t",
                    "fragmentation needs a t for every sensitive attribute: give it one here, or "
                    "all of them one under privacy",
                )
