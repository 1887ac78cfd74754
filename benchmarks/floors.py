"""What work on Adult's records, taken again and again, costs beside sorting them."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping

import duckdb

SORTED = "create or replace table sorted as select * from adult order by occupation"
Work = Callable[[duckdb.DuckDBPyConnection], object]


def in_floors(
    connection: duckdb.DuckDBPyConnection, work: Mapping[str, Work], rounds: int
) -> Iterator[str]:
    """Time work in turn with the floor, which copies the table ``adult`` in order.

    Args:
        connection: where the table is.
        work: what is timed, by its name.
        rounds: how often; the median counts.
    """
    taken: dict[str, list[float]] = defaultdict(list)
    steps: dict[str, Work] = {"floor": lambda there: there.execute(SORTED), **work}
    for _ in range(rounds):
        for name, step in steps.items():
            begun = time.perf_counter()
            step(connection)
            taken[name].append(time.perf_counter() - begun)
    floor = statistics.median(taken["floor"])
    (records,) = connection.execute("select count(*) from adult").fetchone() or (0,)
    yield f"{records:,} records; floor {floor:.2f} s"
    for name in work:
        middle = statistics.median(taken[name])
        yield f"{name}: {middle:.2f} s, {middle / floor:.1f} floors"
