"""Waiting for a statement in a way that Ctrl-C ends and a watcher can follow."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from concurrent.futures import TimeoutError as FutureTimeoutError
from contextlib import contextmanager
from typing import TypeVar

from sqlanon.common.interrupts import answer, held, noted, too_late
from sqlanon.errors import EngineError, InterruptedRunError

Result = TypeVar("Result")
CLOSED = "the connection was closed: open the database again to read the release"
INTERRUPTED = "interrupted; nothing was published"
_POLL_SECONDS = 0.1


class Worker:
    """The one thread that statements run in, so that Ctrl-C reaches the main thread at once.

    Args:
        name: the thread's name.
        interrupt: makes the running statement end soon; it may be called again and again.
        tell: is called with the seconds so far while a statement runs.
    """

    def __init__(
        self, name: str, interrupt: Callable[[], None], tell: Callable[[float], None]
    ) -> None:
        self._pool = ThreadPoolExecutor(1, thread_name_prefix=name)
        self._interrupt, self._tell = interrupt, tell
        self._closed = False

    def run(self, call: Callable[[], Result]) -> Result:
        """Run a call in the thread; return its result, or raise its error.

        Raises:
            EngineError: if the worker is closed.
            InterruptedRunError: if the user interrupts; the statement has ended by then.
        """
        if self._closed:
            raise EngineError(CLOSED)
        with noted():
            started, running = time.perf_counter(), self._pool.submit(call)
            try:
                while True:
                    answer()
                    try:
                        return running.result(timeout=_POLL_SECONDS)
                    except FutureTimeoutError:
                        if running.done():  # just now, or with a timeout of its own
                            return running.result()
                        self._tell(time.perf_counter() - started)
            except KeyboardInterrupt:
                too_late()  # a user who presses twice means it once
                raise InterruptedRunError(INTERRUPTED) from None
            finally:
                while not running.done():
                    self._interrupt()
                    wait([running], _POLL_SECONDS / 10)

    def finish(self, call: Callable[[], object]) -> None:
        """Run a call to its end, even if the user interrupts."""
        with held():
            self._pool.submit(call).result()

    @contextmanager
    def all_or_nothing(
        self, commit: Callable[[], None], undo: Callable[[], None]
    ) -> Iterator[None]:
        """Commit what a block has done; undo it, to its end, if the block or the commit fails.

        From the moment the commit begins no signal is answered before its end.

        Raises:
            InterruptedRunError: if the user interrupts before that.
        """
        with noted():
            try:
                yield
                answer()
                with held():
                    commit()
            except BaseException as error:
                self.finish(undo)
                too_late()
                if isinstance(error, KeyboardInterrupt):
                    raise InterruptedRunError(INTERRUPTED) from None
                raise

    def close(self) -> None:
        """Let the thread end."""
        self._closed = True
        with held():
            self._pool.shutdown()
