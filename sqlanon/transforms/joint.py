"""The transforms of several columns at once: records swapped, and noise that keeps correlations.

A spec declares them next to its columns. To each of their columns they are a transform that comes
before its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from sqlanon.common.fields import Declared, KeySource, Share
from sqlanon.privacy.differential.counts import DRAWS
from sqlanon.sql.names import Sql, exact
from sqlanon.transforms.keyed import incomparable
from sqlanon.transforms.transform import Shape, Transform, number

MOST_COLUMNS = 12  # of one noise: each has a draw, and a sum over all earlier draws.
_MOST_DIGITS = 18  # Of a decimal whose least units are counted by 64 bits.
# A draw of 48 bits is four of 12, whose sum less its middle has this variance, and lies this far
# from 0 at most: near to a normal one, and exact.
PIECES = 4
_STEPS = round(DRAWS ** (1 / PIECES))
MOST_DRAWN = PIECES * (_STEPS - 1) // 2
VARIANCE_DRAWN = Fraction(PIECES * (_STEPS**2 - 1), 12)
GRID = 2**24  # steps from the least value to the greatest, by which covariances are counted
FINER = 2**10  # to such a part of a step the factor is rounded


def _one_or_more(value: Any) -> Any:
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


Columns = Annotated[
    tuple[str, ...],
    BeforeValidator(_one_or_more),
    WithJsonSchema({"type": ["array", "string", "null"], "items": {"type": "string"}}),
]


class Swap(Declared):
    """Columns whose values records trade with each other, in drawn pairs."""

    columns: Annotated[Columns, Field(min_length=1)] = Field(
        description="sensitive or insensitive columns, whose values are traded together"
    )
    within: Columns = Field(
        default=(),
        description="columns in which both records of a pair agree, as the source has them; NULL "
        "agrees with NULL. None: any two records may trade",
    )
    rare: Columns = Field(
        default=(),
        description="columns, as the source has them: records whose values in them are shared by "
        "the fewest trade first, with each other. None: all are as likely to",
    )
    share: Share = Field(description="which share of the records trades, at most")
    key: KeySource = Field(description="where the key is that pairs are drawn by")


class CorrelatedNoise(Declared):
    """Noise for several columns at once, as correlated as they are."""

    columns: Annotated[Columns, Field(min_length=1, max_length=MOST_COLUMNS)] = Field(
        description="sensitive or insensitive columns of whole numbers or decimals"
    )
    share: Share = Field(
        description="its standard deviation, as a share of each column's: its covariances are "
        "this squared times the columns'"
    )
    key: KeySource = Field(description="where the key is that it is drawn by")


class RecordSwap(Transform):
    """Records that agree in some columns trade their values of others, in drawn pairs.

    Every column keeps its values, and what it has to do with the columns that agree. Dalenius and
    Reiss (1982); with ``rare`` the targeted swapping of statistical offices, else pairs are even.
    """

    name, example = "swap", "{columns: [income], within: [region], share: 0.05, key: {env: SWAP}}"
    setting, about = Swap, "records that agree in `within` trade their values of `columns`"

    def misfit(self, setting: Swap, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        return incomparable(shape)

    def params(self, setting: Swap, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL."""
        return {}

    def says(self, setting: Swap) -> str:
        """Its effect, in a few words."""
        agreeing = f" that agree in {_listed(setting.within)}" if setting.within else ""
        rare = f", the rarest in {_listed(setting.rare)} first" if setting.rare else ""
        together = f", {_listed(setting.columns)} together" if len(setting.columns) > 1 else ""
        share = exact(setting.share)
        return f"swapped between up to {share} of the records{agreeing}{rare}{together}"

    def key(self, setting: Swap) -> KeySource | None:
        """Where its key is."""
        return setting.key

    @property
    def looks_at(self) -> Literal["values", "records"]:
        """The records that trade with each other depend on all records."""
        return "records"


class JointNoise(Transform):
    """Noise whose covariances are a share of the columns'.

    To the values of a record L z is added. L is the Cholesky factor of the columns' covariances
    times the share, and z has one draw for each column. Kim (1986).
    """

    name, example = ("correlated_noise", "{columns: [income, tax], share: 0.1, key: {env: NOISE}}")
    setting, about = CorrelatedNoise, "noise as correlated as `columns` are is added to them"

    def misfit(self, setting: CorrelatedNoise, shape: Shape) -> str | None:
        """Why it does not fit a column; None if it does."""
        most = shape.between
        if most is not None and not shape.whole and shape.kind in ("decimal", "integer"):
            units = most[1] * 10 ** (shape.scale or 0)
            if units >= 10**_MOST_DIGITS:
                what = f"it needs decimals of at most {_MOST_DIGITS} digits, the column is"
                return f"{what} {shape.shown_type}: cast it in a query, as to decimal(18, 2)"
        return shape.unfit()

    def params(self, setting: CorrelatedNoise, shape: Shape) -> dict[str, Any]:
        """The parameters of its SQL."""
        digits = shape.scale or 0
        return {
            "type": shape.sql,
            "whole": shape.whole,
            "digits": digits,
            "unit": number(Fraction(1, 10**digits), digits),
            "step": step_of(setting),
        }

    def says(self, setting: CorrelatedNoise) -> str:
        """Its effect, in a few words."""
        what = f"with noise of {exact(setting.share)} of its standard deviation added"
        if len(setting.columns) == 1:
            return what
        return f"{what}, as correlated as {_listed(setting.columns)} are"

    def key(self, setting: CorrelatedNoise) -> KeySource | None:
        """Where its key is."""
        return setting.key

    @property
    def looks_at(self) -> Literal["values", "records"]:
        """How much is added depends on how far values are spread."""
        return "values"


def step_of(setting: CorrelatedNoise) -> Sql:
    """The noise of a draw of 1 times a factor of 1, as a share of how far values lie apart."""
    return Sql(f"{float(setting.share) / (GRID * FINER * sqrt(VARIANCE_DRAWN)):.17e}")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else names[0]


@dataclass(frozen=True)
class JointTransform:
    """One of them, as the transform that it is to each of its columns.

    Attributes:
        setting: what is declared.
        where: where in the spec, such as ``swap.0``.
    """

    setting: Swap | CorrelatedNoise
    where: str

    @property
    def transform(self) -> Transform:
        """Which it is."""
        return SWAP if isinstance(self.setting, Swap) else NOISE

    @property
    def key(self) -> KeySource:
        """Where its key is."""
        return self.setting.key

    @property
    def epsilon(self) -> Fraction | None:
        """None: it has no local differential privacy."""
        return None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that it changes."""
        return self.setting.columns

    @property
    def says(self) -> str:
        """Its effect, in a few words."""
        return self.transform.says(self.setting)


SWAP, NOISE = RecordSwap(), JointNoise()
