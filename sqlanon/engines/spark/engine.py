"""Apache Spark: in this process, on a cluster, or over Spark Connect.

Spark has no transactions: a run publishes by renames, which are undone if one fails.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pyspark.errors
from pyspark.errors import PySparkException
from pyspark.sql import functions

from sqlanon.engines.base import RelationKind, Standing
from sqlanon.engines.frames import readable
from sqlanon.engines.loading import arrow, check_parquet
from sqlanon.engines.spark.driver import SparkDriver, Views
from sqlanon.engines.staged import StagingEngine
from sqlanon.errors import ConflictError, SpecError
from sqlanon.inputs.files import is_parquet, is_remote_file, matching, partitions
from sqlanon.inputs.source import Source
from sqlanon.plan import Materialization
from sqlanon.plan.step import WORK_PREFIX
from sqlanon.spec.columns import Column
from sqlanon.sql.dialects import text_literal
from sqlanon.sql.names import Relation, Sql, literal, quoted

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


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
        staged: where each relation stands for the moment.
        comments: what is said of each view.
        held: the comment on what a relation replaces.
        retired: what is dropped when all else is done, and its kind.
    """

    def __init__(self, session: Any) -> None:
        self.staged: dict[Relation, Relation] = {}
        self.comments: dict[Relation, str] = {}
        self.held: dict[Relation, str | None] = {}
        self.retired: dict[Relation, Literal["table", "view"]] = {}
        self._session = session
        self._views: dict[Relation, str] = {}
        self._run = f"{int(time.time())}_{secrets.token_hex(2)}"

    def table(self, relation: Relation) -> Relation:
        """The name under which a table is made."""
        self.staged[relation] = Relation(f"{relation.name}__new_{self._run}", relation.path)
        return self.staged[relation]

    def view(self, relation: Relation, select: str) -> Relation:
        """The work relation that stands for a view."""
        self._views[relation] = select
        self.staged[relation] = Relation(f"{WORK_PREFIX}{relation.name}")
        return self.staged[relation]

    def publish(self) -> None:
        """Swap everything in; a swap that has begun must not be broken off."""
        undo: list[str] = []
        there = {final: standing_in(self._session, final) for final in self.staged}
        older = {final: value.kind for final, value in there.items() if value is not None}
        aside = {final: Relation(f"{final.name}__old_{self._run}", final.path) for final in older}
        try:
            for final, staged in self.staged.items():
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
        for final in self.staged:
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
        bare = [name_of(Relation(relation.name, relation.path[-1:])) for relation in (old, new)]
        self._session.sql(f"alter {kind} {name_of(old)} rename to {bare[1]}")
        undo.append(f"alter {kind} {name_of(new)} rename to {bare[0]}")

    def _drop_stale(self, final: Relation) -> None:
        """Drop what runs that were killed left of a relation that this run publishes."""
        schema = name_of(Relation(final.path[-1], final.path[:-1])) if final.path else None
        form = re.compile(rf"{re.escape(final.name.lower())}__(new|old)_(\d+)_[0-9a-f]{{4}}")
        for one in self._session.catalog.listTables(schema):
            found = form.fullmatch(one.name.lower())
            if found and int(found[2]) < time.time() - _STALE_SECONDS:
                left = name_of(Relation(one.name, final.path))
                self._session.sql(f"drop {_kind(one)} {left}")

    def clear(self) -> None:
        """Drop what was staged and not published."""
        with suppress(PySparkException):  # the catalog may be away
            for final, staged in self.staged.items():
                if final not in self._views:
                    self._session.sql(f"drop table if exists {name_of(staged)}")


