"""What drafts a part of a spec."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlanon.api.given import Settings, from_item, is_frame, opened
from sqlanon.profile import GROUPS, Suggested, suggest_hierarchy
from sqlanon.progress import watching
from sqlanon.session import Listener
from sqlanon.spec import Frame, parse_source


def hierarchy(
    source: Any,
    column: str,
    *,
    k: int = 10,
    groups: int = GROUPS,
    database: str | Path | None = None,
    connection: Any = None,
    settings: Settings | None = None,
    progress: Listener | bool = True,
    show_database_errors: bool = False,
) -> Suggested:
    """A first hierarchy for a column, to be read, edited and kept with the spec.

    Dates get periods, codes are masked, numbers are put in bands of about as many records each,
    whose borders are rounded, and text that fewer than ``k`` records share becomes one group.

    Args:
        source: the records, as for `anonymize`.
        column: the column's name.
        k: how many records make a text frequent.
        groups: in how many bands numbers are put at most; each level has half as many as the last.
        database: what holds the records, if they are a table.
        connection: as for `anonymize`.
        settings: as for `anonymize`.
        progress: as for `anonymize`.
        show_database_errors: as for `anonymize`.

    Returns:
        The hierarchy as a spec declares it, and the text of the file that it names, if any.

    Raises:
        SpecError: if the source cannot be read, has no such column, or nothing fits the column.
        EngineError: if the database fails.

    Example:
        >>> sqlanon.hierarchy("patients.csv", "age", groups=4).declared  # doctest: +SKIP
    """
    records = source if is_frame(source) else None
    named = Frame() if records is not None else parse_source(source)
    with (
        opened(database, connection, settings, show_database_errors) as engine,
        from_item(records, engine) as item,
        watching(progress) as listener,
    ):
        return suggest_hierarchy(named, column, engine, k, groups, item, listener)
