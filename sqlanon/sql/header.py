"""The header of a template: five lines that say what its SELECT makes, and of what."""

from __future__ import annotations

from functools import cache

FIELDS = ("relation", "grain", "inputs", "outputs", "paper")
_NOT_SHOWN = {"relation", "inputs", "outputs"}  # what a CTE's own name and text say


def header(name: str, text: str) -> dict[str, str]:
    """The fields of a template's header.

    Args:
        name: the template, for the message.
        text: its source.

    Raises:
        ValueError: if one is missing.
    """
    fields: dict[str, str] = {}
    for line in text.splitlines():
        if not line.startswith("-- "):
            break
        field, colon, value = line[3:].partition(":")
        if colon and field in FIELDS:
            fields[field] = value.strip()
    missing = [field for field in FIELDS if field not in fields]
    if missing:
        raise ValueError(f"template {name}: the header lacks {', '.join(missing)}")
    return fields


@cache
def listed(text: str) -> tuple[str, ...]:
    """The names in a field."""
    return tuple(part.strip() for part in text.split(",")) if text != "none" else ()


def readable(select: str) -> str:
    """A template's SELECT without the lines of its header that its reader need not see."""
    lines = select.strip().split("\n")  # and nowhere else: a name may hold any other end of a line
    end = next((at for at, line in enumerate(lines) if not line.startswith("--")), len(lines))
    return "\n".join([line for line in lines[:end] if not _repeats(line)] + lines[end:])


def _repeats(line: str) -> bool:
    """Whether a line of a header says what the SQL around it says, or nothing."""
    field, colon, value = line.removeprefix("-- ").partition(": ")
    if not colon or field not in FIELDS:
        return False
    return field in _NOT_SHOWN or value == "none"
