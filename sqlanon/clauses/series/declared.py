"""A series: releases of the same persons, one after another, held by what all of them tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from sqlanon.clauses.clause import Asking, Clause, Use, at
from sqlanon.common.fields import Declared, Names, Truth
from sqlanon.errors import Problem, nearest

CLASS = "class_id"  # stands next to the person's columns in what a series keeps
# What a release keeps for those that come after it, and its measures.
MEMBERS, VALUES, MEASURES = "members", "values", "series"
_ONE_ALONE = "a trial makes one release that follows no other: run the spec, or leave series out"


class Series(Declared):
    """Which releases of the same persons came before, and how this one follows them."""

    after: Names = Field(
        default=(), description="the earlier releases; those that they came after count too"
    )
    reuse: Truth = Field(
        default=True,
        description="whether persons stay together with whom they shared their classes; without it "
        "the method forms classes again",
    )
    changing: Names = Field(
        default=(),
        description="sensitive attributes whose values of a person change from release to "
        "release; those of all others are taken to persist",
    )
    joined: str | None = Field(
        default=None,
        description="the identifier by whose pseudonyms readers join its rows with those of the "
        "earlier releases, which may be of other tables: what is asked is then held on the join",
    )
    apart: Names = Field(
        default=(),
        description="releases that it need not follow although they seem to be of the same "
        "persons: nobody was given them, or their persons are others of the same names",
    )


def series_of(spec: Any) -> Series:
    """The series of a spec; one that declares none follows nothing, and keeps nothing."""
    return spec.series or Series(reuse=False)


def _is_one(spec: Any) -> bool:
    return spec.series is not None


def _after(spec: Any, releases: Sequence[str]) -> Series:
    """The series of a spec, where further releases came before."""
    series: Series = spec.series or Series()
    named = tuple(dict.fromkeys((*series.after, *releases)))
    return series.model_copy(update={"after": named})


def _problems(spec: Asking) -> Iterator[Problem]:
    """Names in a series that cannot be what they are there for."""
    series = series_of(spec)
    for column in spec.person:
        if _is_one(spec) and column.lower() == CLASS:
            what = f"a series keeps a column {CLASS!r} of its own: rename this one in a query"
            yield Problem(f"person.{column}", what)
    for name in series.changing:
        if name not in spec.sensitive:
            what = f"{name!r} is no sensitive attribute; {nearest(name, spec.sensitive)}"
            yield Problem("series.changing", what)
    if series.joined is not None:
        yield from _joined_problems(spec, series.joined)
    names = [name.lower() for name in series.after]
    if spec.release.lower() in names:
        what = (
            f"{spec.release!r} would take the place of the release that it is to follow: give "
            "every release of a series a name of its own"
        )
        yield Problem("series.after", what)
    for name in series.apart:
        if name.lower() in names:
            what = f"{name!r} is followed, and cannot be left out of account: name it once"
            yield Problem("series.apart", what)
    if len(set(names)) < len(names):
        yield Problem("series.after", "it names a release twice")


def _joined_problems(spec: Asking, joined: str) -> Iterator[Problem]:
    """Parts of a spec that do not go with readers who join its rows with other releases' rows."""
    if joined not in spec.pseudonyms:
        near = nearest(joined, spec.pseudonyms)
        what = f"{joined!r} is no identifier that is released as a pseudonym; {near}"
        yield Problem("series.joined", what)
    elif spec.identifiers[joined].repeats:
        what = "readers join by the pseudonym of a person, and several persons may have this one"
        yield Problem(f"identifiers.{joined}.repeats", what)


CLAUSES = (
    Clause(
        "series",
        "the release follows earlier ones of the same persons",
        at("series", _is_one),
        refused={
            Use.SCRIPT: "a script cannot see whether earlier releases have changed: run the spec, "
            "or leave series out",
            Use.DBT: "dbt models cannot see whether earlier releases have changed: run the spec, "
            "or leave series out",
            Use.TRIAL: _ONE_ALONE,
            Use.LIMITS: _ONE_ALONE,
        },
        excludes={
            "local differential privacy": "every release has draws of its own, which a reader of "
            "several averages: leave the transform out, or series",
            "differential privacy": "it holds classes by what earlier releases showed, which tells "
            "of the data: name the earlier releases as privacy.differential.after",
            "choose": "k is chosen by releases on trial, which follow no earlier ones: say k, "
            "leave choose out",
            "cells of a recipe": "the cells of {recipe!r} are taken over as they are: leave this "
            "out, or the recipe",
            "live view": "a series holds what stays as it is: say materialize: table",
        },
        needs={
            "person": "it follows persons from release to release, and the spec does not say whom "
            "a record is about: name the column, as person: patient_id"
        },
        fields={
            "spec": {
                "series": (
                    Annotated[
                        Series | None, BeforeValidator(lambda value: {} if value is None else value)
                    ],
                    Field(
                        default=None,
                        description="that it is one of several releases of the same persons, and "
                        "which came before",
                    ),
                )
            }
        },
        mappings={
            "Series": "it must be a mapping such as {after: [visits_january]}, or {} for the first"
        },
        after=_after,
        keeps={
            MEMBERS: _is_one,
            VALUES: lambda spec: _is_one(spec) and spec.sensitive,
            MEASURES: _is_one,
        },
        how="declare a series",
        problems=_problems,
    ),
    Clause(
        "reuse",
        "a series whose classes go on, as they do by default",
        at("series", lambda spec: series_of(spec).reuse),
        forms=True,
        excludes={
            "limit in groups": "the run leaves out records without companions, of all groups "
            "alike: leave suppression.within out"
        },
        needs={"series": "classes go on in a series: declare one"},
    ),
)
