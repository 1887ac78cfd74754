"""The spec as data: every field a user may declare, and what can be checked without the source."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    SerializeAsAny,
    WithJsonSchema,
    create_model,
    field_validator,
    model_validator,
)

from sqlanon.fields import Declared, Exact, Whole
from sqlanon.privacy.thresholds import thresholds
from sqlanon.spec.addresses import is_remote_database, without_query
from sqlanon.spec.counts import whole_numbers
from sqlanon.spec.environment import statement_of
from sqlanon.spec.form import RULES, FormName
from sqlanon.spec.hierarchy import Hierarchy, as_text
from sqlanon.spec.method import Method, default_method


def _texts(value: Any) -> Any:
    """Let one text stand for a list of one, and numbers for their text."""
    listed = value if isinstance(value, list | tuple) else [value]
    plain = all(isinstance(one, str | int | float) for one in listed)
    return tuple(as_text(one) for one in listed) if plain else value


def _column_type(value: Any) -> str:
    """The type of a column in a text file: one of our words, or a name that DuckDB knows."""
    if not isinstance(value, str) or not re.fullmatch(
        r"\w[\w ]*(\(\d+(, *\d+)?\))?", value.strip()
    ):
        raise ValueError(
            f"it must be a type: {', '.join(COLUMN_TYPES)}, or DuckDB's, such as decimal(9, 2)"
        )
    return value.strip()


# The words for the types of a text file's columns, and what DuckDB calls them.
COLUMN_TYPES = {
    "text": "VARCHAR",
    "integer": "BIGINT",
    "number": "DOUBLE",
    "date": "DATE",
    "timestamp": "TIMESTAMP",
    "boolean": "BOOLEAN",
}
TEXT_SETTINGS = ("delimiter", "columns", "decimal", "encoding", "nullstr")
ColumnType = Annotated[str, BeforeValidator(_column_type)]
Texts = Annotated[
    tuple[str, ...],
    BeforeValidator(_texts),
    WithJsonSchema(
        {"type": ["array", "string", "number"], "items": {"type": ["string", "number"]}}
    ),
]


class Source(Declared):
    """Where the records are: a file or files, a table or view, or a query.

    Attributes:
        held: whether a program holds them, so that nothing is named.
    """

    held: ClassVar[bool] = False

    file: str | None = Field(default=None, description="a CSV, TSV or Parquet file, or a glob")
    table: str | None = Field(default=None, description="a table or view of the database")
    query: str | None = Field(default=None, description="one SELECT")
    delimiter: str | None = Field(default=None, min_length=1, max_length=1)
    columns: dict[str, ColumnType] = Field(
        default={},
        description="the types of a text file's columns that are not to be found out: text, "
        "integer, number, date, timestamp, boolean, or a type of DuckDB's such as decimal(9, 2)",
    )
    decimal: Literal[".", ","] | None = Field(
        default=None, description="a text file's decimal sign"
    )
    encoding: Literal["utf-8", "utf-16", "latin-1"] | None = Field(
        default=None, description="of a text file; utf-8 by default"
    )
    nullstr: Texts = Field(
        default=(), description="what stands for NULL in a text file beside the empty field"
    )

    @model_validator(mode="after")
    def _one(self) -> Source:
        named = [part for part in (self.file, self.table, self.query) if part is not None]
        if len(named) != (0 if self.held else 1):
            raise ValueError("it must name one of file, table or query")
        given = [name for name in TEXT_SETTINGS if getattr(self, name)]
        if given and not self.is_text:
            raise ValueError(f"{', '.join(given)}: for a text file alone, such as CSV")
        return self

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return self.table or self.file or "query"

    @property
    def is_text(self) -> bool:
        """Whether it is a file, or files, whose types are not written in it."""
        return self.file is not None and not without_query(self.file).lower().endswith(".parquet")

    @property
    def described(self) -> bool:
        """Whether more is declared of a text file than what separates its fields."""
        return bool(self.columns or self.decimal or self.encoding or self.nullstr)

    @classmethod
    def read(cls, value: Any) -> Any:
        """Take a bare text for a query, a file or a table, by what it looks like."""
        if isinstance(value, Path):
            return {"file": str(value)}
        if not isinstance(value, str):
            return value
        text = value.strip()
        if text.lower().split(None, 1)[:1] in (["select"], ["with"], ["from"]):
            return {"query": text}
        if is_remote_database(text):
            raise ValueError(
                "that is a database: name a table of it as the source, and it as the database"
            )
        endings = (".csv", ".tsv", ".txt", ".parquet", ".csv.gz", ".tsv.gz")
        if text.lower().endswith(endings) or "/" in text or "*" in text:
            return {"file": text}
        return {"table": text}


class Frame(Source):
    """Records that a Python program holds: a frame, or a relation of its own connection."""

    held: ClassVar[bool] = True

    frame: Literal[True] = True

    @property
    def name(self) -> str:
        """What it is called in messages."""
        return "frame"


class QuasiIdentifier(Declared):
    """A column that, joined with others, may tell who a record is about."""

    model_config = ConfigDict(defer_build=True)  # until all forms are registered

    hierarchy: Hierarchy | None = None
    publish: FormName | None = Field(
        default=None,
        description="how a class's values are published; by default lca with a hierarchy, "
        "interval for numbers and dates, set otherwise",
    )
    weight: Exact = Field(default=Fraction(1), gt=0, description="its share in information loss")

    @model_validator(mode="after")
    def _fits(self) -> QuasiIdentifier:
        misfit = self.publish and RULES[self.publish].misfit(self.hierarchy is not None)
        if misfit:
            raise ValueError(misfit)
        return self


class Identifier(Declared):
    """A column that names a person, and so is never released."""

    repeats: bool = Field(
        default=False, strict=True, description="whether several records may have a value in common"
    )


class SensitiveBase(Declared):
    """A column that must not be learned about a person, and what protects it."""

    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: Literal["natural", "frequency"] | list[str] | None = Field(
        default=None, description="for distance: ordered; a list names the values in order"
    )
    hierarchy: Hierarchy | None = None
    nulls: Literal["value", "reject"] = Field(
        default="value", description="NULL counts as a value of its own, or is refused"
    )

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


class Insensitive(Declared):
    """A column that is released as it is."""

    accept: str | None = Field(
        default=None,
        description="why it may be released although it is nearly a key, or gives a "
        "quasi-identifier back",
    )

    @field_validator("accept")
    @classmethod
    def _says_why(cls, reason: str | None) -> str | None:
        if reason is not None and not reason.strip():
            raise ValueError("say in a few words why the column may be released as it is")
        return reason


class PrivacyBase(Declared):
    """How much privacy: k for the whole, and what every sensitive attribute gets by default."""

    k: Whole = Field(ge=1)


# What may be asked of every sensitive attribute, or of one, is what `sqlanon.privacy` lists.
if TYPE_CHECKING:
    Privacy = PrivacyBase
    Sensitive = SensitiveBase
else:
    Privacy = create_model(
        "Privacy",
        __base__=PrivacyBase,
        __doc__=PrivacyBase.__doc__,
        __module__=__name__,
        **thresholds("release", "sensitive"),
    )
    Sensitive = create_model(
        "Sensitive",
        __base__=SensitiveBase,
        __doc__=SensitiveBase.__doc__,
        __module__=__name__,
        **thresholds("sensitive"),
    )


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
        description="what to try, as numbers and ranges; by default privacy.k times "
        "1, 2, 4, 8 and 16",
    )

    def tried(self, least: int) -> tuple[int, ...]:
        """Every k to try, ascending, where ``least`` is the least allowed."""
        return self.k or tuple(least * factor for factor in DEFAULT_FACTORS)


def _names(value: Any) -> Any:
    """Let a name stand for a list of one, and nothing for none."""
    if value is None:
        return []
    return [value] if isinstance(value, str) else value


def _columns(value: Any) -> Any:
    """Let a name or a list of names stand for a mapping without settings."""
    value = _names(value)
    if isinstance(value, list | tuple):
        names = [name for name in value if isinstance(name, str)]
        if len(names) != len(value):
            raise ValueError("it must be a list of column names, or a mapping of them")
        twice = [name for name, times in Counter(names).items() if times > 1]
        if twice:
            raise ValueError(f"it names {', '.join(map(repr, twice))} twice")
        return {name: {} for name in names}
    if isinstance(value, dict):
        return {name: {} if setting is None else setting for name, setting in value.items()}
    return value


Names = Annotated[
    tuple[str, ...],
    BeforeValidator(_names),
    WithJsonSchema({"type": ["array", "string", "null"], "items": {"type": "string"}}),
]


MOST_SEEDS = 2**31 - 1


def draw_seed() -> int:
    """A seed that nobody can guess."""
    return secrets.randbelow(MOST_SEEDS)


class Spec(Declared):
    """A release, declared: what is published, about whom, and how well they are hidden."""

    model_config = ConfigDict(defer_build=True)  # until all methods are registered

    source: Annotated[SerializeAsAny[Source], BeforeValidator(Source.read)]
    release: str = Field(min_length=1, description="its name; schema-qualified where wanted")
    database: str | None = Field(
        default=None,
        description="what it is written to: a DuckDB file, or an address such as "
        "postgresql://host/name",
    )
    identifiers: Annotated[dict[str, Identifier], BeforeValidator(_columns)] = Field(
        default={}, description="direct identifiers: never released"
    )
    quasi_identifiers: Annotated[dict[str, QuasiIdentifier], BeforeValidator(_columns)] = Field(
        min_length=1
    )
    sensitive: Annotated[dict[str, Sensitive], BeforeValidator(_columns)] = Field(
        default={}, description="columns that must not be learned; none for k-anonymity alone"
    )
    insensitive: Annotated[
        dict[str, Insensitive],
        BeforeValidator(_columns),
        WithJsonSchema(
            {
                "type": ["array", "string", "object", "null"],
                "items": {"type": "string"},
                "additionalProperties": {
                    "type": ["object", "null"],
                    "properties": {"accept": {"type": ["string", "null"]}},
                    "additionalProperties": False,
                },
            }
        ),
    ] = Field(default_factory=dict, description="released as they are")
    key: Names = Field(default=(), description="names a record; breaks ties; never released")
    person: Names = Field(
        default=(),
        description="names whom a record is about, where several are about one person: k, l and "
        "t then count persons; never released",
    )
    privacy: Privacy
    method: Method = Field(default_factory=default_method)
    choose: Choose | None = Field(
        default=None, description="try several k from privacy.k on, publish with the best"
    )
    missing: dict[str, Texts] = Field(
        default={}, description="the codes of each column that stand for NULL, in any source"
    )
    materialize: Literal["table", "view"] = "table"
    seed: Whole = Field(
        default_factory=lambda: draw_seed(),
        ge=0,
        lt=MOST_SEEDS,
        description="decides how ties are shuffled; drawn where none is given",
    )

    _written: dict[str, str] = PrivateAttr(default_factory=dict)

    def with_texts(self, written: Mapping[str, str]) -> Spec:
        """The same spec, which knows how texts with environment variables were written."""
        self._written.update(written)
        return self

    @property
    def hides(self) -> bool:
        """Whether the source's query holds environment variables."""
        return statement_of(self.source.query or "") in self._written

    def as_written(self, text: str) -> str:
        """A text of the spec, or SQL with its query, as the spec has it: ``${NAME}``, no value."""
        if self.hides:
            query = statement_of(self.source.query or "")
            text = text.replace(query, self._written[query])
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
            for column in getattr(self, role):
                yield role, column
