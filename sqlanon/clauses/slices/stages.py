"""The columns that stay together, for methods; a run finds them where a spec names none.

As in Li, Li, Zhang and Molloy (2012) the quasi-identifiers that have most to do with each other are
in one slice.
"""

from __future__ import annotations

import json
from dataclasses import replace

from sqlanon.clauses.slices.declared import named_slices
from sqlanon.domains.contingencies import clustered, contingencies
from sqlanon.draft import Draft, Stages
from sqlanon.plan import Plan, Step
from sqlanon.session import Session
from sqlanon.source.source import aliases
from sqlanon.spec import Spec, changed
from sqlanon.sql.names import Sql


def told(draft: Draft) -> Draft:
    """The draft whose task says which quasi-identifiers are with each sensitive attribute."""
    quasi = draft.quasi_identifiers
    together = {
        attribute.alias: tuple(other.alias for other in quasi if other.name in names)
        for names in draft.spec.slices
        for attribute in draft.sensitive
        if attribute.name in names
    }
    assert draft.task is not None  # noqa: S101 - a stage before
    return replace(draft, task=replace(draft.task, together=together))


def settled(spec: Spec, coded: Plan, session: Session) -> tuple[Spec, list[tuple[str, str]]]:
    """The spec with the slices that are found, and what is to be recorded of them.

    Nothing changes where the spec names its slices.
    """
    if spec.publish is None or spec.publish.widest is None:
        return spec, []
    *before, coding = coded.steps
    assert isinstance(coding, Step)  # noqa: S101 - the one that codes the records
    session.run(Plan(tuple(before)))
    short, quasi, sensitive = aliases(spec), list(spec.quasi_identifiers), tuple(spec.sensitive)
    measured = contingencies(
        coding, {name: Sql(short[name]) for name in (*quasi, *sensitive)}, session
    )
    widest = spec.publish.widest
    if spec.publish.sensitive is None:
        slices = (*clustered(quasi, measured, widest), sensitive)
    else:
        slices = tuple(clustered(quasi, measured, widest, sensitive))
    fixed = spec.publish.model_copy(update=named_slices(slices))
    table = [{"columns": pair, "contingency": value} for pair, value in measured.items()]
    return changed(spec, publish=fixed), [
        ("slices", json.dumps(slices, ensure_ascii=False)),
        ("slice_contingencies", json.dumps(table, ensure_ascii=False)),
    ]


STAGES = Stages(code=told, settle=settled)
