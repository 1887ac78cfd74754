"""The metrics that a spec may ask for, in addition to those that are measured of every release.

This module does not know which there are; each hands over a rule that says what a release must be
like to have it.

Queries of the user's own may be asked of a release and of its source, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime
from math import isfinite
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from sqlanon.common.fields import Declared, Truth
from sqlanon.common.registry import Registry
from sqlanon.errors import Problem
from sqlanon.spec.levels import of_one_level, published_as
from sqlanon.spec.publication import FORM_RULES

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec

MOST_QUERIES = 1000
Scalar = None | bool | int | float | str | date | datetime


def _wanted(given: Any) -> tuple[Scalar, ...] | Scalar:
    """A value, or several."""
    several = tuple(given) if isinstance(given, list | tuple) else (given,)
    if not several:
        raise ValueError("name a value at least")
    for one in several:
        if not isinstance(one, Scalar):
            raise ValueError("it must be a value, a list of values, or a range such as [30, 50]")
        if isinstance(one, float) and not isfinite(one):
            raise ValueError("a number must be finite")
        if isinstance(one, str) and "\x00" in one:
            raise ValueError("text must not hold a NUL character")
    return several if isinstance(given, list | tuple) else given


Wanted = Annotated[Any, BeforeValidator(_wanted)]


class AskedQuery(Declared):
    """A query that counts records, or averages a number over them."""

    where: dict[str, Wanted] = Field(
        default_factory=dict, description="a condition on each of some columns, all of them met"
    )
    mean: str | None = Field(default=None, description="the number that is averaged")
    hidden: Truth = Field(
        default=False,
        description="whether the records it counts are a pattern that the release is to hide",
    )

    @model_validator(mode="after")
    def _asks(self) -> AskedQuery:
        if not self.where and self.mean is None:
            raise ValueError(
                "it asks for nothing: give a condition, as where: {age: [30, 50]}, or a mean"
            )
        if self.hidden and self.mean is not None:
            raise ValueError("a query hides a pattern of records: leave mean out, or hidden")
        return self


Needs = Literal["sensitive", "classes", "cells", "labels", "levels"]


@dataclass(frozen=True)
class MetricRule:
    """The need that a release must meet to have a metric.

    Attributes:
        name: what ``metrics`` calls it.
        needs: a ``sensitive`` attribute; ``classes`` as they were formed; generalized ``cells``;
            ``labels`` of hierarchies in every quasi-identifier; or these of one of the ``levels``
            in each.
    """

    name: str
    needs: Needs

    @property
    def of_cells(self) -> bool:
        """Whether the cells of a release have to be read back for it."""
        return self.needs not in ("sensitive", "classes")

    def misfit(self, spec: Spec) -> str | None:
        """Why a release as declared has no such metric."""
        if self.needs == "classes":
            return None
        if not self.of_cells:
            return None if spec.sensitive else "it is of sensitive attributes, and none is declared"
        if spec.shows_exact:
            return None  # a clause of cells, which does not go with exact rows
        forms = {name: published_as(spec, name) for name in spec.quasi_identifiers}
        for name, form in forms.items():
            if form is not None and not FORM_RULES[form].covers:
                what = f"it is of what cells stand for, and {name!r} is published as its class's"
                return f"{what} {form}, which does not say it"
        if self.needs == "cells":
            return None
        for name, form in forms.items():
            # With a hierarchy, a column that asks for no form is published as labels.
            labelled = form is None or FORM_RULES[form].shows == "label"
            if not labelled or spec.quasi_identifiers[name].hierarchy is None:
                what = f"it counts levels of hierarchies, and {name!r} is not published as labels"
                return f"{what} of one: give it a hierarchy"
            if self.needs == "levels" and not of_one_level(spec, name):
                what = f"it is of columns at one level each, and {name!r} is not: publish: level"
                return f"{what}, or a method that searches over levels, such as optimal"
        return None


RULES = Registry[MetricRule]("metrics")


def _read(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


MetricNames = Annotated[tuple[Annotated[str, RULES.one_name], ...], BeforeValidator(_read)]


def cell_metrics(spec: Spec) -> list[str]:
    """The metrics that a spec asks for, and that cells have to be read back for."""
    return [name for name in dict.fromkeys(spec.metrics) if RULES[name].of_cells]


def metric_problems(spec: Spec) -> Iterator[Problem]:
    """Metrics that a release as declared does not have."""
    for name in dict.fromkeys(spec.metrics):
        misfit = RULES[name].misfit(spec)
        if misfit is not None:
            yield Problem("metrics", f"{name}: {misfit}")
