"""Searches for classes on small tables of codes, without a spec or a source around them."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from oracle import (
    Value,
    alpha,
    distinct_l,
    emd_equal,
    emd_hierarchical,
    emd_ordered,
    entropy_diverse,
    recursive_diverse,
)
from support import Connection, database, make_table, select

from sqlanon.engines import DuckDBEngine
from sqlanon.forms.form import QuasiIdentifierScale
from sqlanon.methods.cut.constraints import SensitiveConstraint
from sqlanon.methods.cut.effort import EffortName
from sqlanon.methods.cut.scales import Objective
from sqlanon.methods.cut.split_or_deal.method import SplitOrDeal
from sqlanon.plan import Search, work
from sqlanon.privacy import MODELS
from sqlanon.privacy.l_diversity import Recursive
from sqlanon.privacy.model import Demand
from sqlanon.session import Session
from sqlanon.sql.names import Relation, Sql

PARTS = work("parts")


@dataclass(frozen=True)
class Quasi:
    """A quasi-identifier with the codes 1 to ``codes``, and 0 for NULL.

    Attributes:
        publish: lca, interval or set.
        codes: how many codes there are, NULL aside.
        height: of the hierarchy, which joins so and so many neighbours at each level.
        weight: its share in the loss.
    """

    publish: str
    codes: int
    height: int | None = None
    weight: int = 1

    def node(self, code: int, level: int) -> int:
        """The node over a code, named by the first code under it."""
        assert self.height is not None
        if level == self.height:
            return 0
        together = max(2, math.ceil(self.codes ** (1 / self.height))) ** level
        return (code - 1) // together * together + 1 if code else 0


@dataclass(frozen=True)
class Sensitive:
    """A sensitive attribute with the codes 1 to ``codes``, 0 for NULL, and what is asked of it.

    With a hierarchy, neighbours are joined in pairs at every level.
    """

    codes: int
    t: Fraction | None = None
    distance: str = "equal"
    alpha: Fraction | None = None
    distinct: int | None = None
    entropy: Fraction | None = None
    recursive: tuple[Fraction, int] | None = None
    height: int = 0
    beta: Fraction | None = None
    enhanced: Fraction | None = None
    delta: Fraction | None = None

    @property
    def demands(self) -> Iterator[Demand]:
        """What is asked, as the search takes it."""
        recursive = self.recursive and Recursive(c=self.recursive[0], l=self.recursive[1])
        asked = {
            "t_closeness": self.t,
            "alpha": self.alpha,
            "distinct_l": self.distinct,
            "entropy_l": self.entropy,
            "recursive_l": recursive,
            "beta_likeness": self.beta,
            "enhanced_beta_likeness": self.enhanced,
            "delta_disclosure": self.delta,
        }
        for model in MODELS:
            if asked.get(model.name) is not None:
                yield Demand(model, asked[model.name])

    def node(self, code: int, level: int) -> int:
        """The node over a code at a level below the root, named by its first code."""
        return (code - 1) // 2**level * 2**level + 1 if code else 0


@dataclass(frozen=True)
class Table:
    """Records of codes: the quasi-identifiers', then the sensitive ones."""

    quasi: tuple[Quasi, ...]
    sensitive: tuple[Sensitive, ...]
    records: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Searched:
    """What a search found.

    Attributes:
        parts: (cell_id, class_id, records), in order.
        cells: the codes of every cell.
        sizes: the records of every cell.
        notes: what the search said of itself.
        left_behind: the work relations that are still there.
        steps: how many relations were made.
    """

    parts: list[tuple[int, int, int]]
    cells: dict[int, tuple[int, ...]]
    sizes: dict[int, int]
    notes: dict[str, str] = field(default_factory=dict)
    left_behind: tuple[str, ...] = ()
    steps: int = 0

    @property
    def classes(self) -> list[list[tuple[int, ...]]]:
        """The records of every class."""
        found: dict[int, list[tuple[int, ...]]] = {}
        for cell, label, records in self.parts:
            found.setdefault(label, []).extend([self.cells[cell]] * records)
        return [found[label] for label in sorted(found)]


def search_in(
    connection: Connection,
    table: Table,
    k: int,
    refine: int | None = 2,
    seed: int = 1,
    regions: int | None = None,
    dealt_only: bool = False,
    effort: EffortName = "normal",
    objective: Objective = "ncp",
) -> SplitOrDeal:
    """Make a table's relations, and the search over them."""
    quasi, sensitive = laid_out(connection, table)
    return SplitOrDeal(
        Relation("cells"),
        PARTS,
        quasi,
        sensitive,
        k,
        refine,
        seed,
        regions,
        dealt_only,
        effort,
        objective,
    )


