"""Signs of life of a run, and how far it has come."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from sqlanon.plan import Check, Search, Step

# Searches take most of a run, which one does not see from the number of its steps.
_SEARCHING = 0.8


@dataclass(frozen=True)
class Event:
    """A sign of life.

    Attributes:
        kind: ``start`` of a step, ``progress`` within it, or its ``end``.
        title: what the step does.
        number: the step's place in the plan, from 1.
        total: how many steps the plan has.
        fraction: how much of the statement that runs is done, 0 to 1, where the engine knows.
        seconds: how long the step has taken so far.
        rows: how many rows the step's relation has, at its end, where the engine says.
        done: how much of the whole run is done, 0 to 1; it never falls. A share of its work, not
            of its time.
    """

    kind: Literal["start", "progress", "end"]
    title: str
    number: int
    total: int
    fraction: float | None = None
    seconds: float = 0.0
    rows: int | None = None
    done: float = 0.0


Listener = Callable[[Event], None]


class Following:
    """A listener that hears of several plans, one after the other, as of one.

    Args:
        listener: hears every event.
        total: how many steps the plans have together.
    """

    def __init__(self, listener: Listener | None, total: int) -> None:
        self._listener = listener or (lambda event: None)
        self._total, self._before, self._steps, self._about = total, 0, 0, ""

    def turn(self, steps: int, about: str = "") -> None:
        """The next plan begins: it has so many steps, and this is what it is about."""
        self._before, self._steps, self._about = self._before + self._steps, steps, about

    def __call__(self, event: Event) -> None:
        """Pass an event on."""
        title = f"{self._about}: {event.title}" if self._about else event.title
        number = self._before + event.number
        done = (self._before + self._steps * event.done) / self._total
        self._listener(replace(event, title=title, number=number, total=self._total, done=done))


def shares(steps: Sequence[Step | Check | Search]) -> Iterator[float]:
    """The part of a run that each step is."""
    known = [isinstance(step, Step | Check) for step in steps]  # a protocol takes longer to ask
    searches = known.count(False)
    searching = _SEARCHING if 0 < searches < len(steps) else float(bool(searches))
    others = len(steps) - searches
    for one in known:
        yield (1 - searching) / others if one else searching / searches
