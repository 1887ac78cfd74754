"""A plan as dbt models: a file for each step, with ref() where the plan reads its own relations.

dbt builds one relation after the other, without a transaction around them. So everything is made
and measured in work models first; the published models copy it only if no check has a finding.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

import yaml

import sqlanon
from sqlanon.dbt.declared import declared_tests
from sqlanon.engines import Engine
from sqlanon.engines.script import message
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Check, How, Search, Step, work
from sqlanon.plan.step import WORK_PREFIX
from sqlanon.release import Prepared, prepare
from sqlanon.release.run import recording
from sqlanon.release.source import RECORDS
from sqlanon.spec import Spec
from sqlanon.sql import Relation, columns_of, load_template
from sqlanon.sql.names import literal

# Names that no column of a template's own has, so that they are known wherever they stand.
_RELEASE, _SOURCE, _REFUSALS = Relation("the release"), Relation("the source"), work("refusals")
DIALECTS = ("duckdb", "postgres")
_NAME_LIMIT = 63
_MARK = "Written by sqlanon"
_MATERIALIZED = {How.WORK_TABLE: "table", How.WORK_VIEW: "view", How.TABLE: "table"}
_TOKENS = re.compile(
    r"""(--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*")""",
    re.DOTALL,
)


@dataclass(frozen=True)
class File:
    """A file of a dbt project: its place below the project's folder, and its text."""

    path: PurePosixPath
    text: str


@dataclass(frozen=True)
class Place:
    """A dbt project's folder, and where in it the models and the tests are."""

    project: Path
    models: str = "models"
    tests: str = "tests"

    @classmethod
    def of(cls, project: Path) -> Place:
        """As ``dbt_project.yml`` says.

        Raises:
            SpecError: if the folder holds no dbt project.
        """
        try:
            text = (project / "dbt_project.yml").read_text(encoding="utf-8")
        except OSError:
            raise SpecError(
                f"there is no dbt_project.yml in {str(project)!r}: name the folder of a dbt project"
            ) from None
        try:
            declared = yaml.safe_load(text)
            paths = {key: declared.get(f"{key}-paths", [f"{key}s"])[0] for key in ("model", "test")}
        except (yaml.YAMLError, AttributeError, IndexError, KeyError):
            raise SpecError(
                "dbt_project.yml cannot be read: no model-paths or test-paths"
            ) from None
        return cls(project, paths["model"], paths["test"])


def write_models(
    spec: Spec, engine: Engine, project: Path, dialect: str | None = None, ref: str | None = None
) -> list[Path]:
    """Write the run of a spec into a dbt project as models, tests and their schema.yml.

    Files that an earlier call wrote for the same release and that are not needed any more are
    removed.

    Args:
        spec: what is declared; its method must have a fixed plan.
        engine: where the source can be looked at, columns and counts only.
        project: the folder of the dbt project.
        dialect: of the database that dbt runs on: ``duckdb`` or ``postgres``, by
            default the engine's.
        ref: the model or seed that stands for the source.

    Returns:
        The files written.

    Raises:
        SpecError: if the spec cannot be dbt models, or a file of another's is in the way.
    """
    place = Place.of(project)
    files = model_files(spec, engine, place, dialect or engine.dialect, ref)
    folders = [project / place.models / spec.release, project / place.tests / spec.release]
    old = [path for folder in folders for path in sorted(folder.rglob("*")) if path.is_file()]
    wanted = {project / file.path: file.text for file in files}
    foreign = [path for path in old if _MARK not in path.read_text(encoding="utf-8")[:200]]
    if foreign:
        raise SpecError(
            f"{str(foreign[0])!r} was not written by sqlanon, and the folder would be written "
            "anew: move it elsewhere"
        )
    for path in old:
        if path not in wanted:
            path.unlink()
    for path, text in wanted.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(wanted)


def model_files(
    spec: Spec, engine: Engine, place: Place, dialect: str, ref: str | None = None
) -> list[File]:
    """The files of `write_models`, not yet written."""
    _refuse(spec)
    if dialect not in DIALECTS:
        raise SpecError(f"dbt models are written for {' and '.join(DIALECTS)}, not for {dialect}")
    prepared = prepare(spec.model_copy(update={"release": _RELEASE.name}), engine)
    reading, sources = _reading(spec, prepared.ground.source, place.project, dialect, ref)
    if any(isinstance(step, Search) for step in prepared.plan):
        raise SpecError(
            Problem(
                "method",
                f"{spec.method.name} asks the data what to do next, and dbt models are fixed "
                "beforehand: use stack_and_deal, or a Python model",
            )
        )
    return list(_Writer(spec, prepared, engine, place, dialect, reading, sources).files())


