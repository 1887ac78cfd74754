"""Planning a release: the whole way from the source to the gate, as frozen steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlanon.clauses.clause import Use
from sqlanon.draft import (
    Draft,
    Stages,
    asked_of_classes,
    filled,
    looked,
    stages_of,
    viewed,
    with_shares,
)
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.judge.judge import enough_records, enough_that_share, judge, limits
from sqlanon.measure.insensitive import SHARES
from sqlanon.measure.metrics.cells import LINKAGES
from sqlanon.measure.plan import MeasurementPlan
from sqlanon.methods.method import Forming, Grouping, Task
from sqlanon.pages.page import table
from sqlanon.plan import FOUND, Check, Materialization, Phase, Plan, Step, work
from sqlanon.planning.assign import formed, tasked
from sqlanon.publish import publisher_of
from sqlanon.publish.publication import Grouped, LeftOut, Publication
from sqlanon.record.ownership import NODES, Ownership, kept_names, reserved, written
from sqlanon.record.spent import Spent, spent_before
from sqlanon.session import Session
from sqlanon.source.keys import identifier_steps, key_checks, misfits, pads_of, pseudonym_columns
from sqlanon.source.source import (
    COUNTING,
    RECORDS,
    SIZE,
    OtherTable,
    check_not_read,
    check_not_source,
    table_named,
)
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import Spec, with_distances
from sqlanon.spec.clauses import left_open
from sqlanon.spec.foreign import is_file_name
from sqlanon.spec.levels import levels_are_fixed
from sqlanon.spec.publication import least_class
from sqlanon.spec.refusals import refuse
from sqlanon.sql.names import Relation, Sql

_RELEASED = ("quasi_identifiers", "sensitive", "insensitive")
OF_MAPS = tuple(figure.name for figure in LINKAGES)  # the asked metrics that a trial measures too
_NO_FILE = (
    "is named like a file, and a release is a table of the database: name it like one; then "
    "write it to a file with sqlanon run --output FILE"
)


_FOREIGN = (
    "it would stand in an attached database of the kind {kind}, in which a run cannot publish all "
    "of it or nothing and keep the proof from readers: {cure}"
)
_COPY = "publish it in a DuckDB database, and copy from there, as by create table … as from {name}"
_FOREIGN_VIEW = (
    "a view of the release cannot be published in an attached database of the kind {kind}: leave "
    "it out, for a table"
)


@dataclass(frozen=True, repr=False)
class Prepared:
    """A release that is planned and not yet made.

    Attributes:
        spec: what was declared.
        release: the relation to make.
        plan: everything that makes, measures and checks it.
        publication: what is published, and what a reader can tie together of it.
        measurement: what is measured of that.
        source_info: what was known of the source.
        tables: those that its clauses read besides the source.
        known: what its clauses have to tell of it, by the names of their folders.
        forming: how the classes are formed.
        coding: the step of the plan that codes the records.
        looking_at_insensitive: those that find what insensitive columns say of single records.
        grouped: the records in classes, of which the publication was made.
        keeps_nodes: whether the choices of levels that a search judges are kept.
        kept_columns: the columns of relations that clauses keep and that a run hashes.
        is_recoded: whether labels follow from a record's values alone, without codes or cells.
        spent: the ε and δ of the earlier releases that an account has.
    """

    spec: Spec
    release: Relation
    plan: Plan = field(repr=False)
    publication: Publication = field(repr=False)
    measurement: MeasurementPlan = field(repr=False)
    source_info: SourceInfo = field(repr=False)
    tables: tuple[OtherTable, ...] = field(default=(), repr=False)
    known: Mapping[str, Any] = field(default_factory=dict, repr=False)
    forming: Forming = field(kw_only=True, repr=False)
    coding: Step | None = field(default=None, repr=False)
    looking_at_insensitive: tuple[Step | Check, ...] = field(default=(), repr=False)
    grouped: Grouped = field(kw_only=True, repr=False)
    keeps_nodes: bool = False
    kept_columns: Mapping[Relation, tuple[str, ...]] = field(default_factory=dict, repr=False)
    is_recoded: bool = field(default=False, repr=False)
    spent: Spent = field(default_factory=dict, repr=False)

    def __repr__(self) -> str:
        return f"Prepared({self.release}, {len(self.plan)} steps)"

    def _repr_html_(self) -> str:
        steps = [(str(at), *step) for at, step in enumerate(self.plan.explain(), 1)]
        return table(f"{self.release}: what a run does", ("", "relation", "is", "what"), steps)

    @property
    def coded(self) -> Plan:
        """The steps up to the one that codes the records, which is the last."""
        steps = self.plan.steps
        return Plan(steps[: 1 + next(at for at, step in enumerate(steps) if step is self.coding)])

    @property
    def written(self) -> tuple[Relation, ...]:
        """All that stays after the run; the release first."""
        published = (relation.relation for relation in self.publication.relations)
        return written(published, _kept(self.spec, self.keeps_nodes))

    @property
    def kept(self) -> tuple[Relation, ...]:
        """The relations that its clauses keep for the publisher."""
        return tuple(map(self.release.sibling, kept_names(self.spec)))

    def held(self, engine: Engine) -> Prepared:
        """The same for another day: it looks whether what it takes over was changed since."""
        return replace(self, plan=self.forming.held(self.plan, engine))

    @property
    def unreleased(self) -> tuple[str, ...]:
        """The source's columns that have no role and so are not released."""
        return self.source_info.unreleased

    @property
    def types(self) -> dict[str, str]:
        """The types in which the columns of a text file are read; none of another source."""
        if not self.spec.source.is_text:
            return {}
        return {name: column.type for name, column in self.source_info.columns.items()}


