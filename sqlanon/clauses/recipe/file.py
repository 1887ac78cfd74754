"""A recipe as a file: what a release made of its classes, to be laid over another table anywhere.

It takes the place of the release where that does not stand: another database, dbt, a repository.
Levels hold no data; cells are what the release publishes of its quasi-identifiers, nothing else. An
allotment has values of the source's records, and is the publisher's alone.

An allotment is a Parquet file that also has a text as metadata.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import duckdb
import yaml
from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeInt,
    ValidationError,
    model_validator,
)

from sqlanon._version import __version__
from sqlanon.clauses.recipe.allotment import COUNTED, allotted
from sqlanon.clauses.recipe.declared import ALLOTMENT, NO_CLASSES, PARQUET
from sqlanon.common.files import temporary_folder
from sqlanon.common.visible import visible
from sqlanon.errors import Problem, SpecError
from sqlanon.record.content import hold_kept
from sqlanon.record.dictionary import ColumnFacts, as_text, from_text
from sqlanon.record.recorded import Recorded, needs_records
from sqlanon.sql.names import Relation, identifier, literal


def as_parquet(
    names: Sequence[str], rows: Sequence[Sequence[str | None]], metadata: Mapping[str, str]
) -> bytes:
    """A Parquet file.

    Args:
        names: of its columns, which are text.
        rows: what it holds, in this order.
        metadata: the texts that it keeps next to them, by a name of letters and ``_``.
    """
    columns = [[row[index] for row in rows] for index in range(len(names))]
    read = ", ".join(
        f"unnest(cast(${number} as varchar[])) as {identifier(name)}"
        for number, name in enumerate(names, 1)
    )
    kept = ", ".join(f"{name}: {literal(text)}" for name, text in metadata.items())
    with temporary_folder() as folder, duckdb.connect() as connection:
        file = folder / "rows.parquet"
        connection.execute(f"create table written as select {read}", columns)
        connection.execute(
            f"copy written to {literal(str(file))} (format parquet, kv_metadata {{{kept}}})"
        )
        return file.read_bytes()


def of_parquet(file: Path, name: str, most: int) -> tuple[str, list[list[str | None]]] | None:
    """The content that `as_parquet` wrote: one text of the metadata, and the rows.

    Args:
        file: the file.
        name: of the text.
        most: how many rows are read; a file with more is none of ours.

    Returns:
        Both; None if it is no Parquet file, it has no such text, or its rows are no text.
    """
    with duckdb.connect() as connection:
        try:
            kept = connection.execute(
                "select decode(value) from parquet_kv_metadata($1) where decode(key) = $2",
                [str(file), name],
            ).fetchall()
            rows = connection.execute(
                f"from read_parquet($1) limit {most + 1}", [str(file)]
            ).fetchall()
        except duckdb.Error:
            return None
    is_text = all(cell is None or isinstance(cell, str) for row in rows for cell in row)
    if len(kept) != 1 or len(rows) > most or not is_text:
        return None
    return kept[0][0], [list(row) for row in rows]


_FORMAT = 1
_FACTS = ("levels", "levels_mean", "cells_mean")
_MOST = 1_000_000  # rows of a file
_ITEM = "sqlanon_recipe"  # of a Parquet file's metadata: all that a YAML file says but its rows
_AGAIN = "write it again: sqlanon recipe RELEASE -o FILE"

Cells = Sequence[Sequence[str | None]]


class _Dumper(yaml.SafeDumper):
    """Writes each text so that it is read as it was, with any signs in it."""

    def represent_text(self, text: str) -> yaml.ScalarNode:
        """A text; in double quotes, where signs are escaped, if it has others than printed ones."""
        style = None if text.isprintable() else '"'
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Dumper.add_representer(str, _Dumper.represent_text)


class _Allotment(BaseModel):
    """How a file says what was dealt out."""

    model_config = ConfigDict(extra="forbid", strict=True)

    seed: int
    persons: bool = False
    publication: str = ""
    columns: dict[Annotated[str, Field(pattern=r"^[qs][0-9]+$")], str] = Field(min_length=1)
    rows: list[list[str | None]] = Field(min_length=1)

    @model_validator(mode="after")
    def _goes_together(self) -> _Allotment:
        counted = len(COUNTED)
        for row in self.rows:
            if len(row) != counted + len(self.columns):
                raise ValueError("rows of other columns")
            if not all(text is not None and re.fullmatch("[0-9]+", text) for text in row[:counted]):
                raise ValueError("rows that count nothing")
        return self


class _Content(BaseModel):
    """The content of a file, without its digest."""

    model_config = ConfigDict(extra="forbid", strict=True)

    recipe_format: int
    release: str
    method: str
    levels: dict[str, NonNegativeInt] = Field(default_factory=dict)
    levels_mean: dict[str, str] = Field(default_factory=dict)
    cells_mean: dict[str, str]
    columns: list[ColumnFacts] = Field(min_length=1)
    cells: list[list[str | None]] = Field(default_factory=list)
    allotment: _Allotment | None = None

    @model_validator(mode="after")
    def _goes_together(self) -> _Content:
        if self.levels.keys() != self.levels_mean.keys():
            raise ValueError("levels without a meaning")
        if any(len(row) != len(self.columns) for row in self.cells):
            raise ValueError("cells of other columns")
        return self


@dataclass(frozen=True)
class RecipeFile:
    """A recipe that was read from a file, or is to be written to one.

    Attributes:
        relation: the release that it is of, by name.
        facts: what its run kept of it: the method, its levels, and what they and its cells mean.
        columns: its published quasi-identifiers.
        cells: every combination of them that it publishes, as text; empty where levels are enough.
        allotment: how many records of every combination of values went to which class, as text;
            empty where the release kept nothing of it.
    """

    relation: str
    facts: Mapping[str, str]
    columns: tuple[ColumnFacts, ...]
    cells: Cells = ()
    allotment: Cells = ()

    @property
    def holds(self) -> str:
        """The data that it holds, in a few words."""
        if self.allotment:
            return allotted(len(self.allotment))
        if self.cells:
            return f"{len(self.cells):,} cells, as public as {self.relation}"
        return "levels, no data"

    def written_as(self, file: Path) -> str | bytes:
        """The content of its file, in the form that the file's name asks for: YAML or Parquet."""
        return self._parquet if file.suffix.lower() == PARQUET else self.text

    @property
    def _parquet(self) -> bytes:
        """The rows as a Parquet file of text, and all else as its metadata."""
        content = self._content
        kept = {**content, "digest": _digest(content)}
        names, rows = [column.name for column in self.columns], self.cells
        if self.allotment:
            names, rows = [*COUNTED, *content["allotment"]["columns"]], self.allotment
            kept["allotment"] = {**content["allotment"], "rows": []}
        kept.pop("cells", None)
        return as_parquet(names, rows, {_ITEM: json.dumps(kept, ensure_ascii=False)})

    @property
    def text(self) -> str:
        """The file, as YAML."""
        content = self._content
        holds = "levels and no data"
        if self.cells:
            holds = f"{len(self.cells):,} cells of that release: it is as public as that"
        if self.allotment:
            holds = self.holds
        name = visible(self.relation, one_line=True)  # as a comment has
        about = f"# What sqlanon {__version__} published as {name}.\n# It holds {holds}.\n"
        body = yaml.dump(
            {**content, "digest": _digest(content)},
            Dumper=_Dumper,
            allow_unicode=True,
            sort_keys=False,
            width=1_000_000,
            default_flow_style=None,
        )
        return about + body

    @property
    def _content(self) -> dict[str, Any]:
        meant = {name: json.loads(self.facts[name]) for name in _FACTS if name in self.facts}
        content: dict[str, Any] = {
            "recipe_format": _FORMAT,
            "release": self.relation,
            "method": self.facts["method"],
            **meant,
            "columns": json.loads(as_text(self.columns)),
        }
        if self.allotment:
            dealt = json.loads(self.facts[ALLOTMENT])
            content[ALLOTMENT] = {**dealt, "rows": [list(one) for one in self.allotment]}
        return content | ({"cells": [list(cell) for cell in self.cells]} if self.cells else {})


