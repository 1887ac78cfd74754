"""Some records of a release, for people, one of each of a few classes; and it in a notebook."""

from __future__ import annotations

from collections.abc import Iterable

from sqlanon.kept.metrics import Metric
from sqlanon.kept.recorded import Recorded
from sqlanon.kept.summary import Summary
from sqlanon.pages.inline import Bar, paragraphs, table
from sqlanon.plan import Rows
from sqlanon.session import Session
from sqlanon.spec.publication import RULES
from sqlanon.sql.names import identifier
from sqlanon.visible import cell

CLASSES = 5
_AMONG = 1_000  # records with the least numbers of groups, in which groups are looked for


def shown_in_words(counts: bool) -> str:
    """The records of a preview, in words.

    Args:
        counts: whether the release shows counts, and no record.
    """
    return "some of its groups" if counts else "a row of each of some classes"


def preview(release: Recorded) -> Rows:
    """A record of each of five classes, in the order of the classes; of fewer where there are.

    Of a table of counts, the first five groups.

    Classes are taken at equal steps from the first to the last, in the order of what they publish,
    so that they differ as much as the release does.

    Args:
        release: the release, as it is published.

    Raises:
        SpecError: if its columns or metrics are gone.
        EngineError: if the database fails.
    """
    columns = [one for one in release.columns if not one.beside]
    names = [one.name for one in columns]
    session, there = Session(release.engine), {"released": release.relation}
    groups = [one.name for one in columns if one.role == "group"]
    if RULES[release.publication].counts:
        listed = ", ".join(map(identifier, names))
        of, there_is = release.engine.named(release.relation), len(columns)
        places = ", ".join(str(place) for place in range(1, there_is + 1))
        text = f"select {listed} from {of} order by {places} limit {CLASSES}"
        shown = release.engine.fetch_portable(text, CLASSES, "reading some groups")
        return Rows(tuple(names), list(shown.rows))
    if groups:
        params = {"group": groups[0], "columns": names, "most": CLASSES, "among": _AMONG}
        found = session.fetch("report/preview_groups", there, params, CLASSES)
    else:
        classes = release.count("classes")
        reported = release.relation.beside("classes")
        with release.engine.reading(reported) as item:
            known = {one.name for one in release.engine.columns(item)}
        keys = [
            one.name
            for one in columns
            # A column of the report's own has taken the name of one that it has with an underscore.
            if one.role == "quasi_identifier" and one.name in known and f"{one.name}_" not in known
        ]
        found = session.fetch(
            "report/preview",
            {**there, "classes": reported},
            {"numbers": _apart(classes), "columns": names, "keys": keys},
            CLASSES,
        )
    rows = found.rows if groups else sorted(found.rows, key=lambda row: int(row[0]))
    return Rows(tuple(names), [row[1:] for row in rows])


def _apart(classes: int) -> list[int]:
    """The numbers of some classes, from 1, at equal steps."""
    most = min(CLASSES, classes)
    if most < 2:
        return [1]
    return [1 + place * (classes - 1) // (most - 1) for place in range(most)]


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
