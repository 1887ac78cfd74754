"""Hierarchies that list their leaves: files and inline trees, brought to one form."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlanon.common.separated import outside_quotes, separated
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.files import is_workbook
from sqlanon.spec import FileHierarchy, TreeHierarchy

ROOT = "*"


def hierarchy_lines(
    hierarchy: FileHierarchy | TreeHierarchy, where: str, column: str
) -> list[list[str]]:
    """A line for each leaf: the leaf, its group, and so on, up to just below the root.

    All lines have one length: a leaf that hangs higher than others is repeated at the levels it
    skips, so that every leaf is equally far from the root (as hierarchical t-closeness needs).

    Args:
        hierarchy: a file or an inline tree.
        where: its place in the spec, for messages.
        column: the column's name, by which a header line is known.

    Raises:
        SpecError: if the file is missing, empty, begins with a header line, or gives a leaf two
            different places.
    """
    if isinstance(hierarchy, TreeHierarchy):
        return _aligned(list(enumerate(hierarchy.lines, 1)), where, "the tree's leaf")
    lines = _read(hierarchy.file, hierarchy.delimiter, where)
    _refuse_header(lines, hierarchy.file, where, column)
    return _aligned(lines, where, "line")


def as_tree(lines: Sequence[Sequence[str]]) -> dict[str, Any]:
    """The same hierarchy as a tree that is written out: its lines are those that it is made of."""
    top: dict[str, Any] = {ROOT: [] if len(lines[0]) == 1 else {}}
    for leaf, *groups in lines:
        members = top[ROOT]
        for depth, group in reversed(list(enumerate(groups))):
            members = members.setdefault(group, {} if depth else [])
        members.append(leaf)
    return top


def _refuse_header(
    lines: Sequence[tuple[int, list[str]]], file: Path, where: str, column: str
) -> None:
    """A header would be one more leaf, and change what every cell costs."""
    (number, first), others = lines[0], lines[1:]
    if first[0].casefold() == column.casefold():
        sign = "begins with the column's name"
    elif others and first[-1] != ROOT and all(fields[-1] == ROOT for _, fields in others):
        sign = f"alone does not end in {ROOT!r}"
    else:
        return
    what = (
        f"line {number} of the file {str(file)!r} {sign}, as a header does: remove it, for a "
        "hierarchy has none; if it is a value, move the line down"
    )
    raise SpecError(Problem(where, what))


def _read(file: Path, delimiter: str | None, where: str) -> list[tuple[int, list[str]]]:
    """The numbered lines of a hierarchy file that are not blank."""
    try:
        text = file.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise SpecError(Problem(where, f"there is no file {str(file)!r}")) from None
    except OSError as error:
        what = f"the file {str(file)!r} cannot be read: {error.strerror}"
        raise SpecError(Problem(where, what)) from None
    except UnicodeDecodeError:
        mend = "it is not encoded in UTF-8; save it as UTF-8"
        if is_workbook(str(file)):
            mend = "a hierarchy is text; save the sheet as a CSV file in UTF-8"
        what = f"the file {str(file)!r} cannot be read: {mend}"
        raise SpecError(Problem(where, what)) from None
    if "\0" in text:
        raise SpecError(Problem(where, f"the file {str(file)!r} is no text"))
    delimiter = delimiter or _delimiter(text)
    try:
        lines = separated(text, delimiter)
    except ValueError as error:
        what = f"the file {str(file)!r} cannot be read: {error}"
        raise SpecError(Problem(where, what)) from None
    lines = [(number, fields) for number, fields in lines if any(fields)]
    if not lines:
        raise SpecError(Problem(where, f"the file {str(file)!r} is empty"))
    _refuse_comment(lines, file, where)
    return lines


def _delimiter(text: str) -> str:
    """The semicolon, comma or tab of the first line that has one outside of quotes."""
    first = re.search(r"[^\r\n]*[;,\t][^\r\n]*", outside_quotes(text))
    return next(sign for sign in ";,\t" if sign in first[0]) if first else ","


def _refuse_comment(lines: Sequence[tuple[int, list[str]]], file: Path, where: str) -> None:
    """A comment would be one more leaf, as a header would."""
    if all(len(fields) == 1 for _, fields in lines):
        return
    for number, fields in lines:
        if fields[0].startswith("#") and not any(fields[1:]):
            what = (
                f"line {number} of the file {str(file)!r} looks like a comment: remove it, for a "
                "hierarchy has none; if it is a value, say its groups, too"
            )
            raise SpecError(Problem(where, what))


def _aligned(lines: Sequence[tuple[int, list[str]]], where: str, unit: str) -> list[list[str]]:
    first: dict[str, tuple[int, list[str]]] = {}
    for number, fields in lines:
        older_number, older = first.setdefault(fields[0], (number, fields))
        if older != fields:
            raise SpecError(
                Problem(where, f"{unit} {older_number} and {number} place one leaf differently")
            )
        if "" in fields:
            raise SpecError(Problem(where, f"{unit} {number} has an empty level"))
    rooted = [fields for _, fields in first.values()]
    if any(fields[-1] == ROOT for fields in rooted):
        rooted = [fields if fields[-1] == ROOT else [*fields, ROOT] for fields in rooted]
    height = max(len(fields) for fields in rooted)
    full = [[fields[0]] * (height - len(fields)) + fields for fields in rooted]
    if height > 1 and len({fields[-1] for fields in full}) == 1:
        return [fields[:-1] for fields in full]
    return full
