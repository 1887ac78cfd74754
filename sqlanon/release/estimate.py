"""How large the relations of a run will be, known before it: from the number of records alone."""

from __future__ import annotations

from sqlanon.engines import Engine
from sqlanon.plan import Plan, Step
from sqlanon.release.prepare import SIZE, Prepared
from sqlanon.session import Session
from sqlanon.sql.grain import Grain


def most_rows(prepared: Prepared, engine: Engine) -> dict[str, int]:
    """At most how many rows each relation of a plan will have.

    The source's records are counted; nothing is written. What a row of a relation is, its template
    says: so there is one for a record, or for k of them, or one in all. Relations whose size
    depends on the values are left out.
    """
    at = next(
        number
        for number, step in enumerate(prepared.plan.steps, 1)
        if isinstance(step, Step) and step.output == SIZE
    )
    session = Session(engine)
    with session.transaction(keep=False):
        session.run(Plan(prepared.plan.steps[:at]))
        records = int(engine.ask(f"select records from {engine.named(SIZE)}").rows[0][0])
    steps = (step for step in prepared.plan if isinstance(step, Step))
    k = prepared.spec.privacy.k
    found = {str(step.output): Grain.of(step.grain).most_rows(records, k) for step in steps}
    return {relation: rows for relation, rows in found.items() if rows is not None}
