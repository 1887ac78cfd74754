"""Making a release: run the plan, pass the gate, publish all of it or nothing."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from sqlanon._version import __version__
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError, nearest
from sqlanon.plan import Check, Materialization, Search, Step, StepRecord
from sqlanon.publish import ENTRIES
from sqlanon.release import ownership
from sqlanon.release.choose import with_chosen_k
from sqlanon.release.metrics import Metric, read_metrics, value_of
from sqlanon.release.notebook import metrics_table
from sqlanon.release.ownership import Ownership
from sqlanon.release.persons import PERSONS
from sqlanon.release.prepare import Prepared
from sqlanon.scripts import Marks, script, script_place
from sqlanon.session import Listener, Session, statement
from sqlanon.spec import Spec
from sqlanon.sql import Relation
from sqlanon.sql.products import DIALECTS
from sqlanon.sql.templates import Place

if TYPE_CHECKING:
    import pandas as pd

_HOLDS = (
    "-- The query below holds the values of environment variables, which the spec only names:\n"
    "-- keep this script as secret as they are.\n"
)
Facts = list[tuple[str, str]]


@dataclass(frozen=True)
class Release:
    """A release that was published.

    Attributes:
        relation: the anonymized table or view.
        classes: a row for each equivalence class, for the publisher.
        metrics: the relation of what was reached beside what was asked for.
        run: the relation of the run's facts: spec, fingerprint, versions, timings, SQL.
        measures: the metrics, read.
        sql: the whole run as one SQL script.
        steps: every step's relation, title, seconds and rows (None: not known), in order.
        unreleased: the source's columns that have no role and so were not released.
        seconds: how long it took.
        engine: the database that holds it.
        chosen: which k was chosen and why, where the spec left it to be chosen.
        drawn_seed: the seed, where the spec gives none: with it, the same release is made again.
    """

    relation: Relation
    classes: Relation
    metrics: Relation
    run: Relation
    measures: tuple[Metric, ...] = field(repr=False)
    sql: str = field(repr=False)
    steps: tuple[dict[str, Any], ...] = field(repr=False)
    unreleased: tuple[str, ...]
    seconds: float
    engine: Engine = field(repr=False)
    chosen: str | None = None
    drawn_seed: int | None = field(default=None, repr=False)

    def measure(self, metric: str, attribute: str | None = None) -> float | None:
        """The value of one metric."""
        return value_of(self.measures, metric, attribute)

    def frame(self) -> pd.DataFrame:
        """The published table as a pandas frame."""
        return self.engine.frame(self.relation)

    def metrics_frame(self) -> pd.DataFrame:
        """The metrics as a pandas frame."""
        return self.engine.frame(self.metrics)

    def close(self) -> None:
        """Close the database; the release stays in it, unless it is in memory."""
        self.engine.close()

    def __enter__(self) -> Release:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def _repr_html_(self) -> str:
        return metrics_table(str(self.relation), self.measures)


def publish(prepared: Prepared, engine: Engine, listener: Listener | None = None) -> Release:
    """Make a planned release: all of it, or nothing.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if a declared privacy model does not hold on the release, with any k that
            may be chosen.
        EngineError: if the database fails.
        InterruptedRunError: if the user interrupts.
    """
    owner = Ownership(engine, prepared.written)
    session = Session(engine, listener, owner=owner, place=script_place(engine.dialect, engine))
    started, begun = datetime.now(UTC), time.perf_counter()
    release, declared = prepared.release, prepared.spec
    with owner.transaction(session):
        prepared, choice = with_chosen_k(prepared, engine, listener)
        session.run(prepared.plan)
        measures = read_metrics(prepared.measurement.metrics, engine)
        facts = _facts(prepared, session, owner, started.isoformat(timespec="seconds"))
        session.create(recording(prepared, engine, [*choice, *facts], declared))
        owner.retire()
        session.drop_work()
    return Release(
        release,
        release.beside("classes"),
        release.beside("metrics"),
        release.beside("run"),
        tuple(measures),
        dict(facts)["sql"],
        tuple(json.loads(dict(facts)["steps"])),
        prepared.unreleased,
        time.perf_counter() - begun,
        engine,
        dict(choice).get("choose_chosen"),
        declared.seed if declared.seed_is_drawn else None,
    )


def _counts(prepared: Prepared, engine: Engine) -> dict[str, int]:
    """What became of the records, and how many classes there were and are."""
    made = prepared.publication
    account = engine.named(made.ledger.relation)
    counts = {
        **{name: f"select {name} from {account}" for name in ENTRIES},
        "classes_formed": f"select count(*) from {engine.named(made.formed)}",
        "classes_published": f"select count(*) from {engine.named(made.view.classes)}",
    }
    if prepared.spec.person:
        counts["persons"] = f"select count(*) from {PERSONS.sql}"
    found = engine.ask(f"select {', '.join(f'({sql}) as {name}' for name, sql in counts.items())}")
    return found.dicts()[0]


def recording(
    prepared: Prepared, engine: Engine, facts: Facts, declared: Spec | None = None
) -> Step:
    """The step that writes the run relation: what is known before a run, then further facts.

    Args:
        prepared: the plan.
        engine: where it is carried out.
        facts: further facts.
        declared: the spec as declared, where its k was chosen.
    """
    spec = declared or prepared.spec
    fields = spec.model_dump(mode="json", exclude={"database"}, exclude_none=True)
    text = json.dumps(_as_written(fields, spec), ensure_ascii=False)
    parts = [
        text,
        prepared.plan.fingerprints(engine.dialect, spec.as_written)[str(prepared.release)],
    ]
    known = [
        ("spec", text),
        ("fingerprint", hashlib.sha256("\x1f".join(parts).encode()).hexdigest()),
        ("sqlanon", __version__),
        ("method", spec.method.name),
        ("seed", str(spec.seed)),
        ("accepted", json.dumps(_accepted(spec), ensure_ascii=False)),
        ("columns_not_released", json.dumps(prepared.unreleased, ensure_ascii=False)),
        ("types", json.dumps(prepared.types, ensure_ascii=False)),
    ]
    return Step(
        "recording the run",
        prepared.release.beside("run"),
        "release/run",
        {},
        {"facts": [*known, *facts]},
        Materialization.TABLE,
    )


def _as_written(value: Any, spec: Spec) -> Any:
    """Fields of a spec with environment variables by their names."""
    if isinstance(value, str):
        return spec.as_written(value)
    if isinstance(value, dict):
        return {name: _as_written(inner, spec) for name, inner in value.items()}
    return [_as_written(one, spec) for one in value] if isinstance(value, list) else value


def _accepted(spec: Spec) -> dict[str, str]:
    """Why insensitive columns are released whatever they say about single records, by name."""
    given = {name: declared.accept for name, declared in spec.insensitive.items()}
    return {name: reason for name, reason in given.items() if reason is not None}


def release_script(prepared: Prepared, engine: Engine, dialect: str | None = None) -> str:
    """The whole run as one SQL script, in the engine's own dialect by default.

    A method that searches is carried out for it, and undone, and so is a choice of k: the script
    holds what was found, and makes the same release of the same data.

    Raises:
        SpecError: if the dialect is not known, or its databases cannot read the source.
    """
    dialect = dialect or engine.dialect
    if dialect not in DIALECTS:
        raise SpecError(f"there is no dialect {dialect!r}; {nearest(dialect, DIALECTS)}")
    if prepared.spec.source.file is not None and dialect != "duckdb":
        what = f"a script in {dialect} cannot read a file: load it into a table and name that"
        raise SpecError(Problem("source", what))
    if prepared.spec.source.query is not None and dialect != engine.dialect:
        what = f"a query in the SQL of {engine.version} is none in {dialect}: name a table"
        raise SpecError(Problem("source", what))
    declared, choice = prepared.spec, Facts()
    if declared.choose is not None:
        with Session(engine).transaction(keep=False):
            prepared, choice = with_chosen_k(prepared, engine)
    number = prepared.plan.fingerprints(dialect, prepared.spec.as_written)[str(prepared.release)][
        :32
    ]
    known = [*ownership.facts(number, prepared.written)]
    known += [*choice, ("engine", f"a script in {dialect}")]
    record = recording(prepared, engine, known, declared)
    place = script_place(dialect, engine)
    if any(isinstance(step, Search) for step in prepared.plan):
        session = Session(engine, written=dialect, place=place)
        with session.transaction(keep=False):
            session.run(prepared.plan)
        done = session.done
    else:
        steps = [one for one in prepared.plan if not isinstance(one, Search)]
        done = [statement(one, dialect, place) for one in steps]
    done = [*done, statement(record, dialect, place)]
    text = _script(prepared, done, dialect, number, place)
    return text.replace("\n", f"\n{_HOLDS}", 1) if prepared.spec.hides else text


def _script(
    prepared: Prepared,
    done: Sequence[StepRecord | Check],
    dialect: str,
    number: str,
    place: Place,
) -> str:
    lines = [f"sqlanon {__version__}: makes {prepared.release}"]
    for role, letter in (("quasi_identifiers", "q"), ("sensitive", "s"), ("insensitive", "x")):
        for at, name in enumerate(getattr(prepared.spec, role), 1):
            lines.append(f"  {letter}{at} = {name}".replace("\n", " "))
    run = place(prepared.release.beside("run"))
    marks = Marks(ownership.mark(""), number, run, ownership.ID)
    table = prepared.spec.source.table
    reads = [] if table is None else [Relation.parse(table)]
    return script(done, "\n".join(lines), dialect, marks, place, reads)


def _facts(prepared: Prepared, session: Session, owner: Ownership, started: str) -> Facts:
    """What is known of a run only after it."""
    steps: list[dict[str, Any]] = [
        {
            "relation": str(record.relation),
            "title": record.title,
            "seconds": round(record.seconds, 4),
            "rows": record.rows,
        }
        for record in session.records
    ]
    counts = _counts(prepared, session.engine)
    text = _script(prepared, session.done, session.written, owner.number, session.place)
    return [
        *ownership.facts(owner.number, owner.relations),
        ("engine", session.engine.version),
        ("started", started),
        *((name, str(value)) for name, value in counts.items()),
        ("steps", json.dumps(steps, ensure_ascii=False)),
        *session.notes,
        ("sql", prepared.spec.as_written(text)),
    ]
