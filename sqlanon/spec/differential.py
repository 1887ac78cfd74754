"""(ε, δ)-differential privacy of a whole release: what it asks of the rest of a spec."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from sqlanon.clauses import leaving_out
from sqlanon.differential.sampling import Sampling, sampling_for
from sqlanon.errors import Problem
from sqlanon.fields import Declared, Exact, FreshKey, Names
from sqlanon.spec.hierarchy import SqlHierarchy
from sqlanon.spec.levels import levels_are_fixed
from sqlanon.spec.publication import RULES

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec

WHERE = "privacy.differential"
KEY = f"{WHERE}.key"
LEAST_EPSILON, MOST_EPSILON = Fraction(1, 100), 5


def _in_reach(epsilon: Fraction) -> Fraction:
    if not LEAST_EPSILON <= epsilon <= MOST_EPSILON:
        raise ValueError(f"it must be from {float(LEAST_EPSILON)} to {MOST_EPSILON}")
    return epsilon


class LevelChoice(Declared):
    """Levels that are drawn by how well they keep the source's records, for a part of the ε."""

    epsilon: Annotated[Exact, Field(gt=0)] = Field(
        description="the part of the release's epsilon that the choice takes"
    )


class Budget(Declared):
    """How much all releases of the same persons may tell together."""

    epsilon: Annotated[Exact, Field(gt=0)] = Field(description="the greatest sum of their epsilon")
    delta: Annotated[Exact, Field(gt=0, lt=1)] = Field(
        description="the greatest sum of their delta"
    )


class Differential(Declared):
    """By how much a single record changes the chances of a release."""

    epsilon: Annotated[Exact, AfterValidator(_in_reach)] = Field(
        description="with and without a record every release is as likely up to a factor of "
        "e^epsilon"
    )
    delta: Annotated[Exact, Field(gt=0, lt=1)] = Field(
        description="and up to this; less than one over the number of records"
    )
    choose: LevelChoice | None = Field(
        default=None,
        description="draw the level of every column, within `levels`, for a part of epsilon",
    )
    after: Names = Field(
        default=(),
        description="earlier releases of the same persons, whose epsilon and delta count too; so "
        "do those that they came after, and earlier runs of this release",
    )
    budget: Budget | None = Field(
        default=None, description="what all of them together may not exceed"
    )

    @model_validator(mode="after")
    def _leaves_enough(self) -> Differential:
        if self.choose is not None:
            for part in (self.choose.epsilon, self.left):
                if part < LEAST_EPSILON:
                    what = "choose.epsilon and the rest of epsilon must each be at least"
                    raise ValueError(f"{what} {float(LEAST_EPSILON)}")
        return self

    @property
    def left(self) -> Fraction:
        """The ε that the choice of levels, if there is one, leaves to all that follows."""
        return self.epsilon - (self.choose.epsilon if self.choose else 0)

    @property
    def sampling(self) -> Sampling:
        """Which share is sampled, and how many records a class must then have."""
        return sampling_for(self.left, self.delta)

    @property
    def key(self) -> FreshKey:
        """By what it is drawn who is sampled."""
        return FreshKey()


def with_sampling(declared: Any) -> Any:
    """A declared spec with what (ε, δ) needs, where it says nothing of that itself.

    That is the least k, a method that takes fixed levels, and that any class may be left out: a
    limit of that would tell of records. A table of counts has no k and leaves nothing out. A
    declaration that cannot be read stays as it is, and is refused where it is read.
    """
    if not isinstance(declared, Mapping) or not isinstance(declared.get("privacy"), Mapping):
        return declared
    privacy = declared["privacy"]
    if privacy.get("differential") is None:
        return declared
    try:
        asked = Differential.model_validate(privacy.get("differential"))
    except ValueError:  # which is said where it is read, and nothing of k
        return {**declared, "privacy": {"k": 1, **privacy}}
    given = {name: one for name, one in declared.items() if one is not None}
    if _counts(declared.get("publish")):
        return {"method": "optimal", **given, "privacy": {"k": 1, **privacy}}
    k = asked.sampling.k if privacy.get("k") is None else privacy["k"]
    implied = {"method": "optimal", leaving_out().name: {"records": 1}}
    return {**implied, **given, "privacy": {**privacy, "k": k}}


def _counts(publish: Any) -> bool:
    """Whether a declared publication is of counts, which are drawn with noise and not sampled."""
    name = publish.get("name") if isinstance(publish, Mapping) else publish
    return isinstance(name, str) and name in RULES and RULES[name].counts


def differential_problems(spec: Spec) -> Iterator[Problem]:
    """Parts of a spec by which a release would tell more of a record than its ε and δ allow."""
    if spec.goal is not None and spec.privacy.differential is not None:
        what = "a goal stands for k, l and t, and here ε and δ say how much privacy"
        yield Problem("goal", f"{what}: leave the goal out, or privacy.differential")
    asked = spec.sampled
    if spec.counts and spec.privacy.differential is not None and spec.privacy.differential.choose:
        what = "counts are of groups at levels that are named"
        yield Problem(f"{WHERE}.choose", f"{what}: leave it out, or publish generalized")
    if asked is None:
        return
    least = asked.sampling.k
    if spec.privacy.k < least:
        yield Problem("privacy.k", f"for this ε and δ it must be at least {least}: leave it out")
    if spec.person:
        what = "ε and δ of a release of records are of a record, and not of a person"
        cure = "take a source with one record a person, or publish: counts"
        yield Problem("person", f"{what}: {cure}")
    for name in spec.sensitive:
        what = "every published column counts as a quasi-identifier here"
        yield Problem(f"sensitive.{name}", f"{what}: make it one, with a hierarchy and a level")
    if asked.choose is None and not levels_are_fixed(spec):
        what = "levels that the data choose tell of the data: name one level for every "
        cure = "quasi-identifier, as age: 2, or give a part of ε to the choice by choose"
        yield Problem("levels", f"{what}{cure}")
    if asked.choose is not None and levels_are_fixed(spec):
        what = "the levels leave nothing to choose"
        yield Problem(f"{WHERE}.choose", f"{what}: say the lowest and the highest, as age: [1, 3]")
    for name, column in spec.quasi_identifiers.items():
        if isinstance(column.hierarchy, SqlHierarchy):
            where = f"quasi_identifiers.{name}.hierarchy"
            what = "SQL may read the data, of which its groups would tell"
            yield Problem(where, f"{what}: name bands, prefix, dates, a tree or a file")
    if spec.allowance is None or spec.allowance.records != 1:
        what = "a limit to what is left out would tell of records"
        yield Problem(leaving_out().name, f"{what}: leave it out")
    if not spec.key:
        what = "each record is sampled by a draw of its own"
        yield Problem(WHERE, f"{what}: declare the columns that name one as key")
