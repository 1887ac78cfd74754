"""PostgreSQL: the run stays in the database that holds the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, Literal

import psycopg  # noqa: F401 - what this engine needs, named where it is missing

from sqlanon.engines.base import Engine
from sqlanon.engines.loading import Batches, batches
from sqlanon.engines.postgres_dependencies import what_it_reads
from sqlanon.engines.postgres_driver import PostgresDriver
from sqlanon.engines.postgres_loading import load
from sqlanon.engines.postgres_rights import lacking_to_read, lacking_to_work, lacking_to_write
from sqlanon.engines.postgres_tables import TransactionTables, temporary
from sqlanon.errors import EngineError
from sqlanon.plan import How
from sqlanon.spec.columns import Column
from sqlanon.spec.model import Source
from sqlanon.sql.names import Relation, Sql, literal

if TYPE_CHECKING:
    import pandas as pd


class PostgresEngine(Engine):
    """Runs on a PostgreSQL database, or on a psycopg connection the caller owns.

    A run is one transaction on one snapshot. Work relations are temporary tables.
    """

    dialect = "postgres"
    connecting = PostgresDriver
    driver: PostgresDriver
    kinds = (
        (r".*\[\]", "other"),
        (r"smallint|integer|bigint|numeric\(\d+(,0)?\)", "integer"),
        (r"numeric.*", "decimal"),
        (r"real|double precision", "number"),
        (r"date", "date"),
        (r"timestamp.*", "timestamp"),
        (r"boolean", "boolean"),
        (r"text|character.*|\"char\"|name|citext|uuid", "text"),
    )

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._tables = TransactionTables(self.driver)
        self._sources: list[Relation] = []  # that were loaded

    def scan(self, source: Source) -> Sql:
        """A temporary table of a file's records: the server cannot read the client's files."""
        with batches(source, self.driver.shows_errors) as records:
            return self._loaded(records)

    @contextmanager
    def register(self, frame: Any) -> Iterator[Sql]:
        """A temporary table of the frame's records; it stays until the engine is closed."""
        with batches(frame, self.driver.shows_errors) as records:
            table = self._loaded(records)
        yield table

    def _loaded(self, records: Batches) -> Sql:
        table = Relation(f"sqlanon_loaded_{len(self._sources)}")
        self._sources.append(table)
        self.drop(table, How.WORK_TABLE)
        return load(self.driver, table, records)

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order."""
        everything, step = f"select * from {source} as source", "reading the source"
        described = self.driver.described(everything, step)
        self.driver.execute(f"{everything} limit 0", step)  # whether it may be read
        types = ", ".join(f"({at}, {oid}, {mod})" for at, (_, oid, mod) in enumerate(described))
        found = self.driver.execute(
            "select format_type(oid, modifier), typcategory::text from pg_type inner join "
            f"(values {types or '(0, 0, 0)'}) as used (place, type, modifier) on oid = type "
            "order by place"
        )
        return [
            Column(name, full, "text" if category == "E" else self.kind(full))  # E for an enum
            for (name, *_), (full, category) in zip(described, found.rows, strict=True)
        ]

    def reads(self, source: Sql, relations: Sequence[Relation]) -> Relation | None:
        """One of the relations that a FROM item reads, however it reaches it; None if none."""
        with self.driver.transaction(keep=False):
            tables, bodies = what_it_reads(self.driver, source)
        names = {one: self.resolve(one) for one in relations}
        found = (one for one, full in names.items() if str(full) in tables)
        written = (one for one in relations if any(one.name in body for body in bodies))
        return next(found, None) or next(written, None)

    def kind_of(self, relation: Relation) -> Literal["table", "view"] | None:
        """Whether a relation is a table or a view, or does not exist."""
        found = self.driver.execute(
            f"select relkind::text from pg_class where oid = to_regclass({literal(relation.sql)})"
        )
        if not found.rows:
            return None
        return "view" if found.rows[0][0] in "vm" else "table"

    def comment_of(self, relation: Relation) -> str | None:
        """The comment on a relation; None also where there is no relation."""
        name = literal(relation.sql)
        found = self.driver.execute(f"select obj_description(to_regclass({name}), 'pg_class')")
        comment: str | None = found.rows[0][0]
        return comment

    def comment(self, relation: Relation, how: How, text: str) -> None:
        """Comment on a relation that this transaction has published."""
        self.driver.execute(f"comment on {how.kind} {relation.sql} is {literal(text)}")

    def hold(self, relation: Relation) -> str | None:
        """The comment on a relation that nobody else replaces until this transaction ends."""
        if self.comment_of(relation) is None:  # not ours to lock
            return None
        self.driver.execute(f"lock table {relation.sql} in access exclusive mode")
        return self.comment_of(relation)  # of what the name means now

    def has_place(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""
        schema = literal(self.resolve(relation).path[-1])
        return bool(
            self.driver.execute(
                f"select 1 from pg_namespace where nspname = {schema} and "
                "nspname not like 'pg\\_%' and nspname <> 'information_schema'"
            ).rows
        )

    def resolve(self, relation: Relation) -> Relation:
        """The relation's full name: schema and name."""
        if relation.path:
            return Relation(relation.name, relation.path[-1:])
        found = self.driver.execute(
            "select coalesce((select nspname from pg_class inner join pg_namespace "
            "on relnamespace = pg_namespace.oid "
            f"where pg_class.oid = to_regclass({literal(relation.sql)})), current_schema(), '')"
        )
        return Relation(relation.name, (str(found.rows[0][0]),))

    def lacking_to_read(self, relation: Relation) -> list[str]:
        """Why this role may not read a table or view that is there."""
        return lacking_to_read(self.driver, self.resolve(relation))

    def lacking_to_write(self, relations: Sequence[Relation]) -> list[str]:
        """Why it may not make work tables, or these relations in place of older ones."""
        full = [self.resolve(relation) for relation in relations]
        return [*lacking_to_work(self.driver), *lacking_to_write(self.driver, full)]

    def create(self, relation: Relation, select: str, how: How, step: str = "") -> int | None:
        """Make a relation of a SELECT, in place of an older one of the same name."""
        if how is How.WORK_TABLE:
            return self._tables.make(relation, select, step)
        if how is How.WORK_VIEW:
            self._tables.remove(relation)
            self.drop(relation, how)
        elif self.kind_of(relation) == "view":
            self.drop(relation, How.VIEW)
        elif self.kind_of(relation) == "table":
            self._tables.set_aside(relation)
        kind = how.kind if how.published else f"temporary {how.kind}"
        made = self.driver.execute(f"create {kind} {relation.sql} as\n{select}", step).made
        return made if how is How.TABLE else None

    def drop(self, relation: Relation, how: How) -> None:
        """Drop a relation if it is there; a work relation never is another's of the same name."""
        if how is How.WORK_TABLE and self._tables.empty(relation):
            return
        place = relation.sql if how.published else temporary(relation)
        self.driver.execute(f"drop {how.kind} if exists {place}")

    def _frame(self, relation: Relation) -> pd.DataFrame:
        import pandas as pd

        found = self.driver.execute(f"select * from {relation.sql}")
        return pd.DataFrame(found.rows, columns=list(found.columns))

    @contextmanager
    def transaction(
        self, keep: bool = True, published: Callable[[], bool] | None = None
    ) -> Iterator[None]:
        """What happens inside is visible at once at the end, or undone; one snapshot throughout."""
        try:
            with self.driver.transaction(keep, published):
                yield
                self._tables.drop_spare()
        finally:
            self._tables = TransactionTables(self.driver)

    def close(self) -> None:
        """Drop what was loaded and close the connection, or give it back; once is enough."""
        with suppress(EngineError):  # it may be lost
            while self._sources:
                self.drop(self._sources.pop(), How.WORK_TABLE)
        super().close()
