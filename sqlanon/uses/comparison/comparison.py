"""Releases side by side, for people and programs; and in what their specs differ."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from sqlanon.common.files import check_folder, check_free, write
from sqlanon.common.visible import percent
from sqlanon.errors import SpecError
from sqlanon.pages.figures import Finding, Row, side_by_side
from sqlanon.pages.page import Page, Section, Table, paragraphs, render, table
from sqlanon.privacy.t_closeness import T_CLOSENESS
from sqlanon.uses.comparison.release import LOSS, Compared

# The keys that differ between any two releases, and a key that is its publisher's secret.
_PASSED_OVER = ("release", "database", "seed")
_ROLES = ("quasi_identifiers", "sensitive", "insensitive", "identifiers")
_WHOLE = ("hierarchy", "order", "tree", "columns", "missing")  # compared, and not taken apart
_MOST = 60  # characters of a value that is shown
_LONG = "a long one"
_UNKNOWN = "not known"


@dataclass(frozen=True)
class Difference:
    """A field of the specs that is not the same in all of them.

    Attributes:
        field: where it stands in a spec, such as ``privacy.k``.
        values: what each release was asked there, in words; empty where nothing was.
    """

    field: str
    values: tuple[str, ...]


def differences(specs: Sequence[Mapping[str, Any]]) -> tuple[Difference, ...]:
    """The fields in which specs differ, in the order in which they stand there.

    A seed is never among them: it is as secret as the source.

    Args:
        specs: the specs as mappings; one that is empty is not known, and differs in nothing.
    """
    fields = [dict(_fields(spec)) for spec in specs]
    known = [field for field in fields if field]
    found = []
    for name in dict.fromkeys(name for entry in known for name in entry):
        if len({_text(entry.get(name)) for entry in known}) > 1:
            values = [_shown(field.get(name)) if field else _UNKNOWN for field in fields]
            texts = [_text(field.get(name)) for field in fields]
            found.append(Difference(name, tuple(_told_apart(values, texts))))
    return tuple(found)


def _fields(spec: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Every field of a spec that says something, with its path."""
    for name, value in spec.items():
        path = f"{above}{name}"
        if path in _PASSED_OVER or value in (None, {}, [], ()):
            continue
        if path in _ROLES:
            columns = value if isinstance(value, Mapping) else {one: {} for one in value}
            for column, declared in columns.items():
                yield f"{path}.{column}", True
                yield from _fields(declared or {}, f"{path}.{column}.")
        elif isinstance(value, Mapping) and name not in _WHOLE:
            yield from _fields(value, f"{path}.")
        else:
            yield path, value


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _shown(value: Any) -> str:
    if value is None:
        return ""
    if value is True:
        return "yes"
    if isinstance(value, Mapping):
        value = {name: of for name, of in value.items() if of is not None}
    if isinstance(value, str) and re.fullmatch(r"\d+/\d+", value):
        value = _decimal(Fraction(value))
    text = value if isinstance(value, str) else _text(value)
    return text if len(text) <= _MOST else _LONG


def _decimal(share: Fraction) -> str:
    """An exact number as a spec would have it: with a point where that is as exact."""
    text = f"{float(share):g}"
    return text if Fraction(text) == share else str(share)


def _told_apart(values: Sequence[str], texts: Sequence[str]) -> Iterator[str]:
    """The values, those too long to be shown with a number for each that differs."""
    long = list(
        dict.fromkeys(text for value, text in zip(values, texts, strict=True) if value == _LONG)
    )
    for value, text in zip(values, texts, strict=True):
        yield f"{_LONG} ({long.index(text) + 1})" if value == _LONG else value


COMPARISON_ENDINGS = (".html",)
LEFT = "What is left of the quasi-identifiers"
REACHED = "What was reached"
ASKED = "What was asked, where it differs"
ATTACKED = "What attacks find"
USEFUL = "What it is still good for"
_PAIRS = "pairs, on average"
_ALIKE = "All of them were asked for the same."
_NOTICE = (
    "It shows figures of classes and of sensitive values, and the source: keep it with the proof "
    "of the releases."
)
_REACHED = (
    "Every figure as the release's run, or a check of the table, measured it. A star marks the "
    "best value of a row, where one is better."
)
_LEFT = (
    "The share of information that each column lost (NCP), and what its cells say, by shares of "
    "the records."
)
_ATTACKED = (
    "The findings of a reader, as sqlanon attack counts them; a star marks the best value of a row."
)
_USEFUL = (
    "Each release and its source, as sqlanon utility compares them. Of a figure of pairs of "
    "columns the table shows the mean; --json has each."
)
_HOLDS = {True: "all that was asked for holds", False: "not all that was asked for holds"}


