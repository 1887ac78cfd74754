"""The types of a spec's fields: numbers are exact, and an unknown key is an error."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    WithJsonSchema,
    model_validator,
)

_MOST = 10**20  # times the square of a count of records it stays within a decimal's 38 digits
MOST_NUMBERS = 10_000
_LIST = "give whole numbers from 1 and ranges, such as 3,5,10 or 2-50"
_TOO_LONG = "it must be a number of at most 20 digits, such as 0.2 or '1/5'"
_FAR = re.compile(r"[eE][-+]?\d{3}|.{60}", re.DOTALL)


@dataclass(frozen=True)
class UnquotedTruth:
    """A truth value that a spec writes as a word without quotes which may mean itself: NO, yes.

    Attributes:
        value: what YAML makes of the word.
        written: the word.
    """

    value: bool
    written: str

    def __repr__(self) -> str:
        return self.written  # as the key that it may be, in the place of a problem

    @property
    def read(self) -> str:
        """The truth value as a database writes it."""
        return str(self.value).lower()


class Declared(BaseModel):
    """A part of a spec: frozen, and without keys that nobody knows."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True)

    @model_validator(mode="before")
    @classmethod
    def _truths(cls, given: Any) -> Any:
        """Let words such as yes be truth values where nothing else is taken."""
        if not isinstance(given, dict):
            return given
        fields = cls.model_fields
        return {
            name: value.value
            if isinstance(value, UnquotedTruth)
            and name in fields
            and fields[name].annotation is bool
            else value
            for name, value in given.items()
        }


class KeySource(Declared):
    """Where a key is: never in the spec itself."""

    env: str | None = Field(default=None, description="the name of an environment variable")
    file: Path | None = Field(default=None, description="a file that holds nothing else")

    @model_validator(mode="after")
    def _is_one(self) -> KeySource:
        if (self.env is None) == (self.file is None):
            raise ValueError("it must be {env: NAME} or {file: PATH}, one of them")
        if self.env is not None and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", self.env):
            raise ValueError("env must be the name of an environment variable, not the key")
        return self

    def located(self, folder: Path) -> KeySource:
        """The same, where a relative path counts from a folder."""
        if self.file is None:
            return self
        return self.model_copy(update={"file": folder / self.file})


@dataclass(frozen=True)
class FreshKey:
    """A key that every run draws for itself, and that nothing keeps."""


Key = KeySource | FreshKey


def as_fraction(value: Any) -> Fraction:
    """A threshold as it is written: 0.2 is one fifth, not the nearest binary number."""
    if isinstance(value, bool) or not isinstance(value, int | float | str | Fraction):
        raise ValueError("it must be a number")
    if isinstance(value, int) and abs(value) > _MOST:
        raise ValueError(_TOO_LONG)
    text = str(getattr(value, "written", value))  # of YAML's numbers, which may be rounded
    if _FAR.search(text):  # it is not to be counted out
        raise ValueError(_TOO_LONG)
    try:
        found = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise ValueError("it must be a number such as 0.2 or '1/5'") from None
    if max(abs(found.numerator), found.denominator) > _MOST:
        raise ValueError(_TOO_LONG)
    return found


def _whole(value: Any) -> Any:
    if isinstance(value, bool):  # it would pass for 0 or 1
        raise ValueError("it must be a whole number")
    written = getattr(value, "written", None)
    if isinstance(value, int) and written and not re.fullmatch(r"[-+]?[1-9][0-9_]*", written):
        raise ValueError(f"write it in digits alone, as 12: YAML reads {written} as {value}")
    if isinstance(value, int) and abs(value) > 10**18:  # more than a database counts to
        raise ValueError("it must be a whole number of at most 18 digits")
    return value


def names_of(value: Any) -> Any:
    """Let a name stand for a list of one, and nothing for none."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


Names = Annotated[
    tuple[str, ...],
    BeforeValidator(names_of),
    WithJsonSchema({"type": ["array", "string", "null"], "items": {"type": "string"}}),
]
Truth = Annotated[bool, Field(strict=True)]
Whole = Annotated[int, BeforeValidator(_whole)]
Exact = Annotated[
    Fraction,
    BeforeValidator(as_fraction),
    PlainSerializer(str, return_type=str),
    WithJsonSchema({"type": ["number", "string"]}),
]
Share = Annotated[Exact, Field(gt=0, le=1)]
Closeness = Annotated[Exact, Field(ge=0, le=1)]


def whole_numbers(value: Any) -> tuple[int, ...]:
    """The numbers of a list, ascending, each once.

    Args:
        value: a number, a text of numbers and ranges with commas between, or a list of these.

    Raises:
        ValueError: if something else is among them, if there is none, or too many.
    """
    found: set[int] = set()
    for part in _numbers(value):
        first, last = _ends(part)
        if last - first >= MOST_NUMBERS:
            raise ValueError(f"at most {MOST_NUMBERS:,} numbers can be tried")
        found |= set(range(first, last + 1))
    if not found:
        raise ValueError(f"there is no number in it: {_LIST}")
    if len(found) > MOST_NUMBERS:
        raise ValueError(f"at most {MOST_NUMBERS:,} numbers can be tried")
    return tuple(sorted(found))


def _numbers(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, list | tuple | range):
        return [inner for part in value for inner in _numbers(part)]
    return [value]


def _ends(part: Any) -> tuple[int, int]:
    """The first and the last number of a range; the same twice for a number."""
    form = re.fullmatch(r"(\d{1,15})(?:\s*-\s*(\d{1,15}))?", str(part), re.ASCII)
    if form is None or isinstance(part, bool):
        raise ValueError(f"{str(part)!r} is no whole number: {_LIST}")
    first, last = int(form[1]), int(form[2] or form[1])
    if first < 1:
        raise ValueError(f"{str(part)!r} is below 1: {_LIST}")
    if last < first:
        raise ValueError(f"the range {str(part)!r} runs backwards: write {last}-{first}")
    return first, last
