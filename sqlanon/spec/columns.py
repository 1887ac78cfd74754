"""The columns of a source as transforms leave them, and whether a spec fits them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Literal, cast

from sqlanon.errors import Problem, SpecError, nearest_column
from sqlanon.privacy import MODELS
from sqlanon.spec.hierarchy import BandsHierarchy, DatesHierarchy, PrefixHierarchy
from sqlanon.spec.model import Spec
from sqlanon.spec.publication import FORM_RULES
from sqlanon.spec.roles import QuasiIdentifier, Sensitive
from sqlanon.sql.names import Sql, literal, shown_type
from sqlanon.transforms.joint import JointTransform, Swap
from sqlanon.transforms.keyed import incomparable
from sqlanon.transforms.kinds import Several, list_of
from sqlanon.transforms.transform import Shape, Transform

_NUMBER = r"[-+]?\d+(\.\d+)?"
# Binary numbers are "number", decimal ones "decimal"; "label" is what a database writes as text and
# compares as something else, such as an enum.
Kind = Literal[
    "integer", "decimal", "number", "date", "timestamp", "boolean", "text", "label", "other"
]
NUMBERS: tuple[Kind, ...] = ("integer", "decimal", "number")
TEXTS: tuple[Kind, ...] = ("text", "label")
MEASURABLE: tuple[Kind, ...] = (*NUMBERS, "date", "timestamp")
# Kinds whose values can be compared with each other.
_FAMILIES: tuple[tuple[Kind, ...], ...] = (NUMBERS, TEXTS, ("date",), ("timestamp",), ("boolean",))
_NAMING = ("text", "label", "integer", "date")  # whose text all databases write alike
_ORDERED: tuple[Kind, ...] = (*TEXTS, "integer", "boolean")  # whose text all databases write alike


@dataclass(frozen=True)
class Column:
    """A column of a source.

    Attributes:
        name: its name.
        type: its type in the database.
        kind: the kind of its values.
        written: of a text file, the name of an earlier column that is called alike, but perhaps for
            case.
    """

    name: str
    type: str
    kind: Kind
    written: str | None = field(default=None, compare=False)

    @property
    def shown_type(self) -> str:
        """Its type as it may be shown: no label of an enum, which is a value of the data."""
        return shown_type(self.type)

    @property
    def tie_breaker(self) -> Sql | None:
        """The function that tells apart values which are equal and have other bytes, if any has."""
        if self.kind == "number":
            return Sql("signbit")  # of zero
        # PostgreSQL's 1.0 and 1.00; NaN has no scale.
        return Sql("numeric_send") if self.type == "numeric" else None

    @property
    def apart(self) -> Sql | None:
        """The function by which a reader distinguishes equal values, or `text`; None for none."""
        return self.tie_breaker or (Sql("text") if self.kind == "other" else None)

    @property
    def padded(self) -> Sql | None:
        """The type that a text is put back into, because its values end in blanks."""
        return Sql(self.type) if re.fullmatch(r"character\(\d+\)", self.type) else None

    @property
    def digits(self) -> int | None:
        """How many digits its exact numbers have behind the point; None if that is not known."""
        if self.kind == "integer" and not re.search("huge", self.type, re.IGNORECASE):
            return 0
        declared = re.fullmatch(r"\w+\(\d+(?:,\s*(\d+))?\)", self.type)
        return int(declared[1] or 0) if self.kind == "decimal" and declared else None

    @property
    def single(self) -> bool:
        """Whether its numbers are of single precision: as a double their text is another number."""
        return self.kind == "number" and self.type.lower() in ("float", "real")

    @property
    def widest(self) -> str:
        """A type that also holds the whole numbers of a column of another width, and any text.

        Values that a run compares as text, such as PostgreSQL's enums and `uuid`, are text.
        """
        if self.kind == "text" and self.padded is None:
            return "varchar"
        is_wide = self.kind != "integer" or re.search("huge|numeric|ubig", self.type, re.I)
        return self.type if is_wide else "bigint"

    def wider_than(self, digits: int) -> bool:
        """Whether its numbers may have more digits before the point."""
        declared = re.fullmatch(r"\w+\((\d+)(?:,\s*(-?\d+))?\)", self.type)
        if declared is not None:
            return int(declared[1]) - int(declared[2] or 0) > digits
        return self.kind != "integer" or re.search("huge|numeric", self.type, re.I) is not None


def comparable(kind: Kind, other: Kind) -> bool:
    """Whether values of two kinds can be compared as they are."""
    return any(kind in family and other in family for family in _FAMILIES)


def check_columns(spec: Spec, columns: Sequence[Column]) -> dict[str, Column]:
    """Check a spec against the columns of its source.

    Returns:
        The source's column for every column the spec names.

    Raises:
        SpecError: with every problem found: unknown columns, types that do not fit.
    """
    folded = Counter(column.name.lower() for column in columns)
    twice = sorted(name for name, times in folded.items() if times > 1)
    if twice:
        which = [name for _, name in spec.roles() if name.lower() in twice]
        what = f"it has {len(twice)} names of columns that differ by case alone"
        raise SpecError(Problem("source", f"{what}: {which}" if which else what))
    known = {column.name: column for column in columns}
    problems = [
        Problem(f"{role}.{name}", f"the source has no such column; {_hint(name, spec, known)}")
        for role, name in spec.roles()
        if name not in known
    ]
    if not problems:
        problems = [*transform_misfits(spec, known), *_missing_misfits(spec, known)]
        problems += _misfits(spec, shown_columns(spec, known))
    if problems:
        raise SpecError(problems)
    return {name: known[name] for _, name in spec.roles()}


def _hint(name: str, spec: Spec, known: Mapping[str, Column]) -> str:
    declared, source = (name for _, name in spec.roles()), spec.source
    return nearest_column(name, source.sayable(known), declared, source.is_named)


def _misfits(spec: Spec, known: Mapping[str, Column]) -> Iterator[Problem]:
    for name, declared in spec.quasi_identifiers.items():
        where = f"quasi_identifiers.{name}"
        yield from _hierarchy_misfits(where, declared, known[name])
        yield from _scale_misfits(where, declared, known[name])
        yield from _form_misfits(f"{where}.publish", declared, known[name])
    for name, sensitive in spec.sensitive.items():
        where = f"sensitive.{name}"
        yield from _hierarchy_misfits(where, sensitive, known[name])
        natural = sensitive.distance == "ordered" and sensitive.order in (None, "natural")
        if natural and known[name].kind in TEXTS:  # another kind is refused in this role at all
            what = (
                "text has no natural order: list the values in order in a spec (`sqlanon check` "
                "takes it with --spec), or say order: frequency"
            )
            if spec.source.is_text and spec.source.decimal is None:
                what += "; if these are numbers such as 1,5, say decimal: ',' of the source"
            yield Problem(f"{where}.order", what)
    yield from _model_misfits(spec, known)


def _model_misfits(spec: Spec, known: Mapping[str, Column]) -> Iterator[Problem]:
    """A model that is asked of a column which it cannot be measured of."""
    for name, declared in spec.sensitive.items():
        for model in MODELS:
            if not model.is_of_attribute:
                continue
            threshold = model.asked_of(declared, spec.privacy)
            if threshold is None:
                continue
            of = name if model.column is None else getattr(threshold, model.column)
            needs = model.fits(known[of])
            if needs is not None:
                own = getattr(declared, model.field.name, None) is not None
                where = f"sensitive.{name}" if own else "privacy"
                form = model.column or model.form
                what = f"{model.title} of {name!r} {needs}, and {of!r} is {known[of].shown_type}"
                yield Problem(
                    ".".join(filter(None, (where, model.field.name, form))),
                    f"{what}: cast it in a query, or leave the model out",
                )


def _form_misfits(where: str, declared: QuasiIdentifier, column: Column) -> Iterator[Problem]:
    """A form that the column's values cannot be published in."""
    if declared.publish is None:
        return
    rule = FORM_RULES[declared.publish]
    if rule.adds and column.digits is None:
        what = f"{rule.name} needs whole numbers or decimals of a declared number of digits, the "
        what += f"column is {column.shown_type}: "
        if column.kind not in NUMBERS:
            yield Problem(where, f"{what}publish: mode, or set")
        else:
            what += "cast it in a query, such as to decimal(9, 2), declare that as the type of a "
            yield Problem(where, f"{what}text file's column, or publish: median")
    elif rule.measurable and declared.order is None and column.kind not in MEASURABLE:
        what = f"{rule.name} needs numbers or dates, the column is {column.shown_type}: publish: "
        others = "set, list its values in order, or give it a hierarchy"
        yield Problem(
            where, what + (others if rule.covers else "mode, or list its values in order")
        )


