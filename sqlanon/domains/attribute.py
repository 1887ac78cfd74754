"""Attributes: the columns that a release is about, and the relations that describe their values.

A release has a unit, too: what a class counts, which is a record if no clause says otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from sqlanon.plan import Check, Step
from sqlanon.spec import (
    MEASURABLE,
    BandsHierarchy,
    Column,
    DatesHierarchy,
    Kind,
    QuasiIdentifier,
    Sensitive,
)
from sqlanon.spec.publication import FORM_RULES
from sqlanon.sql.names import Relation, Sql


def one_of(several: str) -> str:
    """The word for one of what a class counts, by the word for several, such as records."""
    return several.removesuffix("s")


@dataclass(frozen=True)
class Unit:
    """The unit that a class counts: a record, or somebody whom several records are about.

    Attributes:
        noun: the word for one of them.
        numbered: a row for each; of others than records with a number, and the columns that name
            it.
        size: one row: how many there are.
        once: the records in which what a unit has counts once: all, or one of each.
        columns: the columns of the records that name a unit; none where it is a record.
        number: the column of the numbers; None where it is a record.
        bounded: the columns of the records that name whose share of a release is bounded, where
            that publishes no record.
        steps: what finds the units, or holds the records to naming them.
    """

    noun: str
    numbered: Relation
    size: Relation
    once: Relation
    columns: tuple[Sql, ...] = ()
    number: Sql | None = None
    bounded: tuple[Sql, ...] = ()
    steps: tuple[Step | Check, ...] = field(default=(), repr=False)

    @property
    def several(self) -> str:
        """The word for several of them."""
        return f"{self.noun}s"

    @property
    def numbers(self) -> tuple[Sql, ...]:
        """The column of the numbers, as one of those that go on with a record."""
        return () if self.number is None else (self.number,)

    def values(self, column: Column, alias: str) -> Step | None:
        """The step that pairs the units with their values of a column; None for the records' own.

        Args:
            column: the column.
            alias: its name in work relations.
        """
        return None

    def taken(self, columns: Sequence[Sql]) -> Step | None:
        """The step that makes `once`, with these columns; None where those are all records."""
        return None


FEW = 20  # values of a list, over which every class is laid out


@dataclass(frozen=True)
class Attribute:
    """A column with the relations that describe its values.

    Attributes:
        alias: its short name in work relations: q1, q2, … or s1, s2, ….
        name: the source's column.
        kind: the kind of its values.
        domain: a row for each value: code, value, records, and level_* and node_* per level.
        nodes: a row for each label of the hierarchy; None without one.
        height: how many levels lie below the root; the leaves are level 0.
    """

    alias: Sql
    name: str
    kind: Kind
    domain: Relation
    nodes: Relation | None
    height: int


@dataclass(frozen=True)
class QuasiAttribute(Attribute):
    """A quasi-identifier.

    Attributes:
        declared: what the spec says of it.
        column: the source's column.
        bounds: the lowest and the highest level that may be published; None for any.
        coarse: the level at which slices show every record's own value; 0 is the value as it is.
        masked: the level at which they show a suppressed one; 0 for none of them, but *.
    """

    declared: QuasiIdentifier
    column: Column
    bounds: tuple[int, int] | None = None
    coarse: int = 0
    masked: int = 0

    @property
    def label(self) -> Sql:
        """The column of the domain with the labels that slices show."""
        return Sql(f"level_{self.coarse}")

    @property
    def mask(self) -> Sql | None:
        """The column of the domain with the labels that a suppressed cell shows; None for *."""
        return Sql(f"level_{self.masked}") if self.masked else None

    @property
    def node(self) -> Sql:
        """The column of the domain with the code that all values of such a label share."""
        return Sql(f"node_{self.coarse}" if self.coarse else "code")

    @property
    def levels(self) -> tuple[int, int]:
        """The lowest and the highest level that may be published; the root is the last."""
        return self.bounds or (0, self.height)

    @property
    def publish(self) -> str | None:
        """The form in which a class's values are to be published, where one is asked for."""
        return self.declared.publish

    @property
    def of_one_level(self) -> bool:
        """Whether it is published as labels of one level of its hierarchy."""
        return self.publish is not None and FORM_RULES[self.publish].one_level

    @property
    def weight(self) -> Fraction:
        """Its share in the information loss."""
        return self.declared.weight

    @property
    def ordered(self) -> bool:
        """Whether its values are listed in order."""
        return self.declared.order is not None

    @property
    def measurable(self) -> bool:
        """Whether its values lie on a scale of numbers or of time."""
        plain = self.declared.order is None and not self.declared.nominal
        return plain and self.kind in MEASURABLE

    @property
    def in_periods(self) -> bool:
        """Whether the groups of its hierarchy are stretches of numbers or of time."""
        return isinstance(self.declared.hierarchy, BandsHierarchy | DatesHierarchy)


@dataclass(frozen=True)
class SensitiveAttribute(Attribute):
    """A sensitive attribute.

    Attributes:
        declared: what the spec says of it.
        positions: its values in the order of its distance.
        tie_breaker: the function that tells its equal values apart, if there are such.
        padded: the type that its values are published in, where they are compared as another.
    """

    declared: Sensitive
    positions: Relation
    tie_breaker: Sql | None
    padded: Sql | None

    @property
    def distance(self) -> str:
        """The ground distance of its values."""
        return self.declared.distance or "equal"

    @property
    def laid_out(self) -> str:
        """How it is measured: along a short list every class is laid out over all values."""
        listed = isinstance(self.declared.order, list) and len(self.declared.order) <= FEW
        return "listed" if listed and self.distance == "ordered" else self.distance


def tie_breaker(attributes: Sequence[SensitiveAttribute]) -> dict[str, Sql]:
    """The function that tells equal values apart, by the attributes that need one."""
    return {
        str(attribute.alias): attribute.tie_breaker
        for attribute in attributes
        if attribute.tie_breaker
    }


@dataclass(frozen=True)
class HiddenAttribute(SensitiveAttribute):
    """An attribute whose values are numbers that a run gives, and that nobody is shown.

    Attributes:
        per: the models that are measured of it, as `PrivacyModel.per` has it.
        read: the columns of the records that it is made of and that nothing else reads.
        by: the quasi-identifiers that it follows from, by their codes, or the columns that name a
            unit, where a class counts others than records; none: of every record it is another,
            and the record's code goes on with it.
        of_unit: where it follows from the unit, the quasi-identifiers of the unit's records that
            it comes from.
        tuples: where it follows from some, a row for each tuple of these: their codes, and
            ``code``, the value's; of units also ``tuple``, the unit's number.
    """

    per: ClassVar[str]
    read: tuple[Sql, ...] = ()
    by: tuple[Sql, ...] = ()
    of_unit: tuple[Sql, ...] = ()
    tuples: Relation | None = None

    @property
    def remedy(self) -> str:
        """The changes that may help where a model of it does not hold."""
        raise NotImplementedError

    @property
    def relations(self) -> Mapping[str, Relation]:
        """The further relations that its models read, as `PrivacyModel.reads` has them."""
        return {}


def follows(attribute: SensitiveAttribute | None) -> bool:
    """Whether an attribute follows from quasi-identifiers, so that no search tests it at cuts."""
    return isinstance(attribute, HiddenAttribute) and bool(attribute.by)
