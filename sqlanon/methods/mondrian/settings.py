"""The settings of Mondrian, as a spec declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.methods.untested import untested
from sqlanon.spec import MethodSettings, Spec


class MondrianSettings(MethodSettings):
    """Cuts at the median of the widest quasi-identifier. LeFevre et al. (2006)."""

    cuts: ClassVar[bool] = True
    clusters: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    leaves_outliers: ClassVar[bool] = True

    name: Literal["mondrian"] = "mondrian"
    partitioning: Literal["strict", "relaxed"] = Field(
        default="strict",
        description="strict: records alike in all quasi-identifiers stay in one class; relaxed: "
        "every class is cut into halves, and records alike may be parted",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """A model that cuts are not tested by would be found not to hold in the end."""
        return untested(spec, self.name)
