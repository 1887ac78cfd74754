"""The adversary's view: what a reader of a publication can tie together.

Models and metrics are measured on a view and on nothing else, for all publications and methods.

Of exact rows and sensitive values that groups alone tie together, a reader who knows a person's
quasi-identifiers finds the row, and so the group; the release does not say whose the group's
sensitive values are. A tuple in several groups tells less than each of them, because every model
but k is convex in the distribution of the values: so each group is held to the models, and k to the
tuples. Where quasi-identifiers stay with the sensitive values, this reader looks at those values of
the group alone that stand next to the person's quasi-identifiers: then these are held to the
models.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from sqlanon.domains.attribute import HiddenAttribute, SensitiveAttribute, Unit, tie_breaker
from sqlanon.measure.asked import CLASS_VALUES, UnitCounts, unit_counts, values_step
from sqlanon.measure.insensitive import Released, apart
from sqlanon.measure.loss import LossColumn
from sqlanon.plan import FOUND, Check, Materialization, Step, fault, work
from sqlanon.spec import Kind
from sqlanon.sql.names import Query, Relation, Sql

MEASURED = work("measured")  # the table, a row for each record
# Where a clause counts them: how many people each published tuple covers, in the release or not:
# class_id, records and covered.
COVERED = work("people_covered")
_CLASSES, _CLASS_UNITS, _UNIQUE = work("classes"), work("class_persons"), work("unique_records")


class ShownColumn(Protocol):
    """A column of a table as it is measured."""

    @property
    def alias(self) -> Sql:
        """Its name in work relations."""

    @property
    def name(self) -> str:
        """Its name in the table."""

    @property
    def kind(self) -> Kind:
        """The kind of its values."""


@dataclass(frozen=True)
class AdversaryView:
    """The relations of what a reader can tie together, which models and metrics read.

    A demand on some of the columns alone is measured on the same view, of its tuples projected on
    these (`sqlanon/measure/cover.py`).

    Attributes:
        steps: that make the relations, in order.
        classes: a row for each class, of records that a reader cannot tell apart: ``class_id``,
            ``records`` and the columns of ``shown``.
        sizes: how many of those whom k protects every class has: its records, or units of these.
        class_values: for each sensitive attribute, by alias, how many of these a reader gives each
            value in each class: ``class_id``, ``code``, ``position`` and ``records``, a weight.
        units: where others than records are counted, which may have several values: for each
            attribute, by alias, what stands for them; else None.
        unique_records: how many records no other equals.
        shown: the columns of the classes that stand for quasi-identifiers.
        sensitive: the sensitive attributes, with the reference distribution in their positions,
            and what is hidden of them.
        priced: how the cells of the classes are read back into a loss; none where that is unknown.
        tuples: the records that a reader cannot tell apart by quasi-identifiers, where these are
            not the classes: ``class_id`` and ``records``.
        even: of exact rows in groups, the check that each group has as many sensitive values as
            records; one of the steps.
        figures: by its template, what was measured of a clause's metrics.
        centroids: what the tuples with centroids lose, which these do not tell; None where there
            are none, or it is not known.
        numbers: by their aliases, the numbers of the sensitive attributes, where all are measured
            together: one relation then has the values of all.
        remedy: what may help where a model does not hold.
        noun: the word for one of those whom k protects.
    """

    steps: tuple[Step | Check, ...]
    classes: Relation
    sizes: Relation
    class_values: Mapping[str, Relation]
    units: Mapping[str, UnitCounts] | None
    unique_records: Relation
    shown: tuple[ShownColumn, ...]
    sensitive: tuple[SensitiveAttribute, ...]
    priced: tuple[LossColumn, ...] = ()
    tuples: Relation | None = None
    even: Check | None = None
    figures: Mapping[str, Relation] = field(default_factory=dict)
    centroids: Relation | None = None
    numbers: Mapping[str, int] = field(default_factory=dict)
    remedy: str = "a greater k"
    noun: str = "record"

    def measuring(self, *steps: Step | Check) -> AdversaryView:
        """The same view, with the steps by which a clause measures it."""
        figures = {step.template: step.output for step in steps if isinstance(step, Step)}
        both = {**self.figures, **figures}
        return replace(self, steps=(*self.steps, *steps), figures=both)

    @property
    def linked(self) -> Relation:
        """How many of those whom k protects a reader finds by the quasi-identifiers of one."""
        return self.tuples or self.sizes


def table_view(
    table: Any,
    shown: Sequence[ShownColumn],
    sensitive: Sequence[SensitiveAttribute],
    insensitive: Sequence[Released] = (),
    priced: Sequence[LossColumn] = (),
    unit: Unit | None = None,
    beside: Sequence[HiddenAttribute] = (),
    numbers: Mapping[str, int] | None = None,
) -> AdversaryView:
    """The view of one table with a row for each record: classes are equal published tuples.

    Args:
        table: the relation or FROM item.
        shown: its columns that stand for quasi-identifiers.
        sensitive: its sensitive attributes.
        insensitive: its columns that are as in the source.
        priced: how its cells are read back into a loss, if they can be.
        unit: what is counted, by the column with its numbers if that is no record; the table's
            columns then are called by their aliases.
        beside: the hidden attributes, whose codes are columns of the table;
            its columns then are called by their aliases too.
        numbers: of the sensitive attributes, where they are measured together.
    """
    number = None if unit is None else unit.number
    of_classes = {"measured": MEASURED, "classes": _CLASSES}
    steps: list[Step | Check] = [
        _reading(table, [*shown, *sensitive, *insensitive, *beside], number, bool(beside)),
    ]
    counted = None if number is not None or len(sensitive) != 1 else values_of(sensitive[0])
    classes, unique = tuple_steps(shown, sensitive, insensitive, counted)
    steps.append(classes)
    noun = "record"
    if unit is not None and number is not None:
        noun, title = unit.noun, f"{unit.several} of each class"
        steps.append(Step(title, _CLASS_UNITS, "units/class_persons", of_classes, _by(shown)))
    values = {
        str(sensitive_attribute.alias): values_of(sensitive_attribute)
        for sensitive_attribute in (*sensitive, *beside)
    }
    if numbers:
        steps.append(values_step(sensitive, numbers, of_classes, _by(shown)))
        values = dict.fromkeys(values, CLASS_VALUES)
    else:
        for attribute in (*sensitive, *beside):
            steps += _counting(attribute, shown, number)
    units: dict[str, UnitCounts] = {}
    for attribute in sensitive if number is not None else ():
        alias = str(attribute.alias)
        units[alias], counting = unit_counts(attribute, noun, _CLASS_UNITS, values[alias])
        steps += counting
    steps.append(unique)
    return AdversaryView(
        steps=tuple(steps),
        classes=_CLASSES,
        sizes=_CLASSES if number is None else _CLASS_UNITS,
        class_values=values,
        units=None if number is None else units,
        unique_records=_UNIQUE,
        shown=tuple(shown),
        sensitive=(*sensitive, *beside),
        priced=tuple(priced),
        numbers=numbers or {},
        noun=noun,
    )


def tuple_steps(
    shown: Sequence[ShownColumn],
    sensitive: Sequence[SensitiveAttribute],
    insensitive: Sequence[Released],
    counted: Relation | None = None,
    reported: bool = True,
) -> tuple[Step, Step]:
    """The steps that find the published tuples of `MEASURED`, and the records no other equals.

    Args:
        shown: the columns that stand for quasi-identifiers.
        sensitive: the sensitive columns.
        insensitive: the columns that are as in the source.
        counted: of the only sensitive column, how many records of each class have each value.
        reported: whether a report lists the classes, by numbers in the order of their tuples.
    """
    numbered = _by(shown) if reported else {**_by(shown), "in_any_order": True}
    classes = Step(
        "equivalence classes", _CLASSES, "measure/classes", {"measured": MEASURED}, numbered
    )
    title = "records that no other equals"
    if not insensitive and (counted or not sensitive):
        inputs = {"classes": _CLASSES, "class_values": counted or _CLASSES}
        return classes, Step(title, _UNIQUE, "measure/unique_counted", inputs)
    unique = Step(
        title,
        _UNIQUE,
        "measure/unique_records",
        {"measured": MEASURED, "classes": _CLASSES},
        {
            **_by(shown),
            "insensitive": tuple(column.alias for column in insensitive),
            "sensitive": tuple(attribute.alias for attribute in sensitive),
            "tie_breaker": apart(insensitive) | tie_breaker(sensitive),
        },
    )
    return classes, unique


def _reading(
    table: Any,
    columns: Sequence[ShownColumn],
    number: Sql | None,
    aliased: bool = False,
) -> Step:
    """The step that gives the table's columns their short names, where it has others."""
    aliased = aliased or number is not None
    named: list[dict[str, Any]] = [
        {
            "name": str(column.alias) if aliased else column.name,
            "alias": column.alias,
            "kind": column.kind,
            "codes": (),
            "tie": None,
        }
        for column in columns
    ]
    if number is not None:
        own = {"name": str(number), "alias": number, "kind": "integer", "codes": (), "tie": None}
        named.append(own)
    return Step(
        "the table as it is read",
        MEASURED,
        "source/records",
        {"source": table},
        {"columns": named},
        Materialization.WORK_TABLE if isinstance(table, Query) else Materialization.WORK_VIEW,
    )


