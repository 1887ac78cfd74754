"""A Spark session for the tests: one for all, started when first asked for."""

from __future__ import annotations

import shutil
import tempfile
import warnings
from functools import cache
from importlib.util import find_spec
from typing import Any

from needs import missing

# A release is a hundred small statements, each compiled anew: what costs is not the data but Java's
# compiler, its collector where room is scarce, and buffers much larger than the tables.
_JAVA = (
    "-XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=256m -XX:+UseSerialGC "
    "-Xms1g -Xmn700m -XX:MetaspaceSize=512m"
)
STARTED = {"SPARK_SUBMIT_OPTS": _JAVA}  # the environment of a Spark in a process of its own
QUICK = {
    "spark.broadcast.compress": "false",
    "spark.buffer.pageSize": "1m",
    "spark.driver.extraJavaOptions": _JAVA,
    "spark.driver.host": "127.0.0.1",
    "spark.driver.memory": "2g",
    "spark.shuffle.compress": "false",
    "spark.sql.inMemoryColumnarStorage.compressed": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.codegen.cache.maxEntries": "2000",
    "spark.sql.ui.explainMode": "simple",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def needs_spark() -> None:
    """Skip the test where Spark cannot run, or fail if it is required."""
    if not (find_spec("pyspark") and shutil.which("java")):
        missing("spark", "Spark needs Java and the extra 'spark'")


@cache
def spark_session() -> Any:
    """The session; its tables lie in a folder that is gone with this process."""
    needs_spark()
    warehouse = tempfile.TemporaryDirectory(prefix="sqlanon-tests-")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # pyspark's own
        from pyspark.sql import SparkSession

        builder: Any = SparkSession.builder.master("local[2]")
        for name, value in {**QUICK, "spark.sql.warehouse.dir": warehouse.name}.items():
            builder = builder.config(name, value)
        session = builder.getOrCreate()
        session.sparkContext.setLogLevel("OFF")
    session.warehouse = warehouse  # lives as long as the session
    return session


def empty(session: Any) -> list[str]:
    """Drop every table and view of the session, and return their names."""
    relations = session.catalog.listTables()
    for relation in relations:
        kind = "view" if relation.tableType in ("VIEW", "TEMPORARY") else "table"
        quoted = "`" + relation.name.replace("`", "``") + "`"
        session.sql(f"drop {kind} {quoted}")
    return [relation.name for relation in relations]
