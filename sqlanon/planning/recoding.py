"""Recoding at fixed levels: a plan without codes, cells or a search, for a script to hold.

Where the level of every quasi-identifier is known, the labels of a record follow from its values
alone. A run codes the values first, since it measures what the release loses; a script, which
measures what its spec asks for and nothing else, need not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlanon.clauses import clauses
from sqlanon.domains.attribute import QuasiAttribute, SensitiveAttribute
from sqlanon.domains.domain import checks_of_values, labelled_at
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.forms import published_columns
from sqlanon.judge.judge import enough_records, judge, limits, nothing_copied
from sqlanon.measure.asked import POSITIONS, Asked, asked_models, numbers_of, positions_step
from sqlanon.measure.copies import copies
from sqlanon.measure.cover import asked_of_projections
from sqlanon.measure.insensitive import SHARES, Released
from sqlanon.measure.plan import MeasurementPlan, ToMeasure
from sqlanon.measure.view import AdversaryView, known_values, table_view
from sqlanon.methods.method import PLACED, ByValue, Laid
from sqlanon.plan import FOUND, Check, Materialization, Phase, Plan, Standing, Step, needed, work
from sqlanon.planning.assign import JUDGED, RECODED, judging_steps
from sqlanon.planning.prepare import Prepared, prepare
from sqlanon.publish.generalized import left_out_step
from sqlanon.publish.ledger import Ledger
from sqlanon.source.attributes import (
    compared,
    quasi_attributes,
    released_as_they_are,
    sensitive_attributes,
)
from sqlanon.source.keys import identifier_steps
from sqlanon.source.source import COUNTING, RECORDS, SIZE, aliases, records_step
from sqlanon.spec import Spec
from sqlanon.spec.levels import levelled, levels_are_fixed
from sqlanon.spec.refusals import asked_clauses
from sqlanon.sql.names import Relation, Sql

CLASS_REPORT = "recode/class_report"  # the classes and their report as one
_MEASURED_TOGETHER = ("duckdb", "postgres")  # dialects whose scripts measure attributes together
_HIDDEN = work("hidden")
_LIVE = (
    "a view that changes with its source is labels of fixed levels, or cells of a file: {}, or "
    "publish a table (materialize: table)"
)
_NO_LEVEL = "give the level of every column"
_NO_CELLS = "take cells that are intervals, or labels of a tree or a file"
_BY_VALUE = ("bands", "dates")  # labels that follow from a number or a date, not from its text
# What a spec may ask for that changes nothing of how a record is recoded.
_VIEWED = {
    *("k", "k^m", "form", "live view"),
    *("file", "encoding", "query", "schema", "where to search", "unpredicted classes"),
}


def is_plain(spec: Spec) -> bool:
    """Whether a spec asks for labels of fixed levels, and for models of the classes alone.

    Args:
        spec: what is declared, with the levels that its clauses give.
    """
    bounds = [spec.levels.get(name) for name in spec.quasi_identifiers]
    fixed = all(bound is not None and bound[0] == bound[1] for bound in bounds)
    plain = levels_are_fixed(spec) and _is_plainly_asked(spec)
    return fixed and plain and levelled(spec) == list(spec.quasi_identifiers)


def _is_plainly_asked(spec: Spec) -> bool:
    """Whether all that is asked for leaves it to a record's values how it is recoded."""
    return asked_clauses(spec) <= _plain(spec) and not spec.metrics


def _plain(spec: Spec) -> set[str]:
    """The clauses that leave it to a record's values."""
    by_value = (clause.name for clause in clauses() if clause.by_value)
    return {*_VIEWED, *by_value, *(() if spec.is_live else ("insensitive",))}


