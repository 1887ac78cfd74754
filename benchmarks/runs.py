"""One measured run in a process of its own, so that its peak of memory is its own."""

from __future__ import annotations

import resource
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
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
    "measuring: classes": ("classes", "class_values"),
    "measuring: models": ("models",),
    "measuring: loss and report": ("class_loss", "metrics", "class_report"),
}
_LOOKS_A_SECOND = 10


@dataclass(frozen=True)
class Taken:
    """What a run took.

    Attributes:
        seconds: from start to end.
        peak: the most memory the process held, in megabytes.
        spilled: the most that lay on disk at a time for want of memory, in megabytes.
        stages: seconds of each stage of a run.
        outcome: what it reached, by metric.
    """

    seconds: float
    peak: float
    spilled: float
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


class _Spill:
    """What a run spills to disk, looked at from time to time."""

    def __init__(self) -> None:
        self.megabytes = 0.0

    @contextmanager
    def watched(self, task: Task) -> Iterator[dict[str, str | int]]:
        """The task's settings, with a folder of its own to spill to."""
        with tempfile.TemporaryDirectory(dir=task.database.parent) as folder:
            done = threading.Event()
            looking = threading.Thread(target=self._look, args=(Path(folder), done))
            looking.start()
            try:
                yield {**task.settings, "temp_directory": folder}
            finally:
                done.set()
                looking.join()

    def _look(self, folder: Path, done: threading.Event) -> None:
        while not done.wait(1 / _LOOKS_A_SECOND):
            self.megabytes = max(self.megabytes, sum(map(_size, folder.rglob("*"))) / 1e6)


def floor(task: Task) -> Taken:
    """Sort the table into another: what any method must at least do."""
    spill = _Spill()
    with spill.watched(task) as settings, duckdb.connect(str(task.database)) as connection:
        for name, value in settings.items():
            connection.execute(f"set {name} = '{value}'")
        started = time.perf_counter()
        connection.execute(FLOOR.format(task.sensitive))
        seconds = time.perf_counter() - started
        connection.execute("drop table sorted")
    return Taken(seconds, _peak(), spill.megabytes)


def release(task: Task) -> Taken:
    """Publish the table."""
    spill = _Spill()
    with spill.watched(task) as settings:
        started = time.perf_counter()
        made = sqlanon.anonymize(
            {"table": "persons"},
            release="published",
            database=task.database,
            settings=settings,
            identifiers=["id"],
            method=task.method,
            **task.roles,
        )
        seconds = time.perf_counter() - started
        stages = dict.fromkeys((*STAGES, "reading and coding"), 0.0)
        for step in made.steps:
            stages[_stage(step["relation"])] += step["seconds"]
        reached = {"t": made.measure("t_closeness", task.sensitive)}
        for metric in made.measures:  # exact rows lose nothing, and have no gcp
            if metric.metric in ("gcp", "classes"):
                reached[metric.metric] = metric.value
        outcome = {name: value or 0.0 for name, value in reached.items()}
        made.close()
    return Taken(seconds, _peak(), spill.megabytes, stages, outcome)


def check(task: Task) -> Taken:
    """Measure the published table again, k, l and t."""
    declared = {**task.roles["sensitive"][task.sensitive], "t": 1, "l": 1}
    spill = _Spill()
    with spill.watched(task) as settings:
        started = time.perf_counter()
        sqlanon.check(
            {"table": "published"},
            database=task.database,
            settings=settings,
            quasi_identifiers=list(task.roles["quasi_identifiers"]),
            sensitive={task.sensitive: declared},
            k=task.roles["k"],
        )
        seconds = time.perf_counter() - started
    return Taken(seconds, _peak(), spill.megabytes)


def _stage(relation: str) -> str:
    name = relation.removeprefix("sqlanon_")
    if name == "published":
        return "writing the release"
    if name.startswith("published__"):
        return "measuring: loss and report"
    if name.startswith("measured"):
        return "measuring: models"
    for stage, names in STAGES.items():
        if {name, name.split("_")[0], name.rsplit("_", 1)[0]} & set(names):
            return stage
    return "reading and coding"


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # it is gone already
        return 0


def _peak() -> float:
    """The most memory of this process alone; rusage would count what its parent had."""
    status = Path("/proc/self/status")
    if status.exists():
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        return int(fields["VmHWM"].split()[0]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
