"""The result of measuring a table, and the faults by which it is no release of a source."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from sqlanon.errors import Shortfall
from sqlanon.record.metrics import Measured, Metric
from sqlanon.record.preview import metrics_table, summary_html
from sqlanon.record.recorded import metrics_frame
from sqlanon.record.summary import Summary
from sqlanon.spec import Column, Distances
from sqlanon.spec.columns import NUMBERS, TEXTS

if TYPE_CHECKING:
    import pandas as pd

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


def _counted(number: int | None, text: str, many: str) -> str:
    return "" if number is None else f"{number:,} {text if number == 1 else many}"


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


@dataclass(frozen=True, repr=False)
class CheckResult(Measured):
    """The result of measuring a table.

    Attributes:
        table: the table's name.
        measures: every metric, with what was asked for.
        shortfalls: the models that were asked for and do not hold, and records that are missing.
        faults: why the table is no release of the spec's source.
        distances: by which distance each t was measured.
        summary: the protection, its cost, and the remaining risks, in sentences.
        measured_by: the distance by which each sensitive attribute was measured, asked for or not.
        remarks: what a table alone does not tell.
    """

    table: str
    measures: tuple[Metric, ...]
    shortfalls: tuple[Shortfall, ...]
    faults: tuple[Fault, ...] = ()
    distances: Distances = field(default_factory=Distances)
    summary: Summary = field(default_factory=Summary)
    measured_by: Mapping[str, str] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether everything that was asked for holds, and the table is what it should be."""
        return not self.shortfalls and not self.faults

    def metrics_frame(self) -> pd.DataFrame:
        """The metrics as a pandas frame, a row each; ``sentence`` says what was reached."""
        return metrics_frame(self.measures)

    def __repr__(self) -> str:
        short = len(self.shortfalls) + len(self.faults)
        says = "passed" if self.passed else f"{short:,} {'thing' if short == 1 else 'things'} wrong"
        return f"CheckResult({self.table}, {says})"

    def _repr_html_(self) -> str:
        return summary_html(self.summary) + metrics_table(self.table, self.measures)
