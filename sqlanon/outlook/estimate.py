"""How large the relations of a run will be, known before it: from the number of records alone."""

from __future__ import annotations

from sqlanon.outlook.dry_run import DryRun
from sqlanon.plan import Step
from sqlanon.source.source import PEOPLE, PEOPLE_CODED
from sqlanon.sql.grain import Grain


def most_rows(dry: DryRun) -> dict[str, int]:
    """At most how many rows each relation of a plan will have.

    The source's records are counted. A template says what a row of its relation is: so there is a
    row for each record, or for k of them, or one row in all. Relations whose size depends on the
    values, or on another table, are left out.
    """
    records, k = dry.records(), dry.prepared.spec.privacy.k
    steps = (
        step
        for step in dry.prepared.plan
        if isinstance(step, Step) and step.output not in (PEOPLE, PEOPLE_CODED)
    )
    found = {str(step.output): Grain.of(step.grain).most_rows(records, k) for step in steps}
    return {relation: rows for relation, rows in found.items() if rows is not None}
