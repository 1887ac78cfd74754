"""What the tests share: small tables in fresh databases, and what a run makes of them."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml
from hypothesis import Phase, seed, settings
from needs import missing

import sqlanon
from sqlanon.clauses.recipe.file import _digest, _of_yaml, recipe_of
from sqlanon.engines import DuckDBEngine
from sqlanon.errors import SqlanonError
from sqlanon.judge.check_result import CheckResult
from sqlanon.plan import Plan, Step
from sqlanon.planning.prepare import Prepared, prepare
from sqlanon.record.recorded import recorded
from sqlanon.session import Event, Listener, Session
from sqlanon.spec import parse_spec
from sqlanon.uses.release.release import Release

ROOT = Path(__file__).parent.parent
Connection = duckdb.DuckDBPyConnection
Row = tuple[Any, ...]
# The method of tests that are about none: nothing is searched for.
DEALT: dict[str, Any] = {"method": "stack_and_deal"}
GATE_EXAMPLES, GATE_SEED = 3, 1  # of a test, at most


def data_set(name: str) -> Path:
    """A file under SQLANON_DATA, by default the folder beside the checkout."""
    folder = Path(os.environ.get("SQLANON_DATA", ROOT.parent / "shared" / "data"))
    if not (folder / name).exists():
        missing("data", f"there is no data set {name} in {folder}: set SQLANON_DATA to its folder")
    return folder / name


def assert_listed(page: str, head: str, rows: Sequence[str]) -> None:
    """A page of docs/ has a table of these rows; with UPDATE_DOCS=1 it is written.

    Args:
        page: its name.
        head: how the table's first line begins.
        rows: the table without its head.
    """
    path = ROOT / "docs" / page
    lines = path.read_text(encoding="utf-8").splitlines()
    (start,) = (number for number, line in enumerate(lines) if line.startswith(head))
    end = next(number for number in range(start, len(lines)) if not lines[number])
    if os.environ.get("UPDATE_DOCS"):
        lines[start + 2 : end] = rows
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        assert lines[start + 2 : end] == list(rows)


# --- tables --------------------------------------------------------------------------------------


_idle: list[Connection] = []  # instances of DuckDB that no test uses
# Connections on which a run does not look whether functions of somebody's stand in for DuckDB's own
# (tests/conftest.py): to list them takes a tenth of it.
LENT: list[Connection] = []


@contextmanager
def database(path: Path | None = None, own: bool = False) -> Iterator[Connection]:
    """A fresh database, in memory by default.

    To open DuckDB takes longer than many a test: what is in memory is attached to one that stays
    open, unless a test wants its own, to change settings that all connections share, or to make
    functions that a run has to find.
    """
    if path or own:
        with (
            closing(duckdb.connect(str(path) if path else ":memory:")) as connection,
            nullcontext() if own else _lent(connection),
        ):
            yield connection
        return
    instance = _idle.pop() if _idle else _instance()
    instance.execute("attach ':memory:' as memory")
    connection = instance.cursor()
    connection.execute("use memory")
    try:
        with _lent(connection):
            yield connection
    finally:
        connection.close()
        instance.execute("detach memory")
        _idle.append(instance)


@contextmanager
def _lent(connection: Connection) -> Iterator[None]:
    LENT.append(connection)
    try:
        yield
    finally:
        del LENT[next(at for at, one in enumerate(LENT) if one is connection)]


def _instance() -> Connection:
    """One whose first database does not have the name that it has elsewhere."""
    instance = duckdb.connect()
    instance.execute("attach ':memory:' as idle; use idle; detach memory")
    return instance


@contextmanager
def copy_of(file: Path, folder: Path) -> Iterator[Connection]:
    """A copy of a database in a folder: cheaper than to make a release in it for each test."""
    with database(Path(shutil.copy(file, folder))) as connection:
        yield connection


def quoted(name: str) -> str:
    """A name as SQL; not the package's own function, which is under test."""
    return '"' + name.replace('"', '""') + '"'


def make_table(
    connection: Connection, name: str, columns: Mapping[str, str], rows: Sequence[Sequence[Any]]
) -> None:
    """A table of these rows; columns map names to types."""
    described = ", ".join(f"{quoted(column)} {kind}" for column, kind in columns.items())
    connection.execute(f"create or replace table {quoted(name)} ({described})")
    holes = "(" + ", ".join("?" * len(columns)) + ")"
    for start in range(0, len(rows), 200):
        some = rows[start : start + 200]
        values = [value for row in some for value in row]
        connection.execute(
            f"insert into {quoted(name)} values {', '.join([holes] * len(some))}", values
        )


