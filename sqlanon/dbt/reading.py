"""How dbt reads a spec's source: a model or seed by ref(), or a source that is declared for it.

A spec may stand in a dbt project, where its people look: in the ``meta`` of a model and of its
columns.

``config.meta.sqlanon`` of a column is its role, or a mapping with its role and its settings; that
of a model has all other fields of a spec. A column without it is not released.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sqlanon.clauses.recipe.declared import recipe_of
from sqlanon.dbt.jinja import no_jinja
from sqlanon.dbt.project import Project
from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.inputs.files import is_remote_file
from sqlanon.plan import work
from sqlanon.plan.step import WORK_PREFIX
from sqlanon.source.source import OtherTable
from sqlanon.spec import Spec, parse_spec
from sqlanon.sql.names import Relation, Sql, literal
from sqlanon.sql.products import product_of

SOURCE, RECIPE = work("source"), work("recipe_read")
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


def reading_recipe(spec: Spec, item: Relation | Sql, beside: str = "") -> Outside:
    """How a model reads the earlier release whose classes it takes over.

    Args:
        spec: what is declared.
        item: as the plan reads it.
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
    read = relation.sibling(beside) if beside else relation
    found = _source(f"{spec.release}__recipe", read.path or (_TARGET,), read.name)
    return Outside(item, RECIPE, *found)


@dataclass(frozen=True)
class Outside:
    """A relation that dbt's models read and do not make.

    Attributes:
        item: as the plan reads it.
        called: the CTE that stands for it.
        read: how dbt reads it, with ``ref()`` or ``source()``.
        sources: what to declare for that.
    """

    item: Relation | Sql
    called: Relation
    read: str
    sources: Sequence[dict[str, Any]]


def reading(
    release: str, table: OtherTable, called: Relation, project: Path, dialect: str, ref: str | None
) -> Outside:
    """How a model reads a table, and the sources to declare for it.

    Raises:
        SpecError: if dbt cannot read it, or it would be the release.
    """
    source, where = table.source, table.where
    declares = f"{release}__{called.name.removeprefix(WORK_PREFIX)}"  # other releases have theirs
    mend = "load it as a model or seed, and name that"
    if where == "source":
        mend = "name the model or seed that stands for it with --ref"
    if ref is not None:
        if not re.fullmatch(r"\w+", ref):
            raise SpecError("--ref must be the name of a dbt model or seed")
        read, name = f"{{{{ ref('{ref}') }}}}", ref
        declared: list[dict[str, Any]] = []
    elif source.file is not None:
        there = product_of(dialect).dbt
        if there is None or not there.reads_files:
            raise SpecError(Problem(where, f"dbt cannot read a file on {dialect}: {mend}"))
        # dbt runs in the project's folder.
        at = os.path.relpath(source.file, project)
        stays = is_remote_file(source.file) or Path(source.file).is_absolute()
        path = source.file if stays else Path(at).as_posix()
        name = "records"
        # dbt-duckdb fills braces in, as str.format does.
        placed = str(table.item).replace(literal(source.file), literal(path), 1)
        location = no_jinja(re.sub(r"([{}])", r"\1\1", placed))
        of_file = {"name": name, "config": {"meta": {"external_location": location}}}
        declared = [{"name": declares, "tables": [of_file]}]
        read = f"{{{{ source('{declares}', '{name}') }}}}"
    elif source.table is not None:
        relation = Relation.parse(source.table)
        name = relation.name
        if not _is_plain(relation):
            raise SpecError(Problem(where, f"{source.table!r} is no name for dbt: {mend}"))
        read, declared = f"{{{{ ref('{name}') }}}}", []
        if relation.path:
            read, declared = _source(declares, relation.path, name)
    else:
        raise SpecError(Problem(where, f"a query must be a model of its own: {mend}"))
    # Which schema dbt builds in, its target says: a table of the same name may be the one there.
    if (ref or source.table) and name.lower() == release.lower():
        what = "the source" if where == "source" else f"what {where} names"
        said = f"it is called like {what}, which dbt would replace; the source is never written"
        raise SpecError(Problem("release", said))
    return Outside(table.item, called, read, declared)


_KEY = "sqlanon"
# The section of a spec, by the role that a column has.
_SECTIONS = {
    "identifier": "identifiers",
    "quasi_identifier": "quasi_identifiers",
    "sensitive": "sensitive",
    "insensitive": "insensitive",
}


