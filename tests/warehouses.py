"""Releases in warehouses: the specs of their tests, and connections that fail while publishing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from typing import Any, Protocol

import pytest
from people import COLUMNS, people_rows
from servers import DuckDBPlace

import sqlanon
from sqlanon.engines import Engine
from sqlanon.plan import Materialization
from sqlanon.sql import Relation

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


@contextmanager
def in_duckdb(declared: dict[str, Any]) -> Iterator[Any]:
    """The same release in DuckDB, of the same persons."""
    here = DuckDBPlace()
    here.make_table("people", COLUMNS, people_rows(120))
    with closing(here.connection):
        sqlanon.anonymize("people", connection=here.connection, **declared).close()
        yield here.connection


RELEASE = Relation("pub")
MADE = [RELEASE, *map(RELEASE.beside, ("classes", "metrics", "run"))]


def publish(engine: Engine, value: int) -> None:
    """Publish four tables of one row, as a run does at its end."""
    mark = f"of {value}"
    with (
        closing(engine),
        engine.transaction(published=lambda: engine.comment_of(RELEASE) == mark),
    ):
        engine.standing(MADE, hold=True)
        for one in MADE:
            engine.create(one, f"select {value} as number", Materialization.TABLE)
            engine.comment(one, Materialization.TABLE, mark)
        engine.settle_rights(MADE[1:])


class Warehouse(Protocol):
    """An emulated warehouse.

    Attributes:
        watch: is told every statement before it runs.
        connecting: the module and the name of the function that every connection is made by.
        failures: the client's errors, by what has happened: ``right``, ``lost``, ``away``.
    """

    watch: Callable[[str], None]
    connecting: tuple[Any, str]
    failures: dict[str, Exception]


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
        self._failures = there.failures

    def __call__(self, statement: str) -> None:
        if self._broken and self._lost:
            raise self._failures["lost"]
        if statement.startswith(("create or replace table", "create table")):
            self._left -= 1
            if self._left == -1:
                self._broken = True
                self(statement)
                raise self._failures["right"]

    def connect(self, *given: Any, **named: Any) -> Any:
        """A connection, if there is another one."""
        if self._broken and not self._returns:
            raise self._failures["away"]
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
