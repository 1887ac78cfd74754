"""Local differential privacy: what is shown of a value is nearly as likely for any other."""

from __future__ import annotations

import re
from abc import abstractmethod
from datetime import date
from fractions import Fraction
from itertools import accumulate
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from sqlanon.common.fields import Declared, Exact, FreshKey, Key
from sqlanon.privacy.differential.counts import DRAWS
from sqlanon.privacy.differential.exponential import clamped_laplace, epsilon_holds, other_draws
from sqlanon.sql.names import Sql, exact, literal
from sqlanon.transforms.keyed import mapping
from sqlanon.transforms.transform import Shape, Transform, number

MOST_EPSILON = 20
MOST_STEPS = 1000  # from low to high: the SQL has a number for each
MOST_ANSWERS = 1000
_WIDEST = 2**62  # from low to high: as much may be added again, in whole numbers of 64 bits

Epsilon = Annotated[Exact, Field(gt=0, le=MOST_EPSILON)]


class LocalSetting(Declared):
    """The bound of a transform with local differential privacy."""

    epsilon: Epsilon = Field(
        description="what is published is at most e^epsilon times as likely for one value as for "
        "any other"
    )


class LocallyPrivate(Transform):
    """The base of transforms that have an ε and draw by a key of the run's own."""

    def takes(self, setting: Any, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """All values where every result is between the bounds, else none."""
        assert shape.between is not None  # noqa: S101 - it is asked of such types alone
        least, greatest = shape.between
        low, high = self._span(setting, shape)
        within = after[0] <= low and high <= after[1]
        return (least, greatest) if within else (greatest, least)

    def key(self, setting: Any) -> Key | None:
        """A key of the run's own."""
        return FreshKey()

    def epsilon(self, setting: LocalSetting) -> Fraction | None:
        """The ε of its local differential privacy."""
        return setting.epsilon

    @abstractmethod
    def _span(self, setting: Any, shape: Shape) -> tuple[Any, Any]:
        """The least and the greatest result."""


class LaplaceSetting(LocalSetting):
    """The bound, and between which values it holds."""

    low: Exact = Field(description="what is less becomes this")
    high: Exact = Field(description="what is greater becomes this")
    step: Annotated[Exact, Field(gt=0)] | None = Field(
        default=None,
        description="values are multiples of it, counted from low; by default the column's least "
        "unit",
    )


class Laplace(LocallyPrivate):
    """Discrete Laplace noise on a number between two bounds, which the result stays between.

    The truncated geometric mechanism of Ghosh, Roughgarden and Sundararajan (2009), by counts of
    draws: its ε is proved of the counts that the SQL has.
    """

    name, example = "laplace", "{epsilon: 1, low: 0, high: 100}"
    setting = Annotated[LaplaceSetting, mapping(example)]
    about = "discrete Laplace noise: local differential privacy of numbers from `low` to `high`"

    def misfit(self, setting: LaplaceSetting, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        for value in (setting.low, setting.high, self._step(setting, shape)):
            unfit = shape.unfit(value)
            if unfit is not None:
                return unfit
        if not (shape.holds(setting.low) and shape.holds(setting.high)):
            return f"low or high is no value of {shape.type}: cast the column to a wider type"
        if shape.whole and setting.high - setting.low >= _WIDEST:
            return "from low to high are 2^62 and more: cast the column to decimal(20, 0)"
        steps = self._steps(setting, shape)
        if steps <= 0 or steps.denominator != 1:
            return "high must be above low by a multiple of the step"
        if steps > MOST_STEPS:
            return (
                f"there are {int(steps):,} steps from low to high, and {MOST_STEPS:,} are the "
                "most: the noise is far wider than such a step, so name a greater one as step"
            )
        if not epsilon_holds(self._counts(setting, shape), setting.epsilon):
            return f"{exact(setting.epsilon)} is too small for {int(steps)} steps: take fewer"
        return None

    def params(self, setting: LaplaceSetting, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL."""
        scale, counts = shape.scale or 0, self._counts(setting, shape)
        steps = len(counts) // 2
        return {
            "low": number(setting.low, scale),
            "high": number(setting.high, scale),
            "range": number(setting.high - setting.low, scale),
            "step": number(self._step(setting, shape), scale),
            "is_unit": self._step(setting, shape) == Fraction(1, 10**scale),
            "ends": tuple(accumulate(counts)),
            "results": range(-steps, steps + 1),
            "type": shape.sql,
            "whole": shape.whole,
        }

    def says(self, setting: LaplaceSetting) -> str:
        """Its effect, in a few words."""
        steps = "" if setting.step is None else f" in steps of {exact(setting.step)}"
        between = f"between {exact(setting.low)} and {exact(setting.high)}{steps}"
        return f"with discrete Laplace noise {between} for ε = {exact(setting.epsilon)}"

    def covers(self, setting: LaplaceSetting) -> tuple[Sql, ...] | None:
        """All values but NULL."""
        return ()

    def _span(self, setting: LaplaceSetting, shape: Shape) -> tuple[Any, Any]:
        return setting.low, setting.high

    @staticmethod
    def _step(setting: LaplaceSetting, shape: Shape) -> Fraction:
        return Fraction(1, 10 ** (shape.scale or 0)) if setting.step is None else setting.step

    def _steps(self, setting: LaplaceSetting, shape: Shape) -> Fraction:
        return (setting.high - setting.low) / self._step(setting, shape)

    def _counts(self, setting: LaplaceSetting, shape: Shape) -> tuple[int, ...]:
        return clamped_laplace(setting.epsilon, int(self._steps(setting, shape)), DRAWS)


def _texts(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) < 2:
        raise ValueError("it must be the list of all values, two or more")
    if len(value) > MOST_ANSWERS:
        raise ValueError(f"it must have at most {MOST_ANSWERS:,} values")
    found = [_text(one) for one in value]
    if len(set(found)) != len(found):
        raise ValueError("it names a value twice")
    return found


def _text(value: Any) -> str:
    if hasattr(value, "written"):
        raise ValueError(f"put {value.written} into quotes: YAML reads it as something else")
    if isinstance(value, bool):
        return str(value).lower()
    if not isinstance(value, str | int | date):
        raise ValueError("its values must be texts, whole numbers, dates, or true and false")
    return str(value)


Values = Annotated[
    tuple[str, ...],
    BeforeValidator(_texts),
    WithJsonSchema(
        {"type": "array", "items": {"type": ["string", "integer", "boolean"]}, "minItems": 2}
    ),
]


class ResponseSetting(LocalSetting):
    """The bound, and all values that a record may have."""

    values: Values = Field(
        description="all values that the column may have, whether or not a record has them"
    )


class RandomizedResponse(LocallyPrivate):
    """A value stays, or one of all values is drawn, each as likely.

    Warner (1965), of k answers: Kairouz, Oh and Viswanath (2014).
    """

    name, example = "randomized_response", "{epsilon: 1, values: [a, b, c]}"
    setting = Annotated[ResponseSetting, mapping(example)]
    about = "a value stays or one of `values` is drawn: local differential privacy of categories"

    def misfit(self, setting: ResponseSetting, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        if shape.kind not in _READ_AS:
            kinds = "text, whole numbers, dates, or true and false"
            return f"it needs {kinds}, the column is {shape.shown_type}: cast it in a query"
        if not all(_is_value(value, shape) for value in setting.values):
            return f"values lists what is no value of {shape.shown_type}, as the database writes it"
        if len(setting.values) * self._other(setting) >= DRAWS:
            return f"{exact(setting.epsilon)} is too small to be counted in draws: take a greater"
        return None

    def params(self, setting: ResponseSetting, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL."""
        each = self._other(setting)
        return {
            "ends": tuple(accumulate([each] * len(setting.values))),
            "below": len(setting.values) * each,
            "results": [_in_sql(value, shape) for value in setting.values],
        }

    def says(self, setting: ResponseSetting) -> str:
        """Its effect, in a few words."""
        answers = len(setting.values)
        return f"by randomized response of {answers} answers for ε = {exact(setting.epsilon)}"

    def covers(self, setting: ResponseSetting) -> tuple[Sql, ...] | None:
        """The listed values."""
        return tuple(literal(value) for value in setting.values)

    def _span(self, setting: ResponseSetting, shape: Shape) -> tuple[Any, Any]:
        made = [_READ_AS[shape.kind](value) for value in setting.values]
        return min(made), max(made)

    @staticmethod
    def _other(setting: ResponseSetting) -> int:
        return other_draws(setting.epsilon, len(setting.values), DRAWS)


def _whole(text: str) -> Fraction:
    if not re.fullmatch(r"0|-?[1-9]\d*", text):
        raise ValueError
    return Fraction(text)


def _day(text: str) -> date:
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        raise ValueError
    return date.fromisoformat(text)


def _truth(text: str) -> bool:
    return {"true": True, "false": False}[text]


_READ_AS: dict[str, Any] = {"text": str, "integer": _whole, "date": _day, "boolean": _truth}


def _is_value(text: str, shape: Shape) -> bool:
    try:
        return shape.holds(_READ_AS[shape.kind](text))
    except (ValueError, KeyError):
        return False


def _in_sql(text: str, shape: Shape) -> Sql:
    if shape.kind == "text":
        return literal(text)
    return Sql(f"cast({literal(text)} as {shape.sql})")
