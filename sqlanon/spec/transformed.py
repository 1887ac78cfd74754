"""The columns of a source as the transforms of a spec leave them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from sqlanon.errors import Problem
from sqlanon.transforms.declared import Several
from sqlanon.transforms.joint import JointTransform, Swap
from sqlanon.transforms.keyed import incomparable
from sqlanon.transforms.transform import Shape, Transform

if TYPE_CHECKING:
    from sqlanon.spec.columns import Column, Kind
    from sqlanon.spec.model import Spec

_NAMING = ("text", "label", "integer", "date")  # whose text all databases write alike


def names_drawn(spec: Spec, transform: Transform) -> tuple[str, ...]:
    """The columns that a keyed transform is drawn by: those that name records, or persons."""
    return (spec.drawn_for or spec.key) if transform.shared else (spec.key or spec.drawn_for)


def all_names_drawn(spec: Spec) -> tuple[str, ...]:
    """Every column by which numbers are drawn, once: by transforms, or to sample."""
    drawn = (
        name
        for several in spec.transforms.values()
        for one in several
        if one.key is not None
        for name in names_drawn(spec, one.transform)
    )
    sampled = spec.key if spec.sampled is not None else ()
    return tuple(dict.fromkeys((*drawn, *sampled)))


def transforms_in_words(spec: Spec) -> dict[str, str]:
    """The transforms of each column that has some, in a few words."""
    return {
        name: ", then ".join(one.says for one in several)
        for name, several in spec.transforms.items()
    }


def shown_columns(spec: Spec, columns: Mapping[str, Column]) -> dict[str, Column]:
    """The source's columns as they are once transformed.

    Where a transform does not fit, the column is as it is before it.
    """
    found = dict(columns)
    for name, several in spec.transforms.items():
        if name in columns:
            shape = shapes(several, columns[name])[-1]
            found[name] = replace(columns[name], type=shape.type, kind=cast("Kind", shape.kind))
    return found


def shapes(several: Several, column: Column) -> list[Shape]:
    """A column before its first transform, and after each; up to one that does not fit."""
    found = [Shape(column.type, column.kind)]
    for one in several:
        if one.transform.misfit(one.setting, found[-1]) is not None:
            break
        found.append(one.transform.shape(found[-1]))
    return found


def transform_misfits(spec: Spec, columns: Mapping[str, Column]) -> Iterator[Problem]:
    """Columns that their transforms do not fit, and names of records that have no one text."""
    for name, several in spec.transforms.items():
        shape = shapes(several, columns[name])
        if len(shape) <= len(several):
            place = len(shape) - 1
            one = several[place]
            if isinstance(one, JointTransform):
                continue  # `_joint_misfits` says it of all of its columns
            joint = sum(isinstance(each, JointTransform) for each in several)
            yield Problem(
                f"{spec.place_of(name, place)}.{place - joint}.{one.transform.name}",
                str(one.transform.misfit(one.setting, shape[-1])),
            )
    yield from _joint_misfits(spec, columns)
    for name in all_names_drawn(spec):
        if columns[name].kind not in _NAMING:
            what = "what is drawn for a record needs names of text, whole numbers or dates"
            role = "key" if name in spec.key else "person"
            yield Problem(
                f"{role}.{name}", f"{what}, the column is {columns[name].shown_type}: cast it"
            )


def _joint_misfits(spec: Spec, columns: Mapping[str, Column]) -> Iterator[Problem]:
    """Columns whose types do not go with the swaps and the correlated noise of a spec."""
    for one in spec.joint:
        for name in one.columns:
            column = columns[name]
            why = one.transform.misfit(one.setting, Shape(column.type, column.kind))
            if why is not None:
                yield Problem(f"{one.where}.columns", f"{name!r}: {why}")
        if not isinstance(one.setting, Swap):
            continue
        for field, names in (("within", one.setting.within), ("rare", one.setting.rare)):
            for name in names:
                why = incomparable(Shape(columns[name].type, columns[name].kind))
                if why is not None:
                    yield Problem(f"{one.where}.{field}", f"{name!r}: {why}")
