"""The stack: a block of records for each sensitive value, or for each combination of several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute, telling
from sqlanon.methods.deal.stack_and_deal.settings import StackAndDealSettings
from sqlanon.methods.method import ASSIGNED, Task
from sqlanon.plan import Materialization, Step, work
from sqlanon.spec import Sensitive
from sqlanon.sql.names import Relation, Sql

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
    declared = [one.declared for one in sensitive if isinstance(one.declared, Sensitive)]
    if any(one.distance == "equal" for one in declared):
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
    unordered = tuple(one.alias for one in task.sensitive if one.distance == "equal")
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
            "telling": telling(task.sensitive),
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
