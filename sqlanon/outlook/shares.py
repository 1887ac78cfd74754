"""The knowledge about single records in a spec's insensitive columns, looked at before a run."""

from __future__ import annotations

from sqlanon.engines import Engine
from sqlanon.kept.metrics import METRIC_LIMIT, Metric, defined
from sqlanon.measure import SHARES
from sqlanon.outlook.dry_run import DryRun
from sqlanon.sql import Relation


def insensitive_shares(dry: DryRun) -> list[Metric]:
    """The shares that a run would hold to their limits; none without insensitive columns.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than k.
    """
    if not dry.prepared.looking_at_insensitive:
        return []
    dry.until(SHARES)
    return read_shares(SHARES, dry.engine)


def read_shares(shares: Relation, engine: Engine) -> list[Metric]:
    """The relation of the shares, read."""
    columns = "metric, attribute, value, threshold, failing_records"
    found = engine.fetch_portable(
        f"select {columns} from {engine.named(shares)} order by place",
        METRIC_LIMIT,
        "reading the shares",
    )
    return [
        defined(
            Metric(
                metric=metric,
                attribute=attribute,
                value=value,
                threshold=threshold,
                passed=None if failing is None else not failing,
                failing_classes=None,
                failing_records=failing,
            )
        )
        for metric, attribute, value, threshold, failing in found.rows
    ]
