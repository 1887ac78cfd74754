"""What Spark numbers in one task, by a window without partitions: small relations alone."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from rendered import differing

from sqlanon.plan import Check, Step
from sqlanon.sql.templates import load_template

# The plans of all templates are made once, by one process.
pytestmark = pytest.mark.xdist_group("rendered")

# What a window may number in one task: a row for each value of an attribute, for each class or
# group of at least k records, for each stripe, for each range that Spark sorts in.
SMALL = {
    "values": {
        "attacks/places",
        "profile/quantiles",
        "utility/mean_spans",
        "attacks/similarity_interval",
        "methods/carving/combinations",
        "methods/carving/met_ordered",
        "methods/carving/stretches",
        "cells/levels",
        "check/level_cells",
        "clauses/guard/positions",
        "clauses/sensitive_cells/positions",
        "methods/stack_and_deal/component",
        "methods/random/dealt",
        "methods/stack_and_deal/clustered",
        "methods/stack_and_deal/one_cluster",
        "check/places",
        "domains/bins",
        "methods/deal/stripe_stacks",
        "domains/domain",
        "domains/domain_flat",
        "domains/positions",
        "methods/k_optimize/bins",
        "methods/k_optimize/strata_bins",
        "methods/k_optimize/spans",
        "methods/lattice/groups",
        "methods/locality/buckets",
        "measure/class_cover",
        "measure/classes",
        "recode/sized_classes",
        "measure/follows",
        "privacy/t_ordered",
        "release/given_cells",
        "recode/positions",
        "release/recoded",
        "methods/sabre/runs",
        "clauses/series/groups",
        "privacy/cut/distances_ordered",
        "methods/cut/placed_cells",
        "methods/cut/prefixes",
        "methods/cut/scale_axis",
        "methods/cut/scale_hierarchy",
        "methods/stack_and_deal/stack",
        "clauses/transform/redrawn",
        "clauses/transform/swapped",
        "methods/top_down/offers",
        "utility/met",
        "utility/numbers",
        "utility/values",
        "why/needed",
    },
    "classes": {
        "zones/clustered",
        "methods/carving/accepted_values",
        "methods/carving/band_cells",
        "groups/merged",
        "groups/placed",
        "publish/groups",
        "clauses/recipe/allotment",
        "clauses/recipe/boxes",
        "recode/class_report",
        "methods/microaggregation/parts",
        "methods/sabre/leaves",
        "methods/mondrian/first_cuts",
        "methods/cut/best_cuts",
        "methods/split_or_deal/class_pools",
        "methods/uhra/changed",
        "methods/uhra/outcome",
    },
    "stripes and places of the curve": {
        "methods/locality/stripe_stacks",
        "methods/locality/striped",
    },
    "regions": {"methods/carving/done_cells", "methods/split_or_deal/region_parts"},
    "shares of the classes": {
        "methods/cut/all_parts",
        "methods/split_or_deal/refined_parts",
    },
    "ranges": {"methods/stack_and_deal/assigned"},
    "shares of the drawn numbers": {"methods/random/assigned"},
    "tuples, profiles and clusters of what is known": {
        "attacks/fitting_parts",
        "attacks/slice_parts",
        "clauses/background/known",
        "clauses/background/profiles",
        "clauses/background/tuples",
        "zones/zoned",
        "zones/zones",
    },
    "groups of a column": {"report/left_out_groups"},
    "groups that are counted": {"publish/counted"},
    "combinations of sensitive values that are kept": {"outliers/kept_stack"},
    "distinct tuples that may be outliers": {"outliers/tuples", "outliers/chosen"},
    "persons and their tuples, where some may be outliers": {"clauses/person/person_alike"},
    "kinds of classes": {"methods/stack_and_deal/profiles"},
    "records of a small table, of which one class after the other takes the nearest": {
        "methods/fragmentation/assigned",
        "methods/fragmentation/outermost",
    },
    # Not small, but of their key alone (docs/engines.md).
    "persons": {"clauses/series/linked/named", "clauses/person/persons"},
    "records that trade values": {"clauses/transform/traded"},
    "distinct tuples of a check": {"check/tuples"},
    "distinct tuples of a search over levels": {
        "methods/level/chosen_cells",
        "methods/level/rolled",
        "methods/level/projected_open",
    },
    "cells, of as few as are compared with classes": {"methods/split_or_deal/exchange_cells"},
    "offers of classes": {"methods/split_or_deal/exchange_offers"},
    "persons and items, in sets": {"risk/known_items"},
    "members of all sets": {"clauses/transform/rare_members"},
    "tuples that a background is given of": {"attacks/told_tuples", "attacks/told_beliefs"},
    "combinations among which outliers are looked for": {"outliers/groups"},
}


# What a window is no part of; and a window, with the first words of it or its name.
ELSE = re.compile(r"/\*.*?\*/|--[^\n]*|'(?:[^']|'')*'", re.DOTALL)
OVER = re.compile(r"\bover\b\s*(?:\(\s*(partition by\b)?|(\w+))", re.IGNORECASE)


def is_alone(sql: str) -> bool:
    """Whether a SELECT has a window without partitions."""
    text = ELSE.sub("", sql)
    return any(
        not re.search(rf"\b{name}\s+as\s*\(\s*partition by\b", text, re.IGNORECASE)
        if name
        else not parted
        for parted, name in OVER.findall(text)
    )


def untranslated(step: Step | Check) -> str:
    """What Spark is given, as it is written."""
    template = replace(load_template(step.template, "spark"), translate_to=None)
    return template.render(step.inputs, step.params)


@pytest.mark.slow
def test_nothing_large_is_numbered_in_one_task() -> None:
    """A window without partitions sends all rows to one task: only small relations may have one."""
    # Loops are done turn by turn there. The text is read before it is translated, which takes
    # minutes and changes no window.
    alone = {
        step.template
        for step in differing()
        if step.template != "loop/recursion" and is_alone(untranslated(step))
    }
    assert alone == set().union(*SMALL.values())


@pytest.mark.parametrize(
    ("sql", "alone"),
    [
        ("rank() over (order by a)", True),
        ("sum(a) over ()", True),
        ("sum(a) over w from t window w as (order by a)", True),
        ("sum(a) over w from t window w as (partition by b)", False),
        ("sum(a) OVER (\n  PARTITION BY b)", False),
        ("'over ()' -- over ()\n || overlay(a) /* over () */", False),
    ],
)
def test_a_window_is_read(sql: str, alone: bool) -> None:
    assert is_alone(sql) == alone
