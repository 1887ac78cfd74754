"""The roles of a source's columns, and what is declared of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    ConfigDict,
    Field,
    create_model,
    field_validator,
    model_validator,
)

from sqlanon.clauses import fields
from sqlanon.common.fields import Declared, Exact, KeySource, Truth, names_of
from sqlanon.inputs.source import as_text, is_plain
from sqlanon.privacy import MODELS
from sqlanon.privacy.thresholds import kinds_of_attributes, thresholds
from sqlanon.spec.hierarchy import BandsHierarchy, Hierarchy
from sqlanon.spec.publication import FORM_RULES, FormName
from sqlanon.transforms.kinds import Transforms


def _says_why(reason: str) -> str:
    if not reason.strip():
        raise ValueError("say in a few words why the column may be released all the same")
    return reason


Accepted = Annotated[str, AfterValidator(_says_why)]


class ProtectedBase(Declared):
    """The demands on a quasi-identifier whose values must not be learned either."""

    distance: Literal["equal", "ordered", "hierarchical"] | None = Field(
        default=None,
        description="how far its values lie apart, for t: all alike, by their order, by its "
        "hierarchy; by default ordered where it has an order, equal for the rest",
    )


# As of any sensitive column, without what hides or changes a published value: none is published.
if TYPE_CHECKING:
    Protected = ProtectedBase
else:
    Protected = create_model(
        "Protected",
        __base__=ProtectedBase,
        __doc__=ProtectedBase.__doc__,
        __module__=__name__,
        **thresholds("sensitive"),
    )


class QuasiIdentifier(Declared):
    """A column that, joined with others, may tell who a record is about."""

    model_config = ConfigDict(defer_build=True)  # until the registries are open

    hierarchy: Hierarchy | None = Field(
        default=None, description="groups of its values, and groups of groups"
    )
    order: list[str] | None = Field(
        default=None, min_length=1, description="all values of a text, in order; NULL apart"
    )
    nominal: Truth = Field(
        default=False,
        description="whether its numbers are codes, between which nothing lies",
    )
    publish: FormName | None = Field(
        default=None,
        description="how a class's values are published; by default lca with a hierarchy, "
        "interval for numbers and dates, set otherwise",
    )
    follows: str | None = Field(
        default=None,
        description="the quasi-identifier whose cells its own follow: no class forms by it",
    )
    weight: Exact = Field(default=Fraction(1), gt=0, description="its share in information loss")
    sensitive: Protected | None = Field(
        default=None,
        description="the demands on its values, where they must not be learned either: its cell "
        "alone is published",
    )

    @field_validator("order", mode="before")
    @classmethod
    def _texts(cls, value: Any) -> Any:
        if value is not None and not isinstance(value, list):
            raise ValueError("it must be the list of all values in order")
        if value and None in value:
            raise ValueError("the place of NULL is before the first value: leave it out")
        return value and [as_text(member) for member in value]

    @model_validator(mode="after")
    def _fits(self) -> QuasiIdentifier:
        rule = FORM_RULES[self.publish] if self.publish else None
        misfit = rule and rule.misfit(self.hierarchy is not None, self.order is not None)
        if misfit:
            raise ValueError(misfit)
        if self.follows is not None and rule and (rule.one_level or not rule.covers):
            raise ValueError(f"publish: {rule.name} is of columns that follow none: leave it out")
        on_scale = rule is not None and rule.measurable
        if self.nominal and (on_scale or isinstance(self.hierarchy, BandsHierarchy)):
            asked = f"publish: {self.publish}" if on_scale else "bands"
            raise ValueError(
                f"nominal says that nothing lies between two values: leave {asked} out"
            )
        if self.order is not None:
            self._check_order(self.order, on_scale and rule is not None and rule.covers)
        return self

    def _check_order(self, order: list[str], has_ends: bool) -> None:
        if self.hierarchy is not None:
            raise ValueError("order takes no hierarchy, which has an order of its own")
        if self.nominal:
            raise ValueError("order and nominal contradict each other: leave one out")
        if len(set(order)) != len(order):
            raise ValueError("order names a value twice")
        odd = [number for number, label in enumerate(order, 1) if has_ends and _reads_badly(label)]
        if odd:
            positions = ", ".join(map(str, odd))
            raise ValueError(
                f"a value at the end of an interval must be distinct from other signs: those of "
                f"order at {positions} "
                "are empty, '*', begin with '[', or hold a comma and a blank: publish: set"
            )


def _reads_badly(label: str) -> bool:
    """Whether a reader could take an interval's end for something else."""
    return label in ("", "*") or label.startswith("[") or ", " in label


