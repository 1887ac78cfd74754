"""Refining: records move to nearer classes, in rounds. Amiri et al. (2023), §4.2."""

from __future__ import annotations

from sqlanon.methods.grow.placed import Table
from sqlanon.methods.workspace import level_share
from sqlanon.sql.names import Relation

_MOVING = "moving records to nearer classes"


def refined(table: Table, settled: Relation, rounds: int) -> tuple[Relation, int]:
    """The classes after records have moved to nearer ones, and in how many rounds.

    Args:
        table: what is worked on.
        settled: how many records of each cell each class has.
        rounds: how many rounds there are at most.
    """
    shares, turn = settled, 0
    while turn < rounds:
        table.workspace.reached(0.5 + level_share(turn + 1) / 2)
        turn += 1
        moves = _allowed(table, shares, _wished(table, shares))
        if not table.workspace.rows(moves):
            break
        shares = table.workspace.make(
            _MOVING,
            f"uhra_refined_{turn % 2}",
            "methods/uhra/moved",
            {"shares": shares, "moves": moves},
            leaving=True,
        )
    return shares, turn


def _wished(table: Table, shares: Relation) -> Relation:
    """For every cell of every class the nearest class that may take one record of it."""
    workspace = table.workspace
    read = {"shares": shares, "places": table.places}
    centroids = table.centroids(_MOVING, "uhra_centroids", shares)
    nearer = workspace.make(
        _MOVING,
        "uhra_nearer",
        "methods/uhra/nearer",
        {**read, "centroids": centroids},
        k=table.k,
        margin=_margin(table),
        axes=table.axes,
        sensitive=table.sensitive,
    )
    changed = workspace.make(
        _MOVING,
        "uhra_changed",
        "methods/uhra/changed",
        {"nearer": nearer, **read},
        sensitive=table.sensitive,
    )
    _, held = table.judged(_MOVING, changed, table.tested)
    return workspace.make(
        _MOVING,
        "uhra_moves_0",
        "methods/uhra/moves",
        {"nearer": nearer, "changed": changed, "held": held},
        sensitive=table.sensitive,
    )


def _allowed(table: Table, shares: Relation, wished: Relation) -> Relation:
    """The moves after which every class meets every model.

    Of those that touch a class that would not, an eighth of the records move, and in the end one,
    which was tested alone. So it ends, and the move by which most is gained is always left.
    """
    workspace, moves, turn = table.workspace, wished, 0
    while workspace.rows(moves):
        turn += 1
        after = workspace.make(
            _MOVING,
            "uhra_after_moves",
            "methods/uhra/after_moves",
            {"moves": moves, "shares": shares, "places": table.places},
            sensitive=table.sensitive,
        )
        classes, held = table.judged(_MOVING, after, table.tested)
        too_many = workspace.make(
            _MOVING,
            "uhra_too_many",
            "methods/uhra/too_many",
            {"moves": moves, "classes": classes, "held": held},
        )
        if not workspace.rows(too_many):
            break
        moves = workspace.make(
            _MOVING,
            f"uhra_moves_{turn % 2}",
            "methods/uhra/fewer_moves",
            {"moves": moves, "too_many": too_many},
        )
    return moves


def _margin(table: Table) -> int:
    """The most that rounding two classes' middles adds to a difference of squared distances."""
    return 2 * sum(one.units + 1 for one in table.scales)
