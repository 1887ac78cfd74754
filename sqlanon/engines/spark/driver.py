"""A Spark session: in this process, of a cluster, or over Spark Connect.

Frames have names of temporary views: they are computed once, kept by the executors, and
forgotten.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession

from sqlanon.common.interrupts import raised
from sqlanon.engines.driver import SETTINGS, Driver, Setting
from sqlanon.engines.messages import is_known
from sqlanon.engines.worker import Result
from sqlanon.errors import EngineError, SpecError
from sqlanon.plan import Rows
from sqlanon.sql.names import Relation, Sql, quoted
from sqlanon.sql.products import PRODUCTS

# A session of our own in this process: its tables outlive it, and few partitions suit one machine.
# A run compiles more than the hundred pieces of code that Spark keeps, and a search the same again.
_LOCAL = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.shuffle.partitions": "8",
    "spark.sql.codegen.cache.maxEntries": "2000",
    "spark.sql.catalogImplementation": "hive",
}
# It would write a failed statement's message, and with it perhaps a value of the data, to stderr.
_LOG = logging.getLogger("SQLQueryContextLogger")


class SparkDriver(Driver):
    """The session that is named, the one that is active in this process, or the caller's.

    A name is ``spark`` for what Spark's own configuration describes, a master (``local[4]``,
    ``spark://host:7077``) or a Spark Connect address (``sc://host``).

    Attributes:
        tag: what this driver's statements are marked with.
    """

    product = "Spark"
    failures = Exception  # py4j and grpc have errors of their own
    # What Spark infers of a relation's columns would grow with every relation that is made of it;
    # and it takes a cached relation's order for that of columns it does not have, unless every plan
    # is adaptive.
    settings: ClassVar = {
        "spark.sql.constraintPropagation.enabled": "false",
        "spark.sql.adaptive.enabled": "true",
        "spark.sql.adaptive.forceApply": "true",
    }
    fixed = PRODUCTS["spark"].settings

    def __init__(
        self,
        database: str | Path | None = None,
        connection: Any = None,
        settings: Mapping[str, Setting] | None = None,
    ) -> None:
        self.tag = f"sqlanon_{secrets.token_hex(4)}"
        given = {name: str(value) for name, value in (settings or {}).items()}
        for name in given:
            if not name.startswith("spark."):
                raise SpecError(f"Spark has no setting {name!r}: its settings begin with 'spark.'")
        super().__init__(database, connection, given)

    def _open(self, database: str | Path | None, settings: dict[str, Setting]) -> Any:
        active = SparkSession.getActiveSession()
        if active is not None:
            self.owned = False
            return active
        name = str(database or "spark")
        builder: Any = SparkSession.builder.appName("sqlanon")
        local = name.startswith("local")
        if name.startswith("sc://"):
            builder = builder.remote(name)
        elif name != "spark":
            builder = builder.master(name)
        for setting, value in {**(_LOCAL if local else {}), **settings}.items():
            builder = builder.config(setting, value)
        try:
            with raised():
                session = builder.getOrCreate()
            if local:  # what executors log may quote the data
                session.sparkContext.setLogLevel("OFF")
        except Exception as error:
            raise EngineError(f"Spark cannot be reached: {self.message(error)}") from None
        return session

    def _ready(self) -> str:
        self.worker.finish(self._tag_statements)
        self._refuse_functions()
        return str(self.connection.version)

    def _refuse_functions(self) -> None:
        """Refuse a function of the session that Spark may take for one of its own."""
        own = {str(name).lower() for (name,) in self.execute("show system functions").rows}
        users = (str(name) for (name,) in self.execute("show user functions").rows)
        name = next((name for name in users if name.lower() in own), None)
        if name is not None:
            raise SpecError(
                f"the temporary function {name!r} of the session has the name of one of Spark's "
                "own: drop it, or give it another name"
            )

    def _fixed_here(self) -> Mapping[str, Setting]:
        settings = self.connection.conf
        return {name: value for name, value in self.fixed.items() if settings.isModifiable(name)}

    def _drain(self, sql: str) -> Rows:
        frame = self.connection.sql(sql)
        try:
            rows = frame.collect()
        except (ValueError, OverflowError):  # Python's dates reach from the year 1 to 9999
            rows = _with_dates_as_text(frame).collect()
        return Rows(tuple(frame.columns), [tuple(row) for row in rows])

    def call(self, use: Callable[[], Result], step: str = "", sql: str = "") -> Result:
        """Use the session in the worker; its logger is silenced meanwhile."""
        silent, _LOG.disabled = _LOG.disabled, True
        try:
            return super().call(use, step, sql)
        finally:
            _LOG.disabled = silent

    def _tag_statements(self) -> None:
        """Mark what this thread starts. In this process a session's own tags are each thread's."""
        if self._is_remote():
            self.connection.addTag(self.tag)
        else:
            self.connection.sparkContext.addJobTag(self.tag)

    def _interrupt(self) -> None:
        if self._is_remote():
            self.connection.interruptTag(self.tag)
        else:
            self.connection.sparkContext.cancelJobsWithTag(self.tag)

    def _is_remote(self) -> bool:
        """Whether the session is over Spark Connect."""
        return type(self.connection).__module__.startswith("pyspark.sql.connect")

    def _setting(self, name: str) -> Any:
        return self.connection.conf.get(name, None)

    def _change(self, name: str, value: Any) -> None:
        settings = self.connection.conf
        if not settings.isModifiable(name):
            raise SpecError(f"Spark has no setting {name!r} that a running session can change")
        change = settings.unset if value is None else lambda name: settings.set(name, value)
        self.call(lambda: change(name), SETTINGS)

    def _leave(self) -> None:
        if self.owned:
            self.connection.stop()

    def _safe(self, error: Exception, known: str) -> str | None:
        return safe_message(error, known)

    def _kind(self, error: Exception, known: str) -> str:
        return condition_of(error) or type(error).__name__


def _with_dates_as_text(frame: Any) -> Any:
    """A frame whose dates and times are the text that Spark writes of them."""
    kinds = [field.dataType.typeName() for field in frame.schema.fields]
    placed = frame.toDF(*(f"c{at}" for at in range(len(kinds))))
    return placed.select(
        *(
            placed[f"c{at}"].cast("string") if kind.startswith(("date", "timestamp")) else f"c{at}"
            for at, kind in enumerate(kinds)
        )
    )


# The message for each condition of an error, with the parameters that name objects.
_SAFE = {
    "TABLE_OR_VIEW_NOT_FOUND": "there is no table or view {relationName}",
    "TABLE_OR_VIEW_ALREADY_EXISTS": "the relation {relationName} exists already",
    "SCHEMA_NOT_FOUND": "there is no schema {schemaName}",
    "UNRESOLVED_COLUMN": "there is no column {objectName}",
    "AMBIGUOUS_REFERENCE": "the column {name} is ambiguous",
    "UNRESOLVED_ROUTINE": "there is no function {routineName}",
    "DATATYPE_MISMATCH": "an operand in {sqlExpr} has the wrong type: cast it",
    "MISSING_AGGREGATION": "the column {expression} must be grouped by, or aggregated",
    "PARSE_SYNTAX_ERROR": "syntax error at or near {error}",
    "PATH_NOT_FOUND": "there is no file {path}",
    "LOCATION_ALREADY_EXISTS": (
        "the warehouse has files of a table of the release already, and the catalog no such table, "
        "as after a session without a lasting catalog: remove them, or name the release otherwise"
    ),
    "DIVIDE_BY_ZERO": "division by zero",
    "CANNOT_MODIFY_CONFIG": "the setting {key} cannot be changed",
    "INSUFFICIENT_PERMISSIONS": "a permission is missing",
}
_CONDITION = re.compile(r"[A-Z][A-Z0-9_.]*")


def condition_of(error: Exception) -> str | None:
    """The name of an error's condition, where Spark gives it one."""
    found = error.getCondition() if isinstance(error, PySparkException) else None
    return found if found and _CONDITION.fullmatch(found) else None


