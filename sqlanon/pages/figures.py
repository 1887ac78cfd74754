"""Figures of a release or a table, and their findings, as people and programs get them.

Metrics, attacks, utility and the risk of a table have a registry of figures each. A figure has
everything that any part of sqlanon has to know of it. The value that was found of a figure is a
finding. Both are the same for all of them, and so is how they are shown, also side by side.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlanon.errors import nearest
from sqlanon.pages.page import table

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
    "linking", "homogeneity", "skewness", "similarity", "background", "membership", "minimality"
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
    per: Per = "release"
    measured: str
    direction: Literal["lower", "higher"] | None = "lower"
    range: str = "[0, 1]"
    value: str
    paper: str = ""
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
    measured="measure/sizes",
    direction=None,
    range="[0, inf)",
    value="n",
    says="the release has this many records",
)
PROSECUTOR_RISK = Figure(
    name="prosecutor_risk",
    measured="measure/risks",
    value="max 1 / the persons of a class",
    paper="El Emam and Dankar (2008)",
    says="a person who is known to be in the release is picked out of those who look alike "
    "with at most this chance",
)
MARKETER_RISK = Figure(
    name="marketer_risk",
    measured="measure/risks",
    value="the mean over the records of 1 / the persons of their class",
    paper="Dankar and El Emam (2010)",
    says="guesses at the person of every record are right for this share of them on average",
)
UNIQUE_SHARE = Figure(
    name="unique_share",
    measured="measure/unique_records",
    value="`unique_records` / n",
    says="this share of the records are the only ones with their published quasi-identifiers "
    "and insensitive columns",
)


@dataclass(frozen=True)
class Row:
    """A figure of the same columns in all that are compared.

    Attributes:
        figure: what is measured.
        of: the columns it is of; none of the whole.
        direction: which value is better, ``lower`` or ``higher``; None where neither is.
        sentence: what a value means.
        found: what was found in each; None where it was not measured.
    """

    figure: str
    of: tuple[str, ...]
    direction: str | None
    sentence: str
    found: tuple[Finding | None, ...]

    @property
    def values(self) -> tuple[float | None, ...]:
        """The value in each; None where there is none."""
        return tuple(None if finding is None else finding.value for finding in self.found)

    @property
    def shown(self) -> tuple[str, ...]:
        """The values as people read them; nothing where one was not measured."""
        return tuple("" if finding is None else finding.shown for finding in self.found)

    @property
    def best(self) -> frozenset[int]:
        """The places of the best values; none where all are alike, or neither is better."""
        known = [value for value in self.values if value is not None]
        if self.direction is None or len(set(known)) < 2:
            return frozenset()
        best = max(known) if self.direction == "higher" else min(known)
        return frozenset(index for index, value in enumerate(self.values) if value == best)


def side_by_side(several: Sequence[Sequence[Finding]]) -> tuple[Row, ...]:
    """A row for each figure that was measured of any, those of one figure together.

    Args:
        several: the findings of each that is compared.
    """
    found = [
        {(finding.figure, finding.of): finding for finding in findings} for findings in several
    ]
    firsts: dict[tuple[str, tuple[str, ...]], Finding] = {}
    for findings in found:
        firsts = {**findings, **firsts}
    keys = dict.fromkeys(key for findings in found for key in findings)
    figures = list(dict.fromkeys(figure for figure, _ in keys))
    return tuple(
        Row(
            *key,
            firsts[key].direction,
            firsts[key].sentence,
            tuple(findings.get(key) for findings in found),
        )
        for key in sorted(keys, key=lambda key: figures.index(key[0]))
    )


@dataclass(frozen=True, kw_only=True)
class Finding:
    """A figure's value.

    Attributes:
        figure: what is measured.
        of: the columns it is of; none of the whole release or table.
        value: what was found; None where there is nothing to measure.
        direction: which value is better, ``lower`` or ``higher``; None where neither is.
        range: between what the value lies; n is the number of records.
        sentence: what the value means, for a privacy officer.
        attack: the attack, of what an attack finds.
        read: how the release was read for it, of utility.
        unit: how the value is shown.
    """

    figure: str
    of: tuple[str, ...]
    value: float | None
    direction: str | None
    range: str
    sentence: str
    attack: Attack | str = ""
    read: str = ""
    unit: Unit = "number"

    @property
    def attribute(self) -> str | None:
        """The column it is of, if it is of one."""
        return self.of[0] if len(self.of) == 1 else None

    @property
    def shown(self) -> str:
        """The value as people read it."""
        return shown(self.value, self.unit)

    def as_object(self) -> dict[str, Any]:
        """The same for programs: what does not go with such a figure is left out."""
        attacked = {"attack": self.attack, "attribute": self.attribute} if self.attack else {}
        return {
            **attacked,
            "figure": self.figure,
            "of": list(self.of),
            "value": self.value,
            "direction": self.direction,
            "range": self.range,
            **({"read": self.read} if self.read else {}),
            "sentence": self.sentence,
        }


def finding(
    figure: Figure, value: float | None, of: tuple[str, ...] = (), read: str | None = None
) -> Finding:
    """The finding of a figure, in the words of its registry.

    Args:
        figure: the figure.
        value: what was found.
        of: the columns it is of.
        read: how the release was read, if not as the registry says.
    """
    return Finding(
        figure=figure.name,
        of=of,
        value=None if value is None else round(float(value), 9),
        direction=figure.direction,
        range=figure.range,
        sentence=figure.sentence,
        attack=figure.attack,
        read=figure.read if read is None else read,
        unit=figure.shown_as,
    )


def value_of(findings: Sequence[Finding], figure: str, of: tuple[str, ...] = ()) -> float | None:
    """The value of a figure of these columns.

    Raises:
        KeyError: if it was not computed.
    """
    known = [finding for finding in findings if finding.figure == figure]
    for finding in known:
        if finding.of == of:
            return finding.value
    if known:
        there = ", ".join(sorted(_columns(finding.of) for finding in known))
        raise KeyError(f"{figure!r} is not of {_columns(of)}, but of {there}")
    names = {finding.figure for finding in findings}
    raise KeyError(f"{figure!r} was not computed; {nearest(figure, names)}")


def _columns(of: tuple[str, ...]) -> str:
    return " and ".join(of) or "the whole"


def findings_table(title: str, findings: Sequence[Finding]) -> str:
    """Findings as a table of HTML, for a notebook."""
    attacked = any(finding.attack for finding in findings)
    rows = (
        (
            *((finding.attack,) if attacked else ()),
            *(finding.figure, " and ".join(finding.of), finding.value, finding.sentence),
        )
        for finding in findings
    )
    columns = (*(("attack",) if attacked else ()), "figure", "of", "found", "what it means")
    return table(title, columns, rows)
