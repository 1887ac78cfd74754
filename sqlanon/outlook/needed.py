"""How large a class within t must be, where all values are equally far apart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from sqlanon.session import Session
from sqlanon.spec import MEASURABLE, MethodSettings
from sqlanon.spec.method import default_method
from sqlanon.sql.names import Relation

TIMES = 10  # a class this many times larger than every model needs is said
_BLIND = (
    "{method} deals records to classes without a look at their quasi-identifiers, so it always "
    "loses most of these: {near}leave method out for "
    "{default}, which keeps them as close as the models allow."
)


def loses_blindly(method: MethodSettings) -> str:
    """The remark that a method loses most by nature; empty of one that looks at the records."""
    if not method.blind:
        return ""
    near = "say locality: curve, or " if "locality" in type(method).model_fields else ""
    return _BLIND.format(method=method.name, near=near, default=default_method().name)


@dataclass(frozen=True)
class Needed:
    """The size of a class that a t needs.

    Attributes:
        column: the sensitive attribute.
        t: what was asked for, as declared.
        records: how many records there are.
        used: how many different values they have.
        needed: how many records a class must have at least.
        has_order: whether the values are numbers, dates or times.
    """

    column: str
    t: str
    records: int
    used: int
    needed: int
    has_order: bool

    @property
    def of_all(self) -> bool:
        """Whether two such classes need more records than there are."""
        return 2 * self.needed > self.records

    @property
    def says(self) -> str:
        """A sentence with what to do."""
        cure = "say distance: ordered, " if self.has_order else "list its values in order, "
        return (
            f"{self.column} has {self.used:,} values, all equally far apart, so that a class "
            f"within t = {self.t} needs {self.needed:,} of the {self.records:,} records at least: "
            f"{cure}round or group the values, or ask for a greater t."
        )


def needed_of(
    session: Session,
    records: Relation,
    column: str,
    name: str,
    t: str,
    kinds: Mapping[str, str],
) -> Needed:
    """Count the values of an attribute, and how many records make up 1 - t of them.

    Args:
        session: asks the database.
        records: the records.
        column: their column of the attribute.
        name: the attribute.
        t: what was asked for, as declared.
        kinds: the kinds of columns, by name.

    Raises:
        EngineError: if the database fails.
    """
    asked = Fraction(t)
    params = {"column": column, "amount": asked.numerator, "scale": asked.denominator}
    (row,) = session.fetch("why/needed", {"published": records}, params, 1).dicts()
    return Needed(
        column=name,
        t=t,
        records=int(row["records"] or 0),
        used=int(row["used"]),
        needed=int(row["needed"] or 0),
        has_order=kinds.get(name) in MEASURABLE,
    )
