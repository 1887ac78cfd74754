"""Reading a spec from YAML or Python, all that is wrong in itself found at once.

A message names a fault of a declaration in the words of the spec.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, Field, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from sqlanon._version import __version__
from sqlanon.clauses import clauses
from sqlanon.common.fields import Declared
from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.inputs.files import is_remote_database
from sqlanon.inputs.source import Source
from sqlanon.privacy.alpha import ALPHA
from sqlanon.privacy.thresholds import fields_of, mapping_at, mapping_of, swept_models
from sqlanon.spec.clauses import CLAUSES
from sqlanon.spec.foreign import said_of
from sqlanon.spec.grid import Grid
from sqlanon.spec.hierarchy import KINDS, FileHierarchy
from sqlanon.spec.levels import level_problems
from sqlanon.spec.method import SETTINGS
from sqlanon.spec.metrics import MOST_QUERIES, AskedQuery, metric_problems
from sqlanon.spec.model import Spec
from sqlanon.spec.privacy import TABLES, Choose, Privacy
from sqlanon.spec.publication import Publish
from sqlanon.spec.reading import QUERIES, expanded, read_yaml
from sqlanon.spec.refusals import contradictions, one_of
from sqlanon.spec.roles import Identifier, QuasiIdentifier, Sensitive
from sqlanon.sql.names import Relation
from sqlanon.sql.products import product
from sqlanon.transforms.joint import NOISE, SWAP
from sqlanon.transforms.kinds import setting_at

# The mappings of places that do not follow from the fields of a spec.
_SECTIONS: dict[str, type[BaseModel]] = {"publish": Publish, "queries": AskedQuery}
_BY_NAME = ("identifiers", "quasi_identifiers", "sensitive", "insensitive", "queries")
# The message where a mapping is wanted and another thing given, by the name of its model or field.
_MAPPINGS = {
    "Source": "it must be a file, a table or a query, or a mapping such as {file: patients.csv}",
    "identifiers": "it must be a list of columns, or a mapping such as {name: {repeats: true}}",
    "Identifier": "it must be the column's settings: {repeats: true}, or {}",
    "KeySource": "it must be {env: NAME} or {file: PATH}: a spec never holds the key itself",
    "quasi_identifiers": "name at least one column, as `column: {}`",
    "QuasiIdentifier": "it must be the column's settings, such as {publish: set}, or {}",
    "Protected": "it must be what is asked of its values, such as {t: 0.3}",
    "sensitive": "it must be columns with their settings, as `column: {t: 0.3}`, or a list",
    "Sensitive": "it must be the column's settings, such as {t: 0.3}, or {}",
    "insensitive": "it must be a column's name, a list of names, or a mapping of columns",
    "Insensitive": 'it must be the column\'s settings, such as {accept: "why"}, or {}',
    "Privacy": "it must be a mapping such as {k: 5, t: 0.3}",
    "method": "it must be a method's name, or a mapping such as {name: stack_and_deal}",
    "Differential": "it must be a mapping such as {epsilon: 1, delta: 0.000001}",
    "Choose": "it must be a mapping such as {privacy_weight: 0.5}",
    "levels": "it must be a mapping of columns, such as {age: 1}",
    "missing": "it must be a mapping of columns, such as {age: [-8, 999]}",
    "Publish": "it must be a publication's name, or a mapping such as {name: anatomy, group: 10}",
    "Swap": f"it must be a list of mappings such as {SWAP.example}",
    "CorrelatedNoise": f"it must be a list of mappings such as {NOISE.example}",
    "queries": "it must be queries by their names, as `women: {where: {sex: F}}`",
    "AskedQuery": "it must be a mapping such as {where: {age: [30, 50]}, mean: income}",
    "where": "it must be conditions on columns, such as {age: [30, 50], sex: F}",
    "tree": "it must be a mapping of groups such as {West: [Seattle], South: [Charleston]}",
    **{name: said for clause in clauses() for name, said in clause.mappings.items()},
}
_NO_MAPPING = {"dict_type", "tuple_type", "model_type", "model_attributes_type", "too_short"}
_WORDS = {
    "bool_type": "it must be true or false",
    "bool_parsing": "it must be true or false",
    "int_type": "it must be a whole number",
    "int_parsing": "it must be a whole number",
    "int_from_float": "it must be a whole number",
    "string_type": "it must be a text: put it into quotes",
    "path_type": "it must be a text: put it into quotes",
    "string_too_short": "it must not be empty",
    "string_too_long": "it must be one character",
    "tuple_type": "it must be a column's name or a list of names",
    "list_type": "it must be a list",
    "dict_type": "it must be a mapping, such as {NAME: VALUE}",
    "model_type": "it must be a mapping, such as {NAME: VALUE}",
    "too_short": "it must not be empty",
    "missing": "it is missing",
    "invalid_key": "a key must be a text: put it into quotes",
}


_NOT_DRAWN = (
    "a quasi-identifier is generalized and never changed, since k would then hold of changed "
    "values; where no model is asked of the column, declare it insensitive, with its ε, as "
    "insensitive: {{{0}: {{transform: {{laplace: {{epsilon: 1, low: 0, high: 100}}}}}}}}"
)


def wrong(error: ValidationError) -> SpecError:
    """Every problem that was found."""
    return SpecError([_problem(dict(found)) for found in error.errors()])


def _problem(found: dict[str, Any]) -> Problem:
    """One pydantic error as a problem of ours: the place in the spec and what is accepted."""
    path, model = _path([str(part) for part in found["loc"]])
    where, kind, given = ".".join(path), found["type"], found.get("input")
    if kind == "extra_forbidden" and model is QuasiIdentifier and path[-1] == "transform":
        return Problem(where, _NOT_DRAWN.format(path[1]))
    if kind == "extra_forbidden":
        return Problem(where, f"unknown key; {_meant(path[-1], model)}")
    if kind == "union_tag_invalid":
        tag = found["ctx"]["tag"]
        return Problem(f"{where}.name", f"{tag!r} is not accepted; {nearest(tag, SETTINGS)}")
    if kind == "literal_error":
        wanted = re.findall(r"'([^']*)'", found["ctx"]["expected"])
        shown = "an empty value" if given is None else repr(str(given))
        return Problem(where, f"{shown} is not accepted; {nearest(str(given), wanted)}")
    about = found.get("ctx", {}).get("class_name", path[-1])
    mapping = _MAPPINGS.get(about) or mapping_of(about)
    if mapping is not None and kind in _NO_MAPPING:
        return Problem(where, mapping)
    if kind in _WORDS:
        return Problem(where, _WORDS[kind])
    message = str(found["msg"]).removeprefix("Value error, ").removeprefix("Input should be ")
    if kind.startswith(("greater_than", "less_than")):
        message = f"it must be {message}"
    return Problem(where, message[:1].lower() + message[1:])


def _meant(key: str, model: type[BaseModel]) -> str:
    """A hint at what an unknown key may stand for: another tool's word, or a misspelt field."""
    if model is Choose and key == "alpha":
        return f"it is called privacy_weight; alpha is {ALPHA.title}'s share"
    foreign = said_of(key) if model is Spec else None
    return foreign or nearest(key, model.model_fields)