def prepare(spec: Spec, engine: Engine, source: Sql | None = None, full: bool = True) -> Prepared:
    """Plan a release: check the spec against its source and lay out every step.

    Nothing is written. The source's columns are read, and nothing else of it.

    Args:
        spec: what is declared.
        engine: where the source lies and the release goes.
        source: a FROM item, where the source is nothing that a spec can name.
        full: whether everything is measured that a run measures, asked for or not.

    Raises:
        SpecError: if the spec does not fit the source.
    """
    with engine.listing_once():
        spec = filled(spec, engine)
        release = check_target(spec, engine)
        source_info = SourceInfo.of(spec, engine, source)
        spec = with_distances(spec, source_info.columns)
        problems = list(misfits(spec, source_info.columns))
        if problems:
            raise SpecError(problems)
        if spec.source.file is None:
            check_not_read(reserved(release), source_info.source, engine)
        spent = spent_before(spec, release, engine)
        return replace(build_plan(spec, source_info, release, full), spent=spent)


def settled(prepared: Prepared, session: Session) -> tuple[Prepared, list[tuple[str, str]]]:
    """The plan with what its clauses find in the data, and what is to be recorded of that.

    Nothing changes where the spec leaves nothing open. To be called inside a transaction.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are too few records for a class.
    """
    if not left_open(prepared.spec):
        return prepared, []
    spec, facts = prepared.spec, list[tuple[str, str]]()
    with session.watching():
        for stages in stages_of(spec):
            spec, found = stages.settle(spec, prepared.coded, session)
            facts += found
            session.drop_work()
    planned = build_plan(spec, prepared.source_info, prepared.release)
    return replace(planned, spent=prepared.spent), facts


def build_plan(
    spec: Spec, source_info: SourceInfo, release: Relation | None = None, full: bool = True
) -> Prepared:
    """The plan of a release whose source is known.

    Args:
        spec: what is declared.
        source_info: what is known of its source.
        release: the relation to make; without one it is a trial, of work relations alone.
        full: whether everything is measured that a run measures, asked for or not.
    """
    spec = with_distances(spec, source_info.columns)
    if release is None:
        refuse(spec, Use.TRIAL)
        spec = spec.without_pseudonyms()
    draft = Draft(
        spec=spec,
        engine=source_info.engine,
        source=source_info.source,
        read=source_info.columns,
        release=release,
        full=full,
    )
    clauses = stages_of(spec)
    draft = _read(draft, clauses)
    for stages in clauses:
        draft = stages.look(draft)
    draft = tasked(draft, lambda: source_info.counts)
    draft = formed(draft, clauses)
    # The spec as it was given says what is asked for, even if a stage has changed the draft's.
    draft = replace(draft, spec=spec, release=release, full=full)
    draft, grouped = _published(draft)
    assert draft.publication is not None  # noqa: S101 - the stage before
    view = asked_of_classes(draft, viewed(draft, draft.publication.view, clauses))
    draft = replace(draft, publication=replace(draft.publication, view=view))
    return _judged(draft, grouped, source_info, clauses)


