"""A dry run: parts of a plan carried out for what they tell beforehand, and undone."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlanon.engines import Engine
from sqlanon.plan import Check, Plan, Search, Step
from sqlanon.planning.prepare import Prepared
from sqlanon.session import Session
from sqlanon.source.pseudonyms import given, no_keys
from sqlanon.source.source import SIZE
from sqlanon.sql import Relation


class DryRun:
    """Carries out parts of a plan, each step once; to be used inside a transaction.

    Args:
        prepared: the plan.
        session: makes the relations, which last until the transaction's end.
    """

    def __init__(self, prepared: Prepared, session: Session) -> None:
        self.prepared, self.session = prepared, session
        self._done: set[int] = set()

    @property
    def engine(self) -> Engine:
        """Where the plan is carried out."""
        return self.session.engine

    def until(
        self,
        relation: Relation,
        leaving_out: Callable[[Step | Check | Search], bool] = lambda step: False,
    ) -> None:
        """Carry the plan out up to a relation of it.

        Args:
            relation: the last one to be made.
            leaving_out: which steps before it are not needed.

        Raises:
            SpecError: if the data does not fit the spec.
            InfeasibleError: if there are fewer records than k.
        """
        some = []
        for number, step in enumerate(self.prepared.plan):
            if number not in self._done and not leaving_out(step):
                some.append(step)
                self._done.add(number)
            if not isinstance(step, Check) and step.output == relation:
                break
        plan = self.prepared.plan
        self.session.run(Plan(tuple(some)), until=len(self._done) / len(plan))

    def records(self) -> int:
        """How many records the source has."""
        self.until(SIZE)
        return int(
            self.engine.fetch_portable(f"select records from {self.engine.named(SIZE)}").rows[0][0]
        )


@contextmanager
def dry_run(prepared: Prepared, engine: Engine) -> Iterator[DryRun]:
    """A dry run of a plan: the source is read once, and nothing stays."""
    session = Session(engine)
    with session.transaction(keep=False), given(no_keys(prepared.spec), engine):
        yield DryRun(prepared, session)
