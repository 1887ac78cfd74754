"""A recipe as a file: the levels or the cells of a release, to be laid over another table anywhere.

It takes the place of the release where that does not stand: another database, dbt, a repository.
Levels hold no data; cells are what the release publishes of its quasi-identifiers, nothing else.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sqlanon._version import __version__
from sqlanon.errors import Problem, SpecError
from sqlanon.kept.dictionary import ColumnFacts, as_text, from_text
from sqlanon.kept.recorded import Recorded
from sqlanon.sql.names import identifier

_FORMAT = 1
_FACTS = ("levels", "levels_mean", "cells_mean")
_MOST = 1_000_000  # cells of a file

Cells = Sequence[Sequence[str | None]]


@dataclass(frozen=True)
class RecipeFile:
    """A recipe that was read from a file, or is to be written to one.

    Attributes:
        relation: the release that it is of, by name.
        facts: what its run kept of it: the method, its levels, and what they and its cells mean.
        columns: its published quasi-identifiers.
        cells: every combination of them that it publishes, as text; empty where levels are enough.
    """

    relation: str
    facts: Mapping[str, str]
    columns: tuple[ColumnFacts, ...]
    cells: Cells = ()

    @property
    def text(self) -> str:
        """The file."""
        content = self._content
        holds = "levels and no data"
        if self.cells:
            holds = f"{len(self.cells):,} cells of that release: it is as public as that"
        name = " ".join(self.relation.split())  # a comment has one line
        about = f"# What sqlanon {__version__} published as {name}.\n# It holds {holds}.\n"
        body = yaml.safe_dump(
            {**content, "digest": _digest(content)},
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
        return content | ({"cells": [list(one) for one in self.cells]} if self.cells else {})


def recipe_of(past: Recorded) -> RecipeFile:
    """The recipe of a release.

    Where columns have one level these are enough; else its cells are read.

    Raises:
        SpecError: if the release has neither, or it has too many cells for a file.
        EngineError: if the database fails.
    """
    facts = {name: past.facts[name] for name in ("method", *_FACTS) if name in past.facts}
    columns = tuple(
        one for one in past.columns if one.role == "quasi_identifier" and not one.beside
    )
    if "cells_mean" not in facts:
        what = f"{str(past.relation)!r} shows no classes whose levels or cells could be taken over"
        raise SpecError(Problem("release", f"{what}: publish it as generalized"))
    if "levels" in facts:
        return RecipeFile(str(past.relation), facts, columns)
    names = [identifier(one.name) for one in columns]
    shown = ", ".join(f"cast({name} as varchar) as {name}" for name in names)
    found = past.engine.fetch_portable(
        f"select distinct {shown} from {past.engine.named(past.relation)} order by "
        f"{', '.join(f'{name} nulls first' for name in names)}",
        _MOST + 1,
        "reading the cells of the release",
    ).rows
    if len(found) > _MOST:
        what = f"the release has more than {_MOST:,} cells: name it as recipe where it stands"
        raise SpecError(Problem("release", what))
    cells = [[None if cell is None else str(cell) for cell in row] for row in found]
    return RecipeFile(str(past.relation), facts, columns, cells)


def read_recipe(file: str) -> RecipeFile:
    """The recipe of a file, which must be what `RecipeFile.text` wrote.

    Raises:
        SpecError: if there is no such file, or it is no recipe, another version's, or changed.
    """
    again = "make it anew: sqlanon recipe RELEASE -o FILE"
    try:
        content = yaml.safe_load(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        what = f"the recipe {file!r} cannot be read: {error.strerror}"
        raise SpecError(Problem("recipe", what)) from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError):
        what = f"{file!r} is no recipe of sqlanon's, nor any YAML: {again}"
        raise SpecError(Problem("recipe", what)) from None
    if not isinstance(content, dict) or "recipe_format" not in content:
        what = f"{file!r} is no recipe of sqlanon's, which begins with recipe_format: {again}"
        raise SpecError(Problem("recipe", what))
    if content["recipe_format"] != _FORMAT:
        what = f"the recipe {file!r} has another format than {_FORMAT}, which this version reads"
        raise SpecError(Problem("recipe", f"{what}: {again}"))
    digest = content.pop("digest", None)
    if digest != _digest(content):
        what = f"the recipe {file!r} was changed since it was written: {again}"
        raise SpecError(Problem("recipe", what))
    facts = {name: json.dumps(content[name]) for name in _FACTS if name in content}
    return RecipeFile(
        relation=content["release"],
        facts={"method": content["method"], **facts},
        columns=from_text(json.dumps(content["columns"])),
        cells=content.get("cells", ()),
    )


def _digest(content: Mapping[str, Any]) -> str:
    """A hash of all that the file says, whatever the order of its keys."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
