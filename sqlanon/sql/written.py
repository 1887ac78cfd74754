"""A rendered SELECT whose relations have no place yet, and its translation, part by part."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from textwrap import indent

from sqlanon.sql.names import Called, Relation, literal, quoted

# The sign of a relation until its place is known: a NUL, which no name or text may hold. While a
# text is translated the sign is a name, which begins with a character that names hardly ever have.
_SIGN, _NAME = "\x00", "\ue000"
_SIGNS = re.compile(rf"{_SIGN}(\d+){_SIGN}")
_HOLE = "\ue001"
_HOLES = re.compile(rf"""select\s+["`]{_HOLE}(\d+){_HOLE}["`]""", re.IGNORECASE)
Apart = list[tuple[str, str | None]]  # the SELECTs of holes, each with the dialect it gets, if any
Naming = Callable[[Relation], Relation]  # where a relation stands: by what name it is called


def as_named(relation: Relation) -> Relation:
    """A relation by the name that the plan gives it."""
    return relation


def sign(number: int) -> str:
    """The sign of the relation that a text reads as so many."""
    return f"{_SIGN}{number}{_SIGN}"


def hole(number: int) -> str:
    """The hole of a SELECT that stands apart from the text around it."""
    return f'select "{_HOLE}{number}{_HOLE}"'


@dataclass(frozen=True)
class Written:
    """A rendered SELECT, whose relations are called by their places when it is read.

    Attributes:
        parts: its text, and what it reads between.
        dialect: the one whose quotes its names have.
    """

    parts: tuple[str | Relation | Called, ...]
    dialect: str

    def sql(self, naming: Naming = as_named) -> str:
        """The SQL.

        Args:
            naming: by what name each relation is called.
        """
        read = {part for part in self.parts if isinstance(part, Relation)}
        names = {relation: quoted(naming(relation), self.dialect) for relation in read}
        return "".join(
            names[part]
            if isinstance(part, Relation)
            else literal(naming(part.relation).name)
            if isinstance(part, Called)
            else part
            for part in self.parts
        )


def written(
    text: str, read: Sequence[str | Relation | Called], dialect: str | None, apart: Apart
) -> Written:
    """A rendered text with what it reads in place of its signs.

    Args:
        text: with signs and holes.
        read: what each sign stands for.
        dialect: the dialect that it is translated to; None if the text is written in its own.
        apart: the SELECTs that are translated by themselves, one for each hole.
    """
    signs = _SIGNS
    if dialect is not None:
        name = _NAME
        while any(name in one for one in (text, *(within for within, _ in apart))):
            name += _NAME
        signs = re.compile(rf"""["`]{name}(\d+)["`]""")
        text = _translated(text, dialect, name, apart)
    parts: list[str | Relation | Called] = [*signs.split(text)]
    parts[1::2] = [read[int(str(number))] for number in parts[1::2]]
    return Written(tuple(parts), dialect or "duckdb")


def _translated(text: str, dialect: str | None, name: str, apart: Apart) -> str:
    """A rendered text in a dialect, with what stands apart in its holes.

    Args:
        text: with signs for what it reads.
        dialect: the dialect; None if the text is written in it.
        name: the first letters of the names that stand for signs while the text is translated.
        apart: the SELECTs that are translated by themselves.
    """
    named = _SIGNS.sub(rf'"{name}\1"', text)
    whole = to_dialect(named, dialect) if dialect else named

    def fill(found: re.Match[str]) -> str:
        within = _translated(*apart[int(found[1])], name, apart)
        return indent(within.strip(), "      ").strip()

    if not apart:
        return whole
    filled_in = _HOLES.sub(fill, whole)
    # Else the dialect quotes names by other signs, and a part of the statement is missing.
    assert not re.search(rf"{_HOLE}\d+{_HOLE}", filled_in), dialect  # noqa: S101
    return filled_in


def to_dialect(sql: str, dialect: str) -> str:
    """A SELECT as DuckDB reads it, in a dialect; as it is where that is the dialect."""
    if dialect in ("duckdb", "portable"):
        return sql
    from sqlanon.sql.dialects import transpile  # which takes a while to load

    return transpile(sql, dialect)
