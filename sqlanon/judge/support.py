"""Whether the source has, inside each class's cells, the records that the class publishes.

For every class and tuple of sensitive and insensitive values, the source's records with the tuple
and inside the cells are counted until there are enough. The source's records lie in the nested
cells of a grid: those inside a class are counted at once, those on its border are looked into, and
a demand that is met or cannot be met is not pursued.

Where they are missing, the table has a fault, as a table has that differs from a release otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.plan import Materialization, Plan, Step, work
from sqlanon.session import Session
from sqlanon.source.source import RECORDS
from sqlanon.spec import Column
from sqlanon.spec.columns import NUMBERS, TEXTS
from sqlanon.sql.names import Relation, Sql

What = Literal[
    "missing_column",
    "undeclared_column",
    "column_type",
    "unreadable_cells",
    "mixed_strata",
    "centroids_of_few",
    "unknown_values",
    "empty_texts",
    "missing_records",
    "invented_records",
    "unsupported_records",
    "uneven_groups",
    "small_groups",
    "missing_rows",
    "invented_rows",
    "missing_values",
    "invented_values",
    "unjoined_records",
    "no_pseudonyms",
]
_SAID: dict[str, str] = {
    "missing_column": "it is declared, and the table has no such column",
    "undeclared_column": "the table has it, and the spec releases no such column",
    "column_type": "it is {found}, and a release has {expected}",
    "unreadable_cells": "cells that a release of this source cannot have, neither a value that the "
    "source has nor {expected}: {records} of {classes}",
    "mixed_strata": "cells show values of several strata, or groups of these, and levels asks for "
    "one: {records} of {classes}",
    "centroids_of_few": "shown where fewer than k of a class have a value: {classes} show one, and "
    "the source has values in {records}",
    "unknown_values": "values that the source does not have: {records}",
    "empty_texts": "this file does not distinguish empty text from NULL, and the source has "
    "empty text, {records}: export to Parquet",
    "missing_records": "not in the table, by sensitive and insensitive values: {records} of the "
    "source",
    "invented_records": "not in the source, by sensitive and insensitive values: {records} of the "
    "table",
    "unsupported_records": "more with such sensitive and insensitive values than the source has "
    "inside the cells of their class: {records} in {classes}",
    "uneven_groups": "not as many sensitive values as records: {classes}",
    "small_groups": "fewer records than a group of the spec: {classes}",
    "missing_rows": "not in the table, by quasi-identifiers and insensitive values: {records} of "
    "the source",
    "invented_rows": "not in the source, by quasi-identifiers and insensitive values: {records} of "
    "the table",
    "missing_values": "not there, by sensitive values: {records} of the source",
    "invented_values": "not in the source, by sensitive values: {records}",
    "no_pseudonyms": "something else than a pseudonym of 64 hexadecimal digits: {records}",
    "unjoined_records": "in no group with their sensitive values: {records} of the source",
}


@dataclass(frozen=True)
class Fault:
    """Why a table is no release of a source.

    Attributes:
        what: what is wrong.
        column: the column it concerns, or None.
        records: how many records it concerns, where they are counted.
        classes: how many equivalence classes it concerns, where they are counted.
        found: what is there.
        expected: what would be accepted.
    """

    what: What
    column: str | None = None
    records: int | None = None
    classes: int | None = None
    found: str | None = None
    expected: str | None = None

    def __str__(self) -> str:
        text = _SAID[self.what].format(
            records=_counted(self.records, "record", "records"),
            classes=_counted(self.classes, "class", "classes"),
            found=self.found,
            expected=self.expected,
        )
        return f"column {self.column!r}: {text}" if self.column else text


def _counted(number: int | None, one: str, many: str) -> str:
    return "" if number is None else f"{number:,} {one if number == 1 else many}"


def column_faults(
    expected: Sequence[Column], found: Sequence[Column], written: bool, named: bool
) -> Iterator[Fault]:
    """Hold a table's columns against those that a release has; their order does not matter.

    Args:
        expected: the release's columns.
        found: the table's.
        written: whether the table was written into a format that does not keep all types.
        named: whether the table's names are surely names and no values.
    """
    there = {column.name: column for column in found}
    for column in expected:
        if column.name not in there:
            yield Fault("missing_column", column.name)
        elif not _fits(column, there[column.name], written):
            types = (one.shown_type for one in (there[column.name], column))
            yield Fault("column_type", column.name, None, None, *types)
    declared = {column.name for column in expected}
    if named or declared <= there.keys():
        for name in sorted(there.keys() - declared):
            yield Fault("undeclared_column", name)


def _plain(name: str) -> str:
    """A type without its number of digits, which a column that is worked out may lose."""
    return re.sub(r"\(\d+(, *\d+)?\)", "", name)


def _fits(expected: Column, found: Column, written: bool) -> bool:
    """Whether a column has the release's type, or one that a file may have given it."""
    if expected.kind in TEXTS:
        return found.kind in TEXTS or written  # text of digits is read as numbers
    if not written:
        return _plain(found.type) == _plain(expected.type)
    moments = ("date", "timestamp")
    alike = any(expected.kind in kinds and found.kind in kinds for kinds in (NUMBERS, moments))
    return alike or found.kind in (expected.kind, "text")  # a column of NULLs is read as text


