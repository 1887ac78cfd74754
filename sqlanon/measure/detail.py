"""How much detail of every quasi-identifier is published, in terms that its readers use."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from sqlanon.forms import form_of
from sqlanon.measure.loss import LossColumn
from sqlanon.measure.view import AdversaryView
from sqlanon.plan import Step, work
from sqlanon.session import Session
from sqlanon.spec import BandsHierarchy, DatesHierarchy
from sqlanon.spec.hierarchy import PrefixHierarchy, decimal_text

State = Literal["exact", "range", "values", "level", "centroid", "none", "other"]
_FEW = 1_000  # levels of a hierarchy, and other states, of one column
# From the finest to the coarsest.
_ORDER = {
    name: index
    for index, name in enumerate(("exact", "range", "values", "level", "centroid", "other", "none"))
}


@dataclass(frozen=True)
class Detail:
    """The records of a release whose cells show as much of one quasi-identifier.

    Attributes:
        column: the quasi-identifier.
        state: what the cells are: exact, a range, a list of values, a group of the hierarchy, one
            value that stands for its class, nothing, or unreadable.
        records: how many records have such a cell.
        amount: of a range its mean width, of a list how many values it has on average; else None.
        unit: what a width counts: ``seconds``, ``places`` of a listed order, or nothing.
        level: of a group, what the groups of its level are called.
    """

    column: str
    state: State
    records: int
    amount: float | None = None
    unit: str = ""
    level: str = ""


def detail_step(view: AdversaryView) -> Step | None:
    """The question how much detail a view shows; None where its rows are exact."""
    columns = view.priced
    if not columns:
        return None
    domains = {str(column.attribute): column.domain for column in columns}
    untold = [
        column for column in columns if form_of(column.of).loss_in_class(column.of) is not None
    ]
    return Step(
        "the detail of every quasi-identifier",
        work("detail"),
        "measure/detail",
        {"classes": view.classes}
        | ({} if view.centroids is None else {"centroid_losses": view.centroids})
        | {f"domain_{alias}": relation for alias, relation in domains.items()},
        {
            "columns": list(columns),
            "domains": domains,
            "found": () if view.centroids is None else tuple(column.attribute for column in untold),
            "published": tuple(
                published_column.alias
                for column in columns
                for published_column in column.published
            ),
        },
    )


def details(view: AdversaryView, session: Session) -> tuple[Detail, ...]:
    """How much detail a release shows of every quasi-identifier, while its relations are there.

    Returns:
        Of every quasi-identifier whose cells can be read its states, the finest first; nothing of
        exact rows.
    """
    step, columns = detail_step(view), view.priced
    if step is None:
        return ()
    most = _FEW * len(columns)
    found = session.fetch(step.template, step.inputs, step.params, most)
    rows = sorted(found.rows, key=lambda row: (row[0], _ORDER[row[1]], row[2] or 0))
    return tuple(
        Detail(
            column=columns[int(number) - 1].name,
            state=state,
            records=int(records),
            amount=None if amount is None else float(amount),
            unit=_unit(columns[int(number) - 1]) if state == "range" else "",
            level="" if level is None else _level(columns[int(number) - 1], int(level), str(label)),
        )
        for number, state, level, label, records, amount in rows
    )


def _unit(column: LossColumn) -> str:
    """The unit of a column's widths."""
    if column.of.ordered:
        return "places"
    return "seconds" if column.kind in ("date", "timestamp") else ""


def _level(column: LossColumn, level: int, label: str) -> str:
    """The name of a level's groups: by what makes them, or by a group that is published."""
    hierarchy = column.of.declared.hierarchy
    if isinstance(hierarchy, DatesHierarchy):
        return f"the {hierarchy.dates[level - 1]}"
    width = hierarchy.bands[level - 1] if isinstance(hierarchy, BandsHierarchy) else ()
    if not isinstance(width, tuple):
        return f"a band of {f'{width:,}' if isinstance(width, int) else decimal_text(width)}"
    if isinstance(hierarchy, PrefixHierarchy):
        kept = hierarchy.prefix[level - 1]
        return f"the first {'character' if kept == 1 else f'{kept:,} characters'}"
    return f"a group such as {label}"


def by_column(found: Iterable[Detail]) -> dict[str, list[Detail]]:
    """The states of every quasi-identifier, by its name."""
    columns: dict[str, list[Detail]] = {}
    for detail in found:
        columns.setdefault(detail.column, []).append(detail)
    return columns
