"""The interface of a transform: everything that any part of sqlanon has to know of one."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from typing import Any, ClassVar, Literal

from sqlanon.common.fields import Key
from sqlanon.sql.names import Sql, literal, shown_type, written_type

MOST_DIGITS = 28  # of a decimal, so that its products stay within 38
_BITS = {"tinyint": 8, "smallint": 16, "integer": 32, "int": 32, "bigint": 64}
_DIGITS_OF_64_BITS = 18  # that any whole number of 64 bits may have
_WHOLE = "it needs whole numbers or decimals of declared digits, up to"


@dataclass(frozen=True)
class Shape:
    """The type of a column in its database, and the kind of its values."""

    type: str
    kind: str

    @property
    def shown_type(self) -> str:
        """The type as it may be shown."""
        return shown_type(self.type)

    @property
    def sql(self) -> Sql:
        """The type as it stands in SQL."""
        return Sql(written_type(self.type))

    @property
    def scale(self) -> int | None:
        """The digits after the point; None for what is no number with a known number of them."""
        if self.kind == "integer":
            return None if re.search("huge|ubig|uint64|uint128", self.type, re.I) else 0
        declared = self._declared
        return None if declared is None or declared[0] > MOST_DIGITS else declared[1]

    @property
    def _declared(self) -> tuple[int, int] | None:
        """The declared digits of a decimal, and how many of them stand after the point."""
        declared = re.fullmatch(r"\w+\((\d+)(?:,\s*(\d+))?\)", self.type)
        if declared is None or self.kind not in ("decimal", "integer"):
            return None
        return int(declared[1]), int(declared[2] or 0)

    @property
    def whole(self) -> bool:
        """Whether its values are counted as whole numbers of 64 bits.

        Many databases call every whole number a decimal of 38 digits, whose products are too long.
        """
        if self.kind != "integer" or self._declared is None:
            return self.kind == "integer"
        return not _DIGITS_OF_64_BITS < self._declared[0] <= MOST_DIGITS

    @property
    def is_long(self) -> bool:
        """Whether it is a decimal of more digits than are counted exactly."""
        return self._declared is not None and self._declared[0] > MOST_DIGITS

    @property
    def between(self) -> tuple[Any, Any] | None:
        """The least and the greatest value; None of a type that has no known ones."""
        if self.kind == "date":
            return date.min, date.max
        if self.scale is None:
            return None
        if self._declared is not None and not self.is_long:
            most = Fraction(10 ** self._declared[0] - 1, 10**self.scale)
            return -most, most
        bits = 64 if self.is_long else _BITS.get(self.type.lower().removeprefix("u"))
        if bits is None:
            return None
        if self.type.lower().startswith("u"):
            return Fraction(0), Fraction(2**bits - 1)
        return Fraction(-(2 ** (bits - 1))), Fraction(2 ** (bits - 1) - 1)

    def holds(self, value: Any) -> bool:
        """Whether a value is one of the type's."""
        return self.between is None or self.between[0] <= value <= self.between[1]

    def unfit(self, step: Fraction = Fraction(1)) -> str | None:
        """Why its values cannot be counted in steps of a size; None if they can.

        Args:
            step: the size, in the column's unit.
        """
        if self.scale is None:
            what = f"{_WHOLE} {MOST_DIGITS}, the column is {self.shown_type}"
            return f"{what}: cast it in a query, as to decimal(18, 2)"
        if (step * 10**self.scale).denominator != 1:
            digits = f"{self.scale} digits after the point" if self.scale else "whole numbers"
            return f"the column has {digits}: it must be a multiple of {_unit(self.scale)}"
        return None


def _unit(scale: int) -> str:
    return f"{Decimal(1).scaleb(-scale):f}"


def number(value: Fraction, scale: int) -> Sql:
    """A number as it stands in SQL, with so many digits after the point."""
    return Sql(f"{Decimal(int(value * 10**scale)).scaleb(-scale):f}")


def limit(value: date | Fraction, shape: Shape) -> Sql:
    """A date or a number as it stands in SQL next to values of a column."""
    if isinstance(value, date):
        return Sql(f"cast({literal(value.isoformat())} as date)")
    return number(value, shape.scale or 0)


class Transform(ABC):
    """A way to change the values of a column, each by itself; NULL stays NULL.

    Attributes:
        name: what a spec calls it.
        setting: what it takes, for pydantic.
        about: the same in words.
        example: a setting.
    """

    name: ClassVar[str]
    setting: ClassVar[Any]
    about: ClassVar[str]
    example: ClassVar[str]

    @abstractmethod
    def misfit(self, setting: Any, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""

    def shape(self, shape: Shape) -> Shape:
        """The column's type after the transform."""
        return shape

    def takes(self, setting: Any, shape: Shape, after: tuple[Any, Any]) -> tuple[Any, Any]:
        """The least and the greatest value that surely become one between two bounds.

        Args:
            setting: what it takes.
            shape: the column before it, whose type has bounds.
            after: the least and the greatest value that it may make.
        """
        return after

    @abstractmethod
    def params(self, setting: Any, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL, without the name of the transform."""

    @abstractmethod
    def says(self, setting: Any) -> str:
        """Its effect, in a few words that show no key and no value of the data."""

    def key(self, setting: Any) -> Key | None:
        """Where the key is of which it is drawn; None of a function of the value alone."""
        return None

    def epsilon(self, setting: Any) -> Fraction | None:
        """The ε of its local differential privacy; None of a transform that has none."""
        return None

    def covers(self, setting: Any) -> tuple[Sql, ...] | None:
        """The values that it is made for, as text in SQL; none for all but NULL.

        None of a transform that takes every value, and NULL as well.
        """
        return None

    @property
    def cuts(self) -> bool:
        """Whether it changes the extreme values alone, whose mean would tell them."""
        return False

    @property
    def shared(self) -> bool:
        """Whether all columns with one key are drawn alike."""
        return False

    @property
    def looks_at(self) -> Literal["values", "records", "sets"] | None:
        """Whether what becomes of a value depends on the whole column.

        As the source has it, on how frequent its values are, or on the other records; or on all
        sets as the other transforms left them. Else None: on the value alone.
        """
        return None