def read(connection: Connection, name: str) -> tuple[tuple[str, ...], list[Row]]:
    """The columns and rows of a relation, in its own order."""
    return select(connection, f"select * from {quoted(name)}")


def select(connection: Connection, query: str) -> tuple[tuple[str, ...], list[Row]]:
    """The columns and rows of a query."""
    result = connection.execute(query)
    return tuple(column[0] for column in result.description or ()), result.fetchall()


def facts(connection: Connection, release: str = "anonymized") -> dict[str, str]:
    """What the run relation of a release says."""
    found: dict[str, str] = dict(read(connection, f"{release}__run")[1])
    return found


def relations(connection: Connection) -> set[str]:
    """Every table and view that is there, temporary ones too."""
    found = connection.execute(
        "select table_name from duckdb_tables() where not internal union all "
        "select view_name from duckdb_views() where not internal"
    )
    return {name for (name,) in found.fetchall()}


def sort_key(row: Sequence[Any]) -> tuple[tuple[str, str], ...]:
    """An order for rows of any types, NULLs among them."""
    return tuple((type(value).__name__, repr(value)) for value in row)


def multiset(rows: Sequence[Sequence[Any]]) -> list[Row]:
    """The rows without their order."""
    return sorted(map(tuple, rows), key=sort_key)


GATE = 6  # of so many slow parameters the gate tries one, and `.ci/further` all


def slow(*values: Any) -> list[Any]:
    """Parameters of a test that the core does not try, and the gate one in `GATE` of them."""
    return [pytest.param(value, marks=_beyond(index)) for index, value in enumerate(values)]


def one_in(every: int, values: Iterable[Any]) -> list[Any]:
    """Parameters of a test of which the core tries one in so many, and the gate more of them."""
    given = list(values)
    later = iter(slow(*(one for index, one in enumerate(given) if index % every)))
    return [next(later) if index % every else one for index, one in enumerate(given)]


def _beyond(place: int) -> list[pytest.MarkDecorator]:
    return [pytest.mark.slow, *([pytest.mark.further] if place % GATE else [])]


# --- examples ------------------------------------------------------------------------------------


