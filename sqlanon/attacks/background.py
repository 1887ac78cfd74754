"""The background knowledge attack: a table of what is known of persons, held against a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlanon.attacks.against import Given, alias, known_columns
from sqlanon.attacks.as_published import AsPublished, ShownCell, Target, tuples_of
from sqlanon.attacks.beliefs import TOLD, Told
from sqlanon.attacks.fitting import fit
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.measure.view import AdversaryView
from sqlanon.plan import Check, Materialization, Plan, Step
from sqlanon.source.source import as_read, inspect_source
from sqlanon.spec import NUMBERS, Column, comparable
from sqlanon.sql.names import Sql

PROBABILITY = "probability"  # the column of P(v | u)
_WHERE = "background"
_COLUMNS = (
    "it needs a column for quasi-identifiers by which something is known ({cells}), one for one "
    "sensitive attribute ({sensitive}), and {probability}: a row for each of their combinations"
)
_OF_SLICES = (
    "a row is put together of slices of several, so that a person is in no single one: leave it out"
)
_NOT_FITTING = "{:,} of the {:,} tuples that the background tells of fit no record"
_REFUTED = (
    "of {:,} tuples the release has only values that the background says to be impossible: they do "
    "not count"
)


@dataclass(frozen=True)
class Background:
    """A table of what is known beforehand, as it is read.

    Attributes:
        attribute: the sensitive attribute that it tells of.
        cells: the quasi-identifiers by which it does.
        columns: its columns of these, by name.
        reading: the step that reads it.
    """

    attribute: str
    cells: Sequence[ShownCell]
    columns: Mapping[str, Column]
    reading: Step

    def hold(self, target: Target, view: AdversaryView) -> None:
        """Hold it against the release, and take down what is found."""
        session, findings = target.session, target.findings
        tuples, owner, shown = tuples_of(target, view)
        (attribute,) = (one for one in view.sensitive if one.name == self.attribute)
        steps: list[Step | Check] = [self.reading]
        fitted = []
        for place, cell in enumerate(self.cells, _first(target.published)):
            one, made = fit(
                cell,
                place=place,
                column=self.columns[cell.name],
                shown=shown[cell.name],
                tuples=tuples,
                where=_WHERE,
                persons=TOLD,
            )
            fitted.append(one)
            steps += made
        told = Told(attribute, fitted, view, tuples, owner)
        session.run(Plan((*steps, *told.steps)))
        (row,) = session.fetch(*told.totals, 1).dicts()
        for figure in ("prior", "belief", "omega", "gain"):
            value = row[figure]
            known = None if value is None else float(value)
            findings.tell(f"known_{figure}", attribute.name, known)
        tuples_told, fitting, refuted = (
            int(row[name]) for name in ("tuples", "fitting", "refuted")
        )
        if fitting < tuples_told:
            findings.note("background", _NOT_FITTING.format(tuples_told - fitting, tuples_told))
        if refuted:
            findings.note("background", _REFUTED.format(refuted))


def read_background(given: Given, found: AsPublished, engine: Engine) -> Background:
    """The background of persons: a table under the names of the release's columns.

    Raises:
        SpecError: if it cannot be read, or is of no quasi-identifier or of no one sensitive
            attribute, or has a column whose values cannot be compared.
    """
    if found.slices:
        raise SpecError(Problem(_WHERE, _OF_SLICES))
    _, there = inspect_source(given.source, engine, _WHERE, given.item)
    names = {one.name: one for one in there}
    cells = [one for one in found.cells if one.name in names]
    sensitive = [one for one in found.sensitive if one.name in names]
    if not cells or len(sensitive) != 1 or PROBABILITY not in names:
        what = _COLUMNS.format(
            cells=", ".join(one.name for one in found.cells),
            sensitive=", ".join(one.name for one in found.sensitive) or "the release has none",
            probability=PROBABILITY,
        )
        raise SpecError(Problem(_WHERE, what))
    (value,) = sensitive
    problems = [
        Problem(
            _WHERE,
            f"{one.name!r} is published as its class's {one.form}, which does not say whose it may "
            "be: leave the column out",
        )
        for one in cells
        if not one.covers
    ]
    if not comparable(names[value.name].kind, value.kind):
        what = (
            f"its column {value.name!r} is {names[value.name].shown_type}, and the release's is "
            f"{value.shown_type}: cast it in a query"
        )
        problems.append(Problem(_WHERE, what))
    if names[PROBABILITY].kind not in NUMBERS:
        what = f"its column {PROBABILITY!r} is {names[PROBABILITY].shown_type}, and must be numbers"
        problems.append(Problem(_WHERE, what))
    if problems:
        raise SpecError(problems)
    item, columns, read = known_columns(
        given.source, cells=cells, spec=found.spec, engine=engine, item=given.item, where=_WHERE
    )
    first = _first(found)
    read = [{**one, "alias": alias(place)} for place, one in enumerate(read, first)]
    try:
        read.append(as_read(found.spec, names[value.name], Sql("s1")))
    except ValueError as error:  # codes of another type
        raise SpecError(Problem(_WHERE, f"missing: {error}")) from None
    read.append(as_read(found.spec, names[PROBABILITY], Sql("x1")))
    return Background(
        attribute=value.name,
        cells=cells,
        columns=columns,
        reading=Step(
            "reading the background",
            TOLD,
            "source/records",
            {"source": item},
            {"columns": read},
            Materialization.WORK_TABLE,
        ),
    )


def _first(found: AsPublished) -> int:
    """The place of its first quasi-identifier: after those by which persons are known."""
    return len(found.cells) + 1
