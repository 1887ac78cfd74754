"""Whether somebody is in a release of groups: which of them have every part of a person's tuple."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlanon.attacks.against import Against
from sqlanon.attacks.matching import (
    MOST_MATCHED,
    OF_PERSONS,
    OF_RECORDS,
    ORIGINAL,
    Allowed,
    Matching,
    Points,
)
from sqlanon.attacks.points import EXTERNAL, Fitted, points
from sqlanon.attacks.seen import Target
from sqlanon.measure.view import GROUP_SIZES
from sqlanon.plan import Plan
from sqlanon.sql.names import Relation, Sql

_CAPPED = (
    "{:,} groups allow more than 10^18 tuples, and count as allowing so many: there are more "
    "possible and fake tuples than these"
)
_SAMPLED = (
    "of persons: every {}th of the different ones was tried, because all of them would take {:,} "
    "comparisons"
)
_NOT_SAMPLED = (
    "fake tuples not computed: every {}th of the source's different tuples was tried, because all "
    "of them would take {:,} comparisons"
)
_LEFT_OUT = (
    "{:,} of {:,} records of the source fit no group: they were left out, or it is not what the "
    "release was made of"
)
_SUPPRESSED = "tuples not computed: a suppressed cell may stand for any value"
_NO_SOURCE = "of records not computed: it needs what the release was made of (source)"
_NO_OUTSIDERS = "everybody of the external table is in the source: nobody is an outsider"


class InGroups:
    """The findings about membership in groups, in one attack."""

    def __init__(self, target: Target) -> None:
        """Take down what is attacked."""
        self._session, self._findings = target.session, target.findings
        self._published = target.published
        self._names = [one.name for one in target.cells]
        self.notes: list[str] = []
        self._possible = 0

    @property
    def slices(self) -> list[list[str]]:
        """The known columns of persons, slice by slice; no slice of which nothing is known."""
        declared = self._published.slices or (tuple(self._names),)
        known = [[name for name in self._names if name in one] for one in declared]
        return [one for one in known if one]

    @property
    def _beside(self) -> int | None:
        """The number of the slice that has the sensitive values, if something of it is known."""
        beside = set(self._published.beside)
        return next((n for n, one in enumerate(self.slices, 1) if beside & set(one)), None)

    def allowed(self, tuples: Relation, owner: Sql, shown: Mapping[str, Sequence[Sql]]) -> None:
        """Count the tuples that groups allow; it needs nothing but the release.

        Where cells are suppressed, nobody can say how many: one may be any value that there is.

        Args:
            tuples: the published tuples.
            owner: the column that names their group.
            shown: the columns that show each quasi-identifier.
        """
        if self._published.suppresses_cells:
            self.notes.append(_SUPPRESSED)
            return
        columns = [[column for name in one for column in shown[name]] for one in self.slices]
        allowed = Allowed(columns, tuples, owner)
        self._session.run(Plan((allowed.step,)))
        possible, capped = map(int, self._session.fetch(*allowed.totals, 1).rows[0])
        self._possible = possible
        self._findings.tell("membership_possible_tuples", None, possible)
        if capped:
            self.notes.append(_CAPPED.format(capped))

    def match(
        self, tuples: Relation, owner: Sql, fitted: Sequence[Fitted], held: Against
    ) -> dict[str, Any]:
        """Join persons, or the source's records, or both, with the groups they may be in.

        Args:
            tuples: the published tuples.
            owner: the column that names their group.
            fitted: how what is known of persons becomes codes.
            held: the tables that are given.

        Returns:
            What linking the persons comes to; nothing where there are none.
        """
        of = dict(zip(self._names, fitted, strict=True))
        codes = [[of[name] for name in one] for one in self.slices]
        matching = Matching(
            slices=codes,
            beside=self._beside,
            tuples=tuples,
            owner=owner,
            groups=GROUP_SIZES,
            last_first=self._published.last_first,
        )
        asked = {OF_PERSONS: EXTERNAL} if held.external else {}
        asked |= {OF_RECORDS: ORIGINAL} if held.source else {}
        for one, read in asked.items():
            title = f"{one.who} by what is known of them"
            self._session.run(Plan((points(title, matching.fitted, read, one.points),)))
        sampled = self._parts(matching, list(asked))
        row: dict[str, Any] = {}
        if held.external:
            stride, pairs = self._matched(matching, OF_PERSONS, sampled)
            (row,) = self._session.fetch(*matching.linking(OF_PERSONS), 1).dicts()
            if stride > 1:
                self.notes.append(_SAMPLED.format(stride, pairs))
        if held.source:
            self._of_records(matching, sampled)
        else:
            self.notes.append(_NO_SOURCE)
        if held.external and held.source:
            self._of_outsiders(matching)
        return row

    def _parts(self, matching: Matching, of: Sequence[Points]) -> tuple[int, int]:
        """Find which groups have which parts.

        Returns:
            Of how many persons one was tried, and how many comparisons all would take.
        """
        self._session.run(Plan(tuple(matching.parts)))
        stride, most = 1, 0
        for one in matching.starred_parts(1, *of):
            self._session.run(Plan(tuple(one.sides)))
            ((pairs,),) = self._session.fetch(*one.effort, 1).rows
            most = max(most, int(pairs))
        stride = -(-most // MOST_MATCHED) or 1
        for one in matching.starred_parts(stride, *of):
            again = one.sides[1:] if stride > 1 else []
            self._session.run(Plan((*again, one.parts)))
        return stride, most

    def _matched(self, matching: Matching, of: Points, sampled: tuple[int, int]) -> tuple[int, int]:
        """Join some; returns of how many one was tried, and how many comparisons all would take."""
        self._session.run(Plan((matching.placed(of),)))
        ((pairs,),) = self._session.fetch(*matching.effort(of), 1).rows
        stride = sampled[0] * (-(-int(pairs) // MOST_MATCHED) or 1)
        self._session.run(Plan((matching.matched(of, stride),)))
        return stride, max(int(pairs), sampled[1])

    def _of_records(self, matching: Matching, sampled: tuple[int, int]) -> None:
        stride, pairs = self._matched(matching, OF_RECORDS, sampled)
        (row,) = self._session.fetch(*matching.totals(OF_RECORDS), 1).dicts()
        counts = {name: None if value is None else int(value) for name, value in row.items()}
        records, found = counts["records"] or 0, counts["found"] or 0
        if records > found:
            self.notes.append(_LEFT_OUT.format(records - found, records))
        if found:
            self._findings.tell("membership_fewest_groups", None, counts["fewest"])
            self._findings.tell("membership_mean_groups", None, (counts["groups"] or 0) / found)
            single = (counts["single"] or 0) / found
            self._findings.tell("membership_one_group_share", None, single)
        if stride > 1:
            self.notes.append(_NOT_SAMPLED.format(stride, pairs))
        elif self._possible:
            fake = self._possible - (counts["tuples"] or 0)
            self._findings.tell("membership_fake_tuples", None, fake)
            self._findings.tell("membership_fake_share", None, fake / self._possible)

    def _of_outsiders(self, matching: Matching) -> None:
        asked = matching.outsiders(OF_PERSONS, OF_RECORDS)
        outsiders, possible = map(int, self._session.fetch(*asked, 1).rows[0])
        if outsiders:
            self._findings.tell("membership_outsider_share", None, possible / outsiders)
        else:
            self.notes.append(_NO_OUTSIDERS)
