"""The settings of the methods that search the lattice of levels, as a spec declares them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.methods.lattice.objective import ObjectiveName
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.levels import of_one_level


class LatticeSettings(MethodSettings):
    """One level for every column."""

    counts_persons: ClassVar[bool] = False
    publishes: ClassVar[str | None] = "level"
    chooses_levels: ClassVar[bool] = True
    suppresses: ClassVar[bool] = True

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Every quasi-identifier needs a hierarchy, and is published as a label of one level."""
        for name, declared in spec.quasi_identifiers.items():
            if of_one_level(spec, name):
                continue
            what = f"{self.name} publishes every column as labels of one level of its hierarchy: "
            if declared.hierarchy is None:
                what += (
                    "give it one: of numbers {bands: [5, 10]}, of codes {prefix: [3, 0]}, of a few "
                    'words {tree: {"*": [a, b]}}, or a file'
                )
            else:
                what += "leave publish out, or say publish: level"
            yield Problem(f"quasi_identifiers.{name}", what)


class OptimalSettings(LatticeSettings):
    """The levels that lose least among all that satisfy the models."""

    name: Literal["optimal"] = "optimal"
    objective: ObjectiveName = Field(
        default="gcp",
        description="the metric that is kept as good as it can be: gcp, the share of the domain "
        "that is published; precision or minimal_distortion, how far values are moved up their "
        "hierarchies; discernibility, how many records look alike; or non_uniform_entropy, the "
        "share of the bits that tell the values",
    )


class SamaratiSettings(LatticeSettings):
    """The levels of the least height that satisfy the models. Samarati (2001)."""

    name: Literal["samarati"] = "samarati"


class IncognitoSettings(LatticeSettings):
    """All minimal choices of levels that satisfy the models. LeFevre et al. (2005)."""

    name: Literal["incognito"] = "incognito"


class DataflySettings(LatticeSettings):
    """The column with most values goes a level up until the models hold. Sweeney (2002)."""

    name: Literal["datafly"] = "datafly"
