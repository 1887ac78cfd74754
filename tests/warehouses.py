"""Releases in warehouses: the specs of their tests, and connections that fail while publishing."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd
import pytest
from commands import Done
from commands import sqlanon as command
from people import COLUMNS, people_rows
from servers import DuckDBPlace, plain

import sqlanon
from sqlanon.engines import Engine
from sqlanon.errors import EngineError, InfeasibleError, SpecError
from sqlanon.plan import Materialization
from sqlanon.sql.names import Relation

GROUPED: dict[str, Any] = {
    "age": {"hierarchy": {"bands": [10, 30]}},
    "job": {"hierarchy": {"tree": {"*": {"x": ["a", "b"], "y": ["c", "d'\""]}}}},
}
DEALT: dict[str, Any] = {
    "release": "pub",
    "quasi_identifiers": GROUPED,
    "sensitive": ["ill"],
    "k": 3,
    "seed": 7,
    "method": "stack_and_deal",
    "progress": False,
}
LEVELS = {**DEALT, "method": "optimal", "levels": {"age": 2, "job": 2}}
HEAD = (
    "source: {{table: people}}\nrelease: pub\nseed: 7\nsensitive: {{ill: {t}}}\nprivacy: {{k: 3}}\n"
)
SPECS = {
    "levels": HEAD.format(t="{}") + "quasi_identifiers: {age: {hierarchy: {bands: [10, 30]}}}\n"
    "suppression: {records: 0.3}\nmethod: optimal\n",
    "cells": HEAD.format(t="{t: 0.7}") + "quasi_identifiers: [age, job]\nmethod: mondrian\n",
    "allotment": HEAD.format(t="{t: 0.7}") + "quasi_identifiers: [age, job]\n"
    "method: {name: split_or_deal, effort: quick}\n",
}


def recipes(*tried: str) -> list[Any]:
    """Every kind of recipe, as a parameter of a test: the gate tries some, and not all."""
    return [pytest.param(text, marks=[pytest.mark.further] * (text not in tried)) for text in SPECS]


@contextmanager
def in_duckdb(declared: dict[str, Any]) -> Iterator[Any]:
    """The same release in DuckDB, of the same persons."""
    here = DuckDBPlace()
    here.make_table("people", COLUMNS, people_rows(120))
    with closing(here.connection):
        sqlanon.anonymize("people", connection=here.connection, **declared).close()
        yield here.connection


RELEASE = Relation("pub")
Run = Callable[..., sqlanon.Release]
MADE = [RELEASE, *map(RELEASE.sibling, ("classes", "metrics", "run"))]


def publish(engine: Engine, value: int) -> None:
    """Publish four tables of one row, as a run does at its end."""
    mark = f"of {value}"
    with (
        closing(engine),
        engine.transaction(published=lambda: engine.comment_of(RELEASE) == mark),
    ):
        engine.standing(MADE, hold=True)
        for relation in MADE:
            engine.create(relation, f"select {value} as number", Materialization.TABLE)
            engine.comment(relation, Materialization.TABLE, mark)
        engine.settle_rights(MADE[1:])


class Warehouse(ABC):
    """An emulated warehouse with the schema of the tests.

    Attributes:
        sent: all statements that it was sent.
        watch: is told every statement before it runs.
        connecting: the module and the name of the function that every connection is made by.
        failures: the client's errors, by what has happened: ``right``, ``lost``, ``away``.
    """

    sent: list[str]
    watch: Callable[[str], None]
    connecting: tuple[Any, str]
    failures: dict[str, Exception]

    @abstractmethod
    def say(self, sql: str) -> list[Any]:
        """The rows of a statement of the test's own, which nobody watches."""

    @abstractmethod
    def standing(self) -> dict[str, Any]:
        """All that other sessions see but the source, with the comments."""

    def rows(self, name: str) -> Counter[Any]:
        """The rows of a relation, in no order."""
        return self.written(plain(self.say(f"select * from {name}")))

    def written(self, rows: Sequence[Any]) -> Counter[Any]:
        """Rows of DuckDB's, in no order, with text as it is written here."""
        return Counter(rows)

    def published(self) -> tuple[dict[str, Any], list[Counter[Any]]]:
        """What stands, and the rows of the release and its proof."""
        there = self.standing()
        return there, [self.rows(name) for name in sorted(there)]

    def changed(self) -> list[str]:
        """What it was told to make that lasts, or to drop."""
        return [text for text in self.sent if self.changes(text)]

    def changes(self, statement: str) -> bool:
        """Whether a statement makes what lasts, or drops it."""
        first = ("create or replace table", "create table", "drop", "alter")
        return statement.startswith(first)


