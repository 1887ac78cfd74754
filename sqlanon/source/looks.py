"""Columns of a text file that are read otherwise than somebody may think: as text, or renamed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlanon.engines import Engine
from sqlanon.session import Session
from sqlanon.spec import Column, Spec
from sqlanon.spec.hierarchy import PrefixHierarchy
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql


def text_remarks(
    spec: Spec, columns: Mapping[str, Column], engine: Engine, source: Relation | Sql
) -> tuple[str, ...]:
    """The remarks on attributes that are text only because of how the file writes them.

    Args:
        spec: what is declared.
        columns: its columns, by name.
        engine: where the source is.
        source: its FROM item.
    """
    if not spec.source.is_text:
        return ()
    names = [
        name
        for name in (*spec.quasi_identifiers, *spec.sensitive)
        if columns[name].kind == "text"
        and name not in spec.source.columns
        and not _is_code(spec, name)
    ]
    if not names:
        return ()
    found = Session(engine).fetch("source/look", {"source": source}, {"columns": names}, 1)
    row, width = found.rows[0], len(names)
    said = []
    for place, name in enumerate(names):
        values, numbers, dates = (row[at * width + place] for at in range(3))
        if values and dates == values:
            said.append(
                f"{name} is read as text, although its values look like dates, because they are "
                'not written as 2024-03-05 is; say in the source how they are, as dates: "%d.%m.%Y"'
            )
        elif values and numbers == values:
            said.append(
                f"{name} is read as text, although its values look like numbers, because some are "
                "written as 01, +1, 1e3, 1,200, with too many digits, or both as 1.5 and 1.50; say "
                f"in the source what they are: columns: {{{name}: text}}, or a number's type, "
                "decimal or thousands"
            )
    return tuple(said)


def _is_code(spec: Spec, name: str) -> bool:
    """Whether the spec takes a column's leading characters, and so its values as text."""
    declared = spec.quasi_identifiers.get(name)
    return declared is not None and isinstance(declared.hierarchy, PrefixHierarchy)


def renamed_remarks(spec: Spec, everything: Sequence[Column]) -> tuple[str, ...]:
    """The remarks on columns that a text file calls exactly alike, if one of them has a role.

    Args:
        spec: what is declared.
        everything: all columns of the source.
    """
    read = spec.columns_read
    said = []
    for written in dict.fromkeys(one.written for one in everything if one.written is not None):
        others = [one.name for one in everything if one.written == written]
        if read.isdisjoint({written, *others}):
            continue
        names = " and ".join(map(repr, others))
        said.append(
            f"the file has {len(others) + 1} columns that are called {written!r}: the first is "
            f"read by this name, and the next as {names}"
        )
    return tuple(said)
