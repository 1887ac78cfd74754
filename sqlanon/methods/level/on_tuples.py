"""Methods that search over tuples: records are gathered in cells, and take the class of theirs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.methods.level.forming import sensitive_of
from sqlanon.methods.method import ASSIGNED, Grouping, Task
from sqlanon.methods.on_cells import CELLS
from sqlanon.plan import Search, Step, work

# The class of every combination of quasi-identifiers, and the codes that each class covers.
TUPLES, COVERED = work("tuple_classes"), work("covered")


def grouping_on_tuples(
    task: Task, search: Sequence[Step | Search], after: Sequence[Step] = ()
) -> Grouping:
    """The steps from the records to the class of each of them: that of its tuple.

    Args:
        task: the task.
        search: from `CELLS` to `TUPLES`.
        after: what is found of the classes then.
    """
    gathering = Step(
        "gathering equal records in cells",
        CELLS,
        "cells/cells",
        {"coded": task.coded},
        {"columns": (*task.quasi_codes, *sensitive_of(task.models))},
    )
    assigning = Step(
        "the class of every record",
        ASSIGNED,
        "cells/kept",
        {"coded": task.coded, "tuple_classes": TUPLES},
        {"columns": task.released, "coordinates": task.quasi_codes},
    )
    suppressed = TUPLES if task.suppression else None
    return Grouping((gathering, *search, assigning, *after), suppressed=suppressed)


def covering(task: Task) -> Step:
    """The step that finds the codes that every class covers: those of its tuples."""
    return Step(
        "what the cells of every class cover",
        COVERED,
        "methods/level/covered",
        {"tuple_classes": TUPLES},
        {"columns": task.quasi_codes},
    )
