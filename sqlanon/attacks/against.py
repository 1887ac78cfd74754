"""The tables that a release is attacked with: of persons, and the source that it was made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sqlanon.attacks.as_published import ShownCell
from sqlanon.attacks.external import alias, read_external
from sqlanon.attacks.matching import EVERYBODY, ORIGINAL
from sqlanon.attacks.points import EXTERNAL
from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Check, Materialization, Plan, Step
from sqlanon.session import Session
from sqlanon.spec import Column, Source, Spec, comparable
from sqlanon.sql.names import Relation, Sql


@dataclass(frozen=True)
class Given:
    """A table that is given.

    Attributes:
        source: the table.
        item: a FROM item in its place.
    """

    source: Source
    item: Sql | None = None


@dataclass(frozen=True)
class Against:
    """The tables that a release is held against, as they are read.

    Attributes:
        steps: the steps that read them.
        columns: by which they are known, by name, of each table.
        relation: where all of their values are; None without a table.
        where: what the table is called whose columns are not what a message needs.
        external: whether there are persons.
        source: whether there is the source.
    """

    steps: Sequence[Step | Check] = ()
    columns: Mapping[str, Column] | None = None
    relation: Relation | None = None
    where: str = "external"
    external: bool = False
    source: bool = False

    def read(self, session: Session) -> Against:
        """Read them; with the types that both have in common, where there are two."""
        session.run(Plan(tuple(self.steps)))
        if self.relation != EVERYBODY:
            return self
        with session.engine.reading(EVERYBODY) as item:
            there = session.engine.columns(item)
        known = self.columns or {}
        shared = {
            name: replace(one, type=found.type, kind=found.kind)
            for (name, one), found in zip(known.items(), there, strict=True)
        }
        return replace(self, columns=shared)


def against(
    external: Given | None,
    source: Given | None,
    cells: Sequence[ShownCell],
    spec: Spec,
    engine: Engine,
) -> Against:
    """The tables that are given, and the steps that read them.

    Args:
        external: the persons.
        source: what the release was made of.
        cells: the quasi-identifiers that are known of the persons.
        spec: whose codes for a missing value mean one in these tables as well.
        engine: where they are read.

    Raises:
        SpecError: if a table cannot be read, or lacks a column, or has one whose values cannot be
            compared.
    """
    asked = {"external": (external, EXTERNAL), "source": (source, ORIGINAL)}
    steps: list[Step | Check] = []
    columns: dict[str, dict[str, Column]] = {}
    for where, (given, output) in asked.items():
        if given is not None:
            made, columns[where] = read_external(
                given.source,
                cells=cells,
                spec=spec,
                engine=engine,
                item=given.item,
                where=where,
                output=output,
            )
            steps += made
    if not columns:
        return Against()
    first = next(iter(columns))
    if len(columns) == 1:
        relation = asked[first][1]
        one = external is not None
        return Against(
            steps=steps,
            columns=columns[first],
            relation=relation,
            where=first,
            external=one,
            source=not one,
        )
    _refuse_others(columns["external"], columns["source"])
    aliases = tuple(alias(place) for place, _ in enumerate(cells, 1))
    steps.append(
        Step(
            "persons and records together",
            EVERYBODY,
            "attacks/everybody",
            {"external": EXTERNAL, "original": ORIGINAL},
            {"attributes": aliases},
            Materialization.WORK_VIEW,
        )
    )
    return Against(
        steps=steps,
        columns=columns["external"],
        relation=EVERYBODY,
        where="external",
        external=True,
        source=True,
    )


def _refuse_others(persons: Mapping[str, Column], records: Mapping[str, Column]) -> None:
    problems = [
        Problem(
            "external",
            f"its column {name!r} is {one.shown_type}, and the source's is "
            f"{records[name].shown_type}: cast it in a query",
        )
        for name, one in persons.items()
        if not comparable(one.kind, records[name].kind)
    ]
    if problems:
        raise SpecError(problems)
