"""A draft: one frozen record that every stage of a plan takes and gives amended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from sqlanon.clauses import declared, stages
from sqlanon.clauses.clause import Clause
from sqlanon.domains.attribute import HiddenAttribute, QuasiAttribute, SensitiveAttribute, Unit
from sqlanon.engines import Engine
from sqlanon.measure.asked import Asked, asked_models
from sqlanon.measure.cover import Projected, asked_of_projections, linkage_steps
from sqlanon.measure.insensitive import SHARES, Released, share_steps
from sqlanon.measure.metrics import METRIC_OF
from sqlanon.measure.metrics.cells import LINKAGES
from sqlanon.measure.metrics.changes import EPSILONS, SAMPLING
from sqlanon.measure.metrics.sizes import FORMED
from sqlanon.measure.plan import ToMeasure
from sqlanon.measure.view import AdversaryView
from sqlanon.methods.method import Forming, Grouping, Task
from sqlanon.pages.figures import Figure
from sqlanon.plan import Check, Phase, Plan, Search, Step, work
from sqlanon.publish.publication import Publication
from sqlanon.record.metrics import Metric
from sqlanon.record.ownership import reserved
from sqlanon.session import Session
from sqlanon.source.attributes import (
    compared,
    quasi_attributes,
    released_as_they_are,
    sensitive_attributes,
)
from sqlanon.source.keys import PROVED, read_by_keys, undrawn
from sqlanon.source.source import RECORD_UNIT, OtherTable, aliases, records_step
from sqlanon.spec import Column, Spec, shown_columns
from sqlanon.sql.names import Relation, Sql

CODED = work("coded")


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A plan that is being laid out, as far as it is known.

    A run, a trial, a script, dbt and a check lay out drafts of the same kind. A stage amends it by
    `replace` and by `adding`, and no stage takes anything back.

    Attributes:
        spec: what is declared, with every distance filled in.
        engine: where the source lies.
        source: its FROM item.
        read: its declared columns, by name.
        release: the relation to make; None where nothing is published.
        table: the released table that is checked, where one is.
        full: whether everything is measured that a run measures, asked for or not.
        steps: the steps of each phase.
        others: by alias of a quasi-identifier, a relation whose values its domain has as well.
        tables: those that clauses read besides the source.
        people: how many have each tuple of codes, in the release or not, where a clause reads
            them.
        quasi_identifiers: with their domains.
        sensitive: with their domains.
        insensitive: the columns that are released as they are.
        hidden: what records have and no release shows; the codes of it are in ``coded``.
        shares: the steps that find what insensitive columns say of single records.
        coded: the records with integer codes.
        codes: the columns of ``coded`` that hold codes.
        carried: its other columns.
        task: what the method is given.
        classes: the classes that were formed.
        publication: what is published of them.
        kept: the columns of relations that clauses keep for the publisher and that a run hashes.
        known: what stages of a clause have to tell later ones of it, by the name of its folder.
    """

    spec: Spec
    engine: Engine
    source: Relation | Sql
    read: Mapping[str, Column]
    release: Relation | None = None
    table: Relation | Sql | None = None
    full: bool = True
    steps: Mapping[Phase, tuple[Step | Check | Search, ...]] = field(default_factory=dict)
    others: Mapping[str, Relation] = field(default_factory=dict)
    tables: tuple[OtherTable, ...] = ()
    people: Relation | None = None
    quasi_identifiers: tuple[QuasiAttribute, ...] = ()
    sensitive: tuple[SensitiveAttribute, ...] = ()
    insensitive: tuple[Released, ...] = ()
    hidden: tuple[HiddenAttribute, ...] = ()
    shares: tuple[Step | Check, ...] = ()
    coded: Relation = CODED
    codes: tuple[Sql, ...] = ()
    carried: tuple[Sql, ...] = ()
    task: Task | None = None
    classes: Grouping | None = None
    publication: Publication | None = None
    kept: Mapping[Relation, tuple[str, ...]] = field(default_factory=dict)
    known: Mapping[str, Any] = field(default_factory=dict)

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        """The source's columns as a clause that changes values leaves them."""
        return shown_columns(self.spec, self.read)

    @cached_property
    def short(self) -> Mapping[str, str]:
        """The alias of every column that is read."""
        return aliases(self.spec)

    @cached_property
    def unit(self) -> Unit:
        """The unit that a class counts."""
        found = (stages.unit(self) for stages in stages_of(self.spec))
        return next((one for one in found if one is not None), RECORD_UNIT)

    @cached_property
    def written(self) -> tuple[Relation, ...]:
        """The relations that a run may write, the release first; none if nothing is published."""
        return () if self.release is None else tuple(reserved(self.release))

    @cached_property
    def projected(self) -> tuple[Projected, ...]:
        """The demands on the tuples of some of the quasi-identifiers."""
        return asked_of_projections(self.spec)

    @property
    def models(self) -> tuple[Asked, ...]:
        """The models that are asked of its attributes, once they are known."""
        return tuple(asked_models(self.spec.privacy, [*self.sensitive, *self.hidden]))

    @property
    def to_measure(self) -> ToMeasure:
        """The measurements to make of what a reader can tie together."""
        sampled = self.spec.privacy.differential is not None
        promised = (*_promised(self.spec), *(EPSILONS if self.spec.epsilons else ()))
        return ToMeasure(
            privacy=self.spec.privacy,
            projected=self.projected,
            metrics=self.spec.metrics,
            full=self.full,
            shares=SHARES if self.shares else None,
            changes=next(
                (stages.changes for stages in stages_of(self.spec) if stages.changes), None
            ),
            proved=PROVED if sampled else None,
            promised=tuple(one.name for one in promised),
            compared=None
            if self.spec.counts
            else compared(self.spec, self.unit.once, self.insensitive),
            release=self.release,
        )

    def adding(self, phase: Phase, *steps: Step | Check | Search) -> Draft:
        """The draft with further steps at the end of a phase."""
        there = self.steps.get(phase, ())
        return replace(self, steps={**self.steps, phase: (*there, *steps)})

    def reading_records(self, once: bool) -> Draft:
        """The draft with the steps that read the source's records, which come first of all.

        Args:
            once: whether they are read once, because what follows may begin again.
        """
        spec, read, short = self.spec, self.read, self.short
        records = records_step(self.source, spec, read, short, self.engine, once)
        first = list(read_by_keys(spec, short, records))
        for clause in stages_of(spec):
            first += clause.change(self, records)
        there = self.steps.get(Phase.READING, ())
        return replace(self, steps={**self.steps, Phase.READING: (*first, *there)})


