"""The ways to declare a generalization hierarchy."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    PlainSerializer,
    PlainValidator,
    Tag,
    WithJsonSchema,
    model_validator,
)

from sqlanon.common.fields import Whole, as_fraction
from sqlanon.inputs.source import as_text

Tree = dict[str, Any]


class _Hierarchy(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FileHierarchy(_Hierarchy):
    """A text file with a line for each leaf: the leaf, its group, the group's group, and so on."""

    file: Path = Field(description="the file; lines of leaf, level 1, level 2, … up to the root")
    delimiter: str | None = Field(
        default=None, min_length=1, max_length=1, description="; or , (found out where not given)"
    )


class PrefixHierarchy(_Hierarchy):
    """Text masked from the right: 12345, 123**, and at last *."""

    prefix: list[Annotated[Whole, Field(ge=0, le=1_000_000)]] = Field(
        min_length=1, description="how many leading characters each level keeps, falling"
    )

    @model_validator(mode="after")
    def _falling(self) -> PrefixHierarchy:
        if any(one <= two for one, two in zip(self.prefix, self.prefix[1:], strict=False)):
            raise ValueError("the kept lengths must fall, such as [5, 3, 2, 0]")
        return self


Border = int | Fraction
Band = Border | tuple[Border | None, ...]  # a width, or edges; None opens an end
_BAND_DIGITS = 6  # behind the point, of a width or an edge
_AS_EDGES = "the edges of unequal bands are a list of their own, such as bands: [[0, 18, 65, 120]]"


def _border(value: Any) -> Border:
    """A width or an edge, exactly as it is written.

    Raises:
        ValueError: if it is no decimal that every database has exactly.
    """
    found = as_fraction(value)
    if (found * 10**_BAND_DIGITS).denominator != 1 or abs(found) > 10**18:
        raise ValueError(
            f"it must be a number of at most {_BAND_DIGITS} digits behind the point and 18 before "
            "it, such as 5 or 0.5"
        )
    return found.numerator if found.denominator == 1 else found


def _level(value: Any) -> Any:
    """A level of bands: their width, or their edges."""
    if not isinstance(value, list | tuple):
        width = _border(value)
        if width <= 0:
            raise ValueError(f"a width must be greater than 0; {_AS_EDGES}")
        return width
    edges = tuple(None if one is None else _border(one) for one in value)
    known = [edge for edge in edges if edge is not None]
    if len(edges) < 2 or not known or None in edges[1:-1]:
        raise ValueError("edges are two numbers or more; null first or last opens that end")
    if any(one >= two for one, two in itertools.pairwise(known)):
        raise ValueError("edges must rise, such as [0, 18, 65, 120]")
    return edges


def _levels(value: Any) -> Any:
    """Let one width stand for a list of one."""
    return [_level(one) for one in (value if isinstance(value, list | tuple) else [value])]


def _written(levels: Sequence[Any]) -> list[Any]:
    """The levels as a spec declares them."""

    def plain(border: Border | None) -> int | str | None:
        return decimal_text(border) if isinstance(border, Fraction) else border

    return [
        list(map(plain, level)) if isinstance(level, tuple) else plain(level) for level in levels
    ]


def decimal_text(value: Border) -> str:
    """A width or an edge in decimal digits, as few as it has."""
    digits = digits_of(value)
    whole, rest = divmod(abs(Fraction(value)) * 10**digits, 10**digits)
    sign = "-" if value < 0 else ""
    return f"{sign}{whole}.{int(rest):0{digits}}" if digits else f"{sign}{whole}"


_BORDER: dict[str, Any] = {"type": ["number", "string"]}
_EDGES = {"type": "array", "items": {"type": ["number", "string", "null"]}, "minItems": 2}
_LEVELS = {"type": "array", "items": {"anyOf": [_BORDER, _EDGES]}, "minItems": 1}


