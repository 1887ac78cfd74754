"""A publication: what is shown of the classes, and what a reader can tie together of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from sqlanon.clauses.clause import Allowance
from sqlanon.domains.attribute import HiddenAttribute, QuasiAttribute, SensitiveAttribute, Unit
from sqlanon.forms import published_columns
from sqlanon.measure.asked import Requirements
from sqlanon.measure.insensitive import Released
from sqlanon.measure.view import AdversaryView
from sqlanon.methods.method import TakenOver
from sqlanon.plan import Check, Materialization, Secret, Step
from sqlanon.publish.ledger import Ledger
from sqlanon.spec import Kind, Spec
from sqlanon.spec.publication import PublicationRule
from sqlanon.sql.names import Relation, Sql

Role = Literal["quasi_identifier", "sensitive", "insensitive", "group"]


@dataclass(frozen=True)
class LeftOut:
    """Which records are left out, where some may be.

    Attributes:
        classes: what a method found: classes with their records, and by number the model because
            of which they are left out.
        requirements: what is asked, as they are numbered there.
        allowance: how many may be.
        taken_over: the release whose classes these are, where a record may lie in none; its place
            is 0.
        outliers: whether outliers are among them, whose place is 0 as well.
        within: the quasi-identifier in each of whose groups the limit holds, if in any.
    """

    classes: Relation
    requirements: Requirements
    allowance: Allowance
    taken_over: TakenOver | None = None
    outliers: bool = False
    within: QuasiAttribute | None = None


@dataclass(frozen=True)
class Grouped:
    """The input of a publication: records in classes, and what may be shown of them.

    Attributes:
        records: the source's records.
        size: one row: how many they are.
        assigned: every record's class and codes.
        quasi_identifiers: of which a reader sees what a class has in common.
        sensitive: whose values are published as they are.
        insensitive: columns that are published as they are.
        pseudonyms: columns that stand for identifiers, which tell a reader nothing.
        unit: what a class counts.
        left_out: what was left out, if records may be.
        release: the relation to make, and the stem of the names of what comes with it.
        how: what it becomes: a table, a view, or, for a trial, a work table.
        seed: of what is shuffled.
        least: how many records a class has at least.
        coded: the records with integer codes.
        covered: the codes that every class's cells cover, where these are more than its records'.
        suppressed_cells: where a method suppressed cells, of how many records each
            quasi-identifier is.
        hidden: what else records have and no release shows: these columns stand next to the
            release while that is measured.
        cells: where it is given what classes publish: class_id and the published columns.
        levels: by the name of a quasi-identifier that is published as labels of one level, the
            relation whose ``level`` that is; None where cells are values, and no groups.
        pads: the parts of the key that a publication draws by, if it draws.
    """

    records: Relation
    size: Relation
    assigned: Relation
    quasi_identifiers: tuple[QuasiAttribute, ...]
    sensitive: tuple[SensitiveAttribute, ...]
    insensitive: tuple[Released, ...]
    pseudonyms: tuple[Released, ...]
    unit: Unit
    left_out: LeftOut | None
    release: Relation
    how: Materialization
    seed: int
    least: int
    coded: Relation | None = None
    covered: Relation | None = None
    suppressed_cells: Relation | None = None
    hidden: tuple[HiddenAttribute, ...] = ()
    cells: Relation | None = None
    levels: Mapping[str, Relation] | None = None
    pads: Mapping[str, Secret] = field(default_factory=dict)

    @property
    def kept(self) -> tuple[Released, ...]:
        """The columns that are published as they were read."""
        return (*self.insensitive, *self.pseudonyms)

    @property
    def has_own_codes(self) -> bool:
        """Whether a code stands for one value of a quasi-identifier, in a row for each record."""
        given = (self.cells, self.suppressed_cells, self.unit.number)
        coarse = any(attribute.coarse for attribute in self.quasi_identifiers)
        return not coarse and all(one is None for one in given)


@dataclass(frozen=True)
class ReleasedColumn:
    """A column of a published relation.

    Attributes:
        name: its name there.
        alias: its name in work relations.
        kind: the kind of its values.
        role: what the spec says of the column that it stands for; or of a group of records.
        source: the source's column whose type it has; None for text that was made.
        tie_breaker: the function that tells its equal values apart, if there are such.
        padded: the type that it is published in, where its values are compared as another.
        form: what its cells are, where the publication made them of many records.
        starred: whether it is suppressed in some records.
    """

    name: str
    alias: Sql
    kind: Kind
    role: Role
    source: str | None
    tie_breaker: Sql | None = None
    padded: Sql | None = None
    form: str | None = None
    starred: bool = False


@dataclass(frozen=True)
class PublishedRelation:
    """A relation that a publication leaves: its name, what it becomes, and its columns in order.

    It has no columns here if it has no rows that stand for records.
    """

    relation: Relation
    columns: tuple[ReleasedColumn, ...]
    how: Materialization


@dataclass(frozen=True)
class Publication:
    """The relations that are published, and what must be known of them.

    Attributes:
        steps: from the classes to the published relations, in order.
        relations: all that is published; the release first.
        formed: a row for each class that was formed.
        view: what a reader can tie together.
        ledger: what became of every record.
        suppressed_cells: where cells are suppressed, of how many records each quasi-identifier is;
            else None.
        levels: those of `Grouped`; None also where no classes are shown.
    """

    steps: tuple[Step | Check, ...]
    relations: tuple[PublishedRelation, ...]
    formed: Relation
    view: AdversaryView
    ledger: Ledger
    suppressed_cells: Relation | None = None
    levels: Mapping[str, Relation] | None = None

    @property
    def for_readers(self) -> tuple[PublishedRelation, ...]:
        """The relations that readers are given: no view's own rows, nothing for the publisher."""
        own = self.relations[0].relation.sibling("rows")
        return tuple(
            relation for relation in self.relations if relation.columns and relation.relation != own
        )

    def beside(self, relation: Relation) -> str:
        """The end of the name of a relation published with the release; empty for the release."""
        release = self.relations[0].relation
        return relation.name.removeprefix(release.name).removeprefix("__")


