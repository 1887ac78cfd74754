"""Apache Spark: a session in this process, on a cluster, or over Spark Connect."""

from __future__ import annotations

import logging
import re
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar

import pyspark
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession

from sqlanon.engines.base import Rows
from sqlanon.engines.waiting import INTERRUPTED, Worker
from sqlanon.errors import EngineError, InterruptedRunError, SpecError
from sqlanon.plan import How
from sqlanon.spec.columns import Column, Kind
from sqlanon.sql.dialects import moved
from sqlanon.sql.names import Relation, Sql

if TYPE_CHECKING:
    import pandas as pd

Result = TypeVar("Result")
_KINDS: tuple[tuple[str, Kind], ...] = (
    (r"(tiny|small|big)?int", "integer"),
    (r"decimal\(\d+,0\)", "integer"),
    (r"decimal.*|float|double", "number"),
    (r"date", "date"),
    (r"timestamp(_ntz)?", "timestamp"),
    (r"boolean", "boolean"),
    (r"string|(var)?char\(\d+\)", "text"),
)
# Arithmetic that overflows is an error, and a time of day reads the same everywhere. What Spark
# infers of a relation's columns would grow with every relation that is made of it; and it takes a
# cached relation's order for that of columns it does not have, unless every plan is adaptive.
_SETTINGS = {
    "spark.sql.ansi.enabled": "true",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.constraintPropagation.enabled": "false",
    "spark.sql.adaptive.enabled": "true",
    "spark.sql.adaptive.forceApply": "true",
}
# A session of our own in this process: its tables outlive it, and few partitions suit one machine.
_LOCAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.catalogImplementation": "hive",
}
_STALE_SECONDS = 24 * 60 * 60
_WORK = "sqlanon_"
# It would write a failed statement's message, and with it perhaps a value of the data, to stderr.
_DRIVER_LOG = logging.getLogger("SQLQueryContextLogger")


