"""The findings of a reader, and what else was tried, as sections of a report."""

from __future__ import annotations

from dataclasses import replace

from sqlanon.attacks.as_published import of_release
from sqlanon.attacks.attack import attack
from sqlanon.figures.figure import MARKETER_RISK
from sqlanon.kept.recorded import Recorded
from sqlanon.pages.page import Section, Table, number, said_once
from sqlanon.spec.publication import RULES
from sqlanon.sweeps.risk_utility import kept_map

_SLICED = "Slices are not attacked."
_ATTACKED = (
    "The findings of a reader who has the release alone and knows the quasi-identifiers of "
    "everybody in it. Persons of a table of your own are linked by sqlanon attack with --external."
)
_SWEPT = (
    "The combinations that sqlanon sweep tried last for this release, of the source and the spec "
    "as they were then: less risk and less loss lie below and to the left. k stands next to the "
    "points; a hollow "
    "one failed a model."
)


def attacks_section(recorded: Recorded) -> Section:
    """The findings without any other table.

    Raises:
        SpecError: if a column of the release is gone.
        EngineError: if the database fails.
    """
    if RULES[recorded.publication].mixes:
        return Section("attacks", "Attacks", (_SLICED,))
    found = attack(of_release(recorded), recorded.engine)
    rows = tuple(
        (
            one.figure.replace("_", " "),
            one.attribute or "the release",
            number(one.value),
            one.direction or "neither",
            one.range,
            one.sentence,
        )
        for one in found.findings
    )
    head = ("figure", "of", "value", "better", "lies in", "what it means")
    table = Table("What attacks found", head, said_once(rows, 5), frozenset({2}), frozenset({3, 4}))
    words = (_ATTACKED, *(f"{name}: {note}." for name, note in found.notes.items()))
    return Section("attacks", "Attacks", words, (table,) if rows else ())


def sweep_section(recorded: Recorded) -> Section | None:
    """The risk-utility map, where a sweep left one.

    Raises:
        EngineError: if the database fails.
    """
    shown = kept_map(recorded)
    if shown is None:
        return None
    chart = replace(shown, here=_here(recorded, shown.x))
    return Section("sweep", "Risk-utility map", (_SWEPT,), charts=(chart,))


def _here(recorded: Recorded, x: str) -> tuple[float, float] | None:
    """Where the release lies itself, by what the axes show."""
    value = {(one.metric, one.attribute): one.value for one in recorded.measures}
    closeness = [one.value for one in recorded.measures if one.metric == "t_closeness"]
    known = [one for one in closeness if one is not None]
    y = max(known) if known and len(known) == len(closeness) else None
    y = y if closeness else value.get((MARKETER_RISK.name, None))
    loss = value.get(("gcp", None))
    return None if x == "k" or y is None or loss is None else (loss, y)
