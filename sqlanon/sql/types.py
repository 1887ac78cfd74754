"""How the type of a column is shown, and written."""

from __future__ import annotations

import re

_ENUM = re.compile(r"\bENUM\s*\((?:[^')]|'(?:[^']|'')*')*\)", re.IGNORECASE)


def written_type(type_name: str) -> str:
    """A type as our SQL writes it: in small letters, with a space after a comma."""
    return re.sub(r",\s*", ", ", type_name.lower())


def shown_type(type_name: str) -> str:
    """A type without the labels of its enums, which are values of the data.

    Those of an enum in a list or a struct are left out as well.
    """
    return _ENUM.sub("ENUM", type_name)
