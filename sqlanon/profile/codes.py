"""The codes that stand for a missing value in published data: the only values ever named.

A code is named if it looks like one next to the column's other values, and so many records hold it
that it points at none of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlanon.inputs.source import MISSING_WORDS
from sqlanon.sql.names import Sql

# Words that do so among numbers only.
AMONG_NUMBERS = ("n", "x", "none", "m")
NUMBERS = (
    -1, -2, -3, -4, -5, -6, -7, -8, -9, -66, -77, -88, -99, -666, -777, -888, -999, -8888, -9999,
    -99999, 7, 8, 9, 77, 88, 97, 98, 99, 777, 888, 997, 998, 999, 7777, 8888, 9997, 9998, 9999,
    99999, 999999, 9999999,
)  # fmt: skip
# So many records hold a code that is named, at least.
LEAST_HOLDING = 10
KNOWN = (*MISSING_WORDS, *AMONG_NUMBERS, *map(str, NUMBERS))


@dataclass(frozen=True)
class MissingCode:
    """A likely code of the known list that a column holds, and in how many records.

    Attributes:
        code: as the list has it: text in lower case.
        records: how many records hold it.
    """

    code: str
    records: int


def params() -> dict[str, Any]:
    """The parameters of the codes' template."""
    words = [{"text": word, "among_numbers": False} for word in MISSING_WORDS]
    words += [{"text": word, "among_numbers": True} for word in AMONG_NUMBERS]
    numbered = [{**word, "number": number} for number, word in enumerate(words)]
    numbers = [
        {"value": Sql(f"({value})"), "number": len(words) + place}
        for place, value in enumerate(NUMBERS)
    ]
    return {"words": numbered, "numbers": numbers}
