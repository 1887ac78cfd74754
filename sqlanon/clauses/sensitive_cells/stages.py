"""Sensitive quasi-identifiers in a plan: the value of each is a column that no release shows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from sqlanon.clauses.sensitive_cells.declared import protected
from sqlanon.domains.attribute import HiddenAttribute, QuasiAttribute
from sqlanon.draft import Draft, Stages
from sqlanon.plan import Phase, Step, work
from sqlanon.spec import MEASURABLE, Sensitive
from sqlanon.sql.names import Relation, Sql

CODED = work("sensitive_cells_coded")


@dataclass(frozen=True, kw_only=True)
class SensitiveCell(HiddenAttribute):
    """The values of a quasi-identifier that must not be learned: its codes are of these.

    Attributes:
        of: the column of the codes of the quasi-identifier.
        values: its values, with their codes.
        levels: how many levels its hierarchy has below the root.
        natural: whether the values are numbers or dates, which lie in their own order.
    """

    per = "sensitive"
    of: Sql
    values: Relation
    levels: int
    natural: bool

    @property
    def remedy(self) -> str:
        """The changes that may help where a class tells the value."""
        return "a greater k, or a method that tests the models while it searches,"


def looked(draft: Draft) -> Draft:
    """The values are attributes of the records, numbered after all that is sensitive or hidden."""
    of = {attribute.name: attribute for attribute in draft.quasi_identifiers}
    first = 1 + len(draft.sensitive) + len(draft.hidden)
    found = [
        _values_of(of[name], declared, Sql(f"s{number}"))
        for number, (name, declared) in enumerate(protected(draft.spec).items(), first)
    ]
    return replace(draft, hidden=(*draft.hidden, *found))


def _values_of(of: QuasiAttribute, declared: Any, alias: Sql) -> SensitiveCell:
    """The values of a quasi-identifier as an attribute that no release shows."""
    distance = declared.distance
    if distance is None:
        flat = of.nodes is None or of.in_periods
        in_order = of.ordered or (flat and of.kind in MEASURABLE and not of.declared.nominal)
        distance = "ordered" if in_order else "equal"
    positions = work("positions_", alias)
    return SensitiveCell(
        alias=alias,
        name=of.name,
        kind="integer",
        domain=positions,
        nodes=None,
        height=of.height,
        declared=Sensitive.model_construct(**{**dict(declared), "distance": distance}),
        positions=positions,
        tie_breaker=None,
        padded=None,
        of=of.alias,
        values=of.domain,
        levels=0 if of.nodes is None else of.height,
        natural=of.kind in MEASURABLE and not of.ordered,
    )


def coded(draft: Draft) -> Draft:
    """Every record has the code of its value once more, which goes on where no cell does."""
    cells = [attribute for attribute in draft.hidden if isinstance(attribute, SensitiveCell)]
    steps = [
        Step(
            f"values of {cell.name} in the order of their distance",
            cell.positions,
            "clauses/sensitive_cells/positions",
            {"domain": cell.values},
            {"levels": cell.levels, "natural": cell.natural},
        )
        for cell in cells
    ]
    read = (
        column for attribute in draft.hidden for column in attribute.read
    )  # a later clause does
    steps.append(
        Step(
            "the records with the values that their cells hide",
            CODED,
            "clauses/sensitive_cells/coded",
            {"coded": draft.coded},
            {"codes": draft.codes, "cells": cells, "carried": (*draft.carried, *read)},
        )
    )
    codes = (*draft.codes, *(cell.alias for cell in cells))
    return replace(draft, coded=CODED, codes=codes).adding(Phase.FORMING, *steps)


STAGES = Stages(look=looked, code=coded)
