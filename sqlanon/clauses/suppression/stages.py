"""The allowance of a method: how many records it may leave out.

A method that is given none leaves nobody out. The account of the records, and the gate, take the
limit from the spec itself.
"""

from __future__ import annotations

from dataclasses import replace

from sqlanon.draft import Draft, Stages
from sqlanon.methods.strata import Strata


def allowed(draft: Draft) -> Draft:
    """The draft with a task that allows records to be left out."""
    task, allowance = draft.task, draft.spec.allowance
    assert task is not None and allowance is not None  # noqa: S101, PT018 - the stages before
    named = (
        attribute.alias
        for attribute in task.quasi_identifiers
        if attribute.name == allowance.within
    )
    clusters = task.clusters
    if isinstance(clusters, Strata):
        clusters = replace(clusters, suppresses=True)
    task = replace(task, allowance=allowance.records, within=next(named, None), clusters=clusters)
    return replace(draft, task=task)


STAGES = Stages(code=allowed)
