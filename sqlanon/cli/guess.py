"""A first spec for a table: roles guessed from names, types and counts, to be corrected."""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlanon.cli.telling import too_telling
from sqlanon.engines import Engine
from sqlanon.errors import SpecError
from sqlanon.release.source import inspect_source
from sqlanon.session import Session
from sqlanon.spec import MEASURABLE, TEXTS, Column, Source
from sqlanon.spec.addresses import is_remote_file
from sqlanon.spec.model import draw_seed

IDENTIFIER = (
    r"name|surname|ssn|e?mail|phone|tele(phone)?|mobile|fax|address|street|passport|mrn|url|"
    r"ip|iban|licen[cs]e|account|id|uuid|patient|person|subject|member|customer|client|user"
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
    longest: int | None

    @property
    def repeats(self) -> bool:
        """Whether several records share a value."""
        return self.used < self.records - self.missing

    def tells(self, k: int) -> bool:
        """Whether on average fewer than k records share a value."""
        return self.used * k > self.records - self.missing


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
    item, columns = inspect_source(source, engine)
    session = Session(engine)
    rows = session.fetch(
        "source/profile", {"source": item}, {"columns": [one.name for one in columns]}, len(columns)
    )
    profiles = [Profile(column, *row[1:]) for column, row in zip(columns, rows.rows, strict=True)]
    if not profiles or not profiles[0].records:
        raise SpecError(f"{table!r} has no records to guess from")
    if source.file is not None and not is_remote_file(source.file):
        table = os.path.relpath(source.file, folder)
    k = max(2, min(10, profiles[0].records // 10))
    roles: dict[str, list[Profile]] = defaultdict(list)
    for profile in profiles:
        roles[_role(profile, k)].append(profile)
    quasi_identifiers, unsure = (
        [one.column for one in roles[role]] for role in ("quasi_identifiers", "unsure")
    )
    reasons = too_telling(unsure, quasi_identifiers, k, source, engine)
    return _text(table, database, roles, reasons, k, profiles[0].records)


def _role(profile: Profile, k: int) -> str:
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", profile.column.name).lower()
    kind = profile.column.kind
    known = {"sensitive": SENSITIVE, "quasi_identifiers": HIDDEN, "identifiers": IDENTIFIER}
    if kind in TEXTS and profile.tells(2):
        del known["sensitive"]  # the number of a health card, say: sensitive columns are released
    for role, names in known.items():
        if kind != "other" and re.search(rf"(^|[^a-z])({names})s?([^a-z]|$)", words):
            return role
    unique = profile.used == profile.records - profile.missing > 1
    if unique and kind in (*TEXTS, "integer"):
        return "identifiers"
    return "telling" if profile.tells(k) else "unsure"


def _text(
    table: str,
    database: str | None,
    roles: Mapping[str, list[Profile]],
    reasons: Mapping[str, str],
    k: int,
    records: int,
) -> str:
    released = [one for one in roles["unsure"] if one.column.name not in reasons]
    refused = [one for one in roles["unsure"] if one.column.name in reasons]
    stem = re.sub(r"\W+", "_", Path(table).stem).strip("_").lower() or "table"
    lines = [
        f"# A release of {table}, {records:,} records.",
        "# The roles below are guesses from names, types and counts: correct them first.",
        f"source: {_quoted(table)}",
        f"release: {stem}_release",
        *([f"database: {_quoted(database)}"] if database else []),
        "",
        "# Direct identifiers are never released.",
        f"identifiers: {_listed(roles['identifiers'])}",
        *[_repeating(profile) for profile in roles["identifiers"] if profile.repeats],
        "",
        "# Columns that, joined with others, may tell who a record is about. With a hierarchy they",
        "# are published as its lowest common group; without one, numbers and dates as intervals",
        "# and everything else as sets.",
        "quasi_identifiers:",
        *[_hidden_line(profile, k) for profile in roles["quasi_identifiers"]],
        *_if_none(roles["quasi_identifiers"], "{}"),
        "",
        "# What nobody should learn about a person. t bounds how far a class's distribution may be",
        "# from the whole table's: 0 is the table's own, 1 is anything. Lower it as far as a run",
        "# can reach.",
        "sensitive:",
        *[_sensitive_line(profile) for profile in roles["sensitive"]],
        *_if_none(roles["sensitive"], "{t: 0.3}; without any, k alone is held"),
        "",
        "# Released as they are; a column without any role is not released.",
        "insensitive:" if released else "insensitive: []",
        *[f"  # - {_described(profile)}" for profile in released],
        "",
        *_withheld(roles["telling"], k),
        *_refused(refused, reasons),
        "# Every record shares its published quasi-identifiers with k - 1 others at least; l asks",
        "# for so many different sensitive values among them.",
        f"privacy: {{k: {k}}}  # also l: 3",
        f"seed: {draw_seed()}  # drawn for this spec: keep it secret",
    ]
    return "\n".join(lines) + "\n"


def _if_none(profiles: list[Profile], settings: str) -> list[str]:
    if profiles:
        return []
    return [f"  # none was recognized; name them as column: {settings}"]


def _repeating(profile: Profile) -> str:
    name = _quoted(profile.column.name)
    return (
        f"# {name} repeats, {_counted(profile)}, and a run will refuse it: k records are not k\n"
        f"# persons. If it names whom a record is about, take it out and say person: {name}\n"
        f"# instead; if its records are of different persons, {{{name}: {{repeats: true}}}}"
    )


def _listed(profiles: list[Profile]) -> str:
    return "[" + ", ".join(_quoted(profile.column.name) for profile in profiles) + "]"


def _withheld(profiles: list[Profile], k: int) -> list[str]:
    """Columns that are better not released as they are, and what can be done with them."""
    if not profiles:
        return []
    return [
        f"# Not released: fewer than {k} records share a value on average, so a value may point to",
        "# a person. What names one belongs into identifiers. Numbers and dates can be",
        "# quasi-identifiers, published as intervals; text can if it has a hierarchy.",
        *[f"#   {_described(profile)}" for profile in profiles],
        "",
    ]


def _refused(profiles: list[Profile], reasons: Mapping[str, str]) -> list[str]:
    """Columns that a run would not release as they are, and why."""
    if not profiles:
        return []
    return [
        "# Not released: each says too much about single records, and a run would refuse it. To",
        "# release one all the same, say why: insensitive: {COLUMN: {accept: WHY}}.",
        *[f"#   {_described(profile)}; {reasons[profile.column.name]}" for profile in profiles],
        "",
    ]


def _hidden_line(profile: Profile, k: int) -> str:
    column = profile.column
    settings, mark, reason = "{}", "", ""
    is_code = re.search(r"zip|post", column.name.lower()) and column.kind in (*TEXTS, "integer")
    if is_code and profile.longest:
        full = profile.longest
        kept = sorted({full, max(full - 2, 1), max(full - 3, 1), 0}, reverse=True)
        settings = f"{{hierarchy: {{prefix: {kept}}}}}"
    elif column.kind in ("date", "timestamp"):
        settings = "{hierarchy: {dates: [month, year, decade]}}"
    elif column.kind in TEXTS and profile.tells(k):
        settings, mark = "{hierarchy: FILE.csv}", "# "
        reason = "; too many for sets: give it a hierarchy, or cast it to a date or number"
    return f"  {mark}{_quoted(column.name)}: {settings}  # {_counted(profile)}{reason}"


def _sensitive_line(profile: Profile) -> str:
    settings = "{distance: ordered, t: 0.5}" if profile.column.kind in MEASURABLE else "{t: 0.5}"
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
