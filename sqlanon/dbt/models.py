"""A plan as dbt models: a file for each step, with ref() where the plan reads its own relations.

dbt builds one relation after the other, without a transaction around them. So everything is made
and measured in work models first; the published model copies it only if no check has a finding.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from sqlanon._version import __version__
from sqlanon.dbt.project import MARK, SCHEMA, File, Place
from sqlanon.dbt.published import INVOCATION, STAMP, published_model
from sqlanon.dbt.reading import reading
from sqlanon.dbt.schema import no_jinja, schema_text
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Check, How, Search, Step, work
from sqlanon.plan.step import WORK_PREFIX
from sqlanon.release import Prepared, prepare
from sqlanon.release.run import recording
from sqlanon.release.source import RECORDS
from sqlanon.scripts import message
from sqlanon.spec import Spec
from sqlanon.sql import Relation, columns_of, data_type, load_template
from sqlanon.sql.names import Sql
from sqlanon.sql.products import PRODUCTS

# Names that no column of a template's own has, so that they are known wherever they stand.
_RELEASE, _SOURCE, _REFUSALS = Relation("the release"), Relation("the source"), work("refusals")
DIALECTS = tuple(one.name for one in PRODUCTS.values() if one.dbt)
_NAME_LIMIT = 63
_INVOCATION = "the invocation"  # stands for dbt's own, as a constant
_MATERIALIZED = {How.WORK_TABLE: "table", How.WORK_VIEW: "view", How.TABLE: "table"}
_TOKENS = re.compile(
    r"""(--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"(?:[^"]|"")*")""",
    re.DOTALL,
)


