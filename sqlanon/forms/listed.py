"""Sets: every value of a class, {a, b}."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.forms.form import Enough, Form, PublishedColumn, Shown
from sqlanon.plan import Step, work
from sqlanon.spec.publication import FormRule
from sqlanon.sql.names import Relation, Sql


class ValueSet(Form):
    """The values of a class, each by itself."""

    rule = FormRule("set", "taken", measurable=False, shows="members")
    readable = "a set of them, {a, b}"
    means = "a value, or all values of the record's class, {a, b}"
    has_text = True
    listed = True

    def is_natural(self, attribute: QuasiAttribute) -> bool:
        """It is, of text without a hierarchy: of all that no other form fits."""
        return True

    def loss(self, attribute: QuasiAttribute) -> str:
        """How many values it lists."""
        return "set"

    def members(self, attribute: QuasiAttribute) -> Relation:
        """The set of every class, as text."""
        return work("sets_", attribute.alias)

    def publishing(
        self, attribute: QuasiAttribute, assigned: Relation, enough: Enough
    ) -> Iterator[Step]:
        """The set of every class."""
        yield Step(
            f"the set of {attribute.name} in every class",
            self.members(attribute),
            "release/sets",
            {"assigned": assigned, "domain": attribute.domain},
            {"attribute": attribute.alias},
        )

    def read_members(self, attribute: QuasiAttribute) -> Relation:
        """The members of every cell that was read."""
        return work("set_members_", attribute.alias)

    def naming(
        self,
        attribute: QuasiAttribute,
        columns: Sequence[PublishedColumn],
        shown: Relation,
        output: Relation,
    ) -> Step:
        """The members of all sets."""
        return Step(
            f"the values in the cells of {attribute.name}",
            output,
            "domains/set_values",
            {"shown": shown},
            {
                "columns": [column.alias for column in columns],
                "attribute": attribute.alias,
                "type": Sql(attribute.column.widest),
            },
        )

    def reading(self, shown: Shown) -> Iterator[Step]:
        """Every member is a value of the source."""
        attribute, members = shown.attribute, self.read_members(shown.attribute)
        yield Step(
            f"sets of {attribute.name}",
            members,
            "check/set_members",
            {"classes": shown.classes, "domain": attribute.domain},
            {"alias": shown.columns[0].alias, "fold": shown.fold},
        )
        yield Step(shown.title, shown.cells, "check/set_cells", {"set_members": members}, {})


FORMS = (ValueSet(),)
