"""Environment variables in the texts of a spec."""

from __future__ import annotations

import os
import re
from typing import Any

from sqlanon.errors import SpecError
from sqlanon.spec.reading import MOST_LEVELS


def expanded(value: Any, written: dict[str, str], level: int = 0) -> Any:
    """A declaration with its environment variables, ``${NAME}``, in every text.

    Args:
        value: what is declared.
        written: is told of each text that was changed what it was.
        level: how deep the value lies.

    Raises:
        SpecError: if a variable is not set, or it nests too deep, or holds what is no text.
    """
    if level > MOST_LEVELS:
        raise SpecError(f"the spec nests more than {MOST_LEVELS} levels deep")
    if isinstance(value, str):
        _refuse_odd(value)
        missing = [name for name in re.findall(r"\$\{(\w+)\}", value) if name not in os.environ]
        if missing:
            raise SpecError(f"the spec uses ${{{missing[0]}}}, which is not set in the environment")
        text = re.sub(r"\$\{(\w+)\}", lambda found: os.environ[found[1]], value)
        if text != value:
            written[statement_of(text)] = statement_of(value)
        return text
    if isinstance(value, dict):
        for name in value:
            _refuse_odd(name)
        return {name: expanded(inner, written, level + 1) for name, inner in value.items()}
    if isinstance(value, list):
        return [expanded(inner, written, level + 1) for inner in value]
    return value


def statement_of(text: str) -> str:
    """A text as it stands in SQL, if it is a query."""
    return text.strip().rstrip(";")


def _refuse_odd(text: Any) -> None:
    """No database takes them as text."""
    if re.search("[\0\ud800-\udfff]", str(text)):
        raise SpecError("a text of the spec holds a NUL or a half of a character: remove it")
