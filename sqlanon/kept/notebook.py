"""How a release, and what was measured of a table, show themselves in a notebook."""

from __future__ import annotations

from collections.abc import Iterable

from sqlanon.kept.metrics import Metric
from sqlanon.kept.preview import shown_in_words
from sqlanon.kept.summary import Summary
from sqlanon.pages.inline import Bar, paragraphs, table
from sqlanon.plan import Rows
from sqlanon.visible import cell


def metrics_table(caption: str, measures: Iterable[Metric]) -> str:
    """A table of what was reached, with what was asked for."""
    return table(
        caption,
        ("metric", "attribute", "reached", "asked for"),
        ((one.metric, one.attribute, one.value, one.threshold) for one in measures),
    )


def summary_html(summary: Summary) -> str:
    """The protection, its cost by column, and the risk, as HTML."""
    rows = ((one.column, Bar(one.lost), one.left) for one in summary.columns)
    costs = table("", ("column", "lost", "what is left"), rows) if summary.columns else ""
    return (
        paragraphs((summary.protected, summary.cost))
        + costs
        + paragraphs(filter(None, (summary.risk,)))
    )


def release_html(
    name: str,
    summary: Summary,
    measures: Iterable[Metric],
    sample: Rows | None,
    counts: bool = False,
) -> str:
    """A release: its summary, some of its records, and what was reached.

    Args:
        name: the release.
        summary: what it comes to.
        measures: its metrics.
        sample: some of its records; None where they cannot be read any more.
        counts: whether it shows counts, and no record.
    """
    records = ""
    if sample is not None:
        rows = ([cell(value) for value in row] for row in sample.rows)
        records = table(f"{name}, {shown_in_words(counts)}", sample.columns, rows)
    return summary_html(summary) + records + metrics_table(name, measures)