def known_values(attribute: SensitiveAttribute) -> Check:
    """That a table has no sensitive value which the table of reference lacks."""
    return Check(
        f"known values of {attribute.name}",
        "measure/check_known_values",
        {"measured": MEASURED, "positions": attribute.positions},
        _values_of(attribute),
        f"sensitive.{attribute.name}",
        f"{FOUND.unknown} values, in {FOUND.records} records, are not in the reference table: "
        "closeness to it has no meaning",
    )


def _values_of(attribute: SensitiveAttribute) -> dict[str, Any]:
    return {"attribute": attribute.alias, "tie_breaker": attribute.tie_breaker}


def _counting(
    attribute: SensitiveAttribute,
    shown: Sequence[ShownColumn],
    number: Sql | None,
) -> Iterator[Step | Check]:
    """The steps that count the values of a sensitive attribute, which must be the reference's."""
    params = _values_of(attribute)
    yield known_values(attribute)
    yield Step(
        f"values of {attribute.name} in each class",
        values_of(attribute),
        "measure/class_values" if number is None else "units/class_values",
        {"measured": MEASURED, "classes": _CLASSES, "positions": attribute.positions},
        {**params, **_by(shown)},
    )


def _by(shown: Sequence[ShownColumn]) -> dict[str, Any]:
    return {"published": tuple(column.alias for column in shown)}


