"""A clause: a thing that a spec may ask for, with what it does not go with, as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any, Protocol

from sqlanon.errors import Problem
from sqlanon.pages.figures import Figure
from sqlanon.privacy.model import PrivacyModel


class Asking(Protocol):
    """The part of a spec that a clause with a folder reads."""

    @property
    def release(self) -> str:
        """The name of the release."""

    @property
    def identifiers(self) -> Mapping[str, Any]:
        """The direct identifiers, as declared."""

    @property
    def pseudonyms(self) -> Sequence[str]:
        """The identifiers that are released as pseudonyms."""

    @property
    def person(self) -> Sequence[str]:
        """The columns that name whom a record is about."""

    @property
    def sensitive(self) -> Mapping[str, Any]:
        """The sensitive attributes, as declared."""

    @property
    def quasi_identifiers(self) -> Mapping[str, Any]:
        """The quasi-identifiers, as declared."""

    @property
    def stratified(self) -> Sequence[str]:
        """The quasi-identifiers of which no class may mix values of two groups."""

    @property
    def levels(self) -> Mapping[str, Any]:
        """The least and the greatest level of each column that has bounds."""

    @property
    def leading(self) -> Mapping[str, Any]:
        """The quasi-identifiers that classes form by."""

    @property
    def allowance(self) -> Allowance | None:
        """The records that may be left out, if any may."""

    @property
    def uncovering(self) -> Mapping[str, str]:
        """The quasi-identifiers whose cells do not say whom they cover, with their forms."""

    @property
    def transforms(self) -> Mapping[str, Any]:
        """The transforms of each column that has some."""

    @property
    def joint(self) -> Sequence[Any]:
        """The transforms of several columns at once."""

    @property
    def epsilons(self) -> Mapping[str, Any]:
        """The ε of each column whose values are drawn with local differential privacy."""

    def where_of(self, column: str, index: int = 0) -> str:
        """Where a transform of a column is declared, counted from 0."""

    @property
    def keys(self) -> Mapping[str, Any]:
        """Where every key is, by its address."""

    @property
    def insensitive(self) -> Mapping[str, Any]:
        """The columns that are released as they are, or transformed."""

    @property
    def key(self) -> Sequence[str]:
        """The columns that name a record."""

    @property
    def shows_exact(self) -> bool:
        """Whether every record's own quasi-identifiers are shown."""

    @property
    def privacy(self) -> Any:
        """The thresholds that hold for the whole release, or for every attribute."""

    def roles(self) -> Iterator[tuple[str, str]]:
        """Every role and column that is declared."""


def _none(_: Any) -> Iterator[Any]:
    yield from ()


class Use(StrEnum):
    """The uses of a spec, as people call them. A run elsewhere takes every spec that loads."""

    WAREHOUSE = "run in a warehouse with search: local"
    WAREHOUSE_SEARCH = "run in a warehouse"
    SCRIPT = "compile"
    SERVER_SCRIPT = "compile in another dialect than DuckDB's"
    OTHER_SCRIPT = "compile in another dialect than the database's"
    DBT = "compile --dbt"
    CHECK = "check --spec"
    CHECK_TABLE = "check by roles alone"
    ATTACK_TABLE = "attack and utility, of a table without the record of a run"
    CERTIFICATE = "certificate"
    VERIFY = "verify"
    WHY = "why"
    SWEEP = "sweep"
    QUICK_SWEEP = "sweep --quick"
    LIMITS = "plan: the thresholds that can be reached"
    PREDICTION = "plan: the measures that it predicts"
    TRIAL = "a release on trial"

    @property
    def does(self) -> tuple[Use, ...]:
        """This use, and those that are parts of it: what these refuse it refuses, too."""
        return (self, *(each for use in _PARTS.get(self, ()) for each in use.does))

    @property
    def is_partial(self) -> bool:
        """Whether what it does not go with is left unsaid, and the rest is said."""
        return self in _PARTIAL


