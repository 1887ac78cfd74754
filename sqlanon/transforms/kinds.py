"""The transforms: coarser values, cut off ends, masks, noise, and shifted dates."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, PlainSerializer, WithJsonSchema, model_validator

from sqlanon.fields import Declared, Exact, KeySource, Whole, as_fraction
from sqlanon.sql.names import exact
from sqlanon.transforms.transform import Shape, Transform, limit, number

_MOST_STEPS = 10**9  # of noise: what is drawn of 48 bits is even to one in 10^5
_PER_MILLE = Fraction(1, 1000)


def _limit(value: Any) -> date | Fraction:
    """A date, also as JSON writes it, or a number."""
    try:
        day = date.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        day = None
    if isinstance(day, date) and not isinstance(day, datetime):
        return day
    try:
        return as_fraction(value)
    except ValueError:
        raise ValueError("it must be a number, or a date such as 2020-12-31") from None


def _mapping(example: str) -> BeforeValidator:
    """Only a mapping will do; the message shows one."""

    def read(value: Any) -> Any:
        if not isinstance(value, dict | Declared):
            raise ValueError(f"it must be a mapping such as {example}")
        return value

    return BeforeValidator(read)


Step = Annotated[Exact, Field(gt=0)]
Limit = Annotated[
    Any,
    BeforeValidator(_limit),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": ["number", "string"]}),
]


class Round(Transform):
    """The nearest multiple of a step; what lies halfway goes up."""

    name, setting, example = "round", Step, "5"
    about = "to the nearest multiple of it; what lies halfway goes up"

    def misfit(self, setting: Fraction, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        return shape.unfit(setting) or _outside(setting, shape)

    def takes(self, setting: Fraction, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """Values below the middle between the last multiple and the next."""
        last = after[1] // setting * setting
        return _least_multiple(after[0], setting), min(
            after[1], _below(last + setting / 2, shape.scale or 0)
        )

    def params(self, setting: Fraction, shape: Shape) -> dict[str, Any]:
        """What its SQL is given."""
        return {
            "step": number(setting, shape.scale or 0),
            "type": shape.sql,
            "whole": shape.kind == "integer",
        }

    def says(self, setting: Fraction) -> str:
        """What it does, in a few words."""
        return f"rounded to multiples of {exact(setting)}"


class Bands(Transform):
    """The band of a width that holds the value, as text; it begins at a multiple of the width."""

    name, setting, example = "bands", Step, "10"
    about = "the band of this width, as text: `[20, 29]`, and `[20, 30)` of decimals"

    def misfit(self, setting: Fraction, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        return shape.unfit(setting) or _outside(setting, shape)

    def takes(self, setting: Fraction, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """Values whose band ends within the type."""
        size = setting - 1 if shape.kind == "integer" else setting
        last = (after[1] - size) // setting * setting
        scale = shape.scale or 0
        return _least_multiple(after[0], setting), min(after[1], _below(last + setting, scale))

    def shape(self, shape: Shape) -> Shape:
        """What becomes of a column's type."""
        return Shape("text", "text")

    def params(self, setting: Fraction, shape: Shape) -> dict[str, Any]:
        """What its SQL is given."""
        scale, whole = shape.scale or 0, shape.kind == "integer"
        last = setting - 1 if whole else setting
        return {
            "step": number(setting, scale),
            "last": number(last, scale),
            "closing": "]" if whole else ")",
            "type": shape.sql,
            "whole": whole,
        }

    def says(self, setting: Fraction) -> str:
        """What it does, in a few words."""
        return f"in bands of {exact(setting)}"


