"""DuckDB, in this process: the default engine."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext, suppress
from hashlib import sha256
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase
from typing import TYPE_CHECKING, Any

import duckdb

from sqlanon.engines.base import RelationKind, Standing
from sqlanon.engines.duckdb.attached import (
    AFRESH,
    KINDS,
    Attached,
    AttachedPostgres,
    Kind,
    marks_in,
    on_server,
)
from sqlanon.engines.duckdb.driver import DuckDBDriver
from sqlanon.engines.duckdb.exports import arrow_text, copying, framed, kept
from sqlanon.engines.duckdb.json_files import json_item
from sqlanon.engines.duckdb.parquet_files import parquet
from sqlanon.engines.duckdb.text_copies import FileEngine
from sqlanon.engines.duckdb.text_files import as_written
from sqlanon.engines.frames import readable
from sqlanon.errors import EngineError, SpecError
from sqlanon.inputs.source import Source
from sqlanon.plan import Materialization
from sqlanon.plan.step import WORK_PREFIX
from sqlanon.spec.columns import Column
from sqlanon.sql.names import Query, Relation, Sql, identifier, literal
from sqlanon.sql.written import Naming

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

_CREATE = {
    Materialization.WORK_TABLE: "create or replace temporary table",
    Materialization.WORK_VIEW: "create or replace temporary view",
    Materialization.TABLE: "create or replace table",
    Materialization.VIEW: "create or replace view",
}

_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)
_PASSING = ("temp", "system")  # catalogs that hold nothing of ours after a run
_PLAN = "logical_plan"
_RELATIONS = (
    "select database_name, schema_name, table_name, 'table', comment "
    "from system.main.duckdb_tables() union all "
    "select database_name, schema_name, view_name, 'view', comment "
    "from system.main.duckdb_views() where not internal"
)

# In SQLite's own words: how many values there are that DuckDB reads as others, and which it reads
# as they are.
_MISREAD = (
    "count(case when typeof({{value}}) = 'null' then null "
    "when typeof({{value}}) <> 'text' or not ({well}) then 1 end)"
)
_READ_AS = {
    "date": "{value} not glob '*[T: ]*'",
    "timestamp": (
        "length(rtrim({value}, 'Z')) <= 26 and substr({value}, 11) not glob '*[+-]*' and "
        "{value} not glob '*[A-SU-Ya-z]*'"
    ),
}


class DuckDBEngine(FileEngine):
    """Runs on a DuckDB file, in memory, or on a connection the caller owns.

    Work relations are temporary: nothing of the source is ever written into the database file,
    and a killed process leaves nothing behind in it.
    """

    dialect = "duckdb"
    recursive = True
    sorts_signed_zeros = int(duckdb.__version__.partition(".")[0]) >= 2
    connecting = DuckDBDriver
    driver: DuckDBDriver
    work_path = ("temp", "main")
    kinds = (
        (r".*\[\d*\]", "other"),
        (r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?", "integer"),
        (r"DECIMAL\(\d+,\s*0\)", "integer"),
        (r"DECIMAL.*", "decimal"),
        (r"FLOAT|DOUBLE", "number"),
        (r"DATE", "date"),
        (r"TIMESTAMP.*", "timestamp"),
        (r"BOOLEAN", "boolean"),
        (r"VARCHAR", "text"),
        (r"ENUM.*|UUID", "label"),
    )
    _frames = 0

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._work: set[tuple[Relation, Materialization]] = set()  # all that was made
        # What is held, None where there is nothing. A transaction sees what was there when it
        # began, so that this needs not be asked again in it.
        self._held: dict[tuple[str, ...], RelationKind | None] = {}
        self._texts: list[Relation] = []  # of files in an encoding that DuckDB does not read
        self._read: dict[Sql, list[Column]] = {}  # of files whose columns nobody asked for yet
        self._attached = Attached(self.driver, self.work_path)
        self._kinds: dict[str, Kind | None] = {}  # of the databases, where another product's
        self._once = False  # whether relations are listed again only after a change of ours
        self._listed: tuple[int, list[tuple[Any, ...]]] | None = None

    @property
    def folder(self) -> Path | None:
        """The folder of the database's file; None where it is in memory, or in the network."""
        found = self.driver.execute(
            "select path from system.main.duckdb_databases() where database_name = "
            f"{literal(self.driver.here[0])}"
        ).rows
        path = str(found[0][0] or "") if found else ""
        return Path(path).resolve().parent if path and Path(path).exists() else None

    def scan(self, source: Source, needed: Collection[str] | None = None) -> Sql:
        """The FROM item that reads CSV, TSV, JSON, Excel or Parquet files."""
        if source.is_json:
            return json_item(source, self, needed)
        if source.is_workbook:
            from sqlanon.engines.duckdb.workbooks import workbook_item

            return workbook_item(source, self, needed)
        if not source.is_text:
            return parquet(source, self, needed)
        item, columns = as_written(source, self, needed)
        self._read[item] = columns
        return item

    def keep_text(self, item: Sql) -> Sql:
        """The FROM item of a temporary table of what another item reads now, and no later."""
        table = Relation(f"sqlanon_text_{len(self._texts)}", self.work_path)
        self._texts.append(table)
        self.driver.execute(
            f"create or replace temporary table {table.sql} as select * from {item}",
            "reading the source",
        )
        return table.sql

    def is_copy(self, item: Relation | Sql) -> bool:
        """Whether a FROM item of this session reads a copy of a text file."""
        return any(item == table.sql for table in self._texts)

    @contextmanager
    def register(self, frame: Any, needed: Collection[str] | None = None) -> Iterator[Sql]:
        """A FROM item that reads a pandas, polars or Arrow frame, or a DuckDB relation."""
        if isinstance(frame, duckdb.DuckDBPyRelation):
            yield Query(f"({frame.sql_query()})")
            return
        name = f"sqlanon_frame_{self._frames}"
        with readable(frame) as read:
            self.connection.register(name, read)
            self._frames += 1
            try:
                yield Relation(name, self.work_path).sql
            finally:
                self._frames -= 1
                with suppress(duckdb.Error):  # it would hide the error that ended the block
                    self.connection.unregister(name)

    def renew(self) -> None:
        """Forget what the last use has found out, kept or left: texts that were read, too."""
        super().renew()
        self._work.clear()
        self._kinds.clear()
        self._read.clear()
        self._drop_texts()

    def close(self) -> None:
        """Drop what was read of texts and close the connection, or give it back."""
        self._drop_texts()
        super().close()

    def _drop_texts(self) -> None:
        with suppress(EngineError):  # it may be lost
            while self._texts:
                self.drop(self._texts.pop(), Materialization.WORK_TABLE)

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order."""
        return self._read.pop(source, None) or self.describe(source)

    def describe(self, source: Sql) -> list[Column]:
        """The same, asked again: of a text file this reads all of it."""
        described = self.driver.execute(
            f"describe select * from {source} as source", "reading the source"
        )
        return [
            Column(name, type_name, self.kind(type_name)) for name, type_name, *_ in described.rows
        ]

    def definitions(self) -> list[str]:
        """The SQL of the views and macros of all attached databases."""
        found = self.driver.execute(
            "select sql from duckdb_views() where not internal union all "
            "select macro_definition from duckdb_functions() "
            "where not internal and macro_definition is not null"
        )
        return [str(sql) for (sql,) in found.rows]

    def check_files(self, query: str | Relation, needed: Collection[str] | None = None) -> None:
        """Refuse a query or a view that guesses what is in the files that it reads."""
        from sqlanon.engines.duckdb.guesses import check_guesses

        if isinstance(query, Relation):
            full = self.resolve(query)
            found = self.driver.execute(
                "select sql from duckdb_views() where not internal and view_name = "
                f"{literal(full.name)}"
            )
            for (sql,) in found.rows:
                check_guesses(str(sql), needed, self)
        else:
            check_guesses(query, needed, self)

    def reads(self, source: Relation | Sql, relations: Sequence[Relation]) -> Relation | None:
        """One of the relations that a FROM item reads, however it reaches it; None if none.

        In the plan that is not optimized yet, views and macros have become the tables they read.
        """
        with self.reading(source) as item:
            select = f"select 1 as one from {item} as source"
            explained = self.driver.execute(f"explain (format json) {select}", "reading the source")
        scanned = {name.lower() for name in _scanned(json.loads(dict(explained.rows)[_PLAN]))}
        # Of a server's table the plan has the bare name alone.
        hidden = isinstance(source, Sql) or self._server(self.resolve(source)) is None
        for relation in relations:
            full = self.qualified(relation)
            there = hidden and self._server(full) is not None
            if str(full).lower() in scanned or (there and relation.name.lower() in scanned):
                return relation
        return None

    def standing(
        self, relations: Sequence[Relation], hold: bool = False
    ) -> dict[Relation, Standing]:
        """Those of some relations that exist: what each is, and the comment on it.

        Args:
            relations: by what names.
            hold: whether nobody else may replace them until this transaction ends.
        """
        if not relations:
            return {}
        full_names = {relation: self.qualified(relation) for relation in relations}
        served = {
            relation: (server, on_server(full))
            for relation, full in full_names.items()
            if (server := self._server(full)) is not None
        }
        if served:
            return self._standing_there(served, hold) | self.standing(
                [relation for relation in relations if relation not in served], hold
            )
        wanted = {
            relation: _folded((*full.path, full.name)) for relation, full in full_names.items()
        }
        named = set(wanted.values())
        found = [row for row in self._relations() if _folded(row[:3]) in named]
        marks = {
            catalog: marks_in(catalog, kind, self.driver)
            for catalog in {catalog for catalog, *_ in found}
            if (kind := self._kind_of_database(catalog)) is not None
        }
        there = {
            _folded(full): Standing(kind, marks.get(full[0], {}).get(full[-1], text))
            for *full, kind, text in found
        }
        if hold:
            for full in wanted.values():
                self._held[full] = there[full].kind if full in there else None
        return {relation: there[full] for relation, full in wanted.items() if full in there}

    def _standing_there(
        self, served: Mapping[Relation, tuple[AttachedPostgres, Relation]], hold: bool
    ) -> dict[Relation, Standing]:
        """Those of some relations of attached servers that exist."""
        there = dict[Relation, Standing]()
        for relation, (server, remote) in served.items():
            found = server.standing([remote], hold).get(remote)
            if hold:
                full = _folded(self._full(relation))
                self._held[full] = None if found is None else found.kind
            if found is not None:
                there[relation] = found
        return there

    def _server(self, full: Relation) -> AttachedPostgres | None:
        """The attached PostgreSQL that a relation stands in, by its full name, if it does."""
        kind = self._kind_of_database(full.path[0])
        served = kind is not None and kind.server
        return AttachedPostgres(full.path[0], self.driver) if served else None

    def _full(self, relation: Relation) -> tuple[str, ...]:
        full = self.qualified(relation)
        return (*full.path, full.name)

    def claim(self, beside: Relation, name: str) -> None:
        """Claim a name for this transaction: DuckDB lets one at a time make a table of a name.

        In an attached database of another product all can.
        """
        if self.foreign_kind(beside) is None:
            hashed = sha256(name.encode()).hexdigest()[:16]
            catalog = self.qualified(beside).path[0]
            table = Relation(f"{WORK_PREFIX}{hashed}", (catalog, "main")).sql
            self.driver.execute(f"create table {table} (taken boolean)")
            self.driver.execute(f"drop table {table}")

    def siblings(self, relation: Relation, ending: str) -> list[Relation]:
        """The relations in the schema of a relation whose names end so, by their full names."""
        *path, _ = self._full(relation)
        server = self._server(self.qualified(relation))
        if server is not None:
            names = server.siblings(path[-1], ending)
            return [Relation(name, tuple(path)) for name in names]
        here = _folded(path)
        there = [name for *at, name, _, _ in self._relations() if _folded(at) == here]
        ends = (name for name in there if name.lower().endswith(ending))
        return [Relation(name, tuple(path)) for name in sorted(ends)]

    def _relations(self) -> list[tuple[Any, ...]]:
        """Catalog, schema, name, kind and comment of every table and view.

        Which of them are meant is asked here: DuckDB takes as long again to plan a condition as to
        list them.
        """
        if self._listed is not None and self._listed[0] == self.driver.changes:
            return self._listed[1]
        found = self.driver.execute(_RELATIONS).rows
        self._listed = (self.driver.changes, found) if self._once else None
        return found

    @contextmanager
    def listing_once(self) -> Iterator[None]:
        """A change that others make is seen when a block begins or ends, perhaps no earlier."""
        before, self._once, self._listed = self._once, True, None
        try:
            yield
        finally:
            self._once = before
            self._listed = None

    def comment(self, relation: Relation, how: Materialization, text: str) -> None:
        """Comment on a relation that this transaction has published."""
        if self._attached.comment(self.resolve(relation), text) or self._is_unwritable(relation):
            return
        self.driver.execute(f"comment on {how.kind} {self.named(relation)} is {literal(text)}")

    def keep_readers(self, relations: Sequence[Relation]) -> None:
        """Note whose readers an attached server is to keep."""
        self._attached.readers = {self.resolve(relation) for relation in relations}

    def retire(self, relation: Relation, kind: RelationKind) -> None:
        """Drop a relation of the older release; on a server, views may read it until the end."""
        full = self.resolve(relation)
        if self._server(full) is None:
            super().retire(relation, kind)
        else:
            self._attached.replace(full, kind)

    def settle_rights(self, withheld: Sequence[Relation]) -> None:
        """DuckDB has no rights; an attached server has, and the files of a lake have some."""
        self._attached.withheld = {self.resolve(relation) for relation in withheld}

    def secret(self, name: Relation, value: str) -> None:
        """Let the session know a secret: a variable, which no file holds."""
        self.driver.tell(f"set variable {name.name} = ?", value)

    def forget(self, name: Relation) -> None:
        """Make the session forget a secret."""
        self.driver.restore(f"reset variable {name.name}")

    def has_schema(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""
        full = self.qualified(relation)
        catalog, schema = full.path
        if self._server(full) is not None:
            self.driver.execute(AFRESH)
        return catalog.lower() not in _PASSING and self._has_schema(catalog, schema)

    def _has_schema(self, catalog: str, schema: str) -> bool:
        found = self.driver.execute(
            "select database_name, schema_name from system.main.duckdb_schemas()"
        )
        return _folded((catalog, schema)) in map(_folded, found.rows)

    def foreign_kind(self, relation: Relation) -> str | None:
        """The kind of the attached database, if it is no DuckDB database, such as ``sqlite``."""
        kind = self._kind_there(relation)
        return None if kind is None else kind.name

    def keeps_types(self, relation: Relation) -> bool:
        """Whether a relation's columns have DuckDB's types; an attached SQLite has three."""
        kind = self._kind_there(relation)
        return kind is None or kind.types

    def misread(self, relation: Relation, columns: Sequence[Column]) -> dict[str, int]:
        """The columns of a source's table whose values are read as others, and how many of each.

        An attached SQLite may hold any value in a column of dates. DuckDB reads a number there as
        seconds since 1970, leaves out a time zone, and cuts a time of day or parts of microseconds.
        """
        times = [column for column in columns if column.kind in _READ_AS]
        if not times or self.foreign_kind(relation) != "sqlite":
            return {}
        full = self.resolve(relation)
        counts = ", ".join(
            _MISREAD.format(well=_READ_AS[column.kind]).replace("{value}", identifier(column.name))
            for column in times
        )
        asked = literal(f"select {counts} from {identifier(full.name)}")
        found = self.driver.execute(f"select * from sqlite_query({literal(full.path[0])}, {asked})")
        pairs = zip(times, found.rows[0], strict=True)
        return {column.name: int(count) for column, count in pairs if int(count)}

    def publishes_in(self, kind: str) -> bool:
        """Whether a run can publish all or nothing in a database of this kind."""
        return kind in KINDS

    def _kind_there(self, relation: Relation) -> Kind | None:
        return self._kind_of_database(self.resolve(relation).path[0])

    def _kind_of_database(self, name: str) -> Kind | None:
        if name not in self._kinds:
            found = self.driver.execute(
                "select database_name, type from system.main.duckdb_databases()"
            )
            kinds = {str(kind).lower() for row, kind in found.rows if _same(row, name)}
            foreign = min(kinds - {"duckdb", "motherduck"}, default=None)
            self._kinds[name] = None if foreign is None else Kind.called(foreign)
        return self._kinds[name]

    def lacking_to_write(self, relations: Sequence[Relation]) -> list[str]:
        """That an attached database is only to be read."""
        full = [self.resolve(relation) for relation in relations]
        served = self._server(full[0]) if full else None
        lacking = (
            []
            if served is None
            else served.lacking_to_write([on_server(relation) for relation in full])
        )
        names = {relation.path[0] for relation in full}
        if not self.driver.read_only or self.driver.owned:  # a transaction refuses its file
            names -= {self.driver.here[0]}
        if not names:
            return lacking
        read_only = self.driver.execute(
            "select database_name from system.main.duckdb_databases() where readonly"
        ).rows
        found = [name for name in sorted(names) if any(_same(one, name) for (one,) in read_only)]
        return [f"the database {name!r} is attached to be read only" for name in found] or lacking

    def resolve(self, relation: Relation) -> Relation:
        """The relation's full name: catalog, schema and name."""
        path = (*self.driver.here[: 2 - len(relation.path)], *relation.path)[-2:]
        if len(relation.path) == 1 and not self._has_schema(*path):
            kind = self._kind_of_database(relation.path[0])
            # A database, where it is no schema.
            attached = (relation.path[0], "main" if kind is None else kind.schema)
            path = attached if self._has_schema(*attached) else path
        return Relation(relation.name, path)

    def resolve_new(self, relation: Relation) -> Relation:
        """The full name under which a relation is made."""
        return self.resolve(relation)

    def naming(self, how: Materialization) -> Naming:
        """How a statement that makes such a relation calls what it reads.

        A view keeps its text, and the file may be renamed: what it reads is in its own database.
        """
        return self._in_own_database if how is Materialization.VIEW else self.qualified

    def _in_own_database(self, relation: Relation) -> Relation:
        full = self.qualified(relation)
        self._refuse_temporary(full)
        own = full.path[0] == self.driver.here[0]
        return Relation(full.name, full.path[1:]) if own else full

    def _refuse_temporary(self, full: Relation) -> None:
        """Refuse a temporary relation that a view would read in place of one of its database."""
        if full.path == self.work_path or self.kind_of(Relation(full.name, self.work_path)) is None:
            return
        raise SpecError(
            f"a temporary relation {full.name!r} stands in the way of the view that is to be made: "
            "drop it or rename it"
        )

    def steady_functions(self, names: Collection[str]) -> set[str]:
        """Those of some functions that the database knows to be steady; no macro is."""
        found = self.driver.execute(
            "select lower(function_name) from duckdb_functions() group by all "
            "having bool_and(coalesce(stability = 'CONSISTENT', false))"
        )
        return set(names) & {name for (name,) in found.rows}

    def create(
        self, relation: Relation, select: str, how: Materialization, step: str = ""
    ) -> int | None:
        """Make a relation of a SELECT, in place of an older one of the same name."""
        create, full = _CREATE[how], self.qualified(relation)
        kind = self._kind_there(relation) if how is Materialization.TABLE else None
        if not how.published:
            self._work.add((full, how))
        elif kind is not None and self.publishes_in(kind.name):
            self.driver.restartable = False  # or it would outlive the transaction
            full = self.resolve(relation)
            older = self._held.pop(_folded((*full.path, full.name)), None)
            if kind.server and older is not None:
                self._attached.replace(full, older)
            here, rows = self._attached.stage(full, kind, select, step)
            self._qualified[relation] = here
            return rows
        elif self._is_unwritable(relation):  # made to be undone, where nothing can be written
            if self.driver.keeps:
                raise EngineError(f"the database {self.driver.here[0]!r} is only to be read", step)
            create = f"create or replace temporary {how.kind}"
            full = self._qualified[relation] = Relation(relation.name, self.work_path)
        else:
            self.driver.restartable = False  # or it would become visible before the rest
            name = _folded(self._full(relation))
            older = self._held[name] if name in self._held else self.kind_of(relation)
            self._held.pop(name, None)
            if older is not None and older != how.kind:
                self.driver.execute(f"drop {older} {full.sql}", step)
        kept = how is Materialization.VIEW  # its text is
        with self.users_names() if kept else nullcontext():
            made = self.driver.execute(f"{create} {full.sql} as\n{select}", step)
        return made.rows[0][0] if made.rows else None

    def _is_unwritable(self, relation: Relation) -> bool:
        """Whether a relation would be in the current database, which cannot be written."""
        return self.driver.read_only and self.resolve(relation).path[0] == self.driver.here[0]

    def drop(self, relation: Relation, how: Materialization) -> None:
        """Drop a relation if it is there."""
        self.driver.execute(f"drop {how.kind} if exists {self.named(relation)}")

    def drop_all(self, relations: Iterable[tuple[Relation, Materialization]]) -> None:
        """Drop relations that are there, in one go."""
        drops = [f"drop {how.kind} if exists {self.named(relation)}" for relation, how in relations]
        if drops:
            self.driver.execute(";\n".join(drops))

    @contextmanager
    def transaction(
        self, keep: bool = True, published: Callable[[], bool] | None = None
    ) -> Iterator[None]:
        """Make the block's changes visible at once at its end, or undo them: also if not kept."""
        self._held.clear()
        try:
            with super().transaction(keep, published):
                yield
                if keep:
                    self._attached.publish()
                    self._unstage()
        finally:
            self._held.clear()
            self._unstage()
            self._attached.look_again()

    def _unstage(self) -> None:
        """Relations have their own names again, by which they are published or not there."""
        for relation in [
            one for one in self._qualified if self._attached.is_staged(self._qualified[one])
        ]:
            del self._qualified[relation]
        self._attached.forget()

    def reclaim_space(self) -> None:
        """DuckDB keeps what a transaction has dropped, on disk if need be, until it ends."""
        self._held.clear()
        self.driver.restart_transaction(
            f"drop {how.kind} if exists {relation.sql}" for relation, how in self._work
        )

    def frame(self, relation: Relation) -> pd.DataFrame:
        """A published relation as a pandas frame.

        Where pandas would change a value, the column is text, or has Python's exact numbers.
        """
        limits = {
            name: limit
            for name, kind in self._types(relation).items()
            if (limit := framed(name, kind))
        }
        beyond = self._beyond(relation, {name: bounds.beyond for name, bounds in limits.items()})
        read_as = {name: "varchar" if name in beyond else limits[name].within for name in limits}
        with self._whole(relation, what=_recast(read_as)) as found:
            frame: pd.DataFrame = found.df()
        for name in beyond:
            read = [limits[name].read(one) if isinstance(one, str) else None for one in frame[name]]
            frame[name] = type(frame[name])(read, index=frame.index, dtype=object)
        return frame

    def _types(self, relation: Relation) -> dict[str, str]:
        """DuckDB's types of a relation's columns."""
        with self._whole(relation, "limit 0") as found:
            return {name: str(kind) for name, kind, *_ in found.description or ()}

    def _beyond(self, relation: Relation, conditions: Mapping[str, str]) -> list[str]:
        """The columns of which a value meets their condition."""
        if not conditions:
            return []
        asked = ", ".join(
            f"coalesce(bool_or({condition}), false)" for condition in conditions.values()
        )
        with self._whole(relation, what=asked) as found:
            (met,) = found.fetchall()
        return [name for name, condition in zip(conditions, met, strict=True) if condition]

    def arrow(self, relation: Relation) -> pa.Table:
        """A published relation as an Arrow table.

        Where DuckDB would change a value, the column is text.
        """
        limits = {
            name: limit
            for name, kind in self._types(relation).items()
            if (limit := arrow_text(name, kind))
        }
        return self._arrow(
            relation, _recast(dict.fromkeys(self._beyond(relation, limits), "varchar"))
        )

    def _arrow(self, relation: Relation, what: str = "*") -> pa.Table:
        with self._whole(relation, what=what) as found, warnings.catch_warnings():
            # It costs a copy more than ``sql`` would, which a caller's open result would refuse.
            warnings.simplefilter("ignore", UserWarning)
            return found.to_arrow_table()

    def taken(self, relation: Relation, columns: Sequence[Column]) -> pa.Table:
        """Codes and counts of a work relation as an Arrow table."""
        names = [column.name for column in columns]
        return self._arrow(relation).select(names)

    @contextmanager
    def _whole(
        self, relation: Relation, limit: str = "", what: str = "*"
    ) -> Iterator[duckdb.DuckDBPyConnection]:
        """All rows of a relation, to be taken inside the block.

        Args:
            relation: it is read by its full name.
            limit: how many rows are read instead.
            what: what is read of it: all columns, unless expressions are named.

        Raises:
            EngineError: if the connection was closed, or they cannot be read.
        """
        self.driver.check_open()
        try:
            yield self.connection.execute(f"select {what} from {self.named(relation)} {limit}")
        except duckdb.Error as error:
            raise self.driver.failed(error, "reading a frame") from None

    def export(
        self, relation: Relation, columns: Sequence[Column], file: Path, escaped: bool = False
    ) -> None:
        """Write columns of a published relation to a file: CSV or Parquet."""
        cells = ", ".join(kept(column, file, escaped) for column in columns)
        select = f"select {cells} from {self.named(relation)}"
        self.driver.execute(copying(select, file), "writing a file")


def _recast(types: Mapping[str, str]) -> str:
    """The items of a SELECT: all columns, those with a type named here as that type."""
    cells = [
        f"cast({identifier(name)} as {kind}) as {identifier(name)}"
        for name, kind in types.items()
        if kind
    ]
    return f"* replace ({', '.join(cells)})" if cells else "*"


def _scanned(plan: Any) -> Iterator[str]:
    """The full names of the tables that a plan scans."""
    if isinstance(plan, list):
        for node in plan:
            yield from _scanned(node)
    elif isinstance(plan, dict):
        table = plan.get("extra_info", {}).get("Table")
        if table is not None:
            yield table
        yield from _scanned(plan.get("children", []))


def _folded(full: Iterable[str]) -> tuple[str, ...]:
    """A full name as DuckDB tells it from others: É and é are two names, E and e are one."""
    return tuple(name.translate(_SMALL) for name in full)


def _same(text: str, other: str) -> bool:
    """Whether two names are one for DuckDB."""
    return _folded((text,)) == _folded((other,))