def _path(path: list[str]) -> tuple[list[str], type[BaseModel]]:
    """Where in the spec a problem is, and what is declared there."""
    model: type[BaseModel] = Spec
    if len(path) > 1:
        model = _SECTIONS.get(path[0]) or _within(Spec, path[:2])
    if path[0] == "methods" and len(path) > 1:
        path[:2] = ["method"]
    if path[0] == "method" and len(path) > 1:
        model = SETTINGS[path.pop(1)]
    if path[-1] == "[key]":
        path.pop()
    settings = path[2 if path[0] in _BY_NAME else 1 :]  # a column or query may be called anything
    if "hierarchy" in settings[:-1]:
        kind = path.pop(len(path) - len(settings) + settings.index("hierarchy") + 1)
        model = KINDS[kind]
    if model in (Privacy, Sensitive, QuasiIdentifier):
        model = _within(model, settings)
    if path[0] == "quasi_identifiers" and settings[:1] == ["sensitive"]:
        settings = settings[1:]  # thresholds, as of a sensitive column
    return path, mapping_at(settings) or setting_at(settings) or model


def _within(model: type[BaseModel], settings: Sequence[str]) -> type[BaseModel]:
    """The mapping that a place within a declaration lies in, by the types of its fields."""
    for name in settings[:-1]:
        field = model.model_fields.get(name)
        kinds = () if field is None else (field.annotation, *get_args(field.annotation))
        mappings = [
            kind for kind in kinds if isinstance(kind, type) and issubclass(kind, BaseModel)
        ]
        model = mappings[0] if mappings else model
    return model


