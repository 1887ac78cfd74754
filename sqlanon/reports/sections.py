"""Sections of a report: what a spec declares, what a reader finds, and what else was tried."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from sqlanon.attacks.as_published import of_release
from sqlanon.attacks.attack import attack
from sqlanon.clauses import share_left_out
from sqlanon.figures.figure import MARKETER_RISK
from sqlanon.kept.recorded import Recorded
from sqlanon.pages.page import Section, Table, number, said_once
from sqlanon.privacy.thresholds import fields_of
from sqlanon.spec.privacy import without_tables
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


_ROLES = {
    "quasi_identifier": "quasi-identifier",
    "group": "number of the group",
}


def declared_section(recorded: Recorded, external: bool) -> Section:
    """The published columns, by roles, and the demands; to the publisher the whole spec."""
    columns = [
        (
            f"{f'{one.beside}: ' if one.beside else ''}{one.name}",
            _ROLES.get(one.role, one.role),
            one.means,
            _asked(recorded, one.name, one.role, external),
        )
        for one in recorded.columns
    ]
    head = ("column", "role", "its cells", "declared")
    tables = (
        Table("Columns", head, tuple(columns)),
        Table("Settings", ("setting", "declared"), tuple(_settings(recorded, external))),
    )
    text = json.dumps(recorded.spec, ensure_ascii=False, indent=2)
    folded = None if external else ("Show the whole spec", text)
    return Section("declared", "What was declared", (), tables, folded=folded)


def unpublished_section(recorded: Recorded) -> Section | None:
    """The columns that nobody is given; None where all are published."""
    rows = tuple(_unpublished(recorded).items())
    if not rows:
        return None
    words = "Identifiers are dropped; a column without a role is not published."
    table = Table("Columns of the source", ("column", "role"), rows)
    return Section("unpublished", "What was not published", (words,), (table,), closed=True)


def _asked(recorded: Recorded, name: str, role: str, external: bool) -> str:
    """The declaration of a column, in short."""
    spec = recorded.spec
    if role == "sensitive":
        declared = spec["sensitive"].get(name, {})
        asked = {one: declared[one] for one in fields_of("sensitive") if one in declared}
        distance = f"distance {declared['distance']}" if "distance" in declared else ""
        told = (distance, _words(asked), _reason(declared, external))
        return "; ".join(filter(None, told))
    if role == "quasi_identifier":
        weight = spec["quasi_identifiers"].get(name, {}).get("weight", "1")
        return "" if weight == "1" else f"weight {weight}"
    return _reason(spec["insensitive"].get(name, {}), external)


def _reason(declared: dict[str, Any], external: bool) -> str:
    """Why a column may be released all the same; that is for the publisher alone."""
    accepted = declared.get("accept")
    return f"accepted: {accepted}" if accepted and not external else ""


def _unpublished(recorded: Recorded) -> dict[str, str]:
    """The columns that nobody is given, and why."""
    spec, published = recorded.spec, {one.name for one in recorded.columns}
    found = dict.fromkeys(json.loads(recorded.facts.get("columns_not_released", "[]")), "none")
    found |= {name: "identifier" for name in spec["identifiers"] if name not in published}
    return found


def _settings(recorded: Recorded, external: bool) -> list[tuple[str, str]]:
    spec, facts = recorded.spec, recorded.facts
    privacy = spec["privacy"]
    rows = [
        ("asked of every class", _words(without_tables(privacy) if external else privacy)),
        ("method", facts["method"]),
        ("publication", recorded.publication),
    ]
    share = share_left_out(spec)
    if share is not None:
        rows.append(("share of the records that may be left out", _words(share)))
    if external:
        return rows
    internal = {
        "source": spec.get("source"),
        "person": spec.get("person"),
        "chosen": facts.get("choose_chosen"),
        "seed": facts.get("seed"),
    }
    return rows + [(name, _words(value)) for name, value in internal.items() if value]


def _words(value: Any) -> str:
    """A setting in words."""
    if isinstance(value, dict):
        words = {name: _words(one) for name, one in value.items() if one not in ({}, [])}
        return ", ".join(f"{name} {text}" for name, text in words.items())
    if isinstance(value, list):
        return ", ".join(map(_words, value))
    return str(value)
