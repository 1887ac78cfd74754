"""Whose a relation is, in a script: what it replaces bears a mark, and what it makes gets one."""

from __future__ import annotations

from dataclasses import dataclass

from sqlanon.plan import StepRecord
from sqlanon.sql import Relation, literal, quoted
from sqlanon.sql.products import product_of

REFUSAL = (
    "exists and is no release of sqlanon's (it bears no mark of one): choose another name for the "
    "release, or drop it yourself"
)

MEANWHILE = (
    "is of another run, which published it while this script was under way, or whose record is "
    "gone: run this again, or drop it yourself"
)


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