class SparkEngine:
    """Runs on a Spark session.

    A work relation is computed once and kept by the executors (a local checkpoint) under the name
    of a temporary view: nothing is computed twice, and nothing outlives the session. A published
    table is written under a name of its own, and takes the place of the older one at the end.

    Args:
        database: ``spark`` for the session that Spark's own configuration describes, a master
            (``local[4]``, ``spark://host:7077``) or a Spark Connect address (``sc://host``).
        connection: the caller's own session, left open; the database is then not used.
        settings: Spark's settings, such as ``{"spark.sql.shuffle.partitions": 400}``.
    """

    dialect = "spark"

    def __init__(
        self,
        database: str | Path | None = None,
        connection: Any = None,
        settings: dict[str, str | int] | None = None,
    ) -> None:
        given = {name: str(value) for name, value in (settings or {}).items()}
        for name in given:
            if not name.startswith("spark."):
                raise SpecError(f"Spark has no setting {name!r}: its settings begin with 'spark.'")
        self.version = f"Spark {pyspark.__version__}"
        self.progress: Callable[[float | None, float], None] | None = None
        active = None if connection is not None else SparkSession.getActiveSession()
        self._owned = connection is None and active is None
        self._closed = False
        self.session: Any = connection or active or _started(str(database or "spark"), given)
        self._tag = f"{_WORK}{secrets.token_hex(4)}"
        self._worker = Worker("sqlanon-spark", self._interrupt, self._tell)
        self._worker.finish(lambda: self.session.addTag(self._tag))  # of this thread's statements
        self._restore: dict[str, str | None] = {}
        self._made: dict[str, Any] = {}
        self._staged: dict[Relation, Relation] = {}
        self._views: dict[Relation, str] = {}
        self._run = ""
        try:
            for name, value in {**_SETTINGS, **given}.items():
                self._set(name, value)
            self.version = f"Spark {self.session.version}"
        except BaseException:
            self.close()
            raise

    def _set(self, name: str, value: str) -> None:
        """Change a setting until the engine is closed."""
        if self.session.conf.get(name, None) == value:
            return
        if not self.session.conf.isModifiable(name):
            raise SpecError(f"Spark has no setting {name!r} that a running session can change")
        self._restore.setdefault(name, self.session.conf.get(name, None))
        try:
            self.session.conf.set(name, value)
        except PySparkException as error:
            raise SpecError(f"Spark refuses the setting {name}: {_speakable(error)}") from None

    def scan(self, path: str, delimiter: str | None) -> Sql:
        """The FROM item that reads CSV, TSV or Parquet files; the first line of text names columns.

        By default the delimiter is the comma, semicolon, tab or bar that stands there most often.
        """
        reader = self.session.read
        if not path.lower().endswith(".parquet"):
            if delimiter is None:
                first = self._do(lambda: reader.text(path).first(), "reading the source")
                delimiter = max(",;\t|", key=lambda sign: first[0].count(sign) if first else 0)
            options = {"header": True, "inferSchema": True, "multiLine": True, "escape": '"'}
            reader = self.session.read.format("csv").options(sep=delimiter, **options)
        return self._view("source", self._do(lambda: reader.load(path), "reading the source"))

    @contextmanager
    def register(self, frame: Any) -> Iterator[Sql]:
        """A FROM item that reads a Spark, pandas, polars or Arrow frame."""
        if not hasattr(frame, "createOrReplaceTempView"):
            try:
                import pyarrow

                frame = self.session.createDataFrame(pyarrow.table(frame))
            except (ImportError, TypeError, ValueError, PySparkException):
                raise SpecError(f"a {type(frame).__name__} cannot be read as a table") from None
        item = self._view("frame", frame)
        try:
            yield item
        finally:
            self._forget(item.strip("`"))

    def _view(self, name: str, frame: Any) -> Sql:
        """A temporary view of a frame, under a name of its own."""
        name = f"{self._tag}_{name}_{len(self._made)}"
        self._keep(name, frame)
        return Sql(_backticked(name))

    def _keep(self, name: str, frame: Any) -> None:
        if name in self._made:
            self._forget(name)
        self._do(lambda: frame.createOrReplaceTempView(name))
        self._made[name] = frame

    def _forget(self, name: str) -> None:
        self.session.catalog.dropTempView(name)
        if not name.startswith(self._tag):  # the caller's frame may be cached by the caller
            self._made[name].unpersist()
        del self._made[name]

    def columns(self, source: Sql) -> list[Column]:
        """The columns of a FROM item, in order."""
        described = f"select * from {source}"
        found = self._do(lambda: self.session.sql(described).dtypes, "reading the source")
        return [Column(name, kind, _kind(kind)) for name, kind in found]

    def kind_of(self, relation: Relation) -> Literal["table", "view"] | None:
        """Whether a relation is a table or a view, or does not exist."""
        name, catalog = _quoted(relation), self.session.catalog

        def found() -> str | None:
            return catalog.getTable(name).tableType if catalog.tableExists(name) else None

        kind = self._do(found)
        return None if kind is None else "view" if kind in ("VIEW", "TEMPORARY") else "table"

    def has_place(self, relation: Relation) -> bool:
        """Whether the schema that a relation is to stand in exists."""
        place = ".".join(map(_backticked, relation.path))
        return not place or bool(self._do(lambda: self.session.catalog.databaseExists(place)))

    def resolve(self, relation: Relation) -> Relation:
        """The relation's full name: catalog, schema and name."""
        catalog = self.session.catalog
        path = self._do(lambda: (catalog.currentCatalog(), catalog.currentDatabase()))
        return Relation(relation.name, (*path[: 2 - len(relation.path)], *relation.path))

    def create(self, relation: Relation, select: str, how: How, step: str = "") -> None:
        """Make a relation of a SELECT, in place of an older one of the same name."""
        placed = moved(select, self.dialect, self._staged)
        if how == How.TABLE:
            staged = Relation(f"{relation.name}__new_{self._run}", relation.path)
            self._staged[relation] = staged
            self._execute(f"create table {_quoted(staged)} as\n{placed}", step)
            return
        if how == How.VIEW:  # until it is published, a work relation stands for it
            self._views[relation] = select
            self._staged[relation] = relation = Relation(f"{_WORK}{relation.name}")
        self._keep(relation.name, self._do(lambda: self._computed(placed), step, placed))

    def _computed(self, select: str) -> Any:
        """A frame that is computed now, and never again.

        The checkpoint cuts it off from what it was made of. It keeps Spark's estimate of its size,
        though, and the next one would multiply it: the cache on top knows the size that it has.
        """
        frame = self.session.sql(select).localCheckpoint(eager=False).persist()
        frame.count()  # of both, in one go
        return frame

    def fetch(self, select: str, limit: int, step: str = "") -> Rows:
        """The rows of a SELECT, all of them; more than the limit is an error."""
        placed = moved(select, self.dialect, self._staged)
        result = self._execute(f"select * from (\n{placed}\n) as bounded limit {limit + 1}", step)
        if len(result.rows) > limit:
            raise EngineError(f"more than {limit} rows where only counts were expected", step)
        return result

    def frame(self, relation: Relation) -> pd.DataFrame:
        """A published relation as a pandas frame."""
        table = self.session.table(_quoted(relation))
        found: pd.DataFrame = self._do(lambda: table.toArrow().to_pandas())
        return found

    def drop(self, relation: Relation, how: How) -> None:
        """Drop a relation if it is there."""
        if relation.name in self._made:
            self._forget(relation.name)
        elif how in (How.TABLE, How.VIEW):
            self._execute(f"drop {how.value} if exists {_quoted(relation)}")

    @contextmanager
    def transaction(self, keep: bool = True) -> Iterator[None]:
        """What happens inside takes the place of what is there at the end, or is dropped."""
        self._refuse_company()
        self._run = f"{int(time.time())}_{secrets.token_hex(2)}"
        try:
            yield
            if keep:
                self._publish()
        except KeyboardInterrupt:  # between two statements
            raise InterruptedRunError(INTERRUPTED) from None
        finally:
            with suppress(EngineError):
                for staged in self._staged.values():
                    self._execute(f"drop table if exists {_quoted(staged)}")
            for name in [name for name in self._made if not name.startswith(self._tag)]:
                self._forget(name)
            self._staged, self._views = {}, {}

    def _refuse_company(self) -> None:
        """Work relations are the session's: two runs in one session would mix theirs up."""
        views = self._do(self.session.catalog.listTables)
        if any(one.isTemporary and one.name.startswith(f"{_WORK}records") for one in views):
            raise SpecError("another run is using this Spark session: wait, or give it its own")

    def _publish(self) -> None:
        """Swap what was made in; a swap that has begun is not broken off."""
        try:
            self._worker.finish(self._swap)
        except Exception as error:
            raise EngineError(_speakable(error), "publishing") from None

    def _swap(self) -> None:
        undo: list[str] = []
        aside = {
            final: Relation(f"{final.name}__old_{self._run}", final.path) for final in self._staged
        }
        kinds = {final: _kind_in(self.session, final) for final in self._staged}
        try:
            for final, staged in self._staged.items():
                if kinds[final]:
                    self._rename(kinds[final], final, aside[final], undo)
                if final in self._views:
                    self.session.sql(f"create view {_quoted(final)} as\n{self._views[final]}")
                    undo.append(f"drop view {_quoted(final)}")
                else:
                    self._rename("table", staged, final, undo)
        except BaseException:
            for statement in reversed(undo):
                self.session.sql(statement)
            raise
        for final, kind in kinds.items():
            if kind:
                self.session.sql(f"drop {kind} {_quoted(aside[final])}")
        self._drop_stale()

    def _rename(self, kind: str | None, old: Relation, new: Relation, undo: list[str]) -> None:
        names = [_quoted(Relation(one.name, one.path[-1:])) for one in (old, new)]
        self.session.sql(f"alter {kind} {_quoted(old)} rename to {names[1]}")
        undo.append(f"alter {kind} {_quoted(new)} rename to {names[0]}")

    def _drop_stale(self) -> None:
        """Drop what runs that were killed left beside the relations of this one."""
        for final in self._staged:
            place = ".".join(map(_backticked, final.path)) or None
            form = re.compile(rf"{re.escape(final.name.lower())}__(new|old)_(\d+)_[0-9a-f]{{4}}")
            for one in self.session.catalog.listTables(place):
                found = form.fullmatch(one.name.lower())
                if found and int(found[2]) < time.time() - _STALE_SECONDS:
                    kind = "view" if one.tableType == "VIEW" else "table"
                    self.session.sql(f"drop {kind} {_quoted(Relation(one.name, final.path))}")

    def close(self) -> None:
        """Drop what is left and give the session back; stop it if it is ours. Once is enough."""
        if self._closed:
            return
        self._closed = True
        for name in list(self._made):
            self._forget(name)
        for setting, value in self._restore.items():
            if value is None:
                self.session.conf.unset(setting)
            else:
                self.session.conf.set(setting, value)
        self._worker.close()
        if self._owned:
            self.session.stop()

    def _execute(self, sql: str, step: str = "") -> Rows:
        return self._do(lambda: self._drain(sql), step, sql)

    def _drain(self, sql: str) -> Rows:
        frame = self.session.sql(sql)
        return Rows(tuple(frame.columns), [tuple(row) for row in frame.collect()])

    def _do(self, work: Callable[[], Result], step: str = "", sql: str = "") -> Result:
        """Do something in the worker thread, so that Ctrl-C reaches this one at once."""
        silent, _DRIVER_LOG.disabled = _DRIVER_LOG.disabled, True
        try:
            return self._worker.run(work)
        except InterruptedRunError:
            raise
        except Exception as error:
            raise EngineError(_speakable(error), step, sql) from None
        finally:
            _DRIVER_LOG.disabled = silent

    def _interrupt(self) -> None:
        self.session.interruptTag(self._tag)

    def _tell(self, seconds: float) -> None:
        if self.progress is not None:
            self.progress(None, seconds)


