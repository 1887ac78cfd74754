"""The steps of the transforms of several columns at once: records swapped, and correlated noise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import ceil, floor
from typing import Any

from sqlanon.plan import Check, Step, work
from sqlanon.spec import Column, Spec
from sqlanon.spec.transformed import shapes
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql
from sqlanon.transforms import Shape
from sqlanon.transforms.declared import Several
from sqlanon.transforms.joint import MOST_DRAWN, JointTransform, Swap, step_of

Draws = Mapping[tuple[str, int], Sql]


def joint_of(spec: Spec, name: str) -> JointTransform | None:
    """The transform that changes a column together with others, if there is one."""
    first = spec.transforms[name][0]
    return first if isinstance(first, JointTransform) else None


def _number(one: JointTransform) -> str:
    return one.where.replace(".", "_")


def _relation(one: JointTransform) -> Relation:
    return work("redrawn_", _number(one))


def _correlated(spec: Spec, one: JointTransform, columns: Mapping[str, Column]) -> list[Any]:
    return [
        one.transform.params(one.setting, Shape(columns[name].type, columns[name].kind))
        for name in one.columns
    ]


def joint_steps(
    spec: Spec,
    columns: Mapping[str, Column],
    short: Mapping[str, str],
    draws: Draws,
    read: Relation,
) -> Iterator[Step | Check]:
    """The steps that make the relations that each swap and each noise reads.

    Args:
        spec: what is declared.
        columns: the source's columns, as they are there.
        short: the alias of each of them.
        draws: the column with what is drawn for each column's transform.
        read: the records, with what is drawn for them.
    """
    for one in spec.joint:
        listed = ", ".join(one.columns)
        if isinstance(one.setting, Swap):
            yield Step(
                f"which records swap their {listed}",
                _relation(one),
                "transform/traded",
                {"read": read},
                {
                    "columns": [Sql(short[name]) for name in one.columns],
                    "within": [Sql(short[name]) for name in one.setting.within],
                    "rare": [Sql(short[name]) for name in one.setting.rare],
                    "names": [Sql(short[name]) for name in spec.key],
                    "drawn": draws[one.columns[0], 0],
                    "share": one.setting.share.numerator,
                    "of": one.setting.share.denominator,
                },
            )
            continue
        each = [
            {"alias": Sql(short[name]), "whole": how["whole"], "digits": how["digits"]}
            for name, how in zip(one.columns, _correlated(spec, one, columns), strict=True)
        ]
        yield Step(
            f"how far the values of {listed} are spread",
            _relation(one),
            "transform/factor",
            {"read": read},
            {"columns": each, "most": MOST_DRAWN, "step": step_of(one.setting)},
        )
        for place, name in enumerate(one.columns):
            yield from _kept_in_type(spec, one, columns[name], place, each[place], read)


def _kept_in_type(
    spec: Spec,
    one: JointTransform,
    column: Column,
    place: int,
    how: Mapping[str, Any],
    read: Relation,
) -> Iterator[Check]:
    """That noise takes no value of a column out of its type, nor what comes after the noise."""
    shape = Shape(column.type, column.kind)
    bounds = taken(spec.transforms[column.name][1:], column) or shape.between
    if bounds is None:
        return
    units = 10 ** (shape.scale or 0)
    yield Check(
        f"{column.name} keeps its type",
        "transform/check_room",
        {"read": read, "factor": _relation(one)},
        {
            "column": how,
            "place": place + 1,
            "least": ceil(bounds[0] * units),
            "greatest": floor(bounds[1] * units),
        },
        f"{one.where}.columns",
        f"noise may take {{records}} values of {column.name} out of {shape.type}: cast the column "
        "to a wider type in a query",
    )


def joint_step(
    spec: Spec, name: str, one: JointTransform, draws: Draws, short: Mapping[str, str]
) -> dict[str, Any]:
    """The parameters of a column's SQL for its swap or noise, besides those of the transform."""
    from_ = f"redrawn_{_number(one)}"
    if isinstance(one.setting, Swap):
        return {
            "traded": Sql(from_),
            "by": Sql(short[spec.key[0]]),
            "redrawn": Sql(f"{from_}.{short[name]}"),
        }
    place = one.columns.index(name) + 1
    return {
        "factor": Sql(from_),
        "place": place,
        "draws": [draws[other, 0] for other in one.columns[:place]],
    }


def joint_relations(spec: Spec, short: Mapping[str, str]) -> list[dict[str, Any]]:
    """The relations that the records are joined with for them, and by what."""
    return [
        {
            "alias": Sql(_number(one)),
            "relation": _relation(one),
            "names": [Sql(short[name]) for name in spec.key],
            "is_factor": not isinstance(one.setting, Swap),
        }
        for one in spec.joint
    ]


def taken(several: Several, column: Column) -> tuple[Any, Any] | None:
    """The least and the greatest value that no transform takes out of the column's type.

    None if all values are such. A date lies in the years 1 to 9999, which all databases know.
    """
    passed = shapes(several, column)
    bounds = passed[-1].between
    for place in reversed(range(len(several))):
        own, one = passed[place].between, several[place]
        if own is not None:
            bounds = one.transform.takes(one.setting, passed[place], bounds or own)
    narrow = bounds is not None and passed[0].between is not None and bounds != passed[0].between
    return bounds if narrow else None
