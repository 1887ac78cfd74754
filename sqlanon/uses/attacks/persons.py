"""A release held against persons: which records they fit, and which persons are surely in it.

Of a release of groups: which groups have every part of a person's tuple.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlanon.measure.view import GROUP_SIZES, AdversaryView
from sqlanon.plan import Plan
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.against import Against
from sqlanon.uses.attacks.as_published import Target, tuples_of
from sqlanon.uses.attacks.fitting import by_label, fit
from sqlanon.uses.attacks.in_classes import InClasses
from sqlanon.uses.attacks.linking import EXTERNAL, MOST_COMPARED, Fitted, Join, points, unknown_of
from sqlanon.uses.attacks.matching import (
    MOST_MATCHED,
    OF_PERSONS,
    OF_RECORDS,
    ORIGINAL,
    Allowed,
    Matching,
    Points,
)

_CAPPED = (
    "{:,} groups allow more than 10^18 tuples, and count as allowing so many: there are more "
    "possible and fake tuples than these"
)
_GROUPS_SAMPLED = (
    "of persons: every {}th of the different ones was tried, because all of them would take {:,} "
    "comparisons"
)
_GROUPS_NOT_SAMPLED = (
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
        self._names = [cell.name for cell in target.cells]
        self.notes: list[str] = []
        self._possible = 0

    @property
    def slices(self) -> list[list[str]]:
        """The known columns of persons, slice by slice; no slice of which nothing is known."""
        declared = self._published.slices or (tuple(self._names),)
        known = [[name for name in self._names if name in names] for names in declared]
        return [names for names in known if names]

    @property
    def _beside(self) -> int | None:
        """The number of the slice that has the sensitive values, if something of it is known."""
        beside = set(self._published.beside)
        return next((n for n, names in enumerate(self.slices, 1) if beside & set(names)), None)

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
        columns = [[column for name in names for column in shown[name]] for names in self.slices]
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
        codes = [[of[name] for name in names] for names in self.slices]
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
                self.notes.append(_GROUPS_SAMPLED.format(stride, pairs))
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
        for parts in matching.starred_parts(1, *of):
            self._session.run(Plan(tuple(parts.sides)))
            ((pairs,),) = self._session.fetch(*parts.effort, 1).rows
            most = max(most, int(pairs))
        stride = -(-most // MOST_MATCHED) or 1
        for parts in matching.starred_parts(stride, *of):
            again = parts.sides[1:] if stride > 1 else []
            self._session.run(Plan((*again, parts.parts)))
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
            self.notes.append(_GROUPS_NOT_SAMPLED.format(stride, pairs))
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


_SAMPLED = (
    "every {}th of the different persons, in an order of their values, was tried: all of them "
    "would take {:,} comparisons. The smallest group of the others may be smaller"
)
_NOT_EVERYBODY = (
    "nobody of the external table fits {:,} of {:,} records: it does not hold everybody, and the "
    "figures of classes, in which such records count as not found, may be greater with one that "
    "does"
)
_UNCOMPARED = (
    "{:,} of {:,} persons fit no record and cannot be compared, because they have NULL, or a value "
    "that the release could not name ({}): they may be in it under another value or spelling, and "
    "do not count as absent"
)
_NOT_SAMPLED = "of classes not computed: too many persons to count those of every class"
_OF_GROUPS = (
    "of classes not computed: rows are exact, so that a person who fits one is in the release"
)
_OF_SLICES = (
    "of records not computed: a row is put together of slices of several, so that persons are held "
    "against groups, slice by slice"
)
_PARTLY = "of classes not computed: it needs all quasi-identifiers of the persons"


class AgainstPersons:
    """The findings about persons, in one attack."""

    def __init__(self, target: Target, classes: InClasses) -> None:
        """Take down what is attacked.

        Args:
            target: the release.
            classes: what is found of every class by the persons is added here.
        """
        self._target, self._classes = target, classes
        self._session, self._findings = target.session, target.findings
        self._published, self._cells = target.published, target.cells

    def hold(self, view: AdversaryView, held: Against) -> int | None:
        """Hold tables against the release; returns how many persons were tried."""
        if not held.columns and self._published.groups is None:
            return None
        held = held.read(self._session)
        tuples, owner, shown = tuples_of(self._target, view)
        groups = None
        if self._published.groups is not None:
            groups = InGroups(self._target)
            groups.allowed(tuples, owner, shown)
        fitted = self._fitted(held, tuples, shown)
        persons = None
        if groups is not None and fitted:
            row = groups.match(tuples, owner, fitted, held)
            if held.external and self._published.slices:
                persons = int(row["persons"])
                self._findings.of_slices(row)
                self._findings.note("linking", _OF_SLICES)
                self._uncompared(row, fitted)
        if held.external and not self._published.slices:
            persons = self._link(view, Join(fitted, view, tuples, owner))
        if groups is not None and groups.notes:
            self._findings.note("membership", *groups.notes)
        return persons

    def _fitted(
        self, held: Against, tuples: Relation, shown: Mapping[str, Sequence[Sql]]
    ) -> tuple[Fitted, ...]:
        """The known values of persons, as codes; nothing where there is no table."""
        if held.columns is None or held.relation is None:
            return ()
        fitted, steps = [], []
        for number, cell in enumerate(self._cells, 1):
            column, of = held.columns[cell.name], shown[cell.name]
            one, made = fit(
                cell,
                number=number,
                column=column,
                shown=of,
                tuples=tuples,
                where=held.where,
                persons=held.relation,
            )
            one, again = by_label(cell, one, of[0], tuples)
            fitted.append(one)
            steps += [*made, *again]
        self._session.run(Plan(tuple(steps)))
        return tuple(fitted)

    def _link(self, view: AdversaryView, join: Join) -> int:
        """Link the persons; returns how many were tried."""
        self._session.run(Plan(tuple(join.steps)))
        (pairs,) = self._session.fetch(*join.effort, 1).rows[0]
        stride = -(-int(pairs) // MOST_COMPARED) or 1
        if stride > 1:
            self._findings.note("linking", _SAMPLED.format(stride, int(pairs)))
        self._session.run(Plan((join.linked(stride),)))
        (row,) = self._session.fetch(*join.figures, 1).dicts()
        self._findings.of_linking(row, view.sensitive)
        if self._target.keep is not None:
            output = self._target.keep.sibling("linked")
            self._session.run(
                Plan((join.persons(_free([cell.name for cell in self._cells]), output),))
            )
        self._members(join, stride)
        self._uncompared(row, join.fitted)
        return int(row["persons"])

    def _members(self, join: Join, stride: int) -> None:
        if self._published.groups is not None:
            self._findings.note("membership", _OF_GROUPS)
        elif len(self._cells) < len(self._published.cells):
            self._findings.note("membership", _PARTLY)
        elif stride > 1:
            self._findings.note("membership", _NOT_SAMPLED)
        else:
            step = join.covered()
            self._session.run(Plan((step,)))
            asked = {"covered": step.output}
            unfitted, records = map(
                int, self._session.fetch("attacks/unfitted", asked, {}, 1).rows[0]
            )
            if unfitted:
                self._findings.note("membership", _NOT_EVERYBODY.format(unfitted, records))
            self._classes.add("membership", None, step.output)

    def _uncompared(self, row: Mapping[str, object], fitted: Sequence[Fitted]) -> None:
        """Say of how many persons it cannot be said that they are not in the release."""
        if not row["unknown"]:
            return
        each = zip(self._cells, fitted, strict=True)
        counts = {cell.name: int(str(row[unknown_of(column.alias)])) for cell, column in each}
        of = ", ".join(f"{name}: {count:,}" for name, count in counts.items() if count)
        said = _UNCOMPARED.format(int(str(row["unknown"])), int(str(row["persons"])), of)
        self._findings.note("membership", said)


def _free(names: Sequence[str]) -> list[str]:
    """Names of quasi-identifiers that no column of a relation of persons has itself."""
    taken, free = {"persons", "matches", "behind"}, []
    for name in names:
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        free.append(name)
    return free