class SparkEngine(StagingEngine):
    """Runs on a Spark session.

    A work relation is computed once and kept by the executors (a local checkpoint) under the name
    of a temporary view: nothing is computed twice, and nothing outlives the session. A published
    table is written under a name of its own, and takes the place of the older one at the end.
    """

    dialect = "spark"
    searches = False  # each of a search's thousand small statements is a job of its own
    connecting = SparkDriver
    writes_files = False
    driver: SparkDriver
    _staging: Staging
    kinds = (
        (r"(tiny|small|big)?int", "integer"),
        (r"decimal\(\d+,0\)", "integer"),
        (r"decimal.*", "decimal"),
        (r"float|double", "number"),
        (r"date", "date"),
        (r"timestamp(_ntz)?", "timestamp"),
        (r"boolean", "boolean"),
        (r"string( collate \w+)?|(var)?char\(\d+\)", "text"),
    )

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._views = Views(self.driver)
        self._staging = Staging(self.connection)

    def scan(self, source: Source, needed: Collection[str] | None = None) -> Sql:
        """The FROM item that reads files; the first line of a text file names its columns.

        All but Parquet is read by DuckDB in this process, so that it means the same everywhere.
        """
        if not is_parquet(str(source.file)):
            table = arrow(source, self.driver.shows_errors)
            frame = self.driver.call(lambda: self._of_arrow(table, needed), "reading the source")
        else:
            if not is_remote_file(str(source.file)):
                check_parquet(str(source.file), "Spark", self.driver.shows_errors, needed)
            frame = self.driver.call(lambda: self._parquet(str(source.file)), "reading the source")
        return self._views.source(frame)

    def _of_arrow(self, table: pa.Table, needed: Collection[str] | None) -> Any:
        from sqlanon.engines.spark.arrow import in_types_of_spark  # needs pyarrow

        return self.connection.createDataFrame(in_types_of_spark(table, needed))

    def _parquet(self, file: str) -> Any:
        """The frame of Parquet files; a folder's value is a column where DuckDB has one."""
        if is_remote_file(file):
            return self.connection.read.load(file)
        files = matching(file)
        frame = self.connection.read.option("recursiveFileLookup", "true").load(files)
        said = partitions(file, files, frame.columns)
        if not said:
            return frame
        for name, kind in said.items():
            marked = text_literal(f"/{name}=", self.dialect)
            value = f"split_part(split_part(url_decode(_metadata.file_path), {marked}, 2), '/', 1)"
            known = f"nullif({value}, '__HIVE_DEFAULT_PARTITION__')"
            type_ = kind.replace("VARCHAR", "STRING")
            frame = frame.withColumn(name, functions.expr(f"cast({known} as {type_})"))
        return frame

    @contextmanager
    def register(self, frame: Any, needed: Collection[str] | None = None) -> Iterator[Sql]:
        """A FROM item that reads a Spark, pandas, polars or Arrow frame."""
        if not hasattr(frame, "createOrReplaceTempView"):
            with readable(frame) as read:
                try:
                    import pyarrow

                    frame = self._of_arrow(pyarrow.table(read), needed)
                except (ImportError, TypeError, ValueError, pyspark.errors.PySparkException):
                    raise SpecError(f"a {type(frame).__name__} cannot be read as a table") from None
        item = self._views.source(frame)
        try:
            yield item
        finally:
            self._views.drop(item.strip("`"))

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order."""
        described = f"select * from {source} as source"
        found = self.driver.call(
            lambda: self.connection.sql(described).dtypes, "reading the source"
        )
        return [Column(name, type_name, self.kind(type_name)) for name, type_name in found]

    def reads(self, source: Relation | Sql, relations: Sequence[Relation]) -> Relation | None:
        """One of the relations that a FROM item reads, however it reaches it; None if none."""
        with self.reading(source) as item:
            explained = self.driver.execute(
                f"explain extended select 1 as one from {item} as source", "reading the source"
            )
        plan = str(explained.rows[0][0]).partition("== Analyzed Logical Plan ==")[2]
        plan, whole, _ = plan.partition("== Optimized Logical Plan ==")
        if not whole:
            raise SpecError(
                "the session cuts the texts of plans short, so that what the source reads is not "
                "known: leave spark.sql.maxPlanStringLength as it is"
            )
        plan = plan.replace("`", "").lower()
        for relation in relations:
            name = re.escape(str(self.qualified(relation)).lower())
            if re.search(rf"(?<![\w.]){name}(?!\w)", plan):
                return relation
        return None

    def standing(
        self, relations: Sequence[Relation], hold: bool = False
    ) -> dict[Relation, Standing]:
        """Those of some relations that exist: what each is, and the comment on it.

        Args:
            relations: by what names.
            hold: whether a relation that has another comment when it is replaced is not replaced.
        """
        found = {}
        for relation in relations:
            full = self.qualified(relation)
            there = self.driver.call(partial(standing_in, self.connection, full))
            if there is not None:
                found[relation] = there
                if hold:
                    self._staging.held[full] = there.comment
        return found

    def siblings(self, relation: Relation, ending: str) -> list[Relation]:
        """The relations in the schema of a relation whose names end so, by their full names."""
        path = self.qualified(relation).path
        schema = name_of(Relation(path[-1], path[:-1]))
        found = self.driver.call(lambda: self.connection.catalog.listTables(schema))
        names = sorted(one.name for one in found if not one.isTemporary)
        return [Relation(name, path) for name in names if name.endswith(ending)]

    def comment(self, relation: Relation, how: Materialization, text: str) -> None:
        """Comment on a relation that this transaction has published."""
        full = self.qualified(relation)
        if how is Materialization.VIEW:
            self._staging.comments[full] = text
        else:
            staged = name_of(self._staging.staged[full])
            self.driver.execute(f"comment on table {staged} is {literal(text)}")

    def retire(self, relation: Relation, kind: RelationKind) -> None:
        """Drop a relation of the older release that the new one has no use for."""
        self._staging.retired[self.qualified(relation)] = kind

    def secret(self, name: Relation, value: str) -> None:
        """Let the session know a secret: a view of one row, whose value no plan shows."""
        session = self.connection
        self.driver.call(
            lambda: session.createDataFrame([(value,)], "value string").createOrReplaceTempView(
                name.name
            ),
            "a key",
        )

    def forget(self, name: Relation) -> None:
        """Make the session forget a secret."""

        def drop() -> None:
            with suppress(Exception):  # py4j and grpc have errors of their own; or it is lost
                self.connection.catalog.dropTempView(name.name)

        self.driver.worker.finish(drop)

    def has_schema(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""
        if not relation.path:
            return True
        path = self.qualified(relation).path
        schema = name_of(Relation(path[-1], path[:-1]))
        return bool(self.driver.call(lambda: self.connection.catalog.databaseExists(schema)))

    def resolve(self, relation: Relation) -> Relation:
        """The full name of a relation to be read: one that lasts rather than a temporary one."""
        full = self._full(relation)
        if relation.path == ("global_temp",) or (
            not relation.path
            and self.driver.call(lambda: standing_in(self.connection, full)) is None
            and self.driver.call(lambda: standing_in(self.connection, relation)) is not None
        ):
            return relation  # a temporary view, which no full name means
        return full

    def resolve_new(self, relation: Relation) -> Relation:
        """The full name under which a relation is made."""
        return self._full(relation)

    def _full(self, relation: Relation) -> Relation:
        catalog = self.connection.catalog
        here = self.driver.call(lambda: (catalog.currentCatalog(), catalog.currentDatabase()))
        return Relation(relation.name, (*here[: 2 - len(relation.path)], *relation.path))

    def create(
        self, relation: Relation, select: str, how: Materialization, step: str = ""
    ) -> int | None:
        """Make a relation of a SELECT, in place of an older one of the same name."""
        placed = self._as_staged(select)
        relation = self.qualified(relation)
        if how is Materialization.TABLE:
            staged = name_of(self._staging.table(relation))
            self.driver.execute(f"create table {staged} as\n{placed}", step)
            return None
        if how is Materialization.VIEW:
            relation = self._staging.view(relation, select)
        return self._views.compute(relation.name, placed, step)

    def drop(self, relation: Relation, how: Materialization) -> None:
        """Drop a relation if it is there."""
        if how.published:
            self.driver.execute(f"drop {how.kind} if exists {name_of(self.qualified(relation))}")
        else:
            self._views.drop(relation.name)

    def export(
        self, relation: Relation, columns: Sequence[Column], file: Path, escaped: bool = False
    ) -> None:
        """Spark writes files where its executors are, and folders of them."""
        raise NotImplementedError

    def frame(self, relation: Relation) -> pd.DataFrame:
        """A published relation as a pandas frame."""
        found: pd.DataFrame = self.arrow(relation).to_pandas()
        return found

    def arrow(self, relation: Relation) -> pa.Table:
        """A published relation as an Arrow table."""
        self.driver.check_open()
        table = self.connection.table(name_of(self.qualified(relation)))
        return self.driver.call(table.toArrow)

    def taken(self, relation: Relation, columns: Sequence[Column]) -> pa.Table:
        """Codes and counts of a work relation as an Arrow table."""
        names = [name_of(Relation(column.name)) for column in columns]
        select = f"select {', '.join(names)} from {name_of(self.qualified(relation))}"
        placed = self._as_staged(select)
        return self.driver.call(self.connection.sql(placed).toArrow)

    def _begin(self) -> None:
        self._require_exclusive_session()
        self._staging = Staging(self.connection)

    def _require_exclusive_session(self) -> None:
        """Work relations are the session's: two runs in one session would mix theirs up."""
        views = self.driver.call(self.connection.catalog.listTables)
        if any(
            view.isTemporary and view.name.startswith(f"{WORK_PREFIX}records") for view in views
        ):
            raise SpecError("another run is using this Spark session: wait, or give it its own")

    def _clear(self) -> None:
        self._staging.clear()
        self._staging = Staging(self.connection)
        self._views.drop_work()

    def renew(self) -> None:
        """Forget what the last use has found out, kept or left: the views of sources, too."""
        super().renew()
        self._views.close()

    def close(self) -> None:
        """Drop what is left and give the session back; stop it if it is ours. Once is enough."""
        self._views.close()
        super().close()