def _refuse(spec: Spec) -> None:
    problems = []
    if spec.choose is not None:
        what = "dbt models are of one k: let `sqlanon sweep` name it, and declare it"
        problems.append(Problem("choose", what))
    if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", spec.release):
        what = "as the name of a dbt model it must be letters, digits and _ alone, with no schema"
        problems.append(Problem("release", f"{what}: the project chooses the schema"))
    if spec.materialize != "table":
        problems.append(
            Problem("materialize", "a release made by dbt is a table: a view could change")
        )
    if problems:
        raise SpecError(problems)


def _reading(
    spec: Spec, item: str, project: Path, dialect: str, ref: str | None
) -> tuple[str, list[dict[str, Any]]]:
    """How a model reads the source, here an item of FROM, and the sources to declare for it."""
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
        path = source.file if Path(source.file).is_absolute() else Path(at).as_posix()
        name, schema = "records", f"{spec.release}__source"
        # dbt-duckdb fills braces in, as str.format does.
        placed = item.replace(literal(source.file), literal(path), 1)
        location = re.sub(r"([{}])", r"\1\1", placed)
        table = {"name": name, "config": {"meta": {"external_location": location}}}
        declared = [{"name": schema, "tables": [table]}]
        read = f"{{{{ source('{schema}', '{name}') }}}}"
    elif source.table is not None:
        relation = Relation.parse(source.table)
        name = relation.name
        if not all(re.fullmatch(r"\w+", part) for part in (*relation.path, name)):
            raise SpecError(Problem("source", f"{source.table!r} is no name for dbt: {mend}"))
        read, declared = f"{{{{ ref('{name}') }}}}", []
        if relation.path:
            *catalog, schema = relation.path
            one: dict[str, Any] = {"name": schema, "schema": schema, "tables": [{"name": name}]}
            declared = [one | ({"database": catalog[0]} if catalog else {})]
            read = f"{{{{ source('{schema}', '{name}') }}}}"
    else:
        raise SpecError(Problem("source", f"a query must be a model of its own: {mend}"))
    if not declared and name.lower() == spec.release.lower():
        raise SpecError(Problem("release", "it is the source; the source is never written"))
    return read, declared


