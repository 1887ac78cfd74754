"""A release held against persons: which records they fit, and which persons are surely in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlanon.attacks.against import Against
from sqlanon.attacks.fitting import by_label, fit
from sqlanon.attacks.in_classes import InClasses
from sqlanon.attacks.in_groups import InGroups
from sqlanon.attacks.linking import MOST_COMPARED, Join
from sqlanon.attacks.points import Fitted, unknown_of
from sqlanon.attacks.seen import Target, tuples_of
from sqlanon.measure.view import AdversaryView
from sqlanon.plan import Plan
from sqlanon.sql.names import Relation, Sql

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
        self,
        held: Against,
        tuples: Relation,
        shown: Mapping[str, Sequence[Sql]],
    ) -> tuple[Fitted, ...]:
        """The known values of persons, as codes; nothing where there is no table."""
        if held.columns is None or held.relation is None:
            return ()
        fitted, steps = [], []
        for place, cell in enumerate(self._cells, 1):
            column, of = held.columns[cell.name], shown[cell.name]
            one, made = fit(
                cell,
                place=place,
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
            output = self._target.keep.beside("linked")
            self._session.run(
                Plan((join.persons(_free([one.name for one in self._cells]), output),))
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
        counts = {cell.name: int(str(row[unknown_of(one.alias)])) for cell, one in each}
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