def load_spec(
    path: str | os.PathLike[str], after: Sequence[str] = (), **fields: str | None
) -> Spec:
    """Read a spec file; its relative paths count from its own folder.

    Args:
        path: the file.
        after: earlier releases, in addition to those that it names.
        **fields: fields of the spec in place of what it says; None for those that stay.

    Raises:
        SpecError: if the file is missing, is no YAML, or declares anything wrong.
    """
    declared = dict(read_yaml(path))
    empty = [*_without_value(declared.get("privacy"), "privacy")]
    of_columns = declared.get("sensitive")
    for name, settings in of_columns.items() if isinstance(of_columns, Mapping) else ():
        empty += _without_value(settings, f"sensitive.{name}")
    if empty:
        raise SpecError(empty)
    declared |= {name: value for name, value in fields.items() if value is not None}
    return parse_spec(declared, folder=Path(path).parent, after=after)


def _without_value(settings: Any, where: str) -> Iterator[Problem]:
    """Settings in a file without a value, as in ``t:``: nothing would be asked, unseen."""
    for name, value in settings.items() if isinstance(settings, Mapping) else ():
        if value is None:
            yield Problem(f"{where}.{name}", "it has no value: give it one, or leave it out")


def parse_spec(
    declared: Mapping[str, Any], folder: Path | None = None, after: Sequence[str] = ()
) -> Spec:
    """Check what a user declares, on its own, and make a spec of it.

    Args:
        declared: the fields of the spec, as YAML or keyword arguments give them.
        folder: where relative paths count from; the working folder by default.
        after: earlier releases, in addition to those that it names.

    Raises:
        SpecError: with every problem found.
    """
    try:
        written: dict[str, str] = {}
        spec = Spec.model_validate(expanded(dict(declared), written)).with_texts(written)
    except ValidationError as error:
        raise wrong(error) from None
    spec = spec.model_copy(update=_following(spec, after))
    idle = (problem for clause in CLAUSES.values() for problem in clause.idle(spec))
    problems = [*_roles(spec), *idle, *_contradictions(spec)]
    if problems:
        raise SpecError(problems)
    return _located(spec, folder or Path())


def parse_source(declared: Any) -> Source:
    """Where records are, as the ``source`` of a spec says it; a relation's name is a table's.

    Raises:
        SpecError: if it can be no source.
    """
    if isinstance(declared, Relation):
        declared = {"table": declared.written}
    try:
        return _Sourced.model_validate(expanded({"source": declared}, {})).source
    except ValidationError as error:
        raise wrong(error) from None


class _Sourced(Declared):
    source: Annotated[Source, BeforeValidator(Source.read)]


def parse_queries(declared: str | os.PathLike[str] | Mapping[str, Any]) -> dict[str, AskedQuery]:
    """Queries of the user's own by their names, checked on their own.

    Args:
        declared: the queries, or the YAML file that holds them.

    Raises:
        SpecError: if the file cannot be read, and with every problem found.
    """
    given = declared if isinstance(declared, Mapping) else read_yaml(declared, QUERIES)
    try:
        return _Queried.model_validate({"queries": given}).queries
    except ValidationError as error:
        raise wrong(error) from None


