"""The stack: a block of records for each sensitive value, or for each combination of several.

A spec declares the settings of it. Where outliers are left out, it is made of the records kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar, Literal

from pydantic import Field, model_validator

from sqlanon.common.fields import Whole
from sqlanon.domains.attribute import SensitiveAttribute, tie_breaker
from sqlanon.errors import Problem
from sqlanon.methods.method import ASSIGNED, Task
from sqlanon.methods.outliers import outliers_of
from sqlanon.methods.workspace import CELLS, KEPT, scales_of, sensitive_asked
from sqlanon.plan import Materialization, Search, Step, work
from sqlanon.spec import MethodSettings, Sensitive, Spec
from sqlanon.spec.levels import stratified
from sqlanon.sql.names import Relation, Sql

DEFAULT_STRIPE = 2000
# The orders that only several sensitive attributes have, as a sentence begins.
_OF_SEVERAL = {"component": "a principal component is", "clusters": "clusters are"}


class StackAndDealSettings(MethodSettings):
    """Stack & Deal: blind to the quasi-identifiers, or among neighbours."""

    searches: ClassVar[bool] = False
    strata: ClassVar[bool] = True
    leaves_outliers: ClassVar[bool] = True

    name: Literal["stack_and_deal"] = "stack_and_deal"
    stack: Literal["frequency", "value", "snake", "component", "clusters"] | None = Field(
        default=None,
        description="by default value for an ordinal or hierarchical attribute, snake for "
        "several of them, frequency otherwise; of several, component is along their first "
        "principal component, and clusters puts similar combinations of values together",
    )
    ties: Literal["lower", "higher"] | None = Field(
        default=None,
        description="for stack: frequency, which of equally frequent values comes first; by "
        "default the higher one",
    )
    locality: Literal["none", "curve", "stripes"] = Field(
        default="none",
        description="whether classes are dealt from records that lie close: blind to the "
        "quasi-identifiers, along a curve through them, or in stripes of that curve",
    )
    stripe: Whole | None = Field(
        default=None,
        ge=1,
        description="for locality: stripes, the least number of records of one; 2000 by default",
    )

    @property
    def stripe_size(self) -> int | None:
        """The least number of records of a stripe; None where all are one stripe."""
        if self.locality != "stripes":
            return None
        return DEFAULT_STRIPE if self.stripe is None else self.stripe

    @property
    def blind(self) -> bool:
        """Whether classes are dealt without a look at the quasi-identifiers."""
        return self.locality == "none"

    @property
    def predicts(self) -> bool:
        """Whether no stripe is dealt by itself."""
        return self.locality != "stripes"

    @model_validator(mode="after")
    def _fits(self) -> StackAndDealSettings:
        if self.ties is not None and self.stack != "frequency":
            raise ValueError("ties belongs to stack: frequency")
        if self.stripe is not None and self.locality != "stripes":
            raise ValueError("stripe belongs to locality: stripes")
        return self

    def problems(self, spec: Spec) -> Iterator[Problem]:
        """Stripes smaller than a class, as each is dealt by itself; a component without orders."""
        if self.stack in _OF_SEVERAL:
            yield from _of_one(spec, _OF_SEVERAL[self.stack])
        if self.stack == "component":
            yield from _without_component(spec)
        if self.stripe_size is not None and self.stripe_size < max(spec.sizes):
            yield Problem("method.stripe", "a stripe must hold k records at least")
        # A release keeps its spec with every default, so the default cannot be refused here.
        if self.locality == "stripes" and stratified(spec):
            what = "each stratum is dealt along a curve of its own: leave it out, or say curve"
            yield Problem("method.locality", what)


def _of_one(spec: Spec, what: str) -> Iterator[Problem]:
    """An order that only several sensitive attributes have."""
    if len(spec.sensitive) < 2:
        yield Problem("method.stack", f"{what} of several sensitive attributes: say value")


def _without_component(spec: Spec) -> Iterator[Problem]:
    """The sensitive attributes that have no principal component."""
    for name, declared in spec.sensitive.items():
        if declared.distance not in (None, "ordered"):  # None: until the types are known
            yield Problem(
                f"sensitive.{name}.distance",
                "stack: component needs an order of the values, and this distance is "
                f"{declared.distance}: say distance: ordered, of text with its order, or take "
                "another stack",
            )


STACK, SIZES = work("stack"), work("sizes")
# The order by frequency in which the lower of equally frequent values comes first.
LOWER_FIRST = "frequency_lower"
COMPONENT, CLUSTERS = "component", "clusters"
_VALUE_STACK = work("value_stack")
# How often the covariances are squared: that makes 64 turns of a power iteration.
_SQUARED = 6
# How often clusters are halved: to a thousandth of the records, for every k.
_HALVED = 10
_OF_TIES = {"lower": LOWER_FIRST}  # the order that a rule of ties asks for
# The value that all records have in common where there is no sensitive attribute to stack by.
NO_VALUE = Sql("s0")


def stack_order(settings: StackAndDealSettings, sensitive: Sequence[SensitiveAttribute]) -> str:
    """The order of the stack's blocks: as declared, or by default.

    Stacking an ordinal attribute in its own order bounds every class's ordered distance by one
    over its size; a hierarchical one in depth-first order keeps every node's count within one.
    """
    if settings.ties in _OF_TIES:
        return _OF_TIES[settings.ties]
    if settings.stack is not None:
        return settings.stack
    declared = [
        attribute.declared for attribute in sensitive if isinstance(attribute.declared, Sensitive)
    ]
    if any(attribute.distance == "equal" for attribute in declared):
        return "frequency"
    return "value" if len(declared) == 1 else "snake"


def stacked_columns(sensitive: Sequence[SensitiveAttribute]) -> tuple[Sql, ...]:
    """The columns of the codes that name a block of the stack."""
    return tuple(attribute.alias for attribute in sensitive) or (NO_VALUE,)


def stacking(task: Task, order: str) -> tuple[Step, ...]:
    """The steps that leave the stack; without sensitive attributes it is one block."""
    if order not in (COMPONENT, CLUSTERS):
        return (_stacked(task, order, STACK),)
    values = _stacked(task, "value", _VALUE_STACK)
    positions = {str(attribute.alias): attribute.positions for attribute in task.sensitive}
    inputs = {"stack": values.output}
    inputs |= {f"positions_{alias}": at for alias, at in positions.items()}
    params = {"sensitive": task.sensitive_codes, "positions": positions}
    further = _along_component if order == COMPONENT else _in_clusters
    return (values, *further(task, inputs, params))


def _along_component(
    task: Task, inputs: Mapping[str, Relation], params: Mapping[str, Any]
) -> tuple[Step, ...]:
    """The steps from the stack of values to that along their first principal component."""
    matrices: list[Relation] = [work("matrix_", turn) for turn in range(_SQUARED + 1)]
    return (
        Step(
            "the covariances of the sensitive values",
            matrices[0],
            "methods/stack_and_deal/covariances",
            inputs,
            params,
        ),
        *(
            Step(
                "nearing their first principal component",
                after,
                "methods/stack_and_deal/squared",
                {"matrix": before},
                {"size": len(task.sensitive)},
            )
            for before, after in pairwise(matrices)
        ),
        Step(
            "stacking along it",
            STACK,
            "methods/stack_and_deal/component",
            {**inputs, "matrix": matrices[-1]},
            params,
        ),
    )


def _in_clusters(
    task: Task, inputs: Mapping[str, Relation], params: Mapping[str, Any]
) -> tuple[Step, ...]:
    """The steps from the stack of values to that of clusters of similar combinations."""
    clusters: list[Relation] = [work("clusters_", turn) for turn in range(_HALVED + 1)]
    unordered = tuple(
        attribute.alias for attribute in task.sensitive if attribute.distance == "equal"
    )
    codes = {"sensitive": task.sensitive_codes}
    return (
        Step(
            "one cluster of all sensitive values",
            clusters[0],
            "methods/stack_and_deal/one_cluster",
            inputs,
            params,
        ),
        *(
            Step(
                "halving the clusters",
                after,
                "methods/stack_and_deal/bisected",
                {"clusters": before},
                {**codes, "unordered": unordered},
            )
            for before, after in pairwise(clusters)
        ),
        Step(
            "stacking cluster by cluster",
            STACK,
            "methods/stack_and_deal/clustered",
            {"clusters": clusters[-1]},
            codes,
        ),
    )


def _stacked(task: Task, order: str, output: Relation) -> Step:
    """The step that stacks the values of the sensitive attributes in an order of their own."""
    title, records = "stacking the sensitive values", {"records": task.records}
    if not task.sensitive:
        return Step(
            title, output, "methods/stack_and_deal/one_block", records, {"attribute": NO_VALUE}
        )
    positions = {str(attribute.alias): attribute.positions for attribute in task.sensitive}
    return Step(
        title,
        output,
        "methods/stack_and_deal/stack",
        records | {f"positions_{alias}": at for alias, at in positions.items()},
        {
            "sensitive": task.sensitive_codes,
            "positions": positions,
            "tie_breaker": tie_breaker(task.sensitive),
            "order": order,
        },
    )


def dealt_blindly(task: Task, stack: Relation = STACK) -> list[Step]:
    """The steps from the stack to a class for every record.

    Args:
        task: what is dealt.
        stack: the stack of these records.
    """
    stacked, stacked_by = work("stacked"), stacked_columns(task.sensitive)
    codes, carried = (*task.quasi_codes, *stacked_by), task.tie_breaks
    return [
        Step(
            "counting the classes",
            SIZES,
            "methods/stack_and_deal/sizes",
            {"stack": stack},
            {"k": task.k},
        ),
        Step(
            "stacking the records",
            stacked,
            "methods/stack_and_deal/stacked",
            {"coded": task.coded, "stack": stack},
            {
                "columns": (*codes, *carried),
                "codes": codes,
                "carried": carried,
                "quasi_identifiers": task.quasi_codes,
                "sensitive": stacked_by,
                "ties": (*task.quasi_codes, *carried),
                "seed": task.seed,
            },
        ),
        Step(
            "dealing the records into classes",
            ASSIGNED,
            "methods/stack_and_deal/assigned",
            {"stacked": stacked, "sizes": SIZES},
            {"columns": task.released},
            Materialization.WORK_VIEW,
        ),
    ]


KEPT_STACK, _KEPT_CODED = work("kept_stack"), work("kept_coded")


def without_outliers(
    task: Task, stacked: Sequence[Sql], stack: Relation
) -> tuple[Task, list[Step | Search]]:
    """The task of dealing the records that are kept, and the steps that find these.

    Args:
        task: what the method is given.
        stacked: the columns of the codes that name a block of the stack.
        stack: the stack of all records.
    """
    scales, laid = scales_of(task)
    coordinates = (*task.quasi_codes, *sensitive_asked(task))
    # The method makes no classes within clusters: the gate judges what these are asked for.
    search = outliers_of(replace(task, clusters=None), scales, coordinates)
    assert search is not None  # noqa: S101 - records may be left out
    columns = dict.fromkeys((*task.quasi_codes, *stacked, *task.released, *task.tie_breaks))
    steps: list[Step | Search] = [
        Step(
            "gathering equal records in cells",
            CELLS,
            "cells/cells",
            {"coded": task.coded},
            {"columns": coordinates},
        ),
        *laid,
        search,
        Step(
            "the records without the outliers",
            _KEPT_CODED,
            "outliers/kept_records",
            {"coded": task.coded, "cells": CELLS, "kept_cells": KEPT},
            {"columns": tuple(columns), "by": coordinates},
            Materialization.WORK_VIEW,
        ),
        kept_stack(_KEPT_CODED, stacked, stack),
    ]
    return replace(task, coded=_KEPT_CODED), steps


def kept_stack(coded: Relation, stacked: Sequence[Sql], stack: Relation) -> Step:
    """The step that leaves the stack of some of the records.

    Args:
        coded: these records.
        stacked: the columns of the codes that name a block of the stack.
        stack: the stack of all records.
    """
    return Step(
        "their stack",
        KEPT_STACK,
        "outliers/kept_stack",
        {"coded": coded, "stack": stack},
        {"sensitive": tuple(stacked)},
    )