def write_models(
    spec: Spec, engine: Engine, project: Path, dialect: str | None = None, ref: str | None = None
) -> list[Path]:
    """Write the run of a spec into a dbt project as models, tests and their schema.yml.

    Files that an earlier call wrote for the same release and that are not needed any more are
    removed; what people added to its schema.yml is kept.

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
    return place.write(spec.release, files)


def model_files(
    spec: Spec, engine: Engine, place: Place, dialect: str, ref: str | None = None
) -> list[File]:
    """The files of `write_models`, not yet written."""
    _refuse(spec)
    if dialect not in DIALECTS:
        raise SpecError(f"dbt models are written for {' and '.join(DIALECTS)}, not for {dialect}")
    prepared = prepare(spec.model_copy(update={"release": _RELEASE.name}), engine)
    read, sources = reading(spec, str(prepared.ground.source), place.project, dialect, ref)
    if any(isinstance(step, Search) for step in prepared.plan):
        raise SpecError(
            Problem(
                "method",
                f"{spec.method.name} asks the data what to do next, and dbt models are fixed "
                "beforehand: use stack_and_deal, or a Python model",
            )
        )
    return list(_Writer(spec, prepared, engine, place, dialect, read, sources).files())


def _refuse(spec: Spec) -> None:
    problems = []
    if spec.person:
        what = "dbt models and their tests count records, not persons: run it, or compile a script"
        problems.append(Problem("person", what))
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
        steps = [step for step in self.prepared.plan if isinstance(step, Step)]
        steps.append(self._recording())
        checks = [step for step in self.prepared.plan if isinstance(step, Check)]
        described = {}
        for step in steps:
            sql = self._text(self._placed(step))
            published = step.output.name.startswith(_RELEASE.name)
            yield self._work(step.output, step.how, step.title, _stamped(sql) if published else sql)
            described[self._name(step.output)] = f"{step.title}: {_grain(step)}"
        yield self._work(_REFUSALS, How.WORK_TABLE, "what the checks found", self._found(checks))
        described[self._name(_REFUSALS)] = "what the checks found: one row if it is nothing"
        yield self._published(steps, list(described))
        for number, check in enumerate(checks, 1):
            yield self._test(number, check)
        yield self._schema(steps, described)

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
        tokens = _TOKENS.split(sql)
        for token, after in zip(tokens, [*tokens[1:], ""], strict=True):
            known = self._known(token) if re.search(r"\b(from|join)\s+$", before) else None
            if known and self.dialect == "postgres" and re.match(r"\s+as\b", after):
                # With --empty dbt gives the relation a name, and it can have but one.
                known = f"(select * from {known})"
            if token == f"'{_INVOCATION}'":
                known = f"'{INVOCATION}'"
            parts.append(no_jinja(token) if known is None else known)
            before = token
        return "".join(parts).strip() + "\n"

    def _known(self, token: str) -> str | None:
        if token == _SOURCE.sql:
            return self.reading
        relation = Relation(token.strip('"'))
        ours = token.startswith((f'"{WORK_PREFIX}', f'"{_RELEASE.name}'))
        return f"{{{{ ref('{self._name(relation)}') }}}}" if ours else None

    def _file(self, name: str, how: str, title: str, sql: str, *folder: str) -> File:
        # A contract is for readers: it is on the release, in schema.yml.
        head = f"{{{{ config(materialized='{how}', contract={{'enforced': false}}) }}}}\n"
        text = f"{head if how else ''}{_head(title)}{self._model(sql)}"
        return File(PurePosixPath(*folder, f"{name}.sql"), text)

    def _work(self, relation: Relation, how: How, title: str, sql: str) -> File:
        # The records are read once: dbt has no transaction in which the source would stand still.
        materialized = "table" if relation == RECORDS else _MATERIALIZED[how]
        folder = (self.place.models, self.spec.release, "work")
        return self._file(self._name(relation), materialized, title, sql, *folder)

    def _published(self, steps: Iterable[Step], made: list[str]) -> File:
        selects = {}
        for step in steps:
            if step.output.name.startswith(_RELEASE.name):
                names = columns_of(step.sql("portable"))
                types = self._numbers(step) if step.output == _RELEASE else {}
                columns = [{"name": name, "type": types.get(name)} for name in names]
                publishing = Step(
                    "publishing",
                    step.output,
                    "release/published",
                    {"candidate": step.output, "refusals": _REFUSALS},
                    {"columns": columns, "invocation": _INVOCATION},
                )
                suffix = step.output.name.removeprefix(_RELEASE.name).removeprefix("__")
                selects[suffix] = self._model(self._text(publishing))
        release = selects.pop("")
        mark = _head("the release and what stands beside it, once every check has passed")
        text = published_model(release, selects, made, self._name(_REFUSALS), mark)
        for suffix in selects:
            self._short(f"{self.spec.release}__{suffix}")
        name = f"{self.spec.release}.sql"
        return File(PurePosixPath(self.place.models, self.spec.release, name), text)

    def _said(self, check: Check) -> str:
        """A check's query as rows of one message each."""
        found = self._text(check).strip()
        said = f"cast({message(check, self.dialect)} as varchar)"
        return f"select {said} as message\nfrom (\n{found}\n) as found"

    def _found(self, checks: Iterable[Check]) -> str:
        # A row that says nothing shows that the checks were made.
        said = ["select cast(null as varchar) as message", *map(self._said, checks)]
        return _stamped("\nunion all\n".join(said))

    def _test(self, number: int, check: Check) -> File:
        """A test that fails with what the check found."""
        slug = re.sub(r"[^a-z0-9]+", "_", check.title.lower()).strip("_")[:40]
        name = f"{self.spec.release}__check_{number:02}_{slug}"
        folder = (self.place.tests, self.spec.release)
        sql = (
            f"select refused.message\nfrom (\nselect string_agg(said.message, '; ') as message\n"
            f"from (\n{self._said(check)}\n) as said\n) as refused\n"
            "where cast(refused.message as boolean)"
        )
        return self._file(name, "", check.title, sql, *folder)

    def _schema(self, steps: Iterable[Step], described: dict[str, str]) -> File:
        release = next(step for step in steps if step.output == _RELEASE)
        types, records = self._types(release), self._name(RECORDS)
        text = schema_text(self.spec, self.prepared, types, described, records, self.sources)
        path = PurePosixPath(self.place.models, self.spec.release, SCHEMA)
        head = f"{MARK}; what you add here is kept when it is written anew."
        return File(path, f"# {head}\n{text}")

    def _types(self, release: Step) -> dict[str, str]:
        """The columns of the release with their types, in order."""
        text = "varchar" if self.dialect == "duckdb" else "text"
        return {
            name: text if column is None else self._type(column)
            for name, column in self._origins(release).items()
        }

    def _numbers(self, release: Step) -> dict[str, Sql]:
        """The types of its columns that hold numbers of the source, in the templates' dialect.

        A seed may hold the same numbers in another type than the file it is made of.
        """
        return {
            name: Sql(data_type(self._type(column), self.dialect, "duckdb"))
            for name, column in self._origins(release).items()
            if column and self.prepared.ground.columns[column].kind in ("integer", "number")
        }

    def _origins(self, release: Step) -> dict[str, str | None]:
        """For every column of the release the one it has its type of; None for made text."""
        names = {f"q{at}": name for at, name in enumerate(self.spec.quasi_identifiers, 1)}
        found: dict[str, str | None] = {
            one.name: names[one.attribute] if one.form in ("lower", "upper") else None
            for one in release.params["published"]
        }
        return found | {name: name for name in (*self.spec.sensitive, *self.spec.insensitive)}

    def _type(self, column: str) -> str:
        declared = self.prepared.ground.columns[column].type
        return data_type(declared, self.engine.dialect, self.dialect)


def _stamped(sql: str) -> str:
    """A SELECT with the invocation of dbt that makes its relation."""
    return f"select made.*, '{_INVOCATION}' as {STAMP}\nfrom (\n{sql.strip()}\n) as made"


def _head(title: str) -> str:
    mark = f"{MARK} {__version__}: change the spec and write it anew."
    return f"-- {mark}\n-- {no_jinja(title)}\n"


def _grain(step: Step) -> str:
    return load_template(step.template).header["grain"]
