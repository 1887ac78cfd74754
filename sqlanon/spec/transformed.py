"""The transforms that a spec declares, and what speaks against them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, cast

from sqlanon.errors import Problem
from sqlanon.spec.joint import joint_misfits, joint_problems
from sqlanon.spec.publication import asked_of
from sqlanon.transforms import Shape, Transform
from sqlanon.transforms.declared import Several
from sqlanon.transforms.joint import JointTransform

if TYPE_CHECKING:
    from sqlanon.spec.columns import Column, Kind
    from sqlanon.spec.model import Spec

_NAMING = ("text", "label", "integer", "date")  # whose text all databases write alike


def transform_problems(spec: Spec) -> Iterator[Problem]:
    """Parts of a spec that do not go with its transforms."""
    yield from _shift_problems(spec)
    yield from joint_problems(spec)
    for name, several in spec.transforms.items():
        own = [one for one in several if not isinstance(one, JointTransform)]
        if any(one.transform.looks_at == "sets" for one in own[:-1]):
            what = "rare_members counts what the other transforms leave: put it after all others"
            yield Problem(spec.place_of(name, len(several) - 1), f"{what}, and once")
        for later in own[1:]:
            if later.transform.looks_at in ("values", "records"):
                what = f"{later.transform.name} draws from the values that the source has"
                yield Problem(
                    spec.place_of(name, len(several) - 1),
                    f"{what}: put it before all other transforms, and once",
                )
        yield from _local_problems(spec, name, several)
        if own and own[0].transform.looks_at == "records" and not spec.key:
            what = f"{own[0].transform.name} is drawn for each record"
            yield Problem(
                spec.place_of(name, len(several) - 1),
                f"{what}: declare the columns that name one as key",
            )
        for place, one in enumerate(several):
            if one.key is None:
                continue
            where, by = spec.place_of(name, place), one.transform.name
            what = f"it changes {name!r}, and" if isinstance(one, JointTransform) else by
            if not names_drawn(spec, one.transform):
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


def _local_problems(spec: Spec, name: str, several: Several) -> Iterator[Problem]:
    """Settings that would break the ε of a column's values: it is of the value in the source."""
    if name not in spec.epsilons:
        return
    where = spec.place_of(name, len(several) - 1)
    (done,) = {one.transform.name for one in several if one.epsilon is not None} or {""}
    if several[0].epsilon is None:
        yield Problem(
            where, f"{done} is for the source's values: put it before all other transforms"
        )
    if sum(one.key is not None for one in several) > 1:
        yield Problem(where, f"{done} draws the values: leave the other transform that draws out")
    if not spec.key:
        what = f"{done} is drawn for each record, and never twice alike"
        yield Problem(where, f"{what}: declare the columns that name a record as key")
    for one in spec.joint:
        reads = (*getattr(one.setting, "within", ()), *getattr(one.setting, "rare", ()))
        if name in reads:
            what = f"it reads {name!r} as the source has it, which {done} is to hide"
            yield Problem(one.where, f"{what}: leave that column out")


def names_drawn(spec: Spec, transform: Transform) -> tuple[str, ...]:
    """The columns that a keyed transform is drawn by: those that name records, or persons."""
    return (spec.person or spec.key) if transform.shared else (spec.key or spec.person)


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


def _shift_problems(spec: Spec) -> Iterator[Problem]:
    """Dates of a person that would be shifted apart: their distances are to stay."""
    shifts = [
        (spec.place_of(name, place), one.setting)
        for name, several in spec.transforms.items()
        for place, one in enumerate(several)
        if one.transform.shared
    ]
    for name, several in spec.transforms.items():
        limits = [one.transform.name for one in several if one.transform.name in ("bottom", "top")]
        names = [one.transform.name for one in several]
        if limits and "date_shift" in names[names.index(limits[0]) :]:
            what = (
                f"a {limits[0]} before a date_shift gives persons beyond it one known date, and so "
                "shows by how many days each was shifted: limit dates after the shift"
            )
            yield Problem(spec.place_of(name, len(several) - 1), what)
    places = [where for where, _ in shifts]
    for number, (where, setting) in enumerate(shifts[1:], 1):
        if where in places[:number]:
            yield Problem(where, "one date_shift is enough: give it more days")
        elif setting != shifts[0][1]:
            what = "all dates of a person are shifted alike: give every date_shift the days and key"
            yield Problem(where, f"{what} of {places[0].removesuffix('.transform')}")


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


def transform_misfits(spec: Spec, columns: Mapping[str, Column]) -> Iterator[Problem]:
    """Columns that their transforms do not fit, and names of records that have no one text."""
    for name, several in spec.transforms.items():
        shape = shapes(several, columns[name])
        if len(shape) <= len(several):
            place = len(shape) - 1
            one = several[place]
            if isinstance(one, JointTransform):
                continue  # `joint_misfits` says it of all of its columns
            joint = sum(isinstance(each, JointTransform) for each in several)
            yield Problem(
                f"{spec.place_of(name, place)}.{place - joint}.{one.transform.name}",
                str(one.transform.misfit(one.setting, shape[-1])),
            )
    yield from joint_misfits(spec, columns)
    for name in all_names_drawn(spec):
        if columns[name].kind not in _NAMING:
            what = "what is drawn for a record needs names of text, whole numbers or dates"
            role = "key" if name in spec.key else "person"
            yield Problem(
                f"{role}.{name}", f"{what}, the column is {columns[name].shown_type}: cast it"
            )