def _read(draft: Draft, clauses: Sequence[Stages]) -> Draft:
    """The source and its columns, and what clauses read besides."""
    spec = draft.spec
    draft = draft.adding(Phase.READING, COUNTING)
    draft = draft.adding(Phase.READING, *_has_records(spec), *_zeros_without_sign(draft))
    draft = draft.adding(
        Phase.READING,
        *identifier_steps(spec, draft.source, draft.columns),
        *draft.unit.steps,
        *(key_checks(spec) if spec.counts else ()),
        *enough_that_share(draft.projected, draft.unit),
    )
    for stages in clauses:
        draft = stages.read(draft)
    draft = looked(draft)
    if draft.insensitive:
        draft = with_shares(draft, limits(SHARES))
    return draft


def _has_records(spec: Spec) -> Iterator[Check]:
    """The checks that there are as many records as a class must have; counts have no classes."""
    if spec.counts:
        return
    yield Check(
        "the source has records",
        "source/check_not_empty",
        {"size": SIZE},
        {},
        "source",
        "it has no records: nothing can be released",
    )
    yield enough_records(SIZE, least_class(spec), spec.shows_exact, spec.sampled is not None)


def _zeros_without_sign(draft: Draft) -> Iterator[Check]:
    """The checks that no column has a -0.0, where the engine sorts and gives 0.0 back.

    The release would show another value than the source, and l would count two where it shows one.
    """
    if draft.engine.sorts_signed_zeros:
        return
    read = draft.columns
    for role, name in draft.spec.roles():
        if role in _RELEASED and read[name].kind == "number":
            yield Check(
                f"zeros of {name}",
                "source/check_zeros",
                {"records": RECORDS},
                {"column": Sql(draft.short[name])},
                f"{role}.{name}",
                f"{FOUND.records} records hold -0.0, and {draft.engine.version} loses the sign of "
                "zero when it sorts: write 0.0 in the source, or use DuckDB 2",
            )


def _published(draft: Draft) -> tuple[Draft, Grouped]:
    """The draft with the publication of the classes, and what that is made of.

    Raises:
        SpecError: if two columns would have one name.
    """
    spec, task, classes = draft.spec, draft.task, draft.classes
    assert task is not None and classes is not None  # noqa: S101, PT018 - the stages before
    is_trial = draft.release is None
    grouped = Grouped(
        records=RECORDS,
        size=SIZE,
        assigned=classes.assigned,
        quasi_identifiers=draft.quasi_identifiers,
        sensitive=draft.sensitive,
        insensitive=draft.insensitive,
        pseudonyms=tuple(pseudonym_columns(spec, draft.short)),
        unit=draft.unit,
        left_out=_left_out(spec, task, classes),
        release=draft.release or work("trial"),
        how=Materialization.WORK_TABLE if is_trial else _how(spec),
        seed=spec.seed,
        least=least_class(spec),
        coded=draft.coded,
        covered=classes.covered,
        suppressed_cells=classes.suppressed_cells,
        hidden=draft.hidden,
        cells=classes.cells,
        levels=classes.levels,
        pads=pads_of(spec) if spec.counts else {},
    )
    publication = publisher_of(spec).publish(grouped)
    _check_names(publication)
    draft = replace(draft, publication=publication).adding(Phase.PUBLISHING, *publication.steps)
    if classes.nodes is not None and draft.release is not None:
        draft = draft.adding(Phase.PUBLISHING, _keeping(classes.nodes, draft.release))
    return draft, grouped


def _judged(
    draft: Draft, grouped: Grouped, source_info: SourceInfo, clauses: Sequence[Stages]
) -> Prepared:
    """The whole plan: it measures what is published, and the gate decides after all stages.

    The gate is the last phase, and this is its only writer: clauses may add to the core's.
    """
    publication, classes = draft.publication, draft.classes
    assert publication is not None and classes is not None  # noqa: S101, PT018
    forming = classes.forming
    assert forming is not None  # noqa: S101 - the stage that forms them
    wanted = draft.to_measure
    if draft.release is None:
        wanted = replace(wanted, metrics=tuple(name for name in wanted.metrics if name in OF_MAPS))
    judged = judge(publication.view, wanted, publication.ledger)
    judged = replace(judged, cure=forming.cure or judged.cure)
    gate = (*judged.gate, *(step for stages in clauses for step in stages.gate(draft)))
    asks = not all(isinstance(step, Step | Check) for step in draft.steps[Phase.FORMING])
    draft = draft.reading_records(once=draft.release is None or asks)
    steps = {**draft.steps, Phase.MEASURING: judged.steps, Phase.GATE: gate}
    return Prepared(
        spec=draft.spec,
        release=grouped.release,
        plan=Plan.laid_out(steps),
        publication=publication,
        measurement=judged.measurement,
        source_info=source_info,
        tables=draft.tables,
        known=draft.known,
        forming=forming,
        coding=classes.coding,
        kept_columns=draft.kept,
        looking_at_insensitive=draft.shares,
        grouped=grouped,
        keeps_nodes=classes.nodes is not None and draft.release is not None,
    )


