"""An adversary's prior knowledge of a sensitive attribute, as a spec declares it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING

from pydantic import Field, model_validator

from sqlanon.errors import Problem, nearest
from sqlanon.fields import Declared, Exact
from sqlanon.privacy.thresholds import fields_of

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec

_MOST = 1_000_000
_TABLE = ("columns", "value", "probability")


class Estimate(Declared):
    """The background is estimated from the source, by some of its quasi-identifiers.

    P(s | u) = (n_us + m P(s)) / (n_u + m): the m-estimate of Cestnik (1990), where m, the
    smoothing, is how many records of the whole table's distribution every tuple is given.
    """

    by: tuple[str, ...] = Field(min_length=1, description="the quasi-identifiers it depends on")
    smoothing: Exact = Field(
        default=Fraction(1),
        ge=0,
        le=_MOST,
        description="m of the m-estimate: so many records of the table's distribution are added",
    )


class Background(Declared):
    """P(s | u) of every value s and tuple u of quasi-identifiers: read from a table, or estimated.

    Amiri et al. (2023), §3.1.
    """

    estimate: Estimate | None = Field(
        default=None, description="that it is estimated from the source"
    )
    table: str | None = Field(
        default=None, min_length=1, description="a table or view with a row for each u and s"
    )
    columns: dict[str, str] = Field(
        default={}, description="of quasi-identifiers, which columns of the table they are"
    )
    value: str | None = Field(default=None, min_length=1, description="its column of s")
    probability: str | None = Field(
        default=None, min_length=1, description="its column of P(s | u)"
    )

    @model_validator(mode="after")
    def _is_one(self) -> Background:
        given = [bool(getattr(self, name)) for name in _TABLE]
        if (self.estimate is None) == (self.table is None) or not all(
            one == (self.table is not None) for one in given
        ):
            raise ValueError(
                "it must be {estimate: {by: [COLUMN, …]}}, or a table with all of "
                "{table: NAME, columns: {COLUMN: COLUMN_OF_TABLE}, value: COLUMN_OF_TABLE, "
                "probability: COLUMN_OF_TABLE}"
            )
        return self

    @property
    def by(self) -> tuple[str, ...]:
        """The quasi-identifiers that it depends on."""
        return tuple(self.columns) if self.estimate is None else self.estimate.by

    @property
    def place(self) -> str:
        """Where in the declaration these are named."""
        return "columns" if self.estimate is None else "estimate.by"


def asks_background(spec: Spec) -> bool:
    """Whether something is asked of a declared background."""
    (field,) = fields_of("background")
    return any(
        one.background is not None and (getattr(one, field) or getattr(spec.privacy, field))
        for one in spec.sensitive.values()
    )


def background_problems(spec: Spec) -> Iterator[Problem]:
    """Backgrounds of columns that are no quasi-identifiers, and what is asked of none."""
    (field,) = fields_of("background")
    known = {name: one.background for name, one in spec.sensitive.items() if one.background}
    asked = [f"sensitive.{name}" for name, one in spec.sensitive.items() if getattr(one, field)]
    for where in asked:
        if where.partition(".")[2] not in known:
            yield Problem(f"{where}.{field}", f"it is asked of a background: {_DECLARE}")
    if getattr(spec.privacy, field) is not None and not known:
        what = "it is asked of sensitive attributes with a background, and none has one"
        yield Problem(f"privacy.{field}", f"{what}: {_DECLARE}")
    for name, one in known.items():
        where = f"sensitive.{name}.background"
        for column in one.by:
            if column not in spec.quasi_identifiers:
                what = (
                    f"{column!r} is no quasi-identifier; {nearest(column, spec.quasi_identifiers)}"
                )
                yield Problem(f"{where}.{one.place}", what)
        if len({*one.by}) < len(one.by):
            yield Problem(f"{where}.{one.place}", "it names a column twice")


_DECLARE = "declare sensitive: {COLUMN: {background: {estimate: {by: [COLUMN, …]}}}}"
