"""The models that compare a release with a table of the population that its persons are from."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

from pydantic import BeforeValidator, Field, WithJsonSchema, field_validator, model_validator

from sqlanon.errors import Problem
from sqlanon.fields import Closeness, Declared, Whole
from sqlanon.inputs.source import Source
from sqlanon.spec.form import RULES
from sqlanon.spec.levels import published_as

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec

_BOUNDS = "it must be the least and the greatest share, from 0 to 1, such as [0, 1/2]"


class Presence(NamedTuple):
    """Between what the share of the covered who are released lies."""

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

    @property
    def bounds(self) -> bool:
        """Whether a bound of presence is asked for that not every release is within."""
        return self.presence is not None and (self.presence[0] > 0 or self.presence[1] < 1)

    def located(self, folder: Path) -> Population:
        """The same, where a relative path counts from a folder."""
        return self.model_copy(update={"source": self.source.located(folder)})


def population_problems(spec: Spec) -> Iterator[Problem]:
    """Columns that do not say whom of a population they cover."""
    population, where = spec.privacy.population, "privacy.population"
    if population is None:
        return
    for name in spec.quasi_identifiers:
        form = published_as(spec, name)
        if form is not None and not RULES[form].covers:
            what = f"a {form} does not say whom it covers: take another form"
            yield Problem(f"quasi_identifiers.{name}.publish", what)
        if name in spec.transforms:
            what = f"{name!r} is transformed, and the population is not: leave one of them out"
            yield Problem(where, what)
