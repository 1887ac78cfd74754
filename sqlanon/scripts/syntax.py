"""How a dialect writes the statements of a script around its SELECTs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from sqlanon.plan import Check, Materialization, StepRecord
from sqlanon.sql.names import Relation, literal, quoted
from sqlanon.sql.products import product_of
from sqlanon.sql.written import Naming

REFUSAL = (
    "exists and is no release of sqlanon's (it bears no mark of one): choose another name for the "
    "release, or drop it yourself"
)

MEANWHILE = (
    "is of another run, which published it while this script was under way, or whose record is "
    "gone: run this again, or drop it yourself"
)
HEADING = "-- Nothing stands in for what is made, read or called here."
OWN_HEADING = "-- Nothing is replaced but a release of sqlanon's: its relations bear a mark."
RETIRED = "Tables that the older release may have, and this one has not."
READERS_HEADING = "-- Who may read what is replaced."
HOLDS = "Everything holds: the new release replaces the older one."
RIGHTS_HEADING = "-- The same may read what is published; the rest is for its owner alone."


@dataclass(frozen=True)
class Marks:
    """The marks of a script's release.

    Attributes:
        prefix: how the comment on a release's relations begins, before the release's number.
        number: this release's number.
        run: the relation that records it.
        item: as what it is recorded.
        readers: what readers are given; the rest is the publisher's alone.
        retired: what an older release may have that this one has not.
    """

    prefix: str
    number: str
    run: Relation
    item: str
    readers: tuple[Relation, ...] = ()
    retired: tuple[Relation, ...] = ()

    @property
    def text(self) -> str:
        """The comment on the release's relations."""
        return self.prefix + self.number

    def commenting(self, record: StepRecord, dialect: str) -> str:
        """The statement that marks a published relation, on a line of its own; or nothing."""
        statement = product_of(dialect).commenting
        if not record.how.published or not statement:
            return ""
        name, text = quoted(record.relation, dialect), literal(self.text)
        return "\n" + statement.format(kind=record.how.kind, name=name, text=text)


@dataclass(frozen=True)
class Gate:
    """Checks that are one statement.

    Attributes:
        title: what they see to.
        checks: these, in the order in which a script says what is wrong.
    """

    title: str
    checks: tuple[Check, ...]


class Writer(Protocol):
    """The writer of the statements of a script.

    Attributes:
        dialect: the dialect that is written.
        naming: by what name each relation is called.
    """

    dialect: str
    naming: Naming

    def refusing(self, gate: Gate, query: Callable[[Check], str]) -> str:
        """The statement that fails with a check's message if its query finds a row."""

    def comment(self, text: str) -> str:
        """Text as a comment."""

    def heading(self, number: int, statement: StepRecord | Gate) -> str:
        """The comment above a statement: what it is for, and what a row of its relation is."""


@dataclass(frozen=True)
class Syntax:
    """How a dialect writes a script; where an expression does not say it, a class of its own does.

    Attributes:
        work_table: how a statement begins that makes a work table.
        work_view: the same of a work view.
        make: the same of what is published, before ``table`` or ``view``.
        drop_work: the statement that drops a work relation.
        work_path: where work relations stand, and no other of the same name.
        begin: the statements before the first step.
        commit: the statement after the last one.
        refuse: the expression that fails with a message.
        text: the type of text.
        joined: the expression that joins texts of several rows; NULL where there is no row.
        folds: whether a refusal that is a constant fails before any row is looked for.
        staged: whether what is to be published is a work table until the end, because a statement
            commits by itself.
        untested: the product, where the script was never run on it.
        emulator: what stands in for the product where the script was run, and how near it is.
        remarks: what the head of the script says.
    """

    work_table: str = "create or replace temporary table"
    work_view: str = "create or replace temporary view"
    make: str = "create or replace"
    drop_work: str = "drop {kind} if exists {name};"
    work_path: tuple[str, ...] = ()
    begin: tuple[str, ...] = ()
    commit: str | None = None
    refuse: str = "error({message})"
    text: str = "varchar"
    joined: str = "string_agg({text}, '; ')"
    folds: bool = False
    staged: bool = False
    untested: str = ""
    emulator: str = ""
    remarks: tuple[str, ...] = ()

    def creating(self, how: Materialization) -> str:
        """How a statement begins that makes a relation."""
        work = {
            Materialization.WORK_TABLE: self.work_table,
            Materialization.WORK_VIEW: self.work_view,
        }
        return work.get(how) or f"{self.make} {how.value}"

    def dropping(self, how: Materialization, name: str) -> str:
        """The statement that drops a relation, if it is there."""
        kind = "view" if self.creating(how).endswith("view") else "table"
        drop = Syntax.drop_work if how.published else self.drop_work
        return drop.format(kind=kind, name=name)

    @property
    def drop_first(self) -> bool:
        """Whether what is replaced must be dropped before it can be made."""
        return "or replace" not in self.make

    @property
    def head(self) -> tuple[str, ...]:
        """The lines about the dialect in the head of the script."""
        if not self.untested:
            return self.remarks
        emulated = f", but on {self.emulator}" if self.emulator else ""
        warning = f"This text was not run on {self.untested}{emulated}: read it before you use it."
        return (warning, *self.remarks)

    def own_parts(
        self, statements: Sequence[StepRecord | Gate], writer: Writer, marks: Marks | None
    ) -> Iterator[str] | None:
        """The parts of a script that is laid out in a way of its own; None as all others are.

        Args:
            statements: what a session did, or what a plan will do.
            writer: writes the statements that are the same everywhere.
            marks: by which what is published is known.
        """
        return None

    def standing_in(self, relations: Sequence[Relation]) -> Iterator[str]:
        """The statements that refuse what stands in for what is made, read or called.

        Args:
            relations: what the script publishes, and the table that it reads.
        """
        yield from ()

    def foreign(self, marks: Marks, relations: Sequence[Relation]) -> Iterator[str]:
        """The statements that refuse to replace what is there and not ours.

        Args:
            marks: by which ours is known.
            relations: what the script publishes.
        """
        yield from ()

    def readers(self, relations: Sequence[Relation]) -> Iterator[str]:
        """The statements that note who may read what is about to be replaced.

        Args:
            relations: those of what the script publishes that readers are given.
        """
        yield from ()

    def rights(self, withheld: Sequence[Relation]) -> Iterator[str]:
        """The statements that give what was replaced its readers, and nobody what is withheld.

        Args:
            withheld: what the script leaves for the publisher alone.
        """
        yield from ()

    def publishing(self, relation: Relation, staged: str, dialect: str) -> str:
        """The statement that publishes a table which every check has passed.

        Args:
            relation: what is published.
            staged: the quoted name of the work table that holds it until then.
            dialect: the dialect.
        """
        return f"create or replace table {quoted(relation, dialect)} as\nselect * from {staged};"

    def mark_of_view(self, marks: Marks) -> str:
        """The text that marks a view where it is made, before ``as``."""
        return ""

    def in_users_names(self, statement: str) -> str:
        """A statement that reads a query of the user's, whose names are found as the user means."""
        return statement

    def again(
        self, how: Materialization, name: str, making: list[str], there: bool, alike: bool
    ) -> list[str]:
        """The lines that make a work relation where none can be replaced.

        Args:
            how: as what it is made.
            name: its quoted name.
            making: the lines that make it where it is not there yet; the last is its SELECT.
            there: whether it is there already.
            alike: whether what is there has the same columns.
        """
        return [f"drop table {name};", *making] if there else making