def _scale_misfits(where: str, declared: QuasiIdentifier, column: Column) -> Iterator[Problem]:
    """Settings of the values' scale that do not go with their type."""
    if declared.order is not None and column.kind not in _ORDERED:
        what = "a listed order is for text, whole numbers and booleans, the column is "
        what += f"{column.shown_type}: it has an order of its own, leave the list out"
        yield Problem(f"{where}.order", what)
    if declared.nominal and column.kind not in NUMBERS:
        what = f"nominal is said of numbers that are codes, the column is {column.shown_type}"
        yield Problem(f"{where}.nominal", f"{what}: leave it out")


def _missing_misfits(spec: Spec, known: Mapping[str, Column]) -> Iterator[Problem]:
    used = {name for _, name in spec.roles()}
    for name, texts in spec.missing.items():
        where = f"missing.{name}"
        if name not in known:
            what = f"the source has no such column; {_hint(name, spec, known)}"
            yield Problem(where, what)
        elif name not in used:
            yield Problem(where, "the column has no role, so it is not read: give it one")
        else:
            try:
                codes(known[name], texts)
            except ValueError as error:
                yield Problem(where, str(error))


def _hierarchy_misfits(
    where: str, declared: QuasiIdentifier | Sensitive, column: Column
) -> Iterator[Problem]:
    if column.kind == "other":
        cure = "cast it in a query"
        if list_of(column.type):
            cure = "say transform: {members: sorted}, which makes a text of its members"
            if isinstance(declared, QuasiIdentifier):
                cure = "make a text of its members in a query, so that k holds of whole lists, and "
                cure += "with it k^m of any m members; or declare it sensitive, and ask for km"
        yield Problem(
            where,
            f"a column of type {column.shown_type} cannot have this role: numbers, dates, "
            f"timestamps, booleans and text can; {cure}",
        )
    need = hierarchy_need(declared, column)
    if need is not None:
        yield Problem(f"{where}.hierarchy", f"{need}, the column is {column.shown_type}")


