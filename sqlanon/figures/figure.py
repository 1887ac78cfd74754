"""A figure: everything that any part of sqlanon has to know of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Per = Literal[
    "release",
    "table",
    "quasi-identifier",
    "sensitive attribute",
    "insensitive column",
    "quasi-identifier and insensitive column",
    "transformed column",
    "sampled release",
    "column",
    "pair",
    "number by group",
    "pair of numbers",
]
Attack = Literal[
    "linking",
    "homogeneity",
    "skewness",
    "similarity",
    "background",
    "membership",
    "minimality",
]
Unit = Literal["share", "count", "number", "distance"]


@dataclass(frozen=True, kw_only=True)
class Figure:
    """A figure: a metric of a release, what an attack finds, of utility, or of a table's risk.

    Attributes:
        name: its name.
        per: what it describes: the whole release or table, or every column of a role.
        measured: the template that it comes of. That of a metric has no threshold in it; one of
            the whole release yields one row, with a column of the metric's name; of a
            quasi-identifier the column's name follows its alias; of insensitive columns a row has
            its metric and attribute.
        direction: whether a lower or a higher value is better; None where neither is.
        range: between what it lies; n is the number of records, N of the population.
        value: what it is, as a formula or in a few words.
        paper: where it comes from; empty of what is common knowledge.
        says: what its value means, in a sentence for a privacy officer.
        attack: the attack that it is of; empty of all others.
        needs: what must be known or declared to have it, as its registry says; None where nothing.
        read: how a release is read for it; empty where there is one way.
        unit: how its value is shown: a ``share`` in per cent, a whole ``count``, a ``distance`` to
            four digits, a ``number``; by default a share if it lies between 0 and 1.
    """

    name: str
    per: Per
    measured: str
    direction: Literal["lower", "higher"] | None
    range: str
    value: str
    paper: str
    says: str
    attack: Attack | Literal[""] = ""
    needs: str | None = None
    read: str = ""
    unit: Unit | None = None

    @property
    def sentence(self) -> str:
        """The meaning of its value, as a sentence."""
        plain = self.says.replace("`", "")
        return f"{plain[0].upper()}{plain[1:]}."

    @property
    def shown_as(self) -> Unit:
        """How its value is shown."""
        return self.unit or ("share" if self.range == "[0, 1]" else "number")


def shown(value: float | None, unit: Unit) -> str:
    """A value as people read it: the one place that says how."""
    if value is None:
        return "none"
    if unit == "share":
        return f"{value:.2%}"
    if unit == "distance":
        return f"{value:.4f}"
    return f"{value:,.0f}" if unit == "count" or float(value).is_integer() else f"{value:,.2f}"


# --- those of releases and of tables alike

RECORDS = Figure(
    name="records",
    per="release",
    measured="measure/sizes",
    direction=None,
    range="[0, inf)",
    value="n",
    paper="none",
    says="the release has this many records",
)
PROSECUTOR_RISK = Figure(
    name="prosecutor_risk",
    per="release",
    measured="measure/risks",
    direction="lower",
    range="[0, 1]",
    value="max 1 / the persons of a class",
    paper="El Emam and Dankar (2008)",
    says="a person who is known to be in the release is picked out of those who look alike "
    "with at most this chance",
)
MARKETER_RISK = Figure(
    name="marketer_risk",
    per="release",
    measured="measure/risks",
    direction="lower",
    range="[0, 1]",
    value="the mean over the records of 1 / the persons of their class",
    paper="Dankar and El Emam (2010)",
    says="guesses at the person of every record are right for this share of them on average",
)
UNIQUE_SHARE = Figure(
    name="unique_share",
    per="release",
    measured="measure/unique_records",
    direction="lower",
    range="[0, 1]",
    value="`unique_records` / n",
    paper="none",
    says="this share of the records are the only ones with their published quasi-identifiers "
    "and insensitive columns",
)
