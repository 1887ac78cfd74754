"""What is said of a run's outcome is true: around the commit, and at the start."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from threading import Event, Thread
from typing import Any

import duckdb
import psycopg
import pytest
from servers import Place, PostgresPlace, place
from started import answering, started, waiting, write_files
from support import DEALT, interruptible, slow

import sqlanon
from sqlanon.common import interrupts
from sqlanon.common.files import temporary_folder
from sqlanon.engines import open_engine
from sqlanon.engines.driver import Driver
from sqlanon.engines.duckdb.driver import DuckDBDriver
from sqlanon.engines.duckdb.spill import SpillFolder
from sqlanon.engines.postgres.driver import PostgresDriver
from sqlanon.engines.worker import Worker
from sqlanon.errors import EngineError, InterruptedRunError
from sqlanon.plan import Materialization
from sqlanon.sql.names import Relation

pytestmark = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")
DECLARED: dict[str, Any] = {**DEALT, "quasi_identifiers": "q", "sensitive": "s", "release": "rel"}


@pytest.fixture(params=["duckdb", "postgres_icu"])
def here(request: pytest.FixtureRequest, urls: Mapping[str, str]) -> Iterator[Place]:
    with place(request.param, urls) as found:
        rows = [(f"q{i % 7}", f"s{i % 4}") for i in range(40)]
        found.make_table("people", {"q": "varchar", "s": "varchar"}, rows)
        yield found


def at_the_commit(
    monkeypatch: pytest.MonkeyPatch,
    before: Callable[[Driver], None] = lambda driver: None,
    after: Callable[[Driver], None] = lambda driver: None,
) -> None:
    """Do something right before and right after the database commits."""
    for kind in (DuckDBDriver, PostgresDriver):

        def drain(self: Any, sql: str, plain: Any = kind._drain) -> Any:
            if sql != "commit":
                return plain(self, sql)
            before(self)
            found = plain(self, sql)
            after(self)
            return found

        monkeypatch.setattr(kind, "_drain", drain)


def ctrl_c(driver: Driver) -> None:
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.3)  # the main thread has every chance


# --- around the commit ---------------------------------------------------------------------------


@pytest.mark.one_in(2)
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_signal_that_comes_once_the_commit_has_begun_comes_too_late(
    here: Place, moment: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run succeeds, for the release is in place."""
    at_the_commit(monkeypatch, **{moment: ctrl_c})
    with interruptible():
        release = sqlanon.anonymize("people", connection=here.connection, k=4, **DECLARED)
        release.close()
    assert len(here.read("rel")[1]) == 40


def test_a_signal_before_the_commit_publishes_nothing(here: Place) -> None:
    engine = open_engine(connection=here.connection)

    def begin() -> None:
        with engine.transaction(published=lambda: True):
            engine.create(Relation("made"), "select 1 as one", Materialization.TABLE)
            ctrl_c(engine.driver)

    with interruptible(), pytest.raises(InterruptedRunError, match="nothing was published"):
        begin()
    engine.close()
    assert here.relations() == {"people"}


COMMAND = """
import os, signal, sys, time
from sqlanon.engines.duckdb.driver import DuckDBDriver
plain = DuckDBDriver._drain

def drain(self, sql):
    found = plain(self, sql)
    if sql == "commit":
        os.kill(os.getpid(), signal.{stop})
        time.sleep(0.3)
    return found

DuckDBDriver._drain = drain
from sqlanon.cli import main
main()
"""


@pytest.mark.slow
@pytest.mark.parametrize("stop", ["SIGTERM", *slow("SIGINT", "SIGHUP")])
def test_a_command_says_that_it_published_though_a_signal_came_after_the_commit(
    tmp_path: Path, stop: str
) -> None:
    write_files(tmp_path)
    process = started(tmp_path, "-c", COMMAND.format(stop=stop), "run", "4.yaml", "--quiet")
    said, message = process.communicate(timeout=60)
    assert process.returncode == 0, message
    assert "rel" in said
    assert "interrupted" not in message
    with duckdb.connect(str(tmp_path / "rel.duckdb")) as connection:
        assert connection.execute("select count(*) from rel").fetchall() == [(400,)]


@pytest.fixture
def lost(urls: Mapping[str, str]) -> Iterator[tuple[PostgresPlace, Any, Callable[[Driver], None]]]:
    """A place, a connection to it, and what makes the server close that."""
    with place("postgres_icu", urls) as there:
        assert isinstance(there, PostgresPlace)
        there.make_table("people", {"q": "varchar"}, [(f"q{i % 4}",) for i in range(40)])
        there.connection.execute("alter table people add column s text default 's'")
        connection = psycopg.connect(there.url, autocommit=True)
        number = connection.info.backend_pid

        def lose(driver: Driver) -> None:
            there.connection.execute(f"select pg_terminate_backend({number}, 5000)".encode())

        yield there, connection, lose


