"""Servers that more than one module runs on: each started when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import ExitStack

import pytest
from hypothesis import HealthCheck, settings
from servers import server

from sqlanon.spec import model

# A busy machine is slow; that is no fault of an example.
settings.register_profile("sqlanon", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("sqlanon")

# What a test asserts must not hang on a seed that is drawn. tests/test_secrets.py draws them.
DRAW_SEED = model.draw_seed
model.draw_seed = lambda: 0


@pytest.fixture(scope="session")
def urls() -> Iterator[Mapping[str, str]]:
    """A server's address by the engine's name."""

    class Started(dict[str, str]):
        def __missing__(self, engine: str) -> str:
            self[engine] = stack.enter_context(server(engine))
            return self[engine]

    with ExitStack() as stack:
        yield Started()
