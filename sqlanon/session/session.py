"""Carrying out a plan on an engine: all of it, or nothing."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import dataclass
from itertools import count
from secrets import token_hex
from typing import Any, Protocol

from sqlanon.engines import Engine
from sqlanon.engines.messages import REFUSED
from sqlanon.errors import EngineError, Problem, ShortageError, SpecError
from sqlanon.plan import Check, Materialization, Plan, Rows, Search, Secret, Step, StepRecord, work
from sqlanon.plan.step import WORK_PREFIX, is_work
from sqlanon.session.events import Event, Listener, shares
from sqlanon.sql.names import Query, Relation, identifier, quoted
from sqlanon.sql.templates import load_template
from sqlanon.sql.written import Naming, as_named

# A check finds one thing for each class of fault, never one for each record.
_FINDINGS = 10_000
SOURCE = "source"  # the place in a spec of what its first step reads


def statement(step: Step | Check, dialect: str, naming: Naming = as_named) -> StepRecord | Check:
    """A step as a session would record it, without running it."""
    if isinstance(step, Check):
        return step
    sql, users = step.sql(dialect, naming), _of_user(step.inputs)
    return StepRecord(step.output, step.how, step.title, sql, 0.0, users=users)


def _of_user(inputs: Mapping[str, Any]) -> bool:
    """Whether a query of the user's is among what is read."""
    return any(isinstance(read, Query) for read in inputs.values())


@contextmanager
def _of_spec(where: str) -> Iterator[None]:
    """A statement that holds SQL of the spec may be refused because of that."""
    try:
        yield
    except EngineError as error:
        if not where or REFUSED not in str(error) or isinstance(error, ShortageError):
            raise
        what = (
            "it has values that cannot be read" if where == SOURCE else "its SQL fails on a value"
        )
        raise SpecError(Problem(where, f"{what}: {error}")) from None


class Owner(Protocol):
    """Who answers for what a session publishes."""

    def publishing(self, step: Step) -> AbstractContextManager[None]:
        """Let a block publish a step's relation in place of what is there, or refuse it."""


@dataclass(frozen=True)
class _Left:
    """The relations that a step of a plan has left, and what is to be recorded of it.

    Attributes:
        fingerprint: the step's.
        made: the work relations; a search may leave more than its output.
        done: what ran for it.
        notes: what its search found out.
        searched: whether it is a search.
    """

    fingerprint: str
    made: dict[Relation, Materialization]
    done: tuple[StepRecord | Check, ...]
    notes: tuple[tuple[str, str], ...]
    searched: bool


