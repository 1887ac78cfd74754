"""How many records a carved class has at least, where l asks for values that are rare."""

from __future__ import annotations

import math
from collections.abc import Sequence

from sqlanon.methods.cut.split_or_deal.carving.thresholds import CarveTest
from sqlanon.methods.workspace import Workspace

# Of groups of a carved class's size, drawn at random, one in so many has fewer than l values.
ONE_IN = 8


def carved_size(workspace: Workspace, tests: Sequence[CarveTest], k: int, records: int) -> int:
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


def _diverse_size(workspace: Workspace, test: CarveTest, records: int) -> int:
    """How many records, drawn at random, mostly have l values; 1 where size does not matter."""
    if test.distinct is None or test.distinct == 1:
        return 1
    values = test.distinct - 1
    head = workspace.one("methods/carving/head", {"positions": test.positions}, values=values)
    share = head["records"] / records
    return 1 if share == 1 else math.ceil(math.log(1 / ONE_IN) / math.log(share))
