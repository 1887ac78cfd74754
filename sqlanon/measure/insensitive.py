"""Limits on what insensitive columns say about single records, before any of them is released.

They are published as they are, row by row. A column that is nearly a key singles records out; one
that gives a quasi-identifier's original value back undoes its generalization.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.domains.attribute import Attribute
from sqlanon.measure.metrics.records import DETERMINED, RARE
from sqlanon.plan import Materialization, Step, work
from sqlanon.spec import Kind
from sqlanon.sql.names import Relation, Sql, exact

# The greatest shares of the records that may have a value held by fewer than k records, and whose
# quasi-identifier a column may give back. A spec may accept a column by name all the same.
RARE_LIMIT = Fraction(1, 20)
DETERMINED_LIMIT = Fraction(1, 10)
SHARES = work("shares")


@dataclass(frozen=True)
class Released:
    """A column that is released as it is.

    Attributes:
        alias: its name in the records.
        name: the source's column.
        kind: the kind of its values.
        accepted: why the spec holds it to no limit; None if it does.
        tie_breaker: the function that orders its equal values, if there are such.
        apart: the function by which a reader distinguishes its equal values, or `text`.
        padded: the type that its values are published in, where they are compared as another.
        made: whether it holds text that was made of the source's values.
    """

    alias: Sql
    name: str
    kind: Kind
    accepted: str | None = None
    tie_breaker: Sql | None = None
    apart: Sql | None = None
    padded: Sql | None = None
    made: bool = False


def share_steps(
    columns: Sequence[Released],
    quasi_identifiers: Sequence[Attribute],
    records: Relation,
    k: int,
) -> list[Step]:
    """The steps that make ``SHARES``, a row for each share that is measured.

    Args:
        columns: the insensitive columns, at least one.
        quasi_identifiers: the quasi-identifiers.
        records: the records of the source.
        k: the least class size asked for.
    """
    aliases = tuple(attribute.alias for attribute in quasi_identifiers)
    commonest = work("commonest")
    title = "how common the commonest values are"
    about = {"quasi_identifiers": aliases}
    steps = [Step(title, commonest, "insensitive/commonest", {"records": records}, about)]
    shares = []
    inputs: dict[str, Any] = {}
    for number, column in enumerate(columns):
        row_number = number * (len(aliases) + 1) + 1
        held = work("held_", column.alias)
        determined = work("determined_", column.alias)
        steps += [
            Step(
                f"values of {column.name} and their records",
                held,
                "insensitive/held",
                {"records": records},
                {"columns": (column.alias,), "tie_breaker": apart([column])},
            ),
            Step(
                f"what {column.name} gives back",
                determined,
                "insensitive/determined",
                {"records": records, "held": held, "commonest": commonest},
                {
                    "attribute": column.alias,
                    "tie_breaker": apart([column]),
                    "quasi_identifiers": aliases,
                    "k": max(k, 2),  # one record alone gives everything back
                },
            ),
        ]
        inputs |= {f"held_{column.alias}": held, f"determined_{column.alias}": determined}
        limited = column.accepted is None
        shares.append(_share(RARE, column.name, held, RARE_LIMIT, limited) | {"number": row_number})
        pairs = [pair(attribute.name, column.name) for attribute in quasi_identifiers]
        given = _share(DETERMINED, None, determined, DETERMINED_LIMIT, limited)
        shares.append(given | {"number": row_number, "pairs": pairs})
    if len(columns) > 1:
        held = inputs["held_together"] = work("held_together")
        steps.append(
            Step(
                "the insensitive columns as one",
                held,
                "insensitive/held",
                {"records": records},
                {
                    "columns": tuple(column.alias for column in columns),
                    "tie_breaker": apart(columns),
                },
                Materialization.WORK_VIEW,  # read once, and perhaps as long as the records
            )
        )
        row_number = len(columns) * (len(aliases) + 1) + 1
        shares.append(_share(RARE, None, held, RARE_LIMIT, limited=False) | {"number": row_number})
    steps.append(
        Step(
            "what the insensitive columns say",
            SHARES,
            "insensitive/shares",
            inputs,
            {"shares": shares, "k": k},
        )
    )
    return steps


def apart(columns: Sequence[Released]) -> dict[str, Sql]:
    """The function of each column whose equal values a reader can distinguish."""
    return {str(column.alias): column.apart for column in columns if column.apart is not None}


def pair(quasi_identifier: str, column: str) -> str:
    """How the metrics name a quasi-identifier that a column gives back."""
    return f"{quasi_identifier} by {column}"


def _share(
    metric: str, attribute: str | None, relation: Relation, limit: Fraction, limited: bool
) -> dict[str, Any]:
    return {
        "metric": metric,
        "attribute": attribute,
        "relation": relation,
        "limit": limit,
        "pairs": (),
        "threshold": exact(limit) if limited else None,
    }
