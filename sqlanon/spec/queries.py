"""Queries of the user's own, which are asked of a release and of its source."""

from __future__ import annotations

from datetime import date, datetime
from math import isfinite
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from sqlanon.fields import Declared

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
    hidden: bool = Field(
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
