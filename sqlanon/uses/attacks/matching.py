"""Membership in groups: which of them may have somebody, and how many tuples they allow.

Li, Li, Zhang and Molloy (2012), §5: every person in the table is in a matching group, which has
every part of the person's tuple. Where there is none, the person is not in the table; where there
is one, nobody knows that the person is, as far as groups allow tuples that nobody has.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.pages.figures import Figure
from sqlanon.plan import Step, work
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.linking import Fitted, linking

_SLICING = "Li, Li, Zhang and Molloy (2012), §5"
_ALLOWED, _MATCHED = "attacks/possible_tuples", "attacks/matching_groups"

MATCHING = (
    Figure(
        name="membership_possible_tuples",
        attack="membership",
        measured=_ALLOWED,
        direction="higher",
        range="[1, inf)",
        value="Σ over groups of Π over slices of the different parts that the group has",
        paper=_SLICING,
        says="so many different tuples could be put together of the parts that groups have of what "
        "is known of persons, those of every group counted by themselves",
    ),
    Figure(
        name="membership_fake_tuples",
        attack="membership",
        measured=_ALLOWED,
        direction="higher",
        range="[0, inf)",
        value="those of the possible tuples that no record of the source has",
        paper=_SLICING,
        says="so many of the possible tuples are nobody's in the source",
    ),
    Figure(
        name="membership_fake_share",
        attack="membership",
        measured=_ALLOWED,
        direction="higher",
        value="the share of the possible tuples that no record of the source has",
        paper=_SLICING,
        says="this share of the possible tuples are nobody's in the source; where there are none, "
        "every possible tuple is somebody's in the table",
    ),
    Figure(
        name="membership_fewest_groups",
        attack="membership",
        measured=_MATCHED,
        direction="higher",
        range="[1, n]",
        value="the least number, not 0, of groups that have every part of a source record's tuple",
        paper=_SLICING,
        says="every record of the source may be in this many groups at least",
    ),
    Figure(
        name="membership_mean_groups",
        attack="membership",
        measured=_MATCHED,
        direction="higher",
        range="[1, n]",
        value="the mean number of groups that have every part of a source record's tuple",
        paper=_SLICING,
        says="a record of the source may be in this many groups on average",
    ),
    Figure(
        name="membership_one_group_share",
        attack="membership",
        measured=_MATCHED,
        value="the share of the source's records whose parts only one group has all of",
        paper=_SLICING,
        says="of this share of the source's records the group is found",
    ),
    Figure(
        name="membership_outsider_share",
        attack="membership",
        measured=_MATCHED,
        direction="higher",
        value="the share of the persons with a tuple that no record of the source has, for whom "
        "some group has every part of it",
        paper=_SLICING,
        says="this share of the persons of the external table who are not in the source could be "
        "in the release as well; the others are known not to be",
    ),
)
ORIGINAL, EVERYBODY = work("original"), work("everybody")
_POSSIBLE = work("possible_tuples")
# So many pairs of a person and a group are looked at; beyond them only some persons are tried.
MOST_MATCHED = 40_000_000
Question = tuple[str, Mapping[str, Any], Mapping[str, Any]]


@dataclass(frozen=True)
class Allowed:
    """The tuples that groups allow.

    Attributes:
        slices: the columns of the published tuples that show what is known of persons, slice by
            slice; no slice without a column.
        tuples: the published tuples: the group, what is known, and ``records``.
        owner: the tuples' column that names the group.
    """

    slices: Sequence[Sequence[Sql]]
    tuples: Relation
    owner: Sql

    @property
    def step(self) -> Step:
        """How many tuples each group allows."""
        params = {"slices": self.slices, "owner": self.owner}
        inputs = {"tuples": self.tuples}
        return Step("the tuples that each group allows", _POSSIBLE, _ALLOWED, inputs, params)

    @property
    def totals(self) -> Question:
        """The question how many they are."""
        return "attacks/possible_totals", {"possible": _POSSIBLE}, {}


@dataclass(frozen=True)
class Matching:
    """The join of persons with the groups that have every part of what is known of them.

    Parts and groups are never multiplied: a person is joined with the groups that have the rarest
    of the person's parts, and these alone are asked for the others.

    Attributes:
        slices: how the persons' values become codes, slice by slice; no slice without one.
        beside: the number of the slice with the sensitive values, from 1; None where nothing of it
            is known.
        tuples: the published tuples.
        owner: the tuples' column that names the group.
        groups: how many records each group has.
        last_first: whether a suppressed cell has suppressed ones behind it, and not before it.
    """

    slices: Sequence[Sequence[Fitted]]
    beside: int | None
    tuples: Relation
    owner: Sql
    groups: Relation
    last_first: bool = False

    @property
    def fitted(self) -> list[Fitted]:
        """The known values of persons, in the order of the slices."""
        return [column for some in self.slices for column in some]

    @property
    def parts(self) -> list[Step]:
        """The parts of every slice, and which groups have them, where no cell is suppressed."""
        return [
            Step(
                f"the parts that groups have of slice {number}",
                _parts(number),
                "attacks/slice_parts",
                *self._shown(some),
            )
            for number, some in enumerate(self.slices, 1)
            if not _starred(some)
        ]

    def starred_parts(self, stride: int, *of: Points) -> Iterator[StarredParts]:
        """The parts of every slice in which cells are suppressed.

        Args:
            stride: of every how manieth of the persons.
            of: the persons.
        """
        persons = {f"persons_{position}": points.points for position, points in enumerate(of, 1)}
        for number, some in enumerate(self.slices, 1):
            if _starred(some):
                yield StarredParts(
                    number=number,
                    slice=some,
                    shown=self._shown(some),
                    persons=persons,
                    known=self._attributes,
                    stride=stride,
                    last_first=self.last_first,
                )

    def _shown(self, some: Sequence[Fitted]) -> tuple[dict[str, Relation], dict[str, Any]]:
        """The parts of a slice that groups show: inputs and parameters of a template."""
        spans = {column.alias: column.spans for column in some}
        inputs = {"tuples": self.tuples} | {f"spans_{alias}": at for alias, at in spans.items()}
        return inputs, {"attributes": tuple(spans), "spans": spans, "owner": self.owner}

    def placed(self, of: Points) -> Step:
        """The parts of persons, and which of them is the rarest."""
        inputs = {"persons": of.points} | self._parts
        params = {"slices": self._slices}
        return Step(f"the parts of {of.who}", of.placed, "attacks/placed_points", inputs, params)

    def effort(self, of: Points) -> Question:
        """The question how many pairs of a person and a group are looked at."""
        return "attacks/matching_effort", {"placed": of.placed}, {}

    def matched(self, of: Points, stride: int) -> Step:
        """In how many groups each person may be; of every so manieth of them."""
        inputs = {"persons": of.points, "placed": of.placed, "groups": self.groups} | self._parts
        params = {
            "slices": self._slices,
            "attributes": self._attributes,
            "behind": Sql("group_sizes" if self.beside is None else f"parts_{self.beside}"),
            "stride": stride,
        }
        return Step(f"the groups that {of.who} may be in", of.matched, _MATCHED, inputs, params)

    def totals(self, of: Points) -> Question:
        """The question what that comes to."""
        return "attacks/matching_totals", {"matching": of.matched}, {}

    def linking(self, of: Points) -> Question:
        """The question how many of them may be in some group, and of whom nothing can be said."""
        return linking(of.matched, self.fitted, ())

    def outsiders(self, persons: Points, records: Points) -> Question:
        """The question how many of the persons are no records, and may be taken for some."""
        inputs = {"matching": persons.matched, "records": records.points}
        return "attacks/outsiders", inputs, {"attributes": self._attributes}

    @property
    def _attributes(self) -> tuple[Sql, ...]:
        return tuple(column.alias for column in self.fitted)

    @property
    def _parts(self) -> dict[str, Relation]:
        return {f"parts_{n}": _parts(n) for n, _ in enumerate(self.slices, 1)}

    @property
    def _slices(self) -> list[dict[str, Any]]:
        return [
            {
                "number": number,
                "name": Sql(f"parts_{number}"),
                "parts": _parts(number),
                "part": Sql(f"part_{number}"),
                "groups": Sql(f"groups_{number}"),
                "attributes": tuple(column.alias for column in some),
            }
            for number, some in enumerate(self.slices, 1)
        ]


@dataclass(frozen=True)
class StarredParts:
    """The parts of a slice in which cells are suppressed: a suppressed one may be any value.

    So parts are those that persons have, and a group has each that it may have.

    Attributes:
        number: the slice's number.
        slice: how the persons' values become codes, in the spec's order.
        shown: inputs and parameters of what groups show of it.
        persons: by the name of an input, the persons' points.
        known: all that is known of persons.
        stride: of every how manieth of them.
        last_first: whether cells are suppressed from the last of these columns on.
    """

    number: int
    slice: Sequence[Fitted]
    shown: tuple[dict[str, Relation], dict[str, Any]]
    persons: Mapping[str, Relation]
    known: Sequence[Sql]
    stride: int
    last_first: bool

    @property
    def sides(self) -> list[Step]:
        """The steps that find the parts that groups show, and those that persons have."""
        inputs, params = self.shown
        of = f"of slice {self.number}"
        known = {
            "attributes": params["attributes"],
            "persons": {Sql(name): relation for name, relation in self.persons.items()},
            "known": self.known,
            "stride": self.stride,
        }
        return [
            Step(f"what groups show {of}", self._shown, "attacks/shown_parts", inputs, params),
            Step(
                f"what persons have {of}", self._known, "attacks/known_parts", self.persons, known
            ),
        ]

    @property
    def effort(self) -> Question:
        """The question how many pairs of a part and a group there are."""
        params = {"patterns": self._patterns, "masks": tuple(self._masks)}
        return "attacks/fitting_effort", self._read, params

    @property
    def parts(self) -> Step:
        """The parts, and which groups may have them."""
        params = {
            "attributes": self.shown[1]["attributes"],
            "patterns": self._patterns,
            "masks": self._masks,
        }
        read = self._read | {f"masks_{alias}": masks for alias, masks in self._masks.items()}
        title = f"the parts that groups may have of slice {self.number}"
        return Step(title, _parts(self.number), "attacks/fitting_parts", read, params)

    @property
    def _masks(self) -> dict[Sql, Relation]:
        return {column.alias: column.masks for column in self.slice if column.masks is not None}

    @property
    def _shown(self) -> Relation:
        return work("shown_parts_", self.number)

    @property
    def _known(self) -> Relation:
        return work("known_parts_", self.number)

    @property
    def _read(self) -> dict[str, Relation]:
        return {"shown_parts": self._shown, "known_parts": self._known}

    @property
    def _patterns(self) -> list[dict[str, Any]]:
        """Which cells of a part are suppressed: the first so many of those that may be."""
        may_be = [column.alias for column in self.slice if column.starred]
        may_be = may_be[::-1] if self.last_first else may_be
        patterns = []
        for many in range(len(may_be) + 1):
            starred, whole = may_be[:many], may_be[many:]
            equal = [column.alias for column in self.slice if column.alias not in starred]
            patterns.append({"starred": starred, "whole": whole, "equal": equal})
        return patterns


def _starred(some: Sequence[Fitted]) -> bool:
    return any(column.starred for column in some)


@dataclass(frozen=True)
class Points:
    """Persons by what is known of them, and what is found of them.

    Attributes:
        who: what they are called in a step's title.
        points: the codes that they have, and how many have them.
    """

    who: str
    points: Relation

    @property
    def placed(self) -> Relation:
        """Their parts."""
        return Relation(f"{self.points.name}_placed")

    @property
    def matched(self) -> Relation:
        """In how many groups they may be."""
        return Relation(f"{self.points.name}_matched")


OF_PERSONS = Points("the persons", work("known_persons"))
OF_RECORDS = Points("the source's records", work("known_records"))


def _parts(number: int) -> Relation:
    return work("slice_parts_", number)
