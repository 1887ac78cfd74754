"""A form: how the values of a class are published, read back and priced."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, ClassVar

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.plan import Check, Step, work
from sqlanon.spec import Kind
from sqlanon.spec.publication import FormRule
from sqlanon.sql.names import Relation, Sql


@dataclass(frozen=True)
class PublishedColumn:
    """A column of the release that stands for a quasi-identifier.

    Attributes:
        alias: its name in work relations: p1, p2, ….
        name: its name in the release.
        source: the quasi-identifier's name.
        attribute: the quasi-identifier's alias.
        kind: the kind of its values.
        form: what a cell is, as readers know it: one of its form's ``meanings``.
        written: how its cells are written: a file of ``macros/written``.
        height: the levels of the hierarchy below the root.
        typed: whether its cells are values of the source, in the source's type, and no text.
    """

    alias: Sql
    name: str
    source: str
    attribute: Sql
    kind: Kind
    form: str
    written: str
    height: int
    typed: bool = False


@dataclass(frozen=True)
class Enough:
    """Of how many of a class a value must be known before anything is computed of them.

    Attributes:
        least: how many: k.
        person: where persons are counted, the column of the records with their numbers.
    """

    least: int
    person: Sql | None = None

    @property
    def params(self) -> dict[str, Any]:
        """The same, as templates read it."""
        return {"least": self.least, "person": self.person}


@dataclass(frozen=True)
class QuasiIdentifierScale:
    """The loss of publishing a stretch of a quasi-identifier's codes, as a search is given it.

    Attributes:
        alias: its column in the cells.
        listed: whether values are priced one by one, and not all from the least to the greatest.
        weight: its share in the loss.
        height: how many levels lie below the root; None without a hierarchy.
        levels: with a hierarchy, a row for each leaf: code, and node_0 to node_<height>.
        losses: with a hierarchy, a row for each node: level, node, and the loss of publishing it.
        axis: of lengths, a row for each code: where its value lies; NULL for code 0.
        in_periods: whether the nodes of the hierarchy are intervals, whose loss is their length.
    """

    alias: Sql
    listed: bool
    weight: Fraction
    height: int | None = None
    levels: Relation | None = None
    losses: Relation | None = None
    axis: Relation | None = None
    in_periods: bool = False


@dataclass(frozen=True)
class Shown:
    """The cells of one quasi-identifier in a table that is read back.

    Attributes:
        attribute: the quasi-identifier.
        columns: the published columns that stand for it.
        classes: the classes of the table.
        cells: the relation to make: the codes of every cell that can be read.
        fold: whether empty text may be NULL.
    """

    attribute: QuasiAttribute
    columns: Sequence[PublishedColumn]
    classes: Relation
    cells: Relation
    fold: bool

    @property
    def title(self) -> str:
        """The title of the step that reads them, for people."""
        return f"cells of {self.attribute.name}, read"


class Form(ABC):
    """How a class's values of a quasi-identifier are published: the one place that decides it.

    Attributes:
        rule: what a spec must be like to ask for it, and what its cells show.
        readable: what its cells are, for people who look at a table.
        means: what a cell says, for readers of the release.
        written: how its cells are written: a file of ``macros/written``.
        has_text: whether its cells hold texts of the source, which may be empty.
        listed: whether values are priced one by one, and not all from the least to the greatest.
    """

    rule: ClassVar[FormRule]
    readable: ClassVar[str]
    means: ClassVar[str]
    written: ClassVar[str] = "found"
    has_text: ClassVar[bool]
    listed: ClassVar[bool] = False

    @property
    def name(self) -> str:
        """Its name in ``publish``."""
        return self.rule.name

    @property
    def meanings(self) -> Mapping[str, str]:
        """The names of its published columns in a data dictionary, and what their cells say."""
        return {self.name: self.means}

    def names(self, name: str) -> tuple[str, ...]:
        """The names of the published columns that stand for a quasi-identifier of this name."""
        return (name,)

    @abstractmethod
    def is_natural(self, attribute: QuasiAttribute) -> bool:
        """Whether it is the form of an attribute that asks for none."""

    def columns(self, attribute: QuasiAttribute, taken: int) -> tuple[PublishedColumn, ...]:
        """The columns of the release, numbered after so many that are taken."""
        return (
            PublishedColumn(
                alias=Sql(f"p{taken + 1}"),
                name=attribute.name,
                source=attribute.name,
                attribute=attribute.alias,
                kind="text",
                form=self.name,
                written=self.written,
                height=attribute.height,
            ),
        )

    def members(self, attribute: QuasiAttribute) -> Relation | None:
        """The relation of every class's cell, where it is found and its two ends do not tell it."""
        return None

    def publishing(
        self, attribute: QuasiAttribute, assigned: Relation, enough: Enough
    ) -> Iterator[Step | Check]:
        """The steps that a cell needs besides the least and the greatest code of its class.

        Args:
            attribute: the quasi-identifier.
            assigned: the records with their class and codes.
            enough: of how many a value must be known where one is computed of them.
        """
        yield from ()

    @abstractmethod
    def reading(self, shown: Shown) -> Iterator[Step]:
        """The steps that read the cells of a table as codes again."""

    def read_members(self, attribute: QuasiAttribute) -> Relation | None:
        """The relation of the members of every cell that was read, where there are such."""
        return None

    def naming(
        self,
        attribute: QuasiAttribute,
        columns: Sequence[PublishedColumn],
        shown: Relation,
        output: Relation,
    ) -> Step | None:
        """The step that lists the values that the cells of a table name, in the source's type.

        There is none where cells name groups.
        """
        return None

    @abstractmethod
    def loss(self, attribute: QuasiAttribute) -> str:
        """How the loss of its cells is measured: a file of ``macros/priced``."""

    def loss_in_class(self, attribute: QuasiAttribute) -> str | None:
        """The same of the values of a class, where a cell does not tell what it loses."""
        return None

    def scale(self, attribute: QuasiAttribute) -> tuple[QuasiIdentifierScale, list[Step]]:
        """The loss of a stretch of codes, and the steps that lay it out.

        A hierarchy has a loss for every node; without one it is that of a list of values.
        """
        scale = QuasiIdentifierScale(attribute.alias, self.listed, attribute.weight)
        if attribute.nodes is None:
            return scale, []
        levels, losses = work("levels_", attribute.alias), work("node_losses_", attribute.alias)
        inputs = {"domain": attribute.domain}
        params = {
            "height": attribute.height,
            "kind": attribute.kind if attribute.in_periods else None,
        }
        losing = {**params, "labels": self.rule.one_level and attribute.in_periods}
        title = f"what each group of {attribute.name} loses"
        steps = [
            Step(f"levels of {attribute.name}", levels, "cells/levels", inputs, params),
            Step(title, losses, "cells/node_losses", inputs, losing),
        ]
        return replace(
            scale,
            height=attribute.height,
            levels=levels,
            losses=losses,
            in_periods=attribute.in_periods,
        ), steps
