"""Attacking a release: what a reader finds out, with and without a table of persons.

What is read is what was published, and nothing else: not the source, and no proof that a run kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager

from sqlanon.attacks import (
    MOST_COMPARED,
    Attack,
    Fitted,
    Join,
    homogeneity_step,
    minimality,
    similarity_step,
    skewness_step,
    unknown_of,
)
from sqlanon.attacks.against import Against, Given, against
from sqlanon.attacks.as_published import AsPublished, ShownCell
from sqlanon.attacks.external import fit, known_cells
from sqlanon.attacks.findings import Attacked, Findings
from sqlanon.attacks.in_groups import InGroups
from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, Problem, SpecError
from sqlanon.kept.ownership import ATTACKS, AttackOwnership
from sqlanon.measure import MEASURED, AdversaryView, Released, Tied, joined_view, table_view
from sqlanon.plan import Check, Materialization, Plan, Step, work
from sqlanon.publish.groups import COUNT, GROUP
from sqlanon.session import Listener, Session
from sqlanon.source.attributes import sensitive_attributes
from sqlanon.source.source import RECORDS, aliases
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_ATTACKED, _TUPLES = work("attacked"), work("published_tuples")
_NO_ORDER = "not computed of {}: it has neither groups of a hierarchy nor an order"
_NO_EXTERNAL = "not computed: it needs a table of persons (external)"
_NO_SENSITIVE = "not computed: the release has no sensitive attribute"
_NOT_KNOWN = (
    "nothing insensitive was taken as known of persons, and the release shows {}: name in on what "
    "is known, beside the quasi-identifiers"
)
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
_OF_GROUPS = "of classes not computed: rows are exact, so that whoever fits one is in the release"
_OF_SLICES = (
    "of records not computed: a row is put together of slices of several, so that persons are held "
    "against groups, slice by slice"
)
_SUPPRESSED = "in groups not computed: a suppressed cell may stand for any value"
_NOT_IN_GROUPS = (
    "it is held against groups alone (publish: sliced, anatomy or permuted): leave it out, or give "
    "it as the external table"
)
_PARTLY = "of classes not computed: it needs all quasi-identifiers of the persons"


def attack(
    found: AsPublished,
    engine: Engine,
    external: Given | None = None,
    source: Given | None = None,
    on: Sequence[str] | None = None,
    keep: Relation | None = None,
    listener: Listener | None = None,
) -> Attacked:
    """Attack a release.

    Args:
        found: the release, as its readers have it.
        engine: where it is.
        external: a table of persons whose quasi-identifiers are known.
        source: what the release was made of, for the publisher, who has it.
        on: the quasi-identifiers that are known of them, all by default; and insensitive columns,
            none by default.
        keep: the release beside which what was found of every class and person is kept.
        listener: is told of every step.

    Raises:
        SpecError: if the external table does not fit the release.
        InfeasibleError: if the release has no records.
        EngineError: if the database fails.
    """
    if on is not None and external is None and source is None:
        raise SpecError(Problem("on", "it says what an external table tells: give one (external)"))
    if source is not None and found.groups is None:
        raise SpecError(Problem("source", _NOT_IN_GROUPS))
    known = found.known_with(on or ())
    if keep is not None and known is not found:
        what = "who knows insensitive columns sees other classes than the release's: leave it out"
        raise SpecError(Problem("keep", what))
    cells = known_cells(known, on)
    if external is not None:
        _refuse_centroids(cells, known)
    attacking = _Attacking(known, engine, cells, keep)
    unknown = [one.name for one in found.comparable if one.name not in (on or ())]
    if external is not None and unknown:
        attacking.notes["linking"] = _NOT_KNOWN.format(", ".join(unknown))
    return attacking.run(external, source, listener)


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


class _Attacking:
    """One attack: the plan is made in stretches, because what was counted decides what follows."""

    def __init__(
        self,
        found: AsPublished,
        engine: Engine,
        cells: Sequence[ShownCell],
        keep: Relation | None,
    ) -> None:
        self.found, self.engine, self.cells = found, engine, cells
        self.keep = keep
        self.notes: dict[Attack, str] = {"minimality": minimality(found.method)}
        self.findings = Findings()
        self.rows: list[dict[str, object]] = []  # what is found of every class

    def run(
        self, external: Given | None, source: Given | None, listener: Listener | None
    ) -> Attacked:
        """Carry it out, in one transaction of which nothing stays but what is to be kept."""
        written = self._written(external is not None and not self.found.slices)
        owner = AttackOwnership(self.engine, written) if written else None
        if owner is not None:
            for relation in written:
                self.engine.place_new(relation)
            owner.older()
        session = Session(self.engine, listener, owner=owner, plans=4)
        persons = None
        held = against(external, source, self.cells, self.found.spec, self.engine)
        within: AbstractContextManager[None] = (
            session.transaction(keep=False) if owner is None else owner.transaction(session)
        )
        with within:
            view = self._view(session)
            self._inside(session, view)
            if external is None:
                self.notes["linking"] = _NO_EXTERNAL
                of = "" if self.found.groups is None else "of persons "
                self.notes["membership"] = f"{of}{_NO_EXTERNAL}"
            persons = self._hold(session, view, held)
            self._of_classes(session)
            session.drop_work()
        return Attacked(
            self.found.name,
            self.findings.in_order(list(self.found.spec.sensitive)),
            dict(self.notes),
            persons,
            tuple(written),
        )

    def _written(self, linked: bool) -> list[Relation]:
        if self.keep is None:
            return []
        return [self.keep.beside(name) for name in (ATTACKS if linked else ATTACKS[:1])]

    # --- what a reader sees -----------------------------------------------------------------------

    def _view(self, session: Session) -> AdversaryView:
        """Lay out what a reader can tie together."""
        found = self.found
        columns = {one.name: one for one in found.sensitive}
        short = aliases(found.spec)
        read = [
            {"name": name, "alias": Sql(short[name]), "kind": one.kind, "codes": (), "tie": None}
            for name, one in columns.items()
        ]
        steps: list[Step | Check] = []
        if columns:
            steps.append(
                Step(
                    "the sensitive values",
                    RECORDS,
                    "source/records",
                    {"source": found.values},
                    {"columns": read},
                    Materialization.WORK_VIEW,
                )
            )
        sensitive, made = sensitive_attributes(found.spec, columns, short)
        shown = [
            Released(Sql(f"p{place}"), one.name, one.kind)
            for place, one in enumerate(
                (column for cell in found.cells for column in cell.columns), 1
            )
        ]
        if found.groups is None:
            view = table_view(found.rows, shown, sensitive)
        else:
            weight = COUNT if found.groups.apart else None
            tied = Tied(found.rows, found.values, GROUP, weight)
            within = [one for one in shown if one.name in found.beside]
            view = joined_view(tied, shown, sensitive, within=within)
        # That no other record equals one is measured by the run, and needs no column but these.
        steps += [
            one
            for one in (*made, *view.steps)
            if isinstance(one, Check) or one.output != view.unique_records
        ]
        session.run(Plan(tuple(steps)))
        classes = self.engine.named(view.classes)
        counted = self.engine.ask(f"select count(*) from {classes}", 1, "counting the classes")
        if not counted.rows[0][0]:
            raise InfeasibleError(f"{found.name!r} has no records: there is nothing to attack")
        if not sensitive:
            for one in ("homogeneity", "skewness", "similarity"):
                self.notes[one] = _NO_SENSITIVE
        return view

    # --- within classes ---------------------------------------------------------------------------

    def _inside(self, session: Session, view: AdversaryView) -> None:
        unordered = []
        for one in view.sensitive:
            steps = [homogeneity_step(one, view), skewness_step(one, view)]
            similar = similarity_step(one, view)
            if similar is None:
                unordered.append(one.name)
            else:
                steps.append(similar)
            session.run(Plan(tuple(steps)))
            for attack, step in zip(("homogeneity", "skewness", "similarity"), steps, strict=False):
                self.rows.append({"attack": attack, "attribute": one.name, "relation": step.output})
        if unordered:
            self.notes["similarity"] = _NO_ORDER.format(", ".join(unordered))

    def _of_classes(self, session: Session) -> None:
        """Tell what was found of classes, and keep it if it is to be kept."""
        if not self.rows:
            return
        output, how = _ATTACKED, Materialization.WORK_TABLE
        if self.keep is not None:
            output, how = self.keep.beside("attacked"), Materialization.TABLE
        inputs = {f"found_{place}": one["relation"] for place, one in enumerate(self.rows, 1)}
        session.run(
            Plan(
                (
                    Step(
                        "what is found of every class",
                        output,
                        "attacks/attacked",
                        inputs,
                        {"attacks": self.rows},
                        how,
                    ),
                )
            )
        )
        found = session.fetch("attacks/exposed", {"attacked": output}, {}, len(self.rows))
        self.findings.of_classes(found.rows)

    # --- against persons --------------------------------------------------------------------------

    def _hold(self, session: Session, view: AdversaryView, held: Against) -> int | None:
        """Hold tables against the release; returns how many persons were tried."""
        if not held.columns and self.found.groups is None:
            return None
        held = held.read(session, self.engine)
        tuples, owner, shown = self._tuples(session, view)
        groups = None
        if self.found.groups is not None and not self.found.suppresses_cells:
            groups = InGroups(session, self.found, self.cells, self.findings)
            groups.allowed(tuples, owner, shown)
        fitted = self._fitted(session, held, tuples, shown)
        persons = None
        if groups is not None and fitted:
            row = groups.match(tuples, owner, fitted, held)
            if held.external and self.found.slices:
                persons = int(row["persons"])
                self.findings.of_slices(row)
                self.notes["linking"] = _OF_SLICES
                self._uncompared(row, fitted)
        if held.external and (not self.found.slices or self.found.suppresses_cells):
            persons = self._link(session, view, Join(fitted, view, tuples, owner))
        if groups is not None and groups.notes:
            self._note("membership", *groups.notes)
        if self.found.suppresses_cells:
            self._note("membership", _SUPPRESSED)
        return persons

    def _fitted(
        self,
        session: Session,
        held: Against,
        tuples: Relation,
        shown: Mapping[str, Sequence[Sql]],
    ) -> tuple[Fitted, ...]:
        """What is known of persons, as codes; nothing where there is no table."""
        if held.columns is None or held.relation is None:
            return ()
        fitted, steps = [], []
        for place, cell in enumerate(self.cells, 1):
            column, of = held.columns[cell.name], shown[cell.name]
            one, made = fit(cell, place, column, of, tuples, held.where, held.relation)
            fitted.append(one)
            steps += made
        session.run(Plan(tuple(steps)))
        return tuple(fitted)

    def _link(self, session: Session, view: AdversaryView, join: Join) -> int:
        """Link the persons; returns how many were tried."""
        session.run(Plan(tuple(join.steps)))
        (pairs,) = session.fetch(*join.effort, 1).rows[0]
        stride = -(-int(pairs) // MOST_COMPARED) or 1
        if stride > 1:
            self._note("linking", _SAMPLED.format(stride, int(pairs)))
        session.run(Plan((join.linked(stride),)))
        (row,) = session.fetch(*join.figures, 1).dicts()
        self.findings.of_linking(row, view.sensitive)
        if self.keep is not None:
            output = self.keep.beside("linked")
            session.run(Plan((join.persons(_free([one.name for one in self.cells]), output),)))
        self._members(session, join, stride)
        self._uncompared(row, join.fitted)
        return int(row["persons"])

    def _tuples(
        self, session: Session, view: AdversaryView
    ) -> tuple[Relation, Sql, dict[str, list[Sql]]]:
        """The published tuples, the column that names their class, and what shows each cell."""
        shown: dict[str, list[Sql]] = {}
        for cell in self.found.cells:
            taken = sum(map(len, shown.values()))
            shown[cell.name] = [Sql(f"p{taken + n}") for n, _ in enumerate(cell.columns, 1)]
        if view.tuples is None:
            return view.classes, Sql("class_id"), shown
        known = [column for cell in self.cells for column in shown[cell.name]]
        step = Step(
            "the rows of every group that look alike",
            _TUPLES,
            "measure/classes",
            {"measured": MEASURED},
            {"published": (Sql("p0"), *known)},
        )
        session.run(Plan((step,)))
        return _TUPLES, Sql("p0"), shown

    def _members(self, session: Session, join: Join, stride: int) -> None:
        if self.found.suppresses_cells:
            return  # said already
        if self.found.groups is not None:
            self._note("membership", _OF_GROUPS)
        elif len(self.cells) < len(self.found.cells):
            self._note("membership", _PARTLY)
        elif stride > 1:
            self._note("membership", _NOT_SAMPLED)
        else:
            step = join.covered()
            session.run(Plan((step,)))
            asked = {"covered": step.output}
            unfitted, records = map(int, session.fetch("attacks/unfitted", asked, {}, 1).rows[0])
            if unfitted:
                self._note("membership", _NOT_EVERYBODY.format(unfitted, records))
            self.rows.append({"attack": "membership", "attribute": None, "relation": step.output})

    def _uncompared(self, row: Mapping[str, object], fitted: Sequence[Fitted]) -> None:
        """Say of how many persons it cannot be said that they are not in the release."""
        if not row["unknown"]:
            return
        each = zip(self.cells, fitted, strict=True)
        counts = {cell.name: int(str(row[unknown_of(one.alias)])) for cell, one in each}
        of = ", ".join(f"{name}: {count:,}" for name, count in counts.items() if count)
        said = _UNCOMPARED.format(int(str(row["unknown"])), int(str(row["persons"])), of)
        self._note("membership", said)

    def _note(self, attack: Attack, *said: str) -> None:
        """Add to what is said of an attack."""
        notes = [self.notes[attack]] if attack in self.notes else []
        self.notes[attack] = "; ".join([*notes, *said])


def _free(names: Sequence[str]) -> list[str]:
    """Names of quasi-identifiers beside the columns that a relation of persons has itself."""
    taken, free = {"persons", "matches", "behind"}, []
    for name in names:
        while name.lower() in taken:
            name += "_"
        taken.add(name.lower())
        free.append(name)
    return free