def _started(database: str, settings: dict[str, str]) -> Any:
    """A session of our own."""
    builder: Any = SparkSession.builder.appName("sqlanon")
    local = database.startswith("local")
    if database.startswith("sc://"):
        builder = builder.remote(database)
    elif database != "spark":
        builder = builder.master(database)
    for name, value in {**(_LOCAL if local else {}), **settings}.items():
        builder = builder.config(name, value)
    try:
        session = builder.getOrCreate()
        if local:  # what executors log may quote the data
            session.sparkContext.setLogLevel("OFF")
    except Exception as error:
        raise EngineError(f"Spark cannot be reached: {_speakable(error)}") from None
    return session


def _kind_in(session: Any, relation: Relation) -> str | None:
    name = _quoted(relation)
    if not session.catalog.tableExists(name):
        return None
    return "view" if session.catalog.getTable(name).tableType == "VIEW" else "table"


def _backticked(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def _quoted(relation: Relation) -> str:
    return ".".join(map(_backticked, (*relation.path, relation.name)))


def _kind(type_name: str) -> Kind:
    return next((kind for form, kind in _KINDS if re.fullmatch(form, type_name)), "other")


def _speakable(error: Exception) -> str:
    """What may be said of an error: an analysis names objects; all else may quote a value."""
    condition = error.getCondition() if isinstance(error, PySparkException) else None
    if isinstance(error, AnalysisException):
        return str(error).split(". SQLSTATE")[0].splitlines()[0]
    return (
        f"Spark refused the statement ({condition or type(error).__name__}); its message is "
        "withheld because it may quote the data: run the step's SQL yourself to see it"
    )
