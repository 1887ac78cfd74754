"""Classes and values of a release, counted in the database, as sections of a report."""

from __future__ import annotations

import json
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sqlanon.errors import Problem, SpecError
from sqlanon.measure.asked import class_column
from sqlanon.pages.charts.chart import Bin, Box, Boxes, Chart, Histogram
from sqlanon.pages.page import Section, Share, Table
from sqlanon.record.metrics import Metric
from sqlanon.record.recorded import MODEL_OF, Recorded, needs_records
from sqlanon.session import Session
from sqlanon.spec import Column

BINS = 24
MOST = 12  # values of a column that are shown
_MOST_FRAGMENTS = 300  # that are drawn
_UNCOUNTED = ("group", "pseudonym")  # columns whose values are made up


def classes_section(recorded: Recorded) -> Section:
    """How large the classes are."""
    k = [
        metric
        for metric in recorded.measures
        if (metric.metric, metric.attribute) == ("k_anonymity", None)
    ]
    bound = None if recorded.counts != "records" or not k else _bound(k[0])
    there = _there(recorded)
    chart = _histogram(recorded, there["records"], "Sizes of the classes", "records", bound)
    words = "How many classes have how many records."
    return Section("classes", "Class sizes", (words,), charts=(chart,))


def bounds_section(recorded: Recorded) -> Section:
    """The value that every class reaches of each model that was asked for, with the threshold."""
    there, charts = _there(recorded), []
    for metric in recorded.measures:
        known = MODEL_OF.get(metric.metric)
        column = class_column(metric.metric, metric.attribute)
        if known is None or metric.threshold is None or column not in there:
            continue
        if (metric.metric, metric.attribute) == (
            "k_anonymity",
            None,
        ) and recorded.counts == "records":
            continue  # the sizes again
        title = (
            f"{known.title}{f' of {metric.attribute}' if metric.attribute else ''}, class by class"
        )
        charts.append(_histogram(recorded, there[column], title, known.title, _bound(metric)))
    words = "How many classes reach what; the dashed line is what was asked for."
    if not charts:
        words = "Nothing was asked for but class sizes."
    return Section("bounds", "Each class and what was asked", (words,), charts=tuple(charts))


def fragments_section(recorded: Recorded) -> Section | None:
    """The fragments that classes were dealt from; None where a method has none.

    Gowda (2023), figures 4.1, 4.6 and 4.8.
    """
    found = json.loads(recorded.facts.get("search_fragments", "[]"))
    strata = found if isinstance(found, list) else [found]
    if not strata:
        return None
    names = list(recorded.spec["sensitive"])
    words = [
        "The classes were dealt from fragments: boxes of sensitive values, by their places in the "
        "order, or by bins. A class with its exact share of every fragment is no farther from all "
        "records than the fragments' bounds say."
    ]
    charts: list[Chart] = []
    for number, stratum in enumerate(strata, 1):
        title = "Fragments" if len(strata) == 1 else f"Fragments of stratum {number}"
        bounds = zip(names, stratum["bounds"], strict=True)
        said = ", ".join(f"{bound:.4g} of {name}" for name, bound in bounds)
        words.append(f"{title}: {len(stratum['fragments']):,}, with bounds {said}.")
        if len(names) <= 2 and len(stratum["fragments"]) <= _MOST_FRAGMENTS:
            charts.append(_fragments(title, names, stratum["fragments"]))
    return Section("fragments", "Fragments", tuple(words), charts=tuple(charts))


def class_charts(recorded: Recorded) -> dict[str, Chart]:
    """How large the classes are, and what each reaches of every model that was asked for.

    Returns:
        A chart for each, by its title.

    Raises:
        SpecError: if the classes are gone.
    """
    needs_records(recorded)
    charts = (*classes_section(recorded).charts, *bounds_section(recorded).charts)
    return {chart.title: chart for chart in charts}


def values_section(recorded: Recorded) -> Section:
    """The values that are most frequent in every published column."""
    tables = tuple(
        _frequent(recorded, column.name)
        for column in recorded.relations[""]
        if column.role not in _UNCOUNTED
    )
    words = f"The {MOST} most frequent values of every column, as published."
    return Section("values", "Published values", (words,), tables, closed=True)


def _there(recorded: Recorded) -> dict[str, Column]:
    """The columns of the classes relation.

    Raises:
        SpecError: if it is gone.
    """
    engine, relation = recorded.engine, recorded.relation.sibling("classes")
    if engine.kind_of(relation) is None:
        raise SpecError(Problem("release", f"{str(relation)!r} is gone: run its spec again"))
    with engine.reading(relation) as item:
        return {column.name: column for column in engine.columns(item)}


def _histogram(
    recorded: Recorded, column: Column, title: str, x: str, bound: float | None
) -> Histogram:
    whole = column.kind == "integer"
    classes = {"classes": recorded.relation.sibling("classes")}
    params = {"measure": column.name, "whole": whole, "bins": BINS}
    found = Session(recorded.engine).fetch("report/histogram", classes, params, BINS)
    bins = tuple(
        Bin(starts, starts + width - (1 if whole else 0), int(count))
        for _, starts, width, count, _ in found.rows
    )
    return Histogram(title=title, x=x, y="classes", bins=bins, whole=whole, bound=bound)


def _fragments(title: str, names: Sequence[str], fragments: Sequence[Any]) -> Chart:
    """The fragments of one attribute as bars, of two as boxes."""
    axes = [f"{name}, by place" for name in names]
    if len(axes) == 1:
        bins = (
            Bin(low, high, fragment["records"])
            for fragment in fragments
            for low, high in fragment["box"]
        )
        return Histogram(title, axes[0], "records", tuple(bins), whole=True)
    boxes = (
        Box(tuple(fragment["box"][0]), tuple(fragment["box"][1]), fragment["records"])
        for fragment in fragments
    )
    return Boxes(title, axes[0], axes[1], tuple(boxes))


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
