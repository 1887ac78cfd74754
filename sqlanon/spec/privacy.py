"""How much privacy a spec asks for: by numbers, or by a goal for people who do not choose numbers.

The sources of a goal's k are in docs/spec/privacy.md; no rule that we know sets an l or a t, so
these are ours.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, WithJsonSchema, create_model

from sqlanon.clauses import defaults, fields
from sqlanon.common.fields import Declared, Exact, Whole, whole_numbers
from sqlanon.privacy.thresholds import kinds_for_all, thresholds
from sqlanon.spec.differential import Differential

GoalName = Literal["public", "researchers", "internal"]


@dataclass(frozen=True)
class Goal:
    """How much privacy a release needs for those who read it.

    Attributes:
        readers: those who read it, in words.
        k: how many records, or persons, every class has at least.
        l: how many different sensitive values.
        t: how far their distribution may be from the whole table's.
    """

    readers: str
    k: int
    l: int  # noqa: E741 - as the model is called
    t: str

    @property
    def asked(self) -> dict[str, Any]:
        """The fields of ``privacy`` that it stands for."""
        return {"k": self.k, "l": self.l, "t": self.t}


GOALS: Mapping[GoalName, Goal] = {
    "public": Goal("anybody: nothing binds them", 12, 3, "0.2"),
    "researchers": Goal("persons who are named and bound by a contract", 5, 2, "0.3"),
    "internal": Goal("colleagues who may see such data, under the house's rules", 3, 2, "0.5"),
}


def with_goal(declared: Any) -> Any:
    """A declared spec with what its goal asks for, where ``privacy`` asks for nothing itself.

    Without a sensitive attribute that is k alone. A goal or privacy that cannot be
    read stays as it is: it is refused where it is read.
    """
    if not isinstance(declared, Mapping) or not isinstance(declared.get("goal"), str):
        return declared
    goal = next((of for name, of in GOALS.items() if name == declared["goal"]), None)
    privacy = declared.get("privacy")
    given = {} if privacy is None else privacy
    if goal is None or not isinstance(given, Mapping):
        return declared
    asked = goal.asked if declared.get("sensitive") else {"k": goal.k}
    filled = {name: value for name, value in asked.items() if given.get(name) is None}
    return {**declared, "privacy": {**given, **filled}}


class PrivacyBase(Declared):
    """How much privacy: k for the whole, and what every sensitive attribute gets by default."""

    k: Whole = Field(
        ge=1, description="k-anonymity: every class has at least k records, or persons"
    )
    differential: Differential | None = Field(
        default=None,
        description="(ε, δ)-differential privacy of the whole release; k follows from it",
    )


# The class has k and every threshold that `sqlanon.privacy` lists.
if TYPE_CHECKING:
    Privacy = PrivacyBase
else:
    Privacy = create_model(
        "Privacy",
        __base__=PrivacyBase,
        __doc__=PrivacyBase.__doc__,
        __module__=__name__,
        **fields("privacy"),
        **thresholds(*kinds_for_all()),
    )


def _naming(what: str) -> tuple[str, ...]:
    """The fields of clauses whose mappings have a key."""
    kinds = {name: get_args(kind)[0] for name, (kind, _) in fields("privacy").items()}
    return tuple(name for name, kind in kinds.items() if what in kind.model_fields)


# The fields of clauses that name a table of their own, and those that name quasi-identifiers.
TABLES, NAMING = _naming("source"), _naming("columns")


def without_tables(privacy: Mapping[str, Any]) -> dict[str, Any]:
    """The same demands, as others may read them: without where the tables of clauses lie."""
    own = {name: dict(privacy[name]) for name in TABLES if privacy.get(name)}
    for entry in own.values():
        entry.pop("source", None)
    return {**privacy, **own}


def without_clauses(privacy: Privacy) -> Privacy:
    """The same demands, without those of clauses."""
    return privacy.model_copy(update=defaults("privacy"))


DEFAULT_FACTORS = (1, 2, 4, 8, 16)


class Choose(Declared):
    """Which k to publish with: the one that costs least of those tried (Gowda 2023, chapter 6)."""

    privacy_weight: Annotated[Exact, Field(ge=0, le=1)] = Field(
        default=Fraction(1, 2),
        description="the weight of privacy loss; information loss has the rest of 1",
    )
    k: Annotated[
        tuple[int, ...] | None,
        BeforeValidator(lambda value: None if value is None else whole_numbers(value)),
        WithJsonSchema(
            {
                "anyOf": [
                    {"type": "integer"},
                    {"type": "string"},
                    {"type": "array", "items": {"type": ["integer", "string"]}},
                ]
            }
        ),
    ] = Field(
        default=None,
        description="the k to try, as numbers and ranges; by default privacy.k times "
        "1, 2, 4, 8 and 16",
    )

    normalize: Literal["range", "none"] = Field(
        default="range",
        description="whether losses are scaled from the least to the greatest of those tried, or "
        "weighed as they are, t alone (Gowda 2023, as printed)",
    )

    def tried(self, least: int) -> tuple[int, ...]:
        """Every k to try, ascending, where ``least`` is the least allowed."""
        return self.k or tuple(least * factor for factor in DEFAULT_FACTORS)
