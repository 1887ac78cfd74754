"""Small tables, searched as large ones are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from unittest.mock import patch

from sqlanon.methods.cut.effort import EFFORTS
from sqlanon.methods.workspace import FEW_CELLS

SEARCH = "sqlanon.methods.cut.split_or_deal"


@contextmanager
def as_large(every: int = 2, in_turns: bool = False) -> Iterator[None]:
    """Tables are searched as large ones are.

    Args:
        every: the sample has one cell in so many.
        in_turns: whether all loops are made turn by turn, on all threads, which takes longer.
    """
    limits = {
        "sqlanon.methods.workspace.FEW_CELLS": 0 if in_turns else FEW_CELLS,
        f"{SEARCH}.attempts.MANY_CELLS": 0,
        f"{SEARCH}.tree.MANY_CELLS": 0,
        f"{SEARCH}.attempts.EVERY": every,
        f"{SEARCH}.attempts.LEAST_CELLS": 4,
        f"{SEARCH}.attempts.CELLS_OF_A_REGION": 20,
    }
    normal = replace(EFFORTS["normal"], few_cells=0)
    with ExitStack() as stack:
        for name, value in limits.items():
            stack.enter_context(patch(name, value))
        stack.enter_context(patch.dict(EFFORTS, normal=normal))
        yield
