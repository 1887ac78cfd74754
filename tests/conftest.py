"""What is set up once for a run of the tests: options, markers, servers."""

from __future__ import annotations

import gc
import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import duckdb
import pytest
from hypothesis import HealthCheck, settings
from needs import NEEDS, REQUIRED, missing
from servers import ENGINES, server
from support import LENT

from sqlanon import errors
from sqlanon.common.interrupts import STOPPING
from sqlanon.engines.duckdb.driver import DuckDBDriver
from sqlanon.spec import model

# A busy machine is slow; that is no fault of an example. The gate asks for the profile "gate"; who
# changes what a test draws examples of, for "many".
BUSY = (HealthCheck.too_slow, HealthCheck.data_too_large)
settings.register_profile("core", deadline=None, suppress_health_check=BUSY, max_examples=25)
settings.register_profile("gate", deadline=None, suppress_health_check=BUSY, max_examples=25)
settings.register_profile("many", deadline=None, suppress_health_check=BUSY, max_examples=200)
settings.load_profile("core")

# What a test asserts must not hang on a seed that is drawn; tests/release/test_secrets.py draws it.
DRAW_SEED = model.draw_seed
model.draw_seed = lambda: 0

_refuse_shadows = DuckDBDriver._refuse_shadows


def _refuse_shadows_unless_lent(driver: DuckDBDriver) -> None:
    """Nobody has made functions on a connection that the tests lend each other."""
    if not any(one is driver.connection for one in LENT):
        _refuse_shadows(driver)


DuckDBDriver._refuse_shadows = _refuse_shadows_unless_lent  # type: ignore[assignment, method-assign]

# Parameters of tests that say themselves what of them is enough on Spark.
MARKED = {"case", "family"}
# The core tries these rooms, and what is slow there is for whoever changes them: rooms that look at
# a table or at a release and publish nothing; methods, forms and clauses that change no other.
OF_THEIR_OWN = (
    *("attacks/", "compare/", "outlook/", "profile/", "reports/", "sweeps/", "utilities/"),
    *("forms/", "transforms/", "certificates/test_export", "source/test_pseudonyms.py"),
    *("methods/test_fragmentation.py", "methods/test_k_optimize.py", "methods/test_lattice.py"),
    *("methods/test_microaggregation.py", "methods/test_outliers.py", "methods/test_sabre.py"),
    *("methods/test_uhra.py", "methods/test_strata.py"),
    *("privacy/test_background", "privacy/test_population.py"),
    *("publish/test_similar.py", "series/test_linked.py", "series/test_recipe"),
    *("release/test_summary.py", "release/test_remarks.py", "test_benchmarks.py"),
)
SAMPLED = 8  # of so many cases of a test the gate tries one, and `.ci/further` all

# What `-m quick` tries in a minute, by the beginnings of paths: what a change to a template, a
# metric, a privacy model, a form or the spec breaks first, on DuckDB alone.
QUICK = (
    "api/test_public_names.py",
    "cli/test_command_names.py",
    "cli/test_run_command.py",
    "domains/",
    "figures/",
    "forms/",
    "measure/",
    "privacy/",
    "spec/test_clauses.py",
    "spec/test_fields.py",
    "spec/test_hostile_specs.py",
    "sql/test_relations.py",
    "sql/test_templates.py",
    "test_architecture.py",
    "test_registry.py",
)

# Else every command that a test starts compiles the package.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--require",
        default="",
        metavar="NAMES",
        help=f"fail, rather than skip, where one of these is missing: {','.join(sorted(NEEDS))}",
    )

    parser.addoption(
        "--threads",
        type=int,
        default=1,
        metavar="N",
        help="of a DuckDB that is asked for no number of them; 0: as many as DuckDB takes",
    )


def pytest_configure(config: pytest.Config) -> None:
    if threads := config.getoption("--threads"):
        _open_with(threads)
    REQUIRED.update(filter(None, config.getoption("--require").split(",")))
    if REQUIRED - NEEDS:
        known = ", ".join(sorted(NEEDS))
        raise pytest.UsageError(f"--require: {', '.join(REQUIRED - NEEDS)} is none of {known}")


