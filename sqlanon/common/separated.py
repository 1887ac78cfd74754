"""Fields with a sign between them, as a CSV file has them: what stands in quotes stays as it is."""

from __future__ import annotations

import re

_UNQUOTED = " \t"  # what is cut off before and after a field without quotes


def separated(text: str, sign: str = ",", lines: bool = True) -> list[tuple[int, list[str]]]:
    """The lines of a text, each as its number and its fields.

    A field in quotes may hold the sign, blanks at its ends and line breaks; two quotes in it stand
    for one. Of a field without quotes the blanks at its ends are cut off.

    Args:
        text: the text.
        sign: the one character that stands between two fields.
        lines: whether a line break ends a line; else it belongs to a field, and all is one line.

    Raises:
        ValueError: if something stands behind the quotes of a field, or they do not end. The
            message names the line.
    """
    blanks = _UNQUOTED.replace(sign, "")
    breaks, ends = (r"\r\n", r"\r?\n|\r|\Z") if lines else ("", r"\Z")
    end = rf"(?={re.escape(sign)}|{ends})"
    field = re.compile(
        rf'[{blanks}]*"(?P<quoted>(?:[^"]|"")*+)"[{blanks}]*{end}'
        rf'|(?![{blanks}]*")(?P<bare>[^{re.escape(sign)}{breaks}]*)'
    )
    found_lines: list[tuple[int, list[str]]] = []
    offset, number, fields = 0, 1, list[str]()
    while True:
        found = field.match(text, offset)
        if found is None:
            raise ValueError(f"the quotes of a field do not end with the field in line {number}")
        quoted = found["quoted"]
        fields.append(found["bare"].strip(blanks) if quoted is None else quoted.replace('""', '"'))
        offset = found.end()
        if text.startswith(sign, offset):
            offset += 1
            continue
        found_lines.append((number, fields))
        if offset == len(text):
            return found_lines
        fields = []
        offset += 2 if text.startswith("\r\n", offset) else 1
        number = 1 + len(re.findall(r"\r\n|\r|\n", text[:offset])) if quoted else number + 1


def names_in(text: str) -> list[str]:
    """The columns of a list as a command takes it: separated by commas.

    A name that has a comma, or begins or ends with a blank, stands in double quotes; a quote in it
    is written twice. The typed list is one line: a line break belongs to a name.

    Raises:
        ValueError: if a quote is not closed, or more follows it than a comma.
    """
    ((_, names),) = separated(text, lines=False)
    return [name for name in names if name]


def outside_quotes(text: str) -> str:
    """A text without its fields in quotes, to find out which sign stands between its fields."""
    return re.sub(r'(?:^|(?<=[;,\t ]))"(?:[^"]|"")*"', "", text, flags=re.MULTILINE)