def recipe_of(past: Recorded) -> RecipeFile:
    """The recipe of a release.

    Where columns have one level these are enough. Else it is what the release dealt out, if its run
    kept that, or its cells.

    Raises:
        SpecError: if the release has none of these, it has too many rows for a file, or what its
            run kept was changed.
        EngineError: if the database fails.
    """
    needs_records(past)
    facts = {name: past.facts[name] for name in ("method", *_FACTS) if name in past.facts}
    columns = tuple(
        column for column in past.columns if column.role == "quasi_identifier" and not column.beside
    )
    if "cells_mean" not in facts:
        raise SpecError(Problem("release", NO_CLASSES.format(recipe=str(past.relation))))
    if "levels" in facts:
        return RecipeFile(str(past.relation), facts, columns)
    if ALLOTMENT in past.facts:
        facts[ALLOTMENT] = past.facts[ALLOTMENT]
        kept = _columns(facts)
        rows = _rows(hold_kept(past, ALLOTMENT, kept), kept, past)
        return RecipeFile(str(past.relation), facts, columns, allotment=rows)
    cells = _rows(past.relation, [column.name for column in columns], past)
    return RecipeFile(str(past.relation), facts, columns, cells)


def hold_allotment(release: Recorded) -> None:
    """Refuse a release whose allotment is not as the run left it.

    A connection that may read the run relation and not the allotment passes: it takes nothing over.

    Raises:
        SpecError: if the allotment is gone, or was changed.
        EngineError: if the database fails.
    """
    if ALLOTMENT not in release.facts:
        return
    relation, engine = release.named(ALLOTMENT), release.engine
    if engine.kind_of(relation) is None or not engine.lacking_to_read(relation):
        hold_kept(release, ALLOTMENT, _columns(release.facts))


