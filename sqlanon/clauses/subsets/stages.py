"""Subsets in a plan: once classes are formed, their cells are coarsened until enough share them."""

from __future__ import annotations

from dataclasses import replace

from sqlanon.clauses.subsets.coarsening import coarsened
from sqlanon.draft import Draft, Stages
from sqlanon.source.persons import NUMBER


def formed(draft: Draft) -> Draft:
    """The same classes with coarser cells, unless their method has seen to it."""
    task, classes = draft.task, draft.classes
    assert task is not None and classes is not None  # noqa: S101, PT018 - the stages before
    return replace(draft, classes=coarsened(task, classes, NUMBER if draft.person else None))


STAGES = Stages(form=formed)