def laid_out(
    connection: Connection, table: Table
) -> tuple[tuple[QuasiIdentifierScale, ...], tuple[SensitiveConstraint, ...]]:
    """Make a table's relations: its cells, and what a search reads of its columns."""
    quasi = tuple(
        _scaled(connection, number, column) for number, column in enumerate(table.quasi, 1)
    )
    sensitive = tuple(
        as_constraint(
            connection,
            number,
            attribute,
            [record[len(table.quasi) + number - 1] for record in table.records],
        )
        for number, attribute in enumerate(table.sensitive, 1)
    )
    names = [*(column.alias for column in quasi), *(constraint.alias for constraint in sensitive)]
    cells = sorted(Counter(table.records).items())
    make_table(
        connection,
        "cells",
        dict.fromkeys(["cell_id", *names, "records"], "bigint"),
        [(number, *codes, records) for number, (codes, records) in enumerate(cells, 1)],
    )
    return quasi, sensitive


def searched(
    table: Table, k: int, threads: int = 2, memory_limit: str = "2GB", **settings: Any
) -> Searched:
    """Search a table for classes in a fresh database."""
    return run_search(
        table, lambda connection: search_in(connection, table, k, **settings), threads, memory_limit
    )


def run_search(
    table: Table,
    make: Callable[[Connection], Search],
    threads: int = 2,
    memory_limit: str = "2GB",
) -> Searched:
    """What a search finds in a fresh database."""
    limits: dict[str, str | int] = {"threads": threads, "memory_limit": memory_limit}
    with database() as connection:
        search = make(connection)  # before the engine sets its path
        with closing(DuckDBEngine(connection=connection, settings=limits)) as engine:
            before = _work(connection)
            session = Session(engine)
            with session.transaction():
                search.run(session)
                # Here and not after it, when what the run worked with is gone.
                count = len(table.quasi) + len(table.sensitive)
                rows = select(connection, "select * from cells order by cell_id")[1]
                parts = select(connection, f"select * from {PARTS} order by cell_id, class_id")
                assert parts[0] == ("cell_id", "class_id", "records")
                return Searched(
                    parts[1],
                    {row[0]: tuple(row[1 : count + 1]) for row in rows},
                    {row[0]: row[-1] for row in rows},
                    dict(session.notes),
                    tuple(_work(connection) - before - {PARTS.name}),
                    len(session.done),
                )


def _work(connection: Connection) -> set[str]:
    return {name for (name,) in select(connection, "select table_name from duckdb_tables()")[1]}


def _scaled(connection: Connection, place: int, one: Quasi) -> QuasiIdentifierScale:
    alias, codes = Sql(f"q{place}"), range(one.codes + 1)
    levels = losses = axis = None
    if one.height is not None:
        levels, losses = Relation(f"levels_{alias}"), Relation(f"losses_{alias}")
        above = range(one.height + 1)
        make_table(
            connection,
            levels.name,
            dict.fromkeys(["code", *(f"node_{level}" for level in above)], "bigint"),
            [(code, *(one.node(code, level) for level in above)) for code in codes],
        )
        leaves = Counter((level, one.node(code, level)) for level in above for code in codes)
        make_table(
            connection,
            losses.name,
            {"level": "bigint", "node": "bigint", "loss": "double"},
            [(level, node, (count - 1) / one.codes) for (level, node), count in leaves.items()],
        )
    elif one.publish == "interval":
        axis = Relation(f"axis_{alias}")
        places = [(code, float(code * code) if code else None) for code in codes]
        make_table(connection, axis.name, {"code": "bigint", "axis": "double"}, places)
    return QuasiIdentifierScale(
        alias, one.publish == "set", Fraction(one.weight), one.height, levels, losses, axis
    )


def as_constraint(
    connection: Connection, place: int, one: Sensitive, codes: Sequence[int]
) -> SensitiveConstraint:
    alias, frequencies = Sql(f"s{place}"), Counter(codes)
    positions = Relation(f"positions_{alias}")
    above = range(one.height)
    make_table(
        connection,
        positions.name,
        dict.fromkeys(
            ["code", "records", "position", *(f"node_{level}" for level in above)], "bigint"
        ),
        [
            (code, frequencies[code], position, *(one.node(code, level) for level in above))
            for position, code in enumerate(range(0 if frequencies[0] else 1, one.codes + 1), 1)
        ],
    )
    return SensitiveConstraint(alias, positions, one.distance, one.height, tuple(one.demands))


def meets(one: Sensitive, classes: list[list[int]], table: list[int]) -> bool:
    """Whether every class meets every model asked of a sensitive attribute, exactly."""
    if one.alpha is not None and alpha(classes).maximum > one.alpha:
        return False
    if one.distinct is not None and distinct_l(classes).minimum < one.distinct:
        return False
    if one.entropy is not None and not entropy_diverse(classes, one.entropy):
        return False
    if one.recursive is not None and not recursive_diverse(classes, *one.recursive):
        return False
    return one.t is None or farthest(one, classes, table) <= one.t


def farthest(one: Sensitive, classes: list[list[int]], table: list[int]) -> Fraction:
    """The greatest distance of a class to the table."""
    codes = range(0 if 0 in table else 1, one.codes + 1)
    if one.distance == "ordered":
        return emd_ordered(classes, table, list(codes)).maximum
    if one.distance == "hierarchical":
        above = range(1, one.height)
        tree: dict[Value, tuple[Value, ...]] = {
            code: (*(one.node(code, level) for level in above), "*") for code in codes
        }
        return emd_hierarchical(classes, table, tree).maximum
    return emd_equal(classes, table).maximum