def examples(
    few: int, many: int, *phases: Phase
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """So many examples, the same in every run: few, or many under ``--hypothesis-profile many``.

    Under ``gate`` others, which the core has not tried: half of the many, and not more than some.
    The same ones again at every change tell little.
    """
    profile = settings.get_current_profile_name()
    asked = {"many": many, "gate": min(many // 2, GATE_EXAMPLES)}
    chosen = settings(max_examples=asked.get(profile, few), phases=phases or tuple(Phase))
    if profile == "gate":
        others = settings(chosen, database=None)
        return lambda test: seed(GATE_SEED)(others(test))
    return settings(chosen, derandomize=True)


# --- runs ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Assigned:
    """The class assignment of a run: what the records were, and where they went.

    Attributes:
        class_ids: the class of each record.
        values: the quasi-identifiers and sensitive values of each record, decoded.
        codes: the same as codes.
        insensitive: the insensitive values of each record.
        domains: for each attribute (q1, …, s1, …) its values by code.
    """

    class_ids: list[int]
    values: list[Row]
    codes: list[Row]
    insensitive: list[Row]
    domains: dict[str, dict[int, Any]]


@dataclass(frozen=True)
class Outcome:
    """A finished run: the release as it is published, and the class assignment behind it."""

    release: Release
    columns: tuple[str, ...]
    rows: list[Row]
    classes: tuple[tuple[str, ...], list[Row]]
    assigned: Assigned
    positions: dict[str, list[tuple[int, Any, int]]]

    def measure(self, metric: str, attribute: str | None = None) -> float:
        """A metric that must be known."""
        value = self.release.measure(metric, attribute)
        assert value is not None
        return value


def anonymized(
    connection: Connection, source: Any, release: str = "anonymized", **declared: Any
) -> Outcome:
    """Run `sqlanon.anonymize` and look at its work relations before they are dropped."""
    seen: dict[str, Any] = {}

    def look(event: Event) -> None:
        if event.kind == "end" and event.number == event.total:
            seen["assigned"] = _assigned(connection)
            seen["positions"] = _positions(connection)

    made = sqlanon.anonymize(
        source, connection=connection, progress=look, release=quoted(release), **DEALT | declared
    )
    made.engine.close()
    columns, rows = read(connection, release)
    classes = read(connection, f"{release}__classes")
    return Outcome(made, columns, rows, classes, seen["assigned"], seen["positions"])


@contextmanager
def ran_to(connection: Connection, relation: str, source: str, **declared: Any) -> Iterator[Plan]:
    """Inside: a transaction in which the plan has been carried out up to a work relation."""
    fields = {"source": {"table": source}, "release": "anonymized", **DEALT, **declared}
    engine = DuckDBEngine(connection=connection)
    try:
        prepared = prepare(parse_spec(fields), engine)
        with Session(engine).transaction():
            Session(engine).run(up_to(prepared, relation))
            yield prepared.plan
            raise _EnoughError
    except _EnoughError:
        pass
    finally:
        engine.close()


class _EnoughError(Exception):
    """Rolls the transaction back: a test has seen what it came for."""


def up_to(prepared: Prepared, relation: str) -> Plan:
    """The steps of a plan up to the one that makes a relation."""
    names = [str(step.output) if isinstance(step, Step) else "" for step in prepared.plan]
    return Plan(prepared.plan.steps[: names.index(relation) + 1])


def measured(
    connection: Connection, table: str, **declared: Any
) -> tuple[CheckResult, list[dict[str, Any]]]:
    """Run `sqlanon.check`: what it returns, and its report of the classes by column name."""
    seen: list[dict[str, Any]] = []

    def look(event: Event) -> None:
        if event.kind == "end" and event.number == event.total:
            columns, rows = read(connection, "sqlanon_class_report")
            seen.extend(dict(zip(columns, row, strict=True)) for row in rows)

    return sqlanon.check(table, connection=connection, progress=look, **declared), seen


def in_report(attribute: str, metric: str) -> str:
    """The column of the class report that shows a metric of an attribute."""
    return f"{attribute}_{metric}"


def at(title: str, act: Any, kind: str = "start") -> Listener:
    """A listener that acts at the start (or end) of the step of this title."""

    def listen(event: Event) -> None:
        if (event.kind, event.title) == (kind, title):
            act()

    return listen


@contextmanager
def interruptible() -> Iterator[None]:
    """Ctrl-C interrupts, also where whoever started the tests has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def refused(error: type[SqlanonError], source: Any, **declared: Any) -> SqlanonError:
    """The error with which `sqlanon.anonymize` refuses."""
    with pytest.raises(error) as caught:
        sqlanon.anonymize(source, **DEALT | declared)
    return caught.value


def _assigned(connection: Connection) -> Assigned:
    columns, rows = read(connection, "sqlanon_assigned")
    assert columns[0] == "class_id"
    attributes = [column for column in columns if column[0] in "qs"]
    domains: dict[str, dict[int, Any]] = {
        alias: dict(select(connection, f"select code, value from sqlanon_domain_{alias}")[1])
        for alias in attributes
    }
    stop = 1 + len(attributes)
    codes = [row[1:stop] for row in rows]
    decoded = [
        tuple(domains[alias][code] for alias, code in zip(attributes, row, strict=True))
        for row in codes
    ]
    return Assigned([row[0] for row in rows], decoded, codes, [row[stop:] for row in rows], domains)


def _positions(connection: Connection) -> dict[str, list[tuple[int, Any, int]]]:
    """For each sensitive attribute (code, value, records) in the order of its distance."""
    names = [name for name in relations(connection) if name.startswith("sqlanon_positions_")]
    return {
        name.removeprefix("sqlanon_positions_"): [
            (code, value, records)
            for code, value, records in select(
                connection, f"select code, value, records from {name} order by position"
            )[1]
        ]
        for name in names
    }


def recipe_file(
    connection: Connection, release: str, folder: Path, cells: Iterable[Any] = ()
) -> str:
    """The path of a file with the recipe of a release, or with other cells."""
    engine = DuckDBEngine(connection=connection)
    text = recipe_of(recorded(release, engine)).text
    engine.close()
    path = folder / f"{release}.recipe.yaml"
    path.write_text(text, encoding="utf-8")
    if cells:
        content = {**_of_yaml(str(path)), "cells": [list(cell) for cell in cells]}
        del content["digest"]
        content["digest"] = _digest(content)
        path.write_text(yaml.safe_dump(content), encoding="utf-8")
    return str(path)