def recoded(prepared: Prepared, together: bool = False) -> Prepared | None:
    """The same release by labels, or cells that are known, which follow from values alone.

    Its rows are those of the plan, but for their order. It measures what the spec asks for.

    Args:
        prepared: the plan of a run.
        together: whether sensitive attributes may be measured together: a script is shorter so.

    Returns:
        It; None where the spec asks for more than labels of fixed levels, or known cells: a level
        that is not known, or what crosses the records such as other units.
    """
    spec, info = prepared.spec, prepared.source_info
    known, short = info.columns, aliases(spec)
    if not _is_plainly_asked(spec):
        return None
    attributes, _ = quasi_attributes(spec, known, short)
    laid = prepared.forming.laid(attributes)
    if laid is None and not is_plain(spec):
        return None
    columns = _columns(spec, attributes) if laid is None else laid.columns
    sensitive, sensitive_steps = sensitive_attributes(spec, known, short)
    insensitive = released_as_they_are(spec, known, short)
    asked = asked_models(spec.privacy, sensitive, full=False)
    suppresses = spec.allowance is not None
    if any(not column.sure for column in columns):
        return None
    measured = any(model.attribute is not None for model in asked)
    held = [attribute for attribute in sensitive if spec.sensitive[attribute.name].accept is None]
    shown = [column.shown for column in columns]
    numbers = numbers_of(sensitive, asked) if together and measured and not suppresses else {}
    view = table_view(prepared.release, shown, sensitive if measured else (), numbers=numbers)
    view = replace(view, remedy="a higher level, or leaving records out")
    ledger = Ledger(SIZE, prepared.release)
    reading = records_step(info.source, spec, known, short, info.engine, False)
    labelled = RECODED if suppresses else prepared.release
    if suppresses:
        left_out = prepared.release.sibling("suppressed")
        ledger = replace(ledger, suppressed=left_out, allowance=spec.allowance)
    account = ledger if suppresses else None
    projected = asked_of_projections(spec)
    wanted = ToMeasure(spec.privacy, projected, full=False, release=prepared.release)
    judged = judge(view, wanted, account)
    judged = replace(judged, cure=prepared.forming.cure or judged.cure)
    judging: list[Step | Check] = [*judged.steps]
    gate: list[Step | Check] = [
        replace(
            enough_records(SIZE, spec.privacy.k),
            template="recode/check_enough",
            inputs={"records": RECORDS},
        ),
        *_labelled(columns, labelled, laid),
    ]
    if laid is not None and not suppresses:
        gate.append(laid.held)
    if measured:
        gate += _all_counted(view, sensitive, prepared.release)
        known_before = [known_values(attribute) for attribute in sensitive]
        judging = [step for step in judging if step not in known_before]
        sensitive_steps = _in_order(sensitive, sensitive_steps)
        if numbers:
            sensitive_steps = [*sensitive_steps, positions_step(sensitive, numbers, RECORDS)]
    if not suppresses:
        compared_counts = {"records": RECORDS, "release": prepared.release}
        gate.append(
            replace(ledger.check, template="recode/check_all_released", inputs=compared_counts)
        )
    gate += judged.gate
    kept: list[SensitiveAttribute | Released] = [*sensitive, *insensitive]
    before = [reading, *(step for step in sensitive_steps if isinstance(step, Step))]
    publishing = list(_publishing(prepared, columns, laid, kept, asked, before))
    looking: list[Step | Check] = [step for column in columns for step in _checks(spec, column)]
    comparing: list[Step | Check] = []
    if held:
        whole = replace(view, sensitive=tuple(sensitive))
        given = [column.attribute for column in columns]
        hidden = _HIDDEN
        if laid is not None and not suppresses:
            # The cell of every record is released, and the known cells tell what they hide.
            whole, hidden = replace(whole, classes=PLACED), laid.boxes
        found_copies = copies(whole, compared(spec, RECORDS, insensitive), given, hidden)
        if found_copies is not None:
            if hidden == _HIDDEN:
                comparing = [_hidden(view.classes, columns, laid)]
            gate.insert(-1, nothing_copied(found_copies, ledger))
    if not measured and not comparing and not projected:
        view, judging = _reporting(view, judged.measurement, judging, prepared.release)
    looking += sensitive_steps
    if insensitive:
        looking += _shares(prepared)
        gate.insert(0, limits(SHARES))
    parts = _alive(
        {
            Phase.READING: [
                reading,
                COUNTING,
                *identifier_steps(spec, info.source, known),
            ],
            Phase.LOOKING: looking,
            Phase.PUBLISHING: publishing,
            Phase.MEASURING: [*judging, *comparing],
            Phase.GATE: gate,
        }
    )
    plan = Plan.laid_out(parts)
    relations = prepared.publication.relations
    if spec.is_live:
        release, *others = relations
        relations = (replace(release, how=Materialization.VIEW), *others)
    publication = replace(prepared.publication, relations=relations, view=view, ledger=ledger)
    return replace(
        prepared,
        plan=plan,
        publication=publication,
        measurement=judged.measurement,
        coding=None,
        is_recoded=True,
    )


def _shares(prepared: Prepared) -> list[Step]:
    """The steps of a run that find what insensitive columns say of single records."""
    steps = [step for step in prepared.plan if isinstance(step, Step)]
    return needed(steps, [SHARES], [RECORDS])


