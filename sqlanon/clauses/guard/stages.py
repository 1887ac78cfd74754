"""What persons guard: the steps from labels in the source to a number for each record."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlanon.domains import GuardAttribute, SensitiveAttribute
from sqlanon.plan import Check, Step, work
from sqlanon.spec import Spec
from sqlanon.spec.guard import guard_columns
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

GUARDED_CODED = work("guarded_coded")


def guard_attributes(
    spec: Spec, short: Mapping[str, str], sensitive: Sequence[SensitiveAttribute]
) -> tuple[GuardAttribute, ...]:
    """The declared guards as attributes of the records, numbered after the sensitive attributes.

    Args:
        spec: what is declared.
        short: the alias of each column that is read.
        sensitive: the sensitive attributes, with their domains.
    """
    of = {one.name: one for one in sensitive}
    found = []
    for number, (name, column) in enumerate(guard_columns(spec).items(), len(sensitive) + 1):
        alias = Sql(f"s{number}")
        positions = work("positions_", alias)
        found.append(
            GuardAttribute(
                alias=alias,
                name=name,
                kind="integer",
                domain=positions,
                nodes=None,
                height=of[name].height,
                declared=of[name].declared,
                positions=positions,
                telling=None,
                padded=None,
                of=of[name].alias,
                label=Sql(short[column]),
                spans=work("spans_", alias),
            )
        )
    return tuple(found)


def guard_steps(
    coded: Relation,
    codes: Sequence[Sql],
    carried: Sequence[Sql],
    guards: Sequence[GuardAttribute],
    sensitive: Sequence[SensitiveAttribute],
) -> list[Step | Check]:
    """The steps from coded records with labels to the pair of value and node of each.

    Args:
        coded: the records with integer codes and labels.
        codes: its columns of codes.
        carried: its other columns, without the labels.
        guards: what is guarded.
        sensitive: the sensitive attributes.
    """
    domains = {one.name: one.domain for one in sensitive}
    steps: list[Step | Check] = []
    for one in guards:
        steps += _described(one, coded, domains[one.name])
    steps.append(
        Step(
            "the records with what they guard",
            GUARDED_CODED,
            "guard/coded",
            {"coded": coded}
            | {f"spans_{one.alias}": one.spans for one in guards}
            | {f"positions_{one.alias}": one.positions for one in guards},
            {"codes": tuple(codes), "carried": tuple(carried), "guards": tuple(guards)},
        )
    )
    return steps


def _described(one: GuardAttribute, coded: Relation, domain: Relation) -> list[Step | Check]:
    """The steps that read one attribute's labels, each of which must be a node above the value."""
    where = f"sensitive.{one.name}.guard.column"
    read = {"coded": coded, "spans": one.spans}
    return [
        Step(
            f"nodes of {one.name} that may be guarded",
            one.spans,
            "guard/spans",
            {"domain": domain},
            {"height": one.height},
        ),
        Check(
            f"guarded nodes of {one.name} are the hierarchy's",
            "guard/check_nodes",
            read,
            {"label": one.label},
            where,
            "{records} records hold {labels} labels that the hierarchy does not have: write each "
            "as it stands there, '*' for the root, and NULL where nothing is guarded",
        ),
        Check(
            f"guarded nodes of {one.name} lie above the own value",
            "guard/check_above",
            read,
            {"label": one.label, "of": one.of},
            where,
            "{records} records name a node that their own value does not lie under: a person "
            "guards the own value or a group that it is in; NULL where nothing is guarded",
        ),
        Step(
            f"pairs of a value of {one.name} and a guarded node",
            one.positions,
            "guard/positions",
            read,
            {"label": one.label, "of": one.of},
        ),
    ]
