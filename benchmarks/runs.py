"""One measured run in a process of its own, so that its peak of memory is its own."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import duckdb

import sqlanon

FLOOR = 'create or replace table sorted as select * from persons order by "{}"'
STAGES = {
    "assigning classes": (
        *("stack", "sizes", "stacked", "assigned"),
        *("along", "lined", "striped", "stripe_stacks", "slots", "grid", "buckets"),
        *("cells", "parts", "ranges"),
    ),
    "search: carving": ("carve",),
    "search: cutting": ("tree", "deal"),
    "search: refining": ("refine",),
    "search: the rest": ("scale", "search", "levels", "node_losses", "axis"),
    "extents and recoding": ("boxes", "recoded", "sets"),
    "writing the release": ("ordered", "release"),
    "measuring": ("measured", "classes", "class_values", "class_loss", "metrics", "class_report"),
}


@dataclass(frozen=True)
class Taken:
    """What a run took.

    Attributes:
        seconds: from start to end.
        peak: the most memory the process held, in megabytes.
        stages: seconds of each stage of a run.
        outcome: what it reached, by metric.
    """

    seconds: float
    peak: float
    stages: dict[str, float] = field(default_factory=dict)
    outcome: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Task:
    """What to run on a database, whose table is ``persons``."""

    database: Path
    roles: dict[str, Any]
    method: dict[str, Any]
    settings: dict[str, str | int]

    @property
    def sensitive(self) -> str:
        """The one sensitive attribute."""
        (name,) = self.roles["sensitive"]
        return str(name)


def alone(work: Callable[[Task], Taken], task: Task) -> Taken:
    """Do it in a new process."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(work, task).result()


def floor(task: Task) -> Taken:
    """Sort the table into another: what any method must at least do."""
    with duckdb.connect(str(task.database)) as connection:
        for name, value in task.settings.items():
            connection.execute(f"set {name} = '{value}'")
        started = time.perf_counter()
        connection.execute(FLOOR.format(task.sensitive))
        seconds = time.perf_counter() - started
        connection.execute("drop table sorted")
    return Taken(seconds, _peak())


def release(task: Task) -> Taken:
    """Publish the table."""
    started = time.perf_counter()
    made = sqlanon.anonymize(
        {"table": "persons"},
        release="published",
        database=task.database,
        settings=task.settings,
        identifiers=["id"],
        method=task.method,
        **task.roles,
    )
    seconds = time.perf_counter() - started
    stages = dict.fromkeys((*STAGES, "reading and coding"), 0.0)
    for step in made.steps:
        stages[_stage(step["relation"])] += step["seconds"]
    outcome = {
        "gcp": made.measure("gcp") or 0.0,
        "t": made.measure("t_closeness", task.sensitive) or 0.0,
        "classes": made.measure("classes") or 0.0,
    }
    made.close()
    return Taken(seconds, _peak(), stages, outcome)


def check(task: Task) -> Taken:
    """Measure the published table again, k, l and t."""
    started = time.perf_counter()
    sqlanon.measure(
        {"table": "published"},
        database=task.database,
        settings=task.settings,
        quasi_identifiers=list(task.roles["quasi_identifiers"]),
        sensitive={task.sensitive: {"t": 1, "l": 1}},
        k=task.roles["k"],
    )
    return Taken(time.perf_counter() - started, _peak())


def _stage(relation: str) -> str:
    name = relation.removeprefix("sqlanon_")
    if name == "published":
        return "writing the release"
    if name.startswith(("published__", "measured")):
        return "measuring"
    for stage, names in STAGES.items():
        if {name, name.split("_")[0], name.rsplit("_", 1)[0]} & set(names):
            return stage
    return "reading and coding"


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
