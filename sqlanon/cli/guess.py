"""A first spec for a table: roles guessed from names, types and counts, to be corrected."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

from sqlanon.engines import Engine
from sqlanon.errors import SpecError
from sqlanon.plan import Session
from sqlanon.release.source import look
from sqlanon.spec import Column, Source

IDENTIFIER = (
    r"name|surname|ssn|e?mail|phone|tele(phone)?|mobile|fax|address|street|passport|mrn|url|"
    r"ip|iban|licen[cs]e|account|id|uuid"
)
HIDDEN = (
    r"age|sex|gender|zip(code)?|post(al)?(code)?|race|ethnic(ity)?|birth(day|date)?|dob|born|marital|"
    r"married|education|school(ing)?|nationality|country|region|state|county|city|town|site|citizenship|"
    r"language|occupation|job|profession|workclass|employer"
)
SENSITIVE = (
    r"disease|diagnos[ie]s|condition|symptom|drug|medication|treatment|health|hiv|cancer|salary|income|"
    r"wage|earnings|spending|debt|score|religion|party|vote|orientation|crime|injury|outcome|target"
)


@dataclass(frozen=True)
class Profile:
    """A column and what is counted of it."""

    column: Column
    records: int
    missing: int
    used: int
    shortest: int | None
    longest: int | None


def spec_text(table: str, database: str | None, folder: Path, engine: Engine) -> str:
    """A commented spec in YAML.

    Args:
        table: a file or a table.
        database: the database of the table, if it is one.
        folder: where the spec will lie; its paths count from there.
        engine: where it is read.

    Raises:
        SpecError: if it cannot be read, or has no record.
    """
    source = Source.model_validate(Source.read(table))
    item, columns = look(source, engine)
    session = Session(engine)
    rows = session.fetch(
        "source/profile", {"source": item}, {"columns": [one.name for one in columns]}, len(columns)
    )
    profiles = [Profile(column, *row[1:]) for column, row in zip(columns, rows.rows, strict=True)]
    if not profiles or not profiles[0].records:
        raise SpecError(f"{table!r} has no records to guess from")
    if source.file is not None:
        table = os.path.relpath(source.file, folder)
    return _text(table, database, profiles)


def _role(profile: Profile) -> str:
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", profile.column.name).lower()
    for role, known in (
        ("sensitive", SENSITIVE),
        ("quasi_identifiers", HIDDEN),
        ("identifiers", IDENTIFIER),
    ):
        if re.search(rf"(^|[^a-z])({known})s?([^a-z]|$)", words):
            return role
    unique = profile.used == profile.records - profile.missing > 1
    return "identifiers" if unique and profile.column.kind in ("text", "integer") else "unsure"


def _text(table: str, database: str | None, profiles: list[Profile]) -> str:
    roles: dict[str, list[Profile]] = {}
    for profile in profiles:
        roles.setdefault("unsure" if profile.column.kind == "other" else _role(profile), []).append(
            profile
        )
    stem = re.sub(r"\W+", "_", Path(table).stem).strip("_").lower() or "table"
    lines = [
        f"# A release of {table}, {profiles[0].records:,} records.",
        "# The roles below are guesses from names, types and counts: correct them first.",
        f"source: {_quoted(table)}",
        f"release: {stem}_release",
        *([f"database: {_quoted(database)}"] if database else []),
        "",
        "# Direct identifiers are never released.",
        f"identifiers: {_listed(roles.get('identifiers', []))}",
        "",
        "# Columns that, joined with others, may tell who a record is about. With a hierarchy they",
        "# are published as its lowest common group; without one, numbers and dates as intervals",
        "# and everything else as sets.",
        "quasi_identifiers:",
        *[_hidden_line(profile) for profile in roles.get("quasi_identifiers", [])],
        *_if_none(roles, "quasi_identifiers", "{}"),
        "",
        "# What nobody should learn about a person. t bounds how far a class's distribution may be",
        "# from the whole table's: 0 is the table's own, 1 is anything. Lower it as far as a run",
        "# can reach.",
        "sensitive:",
        *[_sensitive_line(profile) for profile in roles.get("sensitive", [])],
        *_if_none(roles, "sensitive", "{t: 0.3}"),
        "",
        "# Released as they are; a column without any role is not released.",
        "insensitive: []",
        *[f"#  - {_described(profile)}" for profile in roles.get("unsure", [])],
        "",
        "# Every record shares its published quasi-identifiers with k - 1 others at least; l asks",
        "# for so many different sensitive values among them.",
        f"privacy: {{k: {max(2, min(10, profiles[0].records // 10))}}}  # also l: 3",
        "seed: 1",
    ]
    return "\n".join(lines) + "\n"


def _if_none(roles: dict[str, list[Profile]], role: str, settings: str) -> list[str]:
    return (
        []
        if roles.get(role)
        else [f"  # none was recognized; name at least one, as column: {settings}"]
    )


def _listed(profiles: list[Profile]) -> str:
    return "[" + ", ".join(_quoted(profile.column.name) for profile in profiles) + "]"


def _hidden_line(profile: Profile) -> str:
    column = profile.column
    settings = "{}"
    if re.search(r"zip|post", column.name.lower()) and profile.longest:
        full = profile.longest
        kept = sorted({full, max(full - 2, 1), max(full - 3, 1), 0}, reverse=True)
        settings = f"{{hierarchy: {{prefix: {kept}}}}}"
        if column.kind not in ("text", "integer"):
            settings = "{}"
    elif column.kind in ("date", "timestamp"):
        settings = "{hierarchy: {dates: [month, year, decade]}}"
    return f"  {_quoted(column.name)}: {settings}  # {_counted(profile)}"


def _sensitive_line(profile: Profile) -> str:
    ordered = profile.column.kind in ("integer", "number", "date", "timestamp")
    settings = "{distance: ordered, t: 0.5}" if ordered else "{t: 0.5}"
    return f"  {_quoted(profile.column.name)}: {settings}  # {_counted(profile)}"


def _described(profile: Profile) -> str:
    return f"{_quoted(profile.column.name)}  # {_counted(profile)}"


def _counted(profile: Profile) -> str:
    missing = f", {profile.missing:,} missing" if profile.missing else ""
    return f"{profile.column.type}, {profile.used:,} values{missing}"


def _quoted(name: str) -> str:
    """A name as YAML: bare where that is safe, in JSON's quotes otherwise."""
    plain = re.fullmatch(r"[A-Za-z_./][\w./-]*", name)
    words = {"yes", "no", "on", "off", "true", "false", "null", "y", "n"}
    return name if plain and name.lower() not in words else json.dumps(name, ensure_ascii=False)
