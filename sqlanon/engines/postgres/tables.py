"""The tables that one transaction of PostgreSQL makes: few, however often they are made again.

PostgreSQL locks every table that a transaction makes for as long as it lasts, and has room for some
thousands. So a work table that is dropped is emptied, and filled again if its columns are the same.
"""

from __future__ import annotations

from secrets import token_hex

from sqlanon.engines.postgres.driver import Described, PostgresDriver
from sqlanon.sql.names import Relation, identifier


class TransactionTables:
    """The tables that a transaction has made, emptied and set aside, each by its full name."""

    def __init__(self, driver: PostgresDriver) -> None:
        self._driver = driver
        self._forms: dict[Relation, Described | None] = {}  # None: nobody has asked yet
        self._emptied: set[Relation] = set()
        self._aside: dict[Relation, Relation] = {}

    def make(self, relation: Relation, select: str, step: str) -> int | None:
        """A work table of a SELECT; how many rows it has."""
        run, place = self._driver.execute, relation.sql
        if not self.empty(relation):
            run(f"drop table if exists {place}", step)
        elif not self._has_form(relation, self._driver.described(select, step), step):
            self.remove(relation)
        if relation in self._forms:
            made = run(f"insert into {place}\n{select}", step).made
        else:
            made = run(f"create temporary table {place} as\n{select}", step).made
            self._forms[relation] = None
        self._emptied.discard(relation)
        run(f"analyze {place}", step)
        return made

    def _has_form(self, relation: Relation, form: Described, step: str) -> bool:
        """Whether a work table has such columns."""
        known = self._forms[relation]
        if known is None:
            known = self._driver.described(f"select * from {relation.sql}", step)
            self._forms[relation] = known
        return known == form

    def remove(self, relation: Relation) -> None:
        """Drop a work table that was only emptied: its name is wanted for something else."""
        if relation in self._forms:
            del self._forms[relation]
            self._emptied.discard(relation)
            self._driver.execute(f"drop table {relation.sql}")

    def empty(self, relation: Relation) -> bool:
        """Empty a work table, if it is one of this transaction."""
        if relation in self._forms and relation not in self._emptied:
            self._driver.execute(f"truncate {relation.sql}")
            self._emptied.add(relation)
        return relation in self._forms

    def set_aside(self, relation: Relation) -> None:
        """Rename a table that is replaced: a view of it may be replaced only after it."""
        aside = Relation(f"sqlanon_old_{token_hex(8)}", relation.path)
        self._driver.execute(f"alter table {relation.sql} rename to {identifier(aside.name)}")
        self._aside[relation] = aside

    def drop_spare(self) -> None:
        """Drop what was set aside, and what was emptied."""
        for relation, aside in self._aside.items():
            self._driver.execute(f"drop table {aside.sql}", f"replacing {relation}")
        if self._emptied:
            emptied = ", ".join(relation.sql for relation in self._emptied)
            self._driver.execute(f"drop table {emptied}")