def hierarchy_need(declared: QuasiIdentifier | Sensitive, column: Column) -> str | None:
    """The need of a declared hierarchy that a column does not meet; None if it fits."""
    needs: dict[type, tuple[str, tuple[Kind, ...]]] = {
        BandsHierarchy: ("bands need numbers", NUMBERS),
        DatesHierarchy: ("dates need a date or a timestamp", ("date", "timestamp")),
        PrefixHierarchy: ("prefixes need text or whole numbers", (*TEXTS, "integer")),
    }
    hierarchy = declared.hierarchy
    if isinstance(hierarchy, BandsHierarchy) and hierarchy.digits and column.kind == "integer":
        return "bands of fractions need numbers that are not whole"
    need, kinds = needs.get(type(hierarchy), ("", (column.kind,)))
    return None if column.kind in kinds else need


def codes(column: Column, texts: Sequence[str]) -> tuple[Sql, ...]:
    """The codes of a column as SQL.

    Raises:
        ValueError: if the column can hold no such value.
    """
    return tuple(_code(column, text) for text in texts)


def _code(column: Column, text: str) -> Sql:
    kind = column.kind
    if kind in ("text", "label"):
        return literal(text)
    if kind in ("integer", "decimal"):
        if not re.fullmatch(_NUMBER if kind == "decimal" else r"[-+]?\d+", text):
            what = "a number" if kind == "decimal" else "a whole number"
            raise ValueError(f"the code {text!r} is not {what}, as the column's values are")
        return Sql(text)
    if kind == "number":
        if not re.fullmatch(_NUMBER, text):
            raise ValueError(f"the code {text!r} is not a number, as the column's values are")
        return Sql(f"cast({literal(text)} as {column.type})")
    if kind in ("date", "timestamp"):
        try:
            (date if kind == "date" else datetime).fromisoformat(text)
        except ValueError:
            what = f"the code {text!r} is no {kind}, such as 1900-01-01"
            raise ValueError(what) from None
        return Sql(f"cast({literal(text)} as {kind})")
    raise ValueError(
        f"a column of type {column.shown_type} has no codes: make them NULL in a query"
    )


