"""Labels of a hierarchy: the lowest group that holds a class, or the one of the column's level."""

from __future__ import annotations

from collections.abc import Iterator

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms.form import Enough, Form, Shown
from sqlanon.plan import FOUND, Check, Step, infeasible, work
from sqlanon.spec.publication import FormRule
from sqlanon.sql.names import Relation


class LowestCommonAncestor(Form):
    """The label of the lowest node above all values of a class."""

    rule = FormRule("lca", "needed", measurable=False, shows="label")
    readable = "a label of the hierarchy"
    means = "a value, or the label of the lowest group that holds all values of the record's class"
    written = "label"
    has_text = True

    def is_natural(self, attribute: QuasiAttribute) -> bool:
        """It is, of everything that has a hierarchy."""
        return attribute.nodes is not None

    def reading(self, shown: Shown) -> Iterator[Step]:
        """A label stands for the codes below its node."""
        attribute, labels = shown.attribute, work("labels_", shown.attribute.alias)
        yield Step(
            f"labels of {attribute.name}",
            labels,
            "check/labels",
            {"domain": attribute.domain},
            {"height": attribute.height},
        )
        yield Step(
            shown.title,
            shown.cells,
            "check/label_cells",
            {"classes": shown.classes, "labels": labels},
            {"alias": shown.columns[0].alias, "fold": shown.fold},
        )

    def loss(self, attribute: QuasiAttribute) -> str:
        """The leaves below the node; of a band or a period, how long it is."""
        return "interval" if attribute.in_periods else "label"


def one_level_of(alias: str) -> Relation:
    """The level that a column is published at, and the label of every class."""
    return work("one_level_", alias)


class Level(LowestCommonAncestor):
    """The label of the class's group at one level, the same for the whole column. Samarati (2001).

    The level is the lowest within the attribute's bounds at which every class has one label.
    """

    rule = FormRule("level", "needed", measurable=False, shows="label", one_level=True)
    readable = "a label of the hierarchy, of the column's one level"
    means = "the label of a group; all groups of the column are of one level"
    written = "found"

    def is_natural(self, attribute: QuasiAttribute) -> bool:
        """It is asked for, by the column or by the method."""
        return False

    def members(self, attribute: QuasiAttribute) -> Relation:
        """The label of every class."""
        return one_level_of(attribute.alias)

    def publishing(
        self, attribute: QuasiAttribute, assigned: Relation, enough: Enough
    ) -> Iterator[Step | Check]:
        """The label of every class, and that its level is not too high."""
        least, most = attribute.levels
        one_level = self.members(attribute)
        yield Step(
            f"the level of {attribute.name}, and the label of every class",
            one_level,
            "release/one_level",
            {"assigned": assigned, "domain": attribute.domain},
            {"attribute": attribute.alias, "height": attribute.height, "least": least},
        )
        if most < attribute.height:
            yield Check(
                f"the level of {attribute.name} is low enough",
                "release/check_one_level",
                {"one_level": one_level},
                {"most": most},
                f"levels.{attribute.name}",
                f"the classes have one label each from level {FOUND.level} on, and {most} is the "
                "highest that is allowed: raise it, or take a method that searches over levels, "
                "such as optimal",
                infeasible,
            )

    def reading(self, shown: Shown) -> Iterator[Step]:
        """A label of the column's level stands for the codes below its node."""
        attribute = shown.attribute
        least, most = attribute.levels
        yield Step(
            shown.title,
            shown.cells,
            "check/level_cells",
            {"classes": shown.classes, "domain": attribute.domain},
            {
                "alias": shown.columns[0].alias,
                "fold": shown.fold,
                "height": attribute.height,
                "least": least,
                "most": most,
            },
        )


FORMS = (LowestCommonAncestor(), Level())
