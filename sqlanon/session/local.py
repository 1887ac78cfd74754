"""A search in this process: it reads cells with counts, and what it finds goes back to the engine.

An embedded DuckDB in memory carries it out, and writes nothing to a disk. What leaves the engine
are the relations of the run that the search reads: codes and counts, never text. Everything else is
done on the engine, and the gate measures there.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from sqlanon.engines import DuckDBEngine, Engine
from sqlanon.errors import EngineError, InfeasibleError, Problem, SpecError
from sqlanon.plan import Materialization, Rows, Search, Step, StepRecord
from sqlanon.plan.step import is_work
from sqlanon.session.session import Session
from sqlanon.spec import Spec
from sqlanon.spec.clauses import searches
from sqlanon.sql.names import Relation, quoted

Searching = Callable[[Search, Session], None]

FACT = "searched_locally"  # an item of the run relation: cells, and those of one record
MOST_ROWS = 20_000_000  # of one relation that leaves an engine
FOUND_ELSEWHERE = "searched_in_the_run"  # a schema that no database has, so that a script fails
_CODED = ("integer", "number", "boolean")
_NOT_HERE = (
    "-- The run searched in its own process, and no script holds what it found: sqlanon compile "
    "writes\n-- one that searches in the database.\n"
)


def searching(spec: Spec, engine: Engine) -> Searching | None:
    """The function that carries a spec's searches out in this process; None if the engine does.

    Raises:
        SpecError: if they are to be carried out here, and what brings their cells is not installed.
    """
    if not searches(spec) or spec.search == "engine" or (spec.search is None and engine.searches):
        return None
    if find_spec("pyarrow") is None:
        what = "a search in this process needs pyarrow: install it, or say search: engine"
        raise SpecError(Problem("search", what))
    return search_locally


def sentence_of_search(facts: Mapping[str, str]) -> str | None:
    """How much has left the database for a search; None if nothing has.

    Args:
        facts: what is recorded of the run.
    """
    if FACT not in facts:
        return None
    cells, single = json.loads(facts[FACT])
    return (
        f"The search was carried out in the process of the run: {cells:,} combinations of values "
        f"left the database for it, {single:,} of them of one record"
    )


def facts_of_search(session: Session) -> list[tuple[str, str]]:
    """The notes of the searches of a run, and how much has left the database for them."""
    taken = [] if session.taken is None else [(FACT, json.dumps(session.taken))]
    return [*session.notes, *taken]


def search_locally(search: Search, outer: Session) -> None:
    """Carry a search of a run out in this process.

    Args:
        search: what is to be carried out.
        outer: carries the run out; it has what the search reads, and gets what it leaves.

    Raises:
        InfeasibleError: if the data cannot meet the spec, or the search would read more rows than
            may leave the engine.
        EngineError: if one of the databases fails.
    """
    local = LocalSession(outer)
    try:
        with local.transaction(keep=False):
            local.carry_out(search)
            local.give_back(search.title)
    finally:
        local.engine.close()


class LocalSession(Session):
    """Runs the steps of a search in this process, on what an engine lends it.

    Args:
        outer: the session on that engine.
    """

    def __init__(self, outer: Session) -> None:
        # Without a folder to spill to, DuckDB keeps to its memory or fails.
        engine = DuckDBEngine(settings={"max_temp_directory_size": "0KiB"})
        super().__init__(engine, outer._listener)
        self._at, self._done, self._span = outer._at, outer._done, outer._span
        self._outer = outer
        self._lent: set[Relation] = set()
        self._taken = (0, 0)  # cells, and those of one record

    def create(self, step: Step) -> StepRecord:
        """Make a step's relation here."""
        self._borrow(step.inputs)
        return super().create(step)

    def fetch(
        self, template: str, inputs: Mapping[str, Any], params: Mapping[str, Any], limit: int
    ) -> Rows:
        """The rows of a small result: counts, never records."""
        self._borrow(inputs)
        return super().fetch(template, inputs, params, limit)

    def _borrow(self, inputs: Mapping[str, Any]) -> None:
        for given in inputs.values():
            if given not in self._there and given not in self._lent:
                self._bring(given)
                self._lent.add(given)

    def _bring(self, relation: Relation) -> None:
        """Copy the codes and counts of a relation of the run."""
        if not is_work(relation):
            raise EngineError(f"a search reads {relation}, which is no relation of its run")
        engine, dialect = self._outer.engine, self._outer.engine.dialect
        there = quoted(engine.qualified(relation), dialect)
        columns = [column for column in engine.columns(there) if column.kind in _CODED]
        are_cells = any(column.name == "records" for column in columns)
        single = "sum(case when lent.records = 1 then 1 else 0 end)" if are_cells else "0"
        counted = engine.fetch(f"select count(*) as cells, {single} from {there} as lent", 1)
        cells, alone = counted.rows[0]
        if cells > MOST_ROWS:
            raise InfeasibleError(
                f"the search would take {cells:,} cells out of the database, and {MOST_ROWS:,} may "
                "leave it: let it be carried out there (search: engine), or group the values of "
                "the quasi-identifiers in a query"
            )
        with self.engine.register(engine.taken(relation, columns)) as item:
            self.engine.create(relation, f"select * from {item}", Materialization.WORK_TABLE)
        if are_cells:  # all other counts are coarser: values and their frequencies
            self._taken = max(self._taken, (cells, int(alone or 0)))

    def give_back(self, title: str) -> None:
        """Give the engine what the search has left, and the record what it has read."""
        outer = self._outer
        for relation in self._there:
            started = time.perf_counter()
            with outer.engine.register(self.engine.arrow(relation)) as item:
                select = f"select * from {item}"
                rows = outer.engine.create(relation, select, Materialization.WORK_TABLE, title)
            outer._there[relation] = Materialization.WORK_TABLE
            found = Relation(relation.name, (FOUND_ELSEWHERE,)).sql
            seconds = time.perf_counter() - started
            sql = f"{_NOT_HERE}select * from {found}"
            outer.done.append(
                StepRecord(
                    relation=relation,
                    how=Materialization.WORK_TABLE,
                    title=title,
                    sql=sql,
                    seconds=seconds,
                    rows=rows,
                )
            )
        outer._done = self._done
        outer.notes += self.notes
        outer.taken = max(outer.taken or (0, 0), self._taken)
