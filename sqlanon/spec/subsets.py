"""A greater k of a spec for a reader who knows some of the quasi-identifiers only."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sqlanon.errors import Problem, nearest
from sqlanon.spec.levels import stratified

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


def subset_problems(spec: Spec) -> Iterator[Problem]:
    """Columns that cannot be shown alike or are named twice, and releases that have no tuples."""
    roles = {column: role.replace("_", " ") for role, column in spec.roles()}
    known, forms = {*spec.quasi_identifiers}, spec.uncovering
    seen: dict[frozenset[str], int] = {}
    named: dict[str, int] = {}
    for place, one in enumerate(spec.privacy.subsets):
        where = f"privacy.subsets.{place}.columns"
        for column, times in Counter(one.columns).items():
            if column not in known:
                what = f"{column!r} is no quasi-identifier"
                if column in roles:
                    what += f": the spec has it in {roles[column]}"
                yield Problem(where, f"{what}; {nearest(column, known)}")
            elif times > 1:
                yield Problem(where, f"it names {column!r} twice")
        for column in sorted(forms.keys() & {*one.columns}):
            what = f"{column!r} is published as the {forms[column]} of its class, which tells "
            what += "classes apart that are to show the same: take another form, or leave it out"
            yield Problem(where, what)
        for column in stratified(spec):
            if column in one.columns:
                what = f"{column!r} would show values of several strata: leave it out here, or "
                yield Problem(where, f"{what}levels.{column}")
        if known == {*one.columns}:
            yield Problem(where, "these are all quasi-identifiers: their k is privacy.k")
        first = seen.setdefault(frozenset(one.columns), place)
        shown = named.setdefault("_".join(one.columns).lower(), place)
        if first != place:
            what = f"privacy.subsets.{first} has the same columns: ask once, for the greater k"
            yield Problem(where, what)
        elif shown != place:
            what = f"a report would call them like those of privacy.subsets.{shown}: name them in"
            yield Problem(where, f"{what} another order")


def redundant_subsets(spec: Spec) -> Iterator[Problem]:
    """A k that every release has anyway: records alike in all columns are alike in some of them."""
    for place, one in enumerate(spec.privacy.subsets):
        if one.k <= spec.privacy.k:
            what = f"it is no more than privacy.k, {spec.privacy.k}, which holds for some of the "
            what += "quasi-identifiers as for all: ask for more, or leave it out"
            yield Problem(f"privacy.subsets.{place}.k", what)
