"""Planning a release: the whole way from the source to the gate, as frozen steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.judge.gate import enough_for_subsets, enough_records, limits
from sqlanon.judge.judge import judge
from sqlanon.kept.ownership import ALLOTMENT, NODES, Ownership, reserved, written
from sqlanon.measure import SHARES, MeasurementPlan, share_steps
from sqlanon.methods import Grouping, Task
from sqlanon.methods.allotment import Allotment, EarlierAllotment, allotment_of
from sqlanon.methods.recipe import EarlierCells
from sqlanon.pages.inline import table
from sqlanon.plan import Check, Materialization, Phase, Plan, Step, work
from sqlanon.planning.assign import assignment, forming_of, task_of
from sqlanon.planning.recipe import following_recipe, taken_classes
from sqlanon.publish import Grouped, Persons, Publication, Suppression, publisher_of
from sqlanon.series.companions import follows
from sqlanon.series.earlier import earlier_releases, other_releases
from sqlanon.series.kept import Kept, Other, kept_names
from sqlanon.series.linked import Link, linked, links_of
from sqlanon.series.series import gate_steps
from sqlanon.source.attributes import (
    compared,
    quasi_attributes,
    released_as_they_are,
    sensitive_attributes,
)
from sqlanon.source.background import background_attributes, background_tables
from sqlanon.source.guard import guard_attributes
from sqlanon.source.identifiers import identifier_steps
from sqlanon.source.persons import (
    NUMBER,
    ONE_RECORD,
    PERSON_SIZE,
    PERSONS,
    one_record_step,
    person_steps,
)
from sqlanon.source.population import people_of, values_of
from sqlanon.source.pseudonyms import misfits, pseudonym_columns
from sqlanon.source.source import (
    COUNTING,
    RECORDS,
    SIZE,
    aliases,
    check_not_read,
    check_not_source,
    records_step,
    table_named,
)
from sqlanon.source.source_info import SourceInfo
from sqlanon.source.transforms import CHANGES, transform_steps, without_noise
from sqlanon.spec import Spec, shown_columns, with_distances
from sqlanon.spec.clause import Use
from sqlanon.spec.foreign import is_file_name
from sqlanon.spec.levels import levels_are_fixed
from sqlanon.spec.publication import least_class
from sqlanon.spec.refusals import refuse
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

_NO_FILE = (
    "is named like a file, and a release is a table of the database: name it like one; then "
    "write it to a file with sqlanon run --output FILE"
)


_FOREIGN = (
    "it would stand in an attached database of the kind {kind}, in which a run cannot publish all "
    "of it or nothing and keep the proof from readers: {cure}"
)
_CURES = {"postgres": "run in that database itself, by --database postgresql://…"}
_COPY = "publish it in a DuckDB database, and copy from there, as by create table … as from {name}"
_FOREIGN_VIEW = (
    "a view of the release cannot be published in an attached database of the kind {kind}: leave "
    "it out, for a table"
)


@dataclass(frozen=True, repr=False)
class Prepared:
    """A release that is planned and not yet made.

    Attributes:
        spec: what was declared.
        release: the relation to make.
        plan: everything that makes, measures and checks it.
        publication: what is published, and what a reader can tie together of it.
        measurement: what is measured of that.
        source_info: what was known of the source.
        earlier: what the releases kept that it follows.
        coding: the step of the plan that codes the records.
        looking_at_insensitive: those that find what insensitive columns say of single records.
        grouped: the records in classes, of which the publication was made.
        keeps_nodes: whether the choices of levels that a search judges are kept.
        allotment: what is kept of the classes for a recipe, if the spec asks for it.
        taken: the classes of an earlier release that are taken over, if any are.
        is_recoded: whether labels follow from a record's values alone, without codes or cells.
    """

    spec: Spec
    release: Relation
    plan: Plan = field(repr=False)
    publication: Publication = field(repr=False)
    measurement: MeasurementPlan = field(repr=False)
    source_info: SourceInfo = field(repr=False)
    earlier: tuple[Kept, ...] = field(default=(), repr=False)
    coding: Step | None = field(default=None, repr=False)
    looking_at_insensitive: tuple[Step | Check, ...] = field(default=(), repr=False)
    grouped: Grouped = field(kw_only=True, repr=False)
    keeps_nodes: bool = False
    allotment: Allotment | None = field(default=None, repr=False)
    taken: EarlierCells | EarlierAllotment | None = field(default=None, repr=False)
    is_recoded: bool = field(default=False, repr=False)

    def __repr__(self) -> str:
        return f"Prepared({self.release}, {len(self.plan)} steps)"

    def _repr_html_(self) -> str:
        steps = [(str(at), *step) for at, step in enumerate(self.plan.explain(), 1)]
        return table(f"{self.release}: what a run does", ("", "relation", "is", "what"), steps)

    @property
    def written(self) -> tuple[Relation, ...]:
        """All that stays after the run; the release first."""
        published = (one.relation for one in self.publication.relations)
        return written(published, _kept(self.spec, self.keeps_nodes))

    @property
    def kept(self) -> tuple[Relation, ...]:
        """What is kept for later releases, if it is one of a series; the measures last."""
        return tuple(map(self.release.beside, kept_names(self.spec)))

    @property
    def kept_columns(self) -> dict[Relation, tuple[str, ...]]:
        """The columns of what is kept for a recipe, by the relation, if anything is."""
        one = self.allotment
        return {} if one is None else {one.step.output: one.names}

    @property
    def unreleased(self) -> tuple[str, ...]:
        """The source's columns that have no role and so are not released."""
        return self.source_info.unreleased

    @property
    def types(self) -> dict[str, str]:
        """The types in which the columns of a text file are read; none of another source."""
        if not self.spec.source.is_text:
            return {}
        return {name: column.type for name, column in self.source_info.columns.items()}


