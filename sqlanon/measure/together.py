"""Sensitive attributes that are measured together: one relation of their values, one of each model.

A script is shorter so. A run that measures all it can, and dbt models, have relations for each.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlanon.domains.attribute import SensitiveAttribute
from sqlanon.measure.asked import Asked
from sqlanon.plan import Step, work
from sqlanon.sql.names import Relation

POSITIONS, CLASS_VALUES = work("positions"), work("class_values")
# The templates of a single attribute, and those of all.
_MODELS = {
    "privacy/distinct_l": "measure/together/distinct_l",
    "privacy/t_listed": "measure/together/t_ordered",
    "privacy/t_ordered": "measure/together/t_ordered",
}
_ALIKE = ("integer", "decimal", "date", "text")  # equal values have one text


def numbers_of(sensitive: Sequence[SensitiveAttribute], asked: Sequence[Asked]) -> dict[str, int]:
    """The number of each sensitive attribute, by its alias, if they can be measured together.

    Returns:
        The numbers, from 1; none where there is one attribute alone, where not the same is asked
        of all, or where one's values are not known by their texts.
    """
    models = {str(one.alias): set[str]() for one in sensitive}
    for one in asked:
        if one.attribute is not None:
            template = one.model.measured.format(distance=one.attribute.laid_out)
            models.setdefault(str(one.attribute.alias), set()).add(_MODELS.get(template, ""))
    alike = len({frozenset(one) for one in models.values()}) == 1 and "" not in set().union(
        *models.values()
    )
    if len(sensitive) < 2 or not alike or not all(map(_known_by_texts, sensitive)):
        return {}
    return {str(one.alias): number for number, one in enumerate(sensitive, 1)}


def _known_by_texts(attribute: SensitiveAttribute) -> bool:
    plain = attribute.nodes is None and attribute.telling is None and attribute.padded is None
    ordered = attribute.declared.order != "frequency"
    return plain and ordered and attribute.kind in _ALIKE


def positions_step(
    sensitive: Sequence[SensitiveAttribute], numbers: Mapping[str, int], records: Relation
) -> Step:
    """The step that counts the values of all attributes, and puts each one's in their order.

    Args:
        sensitive: the sensitive attributes.
        numbers: their numbers.
        records: the records of the source.
    """
    lines = [
        (numbers[str(one.alias)], code, label)
        for one in sensitive
        if isinstance(one.declared.order, list)
        for code, label in [(0, None), *enumerate(one.declared.order, 1)]
    ]
    attributes = [
        {**_as_parameter(one, numbers), "listed": isinstance(one.declared.order, list)}
        for one in sensitive
    ]
    return Step(
        f"order of {_named(sensitive)}",
        POSITIONS,
        "measure/together/positions",
        {"records": records},
        {"attributes": attributes, "lines": lines},
    )


def values_step(
    sensitive: Sequence[SensitiveAttribute],
    numbers: Mapping[str, int],
    read: Mapping[str, Relation],
    params: Mapping[str, Any],
) -> Step:
    """The step that counts the values of all attributes in each class.

    Args:
        sensitive: the sensitive attributes.
        numbers: their numbers.
        read: the records and the classes.
        params: the template's parameters on the classes.
    """
    return Step(
        f"values of {_named(sensitive)} in each class",
        CLASS_VALUES,
        "measure/together/class_values",
        {**read, "positions": POSITIONS},
        {"attributes": [_as_parameter(one, numbers) for one in sensitive], **params},
    )


def measuring_steps(asked: Sequence[Asked], classes: Relation) -> Iterator[Step]:
    """The steps that measure each model of all attributes in every class.

    Args:
        asked: what is asked of them.
        classes: how many records every class has.
    """
    there = {"classes": classes, "class_values": CLASS_VALUES, "positions": POSITIONS}
    for output in dict.fromkeys(one.relation for one in asked):
        model = next(one.model for one in asked if one.relation == output)
        named = [one.attribute for one in asked if one.relation == output and one.attribute]
        yield Step(
            f"measuring {model.name.replace('_', ' ')} of {_named(named)}",
            output,
            _MODELS[model.measured.format(distance=named[0].laid_out)],
            {name: there[name] for name in model.reads},
        )


def numbered(asked: Sequence[Asked], numbers: Mapping[str, int]) -> list[Asked]:
    """The asked models, with the numbers of attributes that are measured together."""
    return [
        replace(one, number=numbers.get(str(one.attribute.alias), 0)) if one.attribute else one
        for one in asked
    ]


def _as_parameter(one: SensitiveAttribute, numbers: Mapping[str, int]) -> dict[str, Any]:
    return {"alias": one.alias, "number": numbers[str(one.alias)]}


def _named(attributes: Sequence[SensitiveAttribute]) -> str:
    return ", ".join(one.name for one in attributes)
