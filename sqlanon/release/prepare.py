"""Planning a release: the whole way from the source to the gate, as frozen steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from sqlanon.engines import Engine
from sqlanon.errors import EngineError, Problem, SpecError
from sqlanon.forms import PublishedColumn, published_columns
from sqlanon.hierarchies import Attribute, attribute_steps
from sqlanon.measure import (
    SHARES,
    Measured,
    Measurement,
    Released,
    loss_columns,
    measurement,
    share_steps,
)
from sqlanon.methods import Counts
from sqlanon.plan import Check, How, Plan, Search, Step, infeasible, work
from sqlanon.privacy import declared_models
from sqlanon.release.assign import assignment, task_of
from sqlanon.release.gate import TOO_FEW, gate, limits
from sqlanon.release.identifiers import identifier_steps
from sqlanon.release.ownership import Ownership, reserved, written
from sqlanon.release.persons import (
    BESIDE,
    NUMBER,
    ONE_RECORD,
    PERSON_SIZE,
    beside_step,
    evidence,
    one_record_step,
    pairs_step,
    person_steps,
)
from sqlanon.release.recode import recoding_steps, release_steps
from sqlanon.release.source import (
    RECORDS,
    aliases,
    check_not_read,
    check_not_source,
    look,
    records_step,
    table_named,
)
from sqlanon.release.steady import check_steady
from sqlanon.session import Session
from sqlanon.spec import Column, QuasiIdentifier, Sensitive, Spec, fit
from sqlanon.spec.foreign import is_file_name
from sqlanon.sql import Relation
from sqlanon.sql.names import Sql

SIZE, RECODED = work("size"), work("recoded")
_NO_FILE = (
    "is named like a file, and a release is a table of the database: name it like one; then "
    "copy it into a file with the database's COPY"
)


@dataclass(frozen=True)
class Ground:
    """What a plan must know of a source before it is laid out: no record of it.

    Attributes:
        engine: where the source lies.
        source: its FROM item.
        columns: the declared columns, by name.
        hidden: the quasi-identifiers among them.
        unreleased: the columns that have no role and so are not released.
    """

    engine: Engine
    source: Relation | Sql
    columns: Mapping[str, Column]
    hidden: tuple[str, ...]
    unreleased: tuple[str, ...]

    @classmethod
    def of(cls, spec: Spec, engine: Engine, source: Sql | None = None) -> Ground:
        """Look at the source of a spec.

        Raises:
            SpecError: if the spec does not fit it.
        """
        found, everything = look(spec.source, engine, item=source)
        columns = fit(spec, everything)
        check_steady(spec, engine)
        _check_sorted(spec, columns, engine, found)
        unreleased = tuple(one.name for one in everything if one.name not in columns)
        return cls(engine, found, columns, tuple(spec.quasi_identifiers), unreleased)

    @cached_property
    def counts(self) -> Counts:
        """How many records there are, and values of each quasi-identifier."""
        found = Session(self.engine).fetch(
            "source/distinct",
            {"source": self.source},
            {"columns": list(self.hidden)},
            len(self.hidden),
        )
        rows = found.dicts()
        distinct = {Sql(f"q{place}"): row["used"] for place, row in enumerate(rows, 1)}
        return Counts(rows[0]["records"], distinct)


def _check_sorted(
    spec: Spec, columns: Mapping[str, Column], engine: Engine, source: Relation | Sql
) -> None:
    """Refuse a carried column whose values have no order: a release's rows are put in one."""
    problems = []
    for role, name in spec.roles():
        if role not in ("insensitive", "key") or columns[name].kind != "other":
            continue
        try:
            Session(engine).fetch("source/sorted", {"source": source}, {"column": name}, 1)
        except EngineError:
            kind = columns[name].type
            what = f"values of type {kind} have no order here: cast the column in a query"
            problems.append(Problem(f"{role}.{name}", what))
    if problems:
        raise SpecError(problems)


