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

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.view import AdversaryView
from sqlanon.pages.figures import Figure
from sqlanon.plan import Materialization, Step, work
from sqlanon.sql.names import Relation, Sql

EXTERNAL, PERSONS = work("external"), work("external_persons")
GRID = 256  # cells of the coarse grid, about
_LAST_SCALE = 6  # from the next attribute on cells share a number with others, which does no harm


@dataclass(frozen=True)
class Fitted:
    """How a quasi-identifier's published cells are held against persons.

    Attributes:
        alias: its column in the external table as it is read.
        places: the codes of values: ``code`` and ``value``.
        type: as what the persons' values are compared; None for as they are.
        spans: of every published tuple the codes that its cell stands for.
        members: the codes of every set, where a cell is one.
        lists: whether the release names every value that its records have, as sets and exact texts
            do: of another one nothing can be said, since it may be the same spelled otherwise.
        starred: whether it may be suppressed in some records, whose cells then stand for anything;
        masks: or for what has the same mask there: of every code the code of that.
    """

    alias: Sql
    places: Relation
    type: Sql | None
    spans: Relation
    members: Relation | None = None
    lists: bool = False
    starred: bool = False
    masks: Relation | None = None

    @property
    def named(self) -> Relation | None:
        """Where the codes are that the release names, if it names all values that there are."""
        return (self.members or self.spans) if self.lists else None


def points(title: str, fitted: Sequence[Fitted], persons: Relation, output: Relation) -> Step:
    """The step that counts persons by what is known of them, as codes."""
    parts = max(2, int(GRID ** (1 / len(fitted))))
    attributes = [
        {**entry, "scale": parts ** min(index, _LAST_SCALE)}
        for index, entry in enumerate(coded(fitted))
    ]
    inputs = {"external": persons} | places_of(fitted)
    params = {"attributes": attributes, "parts": parts}
    return Step(title, output, "attacks/persons", inputs, params)


def linking(
    linked: Relation, fitted: Sequence[Fitted], sensitive: Sequence[Sql]
) -> tuple[str, Mapping[str, Any], Mapping[str, Any]]:
    """The question what linking comes to, and of whom nothing can be said.

    Args:
        linked: what fits each point of persons.
        fitted: how their values became codes.
        sensitive: the sensitive attributes whose least and greatest value it tells.
    """
    attributes = [
        {
            "alias": column.alias,
            "named": column.named,
            "column": Sql("low" if column.members is None else "code"),
        }
        for column in fitted
    ]
    read = {f"named_{column.alias}": column.named for column in fitted if column.named is not None}
    params = {"attributes": attributes, "sensitive": tuple(sensitive)}
    return "attacks/linking", {"linked": linked} | read, params


def coded(fitted: Sequence[Fitted]) -> list[dict[str, Any]]:
    """How the persons' values become codes."""
    return [
        {"alias": column.alias, "places": column.places, "type": column.type} for column in fitted
    ]


def places_of(fitted: Sequence[Fitted]) -> dict[str, Relation]:
    """The codes of their values, as inputs of a template."""
    return {f"places_{column.alias}": column.places for column in fitted}


def unknown_of(alias: Sql) -> str:
    """The column of the linking's figures that counts persons whose value cannot be compared."""
    return f"{alias}_unknown"


_SURVEY, _PRESENCE = "Kiran and Kavya (2012), §3", "Nergiz et al. (2007), definition 2"
_LINKED, _COVERED = "attacks/linked", "attacks/covered"

LINKING = (
    Figure(
        name="linking_smallest_group",
        attack="linking",
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
        measured=_LINKED,
        direction=None,
        value="the share of persons whom a published record fits",
        paper=_SURVEY,
        says="this share of the persons of the external table fit a published record",
    ),
    Figure(
        name="linking_unique_share",
        attack="linking",
        measured=_LINKED,
        value="the share of persons whom exactly one published record fits",
        paper=_SURVEY,
        says="this share of the persons of the external table fit one published record and no "
        "other",
    ),
    Figure(
        name="record_linkage",
        attack="linking",
        measured=_LINKED,
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
        measured=_LINKED,
        direction=None,
        value="the share of persons whom no published record fits, though all their values can be "
        "compared",
        paper=_PRESENCE,
        says="this share of the persons of the external table are certainly not in the release",
    ),
    Figure(
        name="membership_certain_share",
        attack="membership",
        measured=_COVERED,
        value="the share of records in classes that somebody fits, and no more persons than they "
        "have records",
        paper=_PRESENCE,
        says="if the external table holds everybody, this share of the records lie in classes of "
        "which everybody who fits is certainly in the release",
    ),
    Figure(
        name="membership_presence",
        attack="membership",
        measured=_COVERED,
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
        return tuple(column.alias for column in self.fitted)

    @property
    def _sensitive(self) -> tuple[Sql, ...]:
        return tuple(attribute.alias for attribute in self.view.sensitive)

    @property
    def steps(self) -> list[Step]:
        """The steps that lay both sides out: persons, the grid, and what is published."""
        values = {
            attribute.alias: self.view.class_values[str(attribute.alias)]
            for attribute in self.view.sensitive
        }
        spans = {column.alias: column.spans for column in self.fitted}
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
        named = [
            {**entry, "name": name} for entry, name in zip(coded(self.fitted), names, strict=True)
        ]
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
        return {
            column.alias: column.members for column in self.fitted if column.members is not None
        }

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
