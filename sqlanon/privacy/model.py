"""A privacy model: everything that any part of sqlanon has to know of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as attribute
from fractions import Fraction
from typing import Any, Literal, Protocol, get_args

LEVEL = "level"  # the key next to a form by which groups of a hierarchy count
Distance = Literal["equal", "ordered", "hierarchical"]


class Measured(Protocol):
    """A column that a model is to be measured of, as the model sees it."""

    @property
    def kind(self) -> str:
        """The kind of its values, as `sqlanon.spec.columns.Kind` has it."""


def only(*kinds: str, needs: str) -> Callable[[Measured], str | None]:
    """The `PrivacyModel.fits` of a model that takes columns of some kinds only.

    Args:
        kinds: of their values.
        needs: these in words, such as ``numbers``.
    """
    return lambda column: None if column.kind in kinds else f"needs {needs}"


@dataclass(frozen=True)
class Sides:
    """The facts of a sensitive attribute by which a search tests the two sides of a cut.

    Attributes:
        records: how many records the table has.
        distance: the ground distance of its values.
        height: of its hierarchy.
        values: counts its values in the table, if it is asked.
    """

    records: int
    distance: str
    height: int
    values: Callable[[], int] = attribute(repr=False)


@dataclass(frozen=True)
class CutCondition:
    """How a search tests the two sides of a cut: by an amount over a scale, as of a class.

    Attributes:
        measured: the template that measures both sides of cuts; it may name the distance.
        in_bins: by the distance, the template that measures it in bins of neighbouring values:
            never too much, and exactly where every value has a bin of its own.
        amount: which of its columns is the amount: ``<side>_<amount>_<cut>``, or ``<side>_<cut>``.
        scale: which of its columns is the scale; or ``records``, those of the side, or ``one``.
        factor: by what the scale is multiplied.
        params: parameters of the template, by what is asked.
        bound: to what the amount is held, where that is not what a class is held to.
        wide: whether the amount is of the size of a square of the records.
        reserved: whether a pooled cut may be held to a part of the bound.
        counted: whether the amount counts the values that break the bound: there may be none.
    """

    measured: str
    in_bins: Mapping[str, str] = attribute(default_factory=dict)
    amount: str = ""
    scale: str = "records"
    factor: Callable[[Sides], int] = attribute(default=lambda sides: 1, repr=False)
    params: Callable[[Demand, Sides], Mapping[str, Any]] = attribute(
        default=lambda demand, sides: {}, repr=False
    )
    bound: Callable[[Any], Fraction] | None = attribute(default=None, repr=False)
    wide: bool = False
    reserved: bool = False
    counted: bool = False


@dataclass(frozen=True)
class CarveRule:
    """How carving tests a model too.

    Attributes:
        slots: by the threshold, what the templates of carving are to hold a class to: ``t``,
            ``alpha``, ``distinct``, ``entropy``, or ``recursive`` with ``tail``.
        pays: whether carving by the attribute pays: ``always``, with all else that carving tests
            of it; ``alone``, where nothing else is asked of it; or ``beside`` a model that pays
            always.
    """

    slots: Callable[[Any], Mapping[str, Any]] = attribute(repr=False)
    pays: Literal["always", "alone", "beside"]


@dataclass(frozen=True)
class DbtTest:
    """The generic test of a model in the dbt package.

    Attributes:
        name: its name, where that is not the model's.
        argument: the part of a threshold that amount over scale is held to, where that has
            several; else it is the threshold, and called as the field of a spec.
        read: the package's macro that makes of that argument what amount over scale is held to.
        missed: which classes it finds, with the model's name and the threshold as declared.
        by_logarithm: whether it compares logarithms, and is not offered where a database rounds
            them otherwise. A release's own checks hold the model there.
    """

    name: str = ""
    argument: str = ""
    read: str = "fraction"
    missed: str = "classes that miss {name} of {threshold}"
    by_logarithm: bool = False


@dataclass(frozen=True)
class SpecField:
    """A field of a spec under ``privacy``, and of a sensitive attribute: one or more models' own.

    Attributes:
        name: the field, such as ``l``.
        title: what a mapping of its forms is called in the JSON Schema.
        says: what it takes, for people.
    """

    name: str
    title: str
    says: str

    @property
    def family(self) -> str:
        """The name of its models together in SQL: the title's words, as ``l_diversity``."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", self.title).lower()