def in_arrow(columns: Mapping[str, str], rows: Sequence[Any]) -> Any:
    """The records of a test, as an Arrow table."""
    with duckdb.connect() as source:
        described = ", ".join(f'"{name}" {kind}' for name, kind in columns.items())
        source.execute(f"create table people ({described})")
        if rows:
            source.executemany(f"insert into people values ({', '.join('?' * len(columns))})", rows)
        return source.sql("from people").to_arrow_table()


class Breaking:
    """A connection that fails at one of the statements that publish, and at all that follow.

    Args:
        there: the warehouse.
        at: at which of them, from 0.
        lost: whether the connection is lost, until there is another one; else one is refused.
        returns: whether there ever is another one.
    """

    def __init__(self, there: Warehouse, at: int, lost: bool, returns: bool = True) -> None:
        self._left, self._lost, self._returns = at, lost, returns
        self._connect, self._broken = getattr(*there.connecting), False
        self._there = there

    def __call__(self, statement: str) -> None:
        if self._broken and self._lost:
            raise self._there.failures["lost"]
        if statement.startswith("create") and self._there.changes(statement):
            self._left -= 1
            if self._left == -1:
                self._broken = True
                self(statement)
                raise self._there.failures["right"]

    def connect(self, *given: Any, **named: Any) -> Any:
        """A connection, if there is another one."""
        if self._broken and not self._returns:
            raise self._there.failures["away"]
        self._broken = False
        return self._connect(*given, **named)


@contextmanager
def broken(there: Warehouse, at: int, lost: bool, returns: bool = True) -> Iterator[None]:
    """A warehouse whose connection fails while the block lasts."""
    breaking = Breaking(there, at, lost, returns)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(*there.connecting, breaking.connect)
        there.watch = breaking
        yield
    there.watch = lambda statement: None


def check_a_failure_keeps_the_older(
    there: Warehouse, again: Callable[[int], None], older: bool, lost: bool, lacks: str
) -> None:
    """Publishing that fails at any of its statements leaves what stood before.

    Args:
        there: the warehouse.
        again: publishes a value there.
        older: whether something stands there before.
        lost: whether the connection is lost; else a right lacks.
        lacks: how a run says that.
    """
    if older:
        again(1)
    before = there.published()
    assert bool(before[0]) == older
    places = 8 if older else 4  # of the older tables copies first, then the new ones
    for at in range(places):
        said = "the connection is lost" if lost else lacks
        with broken(there, at, lost), pytest.raises(EngineError, match=said):
            again(2)
        assert there.published() == before, at
    with broken(there, places, lost):
        again(2)


def check_a_recipe_is_applied(
    there: Warehouse, address: str, folder: Path, kind: str, statements: int
) -> None:
    """A recipe of a search in DuckDB makes the same release in a warehouse, again and again.

    Args:
        there: the warehouse.
        address: its address.
        folder: where the spec and the recipe are written.
        kind: what kind of recipe, of ``SPECS``.
        statements: how many the warehouse is sent at most.
    """
    spec, recipe = folder / "spec.yaml", f"pub.{'parquet' if kind == 'allotment' else 'yaml'}"
    spec.write_text(SPECS[kind] + ("allotment: true\n" if kind == "allotment" else ""))
    with duckdb.connect(str(folder / "here.duckdb")) as connection:
        place = DuckDBPlace.__new__(DuckDBPlace)
        place.connection = connection
        place.make_table("people", COLUMNS, people_rows(120))
    assert command(folder, "run", "spec.yaml", "--database", "here.duckdb").returncode == 0
    written = command(folder, "recipe", "pub", "--database", "here.duckdb", "-o", recipe)
    assert written.returncode == 0, written.stderr
    spec.write_text(SPECS[kind])
    applied = command(folder, "apply", recipe, "spec.yaml", "--database", address)
    assert applied.returncode == 0, applied.stderr
    assert f"In {address}: the release pub" in applied.stdout
    assert len(there.sent) <= statements
    with duckdb.connect(str(folder / "here.duckdb")) as connection:
        rows = there.rows("pub")
        assert rows == there.written(plain(connection.sql("from pub").fetchall()))
    before = there.published()
    assert command(folder, "apply", recipe, "spec.yaml", "--database", address).returncode == 0
    assert there.published()[1][0] == before[1][0]  # the release


