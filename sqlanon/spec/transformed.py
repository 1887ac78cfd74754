"""The transforms that a spec declares, and what speaks against them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from sqlanon.errors import Problem
from sqlanon.spec.publication import asked_of
from sqlanon.transforms import Shape
from sqlanon.transforms.declared import Several

if TYPE_CHECKING:
    from sqlanon.spec.columns import Column, Kind
    from sqlanon.spec.model import Spec

_NAMING = ("text", "label", "integer", "date")  # whose text all databases write alike


def transform_problems(spec: Spec) -> Iterator[Problem]:
    """What of a spec does not go with its transforms."""
    for name, several in spec.transforms.items():
        for one in several:
            if one.key is None:
                continue
            where, what = f"{spec.role_of(name)}.{name}.transform", one.transform.name
            if not (spec.key or spec.person):
                need = "the columns that name a record as key, or that name a person as person"
                yield Problem(where, f"{what} is drawn for each: declare {need}")
            declared = spec.sensitive.get(name)
            if declared is not None and any(asked_of(spec, declared)):
                yield Problem(
                    where,
                    f"{what} makes different values of equal ones, so that what is asked of it "
                    "would hold of the noise: take round, bands, top, bottom or mask, or ask "
                    "nothing of this column",
                )
            if spec.choose is not None:
                yield Problem("choose", f"k is chosen without keys, and {name} has {what}: name k")


def told(spec: Spec) -> dict[str, str]:
    """What is done to each column that is transformed, in a few words."""
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
        where = f"{spec.role_of(name)}.{name}.transform"
        shape = shapes(several, columns[name])
        if len(shape) <= len(several):
            one = several[len(shape) - 1]
            yield Problem(
                f"{where}.{one.transform.name}", str(one.transform.misfit(one.setting, shape[-1]))
            )
    if any(one.key for several in spec.transforms.values() for one in several):
        for name in spec.person or spec.key:
            if columns[name].kind not in _NAMING:
                what = "what is drawn for a record needs names of text, whole numbers or dates"
                role = "person" if spec.person else "key"
                yield Problem(
                    f"{role}.{name}", f"{what}, the column is {columns[name].shown_type}: cast it"
                )
