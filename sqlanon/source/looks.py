"""Columns of a text file that are read otherwise than somebody may think: as text, or renamed.

Its first line may name the columns, or be a record already.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from itertools import pairwise

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError, as_key
from sqlanon.session import Session
from sqlanon.spec import MEASURABLE, Column, Spec
from sqlanon.spec.hierarchy import PrefixHierarchy
from sqlanon.sql.names import Relation, Sql

_NUMBER = r"[-+]?\d*\.?\d+(e[-+]?\d+)?"
_DATE = r"\d+[-/.]\d+[-/.]\d+([t ].*)?"
_VALUE = re.compile(f"{_NUMBER}|{_DATE}", re.ASCII)


def check_header(
    source: Sql | Relation,
    columns: Sequence[Column],
    engine: Engine,
    where: str,
    called: Sequence[str] | None = None,
    may_be_empty: bool = False,
    declared: Collection[str] = (),
) -> None:
    """Refuse a text file without a header line, whose first record would pass for names.

    The first line looks like a record if a name reads as a number or a date, and so does its
    column, or every value of a column of text. It also does if half of the names are values of
    their own columns. Names that count up, such as 2019 and 2020, are names, and so is that of a
    column whose type is declared: who declares it knows it. The second of two equal names has
    ``_1`` after it.

    Args:
        source: the file's FROM item.
        columns: its columns as they are read.
        engine: where it is read.
        where: what the file is called in the message, which shows no name: it may be a cell.
        called: what the columns are called in a copy of the file that is read in its place.
        may_be_empty: whether there may be no record after the header line.
        declared: the columns whose types the source declares.

    Raises:
        SpecError: if there is no header line, or no record after it.
    """
    names = [re.sub(r"_\d+$", "", column.name).strip().lower() for column in columns]
    called = called or [column.name for column in columns]
    params = [{"name": text, "value": name} for text, name in zip(called, names, strict=True)]
    known = {re.sub(r"_\d+$", "", name).strip().lower() for name in declared}
    known |= _counting(names)
    doubtful = [
        text
        for text, name, column in zip(called, names, columns, strict=True)
        if column.kind == "text" and _VALUE.fullmatch(name) and name not in known
    ]
    asked = {"columns": params, "doubtful": doubtful}
    found = Session(engine).fetch("source/header", {"source": source}, asked, 1)
    records, *rest = found.rows[0]
    held, alike = rest[: len(names)], rest[len(names) :]
    if not records and may_be_empty:
        return
    if not records:
        raise SpecError(Problem(where, "it has no records after its first line"))
    judged = [
        (column.kind, name, is_held)
        for column, name, is_held in zip(columns, names, held, strict=True)
        if name not in known
    ]
    reads = any(kind in MEASURABLE and _VALUE.fullmatch(name) for kind, name, _ in judged)
    if reads or any(alike) or 2 * sum(is_held for *_, is_held in judged) >= len(judged) > 0:
        raise SpecError(
            Problem(
                where,
                "the first line of the file looks like a record, not like names of columns: give "
                "it a header line, name the columns in a query, or, where a number is a name, "
                'declare that column\'s type by columns, such as {"2023": integer}',
            )
        )


def _counting(names: Sequence[str]) -> set[str]:
    """The whole numbers among names, if each is one more than the one before."""
    numbers = [name for name in names if re.fullmatch(r"\d{1,18}", name, re.ASCII)]
    steps = {int(later) - int(before) for before, later in pairwise(numbers)}
    return set(numbers) if steps == {1} else set()


_FIRST = 2000  # the records that are looked at first, before all of a column's are


def text_remarks(
    spec: Spec, columns: Mapping[str, Column], engine: Engine, source: Relation | Sql
) -> tuple[str, ...]:
    """The remarks on attributes that are text only because of how the file writes them."""
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
    counted = partial(_counted, Session(engine), source)
    likely = [name for name, counts in counted(names, _FIRST).items() if _alike(*counts)]
    said = []
    for name, (values, numbers, dates) in counted(likely).items() if likely else ():
        what = "dates" if dates > numbers else "numbers"
        others, key = values - max(numbers, dates), as_key(name)
        if not _alike(values, numbers, dates):
            continue
        if others:
            said.append(
                f"{name} is read as text, although all of its values but {others:,} look like "
                f"{what}; a line of totals is no record: leave it out by a query; say in the "
                f"source what stands for NULL, as nullstr, or that {name} is text, as columns: "
                f"{{{key}: text}}"
            )
        elif what == "dates":
            said.append(
                f"{name} is read as text, although its values look like dates, because they are "
                'not written as 2024-03-05 is; say in the source how they are, as dates: "%d.%m.%Y"'
                f", or with a time of day, as 2024-03-05T14:30:00Z, columns: {{{key}: timestamp}}"
            )
        else:
            said.append(
                f"{name} is read as text, although its values look like numbers, because some are "
                "written as 01, +1, 1e3, 1,200, with too many digits, or both as 1.5 and 1.50; say "
                f"in the source what they are: columns: {{{key}: text}}, or a number's type, "
                "decimal or thousands"
            )
    return tuple(said)


def _counted(
    session: Session, source: Relation | Sql, names: Sequence[str], first: int | None = None
) -> dict[str, tuple[int, int, int]]:
    """By columns of text: how many values they have, and how many look like numbers and dates."""
    params = {"columns": names, "first": first}
    row = session.fetch("source/look", {"source": source}, params, 1).rows[0]
    width = len(names)
    return {name: tuple(row[index::width]) for index, name in enumerate(names)}


def _alike(values: int, numbers: int, dates: int) -> bool:
    """Whether nine of ten values look like numbers, or nine of ten like dates."""
    return values > 0 and 10 * max(numbers, dates) >= 9 * values


def _is_code(spec: Spec, name: str) -> bool:
    """Whether the spec takes a column's leading characters, and so its values as text."""
    declared = spec.quasi_identifiers.get(name)
    return declared is not None and isinstance(declared.hierarchy, PrefixHierarchy)


def renamed_remarks(spec: Spec, everything: Sequence[Column]) -> tuple[str, ...]:
    """The remarks on columns that a text file calls alike, if one of them has a role.

    Names that differ by case alone are alike: SQL does not tell them apart.
    """
    read = spec.columns_read
    said = []
    for written in dict.fromkeys(
        column.written for column in everything if column.written is not None
    ):
        others = [column.name for column in everything if column.written == written]
        if read.isdisjoint({written, *others}):
            continue
        names = " and ".join(map(repr, others))
        case = (
            "" if all(text.startswith(written) for text in others) else ", but for capital letters"
        )
        said.append(
            f"the file has {len(others) + 1} columns that are called {written!r}{case}: the first "
            f"is read by this name, and the next as {names}"
        )
    return tuple(said)