class BandsHierarchy(_Hierarchy):
    """Numbers in bands: of equal widths that grow and nest, or between declared edges."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    bands: Annotated[
        list[Band],
        PlainValidator(_levels),
        PlainSerializer(_written),
        WithJsonSchema({"anyOf": [_BORDER, _LEVELS]}),
    ] = Field(
        description="each level's width, a multiple of the last; or its edges, such as "
        "[0, 18, 65, 120], some of the last level's, where null opens an end"
    )

    @model_validator(mode="after")
    def _nested(self) -> BandsHierarchy:
        if not self.bands:
            raise ValueError("name a width, such as 5, or edges, such as [0, 18, 65, 120]")
        for one, two in zip(self.bands, self.bands[1:], strict=False):
            if isinstance(one, tuple):
                ends = isinstance(two, tuple) and (one[0], one[-1]) == (two[0], two[-1])
                if not isinstance(two, tuple) or not ends or not set(two) < set(one):
                    raise ValueError(
                        "the edges of a level must be some of the edges of the level before it, "
                        "with the same first and last"
                    )
            elif isinstance(two, tuple):
                if any(edge is not None and edge % one for edge in two):
                    raise ValueError(
                        f"each edge must be a multiple of the width before it, {decimal_text(one)}"
                    )
            elif two <= one or two % one:
                raise ValueError(
                    f"bands of {decimal_text(two)} do not hold whole bands of {decimal_text(one)}: "
                    f"each width must be a larger multiple of the one before; {_AS_EDGES}"
                )
        return self

    @property
    def digits(self) -> int:
        """The most digits behind the point that a width or an edge has."""
        return max(map(digits_of, self.bands))


def digits_of(level: Band) -> int:
    """The most digits behind the point that a width, or an edge among several, has."""
    several = level if isinstance(level, tuple) else (level,)
    fractions = [Fraction(one) for one in several if one is not None]
    return next(
        n for n in range(19) if all(10**n % fraction.denominator == 0 for fraction in fractions)
    )


DatePart = Literal["day", "month", "quarter", "year", "decade", "century"]
DATE_PARTS: tuple[DatePart, ...] = ("day", "month", "quarter", "year", "decade", "century")


class DatesHierarchy(_Hierarchy):
    """Dates and times in calendar periods."""

    dates: list[DatePart] = Field(min_length=1, description="the periods, growing")

    @model_validator(mode="after")
    def _growing(self) -> DatesHierarchy:
        ranks = [DATE_PARTS.index(part) for part in self.dates]
        if ranks != sorted(set(ranks)):
            raise ValueError(f"the periods must grow: {', '.join(DATE_PARTS)}")
        return self


class TreeHierarchy(_Hierarchy):
    """Groups written out: ``{"*": {Europe: [Austria, Spain], Asia: [Japan]}}``."""

    tree: Tree = Field(min_length=1, description="a group's members: a list, or groups again")

    @model_validator(mode="after")
    def _readable(self) -> TreeHierarchy:
        list(tree_leaves(self.tree))
        return self

    @property
    def lines(self) -> list[list[str]]:
        """A line for each leaf: the leaf, its group, and so on up to the top."""
        return list(tree_leaves(self.tree))


class SqlHierarchy(_Hierarchy):
    """A scalar SQL expression of the column for each level."""

    sql: list[str] = Field(min_length=1, description="level 1, level 2, … as SQL expressions")


def tree_leaves(tree: Any, above: tuple[str, ...] = ()) -> list[list[str]]:
    """The lines ``[leaf, group, …, top]`` of a tree of nested mappings and lists.

    Raises:
        ValueError: if a member is neither a group, a list nor a plain value.
    """
    lines: list[list[str]] = []
    if isinstance(tree, dict):
        for group, members in tree.items():
            inner = tree_leaves(members, (as_text(group), *above))
            lines.extend(inner or [[as_text(group), *above]])
    elif isinstance(tree, list):
        for member in tree:
            if isinstance(member, dict):
                lines.extend(tree_leaves(member, above))
            elif member is None or isinstance(member, list):
                raise ValueError("a member of a group must be a value or a group of its own")
            else:
                lines.append([as_text(member), *above])
    elif tree is not None:
        raise ValueError("a group's members must be a list, or groups again")
    return lines


KINDS: dict[str, type[_Hierarchy]] = {
    "file": FileHierarchy,
    "prefix": PrefixHierarchy,
    "bands": BandsHierarchy,
    "dates": DatesHierarchy,
    "tree": TreeHierarchy,
    "sql": SqlHierarchy,
}


def _expand(value: Any) -> Any:
    """Let a bare path stand for a file."""
    return {"file": value} if isinstance(value, str | Path) else value


def _kind(value: Any) -> str | None:
    """The kind a declaration is of: the one kind's key that it holds."""
    if isinstance(value, _Hierarchy):
        return next(name for name, kind in KINDS.items() if isinstance(value, kind))
    if not isinstance(value, dict):
        return None
    named = [name for name in KINDS if name in value]
    return named[0] if len(named) == 1 else None


Hierarchy = Annotated[
    Annotated[FileHierarchy, Tag("file")]
    | Annotated[PrefixHierarchy, Tag("prefix")]
    | Annotated[BandsHierarchy, Tag("bands")]
    | Annotated[DatesHierarchy, Tag("dates")]
    | Annotated[TreeHierarchy, Tag("tree")]
    | Annotated[SqlHierarchy, Tag("sql")],
    Discriminator(
        _kind,
        custom_error_type="hierarchy_kind",
        custom_error_message="a hierarchy is a file name or one of: " + ", ".join(KINDS),
    ),
    BeforeValidator(_expand),
]
