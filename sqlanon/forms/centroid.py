"""Centroids: one value of a class for all of its records, its mean, median or mode.

Domingo-Ferrer and Torra (2005): microaggregation with continuous, ordinal and nominal attributes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import ClassVar

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms.form import Enough, Form, PublishedColumn, QuasiIdentifierScale, Shown
from sqlanon.forms.interval import Interval
from sqlanon.forms.listed import ValueSet
from sqlanon.plan import FOUND, Check, Step, work
from sqlanon.spec.columns import TEXTS
from sqlanon.spec.publication import FormRule
from sqlanon.sql.names import Relation, Sql, written_type


class Centroid(Form):
    """One value that stands for all records of a class, and does not say which values they have.

    It is NULL where fewer than k records, or persons, of the class have a value: of fewer it would
    say too much of each, and of one all.

    It is of the source's type; of text, and of values in a listed order, it is text. It loses as
    much as the interval or the set of the class's values would lose: a reader knows no more. The
    cell does not show this loss, so that a run finds it from the classes. Its templates are
    ``release/<form>``, which finds the value of every class, and ``release/check_<form>``.

    Attributes:
        like: the form whose cells would lose as much.
        cure: what may help where it cannot be computed exactly.
    """

    like: ClassVar[Form]
    cure: ClassVar[str] = "a fault of sqlanon's; nothing was published"
    has_text = True

    def is_natural(self, attribute: QuasiAttribute) -> bool:
        """It has to be asked for."""
        return False

    def columns(self, attribute: QuasiAttribute, taken: int) -> tuple[PublishedColumn, ...]:
        """One, of the source's type."""
        typed = not attribute.ordered and attribute.kind not in TEXTS
        kind = attribute.kind if typed else "text"
        (column,) = super().columns(attribute, taken)
        return (replace(column, kind=kind, typed=typed),)

    def members(self, attribute: QuasiAttribute) -> Relation:
        """The centroid of every class."""
        return work("centroids_", attribute.alias)

    def publishing(
        self, attribute: QuasiAttribute, assigned: Relation, enough: Enough
    ) -> Iterator[Step | Check]:
        """The centroid of every class, and that it is what it is said to be."""
        centroids = self.members(attribute)
        column = attribute.column
        params = {
            "attribute": attribute.alias,
            "typed": self.columns(attribute, 0)[0].typed,
            "digits": column.digits or 0,
            **enough.params,
        }
        yield Step(
            f"the {self.name} of {attribute.name} in every class",
            centroids,
            f"release/{self.name}",
            {"assigned": assigned, "domain": attribute.domain},
            {**params, "type": Sql(written_type(column.type))},
        )
        yield Check(
            f"every {self.name} of {attribute.name} is that of its class",
            f"release/check_{self.name}",
            {"assigned": assigned, "domain": attribute.domain, "centroids": centroids},
            params,
            f"quasi_identifiers.{attribute.name}.publish",
            f"of {FOUND.classes} classes the {self.name} cannot be computed exactly: {self.cure}",
        )

    def reading(self, shown: Shown) -> Iterator[Step]:
        """Any record of the source may have such a cell: it is its class that decides."""
        (column,) = shown.columns
        yield Step(
            shown.title,
            shown.cells,
            "check/centroid_cells",
            {"classes": shown.classes, "domain": shown.attribute.domain},
            {
                "alias": column.alias,
                "adds": self.rule.adds,
                "typed": column.typed,
                "fold": shown.fold,
            },
        )

    def loss(self, attribute: QuasiAttribute) -> str:
        """The loss that a run finds from the classes; else it is not known."""
        return "untold"

    def loss_in_class(self, attribute: QuasiAttribute) -> str:
        """How what it loses is found from a class's values: as of an interval, places, or a set."""
        return self.like.loss(attribute)

    def scale(self, attribute: QuasiAttribute) -> tuple[QuasiIdentifierScale, list[Step]]:
        """That of the form that loses as much."""
        return self.like.scale(attribute)


class Mean(Centroid):
    """The mean of the numbers of a class, rounded half up to as many digits as the column has.

    NULL is left out, and is the mean of few.
    """

    rule = FormRule("mean", "refused", measurable=True, shows="value", adds=True)
    readable = "a number between the least and the greatest of the source"
    means = "the mean of the record's class, rounded half up; the record's own may be another"
    like = Interval()
    has_text = False
    cure = "the numbers have too many digits; publish: median, or round them in the source"


class Median(Centroid):
    """The lower median of a class: the least value that half of them do not exceed.

    NULL is left out, and is the median of few.
    """

    rule = FormRule("median", "refused", measurable=True, shows="value")
    readable = "a value of the source"
    means = "the lower median of the record's class; the record's own may be another"
    like = Interval()


class Mode(Centroid):
    """The most frequent value of a class, the first of several; NULL is a value."""

    rule = FormRule("mode", "taken", measurable=False, shows="value")
    readable = "a value of the source"
    means = "the most frequent value of the record's class; the record's own may be another"
    like = ValueSet()
    listed = like.listed


FORMS = (Mean(), Median(), Mode())
