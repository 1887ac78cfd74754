"""Classes and values of a release, counted in the database, as sections of a report."""

from __future__ import annotations

from fractions import Fraction

from sqlanon.charts import Bin, Chart, Histogram
from sqlanon.errors import Problem, SpecError
from sqlanon.kept.metrics import Metric
from sqlanon.kept.recorded import Recorded, needs_records
from sqlanon.kept.words import MODEL_OF
from sqlanon.measure import class_column
from sqlanon.pages import Section, Share, Table
from sqlanon.reports.measures import counts_persons
from sqlanon.session import Session
from sqlanon.spec import Column

BINS = 24
MOST = 12  # values of a column that are shown
_UNCOUNTED = ("group", "pseudonym")  # columns whose values are made up


def classes_section(recorded: Recorded) -> Section:
    """How large the classes are."""
    k = [one for one in recorded.measures if (one.metric, one.attribute) == ("k_anonymity", None)]
    bound = None if counts_persons(recorded) or not k else _bound(k[0])
    there = _there(recorded)
    chart = _histogram(recorded, there["records"], "Sizes of the classes", "records", bound)
    words = "How many classes have how many records."
    return Section("classes", "Class sizes", (words,), charts=(chart,))


def bounds_section(recorded: Recorded) -> Section:
    """The value that every class reaches of each model that was asked for, with the threshold."""
    there, charts = _there(recorded), []
    for one in recorded.measures:
        known = MODEL_OF.get(one.metric)
        column = class_column(one.metric, one.attribute)
        if known is None or one.threshold is None or column not in there:
            continue
        if (one.metric, one.attribute) == ("k_anonymity", None) and not counts_persons(recorded):
            continue  # the sizes again
        title = f"{known.title}{f' of {one.attribute}' if one.attribute else ''}, class by class"
        charts.append(_histogram(recorded, there[column], title, known.title, _bound(one)))
    words = "How many classes reach what; the dashed line is what was asked for."
    if not charts:
        words = "Nothing was asked for but class sizes."
    return Section("bounds", "Each class and what was asked", (words,), charts=tuple(charts))


def class_charts(recorded: Recorded) -> dict[str, Chart]:
    """How large the classes are, and what each reaches of every model that was asked for.

    Returns:
        A chart for each, by its title.

    Raises:
        SpecError: if the classes are gone.
        EngineError: if the database fails.
    """
    needs_records(recorded)
    charts = (*classes_section(recorded).charts, *bounds_section(recorded).charts)
    return {one.title: one for one in charts}


def values_section(recorded: Recorded) -> Section:
    """The values that are most frequent in every published column."""
    tables = tuple(
        _frequent(recorded, one.name)
        for one in recorded.relations[""]
        if one.role not in _UNCOUNTED
    )
    words = f"The {MOST} most frequent values of every column, as published."
    return Section("values", "Published values", (words,), tables, closed=True)


def _there(recorded: Recorded) -> dict[str, Column]:
    """The columns of the classes relation.

    Raises:
        SpecError: if it is gone.
    """
    engine, relation = recorded.engine, recorded.relation.beside("classes")
    if engine.kind_of(relation) is None:
        raise SpecError(Problem("release", f"{str(relation)!r} is gone: run its spec again"))
    with engine.reading(relation) as item:
        return {one.name: one for one in engine.columns(item)}


def _histogram(
    recorded: Recorded, column: Column, title: str, x: str, bound: float | None
) -> Histogram:
    whole = column.kind == "integer"
    classes = {"classes": recorded.relation.beside("classes")}
    params = {"measure": column.name, "whole": whole, "bins": BINS}
    found = Session(recorded.engine).fetch("report/histogram", classes, params, BINS)
    bins = tuple(
        Bin(starts, starts + width - (1 if whole else 0), int(count))
        for _, starts, width, count, _ in found.rows
    )
    return Histogram(title=title, x=x, y="classes", bins=bins, whole=whole, bound=bound)


def _frequent(recorded: Recorded, column: str) -> Table:
    released = {"released": recorded.relation}
    params = {"column": column, "most": MOST}
    found = Session(recorded.engine).fetch("report/frequent", released, params, MOST)
    in_all = recorded.count("records")
    rows = [
        ("NULL" if value is None else value, f"{records:,}", Share(records / in_all))
        for value, records, _ in found.rows
    ]
    different = found.rows[0][-1] if found.rows else 0
    if different > MOST:
        others = in_all - sum(row[1] for row in found.rows)
        rest = f"{different - MOST:,} other values"
        rows.append((rest, f"{others:,}", Share(others / in_all)))
    head = ("value", "records", "of all")
    return Table(f"{column}: {different:,} values", head, tuple(rows), frozenset({1}))


def _bound(measure: Metric) -> float | None:
    """The threshold that was asked for, as a number; None where it is several."""
    try:
        return float(Fraction(measure.threshold or ""))
    except ValueError:
        return None