def prepare(
    spec: Spec, engine: Engine, source: Sql | None = None, asked_only: bool = False
) -> Prepared:
    """Plan a release: check the spec against its source and lay out every step.

    Nothing is written. The source's columns are read, and nothing else of it.

    Args:
        spec: what is declared.
        engine: where the source lies and the release goes.
        source: a FROM item, where the source is nothing that a spec can name.
        asked_only: whether nothing is measured but what the spec asks for.

    Raises:
        SpecError: if the spec does not fit the source.
    """
    spec = following_recipe(spec, engine)
    release = check_target(spec, engine)
    source_info = SourceInfo.of(spec, engine, source)
    spec = with_distances(spec, source_info.columns)
    problems = list(misfits(spec, source_info.columns))
    if problems:
        raise SpecError(problems)
    if spec.source.file is None:
        check_not_read(reserved(release), source_info.source, engine)
    earlier = earlier_releases(spec, release, source_info.columns, engine)
    others = other_releases(spec, release, source_info.columns, earlier, engine)
    links = links_of(spec, earlier, engine)
    return build_plan(
        spec,
        source_info=source_info,
        release=release,
        earlier=earlier,
        others=others,
        links=links,
        asked_only=asked_only,
    )


def build_plan(
    spec: Spec,
    source_info: SourceInfo,
    release: Relation | None = None,
    earlier: tuple[Kept, ...] = (),
    others: tuple[Other, ...] = (),
    links: tuple[Link, ...] = (),
    asked_only: bool = False,
) -> Prepared:
    """The plan of a release whose source is known.

    Args:
        spec: what is declared.
        source_info: what is known of its source.
        release: the relation to make; without one it is a trial, of work relations alone.
        earlier: what the releases kept that it follows.
        others: what releases keep that it does not follow.
        links: the earlier releases whose rows readers may join with its own.
        asked_only: whether nothing is measured but what the spec asks for.
    """
    spec = with_distances(spec, source_info.columns)
    is_trial = release is None
    if is_trial:
        refuse(spec, Use.TRIAL)
        spec = spec.without_pseudonyms()
    release = release or work("trial")
    columns, short = shown_columns(spec, source_info.columns), aliases(spec)
    reading: list[Step | Check] = [
        COUNTING,
        Check(
            "the source has records",
            "source/check_not_empty",
            {"size": SIZE},
            {},
            "source",
            "it has no records: nothing can be released",
        ),
        enough_records(SIZE, least_class(spec), spec.shows_exact),
        *identifier_steps(spec, source_info.source, columns),
    ]
    person = tuple(Sql(short[name]) for name in spec.person)
    if person:
        reading += person_steps(person, spec.privacy.k)
    reading += enough_for_subsets(spec.privacy, PERSON_SIZE if person else SIZE, bool(person))
    engine, own = source_info.engine, () if is_trial else reserved(release)
    people = people_of(spec, columns, short, engine, own)
    counted, counting = None, tuple[Step, ...]()
    taken_over = taken_classes(spec, columns, short, engine)
    values = values_of(people, spec, short)
    looking: list[Step | Check] = []
    if taken_over is not None:
        looking += taken_over.reading
        values |= taken_over.values
    quasi_identifiers, quasi_steps = quasi_attributes(spec, columns, short, others=values)
    if people is not None:
        reading += people.reading
        counted, counting = people.counted(quasi_identifiers)
    sensitive, sensitive_steps = sensitive_attributes(spec, columns, short, person)
    looking += [*quasi_steps, *sensitive_steps]
    insensitive = released_as_they_are(spec, columns, short)
    limited = without_noise(spec, insensitive)
    shares: Sequence[Step | Check] = ()
    if person and (insensitive or sensitive):
        read = [one.alias for some in (quasi_identifiers, limited, sensitive) for one in some]
        read += [one.alias for one in insensitive]
        looking.append(one_record_step(person, list(dict.fromkeys(read))))
    if insensitive and person:
        counted_once, made = quasi_attributes(spec, columns, short, ONE_RECORD, "one_")
        looking += made
        shares = share_steps(limited, counted_once, ONE_RECORD, PERSON_SIZE, spec.privacy.k)
    elif insensitive:
        attributes = [*quasi_identifiers, *(sensitive if spec.shows_exact else ())]
        shares = share_steps(limited, attributes, RECORDS, SIZE, spec.privacy.k)
    if insensitive:
        shares = [*shares, limits(SHARES)]
    looking += shares
    backgrounds = background_attributes(sensitive, quasi_identifiers)
    guards = guard_attributes(spec, short, sensitive)
    tables = background_tables(spec.sensitive, columns, engine, own)
    task = task_of(
        spec,
        columns=columns,
        short=short,
        quasi_identifiers=quasi_identifiers,
        sensitive=sensitive,
        count=lambda: source_info.counts,
        backgrounds=backgrounds,
        population=counted,
        guards=guards,
    )
    series = None
    if spec.series is not None:
        found = linked(spec, short, links)
        series = follows(
            spec,
            person=person,
            earlier=earlier,
            sensitive=sensitive,
            models=task.models,
            others=others,
            linked=found,
        )
        looking += series.checks
    reused = series if spec.series is not None and spec.series.reuse and earlier else None
    taken = None if taken_over is None else taken_over.classes
    grouping = assignment(task, forming_of(spec, person, reused, taken), person, tables)
    grouped = Grouped(
        records=RECORDS,
        size=SIZE,
        assigned=grouping.assigned,
        quasi_identifiers=tuple(quasi_identifiers),
        sensitive=tuple(sensitive),
        insensitive=tuple(insensitive),
        pseudonyms=tuple(pseudonym_columns(spec, short)),
        persons=Persons(person, PERSONS, NUMBER) if person else None,
        suppression=_suppression(spec, task, grouping, taken),
        release=release,
        how=Materialization.WORK_TABLE if is_trial else _how(spec),
        seed=spec.seed,
        least=least_class(spec),
        coded=task.coded,
        backgrounds=backgrounds,
        covered=grouping.covered,
        suppressed_cells=grouping.suppressed_cells,
        guards=guards,
        cells=grouping.cells,
        recipe=grouping.recipe,
    )
    publication = publisher_of(spec).publish(grouped)
    _check_names(publication)
    judged = judge(
        publication.view,
        privacy=spec.privacy,
        ledger=publication.ledger,
        shares=SHARES if insensitive else None,
        beside=None if is_trial else release,
        changes=CHANGES if spec.transforms else None,
        metrics=() if is_trial else spec.metrics,
        population=counted,
        compared=compared(spec, ONE_RECORD if person else RECORDS, insensitive),
        asked_only=asked_only,
    )
    keeps_nodes = grouping.nodes is not None and not is_trial
    keeping = [_keeping(grouping.nodes, release)] if grouping.nodes and keeps_nodes else []
    allotment = None
    if spec.allotment and not is_trial:
        allotment = allotment_of(task, grouping.assigned, release.beside(ALLOTMENT))
        keeping.append(allotment.step)
    gate: list[Step | Check] = [*judged.gate]
    if series is not None:
        gate += gate_steps(series, publication.view, release, task.models)
    restarts = is_trial or not all(isinstance(step, Step | Check) for step in grouping.steps)
    there = source_info.columns
    records = records_step(source_info.source, spec, there, short, source_info.engine, restarts)
    plan = Plan.laid_out(
        {
            Phase.READING: [*transform_steps(spec, there, short, records), *reading],
            Phase.LOOKING: looking,
            Phase.FORMING: [*counting, *grouping.steps],
            Phase.PUBLISHING: [*publication.steps, *keeping],
            Phase.MEASURING: judged.steps,
            Phase.GATE: gate,
        }
    )
    return Prepared(
        spec=spec,
        release=release,
        plan=plan,
        publication=publication,
        measurement=judged.measurement,
        source_info=source_info,
        earlier=earlier,
        coding=grouping.coding,
        looking_at_insensitive=tuple(shares),
        grouped=grouped,
        keeps_nodes=keeps_nodes,
        allotment=allotment,
        taken=taken,
    )


