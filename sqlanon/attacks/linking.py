"""Linking by a real join, and membership: persons of an external table against published cells.

A person fits a published cell if the value lies in its interval, is of its set, or is under its
label. NULL fits a cell of NULL. No pair of a person and a class is ever written down. The persons'
distinct values lie in the cells of a coarse grid. The cells inside what a class publishes are
counted at once, and only the values in cells on its border are compared one by one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.attacks.points import (
    EXTERNAL,
    PERSONS,
    Fitted,
    coded,
    linking,
    places_of,
    points,
)
from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.figures import Figure
from sqlanon.measure.view import AdversaryView
from sqlanon.plan import Materialization, Step, work
from sqlanon.sql.names import Relation, Sql

_SURVEY, _PRESENCE = "Kiran and Kavya (2012), §3", "Nergiz et al. (2007), definition 2"
_LINKED, _COVERED = "attacks/linked", "attacks/covered"

LINKING = (
    Figure(
        name="linking_smallest_group",
        attack="linking",
        per="release",
        measured=_LINKED,
        direction="higher",
        range="[1, n]",
        value="the least number, not 0, of published records that fit a person",
        paper=_SURVEY,
        says="everybody of the external table who fits a published record fits this many at least",
    ),
    Figure(
        name="linking_smallest_choice",
        attack="linking",
        per="release",
        measured=_LINKED,
        direction="higher",
        range="[1, n]",
        value="the least number of records whose sensitive values may be a person's: those that "
        "fit, or all of their groups",
        paper=_SURVEY,
        says="the sensitive values that may be a person's are those of this many records at least",
    ),
    Figure(
        name="linking_found_share",
        attack="linking",
        per="release",
        measured=_LINKED,
        direction=None,
        range="[0, 1]",
        value="the share of persons whom a published record fits",
        paper=_SURVEY,
        says="this share of the persons of the external table fit a published record",
    ),
    Figure(
        name="linking_unique_share",
        attack="linking",
        per="release",
        measured=_LINKED,
        direction="lower",
        range="[0, 1]",
        value="the share of persons whom exactly one published record fits",
        paper=_SURVEY,
        says="this share of the persons of the external table fit one published record and no "
        "other",
    ),
    Figure(
        name="record_linkage",
        attack="linking",
        per="release",
        measured=_LINKED,
        direction="lower",
        range="[0, 1]",
        value="the mean over the persons of 1 / the records that fit, 0 where none does; all "
        "classes that fit count as one",
        paper="Amiri et al. (2023), equation 4",
        says="guesses at the published record of every person are right for this share of them, if "
        "all of them are in the release",
    ),
    Figure(
        name="linking_certain_share",
        attack="linking",
        per="sensitive attribute",
        measured=_LINKED,
        direction="lower",
        range="[0, 1]",
        value="the share of persons for whom all records that fit have one value",
        paper=_SURVEY,
        says="for this share of the persons of the external table only one value is left, if they "
        "are in the release",
    ),
)
MEMBERSHIP = (
    Figure(
        name="membership_absent_share",
        attack="membership",
        per="release",
        measured=_LINKED,
        direction=None,
        range="[0, 1]",
        value="the share of persons whom no published record fits, though all their values can be "
        "compared",
        paper=_PRESENCE,
        says="this share of the persons of the external table are certainly not in the release",
    ),
    Figure(
        name="membership_certain_share",
        attack="membership",
        per="release",
        measured=_COVERED,
        direction="lower",
        range="[0, 1]",
        value="the share of records in classes that somebody fits, and no more persons than they "
        "have records",
        paper=_PRESENCE,
        says="if the external table holds everybody, this share of the records lie in classes of "
        "which everybody who fits is certainly in the release",
    ),
    Figure(
        name="membership_presence",
        attack="membership",
        per="release",
        measured=_COVERED,
        direction="lower",
        range="[0, 1]",
        value="max records of a class / persons who fit it",
        paper=_PRESENCE,
        says="if the external table holds everybody, who fits a class is in the release with at "
        "most this chance",
    ),
)
LINKED = work("linked")
_NODES, _TARGETS, _HELD = work("external_nodes"), work("targets"), work("targets_held")
_COVERING = work("covered")
# So many comparisons of a person's values with published cells are made; beyond them only some of
# the different persons are tried.
MOST_COMPARED = 100_000_000


@dataclass(frozen=True)
class Join:
    """The join of an external table with what is published.

    Attributes:
        fitted: the quasi-identifiers that are held against each other.
        view: what a reader can tie together.
        tuples: the published tuples: ``class_id`` and ``records``.
        owner: the tuples' column that names the view's class.
    """

    fitted: Sequence[Fitted]
    view: AdversaryView
    tuples: Relation
    owner: Sql

    @property
    def _attributes(self) -> tuple[Sql, ...]:
        return tuple(one.alias for one in self.fitted)

    @property
    def _sensitive(self) -> tuple[Sql, ...]:
        return tuple(one.alias for one in self.view.sensitive)

    @property
    def steps(self) -> list[Step]:
        """The steps that lay both sides out: persons, the grid, and what is published."""
        values = {one.alias: self.view.class_values[str(one.alias)] for one in self.view.sensitive}
        spans = {one.alias: one.spans for one in self.fitted}
        return [
            points("the persons by what is known of them", self.fitted, EXTERNAL, PERSONS),
            Step(
                "the cells of a grid that hold persons",
                _NODES,
                "attacks/nodes",
                {"persons": PERSONS},
                {"attributes": self._attributes},
            ),
            Step(
                "the sensitive values of every class",
                _HELD,
                "attacks/held",
                {"classes": self.view.classes}
                | {f"class_values_{alias}": relation for alias, relation in values.items()},
                {"values": values},
            ),
            Step(
                "what is published, as codes",
                _TARGETS,
                "attacks/targets",
                {"tuples": self.tuples, "held": _HELD}
                | {f"spans_{alias}": relation for alias, relation in spans.items()},
                {"spans": spans, "sensitive": self._sensitive, "owner": self.owner},
            ),
        ]

    @property
    def effort(self) -> tuple[str, Mapping[str, Any], Mapping[str, Any]]:
        """The question how many comparisons the join takes."""
        inputs = {"nodes": _NODES, "targets": _TARGETS}
        return "attacks/effort", inputs, {"attributes": self._attributes}

    def linked(self, stride: int) -> Step:
        """How many published records fit each person; of every so manieth of them."""
        params = {**self._meeting, "sensitive": self._sensitive, "stride": stride}
        return Step("linking the persons", LINKED, _LINKED, self._read, params)

    @property
    def figures(self) -> tuple[str, Mapping[str, Any], Mapping[str, Any]]:
        """The question what the linking comes to."""
        return linking(LINKED, self.fitted, self._sensitive)

    def persons(self, names: Sequence[str], output: Relation) -> Step:
        """The persons as they are known, and what they find, to be kept.

        Args:
            names: what the columns of the quasi-identifiers are called.
            output: the relation.
        """
        named = [{**one, "name": name} for one, name in zip(coded(self.fitted), names, strict=True)]
        return Step(
            "what every person finds",
            output,
            "attacks/linked_persons",
            {"external": EXTERNAL, "linked": LINKED} | places_of(self.fitted),
            {"attributes": named},
            Materialization.TABLE,
        )

    def covered(self) -> Step:
        """How many persons fit each class."""
        inputs = {"tuples": self.tuples} | self._read
        return Step("the persons of each class", _COVERING, _COVERED, inputs, self._meeting)

    @property
    def _sets(self) -> dict[Sql, Relation]:
        return {one.alias: one.members for one in self.fitted if one.members is not None}

    @property
    def _read(self) -> dict[str, Relation]:
        sets = {f"set_members_{alias}": relation for alias, relation in self._sets.items()}
        return {"nodes": _NODES, "targets": _TARGETS, "persons": PERSONS} | sets

    @property
    def _meeting(self) -> dict[str, Any]:
        return {"attributes": self._attributes, "sets": self._sets}


def certain_of(attribute: SensitiveAttribute) -> str:
    """The column of the linking's figures that counts persons of whom a value is certain."""
    return f"{attribute.alias}_certain"
