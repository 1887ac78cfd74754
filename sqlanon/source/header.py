"""Whether the first line of a text file names its columns, or is a record already."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import pairwise

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.session import Session
from sqlanon.spec import MEASURABLE, Column
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
    params = [{"name": one, "value": name} for one, name in zip(called, names, strict=True)]
    known = {re.sub(r"_\d+$", "", name).strip().lower() for name in declared}
    known |= _counting(names)
    doubtful = [
        one
        for one, name, column in zip(called, names, columns, strict=True)
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
    steps = {int(later) - int(one) for one, later in pairwise(numbers)}
    return set(numbers) if steps == {1} else set()