@dataclass(frozen=True)
class Prepared:
    """A release that is planned and not yet made.

    Attributes:
        spec: what was declared.
        release: the relation to make.
        plan: everything that makes, measures and checks it.
        measurement: the part of the plan that measures the published relation.
        sensitive: the sensitive attributes.
        ground: what was known of the source.
    """

    spec: Spec
    release: Relation
    plan: Plan = field(repr=False)
    measurement: Measurement = field(repr=False)
    sensitive: tuple[Attribute, ...] = field(repr=False)
    ground: Ground = field(repr=False)

    @property
    def unreleased(self) -> tuple[str, ...]:
        """The source's columns that have no role and so are not released."""
        return self.ground.unreleased

    @property
    def types(self) -> dict[str, str]:
        """The types in which the columns of a text file are read; none of another source."""
        if not self.spec.source.is_text:
            return {}
        return {name: column.type for name, column in self.ground.columns.items()}


def prepare(spec: Spec, engine: Engine, source: Sql | None = None) -> Prepared:
    """Plan a release: check the spec against its source and lay out every step.

    Nothing is written. The source's columns are read, and nothing else of it.

    Args:
        spec: what is declared.
        engine: where the source lies and the release goes.
        source: a FROM item, where the source is nothing that a spec can name.

    Raises:
        SpecError: if the spec does not fit the source.
    """
    release = target(spec, engine)
    ground = Ground.of(spec, engine, source)
    if spec.source.file is None:
        check_not_read(reserved(release), ground.source, engine)
    return lay_out(spec, ground, release)


def lay_out(spec: Spec, ground: Ground, release: Relation | None = None) -> Prepared:
    """The plan of a release whose source is known.

    Args:
        spec: what is declared.
        ground: what is known of its source.
        release: the relation to make; without one it is made on trial, of work relations alone.
    """
    on_trial = release is None
    release = release or work("trial")
    columns, short = ground.columns, aliases(spec)
    steps: list[Step | Check | Search] = [
        Step("counting the records", SIZE, "source/size", {"records": RECORDS}),
        Check(
            "the source has records",
            "source/check_not_empty",
            {"size": SIZE},
            {},
            "source",
            "it has no records: nothing can be released",
        ),
        Check(
            "there are enough records",
            "source/check_enough_records",
            {"size": SIZE},
            {"k": spec.privacy.k},
            "privacy.k",
            TOO_FEW.replace("{k}", str(spec.privacy.k)),
            infeasible,
        ),
        *identifier_steps(spec, ground.source, columns),
    ]
    person = tuple(Sql(short[name]) for name in spec.person)
    if person:
        steps += person_steps(person, spec.privacy.k)
    hidden, hidden_steps = _attributes(spec.quasi_identifiers, columns, short)
    sensitive, sensitive_steps = _attributes(spec.sensitive, columns, short, person)
    steps += [*hidden_steps, *sensitive_steps]
    insensitive = released_as_they_are(spec, columns, short)
    if insensitive:
        if person:
            columns_read = [*(one.alias for one in hidden), *(one.alias for one in insensitive)]
            steps.append(one_record_step(person, columns_read))
            told, told_steps = _attributes(
                spec.quasi_identifiers, columns, short, records=ONE_RECORD, prefix="one_"
            )
            steps += told_steps
            steps += share_steps(insensitive, told, ONE_RECORD, PERSON_SIZE, spec.privacy.k)
        else:
            steps += share_steps(insensitive, hidden, RECORDS, SIZE, spec.privacy.k)
        steps.append(limits(SHARES))
    published = published_columns(hidden)
    _check_names(published, spec)
    task = task_of(spec, columns, short, hidden, sensitive, lambda: ground.counts)
    grouping = assignment(spec, task, person)
    steps += grouping.steps
    steps += recoding_steps(grouping.assigned, RECODED, published, hidden)
    as_they_are = [
        {
            "name": name,
            "alias": Sql(short[name]),
            "telling": columns[name].telling,
            "padded": columns[name].padded,
        }
        for name in spec.insensitive
    ]
    if person:
        carried = [one.alias for one in insensitive]
        steps.append(beside_step(grouping.assigned, RECODED, published, sensitive, carried))
    steps += release_steps(
        grouping.assigned,
        RECODED,
        release,
        published,
        sensitive,
        as_they_are,
        spec.materialize == "view" and not on_trial,
        How.WORK_TABLE if on_trial else How.TABLE,
    )
    measured = _measurement(spec, release, published, hidden, sensitive, insensitive, on_trial)
    if person:
        steps += evidence(release, person, published, sensitive, as_they_are)
    steps += measured.steps
    steps += gate(release, SIZE, measured.metrics)
    settling = on_trial or any(isinstance(step, Search) for step in steps)
    read = records_step(ground.source, spec, columns, short, ground.engine, settling)
    return Prepared(spec, release, Plan((read, *steps)), measured, tuple(sensitive), ground)


