"""The largest class that every group of records can give.

By one attribute with the equal distance there is a closed form, filled up in whole records
(sqlanon, Carve §4). By an ordered distance, or by several attributes (Carve II §1 and §2), what a
group holds is shrunk to the largest part within t by one attribute after the other, and rounded in
several ways; the largest candidate that meets everything in whole numbers is the class.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.methods.split_or_deal.carve_tests import CarveTest, has_closed_form
from sqlanon.methods.workspace import Workspace
from sqlanon.sql import Relation

# Parts of a record, in which classes are sought before they are rounded.
UNIT = 2**16


@dataclass(frozen=True)
class Band:
    """The groups of a band of lattice nodes.

    Attributes:
        title: what is being done, for people.
        cells: the open cells, each in the group it may go to.
        combinations: the combinations of sensitive values.
        remainder: what is still open of each.
        tests: what classes must meet.
        params: of the templates: ``k`` and ``table_records`` among them.
    """

    title: str
    cells: Relation
    combinations: Relation
    remainder: Relation
    tests: tuple[CarveTest, ...]
    params: Mapping[str, Any]


def largest_classes(workspace: Workspace, band: Band) -> Relation:
    """What the largest class of every group takes of each combination of sensitive values."""
    if not has_closed_form(band.tests):
        return _shrunk_and_rounded(workspace, band)
    test = band.tests[0] if band.tests else None
    asked = {"test": test, "t": Fraction(1) if test is None or test.t is None else test.t}
    groups = workspace.make(
        band.title,
        "carve_groups",
        "carve/group_values",
        {"band_cells": band.cells, "combinations": band.combinations},
        **asked,
        **band.params,
    )
    return workspace.make(
        band.title,
        "carve_carved",
        "carve/carved_values",
        {"group_values": groups, "remainder": band.remainder},
        **asked,
        **band.params,
    )


def _shrunk_and_rounded(workspace: Workspace, band: Band) -> Relation:
    params, tests = band.params, band.tests
    combinations = {"combinations": band.combinations}
    groups = workspace.make(
        band.title, "carve_groups", "carve/group_counts", {"band_cells": band.cells}, **params
    )
    for turn, one in enumerate(one for one in tests if one.t is not None):
        groups = workspace.make(
            band.title,
            f"carve_shrunk_{turn % 2}",
            "carve/shrunk_ordered" if one.ordered else "carve/shrunk_equal",
            {"group_counts": groups, **combinations, "open_values": one.open_values},
            test=one,
            **params,
        )
    rounded = workspace.make(
        band.title,
        "carve_rounded",
        "carve/rounded_counts",
        {"group_counts": groups, **combinations},
        tests=tests,
        **params,
    )
    met = {
        f"met_{one.alias}": make_met(workspace, band.title, one, rounded, band.combinations, params)
        for one in tests
    }
    return workspace.make(
        band.title,
        "carve_carved",
        "carve/largest_counts",
        {"rounded_counts": rounded, **met},
        tests=tests,
    )


def make_met(
    workspace: Workspace,
    title: str,
    test: CarveTest,
    counts: Relation,
    combinations: Relation,
    params: Mapping[str, Any],
) -> Relation:
    """The candidates for classes that meet what is asked of an attribute, in whole numbers.

    Args:
        workspace: makes the relation.
        title: what is being done, for people.
        test: the attribute and what is asked of it.
        counts: what each candidate takes of each combination.
        combinations: the combinations of sensitive values.
        params: of the template: ``table_records``.
    """
    order = {"positions": test.positions} if test.ordered else {"stretches": test.stretches}
    return workspace.make(
        title,
        f"carve_met_{test.alias}",
        "carve/met_ordered" if test.ordered else "carve/met_equal",
        {"rounded_counts": counts, "combinations": combinations, **order},
        test=test,
        **params,
    )
