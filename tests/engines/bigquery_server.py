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
from bqemulator.storage.engine import DuckDBEngine


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


if __name__ == "__main__":
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.CRITICAL))
    # Of geography, which no script of ours has, and which it would fetch from elsewhere.
    DuckDBEngine._load_spatial = lambda self: None
    asyncio.run(serve())