class Publisher(ABC):
    """A way to publish classes."""

    rule: ClassVar[PublicationRule]

    @property
    def name(self) -> str:
        """The name that a spec has for it."""
        return self.rule.name

    @abstractmethod
    def names(
        self, release: Relation, how: Materialization, suppresses: bool = False
    ) -> dict[Relation, Materialization]:
        """The relations that a release of this name will be, and what each becomes.

        Args:
            release: the release, which is the first of them.
            how: what it becomes.
            suppresses: whether records may be left out.
        """

    def asked(self, spec: Spec) -> Publisher:
        """The same, with what a spec says of it."""
        return self

    @abstractmethod
    def publish(self, grouped: Grouped) -> Publication:
        """Plan the publishing of records in classes."""


def released_columns(
    quasi_identifiers: Sequence[QuasiAttribute],
    sensitive: Sequence[SensitiveAttribute],
    insensitive: Sequence[Released],
) -> tuple[ReleasedColumn, ...]:
    """The columns of a table that shows what a class has in common and all else as it is."""
    names = {attribute.alias: attribute.name for attribute in quasi_identifiers}
    columns = [
        ReleasedColumn(
            column.name,
            column.alias,
            column.kind,
            "quasi_identifier",
            names[column.attribute] if column.typed else None,
        )
        for column in published_columns(quasi_identifiers)
    ]
    kept: list[tuple[Role, Sequence[SensitiveAttribute | Released]]] = [
        ("sensitive", sensitive),
        ("insensitive", insensitive),
    ]
    for role, some in kept:
        columns += [
            ReleasedColumn(
                name=column.name,
                alias=column.alias,
                kind=column.kind,
                role=role,
                source=None if isinstance(column, Released) and column.made else column.name,
                tie_breaker=column.tie_breaker,
                padded=column.padded,
            )
            for column in some
        ]
    return tuple(columns)