def _open_with(threads: int) -> None:
    """Threads that wait for a task of a few records cost more than they do."""
    connect = duckdb.connect

    def opened(
        database: Any = ":memory:", read_only: bool = False, config: Mapping[str, Any] | None = None
    ) -> duckdb.DuckDBPyConnection:
        return connect(database, read_only, {"threads": threads} | dict(config or {}))

    duckdb.connect = opened


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What can be seen of a test is marked here: its data set, examples drawn, its engine.

    On Spark a test takes half a minute: one of its parameters is enough but for whoever changes the
    engine. What says so itself is left as it is. The core needs no server; of two PostgreSQLs the
    gate keeps to that which orders text otherwise. Of the cases of a test that says `one_in(n)` the
    core tries one in n, and the others are `sampled`. Of the slow cases of a test that says
    `sampled` the gate tries the first and every eighth after it.
    """
    cases: Counter[str] = Counter()
    sampled: Counter[str] = Counter()
    of_few: Counter[str] = Counter()
    names = {item.nodeid for item in items}
    for item in items:
        if "adult" in f"{item.path.stem} {getattr(item, 'originalname', '')}":
            item.add_marker("adult")
        if item.path.name == "test_docs.py":
            item.add_marker("docs")
        within = item.path.relative_to(Path(__file__).parent).as_posix()
        if within.startswith(OF_THEIR_OWN) and item.get_closest_marker("slow"):
            item.add_marker("further")
        if _is_quick(item, within):
            item.add_marker("quick")
        if getattr(getattr(item, "obj", None), "is_hypothesis_test", False):
            item.add_marker("drawn")
        _mark_engine(item, names, cases)
        test = item.nodeid.partition("[")[0]
        if few := item.get_closest_marker("one_in"):
            if of_few[test] % few.args[0]:
                item.add_marker("slow")
                item.add_marker("sampled")
            of_few[test] += 1
        kept = item.get_closest_marker("slow") and not item.get_closest_marker("further")
        if kept and item.get_closest_marker("sampled") and not item.get_closest_marker("spark"):
            if sampled[test] % SAMPLED:
                item.add_marker("further")
            sampled[test] += 1


def _mark_engine(item: pytest.Item, names: set[str], cases: Counter[str]) -> None:
    if "urls" not in getattr(item, "fixturenames", ()):
        return
    given = getattr(item, "callspec", None)
    engines = set(ENGINES).intersection(map(str, given.params.values() if given else ()))
    if "spark" in engines:
        item.add_marker("spark")
        test = item.nodeid.partition("[")[0]
        cases[test] += 1
        if cases[test] > 1 and not MARKED.intersection(given.params if given else ()):
            item.add_marker("slow")
    elif engines & {"postgres", "postgres_icu"}:
        item.add_marker("slow")
        if "postgres" in engines and re.sub(r"\bpostgres\b", "postgres_icu", item.nodeid) in names:
            item.add_marker("further")


def _is_quick(item: pytest.Item, within: str) -> bool:
    others = ("slow", "further", "dbt", "snowflake", "bigquery", "clickhouse")
    marked = any(item.get_closest_marker(text) for text in others)
    return (
        within.startswith(QUICK) and not marked and "urls" not in getattr(item, "fixturenames", ())
    )


def pytest_runtest_setup() -> None:
    """A message shows a text as the specs of its process write it; a test's are its own."""
    errors._WRITTEN.clear()


def pytest_collection_finish() -> None:
    """Thousands of tests stay to the end: the collector need not look at them again and again.

    A statement makes and drops hundreds of objects: it need not look after each either.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 20)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``-n``, unless ``--dist`` asks for another."""
    if config.getoption("dist") != "load":
        return None
    from together import Together

    return Together(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call() -> Iterator[None]:
    """A command that has ended ignores signals; the tests after it, and what they start, do not."""
    before = {stopping: signal.getsignal(stopping) for stopping in STOPPING}
    try:
        yield
    finally:
        for stopping, handler in before.items():
            signal.signal(stopping, handler)


@pytest.fixture(scope="session")
def urls() -> Iterator[Mapping[str, str]]:
    """A server's address by the engine's name."""

    class Started(dict[str, str]):
        def __missing__(self, engine: str) -> str:
            self[engine] = stack.enter_context(server(engine))
            return self[engine]

    with ExitStack() as stack:
        yield Started()


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of 8 MB."""
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=8m", "tmpfs", str(folder)]
    try:
        subprocess.run(mount, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        missing("small_disk", f"a disk cannot be mounted by user {os.getuid()}")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)
