"""What a figure of an attack is: everything that any part of sqlanon has to know of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Attack = Literal["linking", "homogeneity", "skewness", "similarity", "membership", "minimality"]


@dataclass(frozen=True)
class Figure:
    """A figure of an attack.

    Attributes:
        name: its name.
        attack: the attack that it is of.
        per: whether it is of the whole release, or of every sensitive attribute.
        measured: the template that finds what it is counted from.
        direction: whether a lower or a higher value is better; None where neither is.
        range: between what it lies; n is the number of records.
        value: what it is, as a formula or in a few words.
        paper: where it comes from.
        says: what its value means, in a sentence for a privacy officer.
    """

    name: str
    attack: Attack
    per: Literal["release", "sensitive attribute"]
    measured: str
    direction: Literal["lower", "higher"] | None
    range: str
    value: str
    paper: str
    says: str

    @property
    def sentence(self) -> str:
        """What its value means."""
        plain = self.says.replace("`", "")
        return f"{plain[0].upper()}{plain[1:]}."
