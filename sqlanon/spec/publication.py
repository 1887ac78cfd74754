"""The publication of a spec, which says what is shown of a class, and the forms of its cells.

This module does not know which publications and which forms there are. Each hands over a rule that
says what a spec must be like to ask for it; that of a form says what its cells show, too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, ConfigDict, Field

from sqlanon.common.fields import Declared, Exact, Whole
from sqlanon.common.registry import Registry
from sqlanon.errors import Problem
from sqlanon.privacy import MODELS
from sqlanon.privacy.model import Demand
from sqlanon.privacy.thresholds import fields_of

if TYPE_CHECKING:
    from sqlanon.spec.model import Spec


# A cell shows the ends of a stretch of its class's values, the members of a set, the label of a
# group, or one value in place of all. One value does not say which values its records may have.
Shows = Literal["ends", "members", "label", "value"]


@dataclass(frozen=True)
class FormRule:
    """The conditions on a spec that asks for a form, and what the form's cells show.

    Attributes:
        name: what ``publish`` calls it.
        hierarchy: whether it needs one, takes one, or takes none.
        measurable: whether values must lie on a scale, as numbers and dates do.
        shows: what a cell shows of its class.
        adds: whether values are added, so that they must be exact numbers, and a cell may be none
            of them.
        one_level: whether all labels of a column are of one level.
        tells_null: whether a class of NULL alone looks different from one of NULL and values.
    """

    name: str
    hierarchy: Literal["needed", "taken", "refused"]
    measurable: bool
    shows: Shows
    adds: bool = False
    one_level: bool = False
    tells_null: bool = True

    @property
    def covers(self) -> bool:
        """Whether a cell says which values its records may have."""
        return self.shows != "value"

    def misfit(self, has_hierarchy: bool, has_order: bool = False) -> str | None:
        """The fault of a quasi-identifier that asks for it; None if it fits."""
        if self.hierarchy == "needed" and not has_hierarchy:
            return f"publish: {self.name} needs a hierarchy"
        if self.hierarchy == "refused" and has_hierarchy:
            return f"publish: {self.name} takes no hierarchy"
        if self.adds and has_order:
            return (
                f"publish: {self.name} adds numbers, and a listed order has none: publish: median"
            )
        return None


FORM_RULES = Registry[FormRule]("forms")
FormName = Annotated[str, FORM_RULES.one_name]


@dataclass(frozen=True)
class PublicationRule:
    """The rule of a publication for the specs that ask for it.

    Attributes:
        name: what ``publish`` calls it.
        exact: whether it shows every record's own quasi-identifiers and hides only which sensitive
            value of a group is whose.
        mixes: whether it also hides which of these are of one record.
        counts: whether it shows no record, but how many there are, with noise.
        parts: what it shows apart, in words.
        tied: what only its groups tie to what, in words.
    """

    name: str
    exact: bool
    mixes: bool = False
    counts: bool = False
    parts: str = "quasi-identifiers and sensitive values"
    tied: str = "quasi-identifiers to the others"


RULES = Registry[PublicationRule]("publications")


class ClampedSum(Declared):
    """The bounds of a column whose values are summed up in every group."""

    low: Exact = Field(description="what is less counts as this")
    high: Exact = Field(description="what is greater counts as this")
    step: Annotated[Exact, Field(gt=0)] = Field(
        default=Fraction(1), description="values are rounded to multiples of it"
    )

    @property
    def most(self) -> int:
        """By how many steps a value changes a sum at most."""
        return int(max(abs(self.low), abs(self.high)) / self.step)


class Suppress(Declared):
    """Which cells of slices are suppressed, and what they show then."""

    rule: Literal["similar", "pairs"] = Field(
        default="similar",
        description="similar: of records of a group that are alike in the leading "
        "quasi-identifiers, in the spec's order, the next ones; pairs: of two records of a queue "
        "that are alike in two neighbouring ones, those that follow",
    )
    levels: dict[str, Annotated[Whole, Field(ge=0)]] = Field(
        default={},
        description="at which level of its hierarchy a suppressed cell is shown; by default as *",
    )


def _read_rule(value: Any) -> Any:
    return {"rule": value} if isinstance(value, str) else value


class Publish(Declared):
    """How a class is shown."""

    model_config = ConfigDict(defer_build=True)  # until the registry is open

    name: Annotated[str, RULES.one_name] = Field(
        description="cells that say what a class has in common, or exact rows in groups"
    )
    group: Whole | None = Field(
        default=None,
        ge=2,
        description="the least number of records of a group, where quasi-identifiers are published "
        "as they are; by default what the models of the sensitive attributes need",
    )
    columns: tuple[tuple[str, ...], ...] = Field(
        default=(),
        description="which attributes stay together in a slice, each in one of them and all "
        "sensitive attributes in the same, or each in slices without quasi-identifiers: "
        "[[age, sex], [zip, disease]]; of counts the sets of "
        "columns whose groups are counted, by default all quasi-identifiers together",
    )
    widest: Whole | None = Field(
        default=None,
        ge=2,
        description="in place of columns: the run finds slices of at most so many "
        "quasi-identifiers, those that have most to do with each other together",
    )
    sensitive: Literal["joined"] | None = Field(
        default=None,
        description="joined: of slices that the run finds, that of the sensitive attributes takes "
        "quasi-identifiers that have most to do with it as well; by default it has none",
    )
    levels: dict[str, Annotated[Whole, Field(ge=0)]] = Field(
        default={},
        description="at which level of its hierarchy slices show a quasi-identifier, of all "
        "records alike: {zip: 1}; others are shown as they are",
    )
    suppress: Annotated[Suppress, BeforeValidator(_read_rule)] | None = Field(
        default=None,
        description="which cells of slices are suppressed, by the name of a rule or so:",
    )
    noise: Literal["laplace", "gaussian"] | None = Field(
        default=None, description="the noise of counts; by default discrete Laplace noise"
    )
    values: dict[str, tuple[str | None, ...]] = Field(
        default={},
        description="of counts, the labels of each column whose groups are published in any case; "
        "by default those of its tree or file, and of other columns none",
    )
    contributions: Whole | None = Field(
        default=None,
        ge=1,
        le=1_000_000,
        description="of counts, how many records of a person are used; 1 by default",
    )
    sums: dict[str, ClampedSum] = Field(
        default={},
        description="of counts, the sensitive columns whose sums and means are published, each "
        "between two bounds",
    )
    round: Whole | None = Field(
        default=None, ge=1, description="to multiples of what the counts are rounded"
    )
    between: tuple[Whole, Whole] | None = Field(
        default=None, description="the least and the greatest count; by default none is below 0"
    )


def _read(value: Any) -> Any:
    return {"name": value} if isinstance(value, str) else value


Published = Annotated[Publish, BeforeValidator(_read)]


def least_class(spec: Spec) -> int:
    """How many records a method is to put into every class at least: k, or those of a group.

    Where exact rows are published and a spec does not say how large groups are, they may be as
    small as the models of the sensitive attributes allow. A group is never one record alone.
    """
    if not spec.shows_exact:
        return spec.privacy.k
    if spec.publish is not None and spec.publish.group is not None:
        return spec.publish.group
    asked = (demand for declared in spec.sensitive.values() for demand in asked_of(spec, declared))
    return max([2, *(demand.least_size for demand in asked)])


def exact_problems(spec: Spec) -> Iterator[Problem]:
    """Needs of exact rows that a spec does not meet: sensitive attributes, and a model for each."""
    if not spec.shows_exact:
        return
    name = spec.publication
    if not spec.sensitive:
        what = f"{name} hides whose the sensitive values are, and none is declared"
        yield Problem("sensitive", what)
    for column, declared in spec.sensitive.items():
        if not any(asked_of(spec, declared)):
            what = f"nothing is asked of it, and {name} protects a person by nothing else: ask for"
            yield Problem(f"sensitive.{column}", f"{what} {', '.join(fields_of('sensitive'))}")


def asked_of(spec: Spec, declared: object) -> Iterator[Demand]:
    """The models that are asked of a sensitive attribute."""
    for model in MODELS:
        threshold = model.asked_of(declared, spec.privacy)
        if model.per == "sensitive" and threshold not in (None, model.vacuous):
            yield Demand(model, threshold)
