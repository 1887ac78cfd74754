"""Signs of life: a bar in a terminal, plain lines elsewhere."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
)

from sqlanon.session import Event, Listener

SLOW_SECONDS = 1.0


@contextmanager
def watching(silent: bool) -> Iterator[Listener | None]:
    """A listener that shows a run's steps on stderr for as long as the block lasts."""
    console = Console(stderr=True)
    if silent:
        yield None
    elif console.is_terminal:
        with _bar(console) as progress:
            yield _Bar(progress)
    else:
        yield _say


def _bar(console: Console) -> Progress:
    return Progress(
        MofNCompleteColumn(),
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
        self._task = progress.add_task("starting", total=None, within="", rows="")
        self._most = 0

    def __call__(self, event: Event) -> None:
        done = event.number if event.kind == "end" else event.number - 1
        within = _left(event) if event.kind == "progress" else ""
        self._most = max(self._most, event.rows or 0)
        self._progress.update(
            self._task,
            description=event.title,
            completed=done,
            total=event.total,
            within=within,
            rows=f"{self._most:,} rows, " if self._most else "",
        )


def _left(event: Event) -> str:
    """How far a step is, and how long it will take if it goes on as it did."""
    if not event.fraction:
        return ""
    left = event.seconds * (1 - event.fraction) / event.fraction
    far = f"{event.fraction:.0%}"
    if event.seconds < SLOW_SECONDS or left < 1:
        return far
    return f"{far}, about {left:,.0f} s left of this step"


def _say(event: Event) -> None:
    """A line for each step that took long enough to wonder about."""
    if event.kind == "end" and event.seconds >= SLOW_SECONDS:
        rows = "" if event.rows is None else f", {event.rows:,} rows"
        print(
            f"step {event.number} of {event.total}: {event.title}{rows}, {event.seconds:.1f} s",
            file=sys.stderr,
            flush=True,
        )