def _promised(spec: Spec) -> tuple[Figure, ...]:
    """The figures of (ε, δ) that a spec asks for: of sampling, and of a choice, only with it."""
    asked = spec.privacy.differential
    if asked is None:
        return ()
    return SAMPLING[: 2 if spec.counts else 4 if asked.choose else 3]


Stage = Callable[[Draft], Draft]
Facts = list[tuple[str, str]]
Settle = Callable[[Spec, Plan, Session], tuple[Spec, Facts]]


def _unchanged(draft: Draft) -> Draft:
    return draft


def _nothing(draft: Draft, view: AdversaryView) -> tuple[Step | Check, ...]:
    return ()


@dataclass(frozen=True)
class Told:
    """The words and figures of a clause on a release that was made.

    Attributes:
        facts: the items that the run relation has of it.
        metrics: what it measured in a relation of its own.
        title: of these, for people.
        sentences: what people are to know of them.
        kept: what it keeps for the publisher, in sentences.
    """

    facts: tuple[tuple[str, str], ...] = ()
    metrics: tuple[Metric, ...] = ()
    title: str = ""
    sentences: tuple[str, ...] = ()
    kept: str = ""


@dataclass(frozen=True)
class Stages:
    """The changes that a clause makes to a plan. The core judges, and no clause in its place.

    Attributes:
        change: from what was read of the source to its records, where it changes their values. It
            is given the step that reads them.
        changes: the relation of the metrics of what that changes.
        unit: what a class counts; None of a clause that leaves it at records.
        fill: what an earlier release says of a spec: the spec with it, before its source is read.
        read: before the attributes are known, what it reads of other tables than the source.
        look: once the attributes are known.
        code: once the records are coded, and the method has its task.
        form: once the classes are formed.
        measure: once they are published, the steps that measure the clause's own metrics, or count
            `Draft.people` for its models, of what a reader can tie together. It changes nothing
            else that is measured. A check takes ``read``, ``look`` and ``measure``, of a table
            whose view has nothing that is hidden.
        forming: how classes are formed in place of the method's own way; None where they are not.
        gate: steps after the core's gate, which can refuse more than that and nothing less.
        settle: what the spec leaves to the data (`Clause.settles`): the spec with it, and the facts
            that the run keeps of it. It is given the steps of the plan up to the one that codes the
            records, and a session to carry them out.
        turns: the names under which runs do what they do one after the other, of what is
            ``known``; a run has them until it has published.
        still: refuses a run where others published meanwhile what the plan should have known.
        told: what is to be said of the release, once its steps have run, by what is ``known``.
    """

    change: Callable[[Draft, Step], Iterable[Step | Check]] = lambda draft, reading: ()
    changes: Relation | None = None
    unit: Callable[[Draft], Unit | None] = lambda draft: None
    fill: Callable[[Spec, Engine], Spec] = lambda spec, engine: spec
    read: Stage = _unchanged
    look: Stage = _unchanged
    code: Stage = _unchanged
    form: Stage = _unchanged
    measure: Callable[[Draft, AdversaryView], Sequence[Step | Check]] = _nothing
    forming: Callable[[Draft], Forming | None] = lambda draft: None
    gate: Callable[[Draft], Sequence[Step | Check]] = lambda draft: ()
    settle: Settle = lambda spec, coded, session: (spec, [])
    turns: Callable[[Any, Relation, Engine], Sequence[str]] = lambda known, release, engine: ()
    still: Callable[[Any, Relation, Engine], None] = lambda known, release, engine: None
    told: Callable[[Any, Relation, Engine], Told] = lambda known, release, engine: Told()