@dataclass(frozen=True, eq=False, kw_only=True)
class PrivacyModel:
    """A privacy model.

    Attributes:
        name: its name in the metrics, such as ``t_closeness``.
        title: its name for people.
        field: the field of a spec that asks for it.
        form: the key within the field; None where the field is the threshold itself.
        with_level: true if it is asked for by a ``level`` with its form, and counts the groups of
            the attribute's hierarchy at that level: its threshold is both. False if it is asked for
            by the same form without a level. None: a level says nothing of it.
        per: whether it is of the whole release, or of each sensitive attribute; or of which clause
            it is. That hides an attribute, or has a field of ``privacy`` that is called so, with
            the model's own field and a table of the people whom published tuples cover.
        threshold: what may be asked, as pydantic reads it.
        example: such a threshold, as in a spec.
        measured: the template that yields class_id, value, amount and scale, with no threshold in
            it; it may name the distance. Amount and scale are exact, value is for people.
        reads: its inputs, of classes, class_values, positions and covered, and of the further
            relations of a hidden attribute.
        worst: whether the worst class is the one of the least or of the greatest value.
        strict: whether a class at equality fails.
        counted: where a class counts units that may have several values, what stands for its
            records: its ``units``, so that a value has those who have it; its ``pairs`` of a unit
            and a value; or its ``shares``, which are whole numbers whose commonest value has as
            great a part of them as it has of the units.
        of_units: the template that then takes the place of ``measured``; it reads ``classes``
            too.
        says_of_units: what it then asks for, of records, if that is not ``says``.
        always: whether it is measured where nobody asks for it.
        idle: a threshold that asks for nothing.
        vacuous: a threshold that every class meets, also one of a single record.
        bound: to what amount over scale is held, by the threshold.
        shown: the threshold, for people.
        fixed: parameters of the template that are the model's own, the same for all thresholds.
        taken: whole numbers of the threshold that are parameters of the template, each with what
            a DuckDB macro takes where nobody says.
        distances: by the distance, parameters of the template that come of the attribute:
            ``height``. A DuckDB macro is given none: it does not measure by such a distance.
        least_size: how many records a class must have to meet it at all.
        cut: how a search tests the sides of a cut; None: a search refuses the model beforehand.
        carve: how carving tests it too; None: it does not.
        swept: the help of the option by which a sweep tries several thresholds of it; empty: there
            is none, or the option is the command's own, as of t and l.
        dbt: its test in the dbt package, if it is of the release or of a sensitive attribute.
        of_any_table: whether the package's tests and DuckDB's macros can measure it, which know
            nothing of a table but its columns' names.
        column: what of its field names the column that it is measured of; None where that is the
            attribute's own.
        fits: of the column that it is measured of, what
            it needs and the column is not, in words; None if it can be measured. Where it is asked
            of another column the spec is refused; where it is not, it is not measured.
        monotone: ``merged`` if a class that is made of classes which meet it meets it; ``parted``
            if moreover all classes that one is made of fail where it fails, so that coarser
            classes never cost more suppressed records; None: neither is known.
        formula: when a class meets it.
        equality: what happens at equality.
        value: what the metric shows.
        range: between what that lies; n is the number of records.
        paper: where it comes from.
        says: what it asks for, in a sentence for a privacy officer.
        remedy: what helps where the class of all records fails it.
    """

    name: str
    title: str
    field: SpecField
    form: str | None = None
    per: str = "sensitive"
    threshold: Any
    example: str
    measured: str
    reads: tuple[str, ...]
    worst: Literal["least", "greatest"] = "greatest"
    formula: str
    equality: str = "holds"
    value: str
    range: str = "[0, 1]"
    paper: str
    says: str
    strict: bool = False
    counted: Literal["units", "pairs", "shares"] = "units"
    of_units: str = ""
    says_of_units: str = ""
    always: bool = True
    idle: Any = None
    vacuous: Any = None
    bound: Callable[[Any], Fraction] = Fraction
    shown: Callable[[Any], str] | None = None
    fixed: Mapping[str, Any] = attribute(default_factory=dict)
    taken: Mapping[str, int] = attribute(default_factory=dict)
    distances: Mapping[str, tuple[str, ...]] = attribute(default_factory=dict)
    least_size: Callable[[Any], int] = lambda threshold: 1
    cut: CutCondition | None = None
    carve: CarveRule | None = None
    swept: str = ""
    dbt: DbtTest = DbtTest()
    of_any_table: bool = True
    column: str | None = None
    fits: Callable[[Measured], str | None] = attribute(default=lambda column: None, repr=False)
    monotone: Literal["merged", "parted"] | None = None
    with_level: bool | None = None
    remedy: str = ""

    def __repr__(self) -> str:
        return f"PrivacyModel({self.name})"  # a plan's fingerprint is made of it

    @property
    def is_of_attribute(self) -> bool:
        """Whether it is of each sensitive attribute, or of what is hidden of it."""
        return self.per != "release" and not self.is_of_covered

    @property
    def is_of_covered(self) -> bool:
        """Whether it is of the people whom a published tuple covers, in the release or not."""
        return "covered" in self.reads

    @property
    def whole(self) -> bool:
        """Whether a threshold is a whole number."""
        return bool(get_args(self.threshold)) and get_args(self.threshold)[0] is int

    @property
    def numeric(self) -> bool:
        """Whether a threshold is one number."""
        return self.whole or bool(get_args(self.threshold))

    @property
    def by_distance(self) -> bool:
        """Whether it is measured by the ground distance of the attribute's values."""
        return "{distance}" in self.measured

    def asked(self, declared: object) -> Any:
        """The threshold that a declaration with the models' fields has of it; None without."""
        given = getattr(declared, self.field.name, None)
        if self.form is None or given is None:
            return None if given == self.idle else given
        threshold, level = getattr(given, self.form), getattr(given, LEVEL, None)
        if threshold is None or self.with_level not in (None, level is not None):
            return None
        if self.with_level:
            return self.threshold.model_validate({self.form: threshold, LEVEL: level})
        return None if threshold == self.idle else threshold

    def asked_of(self, attribute: object, whole: object) -> Any:
        """The threshold of an attribute: by its own field, else by the one for all of them."""
        own = getattr(attribute, self.field.name, None) is not None
        return self.asked(attribute if own else whole)


