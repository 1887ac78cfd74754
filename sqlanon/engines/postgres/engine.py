"""PostgreSQL: the run stays in the database that holds the table."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import psycopg  # noqa: F401 - what this engine needs, named where it is missing

from sqlanon.engines.base import Engine, Standing
from sqlanon.engines.loading import Batches, batches, reader
from sqlanon.engines.postgres import catalog
from sqlanon.engines.postgres.driver import PostgresDriver
from sqlanon.engines.postgres.loading import TransactionTables, export, load, typed
from sqlanon.errors import ConflictError, EngineError
from sqlanon.inputs.source import Source
from sqlanon.plan import Materialization, work
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Query, Relation, Sql, literal
from sqlanon.sql.rights import constants, keep_readers, settle_rights

_ROUNDED = re.compile(r"numeric\(\d+,-\d+\)")  # to hundreds: no other database has such a type
# As the embedded DuckDB has them; a number without a declared scale is whole or not by its values.
_ARROW_TYPES = {
    "boolean": "bool",
    "smallint": "int16",
    "integer": "int32",
    "bigint": "int64",
    "real": "float32",
    "double precision": "float64",
}


class PostgresEngine(Engine):
    """Runs on a PostgreSQL database, or on a psycopg connection the caller owns.

    A run is one transaction on one snapshot. Work relations are temporary tables.
    """

    dialect = "postgres"
    connecting = PostgresDriver
    driver: PostgresDriver
    work_path = ("pg_temp",)
    recursive = True
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
        self._left_behind: dict[Sql, Batches] = {}  # what they were loaded from

    def scan(self, source: Source, needed: Collection[str] | None = None) -> Sql:
        """A temporary table of a file's records: the server cannot read the client's files."""
        with batches(source, self.driver.shows_errors, needed) as records:
            return self._loaded(records)

    @contextmanager
    def register(self, frame: Any, needed: Collection[str] | None = None) -> Iterator[Sql]:
        """A temporary table of the frame's records; it stays until the engine is closed."""
        with batches(frame, self.driver.shows_errors, needed) as records:
            table = self._loaded(records)
        yield table

    @contextmanager
    def looking_at(self, source: Source, item: Sql) -> Iterator[tuple[Engine, Sql]]:
        """Where a file can be looked at that may not be sent whole: in this process."""
        with reader(self.driver.shows_errors) as engine:
            yield engine, engine.scan(source, ())  # of the records nothing is read here

    def _loaded(self, records: Batches) -> Sql:
        table = self.qualified(work("loaded_", len(self._sources)))
        self._sources.append(table)
        self.drop(table, Materialization.WORK_TABLE)
        item = load(self.driver, table, records)
        self._left_behind[item] = records
        return item

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order; of a file or frame those that were not sent too."""
        loaded = self._left_behind.get(source)
        if loaded is not None and loaded.sent != loaded.columns:
            found = self._columns(typed(loaded.columns))
            pairs = zip(found, loaded.columns, strict=True)
            return [replace(one, name=column.name) for one, column in pairs]
        return self._columns(source)

    def _columns(self, source: Sql) -> list[Column]:
        everything, step = f"select * from {source} as source", "reading the source"
        described = self.driver.described(everything, step)
        self.driver.execute(f"{everything} limit 0", step)  # whether it may be read
        types = ", ".join(f"({at}, {oid}, {mod})" for at, (_, oid, mod) in enumerate(described))
        found = self.driver.execute(
            "select format_type(oid, modifier), typcategory::text from pg_type inner join "
            f"(values {types or '(0, 0, 0)'}) as used (number, type, modifier) on oid = type "
            "order by number"
        )
        return [
            # S: text of any name, such as an extension's; E: an enum. Of bpchar nobody knows how
            # many blanks at the end of a value are its own.
            Column(
                name,
                _ROUNDED.sub("numeric", full),
                "text" if category in "ES" and full != "bpchar" else self.kind(full),
            )
            for (name, *_), (full, category) in zip(described, found.rows, strict=True)
        ]

    def reads(self, source: Relation | Sql, relations: Sequence[Relation]) -> Relation | None:
        """One of the relations that a FROM item reads, however it reaches it; None if none.

        Without the rights to write them this is not found out: a run is refused for these.
        """
        if self.lacking_to_write(relations):
            return None
        with self.driver.transaction(keep=False):
            with self.reading(source) as item:
                self.driver.execute(catalog.viewed(item))
            tables, bodies = catalog.what_it_reads(self.driver)
        names = {relation: self.qualified(relation) for relation in relations}
        found = (relation for relation, full in names.items() if str(full) in tables)
        written = (
            relation for relation in relations if any(relation.name in body for body in bodies)
        )
        return next(found, None) or next(written, None)

    def standing(
        self, relations: Sequence[Relation], hold: bool = False
    ) -> dict[Relation, Standing]:
        """Those of some relations that exist: what each is, and the comment on it.

        Args:
            relations: by what names.
            hold: whether nobody else may replace them until this transaction ends.
        """
        full_names = {relation: self.qualified(relation) for relation in relations}
        there = catalog.standing_of(list(dict.fromkeys(full_names.values())), self.driver)
        found = {relation: there[full] for relation, full in full_names.items() if full in there}
        for relation, it in found.items():
            if hold and it.comment is not None:  # else it is not ours to lock
                found[relation] = Standing(it.kind, self._held(relation))
        return found

    @contextmanager
    def turn(self, name: str) -> Iterator[None]:
        """Nobody else has the turn of a name in a block: by an advisory lock of the session."""
        key = int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)
        locked = f"select pg_catalog.pg_try_advisory_lock({key})"
        if self.driver.execute(locked, "reading the source").rows != [(True,)]:
            raise ConflictError("another session has the turn")
        try:
            yield
        finally:
            self.driver.restore(f"select pg_catalog.pg_advisory_unlock({key})")

    def siblings(self, relation: Relation, ending: str) -> list[Relation]:
        """The relations in the schema of a relation whose names end so, by their full names."""
        schema = self.qualified(relation).path[-1]
        return [
            Relation(name, (schema,)) for name in catalog.names_beside(schema, ending, self.driver)
        ]

    def comment(self, relation: Relation, how: Materialization, text: str) -> None:
        """Comment on a relation that this transaction has published."""
        name = self.named(relation)
        self.driver.execute(f"comment on {how.kind} {name} is {literal(text)}")

    def _held(self, relation: Relation) -> str | None:
        """The comment on a relation that nobody else replaces until this transaction ends."""
        if self.comment_of(relation) is None:  # not ours to lock
            return None
        self.driver.execute(f"lock table {self.named(relation)} in access exclusive mode")
        return self.comment_of(relation)  # of what the name means now

    def keep_readers(self, relations: Sequence[Relation]) -> None:
        """Note who may read relations that this transaction is about to replace."""
        self.driver.execute(
            keep_readers(constants([self.qualified(relation) for relation in relations]))
        )

    def settle_rights(self, withheld: Sequence[Relation]) -> None:
        """Give what was replaced its readers, and nobody but the owner what is withheld."""
        names = constants([self.qualified(relation) for relation in withheld])
        self.driver.execute(settle_rights(names))

    def secret(self, name: Relation, value: str) -> None:
        """Let the transaction know a secret: a setting of its own, which no file holds.

        It travels as ``copy`` does. A server may log statements with their parameters, and no role
        but a superuser's could stop it.
        """
        table = Relation(name.name, self.work_path).sql
        self.driver.execute(f"create temporary table {table} (value text)", "a key")
        self.driver.copy(f"copy {table} from stdin", [(value,)], "a key")
        told = f"pg_catalog.set_config('sqlanon.{name.name}', value, true)"
        self.driver.execute(f"select {told} is null from {table}", "a key")
        self.driver.execute(f"drop table {table}", "a key")

    def forget(self, name: Relation) -> None:
        """Make the transaction forget a secret; one that failed has forgotten it at its end."""
        self.driver.restore(f"select pg_catalog.set_config('sqlanon.{name.name}', '', true)")

    def has_schema(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""
        schema = literal(self.qualified(relation).path[-1])
        return bool(
            self.driver.execute(
                f"select 1 from pg_catalog.pg_namespace where nspname = {schema} and "
                "nspname not like 'pg\\_%' and nspname <> 'information_schema'"
            ).rows
        )

    def resolve(self, relation: Relation) -> Relation:
        """The full name of a relation to be read: one that lasts rather than a temporary one."""
        if relation.path:
            return Relation(relation.name, relation.path[-1:])
        schemas = enumerate(self.driver.schemas)
        path = ", ".join(f"({at}, {literal(name)})" for at, name in schemas) or "(0, '')"
        found = self.driver.execute(
            "select nspname::text from pg_catalog.pg_class inner join pg_catalog.pg_namespace "
            "on relnamespace = pg_namespace.oid "
            f"left join (values {path}) as path (number, schema) on nspname::text = schema "
            f"where relname = {literal(relation.name)} and (schema is not null "
            "or relnamespace = pg_catalog.pg_my_temp_schema()) order by number nulls last limit 1"
        )
        return Relation(relation.name, found.rows[0] if found.rows else (self._here,))

    def resolve_new(self, relation: Relation) -> Relation:
        """The full name under which a relation is made: in the first schema of the user's path."""
        return Relation(relation.name, relation.path[-1:] or (self._here,))

    @property
    def _here(self) -> str:
        """Where what is unqualified is made."""
        return self.driver.schemas[0] if self.driver.schemas else ""

    def item(self, relation: Relation) -> Relation | Query:
        """The item of a FROM clause that reads a relation of the user's.

        The functions that a view calls may look for others in the user's path.
        """
        return Query(self.named(relation)) if self.kind_of(relation) == "view" else relation

    def lacking_to_read(self, relation: Relation) -> list[str]:
        """Why this role may not read a table or view that is there."""
        return catalog.lacking_to_read(self.driver, self.qualified(relation))

    def lacking_to_write(self, relations: Sequence[Relation]) -> list[str]:
        """Why it may not make work tables, or these relations in place of older ones."""
        full = [self.qualified(relation) for relation in relations]
        return [*catalog.lacking_to_work(self.driver), *catalog.lacking_to_write(self.driver, full)]

    def steady_functions(self, names: Collection[str]) -> set[str]:
        """Those of some functions that the database knows to be steady."""
        found = self.driver.execute(
            "select proname::text from pg_catalog.pg_proc group by proname "
            "having bool_and(provolatile = 'i')"
        )
        return set(names) & {name for (name,) in found.rows}

    def create(
        self, relation: Relation, select: str, how: Materialization, step: str = ""
    ) -> int | None:
        """Make a relation of a SELECT, in place of an older one of the same name."""
        relation = self.qualified(relation)
        if how is Materialization.WORK_TABLE:
            return self._tables.make(relation, select, step)
        if how is Materialization.WORK_VIEW:
            self._tables.remove(relation)
            self.drop(relation, how)
        elif self.kind_of(relation) == "view":
            self.drop(relation, Materialization.VIEW)
        elif self.kind_of(relation) == "table":
            self._tables.set_aside(relation)
        kind = how.kind if how.published else f"temporary {how.kind}"
        # A reader's function must never see a row that a view of the source leaves out.
        barrier = " with (security_barrier)" if how is Materialization.VIEW else ""
        made = self.driver.execute(f"create {kind} {relation.sql}{barrier} as\n{select}", step).made
        return made if how is Materialization.TABLE else None

    def drop(self, relation: Relation, how: Materialization) -> None:
        """Drop a relation if it is there; a work relation never is another's of the same name."""
        relation = self.qualified(relation)
        if how is Materialization.WORK_TABLE and self._tables.empty(relation):
            return
        self.driver.execute(f"drop {how.kind} if exists {relation.sql}")

    def arrow_type(self, column: Column, cells: Sequence[Any]) -> str | None:
        """As the embedded DuckDB has it."""
        return _ARROW_TYPES.get(column.type)

    def export(
        self, relation: Relation, columns: Sequence[Column], file: Path, escaped: bool = False
    ) -> None:
        """Write columns of a published relation to a file: CSV or Parquet."""
        export(self.driver, self.qualified(relation).sql, columns, file, escaped)

    @contextmanager
    def transaction(
        self, keep: bool = True, published: Callable[[], bool] | None = None
    ) -> Iterator[None]:
        """Show the block's changes at once at its end, or undo them; one snapshot throughout."""
        try:
            with self.driver.transaction(keep, published):
                yield
                self._tables.drop_spare()
        finally:
            self._tables = TransactionTables(self.driver)

    def renew(self) -> None:
        """Forget what the last use has found out, kept or left: what was loaded, too."""
        super().renew()
        self._drop_loaded()

    def close(self) -> None:
        """Drop what was loaded and close the connection, or give it back; once is enough."""
        self._drop_loaded()
        super().close()

    def _drop_loaded(self) -> None:
        self._left_behind.clear()
        with suppress(EngineError):  # it may be lost
            while self._sources:
                self.drop(self._sources.pop(), Materialization.WORK_TABLE)
