"""Frames under names of temporary views: computed once, kept by the executors, and forgotten."""

from __future__ import annotations

from typing import Any

from sqlanon.engines.spark.driver import SparkDriver
from sqlanon.sql.names import Relation, Sql, quoted


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
