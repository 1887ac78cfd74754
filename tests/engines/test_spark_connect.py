"""A run through Spark Connect, whose client has no driver's objects in its process.

A process cannot hold both kinds of session, so all of it happens in one of its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import duckdb
import pytest
from needs import missing
from on_spark import STARTED
from support import multiset

import sqlanon

ROWS = [(i, 20 + i * 7 % 40, "abcd"[i % 4], ["flu", "cold", "ulcer"][i % 3]) for i in range(60)]
DECLARED: dict[str, Any] = {
    "quasi_identifiers": ["age", "town"],
    "sensitive": "disease",
    "key": "id",
    "k": 5,
    "seed": 3,
    "method": "stack_and_deal",
}
PROGRAM = """
import json, os, signal, sys, threading, warnings
warnings.simplefilter("ignore")
from pyspark.sql import SparkSession
import sqlanon

given = json.loads(sys.argv[1])
builder = SparkSession.builder.remote("local[2]").config("spark.log.level", "OFF")
for name in ("spark.ui.enabled", "spark.ui.showConsoleProgress"):
    builder = builder.config(name, "false")
session = builder.config("spark.sql.shuffle.partitions", "2").getOrCreate()
frame = session.createDataFrame(given["rows"], "id int, age int, town string, disease string")
frame.write.saveAsTable("patients")

def names():
    return sorted(one.name for one in session.catalog.listTables())

def failure(source, **changed):
    try:
        sqlanon.anonymize(source, connection=session, **{**given["declared"], **changed})
    except sqlanon.SqlanonError as error:
        return type(error).__name__, str(error)

found = {}
with sqlanon.anonymize("patients", connection=session, **given["declared"]) as release:
    found["frame"] = len(release.frame())
found["names"] = names()
found["rows"] = [list(row) for row in session.table("anonymized").collect()]
found["short"] = failure("patients", l=4)
words = "select id, age, cast(town || 's3cret' as int) as town, disease from patients"
found["withheld"] = failure({"query": words})
endless = "select count(*) from range(0, 4000000000000, 1, 1) where id % 7 = 3"  # one task
slow = f"select p.* from patients p where age < ({endless})"
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(20, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
found["interrupted"] = failure({"query": slow})
found["left"] = names()
print(json.dumps(found))
session.stop()
"""


@pytest.mark.spark_connect
def test_a_release_is_made_through_spark_connect(tmp_path: Path) -> None:
    """DuckDB's rows; what is refused, fails or is broken off leaves them; no value is shown."""
    if not (find_spec("pyspark") and find_spec("grpc") and shutil.which("java")):
        missing("spark_connect", "Spark Connect needs Java and the package pyspark[connect]")
    given = json.dumps({"rows": ROWS, "declared": DECLARED})
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, given],
        cwd=tmp_path,
        env=os.environ | STARTED,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    with duckdb.connect() as connection:
        connection.execute("create table patients (id int, age int, town text, disease text)")
        connection.executemany("insert into patients values (?, ?, ?, ?)", ROWS)
        sqlanon.anonymize("patients", connection=connection, **DECLARED).close()
        expected = multiset(connection.execute("from anonymized").fetchall())
    assert multiset([tuple(row) for row in found["rows"]]) == expected
    assert found["frame"] == len(ROWS)
    assert found["short"][0] == "InfeasibleError"
    assert found["withheld"][0] == "SpecError"
    assert "withheld" in found["withheld"][1]
    assert "s3cret" not in found["withheld"][1] + done.stdout + done.stderr
    assert found["interrupted"][0] == "InterruptedRunError"
    assert found["left"] == found["names"]
    assert not [name for name in found["names"] if name.startswith("sqlanon_") or "__new" in name]
