"""Environment variables in the texts of a spec."""

from __future__ import annotations

import os
import re
from typing import Any

from sqlanon.errors import SpecError, say_as_written, say_whole_as_written
from sqlanon.inputs.source import ReadAs
from sqlanon.spec.reading import MOST_LEVELS

# Fields whose text is SQL, and what a variable's value may hold there: within a text in quotes, and
# outside of one. A value that could end the quotes, or add to the SQL, is refused.
_SQL = ("query", "sql")
_VARIABLE = re.compile(r"\$\{(\w+)\}")
_QUOTED, _BARE = re.compile(r"[^'\"\\;\x00-\x1f]*"), re.compile(r"(?!.*--)[\w.:+-]*")
# Where quotes begin and end: none does in a comment or in a quoted name. Where a text holds an
# escaped quote, quotes of dollars or a comment in a comment, no variable counts as quoted.
_LEXEMES = re.compile(r"--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"", re.DOTALL)
_UNSURE = re.compile(r"\\'|\$\w*\$|/\*(?:(?!\*/).)*/\*", re.DOTALL)


def expanded(value: Any, written: dict[str, str], level: int = 0, field: str = "") -> Any:
    """A declaration with its environment variables, ``${NAME}``, in every text.

    Args:
        value: what is declared.
        written: takes the original of each text that is changed, by the text that it becomes.
        level: how deep the value lies.
        field: the name of the field that it is of.

    Raises:
        SpecError: if a variable is not set, or cannot stand within SQL; or the declaration nests
            too deep, or holds what is no text.
    """
    if level > MOST_LEVELS:
        raise SpecError(f"the spec nests more than {MOST_LEVELS} levels deep")
    if isinstance(value, str):
        _refuse_odd(value)
        missing = [name for name in _VARIABLE.findall(value) if name not in os.environ]
        if missing:
            raise SpecError(f"the spec uses ${{{missing[0]}}}, which is not set in the environment")
        if field in _SQL:
            _refuse_breaking(value)
            _keep_from_errors(value)
        text = _VARIABLE.sub(lambda found: os.environ[found[1]], value)
        if text != value:
            written[statement_of(text)] = statement_of(value)
            if field not in _SQL:
                say_whole_as_written(text, value)
        return ReadAs(text, value.settings) if isinstance(value, ReadAs) else text
    if isinstance(value, dict):
        for name in value:
            _refuse_odd(name)
        return {
            name: expanded(inner, written, level + 1, str(name)) for name, inner in value.items()
        }
    if isinstance(value, list):
        return [expanded(inner, written, level + 1, field) for inner in value]
    return value


def statement_of(text: str) -> str:
    """A text as it stands in SQL, if it is a query."""
    return text.strip().rstrip(";")


def _refuse_breaking(text: str) -> None:
    """A variable within SQL stands for a value or a name, and for nothing that changes the rest.

    One that is all of the SQL is the statement itself.
    """
    if _VARIABLE.fullmatch(text.strip()):
        return
    lexemes = () if _UNSURE.search(text) else _LEXEMES.finditer(text)
    within = [one.span() for one in lexemes if one[0].startswith("'")]
    for found in _VARIABLE.finditer(text):
        value = os.environ[found[1]]
        quoted = any(start < found.start() and found.end() < end for start, end in within)
        around = text[: found.start()][-1:] + value + text[found.end() :][:1]
        if quoted and _QUOTED.fullmatch(value):
            continue
        if not _BARE.fullmatch(value) or "--" in around:
            takes = (
                "no quotes, backslash, semicolon or line break"
                if quoted
                else "letters, digits and _ . : + -; in quotes, '${...}', it may hold more"
            )
            raise SpecError(
                f"the value of ${{{found[1]}}} cannot stand in SQL, which it could change: there "
                f"it may hold {takes}"
            )


def _keep_from_errors(text: str) -> None:
    """Make errors show the names of variables: the database may quote their values from a query.

    A variable that is all of the SQL is made of words that stand in other messages as well.
    """
    if not _VARIABLE.fullmatch(text.strip()):
        for name in _VARIABLE.findall(text):
            say_as_written(os.environ[name], f"${{{name}}}")


def _refuse_odd(text: Any) -> None:
    """No database takes them as text."""
    if re.search("[\0\ud800-\udfff]", str(text)):
        raise SpecError("a text of the spec holds a NUL or a half of a character: remove it")
