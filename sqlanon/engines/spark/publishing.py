"""Publishing on Spark, which has no transactions: by renames, which are undone if one fails."""

from __future__ import annotations

import re
import secrets
import time
from contextlib import suppress
from typing import Any, Literal

from pyspark.errors import PySparkException

from sqlanon.engines.base import Standing
from sqlanon.errors import ConflictError
from sqlanon.plan.step import WORK_PREFIX
from sqlanon.sql.names import Relation, Sql, literal, quoted

_STALE_SECONDS = 24 * 60 * 60


def name_of(relation: Relation) -> Sql:
    """A relation's name as Spark quotes it."""
    return quoted(relation, "spark")


def standing_in(session: Any, relation: Relation) -> Standing | None:
    """A relation of a session, and the comment on it; None where there is no relation."""
    name = name_of(relation)
    if not session.catalog.tableExists(name):
        return None
    entry = session.catalog.getTable(name)
    return Standing(_kind(entry), entry.description)


def _kind(entry: Any) -> Literal["table", "view"]:
    return "view" if entry.tableType in ("VIEW", "TEMPORARY") else "table"


class Staging:
    """The relations that a run publishes, under other names until they replace what is there.

    Attributes:
        places: where each relation stands for the moment.
        comments: what is said of each view.
        held: the comment on what a relation replaces.
        retired: what is dropped when all else is done, and its kind.
    """

    def __init__(self, session: Any) -> None:
        self.places: dict[Relation, Relation] = {}
        self.comments: dict[Relation, str] = {}
        self.held: dict[Relation, str | None] = {}
        self.retired: dict[Relation, Literal["table", "view"]] = {}
        self._session = session
        self._views: dict[Relation, str] = {}
        self._run = f"{int(time.time())}_{secrets.token_hex(2)}"

    def table(self, relation: Relation) -> Relation:
        """The name under which a table is made."""
        self.places[relation] = Relation(f"{relation.name}__new_{self._run}", relation.path)
        return self.places[relation]

    def view(self, relation: Relation, select: str) -> Relation:
        """The work relation that stands for a view."""
        self._views[relation] = select
        self.places[relation] = Relation(f"{WORK_PREFIX}{relation.name}")
        return self.places[relation]

    def publish(self) -> None:
        """Swap everything in; a swap that has begun must not be broken off."""
        undo: list[str] = []
        there = {final: standing_in(self._session, final) for final in self.places}
        older = {final: one.kind for final, one in there.items() if one is not None}
        aside = {final: Relation(f"{final.name}__old_{self._run}", final.path) for final in older}
        try:
            for final, staged in self.places.items():
                if final in aside:
                    self._rename(older[final], final, aside[final], undo)
                    self._compare(final, aside[final])
                if final in self._views:
                    self._session.sql(self._creating(final))
                    undo.append(f"drop view {name_of(final)}")
                else:
                    self._rename("table", staged, final, undo)
        except BaseException:
            for statement in reversed(undo):
                self._session.sql(statement)
            raise
        for final, left in aside.items():
            self._session.sql(f"drop {older[final]} {name_of(left)}")
        for relation, kind in self.retired.items():
            self._session.sql(f"drop {kind} if exists {name_of(relation)}")
        for final in self.places:
            self._drop_stale(final)

    def _compare(self, final: Relation, aside: Relation) -> None:
        """Whether what was set aside is what was looked at, and nobody else's by now."""
        there = standing_in(self._session, aside)
        if (None if there is None else there.comment) != self.held.get(final):
            raise ConflictError(f"{final} was replaced by somebody else", "publishing")

    def _creating(self, view: Relation) -> str:
        comment = f"comment {literal(self.comments[view])} " if view in self.comments else ""
        return f"create view {name_of(view)} {comment}as\n{self._views[view]}"

    def _rename(self, kind: str, old: Relation, new: Relation, undo: list[str]) -> None:
        bare = [name_of(Relation(one.name, one.path[-1:])) for one in (old, new)]
        self._session.sql(f"alter {kind} {name_of(old)} rename to {bare[1]}")
        undo.append(f"alter {kind} {name_of(new)} rename to {bare[0]}")

    def _drop_stale(self, final: Relation) -> None:
        """Drop what runs that were killed left of a relation that this run publishes."""
        place = name_of(Relation(final.path[-1], final.path[:-1])) if final.path else None
        form = re.compile(rf"{re.escape(final.name.lower())}__(new|old)_(\d+)_[0-9a-f]{{4}}")
        for one in self._session.catalog.listTables(place):
            found = form.fullmatch(one.name.lower())
            if found and int(found[2]) < time.time() - _STALE_SECONDS:
                left = name_of(Relation(one.name, final.path))
                self._session.sql(f"drop {_kind(one)} {left}")

    def clear(self) -> None:
        """Drop what was staged and not published."""
        with suppress(PySparkException):  # the catalog may be away
            for final, staged in self.places.items():
                if final not in self._views:
                    self._session.sql(f"drop table if exists {name_of(staged)}")
