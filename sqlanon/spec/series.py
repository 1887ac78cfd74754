"""A series: releases of the same persons, one after another, held by what all of them tell."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pydantic import Field

from sqlanon.errors import Problem, nearest
from sqlanon.fields import Declared, Names

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec

CLASS = "class_id"  # stands next to the person's columns in what a series keeps


class Series(Declared):
    """Which releases of the same persons came before, and how this one follows them."""

    after: Names = Field(
        default=(), description="the earlier releases; those that they came after count too"
    )
    reuse: bool = Field(
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


def may_leave_out(spec: Spec) -> bool:
    """Whether records may be left out because earlier releases say too much of them."""
    return spec.series is not None and spec.series.reuse


def series_problems(spec: Spec) -> Iterator[Problem]:
    """Names in a series that cannot be what they are there for."""
    series = spec.series
    if series is None:
        return
    for column in spec.person:
        if column.lower() == CLASS:
            what = f"a series keeps a column {CLASS!r} of its own: rename this one in a query"
            yield Problem(f"person.{column}", what)
    for name in series.changing:
        if name not in spec.sensitive:
            what = f"{name!r} is no sensitive attribute; {nearest(name, spec.sensitive)}"
            yield Problem("series.changing", what)
    yield from _joined_problems(spec, series)
    names = [one.lower() for one in series.after]
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


def _joined_problems(spec: Spec, series: Series) -> Iterator[Problem]:
    """Parts of a spec that do not go with readers who join its rows with other releases' rows."""
    if series.joined is None:
        return
    if series.joined not in spec.pseudonyms:
        near = nearest(series.joined, spec.pseudonyms)
        what = f"{series.joined!r} is no identifier that is released as a pseudonym; {near}"
        yield Problem("series.joined", what)
    elif spec.identifiers[series.joined].repeats:
        what = "readers join by the pseudonym of a person, and several persons may have this one"
        yield Problem(f"identifiers.{series.joined}.repeats", what)
