"""How a run comes along, for people: a bar in a terminal or a notebook, plain lines in a log."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import TYPE_CHECKING

from sqlanon.common.visible import visible
from sqlanon.session import Event, Listener

if TYPE_CHECKING:
    from rich.progress import Progress

SLOW_SECONDS = 1.0


@contextmanager
def watching(wanted: Listener | bool, log: bool = False) -> Iterator[Listener | None]:
    """A listener that shows a run's steps on stderr for as long as the block lasts.

    Args:
        wanted: whether anything is to be shown, or a listener of the caller's own.
        log: whether slow steps get a line each where nobody looks on; in a notebook that can draw
            no bar they do.
    """
    if not isinstance(wanted, bool):
        yield wanted
        return
    bar = _bar() if wanted and _seen() else None
    if bar is not None:
        with bar as progress:
            yield _Bar(progress)
    else:
        yield _say if wanted and (log or _in_notebook()) else None


def _seen() -> bool:
    """Whether somebody looks on; a terminal may still be one that can draw nothing again."""
    return sys.stderr.isatty() or _in_notebook()


def _in_notebook() -> bool:
    return "ipykernel" in sys.modules


def _bar() -> Progress | None:
    """A bar, where one can be drawn time and again in its place."""
    # The modules that draw it are loaded where they are used: a script that
    # nobody watches starts sooner.
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

    from sqlanon.common.console import VisibleConsole

    console = VisibleConsole(stderr=True)
    drawn = find_spec("ipywidgets") is not None if console.is_jupyter else console.is_terminal
    if not drawn or console.is_dumb_terminal:
        return None
    return Progress(
        TaskProgressColumn(),
        BarColumn(bar_width=30),
        TextColumn("{task.fields[rows]}{task.description}", markup=False),
        TextColumn("{task.fields[within]}"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
    )


class _Bar:
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("starting", total=1.0, within="", rows="")
        self._most = 0

    def __call__(self, event: Event) -> None:
        self._most = max(self._most, event.rows or 0)
        self._progress.update(
            self._task,
            description=event.title,
            completed=event.done,
            within=_left(event) if event.kind == "progress" else "",
            rows=f"{self._most:,} rows, " if self._most else "",
        )


def _left(event: Event) -> str:
    """How far a step is, and how long it will take if it goes on as it did."""
    if not event.fraction:
        return ""
    left = event.seconds * (1 - event.fraction) / event.fraction
    far = f"this statement {event.fraction:.0%}"
    if event.seconds < SLOW_SECONDS or left < 1:
        return far
    return f"{far}, about {left:,.0f} s left of it"


def _say(event: Event) -> None:
    """A line for each step that took long enough to wonder about."""
    if event.kind == "end" and event.seconds >= SLOW_SECONDS:
        rows = "" if event.rows is None else f", {event.rows:,} rows"
        said = f"step {event.number} of {event.total}: {event.title}{rows}, {event.seconds:.1f} s"
        print(visible(said), file=sys.stderr, flush=True)
