"""What released columns say about single records, before any of them is released.

The values of insensitive and of sensitive columns are published row by row. One that gives a
quasi-identifier's original value back undoes its generalization. An insensitive one that is nearly
a key singles records out; a sensitive one may have as many values as it will.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.domains import Attribute, SensitiveAttribute
from sqlanon.measure.metrics import COPIED, DETERMINED, RARE
from sqlanon.plan import Materialization, Step, work
from sqlanon.spec import Kind
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql, exact

# The greatest share of records that may have a value held by fewer than k records, and whose
# quasi-identifier a column may give back, unless the spec accepts the column by name.
RARE_LIMIT = Fraction(1, 20)
DETERMINED_LIMIT = Fraction(1, 10)
# Of how many records a sensitive value gives something back, at most: a greater k hides no copy.
# Fewer records agree too easily where a sensitive attribute has only something to do with another.
_FEW = 5
SHARES = work("shares")


@dataclass(frozen=True)
class Released:
    """A column that is released as it is.

    Attributes:
        alias: its name in the records.
        name: the source's column.
        kind: the kind of its values.
        accepted: why the spec holds it to no limit; None if it does.
        telling: the function that tells its equal values apart, if there are such.
        padded: the type that its values are published in, where they are compared as another.
        made: whether it holds text that was made of the source's values.
        sensitive: whether it is a sensitive column, whose rare values are no fault.
    """

    alias: Sql
    name: str
    kind: Kind
    accepted: str | None = None
    telling: Sql | None = None
    padded: Sql | None = None
    made: bool = False
    sensitive: bool = False


def share_steps(
    columns: Sequence[Released],
    quasi_identifiers: Sequence[Attribute],
    records: Relation,
    size: Relation,
    k: int,
) -> list[Step]:
    """The steps that make ``SHARES``, a row for each share that is measured.

    Args:
        columns: the insensitive and the sensitive columns, at least one.
        quasi_identifiers: the quasi-identifiers, and whatever else of the exact rows an insensitive
            column may give back.
        records: the records of the source.
        size: how many they are.
        k: the least class size asked for.
    """
    steps, shares = [], []
    inputs: dict[str, Any] = {"size": size}
    for column in columns:
        hidden = [one for one in quasi_identifiers if not (column.sensitive and _sensitive(one))]
        domains = {str(one.alias): one.domain for one in hidden}
        few = min(k, _FEW) if column.sensitive else k
        held = work("held_", column.alias)
        determined = work("determined_", column.alias)
        steps += [
            Step(
                f"values of {column.name} and their records",
                held,
                "insensitive/held",
                {"records": records},
                {"columns": (column.alias,)},
            ),
            Step(
                f"what {column.name} gives back",
                determined,
                "insensitive/determined",
                {"records": records, "size": size, "held": held}
                | {f"domain_{alias}": domain for alias, domain in domains.items()},
                {
                    "attribute": column.alias,
                    "quasi_identifiers": tuple(one.alias for one in hidden),
                    "domains": domains,
                    "sensitive": column.sensitive,
                    "k": max(few, 2),  # one record alone gives everything back
                },
            ),
        ]
        limited = column.accepted is None
        metric = COPIED if column.sensitive else DETERMINED
        inputs[f"determined_{column.alias}"] = determined
        if not column.sensitive:
            inputs[f"held_{column.alias}"] = held
            shares.append(_share(RARE, column.name, held, RARE_LIMIT, limited))
        shares += [
            _share(metric, pair(one.name, column.name), determined, DETERMINED_LIMIT, limited)
            | {"place": place}
            for place, one in enumerate(hidden, 1)
        ]
    together = [column.alias for column in columns if not column.sensitive]
    if len(together) > 1:
        held = inputs["held_together"] = work("held_together")
        steps.append(
            Step(
                "the insensitive columns as one",
                held,
                "insensitive/held",
                {"records": records},
                {"columns": tuple(together)},
                Materialization.WORK_VIEW,  # read once, and perhaps as long as the records
            )
        )
        shares.append(_share(RARE, None, held, RARE_LIMIT, limited=False))
    about = {"shares": shares, "k": k}
    steps.append(
        Step(
            "what the columns say of single records",
            SHARES,
            "insensitive/shares",
            inputs,
            about,
        )
    )
    return steps


def _sensitive(attribute: Attribute) -> bool:
    return isinstance(attribute, SensitiveAttribute)


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
        "threshold": exact(limit) if limited else None,
    }