@dataclass(frozen=True)
class _Writer:
    spec: Spec
    prepared: Prepared
    engine: Engine
    place: Place
    dialect: str
    reading: str
    sources: list[dict[str, Any]]

    def files(self) -> Iterator[File]:
        record = self._recording()
        steps = [step for step in self.prepared.plan if isinstance(step, Step)] + [record]
        checks = [step for step in self.prepared.plan if isinstance(step, Check)]
        described = []
        for step in steps:
            yield self._work(step.output, step.how, step.title, self._text(self._placed(step)))
            described.append((step.output, f"{step.title}: {_grain(step)}"))
        yield self._work(_REFUSALS, How.WORK_TABLE, "what the checks found", self._found(checks))
        described.append((_REFUSALS, "what the checks found: no row, or nothing is published"))
        published = [step for step in steps if step.output.name.startswith(_RELEASE.name)]
        columns = [columns_of(step.sql("portable")) for step in published]
        for step, names in zip(published, columns, strict=True):
            yield self._published(step, names)
        for number, check in enumerate(checks, 1):
            yield self._test(number, check)
        yield self._schema(columns[0], described)

    def _recording(self) -> Step:
        known = replace(self.prepared, spec=self.spec)
        facts = [("engine", f"dbt models in {self.dialect}")]
        return replace(recording(known, self.engine, facts), output=_RELEASE.beside("run"))

    def _placed(self, step: Step) -> Step:
        """What a step reads of the source it reads of what dbt knows as the source."""
        if step.inputs.get("source") != self.prepared.ground.source:
            return step
        return replace(step, inputs={**step.inputs, "source": _SOURCE})

    def _name(self, relation: Relation) -> str:
        """The model in which a relation is made."""
        what = relation.name.removeprefix(WORK_PREFIX)
        if relation.name.startswith(_RELEASE.name):
            what = {"": "release", "__classes": "class_report"}.get(
                relation.name.removeprefix(_RELEASE.name),
                relation.name.removeprefix(_RELEASE.name + "__"),
            )
        return self._short(f"{self.spec.release}__work_{what}")

    def _short(self, name: str) -> str:
        if len(name) > _NAME_LIMIT:
            most = _NAME_LIMIT - len(name) + len(self.spec.release)
            raise SpecError(
                Problem(
                    "release",
                    f"the model {name!r} would have more than {_NAME_LIMIT} "
                    f"characters: give the release a name of at most {most}",
                )
            )
        return name

    def _text(self, step: Step | Check) -> str:
        # The portable text takes its order from columns, never from where a row happens to stand.
        return step.sql("portable" if self.dialect == "duckdb" else self.dialect)

    def _model(self, sql: str) -> str:
        """SQL as the text of a model: relations by ref(), and no braces that dbt would read."""
        parts, before = [], ""
        for token in _TOKENS.split(sql):
            known = self._known(token) if re.search(r"\b(from|join)\s+$", before) else None
            parts.append(_no_jinja(token) if known is None else known)
            before = token
        return "".join(parts).strip() + "\n"

    def _known(self, token: str) -> str | None:
        if token == _SOURCE.sql:
            return self.reading
        relation = Relation(token.strip('"'))
        ours = token.startswith((f'"{WORK_PREFIX}', f'"{_RELEASE.name}'))
        return f"{{{{ ref('{self._name(relation)}') }}}}" if ours else None

    def _file(self, name: str, how: str, title: str, sql: str, *folder: str) -> File:
        head = f"{{{{ config(materialized='{how}') }}}}\n" if how else ""
        text = f"{head}-- {_mark()}\n-- {_no_jinja(title)}\n{self._model(sql)}"
        return File(PurePosixPath(*folder, f"{name}.sql"), text)

    def _work(self, relation: Relation, how: How, title: str, sql: str) -> File:
        # The records are read once: dbt has no transaction in which the source would stand still.
        materialized = "table" if relation == RECORDS else _MATERIALIZED[how]
        folder = (self.place.models, self.spec.release, "work")
        return self._file(self._name(relation), materialized, title, sql, *folder)

    def _published(self, step: Step, columns: Sequence[str]) -> File:
        release = Relation(self.spec.release + step.output.name.removeprefix(_RELEASE.name))
        made = Step(
            "publishing",
            release,
            "release/published",
            {"candidate": step.output, "refusals": _REFUSALS},
            {"columns": [{"name": name} for name in columns]},
        )
        folder = (self.place.models, self.spec.release)
        title = f"{step.title}, once every check has passed"
        return self._file(self._short(release.name), "table", title, self._text(made), *folder)

    def _said(self, check: Check) -> str:
        """A check's query as rows of one message each."""
        found = self._text(check).strip()
        said = f"cast({message(check, self.dialect)} as varchar)"
        return f"select {said} as message\nfrom (\n{found}\n) as found"

    def _found(self, checks: Iterable[Check]) -> str:
        return "\nunion all\n".join(self._said(check) for check in checks)

    def _test(self, number: int, check: Check) -> File:
        slug = re.sub(r"[^a-z0-9]+", "_", check.title.lower()).strip("_")[:40]
        name = f"{self.spec.release}__check_{number:02}_{slug}"
        folder = (self.place.tests, self.spec.release)
        return self._file(name, "", check.title, self._said(check), *folder)

    def _schema(self, columns: Sequence[str], described: list[tuple[Relation, str]]) -> File:
        # What stands for the quasi-identifiers comes first.
        width = len(columns) - len(self.spec.sensitive) - len(self.spec.insensitive)
        hidden, others = columns[:width], columns[width:]
        release = {
            "name": self.spec.release,
            "description": "the anonymized release: a row for each record of the source",
            "columns": [
                *(
                    {"name": name, "description": "quasi-identifier, generalized"}
                    for name in hidden
                ),
                *({"name": name, "description": self._role(name)} for name in others),
            ],
            "data_tests": declared_tests(
                self.prepared.measurement.models,
                hidden,
                self.spec.privacy.k,
                f"ref('{self._name(RECORDS)}')",
            ),
        }
        about = {
            "classes": "what was measured in every equivalence class; for the publisher alone",
            "metrics": "what the release reached, beside what was asked for",
            "run": "the facts of the run: spec, fingerprint, versions",
        }
        models = [release]
        models += [
            {"name": f"{self.spec.release}__{suffix}", "description": text}
            for suffix, text in about.items()
        ]
        models += [
            {"name": self._name(relation), "description": text} for relation, text in described
        ]
        document = {"version": 2, "sources": self.sources, "models": models}
        if not self.sources:
            del document["sources"]
        text = yaml.safe_dump(_escaped(document), sort_keys=False, allow_unicode=True, width=100)
        path = PurePosixPath(self.place.models, self.spec.release, "schema.yml")
        return File(path, f"# {_mark()}\n{text}")

    def _role(self, name: str) -> str:
        return "sensitive" if name in self.spec.sensitive else "as in the source"


def _mark() -> str:
    return f"{_MARK} {sqlanon.__version__}: change the spec and write it anew."


def _grain(step: Step) -> str:
    return load_template(step.template).header["grain"]


def _no_jinja(text: str) -> str:
    """Text in which dbt finds nothing to fill in."""
    return re.sub(r"\{(?=[{%#])", "{{ '{' }}", text)


def _escaped(value: Any) -> Any:
    if isinstance(value, str):
        return _no_jinja(value)
    if isinstance(value, Mapping):
        return {key: _escaped(one) for key, one in value.items()}
    return [_escaped(one) for one in value] if isinstance(value, list) else value
