"""Measuring any table with the same models, also another tool's release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from sqlanon.clauses.clause import Allowance, Use
from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute
from sqlanon.draft import Draft, looked, stages_of, viewed
from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, Problem, Shortfall, SpecError
from sqlanon.forms import published_columns
from sqlanon.forms.form import PublishedColumn
from sqlanon.judge.check_result import CheckResult, Fault
from sqlanon.judge.given import Given, prevents
from sqlanon.judge.held import Held
from sqlanon.judge.judge import Judgement, judge
from sqlanon.judge.truth import Truth, pseudonym_faults, with_unknown
from sqlanon.measure.detail import details
from sqlanon.measure.insensitive import Released
from sqlanon.measure.loss import loss_columns
from sqlanon.measure.view import MEASURED, AdversaryView, table_view
from sqlanon.methods.strata import strata_of
from sqlanon.plan import Phase, Plan
from sqlanon.publish import groups_of
from sqlanon.publish.ledger import Ledger
from sqlanon.record.left_out import GivenAway, given_away
from sqlanon.record.metrics import Metric, value_of
from sqlanon.record.summary import summary_of
from sqlanon.session import Listener, Session
from sqlanon.source.keys import keys_of
from sqlanon.source.source import COUNTING, SIZE, inspect_source, lacking, table_named
from sqlanon.source.source_info import check_steady
from sqlanon.source.suppressed import COUNTED, TELLING, SuppressedRows
from sqlanon.spec import Column, Distances, Source, Spec, check_columns, with_distances
from sqlanon.spec.columns import comparable
from sqlanon.spec.publication import RULES, least_class
from sqlanon.spec.refusals import refuse
from sqlanon.sql.names import Relation, Sql

_NO_MARK = (
    "nobody knows which records of this table are suppressed: declare their mark, such as "
    "suppressed: '*', or leave it out"
)
_NO_ROWS = "a release of {} has no suppressed records: leave it out"


def check(
    table: Source,
    spec: Spec,
    engine: Engine,
    generalized: bool,
    listener: Listener | None = None,
    table_item: Sql | None = None,
    source_item: Sql | None = None,
    source_name: str = "source",
    conserved: bool = False,
    suppressed: Sequence[str] | None = None,
) -> CheckResult:
    """Measure a table against a spec's models, and hold it against the source it was made of.

    Nothing is written.

    Args:
        table: the table to measure.
        spec: the roles of its columns and the models; its source is the reference table, whose
            distribution t-closeness is measured against.
        engine: where the tables are.
        generalized: whether the table is a release of the spec's source, so that its cells can
            be read by the spec's hierarchies and the information loss is known.
        listener: hears of the steps.
        table_item: a FROM item in place of ``table``.
        source_item: a FROM item in place of the spec's source.
        source_name: what the spec's source is called in a message.
        conserved: whether the table's records must be the source's.
        suppressed: the marks that another tool's suppressed records have in every
            quasi-identifier; None of a release of a run, which has no such records.

    Raises:
        SpecError: if the spec does not fit the tables.
        InfeasibleError: if the table has no records.
    """
    refuse(spec, Use.CHECK if generalized else Use.CHECK_TABLE)
    allowance = spec.allowance
    if allowance is not None and not generalized and not suppressed:
        raise SpecError(Problem(allowance.where, _NO_MARK))
    needed = None if generalized else spec.columns_read
    item, columns = inspect_source(table, engine, "table", table_item, needed=needed)
    source, there = inspect_source(
        spec.source, engine, source_name, source_item, needed=spec.columns_read
    )
    read = check_columns(spec, there)
    declared = with_distances(spec, read)
    check_steady(declared, engine)
    spec = declared.without_pseudonyms()
    draft = Draft(spec=spec, engine=engine, source=source, read=read, table=item)
    draft = _looked(draft.adding(Phase.READING, COUNTING), generalized)
    draft = draft.reading_records(once=False)
    keys, groups = keys_of(spec), groups_of(spec)
    if groups is not None:
        if suppressed:
            raise SpecError(Problem("suppressed", _NO_ROWS.format(spec.publication)))
        pseudonyms = tuple(declared.pseudonyms)
        tied = Held(groups, draft.quasi_identifiers, draft.sensitive, draft.insensitive, pseudonyms)
        session = Session(engine, listener, plans=2, keys=keys)
        return _check_groups(tied, table, draft, session, conserved)
    kept_here = table.table is None or engine.keeps_types(table_named(table.table, "table"))
    written = table.file is not None or table_item is not None or not kept_here
    given = Given(table, item, columns, written)
    if generalized:
        given = given.as_released(draft, declared.pseudonyms, kept_here, conserved)
        if any(prevents(fault, spec) for fault in given.faults):
            return CheckResult(table.name, (), (), given.faults)
    shown = _shown(spec, draft.quasi_identifiers)
    wanted = [*(column.name for column in shown), *spec.sensitive, *spec.insensitive]
    _check_columns(wanted, table, given.columns)
    if not generalized:
        read_there = [read[name] for name in (*spec.sensitive, *spec.insensitive)]
        _check_alike(read_there, given.columns, source_name)
    marks = tuple(suppressed or ())
    checking = _Checking(
        declared=declared,
        draft=draft,
        given=given,
        shown=shown,
        rows=SuppressedRows(given.item, given.columns, [column.name for column in shown], marks),
        generalized=generalized,
        conserved=conserved,
    )
    plans = 1 + given.held + bool(marks)
    session = Session(engine, listener, plans=plans, keys=keys)
    return checking.measured(session, looking=suppressed is not None)


@dataclass(frozen=True, kw_only=True)
class _Checking:
    """A table and a spec that it is measured by.

    Attributes:
        declared: the spec, its pseudonyms included.
        draft: the attributes, and the steps that lay them out.
        given: the table.
        shown: its columns that stand for quasi-identifiers.
        rows: its suppressed records, not yet counted.
        generalized: whether its cells are those of a release of the spec's source.
        conserved: whether its records must be the source's.
    """

    declared: Spec
    draft: Draft
    given: Given
    shown: Sequence[PublishedColumn | Released]
    rows: SuppressedRows
    generalized: bool
    conserved: bool

    @property
    def _kept(self) -> tuple[str, ...]:
        """The columns that are published as they are."""
        return (*self.draft.spec.sensitive, *self.draft.spec.insensitive)

    @cached_property
    def _truth(self) -> Truth | None:
        """The steps that hold the table against the source, if it is held to that."""
        if not self.given.held:
            return None
        draft, spec, given = self.draft, self.draft.spec, self.given
        strata = strata_of(spec, draft.quasi_identifiers)
        return Truth(
            table=self.rows.rest,
            given=given.columns,
            expected=given.expected,
            quasi_identifiers=draft.quasi_identifiers,
            kept={draft.short[name]: draft.columns[name] for name in self._kept},
            sensitive=draft.sensitive,
            written=given.written,
            is_text=given.table.is_text,
            limit=Fraction(0) if spec.allowance is None else spec.allowance.records,
            k=spec.privacy.k,
            strata=[stratum for stratum in strata if stratum.name not in spec.uncovering],
            telling=TELLING if self.rows.marks and self._kept else None,
        )

    def measured(self, session: Session, looking: bool) -> CheckResult:
        """Measure the table, and hold it against the source if it must be that.

        Args:
            session: asks the database.
            looking: whether the table is looked at for suppressed records.

        Raises:
            InfeasibleError: if the table has no records.
        """
        spec, truth, rows = self.draft.spec, self._truth, self.rows
        faults, unknown = [*self.given.faults], list[SensitiveAttribute]()
        item, columns, sensitive = rows.rest, self.given.columns, self.draft.sensitive
        steps: Plan | tuple[()] = Plan.laid_out(self.draft.steps)
        with session.transaction(keep=False):
            rows = rows.counted(session) if looking else rows
            if rows.marks:
                telling = [rows.telling(self._kept)] if truth is not None and self._kept else []
                session.run(Plan((rows.counting, rows.leaving_out, *telling)))
            if self.generalized:
                faults += pseudonym_faults(session, item, self.declared.pseudonyms)
            if truth is not None:
                session.run(Plan(tuple(steps)))
                faults += truth.faults(session)
                invented = {fault.column for fault in faults if fault.what == "unknown_values"}
                unknown = [attribute for attribute in sensitive if attribute.name in invented]
                sensitive = tuple(
                    attribute for attribute in sensitive if attribute.name not in invented
                )
                item, columns, steps = truth.item, list(truth.expected), ()
            view = self._view(item, columns, sensitive)
            measured = self.draft.to_measure
            measured = measured if self.generalized else replace(measured, compared=None)
            judged = judge(view, measured, self._ledger(rows))
            session.run(Plan((*steps, *judged.steps)))
            measures, shortfalls = judged.outcome(session)
            detail, certain = details(view, session), _given(judged, view, session)
        if unknown:
            measures, more = with_unknown(measures, unknown, spec.privacy)
            shortfalls += more
        faults += self._beyond(rows, measures, shortfalls, faults)
        _check_some(self.given.table.name, measures, rows)
        return CheckResult(
            table=self.given.table.name,
            measures=tuple(measures),
            shortfalls=tuple(shortfalls),
            faults=tuple(faults),
            distances=Distances.of(spec),
            summary=summary_of(measures, detail, certain),
            measured_by=_measured_by(spec),
            remarks=(
                *_unmeasured(spec, measures),
                *(rows.remarks(bool(spec.sensitive)) if looking else ()),
            ),
        )

    def _view(
        self,
        item: Relation | Sql,
        columns: Sequence[Column],
        sensitive: Sequence[SensitiveAttribute],
    ) -> AdversaryView:
        """The view of a reader of the table."""
        kinds = {column.name: column.kind for column in columns}
        view = table_view(
            item,
            [replace(column, kind=kinds[column.name]) for column in self.shown],
            sensitive,
            [replace(column, kind=kinds[column.name]) for column in self.draft.insensitive],
            loss_columns(self.draft.quasi_identifiers),
        )
        return viewed(self.draft, view, stages_of(self.draft.spec) if self.generalized else [])

    def _ledger(self, rows: SuppressedRows) -> Ledger | None:
        """The account of the records, if there is one."""
        allowance = self.draft.spec.allowance
        if self.conserved:
            return Ledger(SIZE, MEASURED, allowance=allowance)
        if not rows.marks:
            return None
        # Without a limit they are counted all the same, and any number is allowed.
        return Ledger(COUNTED, MEASURED, allowance=allowance or Allowance("", Fraction(1)))

    def _beyond(
        self,
        rows: SuppressedRows,
        measures: Sequence[Metric],
        shortfalls: Sequence[Shortfall],
        faults: Sequence[Fault],
    ) -> Iterator[Fault]:
        """The suppressed records that are more, with the rest, than the source has."""
        if not (self.conserved and rows.marks):
            return
        counted = [metric.value for metric in measures if metric.metric == "suppressed_records"]
        left = int(counted[0] or 0) if counted else 0
        missed = any(
            shortfall.model == "records" for shortfall in shortfalls
        )  # the source has others
        missed |= any(fault.what == "invented_records" for fault in faults)
        if rows.number > left and not missed:
            yield Fault("invented_records", records=rows.number - left)


def _check_some(name: str, measures: Sequence[Metric], rows: SuppressedRows) -> None:
    """Refuse a table without a record."""
    if value_of(measures, "records", None):
        return
    what = f"{name!r} has no records"
    if rows.marks and rows.number:
        what = f"all of the {rows.number:,} records of {name!r} are suppressed by declaration"
    raise InfeasibleError(f"{what}: there is nothing to measure")


def _measured_by(spec: Spec) -> dict[str, str]:
    """The distance by which each sensitive attribute is measured."""
    return {
        name: attribute.distance for name, attribute in spec.sensitive.items() if attribute.distance
    }


def _unmeasured(spec: Spec, measures: Sequence[Metric]) -> Iterator[str]:
    """The metrics that the spec names and a table alone does not tell."""
    found = {metric.metric for metric in measures}
    unmeasured = [name for name in dict.fromkeys(spec.metrics) if name not in found]
    if unmeasured:
        yield (
            f"A table alone does not tell {', '.join(unmeasured)}: the metrics of the run that "
            "made it have them"
        )


def _given(judged: Judgement, view: AdversaryView, session: Session) -> tuple[GivenAway, ...]:
    """The classes of a table that give a sensitive value away."""
    names = [attribute.name for attribute in view.sensitive]
    return given_away(judged.measurement.class_report, names, "records", session)


def _looked(draft: Draft, generalized: bool) -> Draft:
    """The attributes, the quasi-identifiers as the table shows them."""
    clauses = stages_of(draft.spec) if generalized else []
    for stages in clauses:
        draft = stages.read(draft)
    draft = looked(draft, by_spec=generalized)
    for stages in clauses:
        draft = stages.look(draft)
    return draft


def _check_groups(
    held: Held, table: Source, draft: Draft, session: Session, conserved: bool
) -> CheckResult:
    """Measure what groups tie together, and hold it against the source, if it must be that."""
    engine, spec, columns = session.engine, draft.spec, draft.columns
    if table.table is None:
        what = f"a release of {spec.publication} is read where it was made: name a table"
        raise SpecError(Problem("table", what))
    release = table_named(table.table, "table")
    faults = list(held.column_faults(release, columns, engine))
    if any(fault.what in ("missing_column", "column_type") for fault in faults):
        return CheckResult(table.name, (), (), tuple(faults))
    view = held.publisher.view(release, held.quasi_identifiers, held.sensitive, held.insensitive)
    ledger = Ledger(SIZE, MEASURED) if conserved else None
    judged = judge(view, replace(draft.to_measure, compared=None), ledger)
    with session.transaction(keep=False):
        session.run(Plan((*Plan.laid_out(draft.steps), *held.reading(view))))
        faults += held.faults(session, view, least_class(spec), conserved)
        faults += pseudonym_faults(session, release, held.pseudonyms)
        if any(fault.what in ("uneven_groups", "invented_values") for fault in faults):
            return CheckResult(table.name, (), (), tuple(faults))
        session.run(Plan(judged.steps))
        measures, shortfalls = judged.outcome(session)
        given = _given(judged, view, session)
    summary = summary_of(measures, (), given, publication=RULES[spec.publication])
    return CheckResult(
        table=table.name,
        measures=tuple(measures),
        shortfalls=tuple(shortfalls),
        faults=tuple(faults),
        distances=Distances.of(spec),
        summary=summary,
        measured_by=_measured_by(spec),
    )


def _check_columns(wanted: Sequence[str], table: Source, given: Sequence[Column]) -> None:
    """Refuse a table that lacks a column to be measured."""
    problems = lacking(wanted, table, [column.name for column in given], "table")
    if problems:
        raise SpecError(problems)


def _check_alike(columns: Sequence[Column], given: Sequence[Column], where: str) -> None:
    """Refuse a table whose values cannot be compared with those of the reference table."""
    there = {column.name: column for column in given}
    problems = [
        Problem(
            where,
            f"{column.name!r} is {column.shown_type} there and {there[column.name].shown_type} in "
            "the table: cast one of them in a query",
        )
        for column in columns
        if column.name in there and not comparable(column.kind, there[column.name].kind)
    ]
    if problems:
        raise SpecError(problems)


def _shown(
    spec: Spec, quasi_identifiers: Sequence[QuasiAttribute]
) -> Sequence[PublishedColumn | Released]:
    """The table's quasi-identifier columns: a release's, or those of the spec themselves."""
    if quasi_identifiers:
        return published_columns(quasi_identifiers)
    return [
        Released(Sql(f"p{number}"), name, "other")
        for number, name in enumerate(spec.quasi_identifiers, 1)
    ]
