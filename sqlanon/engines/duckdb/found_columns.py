"""Columns whose cells are read as text: their names, and their types, declared or found."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Protocol

from sqlanon.errors import EngineError, Problem, as_key, nearest_column
from sqlanon.inputs.source import COLUMN_TYPES, Source

if TYPE_CHECKING:
    from sqlanon.engines.duckdb.engine import DuckDBEngine


EXACT = 2**53  # every whole number up to it is a double of its own


class Found(Protocol):
    """A column whose cells were looked at."""

    @property
    def name(self) -> str:
        """Its name."""

    @property
    def type(self) -> str:
        """DuckDB's type of its cells.

        Raises:
            ValueError: if they are of no one type.
        """


def namesakes(names: Iterable[str]) -> list[list[str]]:
    """The names that upper and lower case alone tell apart, if anything does, together."""
    folded: dict[str, list[str]] = {}
    for name in names:
        folded.setdefault(name.lower(), []).append(name)
    return [several for several in folded.values() if len(several) > 1]


def unknown(source: Source, names: Sequence[str], lacks: str) -> Iterator[Problem]:
    """The declared columns that a file lacks.

    Args:
        source: declares them.
        names: the columns that it has.
        lacks: that it lacks one, in words.
    """
    for name in source.columns:
        if name not in names:
            hint = nearest_column(name, names, source.columns, certain=True)
            yield Problem(f"source.columns.{name}", f"{lacks}; {hint}")


def types_of(
    columns: Iterable[tuple[Found, str]],
    source: Source,
    relation: str,
    engine: DuckDBEngine,
    needed: Collection[str] | None,
) -> tuple[dict[str, str], list[Problem]]:
    """DuckDB's types of columns by their names, and the problems of those that have none.

    Args:
        columns: what was found of each, and the expression of a record's value as text.
        source: declares types.
        relation: the FROM item of the records.
        engine: reads them.
        needed: the columns that will be read; by default all.
    """
    types: dict[str, str] = {}
    problems: list[Problem] = []
    for column, text in columns:
        name = column.name
        declared = source.columns.get(name)
        if declared is not None:
            types[name] = COLUMN_TYPES.get(declared.lower(), declared)
            problems += _unlike(relation, text, name, types[name], engine)
            continue
        try:
            types[name] = column.type
        except ValueError as error:
            types[name] = COLUMN_TYPES["text"]
            if needed is None or name in needed:
                mend = f"declare its type, such as columns: {{{as_key(name)}: text}}"
                problems.append(Problem(f"source.columns.{name}", f"{error}: {mend}"))
    return types, problems


def _unlike(
    relation: str, value: str, name: str, kind: str, engine: DuckDBEngine
) -> Iterator[Problem]:
    """Values that are not of the declared type, or that the type would change."""
    cast, declared = f"try_cast({value} as {kind})", kind.lower()
    same = f"cast({cast} as varchar) in ({value}, replace({value}, 'T', ' '))"
    alike = f"{_plain(f'cast({cast} as varchar)')} = {_plain(value)}"
    if re.match("decimal|numeric", declared):
        as_double = f"cast({cast} as double) = try_cast({value} as double)"
        same = f"({alike} or contains(lower({value}), 'e') and {as_double})"
    elif re.match("double|float|real", declared):
        digits = 6 if re.match("float4?\\b|real", declared) else 15
        same = f"({alike} or {represented(value, cast, digits)})"
    try:
        ((misfits,),) = engine.driver.execute(
            f"select count(*) filter ({value} is not null and not coalesce({same}, false)) "
            f"from {relation}",
            "reading the source",
        ).rows
    except EngineError:
        yield Problem(f"source.columns.{name}", f"{kind!r} is no type that DuckDB knows")
        return
    if misfits:
        what = f"{misfits} values are no {kind}, or it would change them"
        yield Problem(f"source.columns.{name}", f"{what}: declare another type, or text")


def _plain(text: str) -> str:
    """A number's text without zeros after its last decimal place that is none."""
    return f"regexp_replace({text}, '[.]0*$|([.][0-9]*[1-9])0+$', '\\1')"


def represented(text: str, number: str, most: int) -> str:
    """Whether a floating-point number has all digits of its text, which are ``most`` or fewer."""
    mantissa = f"regexp_replace(lower({text}), 'e.*$', '')"
    digits = f"trim(regexp_replace({mantissa}, '[^0-9]', '', 'g'), '0')"
    return (
        f"(isfinite({number}) and length({digits}) <= {most} "
        f"and ({number} <> 0 or {digits} = '') and not regexp_matches({text}, '^[+-]?0[0-9]'))"
    )