def filled(spec: Spec, engine: Engine) -> Spec:
    """The spec with what its clauses take from earlier releases.

    Raises:
        SpecError: if one is not there, or the spec does not go with it.
    """
    for clause in stages_of(spec):
        spec = clause.fill(spec, engine)
    return spec


def looked(draft: Draft, by_spec: bool = True) -> Draft:
    """The attributes are known with their domains, and what insensitive columns give away.

    Args:
        draft: the draft.
        by_spec: whether the quasi-identifiers are those of the spec, and not cells that nobody
            can read.
    """
    spec, columns, short = draft.spec, draft.columns, draft.short
    unit = draft.unit
    if by_spec:
        quasi_identifiers, steps = quasi_attributes(spec, columns, short, others=draft.others)
        draft = draft.adding(Phase.LOOKING, *steps)
        draft = replace(draft, quasi_identifiers=tuple(quasi_identifiers))
    sensitive, steps = sensitive_attributes(spec, columns, short, unit)
    insensitive = tuple(released_as_they_are(spec, columns, short))
    draft = draft.adding(Phase.LOOKING, *steps)
    draft = replace(draft, sensitive=tuple(sensitive), insensitive=insensitive)
    if insensitive or sensitive:
        limited = undrawn(spec, insensitive)
        read = [
            column.alias
            for some in (draft.quasi_identifiers, limited, sensitive)
            for column in some
        ]
        read += [column.alias for column in insensitive]
        once = unit.taken(list(dict.fromkeys(read)))
        draft = draft.adding(Phase.LOOKING, *([] if once is None else [once]))
    return _shared(draft)


def _shared(draft: Draft) -> Draft:
    """The draft with steps that find what its insensitive columns say of single records."""
    spec, unit = draft.spec, draft.unit
    attributes: Sequence[QuasiAttribute | SensitiveAttribute]
    attributes = [*draft.quasi_identifiers, *(draft.sensitive if spec.shows_exact else ())]
    if not draft.insensitive or not attributes:
        return draft
    if unit.number is not None:
        attributes, made = quasi_attributes(spec, draft.columns, draft.short, unit.once, "one_")
        draft = draft.adding(Phase.LOOKING, *made)
    limited, k = undrawn(spec, draft.insensitive), spec.privacy.k
    return with_shares(draft, *share_steps(limited, attributes, unit.once, k))


def with_shares(draft: Draft, *steps: Step | Check) -> Draft:
    """The draft with steps that find, or limit, what insensitive columns say."""
    shared = replace(draft, shares=(*draft.shares, *steps))
    return shared.adding(Phase.LOOKING, *steps)


def viewed(draft: Draft, view: AdversaryView, clauses: Iterable[Stages]) -> AdversaryView:
    """A view with the steps by which clauses measure it, which change nothing else of it."""
    for clause in clauses:
        view = view.measuring(*clause.measure(draft, view))
    return view


def asked_of_classes(draft: Draft, view: AdversaryView) -> AdversaryView:
    """A view with what the spec asks of the formed classes, which published cells do not tell."""
    asked = {METRIC_OF[name].measured for name in draft.spec.metrics}
    if draft.classes is None:
        return view
    assigned, steps = draft.classes.assigned, list[Step]()
    if LINKAGES[0].measured in asked and view.priced:
        steps += linkage_steps(view.priced, view.classes, assigned, draft.coded)
    if FORMED[0].measured in asked:
        title, made = "how large the classes are as formed", {"assigned": assigned}
        steps.append(Step(title, work("formed_sizes"), FORMED[0].measured, made))
    there = {step.output for step in view.steps if isinstance(step, Step)}
    return view.measuring(*(step for step in steps if step.output not in there))


def stages_of(spec: Spec) -> list[Stages]:
    """The stages of a spec's clauses, in their order; the code of no other clause is loaded."""
    return [stages(name) for name, own in declared().items() if _asked(own, spec)]


def _asked(clauses: Iterable[Clause], spec: Spec) -> bool:
    return any(where for clause in clauses for where in clause.asked(spec))