def _reporting(
    view: AdversaryView,
    measurement: MeasurementPlan,
    steps: Sequence[Step | Check],
    release: Relation,
) -> tuple[AdversaryView, list[Step | Check]]:
    """The same view and steps with the classes and their report as one, as nothing else reads them.

    Args:
        view: what a reader can tie together.
        measurement: what is measured of it: k alone.
        steps: those that view and measure.
        release: what is published.
    """
    report, names = measurement.class_report, {column.alias: column for column in view.shown}

    def merged(step: Step) -> Step:
        shown = [
            {**one, "shown": names[one["alias"]].name, "kind": names[one["alias"]].kind}
            for one in step.params["published"]
        ]
        params = {**step.params, "published": shown}
        return replace(step, template=CLASS_REPORT, inputs={"release": release}, params=params)

    made = [
        merged(step) if isinstance(step, Step) and step.output == report else step for step in steps
    ]
    return replace(view, classes=report), made


def _labelled(columns: Sequence[ByValue], labelled: Relation, laid: Laid | None) -> Iterator[Check]:
    """The check that every value of a listed hierarchy has a label.

    Args:
        columns: the quasi-identifiers.
        labelled: every record with its labels.
        laid: the cells that records are laid over, if they are known.
    """
    listed = [column for column in columns if column.listed]
    if not listed:
        return
    if laid is not None and laid.groups is not None:
        template, read = "recode/check_grouped", {"records": RECORDS, "groups": laid.groups}
        held = [column.as_parameter for column in listed]
    else:
        template, read = "recode/check_labelled", {"records": RECORDS, "labelled": labelled}
        held = [
            {
                "name": column.attribute.name,
                "alias": column.attribute.alias,
                "label": column.shown.alias if labelled == RECODED else column.shown.name,
            }
            for column in listed
        ]
    yield Check(
        "every value has a label",
        template,
        read,
        {"columns": held},
        "",
        f"quasi_identifiers.{FOUND.attribute}.hierarchy: the hierarchy does not cover "
        f"{FOUND.missing} of the "
        f"column's {'records' if laid is None else 'values'}: add each value as a leaf with all "
        "its groups, or between edges",
    )


def _all_counted(
    view: AdversaryView, sensitive: Sequence[SensitiveAttribute], release: Relation
) -> Iterator[Check]:
    """The checks that all sensitive values are among those that the classes are held to.

    A value that a declared order lacks has no place in it, and neither has one that the source
    lacks. So the counts of the places, and of the classes, lack its records.

    Args:
        view: what a reader can tie together.
        sensitive: the sensitive attributes.
        release: what is published.
    """
    together = bool(view.numbers)
    ordered = [
        (attribute, POSITIONS if together else attribute.positions)
        for attribute in sensitive
        if _lists_its_order(attribute)
    ]
    if ordered:
        yield _counted(
            "every value has a place in its order",
            RECORDS,
            ordered,
            view.numbers,
            f"sensitive.{FOUND.attribute}.order: the order does not cover the values of "
            f"{FOUND.records} records: add each of them at its place in the list",
        )
    yield _counted(
        "every value is one of the source",
        release,
        [(attribute, view.class_values[str(attribute.alias)]) for attribute in sensitive],
        view.numbers,
        f"sensitive.{FOUND.attribute}: {FOUND.records} records have values that are not in the "
        "reference table: closeness to it has no meaning",
    )


def _counted(
    title: str,
    whole: Relation,
    counted: Sequence[tuple[SensitiveAttribute, Relation]],
    numbers: Mapping[str, int],
    message: str,
) -> Check:
    """The check that the counts of each attribute are those of all records."""
    attributes = [
        {
            "name": attribute.name,
            "counted": relation,
            "number": numbers.get(str(attribute.alias), 0),
        }
        for attribute, relation in counted
    ]
    inputs = {f"counted_{number}": relation for number, (_, relation) in enumerate(counted, 1)}
    template = "recode/check_counted"
    return Check(
        title, template, {"whole": whole, **inputs}, {"attributes": attributes}, "", message
    )


def _is_flat(attribute: SensitiveAttribute) -> bool:
    """Whether its values need no codes: they have no groups, and equal ones are the same."""
    return attribute.nodes is None and attribute.tie_breaker is None


def _positions(attribute: SensitiveAttribute) -> Step:
    """The step that counts an attribute's values and puts them in the order of its distance."""
    order = attribute.declared.order
    return Step(
        f"order of {attribute.name}",
        attribute.positions,
        "recode/positions",
        {"records": RECORDS},
        {
            "attribute": attribute.alias,
            "listed": [(0, None), *enumerate(order, 1)] if isinstance(order, list) else (),
            "by_frequency": order == "frequency",
        },
    )


