"""How dbt reads a spec's source: a model or seed by ref(), or a source that is declared for it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from sqlanon.clauses.recipe.declared import recipe_of
from sqlanon.dbt.folding import no_jinja
from sqlanon.errors import Problem, SpecError
from sqlanon.inputs.files import is_remote_file
from sqlanon.spec import Spec
from sqlanon.sql.names import Relation, literal

_TARGET = "{{ target.schema }}"  # the schema that dbt builds in, which it fills in itself


def _is_plain(relation: Relation) -> bool:
    """Whether a name is one that dbt can call without quotes."""
    return all(re.fullmatch(r"\w+", part) for part in (*relation.path, relation.name))


def _source(name: str, path: Sequence[str], table: str) -> tuple[str, list[dict[str, Any]]]:
    """How a model reads a table by a source, and that source.

    Args:
        name: what the source is called.
        path: the schema that the table stands in, after its catalog where one is named.
        table: its name.
    """
    *catalog, schema = path
    one: dict[str, Any] = {"name": name, "schema": schema, "tables": [{"name": table}]}
    declared = one | ({"database": catalog[0]} if catalog else {})
    return f"{{{{ source('{name}', '{table}') }}}}", [declared]


def reading_recipe(spec: Spec, beside: str = "") -> tuple[str, list[dict[str, Any]]]:
    """How a model reads the earlier release whose classes it takes over, and the source to declare.

    Args:
        spec: what is declared.
        beside: how the name of the companion ends that is read; empty for the release itself.

    Raises:
        SpecError: if dbt cannot read it, or it would be the release.
    """
    recipe = str(recipe_of(spec))
    relation = Relation.parse(recipe)
    if not _is_plain(relation):
        what = f"{recipe!r} is no name for dbt: make the release again under another"
        raise SpecError(Problem("recipe", what))
    if relation.name.lower() == spec.release.lower():
        what = "it is the release that dbt builds: keep the one whose cells stay under another name"
        raise SpecError(Problem("recipe", what))
    read = relation.beside(beside) if beside else relation
    return _source(f"{spec.release}__recipe", read.path or (_TARGET,), read.name)


def reading(
    spec: Spec, item: str, project: Path, dialect: str, ref: str | None
) -> tuple[str, list[dict[str, Any]]]:
    """How a model reads the source, here an item of FROM, and the sources to declare for it.

    Raises:
        SpecError: if dbt cannot read it, or it would be the release.
    """
    mend = "name the model or seed that stands for it with --ref"
    source = spec.source
    if ref is not None:
        if not re.fullmatch(r"\w+", ref):
            raise SpecError("--ref must be the name of a dbt model or seed")
        read, name = f"{{{{ ref('{ref}') }}}}", ref
        declared: list[dict[str, Any]] = []
    elif source.file is not None:
        if dialect != "duckdb":
            raise SpecError(Problem("source", f"dbt cannot read a file on {dialect}: {mend}"))
        # dbt runs in the project's folder.
        at = os.path.relpath(source.file, project)
        stays = is_remote_file(source.file) or Path(source.file).is_absolute()
        path = source.file if stays else Path(at).as_posix()
        name, schema = "records", f"{spec.release}__source"
        # dbt-duckdb fills braces in, as str.format does.
        placed = item.replace(literal(source.file), literal(path), 1)
        location = no_jinja(re.sub(r"([{}])", r"\1\1", placed))
        table = {"name": name, "config": {"meta": {"external_location": location}}}
        declared = [{"name": schema, "tables": [table]}]
        read = f"{{{{ source('{schema}', '{name}') }}}}"
    elif source.table is not None:
        relation = Relation.parse(source.table)
        name = relation.name
        if not _is_plain(relation):
            raise SpecError(Problem("source", f"{source.table!r} is no name for dbt: {mend}"))
        read, declared = f"{{{{ ref('{name}') }}}}", []
        if relation.path:
            read, declared = _source(relation.path[-1], relation.path, name)
    else:
        raise SpecError(Problem("source", f"a query must be a model of its own: {mend}"))
    if not declared and name.lower() == spec.release.lower():
        raise SpecError(Problem("release", "it is the source; the source is never written"))
    return read, declared
