"""The transforms that are drawn by a key: noise, shifted dates, and values drawn again."""

from __future__ import annotations

from datetime import date, timedelta
from fractions import Fraction
from math import ceil, floor
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from sqlanon.common.fields import Declared, Exact, KeySource, Whole
from sqlanon.privacy.differential.counts import DRAWS
from sqlanon.sql.names import exact
from sqlanon.transforms.transform import Shape, Transform, number

_MOST_STEPS = 10**9  # of noise: what is drawn of 48 bits is even to one in 10^5
_PER_MILLE = Fraction(1, 1000)
_COMPARED = ("text", "integer", "decimal", "date", "boolean")


def mapping(example: str) -> BeforeValidator:
    """Only a mapping will do; the message shows one."""

    def read(value: Any) -> Any:
        if not isinstance(value, dict | Declared):
            raise ValueError(f"it must be a mapping such as {example}")
        return value

    return BeforeValidator(read)


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
    setting = Annotated[NoiseSetting, mapping(example)]
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
        """The parameters of its SQL."""
        scale = shape.scale or 0
        added = setting.within is not None
        most = (setting.within or 0) * 10**scale if added else (setting.share or 0) * 1000
        return {
            "most": int(most),
            "unit": number(_unit_of(scale) if added else _PER_MILLE, scale if added else 3),
            "added": added,
            "digits": scale,
            "type": shape.sql,
            "whole": shape.whole,
        }

    def says(self, setting: NoiseSetting) -> str:
        """Its effect, in a few words."""
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
    setting = Annotated[ShiftSetting, mapping(example)]
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
        """The parameters of its SQL."""
        return {"most": setting.days}

    def says(self, setting: ShiftSetting) -> str:
        """Its effect, in a few words."""
        return f"shifted by up to {setting.days} days, the same for all dates of a person"

    def key(self, setting: ShiftSetting) -> KeySource | None:
        """Where its key is."""
        return setting.key

    @property
    def shared(self) -> bool:
        """All columns with one key are drawn alike."""
        return True


class PramSetting(Declared):
    """How likely a value is to stay, and the key."""

    keep: Annotated[Exact, Field(ge=0, lt=1)] = Field(
        description="the chance that a value stays; else one is drawn as frequent as it is"
    )
    key: KeySource = Field(description="where the key is that it is drawn by")


class Pram(Transform):
    """Post-randomization: a value stays, or is drawn again as the column has them.

    The matrix is keep · I + (1 - keep) · 1 p, where p are the shares of the column's values: it is
    invariant, p times it is p again, so that shares are expected to stay. Kooiman, Willenborg and
    Gouweleeuw (1997).
    """

    name, example = "pram", "{keep: 0.8, key: {env: PRAM_KEY}}"
    setting = Annotated[PramSetting, mapping(example)]
    about = "a value stays with the chance `keep`; else one of the column's is drawn for it"

    def misfit(self, setting: PramSetting, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        return incomparable(shape)

    def params(self, setting: PramSetting, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL."""
        kept = floor(setting.keep * DRAWS)
        return {"kept": kept, "others": DRAWS - kept}

    def says(self, setting: PramSetting) -> str:
        """Its effect, in a few words."""
        return f"kept with a chance of {exact(setting.keep)}, else drawn as the column has them"

    def key(self, setting: PramSetting) -> KeySource | None:
        """Where its key is."""
        return setting.key

    @property
    def looks_at(self) -> Literal["values", "records"]:
        """The draw depends on how frequent values are."""
        return "values"


class SwapSetting(Declared):
    """How far values may move, and the key."""

    within: Annotated[Exact, Field(gt=0, le=1)] = Field(
        description="by which share of the ranks a value moves at most"
    )
    key: KeySource = Field(description="where the key is that it is drawn by")


class RankSwap(Transform):
    """Rank swapping: records that lie near each other in the order of their values trade these.

    The column keeps all of its values. The ranks are cut into blocks, whose records trade in pairs
    that are drawn: so a value moves by fewer ranks than a block has. Moore (1996), by blocks.
    """

    name, example = "rank_swap", "{within: 0.05, key: {env: SWAP_KEY}}"
    setting = Annotated[SwapSetting, mapping(example)]
    about = "records whose values are `within` this share of the ranks trade them, in drawn pairs"

    def misfit(self, setting: SwapSetting, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        return incomparable(shape)

    def params(self, setting: SwapSetting, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL."""
        return {"share": setting.within.numerator, "of": setting.within.denominator}

    def says(self, setting: SwapSetting) -> str:
        """Its effect, in a few words."""
        return f"traded between records within {exact(setting.within)} of the ranks"

    def key(self, setting: SwapSetting) -> KeySource | None:
        """Where its key is."""
        return setting.key

    @property
    def looks_at(self) -> Literal["values", "records"]:
        """The records that trade with each other depend on all records."""
        return "records"


def incomparable(shape: Shape) -> str | None:
    """Why values cannot be distinguished and put in order alike everywhere; None if they can."""
    if shape.kind in _COMPARED:
        return None
    kinds = "text, whole numbers, decimals, dates, or true and false"
    return f"it needs {kinds}, the column is {shape.shown_type}: cast it in a query"


def _unit_of(scale: int) -> Fraction:
    return Fraction(1, 10**scale)
