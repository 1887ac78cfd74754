"""The findings of an attack: its figures, in the order and the words of the registry."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.pages.figures import Attack, Finding, finding, findings_table, value_of
from sqlanon.sql.names import Relation
from sqlanon.uses.attacks import FIGURE_OF
from sqlanon.uses.attacks.linking import certain_of

# The figures that are counted from what an attack finds in every class.
_SHARES = {
    "homogeneity": "homogeneity_share",
    "skewness": "skewness_share",
    "similarity": "similarity_share",
    "membership": "membership_certain_share",
}
_GREATEST = {"skewness": "skewness_gain", "membership": "membership_presence"}


@dataclass(frozen=True, repr=False)
class Attacked:
    """The findings of an attack on a release.

    Attributes:
        release: the release's name.
        findings: the figures.
        notes: what of an attack could not be computed, or was of some persons alone, and why.
        persons: how many persons of the external table were tried; None without one.
        relations: what was kept for the publisher, and for nobody else.
        remarks: what a table alone does not tell: its suppressed records.
    """

    release: str
    findings: tuple[Finding, ...]
    notes: Mapping[Attack, str] = field(default_factory=dict)
    persons: int | None = None
    relations: tuple[Relation, ...] = ()
    remarks: tuple[str, ...] = ()

    def value(self, figure: str, attribute: str | None = None) -> float | None:
        """The value of a figure.

        Raises:
            KeyError: if it was not computed.
        """
        return value_of(self.findings, figure, () if attribute is None else (attribute,))

    def __repr__(self) -> str:
        persons = "" if self.persons is None else f" with {self.persons:,} persons"
        return f"Attacked({self.release}{persons}, {len(self.findings)} figures)"

    def _repr_html_(self) -> str:
        return findings_table(repr(self), self.findings)


class Findings:
    """The figures of one attack, as they are found.

    Attributes:
        notes: what else is to be said of an attack: why it was not tried, or on what it was.
    """

    def __init__(self) -> None:
        self._found: list[Finding] = []
        self.notes: dict[Attack, str] = {}

    def note(self, attack: Attack, *said: str) -> None:
        """Add to what is said of an attack."""
        before = [self.notes[attack]] if attack in self.notes else []
        self.notes[attack] = "; ".join([*before, *said])

    def in_order(self, attributes: Sequence[str]) -> tuple[Finding, ...]:
        """All of them, as the registry and the spec have them in order."""
        figures, of = list(FIGURE_OF), [None, *attributes]
        return tuple(
            sorted(
                self._found, key=lambda one: (figures.index(one.figure), of.index(one.attribute))
            )
        )

    def tell(self, figure: str, attribute: str | None, value: float | None) -> None:
        """Take a figure down."""
        of = () if attribute is None else (attribute,)
        self._found.append(finding(FIGURE_OF[figure], value, of))

    def of_classes(self, rows: Iterable[Sequence[Any]], of_records: bool = True) -> None:
        """Take down what was counted of classes: the rows of ``attacks/exposed``.

        Args:
            rows: the rows.
            of_records: whether each record is of a person of its own.
        """
        for attack, attribute, _, records, exposed, most in rows:
            self.tell(_SHARES[attack], attribute, int(exposed) / int(records))
            if attack == "homogeneity" and of_records:
                self.tell("homogeneity_count", attribute, int(exposed))
            if attack in _GREATEST:
                self.tell(_GREATEST[attack], attribute, float(most))

    def of_linking(self, row: Mapping[str, Any], sensitive: Sequence[SensitiveAttribute]) -> None:
        """Take down what linking came to: the row of ``attacks/linking``."""
        counts = {name: None if value is None else float(value) for name, value in row.items()}
        persons, found = counts["persons"], counts["found"] or 0
        if not persons:  # none of them is among those that were tried
            return
        self.tell("linking_smallest_group", None, counts["smallest"])
        self.tell("linking_smallest_choice", None, counts["behind"])
        self.tell("linking_found_share", None, found / persons)
        self.tell("linking_unique_share", None, (counts["single"] or 0) / persons)
        self.tell("record_linkage", None, counts["record_linkage"])
        for attribute in sensitive:
            certain = counts[certain_of(attribute)] or 0
            self.tell("linking_certain_share", attribute.name, certain / persons)
        self.tell(
            "membership_absent_share", None, (persons - found - (counts["unknown"] or 0)) / persons
        )

    def of_slices(self, row: Mapping[str, Any]) -> None:
        """Take down what holding persons against slices came to: the row of ``attacks/linking``."""
        persons, found = int(row["persons"]), int(row["found"])
        if not persons:  # none of them is among those that were tried
            return
        behind = row["behind"]
        self.tell("linking_smallest_choice", None, None if behind is None else int(behind))
        self.tell("linking_found_share", None, found / persons)
        self.tell(
            "membership_absent_share", None, (persons - found - int(row["unknown"])) / persons
        )
