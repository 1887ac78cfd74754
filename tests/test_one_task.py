"""What Spark numbers in one task, by a window without partitions: small relations alone."""

from __future__ import annotations

import re

import pytest
import sqlglot
from rendered import uses
from sqlglot import exp

# What a window may number in one task: a row for each value of an attribute, for each class or
# group of at least k records, for each stripe, for each range that Spark sorts in.
SMALL = {
    "values": {
        "attacks/places",
        "profile/quantiles",
        "utility/mean_spans",
        "attacks/similarity_interval",
        "carve/combinations",
        "carve/met_ordered",
        "carve/stretches",
        "cells/levels",
        "check/level_cells",
        "check/places",
        "domains/bins",
        "fragmentation/stripe_stacks",
        "domains/domain",
        "domains/domain_flat",
        "domains/positions",
        "guard/positions",
        "k_optimize/bins",
        "k_optimize/spans",
        "lattice/groups",
        "locality/buckets",
        "measure/class_cover",
        "measure/classes",
        "privacy/t_ordered",
        "release/recoded",
        "sabre/runs",
        "series/groups",
        "split_or_deal/distances_ordered",
        "split_or_deal/placed_cells",
        "split_or_deal/prefixes",
        "split_or_deal/scale_axis",
        "split_or_deal/scale_hierarchy",
        "stack_and_deal/stack",
        "transform/redrawn",
        "transform/swapped",
        "top_down/offers",
        "utility/met",
        "utility/numbers",
        "utility/values",
    },
    "classes": {
        "groups/clustered",
        "carve/accepted_values",
        "carve/band_cells",
        "groups/merged",
        "groups/placed",
        "publish/groups",
        "microaggregation/parts",
        "sabre/leaves",
        "mondrian/first_cuts",
        "split_or_deal/best_cuts",
        "split_or_deal/class_pools",
        "uhra/changed",
        "uhra/outcome",
    },
    "stripes and places of the curve": {"locality/stripe_stacks", "locality/striped"},
    "regions": {"carve/done_cells"},
    "shares of the classes": {"split_or_deal/all_parts", "split_or_deal/refined_parts"},
    "ranges": {"stack_and_deal/assigned"},
    "tuples, profiles and clusters of what is known": {
        "attacks/slice_parts",
        "background/known",
        "background/profiles",
        "background/tuples",
        "background/zoned",
        "background/zones",
    },
    "kinds of classes": {"stack_and_deal/profiles"},
    # Not small, but of their key alone (docs/engines.md).
    "persons": {"linked/named", "persons/persons"},
    "records that trade values": {"transform/traded"},
    "distinct tuples of a check": {"check/tuples"},
    "distinct tuples of a search over levels": {
        "lattice/chosen_cells",
        "lattice/rolled",
        "lattice/subset_open",
    },
}


@pytest.mark.slow
def test_nothing_large_is_numbered_in_one_task() -> None:
    """A window without partitions sends all rows to one task: only small relations may have one."""
    allowed = set().union(*SMALL.values())
    # Reading SQL takes long: only what may have such a window is.
    may_be_alone = re.compile(r"\bover\b(?!\s*\(\s*partition by\b)", re.IGNORECASE)
    alone = {
        name
        for name, sql in {(use.template.name, use.sql) for use in uses("spark")}
        if name != "loop/recursion"  # there loops are done turn by turn
        if may_be_alone.search(sql)
        for window in sqlglot.parse_one(sql, read="spark").find_all(exp.Window)
        if not window.args.get("partition_by")
    }
    assert alone == allowed
