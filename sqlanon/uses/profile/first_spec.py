"""A first spec for a table: what its profile comes to, to be corrected.

It is planned before it is written, so that no run refuses it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from pathlib import Path

import yaml

from sqlanon.common.files import check_folder, check_free, write
from sqlanon.engines import Engine
from sqlanon.errors import InfeasibleError, SpecError
from sqlanon.inputs.files import is_remote_file
from sqlanon.inputs.source import ReadAs
from sqlanon.measure.insensitive import pair
from sqlanon.measure.metrics.records import RARE
from sqlanon.plan import Plan, Search
from sqlanon.planning.prepare import build_plan, prepare
from sqlanon.session import Listener
from sqlanon.source.source_info import SourceInfo
from sqlanon.spec import NUMBERS, Column, Source, Spec, parse_source, parse_spec
from sqlanon.spec.model import draw_seed
from sqlanon.spec.privacy import GOALS
from sqlanon.uses.outlook.dry_run import dry_run
from sqlanon.uses.outlook.outlook import insensitive_shares
from sqlanon.uses.outlook.reachable import at_best
from sqlanon.uses.profile.draft import Draft, noted, settings_of, text_of
from sqlanon.uses.profile.hierarchies import grouped
from sqlanon.uses.profile.names import meaning_of, worth_of
from sqlanon.uses.profile.profile import Answers, Ask, ColumnProfile, Profile, Questions, answered
from sqlanon.uses.profile.roles import FEW, least_class
from sqlanon.uses.profile.table import profile_table


def too_telling(
    columns: Sequence[Column],
    quasi_identifiers: Sequence[Column],
    k: int,
    source: Source,
    engine: Engine,
) -> dict[str, str]:
    """Why a column cannot be insensitive, with the figure, by its name.

    Nothing is known of columns whose values cannot be compared, and of none without
    quasi-identifiers.

    Args:
        columns: those that might be insensitive.
        quasi_identifiers: the quasi-identifiers.
        k: the least class size.
        source: where the records are.
        engine: where they are read.
    """
    asked = [column.name for column in columns if column.kind != "other"]
    if not asked or not quasi_identifiers:
        return {}
    spec = Spec.model_validate(
        {
            "source": source,
            "release": "guessed",
            "quasi_identifiers": {column.name: {"publish": "set"} for column in quasi_identifiers},
            "insensitive": asked,
            "privacy": {"k": k},
        }
    )
    pairs = {
        pair(column.name, name): (column.name, name)
        for column in quasi_identifiers
        for name in asked
    }
    reasons: dict[str, list[str]] = {}
    with dry_run(build_plan(spec, SourceInfo.of(spec, engine)), engine) as dry:
        shares = insensitive_shares(dry)
    for metric in shares:
        if metric.passed is not False or metric.attribute is None:
            continue
        share = f"{metric.value:.0%} of the records"
        if metric.metric == RARE:
            name, reason = metric.attribute, f"fewer than {k} share the value of {share}"
        else:
            about, name = pairs[metric.attribute]
            reason = f"it gives {about} back for {share}"
        reasons.setdefault(name, []).append(reason)
    return {name: "; ".join(texts) for name, texts in reasons.items()}


def too_common(
    sensitive: Sequence[Column],
    quasi_identifiers: Sequence[Column],
    person: str,
    source: Source,
    engine: Engine,
    apart: int,
) -> dict[str, float]:
    """The sensitive attributes of which no class can hold so many values apart, as l asks.

    Where persons are counted, l: 2 cannot be met of a value that more than half of them have. Each
    comes with the share of the persons who have it: no alpha below that can be asked for.

    Args:
        sensitive: the sensitive attributes.
        quasi_identifiers: the quasi-identifiers.
        person: the column that says whom a record is about.
        source: where the records are.
        engine: where they are read.
        apart: the l that is to be met.
    """
    if not sensitive or not quasi_identifiers:
        return {}
    spec = Spec.model_validate(
        {
            "source": source,
            "release": "guessed",
            "quasi_identifiers": {column.name: {"publish": "set"} for column in quasi_identifiers},
            "sensitive": {column.name: {"alpha": f"1/{apart}"} for column in sensitive},
            "person": person,
            "privacy": {"k": 1},
        }
    )
    try:
        with dry_run(build_plan(spec, SourceInfo.of(spec, engine)), engine) as dry:
            best = at_best(dry)
    except SpecError:  # which is said of the spec that is written
        return {}
    return {
        limit.attribute: limit.best
        for limit in best.limits
        if limit.attribute and limit.best is not None and not limit.possible
    }


# How many quasi-identifiers and sensitive attributes a first spec protects at once: with more,
# classes get wide and runs long. The others are named, and not released.
QUASI_IDENTIFIERS, SENSITIVE = 10, 4
Watching = Callable[[], AbstractContextManager[Listener | None]]
_KEPT = "is there already: keep it and write the spec into another folder, or move it away"


@dataclass(frozen=True, repr=False)
class FirstSpec:
    """A first spec for a table, to be corrected.

    Attributes:
        text: the spec in YAML, with comments.
        files: the hierarchies that it names, by their files.
        undecided: what must be decided before it runs, on one line; empty where it runs.
    """

    text: str
    files: Mapping[Path, str]
    undecided: str

    def write(self, file: str | Path) -> tuple[Path, ...]:
        """Write it, and the hierarchies that it names.

        Args:
            file: the spec's file, in the folder that it was drafted for.

        Returns:
            The files, the spec last.

        Raises:
            SpecError: if one is there already, or cannot be written.
        """
        file = Path(file)
        check_folder(file)
        check_free(file, mend="is there already: name another file")
        for path in self.files:
            check_free(path, mend=_KEPT)
        write({**self.files, file: self.text})
        return (*self.files, file)

    def __repr__(self) -> str:
        hierarchies = f"{len(self.files)} {'hierarchy' if len(self.files) == 1 else 'hierarchies'}"
        return f"FirstSpec({hierarchies}, {'to be decided' if self.undecided else 'runs'})"


def draft_spec(
    table: str,
    database: str | None,
    folder: Path,
    engine: Engine,
    watching: Watching = nullcontext,
    ask: Ask | None = None,
) -> FirstSpec:
    """A first spec for a table, and what must be decided before it runs.

    Args:
        table: a file or a table.
        database: the database of the table, if it is one.
        folder: where the spec will lie; its paths count from there.
        engine: where it is read.
        watching: gives the listener of every step of the profile.
        ask: answers what no guess can; without it the spec says what was guessed.

    Raises:
        SpecError: if the table cannot be read, or has no record.
    """
    text, files = first_spec(table, database, folder, engine, watching, ask)
    first = undecided(text, folder, engine)
    return FirstSpec(noted(text, first) if first else text, files, first)


def first_spec(
    table: str,
    database: str | None,
    folder: Path,
    engine: Engine,
    watching: Watching = nullcontext,
    ask: Ask | None = None,
) -> tuple[str, dict[Path, str]]:
    """A commented spec in YAML, and the files of the hierarchies that it names.

    Args:
        table: a file or a table.
        database: the database of the table, if it is one.
        folder: where the spec will lie; its paths count from there.
        engine: where it is read.
        watching: gives the listener of every step of the profile.
        ask: answers what no guess can.

    Raises:
        SpecError: if it cannot be read, or has no record.
    """
    source = (
        parse_source(table)
        if isinstance(table, ReadAs)
        else Source.model_validate(Source.read(table))
    )
    try:
        with watching() as listener:
            found = profile_table(source, engine, listener=listener)
    except SpecError as error:
        if not any(problem.where for problem in error.problems):
            raise SpecError(f"{table!r} cannot be guessed from: {error}") from None
        raise
    if source.file is not None and not is_remote_file(source.file):
        settings = table.settings if isinstance(table, ReadAs) else {}
        table = ReadAs(os.path.relpath(source.file, folder), settings)
    draft = _draft(found, source, engine)
    if ask is not None:
        guessed = tuple(column.name for column in draft.sensitive)
        questions = Questions(found, draft.k, guessed, found.person)
        answers = ask(questions)
        draft = replace(draft, unasked=questions)
        if answers is not None:
            draft = _draft(answered(questions, answers), source, engine, answers)
    text = text_of(table, database, draft, draw_seed())
    return text, {folder / said["file"]: lines for said, lines in draft.grouped.values()}


def _draft(found: Profile, source: Source, engine: Engine, answers: Answers | None = None) -> Draft:
    """The draft that says what is released, how, and what is not, with the reason."""
    k = _least_class(found)
    known, near_keys = _parted(found.of("quasi_identifier"), lambda one: not is_near_key(one))
    known, coarse = _parted(known, lambda one: settings_of(one.counts, k) is not None)
    finer = finer_of(known)
    quasi_identifiers, redundant = _parted(known, lambda one: one.name not in finer)
    kept = () if answers is None else answers.sensitive
    likely = [found.column(name) for name in kept]
    likely += by_worth([column for column in found.of("sensitive") if column.name not in kept])
    goal = None if answers is None or answers.goal is None else GOALS[answers.goal]
    sensitive, exact = _parted(likely, lambda one: not one.counts.tells(2))
    shown = {column.name for column in quasi_identifiers[:QUASI_IDENTIFIERS]}
    shown |= {column.name for column in redundant}
    sensitive, copies = _parted(sensitive, lambda one: not shown & {*one.determines})
    most = SENSITIVE if answers is None else sum(column.name in kept for column in sensitive)
    unsure = found.of("unclear", "telling")
    reasons = too_telling(
        [column.counts.column for column in unsure],
        [column.counts.column for column in quasi_identifiers[:QUASI_IDENTIFIERS]],
        k,
        source,
        engine,
    )
    common: dict[str, float] = {}
    if found.person is not None:
        common = too_common(
            [column.counts.column for column in sensitive[:most]],
            [column.counts.column for column in quasi_identifiers[:QUASI_IDENTIFIERS]],
            found.person,
            source,
            engine,
            2 if goal is None else goal.l,
        )
    named, repeating = _parted(found.of("identifier"), lambda one: not one.counts.repeats)
    withheld = [
        (column, f"it repeats; {column.role.reason}" if column in repeating else column.role.reason)
        for column in found.columns
        if column in repeating or column.role.role == "withheld"
    ]
    return Draft(
        profile=found,
        k=k,
        identifiers=named,
        quasi_identifiers=quasi_identifiers[:QUASI_IDENTIFIERS],
        more_quasi_identifiers=quasi_identifiers[QUASI_IDENTIFIERS:],
        redundant=[(column, finer[column.name]) for column in redundant],
        near_keys=near_keys,
        coarse=coarse,
        grouped=grouped([column.counts.column for column in coarse], k, source, engine),
        sensitive=sensitive[:most],
        more_sensitive=sensitive[most:],
        common=common,
        copies=copies,
        exact=exact,
        open=[
            column
            for column in unsure
            if column.name not in reasons and column.role.role == "unclear"
        ],
        telling=[
            (column, reasons.get(column.name, column.role.reason))
            for column in unsure
            if column.name in reasons or column.role.role == "telling"
        ],
        withheld=withheld,
        answers=answers,
    )


def finer_of(columns: Sequence[ColumnProfile]) -> dict[str, str]:
    """Of quasi-identifiers that another one tells, the finest of those, which says all they say.

    A decade follows from the age. Of columns that tell each other the one with most values stays,
    and of equals the first.
    """
    finest = sorted(columns, key=lambda column: -column.counts.used)
    stay, finer = list[ColumnProfile](), dict[str, str]()
    for column in finest:
        tell = [each.name for each in stay if column.name in each.determines]
        if tell:
            finer[column.name] = tell[0]
        else:
            stay.append(column)
    return finer


def by_worth(columns: Sequence[ColumnProfile]) -> list[ColumnProfile]:
    """Sensitive columns, those most worth protecting first.

    A column that determines an earlier one, or the other way round, comes last: a group of incomes
    after the incomes.
    """
    ranked = sorted(columns, key=lambda column: worth_of(column.name))
    first, told = list[ColumnProfile](), list[ColumnProfile]()
    for column in ranked:
        copies = {*column.determined_by, *column.determines} & {each.name for each in first}
        (told if copies else first).append(column)
    return [*first, *told]


def is_near_key(column: ColumnProfile) -> bool:
    """Whether nearly every record has its own number, and nothing makes it coarser.

    An age or a postcode is known to be coarse, however few records a table has.
    """
    counts = column.counts
    return (
        counts.column.kind in NUMBERS
        and counts.used > FEW
        and counts.tells(2)
        and meaning_of(column.name) not in ("age", "postcode")
    )


def _least_class(found: Profile) -> int:
    """A k that so many records, or persons, can meet."""
    return least_class(
        found.records if found.person is None else found.column(found.person).counts.used
    )


def _parted(
    columns: Iterable[ColumnProfile], fits: Callable[[ColumnProfile], bool]
) -> tuple[list[ColumnProfile], list[ColumnProfile]]:
    """The columns that fit, and the others."""
    parts: tuple[list[ColumnProfile], list[ColumnProfile]] = ([], [])
    for column in columns:
        parts[0 if fits(column) else 1].append(column)
    return parts


def undecided(text: str, folder: Path, engine: Engine) -> str:
    """Why a run of a drafted spec would be refused, on one line; empty where it would not be.

    The run is begun, up to the search for classes, and undone. A draft asks for what all records in
    one class meet, so its search ends with a release.

    Args:
        text: the spec in YAML.
        folder: where it will lie; its paths count from there.
        engine: where its source is read.
    """
    try:
        prepared = prepare(parse_spec(yaml.safe_load(text), folder), engine)
        steps = prepared.plan.steps
        first = next(index for index, step in enumerate(steps) if isinstance(step, Search))
        with dry_run(prepared, engine) as dry:
            dry.session.run(Plan(steps[:first]))
    except SpecError as error:
        return "; ".join(str(problem) for problem in error.problems)
    except InfeasibleError as error:
        return " ".join(str(error).split())
    return ""
