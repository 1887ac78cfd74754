"""The settings of anatomy's own grouping, and the declarations that a spec needs for it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field

from sqlanon.errors import Problem
from sqlanon.privacy.l_diversity import DISTINCT_L
from sqlanon.spec import MethodSettings, Spec
from sqlanon.spec.publication import asked_of


class AnatomySettings(MethodSettings):
    """Groups of l records with l different sensitive values. Xiao and Tao (2006), §4."""

    counts_persons: ClassVar[bool] = False
    by_name: ClassVar[bool] = True
    follows_k: ClassVar[bool] = False
    searches: ClassVar[bool] = False

    name: Literal["anatomy"] = "anatomy"
    locality: Literal["none", "curve"] = Field(
        default="curve",
        description="which records of a value a group gets: along a curve through the "
        "quasi-identifiers, so that a group's records lie close, or drawn blindly, as in the paper",
    )

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Groups are of l records for the l of one sensitive attribute, and no larger."""
        if len(spec.sensitive) != 1:
            number = "none is" if not spec.sensitive else f"{len(spec.sensitive)} are"
            what = f"anatomy works on one sensitive attribute, and {number} declared"
            yield Problem("method", f"{what}: take another method")
            return
        ((name, declared),) = spec.sensitive.items()
        distinct = DISTINCT_L.asked_of(declared, spec.privacy)
        if distinct is None or distinct < 2:
            yield Problem(
                f"sensitive.{name}.l",
                "anatomy forms groups of l different values, and no distinct l is asked for: give "
                "it a whole number from 2",
            )
            return
        yield from _larger_groups(spec, distinct)
        for one in asked_of(spec, declared):
            if one.least_size > distinct:
                own = getattr(declared, one.model.field.name, None) is not None
                yield Problem(
                    f"{f'sensitive.{name}' if own else 'privacy'}.{one.model.field.name}",
                    f"{one.model.title} needs groups of {one.least_size} records at least, and "
                    f"anatomy forms groups of l = {distinct}: raise l to {one.least_size}, or "
                    "take another method",
                )


def _larger_groups(spec: Spec, distinct: int) -> Iterator[Problem]:
    """The demands for groups of more records than l, as problems."""
    what = f"anatomy forms groups of l = {distinct} records"
    if spec.choose is not None:
        return  # it chooses k, which is not followed
    if spec.publish is not None and (spec.publish.group or 0) > distinct and spec.shows_exact:
        group = spec.publish.group
        yield Problem(
            "publish.group",
            f"{what}, and {group} are asked for: say {distinct} at most, or raise l to {group}",
        )
    elif spec.privacy.k > distinct:
        k = spec.privacy.k
        yield Problem(
            "privacy.k", f"{what}, and {k} are asked for: say {distinct} at most, or raise l to {k}"
        )
