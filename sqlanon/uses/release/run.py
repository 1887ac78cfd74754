"""Making a release: run the plan, pass the gate, publish all of it or nothing."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlanon.clauses import stages
from sqlanon.draft import Told
from sqlanon.engines import Engine
from sqlanon.errors import ConflictError, EngineError, InfeasibleError, Problem, SpecError
from sqlanon.measure.detail import Detail, details
from sqlanon.plan import Materialization, Step
from sqlanon.planning.drawn_levels import with_drawn_levels
from sqlanon.planning.prepare import Prepared, settled
from sqlanon.record import left_out, summary
from sqlanon.record.content import LIVE, content_steps
from sqlanon.record.metrics import Metric, read_metrics
from sqlanon.record.ownership import NODES, Ownership
from sqlanon.record.recorded import Recorded
from sqlanon.record.remarks import FACT, all_remarks, remarks_of
from sqlanon.record.spent import still_all
from sqlanon.scripts.writer import script_naming
from sqlanon.session import (
    Following,
    Listener,
    Session,
    facts_of_search,
    searching,
    sentence_of_search,
)
from sqlanon.source.keys import keys_of
from sqlanon.source.source import RECORDS
from sqlanon.spec import Distances, Spec
from sqlanon.spec.columns import transforms_in_words
from sqlanon.spec.publication import RULES
from sqlanon.uses.outlook.reachable import refusal
from sqlanon.uses.release.record import facts_of, recording
from sqlanon.uses.release.release import Release
from sqlanon.uses.release.script import script_of
from sqlanon.uses.reports.verdict import Verdict
from sqlanon.uses.reports.why import verdict_of
from sqlanon.uses.sweeps.choose import tried_plans, with_chosen_k

_LIVE = (
    "{0} is a view of its source: it shows a change of that at once, before anybody has checked "
    "it. It leaves out every class that violates a model itself. A reader who sees it twice learns "
    "what has changed. Measure it again with sqlanon check {0}"
)

_OUT_OF_TURN = (
    "another run is under way in this database whose release may be of the same persons, and "
    "neither could look at that of the other; this run published nothing: run again when the other "
    "has ended"
)

_ELSEWHERE = (
    "The run published in an attached database of the kind {kind}, by statements that are not\n"
    "here: this script publishes in a database of DuckDB's own, where its release is named so."
)


def publish(prepared: Prepared, engine: Engine, listener: Listener | None = None) -> Release:
    """Make a planned release: all of it, or nothing.

    Raises:
        SpecError: if the data does not fit the spec.
        InfeasibleError: if a declared privacy model does not hold on the release, with any k that
            may be chosen.
        EngineError: if the database fails.
        InterruptedRunError: if the user interrupts.
    """
    try:
        return _published(prepared, engine, listener)
    except InfeasibleError as error:
        raise refusal(prepared, engine, error) from None


def _published(prepared: Prepared, engine: Engine, listener: Listener | None) -> Release:
    release, declared = prepared.release, prepared.spec
    if declared.is_live and prepared.publication.relations[0].how is not Materialization.VIEW:
        what = "a live view is of labels or known cells, and this plan makes a table: say table"
        raise SpecError(Problem("materialize", what))
    tried, steps = tried_plans(prepared), len(prepared.plan)
    following = Following(listener, sum(len(one.plan) for one in tried) + steps)
    owner, keys = _owner(prepared, engine), keys_of(declared)
    session = Session(
        engine,
        following,
        owner=owner,
        naming=script_naming(engine.dialect, engine),
        keys=keys,
        searching=searching(declared, engine),
    )
    started, begun = datetime.now(UTC), time.perf_counter()
    with _turns(prepared, engine), owner.transaction(session):
        prepared, choice = with_chosen_k(prepared, tried, session, following)
        following.turn(steps)
        prepared, open_facts = settled(prepared, Session(engine, keys=keys))
        prepared, levels = with_drawn_levels(prepared, engine, Session(engine, keys=keys))
        session.run(prepared.plan)
        found = _found(prepared, declared, session)
        begun_at = started.isoformat(timespec="seconds")
        facts = facts_of(prepared, session, owner, begun_at, _text(prepared, owner, session))
        kept = [*found.facts, *_of_source(prepared, dict(facts), session)]
        known = [*choice, *open_facts, *levels, *facts, *kept]
        account = recording(prepared, engine, known, found.contents, declared)
        session.create(account)
        owner.retire()
        session.drop_work()
        _still(prepared, engine)
    made = Recorded(release, engine, dict(account.params["facts"]), found.measures)
    return _released(found, made, dict([*choice, *facts]), time.perf_counter() - begun)


def _owner(prepared: Prepared, engine: Engine) -> Ownership:
    """Who owns the relations that the run writes."""
    spent, target = prepared.spent, prepared.release
    counted = bool(prepared.spec.privacy.differential)

    def replacing() -> None:
        if counted:
            still_all(spent, target, engine)
        with _in_turn():
            for name in _names_of_turns(prepared, engine):
                engine.claim(target, name)
        _still(prepared, engine)

    return Ownership(
        engine,
        prepared.written,
        readers=[relation.relation for relation in prepared.publication.for_readers],
        replacing=replacing,
    )


@contextmanager
def _turns(prepared: Prepared, engine: Engine) -> Iterator[None]:
    """The turns of what a run and others do one after the other, until a block ends.

    Raises:
        SpecError: if another run has one of them, or published what this one would have known.
    """
    with ExitStack() as turns:
        with _in_turn():
            for name in _names_of_turns(prepared, engine):
                turns.enter_context(engine.turn(name))
        _still(prepared, engine)
        yield


@contextmanager
def _in_turn() -> Iterator[None]:
    """A run that has not its turn is refused."""
    try:
        yield
    except ConflictError:
        raise SpecError(Problem("release", _OUT_OF_TURN)) from None


def _names_of_turns(prepared: Prepared, engine: Engine) -> list[str]:
    """The names of the turns, in an order."""
    known = prepared.known.items()
    return sorted(
        turn for name, of in known for turn in stages(name).turns(of, prepared.release, engine)
    )


def _still(prepared: Prepared, engine: Engine) -> None:
    """Refuse a run if others published meanwhile what its plan should have known."""
    for name, known in prepared.known.items():
        stages(name).still(known, prepared.release, engine)


@dataclass(frozen=True)
class _Found:
    """The findings of a run about its release, while its relations are there.

    Attributes:
        prepared: what was carried out.
        declared: the spec, as it was given.
        measures: the metrics.
        told: what clauses have to say.
        contents: the steps that hash what is published, by the facts that have the hashes.
        given_away: the values that classes give away.
        remarks: on what protects less than it seems to.
        detail: how much detail of the quasi-identifiers is published.
    """

    prepared: Prepared
    declared: Spec
    measures: list[Metric]
    told: dict[str, Told]
    contents: dict[str, Step]
    given_away: tuple[left_out.GivenAway, ...]
    remarks: tuple[str, ...]
    detail: tuple[Detail, ...]

    @property
    def facts(self) -> list[tuple[str, str]]:
        """The facts that the run keeps of them."""
        kept = [fact for clause_words in self.told.values() for fact in clause_words.facts]
        kept += [(LIVE, "true")] if self.declared.is_live else []
        said = json.dumps(self.remarks, ensure_ascii=False)
        kept += [(FACT, said)] if self.remarks else []
        kept += [(summary.DETAIL_FACT, summary.as_fact(self.detail))] if self.detail else []
        return kept


def _found(prepared: Prepared, declared: Spec, session: Session) -> _Found:
    """Look at what was published, and note its hashes."""
    engine, release, publication = session.engine, prepared.release, prepared.publication
    measures = read_metrics(prepared.measurement.metrics, engine)
    told = {
        name: stages(name).told(known, release, engine) for name, known in prepared.known.items()
    }
    # The rows of a live view do not stay.
    hashed = {} if declared.is_live else content_steps(publication, prepared.kept_columns, run=True)
    for step in hashed.values():
        session.create(step)
    unit = prepared.grouped.unit
    of_shares = left_out.with_shares(declared.sensitive, measures)
    given = left_out.given_away(release.sibling("classes"), of_shares, unit.several, session)
    info, measured = prepared.source_info, prepared.measurement
    remarks = remarks_of(declared, info, measured, publication, unit, session)
    searched = sentence_of_search(dict(facts_of_search(session)))
    remarks = (*remarks, searched) if searched else remarks
    remarks = (*remarks, _LIVE.format(release)) if declared.is_live else remarks
    return _Found(
        prepared=prepared,
        declared=declared,
        measures=measures,
        told=told,
        contents=hashed,
        given_away=given,
        remarks=remarks,
        detail=details(publication.view, session),
    )


def _text(prepared: Prepared, owner: Ownership, session: Session) -> str:
    """The run as one SQL script."""
    foreign = session.engine.foreign_kind(prepared.release)
    elsewhere = [] if foreign is None else [_ELSEWHERE.format(kind=foreign)]
    return script_of(
        prepared, session.done, session.written, owner.number, session.naming, elsewhere
    )


def _released(found: _Found, made: Recorded, facts: dict[str, str], seconds: float) -> Release:
    """The release that was made."""
    prepared, declared, release = found.prepared, found.declared, made.relation
    verdict, said = _looked_at(made)
    taken, counts = prepared.forming.taken_over, prepared.grouped.unit.several
    suppressed_cells = json.loads(facts.get("suppressed_cells", "null"))
    rule = RULES[declared.publication]
    return Release(
        relation=release,
        classes=release.sibling("classes"),
        metrics=release.sibling("metrics"),
        run=release.sibling("run"),
        measures=tuple(found.measures),
        sql=facts["sql"],
        steps=tuple(json.loads(facts["steps"])),
        unreleased=prepared.unreleased,
        seconds=seconds,
        engine=made.engine,
        chosen=facts.get("choose_chosen"),
        levels=json.loads(facts.get("search_levels", "null")),
        suppressed=prepared.publication.ledger.suppressed,
        nodes=release.sibling(NODES) if prepared.keeps_nodes else None,
        drawn_seed=declared.seed if declared.seed_is_drawn else None,
        others=tuple(relation.relation for relation in prepared.publication.for_readers[1:]),
        transforms=transforms_in_words(declared),
        kept=prepared.kept,
        told=found.told,
        counts=counts,
        suppressed_cells=suppressed_cells,
        taken_from=None if taken is None else taken.release,
        outside=0 if taken is None else int(facts.get(f"{taken.clause}_outside", 0)),
        distances=Distances.of(declared),
        verdict=verdict,
        remarks=(*prepared.source_info.remarks, *said),
        shows_counts=declared.counts,
        given_away=found.given_away,
        summary=summary.summary_of(
            found.measures, found.detail, found.given_away, counts, rule, suppressed_cells
        ),
    )


def _of_source(
    prepared: Prepared, facts: dict[str, str], session: Session
) -> list[tuple[str, str]]:
    """Facts that the run keeps of the source: its risk, and the groups that lost most records."""
    grouped, k = prepared.grouped, prepared.spec.privacy.k
    read, suppressed = int(facts["records_in"]), int(facts["records_suppressed"])
    # The codes of the classes' records are narrower, where every record is there with its own.
    coded = not (prepared.is_recoded or suppressed) and grouped.has_own_codes
    columns = [attribute.alias for attribute in grouped.quasi_identifiers]
    risk = summary.before(grouped.assigned if coded else RECORDS, columns, session)
    groups: tuple[left_out.LeftOutGroup, ...] = ()
    if not prepared.is_recoded:  # else the records have no codes, by which groups are found
        groups = left_out.left_out_groups(grouped, k, read, suppressed, session)
    kept = [] if risk is None else [(summary.BEFORE_FACT, summary.before_fact(risk))]
    return [*kept, (left_out.LEFT_OUT_FACT, left_out.left_out_fact(groups))] if groups else kept


def _looked_at(made: Recorded) -> tuple[Verdict, tuple[str, ...]]:
    """The verdict and the remarks on a release that is there; an error in them fails no run."""
    try:
        with made.engine.listing_once():
            return verdict_of(made), tuple(all_remarks(made))
    except (SpecError, EngineError):
        return Verdict(), ()
