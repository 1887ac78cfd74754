"""Lists in SQL text: the signs between their parts, and as many parts in a line as fit."""

from __future__ import annotations

import re
from collections.abc import Iterable
from textwrap import indent
from typing import Any

from sqlanon.sql.names import Sql, literal

# The first line and the last of a CASE that goes over several.
_OPENS, _CLOSES = re.compile(r"\bcase(?! when)( [^'\"`]*)?$"), re.compile(r" *end\b")
_WIDE = 120  # characters of a line that holds several parts of a list
_SHORT = 80  # characters of a list that stands within a line

# The signs that join the parts of a list that a loop writes out.
LISTS: dict[str, Any] = {
    "comma": lambda loop, more=False: Sql("," if not loop.last or more else ""),
    "comma_space": lambda loop, more=None: Sql("" if loop.last and not more else ", "),
    "comma_if": lambda condition: Sql("," if condition else ""),
    "and_if": lambda condition: Sql("and " if condition else ""),
    "plus_if": lambda condition: Sql("+ " if condition else ""),
    "plus_between": lambda loop: Sql("" if loop.last else " + "),
    "union_all": lambda loop, more=False: Sql("    union all" if not loop.last or more else ""),
}


def filled(lines: str) -> Sql:
    """Lines that each hold a part of a list, as fewer lines with several parts.

    They stay as they are where a text or a name in them goes over several lines.
    """
    parts = lines.rstrip("\n").split("\n")
    if any(part.count(quote) % 2 for part in parts for quote in "'\"`"):
        return Sql(lines)
    line = " ".join([parts[0], *(part.lstrip() for part in parts[1:])])
    found = [line]
    if len(line) > _WIDE:
        ends = len(parts) > 2
        first, last = (
            ends and bool(_OPENS.search(parts[0])),
            ends and bool(_CLOSES.match(parts[-1])),
        )
        inner = parts[first : len(parts) - last]
        found = [inner[0]]
        for part in inner[1:]:
            joined = f"{found[-1]} {part.lstrip()}"
            if len(joined) <= _WIDE:
                found[-1] = joined
            else:
                found.append(part)
        found = [*parts[:first], *found, *parts[len(parts) - last :]]
    return Sql("\n".join(found) + "\n" * lines.endswith("\n"))


def listed_values(rows: Iterable[Iterable[str | int | None]], depth: int = 0) -> Sql:
    """Rows of literals as VALUES in brackets: in one line where they are short.

    Args:
        rows: the rows.
        depth: how far to the right the line is that they begin in.
    """
    texts = [f"({', '.join(map(literal, row))})" for row in rows]
    line = f"values {', '.join(texts)}"
    if len(line) <= _SHORT:
        return Sql(f"({line})")
    lines = f"    {line}"
    if len(line) > _WIDE:
        lines = "    values\n" + filled("    " + ",\n    ".join(texts))
    return Sql("(\n" + indent(lines, " " * depth) + f"\n{' ' * depth})")
