"""The grain of a relation, as a template's header says it: a small vocabulary, and bounds."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

Bound = Literal["records", "classes", "values"]

# The units that there may be a row for, and the bound of each: there are at most as many as
# records, or as classes of k records. The number of records does not bound the number of values.
UNITS: dict[str, Bound] = {
    **dict.fromkeys(("record", "cell", "combination of quasi-identifiers", "unit"), "records"),
    **dict.fromkeys(("class", "equivalence class"), "classes"),
    **dict.fromkeys(("allowed cut", "bin", "cell of a square or cubic grid", "code"), "values"),
    **dict.fromkeys(("column", "combination", "cut", "date or time", "demand"), "values"),
    **dict.fromkeys(("declared model", "distinct", "fact about the run", "fragment"), "values"),
    **dict.fromkeys(("group", "insensitive column", "kind of class", "label", "leaf"), "values"),
    **dict.fromkeys(("level", "limit", "measure", "new class", "new node", "node"), "values"),
    **dict.fromkeys(
        ("number of classes", "offer", "open demand", "open node", "open part"), "values"
    ),
    **dict.fromkeys(("person", "point", "pool", "quasi-identifier", "region"), "values"),
    **dict.fromkeys(("lattice node", "length", "root", "row of a piece", "start"), "values"),
    **dict.fromkeys(("cluster", "measured model", "profile", "specialization", "tuple"), "values"),
    **dict.fromkeys(
        ("choice of columns", "choice of levels", "cost", "open unit", "stripe", "value"), "values"
    ),
}
_ONE_PER = re.compile(
    rf"one row per ({'|'.join(sorted(map(re.escape, UNITS), key=len, reverse=True))})\b(.*)"
)
_OTHERS = re.compile(r"one row( if .*)?|no row|as the (table|candidate)")


@dataclass(frozen=True)
class Grain:
    """The grain of a relation: the unit that each of its rows stands for.

    Attributes:
        unit: what there is one row per; empty for one row in all, or for none.
        joint: whether it is one row per that and something else.
        single: whether there is exactly one row.
    """

    unit: str
    joint: bool
    single: bool

    @classmethod
    def of(cls, text: str) -> Grain:
        """Read the grain of a header.

        Raises:
            ValueError: if it begins with none of the units that are known.
        """
        found = _ONE_PER.fullmatch(text)
        if found is not None:
            return cls(found[1], " and " in found[2], single=False)
        if not _OTHERS.fullmatch(text):
            raise ValueError(
                f"the grain {text!r} must be 'one row', 'no row', 'one row if …', or 'one row per' "
                f"one of: {', '.join(sorted(UNITS))}"
            )
        return cls("", joint=False, single=text == "one row")

    def most_rows(self, records: int, k: int) -> int | None:
        """The most rows that it allows; None if the number of records does not bound them."""
        bound = UNITS.get(self.unit)
        if self.single:
            return 1
        if bound == "classes" and not self.joint:
            return max(1, records // k)
        return records if bound in ("records", "classes") else None
