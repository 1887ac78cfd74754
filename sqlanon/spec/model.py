"""The spec as data: every field a user may declare, and what can be checked without the source."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SerializeAsAny,
    WithJsonSchema,
    create_model,
    model_validator,
)

from sqlanon.clauses import allowance, fields, following
from sqlanon.clauses.clause import Allowance
from sqlanon.common.fields import Declared, Key, Names, Whole
from sqlanon.inputs.source import Source, Texts
from sqlanon.pages.page import table
from sqlanon.privacy.model import Distance
from sqlanon.spec.differential import KEY, Differential, with_sampling
from sqlanon.spec.levels import Levels, levelled, stratified, uncovering
from sqlanon.spec.method import Method, default_method
from sqlanon.spec.metrics import MetricNames
from sqlanon.spec.privacy import Choose, GoalName, Privacy, with_goal
from sqlanon.spec.publication import RULES, Published
from sqlanon.spec.reading import statement_of
from sqlanon.spec.roles import (
    Identifier,
    Insensitive,
    QuasiIdentifier,
    Sensitive,
    SensitiveBase,
    columns_of,
    hidden_columns,
)
from sqlanon.transforms.joint import CorrelatedNoise, JointTransform, Swap
from sqlanon.transforms.kinds import Several, listed

MOST_SEEDS = 2**31 - 1


def draw_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbelow(MOST_SEEDS)


class SpecBase(Declared):
    """A release, declared: what is published, about whom, and how well they are hidden."""

    model_config = ConfigDict(defer_build=True)  # until the registries are open

    source: Annotated[SerializeAsAny[Source], BeforeValidator(Source.read)] = Field(
        description="where the records are"
    )
    release: str = Field(min_length=1, description="its name; schema-qualified where wanted")
    database: str | None = Field(
        default=None,
        min_length=1,
        description="the database to write to: a DuckDB file, or an address such as "
        "postgresql://host/name",
    )
    identifiers: Annotated[dict[str, Identifier], BeforeValidator(columns_of)] = Field(
        default={}, description="direct identifiers: never released"
    )
    quasi_identifiers: Annotated[dict[str, QuasiIdentifier], BeforeValidator(columns_of)] = Field(
        min_length=1, description="columns that, joined with others, may tell who a record is about"
    )
    sensitive: Annotated[dict[str, Sensitive], BeforeValidator(columns_of)] = Field(
        default={}, description="columns that must not be learned; none for k-anonymity alone"
    )
    insensitive: Annotated[
        dict[str, Insensitive],
        BeforeValidator(columns_of),
        WithJsonSchema(
            {
                "type": ["array", "string", "object", "null"],
                "items": {"type": "string"},
                "additionalProperties": {
                    "type": ["object", "null"],
                    "properties": {
                        "accept": {"type": ["string", "null"]},
                        "transform": {"type": ["object", "array", "null"]},
                    },
                    "additionalProperties": False,
                },
            }
        ),
    ] = Field(default_factory=dict, description="released as they are")
    swap: Annotated[tuple[Swap, ...], BeforeValidator(listed)] = Field(
        default=(),
        description="columns whose values records swap that agree in others; before `transform`",
    )
    noise: Annotated[tuple[CorrelatedNoise, ...], BeforeValidator(listed)] = Field(
        default=(),
        description="columns that noise is added to, as correlated as they are; before `transform`",
    )
    key: Names = Field(default=(), description="names a record; breaks ties and is never released")
    person: Names = Field(
        default=(),
        description="names whom a record is about, where several are about one person: k, l and "
        "t then count persons; never released",
    )
    goal: GoalName | None = Field(
        default=None,
        description="whom the release is for, in place of k, l and t; a value under `privacy` "
        "counts before it",
    )
    privacy: Privacy = Field(description="how much privacy; with a goal it may be left out")
    method: Method = Field(
        default_factory=default_method, description="how classes are formed; split_or_deal if none"
    )
    publish: Published | None = Field(
        default=None, description="the form in which a class is shown; by default generalized"
    )
    levels: dict[str, Levels] = Field(
        default={},
        description="of a column, the level of its hierarchy, or the lowest and the highest: it is "
        "published at, where all its labels are of one level; or no class mixes groups of the "
        "highest. 0 is the values as they are",
    )
    choose: Choose | None = Field(
        default=None, description="try several k from privacy.k on, publish with the best"
    )
    metrics: MetricNames = Field(
        default=(), description="further measures, not taken of every release"
    )
    missing: dict[str, Texts] = Field(
        default={}, description="the codes of each column that stand for NULL, in any source"
    )
    materialize: Literal["table", "view", "live"] = Field(
        default="table",
        description="the kind of the release: a table, a view of one, or a view of the source as "
        "it is at any time, which leaves classes that violate a model out",
    )
    search: Literal["engine", "local"] | None = Field(
        default=None,
        description="where a search for classes is carried out: in the database, or in the process "
        "of the run, to which cells with counts then go; by default in the database, and on Spark "
        "in the process",
    )
    seed: Whole = Field(
        default_factory=lambda: draw_seed(),
        ge=0,
        lt=MOST_SEEDS,
        description="decides how ties are shuffled; drawn where none is given",
    )

    @model_validator(mode="before")
    @classmethod
    def _by_goal(cls, given: Any) -> Any:
        """Fill in what a goal asks for, and what differential privacy needs."""
        return with_goal(with_sampling(given))

    _written: dict[str, str] = PrivateAttr(default_factory=dict)
    _paths: dict[str, str] = PrivateAttr(default_factory=dict)
    _by_type: frozenset[str] = PrivateAttr(default=frozenset())
    _drawn_for: tuple[str, ...] = PrivateAttr(default=())

    def with_texts(self, written: Mapping[str, str]) -> Spec:
        """The same spec, which knows how texts with environment variables were written."""
        self._written.update(written)
        return self

    def with_paths(self, written: Mapping[str, str]) -> Spec:
        """The same spec, which knows how the paths of files are written that it reads."""
        self._paths.update(written)
        return self

    def with_distances(self, found: Mapping[str, Distance]) -> Spec:
        """The same spec with distances of the attributes that declare none.

        Args:
            found: the distances by sensitive attribute, which follow from the columns' types.
        """
        sensitive = {
            name: attribute.model_copy(update={"distance": found[name]})
            if name in found
            else attribute
            for name, attribute in self.sensitive.items()
        }
        spec = self.model_copy(update={"sensitive": sensitive})
        spec._by_type = self._by_type | frozenset(found)
        return spec

    @property
    def distances_by_type(self) -> tuple[str, ...]:
        """The sensitive attributes whose distance follows from the column's type."""
        return tuple(name for name in self.sensitive if name in self._by_type)

    @property
    def allowance(self) -> Allowance | None:
        """The records that may be left out; None where all are released."""
        return allowance(self)

    def __repr__(self) -> str:
        return f"Spec({self.release}, k = {self.privacy.k}, {len(list(self.roles()))} columns)"

    def __str__(self) -> str:
        return repr(self)

    def _repr_html_(self) -> str:
        """The columns with their roles; the seed and the source are not shown."""
        rows = ((name, role.replace("_", " ")) for role, name in self.roles())
        return table(repr(self), ("column", "role"), rows)

    @property
    def pseudonyms(self) -> tuple[str, ...]:
        """The identifiers that are released as pseudonyms."""
        return tuple(
            name
            for name, declaration in self.identifiers.items()
            if declaration.pseudonym is not None
        )

    @property
    def transforms(self) -> dict[str, Several]:
        """The transforms of each column that has some, in the order in which they are done."""
        columns: dict[str, SensitiveBase | Insensitive] = {**self.sensitive, **self.insensitive}
        found: dict[str, Several] = {}
        for name, column in columns.items():
            joint: Several = tuple(
                transform for transform in self.joint if name in transform.columns
            )
            found[name] = (*joint, *(column.transform or ()))
        return {name: several for name, several in found.items() if several}

    @property
    def epsilons(self) -> dict[str, Fraction]:
        """The ε of each column whose values are drawn with local differential privacy."""
        found = (
            (name, transform.epsilon)
            for name, several in self.transforms.items()
            for transform in several
        )
        return {name: epsilon for name, epsilon in found if epsilon is not None}

    @property
    def joint(self) -> tuple[JointTransform, ...]:
        """The transforms of several columns at once, which come before those of each."""
        swaps = (JointTransform(swap, f"swap.{index}") for index, swap in enumerate(self.swap))
        noises = (JointTransform(noise, f"noise.{index}") for index, noise in enumerate(self.noise))
        return (*swaps, *noises)

    @property
    def keys(self) -> dict[str, Key]:
        """Where every key is, by its address in the spec; those of numbers that are drawn first."""
        found: dict[str, Key] = {
            self.key_of(name, index): transform.key
            for name, several in self.transforms.items()
            for index, transform in enumerate(several)
            if transform.key is not None
        }
        if self.privacy.differential is not None:
            found[KEY] = self.privacy.differential.key
        for name in self.pseudonyms:
            source = self.identifiers[name].key
            if source is not None:
                found[f"identifiers.{name}.key"] = source
        return found

    def key_of(self, column: str, index: int) -> str:
        """The address of the key of a column's transform, counted from 0."""
        one = self.transforms[column][index]
        if isinstance(one, JointTransform):
            return f"{one.where}.key"
        own = index - sum(isinstance(each, JointTransform) for each in self.transforms[column])
        return f"{self.where_of(column, index)}.{own}.{one.transform.name}.key"

    def where_of(self, column: str, index: int = 0) -> str:
        """Where in the spec a transform of a column is declared, counted from 0."""
        one = self.transforms[column][index]
        if isinstance(one, JointTransform):
            return one.where
        role = "sensitive" if column in self.sensitive else "insensitive"
        return f"{role}.{column}.transform"

    def of_records(self) -> Spec:
        """The same roles and forms where no person is named, and nothing is asked of records.

        A release follows others by their persons, which the gate alone knows. A transform
        draws the same numbers for a person.
        """
        asked = dict.fromkeys({*Sensitive.model_fields} - {*SensitiveBase.model_fields})
        sensitive = {
            name: attribute.model_copy(update=asked) for name, attribute in self.sensitive.items()
        }
        of_persons = {"person": (), **dict.fromkeys(clause.name for clause in following())}
        update = {**of_persons, "privacy": Privacy(k=1), "sensitive": sensitive}
        found = self.model_copy(update=update)
        keyed = [
            transform
            for each in self.transforms.values()
            for transform in each
            if transform.key is not None
        ]
        if any(transform.transform.shared or not self.key for transform in keyed):
            found._drawn_for = self.person
        return found

    @property
    def drawn_for(self) -> tuple[str, ...]:
        """The columns that name a person for a draw, also where a spec counts no persons."""
        return self.person or self._drawn_for

    def without_pseudonyms(self) -> Spec:
        """The same spec where every identifier is dropped: of what needs no key."""
        dropped = {"pseudonym": None, "key": None}
        identifiers = {
            name: declaration.model_copy(update=dropped)
            for name, declaration in self.identifiers.items()
        }
        return self.model_copy(update={"identifiers": identifiers})

    @property
    def publication(self) -> str:
        """How a class is shown."""
        return RULES.first if self.publish is None else self.publish.name

    @property
    def slices(self) -> tuple[tuple[str, ...], ...]:
        """Which attributes stay together where others are shuffled; none if not declared.

        Where a run is to find them, each quasi-identifier alone: what it begins with.
        """
        if self.publish is None or self.counts:
            return ()
        if self.publish.widest is None or self.publish.columns:
            return self.publish.columns
        return (*((name,) for name in self.quasi_identifiers), tuple(self.sensitive))

    @property
    def suppresses_cells(self) -> str | None:
        """The rule by which cells of slices are suppressed; None for none."""
        if self.publish is None or self.publish.suppress is None:
            return None
        return self.publish.suppress.rule

    @property
    def masked(self) -> dict[str, int]:
        """The level at which a suppressed cell of slices is shown, of those that are not *."""
        asked = None if self.publish is None else self.publish.suppress
        levels = {} if asked is None else asked.levels
        return {name: level for name, level in levels.items() if level}

    @property
    def coarse(self) -> dict[str, int]:
        """The level at which slices show a quasi-identifier, of those not shown as they are."""
        asked = {} if self.publish is None else self.publish.levels
        return {name: level for name, level in asked.items() if level}

    @property
    def is_live(self) -> bool:
        """Whether the release is a view of the source, and changes with it."""
        return self.materialize == "live"

    @property
    def stratified(self) -> list[str]:
        """The quasi-identifiers of which no class may mix values of two groups at a level."""
        return stratified(self)

    @property
    def levelled(self) -> list[str]:
        """The quasi-identifiers that are published as labels of one level."""
        return levelled(self)

    @property
    def leading(self) -> dict[str, QuasiIdentifier]:
        """The quasi-identifiers that classes form by: those that follow no other."""
        return {
            name: declaration
            for name, declaration in self.quasi_identifiers.items()
            if declaration.follows is None
        }

    @property
    def uncovering(self) -> dict[str, str]:
        """The quasi-identifiers whose cells do not say whom they cover, with their forms."""
        return uncovering(self)

    @property
    def shows_exact(self) -> bool:
        """Whether every record's own quasi-identifiers are shown."""
        return RULES[self.publication].exact

    @property
    def mixes_records(self) -> bool:
        """Whether a row that is shown is of no single record."""
        return RULES[self.publication].mixes

    @property
    def counts(self) -> bool:
        """Whether counts with noise are shown, and no record."""
        return RULES[self.publication].counts

    @property
    def sampled(self) -> Differential | None:
        """The ε and δ of a release of sampled records, if it is to have them."""
        return None if self.counts else self.privacy.differential

    @property
    def hides(self) -> bool:
        """Whether the source's query, or the path of a file, holds environment variables."""
        return bool(self._paths) or statement_of(self.source.query or "") in self._written

    def as_written(self, text: str) -> str:
        """A text of the spec, or SQL of it, as the spec has it: ``${NAME}``, no value."""
        query = statement_of(self.source.query or "")
        if query in self._written:
            text = text.replace(query, self._written[query])
        for path, written in self._paths.items():
            for said in (path, path.replace("'", "''")):
                text = text.replace(said, written)
        return self._written.get(statement_of(text), text)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Every k that the release may be published with, ascending."""
        least = self.privacy.k
        return (least,) if self.choose is None else self.choose.tried(least)

    @property
    def seed_is_drawn(self) -> bool:
        """Whether the seed was drawn, so that it must be shown."""
        return "seed" not in self.model_fields_set

    @property
    def columns_read(self) -> frozenset[str]:
        """The columns whose values a run reads: no identifier that is neither counted nor made."""
        identifiers = {
            name
            for name, declaration in self.identifiers.items()
            if not declaration.repeats or declaration.pseudonym is not None
        }
        return frozenset(
            name for role, name in self.roles() if role != "identifiers" or name in identifiers
        )

    def roles(self) -> Iterator[tuple[str, str]]:
        """Every (role, column) the spec declares."""
        for role in (
            "identifiers",
            "quasi_identifiers",
            "sensitive",
            "insensitive",
            "key",
            "person",
        ):
            for column in self.drawn_for if role == "person" else getattr(self, role):
                yield role, column
        yield from hidden_columns(self.sensitive)


# Clauses add fields.
if TYPE_CHECKING:
    Spec = SpecBase
else:
    Spec = create_model(
        "Spec", __base__=SpecBase, __doc__=SpecBase.__doc__, __module__=__name__, **fields("spec")
    )
