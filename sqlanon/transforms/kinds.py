"""The transforms: coarser values, cut off ends, masks, and those that are drawn by a key.

The fields of a spec are made of ``TRANSFORMS``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, datetime
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    Field,
    PlainSerializer,
    WithJsonSchema,
    create_model,
    model_validator,
)

from sqlanon.common.fields import Declared, Exact, Key, KeySource, Whole, as_fraction
from sqlanon.errors import nearest
from sqlanon.privacy.km_anonymity import KnownMembers
from sqlanon.sql.names import exact
from sqlanon.transforms.joint import JointTransform
from sqlanon.transforms.keyed import DateShift, Noise, Pram, RankSwap
from sqlanon.transforms.local import Laplace, RandomizedResponse
from sqlanon.transforms.transform import Shape, Transform, limit, number


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


Step = Annotated[Exact, Field(gt=0)]
Limit = Annotated[
    Any,
    BeforeValidator(_limit),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": ["number", "string"]}),
]


class Round(Transform):
    """The nearest multiple of a step; a value halfway goes up."""

    name, setting, example = "round", Step, "5"
    about = "to the nearest multiple of it; a value halfway goes up"

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
        """The parameters of its SQL."""
        return {
            "step": number(setting, shape.scale or 0),
            "type": shape.sql,
            "whole": shape.whole,
        }

    def says(self, setting: Fraction) -> str:
        """Its effect, in a few words."""
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
        """The column's type after the transform."""
        return Shape("text", "text")

    def params(self, setting: Fraction, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL."""
        scale, closed = shape.scale or 0, shape.kind == "integer"
        last = setting - 1 if closed else setting
        return {
            "step": number(setting, scale),
            "last": number(last, scale),
            "closing": "]" if closed else ")",
            "type": shape.sql,
            "whole": shape.whole,
        }

    def says(self, setting: Fraction) -> str:
        """Its effect, in a few words."""
        return f"in bands of {exact(setting)}"


class _Cut(Transform):
    """A value beyond a limit becomes the limit."""

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
        """The parameters of its SQL."""
        return {"limit": limit(setting, shape), "type": shape.sql}

    def says(self, setting: date | Fraction) -> str:
        """Its effect, in a few words."""
        shown = exact(setting) if isinstance(setting, Fraction) else setting.isoformat()
        return f"at {'most' if self.name == 'top' else 'least'} {shown}"


class Top(_Cut):
    """Top coding: what is greater becomes this."""

    def takes(self, setting: Any, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """A greater value is as good as the limit."""
        assert shape.between is not None  # noqa: S101 - it is asked of such types alone
        reached = after[0] <= setting <= after[1]
        return after[0], shape.between[1] if reached else min(after[1], setting)

    name, example = "top", "90"
    about = "top code: what is greater becomes this number or date"


class Bottom(_Cut):
    """Bottom coding: what is less becomes this."""

    def takes(self, setting: Any, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """A lesser value is as good as the limit."""
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
        """The column's type after the transform."""
        return Shape("text", "text")

    def params(self, setting: int, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL."""
        return {"keep": setting}

    def says(self, setting: int) -> str:
        """Its effect, in a few words."""
        return f"masked from character {setting + 1} on"


class Members(Transform):
    """The set of a list's members as one text, so that equal sets are one value.

    CODIP (Fang et al. 2011), as Gowda (2023), §2.6.6, reviews it: an attribute of several values
    becomes one of a single value.
    """

    name, setting, example = "members", Literal["sorted"], "sorted"
    about = "of a list, the text `{asthma, flu}`: each member once, in the order of their text"

    def misfit(self, setting: str, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        if list_of(shape.type):
            return None
        return (
            "it needs a list of text, whole numbers or dates, on DuckDB, PostgreSQL or Spark; the "
            f"column is {shape.shown_type}: leave it out, or make a text of it in a query"
        )

    def shape(self, shape: Shape) -> Shape:
        """The column's type after the transform."""
        return Shape("text", "text")

    def params(self, setting: str, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL: Spark reads no list as a table within a row."""
        return {"array": re.fullmatch(_ARRAY, shape.type, re.IGNORECASE) is not None}

    def says(self, setting: str) -> str:
        """Its effect, in a few words."""
        return "the set of its members as text"


class RareMembers(Transform):
    """Sets without the members of rare choices: any m members that stay are of k records, or none.

    k^m-anonymity of the whole column (Terrovitis, Mamoulis and Kalnis 2008). Members are left out
    of all sets, so that what is counted of the others stays.
    """

    name, setting, example = "rare_members", KnownMembers, "{k: 5, m: 2}"
    about = (
        "of the sets that `members` makes: members are left out of all sets until any m that stay "
        "together do so in k records; m is at most 3"
    )

    def misfit(self, setting: KnownMembers, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        if shape.kind == "text":
            return None
        what = f"it needs sets as text, the column is {shape.shown_type}"
        return f"{what}: say members: sorted before it"

    def params(self, setting: KnownMembers, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL."""
        return {"k": setting.k, "m": setting.m}

    def says(self, setting: KnownMembers) -> str:
        """Its effect, in a few words."""
        members = "members" if setting.m == 1 else f"choices of up to {setting.m} members"
        return f"without members, so that all {members} are those of {setting.k} records"

    @property
    def looks_at(self) -> Literal["values", "records", "sets"]:
        """How many records have a member depends on all sets, as the other transforms left them."""
        return "sets"


# The lists of which `members` makes a text that all databases write alike; an array is Spark's.
_LIST = r"(varchar|text|(u?(tiny|small|big)?int(eger)?)|date|character varying(\(\d+\))?)\[\d*\]"
_ARRAY = r"array<(string|(tiny|small|big)?int|date)>"


def list_of(type_: str) -> bool:
    """Whether a type is a list whose members become one text."""
    return re.fullmatch(rf"{_LIST}|{_ARRAY}", type_, re.IGNORECASE) is not None


def _outside(value: Fraction, shape: Shape) -> str | None:
    if shape.holds(value):
        return None
    return f"it is no value of {shape.type}: take another, or cast the column to a wider type"


def _least_multiple(least: Fraction, step: Fraction) -> Fraction:
    return -(-least // step) * step


def _below(value: Fraction, scale: int) -> Fraction:
    """The greatest number of so many digits below a value."""
    return Fraction(ceil(value * 10**scale) - 1, 10**scale)


TRANSFORMS: tuple[Transform, ...] = (
    Round(),
    Bands(),
    Top(),
    Bottom(),
    Mask(),
    Members(),
    RareMembers(),
    Noise(),
    DateShift(),
    Pram(),
    RankSwap(),
    Laplace(),
    RandomizedResponse(),
)


_NAMES = ", ".join(transform.name for transform in TRANSFORMS)


class DeclaredBase(Declared):
    """One transform with its setting."""

    @model_validator(mode="before")
    @classmethod
    def _is_one(cls, value: Any) -> Any:
        if isinstance(value, dict):
            value = {name: setting for name, setting in value.items() if setting is not None}
        names = {transform.name for transform in TRANSFORMS}
        if isinstance(value, dict) and len(value) > 1 and names >= set(value):
            each = ", ".join(f"{{{name}: …}}" for name in value)
            raise ValueError(f"several transforms are a list, done in its order: [{each}]")
        if isinstance(value, dict) and len(value) == 1 and not names >= set(value):
            raise ValueError(f"unknown key; {nearest(str(*value), names)}")
        if not isinstance(value, cls) and not (
            isinstance(value, dict) and len(value) == 1 and names >= set(value)
        ):
            raise ValueError(f"it must be one of {_NAMES}, such as {{round: 5}}; several as a list")
        return value

    def _given(self) -> Transform | None:
        return next(
            (transform for transform in TRANSFORMS if getattr(self, transform.name) is not None),
            None,
        )

    @property
    def transform(self) -> Transform:
        """Which it is."""
        found = self._given()
        assert found is not None  # noqa: S101 - it was checked
        return found

    @property
    def setting(self) -> Any:
        """The setting that it was given."""
        return getattr(self, self.transform.name)

    @property
    def key(self) -> Key | None:
        """Where its key is, if it is drawn by one."""
        return self.transform.key(self.setting)

    @property
    def epsilon(self) -> Fraction | None:
        """The ε of its local differential privacy, if it has one."""
        return self.transform.epsilon(self.setting)

    def with_keys_from(self, folder: Path) -> Self:
        """The same, where a key's relative path counts from a folder."""
        if not isinstance(self.key, KeySource):
            return self
        setting = self.setting.model_copy(update={"key": self.key.located(folder)})
        return self.model_copy(update={self.transform.name: setting})

    @property
    def says(self) -> str:
        """Its effect, in a few words."""
        return self.transform.says(self.setting)


# `TRANSFORMS` lists what may be asked for.
if TYPE_CHECKING:
    DeclaredTransform = DeclaredBase
else:
    DeclaredTransform = create_model(
        "DeclaredTransform",
        __base__=DeclaredBase,
        __doc__=DeclaredBase.__doc__,
        __module__=__name__,
        **{
            transform.name: (
                transform.setting | None,
                Field(default=None, description=transform.about),
            )
            for transform in TRANSFORMS
        },
    )


def setting_at(settings: Sequence[str]) -> type[BaseModel] | None:
    """The mapping that a place within a declaration lies in, if it is a transform's setting.

    Args:
        settings: the place, from the name of a column's field on.
    """
    if len(settings) < 4 or settings[0] != "transform":
        return None
    if settings[3:-1] == ["key"]:
        return KeySource
    found = next(
        (transform.setting for transform in TRANSFORMS if transform.name == settings[2]), None
    )
    model = get_args(found)[0] if get_args(found) else None
    return model if isinstance(model, type) and issubclass(model, BaseModel) else None


Several = tuple[DeclaredTransform | JointTransform, ...]


def listed(value: Any) -> Any:
    """Let one stand for a list of one."""
    return value if isinstance(value, list | tuple) else [value]


Transforms = Annotated[tuple[DeclaredTransform, ...], BeforeValidator(listed), Field(min_length=1)]
