"""How large the relations of a run will be, known before it: from the number of records alone."""

from __future__ import annotations

from sqlanon.engines import Engine
from sqlanon.plan import Plan, Step
from sqlanon.release.prepare import SIZE, Prepared
from sqlanon.session import Session


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
    found = {
        str(step.output): _rows(step.grain, records, prepared.spec.privacy.k) for step in steps
    }
    return {relation: rows for relation, rows in found.items() if rows is not None}


def _rows(grain: str, records: int, k: int) -> int | None:
    """The most rows of a grain."""
    what, _, more = grain.removeprefix("one row").strip().removeprefix("per ").partition(" and ")
    if grain == "one row":
        return 1
    if what.startswith(("class", "equivalence class")):
        return records if more else max(1, records // k)
    if what.startswith(("record", "cell", "combination of quasi-identifiers")):
        return records
    return None
