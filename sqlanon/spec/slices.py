"""What a spec may say of slices: which attributes stay together where others are shuffled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.spec.publication import RULES

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


def refuse_found(spec: Spec) -> None:
    """Refuse a spec that leaves its slices to a run, where a release is read by its spec.

    Raises:
        SpecError: if it does.
    """
    if spec.finds_slices:
        what = "which slices were found, the release alone does not say: name those that its run"
        how = "recorded (the item slices of its __run relation) as columns"
        raise SpecError(Problem("publish.widest", f"{what} {how}"))


def slice_problems(spec: Spec) -> Iterator[Problem]:
    """What of a spec does not go with the slices that it declares, or lacks."""
    name, where = spec.publication, "publish.columns"
    slices, publish = spec.slices, spec.publish
    if publish is not None and spec.finds_slices:
        if not RULES[name].sliced:
            able = ", ".join(one.name for one in RULES.values() if one.sliced)
            what = f"{name} has no slices: leave it out, or say name: {able}"
            yield Problem("publish.widest", what)
            return
        if publish.columns:
            what = "columns names the slices, and widest lets the run find them: say one of the two"
            yield Problem("publish.widest", what)
    yield from _suppression_problems(spec)
    if not RULES[name].sliced:
        if slices:
            able = ", ".join(one.name for one in RULES.values() if one.sliced)
            yield Problem(where, f"{name} has no slices: leave it out, or say name: {able}")
        return
    named = [column for each in slices for column in each]
    declared = [*spec.quasi_identifiers, *spec.sensitive]
    if len(slices) < 2 or not all(slices):
        what = f"{name} needs two slices at least, each with an attribute, such as"
        alone = [[one] for one in spec.quasi_identifiers]
        example = [*alone, list(spec.sensitive)] if spec.sensitive else alone
        shown = ", ".join(f"[{', '.join(one)}]" for one in example)
        yield Problem(where, f"{what} [{shown}]")
        return
    for column in dict.fromkeys(named):
        if column not in declared:
            what = "is neither a quasi-identifier nor sensitive"
            yield Problem(where, f"{column!r} {what}; {nearest(column, declared)}")
        elif named.count(column) > 1:
            yield Problem(where, f"{column!r} is named twice, and stays together with one slice")
    for column in declared:
        if column not in named:
            yield Problem(where, f"{column!r} is in no slice: name it in one")
    if sum(any(column in spec.sensitive for column in each) for each in slices) > 1:
        yield Problem(where, "all sensitive attributes must be in one slice")
    for column in spec.insensitive:
        what = f"{name} publishes no column of a single record: make it a quasi-identifier, or drop"
        yield Problem(f"insensitive.{column}", f"{what} it")
    for column in spec.pseudonyms:
        what = f"a row of {name} is of no single record: leave its pseudonym out"
        yield Problem(f"identifiers.{column}.pseudonym", what)


def _suppression_problems(spec: Spec) -> Iterator[Problem]:
    if spec.publish is None or spec.publish.suppress is None:
        return
    where, name = "publish.suppress", spec.publication
    if not RULES[name].sliced:
        able = ", ".join(one.name for one in RULES.values() if one.sliced)
        yield Problem(where, f"{name} has no slices: leave it out, or say name: {able}")
    elif len(spec.quasi_identifiers) < 2:
        what = "records are alike in two quasi-identifiers at least, and one is declared"
        yield Problem(where, f"{what}: leave it out, or declare another")