class Session:
    """Runs steps on an engine, tells a listener, and keeps a record of what ran.

    Args:
        engine: where the data lives.
        listener: hears of every step's start, progress and end.
        written: the dialect in which the record keeps the SQL; the engine's by default.
        owner: answers for what is published; without one nothing is to stay.
        naming: by what name the record calls each relation.
        plans: about how many plans it is going to run, of which each is a part of the whole.
        keys: the values of secrets. The database gets them around each step that names them, and
            has none of them while anything else runs.
        searching: carries searches on cells out elsewhere; by default they run here.

    Attributes:
        done: what ran, in order, a search's own steps among it; of plans that share what they make,
            what made that of the last one.
        notes: what a search found out, as (item, value), for the record.
        taken: how many cells have left the database for a search, and how many of them are of one
            record; None if none has.
    """

    def __init__(
        self,
        engine: Engine,
        listener: Listener | None = None,
        written: str | None = None,
        owner: Owner | None = None,
        naming: Naming = as_named,
        plans: int = 1,
        keys: Mapping[Secret, str] | None = None,
        searching: Callable[[Search, Session], None] | None = None,
    ) -> None:
        self.engine, self.owner = engine, owner
        self.written, self.naming = written or engine.dialect, naming
        self.done: list[StepRecord | Check] = []
        self.notes: list[tuple[str, str]] = []
        self.taken: tuple[int, int] | None = None
        self._listener = listener or (lambda event: None)
        self._at = (0, 0, "")
        # How much of the whole run is done, and where the step that runs begins and ends.
        self._done, self._span = 0.0, (0.0, 0.0)
        self._plans = plans
        self._keys = dict(keys or {})
        self._searching = searching
        # The relations that earlier plans have left, in order, by output; and, by fingerprint,
        # copies of those that searches left.
        self._left: dict[Relation, _Left] = {}
        self._kept: dict[str, tuple[dict[Relation, Relation], _Left]] = {}
        self._passed: set[str] = set()
        # The contexts that the running search has entered until its end; whether one thread is one.
        self._until_found, self._serial = ExitStack(), False
        self._there: dict[Relation, Materialization] = {}  # what was made and not dropped, in order

    def run(self, plan: Plan, until: float | None = None) -> None:
        """Carry out every step, in order, but make nothing again that ``run_sharing`` has left.

        Args:
            plan: the steps.
            until: how much of the whole is then done; an equal part for each plan by default.

        Raises:
            SpecError: if a check finds the spec and the data at odds.
            InfeasibleError: if a check finds that the data cannot meet the spec.
        """
        if self._left:
            self.run_sharing(plan)
            return
        if until is None:
            until = self._done + (1 - self._done) / self._plans
            self._plans = max(1, self._plans - 1)
        for at, step in self._numbered(plan, until):
            with self._step(*at, step.title):
                self.carry_out(step)

    def run_sharing(self, plan: Plan) -> None:
        """Carry out one plan of several, which make the same work relations in part.

        A relation that an earlier plan has left under an equal fingerprint is not made again, nor
        are those of a search that was kept. A check that has passed is not asked again. All else
        that was left is dropped first, readers before what they read; so a plan without steps
        clears everything away but what is kept. The record has what made the relations of this
        plan.

        Raises:
            SqlanonError: as ``run`` does.
        """
        fingerprints = plan.step_fingerprints(self.engine.dialect)
        wanted = {
            step.output: fingerprint
            for step, fingerprint in zip(plan, fingerprints, strict=True)
            if not isinstance(step, Check)
        }
        self._done, self._span = 0.0, (0.0, 0.0)  # for reports while relations are dropped
        self.done, self.notes = [], []
        for output, left in reversed(list(self._left.items())):
            if wanted.get(output) != left.fingerprint:
                for relation, how in reversed(left.made.items()):
                    self.drop(relation, how)
                del self._left[output]
        for (at, step), fingerprint in zip(self._numbered(plan), fingerprints, strict=True):
            with self._step(*at, step.title):
                self._run_shared(step, fingerprint)

    def _run_shared(self, step: Step | Check | Search, fingerprint: str) -> None:
        if isinstance(step, Check):
            if fingerprint in self._passed:
                self.done.append(step)
            else:
                self.carry_out(step)
                self._passed.add(fingerprint)
            return
        left = self._left.get(step.output)
        if left is None and fingerprint in self._kept:
            copies, left = self._kept[fingerprint]
            for relation, copy in copies.items():
                self._copy(copy, relation)
        if left is None:
            begun, noted = len(self.done), len(self.notes)
            self.carry_out(step)
            done, notes = tuple(self.done[begun:]), tuple(self.notes[noted:])
            records = (statement for statement in done if isinstance(statement, StepRecord))
            made = {
                record.relation: record.how for record in records if record.relation in self._there
            }
            left = _Left(fingerprint, made, done, notes, not isinstance(step, Step))
        else:
            self.done += left.done
            self.notes += left.notes
        self._left[step.output] = left

    def keep_found(self) -> set[str]:
        """Keep what the searches of the last plan found, for a plan that has them too.

        Returns:
            Their fingerprints.
        """
        searched = [left for left in self._left.values() if left.searched]
        for left in searched:
            if left.fingerprint not in self._kept:
                copies = dict(zip(left.made, self._free_names(), strict=False))
                for relation, copy in copies.items():
                    self._copy(relation, copy)
                self._kept[left.fingerprint] = (copies, left)
        return {left.fingerprint for left in searched}

    def keep_only(self, fingerprints: Collection[str]) -> None:
        """Drop what was kept of searches but those with these fingerprints."""
        for fingerprint in self._kept.keys() - fingerprints:
            copies, _ = self._kept.pop(fingerprint)
            for copy in copies.values():
                self.drop(copy)

    def _free_names(self) -> Iterator[Relation]:
        """Names for copies; one that was dropped is taken again: it may stand until the commit."""
        taken = {copy for copies, _ in self._kept.values() for copy in copies.values()}
        names = (work("kept_", number) for number in count())
        return (name for name in names if name not in taken)

    def _copy(self, relation: Relation, copy: Relation) -> None:
        """Make a work table of what a work relation holds, which is not recorded."""
        there = quoted(self.engine.qualified(relation), self.engine.dialect)
        columns = [identifier(column.name) for column in self.engine.columns(there)]
        inputs, params = {"piece_1": relation}, {"pieces": [relation], "columns": columns}
        self.create(Step("keeping what was found", copy, "loop/gathered", inputs, params))
        self.done.pop()

    @property
    def recursive(self) -> bool:
        """Whether a recursive query may aggregate what it is given, here and in the record."""
        return self.engine.recursive and self.written == self.engine.dialect

    def serial(self) -> None:
        """Run the rest of a search on one thread, where the threads are ours.

        DuckDB gives back its memory at every change, and takes as long to have it again as some
        turns of a loop.
        """
        if not self._serial:
            self._serial = True
            self._until_found.enter_context(self.engine.driver.serial())

    def reached(self, share: float) -> None:
        """A search has done so much of its work, 0 to 1."""
        begins, ends = self._span
        self._done = max(self._done, begins + (ends - begins) * min(share, 1.0))

    def has_left(self, relation: Relation) -> bool:
        """Whether the plans carried out by ``run_sharing`` have left the relation."""
        return relation in self._left

    def create(self, step: Step) -> StepRecord:
        """Make a step's relation now; the listener hears what a search is at."""
        # PostgreSQL would read what was emptied before.
        assert step.output not in step.inputs.values(), step.output  # noqa: S101
        number, total, title = self._at
        if step.title != title:
            self._at = (number, total, step.title)
            self._listener(Event("progress", step.title, number, total, done=self._done))
        written, naming = step.written(self.engine.dialect), self.engine.naming(step.how)
        started = time.perf_counter()
        published = self.owner is not None and step.how.published
        guarded = self.owner.publishing(step) if self.owner and published else nullcontext()
        keyed = self._with_keys(step.inputs, naming)
        with _of_spec(step.where), guarded, self._names_of(step.inputs), keyed as naming:
            rows = self.engine.create(step.output, written.sql(naming), step.how, step=step.title)
        seconds = time.perf_counter() - started
        if self.written != self.engine.dialect:
            written = step.written(self.written)
        sql, users = written.sql(self.naming), _of_user(step.inputs)
        made = StepRecord(
            relation=step.output,
            how=step.how,
            title=step.title,
            sql=sql,
            seconds=seconds,
            rows=rows,
            users=users,
        )
        self.done.append(made)
        if not step.how.published:
            self._there.pop(step.output, None)  # a relation made again may read later ones
            self._there[step.output] = step.how
        return made

    def fetch(
        self, template: str, inputs: Mapping[str, Any], params: Mapping[str, Any], limit: int
    ) -> Rows:
        """The rows of a small result: counts, never records.

        Raises:
            EngineError: if there are more rows than the limit.
        """
        written = load_template(template, self.engine.dialect)
        with self._names_of(inputs), self._with_keys(inputs, self.engine.qualified) as naming:
            sql = written.render(inputs, params, naming)
            return self.engine.fetch(sql, limit, step=template)

    def _names_of(self, inputs: Mapping[str, Any]) -> AbstractContextManager[None]:
        """Find the names in a query of the user's as the user's own session finds them."""
        return self.engine.users_names() if _of_user(inputs) else nullcontext()

    @contextmanager
    def _with_keys(self, inputs: Mapping[str, Any], naming: Naming) -> Iterator[Naming]:
        """The database has the secrets among what is read, and only for as long as the block lasts.

        Yields:
            By what names all that is read is called: a secret by one that is drawn for this block.

        Raises:
            EngineError: if a query of the user's is read with them, or a secret is not known.
        """
        wanted = [one for one in inputs.values() if isinstance(one, Secret)]
        if not wanted:
            yield naming
            return
        if not all(isinstance(one, Secret) or is_work(one) for one in inputs.values()):
            raise EngineError("a step that has a key reads more than tables of the run's own")
        if not self._keys.keys() >= set(wanted):
            raise EngineError("a step has no key, which this session was to be given")
        drawn = {secret: Relation(f"{WORK_PREFIX}{token_hex(16)}") for secret in wanted}
        try:
            for secret, name in drawn.items():
                self.engine.secret(name, self._keys[secret])
            yield lambda one: naming(drawn[one] if isinstance(one, Secret) else one)
        finally:
            for name in drawn.values():
                self.engine.forget(name)

    def drop_work(self, keeping: Collection[Relation] = ()) -> None:
        """Drop every work relation but these; readers of a relation go before it."""
        gone = {relation: how for relation, how in self._there.items() if relation not in keeping}
        self.engine.drop_all(reversed(gone.items()))
        self._there = {
            relation: how for relation, how in self._there.items() if relation not in gone
        }

    def drop(self, relation: Relation, how: Materialization = Materialization.WORK_TABLE) -> None:
        """Drop a work relation that nothing will read again."""
        if not how.published:
            self.engine.drop(relation, how)
            self._there.pop(relation, None)

    def reclaim_space(self) -> None:
        """Give back the room of dropped work relations; nothing has been published yet."""
        self.engine.reclaim_space()

    @property
    def records(self) -> list[StepRecord]:
        """The steps that made a relation, in order."""
        return [statement for statement in self.done if isinstance(statement, StepRecord)]

    @contextmanager
    def transaction(
        self, keep: bool = True, published: Callable[[], bool] | None = None
    ) -> Iterator[None]:
        """Everything inside becomes visible at once at the end, or not at all.

        Args:
            keep: whether it is to become visible; a dry run is undone.
            published: asks the database whether it is visible, if the commit fails.
        """
        with self.watching(), self.engine.transaction(keep, published):
            yield

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Report to the listener how statements come along, then put the older watcher back."""
        before = self.engine.watch(self._progress)
        try:
            yield
        finally:
            self.engine.watch(before)

    def carry_out(self, step: Step | Check | Search) -> None:
        """Make a step's relation, ask what a check asks, or search; a search may be in another."""
        if isinstance(step, Step):
            self.create(step)
        elif isinstance(step, Check) and self._has_fewer(step):
            self.done.append(step)
        elif isinstance(step, Check):
            found = self.fetch(step.template, step.inputs, step.params, limit=_FINDINGS)
            if found.rows:
                raise step.error(step.where, step.message, found.dicts())
            self.done.append(step)
        else:
            around = self._until_found, self._serial
            try:
                with ExitStack() as self._until_found:
                    if self._searching is not None and step.on_cells:
                        self._searching(step, self)
                    else:
                        step.run(self)
            finally:
                self._until_found, self._serial = around

    def _has_fewer(self, check: Check) -> bool:
        """Whether a relation is known to have fewer rows than a check can find anything in."""
        if check.least is None:
            return False
        relation, least = check.least
        made = [step.rows for step in self.records if step.relation == relation]
        return bool(made) and made[-1] is not None and made[-1] < least

    def _numbered(
        self, plan: Plan, until: float = 1.0
    ) -> Iterator[tuple[tuple[int, int], Step | Check | Search]]:
        """Each step with its number and of how many; the part of the run that it is begins."""
        left = until - self._done
        for number, (step, share) in enumerate(zip(plan, shares(plan.steps), strict=True), 1):
            ends = self._done + left * share if number < len(plan) else until
            self._span = (self._done, ends)
            yield (number, len(plan)), step

    @contextmanager
    def _step(self, number: int, total: int, title: str) -> Iterator[None]:
        self._at = (number, total, title)
        started = time.perf_counter()
        self._listener(Event("start", title, number, total, done=self._done))
        before = len(self.done)
        yield
        seconds = time.perf_counter() - started
        made = [
            statement.rows for statement in self.done[before:] if isinstance(statement, StepRecord)
        ]
        rows = made[-1] if made else None
        self._done = self._span[1]
        self._listener(
            Event(
                kind="end",
                title=title,
                number=number,
                total=total,
                fraction=1.0,
                seconds=seconds,
                rows=rows,
                done=self._done,
            )
        )

    def _progress(self, fraction: float | None, seconds: float) -> None:
        number, total, title = self._at
        self._listener(
            Event(
                kind="progress",
                title=title,
                number=number,
                total=total,
                fraction=fraction,
                seconds=seconds,
                done=self._done,
            )
        )
