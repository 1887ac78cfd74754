"""What a figure of utility is: everything that any part of sqlanon has to know of one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Per = Literal["release", "column", "pair", "number by group", "pair of numbers"]


@dataclass(frozen=True)
class UtilityFigure:
    """A figure of what a release is still good for.

    Attributes:
        name: its name.
        per: what it is told of.
        measured: the template that it comes of.
        direction: whether a lower or a higher value is better.
        range: between what it lies.
        read: how the release is read for it.
        value: what it is, as a formula or in a few words.
        paper: where it comes from; empty of what is common knowledge.
        says: what its value means, in a sentence for people.
    """

    name: str
    per: Per
    measured: str
    direction: Literal["lower", "higher"]
    range: str
    read: str
    value: str
    paper: str
    says: str

    @property
    def sentence(self) -> str:
        """What its value means."""
        return f"{self.says[0].upper()}{self.says[1:]}."
