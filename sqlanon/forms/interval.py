"""Intervals of numbers and dates: as one text, [a, b], or as two columns of their ends."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms.form import Form, PublishedColumn, QuasiIdentifierScale, Shown
from sqlanon.plan import Step, work
from sqlanon.spec.publication import FormRule
from sqlanon.sql.names import Relation, Sql


class Interval(Form):
    """The least and the greatest value of a class, as one text."""

    rule = FormRule("interval", "refused", measurable=True, shows="ends")
    readable = "an interval between two, [a, b]"
    means = "the least and the greatest value of the record's class, [a, b], or its one value"
    written = "interval"
    has_text = False

    def is_natural(self, attribute: QuasiAttribute) -> bool:
        """It is, of numbers and dates without a hierarchy."""
        return attribute.nodes is None and attribute.measurable

    def loss(self, attribute: QuasiAttribute) -> str:
        """The length of the interval; along a listed order, in places of the list."""
        return "places" if attribute.ordered else "interval"

    def reading(self, shown: Shown) -> Iterator[Step]:
        """Both ends are values of the source, or the one value that stands alone."""
        yield Step(
            shown.title,
            shown.cells,
            "check/interval_cells",
            {"classes": shown.classes, "domain": shown.attribute.domain},
            {"alias": shown.columns[0].alias},
        )

    def naming(
        self,
        attribute: QuasiAttribute,
        columns: Sequence[PublishedColumn],
        shown: Relation,
        output: Relation,
    ) -> Step:
        """The values that cells begin and end with; as text also those of a wider column."""
        column, is_text = attribute.column, len(columns) == 1
        return Step(
            f"the ends of the cells of {attribute.name}",
            output,
            "domains/end_values",
            {"shown": shown},
            {
                "columns": [published_column.alias for published_column in columns],
                "interval": is_text,
                "attribute": attribute.alias,
                "type": Sql(column.widest if is_text else column.type),
            },
        )

    def scale(self, attribute: QuasiAttribute) -> tuple[QuasiIdentifierScale, list[Step]]:
        """The length of a stretch, along the axis that the values lie on."""
        axis = work("axis_", attribute.alias)
        step = Step(
            f"where each {attribute.name} lies",
            axis,
            "cells/axis",
            {"domain": attribute.domain},
            {"kind": attribute.kind, "ordered": attribute.ordered},
        )
        scale = QuasiIdentifierScale(attribute.alias, self.listed, attribute.weight, axis=axis)
        return scale, [step]


class Bounds(Interval):
    """The least and the greatest value of a class, in two columns of the source's type.

    Values in a listed order are published as the list has them, as text.
    """

    rule = FormRule("bounds", "refused", measurable=True, shows="ends", tells_null=False)
    readable = "a pair of bounds"
    meanings: ClassVar[Mapping[str, str]] = {
        "lower": "the least value of the record's class",
        "upper": "the greatest value of the record's class",
    }

    def is_natural(self, attribute: QuasiAttribute) -> bool:
        """It has to be asked for."""
        return False

    def names(self, name: str) -> tuple[str, ...]:
        """One for either end."""
        return f"{name}_min", f"{name}_max"

    def columns(self, attribute: QuasiAttribute, taken: int) -> tuple[PublishedColumn, ...]:
        """One for either end."""
        ends = zip(self.names(attribute.name), self.meanings, strict=True)
        return tuple(
            PublishedColumn(
                alias=Sql(f"p{taken + number}"),
                name=name,
                source=attribute.name,
                attribute=attribute.alias,
                kind="text" if attribute.ordered else attribute.kind,
                form=end,
                written=end,
                height=attribute.height,
                typed=not attribute.ordered,
            )
            for number, (name, end) in enumerate(ends, 1)
        )

    def reading(self, shown: Shown) -> Iterator[Step]:
        """Both bounds are values of the source."""
        lower, upper = shown.columns
        yield Step(
            shown.title,
            shown.cells,
            "check/bounds_cells",
            {"classes": shown.classes, "domain": shown.attribute.domain},
            {"alias": lower.alias, "upper": upper.alias, "typed": lower.typed},
        )


FORMS = (Interval(), Bounds())
