"""The view of exact rows and sensitive values that groups alone tie together.

A reader who knows a person's quasi-identifiers finds the row, and so the group; the release does
not say whose the group's sensitive values are. A tuple in several groups tells less than each of
them, because every model but k is convex in the distribution of the values: so each group is held
to the models, and k to the tuples. Where quasi-identifiers stay with the sensitive values, this
reader looks at those values of the group alone that stand next to the person's quasi-identifiers:
then these are held to the models.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.insensitive import Released
from sqlanon.measure.view import (
    MEASURED,
    AdversaryView,
    ShownColumn,
    tuple_steps,
    values_of,
)
from sqlanon.plan import Check, Materialization, Step, fault, work
from sqlanon.sql.names import Query, Relation

TIED = work("tied")
GROUP_SIZES = work("group_sizes")
_CLASSES = work("tied_classes")


@dataclass(frozen=True)
class Tied:
    """The relations that tie a person to sensitive values, as they are published.

    Attributes:
        rows: the relation or FROM item with a row for each record.
        values: that with the sensitive values, perhaps the same.
        group: the column of the groups, in both.
        weight: the column of the values that says of how many records they are; None: of one.
    """

    rows: Any
    values: Any
    group: ShownColumn
    weight: ShownColumn | None = None


_LARGER = "larger groups (publish.group)"


def joined_view(
    tied: Tied,
    shown: Sequence[Released],
    sensitive: Sequence[SensitiveAttribute],
    insensitive: Sequence[Released] = (),
    within: Sequence[Released] = (),
) -> AdversaryView:
    """The view of such a publication: its classes are the groups, or their parts by ``within``.

    Args:
        tied: what is published.
        shown: the columns of the rows that are quasi-identifiers.
        sensitive: the sensitive attributes, which are columns of the values.
        insensitive: the columns of the rows that are as in the source.
        within: the quasi-identifiers that are columns of the values too.
    """
    weights = [] if tied.weight is None else [tied.weight]
    even = Check(
        "every record has sensitive values in its group",
        "measure/check_tied",
        {"groups": GROUP_SIZES, "tied": TIED},
        {"weighed": bool(weights)},
        "",
        "{groups} groups have not as many sensitive values as records: a fault of sqlanon's, "
        "or the source changed during the run; nothing was published",
        fault,
    )
    steps: list[Step | Check] = [
        _reading(tied.rows, MEASURED, [tied.group, *shown, *insensitive]),
        *tuple_steps(shown, (), insensitive, reported=False),
        _reading(tied.values, TIED, [tied.group, *within, *sensitive, *weights]),
        Step("groups", GROUP_SIZES, "measure/groups", {"measured": MEASURED}),
        even,
    ]
    classes = _CLASSES if within else GROUP_SIZES
    apart = {"published": (tied.group.alias, *(one.alias for one in within))}
    if within:
        of_values = {"measured": TIED}
        title = "what a reader tells apart in the groups"
        steps.append(Step(title, classes, "measure/classes", of_values, apart))
    for attribute in sensitive:
        steps += _counting(attribute, bool(weights), apart if within else None)
    tuples, unique = (step.output for step in steps[1:3] if isinstance(step, Step))
    return AdversaryView(
        steps=tuple(steps),
        classes=classes,
        sizes=classes,
        class_values={str(one.alias): values_of(one) for one in sensitive},
        units=None,
        unique_records=unique,
        shown=(),
        sensitive=tuple(sensitive),
        tuples=tuples,
        even=even,
        remedy=_LARGER,
    )


def _reading(table: Any, output: Relation, columns: Sequence[ShownColumn]) -> Step:
    return Step(
        f"{'the rows' if output == MEASURED else 'the sensitive values'} as they are read",
        output,
        "source/records",
        {"source": table},
        {
            "columns": [
                {"name": one.name, "alias": one.alias, "kind": one.kind, "codes": (), "tie": None}
                for one in columns
            ]
        },
        Materialization.WORK_TABLE if isinstance(table, Query) else Materialization.WORK_VIEW,
    )


def _counting(
    attribute: SensitiveAttribute, weighed: bool, apart: dict[str, Any] | None
) -> Iterator[Step | Check]:
    params = {"attribute": attribute.alias, "telling": attribute.telling}
    yield Check(
        f"known values of {attribute.name}",
        "measure/check_known_values",
        {"measured": TIED, "positions": attribute.positions},
        params,
        f"sensitive.{attribute.name}",
        "{unknown} values are not in the reference table: closeness to it has no meaning",
    )
    if apart is not None:
        yield Step(
            f"values of {attribute.name} as a reader tells them apart",
            values_of(attribute),
            "measure/class_values",
            {"measured": TIED, "classes": _CLASSES, "positions": attribute.positions},
            {**params, **apart},
        )
        return
    yield Step(
        f"values of {attribute.name} in each group",
        values_of(attribute),
        "measure/group_values",
        {"tied": TIED, "positions": attribute.positions},
        {**params, "weighed": weighed},
    )
