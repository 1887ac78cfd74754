"""The errors: one class for each exit code of the command line.

A message names what is wrong, where in the spec, and what would be accepted. It never shows a
cell of the data: counts only.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from unicodedata import normalize

# user:password@ as in an address, also where the rest of it is misspelt; and name=value of secrets.
_CREDENTIALS = (
    re.compile(r"[^\s'\"/@:]*:(?!//)[^\s'\"]*@"),
    re.compile(r"(?<=://)[^\s'\"/@]*:[^\s'\"]*@"),
    re.compile(r"(?i)\b(?:\w*pass\w*|\w*token\w*|\w*secret\w*|sig(?:nature)?)=[^\s'\"&;]*"),
)
# The values of environment variables in the SQL of specs that this process has read, in small
# letters, and how these are written there.
_WRITTEN: dict[str, str] = {}
_SHORTEST = 3  # of a value that is no secret: it would stand for many a word of a message

# Words that YAML 1.1 reads as truth values or as nothing.
_YAML_WORDS = ("null", "true", "false", "yes", "no", "on", "off", "y", "n")


def say_as_written(value: str, written: str) -> None:
    """Let no error show what a spec only names.

    Args:
        value: the value of an environment variable.
        written: what the spec has in its place.
    """
    parts = re.findall(r"\w+", value) if re.fullmatch(r"[\w.:+-]+", value) else ()
    for part in {value, *parts}:
        if len(part) >= _SHORTEST:
            _WRITTEN[part.lower()] = written


def say_whole_as_written(text: str, written: str) -> None:
    """Let errors show a text of a spec as the spec has it, ``${NAME}``, and no value.

    Args:
        text: what the text comes to.
        written: what stands in the spec.
    """
    if len(text) >= _SHORTEST:
        _WRITTEN[text.lower()] = written


def without_credentials(text: str) -> str:
    """A text without what may be credentials in it."""
    for form in _CREDENTIALS:
        text = form.sub(lambda found: "…@" if found[0].endswith("@") else "…", text)
    return text


def redacted(text: str) -> str:
    """A text without what may be credentials in it, or is only named in a spec."""
    text = without_credentials(text)
    if _WRITTEN:
        longest_first = sorted(map(re.escape, _WRITTEN), key=len, reverse=True)
        named = re.compile(rf"(?i)(?<!\w)(?:{'|'.join(longest_first)})(?!\w)")
        text = named.sub(lambda found: _WRITTEN[found[0].lower()], text)
    return text


class SqlanonError(Exception):
    """Anything sqlanon refuses or fails to do; nothing was published."""

    exit_code = 3

    def __init__(self, message: str = "") -> None:
        super().__init__(redacted(message))


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong with a spec.

    Attributes:
        where: the place in the spec, dotted, such as ``quasi_identifiers.age.hierarchy``.
        what: what is wrong there, and what would be accepted.
    """

    where: str
    what: str

    def __post_init__(self) -> None:
        object.__setattr__(self, "what", redacted(self.what))

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class SpecError(SqlanonError):
    """The spec or the arguments are wrong; lists every problem that was found."""

    exit_code = 2

    def __init__(self, problems: Problem | str | Sequence[Problem]) -> None:
        if isinstance(problems, str):
            problems = Problem("", problems)
        if isinstance(problems, Problem):
            problems = [problems]
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(problem) for problem in self.problems))


@dataclass(frozen=True)
class Shortfall:
    """A demand that a release does not keep to: a privacy model, a limit, its number of records.

    Attributes:
        model: the model's name, such as ``t_closeness``, or ``records``.
        attribute: the attribute it concerns, or None.
        threshold: what was asked for, as declared.
        reached: the worst class's value.
        classes: how many equivalence classes violate it; None where it is not of classes.
        records: how many records lie in them, or are at fault; None where that is not known.
    """

    model: str
    attribute: str | None
    threshold: str
    reached: float | None
    classes: int | None = None
    records: int | None = None

    def __str__(self) -> str:
        about = f" of {self.attribute}" if self.attribute else ""
        whole = self.reached is not None and float(self.reached).is_integer()
        reached = (
            "nothing" if self.reached is None else f"{self.reached:{'.0f' if whole else '.6g'}}"
        )
        text = f"{self.model}{about}: asked for {self.threshold}, reached {reached}"
        records = (
            None
            if self.records is None
            else f"{self.records:,} {'record' if self.records == 1 else 'records'}"
        )
        if self.classes is None:
            return text if records is None else f"{text} ({records})"
        one = self.classes == 1
        classes = f"{self.classes:,} {'class' if one else 'classes'}"
        if records is not None:
            classes += f" with {records}"
        return f"{text} ({classes} {'violates' if one else 'violate'} it)"


class InfeasibleError(SqlanonError):
    """A declared privacy model does not hold, so nothing was published; carries the evidence."""

    exit_code = 1

    def __init__(self, message: str, shortfalls: Sequence[Shortfall] = ()) -> None:
        self.shortfalls = tuple(shortfalls)
        super().__init__("\n  ".join([message, *map(str, self.shortfalls)]))


class EngineError(SqlanonError):
    """The database refused or failed; carries the step and the SQL that ran."""

    exit_code = 3

    def __init__(self, message: str, step: str = "", sql: str = "") -> None:
        self.step, self.sql = step, sql
        super().__init__(f"{message} (in step {step!r})" if step else message)


class ConflictError(EngineError):
    """Somebody else made a relation of the same name while the run was under way."""


class ShortageError(EngineError):
    """The database lacks memory or room on its disk: the fault of no SQL."""


class OutcomeUnknownError(EngineError):
    """The database failed while it committed, and cannot be asked whether it did."""


class InterruptedRunError(SqlanonError):
    """The user interrupted the run; the previous release is untouched."""

    exit_code = 130


def as_key(name: str) -> str:
    """A column's name as a key in a spec: in quotes where YAML would read it otherwise."""
    plain = re.fullmatch(r"[^\W\d]\w*", name) and name.lower() not in _YAML_WORDS
    return name if plain else json.dumps(name, ensure_ascii=False)


def nearest_column(
    name: str, known: Collection[str], declared: Iterable[str], certain: bool
) -> str:
    """The same for a column of a source, whose names may be cells where its first line is a record.

    Args:
        name: what was declared.
        known: the names of the source's columns.
        declared: all names that were declared: one that is there shows that the others are names.
        certain: whether they are names in any case, as in a table.
    """
    folded = {normalize("NFC", text).lower() for text in known}
    if certain or any(normalize("NFC", text).lower() in folded for text in declared):
        return nearest(name, known)
    return (
        f"nor has it any other that is declared: of its {len(known)} columns none is shown, for "
        "they may be a record; see to it that its first line names the columns, and that its "
        'delimiter and quote are those that are said, or a comma, semicolon, tab or bar and "'
    )


def nearest(name: str, known: Iterable[str]) -> str:
    """A hint that offers the known name closest to a misspelt one, or lists them all."""
    names = sorted(known)
    lowered = {candidate.lower(): candidate for candidate in names}
    signs = normalize("NFC", name)
    if name not in names and signs in [normalize("NFC", text) for text in names]:
        return (
            f"{signs!r} is there in other Unicode signs that look the same: an ä may be one "
            "sign, or an a and two dots; copy the name from the source"
        )
    close = get_close_matches(name.lower(), lowered, n=1, cutoff=0.6)
    if close:
        return f"did you mean {lowered[close[0]]!r}?"
    return "known: " + ", ".join(map(repr, names)) if names else "none is known"
