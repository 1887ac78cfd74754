"""How many records a carved class has at least, where l asks for values that are rare."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sqlanon.methods.tested import Test
from sqlanon.methods.workspace import Workspace

# A carved class may be so large that one in so many groups of that size has fewer than l values.
ONE_IN = 8


def carved_size(workspace: Workspace, tests: Sequence[Test], k: int, records: int) -> int:
    """The least size of a carved class; the tree cuts it further, to k.

    Where most records share fewer than l values, few groups of k have l. They would be taken first,
    with the rare values in them, and what is left would be coarse. So classes are carved that are
    large enough for most groups to have l values.

    Args:
        workspace: counts the values.
        tests: the sensitive attributes and what is asked of them.
        k: the least class size.
        records: how many records the table has.

    Returns:
        At least k; at most the number of records.
    """
    return min(records, max([k, *(_diverse_size(workspace, one, records) for one in tests)]))


def _diverse_size(workspace: Workspace, test: Test, records: int) -> int:
    """How many records, drawn at random, mostly have l values; 1 where size does not matter."""
    distinct = test.threshold("distinct_l") or 1
    if distinct == 1:
        return 1
    head = workspace.several("carve/head", {"positions": test.positions}, 1, values=distinct - 1)
    share = head[0]["records"] / records
    return 1 if share == 1 else math.ceil(math.log(1 / ONE_IN) / math.log(share))