def _keeping(nodes: Relation, release: Relation) -> Step:
    """The step that keeps what a search found of the levels that it judged."""
    return Step(
        "keeping the levels that were judged",
        release.beside(NODES),
        "release/nodes",
        {"judged": nodes},
        how=Materialization.TABLE,
    )


def _how(spec: Spec) -> Materialization:
    """What the release is planned as; a view of the source is made of the plan of a table."""
    return Materialization.TABLE if spec.is_live else Materialization(spec.materialize)


def _kept(spec: Spec, keeps_nodes: bool) -> tuple[str, ...]:
    """How the names end of what is kept for the publisher, beside the proof."""
    nodes = (NODES,) if keeps_nodes else ()
    return (*kept_names(spec), *nodes, *((ALLOTMENT,) if spec.allotment else ()))


def _suppression(
    spec: Spec, task: Task, grouping: Grouping, earlier: EarlierCells | EarlierAllotment | None
) -> Suppression | None:
    """What is left out, where a method was allowed to leave records out."""
    if grouping.suppressed is None:
        return None
    recipe = None if earlier is None else earlier.name
    return Suppression(grouping.suppressed, task.requirements, spec.most_suppressed, recipe)


def check_target(spec: Spec, engine: Engine) -> Relation:
    """The relation to make, unless it is the source or something that is not ours to replace."""
    release = table_named(spec.release, "release")
    check_not_source(release, reserved(release), spec.source, engine)
    if not engine.has_place(release):
        what = f"there is no schema {'.'.join(release.path)!r} that keeps a table"
        if is_file_name(spec.release):
            what = f"{spec.release!r} {_NO_FILE}"
        raise SpecError(Problem("release", what))
    foreign = engine.foreign_kind(release)
    if foreign is not None and not engine.publishes_in(foreign):
        cure = _CURES.get(foreign, _COPY).format(name=release.name)
        raise SpecError(Problem("release", _FOREIGN.format(kind=foreign, cure=cure)))
    if foreign is not None and spec.materialize in ("view", "live"):
        raise SpecError(Problem("materialize", _FOREIGN_VIEW.format(kind=foreign)))
    how, suppresses = _how(spec), spec.suppression is not None
    names = publisher_of(spec).names(release, how, suppresses)
    keeps_nodes = spec.method.chooses_levels and not levels_are_fixed(spec)
    Ownership(engine, written(names, _kept(spec, keeps_nodes))).older()
    return release


# Where a spec declares a published column, by its role.
_SECTIONS = {
    "quasi_identifier": "quasi_identifiers",
    "sensitive": "sensitive",
    "insensitive": "insensitive",
}


def _check_names(publication: Publication) -> None:
    """The release's column names must be different, also where case does not count."""
    for relation in publication.relations:
        names = Counter(column.name.lower() for column in relation.columns)
        twice = [column for column in relation.columns if names[column.name.lower()] > 1]
        if not twice:
            continue
        made = next((column for column in twice if column.role == "group"), None)
        if made is None:
            what = f"two columns of the release would be called {twice[0].name!r}"
            raise SpecError(Problem("quasi_identifiers", what))
        own = next(column for column in twice if column.role != "group")
        what = f"{made.name} is a column that the publication adds: rename this one in a query"
        raise SpecError(Problem(f"{_SECTIONS[own.role]}.{own.name}", what))
