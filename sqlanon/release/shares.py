"""What a spec's insensitive columns say about single records, looked at before a run."""

from __future__ import annotations

from sqlanon.engines import Engine
from sqlanon.measure import SHARES
from sqlanon.plan import Plan, Step
from sqlanon.release.metrics import METRIC_LIMIT, Metric
from sqlanon.release.prepare import Prepared
from sqlanon.session import Session
from sqlanon.sql import Relation


def insensitive_shares(prepared: Prepared, engine: Engine) -> list[Metric]:
    """The shares that a run would hold to their limits; none without insensitive columns.

    Nothing is written.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if there are fewer records than k.
    """
    outputs = [step.output if isinstance(step, Step) else None for step in prepared.plan]
    if SHARES not in outputs:
        return []
    session = Session(engine)
    with session.transaction(keep=False):
        session.run(Plan(prepared.plan.steps[: outputs.index(SHARES) + 1]))
        return read_shares(SHARES, engine)


def read_shares(shares: Relation, engine: Engine) -> list[Metric]:
    """The relation of the shares, read."""
    columns = "metric, attribute, value, threshold, failing_records"
    found = engine.ask(
        f"select {columns} from {engine.named(shares)} order by place",
        METRIC_LIMIT,
        "reading the shares",
    )
    return [
        Metric(
            metric,
            attribute,
            value,
            threshold,
            None if failing is None else not failing,
            None,
            failing,
        )
        for metric, attribute, value, threshold, failing in found.rows
    ]
