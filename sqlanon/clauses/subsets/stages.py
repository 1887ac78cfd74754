"""Coarser cells for a reader who knows some quasi-identifiers only: classes look the same there.

A method forms classes of k. Of some columns, more records are to share what is shown: so classes
near each other are joined in blocks, by the cuts of Mondrian, each with so many records; and in
those columns every class shows what holds its block. Classes stay apart in the other columns. Where
columns overlap, the demand for more records has blocks of whole blocks, and so none is undone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sqlanon.domains.attribute import QuasiAttribute
from sqlanon.draft import Draft, Stages
from sqlanon.forms import form_of
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.measure.cover import Projected
from sqlanon.methods.cut.mondrian import Partition
from sqlanon.methods.method import Task
from sqlanon.plan import Check, Search, Step, work
from sqlanon.sql.names import Relation, Sql

COVERED = work("covered")


@dataclass(frozen=True)
class Blocks(Partition):
    """The search for blocks of classes: their extents are cut as Mondrian cuts cells.

    Attributes:
        known: the columns, for people.
        number: which of the declared subsets it is.
    """

    known: str = ""
    number: int = 1

    @property
    def title(self) -> str:
        """The title of the search, for people."""
        return f"joining classes that show the same of {self.known}"

    @property
    def note(self) -> str:
        """The name of the number of its passes in the run record."""
        return f"subset_{self.number}_passes"


def formed(draft: Draft) -> Draft:
    """The same classes with coarser cells, such that what is asked of some columns holds.

    Those of a method that has seen to it are left as they are.
    """
    task, classes = draft.task, draft.classes
    assert task is not None and classes is not None  # noqa: S101, PT018 - the stages before
    if classes.covered is not None:
        return draft
    coarsening = _Coarsening(task, classes.assigned, draft.unit.number)
    made = {step.output for step in classes.steps if isinstance(step, Step)}
    steps = [
        step
        for step in coarsening.steps()
        if not isinstance(step, Step)
        or step.output not in made  # a search has some scales laid out
    ]
    coarser = replace(classes, steps=(*classes.steps, *steps), covered=COVERED)
    return replace(draft, classes=coarser)


@dataclass(frozen=True)
class _Coarsening:
    task: Task
    assigned: Relation
    person: Sql | None

    def steps(self) -> Iterator[Step | Check | Search]:
        """The scales, the blocks of every subset, and what the cells of every class cover."""
        attributes = {
            quasi_identifier.name: quasi_identifier
            for quasi_identifier in self.task.quasi_identifiers
        }
        known = {column for projection in self.task.projected for column in projection.columns}
        scales: dict[str, QuasiIdentifierScale] = {}
        for name, attribute in attributes.items():
            if name in known:
                scales[name], laid = form_of(attribute).scale(attribute)
                yield from laid
        last: dict[str, Projected] = {}  # whose blocks a column shows
        for chain in chains(self.task.projected):
            before: Projected | None = None
            for projection in chain:
                yield from self._blocks(projection, before, scales, attributes)
                before = projection
                last |= dict.fromkeys(projection.columns, projection)
        hulls = [
            self._hull(projection, last, attributes) for projection in dict.fromkeys(last.values())
        ]
        yield Step(
            "what the cells of every class cover",
            COVERED,
            "clauses/subsets/covered",
            {"assigned": self.assigned}
            | {f"blocks_{hull['number']}": hull["blocks"] for hull in hulls},
            {"columns": self.task.quasi_codes, "hulls": hulls},
        )

    def _blocks(
        self,
        projection: Projected,
        before: Projected | None,
        scales: dict[str, QuasiIdentifierScale],
        attributes: dict[str, QuasiAttribute],
    ) -> Iterator[Step | Search]:
        name, number = projection.name, projection.index
        cells, parts = work("subset_cells_", number), work("subset_parts_", number)
        there = {} if before is None else {"blocks": _blocks_of(before)}
        yield Step(
            f"the extent of every class in {name}",
            cells,
            "clauses/subsets/cells",
            {"assigned": self.assigned, **there},
            {
                "columns": tuple(attributes[column].alias for column in projection.columns),
                "person": self.person,
            },
        )
        ends = tuple(
            replace(scales[column], alias=Sql(f"{scales[column].alias}_{end}"))
            for column in projection.columns
            for end in ("low", "high")
        )
        yield Blocks(
            cells=cells,
            parts=parts,
            quasi=ends,
            sensitive=(),
            k=projection.k,
            strict=True,
            zones=None,
            known=name,
            number=number,
        )
        yield Step(
            f"the block of every class in {name}",
            _blocks_of(projection),
            "clauses/subsets/blocks",
            {"parts": parts, **there},
        )

    def _hull(
        self,
        projection: Projected,
        last: dict[str, Projected],
        attributes: dict[str, QuasiAttribute],
    ) -> dict[str, Any]:
        columns = [attributes[name] for name, shown in last.items() if shown is projection]
        return {
            "number": projection.index,
            "blocks": _blocks_of(projection),
            "columns": tuple(column.alias for column in columns),
            "listed": tuple(column.alias for column in columns if form_of(column).listed),
        }


def chains(asked: Sequence[Projected]) -> list[list[Projected]]:
    """The subsets that have columns in common, also by way of others, by their k."""
    found: list[list[Projected]] = []
    for projection in asked:
        columns = {*projection.columns}
        joined = [chain for chain in found if any(columns & {*other.columns} for other in chain)]
        found = [chain for chain in found if chain not in joined]
        found.append([*(other for chain in joined for other in chain), projection])
    return [
        sorted(chain, key=lambda projection: (projection.k, projection.index)) for chain in found
    ]


def _blocks_of(projection: Projected) -> Relation:
    return work("subset_blocks_", projection.index)


STAGES = Stages(form=formed)
