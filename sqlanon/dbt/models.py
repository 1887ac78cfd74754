"""A plan as dbt models: a few work models, and the release, which copies what they made.

dbt builds one relation after the other, without a transaction around them. So everything is made
and measured in work models first; the published model copies it only if no check has a finding.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path, PurePosixPath

from sqlanon._version import __version__
from sqlanon.clauses.clause import Use
from sqlanon.clauses.recipe.allotment import EarlierAllotment
from sqlanon.clauses.recipe.declared import ALLOTMENT, is_recipe_file, recipe_of, takes_cells
from sqlanon.dbt.batches import Batches, batches_of
from sqlanon.dbt.folding import (
    CLASSES,
    JUDGED,
    MEASURED,
    METRICS,
    RELEASE,
    RUN,
    Copied,
    Folding,
    models_of,
)
from sqlanon.dbt.jinja import PACKAGE, no_jinja
from sqlanon.dbt.project import MARK, SCHEMA, File, Project
from sqlanon.dbt.published import Publishing, companion_model
from sqlanon.dbt.reading import SOURCE, Outside, reading, reading_recipe
from sqlanon.dbt.schema import Schema
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Search, Step, work
from sqlanon.plan.step import WORK_PREFIX
from sqlanon.planning.prepare import Prepared
from sqlanon.planning.recoding import CLASS_REPORT, prepare_release
from sqlanon.publish.publication import PublishedRelation
from sqlanon.scripts.dialects import SYNTAX
from sqlanon.source.source import RECORDS, OtherTable, short_names, table_named
from sqlanon.spec import Spec, shown_columns
from sqlanon.spec.clauses import SEARCH
from sqlanon.spec.columns import Column
from sqlanon.spec.refusals import refuse
from sqlanon.sql.dialects import data_type
from sqlanon.sql.names import Relation
from sqlanon.sql.products import PRODUCTS
from sqlanon.uses.release.record import recording

BUILDING = {product.name: product.dbt for product in PRODUCTS.values() if product.dbt is not None}
_NAME_LIMIT = 63


def write_models(
    spec: Spec,
    engine: Engine,
    project: Path,
    dialect: str | None = None,
    ref: str | None = None,
    all_metrics: bool = False,
    incremental: str | None = None,
) -> list[Path]:
    """Write the run of a spec into a dbt project as models, tests and their schema.yml.

    Files that an earlier call wrote for the same release and that are not needed any more are
    removed; people's additions to its schema.yml are kept.

    Args:
        spec: what is declared; its method must have a fixed plan.
        engine: where the source can be looked at, columns and counts only.
        project: the folder of the dbt project.
        dialect: of the database that dbt runs on, one of `BUILDING`, by default the engine's.
        ref: the model or seed that stands for the source.
        all_metrics: whether all is measured that a run measures; by default what is asked for.
        incremental: the quasi-identifier by whose labels the release grows; None where each
            build makes the whole release.

    Returns:
        The files written.

    Raises:
        SpecError: if the spec cannot be dbt models, or a file of another's is in the way.
    """
    layout = Project.of(project)
    written = dialect or engine.dialect
    files = model_files(
        spec,
        engine,
        layout,
        written,
        ref=ref,
        all_metrics=all_metrics,
        incremental=incremental,
    )
    return layout.write(spec.release, files)


def model_files(
    spec: Spec,
    engine: Engine,
    layout: Project,
    dialect: str,
    ref: str | None = None,
    all_metrics: bool = False,
    incremental: str | None = None,
) -> list[File]:
    """The files of `write_models`, not yet written."""
    refuse(spec, Use.DBT)
    if dialect not in BUILDING:
        *others, last = BUILDING
        known = f"{', '.join(others)} and {last}"
        raise SpecError(f"dbt models are written for {known}, not for {dialect}")
    if incremental and not BUILDING[dialect].at_once:
        at_once = " or ".join(name for name, there in BUILDING.items() if there.at_once)
        raise SpecError(
            f"--incremental: a release grows in one transaction, which {dialect} has not: build it "
            f"on {at_once}, or leave --incremental out"
        )
    named = spec.model_copy(update={"release": RELEASE.name})
    prepared = prepare_release(named, engine, all_metrics)
    prepared = replace(prepared, plan=prepared.plan.foreseen()).held(engine)
    outside = [*_read_outside(spec, prepared, engine, layout.folder, dialect, ref)]
    if any(isinstance(step, Search) for step in prepared.plan):
        what = SEARCH.refused[Use.DBT].format(method=spec.method.name)
        raise SpecError(Problem("method", what))
    return list(
        _Writer(
            spec=spec,
            prepared=prepared,
            engine=engine,
            layout=layout,
            dialect=dialect,
            outside=outside,
            batches=batches_of(spec, prepared, incremental) if incremental else None,
        ).files()
    )


def _read_outside(
    spec: Spec, prepared: Prepared, engine: Engine, project: Path, dialect: str, ref: str | None
) -> Iterator[Outside]:
    """The relations that models read and do not make: the source, other tables, an earlier release.

    Raises:
        SpecError: if dbt cannot read one of them.
    """
    source = OtherTable("source", spec.source, prepared.source_info.source)
    yield reading(spec.release, source, SOURCE, project, dialect, ref)
    for number, table in enumerate(prepared.tables, 1):
        yield reading(spec.release, table, work("table_", number), project, dialect, None)
    of_file = is_recipe_file(recipe_of(spec) or "")
    if not isinstance(prepared.forming, EarlierAllotment):
        if takes_cells(spec) and not of_file:
            item = engine.item(table_named(str(recipe_of(spec)), "recipe"))
            yield reading_recipe(spec, item)
    elif not of_file:
        yield reading_recipe(spec, prepared.forming.earlier, ALLOTMENT)
    else:
        what = (
            "it has values of records, which a dbt project must not hold: name the release whose "
            "run kept them, where dbt can read it"
        )
        raise SpecError(Problem("recipe", what))


@dataclass(frozen=True)
class _Writer:
    spec: Spec
    prepared: Prepared
    engine: Engine
    layout: Project
    dialect: str
    outside: Sequence[Outside]
    batches: Batches | None

    def files(self) -> Iterator[File]:
        for relation in self.models:
            yield self._work(relation)
        yield self._published()
        yield from self._companions()
        yield self._schema()

    @property
    def published(self) -> list[Relation]:
        """The relations that are published, the release first."""
        return [relation.relation for relation in self.prepared.publication.relations]

    @cached_property
    def models(self) -> dict[Relation, str]:
        """The work models' names."""
        return {relation: self._name(f"work_{short}") for relation, short in self.short.items()}

    @cached_property
    def short(self) -> dict[Relation, str]:
        """The relations with a work model, and the last part of each model's name."""
        steps = [step for step in self.prepared.plan if isinstance(step, Step)]
        planned = {step.output for step in steps}
        alone = any(step.template == CLASS_REPORT for step in steps)
        measured = CLASSES if alone else MEASURED
        models = models_of(self.published, self.prepared.is_recoded, measured)
        read = {relation: relation.name.removeprefix(WORK_PREFIX) for relation in self.fixed}
        return read | {
            relation: short
            for relation, short in models.items()
            if relation in planned | {measured, JUDGED}
        }

    @cached_property
    def fixed(self) -> list[Relation]:
        """The relations that are read of tables that stand elsewhere, the records first.

        Each is read once: dbt has no transaction in which a table would stand still.
        """
        others = {
            outside_relation.item
            for outside_relation in self.outside
            if outside_relation.called != SOURCE
        }
        steps = [step for step in self.prepared.plan if isinstance(step, Step)]
        read = [step.output for step in steps if others & {*step.inputs.values()}]
        return [*dict.fromkeys([RECORDS, *read])]

    @cached_property
    def folding(self) -> Folding:
        known = replace(self.prepared, spec=self.spec)
        facts = [("engine", f"dbt models in {self.dialect}")]
        if self.batches is not None:
            facts += [("grows_by", self.batches.name), ("labels_mean", self.batches.meaning)]
        run = replace(recording(known, self.engine, facts, {}), output=RUN)
        plan = [step for step in self.prepared.plan if not isinstance(step, Search)]
        return Folding(
            plan=[*plan, run],
            published=self.published,
            outside=self.outside,
            models=self.models,
            short=self.short,
            dialect=self.dialect,
            batches=self.batches,
            release=self.spec.release,
        )

    def _name(self, suffix: str) -> str:
        """The name of a model or of a companion of the release."""
        name = f"{self.spec.release}__{suffix}"
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

    def _work(self, relation: Relation) -> File:
        fixed = "fixed=true" if relation in self.fixed else ""
        sql = self.folding.judged() if relation == JUDGED else self.folding.work(relation)
        head = self._head(self._title(relation), read=sql)
        text = f"{head}{{{{ {PACKAGE}.work_model({fixed}) }}}}\n{sql}"
        folder = (self.layout.models, self.spec.release, "work")
        return File(PurePosixPath(*folder, f"{self.models[relation]}.sql"), text)

    def _title(self, relation: Relation) -> str:
        step = self.folding.step(relation)
        return f"{step.title}: {step.grain}"

    def _head(self, title: str = "", read: str = "") -> str:
        """The comments at the head of a file, with the short names of columns that it reads."""
        mark = f"{MARK} {__version__}: change the spec and write it again."
        lines = [mark, *([title] if title else []), *short_names(self.spec, read)]
        return "".join(f"-- {no_jinja(line)}\n" for line in lines)

    @cached_property
    def companions(self) -> dict[str, Copied]:
        """The companions of the release, by what follows its name."""
        made = [CLASSES, METRICS, RUN, *self.published[1:]]
        return {_suffix(relation): self.folding.copied(relation) for relation in made}

    def _published(self) -> File:
        (release, *_) = self.prepared.publication.relations
        read = {_suffix(relation.relation) for relation in self.prepared.publication.for_readers}
        publishing = Publishing(
            release=self.folding.copied(RELEASE),
            numbers=self._numbers(release),
            companions=self.companions,
            for_readers=read - {""},
            work=list(self.short.values()),
            checks=len(self.folding.checks),
            facts=self.folding.facts,
            growth=self.folding.growth,
        )
        head = self._head("the release and its proof, once every check has passed")
        name = f"{self.spec.release}.sql"
        path = PurePosixPath(self.layout.models, self.spec.release, name)
        return File(path, head + publishing.text())

    def _companions(self) -> Iterator[File]:
        for suffix in self.companions:
            text = companion_model(self.spec.release, suffix)
            path = PurePosixPath(self.layout.models, self.spec.release, f"{self._name(suffix)}.sql")
            yield File(path, self._head() + text)

    def _schema(self) -> File:
        described = {name: self._title(relation) for relation, name in self.models.items()}
        schema = Schema(
            spec=self.spec,
            prepared=self.prepared,
            types=self._types(),
            described=described,
            fixed=[self.models[relation] for relation in self.fixed],
            judged=self.models[JUDGED],
            companions={suffix: copied.columns for suffix, copied in self.companions.items()},
            grows=self.batches is not None,
            reads_values=BUILDING[self.dialect].reads_values,
            sources=[
                source for outside_relation in self.outside for source in outside_relation.sources
            ],
        )
        path = PurePosixPath(self.layout.models, self.spec.release, SCHEMA)
        head = f"{MARK}; your additions here stay when it is written again."
        return File(path, f"# {head}\n{schema.text()}")

    def _types(self) -> dict[str, str]:
        """The columns of the release with their types, in order."""
        made = {"integer": "bigint"}
        text = SYNTAX[self.dialect].text
        return {
            column.name: made.get(column.kind, text)
            if column.source is None
            else self._type(column.source)
            for column in self.prepared.publication.relations[0].columns
        }

    @cached_property
    def columns(self) -> Mapping[str, Column]:
        """The source's columns with the types that the release shows."""
        return shown_columns(self.spec, self.prepared.source_info.columns)

    def _numbers(self, published: PublishedRelation) -> dict[str, str]:
        """The types of the columns that hold numbers of the source.

        A seed may hold the same numbers in another type than the file it is made of.
        """
        return {
            column.name: self._type(column.source)
            for column in published.columns
            if column.source and self.columns[column.source].kind in ("integer", "number")
        }

    def _type(self, column: str) -> str:
        declared = self.columns[column].type
        return data_type(declared, self.engine.dialect, self.dialect)


def _suffix(relation: Relation) -> str:
    """The part of a companion's name that follows the release's name."""
    return relation.name.removeprefix(RELEASE.name).removeprefix("__")