def _in_order(
    sensitive: Sequence[SensitiveAttribute], steps: Sequence[Step | Check]
) -> list[Step | Check]:
    """The steps that put values in order, without codes and checks that a plan of labels lacks."""
    covered = {
        f"sensitive.{attribute.name}.order"
        for attribute in sensitive
        if _lists_its_order(attribute)
    }
    counted = {
        attribute.positions: _positions(attribute) for attribute in sensitive if _is_flat(attribute)
    }
    return [
        counted.get(step.output, step) if isinstance(step, Step) else step
        for step in steps
        if not (isinstance(step, Check) and step.where in covered)
    ]


def _lists_its_order(attribute: SensitiveAttribute) -> bool:
    return isinstance(attribute.declared.order, list)


def _alive(
    parts: Mapping[Phase, Sequence[Step | Check]],
) -> dict[Phase, list[Step | Check]]:
    """The steps of a plan without those whose relation nothing reads and no reader is given."""
    everything = [step for some in parts.values() for step in some]
    steps = [step for step in everything if isinstance(step, Step)]
    checks = [step for step in everything if isinstance(step, Check)]
    wanted = [step.output for step in steps if step.how.published]
    wanted += [
        read for check in checks for read in check.inputs.values() if isinstance(read, Relation)
    ]
    alive = {step.output for step in needed(steps, wanted)}
    return {
        phase: [step for step in some if isinstance(step, Check) or step.output in alive]
        for phase, some in parts.items()
    }


def prepare_release(
    spec: Spec,
    engine: Engine,
    all_metrics: bool = False,
    source: Sql | None = None,
    together: bool = False,
) -> Prepared:
    """Plan a release, by labels alone where these are enough for all that is measured.

    A view of the source always is: what it measures is what the spec asks for.

    Args:
        spec: what is declared.
        engine: where the source lies and the release goes.
        all_metrics: whether everything is measured that a run measures.
        source: a FROM item, where the source is nothing that a spec can name.
        together: whether sensitive attributes may be measured together: a script is shorter so.

    Raises:
        SpecError: if the spec does not fit the source, or what it asks for cannot be a view of it.
    """
    prepared = prepare(spec, engine, source, full=all_metrics)
    if prepared.spec.is_live:
        return _live(prepared)
    return (None if all_metrics else recoded(prepared, together)) or prepared


def prepare_script(
    spec: Spec, engine: Engine, all_metrics: bool = False, dialect: str | None = None
) -> Prepared:
    """Plan a release that a script makes: its sensitive attributes are measured together.

    Args:
        spec: what is declared.
        engine: where the source lies.
        all_metrics: whether everything is measured that a run measures.
        dialect: the script's; the engine's own if None.

    Raises:
        SpecError: as `prepare_release`.
    """
    together = (dialect or engine.dialect) in _MEASURED_TOGETHER
    return prepare_release(spec, engine, all_metrics, together=together)


def _live(prepared: Prepared) -> Prepared:
    """The plan of a view of the source.

    Raises:
        SpecError: if the source is no table, or what is asked for cannot be a view.
    """
    spec, engine = prepared.spec, prepared.source_info.engine
    table = spec.source.table
    if engine.dialect not in ("duckdb", "postgres"):
        raise SpecError(Problem("materialize", "a live view is made in DuckDB and PostgreSQL"))
    if table is None or engine.kind_of(Relation.parse(table)) is None:
        what = _LIVE.format("name a table of the database as the source")
        raise SpecError(Problem("materialize", what))
    if prepared.forming.unsteady:
        raise SpecError(Problem("materialize", _LIVE.format(prepared.forming.unsteady)))
    found = recoded(prepared)
    if found is None:
        asked, said = sorted(asked_clauses(spec) - _plain(spec) - {"search"}), _NO_LEVEL
        if asked:
            said = f"leave out {', '.join(asked)}"
        elif prepared.forming.taken_over is not None:
            said = _NO_CELLS
        raise SpecError(Problem("materialize", _LIVE.format(said)))
    return found


