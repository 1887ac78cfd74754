"""An emulator of BigQuery, in an environment of its own: it prints its address.

Its pins stand beside no other tool's, so the tests speak to it as a client does.
"""

from __future__ import annotations

import asyncio
import logging
import sys

import structlog
from bqemulator.config import PersistenceMode, Settings
from bqemulator.server import EmulatorServer
from bqemulator.sql.rewriter import division_by_zero
from bqemulator.storage.engine import DuckDBEngine
from sqlglot import exp


async def serve() -> None:
    here = "127.0.0.1"
    settings = Settings(
        persistence_mode=PersistenceMode.EPHEMERAL,
        rest_host=here,
        rest_port=0,
        grpc_host=here,
        grpc_port=0,
        log_level="error",
    )
    server = EmulatorServer(settings)
    await server.start()
    print(f"{server.rest_url.rstrip('/')} {settings.default_project_id}", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await server.stop()


def divides(node: exp.Expr) -> bool:
    """Whether a quotient cannot fail: DuckDB orders a window by none that says it may."""
    return _divides(node) or node.find_ancestor(exp.Ordered) is not None


_divides, division_by_zero._is_nonzero_literal = division_by_zero._is_nonzero_literal, divides


def prepare(engine: DuckDBEngine) -> None:
    """In place of geography, which is fetched from elsewhere: a function as BigQuery has it.

    DuckDB's own takes no number of 64 bits.
    """
    engine._connection.execute(
        "create macro rpad(a, b, c) as left(a || repeat(c, cast(b as bigint)), cast(b as bigint))"
    )


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    DuckDBEngine._load_spatial = prepare
    asyncio.run(serve())
