"""Recoding at fixed levels: a plan without codes, cells or a search, for a script to hold.

Where the level of every quasi-identifier is known, the labels of a record follow from its values
alone. A run codes the values first, since it measures what the release loses; a script, which
measures what its spec asks for and nothing else, need not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.domains import (
    QuasiAttribute,
    SensitiveAttribute,
    attribute_steps,
    checks_of_values,
    labelled_at,
)
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.forms import PublishedColumn, published_columns
from sqlanon.judge.gate import enough_records, nothing_copied
from sqlanon.judge.judge import judge
from sqlanon.measure import ToMeasure, asked_models, copies, table_view
from sqlanon.plan import Check, Materialization, Phase, Plan, Standing, Step, needed, work
from sqlanon.planning.prepare import Prepared, prepare
from sqlanon.privacy.k_anonymity import K_ANONYMITY
from sqlanon.publish import Ledger
from sqlanon.source.attributes import compared, quasi_attributes, sensitive_attributes
from sqlanon.source.identifiers import identifier_steps
from sqlanon.source.source import COUNTING, RECORDS, SIZE, aliases, records_step
from sqlanon.spec import Spec
from sqlanon.spec.levels import levelled, levels_are_fixed
from sqlanon.spec.refusals import asked_clauses
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

RECODED = work("recoded")  # every record with its labels, where some may be left out
_HIDDEN = work("hidden")
_LIVE = (
    "a view that changes with its source is labels of fixed levels and holds k alone: {}, or "
    "publish a table (materialize: table)"
)
_BY_VALUE = ("bands", "dates")  # labels that follow from a number or a date, not from its text
# What a spec may ask for that changes nothing of how a record is recoded.
_PLAIN = {
    *("k", "recipe", "suppression", "form"),
    *("file", "encoding", "query", "schema", "where to search", "unpredicted classes"),
    "live view",
}


@dataclass(frozen=True)
class _Column:
    """A quasi-identifier whose level is known.

    Attributes:
        attribute: the quasi-identifier.
        shown: the column of the release that stands for it.
        labelling: the step that makes its labels; None where the label of all is *.
        checks: what a run asks of its values and labels too, with what that reads.
        listed: whether its labels are taken from a list, which may lack a value.
        sure: whether a label follows from the value, however that is written.
    """

    attribute: QuasiAttribute
    shown: PublishedColumn
    labelling: Step | None
    checks: tuple[Step | Check, ...]
    listed: bool
    sure: bool

    @property
    def as_parameter(self) -> dict[str, Any]:
        """The same, as templates read it."""
        labels = None if self.labelling is None else self.labelling.output
        alias = self.attribute.alias
        return {
            "alias": alias,
            "name": self.attribute.name,
            "published": self.shown.name,
            "shown": self.shown.alias,
            "hides": self.attribute.levels[0] > 0,
            "labels": labels,
            "label": Sql("'*'" if labels is None else f"labels_{alias}.label"),
        }


def is_plain(spec: Spec) -> bool:
    """Whether a spec asks for labels of fixed levels, and for models of the classes alone.

    Args:
        spec: what is declared, with the levels of its recipe if it has one.
    """
    bounds = [spec.levels.get(name) for name in spec.quasi_identifiers]
    fixed = all(one is not None and one[0] == one[1] for one in bounds)
    plain = levels_are_fixed(spec) and asked_clauses(spec) <= _PLAIN and not spec.metrics
    return fixed and plain and levelled(spec) == list(spec.quasi_identifiers)


def recoded(prepared: Prepared) -> Prepared | None:
    """The same release by labels that follow from a record's values alone.

    Its rows are those of the plan, but for their order. It measures what the spec asks for.

    Args:
        prepared: the plan of a run.

    Returns:
        It; None where the spec asks for more than labels of fixed levels: a level that is not
        known, what crosses the records such as persons, or records left out because of another
        model than k, which are found class by class.
    """
    spec, info = prepared.spec, prepared.source_info
    if not is_plain(spec):
        return None
    known, short = info.columns, aliases(spec)
    columns = _columns(spec, prepared)
    sensitive, sensitive_steps = sensitive_attributes(spec, known, short)
    asked = asked_models(spec.privacy, sensitive, full=False)
    suppresses = spec.suppression is not None
    only_k = [one.key for one in asked if one.bound is not None] == [(K_ANONYMITY.name, None)]
    if suppresses and not only_k:
        return None
    if any(not one.sure for one in columns):
        return None
    measured = any(one.attribute is not None for one in asked)
    held = [one for one in sensitive if spec.sensitive[one.name].accept is None]
    view = table_view(
        prepared.release, [one.shown for one in columns], sensitive if measured else ()
    )
    view = replace(view, remedy="a higher level, or suppression")
    ledger = Ledger(SIZE, prepared.release)
    reading = records_step(info.source, spec, known, short, info.engine, False)
    publishing = list(_publishing(prepared, columns, sensitive, suppresses, reading))
    if suppresses:
        left_out = prepared.release.beside("suppressed")
        ledger = replace(ledger, suppressed=left_out, limit=spec.most_suppressed)
    account = ledger if suppresses else None
    wanted = ToMeasure(spec.privacy, full=False, release=prepared.release)
    judged = judge(view, wanted, account)
    gate: list[Step | Check] = [*judged.gate]
    if not suppresses:
        compared_counts = {"records": RECORDS, "release": prepared.release}
        gate.insert(
            0, replace(ledger.check, template="recode/check_conserved", inputs=compared_counts)
        )
    looking: list[Step | Check] = [step for one in columns for step in one.checks]
    comparing: list[Step | Check] = []
    if held:
        flat, given = _flat(spec, prepared, columns)
        looking += flat
        whole = replace(view, sensitive=tuple(sensitive))
        found = copies(whole, compared(spec, RECORDS, ()), given, _HIDDEN)
        if found is not None:
            comparing = [_hidden(view.classes, columns), found.coding]
            gate.insert(-1, nothing_copied(found, ledger))
    looking += sensitive_steps
    parts = _alive(
        {
            Phase.READING: [
                reading,
                COUNTING,
                enough_records(SIZE, spec.privacy.k),
                *identifier_steps(spec, info.source, known),
            ],
            Phase.LOOKING: looking,
            Phase.PUBLISHING: publishing,
            Phase.MEASURING: [*judged.steps, *comparing],
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


def _alive(
    parts: Mapping[Phase, Sequence[Step | Check]],
) -> dict[Phase, list[Step | Check]]:
    """The steps of a plan without those whose relation nothing reads and no reader is given."""
    everything = [one for some in parts.values() for one in some]
    steps = [one for one in everything if isinstance(one, Step)]
    checks = [one for one in everything if isinstance(one, Check)]
    wanted = [one.output for one in steps if one.how.published]
    wanted += [read for one in checks for read in one.inputs.values() if isinstance(read, Relation)]
    alive = {one.output for one in needed(steps, wanted)}
    return {
        phase: [one for one in some if isinstance(one, Check) or one.output in alive]
        for phase, some in parts.items()
    }


def prepare_release(
    spec: Spec, engine: Engine, all_metrics: bool = False, source: Sql | None = None
) -> Prepared:
    """Plan a release, by labels alone where these are enough for all that is measured.

    A view of the source always is: what it measures is what the spec asks for.

    Args:
        spec: what is declared.
        engine: where the source lies and the release goes.
        all_metrics: whether everything is measured that a run measures.
        source: a FROM item, where the source is nothing that a spec can name.

    Raises:
        SpecError: if the spec does not fit the source, or what it asks for cannot be a view of it.
    """
    prepared = prepare(spec, engine, source, full=all_metrics)
    if prepared.spec.is_live:
        return _live(prepared)
    return (None if all_metrics else recoded(prepared)) or prepared


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
    models = asked_models(spec.privacy, prepared.grouped.sensitive, full=False)
    others = sorted({one.metric for one in models if one.key != (K_ANONYMITY.name, None)})
    if others:
        what = _LIVE.format(f"ask for no {', '.join(others)}")
        raise SpecError(Problem("materialize", what))
    found = recoded(prepared)
    if found is None:
        asked = sorted(asked_clauses(spec) - _PLAIN - {"search"})
        said = f"leave out {', '.join(asked)}" if asked else "give the level of every column"
        raise SpecError(Problem("materialize", _LIVE.format(said)))
    return found


def _columns(spec: Spec, prepared: Prepared) -> list[_Column]:
    """The quasi-identifiers, each with the labels of its values.

    Raises:
        SpecError: if a listed label stands for several groups.
    """
    known, short = prepared.source_info.columns, aliases(spec)
    attributes, _ = quasi_attributes(spec, known, short)
    found = []
    for attribute, shown in zip(attributes, published_columns(attributes), strict=True):
        name, level = attribute.name, attribute.levels[0]
        hierarchy = spec.quasi_identifiers[name].hierarchy
        step, how, labelled = None, None, dict[str, Any]()
        if level < attribute.height and hierarchy is not None:
            column = known[name]
            labelled = labelled_at(hierarchy, level, column, f"quasi_identifiers.{name}.hierarchy")
            how = labelled["how"]
            step = Step(
                f"labels of {name}",
                work("labels_", attribute.alias),
                "recode/labels",
                {"records": RECORDS},
                {"column": attribute.alias, "name": name, "kind": column.kind, **labelled},
            )
        listed = how == "listed" or (how == "bands" and labelled["width"] is None)
        checks = checks_of_values(
            short[name], known[name], spec.quasi_identifiers[name], RECORDS, listed
        )
        # Equal values may have several texts: which of them a label follows is decided by a run.
        by_value = known[name].telling is None or how in _BY_VALUE
        sure = step is None or (by_value and how != "sql below others")
        found.append(
            _Column(
                attribute=attribute,
                shown=shown,
                labelling=step,
                checks=tuple(checks),
                listed=listed,
                sure=sure,
            )
        )
    return found


def _publishing(
    prepared: Prepared,
    columns: Sequence[_Column],
    sensitive: Sequence[SensitiveAttribute],
    suppresses: bool,
    reading: Step,
) -> Iterator[Step | Check]:
    """The steps that label the records, write the release, and count what was left out."""
    k, release = prepared.spec.privacy.k, prepared.release
    is_live = prepared.spec.is_live
    shown = {"columns": [one.as_parameter for one in columns], "sensitive": sensitive}
    labels = {
        f"labels_{one.attribute.alias}": one.labelling.output for one in columns if one.labelling
    }
    yield from (one.labelling for one in columns if one.labelling)
    listed = [one for one in columns if one.listed]
    if listed:
        yield Check(
            "every value has a label",
            "recode/check_labelled",
            {"records": RECORDS}
            | {name: labels[name] for name in (f"labels_{one.attribute.alias}" for one in listed)},
            {"columns": [one.as_parameter for one in listed]},
            "",
            "quasi_identifiers.{attribute}.hierarchy: the hierarchy does not cover {missing} of "
            "the column's values: add each of them as a leaf with all its groups, or between edges",
        )
    title, table = "writing the release", Materialization.TABLE
    if not suppresses:
        ordered = bool(labels) or bool(sensitive)
        inputs = {"records": RECORDS, **labels}
        yield Step(title, release, "recode/release", inputs, {**shown, "ordered": ordered}, table)
        return
    # A value that comes later may have no label: a view of the source shows nothing of it.
    named = [one.as_parameter for one in listed] if is_live else []
    labelling = Step(
        "labelling the records",
        RECODED,
        "recode/recoded",
        {"records": RECORDS, **labels},
        {**shown, "named": named},
    )
    yield labelling
    kept, read = {**shown, "k": k}, {"recoded": RECODED}
    if is_live:
        made = (one.labelling for one in columns if one.labelling)
        steps = (reading, *made, labelling)
        yield Standing(
            title=title,
            output=release,
            template="recode/kept",
            inputs=read,
            params=kept,
            how=Materialization.VIEW,
            steps=steps,
        )
    else:
        yield Step(title, release, "recode/kept", read, kept, table)
    yield Step(
        "what was left out",
        release.beside("suppressed"),
        "recode/suppressed",
        {"recoded": RECODED},
        {**shown, "k": k, "metric": K_ANONYMITY.name},
        table,
    )


def _flat(
    spec: Spec, prepared: Prepared, columns: Sequence[_Column]
) -> tuple[list[Step | Check], list[QuasiAttribute]]:
    """The quasi-identifiers with codes in the order of their values, to compare columns by."""
    known, short = prepared.source_info.columns, aliases(spec)
    steps: list[Step | Check] = []
    given = []
    for one in columns:
        name = one.attribute.name
        bare = spec.quasi_identifiers[name].model_copy(
            update={"hierarchy": None, "publish": "set", "order": None, "nominal": True}
        )
        attribute, made = attribute_steps(short[name], known[name], bare, RECORDS, "flat_")
        steps += made
        given.append(replace(one.attribute, domain=attribute.domain))
    return steps, given


def _hidden(classes: Relation, columns: Sequence[_Column]) -> Step:
    return Step(
        "which cells hide a value",
        _HIDDEN,
        "recode/hidden",
        {"classes": classes},
        {"columns": [one.as_parameter for one in columns]},
    )
