"""The counts of each column alone: the steps, and their result."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from sqlanon.plan import Materialization, Step, work
from sqlanon.session import Session
from sqlanon.source.source import COUNTING, RECORDS, SIZE
from sqlanon.spec import NUMBERS, TEXTS, Column
from sqlanon.sql.names import Relation, Sql
from sqlanon.uses.profile.names import KNOWN, LEAST_HOLDING, MissingCode, params
from sqlanon.uses.profile.profile import Counts

# By name, in a form that DuckDB, PostgreSQL and Spark read alike: no backslash, no look-around.
SHAPES: dict[str, str] = {
    "email": "^[^@ ]+@[^@ ]+[.][A-Za-z]{2,}$",
    "url": "^(https?|ftp)://",
    "ip": "^[0-9]{1,3}([.][0-9]{1,3}){3}$",
    "uuid": "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$",
    "iban": "^[A-Z]{2}[0-9]{2} ?[0-9A-Z]{4}( ?[0-9A-Z]{1,4}){2,7}$",
    "ssn": "^[0-9]{3}-[0-9]{2}-[0-9]{4}$",
    "iso_date": "^[0-9]{4}[-/.][0-9]{2}([-/.][0-9]{2}([ T].*)?)?$",
    "date": "^([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}([ T].*)?|[0-9]{1,2}[-/.][0-9]{1,2}[-/.]"
    "([0-9]{2}|[0-9]{4}))$",
    "phone": "^([+]|00)[0-9][0-9 ()/.-]{6,18}$|^[(]?[0-9]{2,5}[)]?[ /.-][0-9 /.-]{5,14}$",
    "postcode": "^[0-9]{5}(-[0-9]{4})?$|^[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}$",
    "icd": "^[A-TV-Z][0-9][0-9AB]([.]?[0-9A-Z]{1,4})?$",
}
# The share of a column's records that must have a shape: a few may be mistyped.
MOST = Fraction(9, 10)
# Values that look like ICD codes are codes only if there are so many of them.
LEAST_CODES = 20
DATES = ("iso_date", "date")
DIRECT = ("email", "url", "ip", "uuid", "iban", "ssn", "phone")
SAYS = {
    "email": "e-mail addresses",
    "url": "web addresses",
    "ip": "network addresses",
    "uuid": "UUIDs",
    "iban": "IBANs",
    "ssn": "social security numbers",
    "iso_date": "dates as text",
    "date": "dates as text",
    "phone": "phone numbers",
    "postcode": "postcodes",
    "icd": "ICD codes",
}

VALUES, COLUMNS, CODES = (work("profile_", name) for name in ("values", "columns", "codes"))


def alias(number: int) -> Sql:
    """The name of a column in the records; the first place is 1."""
    return Sql(f"x{number}")


def counting_steps(
    source: Relation | Sql, columns: Sequence[Column], once: bool = True
) -> list[Step]:
    """The steps that read a table and count each column's values.

    Args:
        source: its FROM item.
        columns: the columns whose values can be compared.
        once: whether the records are copied, as reading them again may cost as much.
    """
    read = [
        {"name": column.name, "alias": alias(number), "kind": column.kind, "codes": (), "tie": None}
        for number, column in enumerate(columns, 1)
    ]
    counted = [
        {
            "alias": alias(number),
            "texts": column.kind in TEXTS,
            "whole": column.kind == "integer",
            "numbers": column.kind in NUMBERS,
        }
        for number, column in enumerate(columns, 1)
    ]
    how = Materialization.WORK_TABLE if once else Materialization.WORK_VIEW
    shapes: dict[str, Any] = {"shapes": [(Sql(name), form) for name, form in SHAPES.items()]}
    return [
        Step("reading the table", RECORDS, "source/records", {"source": source}, {"columns": read},
             how),
        COUNTING,
        Step("counting the values", VALUES, "profile/values", {"records": RECORDS},
             {"columns": counted}),
        Step("what the values look like", COLUMNS, "profile/columns", {"profile_values": VALUES},
             shapes),
        Step("codes that may mean a missing value", CODES, "profile/codes",
             {"profile_values": VALUES}, params()),
    ]  # fmt: skip


def records_of(session: Session) -> int:
    """How many records were read."""
    return int(_rows(session, SIZE, "records", 1)[0][0])


def counts_of(session: Session, columns: Sequence[Column], records: int) -> list[Counts]:
    """The counts that the steps have made, column by column."""
    shapes = [f"shape_{name}" for name in SHAPES]
    names = (
        *("column_number", "known", "used", "single", "commonest", "entropy", "longest"),
        *("least", "greatest", *shapes),
    )
    codes: dict[int, list[MissingCode]] = defaultdict(list)
    for number, code, held, likely in _rows(
        session, CODES, "column_number, code, records, likely", len(columns) * len(KNOWN)
    ):
        if likely and held >= LEAST_HOLDING:
            codes[number].append(MissingCode(KNOWN[code], int(held)))
    counted = {row[0]: row[1:] for row in _rows(session, COLUMNS, ", ".join(names), len(columns))}
    found = []
    for number, column in enumerate(columns, 1):
        if number not in counted:
            found.append(Counts(column, records, 0))
            continue
        known, used, single, commonest, entropy, longest, *shaped = counted[number]
        least, greatest, *shaped = shaped
        found.append(
            Counts(
                column=column,
                records=records,
                known=int(known),
                used=int(used),
                single=int(single),
                commonest=int(commonest),
                entropy=abs(float(entropy)),
                longest=longest,
                shapes=dict(zip(SHAPES, map(int, shaped), strict=True)),
                codes=tuple(sorted(codes[number], key=lambda one: KNOWN.index(one.code))),
                span=None if least is None else (float(least), float(greatest)),
            )
        )
    return found


def _rows(session: Session, relation: Relation, columns: str, limit: int) -> list[tuple[Any, ...]]:
    named = session.engine.named(relation)
    return session.engine.fetch_portable(
        f"select {columns} from {named}", limit, "reading the counts"
    ).rows