def test_a_connection_that_is_lost_after_the_commit_is_a_success(
    lost: tuple[PostgresPlace, Any, Callable[[Driver], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    there, connection, lose = lost

    def lose_and_fail(driver: Driver) -> None:
        lose(driver)
        driver.connection.execute("select 1")

    at_the_commit(monkeypatch, after=lose_and_fail)
    with sqlanon.anonymize("people", connection=connection, k=4, **DECLARED) as release:
        assert "the database has the release: it was published" in release.engine.driver.remark
    assert len(there.read("rel")[1]) == 40


def test_a_connection_that_is_lost_before_the_commit_is_an_error(
    lost: tuple[PostgresPlace, Any, Callable[[Driver], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    there, connection, lose = lost
    at_the_commit(monkeypatch, before=lose)
    with pytest.raises(EngineError) as caught:
        sqlanon.anonymize("people", connection=connection, k=4, **DECLARED)
    assert caught.value.exit_code == 3
    assert "not known" not in str(caught.value)
    assert there.relations() == {"people"}


def test_an_outcome_that_nobody_can_know_is_said_to_be_unknown(
    lost: tuple[PostgresPlace, Any, Callable[[Driver], None]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def unreachable(driver: Driver) -> None:
        raise EngineError("no")

    _, connection, lose = lost
    at_the_commit(monkeypatch, before=lose)
    monkeypatch.setattr(PostgresDriver, "reconnect", unreachable)
    with pytest.raises(EngineError, match="is not known") as caught:
        sqlanon.anonymize("people", connection=connection, k=4, **DECLARED)
    assert "it was, if the comment on public.rel is 'sqlanon release " in str(caught.value)


def test_a_signal_between_two_statements_raises_nothing_there_and_prevents_the_commit(
    here: Place,
) -> None:
    """Some libraries take any exception for one of their own, and go on."""
    went_on: list[object] = []

    def press(event: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        went_on.append(event)

    with interruptible(), pytest.raises(InterruptedRunError):
        sqlanon.anonymize("people", connection=here.connection, k=4, progress=press, **DECLARED)
    assert went_on
    assert here.relations() == {"people"}


def test_a_signal_while_nothing_is_kept_is_not_forgotten(here: Place) -> None:
    """A transaction that is rolled back publishes nothing: the signal did not come too late."""
    engine = open_engine(connection=here.connection)
    undo = engine.driver._drain

    def drain(sql: str) -> Any:
        if sql == "rollback":
            ctrl_c(engine.driver)
        return undo(sql)

    engine.driver._drain = drain  # type: ignore[method-assign]
    with interruptible(), pytest.raises(KeyboardInterrupt), engine.transaction(keep=False):
        pass
    engine.close()


def test_another_thread_answers_no_signal(here: Place) -> None:
    engine, other = open_engine(connection=here.connection), open_engine()

    def elsewhere() -> None:
        with other.transaction(keep=False):
            pass
        interrupts.too_late()

    def begin() -> None:
        with engine.transaction(published=lambda: True):
            ctrl_c(engine.driver)
            thread = Thread(target=elsewhere)
            thread.start()
            thread.join()

    with interruptible(), pytest.raises(InterruptedRunError):
        begin()
    engine.close()
    other.close()


def test_a_handler_that_raises_as_ctrl_c_does_comes_too_late_after_the_commit(
    here: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Such as the one that PySpark installs."""

    def handler(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    at_the_commit(monkeypatch, after=ctrl_c)
    before = signal.signal(signal.SIGINT, handler)
    try:
        sqlanon.anonymize("people", connection=here.connection, k=4, **DECLARED).close()
    finally:
        signal.signal(signal.SIGINT, before)
    assert len(here.read("rel")[1]) == 40


@pytest.mark.parametrize("raises", [False, True])
def test_a_handler_of_the_programs_own_decides(here: Place, raises: bool) -> None:
    """It is called while the run lasts; unless it raises, the run goes on."""
    called: list[int] = []

    class LeavingError(Exception):
        """The program's own."""

    def handler(number: int, frame: object) -> None:
        called.append(number)
        if raises:
            raise LeavingError

    before = signal.signal(signal.SIGTERM, handler)
    engine = open_engine(connection=here.connection)

    def begin() -> None:
        with engine.transaction(published=lambda: True):
            engine.create(Relation("made"), "select 1 as one", Materialization.TABLE)
            os.kill(os.getpid(), signal.SIGTERM)
            assert not called
            open_engine().close()  # another one does not take the handler away
            engine.create(Relation("more"), "select 1 as one", Materialization.TABLE)
            assert called == [signal.SIGTERM]

    try:
        with pytest.raises(LeavingError) if raises else nullcontext():
            begin()
    finally:
        engine.close()
        signal.signal(signal.SIGTERM, before)
    assert here.relations() == ({"people"} if raises else {"people", "made", "more"})


@pytest.mark.slow
def test_signals_at_any_moment_are_all_answered() -> None:
    """In a transaction none raises an exception elsewhere, which might leave a lock taken."""
    worker, over, answers = Worker("rain", lambda: None, lambda seconds: None), Event(), 0

    def rain() -> None:
        draw = random.Random(1)
        while not over.wait(draw.random() / 500):
            os.kill(os.getpid(), signal.SIGINT)

    raining = Thread(target=rain)
    with interruptible(), interrupts.noted():
        raining.start()
        until = time.monotonic() + 2
        while time.monotonic() < until:
            try:
                worker.run(lambda: time.sleep(0.001))
            except InterruptedRunError:
                answers += 1
        over.set()
        raining.join()
        interrupts.too_late()
    assert answers > 100
    assert worker.run(lambda: 7) == 7
    worker.close()


# --- the start -----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="what it loads is seen there")
@pytest.mark.parametrize("stop", [signal.SIGINT, *slow(signal.SIGTERM)], ids=lambda stop: stop.name)
def test_a_command_that_is_interrupted_while_it_starts_ends_without_a_word(
    tmp_path: Path, stop: signal.Signals
) -> None:
    write_files(tmp_path)
    # So long a run that on a busy machine, too, the signal comes before its commit.
    lines = "".join(f"q{i % 7},s{i % 4}\n" for i in range(400_000))
    (tmp_path / "people.csv").write_text(f"q,s\n{lines * 4}", encoding="utf-8")
    for delay in (0, 0.05):
        process = started(tmp_path, "-m", "sqlanon", "run", "4.yaml", "--quiet")
        maps = Path(f"/proc/{process.pid}/maps")
        while "duckdb" not in maps.read_text():  # in the midst of what it imports
            time.sleep(0.001)
        time.sleep(delay)
        process.send_signal(stop)
        _, message = process.communicate(timeout=60)
        assert process.returncode == 130, message
        assert "Traceback" not in message
        assert not list((tmp_path / "tmp").iterdir())


@pytest.mark.slow
@pytest.mark.parametrize("stop", [signal.SIGINT, *slow(signal.SIGTERM)], ids=lambda stop: stop.name)
def test_a_command_that_waits_for_its_spec_ends_at_once(
    tmp_path: Path, stop: signal.Signals
) -> None:
    write_files(tmp_path)
    os.mkfifo(tmp_path / "pipe.yaml")
    process = started(tmp_path, "-m", "sqlanon", "run", "pipe.yaml", "--quiet")
    answering(process)
    waiting(process)
    process.send_signal(stop)
    _, message = process.communicate(timeout=20)
    assert (process.returncode, message.strip()) == (130, "sqlanon: interrupted")


def test_a_signal_while_a_database_is_opened_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = duckdb.connect

    def interrupted(*arguments: Any) -> Any:
        os.kill(os.getpid(), signal.SIGINT)
        return connect(*arguments)

    monkeypatch.setattr(duckdb, "connect", interrupted)
    with interruptible(), pytest.raises(KeyboardInterrupt):
        open_engine(tmp_path / "new.duckdb")
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_signal_that_is_ignored_where_the_command_is_started_stays_so(tmp_path: Path) -> None:
    """A shell's job in the background."""
    write_files(tmp_path)
    process = started(tmp_path, "-m", "sqlanon", "run", "4.yaml", "--quiet", ignoring=True)
    for _ in range(4):
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=60)
    assert (process.returncode, message) == (0, "")


@contextmanager
def spill_folder(root: Path) -> Iterator[None]:
    folder = SpillFolder(str(root))
    try:
        yield
    finally:
        folder.remove()


@pytest.mark.parametrize("moment", ["made", "used", "removed"])
@pytest.mark.parametrize("folder", [spill_folder, temporary_folder])
def test_a_signal_leaves_no_folder_behind(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    folder: Callable[[Path], AbstractContextManager[object]],
    moment: str,
) -> None:
    make, remove = tempfile.mkdtemp, shutil.rmtree

    def press(now: str) -> None:
        if now == moment:
            signal.raise_signal(signal.SIGINT)

    def making(*given: Any, **more: Any) -> str:
        path = str(make(*given, **more))
        press("made")
        return path

    def removing(*given: Any, **more: Any) -> None:
        press("removed")
        remove(*given, **more)

    monkeypatch.setattr(tempfile, "mkdtemp", making)
    monkeypatch.setattr(shutil, "rmtree", removing)

    def use() -> None:
        with folder(tmp_path):
            assert list(tmp_path.iterdir())
            press("used")

    with interruptible():
        try:  # what pytest keeps of an error would keep the folder
            use()
        except KeyboardInterrupt:
            pressed = True
    assert pressed
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_a_spill_folder_is_its_owners_whatever_the_number_of_the_process(tmp_path: Path) -> None:
    """In another container another process has the number, or none has it."""
    code = (
        "import sys, time\n"
        "from sqlanon.engines.duckdb.spill import SpillFolder\n"
        "folder = SpillFolder(sys.argv[1]); print(folder.path, flush=True); time.sleep(60)"
    )
    write_files(tmp_path)
    root = tmp_path / "tmp"
    process = started(tmp_path, "-c", code, str(root))
    assert process.stdout is not None
    theirs = Path(process.stdout.readline().strip())
    ours = SpillFolder(str(root))
    assert theirs.is_dir()
    process.kill()
    process.communicate()
    again = SpillFolder(str(root))
    assert not theirs.exists()
    assert ours.path.is_dir()
    ours.remove()
    again.remove()
    assert not list(root.iterdir())
