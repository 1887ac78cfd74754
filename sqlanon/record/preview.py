"""Some records of a release, for people, one of each of a few classes; and it in a notebook.

A program gets published cells as values: intervals, their ends or middle.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal

from sqlanon.common.visible import cell
from sqlanon.errors import SpecError
from sqlanon.pages.page import Bar, paragraphs, table
from sqlanon.plan import Rows
from sqlanon.record.metrics import Metric
from sqlanon.record.recorded import Recorded
from sqlanon.record.summary import Summary
from sqlanon.session import Session
from sqlanon.spec.publication import RULES
from sqlanon.sql.names import identifier

if TYPE_CHECKING:
    import pandas as pd

Cells = Literal["text", "interval", "mid", "bounds"]
AS_PUBLISHED: Cells = "text"
_INTERVAL = re.compile(r"\[(?P<low>[^,\[\]]+), (?P<high>[^,\[\]()]+)(?P<end>[\])])")
_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2}(\.\d+)?)?")
_NOTHING = "*"  # a cell that says nothing


def usable(frame: pd.DataFrame, columns: Iterable[str], cells: Cells) -> pd.DataFrame:
    """A frame whose intervals of numbers and dates are values, and no text.

    A column is changed if all of its cells are intervals, single numbers or dates, ``*`` or NULL.
    The last two are missing values there. Where every cell is a single value, the column has
    numbers or dates with any ``cells``. Any other text is a category.

    Args:
        frame: the published rows.
        columns: the names of the quasi-identifiers' columns.
        cells: what a cell becomes: ``interval``, a ``pandas.Interval``; ``mid``, the middle of it,
            a number or a ``pandas.Timestamp``; or ``bounds``, its two ends, in two columns that
            end in ``_min`` and ``_max``.

    Raises:
        SpecError: if ``cells`` is none of these.
    """
    import pandas as pd

    if cells not in _MADE:
        known = ", ".join(repr(name) for name in (AS_PUBLISHED, *_MADE))
        raise SpecError(f"cells={cells!r} is not known: say one of {known}")
    generalized, changed = set(columns), {}
    for name in frame.columns:
        column = frame[name]
        found = _values(column) if name in generalized else None
        if found is None:
            is_label = name in generalized and any(isinstance(one, str) for one in column)
            changed[name] = column.astype("category") if is_label else column
            continue
        made = _MADE[cells]
        if all(low == high for low, high, _ in found.values()):
            made = {"": _middle}
        for ending, value in made.items():
            values = {text: value(*ends) for text, ends in found.items()}
            # Intervals stay objects: of both kinds of ends pandas makes no array of its own.
            kind = object if value is _interval else None
            listed = [values.get(one) for one in column]
            end = f"{name}{ending}"
            while ending and end in frame.columns:
                end += "_"  # a column of the release is called so
            changed[end] = pd.Series(listed, index=frame.index, dtype=kind)
    return pd.DataFrame(changed, index=frame.index)


def _values(column: pd.Series[Any]) -> dict[str, _Ends] | None:
    """The ends of every cell of a column; None if it has others, or only those of nothing."""
    known = {one for one in column.unique() if isinstance(one, str)} - {_NOTHING}
    read = {text: found for text in known if (found := _read(text)) is not None}
    return read if read and read.keys() == known else None


_Ends = tuple[Any, Any, Literal["left", "both"]]


def _read(text: str) -> _Ends | None:
    """The ends of a cell and which of them it holds; None if it is no interval and no value."""
    found = _INTERVAL.fullmatch(text)
    low, high = (found["low"], found["high"]) if found else (text, text)
    ends = [_end(low), _end(high)]
    if None in ends or type(ends[0]) is not type(ends[1]):
        return None
    return ends[0], ends[1], "left" if found and found["end"] == ")" else "both"


def _end(text: str) -> Any:
    import pandas as pd

    if _NUMBER.fullmatch(text):
        return float(text)
    return pd.Timestamp(text) if _DATE.fullmatch(text) else None


def _interval(low: Any, high: Any, closed: Literal["left", "both"]) -> Any:
    import pandas as pd

    return pd.Interval(low, high, closed=closed)


def _middle(low: Any, high: Any, closed: str) -> Any:
    return low + (high - low) / 2


def _low(low: Any, high: Any, closed: str) -> Any:
    return low


def _high(low: Any, high: Any, closed: str) -> Any:
    return high


# The columns that a column becomes: the end of the name of each, and how its cells are made.
_MADE: dict[str, dict[str, Callable[..., Any]]] = {
    "interval": {"": _interval},
    "mid": {"": _middle},
    "bounds": {"_min": _low, "_max": _high},
}


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

    Raises:
        SpecError: if its columns or metrics are gone.
    """
    columns = [column for column in release.columns if not column.beside]
    names = [column.name for column in columns]
    session, there = Session(release.engine), {"released": release.relation}
    groups = [column.name for column in columns if column.role == "group"]
    if RULES[release.publication].counts:
        listed = ", ".join(map(identifier, names))
        of, there_is = release.engine.named(release.relation), len(columns)
        order = ", ".join(str(number) for number in range(1, there_is + 1))
        text = f"select {listed} from {of} order by {order} limit {CLASSES}"
        shown = release.engine.fetch_portable(text, CLASSES, "reading some groups")
        return Rows(tuple(names), list(shown.rows))
    if groups:
        params = {"group": groups[0], "columns": names, "most": CLASSES, "among": _AMONG}
        found = session.fetch("report/preview_groups", there, params, CLASSES)
    else:
        classes = release.count("classes")
        reported = release.relation.sibling("classes")
        with release.engine.reading(reported) as item:
            known = {column.name for column in release.engine.columns(item)}
        keys = [
            column.name
            for column in columns
            # A column of the report's own has taken the name of one that it has with an underscore.
            if column.role == "quasi_identifier"
            and column.name in known
            and f"{column.name}_" not in known
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
    return [1 + number * (classes - 1) // (most - 1) for number in range(most)]


def metrics_table(caption: str, measures: Iterable[Metric]) -> str:
    """A table of what was reached, with what was asked for."""
    return table(
        caption,
        ("metric", "attribute", "reached", "asked for"),
        ((metric.metric, metric.attribute, metric.value, metric.threshold) for metric in measures),
    )


def summary_html(summary: Summary) -> str:
    """The protection, its cost by column, and the risk, as HTML."""
    rows = ((cost.column, Bar(cost.lost), cost.left) for cost in summary.columns)
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
