"""Measuring any table with the same models, also another tool's release."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from sqlanon.clauses.clause import Allowance, Use
from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute
from sqlanon.draft import Draft, Stages, looked, stages_of, viewed
from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, Problem, SpecError
from sqlanon.forms import published_columns
from sqlanon.forms.form import PublishedColumn
from sqlanon.judge.check_result import CheckResult, Fault, column_faults
from sqlanon.judge.held import Held
from sqlanon.judge.judge import Judgement, judge
from sqlanon.judge.truth import Truth, pseudonym_faults, with_unknown
from sqlanon.kept.left_out import GivenAway, given_away
from sqlanon.kept.metrics import Metric, value_of
from sqlanon.kept.summary import summary_of
from sqlanon.measure.detail import details
from sqlanon.measure.insensitive import Released
from sqlanon.measure.loss import loss_columns
from sqlanon.measure.view import MEASURED, AdversaryView, table_view
from sqlanon.methods.strata import strata_of
from sqlanon.plan import Phase, Plan
from sqlanon.publish import publisher_of
from sqlanon.publish.ledger import Ledger
from sqlanon.publish.publication import released_columns
from sqlanon.session import Listener, Session
from sqlanon.source.keys import keys_of
from sqlanon.source.source import COUNTING, SIZE, inspect_source, lacking, table_named
from sqlanon.source.source_info import check_steady
from sqlanon.source.suppressed import COUNTED, TELLING, SuppressedRows
from sqlanon.spec import Column, Distances, Source, Spec, check_columns, with_distances
from sqlanon.spec.columns import TEXTS, comparable
from sqlanon.spec.publication import RULES, least_class
from sqlanon.spec.refusals import refuse
from sqlanon.sql.names import Relation, Sql, identifier

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
    item, given = inspect_source(table, engine, "table", table_item, needed=needed)
    reference, source_columns = inspect_source(
        spec.source, engine, source_name, source_item, needed=spec.columns_read
    )
    read = check_columns(spec, source_columns)
    spec = with_distances(spec, read)
    check_steady(spec, engine)
    declared, spec = spec, spec.without_pseudonyms()
    draft = Draft(spec=spec, engine=engine, source=reference, read=read, table=item)
    clauses = stages_of(spec) if generalized else []
    draft = _looked(draft.adding(Phase.READING, COUNTING), clauses, generalized)
    draft = draft.reading_records(once=False)
    columns, short, keys = draft.columns, draft.short, keys_of(spec)
    quasi_identifiers, insensitive = draft.quasi_identifiers, draft.insensitive
    groups = publisher_of(spec).groups
    if groups is not None:
        if suppressed:
            raise SpecError(Problem("suppressed", _NO_ROWS.format(spec.publication)))
        tied = Held(
            groups, quasi_identifiers, draft.sensitive, insensitive, tuple(declared.pseudonyms)
        )
        session = Session(engine, listener, plans=2, keys=keys)
        return _check_groups(tied, table, draft, session, conserved)
    name, truth = table.name, None
    unknown: list[SensitiveAttribute] = []
    faults: list[Fault] = []
    expected: list[Column] = []
    kept_here = table.table is None or engine.keeps_types(table_named(table.table, "table"))
    written = table.file is not None or table_item is not None or not kept_here
    if generalized:
        expected = [
            Column(one.name, columns[one.source].type if one.source else "text", one.kind)
            for one in released_columns(quasi_identifiers, draft.sensitive, insensitive)
        ]
        expected += [Column(one, "text", "text") for one in declared.pseudonyms]
        if not kept_here:
            item, given, misread = _cast_back(expected, item, given, engine)
            faults += misread
        faults += column_faults(expected, given, written, table.is_named)
        if any(_prevents(one, spec) for one in faults):
            return CheckResult(name, (), (), tuple(faults))
    held = generalized and conserved and not any(one.what == "column_type" for one in faults)
    if held:
        item, given = _read_as(expected, table, item, given, engine)
    shown = _shown(spec, quasi_identifiers)
    wanted = [*(one.name for one in shown), *spec.sensitive, *spec.insensitive]
    _check_columns(wanted, table, given)
    rows = SuppressedRows(item, given, [one.name for one in shown], tuple(suppressed or ()))
    item = rows.rest
    kept = (*spec.sensitive, *spec.insensitive)
    if held:
        truth = Truth(
            table=item,
            given=given,
            expected=expected,
            quasi_identifiers=quasi_identifiers,
            kept={short[one]: columns[one] for one in kept},
            sensitive=draft.sensitive,
            written=written,
            is_text=table.is_text,
            limit=Fraction(0) if allowance is None else allowance.records,
            k=spec.privacy.k,
            strata=[
                one for one in strata_of(spec, quasi_identifiers) if one.name not in spec.uncovering
            ],
            telling=TELLING if rows.marks and kept else None,
        )
    if not generalized:
        read_there = [read[name] for name in (*spec.sensitive, *spec.insensitive)]
        _check_alike(read_there, given, source_name)
    session = Session(engine, listener, plans=1 + (truth is not None) + bool(rows.marks), keys=keys)
    steps: Plan | tuple[()] = Plan.laid_out(draft.steps)
    sensitive = draft.sensitive
    with session.transaction(keep=False):
        if suppressed is not None:
            rows = rows.counted(session)
        if rows.marks:
            telling = [rows.telling(kept)] if truth is not None and kept else []
            session.run(Plan((rows.counting, rows.leaving_out, *telling)))
        if generalized:
            faults += pseudonym_faults(session, item, declared.pseudonyms)
        if truth is not None:
            session.run(Plan(tuple(steps)))
            faults += truth.faults(session)
            invented = {one.column for one in faults if one.what == "unknown_values"}
            unknown = [one for one in sensitive if one.name in invented]
            sensitive = tuple(one for one in sensitive if one.name not in invented)
            item, given, steps = truth.item, list(truth.expected), ()
        kinds = {column.name: column.kind for column in given}
        view = table_view(
            item,
            [replace(one, kind=kinds[one.name]) for one in shown],
            sensitive,
            [replace(one, kind=kinds[one.name]) for one in insensitive],
            loss_columns(quasi_identifiers),
        )
        view = viewed(draft, view, clauses)
        ledger = Ledger(SIZE, MEASURED, allowance=allowance) if conserved else None
        if ledger is None and rows.marks:
            # Without a limit they are counted all the same, and any number is allowed.
            ledger = Ledger(COUNTED, MEASURED, allowance=allowance or Allowance("", Fraction(1)))
        measured = draft.to_measure
        measured = measured if generalized else replace(measured, compared=None)
        judged = judge(view, measured, ledger)
        session.run(Plan((*steps, *judged.steps)))
        measures, shortfalls = judged.outcome(session)
        detail = details(view, session)
        certain = _given(judged, view, session)
    if unknown:
        measures, more = with_unknown(measures, unknown, spec.privacy)
        shortfalls += more
    if conserved and rows.marks:
        counted = [one.value for one in measures if one.metric == "suppressed_records"]
        left = int(counted[0] or 0) if counted else 0
        missed = any(one.model == "records" for one in shortfalls)  # the source has others
        missed |= any(one.what == "invented_records" for one in faults)
        if rows.number > left and not missed:  # with the rest they are more than the source has
            faults.append(Fault("invented_records", records=rows.number - left))
    if not value_of(measures, "records", None):
        what = f"{name!r} has no records"
        if rows.marks and rows.number:
            what = f"all of the {rows.number:,} records of {name!r} are suppressed by declaration"
        raise InfeasibleError(f"{what}: there is nothing to measure")
    return CheckResult(
        table=name,
        measures=tuple(measures),
        shortfalls=tuple(shortfalls),
        faults=tuple(faults),
        distances=Distances.of(spec),
        summary=summary_of(measures, detail, certain),
        measured_by={name: one.distance for name, one in spec.sensitive.items() if one.distance},
        remarks=(
            *_unmeasured(spec, measures),
            *(() if suppressed is None else rows.remarks(bool(spec.sensitive))),
        ),
    )


def _unmeasured(spec: Spec, measures: Sequence[Metric]) -> Iterator[str]:
    """The metrics that the spec names and a table alone does not tell."""
    found = {one.metric for one in measures}
    unmeasured = [name for name in dict.fromkeys(spec.metrics) if name not in found]
    if unmeasured:
        yield (
            f"A table alone does not tell {', '.join(unmeasured)}: the metrics of the run that "
            "made it have them"
        )


def _given(judged: Judgement, view: AdversaryView, session: Session) -> tuple[GivenAway, ...]:
    """The classes of a table that give a sensitive value away."""
    names = [one.name for one in view.sensitive]
    return given_away(judged.measurement.class_report, names, "records", session)


def _looked(draft: Draft, clauses: Sequence[Stages], generalized: bool) -> Draft:
    """The attributes, the quasi-identifiers as the table shows them."""
    for one in clauses:
        draft = one.read(draft)
    draft = looked(draft, by_spec=generalized)
    for one in clauses:
        draft = one.look(draft)
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
    if any(one.what in ("missing_column", "column_type") for one in faults):
        return CheckResult(table.name, (), (), tuple(faults))
    view = held.publisher.view(release, held.quasi_identifiers, held.sensitive, held.insensitive)
    ledger = Ledger(SIZE, MEASURED) if conserved else None
    judged = judge(view, replace(draft.to_measure, compared=None), ledger)
    with session.transaction(keep=False):
        session.run(Plan((*Plan.laid_out(draft.steps), *held.reading(view))))
        faults += held.faults(session, view, least_class(spec), conserved)
        faults += pseudonym_faults(session, release, held.pseudonyms)
        if any(one.what in ("uneven_groups", "invented_values") for one in faults):
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
        measured_by={name: one.distance for name, one in spec.sensitive.items() if one.distance},
    )


def _prevents(fault: Fault, spec: Spec) -> bool:
    """Whether nothing can be measured."""
    other_type = fault.what == "column_type" and fault.column in spec.sensitive
    return fault.what == "missing_column" or other_type


def _read_as(
    expected: Sequence[Column],
    table: Source,
    item: Relation | Sql,
    given: list[Column],
    engine: Engine,
) -> tuple[Relation | Sql, list[Column]]:
    """A text file again, with what is text in a release as text: a file has 01 and 1 alike."""
    there = {column.name: column.kind for column in given}
    texts = [one.name for one in expected if one.kind in TEXTS and there[one.name] not in TEXTS]
    if not table.is_text or not texts:
        return item, given
    declared = {**table.columns, **dict.fromkeys(texts, "text")}
    return inspect_source(table.model_copy(update={"columns": declared}), engine, "table")


def _cast_back(
    expected: Sequence[Column], item: Relation | Sql, given: list[Column], engine: Engine
) -> tuple[Relation | Sql, list[Column], list[Fault]]:
    """A table of a database with other types than DuckDB's, as a release has it, and its faults."""
    other = {one.name: one for one in expected if one.kind not in TEXTS}
    recast = [one for one in given if one.name in other and one.type != other[one.name].type]
    if not recast:
        return item, given, []
    read = item.sql if isinstance(item, Relation) else item
    casts = {
        one.name: f"try_cast({identifier(one.name)} as {other[one.name].type})" for one in recast
    }
    misread = [
        f"count(*) filter ({identifier(name)} is not null and {cast} is null)"
        for name, cast in casts.items()
    ]
    ((*counts,),) = engine.driver.execute(f"select {', '.join(misread)} from {read}").rows
    faults = [
        Fault("column_type", one.name, found=one.shown_type, expected=other[one.name].shown_type)
        for one, count in zip(recast, counts, strict=True)
        if count
    ]
    replaced = ", ".join(f"{cast} as {identifier(name)}" for name, cast in casts.items())
    columns = [other.get(one.name, one) for one in given]
    return Sql(f"(select * replace ({replaced}) from {read})"), columns, faults


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
            f"{one.name!r} is {one.shown_type} there and {there[one.name].shown_type} in the "
            "table: cast one of them in a query",
        )
        for one in columns
        if one.name in there and not comparable(one.kind, there[one.name].kind)
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