_PARTS = {
    Use.WAREHOUSE_SEARCH: (Use.WAREHOUSE,),
    Use.SERVER_SCRIPT: (Use.SCRIPT,),
    Use.OTHER_SCRIPT: (Use.SCRIPT,),
    Use.CHECK_TABLE: (Use.CHECK,),
    Use.WHY: (Use.LIMITS, Use.TRIAL),
    Use.SWEEP: (Use.TRIAL,),
    Use.QUICK_SWEEP: (Use.SWEEP,),
}
_PARTIAL = frozenset({Use.VERIFY, Use.LIMITS, Use.PREDICTION})


@dataclass(frozen=True)
class Projection:
    """A greater k than that of the spec, of the published tuples of some of the quasi-identifiers.

    Attributes:
        where: the address that asks for it.
        columns: the quasi-identifiers.
        k: how many of what a class counts share each tuple of them at least.
    """

    where: str
    columns: tuple[str, ...]
    k: int


@dataclass(frozen=True)
class Allowance:
    """The records that a release may leave out.

    Attributes:
        where: the address that allows it.
        records: the greatest share of them.
        within: the quasi-identifier in each of whose groups that share is the greatest, if in any.
    """

    where: str
    records: Fraction
    within: str | None = None


@dataclass(frozen=True)
class Option:
    """The option by which ``check`` asks for a clause; it may be given several times.

    Attributes:
        name: such as ``--reference``.
        takes: what it takes, for people.
        says: what it asks for, in a sentence.
        read: one of what is asked for, as the spec's field has it, from the text that is given. It
            raises a `SpecError` if that is none.
    """

    name: str
    takes: str
    says: str
    read: Callable[[str], Any]


class Standing(Protocol):
    """A release that stands, as its run recorded it."""

    @property
    def spec(self) -> Mapping[str, Any]:
        """Its spec, as it is read."""

    @property
    def facts(self) -> Mapping[str, str]:
        """The facts of its run."""

    @property
    def rule(self) -> Any:
        """The rule of its publication."""


@dataclass(frozen=True)
class Uncertified:
    """Of which releases no certificate is made because of a clause, which refuses one.

    Attributes:
        where: the address of the clause.
        of: whether a release is one of them.
        says: what its report says of that, in a sentence.
    """

    where: str
    of: Callable[[Standing], object] = field(repr=False)
    says: str


@dataclass(frozen=True)
class MethodRule:
    """Which methods a clause goes with.

    Attributes:
        fits: tells by a method's settings, and by the names of all clauses that are asked for.
        why: why it does not go with the others.
        where: the address of what is at fault; None for those of the clause.
    """

    fits: Callable[[Any, frozenset[str]], bool]
    why: str
    where: str | None = None


