"""(ε, δ)-differential privacy of a whole release: what it asks of the rest of a spec.

A table of counts with noise is such a release, too: its noise follows from what a spec says of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field, model_validator

from sqlanon.clauses import leaving_out
from sqlanon.common.fields import Declared, Exact, FreshKey, Names
from sqlanon.errors import Problem, nearest
from sqlanon.privacy.differential.counts import Bound, Noisy, noise_for
from sqlanon.privacy.differential.sampling import Sampling, sampling_for
from sqlanon.spec.hierarchy import SqlHierarchy
from sqlanon.spec.levels import levels_are_fixed
from sqlanon.spec.publication import RULES, asked_of

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec

_WHERE = "publish"
MOST_GROUPS = 100_000  # declared groups: each is published, with or without records
_MOST_STEPS = 10**9  # from 0 to the farther bound of a sum
DIGITS = 6  # after the point of the bounds and the step of a sum


@dataclass(frozen=True)
class Counting:
    """A table of counts, as a spec asks for it.

    Attributes:
        tables: the sets of columns that are counted, by their names.
        persons: whether persons are counted, and not records.
        contributions: how many records of a person are used.
        noisy: the noise and the threshold.
    """

    tables: tuple[tuple[str, ...], ...]
    persons: bool
    contributions: int
    noisy: Noisy


def counting_of(spec: Spec) -> Counting:
    """The table of counts that a spec asks for.

    Raises:
        ValueError: if its noise cannot be proved.
    """
    asked, differential = spec.publish, spec.privacy.differential
    assert asked is not None and differential is not None  # noqa: S101, PT018 - it asks for counts
    tables = asked.columns or (tuple(spec.quasi_identifiers),)
    each = asked.contributions or 1
    sums = (clamped_sum.most * each for clamped_sum in asked.sums.values())
    bounds = (
        Bound(each, each, each),
        *(Bound(most, most * most, each) for most in sums),
    )
    noisy = noise_for(
        asked.noise or "laplace", differential.epsilon, differential.delta, len(tables), bounds
    )
    return Counting(tables, bool(spec.person), each, noisy)


def counting_problems(spec: Spec) -> Iterator[Problem]:
    """Parts of a spec that do not go with a table of counts."""
    if not RULES[spec.publication].counts or spec.privacy.differential is None:
        return
    sums = spec.publish.sums if spec.publish else {}
    found = [
        *_of_columns(spec),
        *_of_values(spec),
        *(problem for name in sums for problem in _of_sum(spec, name)),
        *_of_the_rest(spec),
    ]
    yield from found
    if not found:
        try:
            counting_of(spec)
        except ValueError as error:
            what = "take a greater delta or epsilon, fewer columns, or noise: laplace"
            yield Problem("privacy.differential", f"{error}: {what}")


def _of_columns(spec: Spec) -> Iterator[Problem]:
    """The sets of columns must be of quasi-identifiers, and different."""
    where, known = f"{_WHERE}.columns", spec.quasi_identifiers
    tables = spec.publish.columns if spec.publish else ()
    for each in tables:
        for name in dict.fromkeys(each):
            if name not in known:
                what = f"{name!r} is no quasi-identifier; {nearest(name, known)}"
                yield Problem(where, what)
        if not each or len(set(each)) < len(each):
            yield Problem(where, "each set has columns, and each of them once")
    if len({frozenset(each) for each in tables}) < len(tables):
        yield Problem(where, "it has the same columns twice, which costs ε twice: name a set once")
    unused = [name for name in known if tables and not any(name in each for each in tables)]
    for name in unused:
        yield Problem(where, f"{name!r} is in no set of columns: name it in one, or leave it out")


def _of_values(spec: Spec) -> Iterator[Problem]:
    """Declared groups must be of quasi-identifiers, and not too many."""
    values = spec.publish.values if spec.publish else {}
    for name, listed in values.items():
        where = f"{_WHERE}.values.{name}"
        if name not in spec.quasi_identifiers:
            what = f"it is no quasi-identifier; {nearest(name, spec.quasi_identifiers)}"
            yield Problem(where, what)
        if not listed or len(set(listed)) < len(listed):
            yield Problem(where, "it lists the labels of the groups, and each of them once")
    tables = (spec.publish.columns if spec.publish else ()) or (tuple(spec.quasi_identifiers),)
    for each in tables:
        if prod(len(values.get(name, ("",))) for name in each) > MOST_GROUPS:
            what = f"more than {MOST_GROUPS:,} groups are declared of {', '.join(each)}"
            yield Problem(f"{_WHERE}.values", f"{what}, and each is published: list fewer")


def _of_sum(spec: Spec, name: str) -> Iterator[Problem]:
    """A column that is summed up must be sensitive, between bounds at multiples of the step."""
    assert spec.publish is not None  # noqa: S101 - it asks for counts
    where, one = f"{_WHERE}.sums.{name}", spec.publish.sums[name]
    if name not in spec.sensitive:
        what = f"it is no sensitive attribute; {nearest(name, spec.sensitive)}"
        yield Problem(where, what)
    steps = (one.low / one.step, one.high / one.step)
    decimals = (bound * 10**DIGITS for bound in (one.low, one.high, one.step))
    if one.low >= one.high or any(each.denominator > 1 for each in (*steps, *decimals)):
        what = f"low and high must be multiples of the step, of at most {DIGITS} digits"
        yield Problem(where, f"{what} after the point, and high above low")
    elif one.most > _MOST_STEPS:
        what = f"its bounds are more than {_MOST_STEPS:,} steps from 0"
        yield Problem(where, f"{what}: take a greater step")


def _of_the_rest(spec: Spec) -> Iterator[Problem]:
    """Levels, models and sensitive columns that a table of counts cannot have."""
    assert spec.publish is not None  # noqa: S101 - it asks for counts
    for name, declared in spec.sensitive.items():
        if name not in spec.publish.sums:
            what = "counts publishes a sensitive column as sums alone: name it under publish.sums"
            yield Problem(f"sensitive.{name}", f"{what}, or leave it out")
        if any(asked_of(spec, declared)):
            what = "it is asked of the values of a class, and counts publishes none: leave it out"
            yield Problem(f"sensitive.{name}", what)
    if not levels_are_fixed(spec):
        what = "levels that the data choose tell of the data"
        yield Problem("levels", f"{what}: name one level for every quasi-identifier, as age: 2")
    for name, column in spec.quasi_identifiers.items():
        if isinstance(column.hierarchy, SqlHierarchy):
            where = f"quasi_identifiers.{name}.hierarchy"
            what = "SQL may read the data, of which its groups would tell"
            yield Problem(where, f"{what}: name bands, prefix, dates, a tree or a file")
    if spec.publish.contributions is not None and not spec.person:
        what = "a record is taken for a person here, and contributes once"
        yield Problem(f"{_WHERE}.contributions", f"{what}: leave it out, or name the person")
    low, high = spec.publish.between or (0, 1)
    if low >= high:
        what = "it must be the least and the greatest count, as [0, 1000]"
        yield Problem(f"{_WHERE}.between", what)


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
    given = {name: value for name, value in declared.items() if value is not None}
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
