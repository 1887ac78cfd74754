"""The gate: nothing is published unless every record is there and every declared model holds."""

from __future__ import annotations

from sqlanon.errors import EngineError, InfeasibleError, Shortfall, SqlanonError
from sqlanon.plan import Check, Found, filled
from sqlanon.sql import Relation

_REFUSED = (
    "the release does not reach what the spec asks for, so nothing was published; "
    "relax what falls short; a greater k may help:"
)


_TELLING = (
    "an insensitive column is published as it is, and what these say of single records is more "
    "than may be (rare_share: of how many records fewer than k share the value; "
    "determined_share: of how many it gives a quasi-identifier's own value back), so nothing was "
    "published; make it a quasi-identifier or an identifier, coarsen it in the source, or accept "
    "it by name with insensitive: {COLUMN: {accept: WHY}}:"
)


def limits(shares: Relation) -> Check:
    """Refuse insensitive columns that say too much, before any class is formed.

    Args:
        shares: what they say about single records.
    """
    return Check(
        "insensitive columns within their limits",
        "insensitive/check_shares",
        {"shares": shares},
        {},
        "",
        f"{_TELLING} {{metric}} of {{attribute}}: asked for {{threshold}}, reached {{value}} "
        "({failing_records} records)",
        _tells,
    )


def _tells(where: str, message: str, found: Found) -> SqlanonError:
    return InfeasibleError(_TELLING, [shortfall(**row) for row in found])


def gate(release: Relation, size: Relation, metrics: Relation) -> list[Check]:
    """The last steps of a plan.

    Args:
        release: the relation about to be published.
        size: how many records the source has.
        metrics: what was measured on the release.
    """
    return [
        Check(
            "no record lost or invented",
            "release/check_conserved",
            {"size": size, "release": release},
            {},
            "",
            "{records_in} records went in and {records_out} came out: a fault of sqlanon's, or "
            "the source changed during the run; nothing was published",
            lambda where, message, found: EngineError(filled(message, found)),
        ),
        Check(
            "every declared model holds",
            "release/check_gate",
            {"metrics": metrics},
            {},
            "",
            f"{_REFUSED} {{metric}} {{attribute}}: asked for {{threshold}}, reached {{value}}; "
            "{failing_classes} classes with {failing_records} records fall short",
            _falls_short,
        ),
    ]


def _falls_short(where: str, message: str, found: Found) -> SqlanonError:
    return InfeasibleError(_REFUSED, [shortfall(**row) for row in found])


def shortfall(
    metric: str,
    attribute: str | None,
    threshold: str,
    value: float | None,
    failing_classes: int | None = None,
    failing_records: int | None = None,
) -> Shortfall:
    """A metric that did not pass, as evidence."""
    return Shortfall(metric, attribute, threshold, value, failing_classes, failing_records)


TOO_FEW = "k-anonymity cannot be reached: k is {k}, the source has only {records} records; lower k"


def too_few_records(k: int, records: int) -> InfeasibleError:
    """The refusal of a k that is greater than the number of records."""
    return InfeasibleError(TOO_FEW.format(k=k, records=records))