def target(spec: Spec, engine: Engine) -> Relation:
    """The relation to make, unless it is the source or something that is not ours to replace."""
    release = table_named(spec.release, "release")
    check_not_source(release, reserved(release), spec.source, engine)
    if not engine.has_place(release):
        what = f"there is no schema {'.'.join(release.path)!r} that keeps a table"
        if is_file_name(spec.release):
            what = f"{spec.release!r} {_NO_FILE}"
        raise SpecError(Problem("release", what))
    Ownership(engine, written(spec, release)).older()
    return release


def released_as_they_are(
    spec: Spec, columns: Mapping[str, Column], short: Mapping[str, str]
) -> list[Released]:
    """The insensitive columns of a spec, by their short names."""
    return [
        Released(Sql(short[name]), name, columns[name].kind, declared.accept)
        for name, declared in spec.insensitive.items()
    ]


def _attributes(
    declared: Mapping[str, QuasiIdentifier | Sensitive],
    columns: Mapping[str, Column],
    short: Mapping[str, str],
    person: Sequence[Sql] = (),
    records: Relation = RECORDS,
    prefix: str = "",
) -> tuple[list[Attribute], list[Step | Check]]:
    """Attributes whose frequencies are those of the records, or of what is said of each person."""
    attributes: list[Attribute] = []
    steps: list[Step | Check] = []
    for name, settings in declared.items():
        source = records
        if person:
            pairs = pairs_step(columns[name], short[name], person)
            source = pairs.output
            steps.append(pairs)
        attribute, made = attribute_steps(short[name], columns[name], settings, source, prefix)
        attributes.append(attribute)
        steps += made
    return attributes, steps


def _check_names(published: Sequence[PublishedColumn], spec: Spec) -> None:
    """The release's column names must be different, also where case does not count."""
    names = [column.name for column in published]
    names += [*spec.sensitive, *spec.insensitive]
    twice = sorted(name for name, n in Counter(map(str.lower, names)).items() if n > 1)
    if twice:
        raise SpecError(
            Problem("quasi_identifiers", f"two columns of the release would be called {twice[0]!r}")
        )


def _measurement(
    spec: Spec,
    release: Relation,
    published: Sequence[PublishedColumn],
    hidden: list[Attribute],
    sensitive: list[Attribute],
    insensitive: list[Released],
    on_trial: bool,
) -> Measurement:
    """Measure the published relation afresh, by steps that know nothing of the method."""
    by_attribute: dict[str, list[Sql]] = {}
    for column in published:
        by_attribute.setdefault(column.attribute, []).append(column.alias)
    return measurement(
        BESIDE if spec.person else release,
        [Measured(column.alias, column.name, column.kind) for column in published],
        sensitive,
        declared_models(spec.privacy, sensitive),
        loss_columns(hidden, by_attribute),
        hidden,
        spec.privacy.k,
        insensitive,
        SHARES if insensitive else None,
        None if on_trial else release.beside("classes"),
        None if on_trial else release.beside("metrics"),
        NUMBER if spec.person else None,
    )