def spec_of(project: Path, model: str) -> dict[str, Any]:
    """The spec that a model or a seed of a project declares.

    Args:
        project: the folder of the dbt project.
        model: the model, the seed or the snapshot that is the source.

    Returns:
        The fields of the spec, as a YAML file has them.

    Raises:
        SpecError: if the project does not declare it, or what it declares is no spec.
    """
    declared = _declared(project, model)
    fields: dict[str, Any] = {"source": model, **_meta(declared, model)}
    for column in declared.get("columns") or ():
        name = str(column["name"])
        meta = _of(column)
        if meta is None:
            continue
        settings = {"role": meta} if isinstance(meta, str) else dict(meta)
        where = f"{model}.{name}: meta.{_KEY}"
        role = settings.pop("role", None)
        if role not in _SECTIONS:
            known = f"a role is one of {', '.join(_SECTIONS)}"
            what = f"there is no role {role!r}" if role else "it has no role"
            raise SpecError(Problem(where, f"{what}; {known}"))
        fields.setdefault(_SECTIONS[role], {})[name] = settings
    if "release" not in fields:
        what = f"it names no release: config: {{meta: {{{_KEY}: {{release: {model}_public, …}}}}}}"
        raise SpecError(Problem(f"{model}: meta.{_KEY}", what))
    parse_spec(fields)
    return fields


def meta_of(spec: Spec) -> dict[str, Any]:
    """The properties of a dbt model that declare what a spec does: the other way round.

    Args:
        spec: a spec whose source is a table.

    Raises:
        SpecError: if its source is none that a model can be.
    """
    if spec.source.table is None:
        what = "properties are those of a model: name its table, which a file or a query has not"
        raise SpecError(Problem("source", what))
    fields = spec.model_dump(mode="json", exclude_unset=True, exclude_none=True)
    fields = {name: field for name, field in fields.items() if field not in ([], {})}
    for name in ("source", "database"):
        fields.pop(name, None)
    if spec.seed_is_drawn:
        fields.pop("seed", None)
    columns = []
    for role, section in _SECTIONS.items():
        for name, settings in (fields.pop(section, None) or {}).items():
            meta = {"role": role, **settings} if settings else role
            columns.append({"name": name, "config": {"meta": {_KEY: meta}}})
    name = spec.source.table.rpartition(".")[2]
    return {"name": name, "config": {"meta": {_KEY: fields}}, "columns": columns}


def _declared(project: Path, model: str) -> dict[str, Any]:
    """The properties of a model, a seed or a snapshot."""
    layout, found = Project.of(project), dict[str, dict[str, Any]]()
    for name, property_name, file in _properties(project / layout.models, project / "seeds"):
        if name == model and name in found:
            raise SpecError(
                f"{model!r} is declared twice in {str(project)!r}, also in {str(file)!r}"
            )
        found[name] = property_name
    if model not in found:
        said = nearest(model, found) if found else "it declares none"
        raise SpecError(f"no properties of {model!r} in {str(project)!r}; {said}")
    return found[model]


def _properties(*folders: Path) -> Iterator[tuple[str, dict[str, Any], Path]]:
    """Every model, seed and snapshot that files of properties declare."""
    for file in sorted(path for folder in folders for path in folder.rglob("*.y*ml")):
        try:
            content = yaml.safe_load(file.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError, yaml.YAMLError):
            raise SpecError(f"{str(file)!r} cannot be read as YAML: mend it first") from None
        if not isinstance(content, Mapping):
            continue
        for kind in ("models", "seeds", "snapshots"):
            for one in content.get(kind) or ():
                if isinstance(one, Mapping) and "name" in one:
                    yield str(one["name"]), dict(one), file


def _meta(declared: Mapping[str, Any], model: str) -> dict[str, Any]:
    """The declarations of a model for the release as a whole."""
    meta = _of(declared)
    if not isinstance(meta, Mapping):
        what = f"it is missing, or no mapping: config: {{meta: {{{_KEY}: {{privacy: {{k: 5}}}}}}}}"
        raise SpecError(Problem(f"{model}: meta.{_KEY}", what))
    taken = sorted({"source", *_SECTIONS.values()} & set(meta))
    if taken:
        what = f"{taken[0]}: the properties of the model and of its columns say that"
        raise SpecError(Problem(f"{model}: meta.{_KEY}", what))
    return dict(meta)


def _of(properties: Mapping[str, Any]) -> Any:
    """The value under our key: in ``config``, where dbt 1.10 has it, or in the older place."""
    for declared in (properties.get("config") or {}, properties):
        meta = declared.get("meta") if isinstance(declared, Mapping) else None
        if isinstance(meta, Mapping) and _KEY in meta:
            return meta[_KEY]
    return None
