"""A dry run: parts of a plan carried out for what they tell beforehand, and undone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError
from sqlanon.plan import Check, Plan, Search, Step
from sqlanon.planning.prepare import Prepared
from sqlanon.planning.trials import measured
from sqlanon.record.metrics import Metric
from sqlanon.session import Listener, Session
from sqlanon.source.keys import no_keys
from sqlanon.source.source import COUNTING, RECORDS, SIZE, aliases
from sqlanon.sql.names import Relation, Sql


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

    def combinations(self, aliased: Iterable[Sql]) -> int:
        """How many different combinations of these columns the records have."""
        self.until(RECORDS)
        columns, records = ", ".join(aliased), self.engine.named(RECORDS)
        text = f"select count(*) from (select distinct {columns} from {records}) as combinations"
        return int(self.engine.fetch_portable(text, 1, "counting the combinations").rows[0][0])

    def alone(self, names: Iterable[str]) -> int:
        """How many records are the only ones with their combination of these columns."""
        self.until(RECORDS)
        short = aliases(self.prepared.spec)
        columns, records = ", ".join(short[name] for name in names), self.engine.named(RECORDS)
        text = (
            f"select count(*) from (select {columns} from {records} group by {columns} "
            "having count(*) = 1) as alone"
        )
        return int(
            self.engine.fetch_portable(text, 1, "counting records that are alone").rows[0][0]
        )

    def measured(self, tried: Prepared) -> tuple[list[Metric], InfeasibleError | None]:
        """Make and measure a release of the records that were read; only these are left.

        Args:
            tried: made on trial; of the same source, with the same columns in the same places, or
                the first of them.

        Returns:
            Its metrics, none where it was refused before classes were formed; and what refused it.

        Raises:
            SpecError: if the data does not fit the spec.
        """
        self.until(SIZE)
        read = _reading(self.prepared.plan)
        self.session.drop_work(keeping=[step.output for step in read if isinstance(step, Step)])
        rest = Plan(tried.plan.steps[len(_reading(tried.plan)) :])
        found = measured(replace(tried, plan=rest), self.session)
        self.session.run_sharing(Plan(()))
        self._done = set(range(len(read)))
        return found


def _reading(plan: Plan) -> tuple[Step | Check | Search, ...]:
    """The steps that read the source, change what was read, and count it."""
    return plan.steps[: plan.steps.index(COUNTING) + 1]


@contextmanager
def dry_run(
    prepared: Prepared, engine: Engine, listener: Listener | None = None
) -> Iterator[DryRun]:
    """A dry run of a plan: the source is read once, and nothing stays."""
    session = Session(engine, listener, keys=no_keys(prepared.spec))
    with session.transaction(keep=False):
        yield DryRun(prepared, session)