class _Queried(Declared):
    queries: Annotated[dict[str, AskedQuery], Field(min_length=1, max_length=MOST_QUERIES)]


def parse_grid(**declared: Any) -> Grid:
    """The grid of a sweep, checked on its own.

    Args:
        **declared: the fields of a `Grid`, as the command line or keyword arguments give them.

    Raises:
        SpecError: with every problem found.
    """
    given = {name: value for name, value in declared.items() if value is not None}
    try:
        grid = Grid.model_validate(given)
    except ValidationError as error:
        raise wrong(error) from None
    if grid.is_empty:
        fields = one_of(("t", *(model.field.name for model in swept_models())))
        raise SpecError(
            "there is nothing to sweep over: give several k or l, such as 3,5,10 or 2-50, several "
            f"{fields}, such as 0.3,0.2, or several methods"
        )
    return grid


def changed(spec: Spec, **fields: Any) -> Spec:
    """The same spec with other fields, which must agree with each other as well.

    Raises:
        SpecError: if they do not.
    """
    new = spec.model_copy(update=fields)
    problems = _contradictions(new)
    if problems:
        raise SpecError(problems)
    return new


def following(spec: Spec, after: Sequence[str]) -> Spec:
    """The same spec, of a release that follows more releases than it names.

    Raises:
        SpecError: if it cannot follow them.
    """
    return changed(spec, **_following(spec, after)) if after else spec


def _following(spec: Spec, after: Sequence[str]) -> dict[str, Any]:
    """The fields of a spec by which its release follows further ones."""
    found = {
        clause.name: clause.after(spec, after)
        for clause in CLAUSES.values()
        if clause.after and after
    }
    if after and not found:
        raise SpecError(Problem("after", "no release can follow others here: leave it out"))
    return found


def _contradictions(spec: Spec) -> list[Problem]:
    """Parts of a spec that do not go together."""
    return [
        *contradictions(spec),
        *_sizes(spec),
        *_without_sensitive(spec),
        *level_problems(spec),
        *metric_problems(spec),
        *(problem for clause in CLAUSES.values() for problem in clause.problems(spec)),
        *spec.method.problems(spec),
    ]


def _sizes(spec: Spec) -> list[Problem]:
    """Sizes in a spec that contradict its k."""
    k, tried, problems = spec.privacy.k, spec.sizes, []
    if min(tried) < k:
        below = ", ".join(str(tested) for tested in tried if tested < k)
        what = f"it lists {below}, below privacy.k, the least allowed: begin with {k}, or lower it"
        problems.append(Problem("choose.k", what))
    return problems


def _without_sensitive(spec: Spec) -> list[Problem]:
    """Models of sensitive attributes that are asked for where none is declared."""
    if spec.sensitive or any(
        declaration.sensitive for declaration in spec.quasi_identifiers.values()
    ):
        return []
    return [
        Problem(f"privacy.{name}", "it is asked of sensitive attributes, and none is declared")
        for name in fields_of("sensitive")
        if getattr(spec.privacy, name) is not None
    ]


def spec_schema() -> dict[str, Any]:
    """The spec's JSON Schema, for editors, named after the version whose specs it describes."""
    names = {"$schema": GenerateJsonSchema.schema_dialect, "$id": f"urn:sqlanon:spec:{__version__}"}
    schema = Spec.model_json_schema()
    schema["required"].remove("privacy")  # one of the two is enough
    either = [{"required": ["privacy"]}, {"required": ["goal"]}]
    return names | schema | {"anyOf": either}