@dataclass(frozen=True)
class Comparison:
    """Releases side by side.

    Attributes:
        releases: what is compared, in the order in which it was given.
    """

    releases: tuple[Compared, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each."""
        return tuple(release.name for release in self.releases)

    @property
    def rows(self) -> tuple[Row, ...]:
        """A row for each figure; none of its values is the best that cannot be compared."""
        rows = side_by_side([release.findings for release in self.releases])
        apart = {(T_CLOSENESS.name, (name,)) for name in self._apart}
        return tuple(
            replace(row, direction=None) if (row.figure, row.of) in apart else row for row in rows
        )

    @property
    def attacked(self) -> tuple[Row, ...]:
        """A row for each figure of the attacks; none where they were not asked for."""
        return side_by_side([release.attacked for release in self.releases])

    @property
    def useful(self) -> tuple[Row, ...]:
        """A row for each figure of utility; none where they were not asked for."""
        return side_by_side([release.useful for release in self.releases])

    @property
    def _apart(self) -> dict[str, list[str]]:
        """The sensitive attributes whose t is by different distances, and which."""
        names = dict.fromkeys(name for release in self.releases for name in release.distances)
        found = {
            name: list(
                dict.fromkeys(
                    filter(None, (release.distances.get(name) for release in self.releases))
                )
            )
            for name in names
        }
        return {name: ways for name, ways in found.items() if len(ways) > 1}

    @property
    def left(self) -> dict[str, tuple[str, ...]]:
        """The detail left of each quasi-identifier in each release; empty where it has none."""
        costs = [
            {cost.column: cost for cost in release.summary.columns} for release in self.releases
        ]
        return {
            name: tuple(
                _left(found[name].lost, found[name].left) if name in found else ""
                for found in costs
            )
            for name in dict.fromkeys(name for found in costs for name in found)
        }

    @property
    def differences(self) -> tuple[Difference, ...]:
        """In what they were asked otherwise; where a spec is not known it differs in nothing."""
        return differences([release.spec for release in self.releases])

    @property
    def remarks(self) -> tuple[str, ...]:
        """The remarks that a reader needs on the comparison."""
        return tuple(self._remarks())

    def _remarks(self) -> Iterable[str]:
        for release in self.releases:
            if not release.passed:
                yield f"{release.name} does not hold what was asked of it."
            if release.remark:
                yield release.remark
            if not release.spec:
                yield f"Of {release.name} no spec is known, and so not what was asked."
        yield from self._notes()
        for name, ways in self._apart.items():
            by = " and ".join(ways)
            yield f"The t of {name} are by different distances ({by}): they cannot be compared."
        if not self.differences and sum(bool(release.spec) for release in self.releases) > 1:
            yield _ALIKE

    def _notes(self) -> Iterable[str]:
        """The measures that could not be taken; of which releases, where it is not so of all."""
        said: dict[tuple[str, str], list[str]] = {}
        for release in self.releases:
            for note in release.notes.items():
                said.setdefault(note, []).append(release.name)
        for (what, why), names in said.items():
            of = "" if len(names) == len(self.releases) else f" of {', '.join(names)}"
            yield f"{what}{of}: {why}."

    def beside(self, other: Comparison) -> Comparison:
        """The same with what another comparison has, such as one of another database.

        Raises:
            SpecError: if both have a release of one name.
        """
        twice = [name for name in other.names if name in self.names]
        if twice:
            raise SpecError(f"{twice[0]!r} is named twice: compare releases of different names")
        return Comparison((*self.releases, *other.releases))

    def value(self, figure: str, release: str, attribute: str | None = None) -> float | None:
        """A figure of one of them, of attacks and utility as well; None where it was not measured.

        Raises:
            KeyError: if no release has that figure, or none is called so.
        """
        if release not in self.names:
            raise KeyError(f"there is no {release!r} in it: {', '.join(self.names)}")
        of = () if attribute is None else (attribute,)
        for row in (*self.rows, *self.attacked, *self.useful):
            if (row.figure, row.of) == (figure, of):
                return row.values[self.names.index(release)]
        raise KeyError(f"{figure!r} of {attribute or 'the whole'} was not measured of any")

    def as_object(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "releases": [
                {
                    "name": release.name,
                    "passed": release.passed,
                    "protected": release.summary.protected,
                }
                for release in self.releases
            ],
            "figures": self._as_objects(self.rows),
            "attacks": self._as_objects(self.attacked),
            "utility": self._as_objects(self.useful),
            "left": {name: list(cells) for name, cells in self.left.items()},
            "differences": [
                {"field": difference.field, "values": list(difference.values)}
                for difference in self.differences
            ],
            "remarks": list(self.remarks),
        }

    def _as_objects(self, rows: Sequence[Row]) -> list[dict[str, Any]]:
        return [
            {
                "figure": row.figure,
                "of": list(row.of),
                "values": list(row.values),
                "best": [self.names[index] for index in sorted(row.best)],
                "direction": row.direction,
                "sentence": row.sentence,
            }
            for row in rows
        ]

    @property
    def tables(self) -> tuple[Table, ...]:
        """The tables that people are shown: figures, what is left by column, what was asked."""
        return tuple(table for table in self._tables() if table.rows)

    def _tables(self) -> Iterable[Table]:
        yield self._figures(REACHED, [row for row in self.rows if row.figure != LOSS])
        yield Table(
            LEFT, ("column", *self.names), tuple((name, *of) for name, of in self.left.items())
        )
        yield self._figures(ATTACKED, self.attacked)
        yield self._figures(USEFUL, list(_without_pairs(self.useful)))
        yield Table(
            ASKED,
            ("field", *self.names),
            tuple((difference.field, *difference.values) for difference in self.differences),
        )

    def _figures(self, caption: str, rows: Sequence[Row]) -> Table:
        """Figures as a table, a star at the best value of each row."""
        return Table(
            caption,
            ("figure", "of", *self.names),
            tuple(
                (
                    row.figure.replace("_", " "),
                    " and ".join(row.of),
                    *(
                        f"{shown}{' *' if index in row.best else ''}"
                        for index, shown in enumerate(row.shown)
                    ),
                )
                for row in rows
            ),
            frozenset(index + 2 for index in range(len(self.names))),
        )

    def html(self) -> str:
        """A page for people: one HTML text that needs nothing else."""
        words = {
            REACHED: (_REACHED, *self.remarks),
            LEFT: (_LEFT,),
            ATTACKED: (_ATTACKED,),
            USEFUL: (_USEFUL,),
        }
        protected = tuple(
            (
                release.name,
                release.summary.protected or "Nothing was asked for.",
                release.summary.cost,
            )
            for release in self.releases
        )
        short = Table(
            "Who is protected, and at what cost", ("release", "protected", "cost"), protected
        )
        return render(
            Page(
                " and ".join(self.names),
                _NOTICE,
                True,
                tuple((release.name, _HOLDS[release.passed]) for release in self.releases),
                (
                    Section("short", "In short", (), (short,)),
                    *(
                        Section(
                            f"table-{number}", table.caption, words.get(table.caption, ()), (table,)
                        )
                        for number, table in enumerate(self.tables, 1)
                    ),
                ),
            )
        )

    def write(self, file: str | Path, overwrite: bool = False) -> Path:
        """Write the page to a file, for its owner alone.

        Raises:
            SpecError: if the file cannot be a page, or is there and not to be replaced.
            EngineError: if the disk fails.
        """
        page = Path(file)
        check_page(page, overwrite)
        write({page: self.html()}, overwrite)
        return page

    def __repr__(self) -> str:
        return f"Comparison({', '.join(map(repr, self.names))})"

    def _repr_html_(self) -> str:
        found = "".join(table(each.caption, each.head, each.rows) for each in self.tables)
        return found + paragraphs(self.remarks)


def check_page(file: Path, overwrite: bool) -> None:
    """Refuse a file that cannot be a page, before anything is done.

    Raises:
        SpecError: if its name has another ending, nothing can be written to its folder, or it is
            there and not to be replaced.
    """
    if file.suffix.lower() not in COMPARISON_ENDINGS:
        endings = " or ".join(COMPARISON_ENDINGS)
        raise SpecError(f"{str(file)!r}: the name of the file must end in {endings}")
    check_folder(file)
    check_free(file, overwrite)


def compared(releases: Sequence[Compared]) -> Comparison:
    """Releases side by side, each of a name of its own.

    Raises:
        SpecError: if none is given, or a name twice.
    """
    if not releases:
        raise SpecError("name the releases that are compared")
    found = Comparison(())
    for release in releases:
        found = found.beside(Comparison((release,)))
    return found


def _without_pairs(rows: Iterable[Row]) -> Iterator[Row]:
    """The rows, those of one figure of several columns at a time as their mean."""
    several: dict[str, list[Row]] = {}
    for row in rows:
        if len(row.of) < 2:
            yield row
        else:
            several.setdefault(row.figure, []).append(row)
    for same in several.values():
        found = tuple(
            _mean([one for one in each if one is not None])
            for each in zip(*(row.found for row in same), strict=True)
        )
        yield replace(same[0], of=(_PAIRS,), found=found)


def _mean(findings: Sequence[Finding]) -> Finding | None:
    known = [finding.value for finding in findings if finding.value is not None]
    if not known:
        return None
    return replace(findings[0], of=(_PAIRS,), value=sum(known) / len(known))


def _left(lost: float | None, left: str) -> str:
    """The share that a column lost, and what is left of it."""
    share = "" if lost is None else percent(lost)
    return f"{share}: {left}" if share and left else share or left
