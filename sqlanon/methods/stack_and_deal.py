"""Stack & Deal: stack the records by sensitive value, deal them like cards.

Gowda (2021); Gowda (2023), §3 for one sensitive attribute and §5 for several, whose stack follows
the cells of the multiplicity matrix. With e = floor(n / k) classes, the sizes of any two classes
differ by at most one, and so do their counts of any sensitive value (of any cell, for several).
"""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.hierarchies import Attribute, telling
from sqlanon.methods.locality import Curve, dealt_along
from sqlanon.plan import How, Step, work
from sqlanon.spec import Sensitive, StackAndDealMethod
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

# The value that all records have in common where there is no sensitive attribute to stack by.
NO_VALUE = Sql("s0")


def stack_order(method: StackAndDealMethod, sensitive: Sequence[Attribute]) -> str:
    """The order of the stack's blocks: as declared, or by default.

    Stacking an ordinal attribute in its own order bounds every class's ordered distance by one
    over its size; a hierarchical one in depth-first order keeps every node's count within one.
    """
    if method.stack is not None:
        return method.stack
    declared = [one.declared for one in sensitive if isinstance(one.declared, Sensitive)]
    if any(one.distance == "equal" for one in declared):
        return "frequency"
    return "value" if len(declared) == 1 else "snake"


def stack_and_deal(
    records: Relation,
    coded: Relation,
    assigned: Relation,
    quasi_identifiers: Sequence[Attribute],
    sensitive: Sequence[Attribute],
    insensitive: Sequence[Sql],
    key: Sequence[Sql],
    method: StackAndDealMethod,
    k: int,
    seed: int,
    curve: Curve | None = None,
) -> list[Step]:
    """The steps that assign every record to a class of at least k.

    Args:
        records: the records.
        coded: the records with integer codes.
        assigned: the relation to make: class_id and the released columns of every record.
        quasi_identifiers: their codes, in seeded order, break ties within a sensitive value.
        sensitive: what is stacked; without any, all records are one block of the stack.
        insensitive: released columns; they break the ties that remain.
        key: the columns that name a record; they break the last ties and go no further.
        method: the stack's order.
        k: the least class size, at least 1 and at most the number of records.
        seed: of the shuffle within a sensitive value.
        curve: the order of the records, if classes are dealt from neighbours.
    """
    stack, sizes, stacked = work("stack"), work("sizes"), work("stacked")
    hidden = tuple(attribute.alias for attribute in quasi_identifiers)
    stacked_by = stacked_columns(sensitive)
    released = (*hidden, *(attribute.alias for attribute in sensitive), *insensitive)
    carried = (*insensitive, *key)
    stacking = _stacking(records, stack, sensitive, method)
    if curve is not None:
        along = dealt_along(
            coded,
            stack,
            assigned,
            quasi_identifiers,
            stacked_by,
            insensitive,
            key,
            curve,
            method.stripe_size,
            k,
        )
        return [stacking, *along]
    return [
        stacking,
        Step("counting the classes", sizes, "stack_and_deal/sizes", {"stack": stack}, {"k": k}),
        Step(
            "stacking the records",
            stacked,
            "stack_and_deal/stacked",
            {"coded": coded, "stack": stack},
            {
                "columns": (*hidden, *stacked_by, *carried),
                "codes": (*hidden, *stacked_by),
                "carried": carried,
                "quasi_identifiers": hidden,
                "sensitive": stacked_by,
                "ties": (*hidden, *carried),
                "seed": seed,
            },
        ),
        Step(
            "dealing the records into classes",
            assigned,
            "stack_and_deal/assigned",
            {"stacked": stacked, "sizes": sizes},
            {"columns": released},
            How.WORK_VIEW,
        ),
    ]


def stacked_columns(sensitive: Sequence[Attribute]) -> tuple[Sql, ...]:
    """The columns of the codes that name a block of the stack."""
    return tuple(attribute.alias for attribute in sensitive) or (NO_VALUE,)


def _stacking(
    records: Relation,
    stack: Relation,
    sensitive: Sequence[Attribute],
    method: StackAndDealMethod,
) -> Step:
    title = "stacking the sensitive values"
    if not sensitive:
        params = {"attribute": NO_VALUE}
        return Step(title, stack, "stack_and_deal/one_block", {"records": records}, params)
    positions = {str(attribute.alias): attribute.positions for attribute in sensitive}
    return Step(
        title,
        stack,
        "stack_and_deal/stack",
        {"records": records} | {f"positions_{alias}": at for alias, at in positions.items()},
        {
            "sensitive": stacked_columns(sensitive),
            "positions": positions,
            "telling": telling(sensitive),
            "order": stack_order(method, sensitive),
        },
    )