def safe_message(error: Exception, known: str) -> str | None:
    """The text that may be said of an error; None if its condition is not listed."""
    condition = condition_of(error)
    said = _SAFE.get((condition or "").partition(".")[0])
    if said is None or not isinstance(error, PySparkException):
        return None
    if "{" in said and not isinstance(error, AnalysisException):  # it met the data
        return None
    given = error.getMessageParameters() or {}

    def name(found: re.Match[str]) -> str:
        value = given.get(found[1], "").replace("`", "").strip("\"'")
        return value if is_known(value, known.replace("`", "")) else "…"

    return re.sub(r"\{(\w+)\}", name, said)


class Views:
    """The views of one engine: sources, which are read as they are, and work relations."""

    def __init__(self, driver: SparkDriver) -> None:
        self._driver = driver
        self._frames: dict[str, Any] = {}
        self._sources = 0

    def source(self, frame: Any) -> Sql:
        """The item of a FROM clause that reads a frame."""
        name = f"{self._driver.tag}_{self._sources}"
        self._sources += 1
        self._keep(name, frame)
        return quoted(Relation(name), "spark")

    def compute(self, name: str, select: str, step: str) -> int:
        """Compute a work relation now, and never again; how many rows it has.

        The checkpoint cuts it off from what it was made of. It keeps Spark's estimate of its size,
        though, and the next one would multiply it: the cache on top knows the size that it has.
        """

        def computed() -> tuple[Any, int]:
            frame = self._driver.connection.sql(select)
            frame = frame.localCheckpoint(eager=False).persist()
            return frame, frame.count()  # of both, in one go

        frame, rows = self._driver.call(computed, step, select)
        self._keep(name, frame)
        return rows

    def _keep(self, name: str, frame: Any) -> None:
        self.drop(name)
        self._driver.call(lambda: frame.createOrReplaceTempView(name))
        self._frames[name] = frame

    def drop(self, name: str) -> None:
        """Forget a frame, if there is one."""
        if name not in self._frames:
            return
        self._driver.connection.catalog.dropTempView(name)
        frame = self._frames.pop(name)
        if not self._is_source(name):  # the caller's frame may be cached by the caller
            frame.unpersist()

    def drop_work(self) -> None:
        """Forget every work relation."""
        for name in [name for name in self._frames if not self._is_source(name)]:
            self.drop(name)

    def _is_source(self, name: str) -> bool:
        return name.startswith(self._driver.tag)

    def close(self) -> None:
        """Forget everything."""
        for name in list(self._frames):
            self.drop(name)
