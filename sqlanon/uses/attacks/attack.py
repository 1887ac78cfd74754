"""Attacking a release: what a reader finds out, with and without a table of persons.

An attack reads the published tables and nothing else: not the source, and no proof that a run kept.
Background knowledge of persons is a table, which is held against them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.measure.view import AdversaryView
from sqlanon.plan import Check, Materialization, Plan, Step
from sqlanon.record.ownership import ATTACKS, AttackOwnership
from sqlanon.session import Listener, Session
from sqlanon.source.source import as_read, inspect_source
from sqlanon.spec import NUMBERS, Column, comparable
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.attacks.against import Given, against, alias, known_cells, known_columns
from sqlanon.uses.attacks.as_published import AsPublished, ShownCell, Target, tuples_of, view_of
from sqlanon.uses.attacks.beliefs import TOLD, Told
from sqlanon.uses.attacks.findings import Attacked, Findings
from sqlanon.uses.attacks.fitting import fit
from sqlanon.uses.attacks.in_classes import InClasses, minimality
from sqlanon.uses.attacks.persons import AgainstPersons

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
        (attribute,) = (
            sensitive_attribute
            for sensitive_attribute in view.sensitive
            if sensitive_attribute.name == self.attribute
        )
        steps: list[Step | Check] = [self.reading]
        fitted = []
        for number, cell in enumerate(self.cells, _first(target.published)):
            one, made = fit(
                cell,
                number=number,
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
    names = {column.name: column for column in there}
    cells = [cell for cell in found.cells if cell.name in names]
    sensitive = [column for column in found.sensitive if column.name in names]
    if not cells or len(sensitive) != 1 or PROBABILITY not in names:
        what = _COLUMNS.format(
            cells=", ".join(cell.name for cell in found.cells),
            sensitive=", ".join(column.name for column in found.sensitive)
            or "the release has none",
            probability=PROBABILITY,
        )
        raise SpecError(Problem(_WHERE, what))
    (value,) = sensitive
    problems = [
        Problem(
            _WHERE,
            f"{cell.name!r} is published as its class's {cell.form}, which does not say whose it "
            "may be: leave the column out",
        )
        for cell in cells
        if not cell.covers
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
    read = [{**entry, "alias": alias(number)} for number, entry in enumerate(read, first)]
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


_NO_EXTERNAL = "not computed: it needs a table of persons (external)"
_NOT_KNOWN = (
    "nothing insensitive was taken as known of persons, and the release shows {}: name in on what "
    "is known, with the quasi-identifiers"
)
_NOT_IN_GROUPS = (
    "it is held against groups alone (publish: sliced, anatomy or permuted): leave it out, or give "
    "it as the external table"
)


_OTHER_CLASSES = (
    "a reader who knows more than quasi-identifiers sees other classes than the release's: leave "
    "it out"
)


def attack(
    found: AsPublished,
    engine: Engine,
    external: Given | None = None,
    source: Given | None = None,
    background: Given | None = None,
    on: Sequence[str] | None = None,
    keep: Relation | None = None,
    listener: Listener | None = None,
) -> Attacked:
    """Attack a release.

    Args:
        found: the release, as its readers have it.
        engine: where it is.
        external: a table of persons whose quasi-identifiers are known.
        source: the table that the release was made of, which the publisher has.
        background: what is known beforehand of persons: quasi-identifiers, each value of a
            sensitive attribute, and its probability.
        on: the quasi-identifiers that are known of them, all by default; and insensitive columns,
            none by default. Of slices held against their source alone also sensitive columns,
            whose values are then part of the tuples that are counted.
        keep: the release with which the findings about every class and person are kept.
        listener: hears of every step.

    Raises:
        SpecError: if a table that is given does not fit the release.
        InfeasibleError: if the release has no records.
    """
    if on is not None and external is None and source is None:
        raise SpecError(Problem("on", "it says what an external table tells: give one (external)"))
    if source is not None and found.groups is None:
        raise SpecError(Problem("source", _NOT_IN_GROUPS))
    known = found.known_with(on or (), values=external is None)
    if keep is not None and known is not found:
        raise SpecError(Problem("keep", _OTHER_CLASSES))
    cells = known_cells(known, on)
    if external is not None:
        _refuse_centroids(cells, known)
    findings = Findings()
    findings.note("minimality", minimality(known.method))
    unknown = [column.name for column in found.comparable if column.name not in (on or ())]
    if external is not None and unknown:
        findings.note("linking", _NOT_KNOWN.format(", ".join(unknown)))
    told = None if background is None else read_background(background, found, engine)
    held = against(external, source, cells, known.spec, engine)
    written = _written(keep, external is not None and not known.slices)
    owner = _owner(written, engine)
    session = Session(engine, listener, owner=owner, plans=5)
    # Nothing stays but what is to be kept.
    within: AbstractContextManager[None] = (
        session.transaction(keep=False) if owner is None else owner.transaction(session)
    )
    with within:
        remarks: tuple[str, ...] = ()
        if known.suppressed is not None:
            rows = known.suppressed.counted(session)
            remarks = rows.remarks(bool(known.sensitive))
            if rows.marks:
                session.run(Plan((rows.leaving_out,)))
        target = Target(session, known, cells, findings, keep)
        view = view_of(target)
        classes = InClasses(target)
        classes.look(view)
        if told is not None:
            told.hold(target, view)
        if external is None:
            findings.note("linking", _NO_EXTERNAL)
            of = "" if known.groups is None else "of persons "
            findings.note("membership", f"{of}{_NO_EXTERNAL}")
        tried = AgainstPersons(target, classes).hold(view, held)
        classes.tell()
        session.drop_work()
    return Attacked(
        release=known.name,
        findings=findings.in_order(list(known.spec.sensitive)),
        notes=findings.notes,
        persons=tried,
        relations=tuple(written),
        remarks=remarks,
    )


def _owner(written: Sequence[Relation], engine: Engine) -> AttackOwnership | None:
    """Who owns the relations that are kept, if any are: their places are free, or are ours."""
    if not written:
        return None
    owner = AttackOwnership(engine, written)
    for relation in written:
        engine.qualified_new(relation)
    owner.older()
    return owner


def _written(keep: Relation | None, linked: bool) -> list[Relation]:
    """The relations that an attack keeps next to a release."""
    if keep is None:
        return []
    return [keep.sibling(name) for name in (ATTACKS if linked else ATTACKS[:1])]


def _refuse_centroids(cells: Sequence[ShownCell], found: AsPublished) -> None:
    """Refuse to link by centroids, which leave nobody out.

    Raises:
        SpecError: with every such column that is known.
    """
    rest = ", ".join(cell.name for cell in found.cells if cell.covers)
    cure = (
        f"link by the others (on: {rest})" if rest else "and so does every other quasi-identifier"
    )
    problems = [
        Problem(
            "on",
            f"{cell.name!r} is published as its class's {cell.form}, which does not say whose it "
            f"may be: it leaves nobody out; {cure}",
        )
        for cell in cells
        if not cell.covers
    ]
    if problems:
        raise SpecError(problems)