def names_drawn(spec: Spec, transform: Transform) -> tuple[str, ...]:
    """The columns that a keyed transform is drawn by: those that name records, or persons."""
    return (spec.drawn_for or spec.key) if transform.shared else (spec.key or spec.drawn_for)


def all_names_drawn(spec: Spec) -> tuple[str, ...]:
    """Every column by which numbers are drawn, once: by transforms, or to sample."""
    drawn = (
        name
        for several in spec.transforms.values()
        for transform in several
        if transform.key is not None
        for name in names_drawn(spec, transform.transform)
    )
    sampled = spec.key if spec.sampled is not None else ()
    return tuple(dict.fromkeys((*drawn, *sampled)))


def transforms_in_words(spec: Spec) -> dict[str, str]:
    """The transforms of each column that has some, in a few words."""
    return {
        name: ", then ".join(transform.says for transform in several)
        for name, several in spec.transforms.items()
    }


def shown_columns(spec: Spec, columns: Mapping[str, Column]) -> dict[str, Column]:
    """The source's columns as they are once transformed.

    Where a transform does not fit, the column is as it is before it.
    """
    found = dict(columns)
    for name, several in spec.transforms.items():
        if name in columns:
            shape = shapes(several, columns[name])[-1]
            found[name] = replace(columns[name], type=shape.type, kind=cast("Kind", shape.kind))
    return found


def shapes(several: Several, column: Column) -> list[Shape]:
    """A column before its first transform, and after each; up to one that does not fit."""
    found = [Shape(column.type, column.kind)]
    for transform in several:
        if transform.transform.misfit(transform.setting, found[-1]) is not None:
            break
        found.append(transform.transform.shape(found[-1]))
    return found


def transform_misfits(spec: Spec, columns: Mapping[str, Column]) -> Iterator[Problem]:
    """Columns that their transforms do not fit, and names of records that have no one text."""
    for name, several in spec.transforms.items():
        shape = shapes(several, columns[name])
        if len(shape) <= len(several):
            index = len(shape) - 1
            one = several[index]
            if isinstance(one, JointTransform):
                continue  # `_joint_misfits` says it of all of its columns
            joint = sum(isinstance(each, JointTransform) for each in several)
            yield Problem(
                f"{spec.where_of(name, index)}.{index - joint}.{one.transform.name}",
                str(one.transform.misfit(one.setting, shape[-1])),
            )
    yield from _joint_misfits(spec, columns)
    for name in all_names_drawn(spec):
        if columns[name].kind not in _NAMING:
            what = "what is drawn for a record needs names of text, whole numbers or dates"
            role = "key" if name in spec.key else "person"
            yield Problem(
                f"{role}.{name}", f"{what}, the column is {columns[name].shown_type}: cast it"
            )


def _joint_misfits(spec: Spec, columns: Mapping[str, Column]) -> Iterator[Problem]:
    """Columns whose types do not go with the swaps and the correlated noise of a spec."""
    for transform in spec.joint:
        for name in transform.columns:
            column = columns[name]
            why = transform.transform.misfit(transform.setting, Shape(column.type, column.kind))
            if why is not None:
                yield Problem(f"{transform.where}.columns", f"{name!r}: {why}")
        if not isinstance(transform.setting, Swap):
            continue
        for where, names in (
            ("within", transform.setting.within),
            ("rare", transform.setting.rare),
        ):
            for name in names:
                why = incomparable(Shape(columns[name].type, columns[name].kind))
                if why is not None:
                    yield Problem(f"{transform.where}.{where}", f"{name!r}: {why}")