SHOWN, CLASSES, TUPLES = work("shown"), work("shown_classes"), work("shown_tuples")
_CODED, _POINTS, _SAMPLE = work("source_coded"), work("source_points"), work("source_sample")
_DEMANDS, _SAMPLED, _UNMET = work("demands"), work("demands_sampled"), work("demands_unmet")
_MATCHED = work("demands_matched")
# How many records of a tuple a finest cell holds, about; how many times a cell is halved at each
# level, and in all at most; how many records of a tuple are tried before the grid is searched.
_IN_CELL, _HALVINGS, _MOST_HALVINGS, _SAMPLED_RECORDS = 8, 3, 18, 128


@dataclass(frozen=True)
class Support:
    """The search for the records that classes publish.

    Attributes:
        quasi_identifiers: the quasi-identifiers; their domains are made of the source's records.
        published: the columns of the classes.
        keys: the columns of the tuples.
        sets: for each quasi-identifier that is published as sets, their members.
        boxes: the step that reads the classes as codes.
        fold: whether empty text is as NULL.
    """

    quasi_identifiers: Sequence[QuasiAttribute]
    published: tuple[Sql, ...]
    keys: tuple[Sql, ...]
    sets: Mapping[Sql, Relation]
    boxes: Step
    fold: bool

    def faults(self, session: Session) -> Iterator[Fault]:
        """Search, inside a transaction, and tell what classes publish and the source lacks."""
        largest = session.fetch("check/tuple_size", {"tuples": TUPLES}, {}, 1).rows[0][0]
        halvings = min(max((int(largest) // _IN_CELL).bit_length() - 1, 0), _MOST_HALVINGS)
        levels = -(-halvings // _HALVINGS)
        session.run(Plan((*self._placing(levels), *self._searching(levels))))
        rounds = [*(work("open_", level) for level in range(1, levels + 1)), _MATCHED]
        found = session.fetch(
            "check/check_supported",
            {f"open_{number}": relation for number, relation in enumerate(rounds, 1)},
            {"rounds": rounds},
            1,
        )
        for classes, records in found.rows:
            yield Fault("unsupported_records", None, int(records), int(classes))

    @property
    def _attributes(self) -> tuple[Sql, ...]:
        return tuple(attribute.alias for attribute in self.quasi_identifiers)

    def _placing(self, levels: int) -> Iterator[Step]:
        """The source's records as points, in the cells of the grid."""
        divided = self._divided(levels)
        places = {alias: work("places_", alias) for alias in divided}
        for attribute in self.quasi_identifiers:
            if attribute.alias in divided:
                yield Step(
                    f"parts of {attribute.name}",
                    places[attribute.alias],
                    "check/places",
                    {"domain": attribute.domain},
                    {"parts": 2 ** divided[attribute.alias]},
                )
        domains = {str(one.alias): one.domain for one in self.quasi_identifiers}
        yield Step(
            "the source in codes",
            _CODED,
            "source/coded",
            {"records": RECORDS} | {f"domain_{alias}": at for alias, at in domains.items()},
            {
                "attributes": self._attributes,
                "domains": domains,
                "nodes": {},
                "carried": self.keys,
                "telling": {},
            },
            Materialization.WORK_VIEW,
        )
        yield Step(
            "the source's distinct records",
            _POINTS,
            "check/points",
            {"coded": _CODED, "tuples": TUPLES}
            | {f"places_{alias}": relation for alias, relation in places.items()},
            {
                "attributes": self._attributes,
                "keys": self.keys,
                "fold": self.fold,
                "places": places,
                "divided": tuple(divided),
                "levels": _numbering(divided, levels),
            },
        )

    def _divided(self, levels: int) -> dict[Sql, int]:
        """How often each quasi-identifier is halved, one after the other."""
        turns = {
            alias: len(range(place, levels * _HALVINGS, len(self.quasi_identifiers)))
            for place, alias in enumerate(self._attributes)
        }
        return {alias: times for alias, times in turns.items() if times}

    def _searching(self, levels: int) -> Iterator[Step]:
        """The steps that seek what each class asks of the source, in finer and finer cells."""
        yield self.boxes
        keyed = {"published": self.published, "keys": self.keys, "fold": self.fold}
        yield Step(
            "what each class asks of the source",
            _DEMANDS,
            "check/demands",
            {"shown": SHOWN, "classes": CLASSES, "boxes": self.boxes.output, "tuples": TUPLES},
            keyed,
        )
        attributes, opened = {"attributes": self._attributes}, _DEMANDS
        if levels:
            yield Step(
                "a sample of the source",
                _SAMPLE,
                "check/sample",
                {"points": _POINTS},
                {"level": levels, "most": _SAMPLED_RECORDS, **attributes},
            )
            yield self._matching("what the sample adds", _SAMPLED, _DEMANDS, _DEMANDS, _SAMPLE, 0)
            yield Step(
                "what the sample does not meet",
                _UNMET,
                "check/unmet",
                {"demands": _DEMANDS, "matched": _SAMPLED},
            )
            opened = _UNMET
        frontier = opened
        for level in range(1, levels + 1):
            nodes, pairs, after = (work(name, level) for name in ("nodes_", "pairs_", "open_"))
            about = f"level {level} of {levels}"
            yield Step(
                f"the cells of {about}",
                nodes,
                "check/nodes",
                {"points": _POINTS},
                {"level": level, **attributes},
            )
            yield Step(
                f"the cells in and around each class, {about}",
                pairs,
                "check/pairs",
                {"open": opened, "frontier": frontier, "nodes": nodes, "boxes": self.boxes.output},
                attributes,
            )
            yield Step(
                f"what is not found yet, {about}",
                after,
                "check/open",
                {"open": opened, "pairs": pairs},
            )
            opened, frontier = after, pairs
        yield self._matching("what single records add", _MATCHED, opened, frontier, _POINTS, levels)

    def _matching(
        self,
        title: str,
        output: Relation,
        opened: Relation,
        frontier: Relation,
        points: Relation,
        level: int,
    ) -> Step:
        inputs = {"open": opened, "frontier": frontier, "points": points}
        inputs |= {"boxes": self.boxes.output}
        inputs |= {f"set_members_{alias}": relation for alias, relation in self.sets.items()}
        params = {"level": level, "attributes": self._attributes, "sets": self.sets}
        return Step(title, output, "check/matched", inputs, params)


def _numbering(divided: Mapping[Sql, int], levels: int) -> list[list[dict[str, Any]]]:
    """For each level of the grid, how a cell's number is made of the parts of each attribute.

    The parts are the finest ones; at a coarser level 2, 4, 8, … of them are one. All halvings of
    all attributes together are the binary digits of the number.
    """
    offsets, before = {}, 0
    for alias, times in divided.items():
        offsets[alias], before = before, before + times
    numbering = []
    for level in range(1, levels + 1):
        parts = []
        for place, (alias, times) in enumerate(divided.items()):
            made = len(range(place, level * _HALVINGS, len(divided)))
            if made:
                width, scale = 2 ** (times - made), 2 ** offsets[alias]
                parts.append({"attribute": alias, "width": width, "scale": scale})
        numbering.append(parts)
    return numbering
