"""Metrics that a spec asks for: worked by hand, against the oracle, and refused where there are none."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from typing import Any

import oracle.metrics as by_hand
import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import DEALT, anonymized, database, examples, make_table, select

from sqlanon.errors import SpecError
from sqlanon.sql import Relation, load_template

CLOSE = Fraction(1, 10**8)


def test_the_classification_metric_worked_by_hand() -> None:
    """Of (a, a, b) one is wrong, of (c) none; of two that are left out both are."""
    classes = [["a", "a", "b"], ["c"]]
    assert by_hand.classification_metric(classes) == Fraction(1, 4)
    assert by_hand.classification_metric(classes, suppressed=2) == Fraction(1, 2)
    assert by_hand.classification_metric([["a"], ["b"]]) == 0


@examples(20, 200)
@given(
    st.lists(st.tuples(st.integers(1, 4), st.integers(0, 3)), min_size=1, max_size=30),
    st.one_of(st.none(), st.integers(0, 9)),
)
def test_the_classification_metric_is_the_oracles(
    records: list[tuple[int, int]], suppressed: int | None
) -> None:
    classes = defaultdict(list)
    for label, value in records:
        classes[label].append(value)
    exact = by_hand.classification_metric(list(classes.values()), suppressed or 0)
    counted = sorted((*one, 1, records.count(one)) for one in set(records))
    columns = dict.fromkeys(("class_id", "code", "position", "records"), "bigint")
    there = {"class_values_s1": Relation("class_values_s1")}
    with database() as connection:
        make_table(connection, "class_values_s1", columns, counted)
        if suppressed is not None:
            make_table(connection, "ledger", {"records_suppressed": "bigint"}, [(suppressed,)])
            there["ledger"] = Relation("ledger")
        sensitive = [{"name": "illness", "class_values": there["class_values_s1"]}]
        sql = load_template("measure/minorities").render(there, {"sensitive": sensitive})
        ((_, metric, attribute, value, *_),) = select(connection, sql)[1]
    assert (metric, attribute) == ("classification_metric", "illness")
    assert abs(Fraction(value) - exact) < CLOSE
