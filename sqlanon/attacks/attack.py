"""Attacking a release: what a reader finds out, with and without a table of persons.

An attack reads the published tables and nothing else: not the source, and no proof that a run kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager

from sqlanon.attacks.against import Given, against, known_cells
from sqlanon.attacks.as_published import AsPublished, ShownCell, Target, view_of
from sqlanon.attacks.background import read_background
from sqlanon.attacks.findings import Attacked, Findings
from sqlanon.attacks.in_classes import InClasses, minimality
from sqlanon.attacks.persons import AgainstPersons
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.kept.ownership import ATTACKS, AttackOwnership
from sqlanon.plan import Plan
from sqlanon.session import Listener, Session
from sqlanon.sql.names import Relation

_NO_EXTERNAL = "not computed: it needs a table of persons (external)"
_NOT_KNOWN = (
    "nothing insensitive was taken as known of persons, and the release shows {}: name in on what "
    "is known, with the quasi-identifiers"
)
_NOT_IN_GROUPS = (
    "it is held against groups alone (publish: sliced, anatomy or permuted): leave it out, or give "
    "it as the external table"
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
        what = (
            "a reader who knows more than quasi-identifiers sees other classes than the release's: "
            "leave it out"
        )
        raise SpecError(Problem("keep", what))
    cells = known_cells(known, on)
    if external is not None:
        _refuse_centroids(cells, known)
    findings = Findings()
    findings.note("minimality", minimality(known.method))
    unknown = [one.name for one in found.comparable if one.name not in (on or ())]
    if external is not None and unknown:
        findings.note("linking", _NOT_KNOWN.format(", ".join(unknown)))
    told = None if background is None else read_background(background, found, engine)
    held = against(external, source, cells, known.spec, engine)
    written = _written(keep, external is not None and not known.slices)
    owner = AttackOwnership(engine, written) if written else None
    if owner is not None:
        for relation in written:
            engine.place_new(relation)
        owner.older()
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


def _written(keep: Relation | None, linked: bool) -> list[Relation]:
    """The relations that an attack keeps next to a release."""
    if keep is None:
        return []
    return [keep.beside(name) for name in (ATTACKS if linked else ATTACKS[:1])]


def _refuse_centroids(cells: Sequence[ShownCell], found: AsPublished) -> None:
    """Refuse to link by centroids, which leave nobody out.

    Raises:
        SpecError: with every such column that is known.
    """
    rest = ", ".join(one.name for one in found.cells if one.covers)
    cure = (
        f"link by the others (on: {rest})" if rest else "and so does every other quasi-identifier"
    )
    problems = [
        Problem(
            "on",
            f"{one.name!r} is published as its class's {one.form}, which does not say whose it may "
            f"be: it leaves nobody out; {cure}",
        )
        for one in cells
        if not one.covers
    ]
    if problems:
        raise SpecError(problems)