def _keeping(nodes: Relation, release: Relation) -> Step:
    """The step that keeps what a search found of the levels that it judged."""
    return Step(
        "keeping the levels that were judged",
        release.sibling(NODES),
        "release/nodes",
        {"judged": nodes},
        how=Materialization.TABLE,
    )


def _how(spec: Spec) -> Materialization:
    """The kind of relation that is planned; a view of the source has the plan of a table."""
    return Materialization.TABLE if spec.is_live else Materialization(spec.materialize)


def _kept(spec: Spec, keeps_nodes: bool) -> tuple[str, ...]:
    """The ends of the names of what is kept for the publisher, besides the proof."""
    return (*kept_names(spec), *((NODES,) if keeps_nodes else ()))


def _left_out(spec: Spec, task: Task, grouping: Grouping) -> LeftOut | None:
    """The records that are left out, where a method was allowed to leave any out.

    The limit is that of the spec, also where a method was allowed more.
    """
    allowance = spec.allowance
    if grouping.suppressed is None or allowance is None:
        return None
    return LeftOut(
        classes=grouping.suppressed,
        requirements=task.requirements,
        allowance=allowance,
        taken_over=None if grouping.forming is None else grouping.forming.taken_over,
        outliers=grouping.outliers,
        within=next(
            (
                attribute
                for attribute in task.quasi_identifiers
                if attribute.name == allowance.within
            ),
            None,
        ),
    )


def check_target(spec: Spec, engine: Engine) -> Relation:
    """The relation to make, unless it is the source or something that is not ours to replace."""
    release = table_named(spec.release, "release")
    check_not_source(release, reserved(release), spec.source, engine)
    if not engine.has_schema(release):
        what = f"there is no schema {'.'.join(release.path)!r} that keeps a table"
        if not release.path:
            what = "the session's search path has no schema: name the release with one, as in s.r"
        if is_file_name(spec.release):
            what = f"{spec.release!r} {_NO_FILE}"
        raise SpecError(Problem("release", what))
    foreign = engine.foreign_kind(release)
    if foreign is not None and not engine.publishes_in(foreign):
        cure = _COPY.format(name=release.name)
        raise SpecError(Problem("release", _FOREIGN.format(kind=foreign, cure=cure)))
    if foreign is not None and spec.materialize in ("view", "live"):
        raise SpecError(Problem("materialize", _FOREIGN_VIEW.format(kind=foreign)))
    how, suppresses = _how(spec), spec.allowance is not None
    names = publisher_of(spec).names(release, how, suppresses)
    keeps_nodes = spec.method.chooses_levels and not levels_are_fixed(spec)
    Ownership(engine, written(names, _kept(spec, keeps_nodes))).older()
    return release


# Where a spec declares a published column, by its role.
_SECTIONS = {
    "quasi_identifier": "quasi_identifiers",
    "sensitive": "sensitive",
    "insensitive": "insensitive",
}


def _check_names(publication: Publication) -> None:
    """The release's column names must be different, also where case does not count."""
    for relation in publication.relations:
        names = Counter(column.name.lower() for column in relation.columns)
        twice = [column for column in relation.columns if names[column.name.lower()] > 1]
        if not twice:
            continue
        made = next((column for column in twice if column.role == "group"), None)
        if made is None:
            what = f"two columns of the release would be called {twice[0].name!r}"
            raise SpecError(Problem("quasi_identifiers", what))
        own = next(column for column in twice if column.role != "group")
        what = f"{made.name} is a column that the publication adds: rename this one in a query"
        raise SpecError(Problem(f"{_SECTIONS[own.role]}.{own.name}", what))
