"""Measuring any table with the same models, also another tool's release."""

from __future__ import annotations

from dataclasses import dataclass, replace

from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, Problem, Shortfall, SpecError, nearest_column
from sqlanon.hierarchies import Attribute, attribute_steps
from sqlanon.measure import SHARES, Measured, loss_columns, measurement, share_steps
from sqlanon.plan import Check, Listener, Plan, Session, Step
from sqlanon.privacy import declared_models
from sqlanon.release.gate import shortfall
from sqlanon.release.metrics import Metric, read_metrics, value_of
from sqlanon.release.notebook import metrics_table
from sqlanon.release.prepare import SIZE, released_as_they_are
from sqlanon.release.recode import published_columns
from sqlanon.release.source import RECORDS, aliases, look, records_step
from sqlanon.release.steady import check_steady
from sqlanon.spec import Source, Spec, fit
from sqlanon.sql.names import Sql


@dataclass(frozen=True)
class Measurements:
    """What was measured on a table.

    Attributes:
        table: the table's name.
        measures: every metric, beside what was asked for.
        shortfalls: the models that were asked for and do not hold, and records that are missing.
    """

    table: str
    measures: tuple[Metric, ...]
    shortfalls: tuple[Shortfall, ...]

    @property
    def passed(self) -> bool:
        """Whether everything that was asked for holds."""
        return not self.shortfalls

    def measure(self, metric: str, attribute: str | None = None) -> float | None:
        """The value of one metric."""
        return value_of(self.measures, metric, attribute)

    def _repr_html_(self) -> str:
        return metrics_table(self.table, self.measures)


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
) -> Measurements:
    """Measure a table against a spec's models.

    Nothing is written.

    Args:
        table: the table to measure.
        spec: the roles of its columns and the models; its source is the reference table, whose
            distribution t-closeness is measured against.
        engine: where the tables are.
        generalized: whether the table is a release of the spec's source, so that its cells can
            be read by the spec's hierarchies and the information loss is known.
        listener: is told of the steps.
        table_item: a FROM item in place of ``table``.
        source_item: a FROM item in place of the spec's source.
        source_name: what the spec's source is called in a message.
        conserved: whether the table must have as many records as the source.

    Raises:
        SpecError: if the spec does not fit the tables.
        InfeasibleError: if the table has no records.
    """
    item, table_columns = look(table, engine, "table", table_item)
    reference, source_columns = look(spec.source, engine, source_name, source_item)
    columns = fit(spec, source_columns)
    check_steady(spec, engine)
    short = aliases(spec)
    steps: list[Step | Check] = [
        records_step(reference, spec, columns, short, engine, once=False),
        Step("counting the records", SIZE, "source/size", {"records": RECORDS}),
    ]
    hidden, sensitive = [], []
    for name, declared in spec.quasi_identifiers.items():
        if generalized:
            attribute, made = attribute_steps(short[name], columns[name], declared, RECORDS)
            hidden.append(attribute)
            steps += made
    for name, settings in spec.sensitive.items():
        attribute, made = attribute_steps(short[name], columns[name], settings, RECORDS)
        sensitive.append(attribute)
        steps += made
    insensitive = released_as_they_are(spec, columns, short)
    if hidden and insensitive:
        steps += share_steps(insensitive, hidden, RECORDS, SIZE, spec.privacy.k)
    published = _published(spec, hidden)
    known = {column.name: column.kind for column in table_columns}
    wanted = [column.name for column, _ in published] + [one.name for one in sensitive]
    wanted += [one.name for one in insensitive]
    certain = table.query is None and not table.is_text
    problems = [
        Problem(
            "table", f"it has no column {name!r}; {nearest_column(name, known, wanted, certain)}"
        )
        for name in wanted
        if name not in known
    ]
    if problems:
        raise SpecError(problems)
    by_attribute: dict[str, list[Sql]] = {}
    for column, alias in published:
        by_attribute.setdefault(alias, []).append(column.alias)
    planned = measurement(
        item,
        [replace(column, kind=known[column.name]) for column, _ in published],
        sensitive,
        declared_models(spec.privacy, sensitive),
        loss_columns(hidden, by_attribute) if generalized else [],
        hidden,
        spec.privacy.k,
        [replace(column, kind=known[column.name]) for column in insensitive],
        SHARES if hidden and insensitive else None,
    )
    session = Session(engine, listener)
    with session.transaction(keep=False):
        session.run(Plan((*steps, *planned.steps)))
        measures = read_metrics(planned.metrics, engine)
        expected = engine.ask(f"select records from {engine.named(SIZE)}").rows[0][0]
    name, reached = table.table or table.file or "query", value_of(measures, "records", None)
    if not reached:
        raise InfeasibleError(f"{name!r} has no records: there is nothing to measure")
    failed = [
        shortfall(
            one.metric,
            one.attribute,
            one.threshold or "",
            one.value,
            one.failing_classes,
            one.failing_records,
        )
        for one in measures
        if one.passed is False
    ]
    if conserved and reached != expected:
        failed.append(shortfall("records", None, str(expected), reached))
    return Measurements(name, tuple(measures), tuple(failed))


def _published(spec: Spec, hidden: list[Attribute]) -> list[tuple[Measured, str]]:
    """The table's quasi-identifier columns, each with the alias of what it stands for."""
    if hidden:
        return [
            (Measured(column.alias, column.name, column.kind), str(column.attribute))
            for column in published_columns(hidden)
        ]
    return [
        (Measured(Sql(f"p{number}"), name, "other"), f"q{number}")
        for number, name in enumerate(spec.quasi_identifiers, 1)
    ]
