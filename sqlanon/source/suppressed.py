"""The suppressed records of another tool's table: rows that show a mark in place of every value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Materialization, Step, work
from sqlanon.session import Session
from sqlanon.spec import Column
from sqlanon.sql.names import Query, Relation, Sql

# How tools write a suppressed cell, the empty text for NULL as well.
USUAL = ("", "*", "NA", "N/A", "?", "-")
COUNTED, UNSUPPRESSED = work("suppressed_rows"), work("unsuppressed")
TELLING = work("telling_rows")


def as_marks(declared: str | Sequence[str] | None) -> tuple[str, ...]:
    """The marks that a caller declares: one, several, or none.

    Raises:
        SpecError: if they are no texts, or one has a NUL character.
    """
    if declared is None:
        return ()
    marks = [declared] if isinstance(declared, str) else declared
    if (
        not isinstance(marks, Sequence)
        or isinstance(marks, bytes)
        or any(not isinstance(mark, str) or "\0" in mark for mark in marks)
    ):
        what = "it must be the text that stands in every quasi-identifier of a suppressed record"
        raise SpecError(Problem("suppressed", f"{what}, such as '*'; '' stands for NULL as well"))
    return tuple(dict.fromkeys(marks))


@dataclass(frozen=True)
class SuppressedRows:
    """The records of a table that have a mark in every quasi-identifier.

    Attributes:
        table: the table as a FROM item.
        given: its columns.
        shown: the names of those that stand for quasi-identifiers.
        marks: the marks that are declared; without any, the usual ones are looked for.
        records: how many records the table has, once they are counted.
        number: how many of them are such records.
        partly: how many have a mark in some of them and not in all, and so are like others.
        used: the marks that these have.
    """

    table: Relation | Sql
    given: Sequence[Column]
    shown: Sequence[str]
    marks: tuple[str, ...] = ()
    records: int = 0
    number: int = 0
    partly: int = 0
    used: tuple[str, ...] = ()

    @property
    def _params(self) -> dict[str, Any]:
        return {"columns": list(self.shown), "marks": self.marks or USUAL}

    @property
    def counting(self) -> Step:
        """The step that counts them, and all records of the table."""
        title = "counting the suppressed records"
        return Step(title, COUNTED, "source/suppressed_rows", {"source": self.table}, self._params)

    @property
    def leaving_out(self) -> Step:
        """The step that leaves the table without them."""
        return self._without("the records that are not suppressed", UNSUPPRESSED, self.shown)

    def telling(self, columns: Sequence[str]) -> Step:
        """The step that leaves the rows that show a value of some columns, suppressed or not.

        Args:
            columns: at least one.
        """
        return self._without("the records whose values are shown", TELLING, columns)

    def _without(self, title: str, output: Relation, columns: Sequence[str]) -> Step:
        """The step that leaves the rows that have no mark in some of the columns."""
        of_user = isinstance(self.table, Query)
        return Step(
            title,
            output,
            "source/unsuppressed",
            {"source": self.table},
            {
                "columns": list(columns),
                "marks": self.marks or USUAL,
                "names": [column.name for column in self.given],
            },
            Materialization.WORK_TABLE if of_user else Materialization.WORK_VIEW,
        )

    @property
    def rest(self) -> Relation | Sql:
        """The table without them, once they are left out; the table itself if none is declared."""
        return UNSUPPRESSED if self.marks else self.table

    def counted(self, session: Session) -> SuppressedRows:
        """The same, with the number of them."""
        step = self.counting
        row = session.fetch(step.template, step.inputs, step.params, 1).dicts()[0]
        marks = self.marks or USUAL
        used = tuple(mark for at, mark in enumerate(marks, 1) if row[f"m{at}"])
        return replace(
            self, records=row["records"], number=row["suppressed"], partly=row["partly"], used=used
        )

    @property
    def _partly(self) -> tuple[str, ...]:
        """The remark on the records with a mark in some quasi-identifiers and not in all."""
        if not self.partly:
            return ()
        have = "record has" if self.partly == 1 else "records have"
        marks = " or ".join(repr(mark) if mark else "nothing" for mark in self.marks)
        return (
            f"{self.partly:,} {have} {marks} in some quasi-identifiers and not in all: a mark is "
            "measured there as a value like others, since a reader still knows the rest",
        )

    def remarks(self, sensitive: bool) -> tuple[str, ...]:
        """The remark on them, without an end; none where none is declared or found.

        Args:
            sensitive: whether the table has sensitive values.
        """
        names = " or ".join(repr(text) if text else "nothing" for text in self.used or self.marks)
        are = "record has" if self.number == 1 else "records have"
        said = f"{self.number:,} of {self.records:,} {are} {names} in every quasi-identifier"
        if self.marks:
            beside = "; their sensitive values are published nonetheless" if sensitive else ""
            apart = f"they are suppressed by declaration, and every measure is of the rest{beside}"
            return (f"{said}: {apart}" if self.number else said, *self._partly)
        if not self.number:
            return ()
        options = " ".join(f"--suppressed {text!r}" for text in self.used)
        marks = repr(self.used[0] if len(self.used) == 1 else list(self.used))
        return (
            f"{said}, and they are measured as a class: if a tool suppressed them, declare their "
            f"mark ({options}, in Python suppressed={marks})",
        )
