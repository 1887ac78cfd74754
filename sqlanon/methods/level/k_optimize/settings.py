"""The settings of k-Optimize, as a spec declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.fields import Whole
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.form import RULES
from sqlanon.spec.levels import published_as


class KOptimizeSettings(MethodSettings):
    """The best stretches of ordered values, the same for all records. Bayardo & Agrawal (2005)."""

    counts_persons: ClassVar[bool] = False
    publishes: ClassVar[str | None] = "set"
    suppresses: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    covers: ClassVar[bool] = True
    tests_projections: ClassVar[bool] = False

    name: Literal["k_optimize"] = "k_optimize"
    objective: Literal["discernibility", "gcp"] = Field(
        default="discernibility",
        description="the metric that is kept as good as it can be: discernibility, how many "
        "records look alike, each suppressed one like all; or gcp, the share of the domain that "
        "is published",
    )
    splits: Whole = Field(
        default=16,
        ge=1,
        le=1000,
        description="at how many places the values of a column may be split at most; where it has "
        "more values than that, between bins with about as many records each",
    )
    nodes: Whole = Field(
        default=3_000,
        ge=1,
        le=10_000_000,
        description="how many sets of splits are judged at most; then the best so far is taken, "
        "and the run's record tells how much better any other could be",
    )
    seconds: Whole | None = Field(
        default=None,
        ge=1,
        description="for how many seconds sets of splits are judged at most; with it two runs on "
        "the same table may differ. No limit if none",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Every column shows stretches of values."""
        for name in spec.leading:
            form = published_as(spec, name)
            if form is not None and RULES[form].shows not in ("ends", "members"):
                yield Problem(
                    f"quasi_identifiers.{name}.publish",
                    f"k_optimize publishes stretches of ordered values, which {form} does not "
                    "show: leave publish out, or say publish: set or, of numbers and dates "
                    "without a hierarchy, interval or bounds",
                )
