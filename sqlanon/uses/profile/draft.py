"""The text of a first spec: what is declared, and in comments what is left to decide."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from sqlanon.errors import SpecError
from sqlanon.inputs.source import ReadAs
from sqlanon.spec import MEASURABLE, TEXTS
from sqlanon.spec.privacy import GOALS, Goal
from sqlanon.uses.profile.hierarchies import coded_hierarchy
from sqlanon.uses.profile.profile import Answers, ColumnProfile, Counts, Profile, Questions

Reasoned = Sequence[tuple[ColumnProfile, str]]

FIRST_T = "0.3"
# How many times k records a class may have on average, so that each holds another value than the
# commonest. With more, what l keeps is no secret, and what it costs is everything.
_WIDEST = 10
# Up to which share of the persons who have one value a greater share of a class is bounded: beyond
# it is no secret.
_COMMONEST = 0.9
_SENSITIVE = (
    "# What nobody should learn about a person; the columns most worth protecting come first.",
    "# t bounds how far the values of any class may be from those of the whole table, and so what",
    "# a reader learns who finds a person's class: 0 is nothing new, 1 bounds nothing. Within 0.3",
    "# a value that 10 % of the records have is had by at most 40 % of a class; of values in an",
    "# order t also counts how far they are apart. Lower it as far as a run can reach. l: 2 asks",
    "# for two different values in every class.",
)
_LESS = (
    "# An l stands with each that cannot meet the goal's: too many records, or persons, have one",
    "# value. Leave such a column out if the goal is to hold of all.",
)
_ALPHA = (
    "# Where most persons have one value no l: 2 can be met: alpha bounds the share of the persons",
    "# of a class who have the same.",
)


@dataclass(frozen=True)
class Draft:
    """The content of a first spec: its settings, and the columns of each kind.

    Attributes:
        profile: what is known of the table.
        k: the least class size.
        identifiers: those that no two records share.
        quasi_identifiers: the quasi-identifiers.
        more_quasi_identifiers: further ones, which are not released.
        redundant: those that another one tells, with its name.
        near_keys: those whose numbers nearly every record has alone.
        coarse: those that need a hierarchy before they can be.
        grouped: of those the hierarchies that are begun, as a spec declares them, with their text.
        sensitive: the sensitive attributes.
        more_sensitive: further ones, which are not released.
        common: those of which so many persons have one value that the goal's l, or l: 2, cannot be
            met, with the share of the persons who have it.
        copies: those that give a quasi-identifier back, so that a run would refuse them.
        exact: those whose values nearly every record has alone.
        open: columns that somebody is to decide on.
        telling: columns that say too much to be released as they are, and why.
        withheld: columns that are better not released, and why.
        answers: what somebody answered of it; None where all is guessed.
        unasked: the questions that nobody could be asked, to be written as comments.
    """

    profile: Profile
    k: int
    identifiers: Sequence[ColumnProfile]
    quasi_identifiers: Sequence[ColumnProfile]
    more_quasi_identifiers: Sequence[ColumnProfile]
    redundant: Reasoned
    near_keys: Sequence[ColumnProfile]
    coarse: Sequence[ColumnProfile]
    grouped: Mapping[str, tuple[dict[str, Any], str]]
    sensitive: Sequence[ColumnProfile]
    more_sensitive: Sequence[ColumnProfile]
    common: Mapping[str, float]
    copies: Sequence[ColumnProfile]
    exact: Sequence[ColumnProfile]
    open: Sequence[ColumnProfile]
    telling: Reasoned
    withheld: Reasoned
    answers: Answers | None = None
    unasked: Questions | None = None

    @property
    def goal(self) -> Goal | None:
        """For whom the release is, if somebody said it."""
        return GOALS[self.answers.goal] if self.answers and self.answers.goal else None


def settings_of(counts: Counts, k: int) -> str | None:
    """How a quasi-identifier is published; None if somebody must give it a hierarchy first.

    Args:
        counts: what is counted of it.
        k: the least class size.
    """
    declared = coded_hierarchy(counts)
    if declared is not None:
        return in_line({"hierarchy": declared})
    return None if counts.column.kind in TEXTS and counts.tells(k) else "{}"


def in_line(declared: Mapping[str, Any]) -> str:
    """A part of a spec on one line."""
    return yaml.safe_dump(declared, default_flow_style=True, width=math.inf).strip()


def text_of(table: str, database: str | None, draft: Draft, seed: int) -> str:
    """The spec in YAML, with comments.

    Args:
        table: the table, as the spec is to name it.
        database: its database, if it is in one.
        draft: what is said of each column.
        seed: the seed.
    """
    found = draft.profile
    settings = [_asked(column.counts, draft) for column in draft.sensitive]
    stem = re.sub(r"\W+", "_", Path(table).stem).strip("_").lower() or "table"
    lines = [
        f"# A release of {_quoted(table)}, {found.records:,} records.",
        "# The roles below are guesses from names, types, shapes and counts: correct them first.",
        *_answered(draft.answers),
        *_unasked(draft.unasked),
        f"source: {_source(table)}",
        f"release: {stem}_release",
        *([f"database: {_quoted(database)}"] if database else []),
        "",
        "# Direct identifiers are never released.",
        f"identifiers: [{', '.join(_quoted(column.name) for column in draft.identifiers)}]",
        *_person(found),
        "",
        "# Columns that, joined with others, may tell who a record is about. With a hierarchy they",
        "# are published as its lowest common group; without one, numbers and dates as intervals",
        "# and everything else as sets.",
        "quasi_identifiers:",
        *[
            _line(column, settings_of(column.counts, draft.k) or "{}")
            for column in draft.quasi_identifiers
        ],
        *_if_none(draft.quasi_identifiers, "{}"),
        *_redundant(draft.redundant),
        *[_waiting(column, draft.grouped) for column in draft.coarse],
        *_near_keys(draft.near_keys),
        *_more(
            draft.more_quasi_identifiers,
            "With more columns classes get wider; these are not released:",
        ),
        "",
        *(_SENSITIVE if draft.goal is None else _SENSITIVE[:1]),
        *(_LESS if draft.goal and any("l: " in setting for setting in settings) else ()),
        *(_ALPHA if any("alpha" in setting for setting in settings) else ()),
        "sensitive:",
        *map(_line, draft.sensitive, settings),
        *_if_none(draft.sensitive, "{t: 0.3, l: 2}; without any, k alone is held"),
        *_more(draft.more_sensitive, "Not released yet; each more makes a run longer:", draft),
        *_more(
            draft.copies,
            "Not released: each gives a quasi-identifier back in nearly all records, and a run "
            "would refuse it unless its settings have accept: WHY:",
            draft,
        ),
        *_more(
            draft.exact,
            "Not released yet: nearly every record has its own value. Round them in a query first:",
            draft,
        ),
        "",
        "# Released as they are; a column without any role is not released.",
        "insensitive:" if draft.open else "insensitive: []",
        *[f"  # - {_described(column)}" for column in draft.open],
        "",
        *_withheld(draft.withheld),
        *_telling(draft.telling),
        *_codes(found.columns),
        *_privacy(draft),
        "method: {name: split_or_deal, effort: quick}  # a first look; effort: normal tries more",
        f"seed: {seed}  # drawn for this spec: keep it secret",
        *_left(draft),
    ]
    text = "\n".join(map(_one_line, lines)) + "\n"
    if yaml.safe_load(text)["source"] != _declared(table):
        raise SpecError(f"the name {table!r} cannot be written as YAML: rename it")
    return text


def noted(text: str, first: str) -> str:
    """A drafted spec that says at its head what must be decided first."""
    return f"# Decide first, for it does not run yet: {_one_line(first)}\n{text}"


def _declared(table: str) -> Any:
    """A table as a spec names it; of a text file with the settings by which it is read."""
    if isinstance(table, ReadAs) and table.settings:
        return {"file": str(table), **table.settings}
    return table


def _source(table: str) -> str:
    declared = _declared(table)
    is_text = isinstance(declared, str)
    return _quoted(table) if is_text else json.dumps(declared, ensure_ascii=False)


def _person(found: Profile) -> list[str]:
    if found.person is None:
        return []
    used = found.column(found.person).counts.used
    return [
        "",
        f"# The person of a record: {used:,} persons have {found.records:,} records. k, l, alpha",
        "# and t count persons. This column is never released either.",
        f"person: {_quoted(found.person)}",
        "# Where persons have many records each, such as events or conditions, a class of records",
        "# may show next to nothing. docs/how-to/visits.md says what helps, and for a table of",
        "# persons next to this one docs/how-to/linked.md.",
    ]


def _if_none(columns: Sequence[ColumnProfile], settings: str) -> list[str]:
    if columns:
        return []
    return [f"  # none was recognized; name them as column: {settings}"]


def _line(column: ColumnProfile, settings: str, mark: str = "") -> str:
    return f"  {mark}{_quoted(column.name)}: {settings}  # {_counted(column.counts)}"


def _waiting(column: ColumnProfile, grouped: Mapping[str, tuple[dict[str, Any], str]]) -> str:
    """A column that waits for its hierarchy."""
    if column.name not in grouped:
        why = "too many for sets: give it a hierarchy, or cast it to a date or number"
        return f"{_line(column, '{hierarchy: FILE.csv}', '# ')}; {why}"
    declared, _ = grouped[column.name]
    why = "too many for sets: group them in that file, then take the # away"
    return f"{_line(column, in_line({'hierarchy': declared}), '# ')}; {why}"


def _redundant(columns: Reasoned) -> list[str]:
    """Columns that follow from a finer one, whose own intervals or hierarchy say as much."""
    if not columns:
        return []
    return [
        "  # Not released: another column tells the value of each. Its cells may follow those of",
        "  # that column, by which classes form, or its values are a level of its hierarchy:",
        *[
            f"{_line(column, in_line({'follows': finer}), '# ')}; {_quoted(finer)} tells it"
            for column, finer in columns
        ],
    ]


def _near_keys(columns: Sequence[ColumnProfile]) -> list[str]:
    """Numbers that are nearly keys: an interval of them says little, or too much."""
    if not columns:
        return []
    return [
        "  # Not released yet: nearly every record has its own. Round them in a query first, or",
        "  # publish something coarser, such as a region in place of coordinates:",
        *[_line(column, "{}", "# ") for column in columns],
    ]


def _left(draft: Draft) -> list[str]:
    """The lines that list the open decisions, in one place."""
    left = {
        "nearly every record has its own value": [*draft.near_keys, *draft.exact],
        "text of too many values": draft.coarse,
        "no role is known": draft.open,
    }
    lines = [
        f"#   {why}: {', '.join(_quoted(column.name) for column in columns)}"
        for why, columns in left.items()
        if columns
    ]
    return ["", "# Left to decide; not released until then:", *lines] if lines else []


def _more(columns: Sequence[ColumnProfile], why: str, sensitive: Draft | None = None) -> list[str]:
    if not columns:
        return []
    settings = [
        "{}" if sensitive is None else _asked(column.counts, sensitive) for column in columns
    ]
    lines = [_line(column, said, "# ") for column, said in zip(columns, settings, strict=True)]
    return [f"  # {why}", *lines]


def _answered(answers: Answers | None) -> list[str]:
    """The lines that name the answers, so that a reader can separate them from guesses."""
    if answers is None:
        return []
    kept = ", ".join(map(_quoted, answers.sensitive)) or "nothing that is in the table"
    readers = "somebody who is not named" if answers.goal is None else GOALS[answers.goal].readers
    whose = "each record is another person's" if answers.person is None else "several records are "
    whose += "" if answers.person is None else f"one person's: {_quoted(answers.person)}"
    return [
        f"# Answered: the release is read by {readers};",
        f"# nobody should learn {kept};",
        f"# {whose}.",
    ]


def _privacy(draft: Draft) -> list[str]:
    if draft.answers is not None and draft.goal is not None:
        asked = ", ".join(f"{name} = {value}" for name, value in draft.goal.asked.items())
        return [
            f"# It stands for {asked}; a value under privacy or with a column",
            "# counts in its place.",
            f"goal: {draft.answers.goal}",
        ]
    return [
        "# Every record shares its published quasi-identifiers with k - 1 others at least.",
        "# In place of this and of each t and l: goal: public, goal: researchers (bound by a",
        "# contract) or goal: internal (colleagues), of which k, l and t follow.",
        f"privacy: {{k: {draft.k}}}",
    ]


def _unasked(questions: Questions | None) -> list[str]:
    """The questions as comments at the head of a spec, for its later readers."""
    if questions is None:
        return []
    kept = ", ".join(map(_quoted, questions.sensitive)) or "nothing"
    whose = "each is another person's" if questions.person is None else _quoted(questions.person)
    return [
        "# Three questions that no guess can answer:",
        "# 1. Who reads the release? goal: public, goal: researchers or goal: internal says it, in",
        f"#    place of privacy and of each t and l. Assumed: k = {questions.k} and t = {FIRST_T}.",
        "# 2. What should nobody learn about a person? These columns belong under sensitive, those",
        f"#    most worth protecting first. Guessed: {kept}.",
        "# 3. Whose is a record? If several are one person's, such as visits, the column that",
        f"#    names the person belongs under person. Guessed: {whose}.",
    ]


def _asked(counts: Counts, draft: Draft) -> str:
    """The first demands on a sensitive attribute: t, and two different values in a class.

    Within t a class may hold one value alone, if that is frequent. Two cannot be asked for where
    too few records have another value. Where more than half of the persons have one, alpha bounds
    its share halfway between what all of them have and everybody. A goal asks for t and l itself,
    and the column only for an l that it can meet.
    """
    asked = ["distance: ordered"] if counts.column.kind in MEASURABLE else []
    others = counts.records - max(counts.commonest, counts.missing)
    apart = others * draft.k * _WIDEST >= counts.records
    share = draft.common.get(counts.column.name)
    if draft.goal is None:
        asked.append(f"t: {FIRST_T}")
        asked += ["l: 2"] if apart and share is None else []
    else:
        values = counts.used + (counts.missing > 0) if apart and share is None else 1
        asked += [f"l: {values}"] if values < draft.goal.l else []
    if share is not None and 0.5 < share <= _COMMONEST:
        asked.append(f"alpha: {math.ceil(50 * (1 + share)) / 100}")
    return f"{{{', '.join(asked)}}}"


def _withheld(columns: Reasoned) -> list[str]:
    """Columns that are better not released as they are, and what can be done with them."""
    if not columns:
        return []
    return [
        "# Not released. What names a person belongs into identifiers, or into person if several",
        "# records may be about one; {NAME: {repeats: true}} is for what different persons share.",
        "# Numbers and dates can be quasi-identifiers, published as intervals; text can, if it has",
        "# a hierarchy.",
        *[f"#   {_described(column)}; {reason}" for column, reason in columns],
        "",
    ]


def _telling(columns: Reasoned) -> list[str]:
    """Columns that a run would not release as they are, and why."""
    if not columns:
        return []
    return [
        "# Not released: each says too much about single records, and a run would refuse it. To",
        "# release one all the same, say why: insensitive: {COLUMN: {accept: WHY}}.",
        *[f"#   {_described(column)}; {reason}" for column, reason in columns],
        "",
    ]


def _codes(columns: Iterable[ColumnProfile]) -> list[str]:
    """Codes that may stand for a missing value: left as they are until somebody says so."""
    likely = {
        column.name: [json.dumps(code.code) for code in column.counts.codes] for column in columns
    }
    lines = [
        f"#   {_quoted(name)}: [{', '.join(codes)}]" for name, codes in likely.items() if codes
    ]
    if not lines:
        return []
    return ["# Perhaps codes for a missing value; for columns with a role: missing:", *lines, ""]


def _described(column: ColumnProfile) -> str:
    return f"{_quoted(column.name)}  # {_counted(column.counts)}"


def _counted(counts: Counts) -> str:
    if not counts.counted:
        return counts.column.shown_type
    missing = f", {counts.missing:,} missing" if counts.missing else ""
    values = "value" if counts.used == 1 else "values"
    return f"{counts.column.shown_type}, {counts.used:,} {values}{missing}"


def _quoted(name: str) -> str:
    """A name as YAML: bare where that is safe, in JSON's quotes otherwise."""
    plain = re.fullmatch(r"[A-Za-z_./][\w./-]*", name)
    if plain and name.lower() not in ("y", "n") and yaml.safe_load(name) == name:
        return name
    return _one_line(json.dumps(name, ensure_ascii=False))


def _one_line(text: str) -> str:
    """A text in which no sign ends a line, as JSON and YAML escape signs that are not printed."""
    return "".join(
        one
        if one.isprintable()
        else f"\\u{ord(one):04x}"
        if ord(one) < 65536
        else f"\\U{ord(one):08x}"
        for one in text
    )