@dataclass(frozen=True)
class Clause:
    """A thing that a spec may ask for.

    Every sentence says why two things do not go together, and what would be accepted; names in
    braces stand for what the spec has there.

    Attributes:
        name: what the other clauses call it.
        says: what it asks for, in a few words.
        asked: the addresses in a spec where it is asked for; none if it is not.
        refused: with which uses it does not go.
        at_levels: the uses of these with which it goes after all where the level of every column is
            fixed, since no search of its own follows then.
        excludes: with which other clauses it does not go.
        needs: without which other clauses it cannot be asked for.
        unless_found: with which other clauses it does not go where a run does not find what the
            two need of an earlier release.
        method: with which methods it does not go; None if it goes with all.
        measured: what its models are of, as `PrivacyModel.per` has it, if it has models.
        models: its privacy models, which `sqlanon.privacy.MODELS` ends with.
        metrics: its metrics, which the metrics relation has after the risks. Each is measured by a
            template of a step of `Stages.measure`.
        fields: its fields in parts of the spec, ``spec`` itself, ``sensitive`` or ``privacy``: of
            each part the fields by name, with type and pydantic's field.
        mappings: by the class of such a field, the message where that is wanted and another thing
            is given.
        options: by the name of such a field in ``privacy``, the option that asks for one of it.
        projections: what it asks of the published tuples of some of the quasi-identifiers.
        allowance: of one that is called like its field in a spec, whose ``records`` is the greatest
            share of them that a release may leave out: what a spec allows, if anything.
        after: of one by which releases follow others, and which is called like its field in a spec:
            that field, where further releases came before.
        counts: of one that is called like its field in a spec, what a class counts where that is
            there, in place of records: the word for several of them.
        keeps: how the names end of the relations that a release keeps for the publisher because of
            it, and whether that of a spec does.
        files: of its fields in ``spec`` that may name a file, by name, whether a text does.
        gives_levels: whether it says the level of every column that is published at one.
        publishes: whether its folder has a publication of classes.
        unplaced: of one whose classes are those of an earlier release, why a record is left out
            that lies in none of them; releases record it by the clause's name.
        forms: whether it forms the classes in place of the method, and so decides who is left out.
        searches: whether classes are searched for with it, as it does not know them beforehand.
        by_value: whether it leaves it to a record's values alone, and to labels or cells that are
            known beforehand, what is published of them.
        settles: of a clause that leaves something open, sentences on how a run first finds it in
            the data, by `Stages.settle`.
        settled: the spec of a release as its run settled it, by the facts that it kept of that;
            both as they are read.
        uncertified: of which releases it refuses a certificate, if of any.
        how: how a spec asks for it, in words; sentences have it as ``{name}``.
        problems: what it finds wrong in a spec that asks for it.
        idle: what of it follows from the rest of a spec, as that is declared: a run that chooses
            a greater k does not ask again.
    """

    name: str
    says: str
    asked: Callable[[Any], Iterator[str]] = field(repr=False)
    refused: Mapping[Use, str] = field(default_factory=dict, repr=False)
    at_levels: tuple[Use, ...] = ()
    excludes: Mapping[str, str] = field(default_factory=dict, repr=False)
    needs: Mapping[str, str] = field(default_factory=dict, repr=False)
    unless_found: Mapping[str, str] = field(default_factory=dict, repr=False)
    method: MethodRule | None = field(default=None, repr=False)
    measured: str | None = None
    models: tuple[PrivacyModel, ...] = ()
    metrics: tuple[Figure, ...] = ()
    fields: Mapping[str, Mapping[str, tuple[Any, Any]]] = field(default_factory=dict, repr=False)
    mappings: Mapping[str, str] = field(default_factory=dict, repr=False)
    options: Mapping[str, Option] = field(default_factory=dict, repr=False)
    projections: Callable[[Any], Iterator[Projection]] = field(default=_none, repr=False)
    allowance: Callable[[Any], Allowance | None] | None = field(default=None, repr=False)
    after: Callable[[Any, Sequence[str]], Any] | None = field(default=None, repr=False)
    counts: str = ""
    keeps: Mapping[str, Callable[[Any], object]] = field(default_factory=dict, repr=False)
    files: Mapping[str, Callable[[str], bool]] = field(default_factory=dict, repr=False)
    gives_levels: bool = False
    publishes: bool = False
    unplaced: str = ""
    forms: bool = False
    searches: bool = True
    by_value: bool = False
    settles: str = ""
    settled: Callable[[dict[str, Any], Mapping[str, str]], dict[str, Any]] = field(
        default=lambda declared, facts: declared, repr=False
    )
    uncertified: Uncertified | None = None
    how: str = ""
    problems: Callable[[Any], Iterator[Problem]] = field(default=_none, repr=False)
    idle: Callable[[Any], Iterator[Problem]] = field(default=_none, repr=False)


def at(where: str, is_asked: Callable[[Any], object]) -> Callable[[Any], Iterator[str]]:
    """The one address of a clause, if a spec asks for it."""

    def asked(spec: Any) -> Iterator[str]:
        if is_asked(spec):
            yield where

    return asked