def _roles(spec: Spec) -> list[Problem]:
    """A column has one role only; names that differ by case alone are one name to a database."""
    problems = []
    seen: dict[str, tuple[str, str]] = {}
    for role, column in spec.roles():
        first = seen.setdefault(column.lower(), (role, column))
        if first != (role, column) or sum(pair == first for pair in spec.roles()) > 1:
            what = f"the column is already in {first[0]}: give it one role"
            if (first[0], role) == ("quasi_identifiers", "sensitive"):
                what += ", or say what must not be learned of it where it is: quasi_identifiers: "
                what += "{COLUMN: {sensitive: {t: 0.3}}}"
            problems.append(Problem(f"{role}.{column}", what))
    return list(dict.fromkeys(problems))


def _paths_written(spec: Spec, folder: Path) -> dict[str, str]:
    """How the paths of files are written that environment variables stand in, counted alike."""
    sources = [spec.source, *(table.source for table in _tables(spec).values())]
    found: dict[str, str] = {}
    for source in sources:
        written = None if source.file is None else spec.as_written(source.file)
        if source.file is not None and written != source.file:
            named = source.model_copy(update={"file": written})
            found[str(source.located(folder).file)] = str(named.located(folder).file)
    for file in _files(spec).values():
        if spec.as_written(file) != file:
            found[_path_in(folder, file)] = _path_in(folder, spec.as_written(file))
    return found


def _tables(spec: Spec) -> dict[str, Any]:
    """The declarations of clauses that name a table of their own, by their field of privacy."""
    found = {name: getattr(spec.privacy, name) for name in TABLES}
    return {name: value for name, value in found.items() if value is not None}


def _files(spec: Spec) -> dict[str, str]:
    """The files that clauses name, by their field."""
    may = {name: is_file for clause in CLAUSES.values() for name, is_file in clause.files.items()}
    named = {name: getattr(spec, name) for name in may}
    return {name: value for name, value in named.items() if value is not None and may[name](value)}


def _path_in(folder: Path, file: str) -> str:
    """The path of a file; a relative one counts from a folder."""
    return str(folder / Path(file).expanduser())


def _located(spec: Spec, folder: Path) -> Spec:
    """The same spec with its relative paths counted from the spec's folder."""

    def located(hierarchy: Any) -> Any:
        if isinstance(hierarchy, FileHierarchy):
            return hierarchy.model_copy(update={"file": folder / hierarchy.file.expanduser()})
        return hierarchy

    def columns(declared: Mapping[str, Any]) -> dict[str, Any]:
        return {
            name: column.model_copy(update={"hierarchy": located(column.hierarchy)})
            for name, column in declared.items()
        }

    def keyed(identifier: Identifier) -> Identifier:
        if identifier.key is None:
            return identifier
        return identifier.model_copy(update={"key": identifier.key.located(folder)})

    def joint(several: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(one.model_copy(update={"key": one.key.located(folder)}) for one in several)

    def several(column: Any) -> Any:
        if column.transform is None:
            return column
        found = tuple(one.with_keys_from(folder) for one in column.transform)
        return column.model_copy(update={"transform": found})

    database = spec.database
    if database is not None and product(database) == "duckdb" and not is_remote_database(database):
        database = str(folder / database)
    tables = {
        name: table.model_copy(update={"source": table.source.located(folder)})
        for name, table in _tables(spec).items()
    }
    source = spec.source.located(folder)
    spec.with_paths(_paths_written(spec, folder))
    return spec.model_copy(
        update={
            "source": source,
            "database": database,
            **{name: _path_in(folder, file) for name, file in _files(spec).items()},
            "privacy": spec.privacy.model_copy(update=tables),
            "identifiers": {
                name: keyed(declaration) for name, declaration in spec.identifiers.items()
            },
            "quasi_identifiers": columns(spec.quasi_identifiers),
            "sensitive": {name: several(given) for name, given in columns(spec.sensitive).items()},
            "insensitive": {
                name: several(declaration) for name, declaration in spec.insensitive.items()
            },
            "swap": joint(spec.swap),
            "noise": joint(spec.noise),
        }
    )