class Identifier(Declared):
    """A column that names a person, and so is never released, unless as a pseudonym."""

    pseudonym: Literal["keyed"] | None = Field(
        default=None,
        description="the pseudonym that is released in its place: keyed, HMAC-SHA-256 by a key",
    )
    key: KeySource | None = Field(default=None, description="where the key of the pseudonyms is")
    repeats: Truth = Field(
        default=False, description="whether several records may have a value in common"
    )

    @model_validator(mode="after")
    def _has_key(self) -> Identifier:
        if (self.pseudonym is None) != (self.key is None):
            raise ValueError("pseudonym: keyed and a key, {env: NAME} or {file: PATH}, go together")
        return self


class SensitiveBase(Declared):
    """A column that must not be learned about a person, and what protects it."""

    distance: Literal["equal", "ordered", "hierarchical"] | None = Field(
        default=None,
        description="how far values lie apart, for t: all alike, by their order, by the hierarchy; "
        "by default ordered for numbers, dates, times and a declared order, equal for the rest",
    )
    order: Literal["natural", "frequency"] | list[str] | None = Field(
        default=None, description="of the values, for distance: ordered; a list names all of them"
    )
    hierarchy: Hierarchy | None = Field(
        default=None, description="for distance: hierarchical; groups of its values"
    )
    nulls: Literal["value", "reject"] = Field(
        default="value", description="NULL counts as a value of its own, or is refused"
    )
    transform: Transforms | None = Field(
        default=None, description="how its values are changed before anything is made of them"
    )
    accept: Accepted | None = Field(
        default=None, description="why it may be released although it gives a quasi-identifier back"
    )

    @model_validator(mode="before")
    @classmethod
    def _by_its_order(cls, declared: Any) -> Any:
        """A declared order is what distances go by."""
        if not isinstance(declared, dict) or declared.get("order") is None:
            return declared
        distance = declared.get("distance")
        return {**declared, "distance": "ordered" if distance is None else distance}

    @field_validator("order", mode="before")
    @classmethod
    def _texts(cls, value: Any) -> Any:
        if isinstance(value, list):
            return [as_text(member) for member in value]
        if value not in (None, "natural", "frequency"):
            raise ValueError("it must be natural, frequency, or the list of all values in order")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Self:
        if self.order is not None and self.distance != "ordered":
            raise ValueError("order belongs to distance: ordered")
        if isinstance(self.order, list) and len(set(self.order)) != len(self.order):
            raise ValueError("order names a value twice")
        if (self.distance == "hierarchical") != (self.hierarchy is not None):
            raise ValueError("distance: hierarchical and a hierarchy belong together")
        return self


# `sqlanon.privacy` lists what may be asked of a sensitive attribute, and clauses add fields.
if TYPE_CHECKING:
    Sensitive = SensitiveBase
else:
    Sensitive = create_model(
        "Sensitive",
        __base__=SensitiveBase,
        __doc__=SensitiveBase.__doc__,
        __module__=__name__,
        **fields("sensitive"),
        **thresholds(*kinds_of_attributes()),
    )


def hidden_columns(sensitive: Mapping[str, Sensitive]) -> Iterator[tuple[str, str]]:
    """The columns that are read for a model alone and not released, after their addresses."""
    for name, declared in sensitive.items():
        for model in MODELS:
            asked = None if model.column is None else model.asked(declared)
            if asked is not None:
                yield f"sensitive.{name}.{model.field.name}", getattr(asked, str(model.column))


class Insensitive(Declared):
    """A column that is released as it is, or transformed."""

    accept: Accepted | None = Field(
        default=None,
        description="why it may be released although it is nearly a key, or gives a "
        "quasi-identifier back",
    )
    transform: Transforms | None = Field(
        default=None, description="how its values are changed before anything is made of them"
    )


def columns_of(value: Any) -> Any:
    """Let a name or a list of names stand for a mapping without settings."""
    value = names_of(value)
    if isinstance(value, list | tuple):
        names = [name for name in value if isinstance(name, str)]
        for one in value:
            if one is None or is_plain(one):
                as_text(one)  # which refuses what YAML has made of a name
        if any(is_plain(one) and not isinstance(one, str) for one in value):
            raise ValueError("it must be a text: put it into quotes")  # a name such as 2024
        if len(names) != len(value):
            raise ValueError("it must be a list of column names, or a mapping of them")
        twice = [name for name, times in Counter(names).items() if times > 1]
        if twice:
            raise ValueError(f"it names {', '.join(map(repr, twice))} twice")
        return {name: {} for name in names}
    if isinstance(value, dict):
        return {name: {} if setting is None else setting for name, setting in value.items()}
    return value
