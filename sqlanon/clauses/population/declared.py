"""The models that compare a release with a table of the population that its persons are from.

k-map (Sweeney 2002) asks that every published tuple covers at least so many of its persons, in the
release or not. δ-presence (Nergiz, Atzori and Clifton 2007) asks that the share of them that is in
the release lies within two bounds. Both are asked for under ``privacy.population``, which names the
population.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator, model_validator

from sqlanon.clauses.clause import Asking, Clause, MethodRule, Use, at
from sqlanon.common.fields import Closeness, Declared, Whole
from sqlanon.errors import Problem
from sqlanon.inputs.source import Source
from sqlanon.privacy.model import PrivacyModel, SpecField

WHERE = "privacy.population"
_BOUNDS = "it must be the least and the greatest share, from 0 to 1, such as [0, 1/2]"


class Presence(NamedTuple):
    """Lower and upper bound of δ-presence."""

    least: Fraction
    most: Fraction


def _two(value: Any) -> Any:
    """Two bounds, or what is wrong."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError(_BOUNDS)
    return tuple(value)


class Population(Declared):
    """A table of the population, with a row for each person, and its models.

    k-map: Sweeney (2002). δ-presence: Nergiz, Atzori and Clifton (2007).
    """

    source: Annotated[Source, BeforeValidator(Source.read)] = Field(
        description="where the population is, named as a source is; it has the quasi-identifiers, "
        "under the same names"
    )
    k_map: Whole | None = Field(
        default=None,
        ge=1,
        description="k-map: every published tuple covers at least so many rows of the population",
    )
    presence: Annotated[
        tuple[Closeness, Closeness] | None,
        BeforeValidator(lambda value: None if value is None else _two(value)),
        WithJsonSchema({"type": "array", "items": {"type": ["number", "string"]}}),
    ] = Field(
        default=None,
        description="δ-presence: of those whom a published tuple covers, the share who are in the "
        "release lies within these two bounds",
    )

    @field_validator("presence")
    @classmethod
    def _ordered(cls, value: tuple[Fraction, Fraction] | None) -> Presence | None:
        if value is None:
            return None
        bounds = Presence(*value)
        if bounds.least > bounds.most or not bounds.most:
            raise ValueError(_BOUNDS)
        return bounds

    @model_validator(mode="after")
    def _asks(self) -> Population:
        if self.k_map is None and self.presence is None:
            raise ValueError("it must ask for k_map: 5, or presence: [0, 1/2], or both")
        return self


_PRESENCE = SpecField("presence", "Population", "two shares, such as `[0, 1/2]`")
_SHARE = "released / covered"

K_MAP = PrivacyModel(
    name="k_map",
    title="k-map",
    field=SpecField("k_map", "Population", "a whole number from 1"),
    per="population",
    threshold=Annotated[Whole, Field(ge=1)],
    example="5",
    measured="clauses/population/k_map",
    reads=("covered",),
    worst="least",
    monotone="parted",
    formula="covered ≥ k",
    value="the rows of the population that the published tuple covers",
    range="[0, inf)",
    paper="Sweeney (2002)",
    says="every published tuple covers at least `k_map` persons of the population",
)

LEAST_PRESENCE = PrivacyModel(
    name="least_presence",
    title="δ-presence, at least",
    field=_PRESENCE,
    form="least",
    per="population",
    threshold=Closeness,
    example="0.1",
    idle=0,
    measured="clauses/population/presence",
    reads=("covered",),
    worst="least",
    formula="released / covered ≥ δ_min",
    value=_SHARE,
    paper="Nergiz, Atzori and Clifton (2007)",
    says="of those whom a published tuple covers at least the share `presence` is in the release",
)

MOST_PRESENCE = PrivacyModel(
    name="most_presence",
    title="δ-presence, at most",
    field=_PRESENCE,
    form="most",
    per="population",
    threshold=Closeness,
    example="0.5",
    vacuous=1,
    measured="clauses/population/presence",
    reads=("covered",),
    monotone="merged",
    formula="released / covered ≤ δ_max",
    value=_SHARE,
    paper="Nergiz, Atzori and Clifton (2007)",
    says="of those whom a published tuple covers at most the share `presence` is in the release",
)


def population_of(spec: Asking) -> Population | None:
    """The population that a spec names, if any."""
    found: Population | None = spec.privacy.population
    return found


def _k_map(spec: Asking) -> Iterator[str]:
    """Where a k-map is asked for that does not follow from k."""
    population = population_of(spec)
    if population is not None and not spec.shows_exact and (population.k_map or 1) > spec.privacy.k:
        yield f"{WHERE}.k_map"


def _presence(spec: Asking) -> Iterator[str]:
    """Where a δ-presence is asked for that not every release has."""
    population = population_of(spec)
    bounds = None if population is None or spec.shows_exact else population.presence
    if bounds is not None and (bounds[0] > 0 or bounds[1] < 1):
        yield f"{WHERE}.presence"


def _problems(spec: Asking) -> Iterator[Problem]:
    """Columns that do not say whom of a population they cover."""
    if population_of(spec) is None:
        return
    for name, form in spec.uncovering.items():
        what = f"a {form} does not say whom it covers: take another form"
        yield Problem(f"quasi_identifiers.{name}.publish", what)
    for name in spec.quasi_identifiers:
        if name in spec.transforms:
            what = f"{name!r} is transformed, and the population is not: leave one of them out"
            yield Problem(WHERE, what)


CLAUSES = (
    Clause(
        "population",
        "models of a table of the population",
        at(WHERE, population_of),
        refused={
            Use.CHECK_TABLE: "only a spec says in which forms the cells are, and so whom they "
            "cover: check the table by its spec, or leave the population out",
            Use.LIMITS: "the limits with a population are not known: leave it out",
            Use.VERIFY: "it is of the population, which is not certified",
        },
        excludes={
            "differential privacy": "models of a population tell of the data: leave it out",
            "exact rows": "{publication} publishes every record's own quasi-identifiers, which "
            "cover only who shares them: leave it out, or say publish: generalized",
            "subsets": "a search holds classes either to this or to privacy.subsets: leave one of "
            "them out",
        },
        unless_found={
            "cells of a recipe": "the cells of {recipe!r} are taken over as they are: name a "
            "release with an allotment, or leave this or the recipe out"
        },
        measured="population",
        models=(K_MAP, LEAST_PRESENCE, MOST_PRESENCE),
        fields={
            "privacy": {
                "population": (
                    Population | None,
                    Field(
                        default=None,
                        description="models of the release and a table of the population",
                    ),
                )
            }
        },
        mappings={"Population": "it must be a mapping such as {source: voters, k_map: 5}"},
        problems=_problems,
    ),
    Clause(
        "k-map",
        "a k-map of more than k",
        _k_map,
        needs={"population": "k-map is of a population: name its table"},
        method=MethodRule(
            lambda method, _: method.chooses_levels,
            "{method} cannot test k-map while it forms classes, and promises no more than "
            "privacy.k, {k}, of it: take {testing}, or ask for less",
        ),
    ),
    Clause(
        "δ-presence",
        "bounds of δ-presence that not every release is within",
        _presence,
        needs={"population": "δ-presence is of a population: name its table"},
        method=MethodRule(
            lambda method, _: method.chooses_levels,
            "{method} cannot test δ-presence while it forms classes: take {testing}",
        ),
    ),
)
