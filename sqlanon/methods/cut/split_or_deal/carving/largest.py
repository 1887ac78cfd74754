"""The largest class that every group of records can give.

By one attribute with the equal distance there is a closed form, filled up in whole records
(sqlanon, Carve §4). By an ordered distance, or by several attributes (Carve II §1 and §2), a
group is shrunk to its largest part within t by one attribute after the other. The part is rounded
in several ways; the largest candidate that meets everything in whole numbers is the class.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from sqlanon.methods.cut.split_or_deal.carving.thresholds import CarveTest, has_closed_form
from sqlanon.plan import Step, work
from sqlanon.sql.names import Relation

# Parts of a record, in which classes are sought before they are rounded.
UNIT = 2**16


@dataclass(frozen=True)
class Band:
    """The groups of a band of lattice nodes.

    Attributes:
        cells: the open cells, each in the group it may go to.
        combinations: the combinations of sensitive values.
        remainder: what is still open of each.
        tests: what classes must meet.
        params: of the templates: ``k`` and ``table_records`` among them.
    """

    cells: Relation
    combinations: Relation
    remainder: Relation
    tests: tuple[CarveTest, ...]
    params: Mapping[str, Any]

    @property
    def carved(self) -> Relation:
        """The records of each combination that the largest class of every group takes."""
        return work("carve_carved")


def largest_classes(band: Band) -> Iterator[Step]:
    """The steps that find the largest class of every group of a band."""
    if not has_closed_form(band.tests):
        yield from _shrunk_and_rounded(band)
        return
    test = band.tests[0] if band.tests else None
    t = Fraction(1) if test is None or test.t is None else test.t
    params = {"test": test, "t": t, **band.params}
    groups = work("carve_groups")
    yield _step(
        groups,
        "methods/carving/group_values",
        {"band_cells": band.cells, "combinations": band.combinations},
        params,
    )
    yield _step(
        band.carved,
        "methods/carving/carved_values",
        {"group_values": groups, "remainder": band.remainder},
        params,
    )


def _shrunk_and_rounded(band: Band) -> Iterator[Step]:
    params, tests = band.params, band.tests
    combinations = {"combinations": band.combinations}
    groups = work("carve_groups")
    yield _step(groups, "methods/carving/group_counts", {"band_cells": band.cells}, params)
    for one in (one for one in tests if one.t is not None):
        shrunk = work("carve_shrunk_", one.alias)
        yield _step(
            shrunk,
            "methods/carving/shrunk_ordered" if one.ordered else "methods/carving/shrunk_equal",
            {"group_counts": groups, **combinations, "open_values": one.open_values},
            {"test": one, **params},
        )
        groups = shrunk
    rounded = work("carve_rounded")
    yield _step(
        rounded,
        "methods/carving/rounded_counts",
        {"group_counts": groups, **combinations},
        {"tests": tests, **params},
    )
    before: Relation | None = None
    for one in tests:
        yield met(one, rounded, band.combinations, params, before)
        before = one.met
    largest = {"rounded_counts": rounded, "met": tests[-1].met}
    yield _step(band.carved, "methods/carving/largest_counts", largest, {})


def met(
    test: CarveTest,
    counts: Relation,
    combinations: Relation,
    params: Mapping[str, Any],
    before: Relation | None = None,
) -> Step:
    """The candidates for classes that meet what is asked of an attribute, in whole numbers.

    Args:
        test: the attribute and what is asked of it.
        counts: what each candidate takes of each combination.
        combinations: the combinations of sensitive values.
        params: of the template: ``table_records``.
        before: those that meet what is asked of other attributes, if no others are to be tested.
    """
    if test.ordered and test.prefixes is not None:
        order = {"prefixes": test.prefixes}
    else:
        order = {"stretches": test.stretches}
    return _step(
        test.met,
        "methods/carving/met_ordered" if test.ordered else "methods/carving/met_equal",
        {
            "rounded_counts": counts,
            "combinations": combinations,
            **order,
            **({} if before is None else {"met_before": before}),
        },
        {"test": test, **params},
    )


def _step(
    output: Relation, template: str, inputs: Mapping[str, Relation], params: Mapping[str, Any]
) -> Step:
    return Step("carving classes", output, template, inputs, params)