def values_of(attribute: SensitiveAttribute) -> Relation:
    """How many records of each class have each value of an attribute."""
    return work("class_values_", attribute.alias)


TIED = work("tied")
GROUP_SIZES = work("group_sizes")
_TIED_CLASSES = work("tied_classes")


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
        f"{FOUND.groups} groups have not as many sensitive values as records: a fault of "
        "sqlanon's, or the source changed during the run; nothing was published",
        fault,
    )
    steps: list[Step | Check] = [
        _reading_side(tied.rows, MEASURED, [tied.group, *shown, *insensitive]),
        *tuple_steps(shown, (), insensitive, reported=False),
        _reading_side(tied.values, TIED, [tied.group, *within, *sensitive, *weights]),
        Step("groups", GROUP_SIZES, "measure/groups", {"measured": MEASURED}),
        even,
    ]
    classes = _TIED_CLASSES if within else GROUP_SIZES
    parted = {"published": (tied.group.alias, *(column.alias for column in within))}
    if within:
        of_values = {"measured": TIED}
        title = "what a reader tells apart in the groups"
        steps.append(Step(title, classes, "measure/classes", of_values, parted))
    for attribute in sensitive:
        steps += _counting_tied(attribute, bool(weights), parted if within else None)
    tuples, unique = (step.output for step in steps[1:3] if isinstance(step, Step))
    return AdversaryView(
        steps=tuple(steps),
        classes=classes,
        sizes=classes,
        class_values={
            str(sensitive_attribute.alias): values_of(sensitive_attribute)
            for sensitive_attribute in sensitive
        },
        units=None,
        unique_records=unique,
        shown=(),
        sensitive=tuple(sensitive),
        tuples=tuples,
        even=even,
        remedy=_LARGER,
    )


def _reading_side(table: Any, output: Relation, columns: Sequence[ShownColumn]) -> Step:
    return Step(
        f"{'the rows' if output == MEASURED else 'the sensitive values'} as they are read",
        output,
        "source/records",
        {"source": table},
        {
            "columns": [
                {
                    "name": column.name,
                    "alias": column.alias,
                    "kind": column.kind,
                    "codes": (),
                    "tie": None,
                }
                for column in columns
            ]
        },
        Materialization.WORK_TABLE if isinstance(table, Query) else Materialization.WORK_VIEW,
    )


def _counting_tied(
    attribute: SensitiveAttribute, weighed: bool, parted: dict[str, Any] | None
) -> Iterator[Step | Check]:
    params = {"attribute": attribute.alias, "tie_breaker": attribute.tie_breaker}
    yield Check(
        f"known values of {attribute.name}",
        "measure/check_known_values",
        {"measured": TIED, "positions": attribute.positions},
        params,
        f"sensitive.{attribute.name}",
        f"{FOUND.unknown} values are not in the reference table: closeness to it has no meaning",
    )
    if parted is not None:
        yield Step(
            f"values of {attribute.name} as a reader tells them apart",
            values_of(attribute),
            "measure/class_values",
            {"measured": TIED, "classes": _TIED_CLASSES, "positions": attribute.positions},
            {**params, **parted},
        )
        return
    yield Step(
        f"values of {attribute.name} in each group",
        values_of(attribute),
        "measure/group_values",
        {"tied": TIED, "positions": attribute.positions},
        {**params, "weighed": weighed},
    )
