"""Names, types and quoting: the only ways by which a name or a value gets into SQL text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from textwrap import indent
from typing import Any

from sqlanon.sql.products import product_of

_ENUM = re.compile(r"\bENUM\s*\((?:[^')]|'(?:[^']|'')*')*\)", re.IGNORECASE)


class Sql(str):
    """Text that is already SQL: quoted by this module or written in a template."""

    __slots__ = ()


class Query(Sql):
    """A FROM item in the user's own words: its names mean what they mean to the user."""

    __slots__ = ()


def identifier(name: str) -> Sql:
    """A column or relation name, quoted; any characters but NUL may be in it."""
    if not name or "\x00" in name:
        raise ValueError("a name must not be empty or hold a NUL character")
    return Sql('"' + name.replace('"', '""') + '"')


def literal(value: str | int | None) -> Sql:
    """A constant: text in single quotes, an integer, or null."""
    if value is None:
        return Sql("null")
    if isinstance(value, bool):
        return Sql("true" if value else "false")
    if isinstance(value, int):
        return Sql(str(value))
    if "\x00" in value:
        raise ValueError("text must not hold a NUL character")
    return Sql("'" + value.replace("'", "''") + "'")


def exact(value: Fraction) -> str:
    """A threshold as the user wrote it: ``0.2`` rather than ``1/5`` where a decimal is exact."""
    decimal = f"{float(value):.12g}"
    return decimal if Fraction(decimal) == value else str(value)


@dataclass(frozen=True)
class Called:
    """The name of something that a session has, as text: by it a function finds its value.

    Attributes:
        relation: what has the name, once its place is known.
    """

    relation: Relation


@dataclass(frozen=True)
class Relation:
    """A table or view: where it lives and what it is called.

    Attributes:
        name: its own name, unquoted.
        path: the catalog and schema before it, outermost first; empty for the default.
    """

    name: str
    path: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: str) -> Relation:
        """Read a possibly quoted, possibly dotted name such as ``main."my table"``.

        Raises:
            ValueError: if a part is empty or a quote is left open.
        """
        parts: list[str] = []
        rest = text.strip()
        while True:
            if rest.startswith('"'):
                end, part = 1, ""
                while True:
                    stop = rest.find('"', end)
                    if stop < 0:
                        raise ValueError(f"the name {text!r} has an open quote")
                    part += rest[end:stop]
                    if rest[stop : stop + 2] != '""':
                        break
                    part, end = part + '"', stop + 2
                rest = rest[stop + 1 :]
            else:
                dot = rest.find(".")
                part, rest = (rest, "") if dot < 0 else (rest[:dot], rest[dot:])
            if not part:
                raise ValueError(f"the name {text!r} has an empty part")
            parts.append(part)
            if not rest:
                return cls(parts[-1], tuple(parts[:-1]))
            if not rest.startswith("."):
                raise ValueError(f"the name {text!r} cannot be read: quote each part, or none")
            rest = rest[1:]

    def sibling(self, suffix: str) -> Relation:
        """The relation of the same place whose name ends in ``__suffix``."""
        return Relation(f"{self.name}__{suffix}", self.path)

    @property
    def sql(self) -> Sql:
        """The quoted, qualified name."""
        return Sql(".".join(identifier(part) for part in (*self.path, self.name)))

    @property
    def written(self) -> str:
        """The name as a spec has it: in quotes only where it would be read otherwise."""
        try:
            return str(self) if Relation.parse(str(self)) == self else str(self.sql)
        except ValueError:
            return str(self.sql)

    def __str__(self) -> str:
        return ".".join((*self.path, self.name))


def quoted(relation: Relation, dialect: str) -> Sql:
    """A relation's qualified name, quoted as the dialect does."""
    if not product_of(dialect).backticks:
        return relation.sql
    parts = (part.replace("`", "``") for part in (*relation.path, relation.name))
    return Sql(".".join(f"`{part}`" for part in parts))


_QUOTED = re.compile(r"""'(?:[^']|'')*'|--[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|"((?:[^"]|"")*)\"""")


def check_names(sql: str, dialect: str) -> None:
    """Refuse a name that the database would cut, so that it stood for another.

    Raises:
        ValueError: if a quoted name is longer than the dialect's databases keep.
    """
    longest = product_of(dialect).longest_name
    if longest is None:
        return
    for found in _QUOTED.finditer(sql):
        name = (found[1] or "").replace('""', '"')
        if len(name.encode()) > longest:
            raise ValueError(
                f"the name {name!r} is longer than the {longest} bytes that the database keeps of "
                "one: choose a shorter one for the release or the column"
            )


def written_type(type_name: str) -> str:
    """A type as our SQL writes it: in small letters, with a space after a comma."""
    return re.sub(r",\s*", ", ", type_name.lower())


def shown_type(type_name: str) -> str:
    """A type without the labels of its enums, which are values of the data.

    Those of an enum in a list or a struct are left out as well.
    """
    return _ENUM.sub("ENUM", type_name)


# The first line and the last of a CASE that goes over several.
_OPENS, _CLOSES = re.compile(r"\bcase(?! when)( [^'\"`]*)?$"), re.compile(r" *end\b")
WIDE = 120  # characters of a line that holds several parts of a list
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
    if len(line) > WIDE:
        ends = len(parts) > 2
        first, last = (
            ends and bool(_OPENS.search(parts[0])),
            ends and bool(_CLOSES.match(parts[-1])),
        )
        inner = parts[first : len(parts) - last]
        found = [inner[0]]
        for part in inner[1:]:
            joined = f"{found[-1]} {part.lstrip()}"
            if len(joined) <= WIDE:
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
    if len(line) > WIDE:
        lines = "    values\n" + filled("    " + ",\n    ".join(texts))
    return Sql("(\n" + indent(lines, " " * depth) + f"\n{' ' * depth})")


def parted(sql: str) -> tuple[str, str]:
    """The header's comments, with the end of each line, and the SELECT under them."""
    lines = sql.split("\n")  # and nowhere else: a name may hold any other end of a line
    end = next((at for at, line in enumerate(lines) if not line.startswith("--")), len(lines))
    return "".join(f"{line}\n" for line in lines[:end]), "\n".join(lines[end:])
