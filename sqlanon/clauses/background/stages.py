"""Background knowledge in a plan: from its declaration to what a reader believes afterwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlanon.clauses.background import profiles
from sqlanon.clauses.background.clusters import Alike, clusters_apart, clusters_asked
from sqlanon.clauses.background.declared import BELIEVED, backgrounds_of
from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.draft import Draft, Stages
from sqlanon.measure.view import MEASURED, AdversaryView
from sqlanon.plan import Phase, Step, work
from sqlanon.sql.names import Sql


def looked(draft: Draft) -> Draft:
    """The declared backgrounds are attributes of the records, called like the sensitive ones."""
    aliases = {attribute.name: attribute.alias for attribute in draft.quasi_identifiers}
    declared = backgrounds_of(draft.spec)
    found = []
    for attribute in draft.sensitive:
        if attribute.name not in declared:
            continue
        background, alias = declared[attribute.name], Sql(f"b{str(attribute.alias)[1:]}")
        known_by = tuple(aliases[name] for name in background.by)
        positions = work("positions_", alias)
        found.append(
            profiles.BackgroundAttribute(
                alias=alias,
                name=attribute.name,
                kind="integer",
                domain=positions,
                nodes=None,
                height=0,
                declared=attribute.declared,
                positions=positions,
                tie_breaker=None,
                padded=None,
                background=background,
                by=draft.unit.columns or known_by,
                of_unit=known_by if draft.unit.columns else (),
                tuples=work("profiles_", alias),
                priors=work("priors_", alias),
                divergences=work("divergences_", alias),
            )
        )
    return replace(draft, hidden=(*draft.hidden, *found))


def coded(draft: Draft) -> Draft:
    """Every record has its profiles, and the method the clusters that these make."""
    task, backgrounds = draft.task, known(draft.hidden)
    assert task is not None  # noqa: S101 - a stage before
    declared = backgrounds_of(draft.spec)
    tables = profiles.background_tables(declared, draft.columns, draft.engine, draft.written)
    steps = profiles.background_steps(
        draft.coded,
        (*draft.codes, *draft.carried),
        backgrounds,
        draft.sensitive,
        draft.quasi_identifiers,
        tables,
        numbered=draft.unit.numbered,
    )
    if clusters_asked(task.models):
        strata = () if task.clusters is None else task.clusters.strata
        alike = Alike(task.models, bool(task.allowance), task.following_codes, strata)
        task = replace(task, clusters=alike)
    codes = (*draft.codes, *(attribute.alias for attribute in backgrounds))
    read = (*draft.tables, *tables.values())
    draft = replace(draft, coded=profiles.KNOWN_CODED, codes=codes, task=task, tables=read)
    return draft.adding(Phase.FORMING, *steps)


def formed(draft: Draft) -> Draft:
    """The same classes, joined where those of two clusters show the same."""
    task, classes = draft.task, draft.classes
    assert task is not None and classes is not None  # noqa: S101, PT018 - the stages before
    # The unit goes on with the record.
    task = replace(task, insensitive=(*task.insensitive, *draft.unit.numbers))
    return replace(draft, classes=clusters_apart(task, classes))


def measured(draft: Draft, view: AdversaryView) -> list[Step]:
    """The steps that find how sure of the members' values a reader is who knows more of them."""
    backgrounds = known(view.sensitive)
    if not backgrounds:  # a table that others have shows none
        return []
    of, by = (
        {sensitive_attribute.name: sensitive_attribute for sensitive_attribute in draft.sensitive},
        tuple(column.alias for column in view.shown),
    )
    steps, beliefs = list[Step](), []
    for background in backgrounds:
        attribute, output = of[background.name], work("beliefs_", background.alias)
        beliefs.append({"name": background.name, "beliefs": output})
        steps.append(
            Step(
                f"what is believed of {background.name} by a reader who knows more of its members",
                output,
                "clauses/background/beliefs",
                {
                    "measured": MEASURED,
                    "classes": view.classes,
                    "positions": attribute.positions,
                    "priors": background.priors,
                },
                {
                    "published": by,
                    "background": background.alias,
                    "attribute": attribute.alias,
                    "tie_breaker": attribute.tie_breaker,
                    "persons": view.units is not None,
                },
            )
        )
    believed = Step(
        "how sure somebody is who knows more",
        work("believed"),
        BELIEVED,
        {f"beliefs_{number}": belief["beliefs"] for number, belief in enumerate(beliefs, 1)},
        {"backgrounds": beliefs},
    )
    return [*steps, believed]


def known(attributes: Sequence[SensitiveAttribute]) -> tuple[profiles.BackgroundAttribute, ...]:
    """The background attributes among others."""
    return tuple(
        attribute for attribute in attributes if isinstance(attribute, profiles.BackgroundAttribute)
    )


STAGES = Stages(look=looked, code=coded, form=formed, measure=measured)
