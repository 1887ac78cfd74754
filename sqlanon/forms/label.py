"""Labels: the lowest group of a hierarchy that holds all values of a class."""

from __future__ import annotations

from collections.abc import Iterator

from sqlanon.domains import QuasiAttribute
from sqlanon.forms.form import Form, Shown
from sqlanon.plan import Step, work
from sqlanon.spec.form import FormRule


class LowestCommonAncestor(Form):
    """The label of the lowest node above all values of a class."""

    rule = FormRule("lca", "needed", measurable=False)
    readable = "a label of the hierarchy"
    priced = "lca"
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
        return "interval" if attribute.in_periods else self.priced
