"""A release under attack, as its reader sees it: the view of classes, and rows that look alike."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlanon.attacks.as_published import AsPublished, ShownCell
from sqlanon.attacks.findings import Findings
from sqlanon.errors import InfeasibleError
from sqlanon.measure.insensitive import Released
from sqlanon.measure.view import MEASURED, AdversaryView, Tied, joined_view, table_view
from sqlanon.plan import Check, Materialization, Plan, Step, work
from sqlanon.publish.groups import COUNT, GROUP
from sqlanon.session import Session
from sqlanon.source.attributes import sensitive_attributes
from sqlanon.source.source import RECORDS, aliases
from sqlanon.sql.names import Relation, Sql

_TUPLES = work("published_tuples")


@dataclass(frozen=True)
class Target:
    """A release under attack, what is known of persons, and where the findings go.

    Attributes:
        session: carries steps out where the release is.
        published: the release, as its readers have it.
        cells: the quasi-identifiers that are known of the persons.
        findings: the attack writes its findings here.
        keep: the release with which the findings about every class and person are kept; None where
            nothing is kept.
    """

    session: Session
    published: AsPublished
    cells: Sequence[ShownCell]
    findings: Findings
    keep: Relation | None = None


def view_of(target: Target) -> AdversaryView:
    """Lay out what a reader can tie together.

    Raises:
        InfeasibleError: if the release has no records.
    """
    found, session = target.published, target.session
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
        for place, one in enumerate((column for cell in found.cells for column in cell.columns), 1)
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
    classes = session.engine.named(view.classes)
    counted = session.engine.fetch_portable(
        f"select count(*) from {classes}", 1, "counting the classes"
    )
    if not counted.rows[0][0]:
        raise InfeasibleError(f"{found.name!r} has no records: there is nothing to attack")
    return view


def tuples_of(target: Target, view: AdversaryView) -> tuple[Relation, Sql, dict[str, list[Sql]]]:
    """The published tuples, the column that names their class, and what shows each cell.

    Args:
        target: the release.
        view: what a reader can tie together.
    """
    shown: dict[str, list[Sql]] = {}
    for cell in target.published.cells:
        taken = sum(map(len, shown.values()))
        shown[cell.name] = [Sql(f"p{taken + n}") for n, _ in enumerate(cell.columns, 1)]
    if view.tuples is None:
        return view.classes, Sql("class_id"), shown
    columns = [column for cell in target.cells for column in shown[cell.name]]
    step = Step(
        "the rows of every group that look alike",
        _TUPLES,
        "measure/classes",
        {"measured": MEASURED},
        {"published": (Sql("p0"), *columns)},
    )
    target.session.run(Plan((step,)))
    return _TUPLES, Sql("p0"), shown