class _Cut(Transform):
    """What lies beyond a limit becomes the limit."""

    setting = Limit

    @property
    def cuts(self) -> bool:
        """It changes the extreme values alone."""
        return True

    def misfit(self, setting: date | Fraction, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        if isinstance(setting, date):
            return None if shape.kind == "date" else f"a date does not limit {shape.shown_type}"
        if shape.kind == "date":
            return "the column has dates: it must be a date such as 2020-12-31"
        return shape.unfit(setting) or _outside(setting, shape)

    def params(self, setting: date | Fraction, shape: Shape) -> dict[str, Any]:
        """What its SQL is given."""
        return {"limit": limit(setting, shape), "type": shape.sql}

    def says(self, setting: date | Fraction) -> str:
        """What it does, in a few words."""
        shown = exact(setting) if isinstance(setting, Fraction) else setting.isoformat()
        return f"at {'most' if self.name == 'top' else 'least'} {shown}"


class Top(_Cut):
    """Top coding: what is greater becomes this."""

    def takes(self, setting: Any, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """What is greater is as good as the limit."""
        assert shape.between is not None  # noqa: S101 - it is asked of such types alone
        reached = after[0] <= setting <= after[1]
        return after[0], shape.between[1] if reached else min(after[1], setting)

    name, example = "top", "90"
    about = "top code: what is greater becomes this number or date"


class Bottom(_Cut):
    """Bottom coding: what is less becomes this."""

    def takes(self, setting: Any, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """What is less is as good as the limit."""
        assert shape.between is not None  # noqa: S101 - it is asked of such types alone
        reached = after[0] <= setting <= after[1]
        return shape.between[0] if reached else max(after[0], setting), after[1]

    name, example = "bottom", "18"
    about = "bottom code: what is less becomes this number or date"


class Mask(Transform):
    """So many leading characters stay, and each other is ``*``."""

    name, setting, example = "mask", Annotated[Whole, Field(ge=0, le=10**6)], "2"
    about = "so many leading characters stay, each other is `*`"

    def misfit(self, setting: int, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        if shape.kind == "text":
            return None
        return f"it needs text, the column is {shape.shown_type}: cast it to text in a query"

    def shape(self, shape: Shape) -> Shape:
        """What becomes of a column's type."""
        return Shape("text", "text")

    def params(self, setting: int, shape: Shape) -> dict[str, Any]:
        """What its SQL is given."""
        return {"keep": setting}

    def says(self, setting: int) -> str:
        """What it does, in a few words."""
        return f"masked from character {setting + 1} on"


class NoiseSetting(Declared):
    """How much noise, and its key."""

    within: Annotated[Exact, Field(gt=0)] | None = Field(
        default=None, description="added: evenly drawn from -within to within"
    )
    share: Annotated[Exact, Field(gt=0, lt=1)] | None = Field(
        default=None, description="multiplied: by 1 and evenly drawn from -share to share"
    )
    key: KeySource = Field(description="where the key is that it is drawn by")

    @model_validator(mode="after")
    def _is_one(self) -> NoiseSetting:
        if (self.within is None) == (self.share is None):
            raise ValueError("it must be within: (added) or share: (multiplied), one of them")
        return self


class Noise(Transform):
    """A whole number of the column's least unit, or thousandths of the value, drawn by a key."""

    name, example = "noise", "{within: 5, key: {env: NOISE_KEY}}"
    setting = Annotated[NoiseSetting, _mapping(example)]
    about = "evenly drawn for each record: `within` is added, a `share` of the value multiplied"

    def misfit(self, setting: NoiseSetting, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        if setting.within is None:
            if ((setting.share or 0) * 1000) % 1:
                return "a share of noise is in thousandths, such as 0.05"
            return shape.unfit()
        unfit = shape.unfit(setting.within)
        if unfit is None and setting.within * 10 ** (shape.scale or 0) > _MOST_STEPS:
            return f"it must be at most {_MOST_STEPS:,} of the column's least unit"
        return unfit

    def takes(self, setting: NoiseSetting, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """Values that no draw takes beyond the bounds."""
        least, greatest = after
        if setting.within is not None:
            return least + setting.within, greatest - setting.within
        share, units = setting.share or Fraction(0), 10 ** (shape.scale or 0)
        low = least / (1 - share if least > 0 else 1 + share)
        high = greatest / (1 - share if greatest < 0 else 1 + share)
        return Fraction(ceil(low * units), units), Fraction(floor(high * units), units)

    def params(self, setting: NoiseSetting, shape: Shape) -> dict[str, Any]:
        """What its SQL is given."""
        scale = shape.scale or 0
        added = setting.within is not None
        most = (setting.within or 0) * 10**scale if added else (setting.share or 0) * 1000
        return {
            "most": int(most),
            "unit": number(_unit_of(scale) if added else _PER_MILLE, scale if added else 3),
            "added": added,
            "digits": scale,
            "type": shape.sql,
            "whole": shape.kind == "integer",
        }

    def says(self, setting: NoiseSetting) -> str:
        """What it does, in a few words."""
        if setting.within is not None:
            return f"with noise within {exact(setting.within)} added"
        return f"multiplied by noise within {exact(setting.share or Fraction(0))} of 1"

    def key(self, setting: NoiseSetting) -> KeySource | None:
        """Where its key is."""
        return setting.key


class ShiftSetting(Declared):
    """How far dates are shifted, and the key."""

    days: Annotated[Whole, Field(ge=1, le=36_500)] = Field(
        description="evenly drawn from -days to days"
    )
    key: KeySource = Field(description="where the key is that it is drawn by")


class DateShift(Transform):
    """All dates of a person are shifted by the same number of days, drawn by a key."""

    name, example = "date_shift", "{days: 30, key: {env: SHIFT_KEY}}"
    setting = Annotated[ShiftSetting, _mapping(example)]
    about = "all dates of a person by the same days, evenly drawn from `-days` to `days`"

    def misfit(self, setting: ShiftSetting, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        if shape.kind == "date":
            return None
        return f"it needs dates, the column is {shape.shown_type}: cast it to date in a query"

    def takes(self, setting: ShiftSetting, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """Dates that no draw takes beyond the bounds."""
        most = timedelta(setting.days)
        least, greatest = (
            min(after[0], date.max - most) + most,
            max(after[1], date.min + most) - most,
        )
        return least, greatest

    def params(self, setting: ShiftSetting, shape: Shape) -> dict[str, Any]:
        """What its SQL is given."""
        return {"most": setting.days}

    def says(self, setting: ShiftSetting) -> str:
        """What it does, in a few words."""
        return f"shifted by up to {setting.days} days, the same for all dates of a person"

    def key(self, setting: ShiftSetting) -> KeySource | None:
        """Where its key is."""
        return setting.key

    @property
    def shared(self) -> bool:
        """All columns with one key are drawn alike."""
        return True


def _outside(value: Fraction, shape: Shape) -> str | None:
    if shape.holds(value):
        return None
    return f"it is no value of {shape.type}: take another, or cast the column to a wider type"


def _least_multiple(least: Fraction, step: Fraction) -> Fraction:
    return -(-least // step) * step


def _below(value: Fraction, scale: int) -> Fraction:
    """The greatest number of so many digits below a value."""
    return Fraction(ceil(value * 10**scale) - 1, 10**scale)


def _unit_of(scale: int) -> Fraction:
    return Fraction(1, 10**scale)


TRANSFORMS: tuple[Transform, ...] = (
    Round(),
    Bands(),
    Top(),
    Bottom(),
    Mask(),
    Noise(),
    DateShift(),
)
