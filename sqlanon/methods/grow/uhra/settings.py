"""The settings of UHRA, as a spec declares them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.fields import Whole
from sqlanon.spec import MethodSettings


class UhraSettings(MethodSettings):
    """Clusters of records, classes grown in them and refined. Amiri et al. (2023)."""

    reads_records: ClassVar[bool] = True
    suppresses: ClassVar[bool] = True
    clusters: ClassVar[bool] = True
    strata: ClassVar[bool] = True
    needs: ClassVar[Mapping[str, str]] = {
        "clusters": "uhra starts from clusters of records: {clusters}, or take mondrian or "
        "split_or_deal"
    }

    name: Literal["uhra"] = "uhra"
    order: Literal["nearest", "curve"] = Field(
        default="nearest",
        description="in which order classes grow: nearest, from every point to the nearest that is "
        "left; or curve, along a Hilbert curve",
    )
    scope: Literal["clusters", "table"] = Field(
        default="clusters",
        description="where classes grow: clusters, in each by itself; or table, over all records, "
        "of which those are passed over with which no class can begin",
    )
    block: Whole = Field(
        default=2000,
        ge=2,
        le=10_000,
        description="how many combinations of quasi-identifiers of a cluster are compared two by "
        "two at most; a cluster with more is cut into blocks along a curve",
    )
    rounds: Whole = Field(
        default=1000,
        ge=0,
        le=10_000,
        description="how many times records are moved to nearer classes at most",
    )