def _columns(spec: Spec, attributes: Sequence[QuasiAttribute]) -> list[ByValue]:
    """The quasi-identifiers, each with the labels of its values.

    Raises:
        SpecError: if a listed label stands for several groups.
    """
    found = []
    for attribute, shown in zip(attributes, published_columns(attributes), strict=True):
        name, level = attribute.name, attribute.levels[0]
        hierarchy = spec.quasi_identifiers[name].hierarchy
        step, how, labelled = None, None, dict[str, Any]()
        if level < attribute.height and hierarchy is not None:
            column = attribute.column
            labelled = labelled_at(hierarchy, level, column, f"quasi_identifiers.{name}.hierarchy")
            how = labelled["how"]
            step = Step(
                f"labels of {name}",
                work("labels_", attribute.alias),
                "recode/labels",
                {"records": RECORDS},
                {"column": attribute.alias, "name": name, "kind": column.kind, **labelled},
                where=f"quasi_identifiers.{name}.hierarchy.sql" if "expression" in labelled else "",
            )
        listed = how == "listed" or (how == "bands" and labelled["width"] is None)
        # Equal values may have several texts: which of them a label follows is decided by a run.
        by_value = attribute.column.tie_breaker is None or how in _BY_VALUE
        sure = step is None or (by_value and how != "sql below others")
        found.append(
            ByValue(
                attribute=attribute,
                shown=shown,
                labelling=step,
                listed=listed,
                sure=sure,
            )
        )
    return found


def _checks(spec: Spec, column: ByValue) -> Iterable[Step | Check]:
    """The checks of a column's values and labels, as of a run, and the steps that they read."""
    one = column.attribute
    declared = spec.quasi_identifiers[one.name]
    return checks_of_values(one.alias, one.column, declared, RECORDS, column.listed)


def _publishing(
    prepared: Prepared,
    columns: Sequence[ByValue],
    laid: Laid | None,
    kept_as_they_are: Sequence[SensitiveAttribute | Released],
    asked: Sequence[Asked],
    before: Sequence[Step],
) -> Iterator[Step | Check]:
    """The steps that label the records, write the release, and count what was left out."""
    grouped, release = prepared.grouped, prepared.release
    shown = {"columns": [column.as_parameter for column in columns], "sensitive": kept_as_they_are}
    labelling = [column.labelling for column in columns if column.labelling]
    labels = {
        f"labels_{column.attribute.alias}": column.labelling.output
        for column in columns
        if column.labelling
    }
    if laid is not None:
        labelling += laid.steps
        labels = {"placed": PLACED, "boxes": laid.boxes}
    yield from labelling
    title, table = "writing the release", Materialization.TABLE
    read = {"records": RECORDS, **labels}
    if grouped.left_out is None:
        ordered = bool(labels) or bool(kept_as_they_are)
        yield Step(title, release, "recode/release", read, {**shown, "ordered": ordered}, table)
        return
    every = {**shown, "named": [], "known": []}
    recoding = Step("labelling the records", RECODED, "recode/recoded", read, every)
    judging = judging_steps([column.shown.alias for column in columns], asked, laid is not None)
    yield from (recoding, *judging)
    inputs = {"recoded": RECODED, "judged_classes": JUDGED}
    writing = Step(title, release, "recode/kept", inputs, shown, table)
    if prepared.spec.is_live:
        viewing = _of_known(recoding, columns if laid is None else (), asked)
        made = needed([*before, *labelling, viewing, *judging], inputs.values())
        writing = Standing(
            title=title,
            output=release,
            template=writing.template,
            inputs=inputs,
            params=shown,
            how=Materialization.VIEW,
            steps=tuple(made),
        )
    yield writing
    yield left_out_step(grouped, replace(grouped.left_out, classes=JUDGED))


def _of_known(recoding: Step, columns: Sequence[ByValue], asked: Sequence[Asked]) -> Step:
    """The step that recodes records, but those whose values a list lacks, as later ones may.

    Args:
        recoding: the same of all records.
        columns: the quasi-identifiers that have labels.
        asked: the models that are asked for.
    """
    sensitive = (model.attribute for model in asked if model.bound is not None)
    known = {
        str(attribute.alias): {"alias": attribute.alias, "positions": attribute.positions}
        for attribute in sensitive
        if attribute is not None and (_lists_its_order(attribute) or attribute.nodes is not None)
    }
    inputs = {f"positions_{alias}": value["positions"] for alias, value in known.items()}
    named = [column.as_parameter for column in columns if column.listed]
    params = {**recoding.params, "named": named, "known": list(known.values())}
    return replace(recoding, inputs={**recoding.inputs, **inputs}, params=params)


def _hidden(classes: Relation, columns: Sequence[ByValue], laid: Laid | None) -> Step:
    """The step that says which cells hide a value."""
    above = [column for column in columns if column.attribute.levels[0] > 0 and laid is None]
    inputs = {"classes": classes} | ({"records": RECORDS} if above else {})
    inputs |= {
        f"labels_{column.attribute.alias}": column.labelling.output
        for column in above
        if column.labelling
    }
    return Step(
        "which cells hide a value",
        _HIDDEN,
        "recode/hidden",
        inputs if laid is None else {"classes": classes, "boxes": laid.boxes},
        {"columns": [column.as_parameter for column in columns]},
    )
