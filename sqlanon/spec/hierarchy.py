"""The ways to declare a generalization hierarchy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    model_validator,
)

from sqlanon.fields import Whole
from sqlanon.inputs.unquoted import as_text

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


class BandsHierarchy(_Hierarchy):
    """Numbers in bands of growing, nested widths."""

    bands: list[Annotated[Whole, Field(gt=0, le=10**18)]] = Field(
        min_length=1, description="the width of each level's bands; each a multiple of the last"
    )

    @model_validator(mode="after")
    def _nested(self) -> BandsHierarchy:
        for one, two in zip(self.bands, self.bands[1:], strict=False):
            if two <= one or two % one:
                raise ValueError(
                    f"bands of {two} do not hold whole bands of {one}: "
                    "each width must be a larger multiple of the one before"
                )
        return self


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