def check_a_search_here_is_asked_for(there: Warehouse, address: str, folder: Path) -> None:
    """A search in this process is refused until a user asks for it; then every command reads it.

    Args:
        there: the warehouse.
        address: its address.
        folder: where the spec is written.
    """

    def done(*arguments: str) -> Done:
        return command(folder, *arguments, "--database", address)

    (folder / "spec.yaml").write_text(SPECS["cells"])
    refused = done("run", "spec.yaml")
    assert refused.returncode == 2
    assert "say search: local" in " ".join(refused.stderr.split())
    assert there.changed() == []
    made = done("run", "spec.yaml", "--search", "local")
    assert made.returncode == 0, made.stderr
    assert "combinations of values left the database for it" in " ".join(made.stdout.split())
    # What comes back is sent as a file: no code of a record stands in a statement.
    assert not [text for text in there.sent if text.startswith("insert")]
    for asked in ("check", "attack", "certificate", "why"):
        answer = done(asked, "pub")
        assert answer.returncode == 0, answer.stderr


def check_a_wrong_address_is_named(
    folder: Path, address: str, said: str, codes: Sequence[int] = (2,)
) -> None:
    """A command says what is wrong with an address, and shows no secret of it.

    Args:
        folder: where the spec is written.
        address: the address.
        said: what the command says.
        codes: how it may end.
    """
    (folder / "spec.yaml").write_text(SPECS["levels"])
    refused = command(folder, "run", "spec.yaml", "--database", address)
    assert refused.returncode in codes
    assert said in " ".join(refused.stderr.split())
    assert "s3cret" not in refused.stderr


def check_a_refused_release_stands_nowhere(there: Warehouse, run: Run) -> None:
    """A release that violates a model changes nothing, whether an older one stands or not."""
    for older in (False, True):
        if older:
            run().close()
        before = there.published()
        with pytest.raises(InfeasibleError, match="nothing was published"):
            run(sensitive={"ill": {"t": "0.01"}})
        assert there.published() == before


def check_another_run_is_not_overwritten(
    there: Warehouse, run: Run, again: Run, staged: str, other: Callable[[], object]
) -> None:
    """A run gives way to another that has replaced the release meanwhile.

    Args:
        there: the warehouse.
        run: makes a release.
        again: makes another one in its place.
        staged: what the statement names at which the other run comes.
        other: says of the release that it is ``of somebody else``.
    """
    run().close()
    came = False

    def meanwhile(statement: str) -> None:
        nonlocal came
        if staged in statement and not came:
            came = True
            other()

    there.watch = meanwhile
    with pytest.raises(SpecError, match="while the run was under way"):
        again()
    there.watch = lambda statement: None
    (release,) = (name for name in there.standing() if name.lower() == "pub")
    assert there.standing()[release] == "of somebody else"


def check_a_frame_changes_no_number(there: Any, address: str) -> None:
    """Neither an integer next to NULL nor a long decimal is rounded, in Arrow either."""
    whole, long = [2**53 + 1, None, 3], ["9007199254740993.25", None, "-0.10"]
    rows = [
        (i % 4, "flu", whole[i % 3], None if i % 3 == 1 else Decimal(str(long[i % 3])))
        for i in range(12)
    ]
    columns = {"age": "integer", "ill": "varchar", "whole": "bigint", "long": "decimal(20, 2)"}
    there.fill(columns, rows, "numbers")
    public = {name: {"accept": "it is public"} for name in ("whole", "long")}
    declared = {
        **LEVELS,
        "quasi_identifiers": {"age": {"hierarchy": {"bands": [10, 30]}}},
        "levels": {"age": 2},
    }
    with sqlanon.anonymize("numbers", database=address, insensitive=public, **declared) as release:
        for frame in (release.frame(), release.arrow().to_pandas(integer_object_nulls=True)):
            frame.columns = [name.lower() for name in frame.columns]
            for name, cells in (("whole", whole), ("long", long)):
                found = {None if pd.isna(one) else Fraction(str(one)) for one in frame[name]}
                assert found == {None if cell is None else Fraction(cell) for cell in cells}, name