@dataclass(frozen=True)
class Bound:
    """The bound that an amount over a scale is held to: at least or at most, or strictly so."""

    value: Fraction
    least: bool
    strict: bool

    @property
    def numerator(self) -> int:
        """Of the value."""
        return self.value.numerator

    @property
    def denominator(self) -> int:
        """Of the value."""
        return self.value.denominator


@dataclass(frozen=True)
class Demand:
    """A model, and what is asked of it.

    Attributes:
        model: the model.
        threshold: as declared; None where it is only measured.
    """

    model: PrivacyModel
    threshold: Any = None

    @property
    def bound(self) -> Bound | None:
        """To what every class is held."""
        if self.threshold is None:
            return None
        return self._bound(self.model.bound(self.threshold))

    @property
    def cut_bound(self) -> Bound:
        """To what the sides of a cut are held."""
        assert self.model.cut is not None  # noqa: S101 - a spec without is refused
        return self._bound((self.model.cut.bound or self.model.bound)(self.threshold))

    def _bound(self, value: Fraction) -> Bound:
        return Bound(value, self.model.worst == "least", self.model.strict)

    @property
    def params(self) -> Mapping[str, Any]:
        """The template's parameters that come of the model and of the threshold."""
        asked = {} if self.threshold is None else self.model.taken
        return {**self.model.fixed, **{name: getattr(self.threshold, name) for name in asked}}

    @property
    def least_size(self) -> int:
        """How many records a class must have to meet it at all."""
        return 1 if self.threshold is None else self.model.least_size(self.threshold)