def _columns(facts: Mapping[str, str]) -> tuple[str, ...]:
    """The columns of the allotment that a run kept, in order."""
    return (*COUNTED, *json.loads(facts[ALLOTMENT])["columns"])


def _rows(relation: Relation, columns: Sequence[str], past: Recorded) -> Cells:
    """The distinct rows of some columns of a relation next to a release, as text.

    Raises:
        SpecError: if they are too many for a file, or it cannot hold them.
    """
    names = [identifier(name) for name in columns]
    shown = ", ".join(f"cast({name} as varchar) as {name}" for name in names)
    found = past.engine.fetch_portable(
        f"select distinct {shown} from {past.engine.named(relation)} order by "
        f"{', '.join(f'{name} nulls first' for name in names)}",
        _MOST + 1,
        "reading the cells of the release",
    ).rows
    if len(found) > _MOST:
        what = f"the release has more than {_MOST:,} cells: name it as recipe where it stands"
        raise SpecError(Problem("release", what))
    if any("\0" in cell for row in found for cell in row if isinstance(cell, str)):
        what = "a cell of the release holds a NUL character: name it as recipe where it stands"
        raise SpecError(Problem("release", what))
    return [[None if cell is None else str(cell) for cell in row] for row in found]


def read_recipe(file: str) -> RecipeFile:
    """The recipe of a file, which must be what `RecipeFile.written_as` wrote.

    Raises:
        SpecError: if there is no such file, or it is no recipe, another version's, or changed.
    """
    content = _of_parquet(file) if Path(file).suffix.lower() == PARQUET else _of_yaml(file)
    if content.get("recipe_format") != _FORMAT:
        what = f"the recipe {file!r} has another format than {_FORMAT}, which this version reads"
        raise SpecError(Problem("recipe", f"{what}: {_AGAIN}"))
    digest = content.pop("digest", None)
    try:
        is_as_written = digest == _digest(content)
    except (TypeError, ValueError, RecursionError):  # what no recipe holds, such as a date
        is_as_written = False
    if not is_as_written:
        what = f"the recipe {file!r} was changed since it was written: {_AGAIN}"
        raise SpecError(Problem("recipe", what))
    try:
        _Content.model_validate_json(json.dumps(content))
    except ValidationError:
        what = f"the recipe {file!r} does not hold what a recipe holds: {_AGAIN}"
        raise SpecError(Problem("recipe", what)) from None
    facts = {name: json.dumps(content[name]) for name in _FACTS if name in content}
    dealt = content.get(ALLOTMENT, {})
    if dealt:
        facts[ALLOTMENT] = json.dumps(
            {name: value for name, value in dealt.items() if name != "rows"}
        )
    return RecipeFile(
        relation=content["release"],
        facts={"method": content["method"], **facts},
        columns=from_text(json.dumps(content["columns"])),
        cells=content.get("cells", ()),
        allotment=dealt.get("rows", ()),
    )


def _unreadable(file: str, error: OSError) -> SpecError:
    return SpecError(Problem("recipe", f"the recipe {file!r} cannot be read: {error.strerror}"))


def _of_yaml(file: str) -> dict[str, Any]:
    """The content of a YAML file.

    Raises:
        SpecError: if it is not there, or no recipe.
    """
    try:
        content = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise _unreadable(file, error) from None
    except (yaml.YAMLError, ValueError, RecursionError):  # a number or a date that is none, too
        what = f"{file!r} is no recipe of sqlanon's, nor any YAML: {_AGAIN}"
        raise SpecError(Problem("recipe", what)) from None
    if not isinstance(content, dict) or "recipe_format" not in content:
        what = f"{file!r} is no recipe of sqlanon's, which begins with recipe_format: {_AGAIN}"
        raise SpecError(Problem("recipe", what))
    return content


def _of_parquet(file: str) -> dict[str, Any]:
    """The content of a Parquet file: its metadata, and its rows in their place there.

    Raises:
        SpecError: if it is not there, or no recipe.
    """
    try:
        Path(file).open("rb").close()
    except OSError as error:
        raise _unreadable(file, error) from None
    what = f"{file!r} is no recipe of sqlanon's, whose metadata has {_ITEM}: {_AGAIN}"
    found = of_parquet(Path(file), _ITEM, _MOST)
    try:
        content = json.loads(found[0]) if found else None
    except (ValueError, RecursionError):
        content = None
    if found is None or not isinstance(content, dict):
        raise SpecError(Problem("recipe", what))
    rows = found[1]
    if isinstance(content.get(ALLOTMENT), dict):
        content[ALLOTMENT]["rows"] = rows
    elif rows:
        content["cells"] = rows
    return content


def _digest(content: Mapping[str, Any]) -> str:
    """A hash of all that the file says, the same for any order of its keys."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
