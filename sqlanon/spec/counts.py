"""Lists of whole numbers as people write them: ``3,5,10`` and ``2-50``."""

from __future__ import annotations

import re
from typing import Any

MOST_NUMBERS = 10_000
_FORM = "give whole numbers from 1 and ranges, such as 3,5,10 or 2-50"


def whole_numbers(value: Any) -> tuple[int, ...]:
    """The numbers of a list, ascending, each once.

    Args:
        value: a number, a text of numbers and ranges with commas between, or a list of these.

    Raises:
        ValueError: if something else is among them, if there is none, or too many.
    """
    found: set[int] = set()
    for part in _parts(value):
        first, last = _ends(part)
        if last - first >= MOST_NUMBERS:
            raise ValueError(f"at most {MOST_NUMBERS:,} numbers can be tried")
        found |= set(range(first, last + 1))
    if not found:
        raise ValueError(f"there is no number in it: {_FORM}")
    if len(found) > MOST_NUMBERS:
        raise ValueError(f"at most {MOST_NUMBERS:,} numbers can be tried")
    return tuple(sorted(found))


def _parts(value: Any) -> list[Any]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    if isinstance(value, list | tuple | range):
        return [inner for part in value for inner in _parts(part)]
    return [value]


def _ends(part: Any) -> tuple[int, int]:
    """The first and the last number of a range; the same twice for a number."""
    form = re.fullmatch(r"(\d{1,15})(?:\s*-\s*(\d{1,15}))?", str(part), re.ASCII)
    if form is None or isinstance(part, bool):
        raise ValueError(f"{str(part)!r} is no whole number: {_FORM}")
    first, last = int(form[1]), int(form[2] or form[1])
    if first < 1:
        raise ValueError(f"{str(part)!r} is below 1: {_FORM}")
    if last < first:
        raise ValueError(f"the range {str(part)!r} runs backwards: write {last}-{first}")
    return first, last
