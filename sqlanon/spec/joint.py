"""The problems of a spec's transforms of several columns at once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from sqlanon.errors import Problem, nearest
from sqlanon.transforms import Shape
from sqlanon.transforms.joint import JointTransform, Swap
from sqlanon.transforms.keyed import incomparable

if TYPE_CHECKING:
    from sqlanon.spec.columns import Column
    from sqlanon.spec.model import Spec


def joint_problems(spec: Spec) -> Iterator[Problem]:
    """Parts of a spec that do not go with its swaps and its correlated noise."""
    first: dict[str, str] = {}
    for one in spec.joint:
        yield from _unfit_columns(spec, one, first)
    for one in spec.joint:
        if isinstance(one.setting, Swap):
            yield from _unfit_read(spec, f"{one.where}.within", one.setting.within, first)
            yield from _unfit_read(spec, f"{one.where}.rare", one.setting.rare)
            if not spec.key:
                what = "records trade their values, and none has a name"
                yield Problem(one.where, f"{what}: declare the columns that name one as key")
    for name, several in spec.transforms.items():
        drawn = several[0]
        for own in several[1:]:
            draws = own.transform.looks_at in ("values", "records")
            if isinstance(drawn, JointTransform) and draws:
                what = f"{name!r} has the transform {own.transform.name}, which draws from the"
                how = "values that the source has, as this does: leave one of them out"
                yield Problem(f"{drawn.where}.columns", f"{what} {how}")


def _unfit_columns(spec: Spec, one: JointTransform, first: dict[str, str]) -> Iterator[Problem]:
    where, able = f"{one.where}.columns", {**spec.sensitive, **spec.insensitive}
    for name in one.columns:
        if name in first:
            again = "twice" if first[name] == one.where else f"in {first[name]} too"
            what = "and its values change once: name it in one place"
            yield Problem(where, f"{name!r} is named {again}, {what}")
        elif name in spec.quasi_identifiers:
            what = "is a quasi-identifier, and those are generalized: name sensitive and"
            cure = "insensitive columns, or declare it insensitive where no model is asked of it"
            yield Problem(where, f"{name!r} {what} {cure}")
        elif name not in able:
            what = "is neither sensitive nor insensitive"
            yield Problem(where, f"{name!r} {what}; {nearest(name, able)}")
        first.setdefault(name, one.where)


def _unfit_read(
    spec: Spec, where: str, names: Sequence[str], changed: Mapping[str, str] | None = None
) -> Iterator[Problem]:
    """Columns that are none to read, or that are changed where they must stay."""
    able = {**spec.quasi_identifiers, **spec.sensitive, **spec.insensitive}
    for place, name in enumerate(names):
        if name not in able:
            what = "is neither a quasi-identifier nor sensitive nor insensitive"
            yield Problem(where, f"{name!r} {what}; {nearest(name, able)}")
        elif name in names[:place]:
            yield Problem(where, f"{name!r} is named twice: once is enough")
        elif name in (changed or {}):
            what = f"is changed by {(changed or {})[name]}, and records agree in what stays"
            yield Problem(where, f"{name!r} {what}: leave it out of one of the two")


def joint_misfits(spec: Spec, columns: Mapping[str, Column]) -> Iterator[Problem]:
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
